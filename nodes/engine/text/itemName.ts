import { uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { many } from './text';

export interface ItemPlace {
	/** As n8n counts, from 0. */
	item: number;
	row?: number;
	/** As the user wrote it, short enough for a message. */
	phoneNumber?: string;
}

/** The row number of an item in its sheet, as the nodes for Google Sheets and Excel name it. */
export function rowOf(json: IDataObject | undefined): number | undefined {
	const row = Number(json?.row_number ?? NaN);
	return Number.isInteger(row) && row > 0 ? row : undefined;
}

export function itemPlace(item: number, json: IDataObject | undefined): ItemPlace {
	const row = rowOf(json);
	return row === undefined ? { item } : { item, row };
}

/** @param said the rest of the message; a phone number that is already in it is not repeated */
const namesPerson = ({ phoneNumber }: ItemPlace, said: string): boolean =>
	phoneNumber !== undefined && !said.includes(phoneNumber.replace(/…$/, ''));

/** An item as messages name it: "(415) 555-0113 (row 5)", or "item 3" if it comes from no sheet. */
export function itemName(place: ItemPlace, said = ''): string {
	const name = place.row === undefined ? `item ${place.item}` : `row ${place.row}`;
	return namesPerson(place, said) ? `${place.phoneNumber} (${name})` : name;
}

/** Numbers as people write them: "3, 5–9, 12". */
function ranges(numbers: number[]): string[] {
	const parts: Array<[number, number]> = [];
	for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
		const last = parts[parts.length - 1];
		if (last && last[1] === number - 1) last[1] = number;
		else parts.push([number, number]);
	}
	return parts.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
}

/** What several items are counted in: rows if all of them come from a sheet. */
function countedIn(places: ItemPlace[]): { unit: string; numbers: number[] } {
	const rows = places.flatMap(({ row }) => row ?? []);
	return rows.length === places.length
		? { unit: 'row', numbers: rows }
		: { unit: 'item', numbers: places.map(({ item }) => item) };
}

const mostListed = 40;
const mostMarked = 15;

export function listed(numbers: number[], most = mostListed): string {
	const parts = ranges(numbers);
	return `${parts.slice(0, most).join(', ')}${parts.length > most ? ', …' : ''}`;
}

/** Several items as messages count and name them: "3 rows (3, 9, 12)". */
export function itemsName(places: ItemPlace[]): string {
	const { unit, numbers } = countedIn(uniqBy(places, 'item'));
	return `${many(numbers.length, unit)} (${listed(numbers)})`;
}

/** The place of an item behind a message: "(row 5)"; without a sheet as n8n does, so that the editor adds nothing. */
export function itemMark(place: ItemPlace, said = ''): string {
	const { row, item, phoneNumber } = place;
	const who = namesPerson(place, said) ? phoneNumber : undefined;
	if (row === undefined) return who ? `(${who}) [item ${item}]` : `[item ${item}]`;
	return who ? `(${who}, row ${row})` : `(row ${row})`;
}

export function itemsMark(places: ItemPlace[]): string {
	const { unit, numbers } = countedIn(places);
	const text = `${unit}s ${listed(numbers, mostMarked)}`;
	return unit === 'row' ? `(${text})` : `[${text}]`;
}
