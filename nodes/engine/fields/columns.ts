import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { InvalidValue, isEmpty, type Placed } from './field';
import { quoted } from '../text/text';

/** How close the name of a column is to a field: its key, its name or label in another spelling, or a usual heading. */
type Rank = 0 | 1 | 2;

/** A name without case, accents, spaces and signs: "Phone Number", `phoneNumber` and `phone_number` are the same. */
const plainName = (name: string): string =>
	name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/ı/g, 'i')
		.replace(/[^\p{L}\p{N}]/gu, '');

/** The label of a field without what the editor adds behind it: "price (number)". */
const withoutNote = (label: string): string => label.replace(/\([^()]*\)$/, '').trimEnd();

/** Letters to change, add, drop or swap to make one name of the other; only as far as it is at most `most`. */
function distance(a: string, b: string, most: number): number {
	if (Math.abs(a.length - b.length) > most) return most + 1;
	const far: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
	const at = (row: number, column: number): number => far[row]?.[column] ?? Infinity;
	for (let row = 1; row <= a.length; row++) {
		far.push([row]);
		for (let column = 1; column <= b.length; column++) {
			const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
			(far[row] as number[]).push(
				Math.min(
					at(row - 1, column) + 1,
					at(row, column - 1) + 1,
					at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1),
					swapped ? at(row - 2, column - 2) + 1 : Infinity,
				),
			);
		}
	}
	return at(a.length, b.length);
}

const withoutDigits = (name: string): string => name.replace(/\d/g, '');

/** The fields that columns can fill in, and which column means which. */
export class Columns {
	/** By plain name; undefined if several fields have it. */
	private readonly known = new Map<string, { id: string; rank: Rank } | undefined>();
	private readonly labels = new Map<string, string>();
	private readonly found = new Map<string, { id: string; rank: Rank } | undefined>();

	/**
	 * @param schema fields as the editor loaded them; if there are any, there are no others
	 * @param placed fields that the operation knows by itself
	 * @param headings usual headings by the field's key
	 */
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
		const plain = plainName(name);
		const before = this.known.get(plain);
		if (!this.known.has(plain)) this.known.set(plain, { id, rank });
		else if (before?.rank === rank && before.id !== id) this.known.set(plain, undefined);
	}

	/** Whether any field is known. */
	get some(): boolean {
		return this.labels.size > 0;
	}

	/** Whether all fields are known, those of the workspace too. */
	get all(): boolean {
		return this.schema.length > 0;
	}

	/** Names of fields in words. */
	get names(): string[] {
		return [...this.labels.values()];
	}

	label(id: string): string {
		return this.labels.get(id) ?? id;
	}

	/** The field that a column means. */
	fieldOf(column: string): { id: string; rank: Rank } | undefined {
		if (this.labels.has(column)) return { id: column, rank: 0 };
		if (!this.found.has(column)) this.found.set(column, this.known.get(plainName(column)));
		return this.found.get(column);
	}

	/** The field that a misspelled column is likely to mean, if at most `most` letters differ. */
	nearest(column: string, most: number): string | undefined {
		const plain = plainName(column);
		let best: { id: string; far: number } | undefined;
		for (const [name, field] of this.known) {
			if (!field || withoutDigits(name) === withoutDigits(plain)) continue;
			const far = distance(plain, name, most);
			if (far <= most && far < (best?.far ?? Infinity)) best = { id: field.id, far };
		}
		return best?.id;
	}
}

/** What was read from columns. */
export interface ReadColumns {
	/** By field; undefined if nothing was filled in. */
	values?: IDataObject;
	/** Columns that fill in nothing. */
	unused: string[];
	/** Columns that may be fields of the workspace, which only the platform knows. */
	unproven: string[];
}

/** Letters in which a name may differ from the field that it is taken for. */
const misspelled = (name: string): number => (name.length < 5 ? 0 : name.length < 9 ? 1 : 2);

/** Refuses the name of a column. @throws InvalidValue */
function refuseColumn(columns: Columns, column: string, label: string, word: string): never {
	const near = columns.nearest(column, Math.max(1, Math.floor(column.length / 3)));
	const instead = near
		? `Did you mean ${quoted(columns.label(near))}?`
		: `It has: ${columns.names.slice(0, 15).join(', ')}`;
	throw new InvalidValue(label, `has no ${word} ${quoted(column)}. ${instead}`);
}

/**
 * Values whose names a person, a model or an expression wrote, under the names of their fields.
 * @param word what is mapped: "column"
 * @throws InvalidValue for a name that no field has, and for two names of one field
 */
export function named(
	columns: Columns,
	written: IDataObject,
	label: string,
	word: string,
): ReadColumns & { values: IDataObject } {
	const values: IDataObject = {};
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
		const before = Object.hasOwn(values, id) ? values[id] : undefined;
		if (!isEmpty(before) && !isEmpty(value) && before !== value)
			throw new InvalidValue(
				label,
				`has ${quoted(columns.label(id))} twice, with different values: ${quoted(before)} and ${quoted(value)}. Remove one`,
			);
		// Own, whatever it is called.
		if (isEmpty(before))
			Object.defineProperty(values, id, {
				value,
				enumerable: true,
				writable: true,
				configurable: true,
			});
	}
	return { values, unused: [], unproven };
}

/** The number of a row, which spreadsheet nodes add. */
const rowNumber = 'row_number';

/**
 * The columns of an input item under the names of the fields that they mean. Of several columns for one field, the one
 * with the nearest name counts that holds something.
 */
export function fromItem(
	columns: Columns,
	item: IDataObject,
): ReadColumns & { values: IDataObject } {
	if (!columns.some) return { values: { ...item }, unused: [], unproven: [] };
	const taken = new Map<string, { column: string; rank: Rank }>();
	for (const column of Object.keys(item)) {
		const field = columns.fieldOf(column);
		if (!field) continue;
		const before = taken.get(field.id);
		const isBetter =
			!before ||
			(isEmpty(item[before.column]) && !isEmpty(item[column])) ||
			(field.rank < before.rank && !isEmpty(item[column]));
		if (isBetter) taken.set(field.id, { column, rank: field.rank });
	}
	const used = new Set([...taken.values()].map(({ column }) => column));
	return {
		values: Object.fromEntries([...taken].map(([id, { column }]) => [id, item[column]])),
		unused: Object.keys(item).filter((column) => !used.has(column) && column !== rowNumber),
		unproven: [],
	};
}

/** Says of a field that no column of an item means what to do. */
export const noColumn = (label: string, item: IDataObject): string => {
	const names = Object.keys(item).map((name) => quoted(name));
	return `is empty: no column is called ${quoted(label)}. Your columns: ${names.slice(0, 15).join(', ')}${names.length > 15 ? ', …' : ''}. Rename one, or map the columns manually`;
};

/** Sentences for the output panel about columns that fill in nothing, or nothing that is known. */
export function told(
	{ unused, unproven }: Pick<ReadColumns, 'unused' | 'unproven'>,
	label: string,
	plural: string,
): string[] {
	const listed = (names: string[]) => names.map((name) => quoted(name)).join(', ');
	return [
		...(unused.length
			? [
					`'${label}' does not use all columns of the input items. Not sent: ${listed(unused)}. To send them, rename them or map the ${plural} manually.`,
				]
			: []),
		...(unproven.length
			? [
					`'${label}' sent ${listed(unproven)} as custom fields. The platform may ignore custom fields that the workspace does not have, so check their keys.`,
				]
			: []),
	];
}
