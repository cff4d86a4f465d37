/**
 * Webhook triggers: registration (n8n: webhook.service.js, webhook-trigger-registrar.js, test-webhooks.js) and a real
 * web server for what the platform delivers (live-webhooks.js, webhook-helpers.js, body-parser.js).
 */
import type { Request, Response } from 'express';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	ITriggerFunctions,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowBase,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import { buffer as readAll } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { parse as parseQuery } from 'node:querystring';
import type { CredentialsByType, TriggerInfo, TriggerOptions, WebhookCall } from '../types.cts';
import { additionalDataOf, CredentialsHelper, host, nodeTypes } from './host.mts';
import { completeWorkflow, ended, startFromTrigger, throughDatabase, workflowOf } from './run.mts';
import { core, express, n8n, parseIncomingMessage, resting } from './n8n.mts';

/** The looks of `trigger()`, between which it waits for minutes. */
class Hourly {
	private wake = (): void => {};
	private rested = (): void => {};
	private resting = this.next();
	/** Executions that it has started and waits for, for a minute each. */
	busy = 0;

	private async next(): Promise<void> {
		await new Promise<void>((resolve) => (this.rested = resolve));
	}

	readonly sleep = (milliseconds: number): Promise<void> | undefined => {
		if (milliseconds < 60_000 || this.busy > 0) return undefined;
		this.rested();
		return new Promise((resolve) => (this.wake = resolve));
	};

	/** The hour is over: the next look begins. Waits for its end. */
	async look(): Promise<void> {
		await this.resting;
		this.resting = this.next();
		(globalThis as unknown as { passTime(ms: number): void }).passTime(3_600_000);
		this.wake();
		await this.resting;
	}
}

interface Trigger {
	data: IWorkflowBase & { id: string };
	credentials: CredentialsHelper;
	publicUrl: string;
	/** Where it listens for tests. */
	editorUrl: string;
	/** Path and method of its webhook, as n8n's table of webhooks has them. */
	path: string;
	method: string;
	calls: WebhookCall[];
	/** The published webhook is registered in n8n. */
	active: boolean;
	/** What `trigger()` does while it is published. */
	watching?: { close?: () => Promise<void>; hourly: Hourly };
	/** "Listen for test event": static data travels with the registration and is never saved. */
	test?: { staticData?: IDataObject };
}

/** The trigger that a test means. */
interface Of {
	triggerId: string;
}
type Method = 'checkExists' | 'create' | 'delete';

const triggers = new Map<string, Trigger>();
/** The test file that opened the triggers is done with them. */
export const forgetTriggers = (): void => triggers.clear();
const nodeName = 'Trigger';

const triggerOf = (triggerId: string): Trigger => {
	const trigger = triggers.get(triggerId);
	if (!trigger) throw new Error(`There is no trigger "${triggerId}" in this engine process`);
	return trigger;
};

const typeOf = ({ type, typeVersion }: INode) => nodeTypes.getByNameAndVersion(type, typeVersion);

const triggerNodeOf = ({ data }: Trigger): INode =>
	data.nodes.find(({ name }) => name === nodeName) as INode;

/** n8n: workflow-execute-additional-data.js; tests are under the URL of the editor. */
const testBaseOf = ({ editorUrl }: Trigger) => ({ webhookTestBaseUrl: `${editorUrl}webhook-test` });

/** The webhook of the node's first webhook description (n8n: webhook.service.js, getNodeWebhooks). */
function webhookDataOf(trigger: Trigger, workflow: Workflow, isTest: boolean): IWebhookData {
	const node = workflow.getNode(nodeName)!;
	const description = typeOf(node).description.webhooks?.[0];
	if (!description) throw new Error(`Node type "${node.type}" has no webhook`);
	// Nothing in the descriptions of our triggers is an expression (decision 0006).
	const { httpMethod, path } = description;
	return {
		httpMethod: httpMethod as IWebhookData['httpMethod'],
		node: nodeName,
		path: n8n.NodeHelpers.getNodeWebhookPath(workflow.id, node, path, false, false),
		webhookDescription: description,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additionalDataOf(
			trigger.credentials,
			{ workflowId: workflow.id, ...testBaseOf(trigger) },
			trigger.publicUrl,
		),
		userId: 'owner',
		isTest,
	};
}

/** n8n: a published workflow is active; one that only listens for a test event is not, and begins without static data. */
const publishedWorkflowOf = ({ data }: Trigger): Workflow => workflowOf({ ...data, active: true });
const testWorkflowOf = ({ data }: Trigger, staticData: IDataObject = {}): Workflow =>
	workflowOf({ ...data, active: false, staticData: staticData as never });

/** Calls one webhook method. @returns what it returned; undefined when the node does not have it. */
async function runWebhookMethod(
	workflow: Workflow,
	webhook: IWebhookData,
	method: Method,
	mode: 'trigger' | 'manual' | 'internal',
	activation: WorkflowActivateMode,
): Promise<boolean | undefined> {
	const node = workflow.getNode(webhook.node)!;
	const methods = typeOf(node).webhookMethods?.[webhook.webhookDescription.name];
	const context = new core.HookContext(
		workflow,
		node,
		webhook.workflowExecuteAdditionalData,
		mode,
		activation,
		webhook,
	);
	return await methods?.[method]?.call(context);
}

const createIfNotExists = async (
	workflow: Workflow,
	webhook: IWebhookData,
	mode: 'trigger' | 'manual',
	activation: WorkflowActivateMode,
) => {
	if (!(await runWebhookMethod(workflow, webhook, 'checkExists', mode, activation))) {
		await runWebhookMethod(workflow, webhook, 'create', mode, activation);
	}
};

/** What is to be executed: the trigger with what it gives. */
const stackOf = (node: INode, main: INodeExecutionData[][]) => ({
	nodeExecutionStack: [{ node, data: { main }, source: null }],
});

/** n8n saves static data only when it changed. */
const saveStaticData = (trigger: Trigger, workflow: Workflow) => {
	const { staticData } = workflow as { staticData: IDataObject & { __dataChanged?: boolean } };
	if (!staticData.__dataChanged) return;
	trigger.data.staticData = throughDatabase(staticData) as never;
	staticData.__dataChanged = false;
};

/** Makes a workflow [trigger → No Operation]. Registers nothing yet. */
export async function openTrigger({
	nodeType,
	parameters,
	options,
}: {
	nodeType: string;
	parameters: INodeParameters;
	options: TriggerOptions;
}): Promise<TriggerInfo> {
	const credentials = await CredentialsHelper.of(options.credentials ?? {});
	const webhookId = options.webhookId ?? randomUUID();
	const named = options.nodeId ? { id: options.nodeId } : {};
	const data = completeWorkflow(
		{
			id: options.workflowId ?? `workflow-${webhookId.slice(0, 8)}`,
			nodes: [
				{ ...{ name: nodeName, type: nodeType, parameters, webhookId }, ...named },
				{ name: 'After', type: 'n8n-nodes-base.noOp', ...options.after },
				...(options.nodes ?? []),
			],
			connections: { [nodeName]: { main: [[{ node: 'After', type: 'main', index: 0 }]] } },
			staticData: options.staticData,
		},
		credentials.types,
		options.timezone,
	);
	const trigger: Trigger = {
		data,
		credentials,
		publicUrl: options.webhookBaseUrl ?? host.baseUrl,
		editorUrl: options.editorBaseUrl ?? options.webhookBaseUrl ?? host.baseUrl,
		path: '',
		method: '',
		calls: [],
		active: false,
	};
	const triggerId = randomUUID();
	triggers.set(triggerId, trigger);
	const workflow = workflowOf(data);
	const { path, httpMethod } = await workflow.expression.withIsolate(async () =>
		webhookDataOf(trigger, workflow, false),
	);
	Object.assign(trigger, { path, method: httpMethod });
	return {
		triggerId,
		url: `${trigger.publicUrl}webhook/${path}`,
		testUrl: `${trigger.editorUrl}webhook-test/${path}`,
		webhookId,
	};
}

/** What a person edits and saves, or something else overwrites: n8n calls nothing. */
export async function changeTrigger({
	triggerId,
	parameters,
	staticData,
	credentials,
}: Of & {
	parameters?: INodeParameters;
	staticData?: IDataObject;
	credentials?: CredentialsByType;
}): Promise<void> {
	const trigger = triggerOf(triggerId);
	if (parameters) triggerNodeOf(trigger).parameters = parameters;
	if (staticData) trigger.data.staticData = staticData;
	if (credentials) trigger.credentials = await CredentialsHelper.of(credentials);
}

/** Calls a single webhook method in trigger mode and saves static data, for tests of that method alone. */
export async function webhookMethod({
	triggerId,
	method,
	activation,
}: Of & { method: Method; activation: WorkflowActivateMode }): Promise<boolean> {
	const trigger = triggerOf(triggerId);
	const workflow = publishedWorkflowOf(trigger);
	return await workflow.expression.withIsolate(async () => {
		try {
			const mode = method === 'delete' ? 'internal' : 'trigger';
			const webhook = webhookDataOf(trigger, workflow, false);
			return (await runWebhookMethod(workflow, webhook, method, mode, activation)) ?? false;
		} finally {
			saveStaticData(trigger, workflow);
		}
	});
}

/**
 * Publishing, starting n8n (`init`) and so on: `checkExists`, then `create`. When one throws, n8n calls `delete` and
 * passes the error on.
 */
export async function activate({
	triggerId,
	activation,
}: Of & { activation: WorkflowActivateMode }): Promise<void> {
	const trigger = triggerOf(triggerId);
	const workflow = publishedWorkflowOf(trigger);
	await workflow.expression.withIsolate(async () => {
		const webhook = webhookDataOf(trigger, workflow, false);
		trigger.active = true;
		try {
			await createIfNotExists(workflow, webhook, 'trigger', activation);
		} catch (error) {
			trigger.active = false;
			// n8n logs an error of this and passes the first one on.
			await runWebhookMethod(workflow, webhook, 'delete', 'internal', 'update').catch(
				(second: Error) =>
					console.error(
						`Could not remove webhook of workflow because of error: "${second.message}"`,
					),
			);
			const { detail } = error as { detail?: unknown };
			if (typeof detail === 'string') (error as Error).message = detail;
			throw error;
		} finally {
			saveStaticData(trigger, workflow);
		}
	});
}

/** What n8n calls beside the webhook methods when it publishes or starts (active-workflows.js): `trigger`. */
export async function watch({
	triggerId,
	activation,
	byHand,
}: Of & { activation: WorkflowActivateMode; byHand: boolean }): Promise<void> {
	const trigger = triggerOf(triggerId);
	const workflow = publishedWorkflowOf(trigger);
	const webhook = webhookDataOf(trigger, workflow, false);
	const node = workflow.getNode(nodeName)!;
	const { trigger: start } = typeOf(node);
	const base = { webhookBaseUrl: `${trigger.publicUrl}webhook` };
	const additionalData = Object.assign(webhook.workflowExecuteAdditionalData, base);
	// n8n: trigger-execution-context.factory.js
	const hourly = new Hourly();
	const emit: ITriggerFunctions['emit'] = (items, _response, done) => {
		hourly.busy++;
		saveStaticData(trigger, workflow);
		const executionId = startFromTrigger({
			data: trigger.data,
			credentials: trigger.credentials,
			mode: 'trigger',
			save: (of) => saveStaticData(trigger, of),
			runExecutionData: n8n.createRunExecutionData({ executionData: stackOf(node, items) }),
		});
		trigger.calls.push({ kind: 'emitted', method: '', status: 0, executionId });
		void ended(executionId).then((run) => {
			hourly.busy--;
			done?.resolve(run as never);
		});
	};
	const context = new core.TriggerContext(
		workflow,
		node,
		additionalData,
		'trigger',
		activation,
		emit,
	);
	const starting = async () => await start!.call(context);
	const begun = byHand ? resting.run(hourly.sleep, starting) : starting();
	const { closeFunction } = (await begun) ?? {};
	saveStaticData(trigger, workflow);
	trigger.watching = { close: closeFunction, hourly };
}

/** One look of what `watch` has started, from its beginning to its end. */
export async function look({ triggerId }: Of): Promise<void> {
	await triggerOf(triggerId).watching!.hourly.look();
}

/** Its end, as at unpublishing or when n8n is shut down. */
export async function unwatch({ triggerId }: Of): Promise<void> {
	await triggerOf(triggerId).watching!.close?.();
}

/** Named as in n8n 2.41 (workflow-trigger-activator.js), which waits between the tries: nodes know it by its name. */
async function deregisterExternalWebhookWithRetry(
	tries: number,
	deregister: () => Promise<unknown>,
): Promise<unknown> {
	for (let attempt = 1; ; attempt++)
		try {
			return await deregister();
		} catch (error) {
			if (attempt >= tries) throw error;
		}
}

/** Unpublishing: `delete`, always with activation mode `update`. @param tries 0 for n8n that does not try again */
export async function deactivate({ triggerId, tries }: Of & { tries: number }): Promise<void> {
	const trigger = triggerOf(triggerId);
	const workflow = publishedWorkflowOf(trigger);
	// n8n stops listening and saves static data also when `delete` throws.
	trigger.active = false;
	await workflow.expression.withIsolate(async () => {
		const webhook = webhookDataOf(trigger, workflow, false);
		const deregister = async () =>
			await runWebhookMethod(workflow, webhook, 'delete', 'internal', 'update');
		try {
			if (tries === 0) await deregister();
			else await deregisterExternalWebhookWithRetry(tries, deregister);
		} finally {
			saveStaticData(trigger, workflow);
		}
	});
}

/** "Listen for test event". Ends after the first call that starts an execution. */
export async function listen({ triggerId }: Of): Promise<void> {
	const trigger = triggerOf(triggerId);
	const workflow = testWorkflowOf(trigger);
	await workflow.expression.withIsolate(async () => {
		const test: NonNullable<Trigger['test']> = {};
		trigger.test = test;
		// Also what `create` noted before it failed: `delete` needs it.
		const keepStaticData = () =>
			(test.staticData = throughDatabase(workflow.staticData) as IDataObject);
		try {
			await createIfNotExists(workflow, webhookDataOf(trigger, workflow, true), 'manual', 'manual');
			keepStaticData();
		} catch (error) {
			keepStaticData();
			await stopListening({ triggerId });
			throw error;
		}
	});
}

/** The end of a test registration: `delete` with the static data that `create` left. */
export async function stopListening({ triggerId }: Of): Promise<void> {
	const trigger = triggerOf(triggerId);
	const { test } = trigger;
	if (!test) return;
	const workflow = testWorkflowOf(trigger, test.staticData);
	await workflow.expression.withIsolate(async () => {
		const webhook = webhookDataOf(trigger, workflow, true);
		await runWebhookMethod(workflow, webhook, 'delete', 'internal', 'update');
	});
	trigger.test = undefined;
}

/** Static data as saved, the test registration's static data, and the calls so far. */
export function triggerState({ triggerId }: Of) {
	const { data, test, calls } = triggerOf(triggerId);
	return throughDatabase({
		staticData: (data.staticData ?? {}) as IDataObject,
		calls,
		listening: test !== undefined,
	});
}

type WebhookRequest = Request & {
	rawBody?: Buffer;
	contentType?: string;
	encoding?: BufferEncoding;
	readRawBody(): Promise<void>;
};

/** N8N_PAYLOAD_SIZE_MAX of n8n's own default, in bytes. */
const payloadSizeMax = 16 * 1024 * 1024;

const stripBom = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

/** What n8n itself reads of nodes beyond version 1 (webhook-helpers.js, parseRequestBody); the rest is left to the node. */
const isReadByHost = ({ contentType = '' }: WebhookRequest) =>
	['application/json', 'text/plain', 'application/x-www-form-urlencoded'].some((type) =>
		contentType.startsWith(type),
	) || /[/+]xml$/.test(contentType);

/**
 * n8n: body-parser.js (all but XML): `rawBody` is the body after decompression, `body` what the content type makes of it.
 */
async function parseBody(request: WebhookRequest): Promise<void> {
	parseIncomingMessage(request);
	request.readRawBody = async () => {
		if (request.rawBody) return;
		const encoding = request.headers['content-encoding'];
		const stream: Readable = encoding === 'gzip' ? request.pipe(createGunzip()) : request;
		if (request.destroyed || !stream.readable)
			throw new Error('Request body stream was aborted or is not readable');
		request.rawBody = await readAll(stream);
		if (request.rawBody.length > payloadSizeMax)
			throw Object.assign(new Error('request entity too large'), { status: 413 });
	};
	if (request.contentType?.startsWith('multipart/')) {
		// n8n's form parser empties the stream.
		if (request.contentType === 'multipart/form-data') await readAll(request);
	} else if (isReadByHost(request)) {
		await request.readRawBody();
		const text = request.rawBody!.toString(request.encoding);
		const type = text === '' ? '' : request.contentType;
		if (type === 'application/json') request.body = n8n.jsonParse(stripBom(text));
		if (type === 'application/x-www-form-urlencoded')
			request.body = parseQuery(stripBom(text), undefined, undefined, { maxKeys: 1000 });
		if (type === 'text/plain') request.body = text;
	}
	request.body ??= {};
}

/**
 * n8n: webhook-helpers.js and webhook-last-node-response-extractor.js, response mode `lastNode`: answers once the
 * workflow has ended, late or not, and writes to the response as webhook-request-handler.js does.
 */
async function answerWithLastNode(executionId: string, response: Response): Promise<void> {
	const run = await ended(executionId);
	const { runData, error, lastNodeExecuted = '' } = run.data.resultData;
	const last = runData[lastNodeExecuted]?.at(-1);
	const first = last?.data?.main?.[0]?.[0];
	const answer = (status: number, body: object) => response.status(status).json(body);
	if (run.status === 'canceled')
		// sendErrorResponse
		answer(500, { code: 0, message: 'There was a problem executing the workflow' });
	else if (error || last?.error !== undefined) answer(500, { message: 'Error in workflow' });
	else if (last === undefined)
		answer(200, {
			message: 'Workflow executed successfully but the last node did not return any data',
		});
	else if (first === undefined) answer(500, { code: 0, message: 'No item to return was found' });
	else {
		response.setHeader('content-security-policy', 'sandbox');
		answer(200, first.json);
	}
}

/** Runs the node's `webhook()` for one request and answers as n8n does, in modes `onReceived` and `lastNode`. */
async function receive(
	trigger: Trigger,
	kind: WebhookCall['kind'],
	request: WebhookRequest,
	response: Response,
): Promise<WebhookCall> {
	const call: WebhookCall = { kind, method: request.method, status: 0 };
	try {
		await parseBody(request);
	} catch (error) {
		response
			.status(422)
			.json({ code: 422, message: 'Failed to parse request body', hint: (error as Error).message });
		return { ...call, status: 422 };
	}
	const mode = kind === 'test' ? 'manual' : 'webhook';
	const workflow = kind === 'test' ? testWorkflowOf(trigger) : publishedWorkflowOf(trigger);
	if (kind === 'test' && trigger.test?.staticData)
		workflow.setTestStaticData(trigger.test.staticData);
	await workflow.expression.withIsolate(async () => {
		const node = workflow.getNode(nodeName)!;
		const webhook = webhookDataOf(trigger, workflow, kind === 'test');
		const additionalData = additionalDataOf(
			trigger.credentials,
			{ workflowId: workflow.id, httpRequest: request, httpResponse: response },
			trigger.publicUrl,
		);
		const context = new core.WebhookContext(
			workflow,
			node,
			additionalData,
			mode,
			webhook,
			[],
			null,
		);
		let result: IWebhookResponseData;
		let failure: Error | undefined;
		try {
			result = await typeOf(node).webhook!.call(context);
		} catch (error) {
			failure = error as Error;
			response
				.status(500)
				.json({ code: 0, message: 'Workflow Webhook Error: Workflow could not be started!' });
			result = { noWebhookResponse: true, workflowData: [[{ json: {} }]] };
		}
		const { responseData, responseMode } = webhook.webhookDescription;
		const answer = (body: unknown) => {
			if (typeof body === 'string') response.send(body);
			else response.json(body);
		};
		if (result.workflowData === undefined) {
			if (result.noWebhookResponse !== true)
				answer(result.webhookResponse ?? { message: 'Webhook call received' });
		} else {
			call.executionId = startFromTrigger({
				data: trigger.data,
				credentials: trigger.credentials,
				mode,
				...(kind === 'production' && { save: (of: Workflow) => saveStaticData(trigger, of) }),
				runExecutionData: n8n.createRunExecutionData({
					executionData: stackOf(node, result.workflowData),
					...(failure && {
						resultData: {
							runData: {},
							lastNodeExecuted: nodeName,
							error: { ...failure, message: failure.message, stack: failure.stack } as never,
						},
					}),
				}),
			});
			if (result.noWebhookResponse !== true && responseMode === 'lastNode') {
				const { executionId } = call;
				// An error here would be an unhandled one in n8n, too.
				void answerWithLastNode(executionId, response).catch((error: Error) => {
					console.error(`Response could not be sent: ${error.message}`);
					response.destroy();
				});
			}
			// n8n: webhook-on-received-response-extractor.js
			else if (result.noWebhookResponse !== true)
				answer(responseData || (result.webhookResponse ?? { message: 'Workflow was started' }));
		}
		if (kind === 'production') saveStaticData(trigger, workflow);
	});
	return { ...call, status: response.headersSent ? response.statusCode : 0 };
}

/** Starts the engine's web server on loopback. @param port 0 for any free port. @returns the port. */
export async function serveWebhooks(port: number): Promise<number> {
	const app = express();
	const kinds = [
		['webhook', 'production'],
		['webhook-test', 'test'],
	] as const;
	for (const [prefix, kind] of kinds) {
		app.all(`/${prefix}/*path`, async (request, response) => {
			const path = (request.params as unknown as { path: string[] }).path.join('/');
			for (const [triggerId, trigger] of triggers) {
				if (kind === 'production' ? !trigger.active : !trigger.test) continue;
				if (trigger.path !== path || trigger.method !== request.method) continue;
				const call = await receive(trigger, kind, request as WebhookRequest, response);
				// A call that starts nothing does not end n8n's listening.
				if (kind === 'test' && call.executionId !== undefined) await stopListening({ triggerId });
				trigger.calls.push(call);
				return;
			}
			response.status(404).json({
				code: 404,
				message: `The requested webhook "${request.method} ${path}" is not registered.`,
			});
		});
	}
	for (let attempt = 0; ; attempt++) {
		const server = app.listen(port || fixedPort(attempt), '127.0.0.1');
		const failed = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
			server.once('listening', () => resolve(undefined));
			server.once('error', resolve);
		});
		if (!failed) {
			const address = server.address() as AddressInfo;
			host.baseUrl = `http://127.0.0.1:${address.port}/`;
			return address.port;
		}
		if (port || failed.code !== 'EADDRINUSE') throw failed;
	}
}

/**
 * Above those of `tools/ports.mjs`, below those that systems give away by themselves, and by the process: nobody else
 * takes it while the engine is started again.
 */
const fixedPort = (attempt: number) => 24_000 + ((process.pid + attempt * 997) % 8000);
