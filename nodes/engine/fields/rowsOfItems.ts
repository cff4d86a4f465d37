import type { IDataObject } from 'n8n-workflow';
import {
	type Field,
	type FieldOptions,
	InvalidItems,
	InvalidValue,
	isEmpty,
	type Problem,
} from './field';
import { mapped, mapper } from './mapper';
import type { Fields, Shape } from './shape';
import { mergeJson, place, readJsonRow } from './structure';
import type { MappingName } from '../lookups';
import { rethrow } from '../rethrow';

interface RowsOptions extends FieldOptions {
	/** Words for one and many of what is mapped: field/fields. */
	words: { singular: string; plural: string };
	/** What one row is, for messages: contact/contacts. */
	rows: { singular: string; plural: string };
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
	const { words, rows: named, foldBy, ...look } = options;
	return {
		options: { top: true, ...options },
		show: mapper(mapping, { ...look, words }).show,
		read: (source, name, displayName) => {
			const rows = new Map<string, { row: IDataObject; items: number[] }>();
			const problems: Problem[] = [];
			let count = 0;
			for (const one of source.all()) {
				count++;
				try {
					const columns = Object.entries(mapped(one.get(name), one.json) ?? {}).filter(
						([, value]) => !isEmpty(value),
					);
					const row = readJsonRow(placed, Object.fromEntries(columns), one, displayName);
					const key = String(row[foldBy]);
					const first = rows.get(key);
					if (first) {
						first.row = mergeJson(row, first.row);
						first.items.push(one.item);
					} else {
						rows.set(key, { row, items: [one.item] });
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
			const folded = count - rows.size;
			source.report({
				facts: {
					fromItems: {
						items: count,
						[named.plural]: rows.size,
						duplicates: [...rows]
							.filter(([, { items }]) => items.length > 1)
							.map(([key, { items }]) => ({ [foldBy]: key, items })),
					},
				},
				sentences: folded
					? [
							`${folded} of ${count} items ${folded === 1 ? 'names' : 'name'} a ${named.singular} that an earlier item names, and ${folded === 1 ? 'was' : 'were'} folded into it. "fromItems" in the output tells which.`,
						]
					: [],
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
