import type { IDataObject } from 'n8n-workflow';

/** Whether every word looked for stands in the name, email or phone number of a contact (reference: contacts). */
export function isSearched(row: IDataObject, search: unknown): boolean {
	const text = [row.name, row.surname, row.email, row.phone_number]
		.filter((part) => typeof part === 'string')
		.join(' ')
		.toLowerCase();
	return String(search)
		.toLowerCase()
		.split(/\s+/)
		.filter(Boolean)
		.every((word) => text.includes(word));
}
