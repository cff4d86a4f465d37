/** What docs/reference/security.md claims about tokens, addresses, headers and JSON, tried in n8n's own engine. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { generate } from 'selfsigned';
import { safePath } from '../../nodes/engine/apiRequest/prepareApiRequest';
import { asJson } from '../../nodes/engine/fields/writtenJson';
import { mergeJson, write } from '../../nodes/engine/fields/structure';
import { Engine, usePlatform } from './harness/index.cts';

const platform = usePlatform({ engine: { debugLog: true } });
const { sandbox } = platform;

const readAgents = { resource: 'agent', operation: 'getAll' };
const apiRequest = (path: string, more: object = {}) => ({
	resource: 'otherEndpoint',
	operation: 'apiRequest',
	method: 'GET',
	path,
	...more,
});
const run = async (parameters: object, options: object = {}) =>
	await platform.engine.runNode('acpAgents', parameters as never, options);

/** Another server, that must not hear of the workspace. */
let stranger: {
	server: Server;
	url: string;
	heard: IncomingMessage[];
	/** How many connections were made, whether or not a request came over them. */
	connections: () => number;
};
beforeEach(async () => {
	const heard: IncomingMessage[] = [];
	let connections = 0;
	const server = createServer((request, response) => {
		heard.push(request);
		response.setHeader('content-type', 'application/json').end('{"success":true,"data":[]}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.on('connection', () => connections++);
	const { port } = server.address() as AddressInfo;
	stranger = { server, url: `http://127.0.0.1:${port}`, heard, connections: () => connections };
});
afterEach(async () => {
	stranger.server.closeAllConnections();
	await new Promise((resolve) => stranger.server.close(resolve));
});

describe('redirects', () => {
	test.each([301, 302, 303, 307, 308])(
		'%i is followed by nothing: the test of the credential, a read, a send',
		async (status) => {
			const { sandbox, engine } = platform;
			const location = `${stranger.url}/api/v1/agents`;
			await sandbox.strike('.', { kind: 'redirect', status, location } as never);
			expect(await engine.credentialTest('acpApi', sandbox.credential())).toEqual({
				status: 'Error',
				message: expect.stringMatching(
					/^This URL does not respond like the platform: it redirects/,
				),
			});
			expect((await sandbox.ledger()).map((request) => request.status)).toEqual([status]);
			const [{ agent_uuid: agent }] = await sandbox.state('agents');
			const sms = {
				...{ resource: 'sms', operation: 'send', message: 'Hello' },
				agent: { __rl: true, mode: 'id', value: agent },
				phoneNumber: '+14155550123',
			};
			const results = [await run(readAgents), await engine.runNode('acpMessages', sms)];
			for (const { error } of results)
				expect(error?.message).toMatch(/redirect|another address|elsewhere/i);
			expect(stranger.heard).toEqual([]);
		},
	);
});

describe('the base URL', () => {
	// Each leads to a server that listens, so that only the refusal keeps it from hearing anything.
	// interface: §5 rule 4
	test.each([
		['http://0.0.0.0:PORT', 'begins with http://'],
		['http://0.0.0.0:PORT/api/v1', 'begins with http://'],
		['file://127.0.0.1/etc/passwd', 'not a URL'],
		['file:///etc/passwd', 'not a URL'],
		['ftp://127.0.0.1:PORT', 'not a URL'],
		['http://user:secret@127.0.0.1:PORT', 'more than a host'],
		['http://127.0.0.1:PORT?x=1', 'more than a host'],
		['http://127.0.0.1:PORT#x', 'more than a host'],
		['http://127.0.0.1:PORT/elsewhere', 'has a path'],
		['', 'is empty'],
	])('%s is refused before anything leaves', async (written, reason) => {
		const baseUrl = written.replace('PORT', new URL(stranger.url).port);
		const acpApi = sandbox.credential({ baseUrl });
		const result = await run(readAgents, { credentials: { acpApi } });
		expect(result.error!.message).toContain(reason);
		expect(result.error!.message).not.toContain('secret');
		const tested = await platform.engine.credentialTest('acpApi', acpApi);
		expect(tested).toEqual({ status: 'Error', message: expect.stringContaining(reason) });
		expect([stranger.connections(), await sandbox.ledger()]).toEqual([0, []]);
	});

	test('the server that must not hear of them is heard of at those addresses', async () => {
		for (const host of ['0.0.0.0', '127.0.0.1']) {
			const baseUrl = stranger.url.replace('127.0.0.1', host);
			await fetch(`${baseUrl}/api/v1/agents`);
		}
		expect(stranger.heard.map(({ url }) => url)).toEqual(Array(2).fill('/api/v1/agents'));
		expect(stranger.connections()).toBeGreaterThan(0);
		const acpApi = sandbox.credential({ baseUrl: stranger.url });
		const tested = await platform.engine.credentialTest('acpApi', acpApi);
		expect([tested.status, stranger.heard.length]).toEqual(['OK', 3]);
	});
});

describe('the address of a file', () => {
	const media = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	const download = {
		resource: 'media',
		operation: 'download',
		media: { __rl: true, mode: 'id', value: media },
	};

	test.each(['ftp://127.0.0.1:PORT/x', 'file:///etc/hostname', 'data:text/plain,x'])(
		'%s is not read',
		async (written) => {
			const url = written.replace('PORT', new URL(stranger.url).port);
			const { uuid } = await sandbox.add('medias', { name: 'x', url });
			const result = await platform.engine.runNode('acpMedia', {
				...download,
				media: { ...download.media, value: uuid },
			});
			expect(result.error!.message).toContain('an unencrypted file URL');
			expect(result.items()).toEqual([]);
			expect(stranger.connections()).toBe(0);
		},
	);

	test('JSON in place of a file, with status 200, is no file', async () => {
		const { uuid } = await sandbox.add('medias', { name: 'call.wav', url: `${stranger.url}/x` });
		const of = { ...download, media: { ...download.media, value: uuid } };
		const result = await platform.engine.runNode('acpMedia', of);
		expect(result.error!.description).toContain('It returned JSON.');
		expect(result.items()).toEqual([]);
	});
});

describe('a file address that redirects', () => {
	/** Over TLS, its file addresses redirect; for the node 0.0.0.0 is not this machine, though it leads here. */
	let workspace: Server;
	let engine: Engine;
	let base: string;
	let heard: string[];
	let location: string;
	/** The address itself, where it does not redirect. */
	let direct: string | undefined;
	beforeAll(async () => {
		const { private: key, cert } = await generate();
		workspace = createSecureServer({ key, cert }, (request, response) => {
			const { pathname } = new URL(request.url!, base);
			heard.push(`${request.headers.host!.split(':')[0]}${pathname}`);
			const [, kind, left = '0'] = pathname.split('/');
			if (kind === 'api') {
				const url = direct ?? `${base}/hop/1`;
				response.setHeader('content-type', 'application/json');
				return response.end(JSON.stringify({ success: true, data: { uuid: media, url } }));
			}
			if (kind === 'file') return response.end('the file');
			const next = kind === 'hop' && left !== '0' ? `/hop/${Number(left) - 1}` : location;
			const to = kind === 'round' ? '/round' : next;
			return response.writeHead(302, { location: to }).end('a redirect');
		});
		await new Promise<void>((resolve) => workspace.listen(0, '0.0.0.0', resolve));
		base = `https://0.0.0.0:${(workspace.address() as AddressInfo).port}`;
		// The certificate is nobody's.
		engine = await Engine.start({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
	});
	beforeEach(() => {
		[heard, direct] = [[], undefined];
	});
	afterAll(async () => {
		workspace.closeAllConnections();
		await Promise.all([engine.stop(), new Promise((resolve) => workspace.close(resolve))]);
	});
	const media = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	const download = async (to: string) => {
		location = to.replace('PORT', new URL(to.includes('http:') ? stranger.url : base).port);
		const acpApi = sandbox.credential({ baseUrl: base });
		const parameters = {
			resource: 'media',
			operation: 'download',
			media: { __rl: true, mode: 'id', value: media },
		};
		return await engine.runNode('acpMedia', parameters, { credentials: { acpApi } });
	};
	const hops = [`0.0.0.0/api/v1/medias/${media}`, '0.0.0.0/hop/1', '0.0.0.0/hop/0'];

	test('is not read without encryption where the workspace is not on this machine', async () => {
		direct = `${stranger.url}/x.json`;
		expect((await download('')).error!.message).toContain('an unencrypted file URL');
		expect(stranger.connections()).toBe(0);
	});

	test('is read where every hop is encrypted', async () => {
		const result = await download('/file/x');
		expect(result.items()[0]!.binary!.data).toMatchObject({ fileSize: '8 B' });
		expect(heard).toEqual([...hops, '0.0.0.0/file/x']);
	});

	test.each([
		['http://127.0.0.1:PORT/x', 'an unencrypted file URL, or one that redirects'],
		['http://example.com/x', 'an unencrypted file URL, or one that redirects'],
		['https://localhost:PORT/file', 'a file URL in a private network, or one that redirects'],
		['https://127.0.0.1:PORT/file', 'a file URL in a private network, or one that redirects'],
		['https://[::1]:PORT/file', 'a file URL in a private network, or one that redirects'],
		['https://169.254.169.254/latest', 'a file URL in a private network, or one that redirects'],
		['https://10.0.0.1/file', 'a file URL in a private network, or one that redirects'],
		['/round', 'redirects more than 5 times'],
	])('is not followed to %s, wherever on the way', async (to, reason) => {
		const result = await download(to);
		expect(result.error!.message).toContain(reason);
		expect(result.items()).toEqual([]);
		expect(heard.slice(0, 3)).toEqual(hops);
		expect(heard.slice(3)).toEqual(to === '/round' ? Array(4).fill('0.0.0.0/round') : []);
		expect(stranger.connections()).toBe(0);
	});
});

describe('API Request stays below /api/v1 of the workspace', () => {
	test.each([
		'https://stranger.example.com/agents',
		'HTTP://stranger.example.com/agents',
		'//stranger.example.com/agents',
		'\\\\stranger.example.com\\agents',
		'/\\stranger.example.com/agents',
		'javascript:alert(1)',
		'/../../_sandbox/state/agents',
		'/agents/../../../_sandbox/settings',
		'/agents/..',
		'/agents/./x',
		'/%2e%2e/%2E%2E/_sandbox/state/agents',
		'/agents/..%2f..%2f_sandbox',
		'/agents/%2e%2e%5c_sandbox',
		'/agents%0d%0aX-Stranger: 1',
		'/agents\r\nX-Stranger: 1',
		'/agents%',
		'',
	])('%j is refused', async (path) => {
		expect(() => safePath(path)).toThrow();
		const result = await run(apiRequest(path));
		expect(result.status).toBe('error');
		expect(await sandbox.ledger()).toEqual([]);
	});

	test.each([
		'@stranger.example.com/agents',
		':80/agents',
		'.stranger.example.com/',
		'/agents?x=//stranger.example.com',
	])('%j is a path of the workspace', async (path) => {
		await run(apiRequest(path));
		// What is not an endpoint is answered by the workspace itself.
		const [request] = await sandbox.ledger();
		expect(request!.path.startsWith('/')).toBe(true);
		expect(stranger.heard).toEqual([]);
	});

	const table = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	// A record's ID need not be a uuid, so that its field lets more through than others do.
	// By an expression, because n8n itself checks only what is typed in.
	const deleteRecord = async (id: string) => {
		const record = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const parameters = {
			resource: 'record',
			operation: 'delete',
			table: { __rl: true, mode: 'id', value: table },
			record,
		};
		return await platform.engine.runNode('acpTables', parameters, { items: [{ id }] });
	};

	// interface: §4.1 rule 1
	test.each([
		'%2e%2e',
		'%2E%2E%2f%2e%2e%2fagents',
		'x%2f..%2f..%2fagents',
		'..%5c..%5cagents',
		'%252e%252e',
		'a%3Fb=c%23d',
		'a%',
	])('an ID such as %j cannot leave its place in the path', async (value) => {
		await deleteRecord(value);
		const requests = await sandbox.ledger();
		expect(requests.map(({ method, query }) => ({ method, query }))).toEqual([
			{ method: 'DELETE', query: {} },
		]);
		const [, data, uuid, records, id, ...more] = requests[0]!.path.split('/');
		expect([data, uuid, records, more]).toEqual(['data', table, 'records', []]);
		expect(decodeURIComponent(id!)).toBe(value);
	});

	test.each([
		['..', 'leads elsewhere'],
		['.', 'leads elsewhere'],
		['..\\..\\agents', 'leads elsewhere'],
		['../../../_sandbox/state/agents', 'is not a valid ID'],
		['x/../../agents', 'is not a valid ID'],
		['a?b=c', 'is not a valid ID'],
		['a#b', 'is not a valid ID'],
	])('an ID such as %j is refused before anything leaves', async (value, reason) => {
		const result = await deleteRecord(value);
		expect(result.error!.message).toContain(reason);
		expect(await sandbox.ledger()).toEqual([]);
	});
});

describe('what n8n shows as HTML', () => {
	const link = '<a href="//x.example" style="position:fixed">Go</a>';
	const shown = '&lt;a href="//x.example" style="position:fixed"&gt;Go&lt;/a&gt;';
	const sms = {
		resource: 'sms',
		operation: 'send',
		agent: { __rl: true, mode: 'id', value: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35' },
		phoneNumber: '={{ $json.phone }}',
		message: 'Hello',
	};
	const send = async (onError: string, phone: string, other = phone) =>
		await platform.engine.runNode('acpMessages', sms, {
			items: [{ phone }, { phone: other }],
			onError: onError as never,
		});

	test('a hint shows the text of a row as it is written', async () => {
		const hints = (await send('continueRegularOutput', link)).hints();
		expect(hints.filter(({ message }) => message.includes(shown))).toHaveLength(1);
		expect(hints.filter(({ message }) => /[<>]/.test(message.replaceAll('<br>', '')))).toEqual([]);
	});

	test('so does the description of an error', async () => {
		const { error } = await send('stopWorkflow', link);
		expect(error!.description).toContain(shown);
		expect(error!.description!.replace(/<\/?(ul|li)>/g, '')).not.toMatch(/[<>]/);
	});

	test.each([
		['a cell', link, {}],
		[
			'the platform',
			'+14155550123',
			{ message: `Wrong: ${link}`, error: { code: 'X', field: link, details: link } },
		],
	])(
		'the message of an error, which n8n shows as HTML in a corner, has no tags of %s',
		async (_, phone, said) => {
			if (phone !== link)
				await sandbox.strike('.', {
					kind: 'status',
					status: 422,
					body: { success: false, ...said },
				} as never);
			const { error } = await send('stopWorkflow', phone, '+14155550124');
			expect(error!.message).toContain('‹a href');
			expect(error!.message).not.toMatch(/[<>]/);
		},
	);

	test('and what the platform says', async () => {
		const body = { success: false, message: `Wrong: ${link}`, error: { code: 'X', details: link } };
		await sandbox.strike('.', { kind: 'status', status: 403, body } as never);
		const { error } = await send('stopWorkflow', '+14155550123', '+14155550124');
		expect(error!.description).toContain('&lt;a');
		expect(error!.description).not.toMatch(/[<>]/);
	});
});

test('JSON text of 200,000 levels is refused in words, before anything leaves', async () => {
	const body = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
	const result = await run(apiRequest('/agents', { method: 'POST', body: '={{ $json.body }}' }), {
		items: [{ body }],
	});
	expect(result.error!.message).toContain(
		"'Body (JSON)' is not valid JSON (it is nested deeper than 100 levels)",
	);
	expect(await sandbox.ledger()).toEqual([]);
});

describe('headers', () => {
	// interface: §5 rule 1
	test('a token with line breaks is one header; spaces and "Bearer" that were copied with it are gone', async () => {
		const token = `\r\n Bearer ${sandbox.token.slice(0, 5)}\r\n${sandbox.token.slice(5)} \n`;
		const result = await run(readAgents, {
			credentials: { acpApi: sandbox.credential({ token }) },
		});
		expect(result.status).toBe('success');
		expect((await sandbox.ledger()).map(({ status }) => status)).toEqual([200]);
	});

	test.each(['Europe/Istanbul\r\nX-Stranger: 1', 'Europe/Istanbul\nX-Stranger: 1', 'X\u0000'])(
		'a time zone %j is refused',
		async (timezone) => {
			const byOption = await run({ ...readAgents, options: { timezone } });
			const byCredential = await run(readAgents, {
				credentials: { acpApi: sandbox.credential({ timezone }) },
			});
			for (const result of [byOption, byCredential]) expect(result.status).toBe('error');
			expect(await sandbox.ledger()).toEqual([]);
		},
	);

	test('text of an item never becomes a header', async () => {
		const [{ agent_uuid: agent }] = await sandbox.state('agents');
		const text = 'x\r\nX-Stranger: 1';
		await platform.engine.runNode('acpMessages', {
			resource: 'sms',
			operation: 'send',
			agent: { __rl: true, mode: 'id', value: agent },
			phoneNumber: '+14155550123',
			message: text,
			options: { requestKey: text },
		} as never);
		const sent = await sandbox.ledger({ method: 'POST' });
		expect(sent).toHaveLength(1);
		for (const { headers, body } of sent) {
			expect(Object.keys(headers)).not.toContain('x-stranger');
			expect((body as { message: string }).message).toBe(text);
		}
	});
});

describe('JSON fields', () => {
	const hostile =
		'{"name":"Ada","constructor":{"prototype":{"polluted":true}},"nested":{"constructor":{"prototype":{"polluted":true}}}}';
	const worst = '{"name":"Ada","nested":{"__proto__":{"polluted":true}}}';

	test('do not reach the prototype of anything', () => {
		const parsed = asJson(hostile, 'Body (JSON)') as IDataObject;
		const merged = mergeJson(mergeJson({}, parsed), { nested: { name: 'Ada' } });
		expect(Object.keys(merged).sort()).toEqual(['constructor', 'name', 'nested']);
		expect(Object.keys(merged.nested as object)).toEqual(['constructor', 'name']);
		expect(() => asJson(worst, 'Body (JSON)')).toThrow(/has the name "__proto__"/);
		expect(() => mergeJson({}, JSON.parse(worst).nested)).toThrow(/has the name "__proto__"/);
		const target = {};
		for (const path of [
			['__proto__', 'polluted'],
			['constructor', 'prototype', 'polluted'],
		]) {
			try {
				write(target, path, true);
			} catch {
				// Refusing is as good as ignoring.
			}
		}
		expect([
			({} as never as { polluted: unknown }).polluted,
			(merged as { polluted: unknown }).polluted,
		]).toEqual([undefined, undefined]);
	});
});

describe('no token in what stays', () => {
	test.each([
		['a refused token', { kind: 'status', status: 401 }],
		['a missing permission', { kind: 'status', status: 403 }],
		['a rejected field', { kind: 'status', status: 422 }],
		['a page instead of JSON', { kind: 'html', status: 502 }],
		['half an answer', { kind: 'truncated' }],
		['a broken connection', { kind: 'reset-before' }],
		['a time-out', { kind: 'timeout', afterAcceptance: false }],
	])('%s', async (_, fault) => {
		const { sandbox, engine } = platform;
		await sandbox.strike('.', fault as never);
		for (const onError of [
			'stopWorkflow',
			'continueRegularOutput',
			'continueErrorOutput',
		] as const) {
			const result = await run(
				{ ...readAgents, options: { maxRetries: 0, timeout: 1 } },
				{ onError },
			);
			const { credentials: _credentials, ...stored } = result.stored as never as Record<
				string,
				unknown
			>;
			expect(JSON.stringify(stored)).not.toContain(sandbox.token);
			expect(JSON.stringify(stored)).not.toMatch(/bearer /i);
		}
		// A refused list is asked for in other page sizes, too.
		const hit = (await sandbox.ledger()).map((request) => request.fault);
		expect(hit.length).toBeGreaterThanOrEqual(3);
		expect(new Set(hit)).toEqual(new Set([fault.kind]));
		expect(await engine.logged()).not.toContain(sandbox.token);
	});

	test('an answer that repeats the token and the header', async () => {
		const message = `The token ${sandbox.token} in "Authorization: Bearer ${sandbox.token}" is not valid here`;
		await sandbox.strike('.', {
			kind: 'status',
			status: 422,
			body: {
				success: false,
				message,
				error: { code: 'VALIDATION_ERROR', details: message, field: 'x' },
			},
		} as never);
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const result = await run(readAgents, { onError });
			expect(JSON.stringify(result.stored)).toContain('is not valid here');
			expect(JSON.stringify(result.stored)).not.toContain(sandbox.token);
		}
		expect(await platform.engine.logged()).not.toContain(sandbox.token);
	});

	test('a preview', async () => {
		const result = await run(
			apiRequest('/agents', { method: 'POST', body: '{"name":"Ada"}', options: { preview: true } }),
		);
		expect(result.json()).toHaveLength(1);
		expect(JSON.stringify(result.json())).not.toContain(sandbox.token);
		expect(JSON.stringify(result.json())).not.toMatch(/authorization|bearer/i);
	});
});

// interface: §8 rule 6
test('a large answer comes through whole', async () => {
	const text = 'x'.repeat(20 * 1024 * 1024);
	const [{ agent_uuid: agent }] = await sandbox.state('agents');
	await sandbox.strike(
		`^/agents/${agent}$`,
		{
			kind: 'status',
			status: 200,
			body: { success: true, data: { agent_uuid: agent, text } },
		} as never,
		{ times: 1 },
	);
	const result = await run(apiRequest(`/agents/${agent}`));
	expect(result.status).toBe('success');
	expect((result.json()[0] as { text: string }).text).toHaveLength(text.length);
});

test('a success that echoes the token is stored without it, in whichever spelling', async () => {
	const { sandbox } = platform;
	const echoed = JSON.stringify({ sent: `Bearer ${sandbox.token}` });
	const data = { uuid: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35', note: echoed, [sandbox.token]: 1 };
	await sandbox.strike('GET ^/agents$', { status: 200, body: { success: true, data: [data] } });
	const result = await run(apiRequest('/agents'));
	expect(result.status).toBe('success');
	const stored = JSON.stringify([result.json(), result.executionData]);
	expect(stored).toContain('Bearer ********');
	expect(stored).not.toContain(sandbox.token);
});

describe('JSON with gaps for expressions', () => {
	const sent = async (body: string, json: IDataObject) => {
		const { error } = await run(apiRequest('/contacts', { method: 'POST', body }), {
			items: [json],
		});
		const [request] = await platform.sandbox.ledger({ method: 'POST' });
		return request?.body ?? error?.message;
	};
	test.each<[string, string, IDataObject, unknown]>([
		[
			'quotes',
			'={"name":"{{ $json.a }}"}',
			{ a: 'x","cc":["y"],"z":"' },
			{ name: 'x","cc":["y"],"z":"' },
		],
		['lines', '={"name":"{{ $json.a }}"}', { a: 'one\ntwo\ttwo' }, { name: 'one\ntwo\ttwo' }],
		[
			'a backslash at the end',
			'={"name":"{{ $json.a }}","x":"y"}',
			{ a: 'z\\' },
			{ name: 'z\\', x: 'y' },
		],
		[
			'what somebody has escaped',
			'={"name":"{{ JSON.stringify($json.a).slice(1, -1) }}"}',
			{ a: 'say "hi"\n' },
			{ name: 'say "hi"\n' },
		],
		[
			'several in one text',
			'={"name":"{{ $json.a }} and {{ $json.b }}"}',
			{ a: 'A"', b: 'B' },
			{ name: 'A" and B' },
		],
		['a key', '={"{{ $json.a }}":1}', { a: 'x":2,"y' }, { 'x":2,"y': 1 }],
		['a number', '={"count":{{ $json.a }}}', { a: 5 }, { count: 5 }],
		['a number as text', '={"count":{{ $json.a }}}', { a: '5' }, { count: 5 }],
		[
			'JSON as text',
			'={"tags":{{ JSON.stringify($json.a) }}}',
			{ a: ['x', '"'] },
			{ tags: ['x', '"'] },
		],
		['an object', '={"more":{{ $json.a }}}', { a: { b: 1 } }, expect.stringMatching(/would read/)],
		[
			'entries of a list',
			'={"tags":[{{ $json.a.map(t => JSON.stringify(t)).join(",") }}]}',
			{ a: ['x', 'y'] },
			{ tags: ['x', 'y'] },
		],
		[
			'a list that closes itself',
			'={"tags":[{{ $json.a }}]}',
			{ a: '"x"],"cc":["y"' },
			expect.stringMatching(/is not valid JSON/),
		],
		[
			'an object that closes itself',
			'={"more":{{ $json.a }}}',
			{ a: '{}, "cc": 1' },
			expect.stringMatching(/is not valid JSON/),
		],
		['one expression', '={{ $json.a }}', { a: '{"name":"A"}' }, { name: 'A' }],
	])('%s: the structure is what was written', async (_, body, json, expected) => {
		expect(await sent(body, json)).toEqual(expected);
	});
});
