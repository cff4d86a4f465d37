import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import { type Delivering, readRecordBeside } from '../execution';
import { clock, pause } from '../http/clock';
import { RequestError, rethrow } from '../errors/requestError';
import type { WaitDefinition } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { refuseOthers } from '../answer/recipient';
import { maskWebhooks } from '../secrets/secrets';

/** What tells of a record beside its own read, for one item: a list that shows the records of all items. */
export interface Beside {
	/** Milliseconds until it may tell something new. */
	nextIn: () => number;
	/** Nothing if it does not show the record, or not its state. @throws Cancelled */
	row: () => Promise<IDataObject | undefined>;
	/** Whether the row alone shows that the record is not done. */
	waits: (row: IDataObject) => boolean;
	together: (own: IDataObject, row: IDataObject | undefined) => IDataObject;
	end: () => void;
}

declare module '../operation/operation' {
	interface WaitDefinition {
		/** A function beside the resource: what tells which record to read next, so that not each is read all the time. */
		beside?: (execution: Delivering, prepared: PreparedRequest, first: IDataObject) => Beside;
	}
}

/** Reads in which a record may not be found yet. */
const readsUntilThere = 3;

export const namesNothing = (
	{ read, nothingNamed }: WaitDefinition,
	first: IDataObject,
): string | undefined =>
	Object.values(read.path).some(({ from, name }) => from === 'response' && !get(first, name))
		? nothingNamed
		: undefined;

/**
 * Reads a resource again and again until it says that it is done, the user's time-out is over or the execution is
 * stopped.
 * @param first the record of the request that began it. After a read it may be done already
 * @throws RequestError, Cancelled
 */
export async function waitFor(
	execution: Delivering,
	prepared: PreparedRequest,
	wait: WaitDefinition,
	first: IDataObject,
): Promise<IDataObject> {
	const { hints } = execution;
	const limit = Number(execution.options(prepared.item).waitTimeout ?? wait.timeoutSeconds);
	const end = clock.now() + limit * 1000;
	if (prepared.operation.method === 'GET' && wait.state(first) === 'done')
		return { ...first, timedOut: false };
	const read = async (mayBeMissing: boolean): Promise<IDataObject | undefined> => {
		try {
			const record = await readRecordBeside(execution, prepared, wait.read, first);
			return maskWebhooks(record, wait.read.template);
		} catch (thrown) {
			const missing = thrown instanceof RequestError && thrown.facts.status === 404;
			return mayBeMissing && missing ? undefined : rethrow(thrown);
		}
	};
	const isOver = () => clock.now() >= end;
	const beside = wait.beside?.(execution, prepared, first);
	try {
		for (let tries = 1; ;) {
			const untilNext = Math.min(beside?.nextIn() ?? wait.everySeconds * 1000, end - clock.now());
			await pause(Math.max(0, untilNext), execution.signal, clock);
			const row = isOver() ? undefined : await beside?.row();
			if (row && beside?.waits(row)) continue;
			// What was begun a moment ago may not be readable yet.
			const own = await read(tries++ <= readsUntilThere);
			const record = own && beside ? beside.together(own, row) : own;
			if (record && prepared.ownKey !== undefined) refuseOthers(prepared, record);
			const state = record ? wait.state(record) : 'waiting';
			if (state === 'done') return { ...first, ...record, timedOut: false };
			const said = String((record && wait.says?.(record)) ?? record?.status).slice(0, 60);
			if (state === 'unknown')
				hints.add(
					`The record has a state that this node does not know ("${said}"), so it kept waiting.`,
				);
			if (isOver()) {
				hints.add(
					`Stopped waiting for ${wait.forWhat} after ${Math.round(limit)} seconds. Raise 'Wait Timeout' under Options to wait longer.`,
				);
				return { ...first, ...record, timedOut: true };
			}
		}
	} finally {
		beside?.end();
	}
}
