import type { IDataObject } from 'n8n-workflow';
import { compact } from 'lodash';
import { tidy } from '../text/text';

/** `nothing`: certainly not done. `unknown`: perhaps. `done`: it was accepted, only the response is unreadable. */
export type Outcome = 'nothing' | 'unknown' | 'done';

export const worse = (...outcomes: Outcome[]): Outcome =>
	(['done', 'unknown'] as const).find((one) => outcomes.includes(one)) ?? 'nothing';

/** They pass by themselves: those of interface §7, and of proxies, 520 to 530 too. 423 names another client's lock. */
const isTemporary = (status: number): boolean =>
	[408, 423, 425, 429, 500, 502, 503, 504, 507, 509].includes(status) ||
	(status >= 520 && status <= 530);

/** A request that did not succeed, before it is put into words. */
export class RequestError extends Error {
	override name = 'RequestError';

	attempts = 1;

	constructor(
		readonly reason:
			| 'status'
			/** `success: false` with a success status, for no reason that a status stands for. */
			| 'refused'
			| 'connectionRefused'
			| 'name'
			| 'dropped'
			| 'timeout'
			| 'tls'
			| 'html'
			| 'unreadable'
			| 'redirect'
			/** A file. */
			| 'tooLarge'
			/** Any other answer. */
			| 'longAnswer'
			| 'storage'
			| 'uncertain'
			/** Of a request to another recipient: `message` is whom it was for, `details` whom it names. */
			| 'otherRecipient'
			/** Kept back by the node itself, because it would happen twice. */
			| 'notSent'
			/** The request before it, to which it belongs, did not succeed. */
			| 'notBegun'
			| 'unexpected',
		/** Of all tries together. */
		public outcome: Outcome,
		readonly facts: {
			status?: number;
			/** Machine-readable code of the envelope (interface §7) or of the network. */
			code?: string;
			message?: string;
			details?: string;
			field?: string;
			/** Of a conflict (409): it may hold the record that the request made before. */
			response?: unknown;
			retryAfterMs?: number;
			/** Not sent: the platform asked to wait, or it refuses everything there. */
			closed?: 'asked' | 'refusing';
			location?: string;
			/** What was asked for if something else came, and what that was. */
			asked?: 'list' | 'record' | 'file';
			received?: string;
			endpoint?: string;
			timeoutSeconds?: number;
			/** Megabytes that a file or an answer may have; `inMemory`: because n8n keeps files in memory. */
			largest?: number;
			inMemory?: boolean;
			/** The result of looking for a write whose response was lost. */
			looked?: 'missing' | 'several' | 'alike' | 'part' | 'impossible' | 'unchanged' | 'changed';
		} = {},
		cause?: unknown,
	) {
		super(facts.message ?? reason, { cause });
	}

	/** Whether it says why a run ended; what follows from something earlier does not. */
	get recent(): boolean {
		return this.reason !== 'uncertain' && this.reason !== 'notBegun';
	}

	/** Whether the platform did not accept what was asked (interface §7: 400, 422), for example an unknown parameter. */
	get isInvalidRequest(): boolean {
		return this.facts.status === 400 || this.facts.status === 422;
	}

	/** Whether the platform itself says that it has no such record (interface §7). Other 404 may be about anything. */
	get saysGone(): boolean {
		const { status, code } = this.facts;
		return this.reason === 'status' && status === 404 && code === 'RESOURCE_NOT_FOUND';
	}

	with(facts: RequestError['facts']): RequestError {
		return new RequestError(this.reason, this.outcome, { ...this.facts, ...facts }, this.cause);
	}

	/** Whether another try could help (interface §7, retry guidance). */
	get temporary(): boolean {
		const { status = 200 } = this.facts;
		if (this.reason === 'status') return isTemporary(status);
		// Something in between sends a page; with a success status, it responds in place of the platform.
		if (this.reason === 'html') return status < 400 || isTemporary(status);
		return ['connectionRefused', 'name', 'dropped', 'timeout', 'unreadable'].includes(this.reason);
	}
}

/** What the node itself keeps back. @param outcome of earlier tries */
export const notSent = (
	code: string,
	message: string,
	details = '',
	outcome: Outcome = 'nothing',
): RequestError => new RequestError('notSent', outcome, { code, message, details });

/** What went wrong beside the request, as a request error: it is not known how far the request came. */
export const unexpected = (thrown: unknown): RequestError => {
	const { message, description } = (thrown ?? {}) as IDataObject;
	const facts = { message: tidy(message ?? String(thrown)), details: tidy(description) };
	return new RequestError('unexpected', 'unknown', facts, thrown);
};

const ofCertificates =
	/CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|HOSTNAME_MISMATCH/;

/** Network codes (Node.js) by what they mean for the request; all others, for a connection that was lost. */
const codes: Array<[RegExp, RequestError['reason'], Outcome]> = [
	[/^ECONNREFUSED$/, 'connectionRefused', 'nothing'],
	[/^ENOTFOUND$|^EAI_/, 'name', 'nothing'],
	[ofCertificates, 'tls', 'nothing'],
	[/^ETIMEDOUT$/, 'timeout', 'unknown'],
];

interface NetworkFacts {
	code: string;
	text: string;
	syscall?: unknown;
}

/** The innermost facts about a network failure that n8n and axios wrap. */
function factsOf(error: unknown, depth = 0): NetworkFacts | undefined {
	if (typeof error !== 'object' || error === null || depth > 4) return undefined;
	const { code, message, syscall, cause, errorResponse, context } = error as IDataObject;
	const [inner] = compact([cause, errorResponse, context].map((one) => factsOf(one, depth + 1)));
	if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return inner;
	const below = inner?.code === code ? inner.syscall : undefined;
	return { code, text: String(message ?? ''), syscall: syscall ?? below };
}

/** n8n's request helper throws for the network only: it hands on statuses, and our deadline comes before its time-out. */
export function networkError(thrown: unknown, timeoutSeconds: number): RequestError {
	const { code, text = '', syscall }: Partial<NetworkFacts> = factsOf(thrown) ?? {};
	// The thrown object holds the whole request, token included; its text and code tell what happened.
	const cause = Object.assign(new Error(text), { code });
	// Nothing can have been sent on a connection that was never made.
	const known = syscall === 'connect' ? codes[0] : codes.find(([of]) => of.test(code ?? ''));
	const [, reason, outcome] = known ?? [code, 'dropped', 'unknown'];
	return new RequestError(reason, outcome, { ...(code && { code }), timeoutSeconds }, cause);
}

/** n8n's linter takes `throw thrown` in a `catch` for a mistake: n8n shows only its own errors well. These become such. */
export function rethrow(thrown: unknown): never {
	throw thrown;
}
