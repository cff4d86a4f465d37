import { get, partition, sumBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import {
	type Field,
	type FieldOptions,
	InvalidItems,
	InvalidValue,
	isEmpty,
	isPlainObject,
	type Placed,
	type Problem,
	type Source,
} from '../engine/fields/field';
import { asks, emptyForAll, refuseGarbled } from '../engine/fields/answered';
import { told } from '../engine/fields/columns';
import { mapped, type Mapping, showMapper, storedIn } from '../engine/fields/mapper';
import type { Fields, Shape } from '../engine/fields/shape';
import { mergeJson, place, readJsonRow, takePhone } from '../engine/fields/structure';
import type { MappingName } from '../engine/lookups';
import { rethrow } from '../engine/errors/requestError';
import { normalForm } from '../engine/people/contactPoints';
import { itemName, type ItemPlace, rowOf } from '../engine/text/itemName';
import { andList, listOf, quoted } from '../engine/text/text';

const mostListed = 100;

interface Row {
	row: IDataObject;
	places: ItemPlace[];
	/** Why its items are not one row: the field, and what two of them have there. */
	conflict?: { field: string; values: [unknown, unknown] };
}

const bare = (value: unknown): string =>
	(typeof value === 'string' ? value : JSON.stringify(value)).trim().toLowerCase();

/** The first field in which two rows differ; a field that only one of them has is no difference. */
function differenceIn(one: IDataObject, other: IDataObject): Row['conflict'] {
	for (const [field, value] of Object.entries(other)) {
		const before = one[field];
		if (before === undefined) continue;
		if (isPlainObject(value) && isPlainObject(before)) {
			const inside = differenceIn(before, value);
			if (inside) return inside;
		} else if (bare(before) !== bare(value)) {
			return { field, values: [before, value] };
		}
	}
	return undefined;
}

const named = (places: ItemPlace[]): string => andList(places.map((place) => itemName(place)));

/** Items of the same row that do not agree. @param several rows made of several items, by their key */
const disagreements = (several: Array<[string, Row]>, placed: Placed[]) =>
	several.flatMap(([key, { places, conflict }]) => {
		if (!conflict) return [];
		const label = placed.find(({ path }) => path[0] === conflict.field)?.displayName;
		const [first, other] = conflict.values.map((value) => quoted(value));
		return [{ key, places, differs: `'${label ?? conflict.field}' is ${first} and ${other}` }];
	});

const keptFirst = (split: ReturnType<typeof disagreements>): string[] =>
	split.length === 0
		? []
		: [
				`Of items with the same number and different values, the first was kept: ${listOf(
					split.map(({ key, places, differs }) => `${key} (${named(places)}: ${differs})`),
					10,
					'; ',
				)}.`,
			];

const explainSplit = ({ key, places, differs }: ReturnType<typeof disagreements>[0]): Problem[] => {
	const message = `${key} is the number of ${named(places)}, which do not agree: ${differs}. Correct them, or set 'Items That Disagree' to 'Keep the First'`;
	return places.map(({ item }) => ({ item, message }));
};

interface RowsOptions extends FieldOptions, Pick<Mapping, 'words' | 'headings'> {
	rows: { singular: string; plural: string };
	/** JSON field whose value makes two items the same row; it must be required in the shape. */
	foldBy: string;
}

type Rows = Map<string, Row>;

/** What is told about columns: those that no field took or proves, and expressions that returned nothing, per item. */
interface Columns {
	unused: Set<string>;
	unproven: Set<string>;
	gaps: string[][];
}

/** Where the columns of an item go. */
interface Target {
	name: string;
	displayName: string;
	placed: Placed[];
	fields: Parameters<typeof mapped>[2];
}

/** The row of an item. @throws InvalidValue */
function rowOfItem(one: Source, to: Target, columns: Columns): IDataObject {
	const { name, displayName, placed } = to;
	const read = mapped(storedIn(one.get(name)), one.json, to.fields, displayName);
	for (const column of read.unused) columns.unused.add(column);
	for (const column of read.unproven) columns.unproven.add(column);
	const [filled, empty] = partition(
		Object.entries(read.values ?? {}),
		([, value]) => !isEmpty(value),
	);
	const written: unknown = one.written(name);
	for (const [key, value] of filled)
		refuseGarbled(one, get(written, ['value', key]), value, `${displayName} › ${key}`);
	columns.gaps.push(
		empty.flatMap(([key]) =>
			storedIn(written).isAutomatic || asks(get(written, ['value', key]))
				? `${displayName} › ${placed.find(({ path }) => path[0] === key)?.displayName ?? key}`
				: [],
		),
	);
	return readJsonRow(placed, Object.fromEntries(filled), one, displayName);
}

/** Adds the row of an item, or folds it into the first of its key. */
function fold(rows: Rows, row: IDataObject, foldBy: string, place: ItemPlace): void {
	const key = normalForm(row[foldBy]);
	const first = rows.get(key);
	if (!first) return void rows.set(key, { row, places: [place] });
	// Another form of the same telephone is no difference.
	row[foldBy] = first.row[foldBy];
	const conflict = differenceIn(first.row, row);
	first.conflict ??= conflict;
	// Of two people who share a number, the first gets nothing of the other.
	if (!conflict) first.row = mergeJson(row, first.row);
	first.places.push(place);
}

/** Reads the rows of all items, and why some cannot be one. */
function readRows(source: Source, to: Target, foldBy: string) {
	const rows: Rows = new Map();
	const problems: Problem[] = [];
	const columns: Columns = { unused: new Set(), unproven: new Set(), gaps: [] };
	let count = 0;
	for (const one of source.all()) {
		count++;
		try {
			const row = rowOfItem(one, to, columns);
			fold(rows, row, foldBy, { item: one.item, row: rowOf(one.json()) });
		} catch (thrown) {
			if (!(thrown instanceof InvalidValue)) rethrow(thrown);
			problems.push({ item: one.item, field: thrown.field, message: thrown.message });
		}
	}
	return { rows, problems, columns, count };
}

/**
 * A row per input item. Items with the same value of `foldBy` are folded into the first, which takes what it lacks, if they
 * agree otherwise: two people may share a number. If not, 'Items That Disagree' says what happens.
 * @throws InvalidItems with every item that cannot be a row, or that disagrees with another one
 */
export function rowsOfItems<T>(
	mapping: MappingName,
	options: RowsOptions,
	shape: Shape<NoInfer<T>>,
): Field<T[]> {
	const placed = place(shape as Fields);
	const { words, rows: of, foldBy, headings, ...look } = options;
	const fields = { words, headings, placed };
	return {
		options: { top: true, ...options },
		takesPhone: takePhone(placed),
		inside: placed,
		rows: true,
		show: showMapper(mapping, { ...look, words }),
		read: (source, name, displayName) => {
			const { rows, problems, columns, count } = readRows(
				source,
				{ name, displayName, placed, fields },
				foldBy,
			);
			const several = [...rows.values()]
				.filter(({ places }) => places.length > 1)
				.map((one): [string, Row] => [String(one.row[foldBy]), one]);
			const split = disagreements(several, placed);
			const keepsFirst = source.options.itemsThatDisagree === 'first';
			if (!keepsFirst) problems.push(...split.flatMap(explainSplit));
			if (problems.length) throw new InvalidItems(problems);
			source.report({
				facts: {
					itemsRead: count,
					[`${of.plural}Sent`]: rows.size,
					itemsMerged: sumBy(several, ([, { places }]) => places.length - 1),
					itemsSkipped: 0,
					merged: listOf(
						several.map(([key, { places }]) => `${key}: ${named(places)}`),
						mostListed,
						'; ',
					),
				},
				sentences: [
					...keptFirst(split),
					...told(
						{ unused: [...columns.unused], unproven: [...columns.unproven] },
						displayName,
						words.plural,
					),
					...emptyForAll(columns.gaps),
				],
				rows: {
					[name]: {
						displayName,
						items: [...rows.values()].map(({ places }) => places.map(({ item }) => item)),
					},
				},
			});
			return [...rows.values()].map(({ row }) => row) as T[];
		},
	};
}
