import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { camelCase, get, isPlainObject } from 'lodash';
import {
	type Field,
	type FieldOptions,
	InvalidValue,
	isEmpty,
	labelOf,
	leaf,
	type Source,
} from './field';
import type { Fields, Shape } from './shape';
import { quoted, title } from '../text/text';

const isField = (entry: Field<unknown, unknown> | Fields): entry is Field<unknown, unknown> =>
	typeof (entry as Field<unknown, unknown>).show === 'function';

/** A field with its place: the path in the JSON, its parameter and its display name. */
export interface Placed {
	field: Field<unknown, unknown>;
	path: string[];
	name: string;
	displayName: string;
}

/**
 * Flattens nested shapes: `participant.number` is one parameter, named after its joined path
 * unless the field has a name of its own.
 */
export function place(fields: Fields, above: string[] = []): Placed[] {
	return Object.entries(fields).flatMap(([key, entry]) => {
		const path = [...above, key];
		if (!isField(entry)) return place(entry, path);
		const name = entry.options.name ?? camelCase(path.join(' '));
		return [{ field: entry, path, name, displayName: entry.options.displayName ?? title(name) }];
	});
}

/** Keys that would reach an object's prototype are never written. */
const unsafe = new Set(['__proto__', 'constructor', 'prototype']);

/** Writes a value at a path of plain objects. */
export function write(target: IDataObject, path: string[], value: unknown): void {
	if (path.some((key) => unsafe.has(key))) return;
	let place = target;
	for (const key of path.slice(0, -1)) {
		const next = place[key];
		place = (isPlainObject(next) ? next : (place[key] = {})) as IDataObject;
	}
	place[path[path.length - 1] as string] = value as IDataObject;
}

/** Joins JSON that a person wrote with the fields of the form; the fields win, lists are replaced. */
export function mergeJson(below: IDataObject, above: IDataObject): IDataObject {
	const merged: IDataObject = {};
	for (const source of [below, above]) {
		for (const [key, value] of Object.entries(source)) {
			if (unsafe.has(key)) continue;
			merged[key] =
				isPlainObject(value) && isPlainObject(merged[key])
					? mergeJson(merged[key] as IDataObject, value as IDataObject)
					: value;
		}
	}
	return merged;
}

/** Reads all fields of one level into an object. @throws InvalidValue */
export function readFields(placed: Placed[], source: Source): IDataObject {
	const result: IDataObject = {};
	for (const { field, path, name, displayName } of placed) {
		const value = field.read(source, name, displayName);
		if (value === undefined) continue;
		if (field.spread) Object.assign(result, value);
		else write(result, path, value);
	}
	return result;
}

const byDisplayName = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.localeCompare(b.displayName);

/** n8n's linter wants five or more fields of a row in the order of their names; fewer stand in the order of use. */
const inOrder = (row: INodeProperties[]): INodeProperties[] =>
	row.length < 5 ? row : [...row].sort(byDisplayName);

const showAll = (placed: Placed[]): INodeProperties[] =>
	placed.flatMap(({ field, name, displayName }) => field.show(name, displayName));

const below = (source: Source, values: unknown, displayName: string): Source => ({
	...source,
	above: [...source.above, displayName],
	get: (name) => (values as IDataObject | undefined)?.[name],
});

/**
 * A group of optional fields in a collection of its own ("Voice Settings").
 * Its JSON is an object under the field's name.
 */
export function collection<T>(options: FieldOptions, shape: Shape<NoInfer<T>>): Field<T> {
	const placed = place(shape as Fields);
	return {
		options: { top: true, ...options },
		show: (name, displayName) => [
			{
				displayName,
				name,
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				...(options.description ? { description: options.description } : {}),
				...(options.hint ? { hint: options.hint } : {}),
				options: showAll(placed).sort(byDisplayName),
			},
		],
		read: (source, name, displayName) => {
			const values = source.get(name);
			if (isEmpty(values)) return undefined;
			const present = placed.filter((entry) => (values as IDataObject)[entry.name] !== undefined);
			const result = readFields(present, below(source, values, displayName));
			return Object.keys(result).length ? (result as T) : undefined;
		},
	};
}

/**
 * Reads a row that was given as JSON under the platform's names (by an expression, an AI model or a resource mapper):
 * fields that are known are checked and formed as usual, further keys are kept as they are.
 * @throws InvalidValue
 */
export function readJsonRow(
	placed: Placed[],
	row: unknown,
	source: Source,
	displayName: string,
): IDataObject {
	if (!isPlainObject(row))
		throw new InvalidValue(
			labelOf(source, displayName),
			`should be an object like {"key": "value"}, but it is ${quoted(row)}`,
		);
	const known = placed.filter(({ field }) => !field.spread);
	const values = Object.fromEntries(
		known.map(({ name, path }) => [name, get(row, path) as unknown]),
	);
	return mergeJson(
		clean(row) as IDataObject,
		readFields(known, below(source, values, displayName)),
	);
}

interface ListOptions extends FieldOptions {
	/** Title Case, singular: "Guideline". */
	entry: string;
	max?: number;
}

/** Name of the collection in a row that holds what cannot be left empty. */
const rowCollection = 'additionalFields';

/**
 * Whether a parameter always holds something: a row has every field's default as soon as it is added, so a switch or
 * a number in it would be sent although nobody chose it.
 */
const neverEmpty = (property: INodeProperties): boolean =>
	!['fixedCollection', 'collection', 'resourceLocator', 'json', 'multiOptions'].includes(
		property.type,
	) && property.default !== '';

/**
 * Any number of rows, each with the same fields. Rows may nest. A list or JSON text from an expression is accepted.
 * Optional switches, numbers and choices of a row stand in its collection "Additional Fields", unless they are `top`.
 * A required list may be sent empty on purpose with "Send Empty Fields", where the operation has that option.
 */
export function list<T>(options: ListOptions, shape: Shape<NoInfer<T>>): Field<T[]> {
	const placed = place(shape as Fields);
	const inside = 'values';
	const added = (entry: Placed) =>
		!entry.field.options.required &&
		!entry.field.options.top &&
		entry.field.show(entry.name, entry.displayName).some(neverEmpty);
	const [plain, optional] = [placed.filter((entry) => !added(entry)), placed.filter(added)];
	const row: INodeProperties[] = [
		...showAll(plain),
		...(optional.length
			? [
					{
						displayName: 'Additional Fields',
						name: rowCollection,
						type: 'collection',
						placeholder: 'Add Field',
						default: {},
						options: showAll(optional).sort(byDisplayName),
					} satisfies INodeProperties,
				]
			: []),
	];
	const readRow = (values: unknown, source: Source, displayName: string): IDataObject => {
		const more = (values as IDataObject | undefined)?.[rowCollection];
		return mergeJson(
			readFields(plain, below(source, values, displayName)),
			readFields(optional, below(source, isPlainObject(more) ? more : {}, displayName)),
		);
	};
	return {
		options: { ...options },
		show: (name, displayName) => [
			{
				displayName,
				name,
				type: 'fixedCollection',
				placeholder: `Add ${options.entry}`,
				default: {},
				...(options.required ? { required: true } : {}),
				...(options.description ? { description: options.description } : {}),
				...(options.hint ? { hint: options.hint } : {}),
				typeOptions: { multipleValues: true, sortable: true },
				options: [{ displayName: options.entry, name: inside, values: inOrder(row) }],
			},
		],
		read: (source, name, displayName) => {
			const value = source.get(name);
			const label = labelOf(source, displayName);
			let rows: unknown = value;
			if (isPlainObject(value)) rows = (value as IDataObject)[inside];
			else if (typeof value === 'string' && value.trim() !== '') rows = parseJson(value, label);
			if (isEmpty(rows) || (Array.isArray(rows) && rows.length === 0)) {
				if (options.required && !source.sendEmpty)
					throw new InvalidValue(
						label,
						`is empty. Add at least one ${options.entry.toLowerCase()}`,
					);
				return source.sendEmpty && (options.required || Array.isArray(rows)) ? [] : undefined;
			}
			if (!Array.isArray(rows))
				throw new InvalidValue(label, `should be a list, but it is ${quoted(rows)}`);
			if (options.max && rows.length > options.max) {
				throw new InvalidValue(
					label,
					`has ${rows.length} rows; at most ${options.max} are allowed`,
				);
			}
			const written = isPlainObject(value);
			const read = written
				? readRow
				: (values: unknown, from: Source, row: string) => readJsonRow(placed, values, from, row);
			return rows.map((values, index) =>
				read(values, source, `${displayName} ${index + 1}`),
			) as T[];
		},
	};
}

function parseJson(value: string, label: string): unknown {
	try {
		return JSON.parse(value, (key, entry: unknown) => (unsafe.has(key) ? undefined : entry));
	} catch (cause) {
		const invalid = new InvalidValue(
			label,
			`is not valid JSON${whereOf(cause)}. Check for missing quotes or commas`,
		);
		return refuse(invalid);
	}
}

/** Where JSON stops being JSON, as far as the engine that reads it tells. */
function whereOf(cause: unknown): string {
	const said = cause instanceof Error ? cause.message : '';
	const place = /line (\d+) column (\d+)/.exec(said);
	if (place) return ` (line ${place[1]}, column ${place[2]})`;
	if (/end of JSON/.test(said)) return ' (it ends too early)';
	const token = /Unexpected token '?(.+?)'?,/u.exec(said);
	return token ? ` (at "${token[1]}")` : '';
}

const refuse = (invalid: InvalidValue): never => {
	throw invalid;
};

/** Copies a JSON value without the keys that would reach a prototype. */
const clean = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(clean);
	if (!isPlainObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value as IDataObject)
			.filter(([key]) => !unsafe.has(key))
			.map(([key, entry]) => [key, clean(entry)]),
	);
};

interface JsonOptions extends FieldOptions {
	/** What the JSON must be. */
	type?: 'object' | 'array' | 'any';
	rows?: number;
}

/** JSON: an object unless stated otherwise. Text or a value from an expression. */
export function json<T = IDataObject>(options: JsonOptions = {}): Field<T> {
	const type = options.type ?? 'object';
	const property = leaf<unknown>(
		options,
		{
			type: 'json',
			default: type === 'array' ? '[]' : '{}',
			...(options.rows ? { typeOptions: { rows: options.rows } } : {}),
		},
		(value) => value,
	);
	return {
		options,
		show: property.show,
		read(source, name, displayName) {
			const value = source.get(name);
			const label = labelOf(source, displayName);
			if (isEmpty(value)) {
				if (options.required)
					throw new InvalidValue(label, 'is empty. Fill it in, or check its expression');
				return undefined;
			}
			const parsed = typeof value === 'string' ? parseJson(value, label) : clean(value);
			if (type === 'object' && !isPlainObject(parsed)) {
				throw new InvalidValue(label, 'should be a JSON object like {"key": "value"}');
			}
			if (type === 'array' && !Array.isArray(parsed))
				throw new InvalidValue(label, 'should be a JSON list like [1, 2]');
			const nothing = Array.isArray(parsed)
				? parsed.length === 0
				: isPlainObject(parsed) && Object.keys(parsed as IDataObject).length === 0;
			if (nothing && options.required)
				throw new InvalidValue(label, 'is empty. Fill it in, or check its expression');
			return nothing && !source.sendEmpty ? undefined : (parsed as T);
		},
	};
}

/** Reads an optional JSON object that stands beside the fields. @throws InvalidValue */
export function parseJsonObject(value: unknown, label: string): IDataObject {
	if (isEmpty(value)) return {};
	const parsed = typeof value === 'string' ? parseJson(value, label) : clean(value);
	if (!isPlainObject(parsed))
		throw new InvalidValue(label, 'should be a JSON object like {"key": "value"}');
	return parsed as IDataObject;
}
