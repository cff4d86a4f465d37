import { Cancelled, type Clock, clock as realClock } from './clock';

/**
 * The pace at which requests leave for one workspace, shared by all executions of this n8n process.
 *
 * Two limits (interface §8): the four sending endpoints together at 5 per second, everything at 1000 per minute.
 * Never more than the limit leave within any window of that length, which is right for a token bucket, a fixed
 * and a sliding window on the other side. Sends leave evenly spaced; other requests as soon as the window allows.
 */

/** A send is one of the four sending endpoints; it goes before other requests where both wait. */
export type Kind = 'send' | 'other';

/** What an answer tells about the limits (interface §8 rules 1 and 2). */
export interface Observation {
	rejected: boolean;
	limit?: number;
	remaining?: number;
	retryAfterMs?: number;
}

/** Part of the window added for the time that requests take to arrive, which varies. */
const margin = 0.024;

/**
 * After a rejection the pace falls to a part. It comes back in small steps, so that few requests are refused where
 * others send all the time. The steps grow the slower the pace is and the longer nothing was rejected, so that it is
 * back within half a minute when the others have stopped.
 * Found by simulation: of the requests of two processes that send all the time about 5 % are refused.
 */
const slowing = 1.4;
const slowest = 16;
const step = 0.003;
const largestStep = 0.3;
/** After this time without a rejection the steps are twice as large, after twice the time five times, and so on. */
const patienceMs = 6000;

class Limiter {
	private departures: number[] = [];

	private first = 0;

	/** Requests of others that the server counts in the window, and when that was seen. */
	private foreign = { count: 0, seen: 0 };

	/** How many more the server would take when it was last heard. */
	private room = { remaining: Infinity, seen: 0 };

	/** Departures that are not answered. */
	private underWay = 0;

	private pausedUntil = 0;

	/** When the last request was due; it may have left a little later. */
	private due = -Infinity;

	/** 1 is full speed; grows with each rejection and shrinks back with each accepted request. */
	private slowdown = 1;

	/** When a request was rejected last. */
	private rejected = -Infinity;

	constructor(
		private limit: number,
		private readonly windowMs: number,
		private readonly even: boolean,
		/** Which announced limits can be meant for this limiter. */
		private readonly plausible: (announced: number) => boolean,
	) {}

	/** Earliest moment, at or after now, at which one more request may leave. */
	next(now: number): number {
		const span = this.windowMs * (1 + margin);
		while (
			this.first < this.departures.length &&
			(this.departures[this.first] as number) <= now - span
		)
			this.first++;
		if (this.first > 4096) {
			this.departures = this.departures.slice(this.first);
			this.first = 0;
		}
		const foreign = this.foreign.seen > now - span ? this.foreign.count : 0;
		let at = Math.max(now, this.pausedUntil);
		const tight = this.underWay >= this.room.remaining && this.room.seen > now - span;
		if (this.even || tight || this.slowdown > 1) at = Math.max(at, this.due + this.interval);
		const own = this.departures.length - this.first;
		const over = own + foreign + 1 - this.limit;
		if (over > 0) {
			const freed =
				own >= over ? (this.departures[this.first + over - 1] as number) + span : Infinity;
			const foreignGone = foreign > 0 ? this.foreign.seen + span : Infinity;
			const wait = Math.min(freed, foreignGone);
			at = Math.max(at, wait === Infinity ? now + span : wait);
		}
		return at;
	}

	take(now: number): void {
		this.departures.push(now);
		this.underWay++;
		// The delays of timers are made up for, so that they do not add up; the window above stays the bound.
		const due = this.due + this.interval;
		this.due = due <= now && now - due < this.interval ? due : now;
	}

	/** Milliseconds between two requests that leave evenly. */
	private get interval(): number {
		return ((this.windowMs * (1 + margin)) / this.limit) * this.slowdown;
	}

	/** A request that left is answered or lost. */
	arrived(): void {
		this.underWay = Math.max(0, this.underWay - 1);
	}

	/** A request that counts here was accepted. */
	recover(now: number): void {
		if (this.slowdown === 1) return;
		const share = step * this.slowdown * (1 + ((now - this.rejected) / patienceMs) ** 2);
		this.slowdown = Math.max(1, this.slowdown * (1 - Math.min(share, largestStep)));
	}

	observe(now: number, { rejected, limit, remaining, retryAfterMs }: Observation): void {
		if (rejected) {
			// Several requests rejected at once are one event.
			if (now >= this.pausedUntil) this.slowdown = Math.min(this.slowdown * slowing, slowest);
			this.rejected = now;
			this.pausedUntil = Math.max(this.pausedUntil, now + (retryAfterMs ?? this.windowMs));
			return;
		}
		if (limit === undefined || !this.plausible(limit)) return;
		this.limit = limit;
		if (remaining === undefined) return;
		this.room = { remaining, seen: now };
		// What the server has counted and this process did not send, somebody else did. Requests under way may or
		// may not be counted yet; only what is certain is taken as foreign.
		this.next(now);
		const own = this.departures.length - this.first;
		const certain = limit - remaining - own;
		this.foreign = { count: Math.max(0, Math.min(certain, limit - 1)), seen: now };
	}
}

interface Waiter {
	go: () => void;
	cancelled: boolean;
}

/** Waiting requests, one line per execution, served in turn so that a large run does not starve a small one. */
class Line {
	private readonly owners = new Map<string, Waiter[]>();

	add(owner: string, waiter: Waiter): void {
		const waiting = this.owners.get(owner);
		if (waiting) waiting.push(waiter);
		else this.owners.set(owner, [waiter]);
	}

	/** Takes the next waiter; its owner goes to the end of the round. */
	shift(): Waiter | undefined {
		for (const [owner, waiting] of this.owners) {
			this.owners.delete(owner);
			let waiter = waiting.shift();
			while (waiter?.cancelled) waiter = waiting.shift();
			if (waiting.length) this.owners.set(owner, waiting);
			if (waiter) return waiter;
		}
		return undefined;
	}

	get empty(): boolean {
		for (const [owner, waiting] of this.owners) {
			if (waiting.some((waiter) => !waiter.cancelled)) return false;
			this.owners.delete(owner);
		}
		return true;
	}
}

export class Pace {
	private readonly sends = new Limiter(
		5,
		1000,
		true,
		(announced) => announced >= 1 && announced <= 100,
	);

	private readonly all = new Limiter(1000, 60_000, false, (announced) => announced >= 60);

	private readonly lines: Record<Kind, Line> = { send: new Line(), other: new Line() };

	private pumping = false;

	private nudge: () => void = () => {};

	constructor(private readonly clock: Clock = realClock) {}

	/**
	 * Waits for the request's turn.
	 * @param owner the execution, for fairness
	 * @returns milliseconds waited
	 * @throws Cancelled when the execution is stopped meanwhile
	 */
	async turn(kind: Kind, owner: string, signal?: AbortSignal): Promise<number> {
		if (signal?.aborted) throw new Cancelled();
		const asked = this.clock.now();
		if (this.lines.send.empty && this.lines.other.empty && this.at(kind, asked) <= asked) {
			this.take(kind, asked);
			return 0;
		}
		await new Promise<void>((resolve, reject) => {
			const waiter: Waiter = { go: resolve, cancelled: false };
			const stop = () => {
				waiter.cancelled = true;
				reject(new Cancelled());
				this.nudge();
			};
			waiter.go = () => {
				signal?.removeEventListener('abort', stop);
				resolve();
			};
			signal?.addEventListener('abort', stop, { once: true });
			this.lines[kind].add(owner, waiter);
			if (this.pumping) this.nudge();
			else void this.pump();
		});
		return this.clock.now() - asked;
	}

	/** What left has ended without an answer. */
	lost(kind: Kind): void {
		this.all.arrived();
		if (kind === 'send') this.sends.arrived();
		this.nudge();
	}

	/** Learns from an answer. */
	observe(kind: Kind, observation: Observation): void {
		const now = this.clock.now();
		this.lost(kind);
		if (!observation.rejected) {
			// A send counts against both limits, whichever of them its answer tells about.
			this.all.recover(now);
			if (kind === 'send') this.sends.recover(now);
		}
		if (kind === 'send' && !(observation.limit !== undefined && observation.limit > 100)) {
			this.sends.observe(now, observation);
		} else {
			this.all.observe(now, observation);
		}
		this.nudge();
	}

	private at(kind: Kind, now: number): number {
		const general = this.all.next(now);
		return kind === 'send' ? Math.max(general, this.sends.next(now)) : general;
	}

	private take(kind: Kind, now: number): void {
		this.all.take(now);
		if (kind === 'send') this.sends.take(now);
	}

	private async pump(): Promise<void> {
		this.pumping = true;
		for (;;) {
			const now = this.clock.now();
			let wake = Infinity;
			let went = false;
			for (const kind of ['send', 'other'] as const) {
				if (this.lines[kind].empty) continue;
				const at = this.at(kind, now);
				if (at > now) {
					wake = Math.min(wake, at);
					continue;
				}
				const waiter = this.lines[kind].shift();
				if (!waiter) continue;
				this.take(kind, now);
				waiter.go();
				went = true;
				break;
			}
			if (went) continue;
			if (wake === Infinity) break;
			await Promise.race([
				this.clock.sleep(Math.max(1, Math.min(wake - now, 1000))),
				new Promise<void>((resolve) => {
					this.nudge = resolve;
				}),
			]);
			this.nudge = () => {};
		}
		this.pumping = false;
	}
}

const paces = new Map<string, Pace>();

/** The pace of a workspace; one for the whole process. @param origin scheme, host and port of the base URL */
export function paceOf(origin: string): Pace {
	let pace = paces.get(origin);
	if (!pace) paces.set(origin, (pace = new Pace()));
	return pace;
}
