import { minBy, pull, sortedLastIndex } from 'lodash';
import { Cancelled, type Clock, clock as realClock } from './clock';
import { learn, recall } from './learned';
import { RequestError } from '../errors/requestError';
import { limits } from '../platform/facts';
import { longWaitMs } from '../platform/paceLimits';
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { objectOf } from '../response/response';

/** No longer wait is believed, so that an absurd value does not close anything for good. */
const longestMs = 24 * 3_600_000;

const numberOf = (value: unknown): number | undefined => {
	const number = String(value ?? '').trim() === '' ? NaN : Number(value);
	return Number.isFinite(number) ? number : undefined;
};

/** A wait in milliseconds: from seconds, a date, or the seconds or milliseconds since 1970 that some servers send. */
function waitOf(value: unknown, now: number): number | undefined {
	const number = numberOf(value);
	const until =
		number === undefined
			? [DateTime.fromHTTP(String(value)), DateTime.fromISO(String(value))]
					.find(({ isValid }) => isValid)
					?.toMillis()
			: number < 1e9
				? now + number * 1000
				: number * (number < 1e12 ? 1000 : 1);
	return until === undefined ? undefined : Math.min(Math.max(0, until - now), longestMs);
}

export interface ToldLimits {
	limit?: number;
	remaining?: number;
	retryAfterMs?: number;
}

/**
 * `X-RateLimit-*`, and `Retry-After`, otherwise `error.retryAfter` (interface §7, §8 rules 1 and 2). Moments are compared
 * with the response's own `Date`, because clocks differ. If a 429 names no wait, the end of its window is one.
 */
export function limitsOf(headers: IDataObject, body: unknown, isRefused: boolean): ToldLimits {
	const date = DateTime.fromHTTP(String(headers.date));
	const now = (date.isValid ? date : DateTime.now()).toMillis();
	return {
		limit: numberOf(headers['x-ratelimit-limit']),
		remaining: numberOf(headers['x-ratelimit-remaining']),
		retryAfterMs:
			waitOf(headers['retry-after'], now) ??
			waitOf(objectOf(objectOf(body).error).retryAfter, now) ??
			(isRefused ? waitOf(headers['x-ratelimit-reset'], now) : undefined),
	};
}

/**
 * The pace at which requests leave for one workspace, shared by all executions of this n8n process: sends at 5 per
 * second, everything at 1000 per minute (interface §8). No window of that length holds more, which is right for a token
 * bucket, a fixed and a sliding window on the other side. Sends leave evenly spaced, others as soon as they may.
 */

/** A send is one of the four sending endpoints; it goes before other requests if both wait. */
export type LimitName = 'sends' | 'requests';

export type Observation = ToldLimits & { status: number };

export interface Turn {
	limitName: LimitName;
	/** Method and path without IDs: what the platform may close for a while. */
	endpoint: string;
	/** A mark of the token: what is closed is closed for it. */
	caller: string;
	/** The execution, for fairness. */
	owner: string;
	signal?: AbortSignal;
	/** The moment until which it waits in line; default: as long as it takes. */
	until?: number;
}

export interface Departure {
	readonly limitName: LimitName;
	readonly endpoint: Endpoint;
	readonly at: number;
	readonly waitedMs: number;
}

/** Part of the window added for what cannot be measured. */
const margin = 0.024;
/** One refusal slows the pace by a little, each accepted request brings a bit of that back. */
const slower = 1.08;
const faster = 1.002;
/** Nothing is in the way after so many accepted requests in a row: from then on each takes back a whole refusal. */
const calm = 60;
const slowest = 16;

/** One of several processes shifts its moment by up to this part of its distance when it was refused. */
const shift = 0.25;
/** After so many responses that show no other process, it goes faster by this part. */
const alone = { responses: 5, faster: 0.7 };
/** The part of one of several processes is so much smaller than its share, so that there is room to shift. */
const headroom = 1.06;

/** A `Retry-After` up to this says that one request came a moment too early. */
const shortWaitMs = 1000;
/** However long it asks to wait, requests are tried again: the limits are per second and minute (interface §8). */
const mostClosedMs = 3 * longWaitMs;
/** An endpoint that refused everything for so long is closed, too, for a moment each time. */
export const patienceMs = 10 * 60_000;

class Endpoint {
	/** Until when nothing is sent there, and the moment that the platform named. */
	private closed: { since: number; until: number; asked?: number } = {
		since: -Infinity,
		until: -Infinity,
	};

	/** Since when everything was refused, and when that was seen last. */
	private refusing = { since: Infinity, last: -Infinity };

	observe(now: number, { at }: Departure, { status, retryAfterMs = 0 }: Observation): void {
		if (status !== 429) {
			this.refusing.since = Infinity;
			// What left before it was closed tells nothing about now, and a server that fails nothing about the limit.
			if (status < 500 && at > this.closed.since) this.closed.until = -Infinity;
			return;
		}
		if (now - this.refusing.last > 2 * longWaitMs) this.refusing.since = Infinity;
		this.refusing = { since: Math.min(this.refusing.since, now), last: now };
		const asked = retryAfterMs > longWaitMs ? now + retryAfterMs : undefined;
		if (asked || now - this.refusing.since >= patienceMs)
			this.closed = {
				since: now,
				until: now + (asked ? Math.min(retryAfterMs, mostClosedMs) : longWaitMs),
				asked,
			};
	}

	closedAt(now: number): RequestError | undefined {
		const { until, asked } = this.closed;
		if (until <= now) return undefined;
		return new RequestError('status', 'nothing', {
			status: 429,
			code: 'RATE_LIMIT_EXCEEDED',
			closed: asked ? 'asked' : 'refusing',
			retryAfterMs: (asked ?? until) - now,
		});
	}
}

class Limiter {
	/** When the latest requests left: far more than a window holds. */
	private departures: number[] = [];
	/** Requests of others that the server counts in the window, and when that was seen. */
	private foreign = { count: 0, seen: -Infinity };
	private pausedUntil = -Infinity;
	/** When the last request was due; it may have left a little later. */
	private due = -Infinity;
	/** 1 is full speed; grows with each refusal and shrinks back with each accepted request. */
	private slowdown = 1;
	/** When that grew last, and how many were accepted since. */
	private slowed = -Infinity;
	private accepted = 0;
	/** How many processes share the limit, and how many responses in a row show no other one. */
	private processes = 1;
	private quiet = 0;
	private readonly windowMs: number;
	private limit: number;

	constructor(
		private readonly documented: { most: number; seconds: number },
		/** Evenly spaced; otherwise as soon as the window allows. */
		private readonly even: boolean,
		/** The smallest announced limit that can be meant for this one. */
		private readonly fewest: number,
		private readonly random: () => number,
	) {
		this.limit = documented.most;
		this.windowMs = documented.seconds * 1000;
	}

	share(processes: number): void {
		if (processes === this.processes) return;
		this.processes = processes;
		this.slowdown = this.part;
	}

	/** The slowdown at which all processes together keep the limit. */
	private get part(): number {
		return this.processes > 1 ? this.processes * headroom : 1;
	}

	private get span(): number {
		return this.windowMs * (1 + margin);
	}

	private get interval(): number {
		return (this.span / this.limit) * this.slowdown;
	}

	private left(until: number, withinMs: number): number {
		const { departures } = this;
		return sortedLastIndex(departures, until) - sortedLastIndex(departures, until - withinMs);
	}

	/** Earliest moment, at or after now, at which one more request may leave. */
	next(now: number): number {
		const { departures, foreign, span } = this;
		const count = this.left(now, span);
		const others = this.processes === 1 && foreign.seen > now - span ? foreign.count : 0;
		const due = this.even || this.slowdown > 1 ? this.due + this.interval : now;
		const at = Math.max(now, this.pausedUntil, due);
		const over = count + others + 1 - this.limit;
		if (over <= 0) return at;
		const freed = count >= over ? (departures.at(over - 1 - count) as number) : Infinity;
		const oldest = Math.min(freed, others > 0 ? foreign.seen : Infinity);
		return Math.max(at, span + (oldest === Infinity ? now : oldest));
	}

	take(at: number): void {
		// No window of the platform counts any more what slowed it down.
		if (at - this.due > longWaitMs) this.slowdown = this.part;
		if (this.departures.push(at) > 8192) this.departures = this.departures.slice(-4096);
		// The delays of timers are made up for, so that they do not add up; the window above stays the bound.
		const due = this.due + this.interval;
		this.due = due <= at && at - due < this.interval ? due : at;
	}

	recover(): void {
		if (this.processes > 1 || this.slowdown === 1) return;
		this.accepted++;
		this.slowdown = Math.max(1, this.slowdown / (this.accepted > calm ? slower : faster));
	}

	observe(now: number, departure: Departure, observation: Observation): void {
		const { status, limit, remaining, retryAfterMs = 0 } = observation;
		if (status === 429) {
			this.refused(now, departure);
			if (retryAfterMs > shortWaitMs)
				this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
			return;
		}
		// A larger number may belong to a longer window, a much smaller one to a shorter window.
		if (limit === undefined || limit < this.fewest || limit > this.documented.most) return;
		this.limit = limit;
		if (remaining === undefined) return;
		// What the server has counted and this process did not send came from another process. Requests under way may or
		// may not be counted yet; only what is certain is taken as foreign.
		const certain = limit - remaining - this.left(now, this.span);
		this.foreign = { count: Math.max(0, Math.min(certain, limit - 1)), seen: now };
		if (this.processes > 1)
			this.keepPart(limit - remaining - this.left(departure.at, this.windowMs));
	}

	private refused(now: number, departure: Departure): void {
		// What left before the pace fell tells nothing new.
		if (departure.at <= this.slowed || now < this.pausedUntil) return;
		this.slowed = now;
		this.accepted = 0;
		if (this.processes > 1) {
			this.keepPart(1);
			this.due += shift * this.interval * this.random();
		} else this.slowdown = Math.min(this.slowdown * slower, slowest);
	}

	/** One of several processes: keeps to its part when another one sends, and goes faster when none does. */
	private keepPart(others: number): void {
		this.quiet = others > 0 ? 0 : this.quiet + 1;
		if (others > 0) this.slowdown = this.part;
		else if (this.quiet % alone.responses === 0)
			this.slowdown = Math.max(1, this.slowdown * alone.faster);
	}
}

interface Waiter extends Pick<Turn, 'limitName' | 'owner'> {
	go: (at: number) => void;
	check: (now: number) => void;
}

export class Pace {
	private readonly random = (): number => this.clock.random();
	readonly sends = new Limiter(limits.sends, true, 1, this.random);
	private readonly all = new Limiter(limits.requests, false, limits.requests.seconds, this.random);
	private readonly waiting: Waiter[] = [];
	/** When executions had their last turn, so that a large run does not starve a small one. */
	private readonly turns = new Map<string, number>();
	private readonly endpoints = new Map<string, Endpoint>();
	private pumping = false;
	private nudge: () => void = () => {};

	constructor(private readonly clock: Clock = realClock) {}

	/** @returns undefined when `until` came first @throws Cancelled; RequestError when the endpoint is closed */
	async turn(asking: Turn): Promise<Departure | undefined> {
		const { limitName, caller, owner, signal, until = Infinity } = asking;
		if (signal?.aborted) throw new Cancelled();
		const name = JSON.stringify([caller, asking.endpoint]);
		const endpoint = this.endpoints.get(name) ?? new Endpoint();
		this.endpoints.set(name, endpoint);
		const asked = this.clock.now();
		const closed = endpoint.closedAt(asked);
		if (closed) throw closed;
		const leave = (at: number): Departure => {
			for (const limiter of this.counting(limitName)) limiter.take(at);
			return { limitName, endpoint, at, waitedMs: at - asked };
		};
		if (this.waiting.length === 0 && this.at(limitName, asked) <= asked) return leave(asked);
		return await new Promise((resolve, reject) => {
			const end = (how: () => void) => {
				signal?.removeEventListener('abort', stop);
				pull(this.waiting, waiter);
				how();
			};
			const stop = () => {
				end(() => reject(new Cancelled()));
				this.nudge();
			};
			const waiter: Waiter = {
				limitName,
				owner,
				go: (at) => end(() => resolve(leave(at))),
				check: (now) => {
					const reason = endpoint.closedAt(now);
					if (reason) end(() => reject(reason));
					else if (now >= until) end(() => resolve(undefined));
				},
			};
			signal?.addEventListener('abort', stop, { once: true });
			this.waiting.push(waiter);
			if (this.pumping) this.nudge();
			else void this.pump();
		});
	}

	observe(departure: Departure, observation: Observation): void {
		const { limitName, endpoint } = departure;
		const { status, retryAfterMs = 0 } = observation;
		const now = this.clock.now();
		endpoint.observe(now, departure, observation);
		const counting = this.counting(limitName);
		if (status !== 429) for (const limiter of counting) limiter.recover();
		// A response tells about its own limit alone.
		if (status !== 429 || retryAfterMs <= longWaitMs)
			counting[0]?.observe(now, departure, observation);
		this.nudge();
	}

	/** The limits that a request counts against, its own first. */
	private counting(limitName: LimitName): Limiter[] {
		return limitName === 'sends' ? [this.sends, this.all] : [this.all];
	}

	private at(limitName: LimitName, now: number): number {
		return Math.max(...this.counting(limitName).map((limiter) => limiter.next(now)));
	}

	private async pump(): Promise<void> {
		this.pumping = true;
		for (;;) {
			const now = this.clock.now();
			for (const waiter of [...this.waiting]) waiter.check(now);
			if (this.waiting.length === 0) break;
			const lines = (['sends', 'requests'] as const).flatMap((limitName) => {
				const line = this.waiting.filter((waiter) => waiter.limitName === limitName);
				return line.length > 0 ? [{ line, at: this.at(limitName, now) }] : [];
			});
			const { line } = lines.find(({ at }) => at <= now) ?? {};
			const next = minBy(line, ({ owner }) => this.turns.get(owner) ?? 0);
			if (next) {
				this.turns.set(next.owner, Math.max(0, ...this.turns.values()) + 1);
				next.go(now);
				continue;
			}
			const wake = Math.min(...lines.map(({ at }) => at));
			await Promise.race([
				this.clock.sleep(Math.max(1, Math.min(wake - now, 1000))),
				new Promise<void>((resolve) => {
					this.nudge = resolve;
				}),
			]);
			this.nudge = () => {};
		}
		this.turns.clear();
		this.pumping = false;
	}
}

/** One for each workspace in the whole process. @param clock of the first who asks */
export function paceOf(origin: string, clock: Clock = realClock): Pace {
	const pace = recall<Pace>([origin, 'pace']) ?? new Pace(clock);
	learn([origin, 'pace'], pace);
	return pace;
}
