/**
 * What the triggers do by themselves while they are published: once an hour, they look at what they registered. What a
 * look puts right and catches up, the worlds show (test/worlds).
 */
import { randomUUID } from 'node:crypto';
import { until, usePlatform } from './harness/index.cts';
import { post, triggersOn } from './harness/triggers.cts';

const platform = usePlatform({ speed: 100 });
const { sandbox, engine } = platform;
const { agents, eventTrigger, listed, publishedEvents } = triggersOn(platform);

/** A published trigger, its agent and webhook, and how that is lost. */
async function published(parameters: object = {}) {
	const { agent, trigger, webhook } = await publishedEvents(parameters);
	const { webhook_uuid: uuid, url, events } = webhook;
	const path = `/agents/${agent}/webhooks/${uuid}`;
	const switchOff = async () => await sandbox.api.patch(path, { url, events, is_active: false });
	const remove = async () => await sandbox.api.delete(path);
	/** A call that ends. @returns its conversation */
	const callEnds = async (): Promise<string> => {
		const participant = { number: '+12125550101' };
		const { data } = await sandbox.api.post('/call', { agentId: agent, participant });
		const { conversation_uuid: conversation } = data.data;
		const isIt = (one: any) => one.conversation_uuid === conversation && one.ended_at !== null;
		await until('the call to end', async () => (await sandbox.state('calls')).some(isIt));
		return conversation;
	};
	const says = async (words: string) =>
		await until('the log to say so', async () => (await engine.logged()).includes(words));
	return { agent, trigger, url, switchOff, remove, callEnds, says };
}

test('a platform that is away is told, nothing is changed, and it is looked at again soon', async () => {
	const { agent, trigger, remove, says } = await published();
	await sandbox.strike('.', 503);
	await trigger.watch();
	await says('could not check what it registered.');
	await sandbox.clearFaults();
	await remove();
	// An hour would be 36 seconds here.
	const isBack = async () => (await listed(agent)).length === 1;
	await until('the webhook to be back', isBack, 20);
	await sandbox.control.delete(`/state/webhooks/${(await listed(agent))[0]!.webhook_uuid}`);
	await until('the webhook to be back after an hour', isBack, 60);
	await trigger.deactivate();
	await trigger.unwatch();
	expect(await listed(agent)).toEqual([]);
});

test('unpublished in the middle of a look: nothing is registered again', async () => {
	const { agent, trigger, remove } = await published();
	await remove();
	await sandbox.settings({ latencyMs: 50 });
	await sandbox.clearLedger();
	await trigger.watch();
	await until('the look', async () => (await sandbox.ledger({ method: 'POST' })).length > 0);
	await trigger.deactivate();
	await trigger.unwatch();
	expect(await listed(agent)).toEqual([]);
});

test('a conversation that was missed looks like one that was delivered; delivered late, it starts nothing, its evaluation does', async () => {
	const { agent, trigger, url, switchOff, callEnds } = await published({
		options: { simplify: true },
	});
	await callEnds();
	await trigger.waitForCalls(1);
	await switchOff();
	const missed = await callEnds();
	await trigger.watch('init');
	await until('the missed one', async () => (await trigger.emitted()).length === 2, 20);
	await trigger.unwatch();
	const [heard, json] = await trigger.emitted();
	expect(Object.keys(json)).toEqual(Object.keys(heard));
	expect(json).toMatchObject({
		...{ event: 'conversation_end_report', agent, caughtUp: true, signatureVerified: null },
		data: { conversation_uuid: missed, number: expect.stringMatching(/^\+1212555/) },
	});
	const late = { event: 'conversation_end_report', data: { conversation_uuid: missed } };
	expect(await post(url, late)).toMatchObject({ data: { message: 'Received before' } });
	const data = { ...late.data, session_evaluation_uuid: 'e1' };
	await trigger.setParameters({ agents: [agent], events: ['voice_evaluation'] });
	expect(await post(url, { ...late, data })).toMatchObject({ data: { message: 'Received' } });
});

test('what shows neither its agent nor its end starts nothing, and the log counts it', async () => {
	const { agent, trigger, callEnds, says } = await published();
	await callEnds();
	await trigger.waitForCalls(1);
	const { data: body } = await sandbox.api.get('/conversations', { params: { agent_uuid: agent } });
	const [row] = body.data.data;
	body.data.data = [
		{ agent_uuid: undefined },
		{ call: null, channel: 'Whatsapp', status: 'Closed' },
		{ call: { ...row.call, status: 'parked', summary: null }, status: 'Odd' },
		// It began long before; without its duration nobody knows when it ended.
		{ call: { ...row.call, duration: null, timestamp: '2020-01-01T00:00:00Z' } },
	].map((changes) => ({ ...row, uuid: randomUUID(), ...changes }));
	body.data.total = 4;
	await sandbox.strike('GET ^/conversations$', { status: 200, body });
	await trigger.watch('init');
	await says('4 conversations that changed do not show whether or when they ended');
	await trigger.unwatch();
	expect(await trigger.emitted()).toHaveLength(1);
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

test('a change that the list does not show yet: published all the same, and not removed', async () => {
	const { agent, trigger } = await published();
	const { data: body } = await sandbox.api.get(`/agents/${agent}/webhooks`);
	await trigger.setParameters({ agents: [agent], events: ['text_evaluation'] });
	await sandbox.strike('GET ^/agents/[^/]+/webhooks$', { status: 200, body }, { times: 3 });
	await trigger.activate('update');
	await sandbox.clearFaults();
	expect(await listed(agent)).toMatchObject([{ events: ['text_evaluation'] }]);
});
