/** n8n's engine as tests use it: a process of its own with n8n-core and the built nodes. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeTypeDescription,
	IRunExecutionData,
	ITaskData,
	NodeExecutionHint,
	ResourceMapperFields,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { clockOf, processWith, type Clock } from './clock.cts';
import { handlesOf } from './handles.cts';
import { nodeBinary, repositoryRoot } from './paths.cts';
import type {
	CredentialsByType,
	EngineMethods,
	InputItem,
	MethodCall,
	RunOptions,
	StoredExecution,
	ToolAnswer,
	ToolCall,
	ToolDescription,
	TriggerInfo,
	TriggerOptions,
	WorkflowFile,
	WorkflowNode,
} from './types.cts';

/** Name of the node under test in workflows that the harness makes. */
const testedNode = 'Node';

/** An error as n8n stores it: plain data. */
export interface StoredError {
	name: string;
	message: string;
	description?: string | null;
	httpCode?: string | null;
	context?: IDataObject;
	node?: { name: string };
	stack?: string;
	[key: string]: unknown;
}

/** What came of an execution. Nodes are named; methods that take a node default to the one under test (`runNode`). */
export class Result {
	constructor(
		/** All of it, as n8n's database has it. `JSON.stringify` it to look for secrets. */
		readonly stored: StoredExecution,
		private readonly defaultNode = testedNode,
	) {}

	get executionId(): string {
		return this.stored.executionId;
	}

	/** `success`, `error`, `canceled`, `waiting`, … */
	get status() {
		return this.stored.status;
	}

	get executionData(): IRunExecutionData {
		return this.stored.data;
	}

	/** Why the execution failed. */
	get error(): StoredError | undefined {
		return this.stored.data.resultData.error as unknown as StoredError | undefined;
	}

	/** Every run of a node, in order; empty when it did not run. */
	runs(node = this.defaultNode): ITaskData[] {
		return this.stored.data.resultData.runData[node] ?? [];
	}

	/** A node's items per output, of one run (default: the last). */
	data(node = this.defaultNode, run = -1): INodeExecutionData[][] {
		return (this.runs(node).at(run)?.data?.main ?? []).map((items) => items ?? []);
	}

	/** A node's items of one output. */
	items(node = this.defaultNode, output = 0, run = -1): INodeExecutionData[] {
		return this.data(node, run)[output] ?? [];
	}

	/** The JSON of a node's items of one output. */
	json(node = this.defaultNode, output = 0, run = -1): any[] {
		return this.items(node, output, run).map(({ json }) => json);
	}

	/** For each item of an output, the input items that it comes from. */
	pairedItems(node = this.defaultNode, output = 0, run = -1): number[][] {
		return this.items(node, output, run).map(({ pairedItem }) =>
			[pairedItem ?? []]
				.flat()
				.map((paired) => (typeof paired === 'number' ? paired : paired.item)),
		);
	}

	/** Hints that a node shows in its output panel. */
	hints(node = this.defaultNode, run = -1): NodeExecutionHint[] {
		return this.runs(node).at(run)?.hints ?? [];
	}

	/** What a node kept with `getContext('node')`. */
	nodeContext(node = this.defaultNode): IDataObject {
		return (this.contextData[`node:${node}`] ?? {}) as IDataObject;
	}

	get contextData(): Record<string, IDataObject> {
		return (this.stored.data.executionData?.contextData ?? {}) as Record<string, IDataObject>;
	}

	/** The workflow's static data at the end. */
	get staticData(): IDataObject {
		return this.stored.workflow.staticData ?? {};
	}
}

/** An execution that is going on. */
export interface Running {
	executionId: string;
	/** Settles when the engine is done: after a cancellation, when the node has come to an end. */
	done: Promise<Result>;
	/** The stop button. */
	cancel(): Promise<void>;
}

export interface EngineRunOptions extends RunOptions {
	/** Cancels the execution as soon as this gives true; asked again and again until then. */
	cancelWhen?: () => Promise<boolean> | boolean;
}

/** What stands around a node under test. */
export interface NodeOptions extends EngineRunOptions {
	/** Input items; default one empty item. An object without `json` is taken as the JSON itself. */
	items?: Array<InputItem | IDataObject>;
	typeVersion?: number;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail?: boolean;
	/** 2 to 5. */
	maxTries?: number;
	/** Milliseconds, at most 5000; n8n takes 0 as 1000, so 1 is the least. */
	waitBetweenTries?: number;
	executeOnce?: boolean;
	alwaysOutputData?: boolean;
	/** Run the node once per batch of this many items (loop over items). */
	batchSize?: number;
}

export interface EngineOptions {
	/** Folders of node packages; default this repository, built. */
	packages?: string[];
	/** Credentials that every run gets. */
	credentials?: CredentialsByType;
	/**
	 * n8n's own zone (GENERIC_TIMEZONE); default America/New_York, as n8n's, so that its use
	 * where it must not be shows.
	 */
	timezone?: string;
	/** `default` keeps binary data in the items; `filesystem` (n8n's default) in files. */
	binaryMode?: 'default' | 'filesystem';
	/**
	 * `legacy` (default here) resolves expressions in the process; `vm` is n8n's default, an isolate whose
	 * start takes more time than most tests. Tests of expressions, keys and the number of a run choose it.
	 */
	expressionEngine?: 'vm' | 'legacy';
	/** ISO 8601: what time the engine process takes it to be when it starts; its clock runs on from there. */
	clock?: string;
	/** How many seconds pass for the engine process while one passes outside; its waits are as much shorter. */
	speed?: number;
	/** Whether `log` has what n8n logs at level debug, too; n8n's default is info. */
	debugLog?: boolean;
	/** More environment variables for the engine process. */
	env?: Record<string, string>;
}

const toItem = (item: InputItem | IDataObject): InputItem => {
	const whole = ('json' in item ? item : { json: item }) as InputItem;
	const binary = Object.entries(whole.binary ?? {}).map(([name, file]) => [
		name,
		'data' in file && Buffer.isBuffer(file.data)
			? { ...file, data: file.data.toString('base64') }
			: file,
	]);
	return { json: whole.json, ...(binary.length > 0 ? { binary: Object.fromEntries(binary) } : {}) };
};

const connect = (...names: string[]) =>
	Object.fromEntries(
		names
			.slice(0, -1)
			.map((name, index) => [
				name,
				{ main: [[{ node: names[index + 1]!, type: 'main' as const, index: 0 }]] },
			]),
	);

/** Polls until a condition holds. @throws after `seconds` (default 90), naming what was waited for. */
export async function until<T>(
	what: string,
	condition: () => Promise<T> | T,
	seconds = 90,
): Promise<NonNullable<T>> {
	const deadline = Date.now() + seconds * 1000;
	// Asking costs time of the processor, which those who are waited for need.
	for (let pause = 5; ; pause = Math.min(pause * 1.5, 25)) {
		const value = await condition();
		if (value) return value;
		if (Date.now() > deadline) throw new Error(`Waited ${seconds} s in vain: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, pause));
	}
}

/** What an engine process keeps when its test file has ended. */
interface IdleEngine {
	child: ChildProcess;
	userFolder: string;
	lastCall: number;
	opened: ReturnType<EngineMethods['open']>;
}

/** Engine processes of this Jest process that no test file uses, by what they were started with (environment.cjs). */
declare const idleEngines: () => Map<string, IdleEngine[]>;

/** Where engine processes note what each test executes; unset, they do not (environment.cjs). */
declare const recorded: Set<ChildProcess> | undefined;

/** A running engine process. */
export class Engine {
	private child!: ChildProcess;
	private calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
	private lastCall = 0;
	private printed = '';
	private userFolder = mkdtempSync(path.join(os.tmpdir(), 'n8n-engine-'));
	private opened: ReturnType<EngineMethods['open']> = {
		port: 0,
		nodeTypes: [],
		credentialTypes: [],
	};
	/** Given to every run that brings none. */
	credentials: CredentialsByType;

	private constructor(private readonly options: EngineOptions) {
		this.credentials = options.credentials ?? {};
	}

	/** Starts an engine process. @throws when a package cannot be loaded (not built?). */
	static async start(options: EngineOptions = {}): Promise<Engine> {
		const engine = new Engine(options);
		try {
			if (!(await engine.takeIdle())) await engine.spawn();
		} catch (error) {
			await engine.stop();
			throw error;
		}
		return engine;
	}

	private async spawn(): Promise<void> {
		const { packages, env, ...modes } = this.started;
		const clock = processWith(this.clock);
		this.child = fork(path.join(__dirname, 'runner/main.mts'), {
			execPath: nodeBinary,
			execArgv: [
				'--disable-warning=ExperimentalWarning',
				...clock.execArgv,
				...(recorded ? ['--require', path.join(__dirname, 'record.cjs')] : []),
			],
			serialization: 'advanced',
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			env: {
				PATH: process.env.PATH,
				// The zone of the machine must not show in any result.
				TZ: 'Pacific/Auckland',
				NODE_COMPILE_CACHE: path.join(repositoryRoot, '.local/compile-cache'),
				N8N_USER_FOLDER: this.userFolder,
				N8N_ENCRYPTION_KEY: 'engine-test-harness',
				N8N_DEFAULT_BINARY_DATA_MODE: modes.binaryMode,
				N8N_LOG_LEVEL: 'debug',
				NO_COLOR: '1',
				...clock.env,
				N8N_DIAGNOSTICS_ENABLED: 'false',
				...env,
			},
		});
		recorded?.add(this.child);
		this.listen();
		this.opened = await this.call('open', { packages, ...modes, port: this.opened.port });
		await this.begin();
	}

	private listen(): void {
		const collect = (chunk: Buffer) => (this.printed += chunk);
		this.child.stdout!.on('data', collect);
		this.child.stderr!.on('data', collect);
		this.child.on(
			'message',
			({ id, result, error }: { id: number; result?: unknown; error?: StoredError }) => {
				const call = this.calls.get(id);
				this.calls.delete(id);
				if (error) call?.reject(Object.assign(new Error(error.message), error));
				else call?.resolve(result);
			},
		);
		this.child.on('exit', (code, signal) => {
			for (const { reject } of this.calls.values()) {
				reject(
					new Error(
						`The engine process ended (${signal ?? code}). It printed:\n${this.printed.slice(-4000)}`,
					),
				);
			}
			this.calls.clear();
		});
	}

	/** What a process is started with; the rest is told to it later. */
	private get started() {
		const {
			packages = [repositoryRoot],
			timezone = 'America/New_York',
			binaryMode = 'default',
			expressionEngine = 'legacy',
			env = {},
		} = this.options;
		return { packages, timezone, binaryMode, expressionEngine, env };
	}

	/** What engines share that may take each other's place. */
	private get kind(): string {
		return JSON.stringify(this.started);
	}

	private get clock(): Clock {
		return clockOf({ begin: this.options.clock, speed: this.options.speed });
	}

	private async begin(): Promise<void> {
		const { debugLog = false } = this.options;
		await this.call('begin', { clock: this.clock, debugLog });
	}

	/** Goes on with a process that another test file has left. @returns whether there is one */
	private async takeIdle(): Promise<boolean> {
		const idle = idleEngines().get(this.kind)?.pop();
		if (!idle) return false;
		rmSync(this.userFolder, { recursive: true, force: true });
		Object.assign(this, idle);
		for (const handle of handlesOf(this.child)) handle.ref();
		this.listen();
		await this.begin();
		return true;
	}

	/** Leaves the process to the next test file. @returns false where something is still going on in it */
	private async leaveIdle(): Promise<boolean> {
		if (!this.isAlive) return false;
		if (this.calls.size > 0 || !(await this.call('leave', {}))) return false;
		const { child, userFolder, lastCall, opened } = this;
		for (const source of [child, child.stdout!, child.stderr!]) source.removeAllListeners();
		for (const stream of [child.stdout!, child.stderr!]) stream.resume();
		for (const handle of handlesOf(child)) handle.unref();
		const others = idleEngines().get(this.kind) ?? [];
		const idle = { child, userFolder, lastCall, opened };
		child.once('exit', () => {
			if (others.includes(idle)) others.splice(others.indexOf(idle), 1);
		});
		idleEngines().set(this.kind, others);
		others.push(idle);
		return true;
	}

	private async call<Name extends keyof EngineMethods>(
		method: Name,
		options: Parameters<EngineMethods[Name]>[0],
	): Promise<ReturnType<EngineMethods[Name]>> {
		const id = ++this.lastCall;
		return await new Promise((resolve, reject) => {
			this.calls.set(id, { resolve: resolve as (value: unknown) => void, reject });
			this.child.send({ id, method, options }, (error) => {
				if (error) reject(error);
			});
		});
	}

	/** All that the engine process has printed (n8n's log, `console.*` of nodes). */
	get log(): string {
		return this.printed;
	}

	/** Base URL of the engine's web server, with a slash at the end; the same after `restart`. */
	get url(): string {
		return `http://127.0.0.1:${this.opened.port}/`;
	}

	/** Full names of the loaded node types. */
	get nodeTypes(): string[] {
		return this.opened.nodeTypes;
	}

	get credentialTypes(): string[] {
		return this.opened.credentialTypes;
	}

	private get isAlive(): boolean {
		return this.child.exitCode === null && this.child.signalCode === null;
	}

	private async kill(): Promise<void> {
		if (!this.isAlive) return;
		const gone = new Promise((resolve) => this.child.once('exit', resolve));
		this.child.kill('SIGKILL');
		await gone;
	}

	/** Kills the process as a crash would, and starts a new one: everything kept in memory is gone. */
	async restart(): Promise<void> {
		await this.kill();
		await this.spawn();
	}

	async stop(): Promise<void> {
		if (await this.leaveIdle()) return;
		await this.kill();
		rmSync(this.userFolder, { recursive: true, force: true });
	}

	private withCredentials<T extends { credentials?: CredentialsByType }>(
		options: T,
	): T & { credentials: CredentialsByType } {
		return { ...options, credentials: options.credentials ?? this.credentials };
	}

	private watch(executionId: string): Running {
		return {
			executionId,
			done: this.call('finished', { executionId }).then(
				(json) => new Result(JSON.parse(json) as StoredExecution),
			),
			cancel: async () => await this.call('cancel', { executionId }),
		};
	}

	/** Starts a workflow and comes back at once. Node types may be short (`acpCalls`). */
	async start(
		workflow: WorkflowFile,
		{ cancelWhen, ...run }: EngineRunOptions = {},
	): Promise<Running> {
		const { executionId } = await this.call('start', { workflow, run: this.withCredentials(run) });
		const running = this.watch(executionId);
		if (!cancelWhen) return running;
		let ended = false;
		void running.done.finally(() => (ended = true));
		const cancelled = until(
			'the condition to cancel',
			async () => ended || (await cancelWhen()),
		).then(async () => {
			if (!ended) await running.cancel();
		});
		return { ...running, done: cancelled.then(async () => await running.done) };
	}

	/** Runs a workflow to its end. A failed execution is a result, not an exception. */
	async run(workflow: WorkflowFile, options: EngineRunOptions = {}): Promise<Result> {
		return await (
			await this.start(workflow, options)
		).done;
	}

	/**
	 * The workflow that `runNode` runs: [Items → Node], with a loop [Items → Loop → Node → Loop] for `batchSize`.
	 * @param node its type, or `'<type> <resource>.<operation>'`
	 */
	nodeWorkflow(node: string, parameters: INodeParameters, options: NodeOptions = {}): WorkflowFile {
		const [type = '', operationOf] = node.split(' ');
		const [resource, operation] = operationOf?.split('.') ?? [];
		const {
			items = [{}],
			typeVersion,
			onError,
			retryOnFail,
			maxTries,
			waitBetweenTries,
			executeOnce,
			alwaysOutputData,
		} = options;
		const settings = {
			typeVersion,
			onError,
			retryOnFail,
			maxTries,
			waitBetweenTries,
			executeOnce,
			alwaysOutputData,
		};
		const nodes: WorkflowNode[] = [
			{ name: 'Items', type: 'harness.items', parameters: { items: items.map(toItem) as never } },
			{
				name: testedNode,
				type,
				parameters: operationOf ? { resource, operation, ...parameters } : parameters,
				...(Object.fromEntries(
					Object.entries(settings).filter(([, value]) => value !== undefined),
				) as Partial<WorkflowNode>),
			},
		];
		if (!options.batchSize) return { nodes, connections: connect('Items', testedNode) };
		nodes.push({
			name: 'Loop',
			type: 'harness.loop',
			parameters: { batchSize: options.batchSize },
		});
		return {
			nodes,
			connections: {
				...connect('Items', 'Loop'),
				...connect(testedNode, 'Loop'),
				Loop: { main: [[], [{ node: testedNode, type: 'main', index: 0 }]] },
			},
		};
	}

	/** Starts a node on items and comes back at once; see `runNode`. */
	async startNode(
		nodeType: string,
		parameters: INodeParameters,
		options: NodeOptions = {},
	): Promise<Running> {
		const { credentials, mode, contextData, timezone, executionId, cancelWhen } = options;
		return await this.start(this.nodeWorkflow(nodeType, parameters, options), {
			startNode: 'Items',
			credentials,
			mode,
			contextData,
			timezone,
			executionId,
			cancelWhen,
		});
	}

	/**
	 * Runs one node on items, e.g. `runNode('acpCalls call.start', { phoneNumber: '={{ $json.phone }}' },
	 * { items: [{ phone: '+90…' }] })`.
	 * Parameters that are not given have the node's defaults. The result's methods mean this node.
	 */
	async runNode(
		nodeType: string,
		parameters: INodeParameters,
		options: NodeOptions = {},
	): Promise<Result> {
		return await (
			await this.startNode(nodeType, parameters, options)
		).done;
	}

	/**
	 * "Retry execution" in n8n's list of executions: with the original workflow, or with `currentWorkflow`.
	 * @throws when n8n would refuse (execution succeeded, node gone).
	 */
	async startRetry(
		failed: Result,
		{
			currentWorkflow,
			credentials,
		}: { currentWorkflow?: WorkflowFile; credentials?: CredentialsByType } = {},
	): Promise<Running> {
		const { executionId } = await this.call('retry', {
			execution: failed.stored,
			currentWorkflow,
			credentials: credentials ?? this.credentials,
		});
		return this.watch(executionId);
	}

	/** `startRetry` to its end. */
	async retry(failed: Result, options: Parameters<Engine['startRetry']>[1] = {}): Promise<Result> {
		return await (
			await this.startRetry(failed, options)
		).done;
	}

	/**
	 * Lets an AI agent call a node as a tool. Parameters take the model's arguments with `={{
	 * $fromAI('name', 'description', 'string') }}`.
	 * @param via `engine`: one call after the other through the engine (AI Agent ≥ 3; items carry `toolCallId`);
	 * `invoke`: all calls at once, directly (older agents, MCP).
	 */
	async callTools(
		nodeType: string,
		parameters: INodeParameters,
		calls: ToolCall[],
		{ via = 'engine', ...options }: NodeOptions & { via?: 'engine' | 'invoke' } = {},
	): Promise<{ tools: ToolDescription[]; answers: ToolAnswer[]; result: Result }> {
		const workflow = this.nodeWorkflow(`${nodeType}Tool`, parameters, options);
		workflow.nodes.push({
			name: 'Agent',
			type: 'harness.agent',
			parameters: { calls: calls as never, via },
		});
		workflow.connections = {
			...connect('Items', 'Agent'),
			[testedNode]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		};
		const { credentials, mode, contextData, timezone, executionId, cancelWhen } = options;
		const result = await this.run(workflow, {
			startNode: 'Items',
			credentials,
			mode,
			contextData,
			timezone,
			executionId,
			cancelWhen,
		});
		const { tools = [], answers = [] } = (result.json('Agent')[0] ?? {}) as {
			tools?: ToolDescription[];
			answers?: ToolAnswer[];
		};
		return { tools, answers, result };
	}

	/** The description of a node type as n8n has it after loading; `<name>Tool` gives the tool's. */
	async describe(nodeType: string, typeVersion?: number): Promise<INodeTypeDescription> {
		return (await this.call('describe', { nodeType, typeVersion })) as INodeTypeDescription;
	}

	/** The bytes of an item's binary property, whatever the binary mode. */
	async binary(binary: { id?: string; data: string }): Promise<Buffer> {
		return Buffer.from(await this.call('binary', { binary }));
	}

	/** A "From List" search. `paginationToken` is what the last page gave. @throws what the node throws. */
	async listSearch(
		nodeType: string,
		method: string,
		options: Omit<MethodCall, 'nodeType' | 'method'> & {
			filter?: string;
			paginationToken?: string;
		} = {},
	): Promise<INodeListSearchResult> {
		return (await this.call(
			'listSearch',
			this.withCredentials({ nodeType, method, ...options }),
		)) as INodeListSearchResult;
	}

	/** The options of a dropdown. @throws what the node throws. */
	async loadOptions(
		nodeType: string,
		method: string,
		options: Omit<MethodCall, 'nodeType' | 'method'> = {},
	): Promise<INodePropertyOptions[]> {
		return (await this.call(
			'loadOptions',
			this.withCredentials({ nodeType, method, ...options }),
		)) as INodePropertyOptions[];
	}

	/** The fields of a resource mapper. @throws what the node throws. */
	async resourceMapping(
		nodeType: string,
		method: string,
		options: Omit<MethodCall, 'nodeType' | 'method'> = {},
	): Promise<ResourceMapperFields> {
		return (await this.call(
			'resourceMapping',
			this.withCredentials({ nodeType, method, ...options }),
		)) as ResourceMapperFields;
	}

	/** The credential test that n8n runs when a person saves the credential. */
	async credentialTest(credentialType: string, data: ICredentialDataDecryptedObject) {
		return await this.call('credentialTest', { credentialType, data });
	}

	/** Places a webhook trigger in a workflow [Trigger → After]. Nothing is registered yet. */
	async trigger(
		nodeType: string,
		parameters: INodeParameters,
		options: TriggerOptions = {},
	): Promise<Trigger> {
		const info = await this.call('openTrigger', {
			nodeType,
			parameters,
			options: this.withCredentials(options),
		});
		return new Trigger(
			info,
			async (method, more) =>
				(await this.call(method, { triggerId: info.triggerId, ...more } as never)) as never,
			async (executionId) => await this.watch(executionId).done,
		);
	}
}

type TriggerCall = <Name extends keyof EngineMethods>(
	method: Name,
	more?: Omit<Parameters<EngineMethods[Name]>[0], 'triggerId'>,
) => Promise<ReturnType<EngineMethods[Name]>>;

/** A webhook trigger node in the engine process, with its real HTTP address. */
export class Trigger {
	constructor(
		/** Addresses; `url` is what the node tells the platform. */
		readonly info: TriggerInfo,
		private readonly call: TriggerCall,
		private readonly resultOf: (executionId: string) => Promise<Result>,
	) {}

	/** Production URL as `getNodeWebhookUrl` gives it; the node may add to it. */
	get url(): string {
		return this.info.url;
	}

	/**
	 * Publishes (default), or starts n8n (`init`), and so on. From then on the URL answers.
	 * @throws what n8n would show.
	 */
	async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		await this.call('activate', { activation });
	}

	/** Unpublishes, as n8n does that calls `delete` once. */
	async deactivate(): Promise<void> {
		await this.call('deactivate', { tries: 0 });
	}

	/** Unpublishes, as n8n 2.41 does, which tries again. @throws what it then shows as a warning */
	async deactivateWithRetry(tries = 3): Promise<void> {
		await this.call('deactivate', { tries });
	}

	/** "Listen for test event": registers the test URL until the first call that starts an execution. */
	async listen(): Promise<void> {
		await this.call('listen');
	}

	/** "Stop listening". Waits for the end that goes on behind n8n's back: the node's next call waits for it. */
	async stopListening(): Promise<void> {
		await this.stopListeningOnly();
		await this.method('checkExists');
	}

	/** "Stop listening", until n8n has its answer. */
	async stopListeningOnly(): Promise<void> {
		await this.call('stopListening');
	}

	/** Calls one webhook method alone. */
	async method(
		method: 'checkExists' | 'create' | 'delete',
		activation: WorkflowActivateMode = 'activate',
	): Promise<boolean> {
		return await this.call('webhookMethod', { method, activation });
	}

	/** A person edits the node; takes effect at the next publish. */
	async setParameters(parameters: INodeParameters): Promise<void> {
		await this.call('setTriggerParameters', { parameters });
	}

	/** Something else overwrites what n8n saved for the workflow: a restored backup, a long execution. */
	async setStaticData(staticData: IDataObject): Promise<void> {
		await this.call('setTriggerStaticData', { staticData });
	}

	/** A person changes the credential; n8n calls nothing. Without the type n8n cannot read it any more. */
	async setCredentials(credentials: CredentialsByType): Promise<void> {
		await this.call('setTriggerCredentials', { credentials });
	}

	/** Saved static data, static data of the test registration, calls so far, and whether it listens for a test event. */
	async state() {
		return await this.call('triggerState');
	}

	/** Static data that is saved for the node (`getWorkflowStaticData('node')`). */
	async staticData(): Promise<any> {
		return (await this.state()).staticData['node:Trigger'] ?? {};
	}

	/** The calls that came in over HTTP so far. */
	async calls() {
		return (await this.state()).calls;
	}

	/** Executions that the calls started, finished; without those of the first `after` calls. */
	async executions(after = 0): Promise<Result[]> {
		const calls = (await this.calls()).slice(after);
		const started = calls.flatMap(({ executionId }) => executionId ?? []);
		return await Promise.all(started.map(async (executionId) => await this.resultOf(executionId)));
	}

	/** Items that the trigger gave into the workflow, over all executions. */
	async emitted(): Promise<any[]> {
		return (await this.executions()).flatMap((result) => result.json('Trigger'));
	}

	/** Waits until at least so many calls have come in. */
	async waitForCalls(count: number, seconds?: number) {
		return await until(
			`${count} calls of the webhook`,
			async () => {
				const calls = await this.calls();
				return calls.length >= count ? calls : undefined;
			},
			seconds,
		);
	}
}
