import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IWebhookFunctions,
} from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import { DateTime } from 'luxon';
import { learnedZone, learnZone } from './appliedZones';
import { Cancelled, type Clock, clock as realClock, pause } from './clock';
import { Deadline } from './deadline';
import { errorFactsOf, refusalOf } from '../answer/answer';
import { parseExactly } from './exactJson';
import { fileHop, mostHops } from './fileHop';
import { discardStream, type FileSink, readStream } from './fileStream';
import { limitsOf } from './limits';
import { type Departure, type LimitName, type Pace, paceOf, patienceMs } from './pace';
import { endpointOf } from './path';
import { type Outcome, RequestError, worse } from '../errors/requestError';
import { type RequestClass, retryDelay } from './again';
import { cleanToken, markOf, type Workspace, workspaceOf } from './workspace';
import { rethrow } from '../errors/rethrow';
import { secretsOf, withoutSecrets } from '../secrets/secrets';
import { tidy } from '../text/text';
import { sameZone, type Zone } from '../time';

export type Caller = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IWebhookFunctions;

/** One request to the platform, as everything above the client describes it. */
export interface ClientRequest {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Below `/api/v1`, segments already encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject | unknown[];
	/** Multipart instead of JSON. */
	form?: FormData;
	class: RequestClass;
	limitName?: LimitName;
	zone?: Zone;
	/** Maximum seconds until the response of a try is complete. */
	timeout?: number;
	/** Further tries after the first. */
	maxRetries?: number;
	/** Maximum seconds of all tries together, while a person waits for a list. */
	within?: number;
	/**
	 * Reads what was asked for from the response's JSON. If it throws a request error, the response is unreadable, and
	 * the request is sent again as far as that is safe.
	 */
	reads?: (body: unknown) => unknown;
	/** Told what all tries together may have done, when one leaves and when it has failed. */
	tells?: (outcome: Outcome) => void;
	/** Takes the response as a file instead of JSON. */
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

/** What happened on the way, for the hint in the output panel. */
export interface Tally {
	/** Requests that were sent more than once. */
	retried: number;
	/** Requests that waited for their turn or after a 429. */
	heldBack: number;
	/** Maximum time that one request waited in total, retries included. */
	longestMs: number;
	/** Zone that the platform applied instead of the one that was asked for. */
	otherZone?: string;
}

/** Values of a query that are repeated under the name itself, without brackets. */
export class Repeated extends Array<string> {}

/**
 * Query values as the platform reads them: a list is repeated under `name[]`. If the platform wants commas, the field
 * joins them.
 */
function queryString(query: IDataObject): string {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value === undefined || value === null) continue;
		for (const entry of Array.isArray(value) ? value : [value]) {
			parameters.append(
				Array.isArray(value) && !(value instanceof Repeated) ? `${name}[]` : name,
				typeof entry === 'object' ? JSON.stringify(entry) : String(entry),
			);
		}
	}
	const text = parameters.toString();
	return text ? `?${text}` : '';
}

/**
 * The only code that reaches the network. Everything for the platform goes through `request`, which adds the zone,
 * keeps the pace, retries and reads the response. Files that are stored outside the API come through `readForeignFile`.
 */
export class Client {
	readonly tally: Tally = { retried: 0, heldBack: 0, longestMs: 0 };

	private constructor(
		private readonly caller: Caller,
		readonly workspace: Workspace,
		private readonly owner: string,
		private readonly clock: Clock,
		/** No message may repeat these, whoever says them. */
		private readonly secrets: string[],
		/** Of whom is what is learned: the zone (interface §5 rule 9) and what is closed depend on the token. */
		private readonly asWhom: string,
	) {}

	/** @throws InvalidBaseUrl */
	static async open(caller: Caller, clock: Clock = realClock): Promise<Client> {
		const credential = await caller.getCredentials('acpApi');
		const workspace = workspaceOf(credential);
		const owner = 'getExecutionId' in caller ? String(caller.getExecutionId()) : 'editor';
		const token = cleanToken(credential.token);
		const secrets = [token, workspace.webhookSecret];
		const asWhom = JSON.stringify([workspace.origin, markOf(token)]);
		paceOf(workspace.origin, clock).share(workspace.workers);
		return new Client(caller, workspace, owner, clock, secrets, asWhom);
	}

	/** What the platform's responses say about the zone that it applies if `asked` is none that luxon knows. */
	learnedZone(asked: Zone): ReturnType<typeof learnedZone> {
		return learnedZone(this.asWhom, asked);
	}

	/** @param applied as a response names it; undefined if it does not */
	learnZone(asked: Zone, applied: unknown): void {
		learnZone(this.asWhom, asked, applied);
	}

	private get pace(): Pace {
		return paceOf(this.workspace.origin, this.clock);
	}

	get signal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.caller
			? this.caller.getExecutionCancelSignal()
			: undefined;
	}

	/**
	 * Sends one request, retries it if that is safe, and reads its response.
	 * @returns the response of a status below 300
	 * @throws RequestError if it did not succeed, with what all tries together may have done; Cancelled if waiting was
	 * ended
	 */
	async request(call: ClientRequest): Promise<PlatformResponse> {
		const signal = call.signal ?? this.signal;
		const endpoint = endpointOf(call.method, call.path);
		let refusedSince: number | undefined;
		let waitedMs = 0;
		let heldBack = false;
		let outcome: Outcome = 'nothing';
		let last: RequestError | undefined;
		const end = this.clock.now() + (call.within ?? Infinity) * 1000;
		try {
			for (let attempt = 1, failures = 0; ; attempt++) {
				const departure = await this.pace.turn({
					limitName: call.limitName ?? 'requests',
					endpoint,
					caller: this.asWhom,
					owner: this.owner,
					signal,
					until: refusedSince === undefined ? undefined : refusedSince + patienceMs,
				});
				// Its time was over before its next turn.
				if (!departure) throw last as RequestError;
				waitedMs += departure.waitedMs;
				heldBack ||= departure.waitedMs > 5;
				try {
					const left = (end - this.clock.now()) / 1000;
					const timeout = Math.min(call.timeout ?? 60, Math.max(1, Math.ceil(left)));
					call.tells?.('unknown');
					return await this.once({ ...call, timeout }, departure);
				} catch (requestError) {
					if (!(requestError instanceof RequestError)) rethrow(requestError);
					outcome = requestError.outcome = worse(outcome, requestError.outcome);
					call.tells?.(outcome);
					requestError.attempts = attempt;
					last = requestError;
					const now = this.clock.now();
					const throttled = requestError.facts.status === 429;
					if (throttled) refusedSince ??= now;
					else failures++;
					const delay = retryDelay(
						requestError,
						call,
						{ failures, throttledMs: now - (refusedSince ?? now) },
						this.clock.random,
					);
					if (delay === undefined || now + delay >= end) rethrow(requestError);
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

	/**
	 * Reads a file outside the API, without any credential and as a stream.
	 * @param timeout maximum seconds until the file is complete
	 * @returns what it was stored as
	 * @throws RequestError; Cancelled if the execution is stopped
	 */
	async readForeignFile<T>(url: URL, timeout: number, sink: FileSink<T>): Promise<T> {
		if (this.signal?.aborted) throw new Cancelled();
		const deadline = new Deadline(timeout, this.signal);
		const options: IHttpRequestOptions = {
			method: 'GET',
			url: url.toString(),
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: silenceOf(timeout),
		};
		try {
			const response = await this.follow(options, deadline.signal);
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
	private async follow(
		options: IHttpRequestOptions,
		signal: AbortSignal,
	): Promise<IN8nHttpFullResponse> {
		for (let url = new URL(options.url), hops = 0; ; hops++) {
			const hop = new AbortController();
			const response = (await this.caller.helpers.httpRequest({
				...options,
				url: url.href,
				disableFollowRedirect: true,
				abortSignal: AbortSignal.any([signal, hop.signal]),
			})) as IN8nHttpFullResponse;
			const { location } = response.headers;
			if (response.statusCode < 300 || response.statusCode >= 400 || typeof location !== 'string')
				return response;
			discardStream(response, () => hop.abort());
			if (hops === mostHops) {
				throw new RequestError('status', 'nothing', {
					message: `The file URL redirects more than ${mostHops} times; the file was not read`,
				});
			}
			url = fileHop(url, location, this.workspace.loopback);
		}
	}

	private async once(call: ClientRequest, departure: Departure): Promise<PlatformResponse> {
		if (this.signal?.aborted) throw new Cancelled();
		const timeoutSeconds = call.timeout ?? 60;
		const zone = call.zone ?? this.workspace.zone;
		const options: IHttpRequestOptions = {
			method: call.method,
			url: `${this.workspace.root}${call.path}${queryString(call.query ?? {})}`,
			headers: {
				accept: call.file ? '*/*' : 'application/json',
				...(zone.type === 'none' ? {} : { 'x-timezone': zone.name }),
				...(call.body ? { 'content-type': 'application/json' } : {}),
			},
			...(call.form ? { body: call.form } : call.body ? { body: JSON.stringify(call.body) } : {}),
			// n8n's helper would hold a text whole in memory, however large.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			timeout: silenceOf(timeoutSeconds),
		};
		const deadline = new Deadline(timeoutSeconds, this.signal);
		let response: IN8nHttpFullResponse;
		try {
			response = (await this.caller.helpers.httpRequestWithAuthentication.call(
				endedBy(deadline.signal, this.caller),
				'acpApi',
				options,
			)) as IN8nHttpFullResponse;
			response.body = (await readStream(response, deadline, call.file)) as typeof response.body;
		} catch (thrown) {
			return rethrow(deadline.reasonOf(thrown));
		} finally {
			deadline.lift();
		}
		return this.read(call, response, zone, departure);
	}

	/** The zone that the platform applied. It may map Windows names, so for these any response may be right. */
	private heed({ query = {} }: ClientRequest, status: number, applied: unknown, zone: Zone): void {
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

	private read(
		call: ClientRequest,
		response: IN8nHttpFullResponse,
		zone: Zone,
		departure: Departure,
	): PlatformResponse {
		const { statusCode: status, headers } = response;
		this.heed(call, status, headers['x-timezone'], zone);
		const succeeds = status >= 200 && status < 300;
		const isFile = call.file !== undefined && succeeds;
		const received = isFile ? '' : (response.body as string);
		const parsed = isFile ? { value: undefined } : parse(received);
		const refusal = succeeds ? refusalOf(parsed?.value) : undefined;
		const told = refusal?.status ?? status;
		const limits = limitsOf(headers, parsed?.value, told === 429);
		this.pace.observe(departure, { status: told, ...limits });
		if (isFile) return { status, headers, body: response.body };
		if (status >= 300 && status < 400)
			throw new RequestError('redirect', 'nothing', {
				status,
				location: originOf(headers.location),
			});
		const endpoint = `${call.method} ${call.path}`;
		// What does not succeed becomes a message, and some servers repeat what was sent to them.
		const clean = (): string => withoutSecrets(received, [...this.secrets, ...carriedBy(call)]);
		if (!succeeds) throw statusError(status, clean(), limits.retryAfterMs);
		if (refusal) {
			const { status: meant, partly } = refusal;
			const requestError =
				meant === undefined
					? refusedError(call, status, endpoint, clean())
					: statusError(meant, clean(), limits.retryAfterMs);
			if (partly) requestError.outcome = worse(requestError.outcome, 'unknown');
			throw requestError;
		}
		if (parsed) {
			try {
				call.reads?.(parsed.value);
			} catch (thrown) {
				if (!(thrown instanceof RequestError)) rethrow(thrown);
				const { message } = errorFactsOf(parse(clean())?.value);
				throw thrown.with({ status, endpoint, ...(message === undefined ? {} : { message }) });
			}
			return { status, headers, body: parsed.value };
		}
		// That something was done can be told by the status alone; what was read cannot.
		const isDone = status === 204 || call.method !== 'GET';
		if (isDone && received.trim() === '') return { status, headers, body: undefined };
		// A text is told as it is: it may say that it was done, or "Service busy".
		if (isDone && !/^\s*[<{["]/.test(received)) return { status, headers, body: tidy(received) };
		// A web page comes from something in between, which may not have passed the request on.
		const isPage = /^\s*</.test(received);
		throw new RequestError(isPage ? 'html' : 'unreadable', isPage ? 'unknown' : 'done', {
			status,
			endpoint,
			...(/^\s*[\w"]/.test(received) ? { message: tidy(clean(), 200) } : {}),
		});
	}
}

/** n8n's request helper takes the signal of the context that it is called on, and overwrites the one in the options. */
const endedBy = (signal: AbortSignal, caller: Caller): Caller =>
	Object.create(caller, { getExecutionCancelSignal: { value: () => signal } }) as Caller;

/** Milliseconds of silence after which n8n stops waiting: later than the deadline. Its default could be earlier. */
const silenceOf = (seconds: number): number => (seconds + 5) * 1000;

/** Secrets in what a request carries. */
const carriedBy = ({ body, form, path, query }: ClientRequest): string[] =>
	[query, body, form && Object.fromEntries(form)].flatMap((content) => secretsOf(content, path));

const originOf = (location: unknown): string => {
	try {
		return new URL(String(location)).origin;
	} catch {
		return '';
	}
};

/** JSON; nothing if it is none. */
function parse(text: string): { value: unknown } | undefined {
	try {
		return { value: parseExactly(text) };
	} catch {
		return undefined;
	}
}

/** A refusal that no status stands for. Without a reason, that of a read may be a matter of the moment. */
function refusedError(
	call: ClientRequest,
	status: number,
	endpoint: string,
	text: string,
): RequestError {
	const response = parse(text)?.value;
	const facts = errorFactsOf(response);
	const isPassing = call.class === 'read' && facts.code === undefined;
	return new RequestError(isPassing ? 'unreadable' : 'refused', 'nothing', {
		status,
		endpoint,
		response,
		...facts,
	});
}

/** The platform's envelope (interface §7) as a request error; missing parts stay unknown. */
function statusError(status: number, text: string, retryAfterMs: number | undefined): RequestError {
	// 429 and the 4xx codes come before anything is done; after a 5xx or a time-out the outcome is not known.
	const outcome = status < 500 && status !== 408 ? 'nothing' : 'unknown';
	const body = parse(text)?.value;
	return new RequestError(/^\s*</.test(text) ? 'html' : 'status', outcome, {
		status,
		retryAfterMs,
		...(status === 409 && isPlainObject(body) ? { response: body } : {}),
		...errorFactsOf(body),
	});
}
