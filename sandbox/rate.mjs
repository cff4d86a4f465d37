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

	turn(now) {
		this.tokens = Math.min(this.limit, this.tokens + (now - this.at) * this.perMs);
		this.at = now;
	}

	take() {
		this.tokens -= 1;
	}

	/** A hair under one token is one: the clock's fractions must not refuse who came exactly on time. */
	remaining() {
		return Math.floor(this.tokens + 1e-6);
	}

	waitMs() {
		return Math.max(0, (1 - this.tokens) / this.perMs);
	}
}

/** Counts what was taken until the moment at which it counts no longer. */
class Counter {
	#taken = [];
	#first = 0;

	/** @param {RateSettings} settings @param {(moment: number) => number} endOf when what was taken then is forgotten */
	constructor({ limit }, endOf) {
		Object.assign(this, { limit, endOf });
	}

	turn(now) {
		this.now = now;
		while (this.endOf(this.#taken[this.#first]) <= now) this.#first += 1;
		if (this.#first > 1000) {
			this.#taken.splice(0, this.#first);
			this.#first = 0;
		}
	}

	take() {
		this.#taken.push(this.now);
	}

	remaining() {
		return this.limit - (this.#taken.length - this.#first);
	}

	waitMs() {
		return this.remaining() > 0 ? 0 : this.endOf(this.#taken[this.#first]) - this.now;
	}
}

const ALGORITHMS = {
	'token-bucket': (settings, now) => new TokenBucket(settings, now),
	/** From zero in every window; windows are cut at multiples of their length. */
	'fixed-window': (settings) => {
		const { windowMs } = settings;
		return new Counter(settings, (moment) => (Math.floor(moment / windowMs) + 1) * windowMs);
	},
	/** In any stretch of one window's length. */
	'sliding-window': (settings) => new Counter(settings, (moment) => moment + settings.windowMs),
};

/** One limit of interface §8 that all tokens of the workspace share. Times in milliseconds of one steady clock. */
export class Limiter {
	/** @param {RateSettings} settings @param {number} now */
	constructor(settings, now) {
		this.settings = settings;
		this.counter = ALGORITHMS[settings.algorithm](settings, now);
		this.othersAt = now;
	}

	#take(now) {
		this.counter.turn(now);
		const allowed = this.counter.remaining() >= 1;
		if (allowed) this.counter.take();
		return allowed;
	}

	/** Lets the other users of the workspace take what they took since the last look, each at their own moment. */
	#others(now) {
		const { othersPerSecond, windowMs } = this.settings;
		if (!(othersPerSecond > 0)) return;
		const every = 1000 / othersPerSecond;
		this.othersAt = Math.max(this.othersAt, now - 2 * windowMs - every);
		while (this.othersAt + every <= now) {
			this.othersAt += every;
			this.#take(this.othersAt);
		}
	}

	/** Whether a request would pass now, without taking anything. @returns {Verdict} */
	look(now) {
		this.#others(now);
		this.counter.turn(now);
		const remaining = this.counter.remaining();
		return {
			allowed: remaining >= 1,
			limit: this.settings.limit,
			remaining: Math.max(0, remaining),
			retryAfterMs: this.counter.waitMs(),
		};
	}

	/** Takes one request. @returns {Verdict} */
	take(now) {
		this.#others(now);
		const allowed = this.#take(now);
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
		for (const name of ['send', 'general'])
			if (JSON.stringify(this.#limiters[name]?.settings) !== JSON.stringify(settings[name]))
				this.#limiters[name] = new Limiter(settings[name], now);
	}

	/**
	 * Sending requests count against both limits; a refused request counts against neither.
	 * @param {boolean} sending
	 * @returns {Verdict} of the limit that refuses, else of the one that the endpoint is about
	 */
	admit(sending, now = Date.now()) {
		const { send, general } = this.#limiters;
		const limiters = sending ? [send, general] : [general];
		const refused = limiters.map((limiter) => limiter.look(now)).find(({ allowed }) => !allowed);
		return refused ?? limiters.map((limiter) => limiter.take(now))[0];
	}

	/** @returns {Verdict} of the general limit, without taking anything: for the headers of other answers */
	look(now = Date.now()) {
		return this.#limiters.general.look(now);
	}
}
