/**
 * What a person wrote is what leaves: paths and queries of API Request, and names that mean something in JavaScript and
 * nothing on the platform.
 */
import { mapValues } from 'lodash';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, fast, people, ok, tableWith } from './guarantees/scene.cts';

const { sandbox, engine, run } = usePlatform({
	settings: fast,
	engine: { expressionEngine: 'vm' },
});

const raw = 'acpContacts otherEndpoint.apiRequest';
const apiRequest = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
	await run(raw, { method: 'GET', ...parameters }, { items });
/** The request that would be sent. */
const posted = async (path: string) => {
	const parameters = { path, method: 'POST', body: '{"a": 1}', options: { preview: true } };
	return (await apiRequest(parameters)).json()[0].request;
};

describe('Guarantee: API Request sends the address that was written', () => {
	test.each<[string, string, object]>([
		['/agents?tag=a&tag=b', '', { tag: ['a', 'b'] }],
		['/agents?tag[]=a&tag[]=b', '', { 'tag[]': ['a', 'b'] }],
		['/agents?a=1&b=2&a[x]=3&tag[]=a', '', { a: '1', b: '2', 'a[x]': '3', 'tag[]': 'a' }],
		[
			'/agents?tag=a&tag=b&page=1',
			'{"page": 2, "list": ["x", "y"]}',
			{ tag: ['a', 'b'], page: '2', 'list[]': ['x', 'y'] },
		],
		['/agents?constructor=a', '', { constructor: 'a' }],
	])('%s and the query %j', async (path, query, expected) => {
		await apiRequest({ path, ...(query && { query }) });
		expect({ ...(await sandbox.ledger())[0]!.query }).toEqual(expected);
	});

	test('page by page, every page with the whole query', async () => {
		await sandbox.reset({ agents: 30 });
		engine.credentials = { acpApi: sandbox.credential() };
		await apiRequest({ path: '/agents?tag=a&tag=b', paginate: true });
		const asked = await sandbox.ledger();
		expect(asked.length).toBeGreaterThan(0);
		for (const { query } of asked) expect(query.tag).toEqual(['a', 'b']);
	});

	test.each([
		['/api/v1/agents', '/agents', false],
		['api/v1/agents/', '/agents', false],
		['/api/v1', '/', false],
		['/api/v10/call', '/api/v10/call', false],
		['/agents/api/v1/x', '/agents/api/v1/x', false],
		['/call/1', '/call/1', false],
		['/call/', '/call', true],
		['/c%61ll', '/c%61ll', true],
		['/email//messages', '/email//messages', true],
	])('%s leads to %s, with a request key: %s', async (path, expected, isKeyed) => {
		const { url, body } = await posted(path);
		expect(url).toBe(`${sandbox.url}/api/v1${expected}`);
		const key = { request_key: expect.any(String) };
		expect(body).toEqual({ a: 1, ...(isKeyed && key) });
	});

	test('/call/ keeps the pace of the sending endpoints', async () => {
		await sandbox.settings({ rate: { send: { limit: 5 } } });
		const agent = await agentOf(sandbox);
		const body = '={{ { agentId: $json.agent, participant: { number: $json.phone } } }}';
		const items = people(12).map((item) => ({ ...item, agent }));
		ok(await apiRequest({ path: '/call/', method: 'POST', body }, items));
		expect(await sandbox.created()).toHaveLength(12);
		// All at once, five would be taken.
		const refused = (await sandbox.ledger()).filter(({ status }) => status === 429);
		expect(refused.length).toBeLessThan(7);
	});
});

const odd = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
const values = Object.fromEntries(odd.map((name) => [name, `value of ${name}`]));
const builder = { name: 'my-api', entrypoint: 'python3 main.py' };

describe('Guarantee: names that mean something in JavaScript are names like any other', () => {
	test('columns of a table, taken from the input item', async () => {
		const columns = { mappingMode: 'autoMapInputData', value: null, schema: [] };
		const parameters = {
			table: byId(
				await tableWith(
					sandbox,
					mapValues(values, () => 'text'),
				),
			),
			columns,
		};
		const workflow = engine.nodeWorkflow('acpTables record.create', parameters);
		// What stands in parameters loses such names, so they come from a response.
		await sandbox.strike('^/agents$', { status: 200, body: { data: values } });
		const read = { resource: 'otherEndpoint', operation: 'apiRequest', path: '/agents' };
		workflow.nodes.push({ name: 'Read', type: 'acpContacts', parameters: read });
		workflow.connections.Read = workflow.connections.Items!;
		workflow.connections.Items = { main: [[{ node: 'Read', type: 'main', index: 0 }]] };
		ok(await engine.run(workflow, { startNode: 'Items' }));
		expect((await sandbox.created())[0]!.body).toEqual({ record: values });
	});

	test('custom fields of a contact: the mapper offers them, and they are sent', async () => {
		for (const key of ['constructor', 'prototype'])
			await sandbox.api.post('/contacts/fields', { key, name: key });
		const { fields } = await engine.resourceMapping('acpOutreach', 'getListingContactFields', {});
		expect(fields.map(({ id }: { id: string }) => id)).toEqual(
			expect.arrayContaining(['constructor', 'prototype', 'name']),
		);
		await sandbox.clearLedger();
		const custom = { constructor: 'Ada', prototype: 'first' };
		const parameters = { name: 'Ada', customFields: JSON.stringify(custom) };
		ok(await run('acpContacts contact.create', parameters));
		expect((await sandbox.created())[0]!.body).toEqual({ name: 'Ada', ...custom });
	});

	const deep = { ...values, inner: [{ constructor: { prototype: { a: 1 } } }] };
	test.each([
		['as text', JSON.stringify(deep)],
		['from an expression', '={{ JSON.parse($json.text) }}'],
	])('JSON, %s', async (_, body) => {
		await apiRequest({ path: '/contacts', method: 'POST', body }, [{ text: JSON.stringify(deep) }]);
		expect((await sandbox.ledger())[0]!.body).toEqual(deep);
	});

	test('the platform complains about them: told in its own words', async () => {
		const error = { code: 'constructor', field: 'toString.0.valueOf' };
		await sandbox.strike('^/contacts$', { status: 422, body: { message: 'Bad value', error } });
		const result = await apiRequest({ path: '/contacts', method: 'POST', body: '{"a": 1}' });
		expect(result.error?.message).toBe(
			'The platform did not accept "toString.0.valueOf": Bad value',
		);
	});
});

describe('Guarantee: a name that cannot be sent is refused', () => {
	const hostile = '{"name": "Ada", "inner": [{"__proto__": {"a": 1}}]}';
	const files = { values: [{ key: '__proto__', value: 'x' }] };
	const table = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');

	test.each<[string, string, INodeParameters]>([
		['Body (JSON)', raw, { method: 'POST', path: '/contacts', body: hostile }],
		['Query Parameters (JSON)', raw, { method: 'GET', path: '/contacts', query: hostile }],
		['Path', raw, { method: 'GET', path: '/contacts?a=1&__proto__=b' }],
		['Files', 'acpBuilders builder.create', { ...builder, files }],
		['Columns', 'acpTables record.create', { table, columns: '{"__proto__": "x", "a": "b"}' }],
	])('in %s', async (label, node, parameters) => {
		const result = await run(node, parameters);
		expect(result.error?.message).toBe(
			`'${label}' has the name "__proto__", which cannot be sent. Rename it`,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});
});
