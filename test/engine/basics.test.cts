import { byId as by } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ engine: { expressionEngine: 'vm' } });
const firstAgent = async () => (await platform.sandbox.state('agents'))[0]?.agent_uuid;

describe('calls and agents in n8n’s engine', () => {
	// interface: §4.4 call
	test('one call per item, in input order, linked to its item', async () => {
		const agent = by(await firstAgent());
		const items = [1, 2, 3].map((index) => ({ phone: `+1415555010${index}` }));
		const result = await platform.engine.runNode(
			'acpCalls',
			{ resource: 'call', operation: 'start', agent, phoneNumber: '={{ $json.phone }}' },
			{ items },
		);
		expect(result.error).toBeUndefined();
		expect(result.pairedItems()).toEqual([[0], [1], [2]]);
		const placed = await platform.sandbox.created('/call');
		expect(placed.map(({ body }) => body.participant.number)).toEqual(
			items.map(({ phone }) => phone),
		);
		expect(result.json().map(({ conversation_uuid }) => conversation_uuid)).toEqual(
			placed.map(() => expect.stringMatching(/^[0-9a-f-]{36}$/)),
		);
		expect(new Set(placed.map(({ body }) => body.request_key)).size).toBe(3);
	});

	test('a list stops at its limit and is simplified', async () => {
		const result = await platform.engine.runNode('acpAgents', {
			resource: 'agent',
			operation: 'getAll',
			limit: 3,
		});
		expect(result.error).toBeUndefined();
		expect(result.json()).toHaveLength(3);
		expect(Object.keys(result.json()[0]!).length).toBeLessThanOrEqual(10);
	});

	// interface: §4.1 POST notes and guidelines
	test('a note is added, the whole agent comes back', async () => {
		const agent = await firstAgent();
		const result = await platform.engine.runNode('acpAgents', {
			resource: 'agentKnowledge',
			operation: 'addNote',
			agent: by(agent),
			content: 'Open from 9 to 18',
		});
		expect(result.json()[0]).toMatchObject({ agent_uuid: agent });
		expect(await platform.sandbox.created(`/agents/${agent}/notes`)).toHaveLength(1);
	});

	test('one bad number: nothing is sent, the item and the field are named', async () => {
		const items = [{ phone: '+14155550101' }, { phone: '0555 123' }, { phone: '+14155550102' }, {}];
		const result = await platform.engine.runNode(
			'acpCalls',
			{
				resource: 'call',
				operation: 'start',
				agent: by(await firstAgent()),
				phoneNumber: '={{ $json.phone }}',
			},
			{ items },
		);
		expect(result.error?.message).toMatch(
			/2 of 4 items cannot be sent: 'Phone Number' is not a phone number.*\[item 1\]/,
		);
		expect(result.error?.description).toMatch(
			/Nothing was sent\. Items are counted from 0\. <ul><li>Item 1: .*<li>Item 3: 'Phone Number' is empty/,
		);
		expect(await platform.sandbox.ledger()).toHaveLength(0);
	});
});
