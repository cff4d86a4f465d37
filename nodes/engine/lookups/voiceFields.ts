import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import { objectOf, unreadable, unwrap } from '../response/response';
import { isPlainObject, title } from '../text/text';

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

/** The first of these that is a number, or a text that says one. */
export const numberOf = (...values: unknown[]): number | undefined =>
	values
		.map((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value))
		.find((value): value is number => typeof value === 'number' && Number.isFinite(value));

/** Bounds that a field shows itself, or below `bounds` or `range`. */
const boundOf = (field: IDataObject, ...names: string[]): number | undefined =>
	numberOf(
		...[field, field.bounds, field.range].flatMap((of) =>
			names.map((name): unknown => get(of, name)),
		),
	);

/** None without a voice (interface §4.1 rule 4); bounds and options under any usual name (rule 8). @throws RequestError */
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
			?.map((option) => (isPlainObject(option) ? option.value : option) as string)
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
