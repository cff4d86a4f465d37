/**
 * The engine process: n8n-core in plain Node, driven by a test over Node's inter-process
 * messages. See ../engine.cts.
 */
import { rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { EngineMethods } from '../types.cts';
import { Container, core, n8n, setDebugLog } from './n8n.mts';
import { credentialTypeNames, fullTypeName, nodeTypeNames, nodeTypes, openHost } from './host.mts';
import { credentialTest, listSearch, loadOptions, resourceMapping } from './methods.mts';
import { cancel, finished, isRunning, retry, start } from './run.mts';
import {
	activate,
	deactivate,
	forgetTriggers,
	listen,
	openTrigger,
	serveWebhooks,
	setTriggerCredentials,
	setTriggerParameters,
	setTriggerStaticData,
	stopListening,
	triggerState,
	webhookMethod,
} from './trigger.mts';

/** Set by ../record.cjs. */
declare global {
	var noteExecuted: ((test?: object) => void) | undefined;
}

type Handlers = {
	[Name in keyof EngineMethods]: (
		options: Parameters<EngineMethods[Name]>[0],
	) => ReturnType<EngineMethods[Name]> | Promise<ReturnType<EngineMethods[Name]>>;
};

const handlers: Handlers = {
	async open({ port, ...options }) {
		await openHost(options);
		globalThis.noteExecuted?.();
		// Otherwise written at a regular end, which this process does not have.
		flushCompileCache();
		return {
			port: await serveWebhooks(port),
			nodeTypes: nodeTypeNames(),
			credentialTypes: credentialTypeNames(),
		};
	},
	leave: () => {
		forgetTriggers();
		return !isRunning();
	},
	begin: ({ clock, debugLog }) => {
		(globalThis as unknown as { setClock(to: object): void }).setClock(clock);
		setDebugLog(debugLog);
	},
	note: (test) => globalThis.noteExecuted?.(test),
	start: async ({ workflow, run }) => await start(workflow, run),
	retry: async ({ execution, currentWorkflow, credentials }) =>
		await retry(execution, currentWorkflow, credentials ?? {}),
	finished: async ({ executionId }) => await finished(executionId),
	cancel: ({ executionId }) => cancel(executionId),
	binary: async ({ binary }) =>
		await Container.get(core.BinaryDataService).getAsBuffer(binary as never),
	describe: ({ nodeType, typeVersion }) =>
		n8n.deepCopy(
			wholeDescription(
				nodeTypes.getByNameAndVersion(fullTypeName(nodeType), typeVersion).description,
			),
		),
	listSearch: async (options) => await listSearch(options),
	loadOptions: async (options) => await loadOptions(options),
	resourceMapping: async (options) => await resourceMapping(options),
	credentialTest: async ({ credentialType, data }) => await credentialTest(credentialType, data),
	openTrigger: async ({ nodeType, parameters, options }) =>
		await openTrigger(nodeType, parameters, options),
	setTriggerCredentials: async ({ triggerId, credentials }) =>
		await setTriggerCredentials(triggerId, credentials),
	setTriggerParameters: ({ triggerId, parameters }) => setTriggerParameters(triggerId, parameters),
	setTriggerStaticData: ({ triggerId, staticData }) => setTriggerStaticData(triggerId, staticData),
	webhookMethod: async ({ triggerId, method, activation }) =>
		await webhookMethod(triggerId, method, activation),
	activate: async ({ triggerId, activation }) => await activate(triggerId, activation),
	deactivate: async ({ triggerId, tries }) => await deactivate(triggerId, tries),
	listen: async ({ triggerId }) => await listen(triggerId),
	stopListening: async ({ triggerId }) => await stopListening(triggerId),
	triggerState: ({ triggerId }) => triggerState(triggerId),
};

/** A tool's description inherits from its node's, and its `properties` are hidden from loops. */
function wholeDescription(description: INodeTypeDescription): object {
	const copy: Record<string, unknown> = {};
	for (const key in description) copy[key] = description[key as keyof INodeTypeDescription];
	copy.properties = Array.from(description.properties);
	return copy;
}

interface Message {
	id: number;
	method: keyof EngineMethods;
	options: never;
}

process.on('message', async ({ id, method, options }: Message) => {
	try {
		const result = await (handlers[method] as (options: never) => unknown)(options);
		process.send!({ id, result });
	} catch (thrown) {
		const error = thrown as Error & { description?: string; httpCode?: string };
		const { name, message, stack, description, httpCode } = error;
		process.send!({ id, error: { name, message, stack, description, httpCode } });
	}
});
process.on('disconnect', () => {
	rmSync(process.env.N8N_USER_FOLDER!, { recursive: true, force: true });
	process.exit();
});
