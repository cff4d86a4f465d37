import { sleep } from 'n8n-workflow';
import type { Outcome } from '../errors/requestError';

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

	/** What may have happened on the platform until then. */
	constructor(readonly outcome: Outcome = 'nothing') {
		super('The execution was stopped');
	}
}

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

/** Waits, but no longer than until the execution is stopped. @throws Cancelled */
export async function pause(
	milliseconds: number,
	signal: AbortSignal | undefined,
	time = clock,
): Promise<void> {
	if (!signal) return await time.sleep(milliseconds);
	await unlessStopped(signal, async (stopped) => {
		// In slices: n8n's sleep cannot be ended early, and a stopped execution should not leave a long timer behind.
		const until = time.now() + milliseconds;
		for (let left = milliseconds; left > 0 && !signal.aborted; left = until - time.now())
			await Promise.race([time.sleep(Math.min(left, 500)), stopped]);
	});
}

/**
 * Waits before each look for what the platform may have written, in milliseconds: lists and records may lag ten seconds
 * behind. With them, five tries of n8n to publish still fit into its two minutes if each loses its answer immediately.
 */
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
