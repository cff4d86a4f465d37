import type { IDataObject } from 'n8n-workflow';
import { type Execution, readBeside } from '../execution';
import { clock } from '../http/clock';
import { guessing, pagesOf } from '../pages/pages';
import { RequestError, rethrow } from '../errors/requestError';
import type { WaitDefinition, WaitList } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead } from '../operation/secondaryRead';

/** Rounds in a row in which the list showed nothing of what is waited for; then it is not read any more. */
const mostFruitless = 3;

/**
 * All items of a run that wait for the same kind of record look in the same rounds: the list is read once for all of
 * them. It tells which record to read next, and what a record read by itself does not show.
 */
export class SharedPoller {
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
export function pollerOf(execution: Execution, wait: WaitDefinition): SharedPoller | undefined {
	if (!wait.list) return undefined;
	const poller = pollers.get(execution) ?? new SharedPoller(execution, wait, wait.list);
	pollers.set(execution, poller);
	return poller;
}
