import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { get, omit } from 'lodash';
import type { Prepared } from './prepare';

/** What this pack keeps in the node's execution context, which survives Retry On Fail and "Retry execution". */
interface Memory {
	/** Random once per execution and node; makes default request keys unique. */
	seed?: string;
	/** Answers of writes that were done in a try that did not finish, by mark. */
	done?: Record<string, IDataObject[]>;
	/**
	 * Writes without a documented key that left and whose outcome is unknown, by mark: IDs of
	 * the records that looked like it before, null where nobody could look.
	 */
	begun?: Record<string, string[] | null>;
}

/** What tells a record from others of its kind. */
export const idOf = (record: IDataObject): string =>
	String(record.uuid ?? record.id ?? JSON.stringify(record));

const digest = (...parts: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);

/**
 * Under which names a request says whom it reaches: agent and recipient (reference: call, sms, whatsapp, tasks, contacts).
 * A listing's contacts are not among them: a listing that is sent anew with one contact corrected keeps its key, because
 * under another one all the others would be called twice.
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

const targetOf = ({ body }: Prepared): unknown[] => targets.map((field) => get(body, field));

/**
 * Request keys and done-marks of one node run.
 *
 * The default key is made of the seed, the run index (loops), the item index and a hash of endpoint, agent and
 * recipient, so it is the same in every try of the same execution and different for everything else.
 * As an AI tool, run indexes can collide, so the tool call's own id is part of it; where n8n gives none,
 * the key is random per call and nothing is remembered.
 */
export class Keys {
	private readonly memory: Memory;

	private readonly run: number;

	/** Marks that this run asked for or set. */
	private readonly marks = new Set<string>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly asTool: boolean,
	) {
		const node = context.getContext('node') as { acp?: Memory };
		this.memory = node.acp ??= {};
		this.run = Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
	}

	/** The request key of a send whose item has none of its own. */
	keyFor(prepared: Prepared): string {
		const place = this.placeOf(prepared);
		if (place === undefined) return randomUUID();
		this.memory.seed ??= randomUUID();
		return digest(
			this.memory.seed,
			this.run,
			place,
			prepared.operation.endpoint,
			targetOf(prepared),
		);
	}

	/** Records of a write that an earlier try has already done, or nothing. */
	doneBefore(prepared: Prepared): IDataObject[] | undefined {
		const mark = this.mark(prepared);
		return mark === undefined ? undefined : this.memory.done?.[mark];
	}

	/** Remembers a write at once, so that it is not repeated whatever ends this try. */
	markDone(prepared: Prepared, records: IDataObject[]): void {
		const mark = this.mark(prepared);
		if (mark !== undefined) (this.memory.done ??= {})[mark] = records;
	}

	/** IDs of the records that finished items of this execution gave. */
	doneIds(): Set<string> {
		return new Set(
			Object.values(this.memory.done ?? {})
				.flat()
				.map(idOf),
		);
	}

	/**
	 * Remembers a write without a documented key before it is sent, so that a later try of the same execution does not
	 * send it again without knowing what became of it.
	 * @param before IDs of the records that looked like it before; null where nobody could look
	 */
	markBegun(prepared: Prepared, before: string[] | null): void {
		const mark = this.markOfBegun(prepared);
		if (mark !== undefined) (this.memory.begun ??= {})[mark] = before;
	}

	/** Forgets a write whose outcome is known. */
	forgetBegun(prepared: Prepared): void {
		const mark = this.markOfBegun(prepared);
		if (mark === undefined || !this.memory.begun) return;
		delete this.memory.begun[mark];
		if (Object.keys(this.memory.begun).length === 0) delete this.memory.begun;
	}

	/** What was noted when an earlier try began this write and did not learn its outcome; undefined when none did. */
	begunBefore(prepared: Prepared): string[] | null | undefined {
		const mark = this.markOfBegun(prepared);
		return mark === undefined ? undefined : this.memory.begun?.[mark];
	}

	/** A changed body is something else, so it is part of the mark. */
	private markOfBegun(prepared: Prepared): string | undefined {
		const mark = this.mark(prepared);
		return mark === undefined ? undefined : this.noted(`${mark}:${digest(prepared.body)}`);
	}

	private noted(mark: string): string {
		this.marks.add(mark);
		return mark;
	}

	/** Forgets the marks of this run's items when they will not be tried again. */
	finish(): void {
		for (const kind of ['done', 'begun'] as const) {
			const marks = this.memory[kind];
			if (!marks) continue;
			for (const mark of this.marks) delete marks[mark];
			if (Object.keys(marks).length === 0) delete this.memory[kind];
		}
	}

	/** What tells this request from all others of the run; nothing where n8n gives a tool call no id. */
	private placeOf(prepared: Prepared): unknown {
		if (!this.asTool) return prepared.item;
		const { toolCallId } = this.context.getInputData()[prepared.item]?.json ?? {};
		if (typeof toolCallId !== 'string' || toolCallId === '') return undefined;
		return [prepared.item, toolCallId, omit(prepared.body, 'request_key')];
	}

	private mark(prepared: Prepared): string | undefined {
		const place = this.placeOf(prepared);
		if (place === undefined) return undefined;
		return this.noted(
			`${this.run}:${digest(place, prepared.operation.endpoint, prepared.address, targetOf(prepared), prepared.body.request_key)}`,
		);
	}
}
