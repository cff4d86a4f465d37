import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { ifShown, looking } from '../engine/deliver/recovery/finder';
import type { ErrorText } from '../engine/errors/errorText';
import { notSent } from '../engine/errors/requestError';
import { listBeside, readRecordBeside } from '../engine/execution';
import type { SecondaryRead } from '../engine/operation/secondaryRead';
import type { PageSize } from '../engine/pages/pages';
import { readWhole } from '../engine/pages/whole';
import type { Finder, PreparedRequest, OwnFinder, Delivering } from '../engine/operation/operation';

export const idOf = (record: IDataObject): string =>
	String(record.uuid ?? record.id ?? JSON.stringify(record));

/** Where to look for a record after its response was lost; the request is not repeated on a guess. */
export interface SearchList {
	in: SecondaryRead;
	/** Whether this request is a costly one; the others are sent like any write. */
	when?: (body: IDataObject) => boolean;
	query?: (body: IDataObject) => IDataObject;
	/** The name that people chose for the record; requests with the same name go one after the other. */
	name: (body: IDataObject) => unknown;
	/**
	 * Whether a record is what the request asked for; undefined if what would tell is not shown. A name proves nothing:
	 * another user's record may have it too.
	 * @param ask reads what tells more of the record than its list does; absent while only likeness counts
	 */
	matches: (
		record: IDataObject,
		body: IDataObject,
		ask?: (read: SecondaryRead) => Promise<IDataObject | undefined>,
	) => boolean | undefined | Promise<boolean | undefined>;
	pageSize?: PageSize;
	inferredKey?: true;
}

/** The record is read before a costly action and after a lost response; a run sends only the first request for it. */
interface WatchRecord {
	in: SecondaryRead;
	/** Whether this request is a costly one; the others are sent like any write. */
	when?: (body: IDataObject) => boolean;
	/** Why it is not sent: it would happen twice. Without this, the record is read only after a lost response. */
	refuses?: (record: IDataObject) => ErrorText | undefined;
	/** The request changes fields of the record: what they were before is looked at, too. */
	changes?: true;
	shows: (record: IDataObject, body: IDataObject) => boolean;
}

/** Records read in one look. If there may be more, a request whose record is not among them is not sent again. */
const mostRead = 1000;

/** A similar record from before the request does not count; one that only may be it is not taken for it. */
function findInList(execution: Delivering, prepared: PreparedRequest, search: SearchList): Finder {
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
		first: async () => ({ before: (await similar())?.records.map(idOf) ?? null }),
		look: looking(execution, similar, async ({ records, whole }, before) => {
			const others = new Set([...before, ...execution.journal.delivered().map(idOf)]);
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

/** Looks at the record that a costly action is about. The action is refused if it would happen twice. */
function findInRecord(
	execution: Delivering,
	prepared: PreparedRequest,
	{ in: where, refuses, changes, shows }: WatchRecord,
): Finder {
	const { journal, requests } = execution;
	const { path, body } = prepared;
	const printOf = (record: IDataObject): string[] =>
		[record.status, record.updated_at, ...Object.values(pick(record, Object.keys(body)))].map(
			(value) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')),
		);
	const read = async () => await readRecordBeside(execution, prepared, where);
	let wasChanged = false;
	return {
		turn: [path],
		first: async () => {
			if (!refuses) {
				const record = changes && (await ifShown(read()));
				return { before: record ? printOf(record) : changes ? null : [] };
			}
			const first = requests.find(
				(other) => other !== prepared && other.path === path && journal.sentBefore(other),
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
			return { before: printOf(record) };
		},
		look: looking(
			execution,
			async () => await ifShown(read()),
			(record, before) => {
				const isChanged = before.length > 0 && printOf(record).join() !== before.join();
				wasChanged ||= isChanged;
				// A state from before the request left says nothing about the request.
				if (shows(record, body) && (!changes || isChanged)) return { found: { records: [record] } };
				return wasChanged ? { unknown: 'changed' } : { absent: 'unchanged' };
			},
		),
		hint: "The platform's response was lost, but the record shows that the request went through. It was not sent again.",
	};
}

export const searchList = (search: SearchList): OwnFinder => ({
	by: 'finder',
	inferredKey: search.inferredKey,
	finderOf: (execution, prepared) =>
		search.when?.(prepared.body) === false ? undefined : findInList(execution, prepared, search),
});

export const watchRecord = (watch: WatchRecord): OwnFinder => ({
	by: 'finder',
	finderOf: (execution, prepared) =>
		watch.when?.(prepared.body) === false ? undefined : findInRecord(execution, prepared, watch),
});
