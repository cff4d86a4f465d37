import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import type { PreparedRequest } from './preparedRequest';

/** Somebody whom a request reaches. */
export interface Recipient {
	request: PreparedRequest;
	/** Phone number or email address; absent where the request names a contact alone. */
	number?: string;
	/** ID of the contact, where the request names one. */
	contact?: string;
	/** Input items that ask for it. */
	items: number[];
	/** Place in the list of the body, from 0. */
	row?: number;
}

/** Everybody whom a request reaches, as its body says. */
export function recipientsOf(request: PreparedRequest): Recipient[] {
	const { operation, body, items, report } = request;
	const { reaches } = operation;
	if (!reaches) return [];
	const numberOf = (part: IDataObject): Pick<Recipient, 'number'> => {
		const found = reaches.at.map((path) => get(part, path) as unknown).find(Boolean);
		return typeof found === 'string' ? { number: found } : {};
	};
	if (reaches.rows === undefined) {
		const contact = reaches.contact && body[reaches.contact];
		return [
			{ request, items, ...numberOf(body), ...(contact ? { contact: String(contact) } : {}) },
		];
	}
	const rows = (body[reaches.rows] ?? []) as IDataObject[];
	const from = report.rows[reaches.rows]?.items;
	return rows.map((part, row) => ({
		request,
		items: from?.[row] ?? items,
		row,
		...numberOf(part),
	}));
}
