import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Execution, readBeside } from '../../execution';
import type { PlatformResponse } from '../../http/client';
import { readPage } from '../../pages/layouts';
import { guessing, type ListRequest, NotNarrowed, paginate } from '../../pages/pages';
import { readUnlessProven } from '../../pages/provenSearch';
import { RequestError } from '../../errors/requestError';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import type { SearchFirst } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { sayNothing } from '../records';
import { rethrow } from '../../errors/rethrow';

const withCreated = (records: IDataObject[], created: boolean): Delivery => ({
	records: records.map((record) => ({ ...record, created })),
});

/**
 * Looks for the record of a request. A search that finds nothing proves nothing, so the whole list is read then, once
 * for all items of the run; unless the search proves in this run that it finds every record.
 */
function lookerFor(execution: Execution, prepared: PreparedRequest, search: SearchFirst) {
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
				if (readPage(answer.body).rows.some((row) => !search.fits(row, guess)))
					throw new NotNarrowed();
				return answer;
			},
			{ limit: most, keeps },
		);
	const readWhole = async (): Promise<Map<string, IDataObject> | undefined> => {
		const wanted = new Set(requests.map(({ body }) => search.identity(body)));
		const countries = uniq(requests.map(({ item }) => options(item).defaultCountry));
		const records = new Map<string, IDataObject>();
		const isProven = await readUnlessProven(
			{ fetch, query: {}, pageSize: search.pageSize },
			(rows) => {
				for (const row of rows) {
					const aliases = countries.map((country) => search.alias?.(row, country));
					for (const key of [search.identity(row), ...aliases])
						if (key !== undefined && wanted.has(key) && !records.has(key)) records.set(key, row);
				}
			},
			(rows) => {
				const record = rows.find((row) => search.proof(row) !== undefined);
				const query = record && search.proof(record);
				return record && query && { query, record, fits: (row) => search.fits(row, query) };
			},
		);
		return isProven ? undefined : records;
	};
	const readWholeOnce = async (): Promise<Map<string, IDataObject> | undefined> => {
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
			const before = list.whole ? await readWholeOnce() : undefined;
			if (before) return before.get(identity);
			const looking = searched(1).catch(ignored);
			list.tried ??= looking.then(
				() => undefined,
				() => undefined,
			);
			const there = await looking;
			if (there?.[0]) return there[0];
			const whole = await readWholeOnce();
			if (whole) return whole.get(identity);
			return there ? undefined : (await read(fetch, { limit: 1, keeps }))[0];
		},
		/** The records as they are now. */
		again: async (most: number): Promise<IDataObject[]> => {
			const there = list.whole ? undefined : await searched(most).catch(ignored);
			return there?.length ? there : await read(fetch, { limit: most, keeps });
		},
	};
}

/**
 * Looks for a record and creates it only when it is not there; also after an answer that was
 * lost. Items of one run that
 * ask for the same record share it.
 * @param create the create request; throws RequestError
 * @returns the record, with `created` true when it was not there before
 * @throws RequestError when the list could not be read, the record could not be created, or it is not known which of
 * several it is
 */
export async function findOrCreate(
	execution: Execution,
	prepared: PreparedRequest,
	search: SearchFirst,
	create: () => Promise<Delivery>,
): Promise<Delivery> {
	const { found } = execution;
	const wanted = JSON.stringify([prepared.operation.endpoint, search.identity(prepared.body)]);
	const findOrMake = async (): Promise<Delivery> => {
		const look = lookerFor(execution, prepared, search);
		const there = await look.first();
		if (there) return withCreated([there], false);
		try {
			const { records } = await create();
			const shown = sayNothing(records) ? await look.again(1) : [];
			return withCreated(shown.length > 0 ? shown : records, true);
		} catch (thrown) {
			if (!(thrown instanceof RequestError) || thrown.outcome === 'nothing') return rethrow(thrown);
			const made = await look.again(2);
			// Somebody else made one meanwhile.
			if (made.length > 1) return rethrow(thrown.with({ looked: 'several' }));
			return made.length > 0 ? withCreated(made, true) : rethrow(thrown);
		}
	};

	const earlier = found.get(wanted);
	if (earlier) return withCreated(earlier.records, false);
	const delivery = await findOrMake();
	found.set(wanted, delivery);
	return delivery;
}
