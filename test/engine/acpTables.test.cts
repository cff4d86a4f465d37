/** ACP Tables in n8n's own engine against the sandbox. */
import type { IDataObject } from 'n8n-workflow';
import { byId, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform();
const { sandbox, engine } = platform;
const rows = (...values: IDataObject[]) => ({ values });
const columns = rows(
	{ name: 'product', data_type: 'text' },
	{ name: 'price', data_type: 'number' },
	{ name: 'since', data_type: 'date' },
	{ name: 'active', data_type: 'boolean' },
	{ name: 'details', data_type: 'json' },
	{ name: 'page', data_type: 'url' },
);
// Rows of the node name the API's fields in camelCase.
const asParameters = ({ values }: { values: IDataObject[] }) =>
	rows(...values.map(({ name, data_type: dataType }) => ({ name, dataType })));

const run = async (
	parameters: IDataObject,
	options: Parameters<typeof platform.engine.runNode>[2] = {},
) => await engine.runNode('acpTables', parameters as never, options);

async function newTable(): Promise<string> {
	const { data } = await sandbox.api.post('/data/tables', {
		name: 'Prices',
		columns: columns.values,
	});
	await sandbox.clearLedger();
	return data.data.uuid as string;
}

const mapping = (value: IDataObject) => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns: [],
	schema: [],
});
const write = (table: string, value: IDataObject, more: IDataObject = {}) => ({
	resource: 'record',
	operation: 'create',
	table: byId(table),
	columns: mapping(value),
	...more,
});
const sent = async (method = 'POST') =>
	(await sandbox.ledger({ method })).map(({ body }) => body?.record);

describe('table', () => {
	// interface: §4.4 tables; §4.4 table fields
	test('create sends typed columns in order; get, fields, assign and sync work on it', async () => {
		const created = ok(
			await run({
				resource: 'table',
				operation: 'create',
				name: 'Prices',
				columns: asParameters(columns),
				additionalFields: { description: 'What things cost' },
			}),
		);
		const [table] = created.json();
		expect((await sandbox.ledger({ path: '/data/tables' }))[0]!.body).toEqual({
			name: 'Prices',
			columns: columns.values,
			description: 'What things cost',
		});

		const at = { resource: 'table', table: byId(table.uuid) };
		expect((await run({ ...at, operation: 'get' })).json()[0]).toMatchObject({
			uuid: table.uuid,
			name: 'Prices',
		});
		expect(
			(await run({ ...at, operation: 'getFields', returnAll: true }))
				.json()
				.map(({ name, data_type }) => ({ name, data_type })),
		).toEqual(columns.values);

		const [agent] = await sandbox.state('agents');
		expect(
			(await run({ ...at, operation: 'assign', agent: byId(agent.agent_uuid) })).error?.message,
		).toBeUndefined();
		expect((await run({ ...at, operation: 'sync' })).error?.message).toBeUndefined();
		const [stored] = await sandbox.state('tables');
		expect(stored.agent_uuids).toEqual([agent.agent_uuid]);
		expect(stored.synced_at).toBeTruthy();
	});

	test('two columns of one name are refused before anything is sent', async () => {
		const result = await run({
			resource: 'table',
			operation: 'create',
			name: 'Prices',
			columns: rows({ name: 'a', dataType: 'text' }, { name: 'a', dataType: 'number' }),
		});
		expect(result.error?.message).toContain('the name "a" twice');
		expect(await sandbox.ledger()).toEqual([]);
	});

	// interface: §4.4 tables
	test('a type that no column has is refused', async () => {
		const result = await run({
			resource: 'table',
			operation: 'create',
			name: 'Prices',
			columns: rows({ name: 'a', dataType: 'money' }),
		});
		expect(result.error?.message).toMatch(
			/Columns 1 › Type.*"money".*boolean, date, json, number, text, url/,
		);
	});
});

describe('record', () => {
	// interface: §4.4 table fields
	test('the mapper offers the columns with their types', async () => {
		const table = await newTable();
		const { fields, ...more } = await engine.resourceMapping('acpTables', 'getTableFields', {
			parameters: { resource: 'record', operation: 'create', table: byId(table) } as never,
			path: 'parameters.columns',
		});
		expect(more).toEqual({});
		expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['product', 'product (text)', 'string'],
			['price', 'price (number)', 'number'],
			['since', 'since (date)', 'dateTime'],
			['active', 'active (boolean)', 'boolean'],
			['details', 'details (json)', 'object'],
			['page', 'page (url)', 'string'],
		]);
		const mapping = (columns?: object) => ({
			parameters: { resource: 'record', operation: 'create', table: byId(''), columns } as never,
			path: 'parameters.columns',
		});
		expect(await engine.resourceMapping('acpTables', 'getTableFields', mapping())).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining("Fill in 'Table' first"),
		});
		const loaded = await engine.resourceMapping(
			'acpTables',
			'getTableFields',
			mapping({ mappingMode: 'defineBelow', value: {}, schema: fields }),
		);
		expect(loaded).toEqual({ fields });
	});

	// interface: §4.4 table rows
	test('values are sent in the type of their column, whatever a spreadsheet made of them', async () => {
		const table = await newTable();
		const result = ok(
			await run(
				write(table, {
					product: '={{ $json.product }}',
					price: '={{ $json.price }}',
					since: '={{ $json.since }}',
					active: '={{ $json.active }}',
					details: '={{ $json.details }}',
					page: '={{ $json.page }}',
				}),
				{
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
				},
			),
		);
		expect(await sent()).toEqual([
			{
				product: '4711',
				price: 12.5,
				since: '2026-03-29',
				active: true,
				details: { colors: ['red'] },
				page: 'https://example.com/p',
			},
		]);
		expect(result.json()[0].record).toMatchObject({ price: 12.5, active: true });
	});

	// interface: §2.1 rule 4
	test('a day stays the day; a time of day is read in the zone of the node, never in that of n8n', async () => {
		const table = await newTable();
		const since = (value: string) =>
			run(write(table, { product: 'x', since: value }, { options: { timezone: 'Asia/Tokyo' } }));
		await since('2026-03-29T00:00:00');
		await since('2026-03-29T09:30:00');
		await since('={{ DateTime.fromISO("2026-03-29T09:30:00Z") }}');
		const dates = (await sent()).map(({ since: date }) => date as string);
		expect(dates.slice(0, 2)).toEqual(['2026-03-29', '2026-03-29T09:30:00+09:00']);
		expect(Date.parse(dates[2]!)).toBe(Date.parse('2026-03-29T09:30:00Z'));
	});

	// interface: §2.1 rule 4
	test.each([['legacy'], ['vm']] as const)(
		'$today in a column of dates is the day, not midnight in the zone of n8n (%s)',
		async (expressionEngine) => {
			const table = await newTable();
			const schema = [{ id: 'since', displayName: 'since (date)', type: 'dateTime' }];
			const parameters = (known: unknown[]) =>
				write(table, {}, {
					columns: { ...mapping({ since: '={{ $today }}' }), schema: known },
					options: { timezone: 'Europe/Istanbul' },
				} as IDataObject);
			const options = { timezone: 'America/New_York', expressionEngine };
			for (const known of [[], schema]) await run(parameters(known), options as never);
			const days = (await sent()).map(({ since: day }) => day as string);
			expect(days).toEqual([
				expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
				expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
			]);
		},
	);

	test('the columns are read once per table; bad items are all listed and nothing is written', async () => {
		const table = await newTable();
		const items = [{ price: 1 }, { price: 'many' }, { price: 3 }, { price: '' }, { price: 'x' }];
		const stopped = await run(write(table, { product: 'p', price: '={{ $json.price }}' }), {
			items,
		});
		expect(stopped.error?.message).toContain(
			'The column "price" holds numbers, but the value is "many"',
		);
		expect(stopped.error?.description).toMatch(/Nothing was sent.*Item 1.*Item 4/);
		expect(await sandbox.created()).toEqual([]);
		expect(await sandbox.ledger({ path: `/data/${table}/fields` })).toHaveLength(1);

		const continued = await run(write(table, { product: 'p', price: '={{ $json.price }}' }), {
			items,
			onError: 'continueRegularOutput',
		});
		expect(continued.json().map(({ errorItem }) => errorItem)).toEqual([
			undefined,
			1,
			undefined,
			undefined,
			4,
		]);
		expect(continued.pairedItems()).toEqual([[0], [1], [2], [3], [4]]);
		expect((await sandbox.state('records')).map(({ record }) => record.price)).toEqual(
			expect.arrayContaining([1, 3]),
		);
	});

	test('a column that the table does not have is named, with those that it has', async () => {
		const table = await newTable();
		const result = await run(write(table, { prize: 3 }));
		expect(result.error?.message).toContain(
			'The table has no column "prize". It has: product, price, since',
		);
	});

	test('all columns are taken from the input item where it has fields of the same names', async () => {
		const table = await newTable();
		const columns = {
			mappingMode: 'autoMapInputData',
			value: null,
			matchingColumns: [],
			schema: [{ id: 'product' }, { id: 'price' }],
		};
		await run(
			{ resource: 'record', operation: 'create', table: byId(table), columns: columns as never },
			{ items: [{ product: 'Tea', price: '3', other: 'x' }] },
		);
		expect(await sent()).toEqual([{ product: 'Tea', price: 3 }]);
	});

	test('preview shows the converted record and writes nothing', async () => {
		const table = await newTable();
		const result = await run(write(table, { price: '7' }, { options: { preview: true } }));
		expect(result.json()[0]).toMatchObject({
			preview: true,
			method: 'POST',
			body: { record: { price: 7 } },
		});
		expect(await sandbox.created()).toEqual([]);
	});

	// interface: §4.4 table rows
	test('update, delete and get many; records can be chosen by their first values', async () => {
		const table = await newTable();
		for (let index = 0; index < 120; index += 1)
			await sandbox.api.post(`/data/${table}/records`, {
				record: { product: `Product ${index}`, price: index },
			});
		const at = { resource: 'record', table: byId(table) };
		await sandbox.clearLedger();
		const all = (await run({ ...at, operation: 'getAll', returnAll: true })).json();
		const [first] = await sandbox.ledger({
			method: 'GET',
			path: `/data/${table}/records`,
		});
		expect(first!.query).toMatchObject({ per_page: '100' });
		expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(120);
		expect((await run({ ...at, operation: 'getAll', limit: 7 })).json()).toHaveLength(7);

		const record = byId(all[5].uuid);
		const updated = await run({
			...at,
			operation: 'update',
			record,
			columns: mapping({ price: '99' }),
		});
		expect(updated.json()[0].record).toMatchObject({ product: 'Product 5', price: 99 });
		expect(await sent('PUT')).toEqual([{ price: 99 }]);
		const cleared = await run({
			...at,
			operation: 'update',
			record,
			columns: mapping({ price: '', product: '' }),
			options: { sendEmptyFields: true },
		});
		expect(cleared.json()[0].record).toMatchObject({ product: '', price: null });

		expect((await run({ ...at, operation: 'delete', record })).json()).toEqual([
			{ deleted: true, uuid: all[5].uuid },
		]);
		expect(await sandbox.state('records')).toHaveLength(119);

		const found = await engine.listSearch('acpTables', 'searchTableRecords', {
			parameters: { ...at, operation: 'delete' } as never,
			path: 'parameters.record',
			filter: 'product 119',
		});
		expect(found.results.map(({ name }) => name)).toEqual(['Product 119 – 119']);
	});
});

describe('import', () => {
	// interface: §4.4 imports
	test('text becomes records', async () => {
		ok(
			await run({
				resource: 'import',
				operation: 'copypaste',
				name: 'Prices',
				data: 'product,price\nTea,3\nCoffee,4',
				additionalFields: { description: 'What drinks cost' },
			}),
		);
		expect((await sandbox.state('records')).map(({ record }) => record)).toEqual([
			{ product: 'Tea', price: 3 },
			{ product: 'Coffee', price: 4 },
		]);
	});

	// interface: §4.4 imports
	test('a file is sent as a real form', async () => {
		const result = ok(
			await run(
				{
					resource: 'import',
					operation: 'file',
					binaryPropertyName: 'sheet',
					additionalFields: { name: 'Drinks' },
				},
				{
					items: [
						{
							json: {},
							binary: {
								sheet: {
									data: Buffer.from('product,price\nTea,3'),
									fileName: 'drinks.csv',
									mimeType: 'text/csv',
								},
							},
						},
					],
				},
			),
		);
		expect(result.json()[0]).toMatchObject({ name: 'Drinks' });
		const [request] = await sandbox.ledger({ path: '/data/import/file' });
		expect(request!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect((await sandbox.state('records')).map(({ record }) => record)).toEqual([
			{ product: 'Tea', price: 3 },
		]);
	});

	// interface: §4.4 imports
	test('a website is sent by its URL; what is not known can be added as JSON', async () => {
		ok(
			await run({
				resource: 'import',
				operation: 'website',
				url: 'https://example.com/faq',
				bodyJson: '{"depth": 2}',
				additionalFields: { name: 'Questions' },
			}),
		);
		expect((await sandbox.ledger({ path: '/data/import/website' }))[0]!.body).toEqual({
			url: 'https://example.com/faq',
			depth: 2,
			name: 'Questions',
		});

		await sandbox.strike('^/data/import/website$', {
			status: 422,
			body: {
				success: false,
				message: 'The field website is required.',
				error: { code: 'VALIDATION_ERROR', field: 'website' },
			},
		});
		const refused = await run({
			resource: 'import',
			operation: 'website',
			url: 'https://example.com/faq',
		});
		expect(refused.error?.description).toMatch(
			/Body \(JSON\).*The platform says: The field website is required/,
		);
	});
});
