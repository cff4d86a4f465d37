/** What travels between a test and the engine process. Plain data only: it goes through the process boundary. */
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	IRunExecutionData,
	IWorkflowSettings,
	WorkflowActivateMode,
	WorkflowExecuteMode,
	ExecutionStatus,
} from 'n8n-workflow';

/** Credential data by credential type, as a person would have typed it: `{ acpApi: { baseUrl, token, … } }`. */
export type CredentialsByType = Record<string, ICredentialDataDecryptedObject>;

/** A file's content, as a Buffer or in base64; or of so many zeros, as nothing large goes through the process boundary. */
type FileData = { data: Buffer | string } | { bytes: number };

/** An input item. `binary` data is stored by the engine's binary mode. */
export interface InputItem {
	json: IDataObject;
	binary?: Record<string, FileData & { fileName?: string; mimeType?: string }>;
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
}

export interface RunOptions {
	/** Replaces the engine's own credentials for this run. Attached to every node that takes the type and names none. */
	credentials?: CredentialsByType;
	/** Default `manual`, as the button in the editor does. */
	mode?: WorkflowExecuteMode;
	/** Default: the start node that n8n itself would choose. */
	startNode?: string;
	/** Workflow time zone (IANA); default is the engine's. */
	timezone?: string;
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
	webhookId: string;
}

/** One call that came in over HTTP. */
export interface WebhookCall {
	/** `production` or `test` URL. */
	kind: 'production' | 'test' | 'emitted';
	method: string;
	status: number;
	/** Id of the execution that it started, if it started one. */
	executionId?: string;
}

export type { WorkflowActivateMode };

/** A tool call as an AI agent makes it. */
export interface ToolCall {
	/** Arguments that the model filled in, by `$fromAI` key. */
	args: IDataObject;
	/** The model's id of the call (`toolCallId`); default `call_<n>`. */
	id?: string;
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
