/** n8n's engine as tests use it: a process of its own with n8n-core and the built nodes. */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isEmpty, isPlainObject, omit, pick, pickBy } from 'lodash';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	IRunExecutionData,
	ITaskData,
	NodeExecutionHint,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { advanced } from '../../../nodes/engine/operation/runOptions';
import { clockOf, processWith, type Clock } from './clock.cts';
import { handlesOf } from './handles.cts';
import { nodeBinary, repositoryRoot } from './paths.cts';
import type { EngineMethods } from './runner/main.mts' with { 'resolution-mode': 'import' };
import type {
	CredentialsByType,
	InputItem,
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

/** Options where n8n stores them: tests name those in the entry 'Advanced' beside the others. */
function stored({ options, ...parameters }: INodeParameters): INodeParameters {
	const inside = pick(options as INodeParameters, advanced);
	if (!isPlainObject(options) || isEmpty(inside))
		return { ...parameters, ...(options !== undefined && { options }) };
	return {
		...parameters,
		options: { ...omit(options as INodeParameters, advanced), advanced: inside },
	};
}

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
	) {}

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
	runs(node = testedNode): ITaskData[] {
		return this.stored.data.resultData.runData[node] ?? [];
	}

	/** The items of one output of a node's last run. */
	items(node = testedNode, output = 0): INodeExecutionData[] {
		return this.runs(node).at(-1)?.data?.main?.[output] ?? [];
	}

	/** Their JSON. */
	json(node = testedNode, output = 0): any[] {
		return this.items(node, output).map(({ json }) => json);
	}

	/** For each item of an output, the input items that it comes from. */
	pairedItems(node = testedNode, output = 0): number[][] {
		return this.items(node, output).map(({ pairedItem }) =>
			[pairedItem ?? []]
				.flat()
				.map((paired) => (typeof paired === 'number' ? paired : paired.item)),
		);
	}

	/** Hints that a node shows in its output panel. */
	hints(node = testedNode): NodeExecutionHint[] {
		return this.runs(node).at(-1)?.hints ?? [];
	}

	/** What a node kept with `getContext('node')`. */
	nodeContext(node = testedNode): IDataObject {
		return (this.stored.data.executionData?.contextData[`node:${node}`] ?? {}) as IDataObject;
	}
}

/** What people read of errors says in 40 words what happened, where, and what to do. An AI reads both parts in one. */
function refuseLongErrors({ stored: { data, workflow } }: Result): void {
	if (workflow.nodes.some(({ type }) => type.endsWith('Tool'))) return;
	const { error, runData } = data.resultData;
	const items = Object.values(runData).flatMap((runs) =>
		runs.flatMap((run) => run.data?.main?.flat()),
	);
	const ofItems = items.map((item) => item?.json.errorDescription);
	for (const text of [error?.message, error?.description, ...ofItems]) {
		const own = String(text).replace(/<ul>.*<\/ul>|The platform says: .*?[.!?](?= |$)/gs, '');
		if (own.split(/\s+/).length > 40) throw new Error(`An error of more than 40 words: ${own}`);
	}
}

/** An execution that is going on. */
export interface Running {
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
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail?: boolean;
	/** 2 to 5. */
	maxTries?: number;
	/** Milliseconds, at most 5000; n8n takes 0 as 1000, so 1 is the least. */
	waitBetweenTries?: number;
	/** Run the node once per batch of this many items (loop over items). */
	batchSize?: number;
}

export interface EngineOptions {
	/** Folders of node packages; default this repository, built. */
	packages?: string[];
	/** Credentials that every run gets. */
	credentials?: CredentialsByType;
	/**
	 * n8n's own zone (GENERIC_TIMEZONE); default America/New_York, as n8n's, so that its use where it must not be shows.
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
	/** Another process of the same n8n, as in queue mode: what n8n remembers of duplicates belongs to both. */
	beside?: Engine;
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

/** Connections from each node to the next. */
const connect = (...names: string[]) =>
	Object.fromEntries(
		names
			.slice(0, -1)
			.map((name, index) => [
				name,
				{ main: [[{ node: names[index + 1]!, type: 'main' as const, index: 0 }]] },
			]),
	);

/** Polls until a condition holds. @throws after `seconds` (default 240), naming what was waited for. */
export async function until<T>(
	what: string,
	condition: () => Promise<T> | T,
	seconds = 240,
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
	opened: { port: number };
}

/** Engine processes of this Jest process that no test file uses, by what they were started with (environment.cjs). */
declare const idleEngines: () => Map<string, IdleEngine[]>;

type Sent<Name extends keyof EngineMethods> = Parameters<EngineMethods[Name]>[0];
type Answer<Name extends keyof EngineMethods> = Awaited<ReturnType<EngineMethods[Name]>>;

/** A running engine process. */
export class Engine {
	private child!: ChildProcess;
	private calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
	private lastCall = 0;
	private printed = '';
	private userFolder = mkdtempSync(path.join(os.tmpdir(), 'n8n-engine-'));
	private opened = { port: 0 };
	/** Given to every run that brings none. */
	credentials: CredentialsByType;
	/** Whether an error of more than 40 words is a result like any other; elsewhere it fails the test. */
	takesLongErrors = false;

	private constructor(private readonly options: EngineOptions) {
		this.credentials = options.credentials ?? {};
	}

	/** Starts an engine process. @throws when a package cannot be loaded (not built?). */
	static async start(options: EngineOptions = {}): Promise<Engine> {
		const engine = new Engine(options);
		try {
			if (options.beside) engine.userFolder = options.beside.userFolder;
			if (options.beside || !(await engine.takeIdle())) await engine.spawn();
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
			execArgv: ['--disable-warning=ExperimentalWarning', ...clock.execArgv],
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
		this.listen();
		this.opened = await this.call('open', { packages, ...modes, port: this.opened.port });
		await this.begin();
	}

	private listen(): void {
		const collect = (chunk: Buffer) => (this.printed += chunk);
		this.child.stdout!.on('data', collect);
		this.child.stderr!.on('data', collect);
		this.child.on('message', ({ id, result, error }: any) => {
			const call = this.calls.get(id);
			this.calls.delete(id);
			if (error) call?.reject(Object.assign(new Error(error.message), error));
			else call?.resolve(result);
		});
		this.child.on('exit', (code, signal) => {
			const end = `The engine process ended (${signal ?? code})`;
			const why = new Error(`${end}. It printed:\n${this.printed.slice(-4000)}`);
			for (const { reject } of this.calls.values()) reject(why);
			this.calls.clear();
		});
	}

	/** What a process is started with, which engines share that may take each other's place; the rest is told to it later. */
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

	private get clock(): Clock {
		return clockOf({ begin: this.options.clock, speed: this.options.speed });
	}

	private async begin(): Promise<void> {
		await this.call('begin', { clock: this.clock, debugLog: this.options.debugLog ?? false });
	}

	/** Goes on with a process that another test file has left. @returns whether there is one */
	private async takeIdle(): Promise<boolean> {
		const idle = idleEngines().get(JSON.stringify(this.started))?.pop();
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
		if (!this.isAlive || this.calls.size > 0 || !(await this.call('leave', {}))) return false;
		const { child, userFolder, lastCall, opened } = this;
		for (const source of [child, child.stdout!, child.stderr!]) source.removeAllListeners();
		for (const stream of [child.stdout!, child.stderr!]) stream.resume();
		for (const handle of handlesOf(child)) handle.unref();
		const kind = JSON.stringify(this.started);
		const others = idleEngines().get(kind) ?? [];
		const idle = { child, userFolder, lastCall, opened };
		child.once('exit', () => {
			if (others.includes(idle)) others.splice(others.indexOf(idle), 1);
		});
		idleEngines().set(kind, others);
		others.push(idle);
		return true;
	}

	private async call<Name extends keyof EngineMethods>(
		method: Name,
		options: Sent<Name>,
	): Promise<Answer<Name>> {
		const id = ++this.lastCall;
		return await new Promise<any>((resolve, reject) => {
			this.calls.set(id, { resolve, reject });
			this.child.send({ id, method, options }, (error) => {
				if (error) reject(error);
			});
		});
	}

	/** What the engine process has printed (n8n's log, `console.*` of nodes), as far as it has arrived. */
	get log(): string {
		return this.printed;
	}

	/** All that it has printed until now. */
	async logged(): Promise<string> {
		const mark = `── ${randomUUID()}\n`;
		const arrived = [this.child.stdout!, this.child.stderr!].map(async (stream) => {
			let text = '';
			for await (const [chunk] of on(stream, 'data')) if ((text += chunk).includes(mark)) return;
		});
		await this.call('print', { mark });
		await Promise.all(arrived);
		return (this.printed = this.printed.replaceAll(mark, ''));
	}

	/** Base URL of the engine's web server, with a slash at the end; the same after `restart`. */
	get url(): string {
		return `http://127.0.0.1:${this.opened.port}/`;
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

	/**
	 * What the nodes keep in memory is gone, as after `restart`, in a fifth of its time.
	 * @param triggers only what the triggers keep
	 */
	async forget({ triggers = false } = {}): Promise<void> {
		await this.call('forget', { triggers });
	}

	/** n8n's memory for duplicates is empty, which survives `forget` and `restart`. */
	async forgetDuplicates(): Promise<void> {
		await this.call('forgetDuplicates', {});
	}

	/** Kills the process as a crash would, and starts a new one: everything kept in memory is gone. */
	async restart(): Promise<void> {
		await this.kill();
		await this.spawn();
	}

	async stop(): Promise<void> {
		if (this.options.beside) return await this.kill();
		if (await this.leaveIdle()) return;
		await this.kill();
		rmSync(this.userFolder, { recursive: true, force: true });
	}

	private withCredentials<T extends { credentials?: CredentialsByType }>(options: T) {
		return { ...options, credentials: options.credentials ?? this.credentials };
	}

	private async resultOf(executionId: string): Promise<Result> {
		const result = new Result(JSON.parse(await this.call('finished', { executionId })));
		if (!this.takesLongErrors) refuseLongErrors(result);
		return result;
	}

	/** Starts a workflow and comes back at once. Node types may be short (`acpCalls`). */
	async start(
		workflow: WorkflowFile,
		{ cancelWhen, ...run }: EngineRunOptions = {},
	): Promise<Running> {
		const { executionId } = await this.call('start', { workflow, run: this.withCredentials(run) });
		const cancel = async () => await this.call('cancel', { executionId });
		const done = this.resultOf(executionId);
		if (!cancelWhen) return { done, cancel };
		let ended = false;
		void done.finally(() => (ended = true));
		const isTime = async () => ended || (await cancelWhen());
		const cancelled = until('the condition to cancel', isTime).then(async () => {
			if (!ended) await cancel();
		});
		return { cancel, done: cancelled.then(async () => await done) };
	}

	/** Runs a workflow to its end. A failed execution is a result, not an exception. */
	run = async (workflow: WorkflowFile, options: EngineRunOptions = {}): Promise<Result> =>
		await (
			await this.start(workflow, options)
		).done;

	/**
	 * The workflow that `runNode` runs: [Items → Node], with a loop [Items → Loop → Node → Loop] for `batchSize`, from both
	 * outputs: n8n ends a loop to which nothing comes back. @param node its type, or `'<type> <resource>.<operation>'`
	 */
	nodeWorkflow(node: string, parameters: INodeParameters, options: NodeOptions = {}): WorkflowFile {
		const [type = '', operationOf] = node.split(' ');
		const [resource, operation] = operationOf?.split('.') ?? [];
		const { items = [{}], batchSize } = options;
		const nodes: WorkflowNode[] = [
			{ name: 'Items', type: 'harness.items', parameters: { items: items.map(toItem) as never } },
			{
				name: testedNode,
				type,
				parameters: stored(operationOf ? { resource, operation, ...parameters } : parameters),
				...pickBy(pick(options, nodeSettings), (value) => value !== undefined),
			},
		];
		if (!batchSize) return { nodes, connections: connect('Items', testedNode) };
		nodes.push({ name: 'Loop', type: 'harness.loop', parameters: { batchSize } });
		const toLoop = [{ node: 'Loop', type: 'main' as const, index: 0 }];
		return {
			nodes,
			connections: {
				...connect('Items', 'Loop'),
				[testedNode]: { main: [toLoop, toLoop] },
				Loop: { main: [[], [{ node: testedNode, type: 'main', index: 0 }]] },
			},
		};
	}

	/** Starts a node on items and comes back at once; see `runNode`. */
	async startNode(node: string, parameters: INodeParameters, options: NodeOptions = {}) {
		const workflow = this.nodeWorkflow(node, parameters, options);
		return await this.start(workflow, { startNode: 'Items', ...runOptionsOf(options) });
	}

	/**
	 * Runs one node on items, e.g. `runNode('acpCalls call.start', { phoneNumber: '={{ $json.phone }}' }, { items: [{ phone:
	 * '+90…' }] })`. Parameters that are not given have the node's defaults. The result's methods mean this node.
	 */
	runNode = async (...call: Parameters<Engine['startNode']>): Promise<Result> =>
		await (
			await this.startNode(...call)
		).done;

	/**
	 * "Retry execution" in n8n's list of executions: with the original workflow, or with `currentWorkflow`.
	 * @throws when n8n would refuse (execution succeeded, node gone).
	 */
	async retry(
		{ stored: execution }: Result,
		options: { currentWorkflow?: WorkflowFile; credentials?: CredentialsByType } = {},
	): Promise<Result> {
		const again = this.withCredentials({ execution, ...options });
		const { executionId } = await this.call('retry', again);
		return await this.resultOf(executionId);
	}

	/**
	 * Lets an AI agent call a node as a tool. Parameters take the model's arguments with `={{ $fromAI('name', 'description',
	 * 'string') }}`. @param via `engine`: one call after the other through the engine (AI Agent ≥ 3; items carry
	 * `toolCallId`); `invoke`: all calls at once, directly (older agents, MCP).
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
		const result = await this.run(workflow, { startNode: 'Items', ...runOptionsOf(options) });
		const { tools = [], answers = [] } = result.json('Agent')[0] ?? {};
		return { tools, answers, result };
	}

	/** The description of a node type as n8n has it after loading; `<name>Tool` gives the tool's. */
	async describe(nodeType: string, typeVersion?: number) {
		return await this.call('describe', { nodeType, typeVersion });
	}

	/** The bytes of an item's binary property, whatever the binary mode. */
	async binary(binary: { id?: string; data: string }): Promise<Buffer> {
		return Buffer.from(await this.call('binary', { binary }));
	}

	private readonly ofMethod =
		<Name extends 'listSearch' | 'loadOptions' | 'resourceMapping'>(name: Name) =>
		async (
			nodeType: string,
			method: string,
			options?: Omit<Sent<Name>, 'nodeType' | 'method'>,
		): Promise<Answer<Name>> =>
			await this.call(name, this.withCredentials({ nodeType, method, ...options }) as Sent<Name>);

	/** A "From List" search. `paginationToken` is what the last page gave. @throws what the node throws, as the next two do */
	listSearch = this.ofMethod('listSearch');

	/** The options of a dropdown. */
	loadOptions = this.ofMethod('loadOptions');

	/** The fields of a resource mapper. */
	resourceMapping = this.ofMethod('resourceMapping');

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
		const given = { nodeType, parameters, options: this.withCredentials(options) };
		const info = await this.call('openTrigger', given);
		return new Trigger(
			info,
			async (method, more): Promise<any> =>
				await this.call(method, { triggerId: info.triggerId, ...more } as never),
			async (executionId) => await this.resultOf(executionId),
		);
	}
}

/** Settings of a node in a workflow. */
const nodeSettings = ['onError', 'retryOnFail', 'maxTries', 'waitBetweenTries'] as const;
/** What of the options is about the execution. */
const runOptionsOf = (options: NodeOptions): EngineRunOptions =>
	omit(options, ['items', 'batchSize', ...nodeSettings]);

type TriggerCall = <Name extends keyof EngineMethods>(
	method: Name,
	more?: Omit<Sent<Name>, 'triggerId'>,
) => Promise<Answer<Name>>;

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

	/** Publishes (default), or starts n8n (`init`), and so on; from then on the URL answers. @throws what n8n would show */
	activate = async (activation: WorkflowActivateMode = 'activate') =>
		await this.call('activate', { activation });

	/** Unpublishes, as n8n does that calls `delete` once. */
	deactivate = async () => await this.call('deactivate', { tries: 0 });

	/** Unpublishes, as n8n 2.41 does, which tries again. @throws what it then shows as a warning */
	deactivateWithRetry = async (tries = 3) => await this.call('deactivate', { tries });

	/**
	 * Starts what the node does by itself while it is published (`trigger()`), until `unwatch`.
	 * @param byHand it looks when `look` says so, instead of after a minute and then each hour
	 */
	watch = async (activation: WorkflowActivateMode = 'init', byHand = false) =>
		await this.call('watch', { activation, byHand });

	unwatch = async () => await this.call('unwatch');

	/** The hour passes, and what `watch` has started looks once. Waits for the end of it. */
	look = async () => await this.call('look');

	/** "Listen for test event": registers the test URL until the first call that starts an execution. */
	listen = async () => await this.call('listen');

	/** "Stop listening". Waits for the end that goes on behind n8n's back: the node's next call waits for it. */
	async stopListening(): Promise<void> {
		await this.stopListeningOnly();
		await this.method('checkExists');
	}

	/** "Stop listening", until n8n has its answer. */
	stopListeningOnly = async () => await this.call('stopListening');

	/** Calls one webhook method alone. */
	method = async (
		method: 'checkExists' | 'create' | 'delete',
		activation: WorkflowActivateMode = 'activate',
	) => await this.call('webhookMethod', { method, activation });

	/** A person edits the node; takes effect at the next publish. */
	setParameters = async (parameters: INodeParameters) =>
		await this.call('changeTrigger', { parameters });

	/** Something else overwrites what n8n saved for the workflow: a restored backup, a long execution. */
	setStaticData = async (staticData: IDataObject) =>
		await this.call('changeTrigger', { staticData });

	/** A person changes the credential; n8n calls nothing. Without the type n8n cannot read it any more. */
	setCredentials = async (credentials: CredentialsByType) =>
		await this.call('changeTrigger', { credentials });

	/** Saved static data, static data of the test registration, calls so far, and whether it listens for a test event. */
	state = async () => await this.call('triggerState');

	/** Static data that is saved for the node (`getWorkflowStaticData('node')`). */
	staticData = async (): Promise<any> => (await this.state()).staticData['node:Trigger'] ?? {};

	/** The calls that came in over HTTP so far. */
	calls = async () => (await this.state()).calls;

	/** Executions that the calls started, finished; without those of the first `after` calls. */
	async executions(after = 0): Promise<Result[]> {
		const calls = (await this.calls()).slice(after);
		const started = calls.flatMap(({ executionId }) => executionId ?? []);
		return await Promise.all(started.map(async (executionId) => await this.resultOf(executionId)));
	}

	/** Items that the trigger gave into the workflow, over all executions. */
	emitted = async (): Promise<any[]> =>
		(await this.executions()).flatMap((result) => result.json('Trigger'));

	/** Waits until at least so many calls have come in. */
	waitForCalls = async (count: number, seconds?: number) =>
		await until(
			`${count} calls of the webhook`,
			async () => {
				const calls = await this.calls();
				return calls.length >= count ? calls : undefined;
			},
			seconds,
		);
}
