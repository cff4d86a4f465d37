import { type Finder, nothingToLookAt } from './finder';
import { findMatch } from './match';
import { findInList } from './searchList';
import { findInParent } from './searchParent';
import { findInRecord } from './watchRecord';
import { inTurn } from '../inTurn';
import { sendInEitherForm } from '../otherForm';
import { records, sayNothing } from '../records';
import type { Delivering } from '../../execution';
import { Cancelled, clock, pause } from '../../http/clock';
import { retryDelay } from '../../http/retry';
import { codeOf, describeError } from '../../errors/errorText';
import { type Outcome, RequestError, worse } from '../../errors/requestError';
import { rethrow } from '../../errors/rethrow';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import { isCostly } from '../../operation/recovery';

/** How the operation recovers from a lost response, and which requests could be taken for this one. */
function recoveryOf(
	execution: Delivering,
	prepared: PreparedRequest,
): { finder: Finder; turn?: unknown } {
	const { operation, address, body } = prepared;
	const { recover, endpoint } = operation;
	switch (recover.by) {
		case 'match': {
			const finder = findMatch(execution, prepared, recover);
			return { finder, turn: finder.turn };
		}
		case 'searchParent':
			return {
				finder: findInParent(execution, prepared, recover),
				turn: [address, recover.content(body)],
			};
		case 'searchList':
			if (!isCostly(recover, body)) break;
			return {
				finder: findInList(execution, prepared, recover),
				turn: [endpoint, recover.name(body)],
			};
		case 'watchRecord':
			if (!isCostly(recover, body)) break;
			return { finder: findInRecord(execution, prepared, recover), turn: [address] };
		case 'requestKey':
		case 'nothing':
	}
	return { finder: nothingToLookAt };
}

/**
 * Carries a write out, once. The one place that decides whether a write is sent again: the client repeats only what
 * certainly did nothing, and what may be repeated (reads, keyed sends). Requests that could be taken for one another
 * go one after the other, also those of other executions.
 * @throws RequestError, Cancelled
 */
export async function carryOut(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<Delivery> {
	if (prepared.operation.recover.by === 'requestKey') return await keyed(execution, prepared);
	const { finder, turn } = recoveryOf(execution, prepared);
	if (turn === undefined) return await once(execution, prepared, finder);
	return await inTurn(
		JSON.stringify([execution.client.workspace.origin, turn]),
		execution.signal,
		async () => await once(execution, prepared, finder),
	);
}

/** A send with a proven key; the client repeats it with that key, and a later try does. */
async function keyed(execution: Delivering, prepared: PreparedRequest): Promise<Delivery> {
	const { journal } = execution;
	// A later try must neither take what this one starts for another launch nor split its list in another way.
	const isLaunch = prepared.operation.before !== undefined;
	if (isLaunch) journal.markPending(prepared, null);
	try {
		const delivery = await sendInEitherForm(execution, prepared);
		if (isLaunch) journal.settle(prepared);
		return delivery;
	} catch (thrown) {
		if (outcomeOf(thrown) !== 'nothing') journal.noteLost(prepared);
		else if (isLaunch) journal.settle(prepared);
		return rethrow(thrown);
	}
}

const outcomeOf = (thrown: unknown): Outcome =>
	thrown instanceof RequestError || thrown instanceof Cancelled ? thrown.outcome : 'unknown';

/**
 * The record is already gone, after a request that may have deleted it. At a path that is our guess, the platform may
 * find nothing although it is there.
 */
const isGone = (thrown: unknown, { operation }: PreparedRequest): boolean =>
	thrown instanceof RequestError &&
	thrown.saysGone &&
	operation.method === 'DELETE' &&
	operation.guess === undefined;

/** What a finder needs to know before the request leaves. @throws RequestError that nothing was sent; Cancelled */
async function beforeSending(execution: Delivering, finder: Finder): ReturnType<Finder['before']> {
	try {
		return await finder.before();
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || thrown.reason === 'notSent') return rethrow(thrown);
		const { host } = execution.client.workspace;
		const { message, description } = describeError(thrown, { host, class: 'read' });
		const held = new RequestError('notSent', 'nothing', {
			code: codeOf(thrown),
			status: thrown.facts.status,
			message,
			details: `${lookedFirst} ${description}`,
		});
		return rethrow(held);
	}
}

const lookedFirst =
	'This node reads what is on the platform before it sends this, so that it does not happen twice, and that was not ' +
	'possible.';

/** The outcome of an accepted request, as the platform shows it; nothing if it does not. */
async function shownOf(finder: Finder, known: string[] | null): Promise<Delivery | undefined> {
	try {
		const verdict = await finder.look(known);
		return 'found' in verdict ? verdict.found : undefined;
	} catch (thrown) {
		// Even if the run has ended meanwhile: what is done stays done.
		const isKnown = thrown instanceof RequestError || thrown instanceof Cancelled;
		return isKnown ? undefined : rethrow(thrown);
	}
}

/**
 * Sends a write. The journal notes it before it leaves, so that later tries of the same execution (Retry On Fail,
 * "Retry execution") know that its outcome is unknown. After a lost response it is looked for; it is sent again only if
 * it was not found and the user chose 'Retry Writes'.
 * @throws RequestError, of the reason `uncertain` if an earlier try sent it and its outcome is not known
 */
async function once(
	execution: Delivering,
	prepared: PreparedRequest,
	finder: Finder,
): Promise<Delivery> {
	const { client, journal, hints, options, signal } = execution;
	const { maxRetries, retryWrites } = options(prepared.item);
	const noted = journal.pendingBefore(prepared);
	const before = noted === undefined ? await beforeSending(execution, finder) : { known: noted };
	if ('there' in before) return before.there;
	if ('instead' in before) {
		const { instead, mayBeGone } = before;
		const delivery = await once(execution, instead, nothingToLookAt).catch((thrown: unknown) =>
			mayBeGone && thrown instanceof RequestError && thrown.saysGone ? undefined : rethrow(thrown),
		);
		if (delivery) return finder.delivered?.(delivery, true) ?? delivery;
	}
	const known = 'known' in before ? before.known : [];
	const mayLeave = noted !== undefined || retryWrites === true;
	if (prepared.operation.method === 'POST' && !mayLeave && journal.sentOtherwise(prepared))
		throw new RequestError('uncertain', 'unknown', { code: 'OTHER_VALUES' });
	const deliveredAs = (delivery: Delivery): Delivery => finder.delivered?.(delivery) ?? delivery;

	/** @returns undefined if it was not found and may be sent again */
	const find = async (why: RequestError, mayRepeat: boolean): Promise<Delivery | undefined> => {
		const verdict = await finder.look(known);
		if ('found' in verdict) {
			journal.settle(prepared);
			if (finder.hint) hints.add(finder.hint);
			return deliveredAs(verdict.found);
		}
		if ('absent' in verdict && mayRepeat) return undefined;
		const looked = 'unknown' in verdict ? verdict.unknown : verdict.absent;
		if (!looked) throw why;
		// What an earlier try left uncertain was a lost response.
		const lost = why.reason === 'uncertain' ? new RequestError('dropped', why.outcome) : why;
		throw lost.with({ looked });
	};

	/** Whether a request for the same may have been carried out already. */
	let lost = noted !== undefined;
	if (lost) {
		// A change or a deletion changes nothing more the second time.
		const isHarmless = finder === nothingToLookAt && prepared.operation.method !== 'POST';
		const found = await find(
			new RequestError('uncertain', 'unknown'),
			retryWrites === true || isHarmless,
		);
		if (found) return found;
	}
	for (let failures = 1; ; failures++) {
		journal.markPending(prepared, known);
		try {
			const delivery = await sendInEitherForm(execution, prepared, lost ? 'unknown' : 'nothing');
			const tells = !delivery.unproven && !sayNothing(delivery.records);
			const shown = tells ? undefined : await shownOf(finder, known);
			journal.settle(prepared);
			if (shown && finder.hint) hints.add(finder.hint);
			return delivery.unproven && !shown ? delivery : deliveredAs(shown ?? delivery);
		} catch (thrown) {
			if (lost && isGone(thrown, prepared)) {
				journal.settle(prepared);
				return { records: records(undefined, prepared) };
			}
			const outcome = outcomeOf(thrown);
			if (outcome === 'nothing') journal.settle(prepared);
			else journal.noteLost(prepared, known);
			// Stopped in the middle: the note stays, a later try looks first.
			if (!(thrown instanceof RequestError) || outcome === 'nothing') return rethrow(thrown);
			lost = true;
			const delay =
				retryWrites === true && outcome === 'unknown' && thrown.facts.status !== 429
					? retryDelay(
							thrown,
							{ class: 'set', maxRetries },
							{ failures, throttledMs: 0 },
							clock.random,
						)
					: undefined;
			try {
				const found = await find(thrown, delay !== undefined);
				if (found) return found;
				await pause(delay ?? 0, signal, clock);
			} catch (ended) {
				if (!(ended instanceof Cancelled)) return rethrow(ended);
				// Another item's error ended the run, not the execution: report what is known about this item.
				if (!client.signal?.aborted) return rethrow(thrown);
				return rethrow(new Cancelled(worse(outcome, ended.outcome)));
			}
		}
	}
}
