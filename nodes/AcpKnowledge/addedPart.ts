import { countBy, get, groupBy, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { ifShown, looking } from '../engine/deliver/recovery/finder';
import { readRecordBeside } from '../engine/execution';
import { learn, recall } from '../engine/http/learned';
import { pathOfRead, type SecondaryRead } from '../engine/operation/secondaryRead';
import type { Finder, PreparedRequest, OwnFinder, Delivering } from '../engine/operation/operation';

interface AddedTo {
	in: SecondaryRead;
	inside: string;
	/** By what a part is recognized, in the record and in the body of the request that adds it. */
	content: (part: IDataObject) => string;
}

/** A record and how often each content is a part of it, without what this run added. */
interface Parts {
	record: IDataObject;
	counts: Record<string, number>;
}

interface KnownParts {
	alike: Record<string, PreparedRequest[]>;
	readings: Map<string, Promise<Parts | undefined>>;
	mark: object;
}

const partsOf = new WeakMap<Delivering, KnownParts>();

/** Equal parts cannot be told apart, so they are counted: one more than before and than this run added is the lost one. */
function findInParent(
	execution: Delivering,
	prepared: PreparedRequest,
	{ in: parent, inside, content }: AddedTo,
): Finder {
	const { client, journal, requests } = execution;
	const { path, body } = prepared;
	const parentPath = pathOfRead(parent, prepared.pathValues);
	const nameIn = (where: string, part: IDataObject) => JSON.stringify([where, content(part)]);
	const name = nameIn(path, body);
	const known = partsOf.get(execution) ?? {
		alike: groupBy(requests, (one) => nameIn(one.path, one.body)),
		readings: new Map(),
		mark: {},
	};
	partsOf.set(execution, known);
	/** The run that alone adds parts to the record: any other run reads the record again before it adds one. */
	const lastRun = [client.workspace.origin, 'last run', path];
	const read = async (): Promise<Parts | undefined> => {
		const added = mapValues(
			known.alike,
			(same) => same.filter((one) => journal.recordOf(one)?.delivery).length,
		);
		const record = await ifShown(readRecordBeside(execution, prepared, parent));
		const parts: unknown = get(record, inside);
		if (!record || !Array.isArray(parts)) return undefined;
		const counted = countBy(parts, (part: IDataObject) => nameIn(path, part));
		return { record, counts: mapValues(counted, (count, one) => count - (added[one] ?? 0)) };
	};
	const countIn = ({ counts }: Parts): number => counts[name] ?? 0;
	return {
		turn: [path, content(body)],
		first: async () => {
			const isOwn = recall(lastRun) === known.mark;
			learn(lastRun, known.mark);
			const reading = (isOwn && known.readings.get(parentPath)) || read();
			known.readings.set(parentPath, reading);
			const seen = await reading;
			if (!seen) known.readings.delete(parentPath);
			// What was added a moment ago may not be shown yet.
			return { before: seen ? [String(Math.max(0, countIn(seen)))] : null };
		},
		look: looking(execution, read, (seen, [before]) =>
			countIn(seen) > Number(before)
				? { found: { records: [seen.record] } }
				: { absent: 'missing' },
		),
		delivered: (delivery) => {
			if (recall(lastRun) !== known.mark) learn(lastRun, undefined);
			return delivery;
		},
		hint: "The platform's response was lost, but the request went through. Its result was found on the platform, so it was not sent again.",
	};
}

export const addedTo = (where: AddedTo): OwnFinder => ({
	by: 'finder',
	finderOf: (execution, prepared) => findInParent(execution, prepared, where),
});
