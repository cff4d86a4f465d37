/**
 * Every way in which a request can come to nothing, and the sentence that a person reads then: what happened, what to do
 * next. On Error = Stop shows it as the node's error, Continue as an item.
 */
import { readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { generate } from 'selfsigned';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { changed, rules } from './everyOperation/rules.cts';
import { fill } from './everyOperation/samples.cts';
import { files, Scene } from './everyOperation/workspace.cts';
import { agentOf, byId, contact, fast, people, sms } from './guarantees/scene.cts';
import { usePlatform, type FaultRule } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast, speed: 10 });

/** Texts that n8n puts in place of a node's own: none of them may come through. */
const cannedTexts = ['errors/node-api.error.js', 'errors/abstract/node.error.js'].flatMap(
	(file) => {
		const source = readFileSync(
			path.join(path.dirname(require.resolve('n8n-workflow')), file),
			'utf8',
		);
		return [...source.matchAll(/^ {4}'?\w+'?: (?:'([^']+)'|"([^"]+)"),$/gm)].map(
			([, single, double]) => (single ?? double)!,
		);
	},
);

/** Servers beside the sandbox that answer, or fail to, in ways of their own. */
let elsewhere: { secure: string; old: string; silent: string };
const servers: Server[] = [];

beforeAll(async () => {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
		keySize: 2048,
	});
	const listen = async (server: Server) => {
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return (server.address() as AddressInfo).port;
	};
	const secure = await listen(
		createSecureServer({ key, cert }, (_, response) => response.end('{}')) as unknown as Server,
	);
	// Only so does OpenSSL still offer it.
	const old = await listen(
		createSecureServer(
			{ key, cert, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
			(_, response) => response.end('{}'),
		) as unknown as Server,
	);
	elsewhere = {
		secure: `https://127.0.0.1:${secure}`,
		old: `https://127.0.0.1:${old}`,
		// A port that was free a moment ago may be another test's by now. Nobody listens on this one.
		silent: 'http://127.0.0.1:1',
	};
});

afterAll(() => {
	for (const server of servers) server.close();
});

/** What a person may be told: whole sentences without words that blame. */
function expectHelpful({
	message,
	description,
}: {
	message: string;
	description?: string | null;
}): void {
	const own = `${message} ${description}`.replace(/The platform says: .*?[.!?…](?= |$)/g, '');
	expect(own).not.toMatch(
		/\b(error|problem|failure|failed|mistake|invalid|undefined|null|NaN|\[object)/i,
	);
	expect(message).toMatch(/^[A-Z'"0-9].*[^.]$/);
	expect(description).toMatch(/^[A-Z'"0-9].*\.$/);
	for (const text of cannedTexts) expect(own).not.toContain(text);
	expect(own).not.toContain(sandbox.token);
}

type Kind = 'read' | 'keyed' | 'write';
type Credential = (url: string) => Record<string, string> | Promise<Record<string, string>>;

interface More {
	/** Requests it is about; default all three. */
	of?: Kind[];
	settings?: object;
	timeout?: number;
	/** Code, status and field that are told, where the fault does not name them; several where it depends on the request. */
	code?: string | RegExp;
	status?: number | number[];
	field?: string;
}
type Row = [
	title: string,
	/** What goes wrong with every request; or a credential with which it does. */
	cause: FaultRule['fault'] | Credential,
	message: string | RegExp,
	description: RegExp,
	more?: More,
];

const envelope = (code: string, message: string, more: object = {}) => ({
	success: false,
	message,
	error: { code, ...more },
});
const status = (code: number, name?: string, more: object = {}): FaultRule['fault'] => ({
	kind: 'status',
	status: code,
	...(name && { code: name }),
	...more,
});
/** A refusal with the envelope of the platform. */
const refusal = (code: number, ...about: Parameters<typeof envelope>): FaultRule['fault'] =>
	status(code, undefined, { body: envelope(...about) });
const html = (code: number): FaultRule['fault'] => ({ kind: 'html', status: code });
/** What the platform is made to say: code, status and field, unless a row says what comes of them. */
const toldBy = ({ kind, status: told, code, body }: Partial<FaultRule['fault']>) =>
	kind === 'html'
		? { code: 'HTML', status: told }
		: kind === 'status'
			? {
					code: code ?? (body as any)?.error?.code ?? `HTTP_${told}`,
					status: told,
					field: (body as any)?.error?.field as string | undefined,
				}
			: {};
/** Whether the request may have been carried out: its answer is lost, unreadable, or says that the platform failed. */
const isOpen = ({ kind, status: told = 0 }: Partial<FaultRule['fault']>): boolean =>
	kind === 'status' || kind === 'html'
		? told === 200 || told === 408 || told >= 500
		: kind !== undefined;
const host = '127.0.0.1';
const tokenOf = (kind: 'revoked' | 'forbidden') => async () => ({
	token: (await sandbox.tokenOf(kind)).token,
});

const notAccepted = 'The platform did not accept the token';
const correct = /Correct the value and run again/;
const tooMany = 'The platform is receiving more requests than it allows';
const failed = (code: number) => `The platform could not process the request (status ${code})`;
const page = `${host} responded with a web page instead of data`;
const between = /Something between n8n and the platform responded/;
const lost = `The connection to ${host} was lost before the response arrived`;
const again = /Try again in a moment|Retry On Fail|may have gone through/;
const unread = `The response of ${host} could not be read`;
const insecure = `Could not make a secure connection to ${host}`;
const reset = { code: 'ECONNRESET' };
const unreadable = { code: 'UNREADABLE', status: [200, 201] };

const rows: Row[] = [
	// interface: §5 rule 6; §7 MISSING_AUTH_TOKEN
	[
		'401 MISSING_AUTH_TOKEN',
		status(401, 'MISSING_AUTH_TOKEN'),
		notAccepted,
		/missing, mistyped or revoked\. Create a token in your profile's Developer section .* enter it in the credential/,
	],
	// interface: §5 rule 5; §7 INVALID_AUTH_TOKEN
	[
		'401 INVALID_AUTH_TOKEN, a revoked token',
		tokenOf('revoked'),
		notAccepted,
		/Create a token/,
		{ code: 'INVALID_AUTH_TOKEN', status: 401 },
	],
	// interface: §5 rule 6; §5 rule 7; §7 FORBIDDEN
	[
		'403 FORBIDDEN',
		tokenOf('forbidden'),
		'The token is valid, but it has no permission for this',
		/Ask an administrator for a token with that permission/,
		{ code: 'FORBIDDEN', status: 403 },
	],
	// interface: §5 rule 3
	[
		'404 of another tenant',
		() => ({}),
		/not found/,
		/Check 'Base URL' in the credential|belong to another workspace/,
		{
			settings: { tenant: 'wrong' },
			code: 'RESOURCE_NOT_FOUND',
			status: 404,
			of: ['read', 'write'],
		},
	],
	// interface: §5 rule 3
	[
		'404 of another tenant, as a web page',
		() => ({}),
		page,
		/Check 'Base URL' in the credential; it should lead to your workspace \(status 404\)/,
		{ settings: { tenant: 'wrong-html' }, code: 'HTML', status: 404 },
	],
	// interface: §7 error envelope
	[
		'404 without an envelope',
		status(404, undefined, { body: '{}' }),
		`The workspace ${host} was not found, or it has no such record`,
		/first part is the name of your workspace/,
	],
	// interface: §7 RESOURCE_NOT_FOUND
	[
		'404 RESOURCE_NOT_FOUND',
		refusal(404, 'RESOURCE_NOT_FOUND', 'Contact not found.'),
		'Contact not found',
		/deleted, or belong to another workspace\. Choose it again/,
		{ of: ['read', 'write'] },
	],
	// interface: §7 ENDPOINT_NOT_FOUND
	[
		'404 ENDPOINT_NOT_FOUND',
		status(404, 'ENDPOINT_NOT_FOUND'),
		'The platform does not know this endpoint',
		/use 'Other Endpoint'/,
		{ of: ['keyed', 'write'] },
	],
	// interface: §7 status codes
	[
		'400 malformed request',
		refusal(400, 'INVALID_FORMAT', 'The body is not JSON'),
		'The platform did not accept the request: The body is not JSON',
		correct,
	],
	// interface: §7 error envelope; §7 VALIDATION_ERROR
	[
		'422 VALIDATION_ERROR with a field of the form',
		refusal(422, 'VALIDATION_ERROR', 'The name is taken', { field: 'name' }),
		"The platform did not accept 'Name': The name is taken",
		correct,
		{ of: ['write'] },
	],
	// interface: §7 VALIDATION_ERROR
	[
		'422 VALIDATION_ERROR with a nested field',
		refusal(422, 'VALIDATION_ERROR', 'Required', { field: 'participant.number' }),
		'The platform did not accept "participant.number": Required',
		correct,
		{ of: ['read'] },
	],
	// interface: §7 INVALID_FORMAT
	[
		'422 INVALID_FORMAT',
		refusal(422, 'INVALID_FORMAT', 'Not E.164', {
			field: 'phoneNumber',
			details: 'It must match a pattern',
		}),
		"The platform did not accept 'Phone Number': Not E.164",
		/^It must match a pattern\. Correct the value/,
		{ of: ['keyed'] },
	],
	// interface: §7 INVALID_UUID
	[
		'422 INVALID_UUID',
		refusal(422, 'INVALID_UUID', 'No uuid', { field: 'agentId' }),
		"The platform did not accept 'Agent': No uuid",
		correct,
		{ of: ['keyed'] },
	],
	[
		'409 conflict',
		refusal(409, 'CONFLICT', 'The record is in use'),
		'The record is in use',
		/Check the record on the platform/,
	],
	// interface: §7 RATE_LIMIT_EXCEEDED
	[
		'429 RATE_LIMIT_EXCEEDED',
		status(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 1 }),
		tooMany,
		/Other senders in the same workspace count too\. Wait 1 second and run again, or raise 'Max Retries' under Options › Advanced/,
	],
	// interface: §7 RATE_LIMIT_EXCEEDED
	[
		'429 that tells the wait in its body alone',
		status(429, undefined, {
			retryAfter: null,
			body: envelope('RATE_LIMIT_EXCEEDED', 'Too many requests', { retryAfter: 2 }),
		}),
		tooMany,
		/Wait 2 seconds and run again/,
	],
	// interface: §7 INTERNAL_SERVER_ERROR
	['500 INTERNAL_SERVER_ERROR', status(500, 'INTERNAL_SERVER_ERROR'), failed(500), again],
	// interface: §7 status codes
	['502 as JSON', status(502, 'BAD_GATEWAY'), failed(502), again],
	// interface: §7 SERVICE_UNAVAILABLE
	[
		'503 SERVICE_UNAVAILABLE',
		refusal(503, 'SERVICE_UNAVAILABLE', 'Back at noon'),
		'The platform is unavailable or in maintenance',
		/Try again later\. The platform says: Back at noon\./,
	],
	// interface: §7 status codes
	[
		'a status that nobody announced',
		status(418, undefined, { body: '{"brewing":true}' }),
		'The platform responded with status 418',
		/Check the parameters of the node/,
	],
	['HTML from a proxy, status 502', html(502), page, between],
	[
		'403 from a firewall, as a web page',
		html(403),
		`${host} refused the request with a web page (status 403)`,
		/for example a firewall or a proxy\. Ask who runs that network/,
	],
	[
		'429 from a proxy, as a web page',
		html(429),
		tooMany,
		/Other senders in the same workspace count too/,
	],
	...[408, 507, 509, 520, 530].map((code): Row => [
		`${code} as text`,
		status(code, undefined, { body: 'try later' }),
		failed(code),
		/^(Try again in a moment|Retry On Fail|The request may have gone through)/,
	]),
	[
		'423, a lock',
		status(423, undefined, { body: 'locked' }),
		'The record is locked on the platform',
		/^Another change is in progress\. Try again in a moment/,
	],
	['HTML with status 200', html(200), page, between],
	['truncated JSON', { kind: 'truncated' }, unread, /empty or incomplete/, unreadable],
	[
		'an answer that breaks off',
		{ kind: 'truncated', close: true },
		lost,
		again,
		{ code: /^(ECONNRESET|ECONNABORTED|ERR_\w+)$/ },
	],
	[
		'an empty body',
		{ kind: 'empty' },
		unread,
		/empty or incomplete/,
		{ ...unreadable, of: ['read'] },
	],
	['a connection reset before anything was done', { kind: 'reset-before' }, lost, again, reset],
	['a connection reset after it was done', { kind: 'reset-after' }, lost, again, reset],
	[
		'a time-out',
		{ kind: 'timeout' },
		`${host} did not respond within 1 second`,
		/^Raise 'Timeout' under Options › Advanced/,
		{ timeout: 1, code: /^(ECONNABORTED|ETIMEDOUT)$/ },
	],
	[
		'a redirect to another host',
		{ kind: 'redirect', location: 'https://elsewhere.example.com/api/v1/call?token=x' },
		`${host} redirects to https://elsewhere.example.com`,
		/was not followed, so that the token does not reach/,
		{ code: 'REDIRECT', status: 302 },
	],
	[
		'a refused connection',
		() => ({ baseUrl: elsewhere.silent }),
		`Could not connect to ${host}`,
		/^Nothing was sent\. Check 'Base URL' in the credential/,
		{ code: 'ECONNREFUSED' },
	],
	[
		'a name that does not exist',
		() => ({ baseUrl: 'https://acme.nowhere.test' }),
		'The host acme.nowhere.test was not found',
		/^Nothing was sent\. .*typos/,
		{ code: /^(ENOTFOUND|EAI_AGAIN)$/ },
	],
	[
		'a self-signed certificate',
		() => ({ baseUrl: elsewhere.secure }),
		insecure,
		/^Nothing was sent\. The certificate or the encryption was not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
		{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
	],
	// interface: §5 rule 4
	[
		'a server that speaks TLS 1.1 at most',
		() => ({ baseUrl: elsewhere.old }),
		insecure,
		/^Nothing was sent\./,
		{ code: /^(EPROTO|ERR_SSL_\w+)$/ },
	],
	[
		'a server that does not speak TLS',
		(url) => ({ baseUrl: url.replace('http:', 'https:') }),
		insecure,
		/^Nothing was sent\. The certificate or the encryption was not accepted/,
		{ code: /^(EPROTO|ERR_SSL_\w+)$/ },
	],
];

const requests: Record<
	Kind,
	{ node: string; parameters: (options: INodeParameters) => Promise<INodeParameters> }
> = {
	read: {
		node: 'acpAgents',
		parameters: async (options) => ({
			resource: 'agent',
			operation: 'get',
			agent: byId(await agentOf(sandbox)),
			options,
		}),
	},
	keyed: {
		node: 'acpMessages',
		parameters: async (options) => sms(await agentOf(sandbox), options),
	},
	write: { node: 'acpContacts', parameters: async (options) => contact(options) },
};

const repeating: Record<Kind, RegExp> = {
	read: /./,
	keyed: /Retry On Fail and Executions › Retry are safe/,
	write:
		/The (request may have gone through|platform accepted the request)\. Check the platform before you run it again/,
};

const runs = rows.flatMap(([name, cause, message, description, more = {}]) =>
	(more.of ?? (['read', 'keyed', 'write'] as const)).map((kind) => {
		const fault = typeof cause === 'function' ? undefined : cause;
		const credential = typeof cause === 'function' ? cause : undefined;
		const told = { ...toldBy(fault ?? {}), ...more };
		return { told, message, description, fault, credential, kind, title: `${name} (${kind})` };
	}),
);

describe('what a person is told', () => {
	test('n8n’s own texts are known', () => expect(cannedTexts.length).toBeGreaterThan(20));

	test.each(runs)('$title', async ({ kind, fault, credential, told, message, description }) => {
		const { code, status: expected, field, settings, timeout } = told;
		if (settings) await sandbox.settings(settings);
		const { node, parameters } = requests[kind];
		const given = await parameters({ maxRetries: 0, ...(timeout ? { timeout } : {}) });
		if (fault) await sandbox.strike('.', fault);
		const acpApi = sandbox.credential(credential ? await credential(sandbox.url) : {});
		const items = people(1);

		const stopped = await run(node, given, { items, credentials: { acpApi } });
		expect(stopped.error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		const { error } = stopped;
		expect(error!.message).toMatch(message);
		expect(error!.description).toMatch(description);
		expect(error!.context!.code).toMatch(code);
		if (field) expect(error!.context!.field).toBe(field);
		expect([expected].flat().map((one) => (one === undefined ? undefined : String(one)))).toContain(
			error!.httpCode ?? undefined,
		);
		expectHelpful(error!);
		if (isOpen(fault ?? {})) expect(error!.description).toMatch(repeating[kind]);
		else expect(error!.description).not.toMatch(/It is not known|Retry On Fail/);

		const onError = 'continueRegularOutput';
		const went = await run(node, given, { items, credentials: { acpApi }, onError });
		expect(went.json()).toEqual([
			{
				...items[0],
				error: error!.message,
				errorDescription: error!.description,
				errorCode: error!.context!.code,
				errorField: field ?? null,
				errorStatus: error!.httpCode ? Number(error!.httpCode) : null,
				errorOutcome:
					isOpen(fault ?? {}) && kind !== 'read'
						? expect.stringMatching(/^(unknown|done)$/)
						: 'nothing happened',
				errorItem: 0,
			},
		]);
	});

	/** What operations say of codes and statuses of their own: one more or less is on purpose. */
	const explained = operationsOf(nodes()).flatMap((entry) =>
		Object.entries(entry.operation.explain ?? {}).map(([key, said]) => ({
			entry,
			key,
			said: said as { message: string; description: string },
			title: `${entry.resource.value}.${entry.value} explains ${key}`,
		})),
	);
	/** What is said of a guessed endpoint that the platform lacks: what the contract names instead. */
	const lacking = operationsOf(nodes()).flatMap((entry) => {
		const { guess, explain = {} } = entry.operation;
		if (!guess || 'ENDPOINT_NOT_FOUND' in explain) return [];
		return ['ENDPOINT_NOT_FOUND', '405'].map((key) => ({
			entry,
			key,
			said: {
				message: expect.stringMatching(
					/^This workspace has no endpoint to [a-z].* at the undocumented path this node tried$/,
				),
				description: 'instead' in guess ? (guess.instead as string) : "use 'Other Endpoint'",
			},
			title: `${entry.resource.value}.${entry.value}, a guess, explains ${key}`,
		}));
	});
	test('guessed endpoints are all there', () => expect(lacking.length).toBeGreaterThan(40));

	test('the explanations are all there, each under a status or a code that the platform may send', () => {
		expect(explained).toHaveLength(35);
		expect([...new Set(explained.map(({ key }) => key))].sort()).toEqual([
			'409',
			'415',
			'422',
			'429',
			'ENDPOINT_NOT_FOUND',
			'RESOURCE_NOT_FOUND',
			'phone_in_use',
			'purchase_limit_reached',
			'webhook_limit_reached',
		]);
	});

	// interface: §4.1 POST webhooks; §4.4 call actions; §4.4 imports; §7 webhook_limit_reached; §7 ENDPOINT_NOT_FOUND
	// interface: §3 evaluation; §4.4 evaluation reads; §4.4 evaluation settings
	test.each([...explained, ...lacking])('$title', async ({ entry, key, said }) => {
		const { node, resource, value, operation, parameters } = entry;
		const subject = `${resource.value}.${value}`;
		// An update without a field would be refused by the node.
		const extent = parameters.some(({ name }: any) => name === 'updateFields') ? 'all' : 'required';
		const scene = new Scene(sandbox, engine, subject, node.name, {}, extent, false);
		const form = parameters.some(({ name }: any) => name === 'reachBy')
			? { reachBy: value === 'send' && resource.value === 'email' ? 'email' : 'phoneNumber' }
			: {};
		const filled = changed(
			await fill(parameters, scene, extent, [], form),
			(await rules[`${subject}, with the required fields`]?.instead(scene)) ?? {},
		);
		const code = /NOT_FOUND$/.test(key) ? 404 : 400;
		const fault = /^\d+$/.test(key) ? status(Number(key)) : status(code, key);
		await sandbox.strike(`${operation.method} .`, fault);
		const options = { ...(filled.options as object), maxRetries: 0 };
		const { error } = await run(
			node.name,
			{ resource: resource.value, operation: value, ...filled, options },
			{ items: [{ json: {}, binary: files }] },
		);
		expect(error).toMatchObject({
			message: said.message,
			description: expect.stringContaining(said.description),
		});
		expectHelpful(error!);
	});

	test('JSON under another content type is read', async () => {
		await sandbox.strike('.', 'content-type');
		const agent = await agentOf(sandbox);
		const result = await run('acpAgents agent.get', { agent: byId(agent) });
		expect(result.json()[0].agent_uuid).toBe(agent);
	});

	test('an answer in the middle of a run: how many items are done, and whether a retry is safe', async () => {
		await sandbox.strike('^/contacts$', 403, { nth: 4 });
		const certain = await run('acpContacts', contact({ concurrency: 1 }), { items: people(7) });
		expect(certain.error!.message).toBe(
			'The token is valid, but it has no permission for this (+14155550003) [item 3]',
		);
		expect(certain.error!.description).toMatch(
			/^3 done, 4 not done\. .* Retry On Fail and Executions › Retry are safe: they continue with the rest\./,
		);
		await sandbox.strike('^/sms/send$', 'reset-after', { nth: 2 });
		const keyed = await run(
			'acpMessages',
			sms(await agentOf(sandbox), {
				maxRetries: 0,
				concurrency: 1,
				requestKey: '={{ $json.phone }}',
			}),
			{ items: people(4) },
		);
		expect(keyed.error!.description).toContain('1 done, 1 uncertain, 2 not done.');
		expect(keyed.error!.description).toContain('A new run is safe too: each item has its own key.');
	});

	test('several tries count together: what is refused last may have been done before', async () => {
		await sandbox.strike('^/sms/send$', 'reset-after', { nth: 1 });
		await sandbox.strike('^/sms/send$', 403, { nth: 2 });
		const result = await run('acpMessages', sms(await agentOf(sandbox), { concurrency: 1 }), {
			items: people(2),
		});
		expect(result.error!.description).toMatch(/1 uncertain/);
	});
});

describe('texts of n8n do not come through', () => {
	test.each([['EPERM'], ['ENOENT'], ['ECONNREFUSED'], ['ENOTFOUND'], ['ETIMEDOUT']])(
		'a value or an answer that contains %s',
		async (word) => {
			const refused = await run('acpContacts', contact(), { items: [{ phone: word, text: 'x' }] });
			expect(refused.error!.message).toMatch(
				new RegExp(`^'Phone Number' is not a phone number.*${word}`),
			);
			await sandbox.strike('.', {
				status: 409,
				body: envelope(word, `The setting ${word} is locked`),
			});
			const answered = await run('acpContacts', contact(), { items: people(1) });
			expect(answered.error!.message).toBe(`The setting ${word} is locked`);
		},
	);
});

describe('the test of a credential', () => {
	// interface: §5 rule 3; §5 rule 6
	test('tells a refused token, a missing permission and a wrong workspace apart', async () => {
		const tested = async (change: Record<string, string> = {}) =>
			await engine.credentialTest('acpApi', sandbox.credential(change));
		expect((await tested()).status).toBe('OK');
		const [asked] = await sandbox.ledger();
		expect(asked).toMatchObject({ method: 'GET', path: '/agents', query: { per_page: '1' } });
		expect(asked!.headers.accept).toBe('application/json');
		const refused = (message: RegExp) => ({
			status: 'Error',
			message: expect.stringMatching(message),
		});
		expect(await tested(await tokenOf('revoked')())).toEqual(
			refused(/^The platform did not accept the token/),
		);
		expect(await tested(await tokenOf('forbidden')())).toEqual(
			refused(/^The token is valid, but it may not list agents/),
		);
		await sandbox.settings({ tenant: 'wrong' });
		expect(await tested()).toEqual(refused(/^No workspace found at this URL/));
	});

	const stranger = /^This URL does not respond like the platform/;
	const answering = (body: unknown) => status(200, undefined, { body });
	test.each<[string, FaultRule['fault'], RegExp]>([
		['429', status(429, 'RATE_LIMIT_EXCEEDED'), /^The platform cannot respond right now/],
		['502', status(502, 'BAD_GATEWAY'), /^The platform cannot respond right now/],
		['404', status(404, 'ENDPOINT_NOT_FOUND'), /^No workspace found at this URL/],
		[
			'another refusal',
			answering({ success: false, error: { code: 'NO_CREDIT' } }),
			/^The platform refused to list agents/,
		],
		['no list', answering({ success: true, data: null }), stranger],
		['nothing', { kind: 'empty' }, stranger],
	])('explains %s', async (_, fault, message) => {
		await sandbox.strike('^/agents$', fault);
		const tested = await engine.credentialTest('acpApi', sandbox.credential());
		expect(tested).toMatchObject({ status: 'Error', message: expect.stringMatching(message) });
	});
});
