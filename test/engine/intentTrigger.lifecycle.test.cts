/**
 * The intents that the Agent Question Trigger takes and gives back, seen from the platform: URL, auth token, action, name,
 * description and parameters, before, during and after. What else n8n and the platform can do meanwhile is in the worlds.
 */
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { unseal } from '../../nodes/shared/registration/proof';
import { usePlatform } from './harness/index.cts';
import {
	nothing,
	publishing,
	someone,
	told,
	tokenOf,
	triggersOn,
	withoutQuery,
} from './harness/triggers.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine } = platform;
const {
	actionOf,
	agents,
	changeIntent,
	intentOf,
	intents,
	intentTrigger,
	newIntent,
	setAction,
	writes,
} = triggersOn(platform);

const crm = { url: 'https://crm.example.com/answer?key=hidden-1', auth_token: 'hidden-2' };
const theirs = { event_type: 'webhook', webhook: crm };
const app = { event_type: 'app', app_uid: 'tables', action_key: 'ai_query', config: { a: 3 } };
const table = {
	description: 'The customer wants to come for dinner',
	recommendation_actions: 'Ask for the name',
	confidence_threshold: 0.8,
	parameters: [{ key: 'guests', default: '2', type: 'integer', required: true }],
};
const day = { key: 'day', type: 'string', default: '', required: true };
const name = 'Find a slot';
const description = 'The customer asks for a free appointment';
const here = {
	...{ intentToUse: 'create', intentName: name, intentDescription: description },
	intentParameters: { parameter: [day] },
};
const replace = { options: { replace: true } };
const type = 'n8n-nodes-agent-conversation-platform.acpIntentTrigger';
const agentOf = async () => (await agents())[0]!;
const otherToken = async () => {
	const { token } = await sandbox.addToken('workspace');
	return { credentials: { acpApi: sandbox.credential({ token }) } };
};

/** An intent, and triggers for it of one node that know nothing of each other: n8n between two lives. */
async function scene(fields: object = {}, parameters: object = {}, options: object = {}) {
	const agent = await agentOf();
	const intent = await newIntent(agent, { ...table, ...fields });
	const same = someone();
	const node = async (more: object = {}) =>
		await intentTrigger(agent, intent, parameters, { ...same, ...options, ...more });
	const webhook = async () => (await intentOf(agent, intent)).webhook;
	const is = async () => withoutQuery((await webhook()).url);
	/** Everything that a trigger may change. */
	const state = async () => {
		const { name, description, parameters, webhook } = await intentOf(agent, intent);
		return { name, description, parameters, webhook, action: await actionOf(agent, intent) };
	};
	return { agent, intent, same, node, trigger: await node(), webhook, is, state };
}

/** The same, published. */
async function published(...given: Parameters<typeof scene>) {
	const made = await scene(...given);
	const before = await made.state();
	await made.trigger.activate();
	return { ...made, before, during: await made.state() };
}

describe('publishing', () => {
	// interface: §2.8 webhook
	test('the intent calls the workflow with secrets of its own; the rest of it stays as it was; once', async () => {
		const { agent, intent, trigger } = await scene();
		const before = await intentOf(agent, intent);
		await trigger.activate();
		const { webhook, ...rest } = await intentOf(agent, intent);
		expect({ ...rest, webhook: nothing, updated_at: before.updated_at }).toEqual(before);
		expect(withoutQuery(webhook.url)).toBe(trigger.url);
		const query = Object.fromEntries(new URL(webhook.url).searchParams);
		expect(query).toMatchObject({ agent, intent });
		for (const secret of [tokenOf(webhook.url), webhook.auth_token])
			expect(secret).toMatch(/^[\w-]{43}$/);
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
		const webhooks = (await intents(agent)).map(({ webhook }) => webhook);
		const secrets = webhooks.flatMap(({ url, auth_token }) => [tokenOf(url), auth_token]);
		expect([secrets.length, new Set(secrets).size]).toEqual([6, 6]);
	});

	const missing = randomUUID();
	const keyed = (...keys: string[]) => ({
		...here,
		intentParameters: { parameter: keys.map((key) => ({ key })) },
	});
	test.each([
		[{ agent: '' }, /No agent is chosen\. Choose one under 'Agent'/],
		[{ agent: 'Elif' }, /'Agent' is not an ID: "Elif"/],
		[{ intent: '' }, /No intent is chosen\. Choose one under 'Intent'/],
		[{ ...here, intentName: '' }, /The intent has no name/],
		[keyed(' '), /A parameter under 'Parameters' has no key/],
		[keyed('day', ' day'), /'Parameters' has the key "day" twice/],
		[{ intent: missing }, `has no intent ${missing}. Choose another one`],
		[{ agent: missing }, `The agent ${missing} was not found at 127.0.0.1`],
	])('a mistake in %j is named', async (mistake, message) => {
		const { trigger, agent, intent, webhook } = await scene();
		await trigger.setParameters({ agent, intent, ...mistake } as never);
		expect(await publishing(trigger)).toMatch(message);
		expect(await webhook()).toEqual(nothing);
	});

	test('two nodes of one workflow for one intent: refused, both named; first come, first served when n8n starts', async () => {
		const [one, two] = [randomUUID(), randomUUID()];
		const { agent, intent, webhook } = await scene();
		const nodeWith = async (own: string, chosen: unknown, theirs: string, twin: object) =>
			await intentTrigger(agent, chosen, replace, {
				...{ workflowId: 'twins', webhookId: own, nodeId: own },
				nodes: [{ name: 'Twin', type, webhookId: theirs, ...twin }],
			});
		const parameters: any = { agent, intent };
		const locator = { __rl: true, mode: 'list', value: intent };
		const first = await nodeWith(one, locator, two, { parameters });
		expect(await publishing(first)).toBe(
			'"Trigger" and "Twin" answer for the same intent, which can call only one of them. ' +
				'Choose another intent in one of the two nodes, or delete one of them.',
		);
		expect(await webhook()).toEqual(nothing);
		await first.activate('init');
		const during = await webhook();
		expect(withoutQuery(during.url)).toBe(first.url);
		// An expression shows which intent it names only once the other has it.
		const expression = await nodeWith(two, `={{ "${intent}" }}`, one, { parameters });
		expect(await publishing(expression)).toMatch(/"Trigger" and "Twin" answer for the same/);
		expect(await webhook()).toEqual(during);
		const disabled = await nodeWith(one, intent, two, { parameters, disabled: true });
		expect(await publishing(disabled, 'update')).toBe('done');
		const other = { agent, intent: await newIntent(agent, { name: 'Other' }) };
		const third = await nodeWith(one, intent, two, { parameters: other });
		expect(await publishing(third, 'update')).toBe('done');
	});
});

describe('what an intent had before', () => {
	test('an address of somebody else is not taken, and its secrets stand nowhere', async () => {
		const { trigger, webhook } = await scene({ webhook: crm });
		const message = await publishing(trigger);
		expect(message).toMatch(
			/^The intent "Book a table" of the agent ".+" \([-0-9a-f]+\) is taken: it already calls https:\/\/crm\.example\.com\/answer\. Turn on the option 'Replace'/,
		);
		expect(message).not.toContain('hidden');
		expect(await webhook()).toEqual(crm);
		expect(await writes()).toEqual(['POST /agents/…/intents']);
	});

	// interface: §2.8 webhook
	test('with Replace it is taken, sealed, and put back when the workflow is unpublished', async () => {
		const { trigger, webhook, during, is } = await published({ webhook: crm }, replace);
		expect(await is()).toBe(trigger.url);
		await trigger.activate('update');
		const { url, auth_token: authToken } = during.webhook;
		const kept = JSON.stringify(await trigger.state());
		for (const secret of ['hidden', 'crm.example.com', authToken])
			expect(kept).not.toContain(secret);
		for (const text of [url, await engine.logged()])
			expect(text).not.toMatch(/hidden|crm\.example\.com/);
		// Static data opens with the token in the URL alone.
		const [{ before, token: mark }] = (await trigger.staticData()).registrations;
		expect(unseal(before, tokenOf(url))).toContain('hidden-2');
		expect(unseal(before, mark)).toBeUndefined();
		await trigger.deactivate();
		expect(await webhook()).toEqual(crm);
		expect((await trigger.staticData()).registrations).toEqual([]);
	});

	test.each(['init', 'leadershipChange'] as const)(
		'n8n starts (%s): only a person’s publishing takes it',
		async (activation) => {
			const { trigger, state, is } = await scene({ webhook: crm }, replace);
			const before = await state();
			expect(await publishing(trigger, activation)).toMatch(
				/takes it over only when a person publishes this workflow, not when n8n starts/,
			);
			expect(await state()).toEqual(before);
			await trigger.activate('update');
			expect(await is()).toBe(trigger.url);
		},
	);

	// interface: §2.8 webhook
	test.each([
		['a masked auth token', '••••••••', app, /does not show enough of that to restore it later/],
		['an action too long for the URL', 'x', 'x'.repeat(2000), /callback URL, which would have \d+/],
	])('%s could not be put back: refused', async (_, auth_token, config, message) => {
		const { agent, intent, trigger, state } = await scene(
			{ webhook: { ...crm, auth_token } },
			replace,
		);
		if (typeof config === 'string') await setAction(agent, intent, { ...app, config: { config } });
		const before = await state();
		expect(await publishing(trigger)).toMatch(message);
		expect(await state()).toEqual(before);
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

	test.each([
		['PATCH', 2],
		['PUT', 2],
		['POST', 2],
		['PATCH', 4],
	])(
		'a description and an action: %s is carried out and answered 502, %i times: given back',
		async (method, times) => {
			const { agent, intent, node, trigger, state } = await scene({}, { ...here, ...replace });
			await changeIntent(agent, intent, { name, ...table });
			await setAction(agent, intent, app);
			const before = await state();
			const lost = { status: 502, afterAcceptance: true };
			await sandbox.strike(`${method} /intents/`, lost, { times });
			const ended = await publishing(trigger);
			await sandbox.clearFaults();
			await (ended === 'done' ? trigger : await node()).deactivate();
			expect(await state()).toEqual(before);
		},
	);
});

describe('Evidence: what nobody knows is taken for nothing', () => {
	test('the URL of this node without what was before: left as it is, and said', async () => {
		const { agent, intent, node, webhook, is } = await published({ webhook: crm }, replace);
		const own = await webhook();
		const url = own.url.replace(/&before=[^&]*/, '');
		expect(url).not.toBe(own.url);
		await changeIntent(agent, intent, { webhook: { ...own, url } });
		const next = await node();
		await next.deactivate();
		expect((await webhook()).url).toBe(url);
		expect(await engine.logged()).toMatch(
			/was left as it is, because it is not known what it did before/,
		);
		await next.activate();
		await next.deactivate();
		expect(await is()).toBe(next.url);
	});

	test('sealed under another API token: left as it is, and opened by that token again', async () => {
		const { agent, intent, node, state, before, during } = await published(
			{ webhook: crm },
			replace,
		);
		const neighbor = await intentTrigger(agent, intent, replace);
		expect(await publishing(neighbor)).toMatch(/another workflow of this n8n\. Unpublish it there/);
		await (await node(await otherToken())).deactivate();
		expect(await state()).toEqual(during);
		await (await node()).deactivate();
		expect(await state()).toEqual(before);
	});
});

describe('drift', () => {
	test.each([
		['another auth token', { auth_token: 'other' }],
		['another token in the address', { url: 'OWN?agent=x&token=y' }],
	])('%s: repaired at the next publish', async (_, change) => {
		const { trigger, agent, intent, during, webhook } = await published({}, replace);
		const changed = { ...during.webhook, ...change };
		const url = changed.url.replace('OWN', trigger.url);
		await changeIntent(agent, intent, { webhook: { ...changed, url } });
		await trigger.activate('update');
		expect(await webhook()).toEqual(during.webhook);
		await trigger.deactivate();
		expect(await webhook()).toEqual(nothing);
	});

	// interface: §2.8 parameters
	test('its parameters changed on the platform: known at the next publish', async () => {
		const { trigger, agent, intent, state } = await published();
		await changeIntent(agent, intent, { parameters: [day] });
		await trigger.activate('update');
		expect((await trigger.staticData()).registrations[0].parameters).toEqual([day]);
		expect((await state()).parameters).toEqual([day]);
	});

	test('another intent chosen: the old one gets back what it had; a deleted one is nobody’s', async () => {
		const { trigger, agent, webhook } = await published({ webhook: crm }, replace);
		const second = await newIntent(agent, { name: 'Order status' });
		await trigger.setParameters({ agent, intent: second });
		await trigger.activate('update');
		expect(await webhook()).toEqual(crm);
		expect(withoutQuery((await intentOf(agent, second)).webhook.url)).toBe(trigger.url);
		await sandbox.change('agents', agent, { intents: [] });
		expect(await trigger.method('delete')).toBe(true);
		expect((await trigger.staticData()).registrations).toEqual([]);
	});
});

describe('copies take nothing and give nothing back', () => {
	test('a copy with an address of its own or the same one, static data and all', async () => {
		const { trigger, agent, intent, same, state, before, during } = await published(
			{ webhook: crm },
			replace,
		);
		const { staticData } = await trigger.state();
		const options = { staticData, workflowId: 'copy' };
		const copy = await intentTrigger(agent, intent, {}, options);
		expect(await publishing(copy)).toMatch(/already calls/);
		const sameAddress = { ...options, webhookId: same.webhookId };
		for (const one of [copy, await intentTrigger(agent, intent, {}, sameAddress)])
			await one.deactivate();
		expect(await state()).toEqual(during);
		await trigger.deactivate();
		expect(await state()).toEqual(before);
		await publishing(copy, 'update');
		expect((await copy.staticData()).registrations).toEqual([]);
	});

	test('a clone in another n8n, same IDs and static data, until Replace says that this n8n has moved', async () => {
		const { trigger, agent, intent, node, is, state, during } = await published();
		const { staticData } = await trigger.state();
		const clone = await node({ staticData, webhookBaseUrl: 'http://localhost:5678/' });
		expect(await publishing(clone)).toMatch(
			/registered there under another URL than this n8n's, http:\/\/localhost:5678\. Either another n8n did that, or this n8n has moved\. Turn on the option 'Replace'/,
		);
		await clone.deactivate();
		expect(await state()).toEqual(during);
		await clone.setParameters({ agent, intent, ...replace });
		await clone.activate();
		expect(await is()).toBe(clone.url);
		await clone.deactivate();
		expect(await state()).toEqual(during);
	});
});

describe('a test while the workflow is published', () => {
	const goesOn =
		/goes on calling the published workflow, which answers it\. Unpublish this workflow for the test/;

	/** What stands at the public URL; the engine listens elsewhere. */
	test.each<[string, [status: number, body: string] | undefined, RegExp | 'done']>([
		['nobody answers', undefined, goesOn],
		['a proxy answers 404 for n8n', [404, 'Not Found'], goesOn],
		['a proxy answers n8n’s words', [502, '{"message":"is not registered"}'], goesOn],
		['n8n says that it serves nobody there', [404, '{"message":"is not registered"}'], 'done'],
	])('%s at its URL: only n8n’s own no is one', async (_, answer, expected) => {
		const server = createServer((__, response) => {
			response.writeHead(answer?.[0] ?? 200).end(answer?.[1]);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as { port: number };
		if (!answer) server.close();
		const webhookBaseUrl = `http://127.0.0.1:${port}/`;
		const { trigger, state, before } = await published({ webhook: crm }, replace, {
			webhookBaseUrl,
		});
		const said = await told(trigger.listen());
		server.close();
		expect(said).toMatch(expected);
		await trigger.stopListening();
		await trigger.deactivate();
		expect(await state()).toEqual(before);
	});

	test('the published workflow goes on; the editor has another origin than the webhooks', async () => {
		const editorBaseUrl = 'http://editor.example.com/';
		const made = await published({ webhook: crm }, replace, { editorBaseUrl });
		const { trigger, agent, intent, state, before, during, is } = made;
		expect(await told(trigger.listen())).toMatch(goesOn);
		// The way to respond that the editor has by now is called at another path.
		await trigger.setParameters({ agent, intent, ...replace, respond: 'responseNode' });
		expect(await told(trigger.listen())).toMatch(goesOn);
		expect(await state()).toEqual(during);
		await trigger.deactivate();
		expect(await state()).toEqual(before);
		await trigger.setParameters({ agent, intent, ...replace });
		await trigger.listen();
		expect(await is()).toMatch(/^http:\/\/editor\.example\.com\/webhook-test\//);
		await trigger.activate();
		expect(await state()).toEqual(during);
		await trigger.stopListening();
		await trigger.deactivate();
		expect(await state()).toEqual(before);
	});
});

test('unpublished while the platform is away, then deleted: any other trigger gives it back, or names it', async () => {
	const { agent, intent, trigger, state, before } = await published({ webhook: crm }, replace);
	const other = await engine.trigger('acpTrigger', { agents: [agent] });
	await sandbox.strike('^/agents', 503);
	expect(await told(trigger.deactivateWithRetry())).toMatch(/could not be restored\. .*with 404/);
	await sandbox.clearFaults();
	for (const method of ['PATCH', 'POST']) await sandbox.strike(`${method} /intents/`, 503);
	await other.activate();
	expect(await engine.logged()).toContain(
		`Conversation Event Trigger: another trigger of this n8n may have left something. The intent ${intent} of agent`,
	);
	await sandbox.clearFaults();
	await other.deactivate();
	expect(await state()).toEqual(before);
});

describe('created here', () => {
	const creating = async (change: object = {}, options: object = {}) =>
		await intentTrigger(await agentOf(), '', { ...here, ...change }, options);
	const all = async () => await intents(await agentOf());

	test('publishing makes it, unpublishing leaves it without the address, publishing uses it again', async () => {
		const trigger = await creating();
		await trigger.activate();
		const [made, ...others] = await all();
		expect(others).toEqual([]);
		const itself = { name, key: 'find_a_slot', description, parameters: [day] };
		expect(made).toMatchObject({ ...itself, intent_llm_handle_by_response: true });
		expect(withoutQuery(made!.webhook.url)).toBe(trigger.url);
		await trigger.deactivate();
		expect(await all()).toMatchObject([{ name, webhook: nothing }]);
		const guests = { key: 'guests', type: 'number', default: 2, required: true };
		const changed = { intentName: 'Free slots', intentDescription: 'Asks when' };
		const parameter = [guests, { key: ' note ' }];
		const parameters: any = { ...here, ...changed, intentParameters: { parameter } };
		await trigger.setParameters({ agent: await agentOf(), ...parameters });
		await trigger.activate();
		const note = { key: 'note', type: 'string', default: '', required: false };
		expect(await all()).toMatchObject([
			{
				...{ intent_uuid: made!.intent_uuid, name: 'Free slots', description: 'Asks when' },
				parameters: [{ ...guests, default: '2' }, note],
			},
		]);
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
	});

	test('static data lost: the one that calls the workflow is used, else that of its name, and the answer to its creation may be lost', async () => {
		const foreign = await newIntent(await agentOf(), { webhook: crm });
		const same = someone();
		await sandbox.strike('POST /intents$', { status: 502, afterAcceptance: true }, { times: 1 });
		await (await creating({}, same)).activate();
		const renamed = await creating({ intentName: 'Free slots' }, same);
		await renamed.activate('init');
		expect(await all()).toMatchObject([
			{ intent_uuid: foreign, name: 'Book a table', webhook: crm },
			{ name: 'Free slots', webhook: { url: expect.stringContaining(renamed.url) } },
		]);
		await renamed.deactivate();
		expect(await all()).toMatchObject([{ webhook: crm }, { name, webhook: nothing }]);
		await (await creating({}, same)).activate();
		expect(await all()).toHaveLength(2);
	});

	test('one of that name that is described otherwise is not overwritten without Replace, and put back', async () => {
		await newIntent(await agentOf(), { ...table, name });
		const [before] = await all();
		expect(await publishing(await creating())).toMatch(
			/was not created by this node, and its description or parameters differ from those here/,
		);
		const trigger = await creating(replace);
		await trigger.activate();
		expect(await all()).toMatchObject([{ description, parameters: [day] }]);
		await trigger.deactivate();
		expect(await all()).toEqual([{ ...before, updated_at: expect.anything() }]);
	});

	test('what a person writes meanwhile stays, with the fields beside it', async () => {
		const theirs = await newIntent(await agentOf(), { ...table, name });
		const trigger = await creating(replace);
		const write = async (words: string) =>
			await changeIntent(await agentOf(), theirs, { name, description: words });
		const parameters = [day];
		for (const isPublishedAgain of [false, true]) {
			await trigger.activate();
			const words = `A person’s words ${isPublishedAgain}`;
			await write(words);
			if (isPublishedAgain) await trigger.activate('update');
			await trigger.deactivate();
			expect(await all()).toMatchObject([{ description: words, parameters, webhook: nothing }]);
		}
	});

	test('a platform that cannot create one says so', async () => {
		await sandbox.settings({ intents: { create: false } });
		expect(await publishing(await creating())).toMatch(
			/This workspace does not create intents at the undocumented path this node tried\. Create it on the platform/,
		);
	});
});

describe('the newer way, an action of the intent', () => {
	const livesAsAction = async ({ trigger, agent, intent }: Awaited<ReturnType<typeof scene>>) => {
		const during = await actionOf(agent, intent);
		expect([during.status, withoutQuery(during.webhook.url)]).toEqual(['deployed', trigger.url]);
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
		await trigger.deactivate();
		return await actionOf(agent, intent);
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
		expect(await livesAsAction(made)).toEqual({ ...theirs, status: 'deployed' });
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
		expect(await livesAsAction(made)).toMatchObject({ status: 'draft' });
		await made.trigger.activate();
		expect((await made.state()).action).toMatchObject({ status: 'deployed' });
	});

	test('neither way: explained', async () => {
		await sandbox.settings({ intents: { update: false, event: false } });
		expect(await publishing((await scene()).trigger)).toMatch(
			/cannot get a URL: the platform accepts it neither in an update nor as an action/,
		);
	});
});
