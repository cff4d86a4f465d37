import type { IDataObject } from 'n8n-workflow';

/** How people find an input item. */
export interface ItemPlace {
	/** As n8n counts, from 0. */
	item: number;
	/** Of the sheet that the item comes from. */
	row?: number;
	/** As the user wrote it, short enough for a message. */
	phoneNumber?: string;
}

/** The row number of an item in its sheet, as the nodes for Google Sheets and Excel name it. */
export function rowOf(json: IDataObject | undefined): number | undefined {
	const row = Number(json?.row_number ?? NaN);
	return Number.isInteger(row) && row > 0 ? row : undefined;
}

/**
 * An item as messages name it: "item 3, row 5, (415) 555-0113".
 * @param said the rest of the message; a phone number that is already in it is not repeated
 */
export function itemName({ item, row, phoneNumber }: ItemPlace, said = ''): string {
	const told = phoneNumber === undefined || said.includes(phoneNumber.replace(/…$/, ''));
	return [
		`item ${item}`,
		...(row === undefined ? [] : [`row ${row}`]),
		...(told ? [] : [phoneNumber]),
	].join(', ');
}
