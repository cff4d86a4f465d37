import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import type { Reaches } from './operation';
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

/** Asked for every row of long lists, so a path without dots is read at once. */
function numberIn(part: IDataObject, { at }: Reaches): string | undefined {
	for (const path of at) {
		const found: unknown = path.includes('.') ? get(part, path) : part[path];
		if (typeof found === 'string' && found !== '') return found;
	}
	return undefined;
}

/** How many people a request reaches. */
export const reachOf = ({ operation: { reaches }, body }: PreparedRequest): number =>
	reaches?.rows === undefined ? 1 : ((body[reaches.rows] as unknown[] | undefined)?.length ?? 0);

/** Everybody whom a request reaches, as its body says. */
export function recipientsOf(request: PreparedRequest): Recipient[] {
	const { operation, body, items, report } = request;
	const { reaches } = operation;
	if (!reaches) return [];
	const numberOf = (part: IDataObject): string | undefined => numberIn(part, reaches);
	if (reaches.rows === undefined) {
		const contact = reaches.contact && body[reaches.contact];
		return [
			{ request, items, number: numberOf(body), contact: contact ? String(contact) : undefined },
		];
	}
	const rows = (body[reaches.rows] ?? []) as IDataObject[];
	const from = report.rows[reaches.rows]?.items;
	return rows.map((part, row) => ({
		request,
		items: from?.[row] ?? items,
		row,
		number: numberOf(part),
	}));
}
