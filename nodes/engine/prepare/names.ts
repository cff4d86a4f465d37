import { get, isNil, pick } from 'lodash';
import { readBeside, unreadText } from '../execution';
import { RequestError, rethrow } from '../errors/requestError';
import { clock } from '../http/clock';
import { learn, recall } from '../http/learned';
import type { LookupName } from '../lookups';
import { lists } from '../lookups/lists';
import { knowsName, type Names } from '../lookups/names';
import { entriesOf, labelOf, type ListLookup } from '../lookups/search';
import { readWhole } from '../pages/whole';
import type { Execution } from '../operation/operation';

/** Of contacts' tags. A name that is missing is read again; one given to another tag is noticed once they are forgotten. */
const rememberedMs = 5 * 60_000;

/** Reads a list of the workspace for the names in it, once for a run; also why it could not be read. @throws Cancelled */
export async function learnNames(
	execution: Execution,
	item: number,
	{ lookup, named }: { lookup: LookupName; named: string },
): Promise<void> {
	const list: ListLookup = lists[lookup];
	const { id = 'uuid', path, query = {} } = list;
	const about = [execution.client.asWhom, 'names', lookup];
	const now = clock.now();
	const before = recall<Names>(about, now);
	if (before && knowsName(before, named)) {
		execution.names.set(lookup, before);
		return;
	}
	const names: Names = { records: new Map() };
	execution.names.set(lookup, names);
	try {
		const read = await readWhole({
			...{ ...pick(list, 'id', 'pageSize', 'rows'), query },
			fetch: async (page, reads) =>
				await readBeside(execution, { item }, path, { query: page, reads }),
			take: (page) => {
				for (const record of page.flatMap((row) => entriesOf(list, row))) {
					const [key, { name }] = [get(record, id) as unknown, record];
					// It may be the one that is meant.
					if (name === undefined || isNil(key)) names.why = 'some show no name or no ID';
					else names.records.set(String(key), { name, label: labelOf(record, list.label) ?? '' });
				}
			},
		});
		if (!read.whole) names.why = read.why;
		if (list.inside && names.why === undefined)
			learn(about, { ...names, remembered: true }, now + rememberedMs);
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) rethrow(thrown);
		names.why = unreadText(execution, thrown).message;
	}
}
