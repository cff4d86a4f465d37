import type { IDataObject } from 'n8n-workflow';
import { readPage } from './layouts';
import { pagesOf, type PagesRequest } from './pages';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';

/** A search that must find a known record. */
export interface Proof {
	query: IDataObject;
	/** The record, as rows show it. */
	record: IDataObject;
	/** Whether a row is what the query asks for: a platform that ignores it shows others. */
	fits: (row: IDataObject) => boolean;
}

const isSame = (one: IDataObject, other: IDataObject): boolean => {
	const name = one.uuid === undefined ? 'id' : 'uuid';
	return one[name] !== undefined && one[name] === other[name];
};

/**
 * Reads a list to its end, because a search that finds nothing proves nothing, unless the search proves itself on a
 * record of the first page.
 * @param take called with the rows of each page, in order
 * @param proofIn a search for a record of the first page that would prove it, if that saves reads
 * @returns whether the search is proven; if not, all rows were taken
 * @throws RequestError
 */
export async function readUnlessProven(
	request: PagesRequest,
	take: (rows: IDataObject[]) => void,
	proofIn: (rows: IDataObject[], total: number | undefined) => Proof | undefined,
): Promise<boolean> {
	let total: number | undefined;
	const fetch: PagesRequest['fetch'] = async (query, reads) => {
		const response = await request.fetch(query, reads);
		total = readPage(response.body).total ?? total;
		return response;
	};
	let isFirst = true;
	for await (const { rows, next } of pagesOf({ ...request, fetch })) {
		take(rows);
		const proof = isFirst && next ? proofIn(rows, total) : undefined;
		if (proof && (await isProven(request, proof))) return true;
		isFirst = false;
	}
	return false;
}

async function isProven(request: PagesRequest, { query, record, fits }: Proof): Promise<boolean> {
	try {
		const { rows } = readPage((await request.fetch({ ...request.query, ...query }, readPage)).body);
		return rows.every(fits) && rows.some((row) => isSame(row, record));
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || !thrown.isInvalidRequest) rethrow(thrown);
		return false;
	}
}
