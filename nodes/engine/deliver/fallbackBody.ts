import { omit, toPath } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { exchange } from './exchange';
import { readBeside } from '../execution';
import { type Outcome, RequestError, rethrow, worse } from '../errors/requestError';
import { again } from '../http/again';
import { learn, recall } from '../http/learned';
import type { FallbackBody, PreparedRequest, Delivering } from '../operation/operation';
import { keySourceOf } from '../operation/recovery';
import { pathOfRead, type SecondaryRead } from '../operation/secondaryRead';
import type { Delivery } from '../journal/journal';

/** A request key that no source shows at this endpoint. The user's own is never left out: only the user can know. */
const withoutKey: FallbackBody = {
	guessed: () => ['request_key'],
	body: (body) => omit(body, 'request_key'),
	hint: 'This workspace does not accept a request key here, so the request was sent without one. Running the workflow again sends it again.',
	lasts: true,
};

function fallbacksOf({ operation, body }: PreparedRequest): FallbackBody[] {
	const isGuessed = keySourceOf(operation.recover) === 'inferred';
	const ofKey = isGuessed && body.request_key !== undefined ? [withoutKey] : [];
	return operation.fallback ? [...ofKey, operation.fallback] : ofKey;
}

/** Whether a refusal is about what was guessed: it names the field, a part of it, or what holds it; a key, also none. */
function isRefused(fallback: FallbackBody, body: IDataObject, field?: string): boolean {
	const guessed = fallback.guessed(body);
	if (field === undefined) return fallback === withoutKey;
	const named = `.${toPath(field).join('.')}.`;
	return guessed.some((one) => named.includes(`.${one}.`) || `.${one}.`.includes(named));
}

/**
 * Sends a request, and its fallback body once if the platform refuses what was guessed (400, 422) and has done nothing.
 * @param earlier what earlier requests for the same may have done; errors cover all of them
 * @throws RequestError of the first body if both are refused; Cancelled
 */
export async function sendWithFallback(
	execution: Delivering,
	prepared: PreparedRequest,
	earlier: Outcome,
): Promise<Delivery> {
	const { client, hints, signal } = execution;
	/** Of bodies that the workspace wants for every request to an endpoint, because it refused the first one. */
	const about = (fallback: FallbackBody): string[] => [
		client.workspace.origin,
		fallback === withoutKey ? 'takes no key' : 'takes another body',
		prepared.operation.endpoint,
	];
	const send = async (body: IDataObject): Promise<Delivery> =>
		await exchange(execution, { ...prepared, body }).catch((thrown: unknown) => {
			if (thrown instanceof RequestError) thrown.outcome = worse(earlier, thrown.outcome);
			return rethrow(thrown);
		});
	const { pathValues } = prepared;
	const ask = async (read: SecondaryRead) =>
		(await readBeside(execution, prepared, pathOfRead(read, pathValues))).body;
	const isKept = (fallback: FallbackBody) =>
		fallback === withoutKey && prepared.ownKey !== undefined;
	const isForm = (thrown: unknown): thrown is RequestError =>
		thrown instanceof RequestError && again('write', thrown) === 'other';
	let { body } = prepared;
	for (const fallback of fallbacksOf(prepared)) {
		const isLasting = recall(about(fallback)) === true && !isKept(fallback);
		if (!isLasting || fallback.guessed(body).length === 0) continue;
		if (fallback.hint) hints.add(fallback.hint);
		body = await fallback.body(body, ask, pathValues);
	}
	try {
		return await send(body);
	} catch (refusal) {
		if (!isForm(refusal) || signal.aborted) return rethrow(refusal);
		const fallback = fallbacksOf({ ...prepared, body }).find((one) =>
			isRefused(one, body, refusal.facts.field),
		);
		if (!fallback) return rethrow(refusal);
		if (isKept(fallback)) {
			const way =
				"If this workspace takes no request key here, remove 'Request Key' under Options.";
			const details = [refusal.facts.details, way].filter(Boolean).join(' ');
			throw refusal.with({ details });
		}
		try {
			const delivery = await send(await fallback.body(body, ask, pathValues));
			if (fallback.lasts) learn(about(fallback), true);
			if (fallback.hint) hints.add(fallback.hint);
			return delivery;
		} catch (thrown) {
			return rethrow(isForm(thrown) ? refusal : thrown);
		}
	}
}
