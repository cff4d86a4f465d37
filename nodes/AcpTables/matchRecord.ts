import { merge, isObject } from 'lodash';
import type { IDataObject, INodeProperties, GenericValue } from 'n8n-workflow';
import type { Field } from '../engine/fields';
import { storedIn } from '../engine/fields/mapper';
import { fromRequest, matchFirst, perPage, read } from '../engine/operation';
import { isPlainObject, InvalidValue, quoted, yesOrNo } from '../engine/text/text';
import { objectOf } from '../engine/response/response';
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
				visit(inside, [...path, name], `${mark}${JSON.stringify(name)}`);
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
 * No source shows where cells are (interface §4.4): in the object of a row with more of the table's columns than any other,
 * over all rows. A row that lacks one of them has an empty cell; where the cells are, a key that is a column is no ID.
 * @returns nothing if the cells may be in two places
 * @throws RequestError if `fields` (`GET /data/{uuid}/fields`) holds no list
 */
function shownRecords(rows: IDataObject[], fields: unknown) {
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
		// A column that no row shows has no value, an empty cell null.
		return { row, id: String(id ?? ''), values };
	});
}

/** Large whole numbers are rounded, so that different ones look the same. */
const isExact = (number: number): boolean =>
	Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));

/** Texts exactly but for spaces around; numbers and switches by value, also as text. @returns undefined: cannot be compared */
function formsOf(value: unknown): string[] | undefined {
	if (value === null) return [];
	if (typeof value === 'string') {
		const text = value.trim();
		const truth = yesOrNo(text);
		if (text === '') return [];
		return [
			`text ${text}`,
			...(isExact(Number(text)) ? [`number ${Number(text)}`] : []),
			...(truth === undefined ? [] : [`boolean ${truth}`]),
		];
	}
	if (typeof value === 'boolean') return [`boolean ${value}`, `text ${value}`];
	if (typeof value !== 'number' || !isExact(value)) return undefined;
	return [
		`number ${value}`,
		`text ${value}`,
		...(value === 0 || value === 1 ? [`boolean ${value === 1}`] : []),
	];
}

/** What several values together can be found by: every way to choose one form of each. */
const keysOf = (forms: string[][]): string[] =>
	forms
		.reduce<string[][]>(
			(ways, some) => ways.flatMap((way) => some.map((form) => [...way, form])),
			[[]],
		)
		.map((way) => JSON.stringify(way));

const sent = ({ record }: IDataObject): IDataObject => record as IDataObject;

/** The columns of a row, with the question by which of them it is matched. */
export const withMatching = (columns: Field<IDataObject>): Field<IDataObject> => ({
	...columns,
	show: (...given) => {
		const [shown, ...hints] = columns.show(...given) as [INodeProperties];
		const propertyHint = `${shown.builderHint?.propertyHint}. Beside value, "matchingColumns":["status"] (required): the keys by which a record is found`;
		const resourceMapper = { mode: 'upsert', multiKeyMatch: true };
		merge(shown, { builderHint: { propertyHint }, typeOptions: { resourceMapper } });
		return [shown, ...hints];
	},
	read: (source, name, displayName) => {
		const values = columns.read(source, name, displayName) ?? {};
		const { matching } = storedIn(source.get(name));
		const empty = matching.find((column) => !Object.hasOwn(values, column));
		const unmatched =
			'is empty, so no record can be matched by it. Fill it in, or check its expression';
		const unchosen = "has no column to match on. Choose at least one under 'Columns to match on'";
		if (matching.length === 0) throw new InvalidValue(displayName, unchosen);
		if (empty !== undefined) throw new InvalidValue(`${displayName} › ${empty}`, unmatched);
		source.report({ matching });
		return values;
	},
});

/** A record is matched by the values of the columns that people chose; no source shows a search in the list. */
export const matchRecord = matchFirst({
	in: read('GET /data/{uuid}/records', { uuid: fromRequest('uuid') }),
	pageSize: perPage,
	what: 'records',
	key: (body, matching) => {
		const forms = matching.map((name) => formsOf(sent(body)[name])?.[0]);
		return forms.includes(undefined) ? undefined : JSON.stringify(forms);
	},
	says: (body, matching) =>
		matching.map((name) => `${quoted(name)} ${quoted(sent(body)[name])}`).join(', '),
	records: (rows, { matching, checked }) => {
		const shown = shownRecords(rows, checked);
		const inTwoPlaces = 'The list shows columns of the table in two places.';
		if (!shown) return { records: [], unclear: inTwoPlaces };
		const hidden = matching.find((name) =>
			shown.some(({ values }) => formsOf(values[name]) === undefined),
		);
		const notShown = `No record of the list shows the column ${quoted(hidden)}, or one shows it in a way that cannot be compared. Match on another column.`;
		const records = shown.map((one) => ({
			...one,
			// When it is asked for: those of a whole table would take too long at a time.
			get keys() {
				return keysOf(matching.map((name) => formsOf(one.values[name]) ?? []));
			},
		}));
		return hidden === undefined ? { records } : { records, unclear: notShown };
	},
	update: { endpoint: 'PUT /data/{uuid}/records/{record}', id: 'record', sent },
});
