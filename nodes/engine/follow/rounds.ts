import type { IDataObject } from 'n8n-workflow';
import { type Execution, readBeside } from '../execution';
import { clock } from '../http/clock';
import { guessing, pagesOf } from '../pages/pages';
import { RequestError } from '../errors/requestError';
import type { WaitDefinition, WaitList } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead } from '../operation/secondaryRead';
import { rethrow } from '../errors/rethrow';

/** Rounds in a row in which the list showed nothing of what is waited for; then it is not read any more. */
const mostFruitless = 3;

/**
 * All items of a run that wait for the same kind of record look in the same rounds: the list is read once for all of
 * them. It tells which record to read next, and what a record read by itself does not show.
 */
export class Rounds {
	private readonly startedAt = clock.now();
	private readonly waiting = new Set<string>();
	/** Those whose own records do not show whether they are done. */
	private readonly hidden = new Set<string>();
	private latest: { number: number; rows: Promise<Map<string, IDataObject>> } | undefined;
	private fruitless = 0;

	constructor(
		private readonly execution: Execution,
		private readonly wait: WaitDefinition,
		private readonly list: WaitList,
	) {}

	/** @param id of what an item waits for */
	join(id: string): void {
		this.waiting.add(id);
	}

	leave(id: string): void {
		this.waiting.delete(id);
		this.hidden.delete(id);
	}

	/** From now on the list is read for this one, whatever it costs: nothing else tells when it is done. */
	needs(id: string): void {
		this.hidden.add(id);
	}

	private get everyMs(): number {
		return this.wait.everySeconds * 1000;
	}

	/** Milliseconds until the next round. */
	get nextIn(): number {
		return this.everyMs - ((clock.now() - this.startedAt) % this.everyMs);
	}

	/**
	 * Each item calls it when a round begins; the first one reads the list for all.
	 * @returns what the list says of one record; nothing if it does not show the record, or not its state
	 * @throws Cancelled
	 */
	async rowOf(id: string, prepared: PreparedRequest): Promise<IDataObject | undefined> {
		const number = Math.round((clock.now() - this.startedAt) / this.everyMs);
		if (this.latest?.number !== number)
			this.latest = { number, rows: this.read(new Set(this.waiting), prepared) };
		return (await this.latest.rows).get(id);
	}

	/** As many pages as show what is missing, newest first. A single missing one is usually read by itself. */
	private async read(
		missing: Set<string>,
		prepared: PreparedRequest,
	): Promise<Map<string, IDataObject>> {
		const { in: where, query, pageSize, rowId } = this.list;
		const rows = new Map<string, IDataObject>();
		const fewest = this.hidden.size > 0 ? 1 : 2;
		if (missing.size < fewest || (this.fruitless >= mostFruitless && this.hidden.size === 0))
			return rows;
		const ask = guessing(
			async (page, reads) =>
				await readBeside(this.execution, prepared, pathOfRead(where, prepared.path), {
					query: page,
					reads,
					// If the list cannot be read now, each item reads its own record.
					maxRetries: 0,
				}),
			query,
		);
		try {
			// Pages that show nothing cost less than reading by itself what they do not show.
			let others = Math.ceil(missing.size / 4);
			for await (const page of pagesOf({
				fetch: ask,
				query: { page: 1 },
				id: rowId,
				pageSize,
				width: 1,
			})) {
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

const roundsOfRun = new WeakMap<Execution, Rounds>();

/** The rounds of a run; nothing if no list shows what is waited for. */
export function roundsOf(execution: Execution, wait: WaitDefinition): Rounds | undefined {
	if (!wait.list) return undefined;
	const rounds = roundsOfRun.get(execution) ?? new Rounds(execution, wait, wait.list);
	roundsOfRun.set(execution, rounds);
	return rounds;
}
