import { masked, MASK } from './mask.mjs';

/**
 * @typedef {object} Entry one API request
 * @property {number} id in order of arrival, from 1
 * @property {number} at milliseconds since the epoch
 * @property {string} method
 * @property {string} path below /api/v1
 * @property {Record<string, string | string[]>} query
 * @property {Record<string, string>} headers authorization masked
 * @property {any} body JSON as received, secrets masked; text when it is no JSON; files as
 * `{filename, mediaType, size}`
 * @property {number | null} status null while open, and when no answer was sent
 * @property {string | null} code error code
 * @property {'created' | 'repeated' | 'changed' | 'none' | 'rejected'} effect created: something really happened
 * @property {string | null} resourceUuid
 * @property {number} inFlight requests in work when it arrived, itself included
 * @property {string} [fault] kind of the fault that hit it
 * @property {number} [sentBytes] of a body that was sent in pieces
 * @property {boolean} [closedEarly] the client closed the connection before such a body was complete
 * @property {string} [violation] how the sandbox's own answer violates the contract
 */

/** How many entries are kept; older ones are dropped, the summary still counts them. */
const KEPT = 100_000;

/** Every API request in order: the oracle of the tests. */
export class Ledger {
	/** @type {Entry[]} */
	#entries = [];
	#counts = new Map();
	#nextId = 1;
	#inFlight = 0;
	#maxInFlight = 0;

	/**
	 * @param {import('node:http').IncomingMessage} request
	 * @param {string} path below /api/v1
	 * @param {URLSearchParams} search
	 * @returns {Entry}
	 */
	open(request, path, search) {
		this.#inFlight += 1;
		this.#maxInFlight = Math.max(this.#maxInFlight, this.#inFlight);
		const query = {};
		for (const [name, value] of search)
			query[name] = Object.hasOwn(query, name) ? [query[name], value].flat() : value;
		const headers = { ...request.headers };
		if (headers.authorization !== undefined)
			headers.authorization = headers.authorization.replace(/\S+$/, MASK);
		const entry = {
			id: this.#nextId++,
			at: Date.now(),
			method: request.method,
			path,
			query,
			headers,
			body: null,
			status: null,
			code: null,
			effect: 'none',
			resourceUuid: null,
			inFlight: this.#inFlight,
		};
		this.#entries.push(entry);
		this.total += 1;
		if (this.#entries.length > 1.1 * KEPT) this.#entries.splice(0, this.#entries.length - KEPT);
		return entry;
	}

	/** @param {Entry} entry @param {number | null} status */
	close(entry, status) {
		this.#inFlight -= 1;
		entry.status = status;
		const name = `${entry.method} ${entry.path} ${status} ${entry.effect}`;
		this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
	}

	/** @param {{path?: string | null, method?: string | null}} filter path: exact, below /api/v1 */
	list({ path, method } = {}) {
		return this.#entries.filter(
			(entry) =>
				(!path || entry.path === path) && (!method || entry.method === method.toUpperCase()),
		);
	}

	/** @param {number} count @returns {Entry[]} the newest, oldest first */
	latest(count) {
		return this.#entries.slice(-count);
	}

	/** How many requests have come since the start or the last clearing. */
	total = 0;

	/** Counts by method, path, status and effect since the last clearing, and the most requests in work at once. */
	summary() {
		const counts = [...this.#counts].map(([name, count]) => {
			const [method, path, status, effect] = name.split(' ');
			return { method, path, status: status === 'null' ? null : Number(status), effect, count };
		});
		const total = counts.reduce((sum, { count }) => sum + count, 0);
		return { total, maxInFlight: this.#maxInFlight, inFlight: this.#inFlight, counts };
	}

	clear() {
		this.#entries = [];
		this.total = 0;
		this.#counts.clear();
		this.#maxInFlight = this.#inFlight;
	}
}
