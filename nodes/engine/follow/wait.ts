import type { IDataObject } from 'n8n-workflow';
import { get, mergeWith } from 'lodash';
import { type Delivering, readRecordBeside } from '../execution';
import { clock, pause } from '../http/clock';
import { RequestError, rethrow } from '../errors/requestError';
import type { WaitDefinition } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { refuseOthers } from '../answer/recipient';
import { pollerOf } from './sharedPoller';
import { maskWebhooks } from '../secrets/secrets';

/** Reads in which a record may not be found yet. */
const readsUntilThere = 3;

export const namesNothing = (
	{ read, nothingNamed }: WaitDefinition,
	first: IDataObject,
): string | undefined =>
	Object.values(read.path).some(({ from, name }) => from === 'response' && !get(first, name))
		? nothingNamed
		: undefined;

/** A record with what its row in the list shows beside; if both say something, the record itself counts. */
const together = (row: IDataObject, record: IDataObject): IDataObject =>
	mergeWith({}, row, record, (shown: unknown, own: unknown) => {
		if (Array.isArray(own)) return own;
		return own === null || own === '' ? (shown ?? own) : undefined;
	}) as IDataObject;

function noteUnknown(hints: Set<string>, { says }: WaitDefinition, record: IDataObject = {}): void {
	hints.add(
		`The record has a state that this node does not know ("${String(says?.(record) ?? record.status).slice(0, 60)}"), so it kept waiting.`,
	);
}

/**
 * Reads a resource again and again until it says that it is done, the user's time-out is over or the execution is
 * stopped. If a list shows the resources of all items, it tells which one to read next.
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
	const hidesEnd = (record: IDataObject): boolean => wait.list?.hidesEnd?.(record) === true;
	const isOver = () => clock.now() >= end;
	const poller = pollerOf(execution, wait);
	const id = String(get(first, wait.list?.responseId ?? ''));
	poller?.waiting.set(id, false);
	try {
		for (let tries = 1; ;) {
			const untilNext = Math.min(poller?.nextIn ?? wait.everySeconds * 1000, end - clock.now());
			await pause(Math.max(0, untilNext), execution.signal, clock);
			const row = isOver() ? undefined : await poller?.rowOf(id, prepared);
			if (row && wait.state(row) === 'waiting' && !hidesEnd(row)) continue;
			// What was begun a moment ago may not be readable yet.
			const own = await read(tries++ <= readsUntilThere);
			if (own && hidesEnd(own)) poller?.waiting.set(id, true);
			const record = own && row ? together(row, own) : own;
			if (record && prepared.ownKey !== undefined) refuseOthers(prepared, record);
			const state = record ? wait.state(record) : 'waiting';
			if (state === 'done') return { ...first, ...record, timedOut: false };
			if (state === 'unknown') noteUnknown(hints, wait, record);
			if (isOver()) {
				hints.add(
					`Stopped waiting for ${wait.forWhat} after ${Math.round(limit)} seconds. Raise 'Wait Timeout' under Options to wait longer.`,
				);
				return { ...first, ...record, timedOut: true };
			}
		}
	} finally {
		poller?.waiting.delete(id);
	}
}
