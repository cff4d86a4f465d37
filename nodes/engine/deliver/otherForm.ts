import { omit } from 'lodash';
import type { Delivering, Execution } from '../execution';
import { RequestError } from '../errors/requestError';
import type { Delivery, PreparedRequest } from '../operation/preparedRequest';
import { keySourceOf } from '../operation/recovery';
import { rethrow } from '../errors/rethrow';

/**
 * Where guessed request keys were refused and the same without them was not, as long as this n8n runs: by workspace
 * and endpoint.
 */
const keyless = new Set<string>();

const endpointIn = ({ client }: Execution, { operation }: PreparedRequest): string =>
	`${client.workspace.origin} ${operation.endpoint}`;

const hasGuessedKey = ({ operation, body }: PreparedRequest): boolean =>
	keySourceOf(operation.recover) === 'inferred' && body.request_key !== undefined;

const withoutKey = (prepared: PreparedRequest): PreparedRequest => ({
	...prepared,
	body: omit(prepared.body, 'request_key'),
});

const keyRefused =
	'This workspace does not accept a request key here, so the request was sent without one. ' +
	'Running the workflow again sends it again.';

/** Whether a refusal is about the request key, and not because the key stands for another request already. */
function refusesKey({ field, message = '', details = '', code = '' }: RequestError['facts']) {
	const says = `${message} ${details}`;
	if (!/request_?key/i.test(field ?? says.replaceAll(' ', '_'))) return false;
	return !/already|used|taken|exist|duplicate|unique|conflict|differ/i.test(`${says} ${code}`);
}

/** What to send instead of a request that was refused; nothing where there is no other way to say it. */
function otherFormOf(
	prepared: PreparedRequest,
	{ facts }: RequestError,
): { prepared: PreparedRequest; hint: string } | undefined {
	if (hasGuessedKey(prepared) && refusesKey(facts))
		return { prepared: withoutKey(prepared), hint: keyRefused };
	const other = prepared.operation.otherForm?.(prepared.body, facts);
	return other && { prepared: { ...prepared, body: other.body }, hint: other.hint };
}

/**
 * Sends a request whose form is partly our guess; where the platform refuses the form (400, 422) and so has done
 * nothing, once more in the other form. An outcome that is not certain is never followed by a second request.
 * @param send sends what it is given; throws RequestError
 * @throws RequestError of the first form where both are refused
 */
export async function inEitherForm(
	execution: Delivering,
	prepared: PreparedRequest,
	send: (prepared: PreparedRequest) => Promise<Delivery>,
): Promise<Delivery> {
	const { hints, signal } = execution;
	const place = endpointIn(execution, prepared);
	if (hasGuessedKey(prepared) && keyless.has(place)) {
		hints.add(keyRefused);
		return await send(withoutKey(prepared));
	}
	try {
		return await send(prepared);
	} catch (refusal) {
		if (!(refusal instanceof RequestError) || !isCertain(refusal) || signal.aborted)
			return rethrow(refusal);
		const other = otherFormOf(prepared, refusal);
		if (!other) return rethrow(refusal);
		try {
			const delivery = await send(other.prepared);
			if (other.hint === keyRefused) keyless.add(place);
			hints.add(other.hint);
			return delivery;
		} catch (thrown) {
			return rethrow(thrown instanceof RequestError && isCertain(thrown) ? refusal : thrown);
		}
	}
}

/** Refused for what it says, in every try, so that nothing was done. */
const isCertain = (refusal: RequestError): boolean =>
	refusal.isInvalidRequest && refusal.outcome === 'nothing';
