import type { IDataObject } from 'n8n-workflow';
import { readList, tellIncomplete } from './list';
import { type Execution, readBeside } from '../execution';
import { paginate } from '../pages/pages';
import { RequestError } from '../errors/requestError';
import type { SummaryDefinition } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead } from '../operation/secondaryRead';
import { rethrow } from '../errors/rethrow';

/**
 * Reads a list to its end, and what another list tells about it, and makes one record of both. What is not known is
 * listed under `unknown` in the record, and in the output panel.
 * @throws RequestError if the list itself cannot be read
 */
export async function summarize(
	execution: Execution,
	prepared: PreparedRequest,
	{ keep, beside, into }: SummaryDefinition,
): Promise<IDataObject> {
	const { hints } = execution;
	const kept = await readList(execution, prepared, (rows) => rows.map(keep));
	const readAll = async (query: IDataObject): Promise<IDataObject[]> =>
		await paginate({
			fetch: async (page, reads) =>
				await readBeside(execution, prepared, pathOfRead(beside.in, prepared.path), {
					query: page,
					reads,
				}),
			query,
			limit: Infinity,
			pageSize: beside.pageSize,
			take: (rows) => rows.map(beside.keep),
			incomplete: (why) => tellIncomplete(hints, why),
		});
	const queries = beside.queries(kept);
	let more: IDataObject[] | undefined;
	try {
		// One after the other: there are few, and their pages are read in parallel.
		for (const query of queries) more = [...(more ?? []), ...(await readAll(query))];
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) rethrow(thrown);
		more = undefined;
	}
	const { record, unknown } = into(kept, more, prepared.filters);
	for (const sentence of unknown) hints.add(sentence);
	return { ...record, unknown: unknown.join(' ') };
}
