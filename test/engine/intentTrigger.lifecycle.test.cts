/**
 * The intents that the Agent Question Trigger takes and gives back, seen from the platform, in every case of its life. What
 * n8n itself can do meanwhile is in intentTrigger.before.
 */
import { randomUUID } from 'node:crypto';
import { unseal } from '../../nodes/shared/registration/proof';
import { usePlatform } from './harness/index.cts';
import {
	nothing,
	publishing,
	someone,
	tokenOf,
	triggersOn,
	withoutQuery,
} from './harness/triggers.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine } = platform;
const { actionOf, agents, changeIntent, intentOf, intents, intentTrigger, newIntent } =
	triggersOn(platform);
const { setAction, writes } = triggersOn(platform);

const crm = { url: 'https://crm.example.com/answer?key=hidden-1', auth_token: 'hidden-2' };
const table = {
	description: 'The customer wants to come for dinner',
	recommendation_actions: 'Ask for the name',
	confidence_threshold: 0.8,
	parameters: [{ key: 'guests', default: '2', type: 'integer', required: true }],
};
const replace = { options: { replace: true } };
const agentOf = async () => (await agents())[0]!;

/** An intent and a trigger for it. */
async function scene(fields: object = {}, more: object = {}, options: object = {}) {
	const agent = await agentOf();
	const intent = await newIntent(agent, { ...table, ...fields });
	const webhook = async () => (await intentOf(agent, intent)).webhook;
	return {
		agent,
		intent,
		trigger: await intentTrigger(agent, intent, more, options),
		webhook,
		is: async () => withoutQuery((await webhook()).url),
	};
}

/** The same, published. */
async function published(...given: Parameters<typeof scene>) {
	const made = await scene(...given);
	await made.trigger.activate();
	return { ...made, during: await made.webhook() };
}

describe('publishing', () => {
	// interface: §2.8 webhook
	test('the intent calls the workflow with secrets of its own; the rest of it stays as it was; once', async () => {
		const { agent, intent, trigger } = await scene();
		const before = await intentOf(agent, intent);
		await trigger.activate();
		const { webhook, ...rest } = await intentOf(agent, intent);
		expect({ ...rest, webhook: nothing, updated_at: before.updated_at }).toEqual(before);
		const { searchParams } = new URL(webhook.url);
		expect(withoutQuery(webhook.url)).toBe(trigger.url);
		expect(Object.fromEntries(searchParams)).toMatchObject({ agent, intent });
		for (const secret of [tokenOf(webhook.url), webhook.auth_token])
			expect(secret).toMatch(/^[\w-]{43}$/);
		expect(webhook.auth_token).not.toBe(tokenOf(webhook.url));
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
		await trigger.deactivate();
		expect((await intentOf(agent, intent)).webhook).toEqual(nothing);
	});

	test('every intent and every workflow has secrets of its own', async () => {
		const agent = await agentOf();
		for (const workflowId of ['one', 'one', 'two'])
			await (await intentTrigger(agent, await newIntent(agent), {}, { workflowId })).activate();
		const secrets = (await intents(agent)).flatMap(({ webhook: { url, auth_token } }) => [
			tokenOf(url),
			auth_token,
		]);
		expect(secrets).toHaveLength(6);
		expect(new Set(secrets).size).toBe(6);
	});

	const parameter = (...keys: string[]) => ({ parameter: keys.map((key) => ({ key })) });
	const create = { intentToUse: 'create', intentName: 'A' };
	const missing = randomUUID();
	test.each([
		[{ agent: '' }, /No agent is chosen\. Choose one under 'Agent'/],
		[{ agent: 'Elif' }, /'Agent' is not an ID: "Elif"/],
		[{ intent: '' }, /No intent is chosen\. Choose one under 'Intent'/],
		[{ ...create, intentName: '' }, /The intent has no name/],
		[{ ...create, intentParameters: parameter(' ') }, /A parameter under 'Parameters' has no key/],
		[
			{ ...create, intentParameters: parameter('day', ' day') },
			/'Parameters' has the key "day" twice/,
		],
		[{ intent: missing }, `has no intent ${missing}. Choose another one`],
		[{ agent: missing }, `The agent ${missing} was not found at 127.0.0.1`],
	])('a mistake in %j is named', async (mistake, message) => {
		const { trigger, agent, intent, webhook } = await scene();
		await trigger.setParameters({ agent, intent, ...mistake } as never);
		expect(await publishing(trigger)).toMatch(message);
		expect(await webhook()).toEqual(nothing);
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
		const { trigger, webhook, during, is } = await published({ webhook: crm }, replace);
		expect(await is()).toBe(trigger.url);
		await trigger.activate('update');
		const kept = JSON.stringify(await trigger.state());
		expect(kept).toMatch(/"before":"[\w-]{100,}"/);
		for (const secret of ['hidden', 'crm.example.com', during.auth_token])
			expect(kept).not.toContain(secret);
		for (const text of [during.url, await engine.logged()])
			expect(text).not.toMatch(/hidden|crm\.example\.com/);
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
		expect((await trigger.staticData()).registrations).toEqual([]);
	});

	test('static data opens with the token in the address alone', async () => {
		const { trigger, during } = await published({ webhook: crm }, replace);
		const [{ before, token: mark }] = (await trigger.staticData()).registrations;
		expect(unseal(before, tokenOf(during.url))).toContain('hidden-2');
		expect(unseal(before, mark)).toBeUndefined();
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
		const { trigger, is, webhook } = await published();
		await trigger.deactivate();
		expect(await is()).toBe(trigger.url);
		expect(await engine.logged()).toMatch(/could not be restored\. .*n8n responds with 404/);
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
	])('%s: repaired at the next publish', async (_, change) => {
		const { trigger, agent, intent, during, webhook } = await published({}, replace);
		const url = 'url' in change ? change.url.replace('OWN', trigger.url) : during.url;
		await changeIntent(agent, intent, { webhook: { ...during, ...change, url } });
		expect(await webhook()).not.toEqual(during);
		await trigger.activate('update');
		expect(await webhook()).toEqual(during);
		await trigger.deactivate();
		expect(await webhook()).toEqual(nothing);
	});

	// interface: §2.8 parameters
	test('its parameters changed on the platform: known at the next publish', async () => {
		const { trigger, agent, intent } = await published();
		const parameters = [{ key: 'day', type: 'string', default: '', required: false }];
		await changeIntent(agent, intent, { parameters });
		await trigger.activate('update');
		expect((await trigger.staticData()).registrations[0].parameters).toEqual(parameters);
		expect((await intentOf(agent, intent)).parameters).toEqual(parameters);
	});

	test('another intent chosen: the old one gets back what it had', async () => {
		const { trigger, agent, webhook } = await published({ webhook: crm }, replace);
		const second = await newIntent(agent, { name: 'Order status' });
		await trigger.setParameters({ agent, intent: second });
		await trigger.activate('update');
		expect(await webhook()).toEqual(crm);
		expect(withoutQuery((await intentOf(agent, second)).webhook.url)).toBe(trigger.url);
		await trigger.deactivate();
		expect((await intentOf(agent, second)).webhook).toEqual(nothing);
	});

	test('the intent deleted: unpublishing is done with it', async () => {
		const { trigger, agent } = await published();
		await sandbox.change('agents', agent, { intents: [] });
		expect(await trigger.method('delete')).toBe(true);
		expect((await trigger.staticData()).registrations).toEqual([]);
	});
});

describe('copies', () => {
	test('a copy with an address of its own, static data and all: takes nothing, gives nothing back', async () => {
		const { trigger, agent, intent, during, webhook } = await published({ webhook: crm }, replace);
		const { staticData } = await trigger.state();
		const copy = await intentTrigger(agent, intent, {}, { staticData, workflowId: 'copy' });
		expect(await publishing(copy)).toMatch(/already calls/);
		await copy.deactivate();
		expect(await webhook()).toEqual(during);
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
		await publishing(copy, 'update');
		expect((await copy.staticData()).registrations).toEqual([]);
	});

	test('a clone in another n8n, same IDs and static data: takes nothing, gives nothing back', async () => {
		const same = someone();
		const { trigger, agent, intent, during, webhook } = await published({}, {}, same);
		const { staticData } = await trigger.state();
		const options = { ...same, staticData, webhookBaseUrl: 'http://localhost:5678/' };
		const clone = await intentTrigger(agent, intent, {}, options);
		expect(await publishing(clone)).toMatch(
			/This workflow is registered there under another URL than this n8n's, http:\/\/localhost:5678\. Either another n8n did that, or this n8n has moved\. Turn on the option 'Replace'/,
		);
		await clone.deactivate();
		expect(await webhook()).toEqual(during);
		// This n8n has moved.
		await clone.setParameters({ agent, intent, ...replace });
		await clone.activate();
		expect(withoutQuery((await webhook()).url)).toBe(clone.url);
		await clone.deactivate();
		expect(await webhook()).toEqual(during);
	});

	test('a copy with the same address and node: its `delete` touches nothing', async () => {
		const { webhookId } = someone();
		const { trigger, agent, intent, during, webhook } = await published({}, {}, { webhookId });
		const { staticData } = await trigger.state();
		const options = { webhookId, staticData, workflowId: 'copy' };
		await (await intentTrigger(agent, intent, {}, options)).deactivate();
		expect(await webhook()).toEqual(during);
	});
});

describe('several nodes of one workflow', () => {
	const twin = (agent: string, intent: unknown, change: object = {}) => ({
		name: 'Twin',
		type: 'n8n-nodes-agent-conversation-platform.acpIntentTrigger',
		typeVersion: 1.1,
		parameters: { agent, intent },
		...change,
	});

	test('two for one intent: refused, both named; first come, first served when n8n starts', async () => {
		const { agent, intent, webhook, is } = await scene();
		const options = { nodes: [twin(agent, intent)] };
		const chosen = { __rl: true, mode: 'list', value: intent };
		const trigger = await intentTrigger(agent, chosen, {}, options as never);
		expect(await publishing(trigger)).toBe(
			'"Trigger" and "Twin" answer for the same intent, which can call only one of them. ' +
				'Choose another intent in one of the two nodes, or delete that node.',
		);
		expect(await webhook()).toEqual(nothing);
		await trigger.activate('init');
		expect(await is()).toBe(trigger.url);
	});

	test('a disabled one, or one for another intent, is in nobody’s way', async () => {
		const { agent, intent } = await scene();
		const second = await newIntent(agent, { name: 'Other' });
		const nodes = [twin(agent, intent, { disabled: true }), twin(agent, second, { name: 'Other' })];
		const trigger = await intentTrigger(agent, intent, {}, { nodes } as never);
		expect(await publishing(trigger)).toBe('done');
	});
});

describe('created here', () => {
	const parameters = [{ key: 'day', type: 'string', default: '', required: true }];
	const name = 'Find a slot';
	const description = 'The customer asks for a free appointment';
	const here = (change: object = {}) => ({
		intentToUse: 'create',
		intentName: name,
		intentDescription: description,
		intentParameters: { parameter: parameters },
		...change,
	});
	const creating = async (change: object = {}, options: object = {}) =>
		await intentTrigger(await agentOf(), '', here(change), options);
	const all = async () => await intents(await agentOf());

	test('publishing makes it, unpublishing leaves it without the address, publishing uses it again', async () => {
		const trigger = await creating();
		await trigger.activate();
		const [made, ...others] = await all();
		expect(others).toEqual([]);
		const itself = { name, key: 'find_a_slot', description, parameters };
		expect(made).toMatchObject({ ...itself, intent_llm_handle_by_response: true });
		expect(withoutQuery(made!.webhook.url)).toBe(trigger.url);
		await trigger.deactivate();
		expect(await all()).toMatchObject([{ name, webhook: nothing }]);
		const changed = here({ intentName: 'Free slots', intentDescription: 'Asks when' });
		await trigger.setParameters({ agent: await agentOf(), ...changed } as never);
		await trigger.activate();
		expect(await all()).toMatchObject([
			{ intent_uuid: made!.intent_uuid, name: 'Free slots', description: 'Asks when' },
		]);
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
	});

	test('its parameters are of the type that was chosen, or text', async () => {
		const guests = { key: 'guests', type: 'number', default: 2, required: true };
		const parameter = [guests, { key: ' note ' }];
		await (await creating({ intentParameters: { parameter } })).activate();
		expect((await all())[0]!.parameters).toEqual([
			{ ...guests, default: '2' },
			{ key: 'note', type: 'string', default: '', required: false },
		]);
	});

	test('static data lost: the one of that name is used, not a second one made', async () => {
		const same = someone();
		await (await creating({}, same)).activate();
		await (await creating({}, same)).deactivate();
		expect(await all()).toMatchObject([{ webhook: nothing }]);
		await (await creating({}, same)).activate();
		expect(await all()).toHaveLength(1);
	});

	test('static data lost and the name changed: the one that calls the workflow is used, no other', async () => {
		const foreign = await newIntent(await agentOf(), { webhook: crm });
		const same = someone();
		await (await creating({}, same)).activate();
		const renamed = await creating({ intentName: 'Free slots' }, same);
		await renamed.activate('init');
		const [theirs, own, ...others] = await all();
		expect(theirs).toMatchObject({ intent_uuid: foreign, name: 'Book a table', webhook: crm });
		expect([own!.name, withoutQuery(own!.webhook.url)]).toEqual(['Free slots', renamed.url]);
		expect(others).toEqual([]);
	});

	test('the answer to its creation is lost: it is there once', async () => {
		const lost = { status: 502, afterAcceptance: true };
		await sandbox.strike('POST /intents$', lost, { times: 1 });
		const trigger = await creating();
		await trigger.activate();
		const [made, ...others] = await all();
		expect([withoutQuery(made!.webhook.url), others]).toEqual([trigger.url, []]);
	});

	test('one of that name that is described otherwise is not overwritten without Replace, and put back', async () => {
		await newIntent(await agentOf(), { ...table, name });
		const [before] = await all();
		expect(await publishing(await creating())).toMatch(
			/was not created by this node, and its description or parameters differ from those here/,
		);
		const trigger = await creating(replace);
		await trigger.activate();
		expect(await all()).toMatchObject([{ description, parameters }]);
		await trigger.deactivate();
		expect(await all()).toEqual([{ ...before, updated_at: expect.anything() }]);
	});

	test('what a person writes meanwhile stays, with the fields beside it', async () => {
		const theirs = await newIntent(await agentOf(), { ...table, name });
		const trigger = await creating(replace);
		await trigger.activate();
		const write = async (words: string) =>
			await changeIntent(await agentOf(), theirs, { name, description: words });
		await write('A person’s words');
		await trigger.deactivate();
		const stays = { description: 'A person’s words', parameters };
		expect(await all()).toMatchObject([{ ...stays, webhook: nothing }]);
		await trigger.activate();
		await write('Better words');
		await trigger.activate('update');
		expect(await all()).toMatchObject([{ parameters }]);
		await trigger.deactivate();
		expect(await all()).toMatchObject([{ ...stays, description: 'Better words' }]);
	});

	test('a platform that cannot create one says so', async () => {
		await sandbox.settings({ intents: { create: false } });
		expect(await publishing(await creating())).toMatch(
			/This workspace does not create intents at the undocumented path this node tried\. Create it on the platform/,
		);
	});
});

describe('the newer way, an action of the intent', () => {
	const theirs = { event_type: 'webhook', webhook: crm };
	const livesAsAction = async ({ trigger, agent, intent }: Awaited<ReturnType<typeof scene>>) => {
		const during = await actionOf(agent, intent);
		expect([during.status, withoutQuery(during.webhook.url)]).toEqual(['deployed', trigger.url]);
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
		await trigger.deactivate();
	};

	test('a live one is replaced with Replace, and put back live', async () => {
		const made = await scene();
		const { trigger, agent, intent } = made;
		await setAction(agent, intent, theirs);
		expect(await publishing(trigger)).toMatch(
			/already calls https:\/\/crm\.example\.com\/answer\./,
		);
		await trigger.setParameters({ agent, intent, ...replace });
		await trigger.activate();
		await livesAsAction(made);
		expect(await actionOf(agent, intent)).toEqual({ ...theirs, status: 'deployed' });
	});

	test('a draft is nothing yet, and stays; where it would be lost, the intent is not taken', async () => {
		const { trigger, agent, intent, is } = await scene();
		await setAction(agent, intent, theirs, false);
		await trigger.activate();
		expect(await is()).toBe(trigger.url);
		await trigger.deactivate();
		await sandbox.settings({ intents: { updateSetsWebhook: false } });
		expect(await publishing(trigger)).toMatch(/has a draft of another action, which would be lost/);
		expect(await actionOf(agent, intent)).toEqual({ ...theirs, status: 'draft' });
	});

	test.each([
		['has no update', { update: false }],
		['refuses updates', { update: '405' }],
		['takes no webhook with an update', { updateSetsWebhook: false }],
	])('a platform that %s: set as an action, afterwards a draft', async (_, settings) => {
		await sandbox.settings({ intents: settings });
		const made = await published();
		const { trigger, agent, intent } = made;
		await livesAsAction(made);
		expect(await actionOf(agent, intent)).toMatchObject({ status: 'draft' });
		await trigger.activate();
		expect(await actionOf(agent, intent)).toMatchObject({ status: 'deployed' });
	});

	test('neither way: explained', async () => {
		await sandbox.settings({ intents: { update: false, event: false } });
		expect(await publishing((await scene()).trigger)).toMatch(
			/cannot get a URL: the platform accepts it neither in an update nor as an action/,
		);
	});
});
