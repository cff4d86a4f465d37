/**
 * @typedef {{limit: number, windowMs: number, algorithm: 'token-bucket' | 'fixed-window' |
 * 'sliding-window', othersPerSecond: number}} RateSettings
 * @typedef {{allowed: boolean, limit: number, remaining: number, retryAfterMs: number}} Verdict
 */

/** Starts full with `limit` tokens and gains `limit` per window. */
class TokenBucket {
	constructor({ limit, windowMs }, now) {
		Object.assign(this, { limit, perMs: limit / windowMs, tokens: limit, at: now });
	}

	refill(now) {
		this.tokens = Math.min(this.limit, this.tokens + (now - this.at) * this.perMs);
		this.at = now;
	}

	take(now) {
		this.refill(now);
		// A hair under one token is one: the clock's fractions must not refuse who came exactly on time.
		if (this.tokens < 1 - 1e-6) return false;
		this.tokens -= 1;
		return true;
	}

	remaining(now) {
		this.refill(now);
		return Math.floor(this.tokens + 1e-6);
	}

	waitMs(now) {
		this.refill(now);
		return Math.max(0, (1 - this.tokens) / this.perMs);
	}
}

/** Counts from zero in every window; windows are cut at multiples of their length. */
class FixedWindow {
	constructor({ limit, windowMs }) {
		Object.assign(this, { limit, windowMs, window: -1, count: 0 });
	}

	turn(now) {
		const window = Math.floor(now / this.windowMs);
		if (window !== this.window) Object.assign(this, { window, count: 0 });
	}

	take(now) {
		this.turn(now);
		if (this.count >= this.limit) return false;
		this.count += 1;
		return true;
	}

	remaining(now) {
		this.turn(now);
		return this.limit - this.count;
	}

	waitMs(now) {
		this.turn(now);
		return this.count < this.limit ? 0 : (this.window + 1) * this.windowMs - now;
	}
}

/** At most `limit` in any stretch of one window's length. */
class SlidingWindow {
	constructor({ limit, windowMs }) {
		Object.assign(this, { limit, windowMs, taken: [], first: 0 });
	}

	forget(now) {
		while (this.first < this.taken.length && this.taken[this.first] <= now - this.windowMs)
			this.first += 1;
		if (this.first > 1000) {
			this.taken.splice(0, this.first);
			this.first = 0;
		}
	}

	take(now) {
		this.forget(now);
		if (this.taken.length - this.first >= this.limit) return false;
		this.taken.push(now);
		return true;
	}

	remaining(now) {
		this.forget(now);
		return this.limit - (this.taken.length - this.first);
	}

	waitMs(now) {
		this.forget(now);
		if (this.remaining(now) > 0) return 0;
		return this.taken[this.first] + this.windowMs - now;
	}
}

const ALGORITHMS = {
	'token-bucket': TokenBucket,
	'fixed-window': FixedWindow,
	'sliding-window': SlidingWindow,
};

/** One limit of interface §8 that all tokens of the workspace share. Times in milliseconds of one steady clock. */
export class Limiter {
	/**
	 * @param {RateSettings} settings
	 * @param {number} now
	 */
	constructor(settings, now) {
		const Algorithm = ALGORITHMS[settings.algorithm];
		if (Algorithm === undefined)
			throw new Error(
				`Unknown rate algorithm ${settings.algorithm}: use ${Object.keys(ALGORITHMS).join(', ')}.`,
			);
		this.settings = settings;
		this.counter = new Algorithm(settings, now);
		this.othersAt = now;
	}

	/** Lets the other users of the workspace take what they took since the last look, each at their own moment. */
	#others(now) {
		const { othersPerSecond, windowMs } = this.settings;
		if (!(othersPerSecond > 0)) return;
		const every = 1000 / othersPerSecond;
		this.othersAt = Math.max(this.othersAt, now - 2 * windowMs - every);
		while (this.othersAt + every <= now) {
			this.othersAt += every;
			this.counter.take(this.othersAt);
		}
	}

	/** Whether a request would pass now, without taking anything. @returns {Verdict} */
	look(now) {
		this.#others(now);
		const remaining = this.counter.remaining(now);
		return {
			allowed: remaining >= 1,
			limit: this.settings.limit,
			remaining: Math.max(0, remaining),
			retryAfterMs: this.counter.waitMs(now),
		};
	}

	/** Takes one request. @returns {Verdict} */
	take(now) {
		this.#others(now);
		const allowed = this.counter.take(now);
		return { ...this.look(now), allowed };
	}
}

/** Both limits of the workspace: the sending endpoints' and the general one. */
export class RateLimits {
	#limiters = {};

	/**
	 * Starts anew the limiters whose settings changed.
	 * @param {{send: RateSettings, general: RateSettings}} settings
	 */
	configure(settings, now = Date.now()) {
		for (const name of ['send', 'general']) {
			if (JSON.stringify(this.#limiters[name]?.settings) === JSON.stringify(settings[name]))
				continue;
			this.#limiters[name] = new Limiter(settings[name], now);
		}
	}

	/**
	 * Sending requests count against both limits; a refused request counts against neither.
	 * @param {boolean} sending
	 * @returns {Verdict} of the limit that refuses, else of the one that the endpoint is about
	 */
	admit(sending, now = Date.now()) {
		const limiters = sending
			? [this.#limiters.send, this.#limiters.general]
			: [this.#limiters.general];
		const refused = limiters
			.map((limiter) => limiter.look(now))
			.find((verdict) => !verdict.allowed);
		if (refused !== undefined) return refused;
		return limiters.map((limiter) => limiter.take(now))[0];
	}

	/** @param {boolean} sending @returns {Verdict} without taking anything, for the headers of other answers */
	look(sending, now = Date.now()) {
		return this.#limiters[sending ? 'send' : 'general'].look(now);
	}
}
