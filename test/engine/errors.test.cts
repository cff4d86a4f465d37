/**
 * Every way in which a request can come to nothing, and the sentence that a person reads then:
 * what happened, what to do
 * next. On Error = Stop shows it as the node's error, Continue as an item.
 */
import { readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { generate } from 'selfsigned';
import { agentOf, byId, contact, fast, failure, note, people, sms } from './guarantees/scene.cts';
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

interface Case {
	/** Requests it is about; default all three. */
	of?: Kind[];
	/** What goes wrong with every request; or a credential with which it does. */
	fault?: FaultRule['fault'];
	credential?: (url: string) => Record<string, string> | Promise<Record<string, string>>;
	settings?: object;
	timeout?: number;
	message: string | RegExp;
	description: RegExp;
	/** Code, status and field that are told, where the fault does not name them; several where it depends on the request. */
	code?: string | RegExp;
	status?: number | number[];
	field?: string;
}

const envelope = (code: string, message: string, more: object = {}) => ({
	success: false,
	message,
	error: { code, ...more },
});
const status = (code: number, name: string, more: object = {}): FaultRule['fault'] => ({
	kind: 'status',
	status: code,
	code: name,
	...more,
});
/** A refusal with the envelope of the platform. */
const refusal = (code: number, ...about: Parameters<typeof envelope>): FaultRule['fault'] => ({
	kind: 'status',
	status: code,
	body: envelope(...about),
});
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
		: kind !== undefined && kind !== 'redirect';
const host = '127.0.0.1';

const cases: Record<string, Case> = {
	// interface: §5 rule 6; §7 MISSING_AUTH_TOKEN
	'401 MISSING_AUTH_TOKEN': {
		fault: status(401, 'MISSING_AUTH_TOKEN'),
		message: 'The platform did not accept the token',
		description:
			/missing, mistyped or revoked\. Create a token in your profile's Developer section .* enter it in the credential/,
	},
	// interface: §5 rule 5; §7 INVALID_AUTH_TOKEN
	'401 INVALID_AUTH_TOKEN, a revoked token': {
		credential: async () => ({ token: (await sandbox.tokenOf('revoked')).token }),
		code: 'INVALID_AUTH_TOKEN',
		status: 401,
		message: 'The platform did not accept the token',
		description: /Create a token/,
	},
	// interface: §5 rule 6; §5 rule 7; §7 FORBIDDEN
	'403 FORBIDDEN': {
		credential: async () => ({ token: (await sandbox.tokenOf('forbidden')).token }),
		code: 'FORBIDDEN',
		status: 403,
		message: 'The token is valid, but it has no permission for this',
		description: /Ask an administrator of the workspace for a token with that permission/,
	},
	// interface: §5 rule 3
	'404 of another tenant': {
		settings: { tenant: 'wrong' },
		code: 'RESOURCE_NOT_FOUND',
		status: 404,
		of: ['read', 'write'],
		message: /not found/,
		description: /Check 'Base URL' in the credential|belongs to another workspace/,
	},
	// interface: §5 rule 3
	'404 of another tenant, as a web page': {
		settings: { tenant: 'wrong-html' },
		code: 'HTML',
		status: 404,
		message: `${host} responded with a web page instead of data`,
		description:
			/Check 'Base URL' in the credential; it should lead to your workspace \(status 404\)/,
	},
	// interface: §7 error envelope
	'404 without an envelope': {
		fault: { kind: 'status', status: 404, body: '{}' },
		message: `The workspace ${host} was not found, or it has no such record`,
		description: /first part is the name of your workspace/,
	},
	// interface: §7 RESOURCE_NOT_FOUND
	'404 RESOURCE_NOT_FOUND': {
		fault: refusal(404, 'RESOURCE_NOT_FOUND', 'Contact not found.'),
		of: ['read', 'write'],
		message: 'Contact not found',
		description: /deleted, or it belongs to another workspace\. Choose it from the list again/,
	},
	// interface: §7 ENDPOINT_NOT_FOUND
	'404 ENDPOINT_NOT_FOUND': {
		fault: status(404, 'ENDPOINT_NOT_FOUND'),
		of: ['keyed', 'write'],
		message: 'The platform does not know this endpoint',
		description: /use the resource 'Other Endpoint'/,
	},
	// interface: §7 status codes
	'400 malformed request': {
		fault: refusal(400, 'INVALID_FORMAT', 'The body is not JSON'),
		message: 'The platform did not accept the request: The body is not JSON',
		description: /Correct the value and run again/,
	},
	// interface: §7 error envelope; §7 VALIDATION_ERROR
	'422 VALIDATION_ERROR with a field of the form': {
		fault: refusal(422, 'VALIDATION_ERROR', 'The name is taken', { field: 'name' }),
		of: ['write'],
		message: "The platform did not accept 'Name': The name is taken",
		description: /Correct the value and run again/,
	},
	// interface: §7 VALIDATION_ERROR
	'422 VALIDATION_ERROR with a nested field': {
		fault: refusal(422, 'VALIDATION_ERROR', 'Required', { field: 'participant.number' }),
		of: ['read'],
		message: 'The platform did not accept "participant.number": Required',
		description: /Correct the value and run again/,
	},
	// interface: §7 INVALID_FORMAT
	'422 INVALID_FORMAT': {
		fault: refusal(422, 'INVALID_FORMAT', 'Not E.164', {
			field: 'phoneNumber',
			details: 'It must match a pattern',
		}),
		of: ['keyed'],
		field: 'phoneNumber',
		message: "The platform did not accept 'Phone Number': Not E.164",
		description: /^It must match a pattern\. Correct the value/,
	},
	// interface: §7 INVALID_UUID
	'422 INVALID_UUID': {
		fault: refusal(422, 'INVALID_UUID', 'No uuid', { field: 'agentId' }),
		of: ['keyed'],
		message: "The platform did not accept 'Agent': No uuid",
		description: /Correct the value/,
	},
	'409 conflict': {
		fault: refusal(409, 'CONFLICT', 'The record is in use'),
		message: 'The record is in use',
		description: /Check the record on the platform/,
	},
	// interface: §7 RATE_LIMIT_EXCEEDED
	'429 RATE_LIMIT_EXCEEDED': {
		fault: status(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 1 }),
		message: 'The platform is receiving more requests than it allows',
		description:
			/Other senders in the same workspace count too\. Wait 1 second and run again, or raise 'Max Retries' under Options/,
	},
	// interface: §7 RATE_LIMIT_EXCEEDED
	'429 that tells the wait in its body alone': {
		fault: {
			kind: 'status',
			status: 429,
			retryAfter: null,
			body: envelope('RATE_LIMIT_EXCEEDED', 'Too many requests', { retryAfter: 2 }),
		},
		message: 'The platform is receiving more requests than it allows',
		description: /Wait 2 seconds and run again/,
	},
	// interface: §7 INTERNAL_SERVER_ERROR
	'500 INTERNAL_SERVER_ERROR': {
		fault: status(500, 'INTERNAL_SERVER_ERROR'),
		message: 'The platform could not process the request (status 500)',
		description: /Try again in a moment/,
	},
	// interface: §7 status codes
	'502 as JSON': {
		fault: status(502, 'BAD_GATEWAY'),
		message: 'The platform could not process the request (status 502)',
		description: /Try again in a moment/,
	},
	// interface: §7 SERVICE_UNAVAILABLE
	'503 SERVICE_UNAVAILABLE': {
		fault: refusal(503, 'SERVICE_UNAVAILABLE', 'Back at noon'),
		message: 'The platform is unavailable or in maintenance',
		description: /Try again later\. The platform says: Back at noon\./,
	},
	// interface: §7 status codes
	'a status that nobody announced': {
		fault: { kind: 'status', status: 418, body: '{"brewing":true}' },
		message: 'The platform responded with status 418',
		description: /Check the parameters of the node/,
	},
	'HTML from a proxy, status 502': {
		fault: { kind: 'html', status: 502 },
		message: `${host} responded with a web page instead of data`,
		description: /Something between n8n and the platform responded/,
	},
	'403 from a firewall, as a web page': {
		fault: { kind: 'html', status: 403 },
		message: `${host} refused the request with a web page (status 403)`,
		description: /for example a firewall or a proxy\. Ask who runs that network/,
	},
	'429 from a proxy, as a web page': {
		fault: { kind: 'html', status: 429 },
		message: 'The platform is receiving more requests than it allows',
		description: /Other senders in the same workspace count too/,
	},
	...Object.fromEntries(
		[408, 507, 509, 520, 530].map((status) => [
			`${status} as text`,
			{
				fault: { kind: 'status' as const, status, body: 'try later' },
				message: `The platform could not process the request (status ${status})`,
				description: /^Try again in a moment/,
			},
		]),
	),
	'423, a lock': {
		fault: { kind: 'status', status: 423, body: 'locked' },
		message: 'The record is locked on the platform',
		description: /^Another change is in progress\. Try again in a moment/,
	},
	'HTML with status 200': {
		fault: { kind: 'html', status: 200 },
		message: `${host} responded with a web page instead of data`,
		description: /Something between n8n and the platform responded/,
	},
	'truncated JSON': {
		fault: { kind: 'truncated' },
		code: 'UNREADABLE',
		status: [200, 201],
		message: `The response of ${host} could not be read`,
		description: /empty or incomplete/,
	},
	'an answer that breaks off': {
		fault: { kind: 'truncated', close: true },
		code: /^(ECONNRESET|ECONNABORTED|ERR_\w+)$/,
		message: `The connection to ${host} was lost before the response arrived`,
		description: /Try again in a moment/,
	},
	'an empty body': {
		of: ['read'],
		fault: { kind: 'empty' },
		code: 'UNREADABLE',
		status: [200, 201],
		message: `The response of ${host} could not be read`,
		description: /empty or incomplete/,
	},
	'a connection reset before anything was done': {
		fault: { kind: 'reset-before' },
		code: 'ECONNRESET',
		message: `The connection to ${host} was lost before the response arrived`,
		description: /Try again in a moment/,
	},
	'a connection reset after it was done': {
		fault: { kind: 'reset-after' },
		code: 'ECONNRESET',
		message: `The connection to ${host} was lost before the response arrived`,
		description: /Try again in a moment/,
	},
	'a time-out': {
		fault: { kind: 'timeout' },
		timeout: 1,
		code: /^(ECONNABORTED|ETIMEDOUT)$/,
		message: `${host} did not respond within 1 seconds`,
		description: /^Raise 'Timeout' under Options/,
	},
	'a redirect to another host': {
		fault: { kind: 'redirect', location: 'https://elsewhere.example.com/api/v1/call?token=x' },
		code: 'REDIRECT',
		status: 302,
		message: `${host} redirects to https://elsewhere.example.com`,
		description: /was not followed, so that the token does not reach/,
	},
	'a refused connection': {
		credential: () => ({ baseUrl: elsewhere.silent }),
		code: 'ECONNREFUSED',
		message: `Could not connect to ${host}`,
		description: /^Nothing was sent\. Check 'Base URL' in the credential/,
	},
	'a name that does not exist': {
		credential: () => ({ baseUrl: 'https://acme.nowhere.test' }),
		code: /^(ENOTFOUND|EAI_AGAIN)$/,
		message: 'The host acme.nowhere.test was not found',
		description: /^Nothing was sent\. .*typos/,
	},
	'a self-signed certificate': {
		credential: () => ({ baseUrl: elsewhere.secure }),
		code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
		message: `Could not make a secure connection to ${host}`,
		description:
			/^Nothing was sent\. The certificate or the encryption was not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
	},
	// interface: §5 rule 4
	'a server that speaks TLS 1.1 at most': {
		credential: () => ({ baseUrl: elsewhere.old }),
		code: /^(EPROTO|ERR_SSL_\w+)$/,
		message: `Could not make a secure connection to ${host}`,
		description: /^Nothing was sent\./,
	},
	'a server that does not speak TLS': {
		credential: (url) => ({ baseUrl: url.replace('http:', 'https:') }),
		code: /^(EPROTO|ERR_SSL_\w+)$/,
		message: `Could not make a secure connection to ${host}`,
		description: /^Nothing was sent\. The certificate or the encryption was not accepted/,
	},
};

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

const runs = Object.entries(cases).flatMap(([name, one]) =>
	(one.of ?? (['read', 'keyed', 'write'] as const)).map((kind) => ({
		...toldBy(one.fault ?? {}),
		...one,
		kind,
		title: `${name} (${kind})`,
	})),
);

describe('what a person is told', () => {
	test('n8n’s own texts are known', () => expect(cannedTexts.length).toBeGreaterThan(20));

	test.each(runs)(
		'$title',
		async ({
			kind,
			fault,
			credential,
			settings,
			timeout,
			message,
			description,
			code,
			status: expected,
			field,
		}) => {
			if (settings) await sandbox.settings(settings);
			const { node, parameters } = requests[kind];
			const given = await parameters({ maxRetries: 0, ...(timeout ? { timeout } : {}) });
			if (fault) await sandbox.strike('.', fault);
			const credentials = {
				acpApi: sandbox.credential(credential ? await credential(sandbox.url) : {}),
			};
			const items = people(1);

			const stopped = await run(node, given, { items, credentials });
			expect(stopped.error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
			const { error } = stopped;
			expect(error!.message).toMatch(message);
			expect(error!.description).toMatch(description);
			expect(error!.context!.code).toMatch(code);
			if (field) expect(error!.context!.field).toBe(field);
			expect(
				[expected].flat().map((one) => (one === undefined ? undefined : String(one))),
			).toContain(error!.httpCode ?? undefined);
			expectHelpful(error!);
			if (isOpen(fault ?? {})) expect(error!.description).toMatch(repeating[kind]);
			else expect(error!.description).not.toMatch(/It is not known|Retry On Fail/);

			const went = await run(node, given, {
				items,
				credentials,
				onError: 'continueRegularOutput',
			});
			expect(went.json()).toEqual([
				{
					...items[0],
					error: error!.message,
					errorDescription: error!.description,
					errorCode: error!.context!.code,
					errorField: field ?? null,
					errorStatus: error!.httpCode ? Number(error!.httpCode) : null,
					errorItem: 0,
				},
			]);
		},
	);

	// interface: §4.1 POST webhooks; §7 webhook_limit_reached
	test('the sixth webhook of an agent is refused with what to do (409 webhook_limit_reached)', async () => {
		const agent = byId(await agentOf(sandbox));
		const items = Array.from({ length: 6 }, (_, index) => ({
			url: `https://example.com/${index}`,
		}));
		const parameters = {
			resource: 'agentWebhook',
			operation: 'create',
			agent,
			url: '={{ $json.url }}',
			events: ['conversation_end_report'],
			options: { concurrency: 1 },
		};
		const result = await run('acpAgents', parameters, { items });
		expect(result.error).toMatchObject({
			message: 'This agent already has five webhooks, which is the maximum [item 5]',
			httpCode: '409',
			context: { code: 'webhook_limit_reached', itemIndex: 5 },
		});
		expect(result.error!.description).toMatch(
			/^5 done, 1 not done\. .*delete one you no longer use/,
		);
		expectHelpful(result.error!);
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
			'The token is valid, but it has no permission for this [item 3, +14155550003]',
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
		expect(keyed.error!.description).toContain(
			'A new run of the workflow is safe too, because every item has its own request key.',
		);
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

describe('a credential that cannot be used', () => {
	test.each([
		['no address', '', /^'Base URL' in the credential is empty/],
		['no web address', 'acme', /^The host acme was not found/],
		[
			'plain http',
			'http://acme.example.com',
			/begins with http:\/\/\. The platform accepts only encrypted connections/,
		],
		['a path', 'https://acme.example.com/app', /has a path \("\/app"\)/],
		['a user name', 'https://user:secret@acme.example.com', /has more than a host/],
	])('is explained: %s', async (_, baseUrl, message) => {
		const credentials = { acpApi: sandbox.credential({ baseUrl }) };
		const result = await run('acpContacts', contact({ maxRetries: 0 }), {
			items: people(1),
			credentials,
		});
		expect(result.error!.message).toMatch(message);
		expect(failure(result)).not.toContain('secret');
		expectHelpful(result.error!);
	});

	// interface: §5 rule 3; §5 rule 6
	test('its test tells a refused token, a missing permission and a wrong workspace apart', async () => {
		const tested = async (change: Record<string, string> = {}) =>
			await engine.credentialTest('acpApi', sandbox.credential(change));
		expect((await tested()).status).toBe('OK');
		const [asked] = await sandbox.ledger();
		expect(asked).toMatchObject({ method: 'GET', path: '/agents', query: { per_page: '1' } });
		expect(asked!.headers.accept).toBe('application/json');
		for (const kind of ['revoked', 'forbidden'] as const) {
			const { status, message } = await tested({ token: (await sandbox.tokenOf(kind)).token });
			expect([status, message]).toEqual([
				'Error',
				expect.stringMatching(
					kind === 'revoked'
						? /^The platform did not accept the token/
						: /^The token is valid, but it may not list agents/,
				),
			]);
		}
		await sandbox.settings({ tenant: 'wrong' });
		expect(await tested()).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/^No workspace found at this URL/),
		});
	});

	test.each<[string, FaultRule['fault'], RegExp]>([
		...(
			[
				[429, 'RATE_LIMIT_EXCEEDED'],
				[500, 'INTERNAL_SERVER_ERROR'],
				[502, 'BAD_GATEWAY'],
				[503, 'SERVICE_UNAVAILABLE'],
			] as const
		).map(([status, code]): [string, FaultRule['fault'], RegExp] => [
			code,
			{ kind: 'status', status, code },
			/^The platform cannot respond right now/,
		]),
		...(['RESOURCE_NOT_FOUND', 'ENDPOINT_NOT_FOUND'] as const).map(
			(code): [string, FaultRule['fault'], RegExp] => [
				code,
				{ kind: 'status', status: 404, code },
				/^No workspace found at this URL/,
			],
		),
		[
			'INVALID_AUTH_TOKEN',
			{ kind: 'status', status: 401, code: 'INVALID_AUTH_TOKEN' },
			/^The platform did not accept the token/,
		],
		[
			'another refusal',
			{ kind: 'status', status: 200, body: { success: false, error: { code: 'NO_CREDIT' } } },
			/^The platform refused to list agents/,
		],
		...[{ success: true, data: '' }, { success: true, data: null }, { success: true }, {}].map(
			(body): [string, FaultRule['fault'], RegExp] => [
				JSON.stringify(body),
				{ kind: 'status', status: 200, body },
				/^This URL does not respond like the platform/,
			],
		),
		['a web page', { kind: 'html' }, /^This URL does not respond like the platform/],
		['nothing', { kind: 'empty' }, /^This URL does not respond like the platform/],
	])('its test explains %s', async (_, fault, message) => {
		await sandbox.strike('^/agents$', fault);
		const tested = await engine.credentialTest('acpApi', sandbox.credential());
		expect(tested).toMatchObject({ status: 'Error', message: expect.stringMatching(message) });
	});

	test('a time zone that does not exist is named', async () => {
		const credentials = { acpApi: sandbox.credential({ timezone: 'Mars/Olympus' }) };
		const result = await run('acpAgents', note(await agentOf(sandbox)), {
			items: people(1),
			credentials,
		});
		expect(result.error!.message).toMatch(
			/^'Timezone' in the credential is not known: "Mars\/Olympus"/,
		);
	});
});
