/** What both triggers do by themselves while they are published: once an hour, they look at what they registered. */
import { until, usePlatform } from './harness/index.cts';
import type { Trigger } from './harness/engine.cts';
import { triggersOn } from './harness/triggers.cts';

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
