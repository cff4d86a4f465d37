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

/** Records of one kind by their identifier, in order of creation. */
class Collection {
	/** @type {Map<string, any>} */
	#records = new Map();

	/** @param {string} key the field that identifies a record */
	constructor(key) {
		this.key = key;
	}

	get size() {
		return this.#records.size;
	}

	get(uuid) {
		const record = this.#records.get(uuid);
		return record !== undefined && isShown(record) ? record : undefined;
	}

	/** @template T @param {T} record @returns {T} */
	add(record) {
		this.#records.set(record[this.key], record);
		return bornNow(record);
	}

	delete(uuid) {
		return this.#records.delete(uuid);
	}

	/** @returns {any[]} all records in order */
	all() {
		return [...this.#records.values()].filter(isShown);
	}
}

/** The fields that identify the records of collections in which it is not `uuid`. */
const KEYS = {
	agents: 'agent_uuid',
	contacts_fields: 'key',
	flow_apps: 'uid',
	pbx_extension_connectors: 'pbx_extension_connector_uuid',
	phone_numbers: 'phone_number_uuid',
	trunks: 'phone_number_uuid',
	webhooks: 'webhook_uuid',
};

/** What a record of a collection is called: `build_conversations` → `Build conversation`. */
export const thingOf = (name) => {
	const words = name.replaceAll('_', ' ').replace(/s$/, '');
	return words[0].toUpperCase() + words.slice(1);
};

/** All that the workspace holds, by collection. */
export class Store {
	/** @type {Map<string, Collection>} */
	#collections = new Map();
	#newId;

	/** @param {() => string} newId */
	constructor(newId) {
		this.#newId = newId;
	}

	/** @param {string} name @returns {Collection} made when it is not there yet */
	collection(name) {
		if (!this.#collections.has(name))
			this.#collections.set(name, new Collection(KEYS[name] ?? 'uuid'));
		return this.#collections.get(name);
	}

	/** Takes over a collection of another store. */
	keep(name, other) {
		this.#collections.set(name, other.collection(name));
	}

	/** @returns {any} */
	get(name, uuid) {
		return this.collection(name).get(uuid);
	}

	/** @returns {any[]} */
	all(name) {
		return this.collection(name).all();
	}

	/** @returns {any[]} those whose fields have these values */
	where(name, values) {
		const wanted = Object.entries(values);
		return this.all(name).filter((record) => wanted.every(([key, value]) => record[key] === value));
	}

	/** @returns {any} the record @throws {import('./errors.mjs').ApiError} 404 when there is none */
	need(name, uuid, thing = thingOf(name)) {
		const record = this.get(name, uuid);
		if (record === undefined) throw notFound(thing);
		return record;
	}

	/** @returns {any} a new record with the fields, what identifies it, and its timestamps */
	add(name, fields) {
		const collection = this.collection(name);
		const { [collection.key]: id = this.#newId(), ...rest } = fields;
		return collection.add({ [collection.key]: id, ...born(), ...rest });
	}

	delete(name, uuid) {
		return this.collection(name).delete(uuid);
	}

	names() {
		return [...this.#collections.keys()].sort();
	}

	/** @param {string} name @returns {object[]} every record, secrets masked, times in UTC */
	shown(name) {
		return JSON.parse(JSON.stringify(this.all(name))).map(masked);
	}
}

/** Both timestamps of a new record. */
export function born() {
	const now = Instant.now();
	return { created_at: now, updated_at: now };
}

/** Changes a record or a part of one. @template T @param {T} record @returns {T} */
export const change = (record, ...changes) =>
	Object.assign(record, ...changes, { updated_at: Instant.now() });
