import { Cancelled, type Clock, clock as realClock } from './clock';
import { RequestError } from '../errors/requestError';
import { limits } from '../platform/facts';
import { longWaitMs } from '../platform/waits';

/**
 * The pace at which requests leave for one workspace, shared by all executions of this n8n process.
 *
 * Two limits (interface §8): the four sending endpoints together at 5 per second, everything at 1000 per minute.
 * Never more than the limit leave within any window of that length, which is right for a token bucket, a fixed
 * and a sliding window on the other side. Sends leave evenly spaced; other requests as soon as the window allows.
 *
 * The other side counts when requests arrive. One whose answer took longer than the quickest may have arrived by as
 * much later, so a send counts in the window from then; one that is not answered may still be on its way. That keeps
 * the distance that a network needs, and no more: where it does not vary, nothing is added.
 *
 * A request that is refused waits by itself (retry.ts); the others go on, more slowly. Only a wait of more than a
 * second is about the limit itself, so everything under it waits. One of more than a minute is longer than any window
 * here: it is about the endpoint alone, which is closed until then, and nothing waits for it.
 *
 * The constants are found by simulation (test/unit/pace.network.test.cts): of the requests of two processes that send
 * all the time, or beside somebody else, fewer than 5 % are refused.
 */

/** A send is one of the four sending endpoints; it goes before other requests where both wait. */
export type LimitName = 'sends' | 'requests';

/** What an answer tells about the limits (interface §8 rules 1 and 2). */
export interface Observation {
	status: number;
	limit?: number;
	remaining?: number;
	retryAfterMs?: number;
}

/** A request that asks for its turn. */
export interface Turn {
	limitName: LimitName;
	/** Method and path without IDs: what the platform may close for a while. */
	endpoint: string;
	/** The execution, for fairness. */
	owner: string;
	signal?: AbortSignal;
	/** The moment until which it waits in line; default: as long as it takes. */
	until?: number;
}

/** A request that has left. */
export interface Departure {
	readonly limitName: LimitName;
	readonly endpoint: Endpoint;
	readonly at: number;
	/** Milliseconds that it waited in line. */
	readonly waitedMs: number;
	/** How long its answer took, or until it was known that none comes. */
	tookMs?: number;
}

/** Part of the window added for what cannot be measured. */
const margin = 0.024;
/**
 * After a rejection the pace falls to a part; to a larger one where our own requests explain it, because they arrived
 * closer together than they left.
 */
const slowing = { others: 1.7, own: 1.25 };
const slowest = 16;
/**
 * It comes back in small steps, so that few requests are refused where others send all the time. The steps grow the
 * slower the pace is and the longer nothing was rejected, so that it is back within half a minute when the others have
 * stopped.
 */
const step = 0.003;
const largestStep = 0.3;
/** After this time without a rejection the steps are twice as large, after twice the time five times, and so on. */
const calmMs = 8000;

/** A send's answer that announces more than this speaks of the general limit. */
const mostSends = 100;

/** A `Retry-After` up to this says that one request came a moment too early. */
const shortWaitMs = 1000;
/** An endpoint that refused everything for so long is closed, too, for a moment each time. */
export const patienceMs = 10 * 60_000;

/** What is known about one endpoint. */
class Endpoint {
	/** The least that an answer takes. */
	quickest = Infinity;

	/** How far the times that answers take lie apart. */
	spread = 0;

	/** Until when nothing is sent there, and whether the platform named that moment. */
	private closed = { until: -Infinity, asked: false };

	/** Since when everything was refused, and when that was seen last. */
	private refusing = { since: Infinity, last: -Infinity };

	private readonly took: number[] = [];

	/** A request was accepted after so many milliseconds. */
	accepted(tookMs: number): void {
		this.took.push(tookMs);
		if (this.took.length > 50) this.took.shift();
		const least = Math.min(...this.took);
		this.spread = Math.max(...this.took) - least;
		// Of a few answers, the quickest is probably not the quickest that there is.
		this.quickest = least - Math.min(this.spread, 1000) / Math.max(1, this.took.length - 1);
	}

	observe(now: number, { status, retryAfterMs = 0 }: Observation): void {
		if (status !== 429) {
			this.refusing.since = Infinity;
			return;
		}
		if (now - this.refusing.last > 2 * longWaitMs) this.refusing.since = Infinity;
		this.refusing = { since: Math.min(this.refusing.since, now), last: now };
		if (retryAfterMs > longWaitMs) this.closed = { until: now + retryAfterMs, asked: true };
		else if (now - this.refusing.since >= patienceMs)
			this.closed = { until: now + longWaitMs, asked: false };
	}

	/** Why nothing may be sent there at the moment. */
	closedAt(now: number): RequestError | undefined {
		const { until, asked } = this.closed;
		if (until <= now) return undefined;
		return new RequestError('status', 'nothing', {
			status: 429,
			code: 'RATE_LIMIT_EXCEEDED',
			closed: asked ? 'asked' : 'refusing',
			retryAfterMs: until - now,
		});
	}
}

class Limiter {
	/** What left within the last window, and a while before; from `first` on. */
	private departures: Departure[] = [];

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

	/** When that grew last, and when a request was rejected last. */
	private slowed = -Infinity;

	private rejected = -Infinity;

	constructor(
		private limit: number,
		private readonly windowMs: number,
		/** For a window so short that the times of arrival matter. */
		private readonly even: boolean,
		/** Which announced limits can be meant for this limiter. */
		private readonly plausible: (announced: number) => boolean,
	) {}

	private get span(): number {
		return this.windowMs * (1 + margin);
	}

	/** What the server may count in its window of now: how many, and the moments from which they count, in order. */
	private counted(now: number): { count: number; from: (index: number) => number } {
		const { departures, span } = this;
		// Those of the window before may have arrived in this one.
		const oldest = now - span - (this.even ? this.windowMs : 0);
		while (this.first < departures.length && (departures[this.first] as Departure).at <= oldest)
			this.first++;
		const { first } = this;
		if (!this.even) {
			return {
				count: departures.length - first,
				from: (index) => (departures[first + index] as Departure).at,
			};
		}
		const moments = departures
			.slice(first)
			.map((departure) => departure.at + this.late(departure, now))
			.filter((moment) => moment > now - span)
			.sort((one, other) => one - other);
		return { count: moments.length, from: (index) => moments[index] as number };
	}

	/**
	 * By how much later than the quickest a request may have arrived, beyond half of what the margin allows for; what is
	 * later than a window was slow elsewhere.
	 */
	private late({ at, tookMs, endpoint }: Departure, now: number): number {
		const late = (tookMs ?? now - at) - endpoint.quickest - (this.windowMs * margin) / 2;
		return Math.min(Math.max(late, 0), this.windowMs);
	}

	/** Earliest moment, at or after now, at which one more request may leave. */
	next(now: number): number {
		const { span } = this;
		const { count, from } = this.counted(now);
		const foreign = this.foreign.seen > now - span ? this.foreign.count : 0;
		let at = Math.max(now, this.pausedUntil);
		const tight = this.underWay >= this.room.remaining && this.room.seen > now - span;
		if (this.even || tight || this.slowdown > 1) at = Math.max(at, this.due + this.interval);
		const over = count + foreign + 1 - this.limit;
		if (over > 0) {
			const freed = count >= over ? from(over - 1) + span : Infinity;
			const foreignGone = foreign > 0 ? this.foreign.seen + span : Infinity;
			const wait = Math.min(freed, foreignGone);
			at = Math.max(at, wait === Infinity ? now + span : wait);
		}
		return at;
	}

	take(departure: Departure): void {
		if (this.first > 4096) {
			this.departures = this.departures.slice(this.first);
			this.first = 0;
		}
		this.departures.push(departure);
		this.underWay++;
		// The delays of timers are made up for, so that they do not add up; the window above stays the bound.
		const due = this.due + this.interval;
		this.due = due <= departure.at && departure.at - due < this.interval ? due : departure.at;
	}

	/** Milliseconds between two requests that leave evenly. */
	private get interval(): number {
		return (this.span / this.limit) * this.slowdown;
	}

	/** A request that left is answered or lost. */
	arrived(): void {
		this.underWay = Math.max(0, this.underWay - 1);
	}

	/** A request that counts here was accepted. */
	recover(now: number): void {
		if (this.slowdown === 1) return;
		const share = step * this.slowdown * (1 + ((now - this.rejected) / calmMs) ** 2);
		this.slowdown = Math.max(1, this.slowdown * (1 - Math.min(share, largestStep)));
	}

	/** Learns from the answer to a request that counts here. */
	observe(now: number, departure: Departure, observation: Observation): void {
		const { status, limit, remaining, retryAfterMs = 0 } = observation;
		if (status === 429) {
			// What left before the pace fell tells nothing new.
			if (departure.at > this.slowed && now >= this.pausedUntil) {
				const factor = this.explains(departure) ? slowing.own : slowing.others;
				this.slowdown = Math.min(this.slowdown * factor, slowest);
				this.slowed = now;
			}
			this.rejected = now;
			if (retryAfterMs > shortWaitMs)
				this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
			return;
		}
		if (limit === undefined || !this.plausible(limit)) return;
		this.limit = limit;
		if (remaining === undefined) return;
		this.room = { remaining, seen: now };
		// What the server has counted and this process did not send, somebody else did. Requests under way may or
		// may not be counted yet; only what is certain is taken as foreign.
		const certain = limit - remaining - this.counted(now).count;
		this.foreign = { count: Math.max(0, Math.min(certain, limit - 1)), seen: now };
	}

	/** Whether the network can have pushed more of our own requests than the limit into the window of this one. */
	private explains({ at, endpoint }: Departure): boolean {
		const from = at - this.windowMs - Math.min(endpoint.spread, this.windowMs);
		const own = this.departures.filter((other) => other.at > from && other.at <= at);
		return own.length > this.limit;
	}
}

interface Waiter {
	/** Lets the request leave. */
	go: (at: number) => void;
	/** Ends waiting where it has no point any more. */
	check: (now: number) => void;
	/** Does not wait any more, although it never left. */
	gone: boolean;
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
			while (waiter?.gone) waiter = waiting.shift();
			if (waiting.length) this.owners.set(owner, waiting);
			if (waiter) return waiter;
		}
		return undefined;
	}

	check(now: number): void {
		for (const waiting of this.owners.values())
			for (const waiter of waiting) if (!waiter.gone) waiter.check(now);
	}

	get empty(): boolean {
		for (const [owner, waiting] of this.owners) {
			if (waiting.some((waiter) => !waiter.gone)) return false;
			this.owners.delete(owner);
		}
		return true;
	}
}

export class Pace {
	private readonly sends = new Limiter(
		limits.sends.most,
		limits.sends.seconds * 1000,
		true,
		(announced) => announced >= 1 && announced <= mostSends,
	);

	private readonly all = new Limiter(
		limits.requests.most,
		limits.requests.seconds * 1000,
		false,
		(announced) => announced >= 60,
	);

	private readonly lines: Record<LimitName, Line> = { sends: new Line(), requests: new Line() };

	private readonly endpoints = new Map<string, Endpoint>();

	private pumping = false;

	private nudge: () => void = () => {};

	constructor(private readonly clock: Clock = realClock) {}

	/**
	 * Waits for the request's turn.
	 * @returns the request as it leaves; undefined when `until` came first
	 * @throws Cancelled when the execution is stopped meanwhile; RequestError when the endpoint is closed
	 */
	async turn({
		limitName,
		endpoint: name,
		owner,
		signal,
		until,
	}: Turn): Promise<Departure | undefined> {
		if (signal?.aborted) throw new Cancelled();
		const endpoint = this.endpointOf(name);
		const asked = this.clock.now();
		const closed = endpoint.closedAt(asked);
		if (closed) throw closed;
		if (this.lines.sends.empty && this.lines.requests.empty && this.at(limitName, asked) <= asked)
			return this.leave({ limitName, endpoint, at: asked, waitedMs: 0 });
		return await new Promise((resolve, reject) => {
			const end = (how: () => void) => {
				signal?.removeEventListener('abort', stop);
				waiter.gone = true;
				how();
			};
			const stop = () => {
				end(() => reject(new Cancelled()));
				this.nudge();
			};
			const waiter: Waiter = {
				gone: false,
				go: (at) =>
					end(() => resolve(this.leave({ limitName, endpoint, at, waitedMs: at - asked }))),
				check: (now) => {
					const reason = endpoint.closedAt(now);
					if (reason) end(() => reject(reason));
					else if (until !== undefined && now >= until) end(() => resolve(undefined));
				},
			};
			signal?.addEventListener('abort', stop, { once: true });
			this.lines[limitName].add(owner, waiter);
			if (this.pumping) this.nudge();
			else void this.pump();
		});
	}

	/** What left has ended without an answer. */
	lost(departure: Departure): void {
		departure.tookMs = this.clock.now() - departure.at;
		this.all.arrived();
		if (departure.limitName === 'sends') this.sends.arrived();
		this.nudge();
	}

	/** Learns from an answer. */
	observe(departure: Departure, observation: Observation): void {
		this.lost(departure);
		const { limitName, endpoint, tookMs = 0 } = departure;
		const { status, limit, retryAfterMs = 0 } = observation;
		const now = this.clock.now();
		endpoint.observe(now, observation);
		// What is refused is answered sooner than what is carried out.
		if (status < 300) endpoint.accepted(tookMs);
		if (status !== 429) {
			// A send counts against both limits, whichever of them its answer tells about.
			this.all.recover(now);
			if (limitName === 'sends') this.sends.recover(now);
		}
		if (status === 429 && retryAfterMs > longWaitMs) return;
		const limiter =
			limitName === 'sends' && (limit === undefined || limit <= mostSends) ? this.sends : this.all;
		limiter.observe(now, departure, observation);
	}

	private endpointOf(name: string): Endpoint {
		let endpoint = this.endpoints.get(name);
		if (!endpoint) this.endpoints.set(name, (endpoint = new Endpoint()));
		return endpoint;
	}

	private at(limitName: LimitName, now: number): number {
		const general = this.all.next(now);
		return limitName === 'sends' ? Math.max(general, this.sends.next(now)) : general;
	}

	private leave(departure: Departure): Departure {
		this.all.take(departure);
		if (departure.limitName === 'sends') this.sends.take(departure);
		return departure;
	}

	private async pump(): Promise<void> {
		this.pumping = true;
		for (let went = false; ;) {
			const now = this.clock.now();
			if (!went) for (const line of Object.values(this.lines)) line.check(now);
			let wake = Infinity;
			went = false;
			for (const limitName of ['sends', 'requests'] as const) {
				if (this.lines[limitName].empty) continue;
				const at = this.at(limitName, now);
				if (at > now) {
					wake = Math.min(wake, at);
					continue;
				}
				const waiter = this.lines[limitName].shift();
				if (!waiter) continue;
				waiter.go(now);
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

/**
 * The pace of a workspace; one for the whole process.
 * @param origin scheme, host and port of the base URL
 * @param clock of the first who asks
 */
export function paceOf(origin: string, clock: Clock = realClock): Pace {
	let pace = paces.get(origin);
	if (!pace) paces.set(origin, (pace = new Pace(clock)));
	return pace;
}
