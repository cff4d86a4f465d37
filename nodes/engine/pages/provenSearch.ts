import type { IDataObject } from 'n8n-workflow';
import { readPage } from './layouts';
import type { PagesRequest } from './pages';
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
 * Whether a search finds a record that exists: one that finds nothing proves nothing by itself.
 * @throws RequestError
 */
export async function isProven(
	request: Pick<PagesRequest, 'fetch' | 'query'>,
	{ query, record, fits }: Proof,
): Promise<boolean> {
	try {
		const { rows } = readPage((await request.fetch({ ...request.query, ...query }, readPage)).body);
		return rows.every(fits) && rows.some((row) => isSame(row, record));
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || !thrown.isInvalidRequest) rethrow(thrown);
		return false;
	}
}
