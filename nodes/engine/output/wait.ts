import type { IDataObject } from 'n8n-workflow';
import { type Execution, requestSettings } from '../execution';
import { clock, pause } from '../http/clock';
import { unwrap } from '../http/envelope';
import { RequestError } from '../http/requestError';
import type { WaitDefinition } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead } from '../operation/secondaryRead';
import { rethrow } from '../rethrow';

/** Reads in which a record may not be found yet. */
const readsUntilThere = 3;

/**
 * Reads a resource again and again until it says that it is done, the user's time-out is over or the execution is
 * stopped.
 * @param first the record of the request that began it; its values fill the path. After a read it may be done already
 * @returns the last record read, with `timedOut` true when the time-out was over first
 * @throws RequestError when the resource could not be read; Cancelled
 */
export async function waitFor(
	execution: Execution,
	prepared: PreparedRequest,
	wait: WaitDefinition,
	first: IDataObject,
): Promise<IDataObject> {
	const { client, hints } = execution;
	const limit = Number(execution.options(prepared.item).waitTimeout ?? wait.timeoutSeconds) * 1000;
	const path = pathOfRead(wait.read, prepared.path, first);
	const startedAt = clock.now();
	if (prepared.operation.method === 'GET' && wait.state(first) === 'done')
		return { ...first, timedOut: false };
	const read = async (mayBeMissing: boolean): Promise<IDataObject | undefined> => {
		try {
			const answer = await client.request({
				...requestSettings(execution, prepared),
				method: 'GET',
				path,
				class: 'read',
			});
			return unwrap(answer.body) as IDataObject;
		} catch (thrown) {
			const missing = thrown instanceof RequestError && thrown.facts.status === 404;
			return mayBeMissing && missing ? undefined : rethrow(thrown);
		}
	};
	for (let reads = 1; ; reads++) {
		await pause(
			Math.min(wait.everySeconds * 1000, Math.max(0, startedAt + limit - clock.now())),
			execution.signal ?? client.signal,
			clock,
		);
		// What was begun a moment ago may not be readable yet.
		const record = await read(reads <= readsUntilThere);
		const state = record ? wait.state(record) : 'waiting';
		if (state === 'done') return { ...first, ...record, timedOut: false };
		if (state === 'unknown') {
			hints.add(
				`A state was met that this node does not know ("${String(wait.says?.(record ?? {}) ?? record?.status).slice(0, 60)}"); it went on waiting.`,
			);
		}
		if (clock.now() - startedAt >= limit) {
			hints.add(
				`Waiting for ${wait.forWhat} ended after ${Math.round(limit / 1000)} seconds. Raise 'Wait Timeout' under Options to wait longer.`,
			);
			return { ...first, ...record, timedOut: true };
		}
	}
}
