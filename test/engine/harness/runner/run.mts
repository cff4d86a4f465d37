/** Runs, retries and cancels workflows with n8n-core's WorkflowExecute. */
import type {
	INode,
	IRun,
	IRunExecutionData,
	IWorkflowBase,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { CredentialsByType, RunOptions, StoredExecution, WorkflowFile } from '../types.cts';
import {
	additionalDataOf,
	CredentialsHelper,
	fullTypeName,
	latestVersion,
	nodeTypes,
} from './host.mts';
import { core, n8n } from './n8n.mts';

interface Execution {
	result: Promise<StoredExecution>;
	cancel(): void;
}

const executions = new Map<string, Execution>();
let lastExecutionId = 0;
const running = new Set<string>();

export const isRunning = (): boolean => running.size > 0;

/** Fills in what n8n's editor writes into every node, and attaches credentials to the nodes that take them. */
export function completeWorkflow(
	file: WorkflowFile,
	credentialTypes: string[],
	timezone?: string,
): IWorkflowBase & { id: string } {
	const nodes = file.nodes.map((given, index): INode => {
		const type = fullTypeName(given.type);
		const typeVersion = given.typeVersion ?? latestVersion(type);
		const accepted = nodeTypes.getByNameAndVersion(type, typeVersion).description.credentials ?? [];
		const attached = Object.fromEntries(
			accepted
				.filter(({ name }) => credentialTypes.includes(name))
				.map(({ name }) => [name, { id: name, name }]),
		);
		return {
			id: `node-${index}`,
			position: [index * 200, 0],
			...given,
			parameters: given.parameters ?? {},
			type,
			typeVersion,
			...(Object.keys(attached).length > 0 ? { credentials: attached } : {}),
		};
	});
	return {
		id: file.id ?? 'workflow-1',
		name: file.name ?? 'Workflow',
		active: false,
		isArchived: false,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes,
		connections: file.connections,
		settings: { executionOrder: 'v1', ...file.settings, ...(timezone ? { timezone } : {}) },
		staticData: file.staticData ?? {},
		activeVersionId: null,
	} as unknown as IWorkflowBase & { id: string };
}

/** A Workflow over a copy of the data: n8n reads it from its database each time. */
export function workflowOf(data: IWorkflowBase): Workflow {
	return new n8n.Workflow({ ...n8n.deepCopy(data), nodeTypes });
}

/** What n8n's database makes of run data: JSON and back. */
export const throughDatabase = <T,>(value: T): T =>
	JSON.parse(n8n.jsonStringify(value, { replaceCircularRefs: true })) as T;

/** Registers an execution and keeps its result until it is asked for. */
function launch(options: {
	data: IWorkflowBase & { id: string };
	credentials: CredentialsHelper;
	mode: WorkflowExecuteMode;
	retryOf?: string;
	/** What n8n does with the workflow's static data at the end. */
	save?(workflow: Workflow): void;
	execute(
		workflow: Workflow,
		additionalData: ReturnType<typeof additionalDataOf>,
	): ReturnType<InstanceType<typeof core.WorkflowExecute>['run']>;
}): string {
	const { data, mode, retryOf } = options;
	const executionId = String(++lastExecutionId);
	const workflow = workflowOf(data);
	const hooks = new core.ExecutionLifecycleHooks(mode, executionId, data, retryOf);
	const additionalData = additionalDataOf(options.credentials, {
		executionId,
		workflowId: data.id,
		workflowSettings: data.settings,
		hooks,
	});
	const stored = (run: Pick<IRun, 'status' | 'finished' | 'data'>): StoredExecution =>
		throughDatabase({
			executionId,
			mode,
			status: run.status,
			finished: run.finished ?? false,
			data: run.data,
			workflow: {
				...data,
				staticData: workflow.staticData,
			} as unknown as StoredExecution['workflow'],
			retryOf,
		});
	const failed = (error: Error): StoredExecution => {
		const plain = { ...error, message: error.message, stack: error.stack } as never;
		const resultData = { error: plain, runData: {} };
		const data = n8n.createRunExecutionData({ resultData });
		return stored({ status: 'error', finished: false, data });
	};
	let run: ReturnType<typeof options.execute> | undefined;
	const execute = async () => {
		run = options.execute(workflow, additionalData);
		const end = await run;
		options.save?.(workflow);
		// n8n saves a cancelled execution as such, whatever the node makes of it afterwards.
		return stored(run.isCanceled ? { ...end, finished: false, status: 'canceled' } : end);
	};
	running.add(executionId);
	const result = execute().catch(failed);
	executions.set(executionId, { result, cancel: () => run?.cancel() });
	void result.finally(() => running.delete(executionId));
	return executionId;
}

/** Starts a workflow; see RunOptions. Returns at once. */
export async function start({
	workflow: file,
	run: options,
}: {
	workflow: WorkflowFile;
	run: RunOptions;
}): Promise<{ executionId: string }> {
	const credentials = await CredentialsHelper.of(options.credentials ?? {});
	const data = completeWorkflow(file, credentials.types, options.timezone);
	const mode = options.mode ?? 'manual';
	const executionId = launch({
		data,
		credentials,
		mode,
		execute(workflow, additionalData) {
			const { startNode: name } = options;
			const startNode = name ? workflow.getNode(name) : workflow.getStartNode();
			if (!startNode) throw new Error(`No node to start from was found (${name ?? 'no trigger'})`);
			return new core.WorkflowExecute(additionalData, mode).run({ workflow, startNode });
		},
	});
	return { executionId };
}

/** Starts a workflow from a trigger's items (n8n: webhook-helpers.js, prepareExecutionData). */
export function startFromTrigger(options: {
	data: IWorkflowBase & { id: string };
	credentials: CredentialsHelper;
	mode: WorkflowExecuteMode;
	runExecutionData: IRunExecutionData;
	save?(workflow: Workflow): void;
}): string {
	return launch({
		...options,
		execute: (workflow, additionalData) =>
			new core.WorkflowExecute(
				additionalData,
				options.mode,
				options.runExecutionData,
			).processRunExecutionData(workflow),
	});
}

/**
 * "Retry execution" (n8n: execution.service.js, retry), with the workflow that failed or with the current one. @throws when
 * the execution succeeded, or has no data to go on from, or when its node is gone from the current workflow.
 */
export async function retry({
	execution,
	currentWorkflow,
	credentials: credentialData,
}: {
	execution: StoredExecution;
	currentWorkflow?: WorkflowFile;
	credentials: CredentialsByType;
}): Promise<{ executionId: string }> {
	const runExecutionData = n8n.deepCopy(execution.data);
	if (!runExecutionData.executionData) throw new Error('The execution has no data to retry from');
	if (execution.finished) throw new Error('The execution succeeded, so it cannot be retried.');
	const { lastNodeExecuted } = runExecutionData.resultData;
	if (lastNodeExecuted) {
		delete runExecutionData.resultData.error;
		const runs = runExecutionData.resultData.runData[lastNodeExecuted];
		if (runs?.at(-1)?.error !== undefined) runs.pop();
	}
	const credentials = await CredentialsHelper.of(credentialData);
	const data = completeWorkflow(currentWorkflow ?? execution.workflow, credentials.types);
	if (currentWorkflow) {
		const workflow = workflowOf(data);
		for (const entry of runExecutionData.executionData.nodeExecutionStack) {
			const node = workflow.getNode(entry.node.name);
			if (node === null) {
				throw new n8n.WorkflowOperationError(
					`Could not find the node "${entry.node.name}" in workflow. It probably got deleted or renamed. Without it the workflow can sadly not be retried.`,
				);
			}
			entry.node = node;
		}
	}
	return {
		executionId: launch({
			data,
			credentials,
			mode: 'retry',
			retryOf: execution.executionId,
			execute: (workflow, additionalData) =>
				new core.WorkflowExecute(additionalData, 'retry', runExecutionData).processRunExecutionData(
					workflow,
				),
		}),
	};
}

const executionOf = (executionId: string): Execution => {
	const execution = executions.get(executionId);
	if (!execution) throw new Error(`There is no execution "${executionId}" in this engine process`);
	return execution;
};

/** Waits until an execution has ended. */
export const ended = async (executionId: string): Promise<StoredExecution> =>
	await executionOf(executionId).result;

/** Waits until an execution has ended. Gives the stored execution as JSON. */
export const finished = async ({ executionId }: { executionId: string }): Promise<string> =>
	JSON.stringify(await ended(executionId));

/** The stop button of n8n: fires the execution's cancel signal. */
export const cancel = ({ executionId }: { executionId: string }): void =>
	executionOf(executionId).cancel();
