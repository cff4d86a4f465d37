import type { IDataObject } from 'n8n-workflow';
import type { Client, ClientRequest, PlatformResponse } from '../../engine/http/client';
import { lookAgain } from '../../engine/http/clock';
import { objectOf, unwrap } from '../../engine/response/response';
import { segment } from '../../engine/http/path';
import { RequestError, rethrow } from '../../engine/errors/requestError';
import { tidy } from '../../engine/text/text';

export const isGone = (thrown: unknown): boolean =>
	thrown instanceof RequestError &&
	(thrown.saysGone || (thrown.reason === 'status' && thrown.facts.status === 410));

/** Whether the platform does not have the endpoint at all (404 `ENDPOINT_NOT_FOUND`, 405). */
function isUnsupported(thrown: unknown): boolean {
	if (!(thrown instanceof RequestError)) return false;
	const { status = 0, code } = thrown.facts;
	return [405, 501].includes(status) || (status === 404 && code === 'ENDPOINT_NOT_FOUND');
}

/** What a request gives, or what its refusal says, if that is `expected`. */
export async function orRefusal<T, R extends 'gone' | 'unsupported'>(
	asked: Promise<T>,
	...expected: R[]
): Promise<T | R> {
	try {
		return await asked;
	} catch (thrown) {
		const refusal = isGone(thrown) ? 'gone' : isUnsupported(thrown) ? 'unsupported' : undefined;
		return expected.find((one) => one === refusal) ?? rethrow(thrown);
	}
}

/**
 * Sends a request; unless it says otherwise, a repeat does no harm. A person waits for the button, and n8n 2.x tries a
 * publication five times within two minutes: n8n must show our message before its own about the time.
 */
export const ask = async (
	client: Client,
	method: ClientRequest['method'],
	path: string,
	more: Partial<ClientRequest> = {},
): Promise<PlatformResponse> =>
	await client.request({
		maxRetries: 1,
		timeout: 8,
		class: method === 'GET' ? 'read' : 'set',
		method,
		path,
		...more,
	});

/**
 * Creates a record. If the answer was lost, or does not name it, it looks for it and creates no other.
 * @param idIn its ID in a response; empty if it is missing
 * @returns its ID
 */
export async function createOnce(
	client: Client,
	path: string,
	body: IDataObject,
	idIn: (record: IDataObject) => string,
	find: () => Promise<string | undefined>,
): Promise<string> {
	try {
		const answer = await ask(client, 'POST', path, { class: 'write', body });
		const id = idIn(objectOf(unwrap(answer.body)));
		if (id !== '') return id;
		throw new RequestError('unreadable', 'done');
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || thrown.outcome === 'nothing') return rethrow(thrown);
		// What was created and cannot be read is still created.
		const seen = async () => await find().catch(() => undefined);
		return (await lookAgain(client.signal, seen)) ?? rethrow(thrown);
	}
}

/** The agent's name and uuid, for messages; the uuid alone if the platform does not return a name. */
export async function fetchAgentName(client: Client, agent: string): Promise<string> {
	const asked = ask(client, 'GET', `/agents/${segment(agent)}`, { maxRetries: 0, timeout: 4 });
	const body = await asked.then((answer) => answer.body).catch(() => undefined);
	const name = tidy(objectOf(unwrap(body)).name, 80);
	return name === undefined ? agent : `"${name}" (${agent})`;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
