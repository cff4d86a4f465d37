/** What no test of the nodes sees of the harness: where n8n would refuse, and that time passes as it says. */
import { byId, people, sms, ok } from './guarantees/scene.cts';
import { Engine, startSandbox, usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ engine: { expressionEngine: 'vm' } });
const sms3 = async () => [sms((await sandbox.state('agents'))[0].agent_uuid), people(3)] as const;

test('a wrong name of a node, or of one of its methods, is named', async () => {
	await expect(run('nothing', {})).rejects.toThrow('No loaded package has a node "nothing"');
	await expect(engine.listSearch('acpContacts', 'nothing')).rejects.toThrow(
		'no listSearch method named "nothing"',
	);
});

test('as in n8n, an execution whose required parameter is empty does not begin', async () => {
	const result = await run('acpContacts contact.get', { contact: byId('') });
	expect(result.error!.message).toContain('issues');
	expect(await sandbox.ledger()).toEqual([]);
});

test('as in n8n, an execution that succeeded cannot be retried', async () => {
	const [parameters, items] = await sms3();
	const result = ok(await run('acpMessages', parameters, { items }));
	await expect(engine.retry(result)).rejects.toThrow('cannot be retried');
});

test('a retry goes on with the items and the context of the node, in the mode "retry"', async () => {
	await sandbox.strike('^/sms/send$', 403, { nth: 1 });
	const [parameters, items] = await sms3();
	const failed = await run('acpMessages', parameters, { items });
	expect(failed.nodeContext()).toEqual({ acp: expect.anything() });
	const result = ok(await engine.retry(failed));
	expect(result.stored).toMatchObject({ mode: 'retry', retryOf: failed.stored.executionId });
	expect(result.runs('Items')).toEqual(failed.runs('Items'));
});

test('with a fast clock a quarter of an hour passes in seconds, for engine and sandbox alike', async () => {
	// At the machine's own pace this test would run into its limit.
	const [speed, quarter] = [300, 15 * 60_000];
	const fast = await startSandbox({ speed, settings: { call: { lifeMs: quarter } } });
	const own = await Engine.start({ speed, credentials: { acpApi: fast.credential() } });
	try {
		const [{ agent_uuid: agent }] = await fast.state('agents');
		const result = ok(
			await own.runNode('acpCalls call.startAndWait', {
				agent: byId(agent),
				phoneNumber: '+14155550101',
				options: { waitTimeout: 3600 },
			}),
		);
		expect(result.json()[0]).toMatchObject({ answered: 'yes', timedOut: false });
		const [{ startTime, executionTime }] = result.runs() as [any];
		expect(executionTime).toBeGreaterThan(quarter);
		const [{ at }] = (await fast.created('/call')) as [any];
		expect(at >= startTime && at <= startTime + executionTime).toBe(true);
	} finally {
		await Promise.all([own.stop(), fast.stop()]);
	}
}, 300_000);
