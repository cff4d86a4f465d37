/**
 * Every way in which a request can come to nothing, and the sentence that a person reads then: what happened, what to do
 * next. On Error = Stop shows it as the node's error, Continue as an item.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
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
const cannedTexts = ['node-api.error.js', 'abstract/node.error.js'].flatMap((file) => {
	const folder = path.join(path.dirname(require.resolve('n8n-workflow')), 'errors');
	const source = readFileSync(path.join(folder, file), 'utf8');
	const texts = source.matchAll(/^ {4}'?\w+'?: (?:'([^']+)'|"([^"]+)"),$/gm);
	return [...texts].map(([, single, double]) => (single ?? double)!);
});

/** The URL of a server beside the sandbox whose certificate nobody vouches for. */
let selfSigned: string;
let server: Server;
beforeAll(async () => {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
		keySize: 2048,
	});
	server = createServer({ key, cert }, (_, response) => response.end('{}'));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	selfSigned = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** What a person may be told: whole sentences without words that blame. */
function expectHelpful(message: string, description?: string | null): void {
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
type Fault = FaultRule['fault'];
type Credential = (url: string) => Record<string, string> | Promise<Record<string, string>>;

interface More {
	/** Requests it is about; default all three. */
	of?: Kind[];
	settings?: object;
	/** Code, status and field that are told, where the fault does not name them; several where it depends on the request. */
	code?: string | RegExp;
	status?: number | number[];
	field?: string;
}
type Row = [
	/** Status and code of what every request is answered with, or what happens in their place. */
	title: string,
	/** Message and description, with " | " between them. */
	says: RegExp,
	/** What goes wrong with every request; or a credential with which it does. */
	cause?: Fault | Credential,
	more?: More,
];

const status = (code: number, name?: string, more: object = {}): Fault => ({
	kind: 'status',
	status: code,
	...(name && { code: name }),
	...more,
});
/** A refusal with the envelope of the platform. */
const refusal = (code: number, name: string, message: string, about: object = {}): Fault =>
	status(code, undefined, { body: { success: false, message, error: { code: name, ...about } } });
const html = (code: number): Fault => ({ kind: 'html', status: code });
const text = (code: number, body: string): Fault => status(code, undefined, { body });
/** What the platform is made to say: code, status and field, unless a row says what comes of them. */
const toldBy = ({ kind, status: told, code, body }: Partial<Fault>) => {
	if (kind === 'html') return { code: 'HTML', status: told };
	const { code: ofBody, field } = (body as any)?.error ?? {};
	return kind === 'status' ? { code: code ?? ofBody ?? `HTTP_${told}`, status: told, field } : {};
};
/** Whether the request may have been carried out: its answer is lost, unreadable, or says that the platform failed. */
const isOpen = ({ kind, status: told = 0 }: Partial<Fault>): boolean =>
	kind === 'status' || kind === 'html'
		? told === 200 || told === 408 || told >= 500
		: kind !== undefined;
const tenant = (wrong: string, code: string): More => ({
	...{ settings: { tenant: wrong }, code, status: 404 },
});
const tokenOf = (kind: 'revoked' | 'forbidden') => async () => ({
	token: (await sandbox.tokenOf(kind)).token,
});
const of = (...kinds: Kind[]): More => ({ of: kinds });
const because = (code: string | RegExp, told?: More['status']): More => ({ code, status: told });

/** What is said, by what went wrong; several rows say the same. */
const said = {
	noToken: /^The platform did not accept the token \| .*Create one .* in the credential/,
	noRight:
		/^The token is valid, but it has no permission for this \| Ask an administrator for a token/,
	notThere: /not found.* \| .*(Check 'Base URL' in the credential|belong to another workspace)/,
	elsewhere: / a web page instead of data \| Check 'Base URL' in the credential; .* \(status 404\)/,
	noWorkspace:
		/^The workspace 127\.0\.0\.1 was not found, or it .* \| .*is the name of your workspace/,
	noContact: /^Contact not found \| .*deleted, or belong to another workspace\. Choose it again/,
	noEndpoint: /^The platform does not know this endpoint \| .*use 'Other Endpoint'/,
	taken: /^The platform did not accept 'Name': Taken \| Correct this and run again/,
	nested: /^The platform did not accept "participant\.number": Required \| Correct/,
	details:
		/^The platform did not accept 'Phone Number': Not E\.164 \| Correct this and run again\. The platform says: It must match/,
	inUse: /^In use \| Check the record on the platform/,
	tooMany:
		/^The platform is receiving more .* \| Other senders .* Wait (1 second|a moment) and run/,
	wait: / \| .*Wait 2 seconds and run again, or raise 'Max Retries' under Options › Advanced/,
	failed: /^The platform could not process .* \| .*(Try again in|Retry On Fail|may have gone)/,
	down: /^The platform is unavailable or in .* \| Try again later\. The platform says: Back at noon\./,
	odd: /^The platform responded with status 418 \| Check the parameters/,
	locked: /^The record is locked .* \| Another change .*Try again in a moment/,
	page: /^127\.0\.0\.1 responded with a web page .* \| Something between n8n and the platform/,
	firewall:
		/ refused the request with a web page \(status 403\) \| .* firewall or a proxy\. Ask who runs/,
	unread: /^The response of 127\.0\.0\.1 could not be read \| .*empty or incomplete/,
	dropped:
		/^The connection to .* was lost before .* \| (Try again|.*Retry On Fail|.*may have gone)/,
	late: /^127\.0\.0\.1 did not respond within 1 second \| Raise 'Timeout' under Options › Advanced/,
	redirected:
		/ redirects to https:\/\/elsewhere\.example\.com \| .*was not followed, so that the token/,
	nobody: /^Could not connect to 127\.0\.0\.1 \| Nothing was sent\. Check 'Base URL'/,
	noHost: /^The host acme\.nowhere\.test was not found \| Nothing was sent\. .*typos/,
	noTls:
		/^Could not make a secure connection to 127\.0\.0\.1 \| Nothing was sent\. The certificate/,
};

const noRecord = refusal(404, 'RESOURCE_NOT_FOUND', 'Contact not found.');
const field = (name: string, message: string) =>
	refusal(422, 'VALIDATION_ERROR', message, { field: name });
const details = { field: 'phoneNumber', details: 'It must match' };
const notMatching = refusal(400, 'INVALID_FORMAT', 'Not E.164', details);
const inBody = refusal(429, 'RATE_LIMIT_EXCEEDED', 'Wait', { retryAfter: 2 });
const unreadable = because('UNREADABLE', [200, 201]);
const reset = because('ECONNRESET');
const brokenOff = because(/^(ECONNRESET|ECONNABORTED|ERR_\w+)$/);
const notFound = because(/^(ENOTFOUND|EAI_AGAIN)$/);
const notSigned = because('DEPTH_ZERO_SELF_SIGNED_CERT');
const elsewhere = 'https://elsewhere.example.com/api/v1/call?token=x';
const redirect: Fault = { kind: 'redirect', location: elsewhere };
const overTls = (url: string) => ({ baseUrl: url.replace('http:', 'https:') });
const anotherTenant = tenant('wrong', 'RESOURCE_NOT_FOUND');
const at = (baseUrl: string) => () => ({ baseUrl });

const rows: Row[] = [
	['401 MISSING_AUTH_TOKEN', said.noToken],
	['a revoked token', said.noToken, tokenOf('revoked'), because('INVALID_AUTH_TOKEN', 401)],
	['a token that may not do it', said.noRight, tokenOf('forbidden'), because('FORBIDDEN', 403)],
	['another tenant', said.notThere, () => ({}), { ...anotherTenant, ...of('read', 'write') }],
	['another tenant, as a web page', said.elsewhere, () => ({}), tenant('wrong-html', 'HTML')],
	['404 without an envelope', said.noWorkspace, text(404, '{}')],
	['404 RESOURCE_NOT_FOUND', said.noContact, noRecord, of('read', 'write')],
	['404 ENDPOINT_NOT_FOUND', said.noEndpoint, undefined, of('keyed', 'write')],
	['422 with a field of the form', said.taken, field('name', 'Taken'), of('write')],
	['422 with a nested field', said.nested, field('participant.number', 'Required'), of('read')],
	['400 with details', said.details, notMatching, of('keyed')],
	['409', said.inUse, refusal(409, 'CONFLICT', 'In use')],
	['429', said.tooMany, status(429, 'RATE_LIMIT_EXCEEDED', { retryAfter: 1 })],
	['429 as a web page', said.tooMany, html(429)],
	['429 that tells the wait in its body alone', said.wait, { ...inBody, retryAfter: null }],
	['500 INTERNAL_SERVER_ERROR', said.failed],
	['408 as text', said.failed, text(408, 'try later')],
	['520 as text', said.failed, text(520, 'try later')],
	['503 SERVICE_UNAVAILABLE', said.down, refusal(503, 'SERVICE_UNAVAILABLE', 'Back at noon')],
	['418', said.odd, text(418, '{"a":1}')],
	['423', said.locked, text(423, 'locked')],
	['HTML with status 502', said.page, html(502)],
	['HTML with status 200', said.page, html(200)],
	['HTML with status 403', said.firewall, html(403)],
	['truncated JSON', said.unread, { kind: 'truncated' }, unreadable],
	['an empty body', said.unread, { kind: 'empty' }, { ...unreadable, ...of('read') }],
	['an answer that breaks off', said.dropped, { kind: 'truncated', close: true }, brokenOff],
	['a connection reset before anything was done', said.dropped, { kind: 'reset-before' }, reset],
	['a connection reset after it was done', said.dropped, { kind: 'reset-after' }, reset],
	['a time-out', said.late, { kind: 'timeout' }, because(/^(ECONNABORTED|ETIMEDOUT)$/)],
	['a redirect to another host', said.redirected, redirect, because('REDIRECT', 302)],
	// Nobody listens on this one. A port that was free a moment ago may be another test's by now.
	['a refused connection', said.nobody, at('http://127.0.0.1:1'), because('ECONNREFUSED')],
	['a name that does not exist', said.noHost, at('https://acme.nowhere.test'), notFound],
	['a self-signed certificate', said.noTls, () => ({ baseUrl: selfSigned }), notSigned],
	['a server that does not speak TLS', said.noTls, overTls, because(/^(EPROTO|ERR_SSL_\w+)$/)],
];

const requests: Record<Kind, [node: string, parameters: (options: INodeParameters) => any]> = {
	read: [
		'acpAgents agent.get',
		async (options) => ({ agent: byId(await agentOf(sandbox)), options }),
	],
	keyed: ['acpMessages', async (options) => sms(await agentOf(sandbox), options)],
	write: ['acpContacts', contact],
};
const repeating: Record<Kind, RegExp> = {
	read: /./,
	keyed: /Retry On Fail and Executions › Retry are safe/,
	write:
		/The (request may have gone through|platform accepted the request)\. Check the platform before you run it again/,
};

const runs = rows.flatMap(([name, says, cause, more = {}]) =>
	(more.of ?? (['read', 'keyed', 'write'] as const)).map((kind) => {
		const [, code, named] = /^(\d+)(?: (.+))?$/.exec(name) ?? [];
		const isCredential = typeof cause === 'function';
		const fault = isCredential ? undefined : (cause ?? status(Number(code), named));
		const credential = isCredential ? cause : () => ({});
		const told: More = { ...toldBy(fault ?? {}), ...more };
		return { told, says, fault, credential, kind, title: `${name} (${kind})` };
	}),
);

describe('what a person is told', () => {
	test('n8n’s own texts are known', () => expect(cannedTexts.length).toBeGreaterThan(20));

	// interface: §5 rule 3; §5 rule 5; §5 rule 6; §5 rule 7; §7 error envelope; §7 status codes
	// interface: §7 MISSING_AUTH_TOKEN; §7 INVALID_AUTH_TOKEN; §7 FORBIDDEN; §7 RESOURCE_NOT_FOUND
	// interface: §7 ENDPOINT_NOT_FOUND; §7 VALIDATION_ERROR; §7 INVALID_FORMAT; §7 INVALID_UUID
	// interface: §7 RATE_LIMIT_EXCEEDED; §7 INTERNAL_SERVER_ERROR; §7 SERVICE_UNAVAILABLE
	test.each(runs)('$title', async ({ kind, fault = {}, credential, told, says }) => {
		const { code, status: expected, field, settings } = told;
		if (settings) await sandbox.settings(settings);
		const [node, parameters] = requests[kind];
		const given = await parameters({
			maxRetries: 0,
			...('kind' in fault && fault.kind === 'timeout' && { timeout: 1 }),
		});
		if ('kind' in fault) await sandbox.strike('.', fault);
		const credentials = { acpApi: sandbox.credential(await credential(sandbox.url)) };
		const items = people(1);

		const { error } = await run(node, given, { items, credentials });
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		const { message, description, context, httpCode } = error!;
		expect(`${message} | ${description}`).toMatch(says);
		expect(context!.code).toMatch(code!);
		if (field) expect(context!.field).toBe(field);
		expect([expected].flat().map((one) => one && String(one))).toContain(httpCode ?? undefined);
		expectHelpful(message, description);
		if (isOpen(fault)) expect(description).toMatch(repeating[kind]);
		else expect(description).not.toMatch(/It is not known|Retry On Fail/);

		const onError = 'continueRegularOutput';
		const isUnknown = isOpen(fault) && kind !== 'read';
		expect((await run(node, given, { items, credentials, onError })).json()).toEqual([
			{
				...items[0],
				error: message,
				errorDescription: description,
				errorCode: context!.code,
				errorField: field ?? null,
				errorStatus: httpCode ? Number(httpCode) : null,
				errorOutcome: isUnknown ? expect.stringMatching(/^(unknown|done)$/) : 'nothing happened',
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
			title: `${entry.subject} explains ${key}`,
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
			title: `${entry.subject}, a guess, explains ${key}`,
		}));
	});
	test('guessed endpoints are all there', () => expect(lacking.length).toBeGreaterThan(40));

	test('the explanations are all there', () => expect(explained).toHaveLength(35));

	// interface: §4.1 POST webhooks; §4.4 call actions; §4.4 imports; §7 webhook_limit_reached; §7 ENDPOINT_NOT_FOUND
	// interface: §3 evaluation; §4.4 evaluation reads; §4.4 evaluation settings
	test.each([...explained, ...lacking])('$title', async ({ entry, key, said }) => {
		const { node, subject, operation, parameters } = entry;
		// An update without a field would be refused by the node.
		const extent = parameters.some(({ name }: any) => name === 'updateFields') ? 'all' : 'required';
		const scene = new Scene(sandbox, engine, subject, node.name, {}, extent, false);
		const form = parameters.some(({ name }: any) => name === 'reachBy')
			? { reachBy: subject === 'email.send' ? 'email' : 'phoneNumber' }
			: {};
		const filled = changed(
			await fill(parameters, scene, extent, [], form),
			(await rules[`${subject}, with the required fields`]?.instead(scene)) ?? {},
		);
		const code = /NOT_FOUND$/.test(key) ? 404 : 400;
		const fault = /^\d+$/.test(key) ? status(Number(key)) : status(code, key);
		await sandbox.strike(`${operation.method} .`, fault);
		const options = { ...(filled.options as object), maxRetries: 0 };
		const items = [{ json: {}, binary: files }];
		const { error } = await run(`${node.name} ${subject}`, { ...filled, options }, { items });
		expect(error).toMatchObject({
			message: said.message,
			description: expect.stringContaining(said.description),
		});
		expectHelpful(error!.message, error!.description);
	});

	test('JSON under another content type is read', async () => {
		await sandbox.strike('.', 'content-type');
		const agent = await agentOf(sandbox);
		const result = await run('acpAgents agent.get', { agent: byId(agent) });
		expect(result.json()[0].agent_uuid).toBe(agent);
	});

	test('in the middle of a run: how many items are done, and whether a retry is safe', async () => {
		await sandbox.strike('^/contacts$', 403, { nth: 4 });
		const certain = await run('acpContacts', contact({ concurrency: 1 }), { items: people(7) });
		expect(certain.error!.message).toMatch(/^The token .* \(\+14155550003\) \[item 3\]$/);
		expect(certain.error!.description).toMatch(
			/^3 done, 4 not done\. .*Retry are safe: they continue with the rest\./,
		);
		await sandbox.strike('^/sms/send$', 'reset-after', { nth: 2 });
		const options = { maxRetries: 0, concurrency: 1, requestKey: '={{ $json.phone }}' };
		const parameters = sms(await agentOf(sandbox), options);
		const keyed = await run('acpMessages', parameters, { items: people(4) });
		expect(keyed.error!.description).toMatch(
			/1 done, 1 uncertain, 2 not done\..*A new run is safe too: each item has its own key\./,
		);
	});

	test('several tries count together: what is refused last may have been done before', async () => {
		await sandbox.strike('^/sms/send$', 'reset-after', { nth: 1 });
		await sandbox.strike('^/sms/send$', 403, { nth: 2 });
		const parameters = sms(await agentOf(sandbox), { concurrency: 1 });
		const result = await run('acpMessages', parameters, { items: people(2) });
		expect(result.error!.description).toMatch(/1 uncertain/);
	});
});

test('no text of n8n takes the place of a value or an answer that contains its words', async () => {
	const word = 'ECONNREFUSED';
	const refused = await run('acpContacts', contact(), { items: [{ phone: word, text: 'x' }] });
	expect(refused.error!.message).toMatch(/^'Phone Number' is not a phone number.*ECONNREFUSED/);
	await sandbox.strike('.', refusal(409, word, `The setting ${word} is locked`));
	const answered = await run('acpContacts', contact(), { items: people(1) });
	expect(answered.error!.message).toBe(`The setting ${word} is locked`);
});

// interface: §5 rule 3; §5 rule 6
describe('the test of a credential', () => {
	test('asks for one agent', async () => {
		expect((await engine.credentialTest('acpApi', sandbox.credential())).status).toBe('OK');
		const [asked] = await sandbox.ledger();
		expect(asked).toMatchObject({ method: 'GET', path: '/agents', query: { per_page: '1' } });
		expect(asked!.headers.accept).toBe('application/json');
	});

	const later = /^The platform cannot respond right now/;
	const nowhere = /^No workspace found at this URL/;
	const stranger = /^This URL does not respond like the platform/;
	const answering = (body: unknown) => status(200, undefined, { body });
	test.each<[string, RegExp, Fault | Credential, object?]>([
		['a revoked token', /^The platform did not accept the token/, tokenOf('revoked')],
		['another right', /^The token is valid, but it may not list agents/, tokenOf('forbidden')],
		['another tenant', nowhere, () => ({}), { tenant: 'wrong' }],
		['429', later, status(429)],
		['502', later, status(502)],
		['404', nowhere, status(404, 'ENDPOINT_NOT_FOUND')],
		['a refusal', /^The platform refused to list agents/, answering({ success: false })],
		['no list', stranger, answering({ success: true, data: null })],
		['nothing', stranger, { kind: 'empty' }],
	])('explains %s', async (_, message, cause, settings = {}) => {
		await sandbox.settings(settings);
		const isCredential = typeof cause === 'function';
		if (!isCredential) await sandbox.strike('^/agents$', cause);
		const credential = sandbox.credential(isCredential ? await cause(sandbox.url) : {});
		const tested = await engine.credentialTest('acpApi', credential);
		expect(tested).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});
});
