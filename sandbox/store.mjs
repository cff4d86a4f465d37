import { notFound } from './errors.mjs';
import { masked } from './mask.mjs';
import { Instant } from './zone.mjs';

/** When records and parts of records came into being, in milliseconds. */
const births = new WeakMap();

/** What is younger is not shown to a read that lags; undefined: everything is shown. */
let shownUntil;

/** @template T @param {T} record or a part of one @returns {T} */
export function bornNow(record) {
	births.set(record, Date.now());
	return record;
}

/** Whether a read shows a record or a part of one. */
export const isShown = (record) =>
	shownUntil === undefined || (births.get(record) ?? -Infinity) <= shownUntil;

/**
 * Reads as the workspace was a while ago: without what was created since.
 * @template T
 * @param {number} milliseconds
 * @param {number} from what was there by then is shown
 * @param {() => T} read
 * @returns {T}
 */
export function lagging(milliseconds, from, read) {
	shownUntil = milliseconds > 0 ? Math.max(from, Date.now() - milliseconds) : undefined;
	try {
		return read();
	} finally {
		shownUntil = undefined;
	}
}

/**
 * Records of one kind by uuid, in order of creation. Records before `offset` are generated when they are looked at and
 * kept only once they change, so that 100,000 contacts cost nothing until someone reads them.
 */
export class Collection {
	/** @type {Map<string, any>} */
	#records = new Map();
	#deleted = new Set();
	#generated = 0;
	#generate;
	#indexOf;

	/**
	 * @param {string} name
	 * @param {{count?: number, generate?: (index: number) => any, indexOf?: (uuid: string) =>
	 * number | undefined, key?: string}} [options]
	 *   key: the field that identifies a record
	 */
	constructor(name, { count = 0, generate, indexOf, key = 'uuid' } = {}) {
		this.name = name;
		this.key = key;
		this.#generated = count;
		this.#generate = generate;
		this.#indexOf = indexOf;
	}

	get size() {
		return this.#generated + this.#added() - this.#deleted.size;
	}

	/** Records that were added rather than generated. */
	#added() {
		return this.#records.size - this.#changed;
	}

	#changed = 0;

	get(uuid) {
		if (uuid === undefined) return undefined;
		const kept = this.#records.get(uuid);
		if (kept !== undefined) return isShown(kept) ? kept : undefined;
		const index = this.#indexOf?.(uuid);
		if (index === undefined || index >= this.#generated || this.#deleted.has(uuid))
			return undefined;
		const record = this.#generate(index);
		return record[this.key] === uuid ? record : undefined;
	}

	/** @template T @param {T} record @returns {T} */
	add(record) {
		this.#records.set(record[this.key], record);
		return bornNow(record);
	}

	/** Keeps changes of a record that may have been generated. @returns {any} the record */
	change(uuid, changes) {
		const record = this.get(uuid);
		if (record === undefined) return undefined;
		if (!this.#records.has(uuid)) {
			this.#records.set(uuid, record);
			this.#changed += 1;
		}
		return Object.assign(record, changes);
	}

	delete(uuid) {
		if (this.get(uuid) === undefined) return false;
		const index = this.#indexOf?.(uuid);
		const generated = index !== undefined && index < this.#generated;
		if (this.#records.delete(uuid) && generated) this.#changed -= 1;
		if (generated) this.#deleted.add(uuid);
		return true;
	}

	/** All records in order, made one by one. */
	*values() {
		for (let index = 0; index < this.#generated; index += 1) {
			const record = this.#generate(index);
			const uuid = record[this.key];
			if (!this.#deleted.has(uuid)) yield this.#records.get(uuid) ?? record;
		}
		for (const [uuid, record] of this.#records) {
			const index = this.#indexOf?.(uuid);
			if ((index === undefined || index >= this.#generated) && isShown(record)) yield record;
		}
	}

	/**
	 * One page without making the records before it, unless there is a filter.
	 * @param {{page: number, perPage: number, where?: (record: any) => boolean, compare?: (a:
	 * any, b: any) => number}} query
	 * @returns {{rows: any[], total: number}}
	 */
	page({ page, perPage, where, compare }) {
		const start = (page - 1) * perPage;
		if (
			where === undefined &&
			compare === undefined &&
			shownUntil === undefined &&
			this.#deleted.size === 0 &&
			this.#generated > 0
		) {
			const rows = [];
			const end = Math.min(start + perPage, this.#generated);
			for (let index = start; index < end; index += 1) {
				const record = this.#generate(index);
				rows.push(this.#records.get(record[this.key]) ?? record);
			}
			if (rows.length < perPage && this.#added() > 0) {
				const added = [...this.#records.values()].filter(
					(record) => !(this.#indexOf(record[this.key]) < this.#generated),
				);
				const from = Math.max(0, start - this.#generated);
				rows.push(...added.slice(from, from + perPage - rows.length));
			}
			return { rows, total: this.size };
		}
		const found = [];
		for (const record of this.values())
			if (where === undefined || where(record)) found.push(record);
		if (compare !== undefined) found.sort(compare);
		return { rows: found.slice(start, start + perPage), total: found.length };
	}
}

/** All that the workspace holds, by collection. */
export class Store {
	/** @type {Map<string, Collection>} */
	#collections = new Map();

	/** @param {string} name @returns {Collection} made when it is not there yet */
	collection(name) {
		let collection = this.#collections.get(name);
		if (collection === undefined) this.#collections.set(name, (collection = new Collection(name)));
		return collection;
	}

	/** @returns {any} the record @throws {import('./errors.mjs').ApiError} 404 when there is none; `thing`: its name */
	need(name, uuid, thing) {
		const record = this.collection(name).get(uuid);
		if (record === undefined) throw notFound(thing);
		return record;
	}

	/** @param {Collection} collection */
	define(collection) {
		this.#collections.set(collection.name, collection);
		return collection;
	}

	names() {
		return [...this.#collections.keys()].sort();
	}

	/** @param {string} name @returns {object[]} every record, secrets masked, times in UTC */
	shown(name) {
		return JSON.parse(JSON.stringify([...this.collection(name).values()])).map(masked);
	}
}

/** Both timestamps of a new record. */
export function born() {
	const now = Instant.now();
	return { created_at: now, updated_at: now };
}
