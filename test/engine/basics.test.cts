import { byId as by, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, run } = usePlatform({ engine: { expressionEngine: 'vm' } });
const firstAgent = async () => (await sandbox.state('agents'))[0]?.agent_uuid;

describe('calls and agents in n8n’s engine', () => {
	// interface: §4.4 call
	test('one call per item, in input order, linked to its item', async () => {
		const agent = by(await firstAgent());
		const items = [1, 2, 3].map((index) => ({ phone: `+1415555010${index}` }));
		const result = ok(
			await run('acpCalls call.start', { agent, phoneNumber: '={{ $json.phone }}' }, { items }),
		);
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

	test('a list stops at its limit and is simplified', async () => {
		const result = ok(await run('acpAgents agent.getAll', { limit: 3 }));
		expect(result.json()).toHaveLength(3);
		expect(Object.keys(result.json()[0]!).length).toBeLessThanOrEqual(10);
	});

	// interface: §4.1 POST notes and guidelines
	test('a note is added, the whole agent comes back', async () => {
		const agent = await firstAgent();
		const result = await run('acpAgents agentKnowledge.addNote', {
			agent: by(agent),
			content: 'Open from 9 to 18',
		});
		expect(result.json()[0]).toMatchObject({ agent_uuid: agent });
		expect(await sandbox.created(`/agents/${agent}/notes`)).toHaveLength(1);
	});

	test('one bad number: nothing is sent, the item and the field are named', async () => {
		const items = [{ phone: '+14155550101' }, { phone: '0555 123' }, { phone: '+14155550102' }, {}];
		const result = await run(
			'acpCalls call.start',
			{ agent: by(await firstAgent()), phoneNumber: '={{ $json.phone }}' },
			{ items },
		);
		expect(result.error?.message).toMatch(
			/2 of 4 items cannot be sent: 'Phone Number' is not a phone number.*\[item 1\]/,
		);
		expect(result.error?.description).toMatch(
			/Nothing was sent\. Items are counted from 0\. <ul><li>Item 1: .*<li>Item 3: 'Phone Number' is empty/,
		);
		expect(await sandbox.ledger()).toHaveLength(0);
	});
});
