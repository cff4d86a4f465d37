/** Tables: values in the types of their columns, whatever a spreadsheet made of them. */
import type { INodeParameters } from 'n8n-workflow';
import { cases, refusals } from './guarantees/cases.cts';
import { byId, mapped, ok, tableWith } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ engine: { expressionEngine: 'vm' } });
const { sandbox, engine, run } = platform;
const types = {
	...{ product: 'text', price: 'number', since: 'date' },
	...{ active: 'boolean', details: 'json', page: 'url' },
};

const newTable = async () => await tableWith(sandbox, types);
const write = async (value: object, more: INodeParameters = {}) => ({
	node: 'acpTables record.create',
	parameters: { table: byId(await newTable()), columns: mapped(value), ...more },
});
const a = { name: 'a' };
const pasted = { name: 'Prices', data: '=name,price\n{{ $json.rows }}' };
const columns = (...values: object[]) => ({ name: 'Prices', columns: { values } }) as never;

// interface: §4.4 table fields
test('the mapper offers the columns with their types, and keeps them while the table is not chosen', async () => {
	const offered = async (table: string, columns?: object) =>
		await engine.resourceMapping('acpTables', 'getTableFields', {
			parameters: { resource: 'record', operation: 'create', table: byId(table), columns } as never,
			path: 'parameters.columns',
		});
	const { fields, ...more } = await offered(await newTable());
	expect(more).toEqual({});
	expect(fields.map(({ displayName, type }) => `${displayName}: ${type}`)).toEqual([
		...['product (text): string', 'price (number): number', 'since (date): dateTime'],
		...['active (boolean): boolean', 'details (json): object', 'page (url): string'],
	]);
	const emptyFieldsNotice = expect.stringContaining("Fill in 'Table' first");
	expect(await offered('')).toMatchObject({ fields: [], emptyFieldsNotice });
	const loaded = { mappingMode: 'defineBelow', value: {}, schema: fields };
	expect(await offered('', loaded)).toEqual({ fields });
});

cases(platform, {
	// interface: §4.4 table rows
	'values are sent in the type of their column, whatever a spreadsheet made of them': async () => {
		const names = Object.keys(types);
		const same = { since: '2026-03-29', page: 'https://example.com/p' };
		const sheet = { product: 4711, price: '12.50', active: 'yes', details: '{"a": ["b"]}' };
		const typed = { product: '4711', price: 12.5, active: true, details: { a: ['b'] } };
		return {
			...(await write(Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`])))),
			items: [{ ...same, ...sheet }],
			got: { 'POST .*': [{ record: { ...same, ...typed } }] },
		};
	},
	'with Send Empty Fields, an update empties a column by its type': async () => {
		const options = { sendEmptyFields: true };
		const { parameters } = await write({ price: '', product: '' }, { options });
		const path = `/data/${parameters.table.value}/records`;
		const { data } = await sandbox.api.post(path, { record: { product: 'Tea', price: 3 } });
		return {
			node: 'acpTables record.update',
			parameters: { ...parameters, record: byId(data.data.uuid) },
			json: [{ record: { product: '', price: null } }],
		};
	},
	'the columns are read once per table; with Continue only good items are written': async () => ({
		...(await write({ product: 'p', price: '={{ $json.price }}' })),
		items: [{ price: 1 }, { price: 'many' }, { price: 3 }, { price: '' }, { price: 'x' }],
		chosen: { onError: 'continueRegularOutput' },
		json: [{}, { errorItem: 1 }, {}, {}, { errorItem: 4 }],
		sent: { 'GET /data/[^/]+/fields': 1, 'POST .*': 3 },
	}),
	'a text that may be one or a thousand is no number': async () => ({
		...(await write({ product: 'p', price: '1.000' })),
		fails: /The column "price" holds numbers, but the value is "1\.000"\. .*or pass a number\./,
		sent: { 'POST .*': 0 },
	}),
	...refusals('acpTables', [
		// interface: §4.4 tables; §4.4 table fields
		['table.create', columns(a, { ...a, dataType: 'number' }), 'the name "a" twice'],
		['table.create', columns({ ...a, dataType: 'money' }), /Columns 1 › Type.*"money".*boolean/],
		['import.copypaste', pasted, "'Text' is incomplete: {{ $json.rows }} returned nothing"],
	]),
});

// interface: §2.1 rule 4
test.each<[string, object[]]>([
	['', []],
	[
		', in a column that the editor has loaded',
		[{ id: 'since', displayName: 'since', type: 'dateTime' }],
	],
])(
	'a day and $today stay the day, a time of day is read in the zone of the node, never in that of n8n%s',
	async (_, schema) => {
		const columns = { ...(mapped({ since: '={{ $json.since ?? $today }}' }) as object), schema };
		const options = { timezone: 'Asia/Tokyo', concurrency: 1 };
		const { node, parameters } = await write({}, { columns, options } as never);
		const items = ['2026-03-29T00:00:00', '2026-03-29T09:30:00', null].map((since) => ({ since }));
		ok(await run(node, parameters, { items, timezone: 'America/New_York' }));
		const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
		const sent = (await sandbox.ledger({ method: 'POST' })).map(({ body }) => body.record.since);
		expect(sent).toEqual(['2026-03-29', '2026-03-29T09:30:00+09:00', day]);
	},
);
