import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import { exchange } from './exchange';
import type { Delivering } from '../execution';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';
import { Cancelled, clock, pause } from '../http/clock';
import { objectOf } from '../http/envelope';
import type { Delivery, PreparedRequest } from '../operation/preparedRequest';
import { keySourceOf } from '../operation/recovery';
import { refuseOtherRequest } from '../operation/sameRecipient';
import { records } from './records';

/** Milliseconds between two requests if the platform does not say how long it takes. */
const askEveryMs = 2000;
/** The node does not wait longer than this. */
const longestWaitMs = 60_000;
/** Times that a request is asked about while the platform still works on it. */
const mostQuestions = 10;

const wordsOf = ({ code, message, details, field }: RequestError['facts']): string =>
	[code, message, details, field].filter(Boolean).join(' ').replaceAll('_', ' ');

/** The conflict says that the key stands for another request. */
const isAnother =
	/does ?n[o'’]t match|mismatch|not the same|differ|other (request|content|body|parameters)|another (request|content|body)/i;
const namesKey = /request.?key|idempotency|idempotent/i;
const repeats =
	/duplicate.?request|same request|original request|already (been )?(accepted|processed|received|sent)/i;
const isWorking =
	/in.progress|being processed|still processing|is processing|not (yet )?(finished|complete)/i;

/** Places in a conflict that may hold the record of the request that the key stands for. */
const placesOfRecord = ['data', 'error.data', 'error.record', 'original', 'record', 'request'];

const holdsId = (record: IDataObject): boolean =>
	Object.entries(record).some(
		([name, value]) =>
			/^(id|uuid)$|(_uuid|_id|Id)$/.test(name) && ['string', 'number'].includes(typeof value),
	);

/** The record of the first request in a conflict about its key. */
function recordIn(response: unknown, key: unknown): IDataObject | undefined {
	return placesOfRecord
		.map((place) => objectOf(get(response, place)))
		.find((record) => holdsId(record) && (record.request_key ?? key) === key);
}

/** Whether a send carries a key that the interface documents. */
const isDocumented = ({ operation }: PreparedRequest): boolean =>
	keySourceOf(operation.recover) === 'documented';

/**
 * Exchanges a request. If it has a key, a conflict (409) about that key is about this very request: its record is
 * returned, or the node asks again until the platform has finished it.
 * @throws RequestError if the key stands for another request, or if that is not known; Cancelled
 */
export async function exchangeKeyed(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<Delivery> {
	const key = prepared.body.request_key;
	for (let questions = 1; ; questions++) {
		try {
			const delivery = await exchange(execution, prepared);
			for (const record of delivery.records) refuseOtherRequest(prepared, record);
			return delivery;
		} catch (thrown) {
			if (!(thrown instanceof RequestError) || thrown.facts.status !== 409 || key === undefined)
				return rethrow(thrown);
			const { facts } = thrown;
			const words = wordsOf(facts);
			if (isAnother.test(words)) return rethrow(thrown);
			// If the key is our guess, a conflict may be about anything else.
			const ofKey = namesKey.test(words) || (isDocumented(prepared) && repeats.test(words));
			const record = ofKey ? recordIn(facts.response, key) : undefined;
			if (record) {
				refuseOtherRequest(prepared, record);
				return { records: records({ data: record }, prepared) };
			}
			const waits =
				isDocumented(prepared) || ofKey
					? (facts.retryAfterMs ?? (isWorking.test(words) ? askEveryMs : undefined))
					: undefined;
			// A request that the platform is working on, or has done before, did happen.
			const unknown = ofKey || waits !== undefined;
			if (unknown) thrown.outcome = 'unknown';
			const { maxRetries = 5 } = execution.options(prepared.item);
			if (
				waits === undefined ||
				waits > longestWaitMs ||
				questions > Math.min(mostQuestions, 2 * maxRetries)
			)
				return rethrow(thrown);
			await pause(waits, execution.signal, clock).catch(() => rethrow(new Cancelled('unknown')));
		}
	}
}
