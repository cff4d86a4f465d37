import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAgain, type Verdict, withCreated } from './finder';
import { type Delivering, readBeside } from '../../execution';
import { readPage } from '../../pages/layouts';
import {
	type Doubt,
	doubtReason,
	guessing,
	type ListRequest,
	NotNarrowed,
	type PagesRequest,
	paginate,
	readForDecision,
	type Reading,
} from '../../pages/pages';
import { readUnlessProven } from '../../pages/provenSearch';
import { RequestError } from '../../errors/requestError';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import type { SearchFirst } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { rethrow } from '../../errors/rethrow';

/** The records that items of the run ask for; nothing where the search is proven instead. */
type Whole = Map<string, IDataObject> | undefined;

/**
 * Looks for the record of a request. A search that finds nothing proves nothing, so the whole list is then read, once
 * for all items of the run, unless the search has proven in this run that it finds every record.
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

	const fetch: ListRequest['fetch'] = async (query, reads) =>
		await readBeside(execution, prepared, path, { query, reads });
	const narrowed = guessing(fetch, guess);
	const read = async (
		from: ListRequest['fetch'],
		more: Partial<ListRequest>,
	): Promise<Reading<IDataObject[]>> =>
		await readForDecision(
			async (doubt) =>
				await paginate({
					fetch: from,
					query: {},
					limit: Infinity,
					pageSize: search.pageSize,
					doubt,
					...more,
				}),
		);
	const { defaultCountry } = options(prepared.item);
	const keeps = (record: IDataObject): boolean =>
		search.identity(record) === identity || search.alias?.(record, defaultCountry) === identity;
	const searched = async (most: number): Promise<Reading<IDataObject[]>> =>
		await read(
			async (query, reads) => {
				const response = await narrowed(query, reads);
				if (readPage(response.body).rows.some((row) => !search.fits(row, guess)))
					throw new NotNarrowed();
				return response;
			},
			{ limit: most, keeps },
		);
	const readWhole = async (doubt: PagesRequest['doubt']): Promise<Whole> => {
		const wanted = new Set(requests.map(({ body }) => search.identity(body)));
		const countries = uniq(requests.map(({ item }) => options(item).defaultCountry));
		const records = new Map<string, IDataObject>();
		const isProven = await readUnlessProven(
			{ fetch, query: {}, pageSize: search.pageSize, doubt },
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
	const readWholeOnce = async (): Promise<Reading<Whole>> => {
		const reading = (list.whole ??= readForDecision(readWhole));
		return await reading.catch((thrown: unknown) => {
			// The next item may have more luck.
			if (list.whole === reading) list.whole = undefined;
			return rethrow(thrown);
		});
	};
	const ignored = (thrown: unknown): undefined =>
		thrown instanceof NotNarrowed ? undefined : rethrow(thrown);

	/** @throws RequestError where it may stand where nothing was read */
	const certain = (record: IDataObject | undefined, doubt?: Doubt): IDataObject | undefined => {
		if (record || !doubt) return record;
		throw new RequestError('notSent', 'nothing', {
			code: 'CANNOT_TELL',
			message: 'It is not known whether the record exists already',
			details: `It was not found, but ${doubtReason[doubt]}. Creating it could make a duplicate. Run it again.`,
		});
	};

	return {
		/** The record, as the platform has it; or, if the run has read the whole list, as it was then. */
		first: async (): Promise<IDataObject | undefined> => {
			// The first item of a run finds out for all others whether the platform searches.
			if (list.tried) await list.tried;
			const before = list.whole ? await readWholeOnce() : undefined;
			if (before?.seen) return certain(before.seen.get(identity), before.doubt);
			const looking = searched(1).catch(ignored);
			list.tried ??= looking.then(
				() => undefined,
				() => undefined,
			);
			const there = await looking;
			if (there?.seen[0]) return there.seen[0];
			const whole = await readWholeOnce();
			if (whole.seen) return certain(whole.seen.get(identity), whole.doubt);
			const last = there ?? (await read(fetch, { limit: 1, keeps }));
			return certain(last.seen[0], last.doubt);
		},
		/** The records as they are now. */
		again: async (most: number): Promise<Reading<IDataObject[]>> => {
			const there = list.whole ? undefined : await searched(most).catch(ignored);
			return there?.seen.length ? there : await read(fetch, { limit: most, keeps });
		},
	};
}

/**
 * Looks for a record before it is created. Items of one run that ask for the same record share it; `created` in the
 * output is true if it did not exist before.
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
			if (earlier) return { there: withCreated(earlier, false) };
			const there = await look.first();
			return there
				? { there: remembered(withCreated({ records: [there] }, false)) }
				: { known: [] };
		},
		look: async () => {
			let wasRead = false;
			let isPart = false;
			const seen = await lookAgain<Verdict>(execution, async () => {
				try {
					const { seen: made, doubt } = await look.again(2);
					wasRead = true;
					isPart = doubt !== undefined;
					// Another user made one meanwhile.
					if (made.length > 1) return { unknown: 'several' };
					return made.length === 1 ? { found: { records: made } } : undefined;
				} catch (thrown) {
					return thrown instanceof RequestError ? undefined : rethrow(thrown);
				}
			});
			if (seen) return seen;
			if (!wasRead) return { unknown: 'impossible' };
			return isPart ? { unknown: 'part' } : { absent: 'missing' };
		},
		delivered: (delivery) => remembered(withCreated(delivery, true)),
	};
}
