/**
 * What an intent had before the ACP Intent Trigger took it, whatever happens to n8n meanwhile: URL, auth token, action,
 * name, description and parameters, before, during and after.
 */
import { randomUUID } from 'node:crypto';
import { usePlatform, type Trigger } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ speed: 10 });

const crm = { url: 'https://crm.example.com/answer?key=hidden-1', auth_token: 'hidden-2' };
const nothing = { url: '', auth_token: '' };
const described = {
	name: 'Book a table',
	description: 'The customer wants to come for dinner',
	parameters: [{ key: 'guests', default: '2', type: 'integer', required: true }],
};
const replace = { options: { replace: true } };
const here = {
	intentToUse: 'create',
	intentName: described.name,
	intentDescription: 'Somebody wants a table',
	intentParameters: { parameter: [{ key: 'day', type: 'string', default: '', required: true }] },
};
const app = {
	event_type: 'app',
	app_uid: 'tables',
	action_key: 'ai_query',
	config: { max_results: 3 },
};

const agentOf = async (): Promise<string> => (await sandbox.state('agents'))[0].agent_uuid;

async function newIntent(agent: string, fields: object = {}): Promise<string> {
	const body = { ...described, ...fields };
	const { data, status } = await sandbox.api.post(`/agents/${agent}/intents`, body);
	expect(status).toBe(201);
	return data.data.intent_uuid;
}

/** Everything about an intent that a trigger may change. */
async function stateOf(agent: string, intent: string) {
	const { data } = await sandbox.api.get(`/agents/${agent}`);
	const found = data.data.intents.find((one: any) => one.intent_uuid === intent);
	const action = await sandbox.api.get(`/agents/${agent}/intents/${intent}/event`);
	const { name, description, parameters, webhook = nothing } = found;
	return { name, description, parameters, webhook, action: action.data.data ?? null };
}

const triggerFor = async (
	agent: string,
	intent: unknown,
	more: object = {},
	options: object = {},
): Promise<Trigger> =>
	await engine.trigger('acpIntentTrigger', { agent, intent, ...more } as never, options);

async function setAction(agent: string, intent: string, action: object) {
	const path = `/agents/${agent}/intents/${intent}/event`;
	expect((await sandbox.api.put(path, action)).status).toBe(200);
	await sandbox.api.post(`${path}/publish`);
}

const message = async (promise: Promise<unknown>): Promise<string> =>
	await promise.then(
		() => 'done',
		(error: Error) => error.message,
	);

const withoutQuery = (url = '') => url.split('?')[0];
const isOurs = ({ webhook, action }: Awaited<ReturnType<typeof stateOf>>): boolean =>
	/\/webhook(-test)?\/.*[?&]token=/.test(action?.webhook?.url ?? webhook.url);

/** An intent, what it is before, and triggers of one node that know nothing of each other: n8n between two lives. */
async function scene(kind: string) {
	const agent = await agentOf();
	const intent = await newIntent(
		agent,
		kind === 'nothing' || kind === 'an action' ? {} : { webhook: crm },
	);
	if (kind.includes('action')) await setAction(agent, intent, app);
	const same = { webhookId: randomUUID(), workflowId: randomUUID() };
	const parameters = kind.includes('description') ? here : {};
	const node = async (options: object = {}): Promise<Trigger> =>
		await triggerFor(agent, intent, { ...parameters, ...replace }, { ...same, ...options });
	const state = async () => await stateOf(agent, intent);
	return { agent, intent, node, state, before: await state() };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** The next requests to intents by a method are answered 502. */
const failing = async (method: string, times: number) =>
	await sandbox.faults([
		{
			match: { method, path: '/intents/' },
			times,
			fault: { kind: 'status', status: 502, afterAcceptance: true },
		} as never,
	]);

/** The platform takes nothing back. */
const refusingWrites = async () =>
	await sandbox.faults(
		['PATCH', 'POST'].map((method) => ({
			match: { method, path: '/intents/' },
			fault: { kind: 'status', status: 503 },
		})) as never,
	);

/** What happens between taking the intent and giving it back; at its end nothing of the node may be left. */
const lives: Array<[string, (scene: Scene) => Promise<unknown>]> = [
	[
		'another node of the workflow is refused, n8n 1.x takes all back with what it had saved',
		async ({ node, state }) => {
			await (await node()).activate();
			const during = await state();
			await (await node()).deactivate();
			return during;
		},
	],
	[
		'listening, published meanwhile, the test ends, unpublished',
		async ({ node, state }) => {
			const trigger = await node();
			await trigger.listen();
			await trigger.activate();
			const during = await state();
			await trigger.stopListening();
			await trigger.deactivate();
			return during;
		},
	],
	[
		'n8n stops while an unpublished workflow listens; the next test ends',
		async ({ node, state }) => {
			await (await node()).listen();
			const during = await state();
			const next = await node();
			await next.listen();
			await next.stopListening();
			return during;
		},
	],
	[
		'n8n stops while an unpublished workflow listens; published and unpublished',
		async ({ node, state }) => {
			await (await node()).listen();
			const during = await state();
			const next = await node();
			await next.activate();
			await next.deactivate();
			return during;
		},
	],
	[
		'n8n is killed before it saves; started, and unpublished',
		async ({ node, state }) => {
			await (await node()).activate();
			const during = await state();
			const next = await node();
			await next.activate('init');
			expect(await state()).toEqual(during);
			await next.deactivate();
			return during;
		},
	],
	[
		'a long execution overwrites static data with an older state',
		async ({ node, state }) => {
			await (await node()).activate();
			const during = await state();
			await (await node({ staticData: { 'node:Trigger': { registrations: [] } } })).deactivate();
			return during;
		},
	],
	[
		'another workflow of this n8n wants it, too: refused until it is unpublished here',
		async ({ agent, intent, node, state }) => {
			const [first, second] = [await node(), await triggerFor(agent, intent, replace)];
			await first.activate();
			const during = await state();
			expect(await message(second.activate())).toMatch(
				/another workflow of this n8n\. Unpublish it there first/,
			);
			expect(await state()).toEqual(during);
			await first.deactivate();
			await second.activate();
			const { action, webhook } = await state();
			expect(withoutQuery(action?.webhook?.url ?? webhook.url)).toBe(second.url);
			await second.deactivate();
			return during;
		},
	],
];

describe.each(['another URL', 'nothing', 'an action', 'a description and an action'])(
	'an intent that has %s',
	(kind) => {
		test.each(lives)('%s: all is given back', async (_, live) => {
			const intent = await scene(kind);
			const during = await live(intent);
			expect(isOurs(during as never)).toBe(true);
			expect(await intent.state()).toEqual(intent.before);
		});

		test.each([
			['PATCH', 2],
			['PUT', 2],
			['POST', 2],
			['PATCH', 4],
		])('%s is carried out and answered 502, %i times: given back', async (method, times) => {
			const { node, state, before } = await scene(kind);
			const trigger = await node();
			await failing(method, times);
			const told = await message(trigger.activate());
			await sandbox.clearFaults();
			if (told === 'done') await trigger.deactivate();
			else await (await node()).deactivate();
			expect(await state()).toEqual(before);
		});

		test('giving back stops in the middle: the next one finishes', async () => {
			const { node, state, before } = await scene(kind);
			const trigger = await node();
			await trigger.activate();
			await refusingWrites();
			await trigger.deactivate();
			await sandbox.clearFaults();
			await trigger.deactivate();
			expect(await state()).toEqual(before);
		});
	},
);

describe('Evidence: what nobody knows is taken for nothing', () => {
	test('the URL of this node without what was before: left as it is, and said', async () => {
		const { agent, intent, node, state } = await scene('another URL');
		await (await node()).activate();
		const { webhook } = await state();
		const url = new URL(webhook.url);
		url.searchParams.delete('before');
		await sandbox.api.patch(`/agents/${agent}/intents/${intent}`, {
			name: described.name,
			webhook: { ...webhook, url: url.href },
		});
		const next = await node();
		await next.deactivate();
		expect((await state()).webhook.url).toBe(url.href);
		expect(engine.log).toMatch(/was left as it is, because nothing tells what it did before/);
		await next.activate();
		await next.deactivate();
		expect(withoutQuery((await state()).webhook.url)).toBe(next.url);
	});

	test('sealed under another API token: left as it is, and opened by that token again', async () => {
		const { node, state, before } = await scene('another URL');
		await (await node()).activate();
		const during = await state();
		const { token } = await sandbox.addToken('workspace');
		const stranger = await node({ credentials: { acpApi: sandbox.credential({ token }) } });
		await stranger.deactivate();
		expect(await state()).toEqual(during);
		await (await node()).deactivate();
		expect(await state()).toEqual(before);
	});
});

describe('Replace', () => {
	test('another workflow of this n8n with another token: refused', async () => {
		const { agent, intent, node, state } = await scene('another URL');
		const { token } = await sandbox.addToken('workspace');
		const foreign = { acpApi: sandbox.credential({ token }) };
		await (await node({ credentials: foreign })).activate();
		const during = await state();
		const second = await triggerFor(agent, intent, replace);
		expect(await message(second.activate())).toMatch(
			/another workflow of this n8n\. Unpublish it there first/,
		);
		expect(await state()).toEqual(during);
	});

	test('another node of the same workflow, whose expression names the same intent: refused', async () => {
		const { agent, intent, state } = await scene('another URL');
		const [one, other] = [randomUUID(), randomUUID()];
		const twin = (name: string, webhookId: string, value: string) => ({
			name,
			type: 'n8n-nodes-agent-conversation-platform.acpIntentTrigger',
			typeVersion: 1.1,
			webhookId,
			parameters: { agent, intent: value, ...replace },
		});
		const inOne = { workflowId: 'twins', webhookId: one, nodeId: 'first' };
		const inOther = { workflowId: 'twins', webhookId: other, nodeId: 'second' };
		const first = await triggerFor(agent, intent, replace, {
			...inOne,
			nodes: [twin('Second', other, `={{ "${intent}" }}`)],
		});
		const second = await triggerFor(agent, `={{ "${intent}" }}`, replace, {
			...inOther,
			nodes: [twin('First', one, intent)],
		});
		await first.activate();
		const during = await state();
		expect(await message(second.activate())).toMatch(
			/"Trigger" and "First" answer for the same intent/,
		);
		expect(await state()).toEqual(during);
	});

	test('what it does is too long for the URL: refused, nothing changed', async () => {
		const { agent, intent, state, before } = await scene('a description and an action');
		await setAction(agent, intent, { ...app, config: { note: 'x'.repeat(2000) } });
		const long = await state();
		const trigger = await triggerFor(agent, intent, replace);
		expect(await message(trigger.activate())).toMatch(
			/cannot be taken over: what it does now is kept in the callback URL, which would have \d+ characters/,
		);
		expect(await state()).toEqual(long);
		expect(before.action).not.toEqual(long.action);
	});

	test.each(['init', 'leadershipChange'] as const)(
		'n8n starts (%s): only a person’s publishing takes it',
		async (activation) => {
			const { node, state, before } = await scene('another URL');
			const trigger = await node();
			expect(await message(trigger.activate(activation))).toMatch(
				/takes it over only when a person publishes this workflow, not when n8n starts/,
			);
			expect(await state()).toEqual(before);
			await trigger.activate('update');
			expect(isOurs(await state())).toBe(true);
		},
	);

	test('what it had shows in no URL, log or static data', async () => {
		const { node, state } = await scene('another URL');
		const trigger = await node();
		await trigger.activate();
		const all = [JSON.stringify(await state()), engine.log, JSON.stringify(await trigger.state())];
		for (const text of all) expect(text).not.toMatch(/hidden-[12]|crm\.example\.com/);
	});
});

describe('a test while the workflow is published', () => {
	const ask = async (url: string) => {
		const answer = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ parameters: { guests: '4' } }),
		});
		return { status: answer.status, body: await answer.json() };
	};

	async function published(options: object = {}) {
		const intent = await scene('another URL');
		const trigger = await intent.node(options);
		await trigger.activate();
		return { ...intent, trigger, during: await intent.state() };
	}

	test('says that the published workflow answers, which goes on', async () => {
		const { trigger, state, during, before } = await published();
		expect(await message(trigger.listen())).toMatch(
			/goes on calling the published workflow, which answers it\. Unpublish this workflow for the test/,
		);
		expect(await state()).toEqual(during);
		expect(await ask(during.webhook.url)).toMatchObject({
			status: 200,
			body: { parameters: { guests: 4 } },
		});
		await trigger.deactivate();
		expect(await state()).toEqual(before);
	});

	test('the editor has another origin than the webhooks', async () => {
		const { trigger, state, during, before } = await published({
			editorBaseUrl: 'http://editor.example.com/',
		});
		expect(await message(trigger.listen())).toMatch(/goes on calling the published workflow/);
		expect(await state()).toEqual(during);
		await trigger.deactivate();
		expect(await state()).toEqual(before);
		await trigger.listen();
		expect((await state()).webhook.url).toMatch(/^http:\/\/editor\.example\.com\/webhook-test\//);
		await trigger.activate();
		expect(await state()).toEqual(during);
		await trigger.stopListening();
		await trigger.deactivate();
		expect(await state()).toEqual(before);
	});

	test('left by an outage, but unpublished: the test takes it, and heals it', async () => {
		const { trigger, state, before } = await published();
		await sandbox.strike('^/agents', 503);
		await trigger.deactivate();
		await sandbox.clearFaults();
		await trigger.listen();
		expect(withoutQuery((await state()).webhook.url)).toBe(trigger.info.testUrl);
		await trigger.stopListening();
		expect(await state()).toEqual(before);
	});

	test('of another workflow: does not take it away', async () => {
		const { agent, intent, state, during } = await published();
		const other = await triggerFor(agent, intent, replace);
		expect(await message(other.listen())).toMatch(/Unpublish it there first/);
		expect(await state()).toEqual(during);
	});
});

describe('unpublishing while the platform is away', () => {
	const away = async () => await sandbox.strike('^/agents', 503);

	test('n8n that tries again shows what is left; one try that succeeds is enough', async () => {
		const { node, state, before } = await scene('another URL');
		const trigger = await node();
		await trigger.activate();
		await away();
		expect(await message(trigger.deactivateWithRetry())).toMatch(/could not be restored\./);
		await sandbox.clearFaults();
		await sandbox.faults([
			{ match: { path: '^/agents' }, times: 2, fault: { kind: 'status', status: 503 } } as never,
		]);
		expect(await message(trigger.deactivateWithRetry())).toBe('done');
		expect(await state()).toEqual(before);
	});

	test('the workflow is deleted: the next publish of any other trigger gives it back', async () => {
		const { agent, node, state, before } = await scene('another URL');
		const trigger = await node();
		await trigger.activate();
		await away();
		expect(await message(trigger.deactivate())).toBe('done');
		await sandbox.clearFaults();
		const other = await engine.trigger('acpTrigger', { agents: [agent] } as never);
		await other.activate();
		expect(await state()).toEqual(before);
		await other.deactivate();
	});

	test('what is left even then is named', async () => {
		const { agent, intent, node } = await scene('another URL');
		const trigger = await node();
		await trigger.activate();
		await away();
		await trigger.deactivate();
		await sandbox.clearFaults();
		await sandbox.faults([
			{
				match: { method: 'PATCH', path: '/intents/' },
				fault: { kind: 'status', status: 503 },
			} as never,
		]);
		const other = await engine.trigger('acpTrigger', { agents: [agent] } as never);
		await other.activate();
		expect(engine.log).toMatch(
			new RegExp(
				`ACP Event Trigger: another trigger of this n8n has left something\\. The intent ${intent} of agent`,
			),
		);
		await sandbox.clearFaults();
		await other.deactivate();
	});

	test('published again meanwhile: nobody takes it away later', async () => {
		const { agent, node, state } = await scene('another URL');
		const trigger = await node();
		await trigger.activate();
		const during = await state();
		await away();
		await trigger.deactivate();
		await sandbox.clearFaults();
		await trigger.activate();
		const other = await engine.trigger('acpTrigger', { agents: [agent] } as never);
		await other.activate();
		await other.deactivate();
		expect(await state()).toEqual(during);
	});
});
