import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAfterMs, lookedFor } from './writeOnce';
import { type Execution, readBeside } from '../../execution';
import { clock, pause } from '../../http/clock';
import { readPage } from '../../pages/layouts';
import { paginate } from '../../pages/pages';
import { RequestError } from '../../errors/requestError';
import { idOf } from '../../journal/journal';
import type { PreparedRequest } from '../../operation/preparedRequest';
import type { SearchList } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { rethrow } from '../../errors/rethrow';

/** Records read in one look; where there may be more, what does not stand among them is not sent again. */
const mostRead = 1000;

/**
 * Looks for a costly record in the list that would hold it; what looked like it before the request does not count.
 * 'Retry Writes' is the user's word to send again what is not found in a list that was read to its end.
 */
export function findInList(
	execution: Execution,
	prepared: PreparedRequest,
	search: SearchList,
): Finder {
	const { client, journal, hints } = execution;

	/**
	 * Records that look like what the request asks for; nothing when the platform cannot be asked.
	 * `whole`: no record can be missing. It can where the list is longer than what is read, or where the platform gives
	 * the same page again whatever page is asked for.
	 */
	const similar = async (): Promise<{ records: IDataObject[]; whole: boolean } | undefined> => {
		let received = 0;
		try {
			const rows = await paginate({
				fetch: async (query, reads) => {
					const path = pathOfRead(search.in, prepared.path);
					const answer = await readBeside(execution, prepared, path, { query, reads });
					received += readPage(answer.body).rows.length;
					return answer;
				},
				query: search.query?.(prepared.body) ?? {},
				limit: mostRead,
				pageSize: search.pageSize,
			});
			return {
				records: rows.filter((record) => search.matches(record, prepared.body)),
				whole: rows.length < mostRead && rows.length === received,
			};
		} catch (thrown) {
			return thrown instanceof RequestError ? undefined : rethrow(thrown);
		}
	};

	return {
		before: async () => (await similar())?.records.map(idOf) ?? null,
		looksFirst: true,
		find: async (lost, known, last) => {
			if (!known) throw lookedFor(lost, 'impossible');
			let read: Awaited<ReturnType<typeof similar>>;
			for (const waitMs of lookAfterMs) {
				await pause(waitMs, client.signal, clock);
				const seen = await similar();
				if (!seen) continue;
				read = seen;
				const others = journal.doneIds();
				const fresh = seen.records.filter(
					(record) => !known.includes(idOf(record)) && !others.has(idOf(record)),
				);
				if (fresh.length > 1) throw lookedFor(lost, 'several');
				if (fresh.length === 0) continue;
				hints.add(
					"The platform's response was lost, but the record was created. It was found on the " +
						'platform and not created again.',
				);
				return { records: fresh };
			}
			if (!read) throw lookedFor(lost, 'impossible');
			if (!read.whole) throw lookedFor(lost, 'part');
			if (execution.options(prepared.item).retryWrites === true && !last) return undefined;
			throw lookedFor(lost, 'missing');
		},
	};
}
