import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../http/client';
import { unwrap } from '../http/envelope';
import { segment } from '../http/path';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';

/** Whether the platform does not have the endpoint at all (404 `ENDPOINT_NOT_FOUND`, 405). */
export const isUnsupported = (requestError: RequestError): boolean =>
	requestError.facts.status === 405 ||
	requestError.facts.status === 501 ||
	(requestError.facts.status === 404 && requestError.facts.code === 'ENDPOINT_NOT_FOUND');

/** Whether the agent or the webhook itself is gone. */
export const isGone = (requestError: RequestError): boolean =>
	requestError.saysGone || (requestError.reason === 'status' && requestError.facts.status === 410);

/**
 * A person waits for the button, and n8n 2.x tries a publication five times within two minutes. So there are few tries,
 * and short ones: n8n must show our message before its own about the time.
 */
export const patience = { maxRetries: 1, timeout: 8 };

/**
 * Waits before each look for what a lost request may have written, in milliseconds: lists may lag ten seconds behind.
 * With them, five tries of n8n still fit into its two minutes if each loses its answer immediately.
 */
export const lookAfterMs = [500, 1500, 3500, 7000];

/** The agent's name and uuid, for messages; the uuid alone if the platform does not return a name. */
export async function fetchAgentName(client: Client, agent: string): Promise<string> {
	try {
		const { body } = await client.request({
			class: 'read',
			maxRetries: 0,
			timeout: 4,
			method: 'GET',
			path: `/agents/${segment(agent)}`,
		});
		const name = (unwrap(body) as IDataObject | null)?.name;
		return typeof name === 'string' && name.trim() !== ''
			? `"${name.trim().slice(0, 80)}" (${agent})`
			: agent;
	} catch (requestError) {
		if (requestError instanceof RequestError) return agent;
		rethrow(requestError);
	}
}
