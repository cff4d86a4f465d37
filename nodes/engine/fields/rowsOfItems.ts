import type { IDataObject } from 'n8n-workflow';
import {
	type Field,
	type FieldOptions,
	InvalidItems,
	InvalidValue,
	isEmpty,
	type Problem,
} from './field';
import { told } from './columns';
import { mapped, mapper } from './mapper';
import type { Fields, Shape } from './shape';
import { mergeJson, place, readJsonRow, takePhone } from './structure';
import type { MappingName } from '../lookups';
import { rethrow } from '../errors/rethrow';
import { itemName, type ItemPlace, rowOf } from '../text/itemName';

/** Items that a hint names. */
const mostNamed = 10;

interface RowsOptions extends FieldOptions {
	/** Words for one and many of what is mapped: field/fields. */
	words: { singular: string; plural: string };
	/** What one row is, for messages: contact/contacts. */
	rows: { singular: string; plural: string };
	/** Usual headings of columns, by the field's key. */
	headings?: Record<string, string[]>;
	/** JSON field whose value makes two items the same row; it must be required in the shape. */
	foldBy: string;
}

/**
 * A list with one row per input item, whose columns are mapped to the fields of a row by a mapping of `lookups/`.
 * Items with the same value of `foldBy` are folded into the first of them, which takes from the others only what it
 * lacks; what was folded is reported beside the answer under `fromItems`. For operations with `allItems`.
 * @throws InvalidItems with every item that cannot be a row
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
		show: mapper(mapping, { ...look, words }).show,
		read: (source, name, displayName) => {
			const rows = new Map<string, { row: IDataObject; items: number[]; sheet: number[] }>();
			const folded: ItemPlace[] = [];
			const problems: Problem[] = [];
			const unused = new Set<string>();
			const unproven = new Set<string>();
			let count = 0;
			for (const one of source.all()) {
				count++;
				try {
					const read = mapped(one.get(name), one.json, fields, displayName);
					for (const column of read.unused) unused.add(column);
					for (const column of read.unproven) unproven.add(column);
					const columns = Object.entries(read.values ?? {}).filter(([, value]) => !isEmpty(value));
					const row = readJsonRow(placed, Object.fromEntries(columns), one, displayName);
					const key = String(row[foldBy]);
					const first = rows.get(key);
					const inSheet = rowOf(one.json());
					const sheet = inSheet === undefined ? [] : [inSheet];
					if (first) {
						first.row = mergeJson(row, first.row);
						first.items.push(one.item);
						first.sheet.push(...sheet);
						folded.push({ item: one.item, row: inSheet });
					} else {
						rows.set(key, { row, items: [one.item], sheet });
					}
				} catch (thrown) {
					if (!(thrown instanceof InvalidValue)) rethrow(thrown);
					problems.push({ item: one.item, field: thrown.field, message: thrown.message });
				}
			}
			if (problems.length) {
				const invalid = new InvalidItems(problems);
				throw invalid;
			}
			const twins = [...rows].filter(([, { items }]) => items.length > 1);
			const named = folded.slice(0, mostNamed).map((place) => itemName(place));
			source.report({
				facts: {
					fromItems: {
						items: count,
						[of.plural]: rows.size,
						duplicates: twins.map(([key, { items, sheet }]) => ({
							[foldBy]: key,
							items,
							...(sheet.length ? { rows: sheet } : {}),
						})),
					},
				},
				sentences: [
					...told({ unused: [...unused], unproven: [...unproven] }, displayName, words.plural),
					...(folded.length
						? [
								`${folded.length} of ${count} items ${folded.length === 1 ? 'repeats' : 'repeat'} the ${of.singular} of an earlier item and ${folded.length === 1 ? 'was' : 'were'} merged into it: ${named.join('; ')}${folded.length > named.length ? '; …' : ''}. "fromItems" in the output shows which.`,
							]
						: []),
				],
				rows: {
					[name]: {
						displayName,
						items: [...rows.values()].map(({ items }) => items),
					},
				},
			});
			return [...rows.values()].map(({ row }) => row) as T[];
		},
	};
}
