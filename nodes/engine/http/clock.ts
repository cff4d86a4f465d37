import { sleep } from 'n8n-workflow';
import type { Outcome } from '../errors/requestError';

/** What tests replace: the time, waiting, and chance. */
export interface Clock {
	/** Milliseconds since some fixed moment; never goes back. */
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** From 0 to below 1. */
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

	/** What may have happened on the platform until then. */
	constructor(readonly outcome: Outcome = 'nothing') {
		super('The execution was stopped');
	}
}

/**
 * Waits, but no longer than until the execution is stopped.
 * @throws Cancelled immediately when it is
 */
export async function pause(
	milliseconds: number,
	signal: AbortSignal | undefined,
	time: Clock,
): Promise<void> {
	if (signal?.aborted) throw new Cancelled();
	if (!signal) return await time.sleep(milliseconds);
	let stop: () => void = () => {};
	const stopped = new Promise<void>((resolve) => {
		stop = resolve;
	});
	signal.addEventListener('abort', stop, { once: true });
	// In slices: n8n's sleep cannot be ended early, and a stopped execution should not leave a long timer behind.
	const until = time.now() + milliseconds;
	for (let left = milliseconds; left > 0 && !signal.aborted; left = until - time.now()) {
		await Promise.race([time.sleep(Math.min(left, 500)), stopped]);
	}
	signal.removeEventListener('abort', stop);
	if (signal.aborted) throw new Cancelled();
}
