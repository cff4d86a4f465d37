/** Webhooks of ours that are left over beside the one that counts: every event would come twice, so they must go. */
import { randomUUID } from 'node:crypto';
import { until, usePlatform, type Trigger } from './harness/index.cts';
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

/** Executions that one event of the platform starts. */
async function executionsOfOneEvent(agent: string, trigger: Trigger): Promise<number> {
	const before = (await trigger.executions()).length;
	await sandbox.deliver({ agent, event: 'conversation_status', data: { n: 1 } });
	return (await trigger.executions()).length - before;
}

const shown = (webhooks: Webhook[]) =>
	webhooks.map(({ webhook_uuid: uuid, is_active: active }) => [uuid, active]);

/** A second webhook of ours, as a lost answer or an n8n that was killed leaves it. */
const leftovers: Array<[string, (own: URL) => void]> = [
	['the same address again', () => undefined],
	[
		'an address of before, with our token',
		(own) => {
			own.pathname = `/webhook/${randomUUID()}/webhook`;
		},
	],
];

describe.each(leftovers)('%s', (_, change) => {
	/** Published, and a left-over beside the own one. */
	async function both() {
		const { agent, trigger, publish } = await scene();
		const own = await publish();
		const url = new URL(own.url);
		change(url);
		return { agent, trigger, own, extra: await addWebhook(agent, url.href) };
	}

	test.each(['activate', 'init'] as const)(
		'n8n is told that something is wrong, and that (%s) removes the left-over, not the own one',
		async (activation) => {
			const { agent, trigger, own } = await both();
			expect(await trigger.method('checkExists')).toBe(false);
			await trigger.activate(activation);
			expect(await listed(agent)).toEqual([own]);
			expect(await trigger.method('checkExists')).toBe(true);
			expect(await executionsOfOneEvent(agent, trigger)).toBe(1);
		},
	);

	test('a platform that deletes nothing: the left-over is switched off, the own one goes on', async () => {
		const { agent, trigger, own, extra } = await both();
		await sandbox.settings({ webhooks: { delete: false } });
		await trigger.activate();
		const [one, other] = [own.webhook_uuid, extra.webhook_uuid];
		expect(shown(await listed(agent))).toEqual([
			[one, true],
			[other, false],
		]);
		expect(await executionsOfOneEvent(agent, trigger)).toBe(1);
	});

	test('unpublishing removes both', async () => {
		const { agent, trigger } = await both();
		await trigger.deactivate();
		expect(await listed(agent)).toEqual([]);
	});
});

test('without memory, the active one of two stays', async () => {
	const same = someone();
	const { agent, publish } = await scene(same);
	const { url, webhook_uuid: first } = await publish();
	const second = await addWebhook(agent, url);
	const off = { url, events, is_active: false };
	await sandbox.api.patch(`/agents/${agent}/webhooks/${first}`, off);
	await (await scene(same)).publish();
	expect(shown(await listed(agent))).toEqual([[second.webhook_uuid, true]]);
});

test('of two at the address the remembered one stays, although the other is listed first', async () => {
	const same = someone();
	const { agent, trigger, publish } = await scene(same);
	const second = await addWebhook(agent, (await publish()).url);
	const { registrations } = await trigger.staticData();
	const kept = [{ ...registrations[0], webhook: second.webhook_uuid }];
	const staticData = { 'node:Trigger': { registrations: kept } };
	await (await scene({ ...same, staticData })).publish();
	expect(shown(await listed(agent))).toEqual([[second.webhook_uuid, true]]);
});

test('the answer to the registration is lost and there are two of it: one stays, and it is remembered', async () => {
	const { agent, trigger, publish } = await scene();
	await sandbox.strike('POST /webhooks$', { kind: 'timeout', afterAcceptance: true }, { times: 1 });
	const publishing = publish();
	const { url } = await until('the registration', async () => (await listed(agent))[0]);
	// The platform carries out a request twice, as a proxy in between can make it.
	await addWebhook(agent, url);
	await publishing;
	expect(await listed(agent)).toHaveLength(1);
	expect(await trigger.method('checkExists')).toBe(true);
	expect(await executionsOfOneEvent(agent, trigger)).toBe(1);
	await trigger.deactivate();
	expect(await listed(agent)).toEqual([]);
});

describe('Evidence: a webhook that no list shows yet is taken for one that is not there', () => {
	const lost = async () =>
		await sandbox.strike('POST /webhooks$', { status: 502, afterAcceptance: true }, { times: 1 });

	test.each([
		['502', {}],
		['no body', { writeAnswers: 'empty' }],
	])('the answer is lost (%s), lists lag: registered once', async (how, manners) => {
		await sandbox.settings({ manners: { lagMs: 1500, ...manners } as never });
		if (how === '502') await lost();
		const { agent, trigger } = await scene();
		await trigger.activate();
		const path = `/agents/${agent}/webhooks`;
		expect(await sandbox.ledger({ method: 'POST', path })).toHaveLength(1);
		expect(await sandbox.state('webhooks')).toHaveLength(1);
		await sandbox.settings({ manners: { lagMs: 0, writeAnswers: null } as never });
		expect(await trigger.method('checkExists')).toBe(true);
		await trigger.deactivate();
		expect(await listed(agent)).toEqual([]);
	});

	test('it shows only after the last look: said, no second one made, found by the next publish', async () => {
		await sandbox.settings({ manners: { lagMs: 600_000 } });
		await lost();
		const { agent, trigger } = await scene();
		await expect(trigger.activate()).rejects.toThrow(/502|unavailable|not sent/i);
		expect(await sandbox.state('webhooks')).toHaveLength(1);
		await sandbox.settings({ manners: { lagMs: 0 } });
		await trigger.activate();
		expect(await listed(agent)).toHaveLength(1);
	});
});

describe('a delivery that comes twice', () => {
	const again = 'Received before';
	test.each<[string, object[], string[], number]>([
		[
			'with an ID of the sender: runs once',
			[{ delivery_id: 'one' }, { delivery_id: 'one' }, { delivery_id: 'two' }],
			['Received', again, 'Received'],
			2,
		],
		[
			'another event, or one of another conversation, with the same ID: both run',
			[
				{ event_id: '17' },
				{ event_id: '17', event: 'made_up' },
				{ event_id: '17', data: { conversation_uuid: 'c' } },
				{ event_id: '17', event: 'made_up' },
			],
			['Received', 'Received', 'Received', again],
			3,
		],
		[
			'other content with the same ID, which may be no ID: both run',
			[{ event_id: '17' }, { event_id: '17', data: { n: 2 } }],
			['Received', 'Received'],
			1,
		],
		[
			'without one: two events may have the same content, so both run',
			[{}, {}],
			['Received', 'Received'],
			1,
		],
	])('%s', async (_, bodies, told, ids) => {
		const { trigger, publish } = await scene();
		const { url } = await publish();
		const messages: string[] = [];
		for (const body of bodies) {
			const { status, data } = await post(url, { event: events[0], data: { n: 1 }, ...body });
			messages.push(`${status} ${data.message}`);
		}
		expect(messages).toEqual(told.map((message) => `200 ${message}`));
		const emitted = await trigger.emitted();
		expect(emitted).toHaveLength(told.filter((message) => message !== again).length);
		expect(new Set(emitted.map(({ deliveryId }) => deliveryId)).size).toBe(ids);
	});

	test('immediately, while the first is being taken: runs once', async () => {
		const { trigger, publish } = await scene();
		const { url } = await publish();
		const one = async () => (await post(url, { event: events[0], delivery_id: 'one' })).data;
		const both = await Promise.all([one(), one()]);
		expect(both.map(({ message }) => message).sort()).toEqual(['Received', again]);
		expect(await trigger.emitted()).toHaveLength(1);
	});
});
