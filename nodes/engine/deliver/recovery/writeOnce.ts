import { type Before, type Finder, nothingToLookAt } from './finder';
import { findMatch } from './match';
import { findInList } from './searchList';
import { findInParent } from './searchParent';
import { findInRecord } from './watchRecord';
import { inTurn } from '../inTurn';
import { sendWithFallback } from '../fallbackBody';
import { records, sayNothing } from '../records';
import type { Delivering } from '../../execution';
import { Cancelled, clock, pause } from '../../http/clock';
import { again, retryDelay } from '../../http/again';
import { codeOf, describeError } from '../../errors/errorText';
import { type Outcome, RequestError, worse } from '../../errors/requestError';
import { rethrow } from '../../errors/rethrow';
import { isOpen, partOf } from '../../journal/journal';
import { classOf } from '../../operation/operation';
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
 * Sends a write, once. Requests that could be taken for one another go one after the other, also those of other
 * executions.
 * @throws RequestError, of the reason `uncertain` if an earlier try sent it and its outcome is not known; Cancelled
 */
export async function writeOnce(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<Delivery> {
	const { finder, turn } = recoveryOf(execution, prepared);
	if (turn === undefined) return await once(execution, prepared, finder);
	return await inTurn(
		JSON.stringify([execution.client.workspace.origin, turn]),
		execution.signal,
		async () => await once(execution, prepared, finder),
	);
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
async function shownOf(finder: Finder, known: Before): Promise<Delivery | undefined> {
	try {
		const verdict = await finder.look(known);
		return 'found' in verdict ? verdict.found : undefined;
	} catch (thrown) {
		// Even if the run has ended meanwhile: what is done stays done.
		const isKnown = thrown instanceof RequestError || thrown instanceof Cancelled;
		return isKnown ? undefined : rethrow(thrown);
	}
}

/** What an earlier try of the execution left open is looked for; everything else is sent. */
async function once(
	execution: Delivering,
	prepared: PreparedRequest,
	finder: Finder,
): Promise<Delivery> {
	const { journal, options } = execution;
	const { operation, identity } = prepared;
	const retryWrites = options(prepared.item).retryWrites === true;
	const record = journal.recordOf(prepared);
	const isLost = isOpen(record) && record?.content === identity.content;
	const isKeyed = classOf(operation) === 'keyed';
	const noted = isLost ? record?.before : undefined;
	const before = noted === undefined ? await beforeSending(execution, finder) : { known: noted };
	if ('there' in before) return before.there;
	if ('instead' in before) {
		const { instead, mayBeGone } = before;
		const other = journal.asSent({ ...instead, identity: partOf(identity, instead.address) });
		const delivery = await once(execution, other, nothingToLookAt).catch((thrown: unknown) =>
			mayBeGone && thrown instanceof RequestError && thrown.saysGone ? undefined : rethrow(thrown),
		);
		if (delivery) return finder.delivered?.(delivery, true) ?? delivery;
	}
	const mayLeave = isLost || isKeyed || retryWrites || operation.method !== 'POST';
	if (!mayLeave && journal.sentOtherwise(prepared))
		throw new RequestError('uncertain', 'unknown', { code: 'OTHER_VALUES' });
	const known = 'known' in before ? before.known : [];
	if (isLost && !isKeyed) {
		// A change or a deletion changes nothing more the second time.
		const isHarmless = finder === nothingToLookAt && operation.method !== 'POST';
		const uncertain = new RequestError('uncertain', 'unknown');
		const found = await find(execution, finder, known, uncertain, retryWrites || isHarmless);
		if (found) return found;
	}
	return await send(execution, prepared, finder, known, isLost);
}

/**
 * Looks for a request whose response was lost.
 * @param mayRepeat whether it is sent again if it is not found
 * @returns undefined if so
 * @throws RequestError, Cancelled
 */
async function find(
	{ hints }: Delivering,
	finder: Finder,
	known: Before,
	why: RequestError,
	mayRepeat: boolean,
): Promise<Delivery | undefined> {
	const verdict = await finder.look(known);
	if ('found' in verdict) {
		if (finder.hint) hints.add(finder.hint);
		return finder.delivered?.(verdict.found) ?? verdict.found;
	}
	if ('absent' in verdict && mayRepeat) return undefined;
	const looked = 'unknown' in verdict ? verdict.unknown : verdict.absent;
	if (!looked) throw why;
	// What an earlier try left uncertain was a lost response.
	const lost = why.reason === 'uncertain' ? new RequestError('dropped', why.outcome) : why;
	throw lost.with({ looked });
}

/** Sends it, and again if `again` allows it. @param isLost whether a request for the same may have been done already */
async function send(
	execution: Delivering,
	prepared: PreparedRequest,
	finder: Finder,
	known: Before,
	isLost: boolean,
): Promise<Delivery> {
	const { client, journal, hints, options, signal } = execution;
	const { operation } = prepared;
	const { maxRetries, retryWrites } = options(prepared.item);
	const kind = classOf(operation);
	// A later try sends the same key. But it must neither take what a launch starts for another launch nor split its list
	// in another way.
	const isNoted = kind !== 'keyed' || operation.before !== undefined;
	const facts = isNoted ? { before: known } : {};
	for (let failures = 1, mayBeDone = isLost; ; failures++) {
		if (isNoted) journal.note(prepared, 'sent', facts);
		try {
			const delivery = await sendWithFallback(
				execution,
				prepared,
				mayBeDone ? 'unknown' : 'nothing',
			);
			const tells = !delivery.unproven && !sayNothing(delivery.records);
			const shown = tells ? undefined : await shownOf(finder, known);
			if (shown && finder.hint) hints.add(finder.hint);
			if (delivery.unproven && !shown) return delivery;
			return finder.delivered?.(shown ?? delivery) ?? shown ?? delivery;
		} catch (thrown) {
			if (mayBeDone && isGone(thrown, prepared)) return { records: records(undefined, prepared) };
			const outcome = outcomeOf(thrown);
			if (outcome !== 'nothing') journal.note(prepared, 'unknown', facts);
			else if (isNoted) journal.note(prepared, 'refused');
			// Stopped in the middle: the note stays, a later try looks first.
			if (!(thrown instanceof RequestError) || again(kind, thrown) !== 'look')
				return rethrow(thrown);
			mayBeDone = true;
			// With 'Retry Writes', what was not found is sent again like what can be repeated.
			const isAllowed =
				retryWrites === true && outcome === 'unknown' && thrown.facts.status !== 429;
			const past = { failures, throttledMs: 0 };
			const delay = isAllowed
				? retryDelay(thrown, { class: 'set', maxRetries }, past, clock.random)
				: undefined;
			try {
				const found = await find(execution, finder, known, thrown, delay !== undefined);
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
