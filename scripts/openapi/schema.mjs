/**
 * Compares two schemas, fact by fact. The contract is what must hold; what the other side leaves out says nothing, what
 * it says otherwise is wrong. Differs from libraries that look for breaking changes: those need two complete
 * descriptions, and take an open object of ours for a promise.
 */
import { isDeepStrictEqual } from 'node:util';

const bounds = [
	'minimum',
	'maximum',
	'minLength',
	'maxLength',
	'minItems',
	'maxItems',
	'pattern',
	'default',
];

/** A schema with its parts joined: fields of all variants, types of all variants, demands of what always holds. */
function flat(place, always = true, into = undefined) {
	const result = into ?? { types: new Set(), fields: new Map(), required: new Set(), bounds: {} };
	const { value } = place;
	if (value === null || typeof value !== 'object') return result;
	for (const type of [value.type ?? []].flat()) if (type !== 'null') result.types.add(type);
	for (const name of Object.keys(value.properties ?? {}))
		if (!result.fields.has(name)) result.fields.set(name, place.at('properties', name));
	if (always) for (const name of value.required ?? []) result.required.add(name);
	if (value.items) result.items ??= place.at('items');
	if (typeof value.additionalProperties === 'object')
		result.others ??= place.at('additionalProperties');
	if (value.format) result.format ??= value.format;
	const values = value.enum ?? (value.const === undefined ? undefined : [value.const]);
	if (values) result.values = [...(result.values ?? []), ...values.filter((one) => one !== null)];
	if (value['x-samples']) result.samples = value['x-samples'];
	if (always) {
		for (const name of bounds) if (value[name] !== undefined) result.bounds[name] = value[name];
		if (value['x-bounds-source']) result.boundsMark ??= `${place.pointer}/x-bounds-source`;
	}
	for (const key of ['allOf', 'oneOf', 'anyOf'])
		(value[key] ?? []).forEach((_, index) =>
			flat(place.at(key, index), always && (key === 'allOf' || value[key].length === 1), result),
		);
	if (result.types.size === 0 && result.fields.size) result.types.add('object');
	if (result.types.size === 0 && result.items) result.types.add('array');
	return result;
}

const silent = ({ types, fields, items, values }) =>
	types.size === 0 && fields.size === 0 && !items && !values;
const list = (values) => [...values].map(String).sort().join(', ');

/** Whether a schema of the contract says anything beyond the envelope that every answer has. */
export function saysSomething(place) {
	const { fields, items, types } = flat(place);
	if (items) return true;
	const data = fields.get('data');
	const names = [...fields.keys()].filter((name) => !['success', 'message', 'data'].includes(name));
	if (names.length) return true;
	if (!data) return fields.size === 0 && types.size > 0 && !types.has('object');
	const inside = flat(data);
	return inside.fields.size > 0 || inside.items !== undefined;
}

/**
 * @typedef {object} Fact
 * @property {string | undefined} mark pointer to the `x-source` that speaks for it
 * @property {'confirmed' | 'wrong' | 'unsaid' | 'more'} verdict
 * @property {string} says
 */

/**
 * @param {import('./document.mjs').Place} ours
 * @param {import('./document.mjs').Place} theirs
 * @param {string} at what it is called in sentences
 * @param {{sent: boolean, facts: Fact[]}} context `sent` when it is part of a request
 * @param {string[]} within pairs that are being compared, because schemas can hold themselves
 */
export function compareSchemas(ours, theirs, at, context, within = []) {
	const { facts, sent } = context;
	const pair = `${ours.pointer} ${theirs.pointer}`;
	if (within.includes(pair)) return;
	const tell = (verdict, says, mark = ours.mark) => facts.push({ mark, verdict, says });
	const [mine, other] = [flat(ours), flat(theirs)];
	if (silent(mine)) {
		if (other.fields.size) tell('more', `${at} has ${list(other.fields.keys())}`);
		return;
	}
	if (silent(other)) {
		tell('unsaid', at);
		return;
	}
	compareKinds(mine, other, at, tell);
	compareVariants(ours, other, at, tell);
	for (const [name, field] of mine.fields) {
		const title = at.endsWith(' ') ? at + name : `${at}.${name}`;
		const counterpart = other.fields.get(name);
		if (!counterpart) {
			if (other.fields.size) tell('wrong', `${title} is not there`, field.mark);
			else tell('unsaid', title, field.mark);
			continue;
		}
		if (sent && other.required.has(name) !== mine.required.has(name))
			tell(
				'wrong',
				`${title} ${other.required.has(name) ? 'must' : 'need not'} be sent`,
				field.mark,
			);
		compareSchemas(field, counterpart, title, context, [...within, pair]);
	}
	for (const name of other.fields.keys()) {
		if (mine.fields.has(name)) continue;
		const title = at.endsWith(' ') ? at + name : `${at}.${name}`;
		if (sent && other.required.has(name))
			tell('wrong', `${title} must be sent, and the contract does not have it`);
		else tell('more', title);
	}
	if (mine.items && other.items)
		compareSchemas(mine.items, other.items, `${at.trimEnd()}[]`, context, [...within, pair]);
	if (mine.others && other.others)
		compareSchemas(mine.others, other.others, `${at.trimEnd()}.*`, context, [...within, pair]);
}

/** Variants with a source of their own: an empty text beside a date, a UUID beside a number. */
function compareVariants(ours, other, at, tell) {
	for (const key of ['oneOf', 'anyOf'])
		(ours.value[key] ?? []).forEach((_, index) => {
			const variant = ours.at(key, index);
			if (variant.mark === ours.mark) return;
			const { values, types } = flat(variant);
			const [mine, theirs] = values ? [values, other.values ?? []] : [[...types], [...other.types]];
			const title = `${at.trimEnd()} as ${list(mine.map((one) => JSON.stringify(one)))}`;
			if (theirs.length === 0) tell('unsaid', title, variant.mark);
			else if (mine.every((one) => theirs.includes(one))) tell('confirmed', title, variant.mark);
			else tell('wrong', `${title} is not taken`, variant.mark);
		});
}

function compareKinds(mine, other, at, tell) {
	const title = at.trimEnd();
	if (mine.types.size && other.types.size) {
		if ([...mine.types].every((type) => other.types.has(type))) tell('confirmed', title);
		else tell('wrong', `${title} is ${list(other.types)}, not ${list(mine.types)}`);
	}
	if (mine.format && other.format && mine.format !== other.format)
		tell('wrong', `${title} has the format ${other.format}, not ${mine.format}`);
	const values = mine.values ?? mine.samples;
	if (values && other.values) {
		const gone = values.filter((value) => !other.values.includes(value));
		const further = other.values.filter((value) => !values.includes(value));
		if (gone.length) tell('wrong', `${title} does not take ${list(gone)}`);
		if (further.length) {
			// The contract's list of values is complete, its samples are not.
			tell(mine.values ? 'wrong' : 'more', `${title} also takes ${list(further)}`);
		}
	} else if (mine.values) tell('unsaid', `the values of ${title}`);
	else if (other.values) tell('more', `${title} takes ${list(other.values)}`);
	for (const name of bounds) {
		const mark = name === 'default' ? undefined : mine.boundsMark;
		const [here, there] = [mine.bounds[name], other.bounds[name]];
		if (here !== undefined && there === undefined) tell('unsaid', `${name} of ${title}`, mark);
		else if (here === undefined && there !== undefined)
			tell('more', `${title} has ${name} ${JSON.stringify(there)}`);
		else if (!isDeepStrictEqual(here, there))
			tell(
				'wrong',
				`${title} has ${name} ${JSON.stringify(there)}, not ${JSON.stringify(here)}`,
				mark,
			);
		else if (here !== undefined) tell('confirmed', `${name} of ${title}`, mark);
	}
}
