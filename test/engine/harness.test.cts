/** The harness proves itself: against a server of its own, with the nodes in harness/fixture. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import path from 'node:path';
import axios from 'axios';
import { Engine, startSandbox, until } from './harness/index.cts';
import { ok } from './guarantees/scene.cts';

// A deadline against hanging, not a measure: the machine may be busy.
jest.setTimeout(180_000);

interface Seen {
	method: string;
	path: string;
	query: URLSearchParams;
	authorization?: string;
	body: any;
}

let server: Server;
let seen: Seen[];
/** Status codes for the next requests to POST /things; 200 when empty. */
let statuses: number[];
let me: object;
let engine: Engine;

const bodyOf = async (request: IncomingMessage): Promise<any> =>
	request.headers['content-type']?.includes('json') ? await readJson(request) : undefined;

beforeAll(async () => {
	server = createServer(async (request, response) => {
		const url = new URL(request.url!, 'http://localhost');
		const body = await bodyOf(request);
		const { authorization } = request.headers;
		seen.push({
			method: request.method!,
			path: url.pathname,
			query: url.searchParams,
			authorization,
			body,
		});
		const answer = (status: number, data: object) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
		if (authorization !== 'Bearer secret-token') return answer(401, { message: 'Wrong token' });
		if (url.pathname === '/me') return answer(200, me);
		if (url.pathname.startsWith('/hooks')) return answer(200, { id: `hook-${seen.length}` });
		if (request.method === 'GET') {
			const page = Number(url.searchParams.get('page'));
			return answer(200, {
				things: [`${url.searchParams.get('search')} ${page}`],
				next: page < 2 ? page + 1 : undefined,
			});
		}
		const status = statuses.shift() ?? 200;
		return answer(
			status,
			status < 400 ? { sent: body.to } : { code: 'refused', message: `Refused ${body.to}` },
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	engine = await Engine.start({
		expressionEngine: 'vm',
		packages: [path.join(__dirname, 'harness/fixture')],
		credentials: { fixtureApi: { baseUrl, token: 'secret-token' } },
	});
}, 60_000);

afterAll(async () => {
	await engine?.stop();
	server.closeAllConnections();
	server.close();
});

beforeEach(() => {
	seen = [];
	statuses = [];
	me = {};
});

const send = { operation: 'send', to: '={{ $json.to }}' };
const people = [{ to: 'ann' }, { to: 'bob' }, { to: 'cem' }];
const keys = () => seen.map(({ body }) => body.key);

describe('running a node', () => {
	test('resolves expressions for each item and authenticates through the credential', async () => {
		const result = ok(await engine.runNode('fixture', send, { items: people }));
		expect(result.status).toBe('success');
		expect(result.json()).toEqual([{ sent: 'ann' }, { sent: 'bob' }, { sent: 'cem' }]);
		expect(seen.map(({ authorization }) => authorization)).toEqual(
			Array(3).fill('Bearer secret-token'),
		);
		expect(result.hints()).toEqual([{ message: 'Sent 3', location: 'outputPane' }]);
		expect(JSON.stringify(result.stored)).not.toContain('secret-token');
	});

	test('keeps paired items, so that later nodes find the item they come from', async () => {
		const workflow = engine.nodeWorkflow(
			'fixture',
			{ operation: 'split' },
			{
				items: [
					{ parts: ['a', 'b'], name: 'first' },
					{ parts: ['c'], name: 'second' },
				],
			},
		);
		workflow.nodes.push({
			name: 'Send',
			type: 'fixture',
			parameters: { operation: 'send', to: "={{ $('Items').item.json.name }}" },
		});
		workflow.connections.Node = { main: [[{ node: 'Send', type: 'main', index: 0 }]] };
		const result = await engine.run(workflow, { startNode: 'Items' });
		expect(result.pairedItems('Node')).toEqual([[0], [0], [1]]);
		expect(result.json('Send')).toEqual([{ sent: 'first' }, { sent: 'first' }, { sent: 'second' }]);
	});

	test('stops with the error of a node, and the error says where', async () => {
		statuses = [200, 422];
		const result = await engine.runNode('fixture', send, { items: people });
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({
			name: 'NodeApiError',
			message: 'Refused bob',
			httpCode: '422',
			context: { itemIndex: 1 },
		});
		expect(result.items()).toEqual([]);
	});

	test('fails with a node that is broken', async () => {
		const result = await engine.runNode(
			'fixture',
			{ operation: 'split' },
			{ items: [{ parts: 'not a list' }] },
		);
		expect(result.status).toBe('error');
		expect(result.error!.message).toContain('json.parts.map is not a function');
	});

	test('refuses, as n8n does, a workflow whose required parameter is empty', async () => {
		const result = await engine.runNode('fixture', { operation: 'send' });
		expect(result.status).toBe('error');
		expect(result.error!.message).toContain('issues');
		expect(seen).toEqual([]);
	});

	test('knows a wrong node name', async () => {
		await expect(engine.runNode('nothing', {})).rejects.toThrow(
			'No loaded package has a node "nothing"',
		);
	});

	test('runs once per batch in a loop, each with its own run index', async () => {
		const result = await engine.runNode('fixture', send, { items: people, batchSize: 1 });
		expect(result.runs()).toHaveLength(3);
		expect(result.json('Loop', 0)).toEqual([{ sent: 'ann' }, { sent: 'bob' }, { sent: 'cem' }]);
		const seed = result.nodeContext().seed;
		expect(keys()).toEqual([`${seed}:0:0`, `${seed}:1:0`, `${seed}:2:0`]);
	});
});

describe('errors that a workflow goes on with', () => {
	test('continueRegularOutput gives error items in their places', async () => {
		statuses = [200, 422];
		const result = await engine.runNode('fixture', send, {
			items: people,
			onError: 'continueRegularOutput',
		});
		expect(result.status).toBe('success');
		expect(result.json()).toEqual([{ sent: 'ann' }, { error: 'Refused bob' }, { sent: 'cem' }]);
	});

	test('continueErrorOutput moves them to the error branch with the data of their input item', async () => {
		statuses = [200, 422];
		const result = await engine.runNode('fixture', send, {
			items: people,
			onError: 'continueErrorOutput',
		});
		expect(result.json()).toEqual([{ sent: 'ann' }, { sent: 'cem' }]);
		expect(result.json('Node', 1)).toEqual([{ to: 'bob', error: 'Refused bob' }]);
		expect(result.pairedItems('Node', 1)).toEqual([[1]]);
	});
});

describe('trying again', () => {
	test('Retry On Fail runs the whole node again and keeps its context', async () => {
		statuses = [200, 500];
		const result = await engine.runNode('fixture', send, {
			items: people,
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		});
		expect(result.status).toBe('success');
		const seed = result.nodeContext().seed;
		expect(keys()).toEqual([0, 1, 0, 1, 2].map((item) => `${seed}:0:${item}`));
	});

	test.each([
		['original', 'to'],
		['current', 'other'],
	])(
		'retry of a failed execution with the %s workflow keeps the node context',
		async (which, parameter) => {
			statuses = [500];
			const items = [{ to: 'ann', other: 'anna' }];
			const failed = await engine.runNode('fixture', send, { items });
			expect(failed.status).toBe('error');
			const current = engine.nodeWorkflow(
				'fixture',
				{ operation: 'send', to: '={{ $json.other }}' },
				{ items },
			);
			const result = await engine.retry(
				failed,
				which === 'current' ? { currentWorkflow: current } : {},
			);
			expect(result.status).toBe('success');
			expect(result.stored).toMatchObject({ mode: 'retry', retryOf: failed.executionId });
			expect(result.json()).toEqual([{ sent: items[0]![parameter as 'to'] }]);
			expect(result.runs('Items')).toHaveLength(1);
			expect(seen[1]!.body.mode).toBe('retry');
			expect(keys()).toEqual([keys()[0], keys()[0]]);
		},
	);

	test('an execution that succeeded cannot be retried', async () => {
		const result = await engine.runNode('fixture', send, { items: people });
		await expect(engine.retry(result)).rejects.toThrow('cannot be retried');
	});

	test('node context can be given from outside, and a fresh execution has its own', async () => {
		const given = await engine.runNode('fixture', send, {
			items: people,
			contextData: { 'node:Node': { seed: 'given' } },
		});
		const fresh = await engine.runNode('fixture', send, { items: people });
		expect(given.nodeContext().seed).toBe('given');
		expect(keys()[0]).toBe('given:0:0');
		expect(keys()[3]).toBe(`${fresh.nodeContext().seed}:0:0`);
	});

	test('a partial execution runs the rest from the results of an earlier one', async () => {
		const workflow = engine.nodeWorkflow('fixture', send, { items: people });
		workflow.nodes.unshift({ name: 'Start', type: 'n8n-nodes-base.manualTrigger' });
		workflow.connections.Start = { main: [[{ node: 'Items', type: 'main', index: 0 }]] };
		const first = await engine.run(workflow);
		const { Start, Items } = first.executionData.resultData.runData;
		const partial = await engine.run(workflow, {
			runData: { Start: Start!, Items: Items! },
			destinationNode: 'Node',
		});
		expect(partial.json()).toEqual(first.json());
		expect(partial.runs('Items')[0]!.startTime).toBe(Items![0]!.startTime);
		expect(partial.nodeContext().seed).not.toBe(first.nodeContext().seed);
	});
});

test('the cancel signal of an execution reaches the node', async () => {
	const result = await engine.runNode(
		'fixture',
		{ operation: 'wait' },
		{ cancelWhen: () => seen.length === 1 },
	);
	expect(result.status).toBe('canceled');
	expect(result.error!.message).toBe('The node heard of it');
});

test('a killed engine process takes its executions with it and starts again', async () => {
	const running = await engine.startNode('fixture', { operation: 'wait' });
	const outcome = expect(running.done).rejects.toThrow('The engine process ended (SIGKILL)');
	await until('the request', () => seen.length === 1);
	await engine.restart();
	await outcome;
	expect((await engine.runNode('fixture', send, { items: people })).status).toBe('success');
});

test('with a fast clock a quarter of an hour passes in seconds, for engine and sandbox alike', async () => {
	// At the machine's own pace this test would run into its limit.
	const speed = 300;
	const quarter = 15 * 60_000;
	const sandbox = await startSandbox({ speed, settings: { call: { lifeMs: quarter } } });
	const own = await Engine.start({ speed, credentials: { acpApi: sandbox.credential() } });
	try {
		const [{ agent_uuid: agent }] = await sandbox.state('agents');
		const result = ok(
			await own.runNode('acpCalls call.startAndWait', {
				agent: { __rl: true, mode: 'id', value: agent },
				phoneNumber: '+14155550101',
				options: { waitTimeout: 3600 },
			}),
		);
		expect(result.json()[0]).toMatchObject({ status: 'Closed', timedOut: false });
		const [{ startTime, executionTime }] = result.runs() as unknown as [
			{ startTime: number; executionTime: number },
		];
		expect(executionTime).toBeGreaterThan(quarter);
		const [placed] = await sandbox.created('/call');
		expect(placed!.at).toBeGreaterThanOrEqual(startTime);
		expect(placed!.at).toBeLessThanOrEqual(startTime + executionTime);
	} finally {
		await Promise.all([own.stop(), sandbox.stop()]);
	}
}, 300_000);

describe('as a tool of an AI agent', () => {
	const parameters = { operation: 'send', to: "={{ $fromAI('to', 'Whom to send to', 'string') }}" };
	const calls = [{ args: { to: 'ann' } }, { args: { to: 'bob' }, id: 'second' }];

	test('the tool shows the action and the arguments to the model', async () => {
		const { tools } = await engine.callTools('fixture', parameters, []);
		expect(tools).toEqual([
			{
				name: 'Node',
				nodeName: 'Node',
				description: 'Send a thing in Fixture',
				arguments: { to: { type: 'string', description: 'Whom to send to', required: true } },
			},
		]);
		const { inputs, outputs, properties } = await engine.describe('fixtureTool', 1);
		expect({ inputs, outputs }).toEqual({ inputs: [], outputs: ['ai_tool'] });
		expect(properties.map(({ name }) => name)).toContain('toolDescription');
	});

	test('calls through the engine are answered one by one', async () => {
		const { answers, result } = await engine.callTools('fixture', parameters, calls);
		expect(answers).toEqual([
			{ id: 'call_0', response: [{ sent: 'ann' }] },
			{ id: 'second', response: [{ sent: 'bob' }] },
		]);
		expect(result.runs()).toHaveLength(2);
		expect(seen[0]!.body.type).toBe('n8n-nodes-harness-fixture.fixtureTool');
	});

	test('calls all at once are answered, too', async () => {
		const { answers } = await engine.callTools('fixture', parameters, calls, { via: 'invoke' });
		expect(answers).toEqual([
			{ id: 'call_0', response: '[{"sent":"ann"}]' },
			{ id: 'second', response: '[{"sent":"bob"}]' },
		]);
	});

	test.each(['engine', 'invoke'] as const)('an error is an answer (%s)', async (via) => {
		statuses = [422];
		const { answers } = await engine.callTools('fixture', parameters, [calls[0]!], { via });
		expect(answers[0]!.error).toContain('Refused ann');
	});
});

describe('dynamic parameters', () => {
	test('list search filters and turns pages', async () => {
		const first = await engine.listSearch('fixture', 'searchThings', { filter: 'x' });
		expect(first).toEqual({ results: [{ name: 'x 1', value: 'x 1' }], paginationToken: '2' });
		const second = await engine.listSearch('fixture', 'searchThings', {
			filter: 'x',
			paginationToken: '2',
		});
		expect(second.results).toEqual([{ name: 'x 2', value: 'x 2' }]);
		expect(seen[0]!.authorization).toBe('Bearer secret-token');
	});

	test('options and mapper fields are loaded', async () => {
		const options = await engine.loadOptions('fixture', 'getThings', {
			parameters: { operation: 'send' },
		});
		expect(options).toEqual([{ name: 'send', value: 'America/New_York' }]);
		expect((await engine.resourceMapping('fixture', 'getFields')).fields).toHaveLength(1);
	});

	test('an unknown method is an error', async () => {
		await expect(engine.listSearch('fixture', 'nothing')).rejects.toThrow(
			'no listSearch method named "nothing"',
		);
	});
});

test('the credential test is the declared one', async () => {
	const { fixtureApi } = engine.credentials;
	expect(await engine.credentialTest('fixtureApi', fixtureApi!)).toEqual({
		status: 'OK',
		message: 'Connection successful!',
	});
	expect(
		await engine.credentialTest('fixtureApi', { ...fixtureApi, token: 'wrong' }),
	).toMatchObject({ status: 'Error' });
	me = { suspended: true };
	expect(await engine.credentialTest('fixtureApi', fixtureApi!)).toEqual({
		status: 'Error',
		message: 'The workspace is suspended',
	});
});

test.each(['default', 'filesystem'] as const)('files are kept in %s', async (binaryMode) => {
	const own = await Engine.start({
		packages: [path.join(__dirname, 'harness/fixture')],
		credentials: engine.credentials,
		binaryMode,
	});
	try {
		const data = { data: Buffer.from('content'), fileName: 'a.txt', mimeType: 'text/plain' };
		const result = ok(
			await own.runNode(
				'fixture',
				{ operation: 'upload' },
				{ items: [{ json: {}, binary: { data } }] },
			),
		);
		const { copy } = result.items()[0]!.binary!;
		expect(copy).toMatchObject({ fileName: 'copy of a.txt' });
		expect(copy!.id === undefined).toBe(binaryMode === 'default');
		expect((await own.binary(copy!)).toString()).toBe('CONTENT');
	} finally {
		await own.stop();
	}
});

describe('a webhook trigger', () => {
	const raw = '{ "b": 1,\n  "a": "ü" }';
	const digest = createHash('sha256').update(raw).digest('hex');
	const post = async (
		url: string,
		data: string | Buffer = raw,
		headers: Record<string, string> = {},
	) =>
		await axios.post(url, data, {
			headers: { 'content-type': 'application/json', ...headers },
			validateStatus: () => true,
			transformRequest: (body) => body,
			proxy: false,
		});

	test('registers once, keeps its static data, and deletes', async () => {
		const trigger = await engine.trigger('fixtureTrigger', { event: 'x' });
		await trigger.activate();
		expect(seen.map(({ method, body }) => [method, body])).toEqual([
			['POST', { url: trigger.url, event: 'x', activation: 'activate' }],
		]);
		expect(await trigger.staticData()).toEqual({ hook: 'hook-1' });
		await trigger.activate('init');
		expect(seen).toHaveLength(1);
		await trigger.deactivate();
		expect(seen[1]).toMatchObject({ method: 'DELETE', path: '/hooks/hook-1' });
		expect(await trigger.staticData()).toEqual({});
		expect((await post(trigger.url)).status).toBe(404);
	});

	test('receives the raw body, also compressed, and starts an execution', async () => {
		const trigger = await engine.trigger('fixtureTrigger', {});
		await trigger.activate();
		expect((await post(trigger.url, raw, { 'x-signature': 'abc' })).status).toBe(200);
		await post(trigger.url, gzipSync(raw), { 'content-encoding': 'gzip' });
		expect(await trigger.emitted()).toEqual([
			{ digest, body: { b: 1, a: 'ü' }, signature: 'abc' },
			{ digest, body: { b: 1, a: 'ü' } },
		]);
		const [execution] = await trigger.executions();
		expect(execution!.status).toBe('success');
		expect(execution!.json('After')).toEqual([
			{ digest, body: { b: 1, a: 'ü' }, signature: 'abc' },
		]);
	});

	test('calls that are refused or ignored start nothing; one that fails is an execution with an error', async () => {
		const trigger = await engine.trigger('fixtureTrigger', {});
		await trigger.activate();
		expect(await post(`${trigger.url}?then=refuse`)).toMatchObject({
			status: 401,
			data: 'Unauthorized',
		});
		expect(await post(`${trigger.url}?then=ignore`)).toMatchObject({ status: 200, data: 'OK' });
		expect((await post(trigger.url, '{ broken')).status).toBe(422);
		expect(await trigger.executions()).toEqual([]);
		expect((await post(`${trigger.url}?then=throw`)).status).toBe(500);
		const [execution] = await trigger.executions();
		expect(execution).toMatchObject({ status: 'error', error: { message: 'no' } });
		expect((await trigger.calls()).map(({ status }) => status)).toEqual([401, 200, 422, 500]);
	});

	test('in test mode it lives for one call, with static data of its own', async () => {
		const trigger = await engine.trigger('fixtureTrigger', {});
		await trigger.listen();
		expect(seen[0]!.body).toMatchObject({ url: trigger.info.testUrl, activation: 'manual' });
		expect((await trigger.state()).testStaticData).toMatchObject({
			'node:Trigger': { hook: 'hook-1' },
		});
		await post(trigger.info.testUrl);
		await trigger.waitForCalls(1);
		expect(seen[1]).toMatchObject({ method: 'DELETE', path: '/hooks/hook-1' });
		expect(await trigger.staticData()).toEqual({});
		expect((await trigger.executions())[0]!.stored.mode).toBe('manual');
		expect((await post(trigger.info.testUrl)).status).toBe(404);
	});

	test('when it cannot register, n8n deletes and shows the error', async () => {
		const trigger = await engine.trigger(
			'fixtureTrigger',
			{},
			{
				credentials: { fixtureApi: { ...engine.credentials.fixtureApi, token: 'wrong' } },
			},
		);
		await expect(trigger.activate()).rejects.toThrow('Authorization failed');
		expect(seen.some(({ method }) => method === 'DELETE')).toBe(true);
		expect((await post(trigger.url)).status).toBe(404);
	});
});
