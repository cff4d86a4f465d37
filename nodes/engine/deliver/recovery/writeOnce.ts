import { type Before, type Finder, nothingToLookAt } from './finder';
import { findMatch } from './match';
import { inTurn } from '../inTurn';
import { sendWithFallback } from '../fallbackBody';
import { records, sayNothing } from '../records';
import type { Delivering } from '../../execution';
import { Cancelled, clock, pause } from '../../http/clock';
import { again, retryDelay } from '../../http/again';
import { codeOf, describeError } from '../../errors/errorText';
import { RequestError, worse } from '../../errors/requestError';
import { rethrow } from '../../errors/rethrow';
import { isOpen, partOf } from '../../journal/journal';
import { classOf } from '../../operation/operation';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';

function finderOf(execution: Delivering, prepared: PreparedRequest): Finder {
	const { recover } = prepared.operation;
	if (recover.by === 'match') return findMatch(execution, prepared, recover);
	return (recover.by === 'finder' && recover.finderOf(execution, prepared)) || nothingToLookAt;
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
	const finder = finderOf(execution, prepared);
	const { turn } = finder;
	const write = async () => await once(execution, prepared, finder);
	const { origin } = execution.client.workspace;
	return turn === undefined
		? await write()
		: await inTurn(JSON.stringify([origin, turn]), execution.signal, write);
}

const lookedFirst =
	'This node reads what is on the platform before it sends this, so that it does not happen twice, and that was not ' +
	'possible.';

/** What a finder needs to know before the request leaves. @throws RequestError that nothing was sent; Cancelled */
async function beforeSending({ client }: Delivering, finder: Finder): ReturnType<Finder['before']> {
	return await finder.before().catch((thrown: unknown) => {
		if (!(thrown instanceof RequestError) || thrown.reason === 'notSent') return rethrow(thrown);
		const { message, description } = describeError(thrown, { host: client.workspace.host });
		throw new RequestError('notSent', 'nothing', {
			code: codeOf(thrown),
			status: thrown.facts.status,
			message,
			details: `${lookedFirst} ${description}`,
		});
	});
}

/** What an earlier try of the execution left open is looked for; everything else is sent. */
async function once(
	execution: Delivering,
	prepared: PreparedRequest,
	finder: Finder,
): Promise<Delivery> {
	const { journal, options } = execution;
	const { operation, identity, item } = prepared;
	const retryWrites = options(item).retryWrites === true;
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

const tellFound = (hints: Set<string>, { hint }: Finder): void => {
	hints.add(
		hint ??
			"The platform's response was lost, but the record was created. It was found on the platform and not created again.",
	);
};

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
		tellFound(hints, finder);
		return finder.delivered?.(verdict.found) ?? verdict.found;
	}
	if ('absent' in verdict && mayRepeat) return undefined;
	const looked = 'unknown' in verdict ? verdict.unknown : verdict.absent;
	if (!looked) throw why;
	// What an earlier try left uncertain was a lost response.
	const lost = why.reason === 'uncertain' ? new RequestError('dropped', why.outcome) : why;
	throw lost.with({ looked });
}

/** A response that tells nothing more than success is filled in with what the platform shows. */
async function completed(
	{ hints }: Delivering,
	finder: Finder,
	known: Before,
	delivery: Delivery,
): Promise<Delivery> {
	const done = (shown: Delivery): Delivery => finder.delivered?.(shown) ?? shown;
	if (!delivery.unproven && !sayNothing(delivery.records)) return done(delivery);
	// Even if the run has ended meanwhile: what is done stays done.
	const verdict = await finder
		.look(known)
		.catch((thrown: unknown) =>
			thrown instanceof RequestError || thrown instanceof Cancelled ? {} : rethrow(thrown),
		);
	if (!('found' in verdict)) return delivery.unproven ? delivery : done(delivery);
	tellFound(hints, finder);
	return done(verdict.found);
}

/**
 * The record is already gone, after a request that may have deleted it. At a path that is our guess, the platform may
 * find nothing although it is there.
 */
const isGone = (thrown: unknown, { method, guess }: PreparedRequest['operation']): boolean =>
	thrown instanceof RequestError && thrown.saysGone && method === 'DELETE' && guess === undefined;

/** Sends it, and again if `again` allows it. @param isLost whether a request for the same may have been done already */
async function send(
	execution: Delivering,
	prepared: PreparedRequest,
	finder: Finder,
	known: Before,
	isLost: boolean,
): Promise<Delivery> {
	const { journal } = execution;
	const { operation } = prepared;
	const kind = classOf(operation);
	// A later try sends the same key. But it must neither take what a launch starts for another launch nor split its list
	// in another way.
	const isNoted = kind !== 'keyed' || operation.before !== undefined;
	const facts = isNoted ? { before: known } : {};
	for (let failures = 1, mayBeDone = isLost; ; failures++) {
		if (isNoted) journal.note(prepared, 'sent', facts);
		try {
			const before = mayBeDone ? 'unknown' : 'nothing';
			const delivery = await sendWithFallback(execution, prepared, before);
			return await completed(execution, finder, known, delivery);
		} catch (thrown) {
			if (mayBeDone && isGone(thrown, operation)) return { records: records(undefined, prepared) };
			const isTold = thrown instanceof RequestError || thrown instanceof Cancelled;
			if (!isTold || thrown.outcome !== 'nothing') journal.note(prepared, 'unknown', facts);
			else if (isNoted) journal.note(prepared, 'refused');
			// Stopped in the middle: the note stays, a later try looks first.
			if (!(thrown instanceof RequestError) || again(kind, thrown) !== 'look')
				return rethrow(thrown);
			mayBeDone = true;
			const found = await findLost(execution, prepared, finder, known, thrown, failures);
			if (found) return found;
		}
	}
}

/**
 * Looks for a request whose response was lost just now. With 'Retry Writes', what was not found is sent again like what
 * can be repeated.
 * @returns undefined if so, after a wait
 * @throws RequestError, Cancelled
 */
async function findLost(
	execution: Delivering,
	{ item }: PreparedRequest,
	finder: Finder,
	known: Before,
	lost: RequestError,
	failures: number,
): Promise<Delivery | undefined> {
	const { client, options, signal } = execution;
	const { maxRetries, retryWrites } = options(item);
	const mayRepeat = retryWrites === true && lost.outcome === 'unknown' && lost.facts.status !== 429;
	const call = { class: 'set', maxRetries } as const;
	const delay = mayRepeat
		? retryDelay(lost, call, { failures, throttledMs: 0 }, clock.random)
		: undefined;
	try {
		const found = await find(execution, finder, known, lost, delay !== undefined);
		if (!found) await pause(delay ?? 0, signal, clock);
		return found;
	} catch (ended) {
		if (!(ended instanceof Cancelled)) return rethrow(ended);
		// Another item's error ended the run, not the execution: report what is known about this item.
		return rethrow(
			client.signal?.aborted ? new Cancelled(worse(lost.outcome, ended.outcome)) : lost,
		);
	}
}
