/** What a model is told of each operation when the node is its tool, and what it cannot do although it asks. */
import { nodes, operationsOf } from '../../tools/catalog.cjs';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ engine: { expressionEngine: 'legacy' } });

const operations = operationsOf(nodes()).map((entry) => ({
	...entry,
	subject: `${entry.resource.value}.${entry.value}`,
	about: { resource: entry.resource.value, operation: entry.value },
}));
const offered = operations.filter(({ operation }) => operation.tool !== false);
const refused = operations.filter(({ operation }) => operation.tool === false);

test.each(
	nodes()
		.map(({ name }) => name)
		.filter((name) => offered.some(({ node }) => node.name === name)),
)('%s: every tool says what it does, each something else', async (name) => {
	const said: Record<string, string | undefined> = {};
	const own = offered.filter(({ node }) => node.name === name);
	for (const { subject, about } of own) {
		const { tools } = await platform.engine.callTools(name, about, []);
		said[subject] = tools[0]?.description;
	}
	expect(said).toEqual(
		Object.fromEntries(
			own.map(({ subject, operation, node }) => [
				subject,
				`${operation.action} in ${node.description.displayName}`,
			]),
		),
	);
	expect(new Set(Object.values(said)).size).toBe(own.length);
	expect(await platform.sandbox.ledger()).toEqual([]);
});

test('an argument carries its description, and the answer what the model got wrong', async () => {
	const { agent_uuid: agent } = (await platform.sandbox.state('agents'))[0];
	const { tools, answers } = await platform.engine.callTools(
		'acpMessages',
		{
			resource: 'sms',
			operation: 'send',
			agent: { __rl: true, mode: 'id', value: agent },
			phoneNumber: "={{ $fromAI('phone', 'Whom to write to, like +14155550123', 'string') }}",
			message: "={{ $fromAI('text', 'What to say', 'string') }}",
		},
		[{ args: { phone: '0415 555', text: 'Hello' } }],
	);
	expect(tools[0]!.arguments).toMatchObject({
		phone: { type: 'string', description: 'Whom to write to, like +14155550123' },
		text: { type: 'string', description: 'What to say' },
	});
	expect(JSON.stringify(answers)).toContain(
		"'Phone Number' is not a phone number in international format",
	);
	expect(await platform.sandbox.ledger()).toEqual([]);
});

test.each(refused)(
	'$subject is refused when a model calls it all the same',
	async ({ node, about, operation }) => {
		const { answers } = await platform.engine.callTools(node.name, about, [{ args: {} }]);
		expect(JSON.stringify(answers)).toContain(
			JSON.stringify(`"${operation.action}" is not available to AI agents`).slice(1, -1),
		);
		expect(await platform.sandbox.ledger()).toEqual([]);
	},
);
