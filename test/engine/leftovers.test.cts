/** Webhooks of ours that are left over beside the one that counts: every event would come twice, so they must go. */
import { randomUUID } from 'node:crypto';
import { usePlatform } from './harness/index.cts';
import { post, someone, triggersOn, type Webhook } from './harness/triggers.cts';

const platform = usePlatform({ engine: { expressionEngine: 'legacy' }, speed: 10 });
const { sandbox } = platform;
const { addWebhook, agents, eventTrigger, listed } = triggersOn(platform);
const events = ['conversation_status'];

/** A trigger, its agent and the agent's webhook once it is published. */
async function scene(options: object = {}) {
	const [agent] = (await agents()) as [string];
	const trigger = await eventTrigger([agent], { events }, options);
	const publish = async () => {
		await trigger.activate();
		return (await listed(agent))[0] as Webhook;
	};
	return { agent, trigger, publish };
}

const shown = (webhooks: Webhook[]) =>
	webhooks.map(({ webhook_uuid: uuid, is_active: active }) => [uuid, active]);

/** Published, and a left-over beside the own one, as a lost answer or an n8n that was killed leaves it. */
async function both(path?: string) {
	const { agent, trigger, publish } = await scene();
	const own = await publish();
	const url = new URL(own.url);
	url.pathname = path ?? url.pathname;
	const extra = await addWebhook(agent, url.href);
	const oneEventStartsOne = async () => {
		const before = (await trigger.executions()).length;
		await sandbox.deliver({ agent, event: 'conversation_status', data: { n: 1 } });
		expect((await trigger.executions()).length - before).toBe(1);
	};
	return { agent, trigger, own, extra, oneEventStartsOne };
}
const before = `/webhook/${randomUUID()}/webhook`;

test.each([
	['the same address again', 'activate', undefined],
	['the same address again', 'init', undefined],
	['an address of before, with our token', 'activate', before],
] as const)(
	'%s: n8n is told that something is wrong, and (%s) removes the left-over, not the own one',
	async (_, activation, path) => {
		const { agent, trigger, own, oneEventStartsOne } = await both(path);
		expect(await trigger.method('checkExists')).toBe(false);
		await trigger.activate(activation);
		expect(await listed(agent)).toEqual([own]);
		expect(await trigger.method('checkExists')).toBe(true);
		await oneEventStartsOne();
	},
);

test('a platform that deletes nothing: the left-over is switched off, the own one goes on; unpublishing removes both', async () => {
	const { agent, trigger, own, extra, oneEventStartsOne } = await both(before);
	await sandbox.settings({ webhooks: { delete: false } });
	await trigger.activate();
	expect(shown(await listed(agent))).toEqual([
		[own.webhook_uuid, true],
		[extra.webhook_uuid, false],
	]);
	await oneEventStartsOne();
	await sandbox.settings({ webhooks: { delete: true } });
	await trigger.deactivate();
	expect(await listed(agent)).toEqual([]);
});

test.each(['without memory, the active one', 'the remembered one, although the other is first,'])(
	'of two at the address, %s stays',
	async (which) => {
		const same = someone();
		const { agent, trigger, publish } = await scene(same);
		const { url, webhook_uuid: first } = await publish();
		const second = await addWebhook(agent, url);
		const { registrations } = await trigger.staticData();
		const kept = [{ ...registrations[0], webhook: second.webhook_uuid }];
		const staticData = { 'node:Trigger': { registrations: kept } };
		const isRemembered = which.startsWith('the remembered');
		const off = { url, events, is_active: false };
		if (!isRemembered) await sandbox.api.patch(`/agents/${agent}/webhooks/${first}`, off);
		await (await scene({ ...same, ...(isRemembered && { staticData }) })).publish();
		expect(shown(await listed(agent))).toEqual([[second.webhook_uuid, true]]);
	},
);

test('the answer is lost, and a list shows the webhook only after the last look: said, and found by the next publish', async () => {
	await sandbox.settings({ manners: { lagMs: 600_000 } });
	await sandbox.strike('POST /webhooks$', { status: 502, afterAcceptance: true }, { times: 1 });
	const { agent, trigger } = await scene();
	await expect(trigger.activate()).rejects.toThrow(/502|unavailable|not sent/i);
	expect(await sandbox.state('webhooks')).toHaveLength(1);
	await sandbox.settings({ manners: { lagMs: 0 } });
	await trigger.activate();
	expect(await listed(agent)).toHaveLength(1);
});

// The same delivery twice: test/worlds.
test('deliveries with the same ID of another event, conversation or content all run', async () => {
	const { trigger, publish } = await scene();
	const { url } = await publish();
	const told: string[] = [];
	for (const more of [
		{},
		{ event: 'made_up' },
		{ data: { conversation_uuid: 'c' } },
		{ event: 'made_up' },
		{ data: { n: 2 } },
	]) {
		const body = { event: events[0], data: { n: 1 }, event_id: '17', ...more };
		const { status, data } = await post(url, body);
		told.push(`${status} ${data.message}`);
	}
	const [received, again] = ['200 Received', '200 Received before'];
	expect(told).toEqual([received, received, received, again, received]);
	const emitted = await trigger.emitted();
	expect(emitted).toHaveLength(4);
	expect(new Set(emitted.map(({ deliveryId }) => deliveryId)).size).toBe(3);
});
