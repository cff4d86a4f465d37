/**
 * The sandbox as tests use it: its process, and a client of its control interface. It shares
 * no code with the sandbox.
 */
import axios, { type AxiosInstance } from 'axios';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { clockOf, processWith } from './clock.cts';
import { nodeBinary, repositoryRoot } from './paths.cts';

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
	/** Requests in work when it arrived, itself included. */
	inFlight: number;
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
	 * `path`: regular expression on the path below `/api/v1`; `nth`, `every`: counted among
	 * what matches method and path.
	 */
	match?: {
		method?: string;
		path?: string;
		nth?: number | number[];
		every?: number;
		probability?: number;
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
		/** Seconds. */
		/** null: the answer has no header of that name. */
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
	private readonly control: AxiosInstance;

	constructor(
		private readonly child: ChildProcess,
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

	/** From now on the token is refused with 401. */
	async revoke(token: string): Promise<void> {
		await this.control.post('/tokens/revoke', { token });
	}

	/** Adds faults; the first that fits a request wins. */
	async faults(rules: FaultRule[]): Promise<void> {
		await this.control.post('/faults', rules);
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
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const gone = new Promise((resolve) => this.child.once('exit', resolve));
		this.child.kill('SIGTERM');
		await gone;
	}
}

/**
 * Starts a sandbox on a free loopback port. With `speed` its clock runs faster: times in settings stay what they say.
 * @throws when it ends before it listens; the message carries what it printed.
 */
export async function startSandbox(
	options: { seed?: number; settings?: object; speed?: number } = {},
): Promise<Sandbox> {
	const clock = processWith(clockOf({ speed: options.speed }));
	const child = spawn(
		nodeBinary,
		[
			...clock.execArgv,
			path.join(repositoryRoot, 'sandbox/main.mjs'),
			...[
				'--port',
				'0',
				'--seed',
				String(options.seed ?? 1),
				'--settings',
				JSON.stringify(options.settings ?? {}),
			],
		],
		{
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { ...process.env, ...clock.env, ...(options.speed ? { CLOCK_TIMERS: '1' } : {}) },
		},
	);
	let errors = '';
	child.stderr.on('data', (chunk) => (errors += chunk));
	const lines = createInterface({ input: child.stdout });
	const ready = await new Promise<{ url: string; token: string; userToken: string }>(
		(resolve, reject) => {
			lines.on('line', (line) => {
				if (line.startsWith('{')) resolve(JSON.parse(line));
			});
			child.once('exit', (code) =>
				reject(new Error(`The sandbox ended with code ${code}: ${errors}`)),
			);
		},
	);
	return new Sandbox(child, ready.url, ready.token, ready.userToken);
}
