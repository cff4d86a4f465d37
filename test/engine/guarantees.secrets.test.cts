/**
 * What leaves the house: who reads a workflow, its static data, an execution or a log finds nothing there that
 * lets them deliver events, sign them or use the platform.
 */
import { createHash } from 'node:crypto';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, failure, ok, requestsShown } from './guarantees/scene.cts';
import type { Result } from './harness/index.cts';
import { event, post, publishing, signed, tokenOf, triggersOn } from './harness/triggers.cts';

const platform = usePlatform({ engine: { debugLog: true } });
const { sandbox, engine } = platform;
const { addWebhook, eventTrigger, publishedEvents: published, secretOf } = triggersOn(platform);

const token = 'kT7-callback_TOKEN_of-the-trigger-43-chars_';
const key = 'zk4/Äther+of an other system';
const ours = (agent: string) =>
	`https://n8n.example.com/webhook/x/webhook?agent=${agent}&token=${token}`;
const theirs = `https://user:pass-word-9@hooks.example.com/in?key=${encodeURIComponent(key)}&v=2#part-of-it`;
const shownOurs = 'https://n8n.example.com/webhook/x/webhook?agent=********&token=********';
const shownTheirs = 'https://********@hooks.example.com/in?key=********&v=********#********';
/** What must stand nowhere, in all spellings. */
const hidden = [token, key, encodeURIComponent(key), 'pass-word-9', 'part-of-it'];

const run = async (node: string, parameters: object = {}) =>
	await engine.runNode(node, parameters as never);
const holdsNone = ({ stored }: Result) => {
	const { credentials: _credentials, ...kept } = stored as never as Record<string, unknown>;
	const text = JSON.stringify(kept);
	return hidden.filter((secret) => text.includes(secret));
};

/** An agent with our webhook and one of another system. */
async function agentWithWebhooks(): Promise<string> {
	const agent = await agentOf(sandbox);
	for (const url of [ours(agent), theirs]) await addWebhook(agent, url);
	return agent;
}
const webhookIds = async () =>
	(await sandbox.state('webhooks')).map(({ webhook_uuid: uuid }) => uuid as string);

describe('Guarantee: no output shows the query of a webhook’s address', () => {
	test('the list that a webhook is chosen from, which n8n keeps in the workflow', async () => {
		const agent = byId(await agentWithWebhooks());
		const parameters = { resource: 'agentWebhook', operation: 'update', agent };
		const asked = { parameters, path: 'parameters.webhook' };
		const { results } = await engine.listSearch('acpAgents', 'searchAgentWebhooks', asked);
		expect(results.map(({ name }) => name)).toEqual([
			'https://n8n.example.com/webhook/x/webhook',
			'https://hooks.example.com/in',
		]);
	});

	const webhooksOf = (json: any[]) =>
		json.flatMap((one) => one.items ?? one).flatMap((one) => one.webhooks ?? one);
	test.each<[string, string, object]>([
		['Agent Webhook, Get Many', 'agentWebhook.getAll', { returnAll: true }],
		['Agent, Get without Simplify', 'agent.get', { simplify: false }],
		['API Request', 'otherEndpoint.apiRequest', { method: 'GET', path: '/agents?per_page=1' }],
	])('what gives webhooks: %s', async (_, operation, parameters) => {
		const agent = await agentWithWebhooks();
		const result = ok(await run(`acpAgents ${operation}`, { agent: byId(agent), ...parameters }));
		expect(webhooksOf(result.json())).toMatchObject([{ url: shownOurs }, { url: shownTheirs }]);
		expect(holdsNone(result)).toEqual([]);
	});

	test('what an earlier try noted for the next', async () => {
		const agent = byId(await agentWithWebhooks());
		await sandbox.strike('PATCH ', 422, { nth: 2 });
		const parameters = { agent, updateFields: { name: '={{ $json.text }}' } };
		const items = [{ text: 'a' }, { text: 'b' }];
		const result = await engine.runNode('acpAgents agent.update', parameters, { items });
		expect(JSON.stringify(result.nodeContext())).toContain(shownTheirs);
		expect(holdsNone(result)).toEqual([]);
	});

	test('Agent Webhook, Create and Update, and their previews', async () => {
		const agent = byId(await agentWithWebhooks());
		const [, webhook] = await webhookIds();
		const url = `https://example.com/a?code=${token}`;
		const created = await run('acpAgents agentWebhook.create', { agent, url });
		expect(created.json()).toMatchObject([{ url: 'https://example.com/a?code=********' }]);
		const preview = await run('acpAgents agentWebhook.update', {
			agent,
			webhook: byId(webhook),
			updateFields: { isActive: false, secretKey: token },
			options: { preview: true },
		});
		expect(requestsShown(preview)).toMatchObject([
			{ body: { secret_key: '(hidden)', is_active: false } },
		]);
		// What a person typed into the node itself stands there.
		expect(holdsNone(preview)).toEqual([token]);
	});

	test('an intent’s webhook with its token, and a transcript’s', async () => {
		const agent = byId(await agentOf(sandbox));
		const made = { agent, name: 'Book', parameters: {}, webhookUrl: '={{ $json.url }}' };
		const additionalFields = { webhookUrl: theirs, webhookAuthToken: token };
		ok(await run('acpKnowledge agentIntent.create', { ...made, additionalFields }));
		const read = await run('acpAgents agent.get', { agent, simplify: false });
		expect(read.json()[0].intents.map(({ webhook }: any) => webhook)).toContainEqual({
			url: shownTheirs,
			auth_token: '********',
		});
		const preview = await run('acpConversations transcription.create', {
			audioSource: 'url',
			voiceUrl: 'https://files.example.com/talk.mp3?signature=stays',
			additionalFields: { webhookUrl: theirs, webhookHeaderToken: token },
			options: { preview: true },
		});
		expect(requestsShown(preview)[0].body).toMatchObject({
			voice_url: 'https://files.example.com/talk.mp3?signature=stays',
			webhook_url: shownTheirs,
			webhook_header_token: '(hidden)',
		});
	});

	test('an update that has to send the address sends it as it is', async () => {
		await sandbox.settings({ webhooks: { updateWantsBoth: true } });
		const agent = byId(await agentWithWebhooks());
		const webhook = byId((await webhookIds())[1]);
		const parameters = { agent, webhook, updateFields: { isActive: false } };
		const result = await run('acpAgents agentWebhook.update', parameters);
		expect(result.json()).toMatchObject([{ url: shownTheirs, is_active: false }]);
		const request = (await sandbox.ledger({ method: 'PATCH' })).at(-1);
		expect(request!.body).toMatchObject({ url: theirs, is_active: false });
	});

	const posted = (path: string, body: object) => ({
		method: 'POST',
		path: `/agents/x/${path}`,
		body: JSON.stringify(body),
	});
	const toIntent = { webhook: { url: 'https://a.example.com', auth_token: '********' } };
	test.each<[string, object, string]>([
		['agentWebhook.update', { updateFields: { url: shownTheirs } }, "'URL'"],
		['agentWebhook.create', { url: shownOurs }, "'URL'"],
		['otherEndpoint.apiRequest', posted('webhooks', { url: shownOurs }), "'URL'"],
		['otherEndpoint.apiRequest', posted('intents', toIntent), "'Auth Token'"],
	])('a masked address is not written back: %s %j', async (operation, parameters, says) => {
		const agent = byId(await agentWithWebhooks());
		const webhook = byId((await webhookIds())[0]);
		await sandbox.clearLedger();
		const result = await run(`acpAgents ${operation}`, { agent, webhook, ...parameters });
		expect(result.error?.message).toMatch(
			new RegExp(`${says} contains \\*{8}.*enter the whole value`),
		);
		expect(await sandbox.ledger()).toEqual([]);
	});
});

describe('Guarantee: no message repeats a secret that the request carried', () => {
	const secret = 'a-signing-secret "with" Ünusual/signs';
	const parts = [secret, 'a-signing-secret', 'usual/signs'];

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'the address and the signing secret of a webhook that is refused, On Error %s',
		async (onError) => {
			await sandbox.settings({ manners: { refusalsRepeat: true, httpsWebhooks: true } });
			const parameters = {
				agent: byId(await agentOf(sandbox)),
				url: theirs.replace('https:', 'http:'),
				events: ['intent_call'],
				additionalFields: { secretKey: secret },
			};
			const result = await engine.runNode('acpAgents agentWebhook.create', parameters, { onError });
			const { message, description } = result.error ?? {};
			const outputs = [0, 1].map((output) => result.json('Node', output));
			const text = JSON.stringify([message, description, outputs]);
			expect(text).toContain('must begin with https');
			expect(text).toContain('http://********@hooks.example.com/in?********');
			for (const one of [...hidden, ...parts]) expect(text).not.toContain(one);
		},
	);

	test('the callback address of a trigger that is published', async () => {
		const agent = await agentOf(sandbox);
		await sandbox.settings({ manners: { refusalsRepeat: true, httpsWebhooks: true } });
		const trigger = await eventTrigger([agent]);
		const message = await publishing(trigger);
		expect(message).toContain('must begin with https');
		const [sent] = (await sandbox.ledger({ method: 'POST' })) as any[];
		const callback = tokenOf(sent.body.url);
		expect(callback).toHaveLength(43);
		for (const text of [message, await engine.logged()])
			for (const one of [callback, secretOf(trigger, agent)]) expect(text).not.toContain(one);
	});

	test('addresses of others in a refusal', async () => {
		const agent = await agentOf(sandbox);
		const told = (one: string) => `There are five: '${one}', \\'${one}\\' and ${one}.`;
		for (const spelled of [theirs, theirs.replaceAll('/', '\\/').replaceAll('&', '\\u0026')]) {
			const body = `{"success":false,"message":"No.","error":{"code":"x","details":"${told(spelled)}"}}`;
			await sandbox.strike('.', { status: 409, body });
			const result = await run('acpAgents agentWebhook.getAll', { agent: byId(agent) });
			expect(failure(result)).toMatch(/^No|conflicts/);
			expect(holdsNone(result)).toEqual([]);
		}
	});
});

/** What a secret of hexadecimal digits stands for, encoded; another secret as it is. */
const bytesOf = (secret: string) =>
	/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex').toString('base64url') : secret;
describe('Guarantee: static data of a trigger opens nothing', () => {
	test('it holds no token and no secret, and nothing that they can be read from', async () => {
		const { agent, trigger, url } = await published();
		const secret = secretOf(trigger, agent);
		await sandbox.deliver({ agent, event: 'conversation_end_report' });
		expect(await trigger.emitted()).toMatchObject([{ signatureVerified: true }]);
		const data = JSON.stringify(await trigger.staticData());
		expect(data).toContain(agent);
		for (const one of [tokenOf(url), secret, sandbox.token])
			for (const spelled of [one, Buffer.from(one).toString('base64url'), bytesOf(one)])
				expect(data).not.toContain(spelled);
	});

	test.each([
		['Summer2026!', true],
		['x'.repeat(32), false],
		['', false],
	])(
		'a secret that a person typed: no plain hash of it, and a warning if it is short (%j)',
		async (typed, warns) => {
			const credentials = { acpApi: sandbox.credential({ webhookSecret: typed }) };
			const from = (await engine.logged()).length;
			const { agent, trigger } = await published({}, { credentials });
			const said = (await engine.logged()).slice(from);
			expect(/'Webhook Secret' in the credential has 11 characters/.test(said)).toBe(warns);
			const secret = typed || secretOf(trigger, agent);
			const state = JSON.stringify(await trigger.state());
			for (const hash of ['sha256', 'sha512', 'sha1'])
				for (const encoding of ['hex', 'base64', 'base64url'] as const)
					expect(state).not.toContain(createHash(hash).update(secret).digest(encoding));
		},
	);

	test('a secret that an earlier version left there goes with the next publish', async () => {
		const { agent, trigger } = await published();
		const { staticData } = structuredClone(await trigger.state()) as any;
		const [registration] = staticData['node:Trigger'].registrations;
		delete registration.sealed;
		registration.secret = secretOf(trigger, agent);
		// The webhook stays where it is, as it is.
		await sandbox.settings({ webhooks: { delete: false, update: false } });
		await trigger.deactivate().catch(() => undefined);
		await sandbox.settings({ webhooks: { delete: true, update: true } });
		const of = { webhookId: trigger.info.webhookId, staticData };
		const again = await eventTrigger([agent], {}, of);
		await again.activate();
		const { registrations } = await again.staticData();
		expect(registrations).toMatchObject([{ agent, sealed: expect.any(String) }]);
		expect(JSON.stringify(registrations)).not.toContain(secretOf(trigger, agent));
	});
});

describe('Guarantee: a delivery that somebody recorded is recognized', () => {
	const headersOf = ['x-delivery-id', 'webhook-id', 'idempotency-key'];
	test('one signed body under three invented header IDs has one delivery ID', async () => {
		const { trigger, agent, url } = await published();
		const body = event();
		const signature = { 'x-signature': signed(body, secretOf(trigger, agent)) };
		for (const header of headersOf)
			expect((await post(url, body, { ...signature, [header]: `made-up-${header}` })).status).toBe(
				200,
			);
		const items = await trigger.emitted();
		expect(items).toMatchObject(
			headersOf.map((header) => ({
				deliveryHeaderId: `made-up-${header}`,
				signatureVerified: true,
			})),
		);
		expect(new Set(items.map(({ deliveryId }) => deliveryId)).size).toBe(1);
	});

	const seconds = (time: number) => String(Math.floor(time / 1000));
	const timed = (time: string, secret: string) => ({
		'x-signature': `t=${time},v1=${signed(`${time}.${event()}`, secret)}`,
	});
	test.each<[string, object, number, (time: number) => string, boolean]>([
		['four minutes, in seconds', {}, 4, seconds, true],
		['six minutes, in seconds', {}, 6, seconds, false],
		['six minutes, in milliseconds', {}, 6, String, false],
		['six minutes, ten are allowed', { maximumAge: 10 }, 6, String, true],
		['a year, all ages are allowed', { maximumAge: 0 }, 525_600, String, true],
		['four minutes ahead', {}, -4, String, true],
	])('a signature that says how old it is: %s', async (_, options, minutes, spelled, verified) => {
		const { trigger, agent, url } = await published({ options });
		const time = spelled(Date.now() - minutes * 60_000);
		const headers = timed(time, secretOf(trigger, agent));
		expect((await post(url, event(), headers)).status).toBe(200);
		expect(await trigger.emitted()).toMatchObject([{ signatureVerified: verified }]);
	});

	test('with Require, an old one starts nothing; those of the platform do', async () => {
		await sandbox.settings({ manners: { timedSignatures: true } });
		const { trigger, agent, url } = await published({ options: { signature: 'required' } });
		const time = seconds(Date.now() - 301_000);
		const headers = timed(time, secretOf(trigger, agent));
		expect((await post(url, event(), headers)).status).toBe(401);
		const [delivery] = await sandbox.deliver({ agent, event: 'conversation_end_report' });
		expect(delivery).toMatchObject({ status: 200 });
		expect(await trigger.emitted()).toMatchObject([{ signatureVerified: true }]);
	});

	test('a time that no signature covers says nothing', async () => {
		const { trigger, agent, url } = await published();
		const body = event({ timestamp: '2020-01-01T00:00:00Z' });
		const signature = `t=1577836800,v1=${signed(body, secretOf(trigger, agent))}`;
		expect((await post(url, body, { 'x-signature': signature })).status).toBe(200);
		expect(await trigger.emitted()).toMatchObject([{ signatureVerified: true }]);
	});
});
