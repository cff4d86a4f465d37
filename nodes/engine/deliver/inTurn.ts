import { unlessStopped } from '../http/clock';

/** The end of the latest work, by name; for all executions of this process. */
const last = new Map<string, Promise<unknown>>();

/**
 * Does work of the same name one after the other, in the order of the calls, whatever the outcome of the work before.
 * @param name of the workspace and of what could be taken for one another there
 * @param signal ends waiting for a turn
 * @throws Cancelled if waiting was ended, and what `work` throws
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
