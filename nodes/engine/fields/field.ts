import { identity, isObject, isUndefined, omit, omitBy, pick, pickBy, size } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InvalidValue, isPlainObject } from '../text/text';
import type { LookupName } from '../lookups';
import type { Names } from '../lookups/names';
import type { Country } from '../phone/phoneNumber';
import type { Zone } from '../time';
import { Cancelled } from '../http/clock';
import { rethrow } from '../errors/requestError';

export { InvalidValue, isPlainObject };

export interface FieldOptions {
	/** Parameter name, if it is not the API field in camelCase. */
	name?: string;
	/** Title Case; default: the parameter name in Title Case. */
	displayName?: string;
	/** Sentence case, no final period; also the help an AI model gets for the argument. */
	description?: string;
	hint?: string;
	placeholder?: string;
	/** Shown at the top level; may not be empty. */
	required?: true;
	/** Shown at the top level although it may stay empty: after required ones, or among them. */
	top?: true | 'first';
	/** Needed, unless it is left empty and 'Body (JSON)' holds something: its name is a guess. */
	orBodyJson?: true;
	default?: INodeProperties['default'];
	/** How the editor shows it, if not as its kind is usually shown. */
	typeOptions?: INodeProperties['typeOptions'];
	/** The platform takes null for it (contract: nullable), which clears it. */
	nullable?: true;
	/** False: the platform takes nothing that would clear it, although the kind has an empty value. */
	clearable?: false;
	/** An empty list is a value of its own and is sent; for many kinds only one from an expression. */
	keepsEmpty?: true;
	/** If kind and place do not say it (`answered.ts`): an expression in it that returns nothing is refused. */
	decides?: boolean;
	/** Shown only when other top-level parameters of the operation have these values. */
	showWhen?: Record<string, Array<string | number | boolean>>;
}

/** What a field kind is given: what the field is for, in words, and everything else; both may be absent. */
export type Given<O extends FieldOptions = FieldOptions> =
	[description: string, options?: O] | [O?];

export const optionsOf = <O extends FieldOptions>([first, second]: Given<O>): O =>
	typeof first === 'string' ? ({ description: first, ...second } as O) : (first ?? ({} as O));

/** The source of a field's value: the parameters of one level (top, a collection, a row) of one item. */
export interface Source {
	/** Input item, from 0. */
	readonly item: number;
	readonly zone: Zone;
	/** For a value that needs an offset; not `iana` if the platform tells no zone. @throws Needed before it was asked */
	readonly neededZone: () => Zone;
	/** The names that a list of the workspace shows. @throws Needed while it has not been read for this name */
	readonly namesIn: (lookup: LookupName, name: string) => Names;
	/** A contact as the platform shows it. @throws Needed while it has not been read */
	readonly contactOf: (uuid: string) => ContactRead;
	readonly defaultCountry?: Country;
	readonly numberRead: (read: NumberRead) => void;
	/** People read or hear its texts, or a machine carries them out: nobody notices a gap before. */
	readonly isRead?: boolean;
	/** Fields that were left empty are sent, which clears them (option "Send Empty Fields"); never inside a row. */
	readonly sendEmptyFields: boolean;
	/** The options of the item, which are not fields: JSON beside them is read from here. */
	readonly options: IDataObject;
	/** Raw value of a parameter of this level; undefined when it is absent. */
	get(name: string): unknown;
	/** Whether the parameter has a value, an empty one included. */
	has(name: string): boolean;
	/** A parameter of this level as it was written, its expressions unresolved; undefined in what is JSON. */
	written(name: string): unknown;
	readonly asTool: boolean;
	/** Of a text with expressions, with a text before and after each value; undefined if it is one expression. */
	pieces(written: string): { texts: string[]; values: () => unknown[] } | undefined;
	/** Of a text of several parts the first that returns nothing for the item: `{{ $json.phone }}` in `+{{ … }}`. */
	emptyPart(written: unknown): string | undefined;
	readonly above: string[];
	/** All input items, for fields that gather them into one request; one after the other, because they may be many. */
	readonly all: () => Iterable<Source>;
	readonly json: () => IDataObject;
	readonly report: (told: Partial<Report>) => void;
}

export interface ContactRead {
	record?: IDataObject;
	why?: string;
}

/** A phone number of an item: as it was written and, if it could be read, in E.164. */
export interface NumberRead {
	written: string;
	number?: string;
	/** Nothing is known of numbers with its calling code. */
	unchecked?: true;
}

export interface Report {
	facts: IDataObject;
	sentences: string[];
	/** Input items that each row of a list was made from, by the list's parameter. */
	rows: Record<string, { displayName: string; items: number[][] }>;
	/** Moments that name their own offset, with the labels of their fields. */
	moments: Moment[];
	/** Keys of a mapper's fields by whose values a record is matched; each has a value. */
	matching?: string[];
	gaps?: string[];
}

export interface Moment {
	field: string;
	sent: string;
	/** In which the field reads a time without an offset. */
	zone: Zone;
}

/**
 * A field kind: it knows how it looks (`show`) and how its value becomes JSON (`read`).
 * @template T the JSON type, which the compiler compares with the contract
 * @template Read what reading returns, if it becomes JSON only later: a file, or the values of several keys
 */
export interface Field<out T, out Read = NoInfer<T>> {
	/** Never there; it carries the JSON type. */
	readonly json?: T;
	readonly options: FieldOptions;
	/** The n8n parameters, usually one, without displayOptions. */
	show(name: string, displayName: string): INodeProperties[];
	/** @returns undefined if it is left out of the request @throws InvalidValue with a sentence that names the field */
	read(source: Source, name: string, displayName: string): Read | undefined;
	/** Parameters that the JSON value is spread over its parent instead of standing under the field's own name. */
	readonly spread?: boolean;
	readonly takesPhone?: boolean;
	readonly isFile?: true;
	/** It decides whom an operation covers or how it runs: references, switches, choices, numbers and times do. */
	readonly decides?: true;
	/** What clears it on the platform; undefined if nothing does. */
	readonly empty?: unknown;
	/** What its label ends with, unless it has one of its own. */
	readonly suffix?: string;
	/** The fields of its object, or of each of its rows. */
	readonly inside?: Placed[];
	readonly rows?: true;
}

export interface Placed {
	field: Field<unknown, unknown>;
	path: string[];
	name: string;
	displayName: string;
	/** Its place makes it decide, whatever its kind. */
	decides?: true;
}

export interface Problem {
	item: number;
	field?: string;
	message: string;
}

/** A value of an item cannot be read before this is known of the platform: its zone, the names of a list, a contact. */
export class Needed extends Error {
	override name = 'Needed';

	constructor(
		readonly item: number,
		readonly what: 'zone' | { lookup: LookupName; named: string } | { uuid: string },
	) {
		super();
	}
}

export class InvalidItems extends Error {
	override name = 'InvalidItems';

	constructor(readonly problems: Problem[]) {
		super(problems.map((problem) => problem.message).join('; '));
	}
}

/** Whether a parameter holds nothing: absent, null, NaN, or text without content. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	Number.isNaN(value) ||
	(typeof value === 'string' && value.trim() === '');

/** What clears a field: null if the contract says so, otherwise the kind's own empty value. */
export const emptyOf = ({ nullable, clearable }: FieldOptions, ofKind?: unknown): unknown =>
	nullable ? null : clearable === false ? undefined : ofKind;

/** Display name of a field with the levels above it: "Voice Settings › Max Silence Prompts". */
export const labelOf = (source: Source, displayName: string): string =>
	[...source.above, displayName].join(' › ');

/** A field whose JSON is another form of what it reads: `turn` gets the value read and returns the JSON. */
export const converted = <A, B>(field: Field<A>, turn: (value: A) => B): Field<B> => ({
	...omit(field, 'json'),
	read: (source, name, displayName) => {
		const value = field.read(source, name, displayName);
		return value === undefined ? undefined : turn(value);
	},
});

/** A field whose JSON object goes beside the fields of its level instead of under its own key. */
export const spread = <T>(field: Field<T>): Field<T> => ({ ...field, spread: true });

export const missing = 'is empty. Fill it in, or check its expression';

type Look = Partial<INodeProperties> & Pick<INodeProperties, 'type' | 'default'>;

export const shown = (
	options: FieldOptions,
	displayName: string,
	name: string,
	property: Look,
): INodeProperties => ({
	displayName,
	name,
	...property,
	...(options.typeOptions && {
		typeOptions: { ...property.typeOptions, ...options.typeOptions },
	}),
	...pickBy(pick(options, 'required', 'placeholder', 'description', 'hint')),
	...omitBy(pick(options, 'default'), isUndefined),
});

export interface Behavior<T> {
	empty?: T;
	missing?: string;
	decides?: true;
	/** What counts of a value, in a form of its own as n8n stores it, or as it was written. */
	valueIn?: (stored: unknown, source: Source, name: string, label: () => string) => unknown;
}

export function leaf<T>(
	options: FieldOptions,
	property: Look,
	parse: (value: unknown, fail: (text: string) => never, source: Source, label: () => string) => T,
	{ empty, missing: none = missing, decides, valueIn = identity }: Behavior<T> = {},
): Field<T> {
	return {
		options,
		...(decides && { decides }),
		empty: emptyOf(options, empty),
		show: (name, displayName) => [shown(options, displayName, name, property)],
		read: (source, name, displayName) => {
			const label = (): string => labelOf(source, displayName);
			const value = valueIn(source.get(name), source, name, label);
			const fail = (text: string): never => {
				throw new InvalidValue(label(), text);
			};
			const parsed = isEmpty(value) ? undefined : parse(value, fail, source, label);
			const holds = isObject(parsed) ? size(parsed) > 0 : parsed !== undefined;
			if (holds || (options.keepsEmpty && Array.isArray(value))) return parsed;
			return options.required ? fail(none) : undefined;
		},
	};
}

/** Refuses the one key that would change an object instead of standing in it. @throws InvalidValue naming it */
export function refusePrototype(keys: string[], label: string): void {
	if (keys.includes('__proto__'))
		throw new InvalidValue(label, 'has the name "__proto__", which cannot be sent. Rename it');
}

/** A refused item, in words; several items if one field gathers all. @throws Cancelled */
export function problemsOf(thrown: unknown, item: number): Problem[] {
	if (thrown instanceof Cancelled) rethrow(thrown);
	if (thrown instanceof InvalidItems) return thrown.problems;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	const field = thrown instanceof InvalidValue ? thrown.field : undefined;
	return [{ item, message, ...(field ? { field } : {}) }];
}
