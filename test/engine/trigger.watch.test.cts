/**
 * What the triggers do by themselves while they are published: once an hour, they look at what they registered. What a
 * look puts right and catches up, the worlds show (test/worlds).
 */
import { randomUUID } from 'node:crypto';
import { until, usePlatform } from './harness/index.cts';
import { post, triggersOn, type Webhook } from './harness/triggers.cts';

const platform = usePlatform({ speed: 100 });
const { sandbox, engine } = platform;
const { agents, eventTrigger, listed } = triggersOn(platform);

test('a platform that is away is told, nothing is changed, and it is looked at again soon', async () => {
	const [agent] = (await agents()) as [string];
	const trigger = await eventTrigger([agent]);
	await trigger.activate();
	const [webhook] = await listed(agent);
	await sandbox.strike('.', 503);
	await trigger.watch();
	await until('the log to say so', async () =>
		(await engine.logged()).includes('could not check what it registered.'),
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
		await until('the log to say so', async () =>
			(await engine.logged()).includes(
				'4 conversations that changed do not show whether or when they ended',
			),
		);
		await trigger.unwatch();
		expect(await trigger.emitted()).toHaveLength(1);
	});
});

describe('a list that lags or shows little', () => {
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
		expect(await engine.logged()).toContain(
			'shows it for conversation_end_report alone. Events may be lost.',
		);
	});
});
