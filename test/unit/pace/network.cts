/**
 * A platform behind a network in simulated time: the real client and its pace, three kinds of limiter on the other
 * side, and requests that take a while to arrive. Minutes pass in a blink, and the same seed gives the same run.
 */
import { Readable } from 'node:stream';
import { Client, type Caller } from '../../../nodes/engine/http/client';
import type { Clock } from '../../../nodes/engine/http/clock';

/** Numbers from 0 to below 1 that depend on the seed alone (mulberry32). */
export function chance(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Time that passes when nothing is left to do at the moment. */
export class SimulatedClock implements Clock {
	private time = 0;

	private waiting: Array<{ at: number; go: () => void }> = [];

	constructor(readonly random: () => number = () => 0.5) {}

	now = (): number => this.time;

	sleep = async (milliseconds: number): Promise<void> =>
		await new Promise<void>((go) => {
			const at = this.time + milliseconds;
			let index = this.waiting.length;
			while (index > 0 && (this.waiting[index - 1] as { at: number }).at > at) index--;
			this.waiting.splice(index, 0, { at, go });
		});

	/** Lets time pass until nothing waits any more, or until a moment. */
	async run(until = Infinity): Promise<void> {
		// What goes on may wait again a little later.
		for (let idle = 0; idle < 20;) {
			await new Promise((resolve) => setImmediate(resolve));
			const [next] = this.waiting;
			idle = next && next.at <= until ? 0 : idle + 1;
			if (!next || idle) continue;
			this.waiting.shift();
			this.time = Math.max(this.time, next.at);
			next.go();
		}
		if (until !== Infinity) this.time = Math.max(this.time, until);
	}

	/** Lets time pass until the work is done. @throws what the work throws; an Error when it waits for nothing */
	async through<T>(work: Promise<T>): Promise<T> {
		let done = false;
		void work.then(
			() => (done = true),
			() => (done = true),
		);
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			if (done) return await work;
			const next = this.waiting.shift();
			if (!next) throw new Error('Everything waits for something that never comes');
			this.time = next.at;
			next.go();
		}
	}
}

/** How the other side counts; a refused request does not count. */
export type Algorithm = 'token-bucket' | 'fixed-window' | 'sliding-window';

interface Counter {
	take(now: number): boolean;
	remaining(now: number): number;
	/** Milliseconds until there is room. */
	wait(now: number): number;
}

/** Counts what was taken until the moment at which it counts no longer. */
function countedUntil(limit: number, endOf: (at: number) => number): Counter {
	let taken: number[] = [];
	const kept = (now: number) => (taken = taken.filter((at) => endOf(at) > now));
	return {
		take(now) {
			if (kept(now).length >= limit) return false;
			taken.push(now);
			return true;
		},
		remaining: (now) => limit - kept(now).length,
		wait: (now) => (kept(now).length < limit ? 0 : endOf(taken[0] as number) - now),
	};
}

const counters: Record<Algorithm, (limit: number, windowMs: number) => Counter> = {
	'token-bucket': (limit, windowMs) => {
		let tokens = limit;
		let seen = 0;
		const refill = (now: number) => {
			tokens = Math.min(limit, tokens + ((now - seen) * limit) / windowMs);
			seen = now;
		};
		return {
			take(now) {
				refill(now);
				if (tokens < 1 - 1e-6) return false;
				tokens--;
				return true;
			},
			remaining: (now) => (refill(now), Math.floor(tokens + 1e-6)),
			wait: (now) => (refill(now), Math.max(0, ((1 - tokens) * windowMs) / limit)),
		};
	},
	'fixed-window': (limit, windowMs) =>
		countedUntil(limit, (at) => (Math.floor(at / windowMs) + 1) * windowMs),
	'sliding-window': (limit, windowMs) => countedUntil(limit, (at) => at + windowMs),
};

export interface Conditions {
	algorithm: Algorithm;
	limit?: number;
	/** There and back together. */
	latencyMs?: number;
	/** A request arrives up to this much later, each by another time. */
	jitterMs?: number;
	/** The same for its answer. */
	jitterBackMs?: number;
	/** What somebody else sends beside us, evenly. */
	othersPerSecond?: number;
	seed?: number;
}

export interface Arrival {
	at: number;
	left: number;
	path: string;
	status: number;
}

/** What the platform does with a request in place of its limiter: an answer, or nothing to go on. */
export type Script = (arrival: {
	path: string;
	index: number;
	now: number;
}) => { status: number; headers?: Record<string, unknown>; body?: unknown } | undefined;

let platforms = 0;

/** One platform with its network; each process on this side has its own pace. */
export class SimulatedPlatform {
	readonly arrivals: Arrival[] = [];

	readonly clock: SimulatedClock;

	script: Script = () => undefined;

	private readonly random: () => number;

	private readonly name = `platform-${++platforms}`;

	private readonly counter: Counter;

	private othersAt: number;

	private othersTook = 0;

	constructor(private readonly conditions: Conditions) {
		this.random = chance(conditions.seed ?? 1);
		this.clock = new SimulatedClock(this.random);
		// Windows and others do not begin together with us.
		this.clockOffset = this.random() * 1000;
		this.othersAt = this.random() * 500;
		this.counter = counters[conditions.algorithm](conditions.limit ?? 5, 1000);
	}

	private readonly clockOffset: number;

	/** A client in a process of its own; the same number is the same process. `workers`: what its credential tells. */
	async client(
		process = 1,
		execution = 'run',
		{ workers = 1, token = 'token-of-the-simulation' } = {},
	): Promise<Client> {
		const caller = {
			getCredentials: async () => ({
				baseUrl: `https://${this.name}-${process}.example.com`,
				token,
				numberOfWorkers: workers,
			}),
			getExecutionId: () => execution,
			getExecutionCancelSignal: () => undefined,
			helpers: {
				httpRequestWithAuthentication: async (
					_credential: string,
					{ url, method }: { url: string; method: string },
				) => await this.answer(method, new URL(url).pathname.replace('/api/v1', '')),
			},
		};
		return await Client.open(caller as unknown as Caller, this.clock);
	}

	/** Sends of one client, up to 64 at a time, as a node makes them. @returns how each ended */
	async send(client: Client, count: number, path = '/sms/send'): Promise<unknown[]> {
		const results: unknown[] = [];
		let next = 0;
		const worker = async () => {
			while (next < count) {
				const index = next++;
				results[index] = await client
					.request({ method: 'POST', path, body: {}, class: 'keyed', limitName: 'sends' })
					.catch((thrown: unknown) => thrown);
			}
		};
		await Promise.all(Array.from({ length: Math.min(64, count) }, worker));
		return results;
	}

	/** Sends per second from the first to the last that was accepted, and the share of all that was refused. */
	get figures() {
		const accepted = this.arrivals.filter(({ status }) => status < 300).map(({ at }) => at);
		const refused = this.arrivals.filter(({ status }) => status === 429).length;
		const seconds = (Math.max(...accepted) - Math.min(...accepted)) / 1000;
		return {
			accepted: accepted.length,
			refused,
			perSecond: (accepted.length - 1) / seconds,
			share: refused / this.arrivals.length,
			/** What others took meanwhile, in all. */
			others: this.othersTook,
		};
	}

	private async answer(method: string, path: string) {
		const { latencyMs = 0, jitterMs = 0, jitterBackMs = 0, limit = 5 } = this.conditions;
		const left = this.clock.now();
		await this.clock.sleep(latencyMs / 2 + this.random() * jitterMs);
		const now = this.clock.now() + this.clockOffset;
		this.letOthersTake(now);
		const scripted = this.script({ path, index: this.arrivals.length, now: this.clock.now() });
		const counts = method === 'POST' && !scripted;
		const allowed = !counts || this.counter.take(now);
		const status = scripted?.status ?? (allowed ? 201 : 429);
		this.arrivals.push({ at: this.clock.now(), left, path, status });
		const answer = {
			statusCode: status,
			headers: {
				...(counts
					? {
							'x-ratelimit-limit': String(limit),
							'x-ratelimit-remaining': String(Math.max(0, this.counter.remaining(now))),
						}
					: {}),
				...(allowed
					? {}
					: { 'retry-after': String(Math.max(1, Math.ceil(this.counter.wait(now) / 1000))) }),
				...scripted?.headers,
			},
			body: Readable.from([
				Buffer.from(JSON.stringify(scripted?.body ?? { success: allowed, data: {} })),
			]),
		};
		await this.clock.sleep(latencyMs / 2 + this.random() * jitterBackMs);
		return answer;
	}

	private letOthersTake(now: number): void {
		const { othersPerSecond = 0 } = this.conditions;
		if (othersPerSecond <= 0) return;
		const every = 1000 / othersPerSecond;
		while (this.othersAt + every <= now) {
			this.othersAt += every;
			if (this.counter.take(this.othersAt)) this.othersTook++;
		}
	}
}
