/** The sandbox as tests use it: what tests of the nodes stand on. */
import { usePlatform } from './harness/index.cts';

const { sandbox } = usePlatform();

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
