import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAfterMs } from './writeOnce';
import { type Execution, requestSettings } from '../../execution';
import { clock, pause } from '../../http/clock';
import { paginate } from '../../http/pages';
import { RequestError } from '../../http/requestError';
import { idOf } from '../../journal/journal';
import type { PreparedRequest } from '../../operation/preparedRequest';
import type { SearchList } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { rethrow } from '../../rethrow';

/** Records read in one look; what does not stand among them counts as not found, and then nothing is sent again. */
const mostRead = 1000;

/** Whether a request is a costly write: what it creates is looked for before it is sent twice. */
export const isCostly = ({ operation: { recover }, body }: PreparedRequest): boolean =>
	recover.by === 'searchList' && recover.when?.(body) !== false;

/**
 * Looks for a costly record in the list that would hold it; what looked like it before the request does not count.
 * 'Retry Writes' is the user's word to send again what is not found.
 */
export function findInList(
	execution: Execution,
	prepared: PreparedRequest,
	search: SearchList,
): Finder {
	const { client, journal, hints } = execution;

	/** Records that look like what the request asks for; nothing when the platform cannot be asked. */
	const similar = async (): Promise<IDataObject[] | undefined> => {
		try {
			const records = await paginate({
				fetch: async (query) =>
					await client.request({
						...requestSettings(execution, prepared),
						method: 'GET',
						path: pathOfRead(search.in, prepared.path),
						query,
						class: 'read',
					}),
				query: search.query?.(prepared.body) ?? {},
				limit: mostRead,
				pageSize: search.pageSize,
			});
			return records.filter((record) => search.matches(record, prepared.body));
		} catch (thrown) {
			if (!(thrown instanceof RequestError)) rethrow(thrown);
			return undefined;
		}
	};

	return {
		before: async () => (await similar())?.map(idOf) ?? null,
		looksFirst: true,
		find: async (lost, known) => {
			const unknown = (looked: RequestError['facts']['looked']) =>
				new RequestError(lost.kind === 'uncertain' ? 'dropped' : lost.kind, lost.outcome, {
					...lost.facts,
					looked,
				});
			if (!known) throw unknown('impossible');
			let read = false;
			for (const waitMs of lookAfterMs) {
				await pause(waitMs, client.signal, clock);
				const records = await similar();
				if (!records) continue;
				read = true;
				const others = journal.doneIds();
				const fresh = records.filter(
					(record) => !known.includes(idOf(record)) && !others.has(idOf(record)),
				);
				if (fresh.length > 1) throw unknown('several');
				if (fresh.length === 0) continue;
				hints.add(
					'The answer of the platform was lost, but what was asked for had been created. It was found there and not created again.',
				);
				return { records: fresh };
			}
			if (!read) throw unknown('impossible');
			if (execution.options(prepared.item).retryWrites === true) return undefined;
			throw unknown('missing');
		},
	};
}
