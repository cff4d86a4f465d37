import { countBy, type Dictionary, get, groupBy, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { type Finder, ifShown, lookAgain, type Verdict } from './finder';
import { type Delivering, readRecordBeside } from '../../execution';
import type { PreparedRequest } from '../../operation/preparedRequest';
import type { SearchParent } from '../../operation/recovery';
import { pathOfRead } from '../../operation/secondaryRead';

/** A record and how often each content is a part of it, without what this run added. */
interface Seen {
	record: IDataObject;
	parts: Dictionary<number>;
}

/** What a run knows of the records that its requests add parts to. */
interface Known {
	/** Requests that cannot be told apart. */
	alike: Dictionary<PreparedRequest[]>;
	/** Records as they were before the run, by URL. */
	seen: Map<string, Promise<Seen | undefined>>;
	/** Stands for the run. */
	mark: object;
}

const knownOf = new WeakMap<Delivering, Known>();

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
	const path = pathOfRead(parent, prepared.path);
	const nameIn = (address: string, part: IDataObject) => JSON.stringify([address, content(part)]);
	const name = nameIn(prepared.address, prepared.body);
	const known: Known = knownOf.get(execution) ?? {
		alike: groupBy(requests, ({ address, body }) => nameIn(address, body)),
		seen: new Map(),
		mark: {},
	};
	knownOf.set(execution, known);
	const place = `${client.workspace.origin}${prepared.address}`;
	const read = async (): Promise<Seen | undefined> => {
		const added = mapValues(
			known.alike,
			(same) => same.filter((one) => journal.recordOf(one)?.delivery).length,
		);
		const record = await ifShown(readRecordBeside(execution, prepared, parent));
		const parts: unknown = get(record, inside);
		if (!record || !Array.isArray(parts)) return undefined;
		const counted = countBy(parts, (part: IDataObject) => nameIn(prepared.address, part));
		return { record, parts: mapValues(counted, (count, one) => count - (added[one] ?? 0)) };
	};
	/** How many parts look like the request, without those of this run's other items. */
	const countIn = ({ parts }: Seen): number => parts[name] ?? 0;
	return {
		before: async () => {
			const isOwn = lastRun.get(place) === known.mark;
			lastRun.set(place, known.mark);
			const reading = (isOwn && known.seen.get(path)) || read();
			known.seen.set(path, reading);
			const seen = await reading;
			if (!seen) known.seen.delete(path);
			// What was added a moment ago may not be shown yet.
			return { known: seen ? [String(Math.max(0, countIn(seen)))] : null };
		},
		look: async (before) => {
			if (!before) return { unknown: 'impossible' };
			let wasRead = false;
			const found = await lookAgain<Verdict>(execution, async () => {
				const seen = await read();
				wasRead ||= seen !== undefined;
				return seen && countIn(seen) > Number(before[0])
					? { found: { records: [seen.record] } }
					: undefined;
			});
			return found ?? (wasRead ? { absent: 'missing' } : { unknown: 'impossible' });
		},
		delivered: (delivery) => {
			if (lastRun.get(place) !== known.mark) lastRun.delete(place);
			return delivery;
		},
		hint:
			"The platform's response was lost, but the request went through. Its result was found on the platform, so it " +
			'was not sent again.',
	};
}
