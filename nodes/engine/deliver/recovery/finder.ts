import { countBy, get, groupBy, mapValues, pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { idOf } from '../../answer/answer';
import { RequestError } from '../../errors/requestError';
import { rethrow } from '../../errors/rethrow';
import { type Delivering, listBeside, readRecordBeside } from '../../execution';
import { lookAgain } from '../../http/clock';
import { UnsafePath } from '../../http/path';
import type { Delivery, PreparedRequest } from '../../operation/preparedRequest';
import type { SearchList, SearchParent, WatchRecord } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { readWhole } from '../../pages/pages';

type Looked = NonNullable<RequestError['facts']['looked']>;

/** What a look at the platform says of a lost request: it was done, it does not show, or that is unknown. */
export type Verdict =
	| { found: Delivery }
	/** Not seen, which is no proof. No reason if there was nothing to look at. */
	| { absent: Extract<Looked, 'missing' | 'unchanged'> | undefined }
	| { unknown: Exclude<Looked, 'missing' | 'unchanged'> };

/** What a finder saw before the request left; null if it could not look. It is kept across tries. */
export type Before = string[] | null;

export interface Finder {
	/** What could be taken for this request: requests that share it go one after the other. */
	turn?: unknown;
	/**
	 * What must be known before the request leaves. If what was asked for exists already, it, or the request to send
	 * instead; `mayBeGone`: only a moment ago it did, so if the platform does not find it, the request itself is sent.
	 * @throws RequestError if that cannot be known: then nothing is sent
	 */
	before: () => Promise<
		{ known: Before } | { there: Delivery } | { instead: PreparedRequest; mayBeGone: boolean }
	>;
	/** Looks repeatedly. @throws Cancelled */
	look: (known: Before) => Promise<Verdict>;
	/** What the items get from a request that was sent, or sent instead, if that is more than its response. */
	delivered?: (delivery: Delivery, instead?: true) => Delivery;
	/** Shown in the output panel if a lost request was found, and it did not create a record. */
	hint?: string;
}

/** What was read; nothing if the platform does not show it. @throws Cancelled */
export const ifShown = async <T>(reading: Promise<T>): Promise<T | undefined> =>
	await reading.catch((thrown: unknown) =>
		thrown instanceof RequestError || thrown instanceof UnsafePath ? undefined : rethrow(thrown),
	);

/**
 * Looks until the request is found, or several could be it, while the platform may lag. Otherwise the last look counts.
 * @param read what the platform shows now; nothing if it shows nothing that can be read
 * @param judge what that says of the request
 */
export const looking =
	<Seen>(
		execution: Delivering,
		read: () => Promise<Seen | undefined>,
		judge: (seen: Seen, known: string[]) => Verdict | Promise<Verdict>,
	): Finder['look'] =>
	async (known) => {
		let verdict: Verdict = { unknown: 'impossible' };
		if (!known) return verdict;
		await lookAgain(execution.client.signal, async () => {
			const seen = await read();
			if (seen !== undefined) verdict = await judge(seen, known);
			const isClear = 'found' in verdict || ('unknown' in verdict && verdict.unknown === 'several');
			return isClear || undefined;
		});
		return verdict;
	};

export const nothingToLookAt: Finder = {
	before: async () => ({ known: null }),
	look: async () => ({ absent: undefined }),
};

/** Records read in one look. If there may be more, a request whose record is not among them is not sent again. */
const mostRead = 1000;

/**
 * Looks for a record in the list that would hold it. A similar record from before the request does not count. A record
 * that only may be it (the list does not show whom it is for) is not taken for it.
 */
export function findInList(
	execution: Delivering,
	prepared: PreparedRequest,
	search: SearchList,
): Finder {
	const { operation, body } = prepared;

	const similar = async (): Promise<{ records: IDataObject[]; whole: boolean } | undefined> => {
		const records = new Map<string, IDataObject>();
		let read = 0;
		const all = await ifShown(
			readWhole({
				...listBeside(execution, prepared, search),
				query: search.query?.(body) ?? {},
				take: (rows, { isFirst }) => {
					if (isFirst) read = 0;
					for (const record of rows)
						if (search.matches(record, body) !== false) records.set(idOf(record), record);
					read += rows.length;
					return read >= mostRead;
				},
			}),
		);
		return all && { records: [...records.values()], whole: all.whole };
	};

	const isIt = async (record: IDataObject): Promise<boolean | undefined> =>
		await search.matches(
			record,
			body,
			async (more) => await ifShown(readRecordBeside(execution, prepared, more, record)),
		);

	return {
		turn: [operation.endpoint, search.name(body)],
		before: async () => ({ known: (await similar())?.records.map(idOf) ?? null }),
		look: looking(execution, similar, async ({ records, whole }, known) => {
			const others = new Set([...known, ...execution.journal.delivered().map(idOf)]);
			const fresh = records.filter((record) => !others.has(idOf(record)));
			const told = await Promise.all(fresh.map(isIt));
			const mine = fresh.filter((_, at) => told[at] === true);
			const isAlike = told.includes(undefined);
			if (mine.length > 1 || (mine.length === 1 && isAlike)) return { unknown: 'several' };
			if (mine.length === 1) return { found: { records: mine } };
			if (isAlike) return { unknown: 'alike' };
			return whole ? { absent: 'missing' } : { unknown: 'part' };
		}),
	};
}

/** A record and how often each content is a part of it, without what this run added. */
interface Parts {
	record: IDataObject;
	counts: Record<string, number>;
}

interface KnownParts {
	alike: Record<string, PreparedRequest[]>;
	/** Records as they were before the run, by URL. */
	before: Map<string, Promise<Parts | undefined>>;
	mark: object;
}

const partsOf = new WeakMap<Delivering, KnownParts>();

/** The run that alone adds parts to a record, by URL: any other run reads the record again before it adds one. */
const lastRun = new Map<string, object>();

/**
 * Looks for a small write in the record that it became a part of. Equal parts cannot be told apart, so they are
 * counted: one more than existed before and than this run added is the lost one. A run reads the record once before it
 * writes.
 */
export function findInParent(
	execution: Delivering,
	prepared: PreparedRequest,
	{ in: parent, inside, content }: SearchParent,
): Finder {
	const { client, journal, requests } = execution;
	const { address, body } = prepared;
	const path = pathOfRead(parent, prepared.path);
	const nameIn = (where: string, part: IDataObject) => JSON.stringify([where, content(part)]);
	const name = nameIn(address, body);
	const known = partsOf.get(execution) ?? {
		alike: groupBy(requests, (one) => nameIn(one.address, one.body)),
		before: new Map(),
		mark: {},
	};
	partsOf.set(execution, known);
	const place = `${client.workspace.origin}${address}`;
	const read = async (): Promise<Parts | undefined> => {
		const added = mapValues(
			known.alike,
			(same) => same.filter((one) => journal.recordOf(one)?.delivery).length,
		);
		const record = await ifShown(readRecordBeside(execution, prepared, parent));
		const parts: unknown = get(record, inside);
		if (!record || !Array.isArray(parts)) return undefined;
		const counted = countBy(parts, (part: IDataObject) => nameIn(address, part));
		return { record, counts: mapValues(counted, (count, one) => count - (added[one] ?? 0)) };
	};
	const countIn = ({ counts }: Parts): number => counts[name] ?? 0;
	return {
		turn: [address, content(body)],
		before: async () => {
			const isOwn = lastRun.get(place) === known.mark;
			lastRun.set(place, known.mark);
			const reading = (isOwn && known.before.get(path)) || read();
			known.before.set(path, reading);
			const seen = await reading;
			if (!seen) known.before.delete(path);
			// What was added a moment ago may not be shown yet.
			return { known: seen ? [String(Math.max(0, countIn(seen)))] : null };
		},
		look: looking(execution, read, (seen, [before]) =>
			countIn(seen) > Number(before)
				? { found: { records: [seen.record] } }
				: { absent: 'missing' },
		),
		delivered: (delivery) => {
			if (lastRun.get(place) !== known.mark) lastRun.delete(place);
			return delivery;
		},
		hint:
			"The platform's response was lost, but the request went through. Its result was found on the platform, so it " +
			'was not sent again.',
	};
}

const notSent = (code: string, message: string, details: string): RequestError =>
	new RequestError('notSent', 'nothing', { code, message, details });

/** Looks at the record that a costly action is about. The action is refused if it would happen twice. */
export function findInRecord(
	execution: Delivering,
	prepared: PreparedRequest,
	{ in: where, refuses, changes, shows }: WatchRecord,
): Finder {
	const { journal, requests } = execution;
	const { address, body } = prepared;
	const printOf = (record: IDataObject): string[] =>
		[record.status, record.updated_at, ...Object.values(pick(record, Object.keys(body)))].map(
			(value) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')),
		);
	const read = async () => await readRecordBeside(execution, prepared, where);
	let wasChanged = false;
	return {
		turn: [address],
		before: async () => {
			if (!refuses) {
				const record = changes && (await ifShown(read()));
				return { known: record ? printOf(record) : changes ? null : [] };
			}
			const first = requests.find(
				(other) => other !== prepared && other.address === address && journal.sentBefore(other),
			);
			if (first)
				throw notSent(
					'SAME_RECORD',
					`Item ${first.item} is about the same record`,
					'It would happen twice, so it was sent only for that item.',
				);
			const record = await read();
			const why = refuses(record);
			if (why) throw notSent('NOT_AGAIN', why.message, why.description);
			return { known: printOf(record) };
		},
		look: looking(
			execution,
			async () => await ifShown(read()),
			(record, known) => {
				const isChanged = known.length > 0 && printOf(record).join() !== known.join();
				wasChanged ||= isChanged;
				// A state from before the request left says nothing about the request.
				if (shows(record, body) && (!changes || isChanged)) return { found: { records: [record] } };
				return wasChanged ? { unknown: 'changed' } : { absent: 'unchanged' };
			},
		),
		hint:
			"The platform's response was lost, but the record shows that the request went through. It was not " +
			'sent again.',
	};
}
