import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAgain, type Verdict } from './finder';
import { type Delivering, readBeside } from '../../execution';
import type { PlatformResponse } from '../../http/client';
import { readPage } from '../../pages/layouts';
import { guessing, type ListRequest, NotNarrowed, paginate } from '../../pages/pages';
import { RequestError } from '../../errors/requestError';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import type { SearchFirst } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { rethrow } from '../../errors/rethrow';

const withCreated = (records: IDataObject[], created: boolean): Delivery => ({
	records: records.map((record) => ({ ...record, created })),
});

/** Letters and digits alone: phone numbers are stored in many spellings. */
const bare = (value: unknown): string =>
	String(value)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

const mentions = (row: IDataObject, searched: IDataObject): boolean =>
	Object.values(searched).every((value) =>
		Object.values(row).some((shown) => bare(shown).includes(bare(value))),
	);

/**
 * Looks for the record of a request. Where the platform takes no notice of the search, the whole list is read, once for
 * all items of the run.
 */
function lookerFor(execution: Delivering, prepared: PreparedRequest, search: SearchFirst) {
	const { lists, options, requests, zones } = execution;
	const path = pathOfRead(search.in, prepared.path);
	const identity = search.identity(prepared.body);
	const guess = search.guess(identity);
	// Times in records are those of the zone that was asked for.
	const name = JSON.stringify([path, zones.of(prepared.item).name]);
	const list = lists.get(name) ?? {};
	lists.set(name, list);

	const fetch = async (query: IDataObject): Promise<PlatformResponse> =>
		await readBeside(execution, prepared, path, { query });
	const narrowed = guessing(fetch, guess);
	const read = async (
		from: ListRequest['fetch'],
		more: Partial<ListRequest>,
	): Promise<IDataObject[]> =>
		await paginate({
			fetch: from,
			query: {},
			limit: Infinity,
			pageSize: search.pageSize,
			...more,
		});
	const { defaultCountry } = options(prepared.item);
	const keeps = (record: IDataObject): boolean =>
		search.identity(record) === identity || search.alias?.(record, defaultCountry) === identity;
	const searched = async (most: number): Promise<IDataObject[]> =>
		await read(
			async (query) => {
				const answer = await narrowed(query);
				if (readPage(answer.body).rows.some((row) => !mentions(row, guess)))
					throw new NotNarrowed();
				return answer;
			},
			{ limit: most, keeps },
		);
	const readWhole = async (): Promise<Map<string, IDataObject>> => {
		const wanted = new Set(requests.map(({ body }) => search.identity(body)));
		const countries = uniq(requests.map(({ item }) => options(item).defaultCountry));
		const records = new Map<string, IDataObject>();
		await read(fetch, {
			take: (rows) => {
				for (const row of rows) {
					const aliases = countries.map((country) => search.alias?.(row, country));
					for (const key of [search.identity(row), ...aliases])
						if (key !== undefined && wanted.has(key) && !records.has(key)) records.set(key, row);
				}
				return [];
			},
		});
		return records;
	};
	const readWholeOnce = async (): Promise<Map<string, IDataObject>> => {
		const reading = (list.whole ??= readWhole());
		return await reading.catch((thrown: unknown) => {
			// The next item may have more luck.
			if (list.whole === reading) list.whole = undefined;
			return rethrow(thrown);
		});
	};
	const ignored = (thrown: unknown): undefined =>
		thrown instanceof NotNarrowed ? undefined : rethrow(thrown);

	return {
		/** The record, as the platform has it or, where the run has read the whole list, had it then. */
		first: async (): Promise<IDataObject | undefined> => {
			// The first item of a run finds out for all others whether the platform searches.
			if (list.tried) await list.tried;
			if (!list.whole) {
				const looking = searched(1).catch((thrown: unknown) => {
					ignored(thrown);
					void readWholeOnce().catch(() => undefined);
					return undefined;
				});
				list.tried ??= looking.then(
					() => undefined,
					() => undefined,
				);
				const there = await looking;
				if (there) return there[0];
			}
			return (await readWholeOnce()).get(identity);
		},
		/** The records as they are now. */
		again: async (most: number): Promise<IDataObject[]> => {
			const there = list.whole ? undefined : await searched(most).catch(ignored);
			return there ?? (await read(fetch, { limit: most, keeps }));
		},
	};
}

/**
 * Looks for a record before it is created. Items of one run that ask for the same record share it; `created` in the
 * output is true where it was not there before.
 */
export function findFirst(
	execution: Delivering,
	prepared: PreparedRequest,
	search: SearchFirst,
): Finder {
	const { found } = execution;
	const wanted = JSON.stringify([prepared.operation.endpoint, search.identity(prepared.body)]);
	const look = lookerFor(execution, prepared, search);
	const remembered = (delivery: Delivery): Delivery => {
		found.set(wanted, delivery);
		return delivery;
	};
	return {
		before: async () => {
			const earlier = found.get(wanted);
			if (earlier) return { there: withCreated(earlier.records, false) };
			const there = await look.first();
			return there ? { there: remembered(withCreated([there], false)) } : { known: [] };
		},
		look: async () => {
			let wasRead = false;
			const seen = await lookAgain<Verdict>(execution, async () => {
				try {
					const made = await look.again(2);
					wasRead = true;
					// Somebody else made one meanwhile.
					if (made.length > 1) return { unknown: 'several' };
					return made.length === 1 ? { found: { records: made } } : undefined;
				} catch (thrown) {
					return thrown instanceof RequestError ? undefined : rethrow(thrown);
				}
			});
			return seen ?? (wasRead ? { absent: 'missing' } : { unknown: 'impossible' });
		},
		delivered: ({ records }) => remembered(withCreated(records, true)),
	};
}
