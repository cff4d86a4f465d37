/** The harness and the sandbox together: what tests of the nodes stand on. */
import path from 'node:path';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({
	engine: { packages: [path.join(__dirname, 'harness/fixture')] },
});

test('the ledger shows what really happened, without tokens', async () => {
	const [agent] = await sandbox.state('agents');
	const notes = `/agents/${agent.agent_uuid}/notes`;
	expect((await sandbox.api.post(notes, { content: 'Speak slowly' })).status).toBeLessThan(300);
	expect((await sandbox.api.post(notes, { text: 'x' })).status).toBe(422);
	const ledger = await sandbox.ledger({ path: notes, method: 'POST' });
	expect(ledger.map(({ effect }) => effect)).toEqual(['created', 'rejected']);
	expect(ledger[0]!.body).toEqual({ content: 'Speak slowly' });
	expect(JSON.stringify(ledger)).not.toContain(sandbox.token);
	expect(await sandbox.created()).toHaveLength(1);
	expect(await sandbox.summary()).toMatchObject({ total: 2, maxInFlight: 1 });
	await sandbox.reset();
	expect(await sandbox.ledger()).toEqual([]);
});

test('faults, settings and tokens change what the sandbox answers', async () => {
	await sandbox.strike('^/agents$', 503, { nth: 1 });
	const status = async (token = sandbox.token) =>
		(await sandbox.api.get('/agents', { headers: { Authorization: `Bearer ${token}` } })).status;
	expect([await status(), await status()]).toEqual([503, 200]);
	expect(await status((await sandbox.tokenOf('forbidden')).token)).toBe(403);
	const { token } = await sandbox.addToken('workspace', { label: 'third' });
	expect(await status(token)).toBe(200);
	await sandbox.revoke(token);
	expect(await status(token)).toBe(401);
	expect((await sandbox.settings({ tenant: 'wrong' })).tenant).toBe('wrong');
	expect(await status()).toBe(404);
	await sandbox.reset({ seed: 7 });
	expect(await status()).toBe(200);
});

test('the sandbox delivers events to a trigger for real', async () => {
	// Its webhook is known already, so that the fixture registers nothing by itself.
	const trigger = await engine.trigger(
		'fixtureTrigger',
		{},
		{ credentials: {}, staticData: { 'node:Trigger': { hook: 'x' } } },
	);
	await trigger.activate();
	const [agent] = await sandbox.state('agents');
	const added = await sandbox.api.post(`/agents/${agent.agent_uuid}/webhooks`, {
		url: trigger.url,
		events: ['conversation_end_report'],
		secret_key: 'signing-secret',
	});
	expect(added.status).toBeLessThan(300);
	const [delivery] = await sandbox.deliver({
		agent: agent.agent_uuid,
		event: 'conversation_end_report',
		data: { conversation_uuid: 'ended' },
	});
	expect(delivery).toMatchObject({ status: 200, responseBody: 'firstEntryJson' });
	const [item] = await trigger.emitted();
	expect(item.body).toMatchObject({
		event: 'conversation_end_report',
		data: { conversation_uuid: 'ended' },
	});
	expect(item.signature).toBe(delivery!.headers['x-signature']);
});
