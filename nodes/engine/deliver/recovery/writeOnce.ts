import { Matching } from './match';
import { sendWithFallback } from '../fallbackBody';
import { records, sayNothing } from '../records';
import { Cancelled, clock, inTurn, mayBeDone, pause } from '../../http/clock';
import { again, retryDelay } from '../../http/again';
import { codeOf } from '../../errors/errorText';
import { unreadText } from '../../execution';
import { notSent, RequestError, rethrow, worse } from '../../errors/requestError';
import { isOpen, partOf, type Delivery } from '../../journal/journal';
import { classOf, isRepeatable } from '../../operation/recovery';
import type { First, Before, Finder, PreparedRequest, Delivering } from '../../operation/operation';

const nothingToLookAt: Finder = {
	first: async () => ({ before: null }),
	look: async () => ({ absent: undefined }),
};

function finderOf(execution: Delivering, prepared: PreparedRequest): Finder {
	const { recover } = prepared.operation;
	if (recover.by === 'match') return new Matching(execution, prepared, recover);
	return (recover.by === 'finder' && recover.finderOf(execution, prepared)) || nothingToLookAt;
}

/** What changes a record that is there; a POST that a user wrote may add to a list, as creating does. */
const changes = ({ kind, method, template }: PreparedRequest['operation']): boolean =>
	kind === 'raw' ? method !== 'POST' : !['create', 'send'].includes(kind) && template.includes('{');

/**
 * Sends a write, once. What could be taken for one another, and changes of one record in the order of their items, go
 * one after the other, also in other executions.
 * @throws RequestError, of the reason `uncertain` if an earlier try sent it and its outcome is not known; Cancelled
 */
export async function writeOnce(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<Delivery> {
	const finder = finderOf(execution, prepared);
	const write = new Write(execution, prepared, finder);
	const { inOrder } = prepared.operation;
	const turn =
		(inOrder ? undefined : finder.turn) ??
		(inOrder || changes(prepared.operation) ? [prepared.path] : undefined);
	if (turn === undefined) return await write.once();
	const name = JSON.stringify([execution.client.workspace.origin, turn]);
	const once = async () =>
		await write.once().catch((thrown: unknown) => {
			// The next one of its turn must not leave: sent again, this one would undo what that one changed.
			if (execution.stops && thrown instanceof RequestError && thrown.recent)
				execution.halting.abort();
			return rethrow(thrown);
		});
	return await inTurn(name, execution.signal, once);
}

/** A write on its way. All its methods may throw RequestError and Cancelled. */
class Write {
	private before: Before = [];

	constructor(
		private readonly execution: Delivering,
		private readonly prepared: PreparedRequest,
		private readonly finder: Finder,
	) {}

	/** What an earlier try of the execution left open is looked for; everything else is sent. */
	async once(): Promise<Delivery> {
		const { prepared, finder } = this;
		const { journal, options } = this.execution;
		const { operation, identity, item } = prepared;
		const { method } = operation;
		const { retryWrites } = options(item);
		const record = journal.recordOf(prepared);
		const isLost = isOpen(record) && record?.content === identity.content;
		if (record && changes(operation) && journal.overtaken(prepared))
			throw notSent(
				'OVERTAKEN',
				'Not sent, because a later item has changed the same record since',
				'Sent now, it would undo that change.',
				isOpen(record) ? 'unknown' : 'nothing',
			);
		const isKeyed = classOf(operation) === 'keyed';
		const noted = isLost ? record?.before : undefined;
		const first = noted === undefined ? await this.lookFirst() : { before: noted };
		if ('there' in first) return first.there;
		if ('instead' in first) {
			const delivery = await this.sendInstead(first);
			if (delivery) return delivery;
		} else this.before = first.before;
		const mayLeave = isLost || isKeyed || isRepeatable(method, retryWrites);
		if (!mayLeave && journal.sentOtherwise(prepared))
			throw new RequestError('uncertain', 'unknown', { code: 'OTHER_VALUES' });
		if (isLost && !isKeyed) {
			// A change or a deletion changes nothing more the second time.
			const mayRepeat = isRepeatable(finder === nothingToLookAt ? method : 'POST', retryWrites);
			const found = await this.find(new RequestError('uncertain', 'unknown'), mayRepeat);
			if (found) return found;
		}
		if (!isLost) await this.holdBack();
		return await this.send(isLost);
	}

	/** What was asked before the turn may have changed: another request of its name may have left since. */
	private async holdBack(): Promise<void> {
		const { guard } = this.prepared.operation;
		if (this.execution.options(this.prepared.item).startAgain === true) return;
		const message = await guard?.check(this.execution, this.prepared);
		if (message !== undefined) throw notSent('MAY_RUN', message);
	}

	/** What the finder needs to know before the request leaves; if it cannot know it, nothing is sent. */
	private async lookFirst(): Promise<First> {
		return await this.finder.first().catch((thrown: unknown) => {
			if (!(thrown instanceof RequestError) || thrown.reason === 'notSent') return rethrow(thrown);
			const { message, description } = unreadText(this.execution, thrown);
			throw new RequestError('notSent', 'nothing', {
				code: codeOf(thrown),
				status: thrown.facts.status,
				message,
				details: `The check before sending failed. ${description}`,
			});
		});
	}

	/** @returns undefined if what was there already is gone by now */
	private async sendInstead({ instead, mayBeGone }: Extract<First, { instead: unknown }>) {
		const identity = partOf(this.prepared.identity, instead.path);
		const other = this.execution.journal.asSent({ ...instead, identity });
		try {
			const delivery = await new Write(this.execution, other, nothingToLookAt).once();
			return this.finder.delivered?.(delivery, true) ?? delivery;
		} catch (thrown) {
			const isGone = mayBeGone && thrown instanceof RequestError && thrown.saysGone;
			return isGone ? undefined : rethrow(thrown);
		}
	}

	private handOn(delivery: Delivery): Delivery {
		return this.finder.delivered?.(delivery) ?? delivery;
	}

	private recovered(delivery: Delivery): Delivery {
		this.execution.hints.add(
			this.finder.hint ??
				"The platform's response was lost, but the record was created. It was found on the platform and not created again.",
		);
		return this.handOn(delivery);
	}

	/** Looks for a request whose response was lost. @returns undefined if it is not found and may be sent again */
	private async find(why: RequestError, mayRepeat: boolean): Promise<Delivery | undefined> {
		const verdict = await this.finder.look(this.before);
		if ('found' in verdict) return this.recovered(verdict.found);
		if ('absent' in verdict && mayRepeat) return undefined;
		const looked = 'unknown' in verdict ? verdict.unknown : verdict.absent;
		if (!looked) throw why;
		// What an earlier try left uncertain was a lost response.
		const lost = why.reason === 'uncertain' ? new RequestError('dropped', why.outcome) : why;
		throw lost.with({ looked });
	}

	/** A response that tells nothing more than success is filled in with what the platform shows. */
	private async completed(delivery: Delivery): Promise<Delivery> {
		const { unproven } = delivery;
		if (!unproven && !sayNothing(delivery.records)) return this.handOn(delivery);
		// Even if the run has ended meanwhile: what is done stays done.
		const verdict = await this.finder
			.look(this.before)
			.catch((thrown: unknown) =>
				thrown instanceof RequestError || thrown instanceof Cancelled ? {} : rethrow(thrown),
			);
		if ('found' in verdict) return this.recovered(verdict.found);
		return unproven ? delivery : this.handOn(delivery);
	}

	/** It is gone already. At a path that is our guess, the platform may find nothing although it is there. */
	private isGone(thrown: unknown): boolean {
		const { method, guess } = this.prepared.operation;
		const says = thrown instanceof RequestError && thrown.saysGone;
		return says && method === 'DELETE' && guess === undefined;
	}

	/** @param isLost whether a request for the same may have been done already */
	private async send(isLost: boolean): Promise<Delivery> {
		const { execution, prepared } = this;
		const { journal } = execution;
		const { operation } = prepared;
		const kind = classOf(operation);
		// A later try sends the same key. But it must neither take what a launch starts for another launch nor split its
		// list in another way.
		const isNoted = kind !== 'keyed' || operation.guard !== undefined;
		const facts = isNoted ? { before: this.before } : {};
		const forget = operation.guard?.leaves(execution, prepared);
		for (let failures = 1, wasSent = isLost; ; failures++, wasSent = true) {
			if (isNoted) journal.note(prepared, 'sent', facts);
			try {
				const earlier = wasSent ? 'unknown' : 'nothing';
				return await this.completed(await sendWithFallback(execution, prepared, earlier));
			} catch (thrown) {
				if (wasSent && this.isGone(thrown)) return { records: records(undefined, prepared) };
				if (mayBeDone(thrown)) {
					journal.note(prepared, 'unknown', facts);
					this.finder.uncertain?.();
				} else {
					if (isNoted) journal.note(prepared, 'refused');
					forget?.();
				}
				// Stopped in the middle: the note stays, a later try looks first.
				if (!(thrown instanceof RequestError) || again(kind, thrown) !== 'look')
					return rethrow(thrown);
				const found = await this.findLost(thrown, failures);
				if (found) return found;
			}
		}
	}

	/** Looks for a request whose response was lost just now; with 'Retry Writes', what is not found is sent again. */
	private async findLost(lost: RequestError, failures: number): Promise<Delivery | undefined> {
		const { client, options, signal } = this.execution;
		const { maxRetries, retryWrites } = options(this.prepared.item);
		const mayRepeat =
			retryWrites === true && lost.outcome === 'unknown' && lost.facts.status !== 429;
		const call = { class: 'set', maxRetries } as const;
		const past = { failures, throttledMs: 0 };
		const delay = mayRepeat ? retryDelay(lost, call, past, clock.random) : undefined;
		try {
			const found = await this.find(lost, delay !== undefined);
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
}
