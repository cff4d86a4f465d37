import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAgain, type Verdict, withCreated } from './finder';
import { type Delivering, readBeside, type SearchedRecords } from '../../execution';
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

/** The records that an item asks for, and why another one may be it. */
interface Found {
	records: IDataObject[];
	mayBe?: string;
}

const cannotTell = 'It is not known whether the record exists already';

const unclear = (message: string, details: string): RequestError =>
	new RequestError('notSent', 'nothing', { code: 'CANNOT_TELL', message, details });

/**
 * Looks for the record of a request. A search that finds nothing proves nothing, so the whole list is then read, once
 * for all items of the run, unless the search has proven in this run that it finds every record.
 */
function lookerFor(execution: Delivering, prepared: PreparedRequest, search: SearchFirst) {
	const { hints, lists, options, requests, zones } = execution;
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
	const { defaultCountry } = options(prepared.item);
	const keeps = (record: IDataObject): boolean =>
		search.identity(record) === identity || search.alias?.(record, defaultCountry) === identity;
	const likeness = search.likeness([identity], [defaultCountry]);
	const read = async (from: ListRequest['fetch'], limit: number): Promise<Reading<Found>> =>
		await readForDecision(async (doubt) => {
			let mayBe: string | undefined;
			const records = await paginate({
				fetch: from,
				query: {},
				limit,
				pageSize: search.pageSize,
				doubt,
				keeps: (row) => {
					if (keeps(row)) return true;
					mayBe ??= likeness(row).mayBe[0]?.[1];
					return false;
				},
			});
			return { records, mayBe };
		});
	const searched = async (most: number): Promise<Reading<Found>> =>
		await read(async (query, reads) => {
			const response = await narrowed(query, reads);
			if (readPage(response.body).rows.some((row) => !search.fits(row, guess)))
				throw new NotNarrowed();
			return response;
		}, most);
	const readWhole = async (doubt: PagesRequest['doubt']): Promise<SearchedRecords | undefined> => {
		const wanted = new Set(requests.map(({ body }) => search.identity(body)));
		const countries = uniq(requests.map(({ item }) => options(item).defaultCountry));
		const likenessToAny = search.likeness([...wanted], countries);
		const records = new Map<string, IDataObject[]>();
		const mayBe = new Map<string, string>();
		const seen: SearchedRecords = { records, mayBe, rows: 0, unread: 0, silent: 0 };
		const note = (row: IDataObject): void => {
			seen.rows++;
			const aliases = countries.map((country) => search.alias?.(row, country));
			const keys = uniq([search.identity(row), ...aliases]);
			for (const key of keys)
				if (key !== undefined && wanted.has(key))
					records.set(key, [...(records.get(key) ?? []), row]);
			const { mayBe: others, compared } = likenessToAny(row);
			for (const [key, why] of others) if (!keys.includes(key)) mayBe.set(key, why);
			if (compared !== true) seen.unread++;
			if (compared === undefined) seen.silent++;
		};
		const isProven = await readUnlessProven(
			{ fetch, query: {}, pageSize: search.pageSize, doubt },
			(rows) => rows.forEach(note),
			(rows) => {
				const record = rows.find((row) => search.proof(row) !== undefined);
				const query = record && search.proof(record);
				return record && query && { query, record, fits: (row) => search.fits(row, query) };
			},
		);
		return isProven ? undefined : seen;
	};
	const readWholeOnce = async (): Promise<Reading<SearchedRecords | undefined>> => {
		const reading = (list.whole ??= readForDecision(readWhole));
		return await reading.catch((thrown: unknown) => {
			// The next item may have more luck.
			if (list.whole === reading) list.whole = undefined;
			return rethrow(thrown);
		});
	};
	const ignored = (thrown: unknown): undefined =>
		thrown instanceof NotNarrowed ? undefined : rethrow(thrown);

	/** @throws RequestError if it is not known which one it is, or whether it exists */
	const certain = ({ records, mayBe }: Found, doubt?: Doubt): IDataObject | undefined => {
		const [record, ...others] = records;
		if (others.length > 0)
			throw unclear(
				`Several ${search.what} fit, so it is not known which one is meant`,
				`Their IDs: ${records.map(({ uuid }) => String(uuid)).join(', ')}. Delete or correct all but one.`,
			);
		if (record) return record;
		if (mayBe !== undefined)
			throw unclear(cannotTell, `${mayBe} Creating it could make a duplicate.`);
		if (doubt)
			throw unclear(
				cannotTell,
				`It was not found, but ${doubtReason[doubt]}. Creating it could make a duplicate. Run it again.`,
			);
		return undefined;
	};

	/** The same in a list that was read to its end. */
	const certainOf = ({ seen, doubt }: { seen: SearchedRecords; doubt?: Doubt }) => {
		const record = certain(
			{ records: seen.records.get(identity) ?? [], mayBe: seen.mayBe.get(identity) },
			doubt,
		);
		if (record) return record;
		if (seen.rows > 0 && seen.silent === seen.rows)
			throw unclear(
				cannotTell,
				`The list of ${search.what} does not show what to compare. Creating it could make a duplicate.`,
			);
		if (seen.unread > 0)
			hints.add(
				`${seen.unread} of ${seen.rows} ${search.what} could not be compared, because they show no phone number that ` +
					'can be read. What was created may exist among them.',
			);
		return undefined;
	};

	return {
		/** The record, as the platform has it; or, if the run has read the whole list, as it was then. */
		first: async (): Promise<IDataObject | undefined> => {
			// The first item of a run finds out for all others whether the platform searches.
			if (list.tried) await list.tried;
			const before = list.whole ? await readWholeOnce() : undefined;
			if (before?.seen) return certainOf({ ...before, seen: before.seen });
			const looking = searched(2).catch(ignored);
			list.tried ??= looking.then(
				() => undefined,
				() => undefined,
			);
			const there = await looking;
			if (there?.seen.records.length) return certain(there.seen);
			const whole = await readWholeOnce();
			if (whole.seen) return certainOf({ ...whole, seen: whole.seen });
			const last = there ?? (await read(fetch, 2));
			return certain(last.seen, last.doubt);
		},
		/** The records as they are now. */
		again: async (most: number): Promise<Reading<Found>> => {
			const there = list.whole ? undefined : await searched(most).catch(ignored);
			return there?.seen.records.length ? there : await read(fetch, most);
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
					const { seen, doubt } = await look.again(2);
					const { records: made } = seen;
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
