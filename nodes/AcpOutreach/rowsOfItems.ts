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

interface RowsOptions extends FieldOptions, Pick<Mapping, 'words' | 'headings'> {
	rows: { singular: string; plural: string };
	/** JSON field whose value makes two items the same row; it must be required in the shape. */
	foldBy: string;
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
			const rows = new Map<string, Row>();
			const problems: Problem[] = [];
			const unused = new Set<string>();
			const unproven = new Set<string>();
			const gaps: string[][] = [];
			let count = 0;
			for (const one of source.all()) {
				count++;
				try {
					const read = mapped(storedIn(one.get(name)), one.json, fields, displayName);
					for (const column of read.unused) unused.add(column);
					for (const column of read.unproven) unproven.add(column);
					const [columns, empty] = partition(
						Object.entries(read.values ?? {}),
						([, value]) => !isEmpty(value),
					);
					const written: unknown = one.written(name);
					for (const [key, value] of columns)
						refuseGarbled(one, get(written, ['value', key]), value, `${displayName} › ${key}`);
					gaps.push(
						empty.flatMap(([key]) =>
							storedIn(written).isAutomatic || asks(get(written, ['value', key]))
								? `${displayName} › ${placed.find(({ path }) => path[0] === key)?.displayName ?? key}`
								: [],
						),
					);
					const row = readJsonRow(placed, Object.fromEntries(columns), one, displayName);
					const key = normalForm(row[foldBy]);
					const first = rows.get(key);
					const place = { item: one.item, row: rowOf(one.json()) };
					if (first) {
						// Another form of the same telephone is no difference.
						row[foldBy] = first.row[foldBy];
						const conflict = differenceIn(first.row, row);
						first.conflict ??= conflict;
						// Of two people who share a number, the first gets nothing of the other.
						if (!conflict) first.row = mergeJson(row, first.row);
						first.places.push(place);
					} else {
						rows.set(key, { row, places: [place] });
					}
				} catch (thrown) {
					if (!(thrown instanceof InvalidValue)) rethrow(thrown);
					problems.push({ item: one.item, field: thrown.field, message: thrown.message });
				}
			}
			const several = [...rows.values()]
				.filter(({ places }) => places.length > 1)
				.map((one): [string, Row] => [String(one.row[foldBy]), one]);
			const split = disagreements(several, placed);
			const keepsFirst = source.options.itemsThatDisagree === 'first';
			if (!keepsFirst)
				problems.push(
					...split.flatMap(({ key, places, differs }) => {
						const message = `${key} is the number of ${named(places)}, which do not agree: ${differs}. Correct them, or set 'Items That Disagree' to 'Keep the First'`;
						return places.map(({ item }) => ({ item, message }));
					}),
				);
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
					...told({ unused: [...unused], unproven: [...unproven] }, displayName, words.plural),
					...emptyForAll(gaps),
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
