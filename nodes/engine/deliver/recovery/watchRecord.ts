import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, ifShown, lookAgain, type Verdict } from './finder';
import { type Delivering, readRecordBeside } from '../../execution';
import { RequestError } from '../../errors/requestError';
import type { PreparedRequest } from '../../operation/preparedRequest';
import type { WatchRecord } from '../../operation/recovery';

const notSent = (code: string, message: string, details: string): RequestError =>
	new RequestError('notSent', 'nothing', { code, message, details });

/** Looks at the record that a costly action is about. The action is refused if it would happen twice. */
export function findInRecord(
	execution: Delivering,
	prepared: PreparedRequest,
	watch: WatchRecord,
): Finder {
	const { journal, requests } = execution;
	/** What is remembered of a record: its status, when it changed last, and what the request changes. */
	const printOf = (record: IDataObject): string[] =>
		[
			record.status,
			record.updated_at,
			...Object.values(pick(record, Object.keys(prepared.body))),
		].map((value) => (typeof value === 'string' ? value : JSON.stringify(value ?? '')));
	const read = async () => await readRecordBeside(execution, prepared, watch.in);
	const refuseTwice = (): void => {
		const first = requests.find(
			(other) =>
				other !== prepared && other.address === prepared.address && journal.sentBefore(other),
		);
		if (!first) return;
		throw notSent(
			'SAME_RECORD',
			`Item ${first.item} is about the same record`,
			'It would happen twice, so it was sent only for that item.',
		);
	};

	return {
		before: async () => {
			const { refuses, changes } = watch;
			if (!refuses && !changes) return { known: [] };
			if (!refuses) {
				const record = await ifShown(read());
				return { known: record ? printOf(record) : null };
			}
			refuseTwice();
			const record = await read();
			const why = refuses(record);
			if (why) throw notSent('NOT_AGAIN', why.message, why.description);
			return { known: printOf(record) };
		},
		look: async (known) => {
			if (!known) return { unknown: 'impossible' };
			let wasRead = false;
			let wasChanged = false;
			const isChanged = (record: IDataObject): boolean =>
				known.length > 0 && printOf(record).join() !== known.join();
			const found = await lookAgain<Verdict>(execution, async () => {
				const record = await ifShown(read());
				wasRead ||= record !== undefined;
				wasChanged ||= record !== undefined && isChanged(record);
				if (!record || !watch.shows(record, prepared.body)) return undefined;
				// A state from before the request left says nothing about the request.
				if (watch.changes && !isChanged(record)) return undefined;
				return { found: { records: [record] } };
			});
			if (found) return found;
			if (!wasRead) return { unknown: 'impossible' };
			return wasChanged ? { unknown: 'changed' } : { absent: 'unchanged' };
		},
		hint:
			"The platform's response was lost, but the record shows that the request went through. It was not " +
			'sent again.',
	};
}
