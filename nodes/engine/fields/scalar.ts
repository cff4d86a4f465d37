import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { isEmpty, isUndefined, map, omitBy, pick } from 'lodash';
import { listAsWritten } from './writtenJson';
import { isUuid, parseExactly } from '../response/response';
import {
	type Behavior,
	converted,
	type Field,
	type FieldOptions,
	type Given,
	leaf,
	optionsOf,
} from './field';
import { type Fail, numberIn, quoted, title } from '../text/text';

/** Text unchanged, numbers and switches as text; a list or an object is refused. */
export const asText = (value: unknown, fail: Fail): string => {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
		return String(value);
	return fail(
		`should be text, but it is ${Array.isArray(value) ? 'a list' : 'an object'}: ${quoted(value)}`,
	);
};

type Option<V extends string> = V | { name: string; value: V; description?: string };

const byName = <T extends { name: string }>(options: T[]): T[] =>
	options.sort((a, b) => a.name.localeCompare(b.name));

const asOptions = <V extends string>(options: ReadonlyArray<Option<V>>) =>
	byName(
		options.map((option) =>
			typeof option === 'string' ? { name: title(option), value: option } : option,
		),
	);

interface TextOptions extends FieldOptions {
	rows?: number;
	minLength?: number;
	maxLength?: number;
	password?: true;
	/** The samples are offered as a dropdown; an expression may still return any other. */
	dropdown?: true;
}

/** Values that were seen, if the complete set is not known: the compiler compares them with the contract's. */
interface Samples<V extends string> {
	samples?: readonly V[];
}

const examples = ({ samples = [] }: Samples<string>): string =>
	samples.length > 0 ? `e.g. ${samples.join(', ')}` : '';

/** Free text. Lengths are checked only if the platform states them. Beside `samples` people may write any other. */
export function text<const V extends string = string>(
	...given: Given<TextOptions & Samples<V>>
): Field<NoInfer<V>> {
	const options = optionsOf(given);
	const { dropdown, minLength, maxLength } = options;
	const offered = dropdown && asOptions(options.samples ?? []);
	const look = pick(options, 'rows', 'password');
	return leaf<string>(
		{ ...(!offered && { hint: examples(options) }), ...options },
		{
			type: 'string',
			default: '',
			...(offered && asDropdown(offered, options)),
			...(!isEmpty(look) && { typeOptions: look }),
		},
		(value, fail) => {
			const content = asText(value, fail);
			if (maxLength && content.length > maxLength)
				fail(`has ${content.length} characters; at most ${maxLength} are allowed`);
			if (minLength && content.length < minLength)
				fail(`has ${content.length} characters; at least ${minLength} are required`);
			return content;
		},
		{ ...(!minLength && { empty: '' }), ...(offered && { decides: true }) },
	) as Field<V>;
}

/** At the top level it is always shown, so it needs a value there that chooses nothing. */
const asDropdown = (
	offered: INodePropertyOptions[],
	{ top, required }: FieldOptions,
): Pick<INodeProperties, 'type' | 'options' | 'default'> => ({
	type: 'options',
	options: top || required ? byName([...offered, { name: 'Not Set', value: '' }]) : offered,
	default: top || required ? '' : (offered[0]?.value ?? ''),
});

export interface Bounded extends FieldOptions {
	min?: number;
	max?: number;
}

function numeric(given: Given<Bounded>, whole: boolean): Field<number> {
	const options = optionsOf(given);
	const precision = whole ? undefined : 2;
	const bounds = { minValue: options.min, maxValue: options.max, numberPrecision: precision };
	const typeOptions = omitBy(bounds, isUndefined);
	return leaf(
		options,
		{
			type: 'number',
			default: options.min && options.min > 0 ? options.min : 0,
			...(!isEmpty(typeOptions) && { typeOptions }),
		},
		(value, fail) => {
			const number =
				typeof value === 'number' ? value : typeof value === 'string' ? numberIn(value) : NaN;
			if (!Number.isFinite(number)) fail(`should be a number, but it is ${quoted(value)}`);
			if (Number.isInteger(number) && !Number.isSafeInteger(number))
				fail(`has more digits than JSON keeps: ${quoted(value)}`);
			// "1.000" is one or a thousand.
			if (whole && !(Number.isSafeInteger(number) && !String(value).includes('.')))
				fail(`should be a whole number, but it is ${quoted(value)}`);
			if (options.min !== undefined && number < options.min)
				fail(`is ${number}; it must be ${options.min} or more`);
			if (options.max !== undefined && number > options.max)
				fail(`is ${number}; it must be ${options.max} or less`);
			return number;
		},
		{ decides: true },
	);
}

/** A whole number, within the bounds that the platform states. Text is accepted if it is a sign and digits. */
export const integer = (...given: Given<Bounded>): Field<number> => numeric(given, true);

/** A number, within the bounds that the platform states. Text that is a number is accepted. */
export const number = (...given: Given<Bounded>): Field<number> => numeric(given, false);

/** A switch. "true" and "false" as text are accepted, because spreadsheets and models produce them. */
export function boolean(...given: Given): Field<boolean> {
	return leaf(
		optionsOf(given),
		{ type: 'boolean', default: false },
		(value, fail) => {
			if (typeof value === 'boolean') return value;
			const word = String(value).trim().toLowerCase();
			if (word === 'true' || word === '1') return true;
			if (word === 'false' || word === '0') return false;
			return fail(`should be true or false, but it is ${quoted(value)}`);
		},
		{ decides: true },
	);
}

/** Reads an option that is written as its value or its name; says what to choose from otherwise. */
const optionReader =
	(offered: INodePropertyOptions[], verb: string, choose: string) =>
	(written: unknown, fail: Fail) =>
		offered.find(({ name, value }) => value === written || name === written)?.value ??
		fail(`${verb} ${quoted(written)}; ${choose}: ${map(offered, 'value').join(', ')}`);

/** One of a closed list of values, only if the platform's list is known to be complete. */
export function choice<const V extends string>(
	values: ReadonlyArray<Option<V>>,
	...given: Given
): Field<V> {
	const options = optionsOf(given);
	const offered = asOptions(values);
	return leaf(
		options,
		{
			type: 'options',
			options: offered,
			default: (options.default ?? offered[0]?.value ?? '') as string,
		},
		optionReader(offered, 'is', 'choose one of'),
		{ decides: true },
	) as Field<V>;
}

/** Several of a closed list. A comma-separated text or a list from an expression is accepted. */
export function choices<const V extends string>(
	values: ReadonlyArray<Option<V>>,
	...given: Given
): Field<V[]> {
	const options = optionsOf(given);
	const offered = asOptions(values);
	const read = optionReader(offered, 'contains', 'choose from');
	return leaf<V[]>(
		options,
		{ type: 'multiOptions', options: offered, default: [] },
		(value, fail) => {
			const list = asList(value);
			if (options.required && list.length === 0) fail('is empty. Choose at least one value');
			return list.map((entry) => read(entry, fail) as V);
		},
		{ empty: [], decides: true, valueIn: listAsWritten },
	);
}

/** A list however it was written: an array, JSON text of an array, or text separated by commas or lines. */
export function asList(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return [value];
	const trimmed = value.trim();
	if (trimmed.startsWith('[')) {
		try {
			const parsed = parseExactly(trimmed);
			if (Array.isArray(parsed)) return parsed;
		} catch {
			// Not JSON after all: read it as plain text below.
		}
	}
	return trimmed
		.split(/[,\n]/)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** What an ID looks like, and as much of it as placeholders show: the editor loads them with each field. */
export const exampleId = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
export const exampleIdInShort = `${exampleId.slice(0, 14)}…`;

/** A field kind that is text in the editor, however it is read. */
const written =
	<T>(
		look: FieldOptions,
		parse: (value: unknown, fail: Fail) => T,
		behavior: Behavior<T>,
		typeOptions?: INodeProperties['typeOptions'],
	) =>
	(...given: Given): Field<T> =>
		leaf(
			{ ...look, ...optionsOf(given) },
			{ type: 'string', default: '', ...(typeOptions && { typeOptions }) },
			parse,
			behavior,
		);

/** Reads a uuid (interface §7 `INVALID_UUID`). */
function readUuid(value: unknown, fail: Fail): string {
	const id = asText(value, fail).trim();
	return isUuid(id) ? id : fail(`is not a valid ID: ${quoted(id)}. An ID looks like ${exampleId}`);
}

/** The ID of a record that no list endpoint offers for choosing. */
export const uuid = written({ placeholder: `e.g. ${exampleIdInShort}` }, readUuid, {
	decides: true,
});

/** Several IDs: a list, or text separated by commas. */
export const uuids = written(
	{ placeholder: `e.g. ${exampleIdInShort}, …` },
	(value, fail) => asList(value).map((entry) => readUuid(entry, fail)),
	{ empty: [], decides: true, valueIn: listAsWritten },
);

/** Several texts: a list, or text separated by commas or lines. `samples` as in `text`. */
export function texts<const V extends string = string>(
	...given: Given<FieldOptions & Samples<V>>
): Field<Array<NoInfer<V>>> {
	const hint = ['Separate multiple values with commas', examples(optionsOf(given))];
	return written<string[]>(
		{ hint: hint.filter(Boolean).join(', ') },
		(value, fail) => asList(value).map((entry) => asText(entry, fail)),
		{ empty: [], valueIn: listAsWritten },
	)(optionsOf(given)) as Field<V[]>;
}

/** Several texts that the platform takes as one, separated by commas (`channel=call,whatsapp_call`). */
export const joined = (...given: Given<FieldOptions & Samples<string>>): Field<string> => ({
	...converted(texts(...given), (all) => all.map((one) => one.trim()).join(',')),
	empty: '',
});

/** A sentence per line, for lists whose entries contain commas. */
export const lines = written(
	{ hint: 'One per line' },
	(value, fail) =>
		(typeof value === 'string' && !value.trim().startsWith('[') ? value.split('\n') : asList(value))
			.map((entry) => asText(entry, fail).trim())
			.filter((entry) => entry !== ''),
	{ empty: [], valueIn: listAsWritten },
	{ rows: 4 },
);

/** No email address is longer: 64 characters, the sign, 255 (RFC 5321). */
const longestEmail = 320;

/** An email address; only the form is checked. */
export const email = written(
	{ placeholder: 'e.g. name@example.com' },
	(value, fail) => {
		const address = asText(value, fail).trim();
		const hasForm = /^[^\s@,;]+@[^\s@,;][^\s@,;.]*\.[^\s@,;]+$/.test(address);
		return hasForm && address.length <= longestEmail
			? address
			: fail(
					`is not an email address: ${quoted(address)}. Enter one email address, like name@example.com`,
				);
	},
	{ empty: '' },
);

export const url = written(
	{ placeholder: 'e.g. https://example.com' },
	(value, fail) => {
		const written = asText(value, fail).trim();
		return /^https?:\/\/[^\s/]+/i.test(written)
			? written
			: fail(`is not a URL: ${quoted(written)}. It should begin with https://`);
	},
	{ empty: '' },
);
