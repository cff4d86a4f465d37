import { randomUUID } from 'node:crypto';
import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { findKey, get, invert, isEmpty, mapValues, omit, pick } from 'lodash';
import type { Unproven } from '../response/verdict';
import { secretsOf } from '../secrets/secrets';
import { isPlainObject, digest, words } from '../text/text';

/** Which request it is, whatever later steps make of it (`journal/`). */
export interface Identity {
	/** Made of the run, the item or tool call, the endpoint, the path, whom it reaches, and the user's own key. */
	readonly name: string;
	/** Made of the run, the parameters as they were written, and the data of its items. */
	readonly place?: string;
	readonly content: string;
	/** A tool call without an ID: another one that says the same has the same name. */
	readonly isShared?: true;
}

export interface Delivery {
	records: IDataObject[];
	file?: IBinaryData;
	/** The platform accepted it, and nothing in its response shows that it was done. */
	unproven?: Unproven;
	/** The user's own key was used before with other content. */
	keyUsedBefore?: true;
}

/** A request, as far as it is told apart and remembered. */
export interface KnownRequest {
	readonly identity: Identity;
	readonly operation: { endpoint: string; method: string; allItems?: string };
	/** Input item it was made from; the first one for requests made from all. */
	readonly item: number;
	readonly items: number[];
	readonly pathValues: IDataObject;
	readonly path: string;
	readonly query: IDataObject;
	readonly body: IDataObject;
	readonly files: unknown[];
	/** The user's own request key as it was written, so it is the same whenever the workflow runs. */
	readonly ownKey?: string;
	readonly report: { rows: Record<string, { items: number[][] }> };
}

export interface Borders {
	batches: Array<[from: number, rows: number]>;
	/** A digest of the items of which the rows were made. */
	places: string;
}

export interface RequestRecord extends Pick<Identity, 'place' | 'content'> {
	/** `sent` and `unknown` leave open whether it was done; `refused` was certainly not. */
	state: 'planned' | 'sent' | 'done' | 'refused' | 'unknown';
	/** The request key that it carries, and the user's own as it was written. */
	key?: string;
	ownKey?: string;
	path?: string;
	delivery?: Delivery;
	/** While it is open: IDs of the records that looked like it before; null if that could not be read. */
	before?: string[] | null;
	/** While it is open: the request itself, unless it holds files or secrets. */
	request?: Pick<KnownRequest, 'pathValues' | 'path' | 'query' | 'body'>;
	borders?: Borders;
}

/** What this pack keeps in the node's execution context, which survives Retry On Fail and "Retry execution". */
interface JournalEntries {
	/** Random once per execution and node; makes default request keys unique. */
	seed?: string;
	requests?: Record<string, RequestRecord>;
}

/**
 * Under which names a request says whom it reaches: agent and recipient (reference: call, sms, whatsapp, tasks,
 * contacts). Not a listing's contacts: with a new key for one corrected row all others would be called twice.
 */
const targets = words(
	'agentId agent_uuid phoneNumber participant.number to templateId contact_uuid ' +
		'contact.phone_number contact.email phone_number',
);

/** A value with the keys of its objects in order: a saved workflow may hold them in another one. */
const inOrder = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(inOrder);
	if (!isPlainObject(value)) return value;
	return mapValues(pick(value, Object.keys(value).sort()), inOrder);
};

/** Options that change how the node runs and nothing of what it sends. */
const runningOptions = words(
	'advanced preview sameNumberTwice skipBlacklistedContacts startAgain skipNumbers',
);

const ofRead: Identity = { name: '', content: '' };

/** Whether it left, and its outcome is not known. */
export const isOpen = (record: RequestRecord | undefined): boolean =>
	record?.state === 'sent' || record?.state === 'unknown';

/** Another request that is sent for this one. It has the content of the whole: its own may be others next time. */
export const partOf = ({ name, content }: Identity, part: string): Identity => ({
	name: `${name}:${part}`,
	content,
});

/**
 * What one run of a node remembers for later tries of the same execution: one record per request. A default key is made
 * of the seed and the request's name. As an AI tool, run indexes can collide, so the tool call's own ID is part of the
 * name. If n8n passes none (MCP, older agents), a request is known by what it says: its key is random, because two calls
 * may both be meant, and it is remembered only while its outcome is unknown.
 */
export class RunJournal {
	private readonly entries: JournalEntries;
	private readonly run: number;
	/** This run's requests as they were prepared, by name: later steps change them. */
	private readonly prepared = new Map<string, KnownRequest>();
	/** Names of what earlier tries sent, by its place. */
	private readonly earlier: Record<string, string>;
	/** What a person has set in the node, expressions unresolved, as a digest. */
	private written?: string;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly asTool: boolean,
	) {
		const node = context.getContext('node') as { acp?: JournalEntries };
		this.entries = node.acp ??= {};
		this.earlier = invert(mapValues(this.records, ({ place = '' }) => place));
		this.run = Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
	}

	private get records(): Record<string, RequestRecord> {
		return this.entries.requests ?? {};
	}

	/**
	 * Names a request. The node and its items may be the same as in an earlier try: then values that differ come from
	 * expressions that are another in each try, and it is the request of that try. Only a person can mean another one.
	 * @param makesKey whether it carries a request key and the user has given none
	 */
	identified<Draft extends Omit<KnownRequest, 'identity'>>(
		draft: Draft,
		makesKey: boolean,
	): Draft & Pick<KnownRequest, 'identity'> {
		if (draft.operation.method === 'GET') return { ...draft, identity: ofRead };
		const place = this.placeOf(draft);
		const { operation, path, query, body, item } = draft;
		const content = digest(query, omit(body, 'request_key'));
		// A model that was told of a lost response asks for the same under another ID.
		const lost = findKey(
			this.records,
			(one) => isOpen(one) && one.content === content && one.request?.path === path,
		);
		const earlier = this.earlier[place ?? ''] ?? ((this.asTool && lost) || '');
		const known = this.records[earlier];
		if (place !== undefined && known)
			return this.asSent({ ...draft, identity: { name: earlier, place, content: known.content } });
		if (place === undefined) {
			const name = digest(operation.endpoint, path, content);
			const record = this.records[name];
			const key = record?.key ?? randomUUID();
			// One call takes it.
			delete record?.key;
			const keyed = makesKey ? { ...body, request_key: key } : body;
			return { ...draft, body: keyed, identity: { name, content, isShared: true } };
		}
		const told = targets.map((field) => get(body, field) as unknown);
		const of = this.asTool ? [item, this.toolCallOf(item), omit(body, 'request_key')] : item;
		const name = `${this.run}:${digest(of, operation.endpoint, path, told, body.request_key)}`;
		const key = makesKey && digest((this.entries.seed ??= randomUUID()), name);
		const keyed = key ? { ...body, request_key: key } : body;
		return this.asSent({ ...draft, body: keyed, identity: { name, place, content } });
	}

	/** A request as an earlier try sent it, while its outcome is unknown; its key is kept. */
	asSent<Prepared extends KnownRequest>(prepared: Prepared): Prepared {
		const { name, content } = prepared.identity;
		const record = this.recordOf(prepared);
		let sent = prepared;
		if (record?.content === content) {
			const { key, ownKey, request } = record;
			const body = key === undefined ? prepared.body : { ...prepared.body, request_key: key };
			sent = { ...prepared, ...(request ?? { body }), ownKey };
		}
		this.prepared.set(name, sent);
		return sent;
	}

	/** What is remembered of a request. It may have had another content: then a person has changed it since. */
	recordOf({ identity }: KnownRequest): RequestRecord | undefined {
		return this.records[identity.name];
	}

	/** Whether an earlier try of this execution has sent this request, and its key does not simply send it again. */
	sentBefore(prepared: KnownRequest): boolean {
		const record = this.recordOf(prepared);
		if (record?.state === 'done') return true;
		return record?.before !== undefined && record.content === prepared.identity.content;
	}

	/** Whether an earlier try sent it, or a part of its list, with other values, and its outcome is not known. */
	sentOtherwise({ identity: { name, content }, operation }: KnownRequest): boolean {
		const undivided = name.split(':', 2).join(':');
		return (operation.allItems ? Object.keys(this.records) : [name])
			.filter((one) => one === name || one.startsWith(undivided))
			.some((one) => isOpen(this.records[one]) && this.records[one]?.content !== content);
	}

	/** Whether an earlier try has sent another request for the same record after this one. */
	overtaken({ identity: { name }, path }: KnownRequest): boolean {
		const names = Object.keys(this.records);
		return names
			.slice(names.indexOf(name) + 1)
			.some((one) => this.records[one]?.path === path && this.records[one]?.state !== 'refused');
	}

	delivered(): IDataObject[] {
		return Object.values(this.records).flatMap(({ delivery }) => delivery?.records ?? []);
	}

	/** Remembers a request immediately, so that no later try repeats it, whatever ends this one. */
	note(
		{ identity, ...sent }: KnownRequest,
		state: RequestRecord['state'],
		facts: Pick<RequestRecord, 'delivery' | 'before' | 'borders'> = {},
	): void {
		const { name, place, content, isShared } = identity;
		const asPrepared = this.prepared.get(name);
		const { pathValues, path, query, body, files, ownKey } = asPrepared ?? sent;
		// Another call that says the same may be under way at this moment.
		if (isShared && state !== 'unknown') {
			if (state !== 'sent') delete this.records[name];
			return;
		}
		const key = typeof body.request_key === 'string' ? body.request_key : undefined;
		const { borders } = this.records[name] ?? {};
		const record: RequestRecord = { state, content, place, path, key, ownKey, borders, ...facts };
		// Secrets are looked for last: in a long list that takes a while.
		if (asPrepared && isOpen(record) && !files.length && !secretsOf([query, body], path).length)
			record.request = { pathValues, path, query, body };
		(this.entries.requests ??= {})[name] = record;
	}

	/** Remembers in which batches a list goes, before the first of them leaves. */
	plan(undivided: KnownRequest, borders: Borders): void {
		const record = this.recordOf(undivided);
		if (record && (isOpen(record) || record.state === 'done')) record.borders = borders;
		else this.note(undivided, 'planned', { borders });
	}

	/** Forgets this run's requests if they will not be tried again. */
	finish(): void {
		for (const name of this.prepared.keys()) delete this.records[name];
		if (isEmpty(this.records)) delete this.entries.requests;
	}

	private toolCallOf(item: number): string | undefined {
		const { toolCallId } = this.context.getInputData()[item]?.json ?? {};
		return typeof toolCallId === 'string' && toolCallId !== '' ? toolCallId : undefined;
	}

	/** Where a request comes from: this run of the node, what a person has set in it, and its items. */
	private placeOf({ operation, item, items, report }: Omit<KnownRequest, 'identity'>) {
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
		return digest(this.run, operation.endpoint, item, items, rows, data, this.written);
	}
}
