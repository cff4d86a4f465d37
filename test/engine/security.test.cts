/** What docs/reference/security.md claims about tokens, addresses, headers and JSON, tried in n8n's own engine. */
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { generate } from 'selfsigned';
import { asJson } from '../../nodes/engine/fields/writtenJson';
import { mergeJson, write } from '../../nodes/engine/fields/structure';
import { agentOf, byId, sms } from './guarantees/scene.cts';
import { Engine, usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ engine: { debugLog: true } });

const readAgents = { resource: 'agent', operation: 'getAll' };
const apiRequest = (path: string, more: object = {}) => ({
	resource: 'otherEndpoint',
	operation: 'apiRequest',
	method: 'GET',
	path,
	...more,
});
const run = async (parameters: object, options: object = {}) =>
	await engine.runNode('acpAgents', parameters as never, options);
const uuid = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

/** Another server, that must not hear of the workspace. */
let stranger: Server;
let heard: string[];
/** How many connections were made, whether or not a request came over them. */
let connections: number;
const portOf = (server: Server) => String((server.address() as AddressInfo).port);
const strangerUrl = () => `http://127.0.0.1:${portOf(stranger)}`;
beforeEach(async () => {
	[heard, connections] = [[], 0];
	stranger = createServer(({ url }, response) => {
		heard.push(url!);
		response.setHeader('content-type', 'application/json').end('{"success":true,"data":[]}');
	});
	stranger.on('connection', () => connections++);
	await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
	stranger.closeAllConnections();
	await new Promise((resolve) => stranger.close(resolve));
});

describe('redirects', () => {
	test.each([301, 302, 303, 307, 308])(
		'%i is followed by nothing: the test of the credential, a read, a send',
		async (status) => {
			const location = `${strangerUrl()}/api/v1/agents`;
			await sandbox.strike('.', { kind: 'redirect', status, location });
			const tested = await engine.credentialTest('acpApi', sandbox.credential());
			expect(tested.message).toMatch(/^This URL does not respond like the platform: it redirects/);
			const sent = sms(await agentOf(sandbox), {}, { phoneNumber: '+14155550123', message: 'Hi' });
			for (const { error } of [await run(readAgents), await engine.runNode('acpMessages', sent)])
				expect(error?.message).toMatch(/redirects to/);
			expect(new Set((await sandbox.ledger()).map((one) => one.status))).toEqual(new Set([status]));
			expect(heard).toEqual([]);
		},
	);
});

describe('the base URL', () => {
	// Further forms are in unit/workspace. Each leads to a server that listens, so that only the refusal keeps it from hearing anything.
	// interface: §5 rule 4
	test.each([
		['http://0.0.0.0:PORT', 'begins with http://'],
		['http://user:secret@127.0.0.1:PORT', 'more than a host'],
		['http://127.0.0.1:PORT/elsewhere', 'has a path'],
	])('%s is refused before anything leaves', async (written, reason) => {
		const baseUrl = written.replace('PORT', portOf(stranger));
		const acpApi = sandbox.credential({ baseUrl });
		const { error } = await run(readAgents, { credentials: { acpApi } });
		expect(error!.message).toContain(reason);
		expect(error!.message).not.toContain('secret');
		const tested = await engine.credentialTest('acpApi', acpApi);
		expect(tested).toEqual({ status: 'Error', message: expect.stringContaining(reason) });
		expect([connections, await sandbox.ledger()]).toEqual([0, []]);
	});

	test('the server that must not hear of them is heard of at those addresses', async () => {
		for (const host of ['0.0.0.0', '127.0.0.1'])
			await fetch(`${strangerUrl().replace('127.0.0.1', host)}/api/v1/agents`);
		const acpApi = sandbox.credential({ baseUrl: strangerUrl() });
		expect((await engine.credentialTest('acpApi', acpApi)).status).toBe('OK');
		expect([connections > 0, heard.length]).toEqual([true, 3]);
	});
});

describe('the address of a file', () => {
	test('JSON in place of a file, with status 200, is no file', async () => {
		const media = await sandbox.add('medias', { name: 'call.wav', url: `${strangerUrl()}/x` });
		const result = await engine.runNode('acpMedia media.download', { media: byId(media.uuid) });
		expect(result.items()).toEqual([]);
		expect(result.error!.description).toContain('It returned JSON.');
	});
});

describe('a file address that redirects', () => {
	/** Over TLS, its file addresses redirect; for the node 0.0.0.0 is not this machine, though it leads here. */
	let workspace: Server;
	let trusting: Engine;
	/** What it is asked for. */
	let asked: string[];
	/** The address of the file, and where that leads in the end. */
	let [file, location] = ['', ''];
	const base = () => `https://0.0.0.0:${portOf(workspace)}`;
	const ways: Record<string, () => string> = {
		'/hop/1': () => '/hop/0',
		'/hop/0': () => location,
		'/round': () => '/round',
	};
	beforeAll(async () => {
		const { private: key, cert } = await generate();
		workspace = createSecureServer({ key, cert }, ({ url = '', headers }, response) => {
			asked.push(`${headers.host!.split(':')[0]}${url}`);
			if (url in ways) return response.writeHead(302, { location: ways[url]!() }).end('a redirect');
			if (url === '/file/x') return response.end('the file');
			response.setHeader('content-type', 'application/json');
			return response.end(JSON.stringify({ success: true, data: { uuid, url: file } }));
		});
		await new Promise<void>((resolve) => workspace.listen(0, '0.0.0.0', resolve));
		// The certificate is nobody's.
		trusting = await Engine.start({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
	});
	afterAll(async () => {
		workspace.closeAllConnections();
		await Promise.all([trusting.stop(), new Promise((resolve) => workspace.close(resolve))]);
	});
	const download = async (to: string, url = `${base()}/hop/1`) => {
		[asked, file] = [[], url];
		location = to.replace('PORT', portOf(to.includes('http:') ? stranger : workspace));
		const credentials = { acpApi: sandbox.credential({ baseUrl: base() }) };
		return await trusting.runNode(
			'acpMedia media.download',
			{ media: byId(uuid) },
			{ credentials },
		);
	};
	const hops = [`0.0.0.0/api/v1/medias/${uuid}`, '0.0.0.0/hop/1', '0.0.0.0/hop/0'];

	test('is not read without encryption where the workspace is not on this machine', async () => {
		const { error } = await download('', `${strangerUrl()}/x.json`);
		expect(error!.message).toContain('an unencrypted file URL');
		expect(connections).toBe(0);
	});

	test('is read where every hop is encrypted', async () => {
		const result = await download('/file/x');
		expect(result.items()[0]!.binary!.data).toMatchObject({ fileSize: '8 B' });
		expect(asked).toEqual([...hops, '0.0.0.0/file/x']);
	});

	const unencrypted = 'an unencrypted file URL, or one that redirects';
	const inside = 'a file URL in a private network, or one that redirects';
	test.each([
		['http://127.0.0.1:PORT/x', unencrypted],
		['https://localhost:PORT/file', inside],
		['/round', 'redirects more than 5 times'],
	])('is not followed to %s, wherever on the way', async (to, reason) => {
		const result = await download(to);
		expect(result.error!.message).toContain(reason);
		expect(result.items()).toEqual([]);
		expect(asked).toEqual([...hops, ...(to === '/round' ? Array(4).fill('0.0.0.0/round') : [])]);
		expect(connections).toBe(0);
	});
});

describe('API Request stays below /api/v1 of the workspace', () => {
	test.each([
		'https://stranger.example.com/agents',
		'//stranger.example.com/agents',
		'\\\\stranger.example.com\\agents',
		'/\\stranger.example.com/agents',
		'javascript:alert(1)',
		'/../../_sandbox/state/agents',
		'/agents/../../../_sandbox/settings',
		'/agents/..',
		'/%2e%2e/%2E%2E/_sandbox/state/agents',
		'/agents/..%2f..%2f_sandbox',
		'/agents%0d%0aX-Stranger: 1',
		'/agents\r\nX-Stranger: 1',
		'/agents%',
		'',
	])('%j is refused', async (path) => {
		expect((await run(apiRequest(path))).status).toBe('error');
		expect(await sandbox.ledger()).toEqual([]);
	});

	test.each(['@stranger.example.com/agents', ':80/agents', '/agents?x=//stranger.example.com'])(
		'%j is a path of the workspace',
		async (path) => {
			await run(apiRequest(path));
			// What is not an endpoint is answered by the workspace itself.
			expect((await sandbox.ledger())[0]!.path.startsWith('/')).toBe(true);
			expect(heard).toEqual([]);
		},
	);

	// A record's ID need not be a uuid, so that its field lets more through than others do.
	// By an expression, because n8n itself checks only what is typed in.
	const deleteRecord = async (id: string) =>
		await engine.runNode(
			'acpTables record.delete',
			{ table: byId(uuid), record: byId('={{ $json.id }}') },
			{ items: [{ id }] },
		);

	// interface: §4.1 rule 1
	test.each(['%2e%2e', 'x%2f..%2f..%2fagents', '..%5c..%5cagents', 'a%3Fb=c%23d', 'a%'])(
		'an ID such as %j cannot leave its place in the path',
		async (value) => {
			await deleteRecord(value);
			const requests = await sandbox.ledger();
			expect(requests).toMatchObject([{ method: 'DELETE', query: {} }]);
			const [, data, table, records, id, ...more] = requests[0]!.path.split('/');
			expect([data, table, records, more]).toEqual(['data', uuid, 'records', []]);
			expect(decodeURIComponent(id!)).toBe(value);
		},
	);

	test.each([
		['..', 'leads elsewhere'],
		['..\\..\\agents', 'leads elsewhere'],
		['../../../_sandbox/state/agents', 'is not a valid ID'],
		['a?b=c', 'is not a valid ID'],
		['a#b', 'is not a valid ID'],
	])('an ID such as %j is refused before anything leaves', async (value, reason) => {
		expect((await deleteRecord(value)).error!.message).toContain(reason);
		expect(await sandbox.ledger()).toEqual([]);
	});
});

describe('what n8n shows as HTML', () => {
	const link = '<a href="//x.example" style="position:fixed">Go</a>';
	const shown = '&lt;a href="//x.example" style="position:fixed"&gt;Go&lt;/a&gt;';
	const send = async (phone: string, onError: 'stopWorkflow' | 'continueRegularOutput') =>
		await engine.runNode('acpMessages', sms(uuid, {}, { message: 'Hello' }), {
			items: [{ phone }, { phone: phone.replace('123', '124') }],
			onError,
		});
	/** What is told of two numbers that the platform refuses like this. */
	const refused = async (status: number) => {
		const error = { code: 'X', field: link, details: link };
		const body = { success: false, message: `Wrong: ${link}`, error };
		await sandbox.strike('.', { status, body });
		return (await send('+14155550123', 'stopWorkflow')).error!;
	};

	test('a hint shows the text of a row as it is written', async () => {
		const hints = (await send(link, 'continueRegularOutput')).hints();
		expect(hints.filter(({ message }) => message.includes(shown))).toHaveLength(1);
		expect(hints.filter(({ message }) => /[<>]/.test(message.replaceAll('<br>', '')))).toEqual([]);
	});

	test('so does the description of an error', async () => {
		const { description } = (await send(link, 'stopWorkflow')).error!;
		expect(description).toContain(shown);
		expect(description!.replace(/<\/?(ul|li)>/g, '')).not.toMatch(/[<>]/);
	});

	test.each([
		['a cell', async () => (await send(link, 'stopWorkflow')).error!],
		['the platform', async () => await refused(422)],
	])(
		'the message of an error, which n8n shows as HTML in a corner, has no tags of %s',
		async (_, errorOf) => {
			const { message } = await errorOf();
			expect(message).toContain('‹a href');
			expect(message).not.toMatch(/[<>]/);
		},
	);

	test('and what the platform says', async () => {
		const { description } = await refused(403);
		expect(description).toContain('&lt;a');
		expect(description).not.toMatch(/[<>]/);
	});
});

test('JSON text of 200,000 levels is refused in words, before anything leaves', async () => {
	const body = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
	const parameters = apiRequest('/agents', { method: 'POST', body: '={{ $json.body }}' });
	expect((await run(parameters, { items: [{ body }] })).error!.message).toContain(
		"'Body (JSON)' is not valid JSON (it is nested deeper than 100 levels)",
	);
	expect(await sandbox.ledger()).toEqual([]);
});

describe('headers', () => {
	// interface: §5 rule 1
	test('a token with line breaks is one header; spaces and "Bearer" that were copied with it are gone', async () => {
		const token = `\r\n Bearer ${sandbox.token.slice(0, 5)}\r\n${sandbox.token.slice(5)} \n`;
		await run(readAgents, { credentials: { acpApi: sandbox.credential({ token }) } });
		expect((await sandbox.ledger()).map(({ status }) => status)).toEqual([200]);
	});

	test.each(['Europe/Istanbul\r\nX-Stranger: 1', 'X\u0000'])(
		'a time zone %j is refused',
		async (timezone) => {
			const acpApi = sandbox.credential({ timezone });
			expect((await run({ ...readAgents, options: { timezone } })).status).toBe('error');
			expect((await run(readAgents, { credentials: { acpApi } })).status).toBe('error');
			expect(await sandbox.ledger()).toEqual([]);
		},
	);

	test('text of an item never becomes a header', async () => {
		const message = 'x\r\nX-Stranger: 1';
		const change = { phoneNumber: '+14155550123', message };
		await engine.runNode(
			'acpMessages',
			sms(await agentOf(sandbox), { requestKey: message }, change),
		);
		const sent = await sandbox.ledger({ method: 'POST' });
		expect(sent).toMatchObject([{ body: { message } }]);
		expect(Object.keys(sent[0]!.headers)).not.toContain('x-stranger');
	});
});

test('JSON fields do not reach the prototype of anything', () => {
	const constructor = { prototype: { polluted: true } };
	const hostile = JSON.stringify({ name: 'Ada', constructor, nested: { constructor } });
	const parsed = asJson(hostile, 'Body (JSON)') as IDataObject;
	const merged: any = mergeJson(mergeJson({}, parsed), { nested: { name: 'Ada' } });
	expect(Object.keys(merged).sort()).toEqual(['constructor', 'name', 'nested']);
	expect(Object.keys(merged.nested)).toEqual(['constructor', 'name']);
	const worst = '{"name":"Ada","nested":{"__proto__":{"polluted":true}}}';
	expect(() => asJson(worst, 'Body (JSON)')).toThrow(/has the name "__proto__"/);
	expect(() => mergeJson({}, JSON.parse(worst).nested)).toThrow(/has the name "__proto__"/);
	for (const way of ['__proto__.polluted', 'constructor.prototype.polluted'])
		try {
			write({}, way.split('.'), true);
		} catch {
			// Refusing is as good as ignoring.
		}
	expect([({} as any).polluted, merged.polluted]).toEqual([undefined, undefined]);
});

describe('no token in what stays', () => {
	test.each([
		['a refused token', { kind: 'status', status: 401 }],
		['a rejected field', { kind: 'status', status: 422 }],
		['a page instead of JSON', { kind: 'html', status: 502 }],
		['half an answer', { kind: 'truncated' }],
		['a broken connection', { kind: 'reset-before' }],
		['a time-out', { kind: 'timeout', afterAcceptance: false }],
	] as const)('%s', async (_, fault) => {
		await sandbox.strike('.', fault);
		for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']) {
			const options = { maxRetries: 0, timeout: 1 };
			const { stored } = await run({ ...readAgents, options }, { onError });
			const text = JSON.stringify({ ...(stored as object), credentials: undefined });
			expect(text).not.toContain(sandbox.token);
			expect(text).not.toMatch(/bearer /i);
		}
		// A refused list is asked for in other page sizes, too.
		const hit = (await sandbox.ledger()).map((request) => request.fault);
		expect(hit.length).toBeGreaterThanOrEqual(3);
		expect(new Set(hit)).toEqual(new Set([fault.kind]));
		expect(await engine.logged()).not.toContain(sandbox.token);
	});

	test('an answer that repeats the token and the header', async () => {
		const message = `The token in "Authorization: Bearer ${sandbox.token}" is not valid here`;
		const error = { code: 'VALIDATION_ERROR', details: message, field: 'x' };
		await sandbox.strike('.', { status: 422, body: { success: false, message, error } });
		for (const onError of ['stopWorkflow', 'continueRegularOutput']) {
			const stored = JSON.stringify((await run(readAgents, { onError })).stored);
			expect(stored).toContain('is not valid here');
			expect(stored).not.toContain(sandbox.token);
		}
		expect(await engine.logged()).not.toContain(sandbox.token);
	});

	test('a preview', async () => {
		const more = { method: 'POST', body: '{"name":"Ada"}', options: { preview: true } };
		const shown = (await run(apiRequest('/agents', more))).json();
		expect(shown).toHaveLength(1);
		expect(JSON.stringify(shown)).not.toContain(sandbox.token);
		expect(JSON.stringify(shown)).not.toMatch(/authorization|bearer/i);
	});
});

// interface: §8 rule 6
test('a large answer comes through whole', async () => {
	const text = 'x'.repeat(20 * 1024 * 1024);
	await sandbox.strike('^/agents$', { status: 200, body: { success: true, data: { text } } });
	const [{ text: read }] = (await run(apiRequest('/agents'))).json() as [{ text: string }];
	expect(read).toHaveLength(text.length);
});

test('a success that echoes the token is stored without it, in whichever spelling', async () => {
	const echoed = JSON.stringify({ sent: `Bearer ${sandbox.token}` });
	const data = { uuid, note: echoed, [sandbox.token]: 1 };
	await sandbox.strike('GET ^/agents$', { status: 200, body: { success: true, data: [data] } });
	const result = await run(apiRequest('/agents'));
	const stored = JSON.stringify([result.json(), result.executionData]);
	expect(stored).toContain('Bearer ********');
	expect(stored).not.toContain(sandbox.token);
});

describe('JSON with gaps for expressions', () => {
	const noJson = expect.stringMatching(/is not valid JSON/);
	const ofList = '={"tags":[{{ $json.a.map(t => JSON.stringify(t)).join(",") }}]}';
	const escaped = '={"name":"{{ JSON.stringify($json.a).slice(1, -1) }}"}';
	const hostile = 'x","cc":["y"],"z":"';
	test.each<[string, string, IDataObject, unknown]>([
		['quotes', '={"name":"{{ $json.a }}"}', { a: hostile }, { name: hostile }],
		['lines', '={"name":"{{ $json.a }}"}', { a: 'one\ntwo\ttwo' }, { name: 'one\ntwo\ttwo' }],
		['a backslash at the end', '={"a":"{{ $json.a }}","x":1}', { a: 'z\\' }, { a: 'z\\', x: 1 }],
		['what somebody has escaped', escaped, { a: 'say "hi"\n' }, { name: 'say "hi"\n' }],
		['several in one', '={"a":"{{ $json.a }} {{ $json.b }}"}', { a: '"', b: 'B' }, { a: '" B' }],
		['a key', '={"{{ $json.a }}":1}', { a: 'x":2,"y' }, { 'x":2,"y': 1 }],
		['a number as text', '={"count":{{ $json.a }}}', { a: '5' }, { count: 5 }],
		['JSON as text', '={"tags":{{ JSON.stringify($json.a) }}}', { a: ['"'] }, { tags: ['"'] }],
		['an object', '={"a":{{ $json.a }}}', { a: { b: 1 } }, expect.stringMatching(/would read/)],
		['entries of a list', ofList, { a: ['x', 'y'] }, { tags: ['x', 'y'] }],
		['a list that closes itself', '={"tags":[{{ $json.a }}]}', { a: '"x"],"cc":["y"' }, noJson],
		['an object that closes itself', '={"more":{{ $json.a }}}', { a: '{}, "cc": 1' }, noJson],
		['one expression', '={{ $json.a }}', { a: '{"name":"A"}' }, { name: 'A' }],
	])('%s: the structure is what was written', async (_, body, json, expected) => {
		const parameters = apiRequest('/contacts', { method: 'POST', body });
		const { error } = await run(parameters, { items: [json] });
		const [request] = await sandbox.ledger({ method: 'POST' });
		expect(request?.body ?? error?.message).toEqual(expected);
	});
});
