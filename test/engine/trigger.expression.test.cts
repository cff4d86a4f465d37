/** Agents from expressions, with the expression engine that n8n has by default. */
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ engine: { expressionEngine: 'vm' } });

test('agents may be text with commas, items of Get Many, or an expression', async () => {
	const [one, two] = (await sandbox.state('agents')).map(({ agent_uuid }) => agent_uuid);
	for (const agents of [
		`${one}, ${two}`,
		[{ agent_uuid: one }, { agent_uuid: two }],
		`={{ ['${one}', '${two}', '${one}'] }}`,
	]) {
		const trigger = await engine.trigger('acpTrigger', { agents } as never);
		await trigger.activate();
		expect((await sandbox.state('webhooks')).map(({ agent_uuid }) => agent_uuid).sort()).toEqual(
			[one, two].sort(),
		);
		for (const agent of [one, two])
			expect(await sandbox.deliver({ agent, event: 'conversation_end_report' })).toMatchObject([
				{ status: 200 },
			]);
		expect((await trigger.emitted()).map(({ agent }) => agent)).toEqual([one, two]);
		await trigger.deactivate();
		expect(await sandbox.state('webhooks')).toEqual([]);
	}
});
