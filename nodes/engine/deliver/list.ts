import type { IDataObject } from 'n8n-workflow';
import { isEmpty, pick } from 'lodash';
import { type Execution, requestSettings } from '../execution';
import { doubtText, guessing, type ListRequest, paginate } from '../pages/pages';
import { fieldsOf } from '../operation/places';
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
	const { client, hints } = execution;
	const { operation, limit, address, query } = prepared;
	const { rows, id, pageSize, unpaged } = operation.pages ?? {};
	const fetch: ListRequest['fetch'] = async (page, reads) =>
		await client.request({
			...requestSettings(execution, prepared),
			method: operation.method,
			path: address,
			query: page,
			class: 'read',
			reads,
		});
	const { guess, keeps } = filtersOf(execution, prepared);
	return await paginate({
		fetch: guess ? guessing(fetch, guess) : fetch,
		query,
		limit,
		rows,
		id,
		pageSize,
		unpaged,
		keeps,
		take,
		doubt: (doubt) => hints.add(doubtText[doubt]),
	});
}

/** The filters that the user set and that the platform may ignore: what is sent of them, which rows stay. */
function filtersOf(
	{ hints }: Execution,
	{ operation, filters: values }: PreparedRequest,
): Pick<ListRequest, 'keeps'> & { guess?: IDataObject } {
	const filled = fieldsOf(operation).flatMap(({ part, path: [name = ''], displayName }) => {
		const filter = part === 'filters' ? operation.pages?.filters?.[name] : undefined;
		return filter && values[name] !== undefined
			? [{ ...filter, name, displayName, value: values[name] }]
			: [];
	});
	if (filled.length === 0) return {};
	const keeps = (row: IDataObject): boolean => {
		const unseen = filled.filter((filter) => filter.keeps(row, filter.value) === undefined);
		if (filled.some((filter) => filter.keeps(row, filter.value) === false)) return false;
		for (const { displayName } of unseen)
			hints.add(
				`The platform does not show '${displayName}' for some records, so it is not known whether they match the filter. They were omitted. Remove the filter to see them.`,
			);
		return unseen.length === 0;
	};
	const guess = pick(
		values,
		filled.filter(({ guessed }) => guessed).map(({ name }) => name),
	);
	return { keeps, ...(isEmpty(guess) ? {} : { guess }) };
}
