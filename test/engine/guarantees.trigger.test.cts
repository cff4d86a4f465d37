/**
 * Whose webhook is it: what the Conversation Event Trigger does with webhooks of copies, of other n8n and of its own past, and
 * that unpublishing always comes to its end. Seen from the platform; what travels with which copy is n8n's (2.40 and
 * 1.123).
 */
import { randomUUID } from 'node:crypto';
import { usePlatform } from './guarantees/platform.cts';
import type { TriggerOptions } from './harness/index.cts';
import { publishing, triggersOn, withoutQuery } from './harness/triggers.cts';

const platform = usePlatform();
const { sandbox, engine } = platform;
const { agents: agentsOf, eventTrigger, fill, listed, publishedEvents } = triggersOn(platform);

const production = 'http://127.0.0.1:5678/';
const staging = 'http://127.0.0.1:9999/';

const firstAgent = async (): Promise<string> => (await agentsOf())[0]!;
/** ID and origin of each webhook of an agent. */
const madeOf = async (agent: string) =>
	(await listed(agent)).map(({ webhook_uuid: uuid, url }) => [uuid, `${new URL(url).origin}/`]);
const triggerFor = async (agent: string, options: TriggerOptions = {}, more: object = {}) =>
	await eventTrigger([agent], more, options);

/** A token of the workspace that takes the place of the first. */
async function renewed() {
	const { token } = await sandbox.addToken('workspace', { label: 'next' });
	return { acpApi: sandbox.credential({ token }) };
}

/** A published workflow, and what a copy of it takes along. */
async function original(options: TriggerOptions = {}) {
	const about = { webhookId: randomUUID(), workflowId: 'original' };
	const { agent, trigger, webhook } = await publishedEvents({}, { ...about, ...options });
	const { staticData } = await trigger.state();
	return { agent, about, trigger, before: [webhook], staticData };
}

describe('Guarantee: a webhook belongs to one node of one workflow in one n8n', () => {
	test('a copy with an address of its own, static data and all: one each, unpublishing one leaves the other’s', async () => {
		const { agent, trigger, before, staticData } = await original();
		const copy = await triggerFor(agent, { workflowId: 'copy', staticData });
		await copy.activate();
		expect(await listed(agent)).toHaveLength(2);
		expect(await listed(agent)).toEqual(expect.arrayContaining(before));
		// Nothing of the original is left in the copy: its token does not open this one either.
		expect((await copy.staticData()).registrations).toMatchObject([{ workflow: 'copy' }]);
		const deliveries = await sandbox.deliver({ agent, event: 'conversation_end_report' });
		expect(deliveries.map(({ status }) => status)).toEqual([200, 200]);
		await copy.deactivate();
		expect(await listed(agent)).toEqual(before);
		await copy.activate();
		await trigger.deactivate();
		expect((await listed(agent)).map(({ url }) => withoutQuery(url))).toEqual([copy.url]);
	});

	test.each<[string, TriggerOptions]>([
		['a copy that kept the address', { workflowId: 'copy' }],
		['another node that took over its name, and so its static data', { nodeId: 'other' }],
	])('%s: the original’s survives its clearing up', async (_, other) => {
		const { agent, about, before, staticData } = await original();
		const copy = await triggerFor(agent, { ...about, staticData, ...other });
		// n8n refuses it while the original is published.
		await copy.deactivate();
		expect(await listed(agent)).toEqual(before);
		expect(await engine.logged()).toContain(
			`of agent ${agent} was not changed: it has this node's URL, but not this node's token`,
		);
		await copy.activate();
		expect(await listed(agent)).toHaveLength(2);
		await copy.deactivate();
		expect(await listed(agent)).toEqual(before);
	});

	test('static data without workflow and node proves nothing', async () => {
		const { agent, about, before, staticData } = await original();
		const older = structuredClone(staticData) as any;
		for (const entry of older['node:Trigger'].registrations) {
			delete entry.workflow;
			delete entry.node;
		}
		const options = { ...about, staticData: older, credentials: await renewed() };
		await (await triggerFor(agent, options)).deactivate();
		expect(await listed(agent)).toEqual(before);
	});

	test.each(['activate', 'init'] as const)(
		'a copy of the whole n8n under another address: production’s is left and named (%s)',
		async (activation) => {
			const { agent, about, before, staticData } = await original({ webhookBaseUrl: production });
			// With static data, and where that was lost: the token in the URL tells.
			for (const kept of [staticData, {}]) {
				const cloned = { ...about, staticData: kept, webhookBaseUrl: staging };
				const copy = await triggerFor(agent, cloned);
				const told = (await engine.logged()).length;
				await copy.activate(activation);
				const origins = (await madeOf(agent)).map(([, origin]) => origin);
				expect(origins.sort()).toEqual([production, staging]);
				expect((await engine.logged()).slice(told)).toContain(
					`of agent ${agent} was not changed: this workflow registered it under another URL than this n8n's, http://127.0.0.1:9999. If another n8n runs there, that is correct. If this n8n has moved from there, enter http://127.0.0.1:5678 in the option 'Take Over From' and publish again.`,
				);
				await copy.deactivate();
				expect(await listed(agent)).toEqual(before);
			}
			await fill(agent, 4);
			const copy = await triggerFor(agent, { ...about, staticData, webhookBaseUrl: staging });
			const message = await publishing(copy);
			expect(message).toContain('already has 5 webhooks, which is the maximum');
			expect(message).toContain("enter http://127.0.0.1:5678 in the option 'Take Over From'");
		},
	);

	test.each(['http://127.0.0.1:5678', ' http://127.0.0.1:5678/workflow/abc?x=1 '])(
		'moved to another address, with Take Over From %p: moved, not doubled; nothing of another workflow',
		async (takeOverFrom) => {
			const { agent, about, before, staticData } = await original({ webhookBaseUrl: production });
			const options = { ...about, staticData, webhookBaseUrl: staging };
			const takingOver = { options: { takeOverFrom } };
			const other = await triggerFor(agent, { ...options, workflowId: 'other' }, takingOver);
			await other.activate();
			expect(await listed(agent)).toEqual(expect.arrayContaining(before));
			await other.deactivate();
			expect(await listed(agent)).toEqual(before);
			const moved = await triggerFor(agent, options, takingOver);
			await moved.activate();
			expect(await madeOf(agent)).toEqual([[before[0]!.webhook_uuid, staging]]);
			expect(await moved.method('checkExists')).toBe(true);
			await moved.deactivate();
			expect(await listed(agent)).toEqual([]);
		},
	);

	test('moved, with a new token in the credential and an own webhook already: the old one goes', async () => {
		const { agent, about, staticData } = await original({ webhookBaseUrl: production });
		const moved = { ...about, webhookBaseUrl: staging, credentials: await renewed() };
		const first = await triggerFor(agent, { ...moved, staticData });
		await first.activate();
		expect(await listed(agent)).toHaveLength(2);
		const options = { ...moved, staticData: (await first.state()).staticData };
		const told = await triggerFor(agent, options, { options: { takeOverFrom: production } });
		expect(await told.method('checkExists')).toBe(false);
		await told.activate();
		expect((await madeOf(agent)).map(([, origin]) => origin)).toEqual([staging]);
	});

	test.each([
		['the agent is empty', 0],
		['one place is left', 4],
	])('two n8n with one database publish at once, %s: one webhook', async (_, others) => {
		const agent = await firstAgent();
		await fill(agent, others);
		await sandbox.settings({ latencyMs: 300 });
		const about = { webhookId: randomUUID(), workflowId: 'same' };
		const both = [await triggerFor(agent, about), await triggerFor(agent, about)];
		const told = await Promise.all(both.map(async (trigger) => await publishing(trigger)));
		expect(told).toEqual(['done', 'done']);
		await sandbox.settings({ latencyMs: 0 });
		expect(await listed(agent)).toHaveLength(others + 1);
		// Whichever saved last: unpublishing finds it.
		await both[0]!.deactivate();
		expect(await listed(agent)).toHaveLength(others);
	});

	test('two nodes of one workflow with one address: refused in words', async () => {
		const agent = await firstAgent();
		const webhookId = randomUUID();
		const type = 'n8n-nodes-agent-conversation-platform.acpTrigger';
		const twin = { name: 'Twin', type, webhookId };
		const refused = await triggerFor(agent, { webhookId, nodes: [twin] });
		const message = await publishing(refused);
		expect(message).toContain('"Trigger" and "Twin" have the same webhook URL, so n8n would pass');
		expect(message).toContain('Delete one of the two and add a new Conversation Event Trigger');
		expect(await listed(agent)).toEqual([]);
		for (const other of [{ disabled: true }, { webhookId: randomUUID() }]) {
			const beside = { webhookId, nodes: [{ ...twin, ...other }] };
			expect(await publishing(await triggerFor(agent, beside))).toBe('done');
		}
		// Nobody is looking when n8n starts: what can run should run.
		expect(await publishing(refused, 'init')).toBe('done');
		expect(await engine.logged()).toContain('"Trigger" and "Twin" have the same webhook URL');
	});
});

describe('Guarantee: unpublishing always comes to its end, and what is left is cleared up later', () => {
	test('the credential is deleted: named in the log, removed once there is another', async () => {
		const { agent, trigger, before } = await original();
		await trigger.setCredentials({});
		expect(await trigger.method('delete')).toBe(false);
		expect(await engine.logged()).toMatch(
			new RegExp(`of agent ${agent} could not be removed\\. .+ The next publish with a working`),
		);
		expect(await listed(agent)).toEqual(before);
		await trigger.setCredentials(await renewed());
		await trigger.activate();
		expect((await madeOf(agent)).map(([uuid]) => uuid)).toEqual([before[0]!.webhook_uuid]);
		await trigger.deactivate();
		expect(await listed(agent)).toEqual([]);
	});
});
