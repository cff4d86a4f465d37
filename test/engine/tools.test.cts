/** What a model is told of each operation when the node is its tool, and what it cannot do although it asks. */
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { agentOf } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ engine: { expressionEngine: 'legacy' } });

const operations = operationsOf(nodes()).map((entry) => ({
	...entry,
	about: { resource: entry.resource.value, operation: entry.value },
}));
const offered = operations.filter(({ operation }) => operation.tool !== false);
const refused = operations.filter(({ operation }) => operation.tool === false);

test.each([...new Set(offered.map(({ node }) => node.name))])(
	'%s: every tool says what it does, each something else',
	async (name) => {
		const own = offered.filter(({ node }) => node.name === name);
		const said: unknown[] = [];
		for (const { about } of own)
			said.push((await engine.callTools(name, about, [])).tools[0]?.description);
		expect(said).toEqual(
			own.map(({ operation, node }) => `${operation.action} in ${node.description.defaults.name}`),
		);
		expect(new Set(said).size).toBe(own.length);
		expect(await sandbox.ledger()).toEqual([]);
	},
);

test.each(refused)(
	'$subject is refused when a model calls it all the same',
	async ({ node, about, operation }) => {
		const { answers } = await engine.callTools(node.name, about, [{ args: {} }]);
		expect(JSON.stringify(answers)).toContain(
			JSON.stringify(`"${operation.action}" is not available to AI agents`).slice(1, -1),
		);
		expect(await sandbox.ledger()).toEqual([]);
	},
);

describe('API Request as a tool', () => {
	const id = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	const asks = async (parameters: object, args: object = {}) => {
		const about = { resource: 'otherEndpoint', operation: 'apiRequest', method: 'POST' };
		const all = { ...about, ...parameters } as never;
		return JSON.stringify((await engine.callTools('acpAgents', all, [{ args } as never])).answers);
	};
	const sent = async () => await sandbox.ledger();
	const fromModel = "{{ $fromAI('value', 'A value', 'string') }}";

	test.each(
		refused.flatMap(({ operation: { endpoint, method, template } }) => {
			const path = template.replace('{uuid}', id);
			const hex = path.at(-1)!.charCodeAt(0).toString(16);
			const spelled = `${path.slice(0, -1)}%${hex}`;
			const twice = spelled.replace('%', '%25');
			return [path, `api/v1${path}/`, path.toUpperCase(), spelled, twice, `${path}?a=1`].map(
				(way) => ({ endpoint, method, way }),
			);
		}),
	)('$method $way is withheld', async ({ endpoint, method, way }) => {
		expect(await asks({ method, path: way })).toContain(
			`leads to ${endpoint}, which is not available to AI agents`,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('so it is where the model fills in the method and a part of the path', async () => {
		const method = "={{ $fromAI('method', 'The method', 'string') }}";
		const answer = await asks(
			{ method, path: `=/builders/${id}/${fromModel}` },
			{ method: 'post', value: 'exec' },
		);
		expect(answer).toContain('leads to POST /builders/{uuid}/exec');
		expect(await sandbox.ledger()).toEqual([]);
	});

	test.each([`${id}/exec`, `${id}%2Fexec`, `${id}\\exec`, `${id}?a=b`, `${id}%23`, '..'])(
		'a value %j of the model stays one part of the path, or is refused',
		async (value) => {
			const paths = [`=/builders/${fromModel}/start`, `=/agents/${fromModel}`, `=${fromModel}`];
			for (const path of paths)
				expect(await asks({ path }, { value })).toMatch(
					/\\|\.\./.test(value) ? /must not contain/ : /leads elsewhere/,
				);
			expect(await sent()).toEqual([]);
		},
	);

	test.each([
		[`${id}/webhooks`, ''],
		[`${id}/webhooks`, '/'],
		[id, ''],
		['', id],
	])('an empty value does not pay for a separator in another one: %j and %j', async (one, two) => {
		const path = `=/agents/${fromModel}/notes/{{ $fromAI('two', 'A value', 'string') }}`;
		expect(await asks({ path }, { value: one, two })).toMatch(/leads elsewhere|is incomplete/);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('a value of the model ends where its gap in the JSON ends', async () => {
		const agent = await agentOf(sandbox);
		const other = await agentOf(sandbox, 1);
		const name = `Anna"},"agentId":"${other}","participant":{"number":"+19005550199","name":"x`;
		const body = `={"agentId":"${agent}","participant":{"number":"+14155550123","name":"${fromModel}"}}`;
		await asks({ path: '/call', body }, { value: name });
		const participant = { number: '+14155550123', name };
		expect(await sent()).toMatchObject([{ body: { agentId: agent, participant } }]);
		await sandbox.clearLedger();
		const query = `={"agent_uuid":"${agent}","phone":"${fromModel}"}`;
		const phone = `1","agent_uuid":"${other}`;
		await asks({ method: 'GET', path: '/conversations', query }, { value: phone });
		expect(await sent()).toMatchObject([{ query: { agent_uuid: agent, phone } }]);
	});

	test('all of the JSON is the model’s only where the author left all of it', async () => {
		const whole = "={{ $fromAI('value', 'The body', 'json') }}";
		await asks({ path: '/contacts', body: whole }, { value: { name: 'Anna' } });
		expect((await sent()).map(({ body }) => body)).toEqual([{ name: 'Anna' }]);
		const made = `={{ '{"name":"Anna","surname":"' + $fromAI('value', 'A value', 'string') + '"}' }}`;
		expect(await asks({ path: '/contacts', body: made }, { value: 'x' })).toContain(
			'an AI model could change all of it',
		);
		expect(await sent()).toHaveLength(1);
	});

	test('a value without separators is sent, and everything else is as in a workflow', async () => {
		const agent = await agentOf(sandbox);
		await asks({ method: 'GET', path: `=/agents/${fromModel}` }, { value: agent });
		await asks({ method: 'GET', path: `=/agents?per_page=${fromModel}` }, { value: '1' });
		await asks({ method: 'GET', path: '/builders' });
		const paths = (await sent()).map(({ path }) => path);
		expect(paths).toEqual([`/agents/${agent}`, '/agents', '/builders']);
	});
});

test('in a workflow, a value of an item stays one part of the path of API Request, too', async () => {
	const agent = await agentOf(sandbox);
	const node = 'acpAgents otherEndpoint.apiRequest';
	const read = async (path: string, value: string) =>
		(await run(node, { method: 'GET', path }, { items: [{ value }] })).error?.message;
	for (const value of [`${agent}/notes`, `${agent}?a=b`, `${agent}%2fnotes`, `${agent}#`])
		expect(await read('=/agents/{{ $json.value }}', value)).toContain('leads elsewhere');
	expect(await read('=/agents?q={{ $json.value }}', 'a&b=c')).toContain('leads elsewhere');
	expect(await sandbox.ledger()).toEqual([]);
	expect(await read('=/agents/{{ $json.value }}', agent)).toBeUndefined();
	// Whoever computes the whole path has written it.
	expect(await read('={{ $json.value }}', `/agents/${agent}`)).toBeUndefined();
	expect(await sandbox.ledger()).toHaveLength(2);
});
