/** A value of its own for each parameter of an operation. */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import type { Known } from '../everyOperation/samples.cts';
import { absent } from '../everyOperation/samples.cts';
import { fixedValues, mappedValues } from './rules.cts';

/** What a parameter was given in each run, and how that reads in a request. */
export interface Given {
	path: string[];
	property: INodeProperties;
	runs: Array<{ value: unknown; sent: string }>;
	/** Other parameters may have had the same values, so it is looked for by its name alone. */
	shared: boolean;
}

/** Key of the value in a JSON field that has no other. */
export const jsonKey = 'inside';
/** Key of the one row of a parameter that holds values by name. */
export const rowKey = 'aKey';

const uuidOf = (index: number): string =>
	`3f2b8c1e-5d47-4a9b-8f60-${String(index).padStart(12, '0')}`;
const dateOf = (index: number, late: boolean): string =>
	new Date(Date.UTC(late ? 2040 : 2035, 0, 1 + index)).toISOString().slice(0, 10);
const two = (number: number): string => String(number).padStart(2, '0');
const zones = ['Europe/Istanbul', 'America/New_York', 'Asia/Tokyo', 'Africa/Lagos'];

const as = (text: string) => ({ value: text, sent: text });

/** A text of the form that a parameter's placeholder shows. */
function textLike(example: string, index: number): string {
	if (/^\+\d/.test(example)) return `+1415555${String(index).padStart(4, '0')}`;
	if (/^[^\s@]+@[^\s@]+$/.test(example)) return `name${index}@example.com`;
	if (/^https?:/.test(example)) return `https://example.com/${index}`;
	if (/^[0-9a-f]{8}-/.test(example)) return uuidOf(index);
	if (/^\d\d:\d\d$/.test(example)) return `${two(index % 24)}:${two(index % 60)}`;
	if (/^[A-Z]\w+\/\w+/.test(example)) return zones[index % zones.length]!;
	return `token${index}`;
}

/** A value that no other parameter has, or undefined where there are too few values. */
function distinct(
	property: INodeProperties,
	index: number,
): { value: unknown; sent: string } | undefined {
	const { maxValue = Infinity, dateOnly } = property.typeOptions ?? {};
	const { minValue = Math.min(0, maxValue - 1000) } = property.typeOptions ?? {};
	const exampleOf = (placeholder = '') => /^e\.g\. (.+)$/s.exec(placeholder)?.[1] ?? '';
	switch (property.type) {
		case 'resourceLocator': {
			const example = exampleOf(property.modes?.find(({ name }) => name === 'id')?.placeholder);
			return as(/^\d+$/.test(example) ? String(1_000_000 + index) : textLike(example, index));
		}
		case 'string':
			return as(textLike(exampleOf(property.placeholder), index));
		case 'number':
			return maxValue - minValue > 150
				? { value: minValue + index, sent: String(minValue + index) }
				: undefined;
		case 'dateTime': {
			const sent = dateOf(index, /end|until|expires|^to$|To$/i.test(property.name));
			return { value: dateOnly ? sent : `${sent}T10:00:00`, sent };
		}
		case 'json': {
			const sent = `token${index}`;
			const isList = String(property.default).trim().startsWith('[');
			return { value: isList ? [sent] : { [jsonKey]: sent }, sent };
		}
		default:
			return undefined;
	}
}

/** All values of a parameter that has few. */
function choicesOf(property: INodeProperties): unknown[] {
	const { minValue = 0, maxValue = 1 } = property.typeOptions ?? {};
	if (property.type === 'boolean') return [false, true];
	if (property.type === 'number')
		return Array.from({ length: maxValue - minValue + 1 }, (_, index) => minValue + index);
	// The empty one chooses nothing.
	return ((property.options ?? []) as Array<{ value: unknown }>)
		.map(({ value }) => value)
		.filter((value) => value !== '');
}

/**
 * Fills in an operation, run after run. A parameter of many values has one of its own; those of few values (switches,
 * choices) have them in an order of their own, so that no two are the same in all runs.
 */
export class Values implements Known {
	readonly given = new Map<string, Given>();

	run = 0;

	/** Runs until everything can be told apart; known after the first. */
	runsNeeded = 1;

	constructor(
		private readonly subject: string,
		/** IDs of records that the operation reads before it writes. */
		private readonly records: Record<string, string>,
		/** Parameter that is left out. */
		private readonly without?: string,
	) {}

	async valueOf(property: INodeProperties, above: string[]): Promise<unknown> {
		if (['collection', 'fixedCollection', 'resourceMapper'].includes(property.type))
			return undefined;
		const path = [...above, property.name];
		const key = path.join('.');
		if (key === this.without) return absent;
		// The name of one row among others, which is no field.
		if (property.name === 'key' && above.length) return rowKey;
		const entry = this.given.get(key) ?? { path, property, runs: [], shared: false };
		this.given.set(key, entry);
		const give = (one: { value: unknown; sent: string }) => {
			entry.runs.push(one);
			return one.value;
		};

		const record = this.records[key];
		if (record !== undefined) return give(as(record));
		const fixed = fixedValues[`${this.subject}.${key}`] ?? fixedValues[`*.${property.name}`];
		if (fixed) {
			const value = fixed[this.run % fixed.length];
			entry.shared = fixed.length === 1;
			this.runsNeeded = Math.max(this.runsNeeded, fixed.length);
			return give({ value, sent: String(value) });
		}
		const index = [...this.given.keys()].indexOf(key) + 1;
		const own = distinct(property, index);
		if (own) return give(own);

		const choices = choicesOf(property);
		entry.shared = choices.length < 2;
		if (!entry.shared) {
			const enough = Math.ceil(Math.log(index + 2) / Math.log(choices.length));
			this.runsNeeded = Math.max(this.runsNeeded, enough);
		}
		const value = choices[Math.floor(index / choices.length ** this.run) % choices.length];
		give({ value, sent: String(value) });
		return property.type === 'multiOptions' ? [value] : value;
	}

	async mapped(): Promise<Record<string, string | number>> {
		return mappedValues[this.subject] ?? {};
	}
}

/** As if every record had been chosen from a list: n8n checks an ID that was typed within a time limit. */
export const fromLists = (parameters: INodeParameters): INodeParameters =>
	JSON.parse(JSON.stringify(parameters), (_, value: unknown) =>
		value !== null && typeof value === 'object' && '__rl' in value
			? { ...value, mode: 'list' }
			: value,
	) as INodeParameters;
