import type { IDataObject } from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import { objectOf, unreadable, unwrap } from '../http/envelope';
import { title } from '../text/text';

/** A tuning field of a voice, with whatever the platform tells about it (interface §4.1 rules 4 and 8). */
export interface VoiceField {
	key: string;
	/** With type, bounds or options and the current value, for the editor. */
	label: string;
	type: 'number' | 'boolean' | 'string';
	min?: number;
	max?: number;
	values?: Array<string | number | boolean>;
	value?: unknown;
}

const number = (...values: unknown[]): number | undefined =>
	values
		.map((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value))
		.find((value): value is number => typeof value === 'number' && Number.isFinite(value));

/**
 * What a voice-advanced response holds; without a voice its list of fields is empty (interface §4.1 rule 4).
 * @throws RequestError if it has no such list: then it is not known whether there is a voice
 */
export function readVoice(response: unknown): IDataObject {
	const data = objectOf(unwrap(response));
	if (!Array.isArray(data.fields)) throw unreadable('record', response);
	return data;
}

/**
 * Reads the fields of a voice-advanced response. The key names of type and bounds are not shown (interface §4.1
 * rule 8), so `min`/`minimum`, `max`/`maximum`, `options`/`values`/`enum` are all understood, also below `bounds` or
 * `range`.
 */
export function voiceFields(data: IDataObject | undefined): VoiceField[] {
	const fields = Array.isArray(data?.fields) ? (data.fields as unknown[]) : [];
	return fields.flatMap((entry): VoiceField[] => {
		if (!isPlainObject(entry)) return [];
		const field = entry as IDataObject;
		if (typeof field.key !== 'string' || field.key === '') return [];
		const bounds = (
			isPlainObject(field.bounds) ? field.bounds : isPlainObject(field.range) ? field.range : {}
		) as IDataObject;
		const min = number(field.min, field.minimum, bounds.min, bounds.minimum);
		const max = number(field.max, field.maximum, bounds.max, bounds.maximum);
		const given = [field.options, field.values, field.enum].find(Array.isArray) as
			unknown[] | undefined;
		const values = given
			?.map((option) => (isPlainObject(option) ? (option as IDataObject).value : option) as string)
			.filter((option) => option !== undefined);
		const { value } = field;
		const known = value !== undefined && value !== null;
		const type =
			typeof value === 'boolean' || field.type === 'boolean'
				? 'boolean'
				: typeof value === 'string' && min === undefined && max === undefined
					? 'string'
					: 'number';
		const facts = [
			// the editor cuts long labels off: no word for what can be seen anyway
			values?.length
				? `one of ${values.join(', ')}`
				: (type === 'boolean' && known) || min !== undefined || max !== undefined
					? undefined
					: { number: 'number', boolean: 'true or false', string: 'text' }[type],
			min !== undefined && max !== undefined
				? `${min} to ${max}`
				: min !== undefined
					? `${min} or more`
					: max !== undefined
						? `up to ${max}`
						: undefined,
			known ? `now ${String(value)}` : undefined,
		].filter(Boolean);
		return [
			{
				key: field.key,
				label: `${title(field.key)} (${facts.join(', ')})`,
				type,
				min,
				max,
				...(values?.length ? { values } : {}),
				value,
			},
		];
	});
}

/** Spreadsheets and models write switches as text. */
const truths = new Map([
	['true', true],
	['false', false],
]);

/**
 * What of a change does not fit the agent's voice.
 * @returns a sentence for the user, or nothing
 */
export function voiceComplaint(
	data: IDataObject | undefined,
	changes: IDataObject,
): string | undefined {
	const fields = voiceFields(data);
	if (fields.length === 0)
		return 'No voice is selected for this agent, so there is nothing to tune. Select a voice on the platform first';
	for (const [key, value] of Object.entries(changes)) {
		const field = fields.find((candidate) => candidate.key === key);
		if (!field)
			return `The voice of this agent has no field "${key}". It has: ${fields.map((candidate) => candidate.key).join(', ')}`;
		const name = `'${title(key)}'`;
		if (field.values) {
			if (!field.values.some((option) => String(option) === String(value)))
				return `${name} is "${String(value)}"; this voice takes: ${field.values.join(', ')}`;
			continue;
		}
		if (field.type === 'boolean' && !truths.has(String(value)))
			return `${name} should be true or false, but it is "${String(value)}"`;
		if (field.type !== 'number') continue;
		const amount = number(value);
		if (amount === undefined) return `${name} should be a number, but it is "${String(value)}"`;
		if (field.min !== undefined && amount < field.min)
			return `${name} is ${amount}; this voice takes ${field.min} or more`;
		if (field.max !== undefined && amount > field.max)
			return `${name} is ${amount}; this voice takes ${field.max} or less`;
	}
	return undefined;
}

/**
 * Brings the values of a change that fits into the types of the voice's fields: text that is a
 * number or a switch is accepted.
 * @param changes without complaint
 */
export function voiceValues(data: IDataObject | undefined, changes: IDataObject): IDataObject {
	const fields = new Map(voiceFields(data).map((field) => [field.key, field]));
	return Object.fromEntries(
		Object.entries(changes).map(([key, value]) => {
			const field = fields.get(key);
			if (field?.values)
				return [key, field.values.find((option) => String(option) === String(value)) ?? value];
			if (field?.type === 'boolean') return [key, truths.get(String(value)) ?? value];
			return [key, field?.type === 'number' ? (number(value) ?? value) : value];
		}),
	);
}
