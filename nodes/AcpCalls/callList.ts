import type { IDataObject } from 'n8n-workflow';
import { mergeWith } from 'lodash';
import { RequestError, rethrow } from '../engine/errors/requestError';
import { readBeside } from '../engine/execution';
import { clock } from '../engine/http/clock';
import { perPage } from '../engine/operation';
import { guessing, pagesOf } from '../engine/pages/pages';
import { callOf, stateOfCall } from '../shared/callState';
import { stateWord } from '../engine/text/text';
import type { Watch, PreparedRequest, Delivering, Execution } from '../engine/operation/operation';

/** Milliseconds between two looks at a call. */
const everyMs = 5000;

/** Rounds in a row in which the list showed nothing of what is waited for; then it is not read any more. */
const mostFruitless = 3;

/** Newer conversations show their call without a status (reference: conversations): it may have ended unseen. */
const hidesEnd = (conversation: IDataObject): boolean =>
	stateOfCall(conversation) !== 'done' && stateWord(callOf(conversation)?.status) === '';

/** A record with what its row in the list shows beside; if both say something, the record itself counts. */
const together = (row: IDataObject, record: IDataObject): IDataObject =>
	mergeWith({}, row, record, (shown: unknown, own: unknown) => {
		if (Array.isArray(own)) return own;
		return own === null || own === '' ? (shown ?? own) : undefined;
	}) as IDataObject;

/** Items that wait look in the same rounds: the list of conversations is read once, and tells which one to read next. */
class CallList {
	private readonly startedAt = clock.now();
	/** By ID what items wait for; true: its own record does not show whether it is done, so the list is always read. */
	readonly waiting = new Map<string, boolean>();
	private latest: { round: number; rows: Promise<Map<string, IDataObject>> } | undefined;
	private fruitless = 0;

	constructor(private readonly execution: Execution) {}

	/** A millisecond late, so that the round has begun for certain: its list shows all that began to wait before it. */
	get nextIn(): number {
		return everyMs - ((clock.now() - this.startedAt) % everyMs) + 1;
	}

	async rowOf(id: string, prepared: PreparedRequest): Promise<IDataObject | undefined> {
		const round = Math.floor((clock.now() - this.startedAt) / everyMs);
		if (this.latest?.round !== round) this.latest = { round, rows: this.read(prepared) };
		return (await this.latest.rows).get(id);
	}

	/** As many pages as show what is missing, newest first. A single missing one is usually read by itself. */
	private async read(prepared: PreparedRequest): Promise<Map<string, IDataObject>> {
		const rows = new Map<string, IDataObject>();
		const missing = new Set(this.waiting.keys());
		const isNeeded = [...this.waiting.values()].includes(true);
		const fewest = isNeeded ? 1 : 2;
		if (missing.size < fewest || (this.fruitless >= mostFruitless && !isNeeded)) return rows;
		const fetch = guessing(
			// If the list cannot be read now, each item reads its own record.
			async (query, reads) =>
				await readBeside(this.execution, prepared, '/conversations', {
					query,
					reads,
					maxRetries: 0,
				}),
			{ channel: 'call', sort_by: 'created_at', sort_dir: 'desc' },
		);
		try {
			// Pages that show nothing cost less than reading by itself what they do not show.
			let others = Math.ceil(missing.size / 4);
			const pages = pagesOf({ fetch, query: { page: 1 }, pageSize: perPage, width: 1 });
			for await (const page of pages) {
				const shown = page.rows.filter(({ uuid }) => missing.delete(String(uuid)));
				for (const row of shown)
					if (stateOfCall(row) !== 'unknown') rows.set(String(row.uuid), row);
				if (missing.size < fewest || (shown.length === 0 && --others < 0)) break;
			}
		} catch (thrown) {
			if (!(thrown instanceof RequestError)) rethrow(thrown);
		}
		this.fruitless = rows.size > 0 ? 0 : this.fruitless + 1;
		return rows;
	}
}

const lists = new WeakMap<Execution, CallList>();

/** Looks at the call that one item waits for: the list of conversations tells when to read it. */
export function fromCallList(
	execution: Delivering,
	prepared: PreparedRequest,
	{ conversation_uuid: uuid }: IDataObject,
): Watch {
	const list = lists.get(execution) ?? new CallList(execution);
	lists.set(execution, list);
	const id = String(uuid);
	list.waiting.set(id, false);
	return {
		nextIn: () => list.nextIn,
		look: async (read, isLast) => {
			const row = isLast ? undefined : await list.rowOf(id, prepared);
			if (row && stateOfCall(row) === 'waiting' && !hidesEnd(row)) return 'waits';
			const own = await read();
			if (own && hidesEnd(own)) list.waiting.set(id, true);
			return own && row ? together(row, own) : own;
		},
		end: () => list.waiting.delete(id),
	};
}
