/** Webhooks of ours that are left over beside the one that counts: every event would come twice, so they must go. */
import { randomUUID } from 'node:crypto';
import { until, usePlatform, type Trigger } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ engine: { expressionEngine: 'legacy' }, speed: 10 });

const firstAgent = async (): Promise<string> => (await sandbox.state('agents'))[0].agent_uuid;
const triggerFor = async (agent: string, options: object = {}): Promise<Trigger> =>
	await engine.trigger('acpTrigger', { agents: [agent], events: ['conversation_status'] }, options);

interface Webhook {
	webhook_uuid: string;
	url: string;
	events: string[];
	is_active: boolean;
}
/** Webhooks as the platform lists them, their URLs with query. */
const listed = async (agent: string): Promise<Webhook[]> =>
	(await sandbox.api.get(`/agents/${agent}/webhooks`)).data.data.items;

/** One more webhook, made after the pattern of one that is there. */
async function another(agent: string, { url, events }: Webhook, address = url): Promise<Webhook> {
	const { data, status } = await sandbox.api.post(`/agents/${agent}/webhooks`, {
		url: address,
		events,
	});
	expect(status).toBe(201);
	return data.data;
}

/** Executions that one event of the platform starts. */
async function executionsOfOneEvent(agent: string, trigger: Trigger): Promise<number> {
	const before = (await trigger.executions()).length;
	await sandbox.deliver({ agent, event: 'conversation_status', data: { n: 1 } });
	return (await trigger.executions()).length - before;
}

/** A second webhook of ours, as a lost answer or an n8n that was killed leaves it. */
const leftovers: Array<[string, (own: URL) => string]> = [
	['the same address again', (own) => own.href],
	[
		'an address of before, with our token',
		(own) => {
			own.pathname = `/webhook/${randomUUID()}/webhook`;
			return own.href;
		},
	],
];

describe.each(leftovers)('%s', (_, addressOf) => {
	/** Published, and a left-over beside the own one. */
	async function scene() {
		const agent = await firstAgent();
		const trigger = await triggerFor(agent);
		await trigger.activate();
		const [own] = (await listed(agent)) as [Webhook];
		const extra = await another(agent, own, addressOf(new URL(own.url)));
		return { agent, trigger, own, extra };
	}

	test('n8n is told that something is wrong, and publishing removes the left-over, not the own one', async () => {
		const { agent, trigger, own } = await scene();
		expect(await trigger.method('checkExists')).toBe(false);
		await trigger.activate();
		expect(await listed(agent)).toEqual([own]);
		expect(await trigger.method('checkExists')).toBe(true);
		expect(await executionsOfOneEvent(agent, trigger)).toBe(1);
	});

	test('a restart of n8n removes it, too', async () => {
		const { agent, trigger, own } = await scene();
		await trigger.activate('init');
		expect(await listed(agent)).toEqual([own]);
	});

	test('a platform that deletes nothing: the left-over is switched off, the own one goes on', async () => {
		const { agent, trigger, own, extra } = await scene();
		await sandbox.settings({ webhooks: { delete: false } });
		await trigger.activate();
		expect(
			(await listed(agent)).map(({ webhook_uuid: uuid, is_active: active }) => [uuid, active]),
		).toEqual([
			[own.webhook_uuid, true],
			[extra.webhook_uuid, false],
		]);
		expect(await executionsOfOneEvent(agent, trigger)).toBe(1);
	});

	test('unpublishing removes both', async () => {
		const { agent, trigger } = await scene();
		await trigger.deactivate();
		expect(await listed(agent)).toEqual([]);
	});
});

test('without memory, the active one of two stays', async () => {
	const agent = await firstAgent();
	const about = { webhookId: randomUUID(), workflowId: 'same' };
	await (await triggerFor(agent, about)).activate();
	const [first] = (await listed(agent)) as [Webhook];
	const second = await another(agent, first);
	await sandbox.api.patch(`/agents/${agent}/webhooks/${first.webhook_uuid}`, {
		url: first.url,
		events: first.events,
		is_active: false,
	});
	const amnesiac = await triggerFor(agent, about);
	await amnesiac.activate();
	expect(await listed(agent)).toMatchObject([
		{ webhook_uuid: second.webhook_uuid, is_active: true },
	]);
});

test('of two at the address the remembered one stays, although the other is listed first', async () => {
	const agent = await firstAgent();
	const about = { webhookId: randomUUID(), workflowId: 'same' };
	const trigger = await triggerFor(agent, about);
	await trigger.activate();
	const [first] = (await listed(agent)) as [Webhook];
	const second = await another(agent, first);
	const staticData = structuredClone((await trigger.state()).staticData) as any;
	staticData['node:Trigger'].registrations[0].webhook = second.webhook_uuid;
	await (await triggerFor(agent, { ...about, staticData })).activate();
	expect(await listed(agent)).toMatchObject([{ webhook_uuid: second.webhook_uuid }]);
});

test('the answer to the registration is lost and there are two of it: one stays, and it is remembered', async () => {
	const agent = await firstAgent();
	const trigger = await triggerFor(agent);
	await sandbox.strike('POST /webhooks$', { kind: 'timeout', afterAcceptance: true }, { times: 1 });
	const publishing = trigger.activate();
	const [own] = (await until('the registration', async () => {
		const there = await listed(agent);
		return there.length > 0 ? there : undefined;
	})) as [Webhook];
	// The platform carries out a request twice, as a proxy in between can make it.
	await another(agent, own);
	await publishing;
	expect(await listed(agent)).toHaveLength(1);
	expect(await trigger.method('checkExists')).toBe(true);
	expect(await executionsOfOneEvent(agent, trigger)).toBe(1);
	await trigger.deactivate();
	expect(await listed(agent)).toEqual([]);
});

describe('Evidence: a webhook that no list shows yet is taken for one that is not there', () => {
	const answers = [
		['502', { kind: 'status', status: 502, afterAcceptance: true }, {}],
		['no body', undefined, { writeAnswers: 'empty' }],
	] as const;
	test.each(answers)(
		'the answer is lost (%s), lists lag: registered once',
		async (_, fault, manners) => {
			const agent = await firstAgent();
			await sandbox.settings({ manners: { lagMs: 1500, ...manners } as never });
			if (fault)
				await sandbox.faults([
					{ match: { method: 'POST', path: '/webhooks$' }, times: 1, fault } as never,
				]);
			const trigger = await triggerFor(agent);
			await trigger.activate();
			expect(
				await sandbox.ledger({ method: 'POST', path: `/agents/${agent}/webhooks` }),
			).toHaveLength(1);
			expect(await sandbox.state('webhooks')).toHaveLength(1);
			await sandbox.settings({ manners: { lagMs: 0, writeAnswers: null } as never });
			expect(await trigger.method('checkExists')).toBe(true);
			await trigger.deactivate();
			expect(await listed(agent)).toEqual([]);
		},
	);

	test('it shows only after the last look: said, no second one made, found by the next publish', async () => {
		const agent = await firstAgent();
		await sandbox.settings({ manners: { lagMs: 600_000 } });
		await sandbox.faults([
			{
				match: { method: 'POST', path: '/webhooks$' },
				times: 1,
				fault: { kind: 'status', status: 502, afterAcceptance: true },
			} as never,
		]);
		const trigger = await triggerFor(agent);
		await expect(trigger.activate()).rejects.toThrow(/502|unavailable|not sent/i);
		expect(await sandbox.state('webhooks')).toHaveLength(1);
		await sandbox.settings({ manners: { lagMs: 0 } });
		await trigger.activate();
		expect(await listed(agent)).toHaveLength(1);
	});
});

describe('a delivery that comes twice', () => {
	const post = async (url: string, body: object) => {
		const answer = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ event: 'conversation_status', data: { n: 1 }, ...body }),
		});
		return [answer.status, ((await answer.json()) as { message: string }).message];
	};

	test('with an ID of the sender: runs once, whether at once or later', async () => {
		const agent = await firstAgent();
		const trigger = await triggerFor(agent);
		await trigger.activate();
		const [{ url }] = (await listed(agent)) as [Webhook];
		const both = await Promise.all([
			post(url, { delivery_id: 'one' }),
			post(url, { delivery_id: 'one' }),
		]);
		expect(both.sort()).toEqual([
			[200, 'Received'],
			[200, 'Received before'],
		]);
		expect(await post(url, { delivery_id: 'one' })).toEqual([200, 'Received before']);
		expect(await post(url, { delivery_id: 'two' })).toEqual([200, 'Received']);
		expect(await trigger.emitted()).toHaveLength(2);
	});

	test('another event, or one of another conversation, with the same ID: both run', async () => {
		const agent = await firstAgent();
		const trigger = await triggerFor(agent);
		await trigger.activate();
		const [{ url }] = (await listed(agent)) as [Webhook];
		const told: unknown[] = [];
		for (const body of [
			{},
			{ event: 'made_up' },
			{ data: { conversation_uuid: 'c' } },
			{ event: 'made_up' },
		])
			told.push((await post(url, { event_id: '17', ...body }))[1]);
		expect(told).toEqual(['Received', 'Received', 'Received', 'Received before']);
		const ids = (await trigger.emitted()).map(({ deliveryId }) => deliveryId);
		expect(new Set(ids).size).toBe(3);
	});

	test('without one: two events may have the same content, so both run', async () => {
		const agent = await firstAgent();
		const trigger = await triggerFor(agent);
		await trigger.activate();
		const [{ url }] = (await listed(agent)) as [Webhook];
		expect(await post(url, {})).toEqual([200, 'Received']);
		expect(await post(url, {})).toEqual([200, 'Received']);
		expect(await trigger.emitted()).toHaveLength(2);
	});
});
