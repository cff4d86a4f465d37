import { sleep } from 'n8n-workflow';
import { type Outcome, networkError, RequestError } from '../errors/requestError';

/** What tests replace: the time, waiting, and chance. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	random(): number;
}

export const clock: Clock = {
	now: () => performance.now(),
	sleep,
	random: () => Math.random(),
};

/** The user or the time limit stopped the execution, or the run ended before this request was sent. */
export class Cancelled extends Error {
	override name = 'Cancelled';

	constructor(readonly outcome: Outcome = 'nothing') {
		super('The execution was stopped');
	}
}

/** Whether a request that ended so may have been carried out, for all that is known. */
export const mayBeDone = (thrown: unknown): boolean =>
	!(thrown instanceof RequestError || thrown instanceof Cancelled) || thrown.outcome !== 'nothing';

/** Waits for something, but no longer than until a signal. @throws Cancelled when it fires, or has fired before */
export async function unlessStopped(
	signal: AbortSignal,
	waiting: (stopped: Promise<void>) => Promise<unknown>,
): Promise<void> {
	let stop: () => void = () => {};
	const stopped = new Promise<void>((resolve) => {
		stop = resolve;
	});
	signal.addEventListener('abort', stop, { once: true });
	if (!signal.aborted) await Promise.race([waiting(stopped), stopped]);
	signal.removeEventListener('abort', stop);
	if (signal.aborted) throw new Cancelled();
}

const turns = new Map<string, Promise<unknown>>();

/** In all executions of this process, whatever the outcome before. @throws Cancelled while it waits; what `work` throws */
export async function inTurn<T>(
	name: string,
	signal: AbortSignal,
	work: () => Promise<T>,
): Promise<T> {
	const before = turns.get(name);
	const mine = unlessStopped(signal, async () => await before).then(work);
	const end = Promise.allSettled([before, mine]);
	turns.set(name, end);
	void end.then(() => {
		if (turns.get(name) === end) turns.delete(name);
	});
	return await mine;
}

/** Waits, but no longer than until the execution is stopped. @param slice how long a timer may stay behind @throws Cancelled */
export async function pause(
	milliseconds: number,
	signal: AbortSignal | undefined,
	time = clock,
	slice = 500,
): Promise<void> {
	if (!signal) return await time.sleep(milliseconds);
	await unlessStopped(signal, async (stopped) => {
		// In slices: n8n's sleep cannot be ended early, and a stopped execution should not leave a long timer behind.
		const until = time.now() + milliseconds;
		for (let left = milliseconds; left > 0 && !signal.aborted; left = until - time.now())
			await Promise.race([time.sleep(Math.min(left, slice)), stopped]);
	});
}

/** Lists may lag ten seconds behind, in milliseconds; five tries of n8n to publish still fit into its two minutes. */
export const lookAfterMs = [500, 1500, 3500, 7000];

/** Looks again while the platform may lag. @throws Cancelled */
export async function lookAgain<T>(
	signal: AbortSignal | undefined,
	look: () => Promise<T | undefined>,
): Promise<T | undefined> {
	for (const waitMs of lookAfterMs) {
		await pause(waitMs, signal, clock);
		const seen = await look();
		if (seen !== undefined) return seen;
	}
	return undefined;
}

/** Looks now, and again while the platform may lag. @throws Cancelled */
export const lookUntil = async <T>(
	signal: AbortSignal | undefined,
	look: () => Promise<T | undefined>,
): Promise<T | undefined> => (await look()) ?? (await lookAgain(signal, look));

/** Its signal fires at the deadline and at Stop, and closes the connection; n8n's own timeout ends only a silent one. */
export class Deadline {
	private readonly ending = new AbortController();
	readonly signal = this.ending.signal;
	/** Its timer neither keeps the process alive nor outlives the last listener. */
	private readonly time: AbortSignal;

	readonly end = (): void => this.ending.abort();

	constructor(
		private readonly seconds: number,
		private readonly stop: AbortSignal | undefined,
	) {
		this.time = AbortSignal.timeout(Math.ceil(seconds * 1000));
		this.time.addEventListener('abort', this.end);
		stop?.addEventListener('abort', this.end);
		if (stop?.aborted) this.end();
	}

	/** From now on nothing ends the request, and nothing stays behind. */
	lift(): void {
		this.time.removeEventListener('abort', this.end);
		this.stop?.removeEventListener('abort', this.end);
	}

	/** Why a request ended: what n8n throws does not distinguish the deadline from Stop, or even from the network. */
	reasonOf(thrown: unknown): Cancelled | RequestError {
		if (thrown instanceof RequestError) return thrown;
		if (this.stop?.aborted) return new Cancelled('unknown');
		if (!this.time.aborted) return networkError(thrown, this.seconds);
		const facts = { code: 'ETIMEDOUT', timeoutSeconds: this.seconds };
		return new RequestError('timeout', 'unknown', facts);
	}
}
