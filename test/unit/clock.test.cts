/** Waiting that a stopped execution ends. */
import { Cancelled, type Clock, pause } from '../../nodes/engine/http/clock';

/** Time that passes when somebody waits. */
const simulated = () => {
	let now = 0;
	const slept: number[] = [];
	const time: Clock = {
		now: () => now,
		sleep: async (milliseconds) => {
			slept.push(milliseconds);
			now += milliseconds;
		},
		random: () => 0,
	};
	return { time, slept };
};

test.each([
	['without a signal it sleeps once', 1300, undefined, [1300]],
	['with one in slices, so that it hears of it', 1300, new AbortController(), [500, 500, 300]],
	['for nothing not at all', 0, new AbortController(), []],
])('%s', async (_, milliseconds, stop, expected) => {
	const { time, slept } = simulated();
	await pause(milliseconds, stop?.signal, time);
	expect(slept).toEqual(expected);
});

test('stopped before: nothing is waited for', async () => {
	const { time, slept } = simulated();
	await expect(pause(1300, AbortSignal.abort(), time)).rejects.toBeInstanceOf(Cancelled);
	expect(slept).toEqual([]);
});

test('stopped meanwhile: it ends at once, although the time does not pass', async () => {
	const stop = new AbortController();
	const never: Clock = {
		now: () => 0,
		sleep: async () => await new Promise(() => {}),
		random: () => 0,
	};
	const waiting = pause(60_000, stop.signal, never);
	stop.abort();
	await expect(waiting).rejects.toMatchObject({ name: 'Cancelled', outcome: 'nothing' });
});
