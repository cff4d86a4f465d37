import { unlessStopped } from '../http/clock';

const last = new Map<string, Promise<unknown>>();

/**
 * Does work of the same name one after the other, in all executions of this process, whatever the outcome before.
 * @throws Cancelled if waiting for a turn was ended, and what `work` throws
 */
export async function inTurn<T>(
	name: string,
	signal: AbortSignal,
	work: () => Promise<T>,
): Promise<T> {
	const before = last.get(name);
	const mine = unlessStopped(signal, async () => await before).then(work);
	const end = Promise.allSettled([before, mine]);
	last.set(name, end);
	void end.then(() => {
		if (last.get(name) === end) last.delete(name);
	});
	return await mine;
}
