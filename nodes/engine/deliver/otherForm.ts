import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { exchangeKeyed } from './ownRequest';
import type { Delivering, Execution } from '../execution';
import { type Outcome, RequestError, worse } from '../errors/requestError';
import type { OtherForm } from '../operation/operation';
import type { Delivery, PreparedRequest } from '../operation/preparedRequest';
import { keySourceOf } from '../operation/recovery';
import { rethrow } from '../errors/rethrow';

type Form = NonNullable<ReturnType<OtherForm>>;

/**
 * Forms that a workspace wants for every request to an endpoint, because it refused the first one and took the other;
 * kept as long as this n8n runs.
 */
const lasting = new Map<string, Map<NonNullable<Form['always']>, string | undefined>>();

const endpointIn = ({ client }: Execution, { operation }: PreparedRequest): string =>
	`${client.workspace.origin} ${operation.endpoint}`;

const hasGuessedKey = ({ operation, body }: PreparedRequest): boolean =>
	keySourceOf(operation.recover) === 'inferred' && body.request_key !== undefined;

const withoutKey = (body: IDataObject): IDataObject =>
	body.request_key === undefined ? body : omit(body, 'request_key');

const keyRefused =
	'This workspace does not accept a request key here, so the request was sent without one. ' +
	'Running the workflow again sends it again.';

/** Words for a field that the platform does not have. */
const unknownField =
	// cspell:ignore unrecognised recognised
	/unknown|unexpected|unrecognized|unrecognised|unsupported|prohibited|additional (property|properties)|\bextra\b|invalid (field|parameter|property|attribute)|\bno such (field|parameter|property)|(not|n't|never) (be )?(allowed|permitted|supported|known|recognized|recognised|expected|accepted|present|defined)/i;
/** Words before "does not exist" that say the same. */
const ofForm = /(field|parameter|property|attribute)\b/i;
/** Words about what the key stands for. A refusal with one of them is not about the field. */
const meansContent =
	/already|used|re-?use|taken|again|twice|once|match|differ|other|duplicate|unique|conflict|first request|original/i;

/** Whether a refusal says that the platform does not know the field `request_key`; any other refusal stops the item. */
function refusesKey({ field, message = '', details = '', code = '' }: RequestError['facts']) {
	const says = `${message} ${details} ${code}`.replaceAll('_', ' ');
	if (!/request ?key/i.test(field?.replaceAll('_', ' ') ?? says)) return false;
	const missing = says.split(/\bdoes not exist/i).slice(0, -1);
	return (
		(unknownField.test(says) || missing.some((before) => ofForm.test(before))) &&
		!meansContent.test(says)
	);
}

/** What to send instead of a refused request; nothing if the request has no other form. */
const otherFormOf = (prepared: PreparedRequest, { facts }: RequestError): Form | undefined =>
	hasGuessedKey(prepared) && refusesKey(facts)
		? { body: withoutKey(prepared.body), hint: keyRefused, always: withoutKey }
		: prepared.operation.otherForm?.(prepared.body, facts);

/**
 * Sends a request, in either form if its form is partly our guess. If the platform refuses the form (400, 422), it has
 * done nothing, so the request is sent in the other form. No second request follows an uncertain outcome.
 * @param before what earlier requests for the same may have done; errors cover all of them
 * @throws RequestError of the first form if both are refused; Cancelled
 */
export async function sendInEitherForm(
	execution: Delivering,
	prepared: PreparedRequest,
	before: Outcome = 'nothing',
): Promise<Delivery> {
	const { hints, signal } = execution;
	const place = endpointIn(execution, prepared);
	const sendForm = async (body: IDataObject): Promise<Delivery> => {
		try {
			return await exchangeKeyed(execution, { ...prepared, body });
		} catch (thrown) {
			if (thrown instanceof RequestError) thrown.outcome = worse(before, thrown.outcome);
			return rethrow(thrown);
		}
	};
	let { body } = prepared;
	for (const [always, hint] of lasting.get(place) ?? []) {
		// A key that the owner has confirmed since is sent: the request is repeated because of it.
		if (always === withoutKey && !hasGuessedKey(prepared)) continue;
		const changed = always(body);
		if (changed === body) continue;
		if (hint) hints.add(hint);
		body = changed;
	}
	try {
		return await sendForm(body);
	} catch (refusal) {
		if (!(refusal instanceof RequestError) || !isCertain(refusal) || signal.aborted)
			return rethrow(refusal);
		const other = otherFormOf({ ...prepared, body }, refusal);
		if (!other) return rethrow(refusal);
		try {
			const delivery = await sendForm(other.body);
			const { always, hint } = other;
			if (always) lasting.set(place, (lasting.get(place) ?? new Map()).set(always, hint));
			if (hint) hints.add(hint);
			return delivery;
		} catch (thrown) {
			return rethrow(thrown instanceof RequestError && isCertain(thrown) ? refusal : thrown);
		}
	}
}

/** Every try was refused for its content, so nothing was done. */
const isCertain = (refusal: RequestError): boolean =>
	refusal.isInvalidRequest && refusal.outcome === 'nothing';
