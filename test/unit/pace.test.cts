import {
	type Departure,
	type LimitName,
	type Observation,
	Pace,
} from '../../nodes/engine/http/pace';
import { RequestError } from '../../nodes/engine/errors/requestError';
import { Cancelled } from '../../nodes/engine/http/clock';
import { SimulatedClock } from './pace/network.cts';

const fresh = () => {
	const clock = new SimulatedClock();
	return { clock, pace: new Pace(clock) };
};

/** Most departures within any window of this length. */
const densest = (times: number[], window: number): number =>
	Math.max(
		...times.map((from) => times.filter((time) => time >= from && time < from + window).length),
	);

const asked = { caller: 'token' } as const;

/** Takes a turn. */
const turn = async (pace: Pace, limitName: LimitName, owner = 'one', signal?: AbortSignal) =>
	(await pace.turn({ ...asked, limitName, endpoint: limitName, owner, signal })) as Departure;

/** Takes a turn that is answered at once. */
const answered = async (
	pace: Pace,
	limitName: LimitName,
	status: number,
	limits: Omit<Observation, 'status'> = {},
) => pace.observe(await turn(pace, limitName), { status, ...limits });

async function leave(
	pace: Pace,
	clock: SimulatedClock,
	limitName: LimitName,
	count: number,
	owner = 'one',
) {
	const times: number[] = [];
	for (let index = 0; index < count; index++)
		void turn(pace, limitName, owner).then(() => times.push(clock.now()));
	return times;
}

describe('pace of sends', () => {
	/** After many rejections one after the other and a pause. @returns when 200 more leave, counted from then */
	const afterRejections = async (pauseMs: number) => {
		const { clock, pace } = fresh();
		for (let index = 0; index < 8; index++) {
			await clock.run(clock.now() + 1500);
			const refused = answered(pace, 'sends', 429, { retryAfterMs: 1000 });
			await clock.run();
			await refused;
		}
		await clock.run(clock.now() + pauseMs);
		const begun = clock.now();
		const times: number[] = [];
		const send = async () => {
			const departure = await turn(pace, 'sends');
			times.push(clock.now() - begun);
			pace.observe(departure, { status: 201 });
			if (times.length < 200) await send();
		};
		void send();
		await clock.run();
		expect(densest(times, 1000)).toBe(5);
		return (from: number) => times.filter((time) => time >= from && time < from + 5000).length;
	};

	test('many rejections one after the other slow it down; once others have stopped, full speed is back within half a minute', async () => {
		const within = await afterRejections(50_000);
		expect(within(1000)).toBeLessThan(20);
		expect(within(30_000)).toBeGreaterThanOrEqual(24);
	});

	test('rejections of more than a minute ago are forgotten', async () => {
		const within = await afterRejections(60_001);
		expect(within(1000)).toBeGreaterThanOrEqual(24);
	});

	// interface: §8 rule 2
	test('what others send is left to them', async () => {
		const { clock, pace } = fresh();
		await answered(pace, 'sends', 201, { limit: 5, remaining: 0 });
		let went = -1;
		void turn(pace, 'sends').then(() => (went = clock.now()));
		await clock.run();
		expect(went).toBeGreaterThanOrEqual(1000);
	});

	test('a stopped execution leaves the line at once and holds nobody up', async () => {
		const { clock, pace } = fresh();
		const stop = new AbortController();
		await turn(pace, 'sends');
		const stopped = turn(pace, 'sends', 'stopped', stop.signal);
		const other = turn(pace, 'sends', 'other').then(() => clock.now());
		stop.abort();
		await expect(stopped).rejects.toBeInstanceOf(Cancelled);
		await clock.run();
		expect(await other).toBeLessThan(300);
	});
});

describe('Evidence: a number in a header is taken for a limit', () => {
	/** Sends 400 times to a server that announces this limit. @returns the most in a second */
	const announced = async (
		limit: number,
		remaining: (sent: number, now: number) => number | undefined,
	) => {
		const { clock, pace } = fresh();
		const times: number[] = [];
		const send = async () => {
			const departure = await turn(pace, 'sends');
			times.push(departure.at);
			const left = remaining(times.length, departure.at);
			pace.observe(departure, { status: 201, limit, remaining: left });
		};
		for (let index = 0; index < 400; index++) void send();
		await clock.run();
		return densest(times, 1000);
	};
	/** A limit that is counted anew each second. */
	const aSecond = (limit: number) => {
		const seen: number[] = [];
		return (_: number, now: number) => {
			seen.push(now);
			return limit - seen.filter((at) => at > now - 1000).length;
		};
	};

	test.each([
		['counted anew each second: it is not believed', 20, aSecond(20), 5],
		['that may be per minute: it is not believed', 60, (sent: number) => Math.max(0, 60 - sent), 5],
		['without a remainder: it is not believed', 20, () => undefined, 5],
		['less than documented: it is kept', 2, aSecond(2), 2],
		['of the general limit: sends keep theirs', 1000, aSecond(1000), 5],
	])('a limit on the answer to a send, %s', async (_, limit, remaining, most) => {
		expect(await announced(limit, remaining)).toBe(most);
	});
});

describe('one 429', () => {
	test('a few that left together count as one', async () => {
		const spacing = async (refusals: number) => {
			const { clock, pace } = fresh();
			const departures = await Promise.all(
				Array.from({ length: refusals }, async () => await turn(pace, 'requests')),
			);
			for (const departure of departures)
				pace.observe(departure, { status: 429, limit: 1000, remaining: 0, retryAfterMs: 1000 });
			const times = await leave(pace, clock, 'requests', 20);
			await clock.run();
			return times[19]! - times[0]!;
		};
		expect(await spacing(8)).toBeGreaterThan(0);
		expect(await spacing(8)).toBe(await spacing(1));
	});
});

describe('a request that waits in line for longer than it may', () => {
	test('ends without its turn, and the others get theirs', async () => {
		const { clock, pace } = fresh();
		await answered(pace, 'sends', 429, { retryAfterMs: 30_000 });
		const ask = { limitName: 'sends', endpoint: 'sends', caller: 'token', owner: 'one' } as const;
		const ended = pace.turn({ ...ask, until: 5000 }).then((departure) => [departure, clock.now()]);
		const stayed = pace.turn({ ...ask, until: 60_000 });
		await clock.run();
		const [departure, at] = await ended;
		expect(departure).toBeUndefined();
		expect(at).toBeGreaterThanOrEqual(5000);
		expect(at).toBeLessThanOrEqual(6000);
		expect((await stayed)?.at).toBeGreaterThanOrEqual(30_000);
	});
});

// Its limits are per second and per minute (interface §8).
test('an hour asked for closes an endpoint for three minutes', async () => {
	const { clock, pace } = fresh();
	await answered(pace, 'sends', 429, { retryAfterMs: 3_600_000 });
	for (const at of [0, 179_000]) {
		await clock.run(at);
		await expect(turn(pace, 'sends')).rejects.toThrow(RequestError);
	}
	await clock.run(180_000);
	expect(await turn(pace, 'sends')).toBeDefined();
});

describe('pace of everything', () => {
	// interface: §8 requests
	test('a thousand leave at once, the next only when the minute allows', async () => {
		const clock = new SimulatedClock();
		const times = await leave(new Pace(clock), clock, 'requests', 2000);
		await clock.run();
		expect(times.filter((time) => time === 0)).toHaveLength(1000);
		expect(densest(times, 60_000)).toBe(1000);
		expect(times[1999]!).toBeLessThan(62_000);
	});

	// interface: §8 requests
	test.each([
		['smaller: it is kept', 100, 100],
		['larger: it is not believed', 60_000, 1000],
		['that can only be per second: it is not believed', 5, 1000],
	])('a limit that the server announces, %s', async (_, limit, most) => {
		const { clock, pace } = fresh();
		await answered(pace, 'requests', 200, { limit, remaining: limit - 1 });
		const times = await leave(pace, clock, 'requests', 300);
		await clock.run();
		expect(densest([0, ...times], 60_000)).toBe(Math.min(most, 301));
	});

	test('sends alone bring back the speed that a rejection of the general limit took', async () => {
		const { clock, pace } = fresh();
		for (let index = 0; index < 5; index++) {
			await clock.run(clock.now() + 2000);
			await answered(pace, 'sends', 429, { limit: 1000, remaining: 0, retryAfterMs: 1000 });
		}
		const times: number[] = [];
		const send = async () => {
			const departure = await turn(pace, 'sends');
			times.push(clock.now());
			pace.observe(departure, { status: 201, limit: 5, remaining: 4 });
		};
		for (let index = 0; index < 500; index++) void send();
		await clock.run();
		expect(densest(times.slice(-50), 1000)).toBe(5);
	});

	test('sends go before reads where both wait', async () => {
		const { clock, pace } = fresh();
		await answered(pace, 'requests', 200, { limit: 60, remaining: 60 });
		// The minute is full, and from its end on one more may leave each second.
		for (let second = 1; second < 60; second++) {
			await clock.run(clock.now() + 1000);
			await turn(pace, 'requests', 'reads');
		}
		const reads = await leave(pace, clock, 'requests', 10, 'reads');
		const sends = await leave(pace, clock, 'sends', 3, 'sends');
		await clock.run();
		expect([sends.length, reads.length]).toEqual([3, 10]);
		expect(Math.max(...sends)).toBeLessThan(Math.min(...reads));
		expect(new Set([...sends, ...reads]).size).toBe(13);
	});
});
