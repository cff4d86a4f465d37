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

	test.each([
		['/api/v1/agents', '/agents'],
		['api/v1/agents/', '/agents'],
		['/api/v1', '/'],
	])('%s leads to %s', async (path, expected) => {
		const result = await apiRequest({ path, method: 'POST', options: { preview: true } });
		expect(result.json()[0].url).toBe(`${sandbox.url}/api/v1${expected}`);
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
			expect(result.json()[0].body).toEqual({ a: 1, request_key: expect.any(String) });
		},
	);

	test.each(['/calls', '/call/1', '/api/v10/call', '/agents'])('%s gets none', async (path) => {
		const options = { preview: true };
		const result = await apiRequest({ path, method: 'POST', body: '{"a": 1}', options });
		expect(result.json()[0].body).toEqual({ a: 1 });
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

	const deep = { ...values, inner: [{ constructor: { prototype: { a: 1 } } }] };
	test.each([
		['as text', JSON.stringify(deep)],
		['from an expression', '={{ JSON.parse($json.text) }}'],
	])('JSON, %s', async (_, body) => {
		await apiRequest({ path: '/contacts', method: 'POST', body }, [{ text: JSON.stringify(deep) }]);
		expect((await sandbox.ledger())[0]!.body).toEqual(deep);
	});
});

describe('Guarantee: a name that cannot be sent is refused', () => {
	const hostile = '{"name": "Ada", "inner": [{"__proto__": {"a": 1}}]}';
	const raw = 'acpContacts otherEndpoint.apiRequest';
	const table = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');

	test.each<[string, string, INodeParameters]>([
		['Body (JSON)', raw, { method: 'POST', path: '/contacts', body: hostile }],
		['Query Parameters (JSON)', raw, { method: 'GET', path: '/contacts', query: hostile }],
		['Columns', 'acpTables record.create', { table, columns: '{"__proto__": "x", "a": "b"}' }],
	])('in %s', async (label, node, parameters) => {
		const result = await run(node, parameters);
		expect(result.error?.message).toBe(
			`'${label}' has the name "__proto__", which cannot be sent. Rename it`,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});
});
