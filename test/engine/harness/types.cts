/** What travels between a test and the engine process. Plain data only: it goes through the process boundary. */
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	INodeParameterResourceLocator,
	IPinData,
	IRunData,
	IRunExecutionData,
	IWorkflowSettings,
	WorkflowActivateMode,
	WorkflowExecuteMode,
	ExecutionStatus,
} from 'n8n-workflow';
import type { Clock } from './clock.cts';

/** Credential data by credential type, as a person would have typed it: `{ acpApi: { baseUrl, token, … } }`. */
export type CredentialsByType = Record<string, ICredentialDataDecryptedObject>;

interface FileData {
	data: Buffer | string;
}

/** A file of so many zeros, made in the engine process: nothing large goes through the process boundary. */
interface EmptyFile {
	bytes: number;
}

/** An input item. `binary` data is given as a Buffer or a base64 string and stored by the engine's binary mode. */
export interface InputItem {
	json: IDataObject;
	binary?: Record<string, (FileData | EmptyFile) & { fileName?: string; mimeType?: string }>;
}

/** A node as in a workflow file; everything but name and type has n8n's default. */
export type WorkflowNode = Pick<INode, 'name' | 'type'> & Partial<INode>;

/** A workflow as n8n exports it (extra keys are ignored). */
export interface WorkflowFile {
	id?: string;
	name?: string;
	nodes: WorkflowNode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	staticData?: IDataObject;
	pinData?: IPinData;
}

export interface RunOptions {
	/** Replaces the engine's own credentials for this run. Attached to every node that takes the type and names none. */
	credentials?: CredentialsByType;
	/** Default `manual`, as the button in the editor does. */
	mode?: WorkflowExecuteMode;
	/** Default: the start node that n8n itself would choose. */
	startNode?: string;
	/** Run up to this node only; with `runData` it is a partial execution. */
	destinationNode?: string;
	/** Results of an earlier run for a partial execution. */
	runData?: IRunData;
	/** Node contexts to begin with (`node:<name>` → object), as an earlier try left them. */
	contextData?: IRunExecutionData['executionData'] extends infer D
		? D extends { contextData: infer C }
			? C
			: never
		: never;
	/** Workflow time zone (IANA); default is the engine's. */
	timezone?: string;
	/** Default: a fresh number. */
	executionId?: string;
}

/** A finished (or failed, or cancelled) execution, after the trip through JSON that n8n's database makes. */
export interface StoredExecution {
	executionId: string;
	mode: WorkflowExecuteMode;
	status: ExecutionStatus;
	finished: boolean;
	data: IRunExecutionData;
	/** The workflow that ran, with credentials attached. */
	workflow: WorkflowFile & { id: string };
	retryOf?: string;
}

export interface MethodCall {
	nodeType: string;
	typeVersion?: number;
	method: string;
	parameters?: INodeParameters;
	credentials?: CredentialsByType;
	/** Path of the parameter that asks, e.g. `parameters.agent`. */
	path?: string;
}

export interface TriggerOptions {
	credentials?: CredentialsByType;
	/** Static data that an earlier activation left. */
	staticData?: IDataObject;
	typeVersion?: number;
	/** Fixed id in the webhook's path; default random. Give the same again to play a restart of n8n. */
	webhookId?: string;
	workflowId?: string;
	/** Default: the same for every trigger. */
	nodeId?: string;
	/** Further nodes of the workflow. */
	nodes?: WorkflowNode[];
	/** What the node after the trigger is; default: No Operation. */
	after?: Omit<WorkflowNode, 'name'>;
	/** Public base URL of n8n (`WEBHOOK_URL`), with a slash at the end. Default: the engine's own loopback server. */
	webhookBaseUrl?: string;
	/** N8N_EDITOR_BASE_URL: where n8n serves the editor and listens for tests. With a slash at the end. */
	editorBaseUrl?: string;
	timezone?: string;
}

export interface TriggerInfo {
	triggerId: string;
	/** What `getNodeWebhookUrl` gives to the platform. */
	url: string;
	testUrl: string;
	/** Where this engine listens, whatever base URL is announced. */
	localUrl: string;
	webhookId: string;
}

/** One call that came in over HTTP. */
export interface WebhookCall {
	/** `production` or `test` URL. */
	kind: 'production' | 'test';
	method: string;
	status: number;
	/** Id of the execution that it started, if it started one. */
	executionId?: string;
}

export type {
	ExecutionStatus,
	INodeParameterResourceLocator,
	WorkflowActivateMode,
	WorkflowExecuteMode,
};

/** A tool call as an AI agent makes it. */
export interface ToolCall {
	/** Arguments that the model filled in, by `$fromAI` key. */
	args: IDataObject;
	/** The model's id of the call (`toolCallId`); default `call_<n>`. */
	id?: string;
	/** Name of the tool as the model sees it; default the first tool. */
	tool?: string;
}

export interface ToolDescription {
	name: string;
	description: string;
	nodeName: string;
	arguments: Record<string, { type: string; description?: string; required: boolean }>;
}

export interface ToolAnswer {
	id: string;
	/** Items that the tool gave back, or what the agent reads as text when it was invoked directly. */
	response?: unknown;
	error?: string;
}

/** The calls that a test can make to the engine process. */
export interface EngineMethods {
	open(options: {
		packages: string[];
		timezone: string;
		binaryMode: 'default' | 'filesystem';
		expressionEngine: 'vm' | 'legacy';
		port: number;
	}): { port: number; nodeTypes: string[]; credentialTypes: string[] };
	/** Its test file is done. @returns whether another may have the process: no execution is going on. */
	leave(options: object): boolean;
	/** A test file takes over a process: its time, and whether it reads what n8n logs at level debug. */
	begin(options: { clock: Clock; debugLog: boolean }): void;
	/** A test has ended (record.cjs). */
	note(test: object): void;
	start(options: { workflow: WorkflowFile; run: RunOptions }): { executionId: string };
	retry(options: {
		execution: StoredExecution;
		currentWorkflow?: WorkflowFile;
		credentials?: CredentialsByType;
	}): { executionId: string };
	finished(options: { executionId: string }): string;
	cancel(options: { executionId: string }): void;
	binary(options: { binary: { id?: string; data: string } }): Buffer;
	describe(options: { nodeType: string; typeVersion?: number }): unknown;
	listSearch(options: MethodCall & { filter?: string; paginationToken?: string }): unknown;
	loadOptions(options: MethodCall): unknown;
	resourceMapping(options: MethodCall): unknown;
	credentialTest(options: { credentialType: string; data: ICredentialDataDecryptedObject }): {
		status: 'OK' | 'Error';
		message: string;
	};
	openTrigger(options: {
		nodeType: string;
		parameters: INodeParameters;
		options: TriggerOptions;
	}): TriggerInfo;
	setTriggerParameters(options: { triggerId: string; parameters: INodeParameters }): void;
	setTriggerStaticData(options: { triggerId: string; staticData: IDataObject }): void;
	setTriggerCredentials(options: { triggerId: string; credentials: CredentialsByType }): void;
	webhookMethod(options: {
		triggerId: string;
		method: 'checkExists' | 'create' | 'delete';
		activation: WorkflowActivateMode;
	}): boolean;
	activate(options: { triggerId: string; activation: WorkflowActivateMode }): void;
	deactivate(options: { triggerId: string; tries: number }): void;
	listen(options: { triggerId: string }): void;
	stopListening(options: { triggerId: string }): void;
	triggerState(options: { triggerId: string }): {
		staticData: IDataObject;
		testStaticData?: IDataObject;
		calls: WebhookCall[];
		listening: boolean;
	};
}
