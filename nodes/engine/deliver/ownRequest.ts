import { exchange } from './exchange';
import { newIds } from './proofOfWrite';
import { records } from './records';
import type { Delivering } from '../execution';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';
import { objectOf } from '../http/envelope';
import type { Delivery, PreparedRequest } from '../operation/preparedRequest';
import { otherContent, refuseOthers } from '../operation/sameRecipient';

/**
 * The record in a conflict (409), if it is this very request's: it shows the request's key, and an ID that the request
 * did not contain. A conflict that names the key and shows no such record leaves open whether the request was done
 * before. Any other one is a refusal.
 * @throws RequestError
 */
function ownRecordIn(thrown: unknown, { body, ...prepared }: PreparedRequest): Delivery {
	const { request_key: key } = body;
	if (!(thrown instanceof RequestError) || thrown.facts.status !== 409 || key === undefined)
		return rethrow(thrown);
	const { response, field } = thrown.facts;
	const record = objectOf(objectOf(response).data);
	if (record.request_key === key && newIds(record, body).some(Boolean))
		return { records: records({ data: record }, { ...prepared, body }) };
	const names = field === 'request_key' || JSON.stringify(response).includes(String(key));
	if (names) thrown.outcome = 'unknown';
	return rethrow(thrown);
}

/**
 * Exchanges a request that may have a key, and compares what came back with it.
 * @throws RequestError, also if the response shows another recipient; Cancelled
 */
export async function exchangeKeyed(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<Delivery> {
	const delivery = await exchange(execution, prepared).catch((thrown: unknown) =>
		ownRecordIn(thrown, prepared),
	);
	for (const record of delivery.records) {
		refuseOthers(prepared, record);
		const other = otherContent(prepared, record);
		if (other) execution.hints.add(other);
	}
	return delivery;
}
