/** The intents that the ACP Intent Trigger takes and gives back, seen from the platform, in every case of its life. */
import { randomUUID } from 'node:crypto';
import { unseal } from '../../nodes/engine/registration/proof';
import { usePlatform, type Trigger } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ speed: 10 });

interface Intent {
	intent_uuid: string;
	name: string;
	key: string;
	description: string;
	webhook?: { url: string; auth_token: string };
	parameters: object[];
	updated_at: string;
	[field: string]: unknown;
}

const crm = { url: 'https://crm.example.com/answer?key=hidden-1', auth_token: 'hidden-2' };
const nothing = { url: '', auth_token: '' };
const table = {
	name: 'Book a table',
	description: 'The customer wants to come for dinner',
	recommendation_actions: 'Ask for the name',
	confidence_threshold: 0.8,
	parameters: [{ key: 'guests', default: '2', type: 'integer', required: true }],
};

const agentOf = async (index = 0): Promise<string> =>
	(await sandbox.state('agents'))[index].agent_uuid;

async function newIntent(agent: string, fields: object = {}): Promise<string> {
	const body = { ...table, ...fields };
	const { data, status } = await sandbox.api.post(`/agents/${agent}/intents`, body);
	expect(status).toBe(201);
	return data.data.intent_uuid;
}

/** Intents as the platform's API shows them, secrets included. */
async function intents(agent: string): Promise<Intent[]> {
	const { data } = await sandbox.api.get(`/agents/${agent}`);
	return data.data.intents;
}
const intentOf = async (agent: string, uuid: string): Promise<Intent> =>
	(await intents(agent)).find(({ intent_uuid }) => intent_uuid === uuid)!;
const webhookOf = async (agent: string, uuid: string) => (await intentOf(agent, uuid)).webhook;

const triggerFor = async (
	agent: string,
	intent: unknown,
	more: object = {},
	options: object = {},
): Promise<Trigger> =>
	await engine.trigger('acpIntentTrigger', { agent, intent, ...more } as never, options);

const publishing = async (
	trigger: Trigger,
	activation: 'activate' | 'init' | 'update' = 'activate',
): Promise<string> =>
	await trigger.activate(activation).then(
		() => 'published',
		(error: Error) => error.message,
	);

const withoutQuery = (url = '') => url.split('?')[0];
const replace = { options: { replace: true } };
const writes = async () =>
	(await sandbox.ledger())
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, '…')}`);

/** What an action in the newer way is set to, and made live. */
async function setAction(agent: string, intent: string, action: object, live = true) {
	const path = `/agents/${agent}/intents/${intent}/event`;
	expect((await sandbox.api.put(path, action)).status).toBe(200);
	if (live) await sandbox.api.post(`${path}/publish`);
}
const actionOf = async (agent: string, intent: string) =>
	(await sandbox.api.get(`/agents/${agent}/intents/${intent}/event`)).data.data;

/** An intent and a trigger for it. */
async function scene(fields: object = {}, more: object = {}, options: object = {}) {
	const agent = await agentOf();
	const intent = await newIntent(agent, fields);
	const trigger = await triggerFor(agent, intent, more, options);
	return {
		agent,
		intent,
		trigger,
		webhook: async () => (await webhookOf(agent, intent)) ?? nothing,
		is: async () => withoutQuery((await webhookOf(agent, intent))?.url),
	};
}

describe('publishing', () => {
	// interface: §2.8 webhook
	test('the intent calls the workflow with secrets of its own; the rest of it stays as it was', async () => {
		const { agent, intent, trigger } = await scene();
		const before = await intentOf(agent, intent);
		await trigger.activate();
		const { webhook, ...rest } = await intentOf(agent, intent);
		const { webhook: none, ...others } = before;
		expect(none).toBeUndefined();
		expect({ ...rest, updated_at: '' }).toEqual({ ...others, updated_at: '' });
		const url = new URL(webhook!.url);
		expect(withoutQuery(webhook!.url)).toBe(trigger.url);
		expect(url.searchParams.get('agent')).toBe(agent);
		expect(url.searchParams.get('intent')).toBe(intent);
		expect(url.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
		expect(webhook!.auth_token).toMatch(/^[\w-]{43}$/);
		expect(webhook!.auth_token).not.toBe(url.searchParams.get('token'));
		await trigger.deactivate();
		expect(await webhookOf(agent, intent)).toEqual(nothing);
	});

	test('every intent and every workflow has secrets of its own', async () => {
		const agent = await agentOf();
		const chosen = [await newIntent(agent), await newIntent(agent), await newIntent(agent)];
		const workflowId = 'one';
		for (const [index, intent] of chosen.entries())
			await (await triggerFor(agent, intent, {}, index < 2 ? { workflowId } : {})).activate();
		const webhooks = (await intents(agent)).map(({ webhook }) => webhook!);
		const secrets = webhooks.flatMap(({ url, auth_token }) => [
			new URL(url).searchParams.get('token'),
			auth_token,
		]);
		expect(secrets).toHaveLength(6);
		expect(new Set(secrets).size).toBe(6);
	});

	test('publishing again sends nothing; over and over leaves nothing', async () => {
		const { trigger, webhook, is } = await scene();
		await trigger.activate();
		const before = await webhook();
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await webhook()).toEqual(before);
		expect(await writes()).toEqual([]);
		for (let cycle = 0; cycle < 10; cycle++) {
			await trigger.deactivate();
			await trigger.activate();
		}
		expect(await is()).toBe(trigger.url);
		await trigger.deactivate();
		expect(await webhook()).toEqual(nothing);
	}, 120_000);

	test.each([
		[{ agent: '' }, /No agent is chosen\. Choose one under 'Agent'/],
		[{ agent: 'Elif' }, /'Agent' is not an ID: "Elif"/],
		[{ intent: '' }, /No intent is chosen\. Choose one under 'Intent'/],
		[{ intentToUse: 'create' }, /The intent has no name/],
		[
			{ intentToUse: 'create', intentName: 'A', intentParameters: { parameter: [{ key: ' ' }] } },
			/A parameter under 'Parameters' has no key/,
		],
		[
			{
				intentToUse: 'create',
				intentName: 'A',
				intentParameters: { parameter: [{ key: 'day' }, { key: ' day' }] },
			},
			/'Parameters' has the key "day" twice/,
		],
	])('a mistake in %j is named', async (mistake, message) => {
		const { trigger, agent, intent, webhook } = await scene();
		await trigger.setParameters({ agent, intent, ...mistake } as never);
		expect(await publishing(trigger)).toMatch(message);
		expect(await webhook()).toEqual(nothing);
	});

	test('an agent or an intent that is not there is named', async () => {
		const { trigger, agent, intent } = await scene();
		const missing = randomUUID();
		await trigger.setParameters({ agent, intent: missing });
		expect(await publishing(trigger)).toMatch(`has no intent ${missing}. Choose another one`);
		await trigger.setParameters({ agent: missing, intent });
		expect(await publishing(trigger)).toMatch(`The agent ${missing} was not found at 127.0.0.1`);
	});

	test('a callback that only this computer reaches is refused where the platform is elsewhere', async () => {
		const { trigger } = await scene();
		await trigger.setCredentials({
			acpApi: sandbox.credential({ baseUrl: 'https://acme.example.com' }),
		});
		expect(await publishing(trigger)).toMatch(
			/The platform cannot call this n8n: its public URL is .*Set the environment variable WEBHOOK_URL/,
		);
	});
});

describe('what an intent had before', () => {
	test('an address of somebody else is not taken, and its secrets stand nowhere', async () => {
		const { trigger, webhook } = await scene({ webhook: crm });
		const message = await publishing(trigger);
		expect(message).toMatch(
			/^The intent "Book a table" of the agent ".+" \([-0-9a-f]+\) is taken: it already calls https:\/\/crm\.example\.com\/answer\. Turn on the option 'Replace' to take it over; unpublishing this workflow restores/,
		);
		expect(message).not.toContain('hidden');
		expect(await webhook()).toEqual(crm);
		expect(await writes()).toEqual(['POST /agents/…/intents']);
	});

	// interface: §2.8 webhook
	test('with Replace it is taken, and put back when the workflow is unpublished', async () => {
		const { trigger, webhook, is } = await scene({ webhook: crm }, replace);
		await trigger.activate();
		expect(await is()).toBe(trigger.url);
		await trigger.activate('update');
		const kept = JSON.stringify(await trigger.state());
		expect(kept).toMatch(/"before":"[\w-]{100,}"/);
		for (const secret of ['hidden', 'crm.example.com', (await webhook()).auth_token])
			expect(kept).not.toContain(secret);
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
		expect((await trigger.staticData()).registrations).toEqual([]);
	});

	test('static data opens with the token in the address alone', async () => {
		const { trigger, webhook } = await scene({ webhook: crm }, replace);
		await trigger.activate();
		const [{ before, token: mark }] = (await trigger.staticData()).registrations;
		const token = new URL((await webhook()).url).searchParams.get('token')!;
		expect(unseal(before, token)).toContain('hidden-2');
		expect(unseal(before, mark)).toBeUndefined();
	});

	test('the API token changed meanwhile: put back all the same', async () => {
		const { trigger, webhook } = await scene({ webhook: crm }, replace);
		await trigger.activate();
		const { token } = await sandbox.addToken('workspace');
		await trigger.setCredentials({ acpApi: sandbox.credential({ token }) });
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
	});

	test('changed by a person while published: left as it is', async () => {
		const { trigger, agent, intent, webhook } = await scene({ webhook: crm }, replace);
		await trigger.activate();
		const other = { url: 'https://other.example.com/x', auth_token: 'theirs' };
		await sandbox.api.patch(`/agents/${agent}/intents/${intent}`, {
			name: table.name,
			webhook: other,
		});
		await trigger.deactivate();
		expect(await webhook()).toEqual(other);
		await trigger.setParameters({ agent, intent, ...replace } as never);
		await trigger.activate();
		await trigger.deactivate();
		expect(await webhook()).toEqual(other);
	});

	test('another workflow takes it once the first is unpublished, and puts back what was there before', async () => {
		const { trigger, agent, intent, webhook } = await scene({ webhook: crm }, replace);
		await trigger.activate();
		const second = await triggerFor(agent, intent);
		expect(await publishing(second)).toMatch(/already calls http:\/\/127\.0\.0\.1/);
		await second.setParameters({ agent, intent, ...replace } as never);
		expect(await publishing(second)).toMatch(/Unpublish it there first/);
		expect(withoutQuery((await webhook()).url)).toBe(trigger.url);
		await trigger.deactivate();
		await second.activate();
		expect(withoutQuery((await webhook()).url)).toBe(second.url);
		await second.deactivate();
		expect(await webhook()).toEqual(crm);
	});

	// interface: §2.8 webhook
	test('a masked auth token could not be put back: refused', async () => {
		const masked = { url: crm.url, auth_token: '••••••••' };
		const { trigger, webhook } = await scene({ webhook: masked }, replace);
		expect(await publishing(trigger)).toMatch(
			/the platform does not show enough of that to restore it later/,
		);
		expect(await webhook()).toEqual(masked);
	});

	test('a platform that takes no empty address: said, and taken again at the next publish', async () => {
		await sandbox.settings({ intents: { emptyAddress: false } });
		const { trigger, is, webhook } = await scene();
		await trigger.activate();
		await trigger.deactivate();
		expect(await is()).toBe(trigger.url);
		expect(engine.log).toMatch(/could not be restored\. .*n8n responds with 404/);
		await sandbox.settings({ intents: { emptyAddress: true } });
		await trigger.activate();
		await trigger.deactivate();
		expect(await webhook()).toEqual(nothing);
	});
});

describe('drift', () => {
	test.each([
		['emptied', nothing],
		['another auth token', { auth_token: 'other' }],
		['another token in the address', { url: 'OWN?agent=x&token=y' }],
	])('%s: repaired at the next publish', async (what, webhook) => {
		const { trigger, agent, intent, ...of } = await scene({}, replace);
		await trigger.activate();
		const right = await of.webhook();
		const url = 'url' in webhook ? webhook.url.replace('OWN', trigger.url) : right.url;
		await sandbox.api.patch(`/agents/${agent}/intents/${intent}`, {
			name: table.name,
			webhook: { ...right, ...webhook, url },
		});
		expect(await of.webhook()).not.toEqual(right);
		await trigger.activate('update');
		expect(await of.webhook()).toEqual(right);
		await trigger.deactivate();
		expect([what, await of.webhook()]).toEqual([what, nothing]);
	});

	// interface: §2.8 parameters
	test('its parameters changed on the platform: known at the next publish', async () => {
		const { trigger, agent, intent } = await scene();
		await trigger.activate();
		const parameters = [{ key: 'day', type: 'string', default: '', required: false }];
		await sandbox.api.patch(`/agents/${agent}/intents/${intent}`, { name: table.name, parameters });
		await trigger.activate('update');
		expect((await trigger.staticData()).registrations[0].parameters).toEqual(parameters);
		expect((await intentOf(agent, intent)).parameters).toEqual(parameters);
	});

	test('another intent chosen: the old one gets back what it had', async () => {
		const { trigger, agent, intent } = await scene({ webhook: crm }, replace);
		const other = await newIntent(agent, { name: 'Order status' });
		await trigger.activate();
		await trigger.setParameters({ agent, intent: other });
		await trigger.activate('update');
		expect(await webhookOf(agent, intent)).toEqual(crm);
		expect(withoutQuery((await webhookOf(agent, other))!.url)).toBe(trigger.url);
		await trigger.deactivate();
		expect(await webhookOf(agent, other)).toEqual(nothing);
	});

	test('killed before n8n saved anything: taken again, its own address is not kept as before', async () => {
		const same = { webhookId: randomUUID(), workflowId: 'same' };
		const { trigger, agent, intent, webhook } = await scene({}, {}, same);
		await trigger.activate();
		const before = await webhook();
		const second = await triggerFor(agent, intent, {}, same);
		await second.activate('init');
		expect(await webhook()).toEqual(before);
		await second.deactivate();
		expect(await webhook()).toEqual(nothing);
	});

	test('static data lost: unpublishing still finds its own by the token', async () => {
		const same = { webhookId: randomUUID(), workflowId: 'same' };
		const { trigger, agent, intent, webhook, is } = await scene({}, {}, same);
		await trigger.activate();
		expect(await is()).toBe(trigger.url);
		await (await triggerFor(agent, intent, {}, same)).deactivate();
		expect(await webhook()).toEqual(nothing);
	});

	test('n8n moved to another address: taken with Replace only, and given back', async () => {
		const same = { webhookId: randomUUID(), workflowId: 'same' };
		const { trigger, agent, intent, webhook } = await scene({}, {}, same);
		await trigger.activate();
		const old = await webhook();
		const { staticData } = await trigger.state();
		const moved = await triggerFor(
			agent,
			intent,
			{},
			{
				...same,
				staticData,
				webhookBaseUrl: 'http://localhost:5678/',
			},
		);
		expect(await publishing(moved)).toMatch(
			/This workflow is registered there under another URL than this n8n's, http:\/\/localhost:5678\. Either another n8n did that, or this n8n has moved\. Turn on the option 'Replace'/,
		);
		expect(await webhook()).toEqual(old);
		await moved.setParameters({ agent, intent, ...replace } as never);
		await moved.activate();
		expect(withoutQuery((await webhook()).url)).toBe(moved.url);
		await moved.deactivate();
		expect(await webhook()).toEqual(old);
	});
});

describe('copies', () => {
	test('a copy with an address of its own, static data and all: takes nothing, gives nothing back', async () => {
		const { trigger, agent, intent, webhook } = await scene({ webhook: crm }, replace);
		await trigger.activate();
		const own = await webhook();
		const { staticData } = await trigger.state();
		const copy = await triggerFor(agent, intent, {}, { staticData, workflowId: 'copy' });
		expect(await publishing(copy)).toMatch(/already calls/);
		await copy.deactivate();
		expect(await webhook()).toEqual(own);
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
		await copy.activate('update').catch(() => undefined);
		expect((await copy.staticData()).registrations).toEqual([]);
	});

	test('a copy with the same address and node: its `delete` touches nothing', async () => {
		const webhookId = randomUUID();
		const { trigger, agent, intent, webhook } = await scene({}, {}, { webhookId });
		await trigger.activate();
		const own = await webhook();
		const { staticData } = await trigger.state();
		const copy = await triggerFor(agent, intent, {}, { webhookId, staticData, workflowId: 'copy' });
		await copy.deactivate();
		expect(await webhook()).toEqual(own);
	});

	test('a clone in another n8n, same IDs and static data: takes nothing, gives nothing back', async () => {
		const same = { webhookId: randomUUID(), workflowId: 'same' };
		const { trigger, agent, intent, webhook } = await scene({ webhook: crm }, replace, same);
		await trigger.activate();
		const own = await webhook();
		const { staticData } = await trigger.state();
		const clone = await triggerFor(
			agent,
			intent,
			{},
			{
				...same,
				staticData,
				webhookBaseUrl: 'http://localhost:5678/',
			},
		);
		expect(await publishing(clone)).toMatch(/registered there under another URL/);
		await clone.deactivate();
		expect(await webhook()).toEqual(own);
	});
});

describe('several nodes', () => {
	const twin = (agent: string, intent: unknown, change: object = {}) => ({
		name: 'Twin',
		type: 'n8n-nodes-agent-conversation-platform.acpIntentTrigger',
		typeVersion: 1.1,
		parameters: { agent, intent },
		...change,
	});

	test('two of one workflow for one intent: refused, both named', async () => {
		const agent = await agentOf();
		const intent = await newIntent(agent);
		const trigger = await triggerFor(
			agent,
			{ __rl: true, mode: 'list', value: intent },
			{},
			{ nodes: [twin(agent, intent)] },
		);
		expect(await publishing(trigger)).toBe(
			'"Trigger" and "Twin" answer for the same intent, which can call only one of them. ' +
				'Choose another intent in one of the two nodes, or delete that node.',
		);
		expect(await webhookOf(agent, intent)).toBeUndefined();
	});

	test('a disabled one, or one for another intent, is in nobody’s way', async () => {
		const agent = await agentOf();
		const intent = await newIntent(agent);
		const nodes = [
			twin(agent, intent, { disabled: true }),
			twin(agent, await newIntent(agent), { name: 'Other' }),
		];
		const trigger = await triggerFor(agent, intent, {}, { nodes });
		expect(await publishing(trigger)).toBe('published');
	});

	test('two with one address: refused', async () => {
		const agent = await agentOf();
		const webhookId = randomUUID();
		const nodes = [twin(agent, await newIntent(agent), { webhookId })];
		const trigger = await triggerFor(agent, await newIntent(agent), {}, { webhookId, nodes });
		expect(await publishing(trigger)).toMatch(
			/"Trigger" and "Twin" have the same webhook URL, so n8n would pass the requests of both to one of them/,
		);
	});
});

describe('listening for a test request', () => {
	test('the intent calls the test, and nothing of it is left', async () => {
		const { trigger, webhook, is } = await scene({ webhook: crm }, replace);
		await trigger.listen();
		expect(await is()).toBe(trigger.info.testUrl);
		await trigger.stopListening();
		expect(await webhook()).toEqual(crm);
	});

	test('beside a published workflow: the intent stays there, as it was', async () => {
		const { trigger, webhook } = await scene();
		await trigger.activate();
		const live = await webhook();
		await expect(trigger.listen()).rejects.toThrow(/the published workflow, which answers it/);
		expect(await webhook()).toEqual(live);
		await trigger.deactivate();
		expect(await webhook()).toEqual(nothing);
	});

	test('published while it listens: the published one stays', async () => {
		const { trigger, webhook, is } = await scene({ webhook: crm }, replace);
		await trigger.listen();
		await trigger.activate();
		expect(await is()).toBe(trigger.url);
		await trigger.stopListening();
		expect(await is()).toBe(trigger.url);
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
	});

	test('killed while it listens: the next publish replaces the test address and knows what was before', async () => {
		const { trigger, webhook, is } = await scene({ webhook: crm }, replace);
		await trigger.listen();
		expect(await is()).toBe(trigger.info.testUrl);
		// n8n is gone here; nobody ends the test. n8n 1.x asks at its start.
		await trigger.activate('init');
		expect(await is()).toBe(trigger.url);
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
	});

	test('another intent chosen meanwhile: listening again gives the first back', async () => {
		const { trigger, agent, webhook } = await scene({ webhook: crm }, replace);
		const other = await newIntent(agent, { name: 'Another' });
		await trigger.listen();
		await trigger.setParameters({ agent, intent: other, ...replace } as never);
		await trigger.listen();
		expect(await webhook()).toEqual(crm);
		expect(withoutQuery((await webhookOf(agent, other))?.url)).toBe(trigger.info.testUrl);
		await trigger.stopListening();
		expect((await webhookOf(agent, other))?.url ?? '').toBe('');
	});

	test('of a copy, which has no claim to the original’s: refused', async () => {
		const { trigger, agent, intent, webhook } = await scene();
		await trigger.activate();
		const live = await webhook();
		const copy = await triggerFor(agent, intent);
		await expect(copy.listen()).rejects.toThrow(/already calls/);
		expect(await webhook()).toEqual(live);
	});
});

describe('created here', () => {
	const parameters = [{ key: 'day', type: 'string', default: '', required: true }];
	const here = (change: object = {}) => ({
		intentToUse: 'create',
		intentName: 'Find a slot',
		intentDescription: 'The customer asks for a free appointment',
		intentParameters: { parameter: parameters },
		...change,
	});

	test('publishing makes it, unpublishing leaves it without the address, publishing uses it again', async () => {
		const agent = await agentOf();
		const trigger = await triggerFor(agent, '', here());
		await trigger.activate();
		const [made, ...others] = await intents(agent);
		expect(others).toEqual([]);
		expect(made).toMatchObject({
			name: 'Find a slot',
			key: 'find_a_slot',
			description: 'The customer asks for a free appointment',
			parameters,
			intent_llm_handle_by_response: true,
		});
		expect(withoutQuery(made!.webhook!.url)).toBe(trigger.url);
		await trigger.deactivate();
		expect(await intents(agent)).toMatchObject([{ name: 'Find a slot', webhook: nothing }]);
		await trigger.setParameters({
			agent,
			...here({ intentName: 'Free slots', intentDescription: 'Asks when' }),
		} as never);
		await trigger.activate();
		expect(await intents(agent)).toMatchObject([
			{ intent_uuid: made!.intent_uuid, name: 'Free slots', description: 'Asks when' },
		]);
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
	});

	test('its parameters are of the type that was chosen, or text', async () => {
		const agent = await agentOf();
		const parameter = [
			{ key: 'guests', type: 'number', default: 2, required: true },
			{ key: ' note ' },
		];
		await (await triggerFor(agent, '', here({ intentParameters: { parameter } }))).activate();
		expect((await intents(agent))[0]!.parameters).toEqual([
			{ key: 'guests', type: 'number', default: '2', required: true },
			{ key: 'note', type: 'string', default: '', required: false },
		]);
	});

	test('static data lost: the one of that name is used, not a second one made', async () => {
		const agent = await agentOf();
		const same = { webhookId: randomUUID(), workflowId: 'same' };
		const trigger = await triggerFor(agent, '', here(), same);
		await trigger.activate();
		await (await triggerFor(agent, '', here(), same)).deactivate();
		expect(await intents(agent)).toMatchObject([{ webhook: nothing }]);
		await (await triggerFor(agent, '', here(), same)).activate();
		expect(await intents(agent)).toHaveLength(1);
	});

	test('static data lost and the name changed: the one that calls the workflow is used, no other', async () => {
		const agent = await agentOf();
		const foreign = await newIntent(agent, { webhook: crm });
		const same = { webhookId: randomUUID(), workflowId: 'same' };
		await (await triggerFor(agent, '', here(), same)).activate();
		const renamed = await triggerFor(agent, '', here({ intentName: 'Free slots' }), same);
		await renamed.activate('init');
		expect(await intents(agent)).toHaveLength(2);
		expect(await intentOf(agent, foreign)).toMatchObject({ name: table.name, webhook: crm });
		const own = (await intents(agent)).find(({ name }) => name === 'Free slots');
		expect(withoutQuery(own!.webhook!.url)).toBe(renamed.url);
	});

	test('the answer to its creation is lost: it is there once', async () => {
		const agent = await agentOf();
		await sandbox.faults([
			{
				match: { method: 'POST', path: `^/agents/${agent}/intents$` },
				fault: { kind: 'status', status: 502, afterAcceptance: true },
				times: 1,
			} as never,
		]);
		const trigger = await triggerFor(agent, '', here());
		await trigger.activate();
		expect(await intents(agent)).toHaveLength(1);
		expect(withoutQuery((await intents(agent))[0]!.webhook!.url)).toBe(trigger.url);
	});

	test('one of that name that is described otherwise is not overwritten without Replace, and put back', async () => {
		const agent = await agentOf();
		const theirs = await newIntent(agent, { name: 'Find a slot' });
		const before = await intentOf(agent, theirs);
		const trigger = await triggerFor(agent, '', here());
		expect(await publishing(trigger)).toMatch(
			/was not created by this node, and its description or parameters differ from those here/,
		);
		await trigger.setParameters({ agent, ...here(), ...replace } as never);
		await trigger.activate();
		expect(await intentOf(agent, theirs)).toMatchObject({ parameters });
		await trigger.deactivate();
		expect({ ...(await intentOf(agent, theirs)), updated_at: '' }).toEqual({
			...before,
			webhook: nothing,
			updated_at: '',
		});
	});

	test('what a person writes meanwhile stays, with the fields beside it', async () => {
		const agent = await agentOf();
		const theirs = await newIntent(agent, { name: 'Find a slot' });
		const trigger = await triggerFor(agent, '', { ...here(), ...replace });
		await trigger.activate();
		const write = async (description: string) =>
			await sandbox.api.patch(`/agents/${agent}/intents/${theirs}`, {
				name: 'Find a slot',
				description,
			});
		await write('A person’s words');
		await trigger.deactivate();
		const stays = { description: 'A person’s words', parameters };
		expect(await intentOf(agent, theirs)).toMatchObject({ ...stays, webhook: nothing });
		await trigger.activate();
		await write('Better words');
		await trigger.activate('update');
		expect(await intentOf(agent, theirs)).toMatchObject({ parameters });
		await trigger.deactivate();
		expect(await intentOf(agent, theirs)).toMatchObject({ ...stays, description: 'Better words' });
	});

	test('a platform that cannot create one says so', async () => {
		await sandbox.settings({ intents: { create: false } });
		const trigger = await triggerFor(await agentOf(), '', here());
		expect(await publishing(trigger)).toMatch(
			/This workspace does not create intents at the undocumented path this node tried\. Create it on the platform/,
		);
	});
});

describe('the newer way, an action of the intent', () => {
	const theirs = { event_type: 'webhook', webhook: { url: crm.url, auth_token: crm.auth_token } };

	test('a live one is replaced with Replace, and put back live', async () => {
		const { trigger, agent, intent } = await scene();
		await setAction(agent, intent, theirs);
		expect(await publishing(trigger)).toMatch(
			/already calls https:\/\/crm\.example\.com\/answer\./,
		);
		await trigger.setParameters({ agent, intent, ...replace } as never);
		await trigger.activate();
		expect(await actionOf(agent, intent)).toMatchObject({ status: 'deployed' });
		expect(withoutQuery((await actionOf(agent, intent)).webhook.url)).toBe(trigger.url);
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
		await trigger.deactivate();
		expect(await actionOf(agent, intent)).toEqual({ ...theirs, status: 'deployed' });
	});

	test('one of an app, too', async () => {
		const { trigger, agent, intent } = await scene({}, replace);
		const app = {
			event_type: 'app',
			app_uid: 'tables',
			action_key: 'ai_query',
			config: { max_results: 3 },
		};
		await setAction(agent, intent, app);
		const before = await actionOf(agent, intent);
		await trigger.activate();
		expect(await actionOf(agent, intent)).toMatchObject({ event_type: 'webhook' });
		await trigger.deactivate();
		expect(await actionOf(agent, intent)).toEqual(before);
	});

	test('a draft is nothing yet, and stays', async () => {
		const { trigger, agent, intent, is } = await scene();
		await setAction(agent, intent, theirs, false);
		await trigger.activate();
		expect(await is()).toBe(trigger.url);
		expect(await actionOf(agent, intent)).toEqual({ ...theirs, status: 'draft' });
	});

	test.each([
		['has no update', { update: false }],
		['refuses updates', { update: '405' }],
		['takes no webhook with an update', { updateSetsWebhook: false }],
	])('a platform that %s: set as an action, afterwards a draft', async (_, intentsSettings) => {
		const { trigger, agent, intent } = await scene();
		await sandbox.settings({ intents: intentsSettings });
		await trigger.activate();
		expect(await actionOf(agent, intent)).toMatchObject({ status: 'deployed' });
		expect(withoutQuery((await actionOf(agent, intent)).webhook.url)).toBe(trigger.url);
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
		await trigger.deactivate();
		expect(await actionOf(agent, intent)).toMatchObject({ status: 'draft' });
		await trigger.activate();
		expect(await actionOf(agent, intent)).toMatchObject({ status: 'deployed' });
	});

	test('there a draft of somebody else would be lost: refused', async () => {
		const { trigger, agent, intent } = await scene();
		await setAction(agent, intent, theirs, false);
		await sandbox.settings({ intents: { updateSetsWebhook: false } });
		expect(await publishing(trigger)).toMatch(/has a draft of another action, which would be lost/);
		expect(await actionOf(agent, intent)).toEqual({ ...theirs, status: 'draft' });
	});

	test('neither way: explained', async () => {
		const { trigger } = await scene();
		await sandbox.settings({ intents: { update: false, event: false } });
		expect(await publishing(trigger)).toMatch(
			/cannot get a URL: the platform accepts it neither in an update nor as an action/,
		);
	});
});

describe('a platform or a credential that is away', () => {
	test('unpublishing explains, remembers, and the next one gives it back', async () => {
		const { trigger, webhook, is } = await scene({ webhook: crm }, replace);
		await trigger.activate();
		await sandbox.strike('^/agents', 503);
		await trigger.deactivate();
		await sandbox.clearFaults();
		expect(await is()).toBe(trigger.url);
		expect(engine.log).toMatch(/could not be restored/);
		await trigger.activate();
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
	});

	test('the credential deleted: explained, taken again later, given back in the end', async () => {
		const { trigger, webhook, is } = await scene({ webhook: crm }, replace);
		await trigger.activate();
		await trigger.setCredentials({});
		await trigger.deactivate();
		expect(await is()).toBe(trigger.url);
		await trigger.setCredentials({ acpApi: sandbox.credential() });
		await trigger.activate();
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
	});

	test('away while n8n starts: its registration is taken to be there', async () => {
		const { trigger, is } = await scene();
		await trigger.activate();
		await sandbox.strike('^/agents', 503);
		expect(await publishing(trigger, 'init')).toBe('published');
		await sandbox.clearFaults();
		expect(await is()).toBe(trigger.url);
	});

	test('the intent or its agent deleted: unpublishing is done with it', async () => {
		const { trigger, agent } = await scene();
		await trigger.activate();
		await sandbox.change('agents', agent, { intents: [] });
		expect(await trigger.method('delete')).toBe(true);
		expect((await trigger.staticData()).registrations).toEqual([]);
	});
});
