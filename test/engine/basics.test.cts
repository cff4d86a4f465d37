/** As much as shows that everything is in place: nodes, engine, credential and sandbox. */
import { agentOf, byId, ok, people } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, run } = usePlatform({ engine: { expressionEngine: 'vm' } });

// interface: §4.4 call
test('one call per item, in input order, linked to its item', async () => {
	const items = people(3);
	const parameters = { agent: byId(await agentOf(sandbox)), phoneNumber: '={{ $json.phone }}' };
	const result = ok(await run('acpCalls call.start', parameters, { items }));
	expect(result.pairedItems()).toEqual([[0], [1], [2]]);
	const placed = await sandbox.created('/call');
	expect(placed.map(({ body }) => body.participant.number)).toEqual(
		items.map(({ phone }) => phone),
	);
	expect(result.json().map(({ conversation_uuid }) => conversation_uuid)).toEqual(
		placed.map(() => expect.stringMatching(/^[0-9a-f-]{36}$/)),
	);
	expect(new Set(placed.map(({ body }) => body.request_key)).size).toBe(3);
});
