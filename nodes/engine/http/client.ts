import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';
import { DateTime } from 'luxon';
import { Cancelled, type Clock, clock as realClock, pause, Deadline } from './clock';
import { readResponse } from '../response/verdict';
import { learn, recall } from './learned';
import { fileHop, mostHops } from './fileHop';
import { type FileSink, megabyte, storeStream, type Stream } from './fileStream';
import { limitsOf, type Departure, type LimitName, type Pace, paceOf, patienceMs } from './pace';
import { endpointOf } from './path';
import { type Outcome, RequestError, rethrow, worse } from '../errors/requestError';
import { type RequestClass, retryDelay } from './again';
import { cleanToken, markOf, type Workspace, workspaceOf } from './workspace';
import { secretsOf, withoutSecrets, withoutThese } from '../secrets/secrets';
import { sameZone, type Zone, zoneOf } from '../time';

export type Caller = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

/** Seconds to wait for a complete response if nobody chose any. */
export const defaultTimeout = 60;

export interface ClientRequest {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Below `/api/v1`, segments already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject | unknown[];
	form?: FormData;
	class: RequestClass;
	limitName?: LimitName;
	zone?: Zone;
	timeout?: number;
	maxRetries?: number;
	/** Maximum seconds of all tries together, while a person waits for a list. */
	within?: number;
	/** Reads what was asked for. If it throws a request error, the request is sent again as far as that is safe. */
	reads?: (body: unknown) => unknown;
	/** What must be done before it leaves, when it is its turn. It must not throw. */
	leaving?: () => Promise<void>;
	/** Told what all tries together may have done, when one leaves and when it has failed. */
	tells?: (outcome: Outcome) => void;
	file?: FileSink;
	/** Ends waiting; default: when the execution is stopped. Only a stopped execution ends a request that has left. */
	signal?: AbortSignal;
}

export interface PlatformResponse {
	status: number;
	headers: IDataObject;
	/** Parsed JSON, the text that a write was answered with, or what the file was stored as. */
	body: unknown;
}

/** How long a response counts that tells a zone: workspaces and members can change theirs. */
const zoneLastsMs = 5 * 60_000;

/** Values of a query that are repeated under the name itself, without brackets. */
export class Repeated {
	constructor(private readonly values: string[]) {}

	toJSON(): string[] {
		return this.values;
	}
}

/** Query values as the platform reads them; if it wants commas, the field joins them. */
function queryString(query: IDataObject): string {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		const key = Array.isArray(value) ? `${name}[]` : name;
		const entries: unknown = value instanceof Repeated ? value.toJSON() : (value ?? []);
		for (const entry of [entries].flat())
			parameters.append(key, typeof entry === 'object' ? JSON.stringify(entry) : String(entry));
	}
	const text = parameters.toString();
	return text && `?${text}`;
}

/** The only code that reaches the network: it adds the zone, keeps the pace, retries and has responses read. */
export class Client {
	/** What happened on the way, for the hint in the output panel; `otherZone`: what the platform applied instead. */
	readonly tally = { retried: 0, heldBack: 0, longestMs: 0, otherZone: '' };

	private constructor(
		private readonly caller: Caller,
		readonly workspace: Workspace,
		private readonly owner: string,
		private readonly clock: Clock,
		private readonly pace: Pace,
		/** No message may repeat these, whoever says them. */
		private readonly secrets: string[],
		/** Of whom is what is learned: the zone (interface §5 rule 9) and what is closed depend on the token. */
		readonly asWhom: string,
	) {}

	static async open(caller: Caller, clock: Clock = realClock): Promise<Client> {
		const credential = await caller.getCredentials('acpApi');
		const workspace = workspaceOf(credential);
		const owner = 'getExecutionId' in caller ? String(caller.getExecutionId()) : 'editor';
		const token = cleanToken(credential.token);
		const secrets = [token, workspace.webhookSecret];
		const asWhom = JSON.stringify([workspace.origin, markOf(token)]);
		const pace = paceOf(workspace.origin, clock);
		pace.sends.share(workspace.workers);
		return new Client(caller, workspace, owner, clock, pace, secrets, asWhom);
	}

	/** What a response said lately about the zone that applies if `asked` is none, or a Windows name. */
	learnedZone(asked: Zone): { zone?: Zone } | undefined {
		return recall([this.asWhom, 'zone', asked.name], this.clock.now());
	}

	/** @param applied as a response names it (interface §2.1 rules 5 and 6); undefined if it does not */
	learnZone(asked: Zone, applied: unknown): void {
		const named = zoneOf(applied);
		const zone = named?.type === 'iana' ? named : undefined;
		learn([this.asWhom, 'zone', asked.name], { zone }, this.clock.now() + zoneLastsMs);
	}

	get signal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.caller
			? this.caller.getExecutionCancelSignal()
			: undefined;
	}

	/** @throws RequestError with what all tries together may have done; Cancelled if waiting was ended */
	async request(call: ClientRequest): Promise<PlatformResponse> {
		const signal = call.signal ?? this.signal;
		const turn = {
			limitName: call.limitName ?? 'requests',
			endpoint: endpointOf(call.method, call.path),
			caller: this.asWhom,
			owner: this.owner,
			signal,
		};
		const end = this.clock.now() + (call.within ?? Infinity) * 1000;
		let refusedSince = Infinity;
		let waitedMs = 0;
		let heldBack = false;
		let outcome: Outcome = 'nothing';
		let last: RequestError | undefined;
		try {
			for (let attempt = 1, failures = 0; ; attempt++) {
				const departure = await this.pace.turn({ ...turn, until: refusedSince + patienceMs });
				// Its time was over before its next turn.
				if (!departure) throw last as RequestError;
				waitedMs += departure.waitedMs;
				heldBack ||= departure.waitedMs > 5;
				try {
					const left = Math.max(1, Math.ceil((end - this.clock.now()) / 1000));
					await call.leaving?.();
					call.tells?.('unknown');
					return await this.once(call, Math.min(call.timeout ?? defaultTimeout, left), departure);
				} catch (thrown) {
					if (!(thrown instanceof RequestError)) rethrow(thrown);
					outcome = thrown.outcome = worse(outcome, thrown.outcome);
					call.tells?.(outcome);
					thrown.attempts = attempt;
					last = thrown;
					const now = this.clock.now();
					const throttled = thrown.facts.status === 429;
					if (throttled) refusedSince = Math.min(refusedSince, now);
					else failures++;
					const past = { failures, throttledMs: Math.max(0, now - refusedSince) };
					const delay = retryDelay(thrown, call, past, this.clock.random);
					if (delay === undefined || now + delay >= end) rethrow(thrown);
					heldBack ||= throttled;
					waitedMs += delay;
					if (attempt === 1) this.tally.retried++;
					await pause(delay, signal, this.clock);
				}
			}
		} catch (thrown) {
			if (thrown instanceof RequestError) thrown.outcome = worse(outcome, thrown.outcome);
			if (!(thrown instanceof Cancelled)) rethrow(thrown);
			// The run ended, but the execution goes on: report what is known about this request.
			if (last && !this.signal?.aborted) throw last;
			return rethrow(new Cancelled(worse(outcome, thrown.outcome)));
		} finally {
			if (heldBack) this.tally.heldBack++;
			if (heldBack || last) this.tally.longestMs = Math.max(this.tally.longestMs, waitedMs);
		}
	}

	/** Reads a file outside the API, without any credential and as a stream. @throws RequestError, Cancelled */
	async readForeignFile<T>(url: URL, timeout: number, sink: FileSink<T>): Promise<T> {
		if (this.signal?.aborted) throw new Cancelled();
		const deadline = new Deadline(timeout, this.signal);
		try {
			const response = await this.follow(url, timeout, deadline.signal);
			const body = await readStream(response, deadline, sink);
			if (response.statusCode < 300) return body as T;
			throw new RequestError('status', 'nothing', {
				status: response.statusCode,
				message: 'The file could not be read from the URL that the platform returned',
			});
		} catch (thrown) {
			return rethrow(deadline.reasonOf(thrown));
		} finally {
			deadline.lift();
		}
	}

	/** Follows redirects, and checks each one first: n8n would follow them anywhere. */
	private async follow(from: URL, timeout: number, signal: AbortSignal) {
		for (let url = from, hops = 0; ; hops++) {
			const hop = new AbortController();
			const response = (await this.caller.helpers.httpRequest({
				...asStream(timeout),
				method: 'GET',
				url: url.href,
				abortSignal: AbortSignal.any([signal, hop.signal]),
			})) as IN8nHttpFullResponse;
			const { location } = response.headers;
			if (response.statusCode < 300 || response.statusCode >= 400 || typeof location !== 'string')
				return response;
			discardStream(response, () => hop.abort());
			if (hops === mostHops)
				throw new RequestError('status', 'nothing', {
					message: `The file URL redirects more than ${mostHops} times; the file was not read`,
				});
			url = fileHop(url, location, this.workspace.loopback);
		}
	}

	private async once(call: ClientRequest, timeout: number, departure: Departure) {
		if (this.signal?.aborted) throw new Cancelled();
		const { method, path, query = {}, body, form, file } = call;
		const zone = call.zone ?? this.workspace.zone;
		const options: IHttpRequestOptions = {
			...asStream(timeout),
			method,
			url: `${this.workspace.root}${path}${queryString(query)}`,
			headers: {
				accept: file ? '*/*' : 'application/json',
				...(zone.type === 'none' ? {} : { 'x-timezone': zone.name }),
				...(body ? { 'content-type': 'application/json' } : {}),
			},
			...(form ? { body: form } : body ? { body: JSON.stringify(body) } : {}),
			sendCredentialsOnCrossOriginRedirect: false,
		};
		const deadline = new Deadline(timeout, this.signal);
		let response: IN8nHttpFullResponse;
		let content: unknown;
		try {
			response = (await this.caller.helpers.httpRequestWithAuthentication.call(
				endedBy(deadline.signal, this.caller),
				'acpApi',
				options,
			)) as IN8nHttpFullResponse;
			content = await readStream(response, deadline, file);
		} catch (thrown) {
			return rethrow(deadline.reasonOf(thrown));
		} finally {
			deadline.lift();
		}
		const { statusCode: status, headers } = response;
		this.heed(query, status, headers['x-timezone'], zone);
		const clean = (text: string) => withoutSecrets(text, [...this.secrets, ...carriedBy(call)]);
		const isFile = file !== undefined && status < 300;
		// A platform that echoes the token would have n8n store it.
		const text = isFile ? '' : withoutThese(String(content), this.secrets);
		const received = { status, text, location: headers.location };
		const read = isFile ? { status, body: content } : readResponse(received, call, clean);
		const limits = limitsOf(headers, isFile ? undefined : read.body, read.status === 429);
		this.pace.observe(departure, { status: read.status, ...limits });
		if (read.error) throw read.error.with({ retryAfterMs: limits.retryAfterMs });
		return { status, headers, body: read.body };
	}

	/** The zone that the platform applied. It may map Windows names, so for these any response may be right. */
	private heed(query: IDataObject, status: number, applied: unknown, zone: Zone): void {
		if (typeof applied !== 'string') return;
		if (zone.type === 'iana') {
			if (status < 300 && !sameZone(zone.name, applied, DateTime.now()))
				this.tally.otherZone = applied;
			return;
		}
		// The platform refuses a wrong token or URL before it knows whose zone applies (interface §5 rules 3 and 6).
		const tells = status < 300 || status === 403 || status === 422;
		if (tells && !('timezone' in query)) this.learnZone(zone, applied);
	}
}

/** n8n's request helper overwrites the signal in the options by its context's; a copy would lack what n8n's classes hold. */
const endedBy = (signal: AbortSignal, caller: Caller): Caller =>
	Object.create(caller, { getExecutionCancelSignal: { value: () => signal } }) as Caller;

/** n8n's helper would follow redirects and hold any text in memory; its time-out comes after the deadline. */
const asStream = (timeoutSeconds: number) =>
	({
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: (timeoutSeconds + 5) * 1000,
	}) as const;

const carriedBy = ({ body, form, path, query }: ClientRequest): string[] =>
	[query, body, form && Object.fromEntries(form)].flatMap((content) => secretsOf(content, path));

const mostOfRefusal = 100_000;

/** Maximum megabytes of any other answer. A list is read in pages of at most 100 records, far below that. */
const mostOfAnswer = 64;

/** @returns the file if one was asked for, else text @throws RequestError `tooLarge`, `longAnswer`, `storage`; of the network */
export async function readStream<T>(
	{ body, headers, statusCode }: IN8nHttpFullResponse,
	deadline: Deadline,
	sink?: FileSink<T>,
): Promise<T | string> {
	const stream = body as Stream;
	// An error event without a listener ends the process.
	stream.on('error', () => {});
	const close = () => stream.destroy(new Error('Stopped waiting for the response'));
	if (deadline.signal.aborted) close();
	deadline.signal.addEventListener('abort', close);
	try {
		if (sink && statusCode < 300) return await storeStream(stream, headers, deadline, sink);
		const text = await readText(stream, sink ? mostOfRefusal : mostOfAnswer * megabyte);
		if (text.isComplete || statusCode >= 300) return text.read;
		throw new RequestError('longAnswer', 'done', { largest: mostOfAnswer });
	} finally {
		// This stream may only wrap the connection's own, which would stay open.
		if (!stream.readableEnded) deadline.end();
	}
}

function discardStream({ body }: IN8nHttpFullResponse, end: () => void): void {
	(body as Stream).on('error', () => {});
	end();
}

async function readText(
	stream: Stream,
	most: number,
): Promise<{ read: string; isComplete: boolean }> {
	const pieces: Buffer[] = [];
	let bytes = 0;
	for await (const piece of stream as AsyncIterable<Buffer>) {
		pieces.push(piece);
		bytes += piece.length;
		if (bytes > most) break;
	}
	return { read: new TextDecoder().decode(Buffer.concat(pieces)), isComplete: bytes <= most };
}
