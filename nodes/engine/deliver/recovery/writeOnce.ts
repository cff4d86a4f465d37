import type { Execution } from '../../execution';
import { Cancelled } from '../../http/clock';
import { type Outcome, RequestError } from '../../errors/requestError';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import { isRepeatable } from '../../operation/recovery';
import { records, sayNothing } from '../records';
import { rethrow } from '../../errors/rethrow';

/** Waits before each look for what the platform may have written, in milliseconds. */
export const lookAfterMs = [500, 1500, 4000];

/** How it is found out whether a request whose answer was lost was carried out. */
export interface Finder {
	/** What is to be known before the request leaves; null where nobody could look. */
	before: () => Promise<string[] | null>;
	/** What a later try of the same execution does with a request whose outcome is unknown: look first, or send again. */
	looksFirst: boolean;
	/**
	 * @param lost why the outcome is unknown
	 * @param known what `before` gave
	 * @param last the request will not be sent again
	 * @returns what the request gave, or undefined where it is to be sent again
	 * @throws RequestError where nobody can tell
	 */
	find: (
		lost: RequestError,
		known: string[] | null,
		last: boolean,
	) => Promise<Delivery | undefined>;
}

/** An unknown outcome, with what came of looking; what an earlier try left uncertain was a lost answer. */
export const lookedFor = (
	lost: RequestError,
	looked: NonNullable<RequestError['facts']['looked']>,
): RequestError =>
	(lost.reason === 'uncertain' ? new RequestError('dropped', lost.outcome) : lost).with({ looked });

const outcomeOf = (thrown: unknown): Outcome =>
	thrown instanceof RequestError || thrown instanceof Cancelled ? thrown.outcome : 'unknown';

/** Nothing shows whether it was carried out; only what may be repeated is sent again. */
export function findNothing(execution: Execution, { item, operation }: PreparedRequest): Finder {
	return {
		before: async () => null,
		looksFirst: !isRepeatable(operation.method, execution.options(item).retryWrites),
		find: async (lost) => {
			throw lost;
		},
	};
}

/** What was to be deleted is gone already, after a try that may have deleted it. */
const isGone = (thrown: unknown, { operation }: PreparedRequest): thrown is RequestError =>
	thrown instanceof RequestError && thrown.facts.status === 404 && operation.method === 'DELETE';

/** What became of a request that was done for certain, as the platform shows it; nothing where it does not. */
async function lookFor(finder: Finder, known: string[] | null): Promise<Delivery | undefined> {
	if (!finder.looksFirst) return undefined;
	try {
		return await finder.find(new RequestError('unreadable', 'done'), known, true);
	} catch (thrown) {
		// Also where the run has ended meanwhile: what is done stays done.
		const known = thrown instanceof RequestError || thrown instanceof Cancelled;
		return known ? undefined : rethrow(thrown);
	}
}

/**
 * Sends a write for which no key is documented. The journal notes it before it leaves, so that later tries of the same
 * execution (Retry On Fail, "Retry execution") know that its outcome is unknown.
 * @param send the request; throws RequestError
 * @throws RequestError `uncertain` when an earlier try sent it and nobody knows what became of it
 */
export async function writeOnce(
	execution: Execution,
	prepared: PreparedRequest,
	finder: Finder,
	send: () => Promise<Delivery>,
): Promise<Delivery> {
	const { journal, options } = execution;
	const { maxRetries = 5 } = options(prepared.item);
	const noted = journal.pendingBefore(prepared);
	const sentBefore = noted !== undefined;
	const before = sentBefore ? noted : await finder.before();
	const find = async (lost: RequestError, last = false): Promise<Delivery | undefined> => {
		const found = await finder.find(lost, before, last);
		if (found) journal.settle(prepared);
		return found;
	};

	if (sentBefore && finder.looksFirst) {
		const found = await find(new RequestError('uncertain', 'unknown'));
		if (found) return found;
	}
	for (let repeats = 0; ; repeats++) {
		journal.markPending(prepared, before);
		try {
			const delivery = await send();
			const shown = sayNothing(delivery.records) ? await lookFor(finder, before) : undefined;
			journal.settle(prepared);
			return shown ?? delivery;
		} catch (thrown) {
			const outcome = outcomeOf(thrown);
			if (isGone(thrown, prepared) && (sentBefore || thrown.attempts > 1)) {
				journal.settle(prepared);
				return { records: records(undefined, prepared) };
			}
			if (outcome === 'nothing' && !sentBefore) journal.settle(prepared);
			// Stopped in the middle: the note stays, a later try looks first.
			if (!(thrown instanceof RequestError) || outcome === 'nothing') rethrow(thrown);
			const found = await find(thrown, repeats >= maxRetries);
			if (found) return found;
			if (repeats >= maxRetries) rethrow(thrown);
		}
	}
}
