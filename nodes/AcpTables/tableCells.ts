import type { GenericValue, IDataObject } from 'n8n-workflow';
import { isObject, isPlainObject } from 'lodash';
import { objectOf } from '../engine/answer/answer';
import { idNames } from '../engine/pages/pages';
import { tableColumns } from '../engine/lookups/tableColumns';

/** How deep in a row the cells are looked for. */
const deepest = 2;

/** An object in the rows of a list, and the columns that it shows in any of them. */
interface CellPlace {
	path: string[];
	columns: Set<string>;
}

const nowhere: CellPlace = { path: [], columns: new Set() };

/** A record as a list shows it. */
interface ShownRecord {
	row: IDataObject;
	/** Empty if the row shows none. */
	id: string;
	/** By column; null for an empty cell. Columns that no row shows are missing. */
	values: IDataObject;
}

/** All objects of these rows that have a column of the table. */
function placesIn(rows: IDataObject[], known: Set<string>): CellPlace[] {
	const places = new Map<string, CellPlace>();
	const visit = (value: IDataObject, path: string[], mark: string): void => {
		for (const name of Object.keys(value)) {
			if (known.has(name)) {
				const place = places.get(mark) ?? { path, columns: new Set() };
				places.set(mark, place);
				place.columns.add(name);
			}
			const inside = value[name];
			if (typeof inside === 'object' && isPlainObject(inside) && path.length < deepest)
				visit(inside as IDataObject, [...path, name], `${mark}${JSON.stringify(name)}`);
		}
	};
	for (const row of rows) visit(row, [], '');
	return [...places.values()];
}

/** The object that shows more columns than any other; undefined if several do, and neither is a cell of the other. */
function placeOfCells(rows: IDataObject[], known: Set<string>): CellPlace | undefined {
	const places = placesIn(rows, known);
	const most = Math.max(0, ...places.map(({ columns }) => columns.size));
	const equal = places.filter(({ columns }) => columns.size === most);
	const isInCellOf = (inner: CellPlace, outer: CellPlace): boolean =>
		known.has(inner.path[outer.path.length] as string) &&
		outer.path.every((name, at) => name === inner.path[at]);
	const [place = nowhere, ...others] = equal.filter(
		(inner) => !equal.some((outer) => isInCellOf(inner, outer)),
	);
	// Requests write the cells under that name.
	return others.length === 0 ? place : equal.find(({ path }) => path.join() === 'record');
}

/** What a cell holds; it may be an object whose `value` that is. */
function contentOf(cell: unknown): GenericValue {
	if (!isObject(cell)) return (cell ?? null) as GenericValue;
	const { value = cell } = objectOf(cell);
	return ((isObject(value) ? cell : value) ?? null) as GenericValue;
}

/**
 * Reads the records of a table. No source shows where their cells are (interface §4.4): they are in the object of a row
 * that has more of the table's columns than any other, over all rows. A row that lacks a column that others show has an
 * empty cell there. A key that is a column is no ID where the cells are.
 * @param rows of the list
 * @param fields response of `GET /data/{uuid}/fields`
 * @returns nothing if the cells may be in two places
 * @throws RequestError if `fields` holds no list
 */
export function shownRecords(rows: IDataObject[], fields: unknown): ShownRecord[] | undefined {
	const known = new Set(tableColumns(fields).map(({ name }) => name));
	const place = placeOfCells(rows, known);
	if (!place) return undefined;
	const { path, columns } = place;
	const names = idNames('records');
	const ofCells = names.filter((name) => !known.has(name));
	return rows.map((row) => {
		const holders = [row];
		for (const name of path) holders.push(objectOf(holders.at(-1)?.[name]));
		const cells = holders.at(-1) as IDataObject;
		let id: unknown;
		for (const holder of holders)
			for (const name of holder === cells ? ofCells : names) id ??= holder[name];
		const values: IDataObject = {};
		for (const name of columns) values[name] = contentOf(cells[name]);
		return { row, id: String(id ?? ''), values };
	});
}
