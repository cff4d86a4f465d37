import type { IDataObject } from 'n8n-workflow';
import { type Finder, lookAfterMs, lookedFor } from './writeOnce';
import { type Execution, readBeside } from '../../execution';
import { clock, pause } from '../../http/clock';
import { objectOf, unwrap } from '../../http/envelope';
import { RequestError } from '../../errors/requestError';
import type { PreparedRequest } from '../../operation/preparedRequest';
import type { WatchRecord } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';
import { rethrow } from '../../errors/rethrow';

/** What is remembered of a record: its status, and when it changed last. */
const printOf = ({ status, updated_at: changed }: IDataObject): string[] =>
	[status, changed].map((value) => String(value ?? ''));

const notSent = (code: string, message: string, details: string): RequestError =>
	new RequestError('notSent', 'nothing', { code, message, details });

/** Records that a run has acted on, by their address, with the item that did. */
const begunInRun = new WeakMap<Execution, Map<string, number>>();

/**
 * Looks at the record that a costly action is about. It is refused where it would happen twice, and sent again only
 * with 'Retry Writes' and where nothing about the record has changed.
 */
export function findInRecord(
	execution: Execution,
	prepared: PreparedRequest,
	watch: WatchRecord,
): Finder {
	const { client, journal, hints, requests } = execution;
	const begun = begunInRun.get(execution) ?? new Map<string, number>();
	begunInRun.set(execution, begun);
	/** The record as it is now; nothing where the platform does not show it. */
	const look = async (): Promise<IDataObject | undefined> => {
		try {
			const answer = await readBeside(execution, prepared, pathOfRead(watch.in, prepared.path));
			return objectOf(unwrap(answer.body));
		} catch (thrown) {
			return thrown instanceof RequestError ? undefined : rethrow(thrown);
		}
	};

	return {
		before: async () => {
			if (!watch.refuses) return [];
			const first =
				begun.get(prepared.address) ??
				requests.find(
					(other) =>
						other !== prepared && other.address === prepared.address && journal.sentBefore(other),
				)?.item;
			if (first !== undefined)
				throw notSent(
					'SAME_RECORD',
					`Item ${first} is about the same record`,
					'It would happen twice, so it was sent only for that item.',
				);
			const record = await look();
			const why = record && watch.refuses(record);
			if (why) throw notSent('NOT_AGAIN', why.message, why.description);
			begun.set(prepared.address, prepared.item);
			return record ? printOf(record) : null;
		},
		looksFirst: true,
		find: async (lost, known, last) => {
			if (!known) throw lookedFor(lost, 'impossible');
			let read: IDataObject | undefined;
			for (const waitMs of lookAfterMs) {
				await pause(waitMs, client.signal, clock);
				const record = await look();
				if (!record) continue;
				read = record;
				if (!watch.shows(record, known[0])) continue;
				hints.add(
					"The platform's response was lost, but the record shows that the request went through. " +
						'It was not sent again.',
				);
				return { records: [record] };
			}
			if (!read) throw lookedFor(lost, 'impossible');
			if (known.length > 0 && printOf(read).join() !== known.join())
				throw lookedFor(lost, 'changed');
			if (execution.options(prepared.item).retryWrites === true && !last) return undefined;
			throw lookedFor(lost, 'unchanged');
		},
	};
}
