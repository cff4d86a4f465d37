import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import { readRecordBeside } from '../execution';
import { clock, pause } from '../http/clock';
import { RequestError, rethrow } from '../errors/requestError';
import { refuseOthers } from '../response/verdict';
import { maskWebhooks } from '../secrets/secrets';
import { isPlainObject, many } from '../text/text';
import type { PreparedRequest, WaitDefinition, Watch, Delivering } from '../operation/operation';

export const everySeconds = (seconds: number) => (): Watch => ({
	nextIn: () => seconds * 1000,
	look: async (read) => await read(),
	end: () => undefined,
});

/** Reads in which a record may not be found yet. */
const readsUntilThere = 3;

/** The name that the response lacks to find the record to wait for; the item goes on unchanged. */
export const lacks = ({ read }: WaitDefinition, first: IDataObject): string | undefined =>
	Object.values(read.path).find(({ from, name }) => from === 'response' && !get(first, name))?.name;

/** Every state that a record shows, its own and those of its parts, for messages. */
const statesIn = (record: IDataObject): string =>
	[record, ...Object.values(record).filter(isPlainObject)]
		.map((part) => (part as IDataObject).status)
		.filter(Boolean)
		.join(', ')
		.slice(0, 60);

const nothingYet = (thrown: unknown): undefined =>
	thrown instanceof RequestError && thrown.facts.status === 404 ? undefined : rethrow(thrown);

/** @param first record of the request that began it; after a read it may be done already @throws RequestError, Cancelled */
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
	const isOver = () => clock.now() >= end;
	let tries = 1;
	const read = async (): Promise<IDataObject | undefined> => {
		const reading = readRecordBeside(execution, prepared, wait.read, first);
		// What was begun a moment ago may not be readable yet.
		const own = await (tries++ <= readsUntilThere ? reading.catch(nothingYet) : reading);
		return own && maskWebhooks(own, wait.read.template);
	};
	const watch = wait.watch(execution, prepared, first);
	try {
		for (;;) {
			const untilNext = Math.min(watch.nextIn(), end - clock.now());
			await pause(Math.max(0, untilNext), execution.signal, clock);
			const record = await watch.look(read, isOver());
			if (record === 'waits') continue;
			if (record && prepared.ownKey !== undefined) refuseOthers(prepared, record);
			const state = record ? wait.state(record) : 'waiting';
			if (state === 'done') return { ...first, ...record, timedOut: false };
			if (state === 'unknown')
				hints.add(
					`The record has a state that this node does not know ("${statesIn(record ?? {})}"), so it kept waiting.`,
					'warning',
				);
			if (isOver()) {
				hints.add(
					`Stopped waiting for ${wait.forWhat} after ${many(Math.round(limit), 'second')}. Raise 'Wait Timeout' under Options to wait longer.`,
					'warning',
				);
				return { ...first, ...record, timedOut: true };
			}
		}
	} finally {
		watch.end();
	}
}
