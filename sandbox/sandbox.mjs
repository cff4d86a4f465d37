import { randomUUID } from 'node:crypto';
import { Calls } from './calls.mjs';
import { Deliveries } from './deliveries.mjs';
import { Faults } from './faults.mjs';
import { Hours } from './hours.mjs';
import { Identities } from './identity.mjs';
import { Intents } from './intents.mjs';
import { Ledger } from './ledger.mjs';
import { SeededRandom } from './random.mjs';
import { RateLimits } from './rate.mjs';
import { seedWorkspace } from './resources/seed.mjs';
import { NO_MANNERS, mannersOfEnvironment, movedList } from './manners.mjs';
import { defaults, merged } from './settings.mjs';
import { Store } from './store.mjs';
import { Watchers } from './page/watchers.mjs';

/** One workspace of the platform with all its state. Everything is replaced by `reset`, nothing survives it. */
export class Sandbox {
	/** Origin under which stored files are served; set once the file server listens. */
	filesUrl = '';
	/** Its own origin; set once it listens. */
	url = '';

	/** @param {import('./validate.mjs').Contract} contract */
	constructor(contract, { seed, settings = {} } = {}) {
		this.contract = contract;
		this.startSettings = settings;
		/**
		 * Tokens depend on it alone: a reset to another seed leaves the callers' credentials valid. Unless a seed is asked
		 * for, nobody knows them before they are printed.
		 */
		this.startSeed = seed ?? randomUUID();
		this.seed = seed ?? 1;
		/** Those who look at the page; a reset does not close it. */
		this.watchers = new Watchers(this);
		this.reset();
	}

	/**
	 * @param {{seed?: number, settings?: object, agents?: number, contacts?: number, keepRegistered?: boolean}} [options]
	 *   settings: on top of those it was started with; agents, contacts: how many there are at the beginning;
	 *   keepRegistered: agents with their intents, and webhooks, stay as they are, and no identifier comes a second time
	 */
	reset({ seed = this.seed, settings = {}, keepRegistered = false, ...counts } = {}) {
		this.close();
		const { page } = this.settings ?? {};
		const { random, deliveries, intents, store } = this;
		this.seed = seed;
		const start = merged(
			{ ...defaults(this.contract.limits), manners: merged(NO_MANNERS, mannersOfEnvironment()) },
			this.startSettings,
		);
		this.settings = merged(start, settings);
		this.random = new SeededRandom(seed);
		/** Chances of the network, apart from those of the records. */
		this.network = new SeededRandom(`${seed} network`);
		this.store = new Store(() => this.random.uuid());
		this.ledger = new Ledger();
		this.faults = new Faults();
		this.rates = new RateLimits();
		this.rates.configure(this.settings.rate);
		this.identities = new Identities(this.startSeed);
		this.deliveries = new Deliveries(this);
		this.calls = new Calls(this);
		this.hours = new Hours(this);
		this.intents = new Intents(this);
		/** Contents of uploaded files by uuid. @type {Map<string, {filename: string, mediaType: string, bytes: Buffer}>} */
		this.files = new Map();
		/** Contacts that were added or changed, by phone number and by email. @type {Map<string, string>} */
		this.reachable = new Map();
		/** Answers by request key. @type {Map<string, {result: import('./answers.mjs').Result, text: string}>} */
		this.answeredKeys = new Map();
		/**
		 * Requests to the file server; how much was sent, once the connection is done with it.
		 * @type {{method: string, path: string, authorized: boolean, sentBytes?: number, closedEarly?: boolean}[]}
		 */
		this.fileRequests = [];
		this.#movements = new Map();
		seedWorkspace(this, { agents: 5, contacts: 25, ...counts });
		if (keepRegistered) {
			this.settings.page = page;
			this.random = random;
			this.deliveries.random = deliveries.random;
			this.intents.random = intents.random;
			for (const name of ['agents', 'webhooks']) this.store.keep(name, store);
		}
		/** When the workspace was filled, in milliseconds. */
		this.seededAt = Date.now();
	}

	/**
	 * What reading has made of lists (`movingLists`), by path.
	 * @type {Map<string, {added: any[], removed: number, turned: number}>}
	 */
	#movements = new Map();

	/** @returns {any} the body of a list that changes with each page that is read of it */
	moved(path, body) {
		const move = this.settings.movingLists[path];
		if (move === undefined) return body;
		const so = this.#movements.get(path) ?? { added: [], removed: 0, turned: 0 };
		this.#movements.set(path, so);
		return movedList(so, move, body, () => this.random.uuid());
	}

	/** @param {object} changes merged into the present settings */
	change(changes) {
		const settings = merged(this.settings, changes);
		this.rates.configure(settings.rate);
		this.settings = settings;
	}

	/**
	 * Does something later, unless the workspace is reset before.
	 * @param {number} ms
	 * @param {() => void} run
	 */
	later(ms, run) {
		const timer = setTimeout(
			() => {
				this.#timers.delete(timer);
				try {
					run();
				} catch (error) {
					// What it was about may be gone by now; that must not end the process.
					process.stderr.write(`${error.message}\n`);
				}
			},
			Math.min(ms, 2 ** 31 - 1),
		);
		this.#timers.add(timer);
	}

	#timers = new Set();

	/** Nothing that was planned happens any more. */
	close() {
		for (const timer of this.#timers) clearTimeout(timer);
		this.#timers.clear();
		this.deliveries?.close();
	}
}
