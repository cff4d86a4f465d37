/** Tables: values in the types of their columns, whatever a spreadsheet made of them. */
import type { INodeParameters } from 'n8n-workflow';
import { cases, refusals } from './guarantees/cases.cts';
import { byId, mapped, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ engine: { expressionEngine: 'vm' } });
const { sandbox, engine, run } = platform;
const types = {
	product: 'text',
	price: 'number',
	since: 'date',
	active: 'boolean',
	details: 'json',
	page: 'url',
};

async function newTable(): Promise<string> {
	const columns = Object.entries(types).map(([name, data_type]) => ({ name, data_type }));
	const { data } = await sandbox.api.post('/data/tables', { name: 'Prices', columns });
	await sandbox.clearLedger();
	return data.data.uuid as string;
}
const write = (table: string, value: object, more: INodeParameters = {}) => ({
	node: 'acpTables record.create',
	parameters: { table: byId(table), columns: mapped(value), ...more },
});
const sent = async () => (await sandbox.ledger({ method: 'POST' })).map(({ body }) => body.record);

describe('table', () => {
	const columns = (...values: object[]) => ({ name: 'Prices', columns: { values } }) as never;
	cases(
		platform,
		refusals('acpTables', [
			// interface: §4.4 tables; §4.4 table fields
			[
				'table.create',
				columns({ name: 'a', dataType: 'text' }, { name: 'a', dataType: 'number' }),
				'the name "a" twice',
			],
			[
				'table.create',
				columns({ name: 'a', dataType: 'money' }),
				/Columns 1 › Type.*"money".*boolean, date, json, number, text, url/,
			],
		]),
	);
});

describe('record', () => {
	// interface: §4.4 table fields
	test('the mapper offers the columns with their types, and keeps them while the table is not chosen', async () => {
		const offered = async (table: string, columns?: object) =>
			await engine.resourceMapping('acpTables', 'getTableFields', {
				parameters: {
					resource: 'record',
					operation: 'create',
					table: byId(table),
					columns,
				} as never,
				path: 'parameters.columns',
			});
		const { fields, ...more } = await offered(await newTable());
		expect(more).toEqual({});
		expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['product', 'product (text)', 'string'],
			['price', 'price (number)', 'number'],
			['since', 'since (date)', 'dateTime'],
			['active', 'active (boolean)', 'boolean'],
			['details', 'details (json)', 'object'],
			['page', 'page (url)', 'string'],
		]);
		expect(await offered('')).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining("Fill in 'Table' first"),
		});
		const loaded = { mappingMode: 'defineBelow', value: {}, schema: fields };
		expect(await offered('', loaded)).toEqual({ fields });
	});

	const fromItem = Object.fromEntries(
		Object.keys(types).map((name) => [name, `={{ $json.${name} }}`]),
	);

	cases(platform, {
		// interface: §4.4 table rows
		'values are sent in the type of their column, whatever a spreadsheet made of them':
			async () => ({
				...write(await newTable(), fromItem),
				items: [
					{
						product: 4711,
						price: '12.50',
						since: '2026-03-29',
						active: 'yes',
						details: '{"colors": ["red"]}',
						page: 'https://example.com/p',
					},
				],
				got: {
					'POST .*': [
						{
							record: {
								product: '4711',
								price: 12.5,
								since: '2026-03-29',
								active: true,
								details: { colors: ['red'] },
								page: 'https://example.com/p',
							},
						},
					],
				},
			}),
		'a preview shows them so, and writes nothing': async () => ({
			...write(await newTable(), { price: '7' }, { options: { preview: true } }),
			json: [{ preview: true, request: { method: 'POST', body: { record: { price: 7 } } } }],
			sent: { 'POST .*': 0 },
		}),
		'with Send Empty Fields, an update empties a column by its type': async () => {
			const table = await newTable();
			const record = { product: 'Tea', price: 3 };
			const { data } = await sandbox.api.post(`/data/${table}/records`, { record });
			const { parameters } = write(table, { price: '', product: '' });
			return {
				node: 'acpTables record.update',
				parameters: {
					...parameters,
					record: byId(data.data.uuid),
					options: { sendEmptyFields: true },
				},
				json: [{ record: { product: '', price: null } }],
			};
		},
		'the columns are read once per table; with Continue only good items are written': async () => {
			const table = await newTable();
			return {
				...write(table, { product: 'p', price: '={{ $json.price }}' }),
				items: [{ price: 1 }, { price: 'many' }, { price: 3 }, { price: '' }, { price: 'x' }],
				chosen: { onError: 'continueRegularOutput' },
				json: [{}, { errorItem: 1 }, {}, {}, { errorItem: 4 }],
				sent: { [`GET /data/${table}/fields`]: 1, 'POST .*': 3 },
			};
		},
	});

	cases(platform, {
		'a text that may be one or a thousand is no number': async () => ({
			...write(await newTable(), { product: 'p', price: '1.000' }),
			fails:
				/The column "price" holds numbers, but the value is "1\.000"\. .*pass a number instead of text/,
			sent: { 'POST .*': 0 },
		}),
		'a text without its rows makes no table': {
			node: 'acpTables import.copypaste',
			parameters: { name: 'Prices', data: '=name,price\n{{ $json.rows }}' },
			refused: /'Text' is incomplete: \{\{ \$json\.rows \}\} returned nothing/,
		},
	});

	// interface: §2.1 rule 4
	test('a day stays the day; a time of day is read in the zone of the node, never in that of n8n', async () => {
		const { node, parameters } = write(
			await newTable(),
			{ product: 'x', since: '={{ $json.since }}' },
			{ options: { timezone: 'Asia/Tokyo', concurrency: 1 } },
		);
		const items = ['2026-03-29T00:00:00', '2026-03-29T09:30:00'].map((since) => ({ since }));
		ok(await run(node, parameters, { items }));
		expect((await sent()).map(({ since }) => since)).toEqual([
			'2026-03-29',
			'2026-03-29T09:30:00+09:00',
		]);
	});

	// interface: §2.1 rule 4
	test('$today in a column of dates is the day, not midnight in the zone of n8n', async () => {
		const table = await newTable();
		const schema = [{ id: 'since', displayName: 'since (date)', type: 'dateTime' }];
		for (const known of [[], schema]) {
			const columns = { ...(mapped({ since: '={{ $today }}' }) as object), schema: known };
			const options = { timezone: 'Europe/Istanbul' };
			const { node, parameters } = write(table, {}, { columns, options } as never);
			ok(await run(node, parameters, { timezone: 'America/New_York' }));
		}
		const days = (await sent()).map(({ since: day }) => day as string);
		expect(days).toEqual(Array(2).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d$/)));
	});
});
