import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { get, isPlainObject, mapValues, omit, pick } from 'lodash';
import type { Delivery, PreparedRequest } from '../operation/preparedRequest';
import { runningOptions } from '../operation/runOptions';
import { secretsOf } from '../secrets/secrets';

/** What this pack keeps in the node's execution context, which survives Retry On Fail and "Retry execution". */
interface JournalEntries {
	/** Random once per execution and node; makes default request keys unique. */
	seed?: string;
	/** Results of the writes that an unfinished try has done, by mark. */
	done?: Record<string, Delivery>;
	/**
	 * Writes without a documented key that left and whose outcome is unknown, by mark: IDs of the records that looked
	 * like it before, null if that could not be read.
	 */
	pending?: Record<string, string[] | null>;
	/** Keys of sends whose outcome is unknown and whose tool call has no ID, by what they say. */
	keys?: Record<string, string>;
	/** In which batches the list of a request goes, by mark. */
	borders?: Record<string, Borders>;
	/** What left, by where it came from: node, run, items and their data. */
	sent?: Record<string, Sent>;
}

/** A request that left. Its values may be others in the next try (`$now`, a random number, `$execution.id`). */
interface Sent {
	done: string;
	pending: string;
	key?: string;
	ownKey?: string;
	/** The request itself while its outcome is unknown, unless it holds files or secrets. */
	request?: Pick<PreparedRequest, 'path' | 'address' | 'query' | 'body'>;
}

/** How a list is split. */
export interface Borders {
	/** From which row, and how many. */
	batches: Array<[from: number, rows: number]>;
	/** Of which items the rows were made, as a digest. */
	places: string;
}

/** Names under which the journal keeps what it knows of a request. */
interface Marks {
	/** Absent for a tool call without an ID: the same again may be another call. */
	done?: string;
	pending: string;
	/** The request as it was prepared, before further steps changed it. */
	from?: PreparedRequest;
}

/** What tells a record from others of its sort. */
export const idOf = (record: IDataObject): string =>
	String(record.uuid ?? record.id ?? JSON.stringify(record));

export const digest = (...parts: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);

/**
 * Under which names a request says whom it reaches: agent and recipient (reference: call, sms, whatsapp, tasks,
 * contacts). A listing's contacts are not among them: a listing that is sent again with one contact corrected keeps its
 * key, because with a new key all its other contacts would be called twice.
 */
const targets = [
	'agentId',
	'agent_uuid',
	'phoneNumber',
	'participant.number',
	'to',
	'templateId',
	'contact_uuid',
	'contact.phone_number',
	'contact.email',
	'phone_number',
];

/** A value with the keys of its objects in order: a saved workflow may hold them in another one. */
const inOrder = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(inOrder);
	if (!isPlainObject(value)) return value;
	const record = value as IDataObject;
	return mapValues(pick(record, Object.keys(record).sort()), inOrder);
};

const targetOf = ({ body }: PreparedRequest): unknown[] => targets.map((field) => get(body, field));

/**
 * What one run of a node remembers for later tries of the same execution: its request keys, what is done, and its
 * pending writes.
 *
 * The default key is made of the seed, the run index (loops), the item index and a hash of endpoint, agent and
 * recipient, so it is the same in every try of the same execution and different for everything else. As an AI tool, run
 * indexes can collide, so the tool call's own id is part of it. If n8n passes none (MCP, older agents), the key is
 * random per call, because two calls that say the same may both be meant. A call whose outcome is unknown is remembered
 * by what it says: the next call that says the same counts as the same call.
 */
export class RunJournal {
	private readonly entries: JournalEntries;

	private readonly run: number;

	/** Marks that this run asked for or set. */
	private readonly marks = new Set<string>();

	/** Places of this run's requests. */
	private readonly places = new Map<PreparedRequest, string>();

	/** What earlier tries sent: the mark of the content by that of the request. */
	private readonly sentEarlier: Map<string, string>;

	/** What a person has set in the node, expressions unresolved, as a digest. */
	private written?: string;

	/** The marks of each request as it was when they were first asked for: a consult may change its body afterwards. */
	private readonly known = new WeakMap<PreparedRequest, Marks>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly asTool: boolean,
	) {
		const node = context.getContext('node') as { acp?: JournalEntries };
		this.entries = node.acp ??= {};
		const sent = Object.values(this.entries.sent ?? {});
		this.sentEarlier = new Map(sent.map(({ done, pending }) => [done, pending]));
		this.run = Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
	}

	/** The request key of a send whose item has none of its own. */
	keyFor(prepared: PreparedRequest): string {
		const identity = this.identityOf(prepared);
		if (identity === undefined) return this.keptKeyOf(prepared) ?? randomUUID();
		this.entries.seed ??= randomUUID();
		return digest(
			this.entries.seed,
			this.run,
			identity,
			prepared.operation.endpoint,
			targetOf(prepared),
		);
	}

	/**
	 * A request as an earlier try sent it. The node and its items are the same, so values that differ come from
	 * expressions that are another in each try; only a person can mean another request. What is done stays done, what
	 * left is the request to look for, and its key is kept.
	 * @returns the request itself if no earlier try sent one from the same items
	 */
	asSent(prepared: PreparedRequest): PreparedRequest {
		const place = this.entries.sent && this.placeOf(prepared);
		const sent = place === undefined ? undefined : this.entries.sent?.[place];
		if (!sent) {
			this.known.set(prepared, { ...this.marksOf(prepared), from: prepared });
			return prepared;
		}
		const { done, pending, key, ownKey, request } = sent;
		const body = request?.body ?? {
			...prepared.body,
			...(key === undefined ? {} : { request_key: key }),
		};
		const before = { ...prepared, ...request, body, ownKey };
		this.known.set(before, { done, pending, from: before });
		return before;
	}

	/** Where a request comes from: this run of the node, what a person has set in it, and its items. */
	private placeOf(prepared: PreparedRequest): string | undefined {
		const known = this.places.get(prepared);
		if (known !== undefined) return known;
		const { operation, item, items, report } = prepared;
		// Beside its ID, the data of a tool call hold its arguments.
		if (this.asTool && this.toolCallOf(item) === undefined) return undefined;
		if (this.written === undefined) {
			const { options, ...parameters } = this.context.getNode().parameters;
			const chosen = omit(options as object, runningOptions);
			this.written = digest(inOrder({ ...parameters, options: chosen }));
		}
		const inputs = this.context.getInputData();
		const rows = Object.values(report.rows).map((made) => made.items);
		const data = items.map((one) => inputs[one]?.json);
		const place = digest(this.run, operation.endpoint, item, items, rows, data, this.written);
		this.places.set(prepared, place);
		return place;
	}

	/** Remembers what left, so that a later try knows it again. */
	private noteSent(prepared: PreparedRequest, isKnown: boolean): void {
		const { from } = this.marksOf(prepared);
		const place = from && this.placeOf(from);
		const { done, pending } = this.marksOf(from ?? prepared);
		if (from === undefined || place === undefined || done === undefined) return;
		const { path, address, query, body, files, ownKey } = from;
		const isKept = !isKnown && files.length === 0 && secretsOf([query, body], address).length === 0;
		(this.entries.sent ??= {})[place] = {
			done,
			pending,
			...(typeof body.request_key === 'string' ? { key: body.request_key } : {}),
			...(ownKey === undefined ? {} : { ownKey }),
			...(isKept ? { request: { path, address, query, body } } : {}),
		};
	}

	/** The key of an earlier call that said the same and whose outcome is unknown; it is taken once. */
	private keptKeyOf(prepared: PreparedRequest): string | undefined {
		const mark = this.marksOf(prepared).pending;
		const key = this.entries.keys?.[mark];
		if (key !== undefined) delete this.entries.keys?.[mark];
		return key;
	}

	/**
	 * Remembers a write whose outcome turned out to be unknown, also that of a tool call without an ID.
	 * @param before as in `markPending`; absent for a send with a documented key
	 */
	noteLost(prepared: PreparedRequest, before?: string[] | null): void {
		const { done, pending } = this.marksOf(prepared);
		if (before !== undefined) (this.entries.pending ??= {})[pending] = before;
		const { request_key: key } = prepared.body;
		this.noteSent(prepared, false);
		if (done === undefined && typeof key === 'string' && !prepared.ownKey)
			(this.entries.keys ??= {})[pending] = key;
	}

	/** The result of a write that an earlier try has already done, or nothing. */
	deliveryOf(prepared: PreparedRequest): Delivery | undefined {
		const mark = this.mark(prepared);
		return mark === undefined ? undefined : this.entries.done?.[mark];
	}

	/** Whether an earlier try has done this write with other values, which a person has changed since. */
	doneOtherwise(prepared: PreparedRequest): boolean {
		const { done = '', pending } = this.marksOf(prepared);
		return (this.sentEarlier.get(done) ?? pending) !== pending;
	}

	/** Remembers a write immediately, so that no later try repeats it, whatever ends this one. */
	markDone(prepared: PreparedRequest, delivery: Delivery): void {
		const mark = this.mark(prepared);
		if (mark !== undefined) (this.entries.done ??= {})[mark] = delivery;
		this.noteSent(prepared, true);
	}

	/** IDs of the records that finished items of this execution returned. */
	doneIds(): Set<string> {
		const deliveries = Object.values(this.entries.done ?? {});
		return new Set(deliveries.flatMap(({ records }) => records.map(idOf)));
	}

	/**
	 * Remembers a write without a documented key before it is sent, so that a later try of the same execution does not
	 * send it again without knowing its outcome.
	 * @param before IDs of the records that looked like it before; null if that could not be read
	 */
	markPending(prepared: PreparedRequest, before: string[] | null): void {
		const mark = this.markOfPending(prepared);
		// Another call that says the same may be under way at this moment.
		if (this.marksOf(prepared).done === undefined) return;
		(this.entries.pending ??= {})[mark] = before;
		this.noteSent(prepared, false);
	}

	/** Forgets a write whose outcome is known. */
	settle(prepared: PreparedRequest): void {
		const mark = this.markOfPending(prepared);
		this.noteSent(prepared, true);
		if (!this.entries.pending) return;
		delete this.entries.pending[mark];
		if (Object.keys(this.entries.pending).length === 0) delete this.entries.pending;
	}

	/** What was noted when an earlier try sent this write and did not learn its outcome; undefined if none did. */
	pendingBefore(prepared: PreparedRequest): string[] | null | undefined {
		return this.entries.pending?.[this.markOfPending(prepared)];
	}

	/**
	 * Whether an earlier try sent this write with other values, which a person has changed since, and did not learn its
	 * outcome.
	 */
	sentOtherwise(prepared: PreparedRequest): boolean {
		const partsOf = (mark: string) => mark.split(':');
		const [run, done, content] = partsOf(this.marksOf(prepared).pending);
		if (content === undefined) return false;
		return Object.keys(this.entries.pending ?? {})
			.map(partsOf)
			.some((other) => other[0] === run && other[1] === done && other[2] !== content);
	}

	/** Whether an earlier try of this execution sent this write. */
	sentBefore(prepared: PreparedRequest): boolean {
		return this.deliveryOf(prepared) !== undefined || this.pendingBefore(prepared) !== undefined;
	}

	/** In which batches an earlier try sent, or was to send, the list of a request. */
	bordersOf(whole: PreparedRequest): Borders | undefined {
		const mark = this.mark(whole);
		return mark === undefined ? undefined : this.entries.borders?.[mark];
	}

	/** Remembers in which batches a list goes, before the first of them leaves. */
	noteBorders(whole: PreparedRequest, borders: Borders): void {
		const mark = this.mark(whole);
		if (mark !== undefined) (this.entries.borders ??= {})[mark] = borders;
	}

	/**
	 * Marks a part of a request by its borders: its rows may be fewer in a later try, because others are left out then.
	 * A part that holds all rows is the request itself.
	 */
	notePart(whole: PreparedRequest, part: PreparedRequest, borders?: [number, number]): void {
		const marks = this.marksOf(whole);
		const done = borders ? this.marksOf(part).done : marks.done;
		if (done === undefined) return;
		const pending = borders ? `${marks.pending}:${borders.join('+')}` : marks.pending;
		this.known.set(part, { done, pending, from: marks.from });
	}

	/** A request that another step made of one keeps its marks. @returns it */
	sameAs(before: PreparedRequest, after: PreparedRequest): PreparedRequest {
		this.known.set(after, this.marksOf(before));
		return after;
	}

	/** Forgets the marks of this run's items if they will not be tried again. */
	finish(): void {
		const { sent = {} } = this.entries;
		for (const place of this.places.values()) delete sent[place];
		if (Object.keys(sent).length === 0) delete this.entries.sent;
		for (const entry of ['done', 'pending', 'borders'] as const) {
			const marks = this.entries[entry];
			if (!marks) continue;
			for (const mark of this.marks) delete marks[mark];
			if (Object.keys(marks).length === 0) delete this.entries[entry];
		}
	}

	/** What tells this request from all others of the run; nothing if n8n passes no id for a tool call. */
	private identityOf(prepared: PreparedRequest): unknown {
		if (!this.asTool) return prepared.item;
		const toolCallId = this.toolCallOf(prepared.item);
		if (toolCallId === undefined) return undefined;
		return [prepared.item, toolCallId, omit(prepared.body, 'request_key')];
	}

	private toolCallOf(item: number): string | undefined {
		const { toolCallId } = this.context.getInputData()[item]?.json ?? {};
		return typeof toolCallId === 'string' && toolCallId !== '' ? toolCallId : undefined;
	}

	/** A changed body is another write, so the body is part of the mark of a pending write. */
	private marksOf(prepared: PreparedRequest): Marks {
		const known = this.known.get(prepared);
		if (known) return known;
		const identity = this.identityOf(prepared);
		const marks =
			identity === undefined ? this.marksOfContent(prepared) : this.marksOfItem(prepared, identity);
		this.known.set(prepared, marks);
		return marks;
	}

	private marksOfItem(prepared: PreparedRequest, identity: unknown): Marks {
		const { operation, body, batchOf } = prepared;
		// The path of a batch is known only when the first one is done; which that is says enough.
		const address = batchOf ? this.marksOf(batchOf).done : prepared.address;
		const done = `${this.run}:${digest(identity, operation.endpoint, address, targetOf(prepared), body.request_key)}`;
		return { done, pending: `${done}:${digest(body)}` };
	}

	private marksOfContent({ operation, address, body }: PreparedRequest): Marks {
		return {
			pending: `call:${digest(operation.endpoint, address, omit(body, 'request_key'))}`,
		};
	}

	private mark(prepared: PreparedRequest): string | undefined {
		return this.noted(this.marksOf(prepared).done);
	}

	private markOfPending(prepared: PreparedRequest): string {
		const { done, pending } = this.marksOf(prepared);
		// What a call without an ID left behind stays for the next one.
		if (done !== undefined) this.noted(pending);
		return pending;
	}

	private noted(mark: string | undefined): string | undefined {
		if (mark !== undefined) this.marks.add(mark);
		return mark;
	}
}
