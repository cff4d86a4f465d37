import { DateTime, IANAZone } from 'luxon';
import windowsIana from 'windows-iana';

const { findIana } = windowsIana;

/** @type {Map<string, {name: string, zone: IANAZone} | undefined>} */
const known = new Map();

/**
 * @param {unknown} name IANA identifier or Windows name
 * @returns {{name: string, zone: IANAZone} | undefined} undefined when there is no such zone;
 * an offset such as `+03:00` is none
 */
function lookUp(name) {
	if (typeof name !== 'string' || !/^[A-Za-z]/.test(name)) return undefined;
	if (!known.has(name)) {
		const iana = IANAZone.isValidZone(name) ? name : findIana(name)[0];
		known.set(name, iana === undefined ? undefined : { name: iana, zone: IANAZone.create(iana) });
	}
	return known.get(name);
}

const UTC = lookUp('UTC');

/**
 * The caller's zone, the first match in the order of interface §2.1 rule 5.
 * @param {{header?: string, query?: string, member?: string, workspace?: string}} sources
 * `member` only with a per-user token,
 *   `workspace` only with a workspace token
 * @returns {{name: string, zone: IANAZone}}
 */
export function callersZone({ header, query, member, workspace }) {
	return lookUp(header) ?? lookUp(query) ?? lookUp(member) ?? lookUp(workspace) ?? UTC;
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * @param {unknown} value
 * @returns {boolean} whether it has a date and a time of day; dates alone and times alone are
 * never shifted (interface §2.1 rule 4)
 */
export const isDateTime = (value) => typeof value === 'string' && DATE_TIME.test(value);

const HAS_OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;
const DAY = 86_400_000;

/**
 * The instant that a caller means: with an offset exactly that instant, without one the time in the caller's zone
 * (interface §2.1 rule 3).
 * @param {string} value passes isDateTime
 * @param {IANAZone} zone
 * @returns {Instant | undefined} undefined when there is no such day or hour
 */
export function instantFrom(value, zone) {
	const time = DateTime.fromISO(value.replace(' ', 'T').replace(/\s+/g, ''), { zone: 'utc' });
	if (!time.isValid) return undefined;
	return new Instant(HAS_OFFSET.test(value) ? time.toMillis() : fromLocal(time.toMillis(), zone));
}

/**
 * A wall-clock time as an instant. Of a time that the clocks show twice it is the first; one
 * that they skip is moved on by
 * what they skip. (luxon decides that by the present date, which would make the answer depend on the day of the test.)
 * @param {number} local the wall-clock time, read as if it were UTC
 */
function fromLocal(local, zone) {
	const [before, after] = [zone.offset(local - DAY), zone.offset(local + DAY)];
	const first = local - before * 60_000;
	const second = local - after * 60_000;
	if (zone.offset(first) === before) return first;
	return zone.offset(second) === after ? second : first;
}

/** Offsets change at multiples of a quarter of an hour, so one look-up serves all instants of that quarter. */
const QUARTER = 15 * 60_000;
/** @type {Map<string, number>} */
const offsets = new Map();

function offsetMinutes(zone, ms) {
	const quarter = Math.floor(ms / QUARTER);
	const key = `${zone.name} ${quarter}`;
	if (offsets.size > 100_000) offsets.clear();
	if (!offsets.has(key)) offsets.set(key, zone.offset(quarter * QUARTER));
	return offsets.get(key);
}

/**
 * @param {number} ms since the epoch
 * @param {IANAZone} zone
 * @returns {string} `YYYY-MM-DDTHH:MM:SS+HH:MM` (interface §2.1 rule 2)
 */
export function inZone(ms, zone) {
	const minutes = offsetMinutes(zone, ms);
	const local = new Date(ms + minutes * 60_000).toISOString().slice(0, 19);
	const absolute = Math.abs(minutes);
	const pad = (number) => String(number).padStart(2, '0');
	return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.floor(absolute / 60))}:${pad(Math.round(absolute % 60))}`;
}

let answering = UTC.zone;

/** A stored point in time: kept in UTC, written in the zone of whoever is being answered (interface §2.1 rule 1). */
export class Instant {
	/** @param {number} ms since the epoch */
	constructor(ms) {
		this.ms = ms;
	}

	static now() {
		return new Instant(Date.now());
	}

	toJSON() {
		return inZone(this.ms, answering);
	}
}

/**
 * JSON text of an answer with every Instant in the given zone.
 * @param {unknown} body
 * @param {IANAZone} zone
 */
export function jsonInZone(body, zone) {
	answering = zone;
	try {
		return JSON.stringify(body);
	} finally {
		answering = UTC.zone;
	}
}
