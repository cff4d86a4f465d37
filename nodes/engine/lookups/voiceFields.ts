import type { IDataObject } from 'n8n-workflow';
import { get, isPlainObject, mapValues } from 'lodash';
import { objectOf, unreadable, unwrap } from '../answer/answer';
import { InvalidValue } from '../text/invalidValue';
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

/** Bounds that a field shows itself, or below `bounds` or `range`. */
const boundOf = (field: IDataObject, ...names: string[]): number | undefined =>
	number(
		...[field, field.bounds, field.range].flatMap((of) =>
			names.map((name): unknown => get(of, name)),
		),
	);

/**
 * The fields of a voice-advanced response; none without a voice (interface §4.1 rule 4). The key names of type and
 * bounds are not shown (rule 8), so `min`/`minimum`, `max`/`maximum`, `options`/`values`/`enum` are all understood.
 * @throws RequestError if it has no list of fields: then it is not known whether there is a voice
 */
export function voiceFields(response: unknown): VoiceField[] {
	const { fields } = objectOf(unwrap(response));
	if (!Array.isArray(fields)) throw unreadable('record', response);
	return (fields as unknown[]).flatMap((entry): VoiceField[] => {
		const field = objectOf(entry);
		const { key, value } = field;
		if (typeof key !== 'string' || key === '') return [];
		const [min, max] = [boundOf(field, 'min', 'minimum'), boundOf(field, 'max', 'maximum')];
		const given = [field.options, field.values, field.enum].find(Array.isArray) as
			unknown[] | undefined;
		const values = given
			?.map((option) => (isPlainObject(option) ? (option as IDataObject).value : option) as string)
			.filter((option) => option !== undefined);
		const type =
			typeof value === 'boolean' || field.type === 'boolean'
				? 'boolean'
				: typeof value === 'string' && min === undefined && max === undefined
					? 'string'
					: 'number';
		const found = { key, type, min, max, ...(values?.length ? { values } : {}), value } as const;
		return [{ ...found, label: labelOf(found) }];
	});
}

/** The editor cuts long labels off: no word for what can be seen anyway. */
function labelOf({ key, type, min, max, values, value }: Omit<VoiceField, 'label'>): string {
	const known = value !== undefined && value !== null;
	const bounds =
		min === undefined
			? max === undefined
				? undefined
				: `up to ${max}`
			: max === undefined
				? `${min} or more`
				: `${min} to ${max}`;
	const kind = { number: 'number', boolean: known ? '' : 'true or false', string: 'text' }[type];
	const facts = [
		values ? `one of ${values.join(', ')}` : (bounds ?? kind),
		known ? `now ${String(value)}` : '',
	];
	return `${title(key)} (${facts.filter(Boolean).join(', ')})`;
}

/** What to do about an agent without a voice. */
export const noVoice =
	'No voice is selected for this agent, so there is nothing to tune. Select a voice on the platform first';

/** A value in the type of its field: text that is a number or a switch is accepted, as sheets and models write it. */
function fitted({ key, type, min, max, values }: VoiceField, value: unknown): unknown {
	const said = String(value);
	const fail = (text: string): never => {
		throw new InvalidValue(undefined, `'${title(key)}' ${text}`);
	};
	if (values)
		return (
			values.find((option) => String(option) === said) ??
			fail(`is "${said}"; this voice takes: ${values.join(', ')}`)
		);
	if (type === 'string') return value;
	if (type === 'boolean')
		return ['true', 'false'].includes(said)
			? said === 'true'
			: fail(`should be true or false, but it is "${said}"`);
	const amount = number(value) ?? fail(`should be a number, but it is "${said}"`);
	if (min !== undefined && amount < min) fail(`is ${amount}; this voice takes ${min} or more`);
	if (max !== undefined && amount > max) fail(`is ${amount}; this voice takes ${max} or less`);
	return amount;
}

/**
 * Brings the values of a change into the types of the voice's fields.
 * @param response of `GET /agents/{uuid}/voice-advanced`
 * @throws InvalidValue for what does not fit the agent's voice
 */
export function fitVoice(response: unknown, changes: IDataObject): IDataObject {
	const fields = voiceFields(response);
	if (fields.length === 0) throw new InvalidValue(undefined, noVoice);
	return mapValues(changes, (value, key) => {
		const field = fields.find((one) => one.key === key);
		if (!field)
			throw new InvalidValue(
				undefined,
				`The voice of this agent has no field "${key}". It has: ${fields.map((one) => one.key).join(', ')}`,
			);
		return fitted(field, value) as string;
	});
}
