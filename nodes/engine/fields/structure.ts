import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { camelCase, get, mapValues, memoize, partition, without } from 'lodash';
import {
	type Field,
	type FieldOptions,
	type Given,
	InvalidValue,
	isEmpty,
	isPlainObject,
	labelOf,
	optionsOf,
	type Placed,
	refusePrototype,
	type Source,
	shown,
} from './field';
import { asJson, asWritten } from './writtenJson';
import { asks, decides, noAnswer, refuseEmptyPart, refuseUnanswered } from './answered';
import type { Fields, Shape } from './shape';
import { quoted, title } from '../text/text';

export type { Placed };

const isField = (entry: Field<unknown, unknown> | Fields): entry is Field<unknown, unknown> =>
	typeof (entry as Field<unknown, unknown>).show === 'function';

const labelFor = ({ options, suffix = '' }: Field<unknown, unknown>, key: string): string =>
	title(options.name ?? key) + suffix;

/** Flattens nested shapes: `participant.number` is one parameter, named after its joined path if it has no own name. */
export function place(fields: Fields, above: string[] = []): Placed[] {
	return Object.entries(fields).flatMap(([key, entry]) => {
		const path = [...above, key];
		if (!isField(entry)) return place(entry, path);
		const { name = camelCase(path.join(' ')), displayName = labelFor(entry, key) } = entry.options;
		return [{ field: entry, path, name, displayName }];
	});
}

/** A label that does not say its title again: "Handover: Method" for `handover_method`. */
const underTitle = (label: string, together: string): string => {
	const said = together.split(' ').at(-1) ?? '';
	const words = label.replace(/^(?:Use|Enable) /, '').split(' ');
	return without(words, said, `${said}s`).join(' ');
};

/** Fields that belong together, although the editor shows each for itself: "Handover: Method", "Handover: Timeout". */
export const titled = <T>(together: string, shape: Shape<NoInfer<T>>): Shape<T> =>
	mapValues(shape as Fields, (entry, key) => {
		const field = entry as Field<unknown, unknown>;
		const { displayName = underTitle(labelFor(field, key), together) } = field.options;
		return { ...field, options: { ...field.options, displayName: `${together}: ${displayName}` } };
	}) as Shape<T>;

export const takePhone = (placed: Placed[]): boolean =>
	placed.some(({ field }) => field.takesPhone === true);

export function write(target: IDataObject, path: string[], value: unknown): void {
	refusePrototype(path, path.join('.'));
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
		refusePrototype(Object.keys(source), 'JSON');
		for (const [key, value] of Object.entries(source)) {
			const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
			merged[key] =
				isPlainObject(value) && isPlainObject(before) ? mergeJson(before, value) : value;
		}
	}
	return merged;
}

/** With "Send Empty Fields", what clears a field that the user left empty. @throws InvalidValue if nothing does */
function cleared({ field, name, displayName }: Placed, source: Source): unknown {
	if (!source.sendEmptyFields || !source.has(name)) return undefined;
	const label = labelOf(source, displayName);
	// n8n shows the same for an expression in place of the whole list.
	if (field.rows)
		throw new InvalidValue(
			label,
			"has no rows. To remove all, set it to [] in 'Body (JSON)' under Options",
		);
	if (field.empty !== undefined) return field.empty;
	throw uncleared(label);
}

/** Between an expression in place of a whole list and no rows, n8n shows a node no difference. */
const droppedByN8n =
	'n8n drops an expression in place of a whole list. Map the fields of its rows, or send the list as JSON.';

/** Reads the fields that somebody added to a collection. @throws InvalidValue */
export function readAdded(placed: Placed[], source: Source): IDataObject {
	const added = placed.filter(({ name }) => source.has(name));
	const result = readFields(added, source);
	for (const { field, path, displayName } of added)
		if (field.rows && get(result, path) === undefined)
			source.report({
				sentences: [
					`'${labelOf(source, displayName)}' was not sent: it has no rows. ${droppedByN8n}`,
				],
			});
	return result;
}

export const uncleared = (label: string): InvalidValue =>
	new InvalidValue(
		label,
		'cannot be cleared: the platform accepts no empty value for it. Fill it in, or remove it',
	);

/** Reads all fields of one level into an object. @throws InvalidValue */
export function readFields(placed: Placed[], source: Source): IDataObject {
	const result: IDataObject = {};
	for (const entry of placed) {
		const { field, path, name, displayName } = entry;
		const value = field.read(source, name, displayName) ?? cleared(entry, source);
		if (value === undefined) {
			// Of a field that JSON may replace, `prepare` says it.
			if (decides(entry) && !field.options.orBodyJson) refuseUnanswered(source, name, displayName);
			if (asks(source.written(name))) source.report({ gaps: [labelOf(source, displayName)] });
			continue;
		}
		if (decides(entry) || source.isRead) refuseEmptyPart(source, name, displayName, value);
		if (field.spread) Object.assign(result, value);
		else write(result, path, value);
	}
	return result;
}

const byDisplayName = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.localeCompare(b.displayName);

/** n8n's linter wants five or more fields of a row in the order of their names; fewer are in the order of use. */
const inOrder = (row: INodeProperties[]): INodeProperties[] =>
	row.length < 5 ? row : [...row].sort(byDisplayName);

export const showAll = (placed: Placed[]): INodeProperties[] =>
	placed.flatMap(({ field, name, displayName }) => field.show(name, displayName));

/** Parameters that belong together in an object. @param written the same with its expressions; nothing for JSON */
export const within = (
	source: Source,
	values: unknown,
	written: unknown,
	changes?: Partial<Source>,
): Source => {
	const inside = isPlainObject(values) ? values : undefined;
	return {
		...source,
		...changes,
		get: (name) => inside?.[name],
		has: (name) => inside !== undefined && Object.hasOwn(inside, name),
		written: (name) => (isPlainObject(written) ? written[name] : undefined),
	};
};

/** A group of optional fields in its own collection ("Voice Settings"), and an object of its name in JSON. */
export function collection<T>(given: string | FieldOptions, shape: Shape<NoInfer<T>>): Field<T> {
	const options = optionsOf([given] as Given);
	const placed = place(shape as Fields);
	return {
		options,
		takesPhone: takePhone(placed),
		inside: placed,
		show: (name, displayName) => [
			shown({ ...options, placeholder: 'Add Field' }, displayName, name, {
				type: 'collection',
				default: {},
				options: showAll(placed).sort(byDisplayName),
			}),
		],
		read: (source, name, displayName) => {
			const values = source.get(name);
			if (isEmpty(values)) return undefined;
			const above = [...source.above, displayName];
			const inside = within(source, values, source.written(name), { above });
			const result = readAdded(placed, inside);
			return Object.keys(result).length ? (result as T) : undefined;
		},
	};
}

/** A row is sent as a whole: whatever is left out of it is empty. */
const inRow = (source: Source, row: string): Source => ({
	...source,
	above: [...source.above, row],
	sendEmptyFields: false,
});

/** Which fields a row of JSON has, and where: looked up, because an object of a row's fields takes long to make. */
const knownIn = memoize((placed: Placed[]) => {
	const known = placed.filter(({ field }) => !field.spread);
	return { known, paths: new Map(known.map(({ name, path }) => [name, path])) };
});

/** Under the platform's names: known fields are checked, further keys are kept. @throws InvalidValue */
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
	const { known, paths } = knownIn(placed);
	const inside: Source = {
		...inRow(source, displayName),
		get: (name) => get(row, paths.get(name) ?? []),
		has: (name) => paths.has(name),
		written: () => undefined,
	};
	return mergeJson(
		asJson(row, labelOf(source, displayName)) as IDataObject,
		readFields(known, inside),
	);
}

const rowCollection = 'additionalFields';

/** Whether it always holds something: a row has every field's default, which nobody chose. */
const neverEmpty = (property: INodeProperties): boolean =>
	property.type === 'number' ||
	(!['fixedCollection', 'collection', 'resourceLocator', 'json', 'multiOptions'].includes(
		property.type,
	) &&
		property.default !== '');

const rowsName = 'values';

/** The rows of a list, as a person, a model or an expression wrote them; undefined if there are none. @throws InvalidValue */
function rowsIn(value: unknown, label: string): unknown[] | undefined {
	let rows = value;
	if (isPlainObject(value)) rows = value[rowsName];
	else if (!isEmpty(value)) rows = asJson(value, label);
	if (isEmpty(rows) || (Array.isArray(rows) && rows.length === 0)) return undefined;
	if (Array.isArray(rows)) return rows;
	throw new InvalidValue(label, `should be a list, but it is ${quoted(rows)}`);
}

/** Rows of the same fields. Optional switches, numbers and choices are in "Additional Fields", unless they are `top`. */
export function list<T>(
	entry: string,
	shape: Shape<NoInfer<T>>,
	options: FieldOptions = {},
): Field<T[]> {
	const placed = place(shape as Fields);
	const [added, plain] = partition(
		placed,
		({ field, name, displayName }) =>
			!field.options.required &&
			!field.options.top &&
			field.show(name, displayName).some(neverEmpty),
	);
	const optional = shown({ placeholder: 'Add Field' }, 'Additional Fields', rowCollection, {
		type: 'collection',
		default: {},
		options: showAll(added).sort(byDisplayName),
	});
	const row = [...showAll(plain), ...(added.length > 0 ? [optional] : [])];
	return {
		options,
		takesPhone: takePhone(placed),
		inside: placed,
		rows: true,
		show: (name, displayName) => [
			shown({ ...options, placeholder: `Add ${entry}` }, displayName, name, {
				type: 'fixedCollection',
				default: {},
				typeOptions: { multipleValues: true, sortable: true },
				options: [{ displayName: entry, name: rowsName, values: inOrder(row) }],
			}),
		],
		read: (source, name, displayName) => {
			const label = labelOf(source, displayName);
			const value = asWritten(source.get(name), source, name, () => label);
			const rows = (rowsIn(value, label) ?? []).flatMap((values, index) => {
				const rowName = `${displayName} ${index + 1}`;
				const written: unknown = get(source.written(name), [rowsName, index]);
				const [more, moreWritten] = [values, written].map((of): unknown => get(of, rowCollection));
				const own = inRow(source, rowName);
				const row = [value, values].every(isPlainObject)
					? mergeJson(
							readFields(plain, within(own, values, written)),
							readFields(added, within(own, more, moreWritten)),
						)
					: readJsonRow(placed, values, source, rowName);
				// A row that holds nothing is none; in a list that replaces another, it would stand for everything.
				if (Object.keys(row).length > 0) return [row];
				if (asks(source.written(name))) throw new InvalidValue(labelOf(source, rowName), noAnswer);
				return [];
			});
			if (rows.length > 0) return rows as T[];
			if (options.required)
				throw new InvalidValue(
					label,
					`is empty. Add at least one ${entry.toLowerCase()}. ${droppedByN8n}`,
				);
			return options.keepsEmpty ? [] : undefined;
		},
	};
}
