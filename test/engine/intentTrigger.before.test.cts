/**
 * What an intent had before the Agent Question Trigger took it, whatever happens to n8n meanwhile: URL, auth token, action,
 * name, description and parameters, before, during and after.
 */
import { createServer, type Server } from 'node:http';
import { randomUUID } from 'node:crypto';
import { usePlatform, type Trigger } from './harness/index.cts';
import { post, publishing, someone, told, triggersOn, withoutQuery } from './harness/triggers.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine } = platform;
const { actionOf, agents, changeIntent, intentOf, intentTrigger, newIntent, setAction } =
	triggersOn(platform);

const crm = { url: 'https://crm.example.com/answer?key=hidden-1', auth_token: 'hidden-2' };
const described = {
	description: 'The customer wants to come for dinner',
	parameters: [{ key: 'guests', default: '2', type: 'integer', required: true }],
};
const replace = { options: { replace: true } };
const here = {
	intentToUse: 'create',
	intentName: 'Book a table',
	intentDescription: 'Somebody wants a table',
	intentParameters: { parameter: [{ key: 'day', type: 'string', default: '', required: true }] },
};
const app = {
	event_type: 'app',
	app_uid: 'tables',
	action_key: 'ai_query',
	config: { max_results: 3 },
};
const taken = /another workflow of this n8n\. Unpublish it there first/;

/** An intent, what it is before, and triggers of one node that know nothing of each other: n8n between two lives. */
async function scene(kind = 'another URL') {
	const [agent] = (await agents()) as [string];
	const calls = kind === 'nothing' || kind === 'an action' ? {} : { webhook: crm };
	const intent = await newIntent(agent, { ...described, ...calls });
	if (kind.includes('action')) await setAction(agent, intent, app);
	const same = someone();
	const parameters = kind.includes('description') ? here : {};
	const node = async (options: object = {}): Promise<Trigger> =>
		await intentTrigger(agent, intent, { ...parameters, ...replace }, { ...same, ...options });
	/** Everything about the intent that a trigger may change. */
	const state = async () => {
		const { name, description, parameters: asked, webhook } = await intentOf(agent, intent);
		const action = await actionOf(agent, intent);
		return { name, description, parameters: asked, webhook, action };
	};
	return { agent, intent, node, state, before: await state() };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const urlOf = ({ webhook, action }: Scene['before']): string => action?.webhook?.url ?? webhook.url;
const isOurs = (state: Scene['before']) => /\/webhook(-test)?\/.*[?&]token=/.test(urlOf(state));
/** The platform answers nobody; or it takes nothing back. */
const away = async () => await sandbox.strike('^/agents', 503);
const refusingWrites = async () => {
	for (const method of ['PATCH', 'POST']) await sandbox.strike(`${method} /intents/`, 503);
};

test.each([
	['PATCH', 2],
	['PUT', 2],
	['POST', 2],
	['PATCH', 4],
])(
	'a description and an action: %s is carried out and answered 502, %i times: given back',
	async (method, times) => {
		const { node, state, before } = await scene('a description and an action');
		const trigger = await node();
		const lost = { status: 502, afterAcceptance: true };
		await sandbox.strike(`${method} /intents/`, lost, { times });
		const ended = await publishing(trigger);
		await sandbox.clearFaults();
		await (ended === 'done' ? trigger : await node()).deactivate();
		expect(await state()).toEqual(before);
	},
);

describe('Evidence: what nobody knows is taken for nothing', () => {
	test('the URL of this node without what was before: left as it is, and said', async () => {
		const { agent, intent, node, state } = await scene();
		await (await node()).activate();
		const { webhook } = await state();
		const url = new URL(webhook.url);
		url.searchParams.delete('before');
		await changeIntent(agent, intent, { webhook: { ...webhook, url: url.href } });
		const next = await node();
		await next.deactivate();
		expect((await state()).webhook.url).toBe(url.href);
		expect(await engine.logged()).toMatch(
			/was left as it is, because it is not known what it did before/,
		);
		await next.activate();
		await next.deactivate();
		expect(withoutQuery((await state()).webhook.url)).toBe(next.url);
	});

	test('sealed under another API token: left as it is, and opened by that token again', async () => {
		const { node, state, before } = await scene();
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
	test.each(['init', 'leadershipChange'] as const)(
		'n8n starts (%s): only a person’s publishing takes it',
		async (activation) => {
			const { node, state, before } = await scene();
			const trigger = await node();
			expect(await publishing(trigger, activation)).toMatch(
				/takes it over only when a person publishes this workflow, not when n8n starts/,
			);
			expect(await state()).toEqual(before);
			await trigger.activate('update');
			expect(isOurs(await state())).toBe(true);
		},
	);

	test('another workflow of this n8n with another token: refused', async () => {
		const { agent, intent, node, state } = await scene();
		const { token } = await sandbox.addToken('workspace');
		const foreign = { acpApi: sandbox.credential({ token }) };
		await (await node({ credentials: foreign })).activate();
		const during = await state();
		expect(await publishing(await intentTrigger(agent, intent, replace))).toMatch(taken);
		expect(await state()).toEqual(during);
	});

	test('another node of the same workflow, whose expression names the same intent: refused', async () => {
		const { agent, intent, state } = await scene();
		const expression = `={{ "${intent}" }}`;
		const [one, two] = [randomUUID(), randomUUID()];
		const nodeWith = async (nodeId: string, own: string, theirs: string, chosen: string[]) =>
			await intentTrigger(agent, chosen[0], replace, {
				...{ workflowId: 'twins', webhookId: own, nodeId },
				nodes: [
					{
						name: 'Twin',
						type: 'n8n-nodes-agent-conversation-platform.acpIntentTrigger',
						webhookId: theirs,
						parameters: { agent, intent: chosen[1], ...replace } as never,
					},
				],
			});
		const first = await nodeWith('first', one, two, [intent, expression]);
		const second = await nodeWith('second', two, one, [expression, intent]);
		await first.activate();
		const during = await state();
		expect(await publishing(second)).toMatch(/"Trigger" and "Twin" answer for the same intent/);
		expect(await state()).toEqual(during);
	});

	test('what it does is too long for the URL: refused, nothing changed', async () => {
		const { agent, intent, state } = await scene();
		await setAction(agent, intent, { ...app, config: { note: 'x'.repeat(2000) } });
		const long = await state();
		expect(await publishing(await intentTrigger(agent, intent, replace))).toMatch(
			/cannot be taken over: what it does now is kept in the callback URL, which would have \d+ characters/,
		);
		expect(await state()).toEqual(long);
	});
});

describe('a test while the workflow is published', () => {
	async function published(options: object = {}) {
		const intent = await scene();
		const trigger = await intent.node(options);
		await trigger.activate();
		return { ...intent, trigger, during: await intent.state() };
	}
	const goesOn =
		/goes on calling the published workflow, which answers it\. Unpublish this workflow for the test/;

	test('says that the published workflow answers, which goes on', async () => {
		const { trigger, state, during } = await published();
		expect(await told(trigger.listen())).toMatch(goesOn);
		expect(await state()).toEqual(during);
		const { status } = await post(during.webhook.url, { parameters: { guests: '4' } });
		const [{ parameters }] = await trigger.emitted();
		expect([status, parameters]).toEqual([200, { guests: 4 }]);
	});

	/** What stands at the public URL; the engine listens elsewhere. */
	test.each<[string, [status: number, body: string] | undefined, RegExp | 'done']>([
		['nobody answers', undefined, goesOn],
		['a proxy answers 404 for n8n', [404, 'Not Found'], goesOn],
		['a proxy answers n8n’s words', [502, '{"message":"is not registered"}'], goesOn],
		['n8n says that it serves nobody there', [404, '{"message":"is not registered"}'], 'done'],
	])('%s at its URL: only n8n’s own no is one', async (_, answer, expected) => {
		const server: Server = createServer((__, response) => {
			response.writeHead(answer?.[0] ?? 200).end(answer?.[1]);
		});
		const port = await new Promise<number>((resolve) => {
			server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
		});
		if (!answer) server.close();
		const { trigger, state, before } = await published({
			webhookBaseUrl: `http://127.0.0.1:${port}/`,
		});
		expect(await told(trigger.listen())).toMatch(expected);
		await trigger.stopListening();
		await trigger.deactivate();
		server.close();
		expect(await state()).toEqual(before);
	});

	test('the editor has another origin than the webhooks', async () => {
		const { trigger, state, during, before } = await published({
			editorBaseUrl: 'http://editor.example.com/',
		});
		expect(await told(trigger.listen())).toMatch(goesOn);
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
		await away();
		await trigger.deactivate();
		await sandbox.clearFaults();
		await trigger.listen();
		expect(withoutQuery((await state()).webhook.url)).toBe(trigger.info.testUrl);
		await trigger.stopListening();
		expect(await state()).toEqual(before);
	});
});

describe('unpublishing while the platform is away', () => {
	/** Published, then unpublished in vain. */
	async function left(unpublish = async (trigger: Trigger) => await trigger.deactivate()) {
		const intent = await scene();
		const trigger = await intent.node();
		await trigger.activate();
		const during = await intent.state();
		await away();
		const message = await told(unpublish(trigger));
		await sandbox.clearFaults();
		const other = await engine.trigger('acpTrigger', { agents: [intent.agent] });
		return { ...intent, trigger, during, message, other };
	}

	test('n8n that tries again shows what is left; one try that succeeds is enough', async () => {
		const withRetry = async (trigger: Trigger) => await trigger.deactivateWithRetry();
		const { trigger, message, state, before } = await left(withRetry);
		expect(message).toMatch(/could not be restored\. .*n8n responds with 404/);
		await sandbox.strike('^/agents', 503, { times: 2 });
		expect(await told(trigger.deactivateWithRetry())).toBe('done');
		expect(await state()).toEqual(before);
	});

	test('the workflow is deleted: the next publish of any other trigger gives it back', async () => {
		const { message, other, state, before } = await left();
		expect(message).toBe('done');
		await other.activate();
		expect(await state()).toEqual(before);
		await other.deactivate();
	});

	test('what is left even then is named', async () => {
		const { intent, other } = await left();
		await refusingWrites();
		await other.activate();
		expect(await engine.logged()).toMatch(
			new RegExp(
				`Conversation Event Trigger: another trigger of this n8n has left something\\. The intent ${intent} of agent`,
			),
		);
		await sandbox.clearFaults();
		await other.deactivate();
	});

	test('published again meanwhile: nobody takes it away later', async () => {
		const { trigger, other, state, during } = await left();
		await trigger.activate();
		await other.activate();
		await other.deactivate();
		expect(await state()).toEqual(during);
	});
});
