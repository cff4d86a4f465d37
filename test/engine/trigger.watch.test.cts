/** What both triggers do by themselves while they are published: once an hour, they look at what they registered. */
import { randomUUID } from 'node:crypto';
import { until, usePlatform } from './harness/index.cts';
import type { Trigger } from './harness/engine.cts';
import { post, triggersOn, type Webhook } from './harness/triggers.cts';

const platform = usePlatform({ speed: 100 });
const { sandbox, engine } = platform;
const { agents, changeIntent, eventTrigger, intentOf, intentTrigger, listed, newIntent } =
	triggersOn(platform);

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** The first look, which comes a minute after n8n has started. */
async function look(trigger: Trigger): Promise<void> {
	const asked = async () => (await sandbox.ledger({ method: 'GET' })).length;
	const before = await asked();
	await trigger.watch();
	await until('the look', async () => (await asked()) > before);
	await trigger.unwatch();
}

test('a webhook that was deleted, switched off or changed is put right, and the log says so', async () => {
	const [agent] = (await agents()) as [string];
	const trigger = await eventTrigger([agent]);
	await trigger.activate();
	const [webhook] = await listed(agent);
	const path = `/agents/${agent}/webhooks/${webhook!.webhook_uuid}`;
	await look(trigger);
	expect(engine.log).not.toContain('put right');
	const { url } = webhook!;
	for (const change of [
		{ is_active: false },
		{ url, events: ['text_evaluation'] },
		{ url, events: ['conversation_end_report'], secret_key: '' },
	]) {
		await sandbox.api.patch(path, change);
		const told = engine.log.length;
		await look(trigger);
		expect(engine.log.slice(told)).toContain(`put right what it registered (agent ${agent})`);
		expect(await listed(agent)).toMatchObject([
			{ is_active: true, has_secret: true, events: ['conversation_end_report'] },
		]);
	}
	await sandbox.api.delete(path);
	await look(trigger);
	expect(await listed(agent)).toHaveLength(1);
	// What it made is this node's: unpublishing removes it.
	await trigger.deactivate();
	expect(await listed(agent)).toEqual([]);
});

test('a platform that is away is told, nothing is changed, and it is looked at again soon', async () => {
	const [agent] = (await agents()) as [string];
	const trigger = await eventTrigger([agent]);
	await trigger.activate();
	const [webhook] = await listed(agent);
	await sandbox.strike('.', 503);
	await trigger.watch();
	await until('the log to say so', () =>
		engine.log.includes('could not check what it registered.'),
	);
	await sandbox.clearFaults();
	await sandbox.api.delete(`/agents/${agent}/webhooks/${webhook!.webhook_uuid}`);
	// An hour would be 36 seconds here.
	await until('the webhook to be back', async () => (await listed(agent)).length === 1, 20);
	await trigger.deactivate();
	await trigger.unwatch();
	expect(await listed(agent)).toEqual([]);
});

test('unpublished in the middle of a look: nothing is registered again', async () => {
	const [agent] = (await agents()) as [string];
	const trigger = await eventTrigger([agent]);
	await trigger.activate();
	const [webhook] = await listed(agent);
	await sandbox.api.delete(`/agents/${agent}/webhooks/${webhook!.webhook_uuid}`);
	await sandbox.settings({ latencyMs: 50 });
	await sandbox.clearLedger();
	await trigger.watch();
	await until('the look', async () => (await sandbox.ledger({ method: 'POST' })).length > 0);
	await trigger.deactivate();
	await trigger.unwatch();
	expect(await listed(agent)).toEqual([]);
});

test('an intent that calls something else is left alone; one that calls nothing is put right', async () => {
	const [agent] = (await agents()) as [string];
	const intent = await newIntent(agent);
	const trigger = await intentTrigger(byId(agent) as never, byId(intent));
	await trigger.activate();
	const calls = async () => (await intentOf(agent, intent)).webhook.url;
	const own = await calls();
	await changeIntent(agent, intent, { webhook: { url: '', auth_token: '' } });
	await look(trigger);
	expect(await calls()).toBe(own);
	const foreign = 'https://crm.example.com/hook';
	await changeIntent(agent, intent, { webhook: { url: foreign, auth_token: '' } });
	await look(trigger);
	expect(await calls()).toBe(foreign);
	expect(engine.log).toContain(foreign);
});

test('an agent that does not show what its intents call: nobody loses a URL without Replace', async () => {
	const [agent] = (await agents()) as [string];
	const intent = await newIntent(agent);
	const foreign = 'https://crm.example.com/hook';
	await changeIntent(agent, intent, { webhook: { url: foreign, auth_token: '' } });
	await sandbox.settings({ intents: { showsWebhook: false } });
	const trigger = await intentTrigger(byId(agent) as never, byId(intent));
	await expect(trigger.activate()).rejects.toThrow('the platform does not show what it does');
	const replacing = await intentTrigger(byId(agent) as never, byId(intent), {
		options: { replace: true },
	});
	await replacing.activate();
	// What it registered is its own, although it is not shown.
	await replacing.activate('init');
	const told = engine.log.length;
	await look(replacing);
	expect(engine.log.slice(told)).not.toContain('put right');
});

describe('conversations that ended while no event arrived', () => {
	let numbers = 100;
	/** Calls of an agent that end. @returns their conversations */
	async function callsEnd(agent: string, count: number): Promise<string[]> {
		const uuids: string[] = [];
		for (let at = 0; at < count; at++) {
			const participant = { number: `+1212555${String(++numbers).padStart(4, '0')}` };
			const { data } = await sandbox.api.post('/call', { agentId: agent, participant });
			uuids.push(data.data.conversation_uuid);
		}
		await until('the calls to end', async () => {
			const calls = await sandbox.state('calls');
			return uuids.every((uuid) =>
				calls.some((call) => call.conversation_uuid === uuid && call.ended_at !== null),
			);
		});
		return uuids;
	}
	const switched = async (agent: string, isOn: boolean) => {
		const [{ webhook_uuid, url, events }] = (await sandbox.state('webhooks')) as [Webhook];
		const body = { url, events, is_active: isOn };
		await sandbox.api.patch(`/agents/${agent}/webhooks/${webhook_uuid}`, body);
	};
	const startedFor = async (trigger: Trigger) =>
		(await trigger.emitted()).map((json) => [json.data.conversation_uuid, json.caughtUp]);

	test('each starts the workflow once, as soon as n8n runs again, and none that had its event', async () => {
		const [agent] = (await agents()) as [string];
		const trigger = await eventTrigger([agent]);
		await trigger.activate();
		const heard = await callsEnd(agent, 2);
		await trigger.waitForCalls(2);
		await switched(agent, false);
		const missed = await callsEnd(agent, 3);
		await trigger.watch('init');
		await until('the missed ones', async () => (await startedFor(trigger)).length >= 5, 20);
		await trigger.unwatch();
		const all = [...heard.map((uuid) => [uuid, false]), ...missed.map((uuid) => [uuid, true])];
		expect(new Set(await startedFor(trigger))).toEqual(new Set(all));
		// Again, as after a restart: n8n's memory knows them.
		await trigger.watch('init');
		await until(
			'the next look',
			() => engine.log.split('after the last event it had').length > 2,
			20,
		);
		await trigger.unwatch();
		expect(await startedFor(trigger)).toHaveLength(5);
	});

	test('a webhook that was switched off is put right, and what it missed starts the workflow', async () => {
		const [agent] = (await agents()) as [string];
		const trigger = await eventTrigger([agent], { options: { simplify: true } });
		await trigger.activate();
		await trigger.watch('activate');
		await callsEnd(agent, 1);
		await trigger.waitForCalls(1);
		await switched(agent, false);
		const [missed] = await callsEnd(agent, 1);
		await until('the missed one', async () => (await trigger.emitted()).length === 2, 60);
		await trigger.unwatch();
		const [heard, json] = await trigger.emitted();
		expect(Object.keys(json)).toEqual(Object.keys(heard));
		expect(json).toMatchObject({
			event: 'conversation_end_report',
			agent,
			caughtUp: true,
			signatureVerified: null,
			data: { conversation_uuid: missed, number: expect.stringMatching(/^\+1212555/) },
		});
	});

	test('a delivery that comes late starts it no second time; an evaluation of the same conversation does', async () => {
		const [agent] = (await agents()) as [string];
		const trigger = await eventTrigger([agent]);
		await trigger.activate();
		await callsEnd(agent, 1);
		await trigger.waitForCalls(1);
		const [{ url }] = (await sandbox.state('webhooks')) as [Webhook];
		await switched(agent, false);
		const [missed] = await callsEnd(agent, 1);
		await trigger.watch('init');
		await until('the missed one', async () => (await trigger.emitted()).length === 2, 20);
		await trigger.unwatch();
		const late = { event: 'conversation_end_report', data: { conversation_uuid: missed } };
		expect(await post(url, late)).toMatchObject({ data: { message: 'Received before' } });
		const data = { ...late.data, session_evaluation_uuid: 'e1' };
		await trigger.setParameters({ agents: [agent], events: ['voice_evaluation'] });
		expect(await post(url, { ...late, data })).toMatchObject({ data: { message: 'Received' } });
	});

	test.each([
		['a person publishes', 'activate', {}],
		["'Catch Up' is off", 'init', { catchUp: false }],
	] as const)('nothing is caught up if %s', async (_, activation, options) => {
		const [agent] = (await agents()) as [string];
		const trigger = await eventTrigger([agent], { options });
		await trigger.activate();
		await callsEnd(agent, 1);
		await trigger.waitForCalls(1);
		await switched(agent, false);
		await callsEnd(agent, 1);
		await switched(agent, true);
		await sandbox.clearLedger();
		await trigger.watch(activation);
		await until('the look', async () => (await sandbox.ledger({ method: 'GET' })).length > 0);
		await trigger.unwatch();
		expect(await sandbox.ledger({ path: '/conversations' })).toEqual([]);
		expect(await trigger.emitted()).toHaveLength(1);
	});

	test('what shows neither its agent nor its end starts nothing, and the log counts it', async () => {
		const [agent] = (await agents()) as [string];
		const trigger = await eventTrigger([agent]);
		await trigger.activate();
		await callsEnd(agent, 1);
		await trigger.waitForCalls(1);
		const body = (await sandbox.api.get('/conversations', { params: { agent_uuid: agent } })).data;
		const row = body.data.data[0];
		const more = { call: null, channel: 'Whatsapp', status: 'Closed' };
		body.data.data = [
			{ ...row, uuid: randomUUID(), agent_uuid: undefined },
			{ ...row, uuid: randomUUID(), ...more },
			{
				...row,
				uuid: randomUUID(),
				call: { ...row.call, status: 'parked', summary: null },
				status: 'Odd',
			},
			// It began long before; without its duration nobody knows when it ended.
			{
				...row,
				uuid: randomUUID(),
				call: { ...row.call, duration: null, timestamp: '2020-01-01T00:00:00Z' },
			},
		];
		body.data.total = 4;
		await sandbox.strike('GET ^/conversations$', { status: 200, body });
		await trigger.watch('init');
		await until('the log to say so', () =>
			engine.log.includes('4 conversations that changed do not show whether or when they ended'),
		);
		await trigger.unwatch();
		expect(await trigger.emitted()).toHaveLength(1);
	});
});

describe('a list that lags or shows little', () => {
	test('a webhook that the list does not show yet is neither forgotten nor doubled', async () => {
		const [agent] = (await agents()) as [string];
		const trigger = await eventTrigger([agent]);
		await sandbox.settings({ manners: { lagMs: 600_000 } });
		await trigger.activate();
		await trigger.activate('update');
		expect(await sandbox.state('webhooks')).toHaveLength(1);
		await trigger.deactivate();
		expect(await sandbox.state('webhooks')).toEqual([]);
	});

	test('a change that the list does not show yet: published all the same, and not removed', async () => {
		const [agent] = (await agents()) as [string];
		const trigger = await eventTrigger([agent]);
		await trigger.activate();
		const body = (await sandbox.api.get(`/agents/${agent}/webhooks`)).data;
		await trigger.setParameters({ agents: [agent], events: ['text_evaluation'] });
		await sandbox.strike('GET ^/agents/[^/]+/webhooks$', { status: 200, body }, { times: 3 });
		await trigger.activate('update');
		await sandbox.clearFaults();
		expect(await listed(agent)).toMatchObject([{ events: ['text_evaluation'] }]);
	});

	test('n8n starts, and the platform keeps less than it accepts: what may work stays, and that is said', async () => {
		const [agent] = (await agents()) as [string];
		const events = ['conversation_end_report', 'voice_evaluation'];
		const trigger = await eventTrigger([agent], { events });
		await sandbox.settings({ webhooks: { keeps: 'oneEvent' } });
		await trigger.activate('init');
		expect(await listed(agent)).toHaveLength(1);
		expect(engine.log).toContain('shows it for conversation_end_report alone. Events may be lost.');
	});
});
