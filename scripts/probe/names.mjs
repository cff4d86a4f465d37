/**
 * What may be said of an answer: names of fields and kinds of values, never a value. A name can be a value, too: the
 * key of a custom field, a column, a person that something is counted by. So a name passes that the contract has; any
 * other only where it looks like a field's name, was nowhere seen as a value, and is not in an object whose names the
 * workspace chooses or could have chosen: one that maps names which the contract does not have to values of one kind.
 */
import lodash from 'lodash';

/** What stands for a name that is not told. */
export const HIDDEN = '<hidden>';

/** Objects whose names are chosen by people, wherever they stand. */
const chosenByPeople = /custom|variable|metadata|header|tag|label|column|cookie|extras/i;
/** Objects that belong to the platform's answers, even where all their values are of one kind. */
const partOfAnswers = /^(data|meta|links|pagination|paging|totals)$/;
/** Endpoints whose rows have names that the workspace chose: contacts have custom fields, records have columns. */
const chosenInArea = /^\/(contacts|data)(\/|$)/;
const looksLikeAName = /^[a-z]+(_?[a-z]+)*\d?$|^[a-z]+([A-Z][a-z]+)*\d?$/;
const longest = 40;

const kinds = {
	'text (empty)': /^$/,
	uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	'date-time with offset': /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/,
	'date-time without offset': /^\d{4}-\d\d-\d\d[T ][\d:.]+$/,
	date: /^\d{4}-\d\d-\d\d$/,
};

/** Every name of a field or parameter that the contract has. */
function namesIn(document) {
	const names = new Set();
	(function walk(part) {
		if (part === null || typeof part !== 'object') return;
		for (const name of Object.keys(part.properties ?? {})) names.add(name);
		if (typeof part.name === 'string' && part.in) names.add(part.name);
		for (const inside of Object.values(part)) walk(inside);
	})(document);
	return names;
}

export class Names {
	#known;
	#values = new Set();

	/** @param {any} document the contract */
	constructor(document) {
		this.#known = namesIn(document);
	}

	/** Remembers what an answer holds, so that none of it is shown as a name. */
	saw(value) {
		if (Array.isArray(value)) value.forEach((one) => this.saw(one));
		else if (value !== null && typeof value === 'object')
			Object.values(value).forEach((one) => this.saw(one));
		else if (typeof value === 'string' && value.length <= 200) {
			// Of names and titles every capitalised word, of sentences none: those hold words like "result".
			const words = value.length <= 60 ? (value.match(/\p{Lu}\p{L}+/gu) ?? []) : [];
			for (const one of [value, ...words]) this.#values.add(one.toLowerCase());
		}
	}

	/** @param {string} name @param {boolean} [chosen] whether people chose the names here */
	shown(name, chosen = false) {
		if (this.#known.has(name)) return name;
		const passes =
			!chosen &&
			name.length <= longest &&
			looksLikeAName.test(name) &&
			!this.#values.has(name.toLowerCase());
		return passes ? name : HIDDEN;
	}

	/** Whether people choose the names of the objects that an endpoint answers with. */
	chosenAt(path) {
		return chosenInArea.test(path);
	}

	/**
	 * Names and kinds of what an answer holds: `{uuid: uuid, rows: list of {…}}`.
	 * @param {any} value
	 * @param {boolean} [chosen]
	 * @param {number} [depth]
	 * @param {string} [title] the name that the value stands under
	 * @returns {string}
	 */
	shape(value, chosen = false, depth = 0, title = 'data') {
		if (value === null) return 'null';
		if (Array.isArray(value)) {
			if (value.length === 0) return 'list (empty)';
			const [objects, others] = lodash.partition(value.slice(0, 20), lodash.isPlainObject);
			const shapes = [...(objects.length ? [joined(objects)] : []), ...others].map((one) =>
				this.shape(one, chosen, depth, title),
			);
			return `list of ${[...new Set(shapes)].sort().join(' or ')}`;
		}
		if (typeof value === 'string')
			return Object.entries(kinds).find(([, form]) => form.test(value))?.[0] ?? 'text';
		if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
		if (typeof value !== 'object') return typeof value;
		if (depth > 5) return '{…}';
		const entries = Object.entries(value);
		const strange =
			!entries.some(([name]) => this.#known.has(name)) &&
			isMap(entries) &&
			!partOfAnswers.test(title);
		const shown = entries.map(([name, inside]) => {
			const told = this.shown(name, (chosen && depth > 0) || strange);
			if (told === HIDDEN) return HIDDEN;
			return `${told}: ${this.shape(inside, chosen || chosenByPeople.test(name), depth + 1, name)}`;
		});
		const hidden = shown.filter((one) => one === HIDDEN).length;
		const told = shown.filter((one) => one !== HIDDEN);
		return `{${[...told, ...(hidden ? [HIDDEN] : [])].join(', ')}}`;
	}
}

/** Whether all values of an object are of one kind, as in a map by name. */
const isMap = (entries) =>
	new Set(
		entries
			.filter(([, value]) => value !== null)
			.map(([, value]) => (Array.isArray(value) ? 'list' : typeof value)),
	).size < 2;

/** The fields that the first objects of a list have, so that one tells of all. */
const joined = (objects) =>
	lodash.assignWith({}, ...objects.slice(0, 20), (one, other) => one ?? other);
