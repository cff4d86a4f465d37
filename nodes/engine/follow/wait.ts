import type { IDataObject } from 'n8n-workflow';
import { get, mergeWith } from 'lodash';
import { type Delivering, type Execution, readBeside, readRecordBeside } from '../execution';
import { clock, pause } from '../http/clock';
import { guessing, pagesOf } from '../pages/pages';
import { RequestError, rethrow } from '../errors/requestError';
import type { WaitDefinition, WaitList } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead } from '../operation/secondaryRead';
import { refuseOthers } from '../answer/recipient';
import { maskWebhooks } from '../secrets/secrets';

/** Rounds in a row in which the list showed nothing of what is waited for; then it is not read any more. */
const mostFruitless = 3;

/**
 * All items of a run that wait for the same kind of record look in the same rounds: the list is read once for all of
 * them. It tells which record to read next, and what a record read by itself does not show.
 */
class SharedPoller {
	private readonly startedAt = clock.now();
	/** By ID what items wait for; true: its own record does not show whether it is done, so the list is always read. */
	readonly waiting = new Map<string, boolean>();
	private latest: { round: number; rows: Promise<Map<string, IDataObject>> } | undefined;
	private fruitless = 0;

	constructor(
		private readonly execution: Execution,
		private readonly wait: WaitDefinition,
		private readonly list: WaitList,
	) {}

	get nextIn(): number {
		const everyMs = this.wait.everySeconds * 1000;
		return everyMs - ((clock.now() - this.startedAt) % everyMs);
	}

	/** What the list says of one record; nothing if it does not show the record, or not its state. @throws Cancelled */
	async rowOf(id: string, prepared: PreparedRequest): Promise<IDataObject | undefined> {
		const round = Math.round((clock.now() - this.startedAt) / (this.wait.everySeconds * 1000));
		if (this.latest?.round !== round) this.latest = { round, rows: this.read(prepared) };
		return (await this.latest.rows).get(id);
	}

	/** As many pages as show what is missing, newest first. A single missing one is usually read by itself. */
	private async read(prepared: PreparedRequest): Promise<Map<string, IDataObject>> {
		const { in: where, query, pageSize, rowId } = this.list;
		const rows = new Map<string, IDataObject>();
		const missing = new Set(this.waiting.keys());
		const isNeeded = [...this.waiting.values()].includes(true);
		const fewest = isNeeded ? 1 : 2;
		if (missing.size < fewest || (this.fruitless >= mostFruitless && !isNeeded)) return rows;
		const path = pathOfRead(where, prepared.path);
		const fetch = guessing(
			// If the list cannot be read now, each item reads its own record.
			async (page, reads) =>
				await readBeside(this.execution, prepared, path, { query: page, reads, maxRetries: 0 }),
			query,
		);
		try {
			// Pages that show nothing cost less than reading by itself what they do not show.
			let others = Math.ceil(missing.size / 4);
			const pages = pagesOf({ fetch, query: { page: 1 }, id: rowId, pageSize, width: 1 });
			for await (const page of pages) {
				const shown = page.rows.filter((row) => missing.delete(String(row[rowId])));
				for (const row of shown)
					if (this.wait.state(row) !== 'unknown') rows.set(String(row[rowId]), row);
				if (missing.size < fewest || (shown.length === 0 && --others < 0)) break;
			}
		} catch (thrown) {
			if (!(thrown instanceof RequestError)) rethrow(thrown);
		}
		this.fruitless = rows.size > 0 ? 0 : this.fruitless + 1;
		return rows;
	}
}

const pollers = new WeakMap<Execution, SharedPoller>();

/** Nothing if no list shows what is waited for. */
function pollerOf(execution: Execution, wait: WaitDefinition): SharedPoller | undefined {
	if (!wait.list) return undefined;
	const poller = pollers.get(execution) ?? new SharedPoller(execution, wait, wait.list);
	pollers.set(execution, poller);
	return poller;
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
