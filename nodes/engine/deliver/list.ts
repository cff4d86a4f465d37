import type { IDataObject } from 'n8n-workflow';
import { type Execution, requestSettings } from '../execution';
import { guessing, paginate } from '../http/pages';
import type { PreparedRequest } from '../operation/preparedRequest';

/**
 * Reads a list page by page, up to the user's limit.
 * @param take called with each page's rows; what it returns is kept
 * @throws RequestError
 */
export async function readList(
	execution: Execution,
	prepared: PreparedRequest,
	take: (rows: IDataObject[]) => IDataObject[],
): Promise<IDataObject[]> {
	const { client } = execution;
	const { operation, limit, address, query } = prepared;
	const { narrow, rows, id, pageSize } = operation.pages ?? {};
	const fetch = async (page: IDataObject) =>
		await client.request({
			...requestSettings(execution, prepared),
			method: operation.method,
			path: address,
			query: page,
			class: 'read',
		});
	const narrowed = narrow !== undefined && Object.keys(prepared.narrow).length > 0;
	return await paginate({
		fetch: narrowed && narrow.guess ? guessing(fetch, narrow.guess(prepared.narrow)) : fetch,
		query,
		limit,
		rows,
		id,
		pageSize,
		...(narrowed ? { keeps: (row) => narrow.keeps(row, prepared.narrow) } : {}),
		take,
	});
}
