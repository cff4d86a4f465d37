/**
 * The sandbox as tests use it: the process that it runs in, and a client of its control interface. It shares no code
 * with the sandbox.
 */
import axios, { type AxiosInstance } from 'axios';
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import path from 'node:path';
import { clockOf, processWith, type Clock } from './clock.cts';
import { handlesOf } from './handles.cts';
import { nodeBinary } from './paths.cts';

/** One API request as the sandbox saw it. */
export interface LedgerEntry {
	/** In order of arrival, from 1. */
	id: number;
	/** Milliseconds since the epoch. */
	at: number;
	method: string;
	/** Below `/api/v1`, e.g. `/call`. */
	path: string;
	query: Record<string, string | string[]>;
	/** `authorization` is masked. */
	headers: Record<string, string>;
	/** JSON as received, secrets masked. */
	body: any;
	/** null when no answer was sent. */
	status: number | null;
	/** Error code. */
	code: string | null;
	/** `created`: something really happened: a call placed, a message sent, a note added. */
	effect: 'created' | 'repeated' | 'changed' | 'none' | 'rejected';
	resourceUuid: string | null;
	/** Kind of the fault that hit it. */
	fault?: string;
	/** Of an answer in pieces: how much was sent, and whether the client closed the connection before its end. */
	sentBytes?: number;
	closedEarly?: boolean;
	/** How the sandbox's own answer violates the contract. */
	violation?: string;
}

/** What goes wrong, and with which requests. */
export interface FaultRule {
	/**
	 * `path`: regular expression on the path below `/api/v1`; `nth`, `every`: counted among what matches method and path.
	 */
	match?: {
		method?: string;
		path?: string;
		nth?: number | number[];
		every?: number;
	};
	/** How often at most. */
	times?: number;
	fault: {
		kind:
			| 'status'
			| 'reset-before'
			| 'reset-after'
			| 'timeout'
			| 'html'
			| 'truncated'
			| 'empty'
			| 'content-type'
			| 'redirect'
			| 'slow'
			| 'drip';
		status?: number;
		code?: string;
		/** Seconds; null: the answer has no header of that name. */
		retryAfter?: number | null;
		body?: unknown;
		/** The request is carried out first. */
		afterAcceptance?: boolean;
		location?: string;
		ms?: number;
		close?: boolean;
		bytes?: number;
		everyMs?: number;
		endless?: boolean;
	};
}

/** One attempt to deliver an event. */
export interface Delivery {
	id: string;
	at: number;
	webhookUuid: string;
	agentUuid: string;
	/** Without query. */
	url: string;
	event: string;
	status: number | null;
	durationMs: number;
	attempt: number;
	headers: Record<string, string>;
	payload: any;
	responseBody: string | null;
	error: string | null;
}

/** A token and whom it stands for. */
export interface Identity {
	kind: 'workspace' | 'user' | 'forbidden' | 'revoked';
	token: string;
	timezone?: string;
	email?: string;
}

export interface LedgerSummary {
	total: number;
	maxInFlight: number;
	inFlight: number;
	counts: Array<{
		method: string;
		path: string;
		status: number | null;
		effect: LedgerEntry['effect'];
		count: number;
	}>;
}

/** A running sandbox. */
export class Sandbox {
	readonly control: AxiosInstance;

	private stopped = false;

	constructor(
		private readonly home: SandboxProcess,
		/** Base URL, without `/api/v1`. */
		readonly url: string,
		/** Workspace token. It belongs to the seed: another seed, another token. */
		public token: string,
		/** Token of a member with a time zone of their own. */
		public userToken: string,
	) {
		this.control = axios.create({ baseURL: `${url}/_sandbox`, proxy: false, maxRedirects: 0 });
	}

	/** Data for the credential `acpApi` that reaches this sandbox. */
	credential(change: Record<string, string> = {}) {
		return { baseUrl: this.url, token: this.token, timezone: '', webhookSecret: '', ...change };
	}

	/** A client of the platform's own API with the workspace token: what another program would do. Errors are answers. */
	get api(): AxiosInstance {
		return axios.create({
			baseURL: `${this.url}/api/v1`,
			headers: { Authorization: `Bearer ${this.token}` },
			proxy: false,
			validateStatus: () => true,
		});
	}

	/** Fresh state (settings: on top of those it was started with). Faults, ledger and deliveries are empty again. */
	async reset(
		options: { seed?: number; settings?: object; agents?: number; contacts?: number } = {},
	): Promise<void> {
		await this.control.post('/reset', options);
		const tokens = await this.tokens();
		this.token = tokens.find(({ kind }) => kind === 'workspace')!.token;
		this.userToken = tokens.find(({ kind }) => kind === 'user')!.token;
	}

	/** Merges settings; gives all of them. */
	async settings(patch: object = {}): Promise<any> {
		return (await this.control.patch('/settings', patch)).data;
	}

	/** Every manner, with the values that turn it on. */
	async manners(): Promise<Record<string, unknown[]>> {
		return (await this.control.get('/manners')).data;
	}

	/** All tokens that the sandbox knows. */
	async tokens(): Promise<Identity[]> {
		return (await this.control.get('/tokens')).data;
	}

	/** The first token of a kind, e.g. `forbidden`. */
	async tokenOf(kind: Identity['kind']): Promise<Identity> {
		return (await this.tokens()).find((identity) => identity.kind === kind)!;
	}

	/** Makes one more token; `label` other than an existing one gives another token. */
	async addToken(
		kind: Identity['kind'],
		about: { label?: string; timezone?: string; email?: string } = {},
	): Promise<Identity> {
		return (await this.control.post('/tokens', { kind, ...about })).data;
	}

	/** Adds faults; the first that fits a request wins. */
	async faults(rules: FaultRule[]): Promise<void> {
		await this.control.post('/faults', rules);
	}

	/**
	 * Adds one fault: `strike('POST ^/contacts$', 503, { nth: 2 })`.
	 * @param request a regular expression on the path, after the method if it is about one alone
	 * @param fault its kind, a status, or all of it (`status` is the kind that needs no name)
	 */
	async strike(
		request: string,
		fault: FaultRule['fault']['kind'] | number | Partial<FaultRule['fault']>,
		{
			times,
			...which
		}: Omit<FaultRule['match'] & object, 'method' | 'path'> & { times?: number } = {},
	): Promise<void> {
		const [, method, path] = /^(?:([A-Z]+) )?(.*)$/s.exec(request)!;
		const said =
			typeof fault === 'string'
				? { kind: fault }
				: { kind: 'status' as const, ...(typeof fault === 'number' ? { status: fault } : fault) };
		await this.faults([{ match: { method, path, ...which }, times, fault: said }]);
	}

	async clearFaults(): Promise<void> {
		await this.control.delete('/faults');
	}

	/** API requests in order; `path` is exact, below `/api/v1`. */
	async ledger(filter: { path?: string; method?: string } = {}): Promise<LedgerEntry[]> {
		const { data } = await this.control.get<LedgerEntry[]>('/ledger', { params: filter });
		return data;
	}

	async clearLedger(): Promise<void> {
		await this.control.delete('/ledger');
	}

	/** Counts by method, path, status and effect, and how many requests were in flight at most. */
	async summary(): Promise<LedgerSummary> {
		return (await this.control.get('/ledger/summary')).data;
	}

	/** What really happened on the platform. */
	async created(path?: string): Promise<LedgerEntry[]> {
		return (await this.ledger(path ? { path } : {})).filter(({ effect }) => effect === 'created');
	}

	/** Stored things of a collection, e.g. `agents`, `webhooks`, `calls`. */
	async state<T = any>(collection: string): Promise<T[]> {
		return (await this.control.get(`/state/${collection}`)).data;
	}

	/** Adds a thing to a collection. */
	async add<T = any>(collection: string, thing: object): Promise<T> {
		return (await this.control.post(`/state/${collection}`, thing)).data;
	}

	/** Adds as many things as asked for, in the order of their numbers from 0. */
	async addMany(
		collection: string,
		count: number,
		thing: (index: number) => object,
	): Promise<void> {
		await this.control.post(
			`/state/${collection}`,
			Array.from({ length: count }, (_, index) => thing(index)),
		);
	}

	/** Changes what is stored of a thing. */
	async change(collection: string, uuid: string, changes: object): Promise<void> {
		await this.control.patch(`/state/${collection}/${uuid}`, changes);
	}

	/** Delivers an event to the agent's webhooks now. @returns how it went with each, once it is known. */
	async deliver(delivery: { agent: string; event: string; data?: object }): Promise<Delivery[]> {
		return (await this.control.post('/deliver', delivery)).data;
	}

	/** Every attempt of every delivery. */
	async deliveries(): Promise<Delivery[]> {
		return (await this.control.get('/deliveries')).data;
	}

	/** Triggers an intent during a live call: `conversation`, or the newest live call of `agent`. */
	async triggerIntent(moment: {
		intent: string;
		agent?: string;
		conversation?: string;
		parameters?: object;
	}): Promise<any> {
		return (await this.control.post('/intents', moment)).data;
	}

	/** Requests to the server of stored files. */
	async fileRequests(): Promise<
		Array<{
			method: string;
			path: string;
			authorized: boolean;
			sentBytes?: number;
			closedEarly?: boolean;
		}>
	> {
		return (await this.control.get('/files')).data;
	}

	async stop(): Promise<void> {
		const { home, url } = this;
		if (this.stopped) return;
		this.stopped = true;
		await ask(home, 'close', { url });
		if (--home.open === 0) for (const handle of handlesOf(home.child)) handle.unref();
	}
}

/** A process in which sandboxes run. */
interface SandboxProcess {
	child: ChildProcess;
	/** How many run in it. */
	open: number;
	/** The one that they live by. */
	clock: string;
	/** What it has printed to standard error. */
	errors: string;
}

/** Those of this Jest process, also when no test file uses them (environment.cjs). */
declare const sandboxProcesses: () => SandboxProcess[];

/**
 * Starts a sandbox on a free loopback port. With `speed` its clock runs faster: times in settings stay what they say.
 * @throws when it ends before it listens; the message carries what it printed.
 */
export async function startSandbox({
	speed,
	seed = 1,
	...options
}: { seed?: number; settings?: object; speed?: number } = {}): Promise<Sandbox> {
	const clock = clockOf({ speed });
	const all = sandboxProcesses();
	const home =
		all.find((one) => one.open === 0 || one.clock === JSON.stringify(clock)) ?? startProcess(clock);
	home.clock = JSON.stringify(clock);
	home.open++;
	for (const handle of handlesOf(home.child)) handle.ref();
	const { url, token, userToken } = await ask(home, 'open', { ...options, seed, clock });
	return new Sandbox(home, url, token, userToken);
}

function startProcess(clock: Clock): SandboxProcess {
	const { execArgv, env } = processWith(clock);
	const child = fork(path.join(__dirname, 'runner/sandboxes.mjs'), {
		execPath: nodeBinary,
		execArgv,
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		env: { ...process.env, ...env, CLOCK_TIMERS: '1' },
	});
	const home: SandboxProcess = { child, open: 0, clock: '', errors: '' };
	const all = sandboxProcesses();
	all.push(home);
	child.stderr!.on('data', (chunk) => (home.errors += chunk));
	child.once('exit', () => all.splice(all.indexOf(home), 1));
	return home;
}

/** Lets a process of sandboxes do something. @throws what it throws, and when it ends before */
async function ask(home: SandboxProcess, method: 'open' | 'close', options: object): Promise<any> {
	const { child } = home;
	const id = randomUUID();
	child.send({ id, method, options });
	for await (const [answer] of on(child, 'message', { close: ['exit'] })) {
		if (answer.id !== id) continue;
		if ('error' in answer) throw new Error(answer.error);
		return answer.result;
	}
	throw new Error(`The sandbox ended (${child.signalCode ?? child.exitCode}): ${home.errors}`);
}
