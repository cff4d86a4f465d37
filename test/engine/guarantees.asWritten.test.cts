/**
 * What a person wrote is what leaves: paths and queries of API Request, and names that mean something in JavaScript and
 * nothing on the platform.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, fast, people, ok } from './guarantees/scene.cts';

const { sandbox, engine, run } = usePlatform({
	settings: fast,
	engine: { expressionEngine: 'vm' },
});

const apiRequest = async (parameters: INodeParameters, items: object[] = [{}], node: object = {}) =>
	await run(
		'acpContacts otherEndpoint.apiRequest',
		{ method: 'GET', ...parameters },
		{ items: items as never, ...node },
	);

describe('Guarantee: API Request sends the address that was written', () => {
	test.each<[string, string, string | undefined, Record<string, string | string[]>]>([
		['a parameter twice', '/agents?tag=a&tag=b', undefined, { tag: ['a', 'b'] }],
		['a list in brackets', '/agents?tag[]=a&tag[]=b', undefined, { 'tag[]': ['a', 'b'] }],
		['a list of one', '/agents?tag[]=a', undefined, { 'tag[]': 'a' }],
		['single ones', '/agents?a=1&b=2&a[x]=3', undefined, { a: '1', b: '2', 'a[x]': '3' }],
		[
			'parameters under Query Parameters as well, which win',
			'/agents?tag=a&tag=b&page=1',
			'{"page": 2, "list": ["x", "y"]}',
			{ tag: ['a', 'b'], page: '2', 'list[]': ['x', 'y'] },
		],
		['names of JavaScript', '/agents?constructor=a', undefined, { constructor: 'a' }],
	])('%s', async (_, path, query, expected) => {
		await apiRequest({ path, ...(query ? { query } : {}) });
		const [request] = await sandbox.ledger();
		expect({ ...request!.query }).toEqual(expected);
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
		['/api/v1/agents', '/agents'],
		['api/v1/agents/', '/agents'],
		['/api/v1', '/'],
		['/api/v10/agents', '/api/v10/agents'],
		['/api/v1beta/agents', '/api/v1beta/agents'],
		['/agents/api/v1/x', '/agents/api/v1/x'],
	])('%s leads to %s', async (path, expected) => {
		const result = await apiRequest({ path, method: 'POST', options: { preview: true } });
		expect(result.json()[0].request.url).toBe(`${sandbox.url}/api/v1${expected}`);
	});

	test.each(['/sms/send', '/sms/send/', '/api/v1/sms/send//'])(
		'%s is the sending endpoint: its answers are lost, and each SMS is sent once',
		async (path) => {
			const agent = await agentOf(sandbox);
			await sandbox.strike('send', 'reset-after', { nth: [1, 3] });
			const body = '={{ { agentId: $json.agent, phoneNumber: $json.phone, message: $json.text } }}';
			const items = people(3).map((item) => ({ ...item, agent }));
			ok(await apiRequest({ path, method: 'POST', body }, items));
			const sent = await sandbox.created();
			expect(sent.map(({ body: { message } }) => message).sort()).toEqual(
				items.map(({ text }) => text),
			);
			expect(new Set(sent.map(({ body: { request_key: key } }) => key)).size).toBe(3);
		},
	);

	test.each(['/call', '/call/', '/c%61ll', 'api/v1/call/', '/email//messages'])(
		'%s gets a request key',
		async (path) => {
			const options = { preview: true };
			const result = await apiRequest({ path, method: 'POST', body: '{"a": 1}', options });
			expect(result.json()[0].request.body).toEqual({ a: 1, request_key: expect.any(String) });
		},
	);

	test.each(['/calls', '/call/1', '/api/v10/call', '/agents'])('%s gets none', async (path) => {
		const options = { preview: true };
		const result = await apiRequest({ path, method: 'POST', body: '{"a": 1}', options });
		expect(result.json()[0].request.body).toEqual({ a: 1 });
	});

	test('/call/ keeps the pace of the sending endpoints', async () => {
		await sandbox.settings({ rate: { send: { limit: 5 } } });
		const agent = await agentOf(sandbox);
		const body = '={{ { agentId: $json.agent, participant: { number: $json.phone } } }}';
		const items = people(12).map((item) => ({ ...item, agent }));
		ok(await apiRequest({ path: '/call/', method: 'POST', body }, items));
		const statuses = (await sandbox.ledger()).map(({ status }) => status);
		expect(statuses.filter((status) => status! < 300)).toHaveLength(12);
		// All at once, five would be taken.
		expect(statuses.filter((status) => status === 429).length).toBeLessThan(7);
	});
});

const odd = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
const values = Object.fromEntries(odd.map((name) => [name, `value of ${name}`]));
const mapped = (value: IDataObject, more: object = {}) =>
	({ mappingMode: 'defineBelow', value, schema: [], ...more }) as never;

describe('Guarantee: names that mean something in JavaScript are names like any other', () => {
	const newTable = async (types: Record<string, string>): Promise<string> => {
		const { data } = await sandbox.api.post('/data/tables', {
			name: 'Odd',
			columns: Object.entries(types).map(([name, type]) => ({ name, data_type: type })),
		});
		await sandbox.clearLedger();
		return data.data.uuid;
	};
	const record = async (table: string, columns: unknown, json: object = {}) =>
		await run(
			'acpTables',
			{ resource: 'record', operation: 'create', table: byId(table), columns } as never,
			{ items: [{ json }] as never },
		);
	const texts = Object.fromEntries(odd.map((name) => [name, 'text']));

	test('columns of a table, as JSON text', async () => {
		ok(await record(await newTable(texts), JSON.stringify(values)));
		expect((await sandbox.created())[0]!.body).toEqual({ record: values });
	});

	test('columns of a table, taken from the input item', async () => {
		const table = await newTable(texts);
		await sandbox.strike('^/agents$', { status: 200, body: { data: values } });
		const read = { resource: 'otherEndpoint', operation: 'apiRequest', path: '/agents' };
		const columns = { mappingMode: 'autoMapInputData', value: null, schema: [] };
		const write = { resource: 'record', operation: 'create', table: byId(table), columns };
		const next = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
		ok(
			await engine.run(
				{
					nodes: [
						{
							name: 'Items',
							type: 'harness.items',
							parameters: { items: [{ json: {} }] } as never,
						},
						{ name: 'Read', type: 'acpContacts', parameters: read },
						{ name: 'Node', type: 'acpTables', parameters: write as never },
					],
					connections: { Items: next('Read'), Read: next('Node') },
				},
				{ startNode: 'Items' },
			),
		);
		expect((await sandbox.created())[0]!.body).toEqual({ record: values });
	});

	test('a column for which n8n keeps no value is refused, not dropped', async () => {
		const schema = ['constructor', 'toString'].map((id) => ({ id, displayName: id }));
		const result = await record(
			await newTable(texts),
			mapped({ constructor: 'a', toString: 'b' }, { schema }),
		);
		expect(result.error?.message).toBe(
			"'Columns › constructor' has a name for which n8n stores no value. Remove it here, or " +
				'enter all columns as JSON text in an expression',
		);
		expect(await sandbox.created()).toEqual([]);
	});

	test('a column that has to be filled in and is not', async () => {
		const schema = [
			{ id: 'constructor', displayName: 'constructor', required: true },
			{ id: 'toString', displayName: 'toString' },
		];
		const result = await record(await newTable(texts), mapped({ toString: 'a' }, { schema }));
		expect(result.error?.message).toBe(
			"'Columns › constructor' is empty. Map a column to it, or fill it in",
		);
	});

	test('a switch whose value is such a name', async () => {
		const result = await record(await newTable({ ok: 'boolean' }), mapped({ ok: 'constructor' }));
		expect(result.error?.message).toBe(
			'The column "ok" holds true or false, but the value is "constructor". ' +
				"To send it unchanged, use the resource 'Other Endpoint'",
		);
	});

	test('the mapper offers them', async () => {
		for (const key of ['constructor', 'prototype'])
			await sandbox.api.post('/contacts/fields', { key, name: key });
		const { fields } = await engine.resourceMapping('acpOutreach', 'getListingContactFields', {
			path: 'parameters.contacts',
		} as never);
		expect(fields.map(({ id }: { id: string }) => id)).toEqual(
			expect.arrayContaining(['constructor', 'prototype', 'name']),
		);
	});

	test('custom fields of a contact', async () => {
		for (const key of ['constructor', 'prototype'])
			await sandbox.api.post('/contacts/fields', { key, name: key });
		await sandbox.clearLedger();
		const custom = { constructor: 'Ada', prototype: 'first' };
		ok(
			await run('acpContacts contact.create', {
				name: 'Ada',
				customFields: JSON.stringify(custom),
			}),
		);
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

	test('files by path', async () => {
		ok(
			await run('acpBuilders builder.create', {
				name: 'my-api',
				entrypoint: 'python3 main.py',
				files: { values: odd.map((key) => ({ key, value: `value of ${key}` })) },
			}),
		);
		expect((await sandbox.created())[0]!.body.files).toEqual(values);
	});

	test.each(odd)('the platform complains about %s: told in its own words', async (field) => {
		await sandbox.strike('^/contacts$', {
			status: 422,
			body: {
				message: 'Bad value',
				error: { code: 'constructor', field: `${field}.0.${field}` },
			},
		});
		const result = await apiRequest({ path: '/contacts', method: 'POST', body: '{"a": 1}' });
		expect(result.error?.message).toBe(
			`The platform did not accept "${field}.0.${field}": Bad value`,
		);
	});
});

describe('Guarantee: a name that cannot be sent is refused', () => {
	const hostile = '{"name": "Ada", "inner": [{"__proto__": {"a": 1}}]}';
	const raw = 'acpContacts otherEndpoint.apiRequest';
	const files = { values: [{ key: '__proto__', value: 'x' }] };
	const table = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');

	test.each<[string, string, INodeParameters]>([
		['Body (JSON)', raw, { method: 'POST', path: '/contacts', body: hostile }],
		['Query Parameters (JSON)', raw, { method: 'GET', path: '/contacts', query: hostile }],
		['Path', raw, { method: 'GET', path: '/contacts?a=1&__proto__=b' }],
		['Files', 'acpBuilders builder.create', { name: 'api', entrypoint: 'python3 main.py', files }],
		['Columns', 'acpTables record.create', { table, columns: '{"__proto__": "x", "a": "b"}' }],
	])('in %s', async (label, node, parameters) => {
		const result = await run(node, parameters);
		expect(result.error?.message).toBe(
			`'${label}' has the name "__proto__", which cannot be sent. Rename it`,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});
});
