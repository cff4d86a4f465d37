import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { compact, minBy } from 'lodash';
import { InvalidValue, isEmpty, type Placed } from './field';
import { plainHeading as plain } from '../people/headings';
import { quoted } from '../text/text';

/** How close the name of a column is to a field: its key, its name or label in another spelling, or a usual heading. */
type Rank = 0 | 1 | 2;

/** The label of a field without what the editor adds behind it: "price (number)". */
const withoutNote = (label: string): string => label.replace(/\([^()]*\)$/, '').trimEnd();

/** Letters to change, add, drop or swap to make one name of the other; only as far as it is at most `most`. */
function distance(a: string, b: string, most: number): number {
	if (Math.abs(a.length - b.length) > most) return most + 1;
	if (!a || !b) return a.length + b.length;
	if (a[0] === b[0]) return distance(a.slice(1), b.slice(1), most);
	if (most === 0) return 1;
	const isSwapped = a[0] === b[1] && a[1] === b[0];
	const rests = [
		[a.slice(1), b.slice(1)],
		[a.slice(1), b],
		[a, b.slice(1)],
		...(isSwapped ? [[a.slice(2), b.slice(2)]] : []),
	] as Array<[string, string]>;
	return 1 + Math.min(...rests.map(([one, other]) => distance(one, other, most - 1)));
}

const withoutDigits = (name: string): string => name.replace(/\d/g, '');

export class Columns {
	/** By plain name; undefined if several fields have it. */
	private readonly known = new Map<string, { id: string; rank: Rank } | undefined>();
	private readonly labels = new Map<string, string>();
	private readonly found = new Map<string, { id: string; rank: Rank } | undefined>();

	/** @param schema fields as the editor loaded them; if there are any, there are no others */
	constructor(
		private readonly schema: ResourceMapperField[],
		placed: Placed[] = [],
		headings: Record<string, string[]> = {},
	) {
		for (const { path, displayName } of placed) this.labels.set(path[0] as string, displayName);
		for (const { id, displayName } of schema)
			if (!this.labels.has(id)) this.labels.set(id, displayName ?? id);
		for (const [id, label] of this.labels) {
			this.learn(id, id, 1);
			this.learn(label, id, 1);
			this.learn(withoutNote(label), id, 1);
		}
		for (const [id, names] of Object.entries(headings))
			if (this.labels.has(id)) for (const name of names) this.learn(name, id, 2);
	}

	private learn(name: string, id: string, rank: Rank): void {
		const key = plain(name);
		const before = this.known.get(key);
		if (!this.known.has(key)) this.known.set(key, { id, rank });
		else if (before?.rank === rank && before.id !== id) this.known.set(key, undefined);
	}

	get some(): boolean {
		return this.labels.size > 0;
	}

	/** Whether all fields are known, those of the workspace too. */
	get all(): boolean {
		return this.schema.length > 0;
	}

	get names(): string[] {
		return [...this.labels.values()];
	}

	label(id: string): string {
		return this.labels.get(id) ?? id;
	}

	fieldOf(column: string): { id: string; rank: Rank } | undefined {
		if (this.labels.has(column)) return { id: column, rank: 0 };
		if (!this.found.has(column)) this.found.set(column, this.known.get(plain(column)));
		return this.found.get(column);
	}

	/** The field that a misspelled column is likely to mean, if at most `most` letters differ. */
	nearest(column: string, most: number): string | undefined {
		const written = plain(column);
		const fields = [...this.known].flatMap(([name, field]) =>
			field && withoutDigits(name) !== withoutDigits(written)
				? [{ id: field.id, far: distance(written, name, most) }]
				: [],
		);
		return minBy(
			fields.filter(({ far }) => far <= most),
			'far',
		)?.id;
	}
}

export interface ReadColumns {
	values?: IDataObject;
	unused: string[];
	/** Columns that may be fields of the workspace, which only the platform knows. */
	unproven: string[];
}

const misspelled = (name: string): number => (name.length < 5 ? 0 : name.length < 9 ? 1 : 2);

function refuseColumn(columns: Columns, column: string, label: string, word: string): never {
	const near = columns.nearest(column, Math.min(3, Math.max(1, Math.floor(column.length / 3))));
	const instead = near
		? `Did you mean ${quoted(columns.label(near))}?`
		: `It has: ${columns.names.slice(0, 15).join(', ')}`;
	throw new InvalidValue(label, `has no ${word} ${quoted(column)}. ${instead}`);
}

/** Values by field, as a person, a model or an expression wrote them. @throws InvalidValue for no field, or one twice */
export function named(columns: Columns, written: IDataObject, label: string, word: string) {
	const values = new Map<string, IDataObject[string]>();
	const unproven: string[] = [];
	for (const [column, value] of Object.entries(written)) {
		const field = columns.fieldOf(column);
		if (!field) {
			// A field that the workspace no longer has stays in the workflow as empty.
			if (columns.all && isEmpty(value)) continue;
			if (columns.all || columns.nearest(column, misspelled(column)) !== undefined)
				refuseColumn(columns, column, label, word);
			if (columns.some && !isEmpty(value)) unproven.push(column);
		}
		const id = field?.id ?? column;
		const before = values.get(id);
		if (!isEmpty(before) && !isEmpty(value) && before !== value)
			throw new InvalidValue(
				label,
				`has ${quoted(columns.label(id))} twice, with different values: ${quoted(before)} and ${quoted(value)}. Remove one`,
			);
		if (isEmpty(before)) values.set(id, value);
	}
	return { values: Object.fromEntries(values), unused: [], unproven };
}

/** The number of a row, which spreadsheet nodes add. */
const rowNumber = 'row_number';

/** The columns of an item by field. Of several, the one with the nearest name counts that holds something. */
export function fromItem(columns: Columns, item: IDataObject) {
	if (!columns.some) return { values: { ...item }, unused: [], unproven: [] };
	const taken = new Map<string, { column: string; rank: Rank }>();
	for (const column of Object.keys(item)) {
		const field = columns.fieldOf(column);
		if (!field) continue;
		const before = taken.get(field.id);
		const isBetter = before && (field.rank < before.rank || isEmpty(item[before.column]));
		if (!before || (isBetter && !isEmpty(item[column])))
			taken.set(field.id, { column, rank: field.rank });
	}
	const used = new Set([...taken.values()].map(({ column }) => column));
	return {
		values: Object.fromEntries([...taken].map(([id, { column }]) => [id, item[column]])),
		unused: Object.keys(item).filter((column) => !used.has(column) && column !== rowNumber),
		unproven: [],
	};
}

export const noColumn = (label: string, item: IDataObject): string => {
	const names = Object.keys(item).map((name) => quoted(name));
	if (names.length === 0)
		return 'is empty: the item has no columns. Add some in a node before this one, or map the columns manually';
	return `is empty: no column is called ${quoted(label)}. Your columns: ${names.slice(0, 15).join(', ')}${names.length > 15 ? ', …' : ''}. Rename one, or map the columns manually`;
};

/** Sentences for the output panel about columns that fill in nothing, or nothing that is known. */
export function told(
	{ unused, unproven }: Pick<ReadColumns, 'unused' | 'unproven'>,
	label: string,
	plural: string,
): string[] {
	const listed = (names: string[]) => names.map((name) => quoted(name)).join(', ');
	return compact([
		unused.length > 0 &&
			`'${label}' does not use all columns of the input items. Not sent: ${listed(unused)}. To send them, rename them or map the ${plural} manually.`,
		unproven.length > 0 &&
			`'${label}' sent ${listed(unproven)} as custom fields. The platform may ignore custom fields that the workspace does not have, so check their keys.`,
	]);
}
