import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import { clock, pause } from './http/clock';
import { Fault } from './http/fault';
import type { WaitDefinition } from './operation';
import { unwrap } from './output';
import { segment, type Prepared } from './prepare';
import type { Run } from './run';

/** Reads in which a record may not be found yet. */
const readsUntilThere = 3;

/**
 * Reads a resource again and again until it says that it is done, the user's time-out is over
 * or the execution is stopped.
 * @param first the record of the request that began it; its values fill the path. After a read it may be done already
 * @returns the last record read, with `timedOut` true when the time-out was over first
 * @throws Fault when the resource could not be read; Cancelled
 */
export async function waitFor(
	running: Run,
	prepared: Prepared,
	wait: WaitDefinition,
	first: IDataObject,
): Promise<IDataObject> {
	const { gate, hints } = running;
	const limit = Number(running.options(prepared.item).waitTimeout ?? wait.timeoutSeconds) * 1000;
	const path = wait.path.replace(/\{([\w.]+)\}/g, (_, name: string) =>
		segment(get(first, name) ?? prepared.path[name] ?? ''),
	);
	const begun = clock.now();
	if (prepared.operation.method === 'GET' && wait.state(first) === 'done')
		return { ...first, timedOut: false };
	const read = async (mayBeMissing: boolean): Promise<IDataObject | undefined> => {
		try {
			const answer = await gate.request({
				...running.call(prepared),
				method: 'GET',
				path,
				class: 'read',
			});
			return unwrap(answer.body) as IDataObject;
		} catch (thrown) {
			const fault = thrown;
			if (mayBeMissing && fault instanceof Fault && fault.facts.status === 404) return undefined;
			throw fault;
		}
	};
	for (let reads = 1; ; reads++) {
		await pause(
			Math.min(wait.everySeconds * 1000, Math.max(0, begun + limit - clock.now())),
			running.signal ?? gate.signal,
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
		if (clock.now() - begun >= limit) {
			hints.add(
				`Waiting for ${wait.forWhat} ended after ${Math.round(limit / 1000)} seconds. Raise 'Wait Timeout' under Options to wait longer.`,
			);
			return { ...first, ...record, timedOut: true };
		}
	}
}
