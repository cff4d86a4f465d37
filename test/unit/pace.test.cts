import { Pace, paceOf } from '../../nodes/engine/http/pace';
import { apiRoot } from '../../nodes/engine/http/workspace';
import { Cancelled } from '../../nodes/engine/http/clock';

/** A clock that stands still until told otherwise; waiting ends when it passes the moment. */
class Controlled {
	private time = 0;
	private waiting: Array<{ at: number; go: () => void }> = [];
	now = () => this.time;
	random = () => 0.5;
	sleep = async (milliseconds: number) =>
		await new Promise<void>((go) => void this.waiting.push({ at: this.time + milliseconds, go }));

	/** Runs until nothing waits any more, or until `until`. */
	async run(until = Infinity): Promise<void> {
		for (let idle = 0; idle < 20;) {
			await new Promise((resolve) => setImmediate(resolve));
			const next = this.waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
			if (!next) {
				idle++;
				continue;
			}
			idle = 0;
			this.waiting.splice(this.waiting.indexOf(next), 1);
			this.time = Math.max(this.time, next.at);
			next.go();
		}
		if (until !== Infinity) this.time = Math.max(this.time, until);
	}
}

/** Most departures within any window of this length. */
const densest = (times: number[], window: number): number =>
	Math.max(
		...times.map((from) => times.filter((time) => time >= from && time < from + window).length),
	);

async function leave(
	pace: Pace,
	clock: Controlled,
	kind: 'send' | 'other',
	count: number,
	owner = 'one',
) {
	const times: number[] = [];
	for (let index = 0; index < count; index++)
		void pace.turn(kind, owner).then(() => times.push(clock.now()));
	return times;
}

describe('pace of sends', () => {
	test('never more than 5 in any second, and close to 5 on average', async () => {
		const clock = new Controlled();
		const times = await leave(new Pace(clock), clock, 'send', 100);
		await clock.run();
		expect(times).toHaveLength(100);
		expect(densest(times, 1000)).toBe(5);
		expect(99 / ((times[99]! - times[0]!) / 1000)).toBeGreaterThan(4.85);
	});

	test('a server that announces more gets more', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		pace.observe('send', { rejected: false, limit: 20, remaining: 20 });
		const times = await leave(pace, clock, 'send', 100);
		await clock.run();
		expect(densest(times, 1000)).toBe(20);
	});

	test('after a rejection nothing leaves before Retry-After, then the speed comes back', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		pace.observe('send', { rejected: true, retryAfterMs: 3000 });
		const times: number[] = [];
		for (let index = 0; index < 60; index++) {
			void pace.turn('send', 'one').then(() => {
				times.push(clock.now());
				pace.observe('send', { rejected: false, limit: 5, remaining: 3 });
			});
		}
		await clock.run();
		expect(Math.min(...times)).toBeGreaterThanOrEqual(3000);
		expect(densest(times.slice(30), 1000)).toBe(5);
	});

	test('many rejections one after the other slow it down; once others have stopped, full speed is back within half a minute', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		for (let index = 0; index < 8; index++) {
			await clock.run(clock.now() + 1500);
			pace.observe('send', { rejected: true, retryAfterMs: 1000 });
		}
		const begun = clock.now();
		const times: number[] = [];
		const send = async () => {
			await pace.turn('send', 'one');
			times.push(clock.now() - begun);
			pace.observe('send', { rejected: false });
			if (times.length < 200) await send();
		};
		void send();
		await clock.run();
		const within = (from: number) =>
			times.filter((time) => time >= from && time < from + 5000).length;
		expect(within(1000)).toBeLessThan(5);
		expect(within(30_000)).toBeGreaterThanOrEqual(24);
		expect(densest(times, 1000)).toBe(5);
	});

	test('what others send is left to them', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		await pace.turn('send', 'one');
		pace.observe('send', { rejected: false, limit: 5, remaining: 0 });
		let went = -1;
		void pace.turn('send', 'one').then(() => (went = clock.now()));
		await clock.run();
		expect(went).toBeGreaterThanOrEqual(1000);
	});

	test('a large run does not starve a small one', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		const large = await leave(pace, clock, 'send', 50, 'large');
		const small = await leave(pace, clock, 'send', 3, 'small');
		await clock.run();
		expect([small.length, large.length]).toEqual([3, 50]);
		expect(Math.max(...small)).toBeLessThan(large[8]!);
	});

	test('a stopped execution leaves the line at once and holds nobody up', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		const stop = new AbortController();
		await pace.turn('send', 'one');
		const stopped = pace.turn('send', 'stopped', stop.signal);
		const other = pace.turn('send', 'other').then(() => clock.now());
		stop.abort();
		await expect(stopped).rejects.toBeInstanceOf(Cancelled);
		await clock.run();
		expect(await other).toBeLessThan(300);
	});
});

describe('pace of everything', () => {
	test('a thousand leave at once, the next only when the minute allows', async () => {
		const clock = new Controlled();
		const times = await leave(new Pace(clock), clock, 'other', 2000);
		await clock.run();
		expect(times.filter((time) => time === 0)).toHaveLength(1000);
		expect(densest(times, 60_000)).toBe(1000);
		expect(times[1999]!).toBeLessThan(62_000);
	});

	test('follows a limit that the server announces', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		pace.observe('other', { rejected: false, limit: 60_000, remaining: 59_999 });
		const times = await leave(pace, clock, 'other', 2000);
		await clock.run();
		expect(times).toEqual(Array(2000).fill(0));
	});

	test('sends alone bring back the speed that a rejection of the general limit took', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		for (let index = 0; index < 5; index++) {
			await clock.run(clock.now() + 2000);
			pace.observe('send', { rejected: true, limit: 1000, remaining: 0, retryAfterMs: 1000 });
		}
		const times: number[] = [];
		const send = async () => {
			await pace.turn('send', 'one');
			times.push(clock.now());
			pace.observe('send', { rejected: false, limit: 5, remaining: 4 });
		};
		for (let index = 0; index < 500; index++) void send();
		await clock.run();
		expect(densest(times.slice(-50), 1000)).toBe(5);
	});

	test('sends go before reads where both wait', async () => {
		const clock = new Controlled();
		const pace = new Pace(clock);
		pace.observe('other', { rejected: false, limit: 60, remaining: 60 });
		// The minute is full, and from its end on one more may leave each second.
		for (let second = 0; second < 60; second++) {
			await pace.turn('other', 'reads');
			pace.lost('other');
			await clock.run(clock.now() + 1000);
		}
		const reads = await leave(pace, clock, 'other', 10, 'reads');
		const sends = await leave(pace, clock, 'send', 3, 'sends');
		await clock.run();
		expect([sends.length, reads.length]).toEqual([3, 10]);
		expect(Math.max(...sends)).toBeLessThan(Math.min(...reads));
		expect(new Set([...sends, ...reads]).size).toBe(13);
	});
});

describe('workspaces', () => {
	const paceAt = (baseUrl: string) => paceOf(apiRoot(baseUrl).origin);

	test('one pace for a workspace, however its address is written', () => {
		const pace = paceAt('https://one.example.com');
		for (const spelling of ['https://ONE.example.com/', ' https://one.example.com:443/api/v1/ '])
			expect(paceAt(spelling)).toBe(pace);
	});

	test('another pace for another host, port or scheme', () => {
		const addresses = [
			'https://one.example.com',
			'https://two.example.com',
			'https://one.example.com:8443',
			'https://localhost',
			'http://localhost',
		];
		expect(new Set(addresses.map(paceAt)).size).toBe(addresses.length);
	});

	test('a send to one does not wait for a send to another', async () => {
		const [one, two] = ['https://three.example.com', 'https://four.example.com'].map(paceAt);
		expect(await one!.turn('send', 'x')).toBe(0);
		expect(await two!.turn('send', 'x')).toBe(0);
	});
});
