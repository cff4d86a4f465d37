import type { IDataObject } from 'n8n-workflow';
import { type Finder, foundHint, ifShown, lookAgain, type Verdict } from './finder';
import { type Delivering, listBeside, readRecordBeside } from '../../execution';
import { readWhole } from '../../pages/pages';
import { idOf } from '../../answer/answer';
import type { PreparedRequest } from '../../operation/preparedRequest';
import type { SearchList } from '../../operation/recovery';

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
	const { journal } = execution;

	/** Records that are or may be what the request asks for; nothing if the platform cannot be asked. */
	const similar = async (): Promise<{ records: IDataObject[]; whole: boolean } | undefined> => {
		const records = new Map<string, IDataObject>();
		let read = 0;
		const all = await ifShown(
			readWhole({
				...listBeside(execution, prepared, search),
				query: search.query?.(prepared.body) ?? {},
				take: (rows, { isFirst }) => {
					if (isFirst) read = 0;
					for (const record of rows)
						if (search.matches(record, prepared.body) !== false) records.set(idOf(record), record);
					read += rows.length;
					return read >= mostRead;
				},
			}),
		);
		return all && { records: [...records.values()], whole: all.whole };
	};

	/** Whether a record is what the request asks for; undefined if the platform does not show it. */
	const isIt = async (record: IDataObject): Promise<boolean | undefined> =>
		await search.matches(
			record,
			prepared.body,
			async (more) => await ifShown(readRecordBeside(execution, prepared, more, record)),
		);

	return {
		before: async () => ({ known: (await similar())?.records.map(idOf) ?? null }),
		look: async (known) => {
			if (!known) return { unknown: 'impossible' };
			let read: Awaited<ReturnType<typeof similar>>;
			let alike = false;
			const seen = await lookAgain<Verdict>(execution, async () => {
				read = (await similar()) ?? read;
				const others = new Set(journal.delivered().map(idOf));
				const fresh = (read?.records ?? []).filter(
					(record) => !known.includes(idOf(record)) && !others.has(idOf(record)),
				);
				const told = await Promise.all(
					fresh.map(async (record) => ({ record, is: await isIt(record) })),
				);
				const mine = told.filter(({ is }) => is === true).map(({ record }) => record);
				alike = told.some(({ is }) => is === undefined);
				if (mine.length > 1 || (mine.length === 1 && alike)) return { unknown: 'several' };
				return mine.length === 1 ? { found: { records: mine } } : undefined;
			});
			if (seen) return seen;
			if (!read) return { unknown: 'impossible' };
			if (alike) return { unknown: 'alike' };
			return read.whole ? { absent: 'missing' } : { unknown: 'part' };
		},
		hint: foundHint,
	};
}
