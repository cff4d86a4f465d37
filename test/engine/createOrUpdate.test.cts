/**
 * *Create or Update* of table records: what counts is what the table holds afterwards, by the platform's own state, and
 * which requests the ledger shows.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, failure, fast, hintsOf, ok } from './guarantees/scene.cts';
import { type FaultRule, type Sandbox, usePlatform } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 50, engine: { expressionEngine: 'legacy' } });

const columns = [
	{ name: 'sku', data_type: 'text' },
	{ name: 'size', data_type: 'number' },
	{ name: 'price', data_type: 'number' },
	{ name: 'since', data_type: 'date' },
	{ name: 'active', data_type: 'boolean' },
];

/**
 * A table that holds these records. Each new workspace gives its tables the same IDs, so tests in which something is
 * lost have a `sku` of their own.
 * @returns its ID
 */
const tableOf = async (...records: IDataObject[]): Promise<string> =>
	await tableIn(platform.sandbox, records);

async function tableIn(
	sandbox: Sandbox,
	records: IDataObject[] = [],
	having: IDataObject[] = columns,
): Promise<string> {
	const { data } = await sandbox.api.post('/data/tables', { name: 'Prices', columns: having });
	for (const record of records)
		await sandbox.api.post(`/data/${data.data.uuid}/records`, { record });
	await sandbox.clearLedger();
	return data.data.uuid as string;
}

const many = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ sku: `S${index}`, price: index }));

const upsert = (
	table: string,
	matchingColumns: string[] = ['sku'],
	options: INodeParameters = {},
): INodeParameters => ({
	resource: 'record',
	operation: 'upsert',
	table: byId(table),
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns, schema: [] },
	options,
});

const run = async (
	parameters: INodeParameters,
	items: IDataObject[],
	settings: Parameters<typeof platform.engine.runNode>[2] = {},
) => await platform.engine.runNode('acpTables', parameters, { items, ...settings });

const held = async (): Promise<any[]> =>
	(await platform.sandbox.state('records')).map(({ record }) => record);
const written = async (): Promise<string[]> =>
	(await platform.sandbox.ledger())
		.filter(({ method }) => method !== 'GET')
		.map(({ method }) => method)
		.sort();
const strike = async (method: string, fault: FaultRule['fault'], more: object = { nth: 1 }) =>
	await platform.sandbox.faults([{ match: { method, path: pathOfRecords, ...more }, fault }]);
const pathOfRecords = '^/data/[^/]+/records(/[^/]+)?$';
const showsNothing: FaultRule['fault'] = { kind: 'status', status: 200, body: { data: [] } };
/** The list shows nothing yet, in these of its reads or in all. */
const lag = async (...nth: number[]) =>
	await strike('GET', showsNothing, nth.length ? { nth } : {});
const created = (result: { json: () => any[] }) =>
	result.json().map((json) => json.created as boolean);

describe('Create or Update', () => {
	// interface: §4.4 table rows
	test('one match is updated, none is created, the same again updates what the run created', async () => {
		const table = await tableOf(...many(120), { sku: '007', price: 1 });
		const items = [
			{ sku: 'S3', price: 33 },
			{ sku: 'new', price: 1 },
			{ sku: ' S119 ', price: 99 },
			{ sku: 'new', price: 2 },
			{ sku: '7', price: 7 },
			{ sku: 's3', price: 8 },
		];
		const result = ok(await run(upsert(table), items));
		expect(created(result)).toEqual([false, true, false, false, true, true]);
		expect(result.pairedItems()).toEqual([[0], [1], [2], [3], [4], [5]]);
		expect(await written()).toEqual(['POST', 'POST', 'POST', 'PUT', 'PUT', 'PUT']);
		expect(
			await platform.sandbox.ledger({ path: `/data/${table}/records`, method: 'GET' }),
		).toHaveLength(2);
		const records = await held();
		expect(records).toHaveLength(124);
		const priceOf = (sku: string) =>
			records.filter((one) => one.sku === sku).map(({ price }) => price);
		expect(['S3', ' S119 ', '007', '7', 's3'].map(priceOf)).toEqual([[33], [99], [1], [7], [8]]);
		expect(priceOf('new')).toHaveLength(1);

		await platform.sandbox.clearLedger();
		expect(created(await run(upsert(table), items))).toEqual(items.map(() => false));
		expect(await held()).toHaveLength(124);
	});

	test('several columns match together; numbers and booleans by value, also if a platform keeps them as text', async () => {
		await platform.sandbox.settings({ manners: { textCells: true } });
		const table = await tableOf({ sku: 'a', size: '5.0' }, { sku: 'a', size: '6' });
		const result = ok(
			await run(upsert(table, ['sku', 'size']), [
				{ sku: 'a', size: 5, price: 1 },
				{ sku: 'a', size: '6', price: 2 },
				{ sku: 'b', size: 6, price: 3 },
			]),
		);
		expect(created(result)).toEqual([false, false, true]);
		expect((await held()).map(({ sku, price }) => [sku, price])).toEqual([
			['a', '1'],
			['a', '2'],
			['b', '3'],
		]);

		const switched = await tableOf({ sku: 'c', active: 'yes' }, { sku: 'c', active: 'no' });
		const items = [{ sku: 'c', active: true, price: 4 }];
		expect(created(await run(upsert(switched, ['sku', 'active']), items))).toEqual([false]);
		expect((await held()).slice(3).map(({ price }) => price)).toEqual(['4', undefined]);
	});

	test.each<[string, IDataObject, string[], RegExp]>([
		['no column to match on', { sku: 'a' }, [], /'Columns' has no column to match on\. Choose/],
		['an empty value', { sku: ' ', price: 1 }, ['sku'], /'Columns › sku' is empty, so no record/],
		['a value that is not there', { price: 1 }, ['sku'], /'Columns › sku' is empty, so no record/],
		['a column of dates', { since: '2026-03-29' }, ['since'], /"since" holds dates.*Match on/],
		['a number that is rounded', { size: '12345678901234567890' }, ['size'], /No record can be/],
		['a column that the table does not have', { code: 1 }, ['code'], /no column "code"/],
	])('%s is refused by name, and nothing is read or written', async (_, item, matching, says) => {
		const table = await tableOf({ sku: 'a' });
		expect(failure(await run(upsert(table, matching), [item]))).toMatch(says);
		expect(await written()).toEqual([]);
		expect(await platform.sandbox.ledger({ path: `/data/${table}/records` })).toEqual([]);
	});

	test('several records are named by their IDs; the other items go on', async () => {
		const table = await tableOf({ sku: 'a', price: 1 }, { sku: 'b', price: 1 }, { sku: 'b' });
		const ids = (await platform.sandbox.state('records')).slice(1).map(({ uuid }) => uuid);
		const result = await run(
			upsert(table),
			[
				{ sku: 'b', price: 2 },
				{ sku: 'a', price: 2 },
			],
			{ onError: 'continueRegularOutput' },
		);
		const [refused, updated] = result.json();
		expect(refused.error).toContain('2 records have "sku" "b"');
		expect(refused.errorDescription).toContain(ids.join(', '));
		expect(updated).toMatchObject({ created: false, record: { price: 2 } });
		expect(await written()).toEqual(['PUT']);
	});

	test.each<[string, object, FaultRule[], string]>([
		[
			'changes with each page',
			{ movingLists: { '/data/{uuid}/records': { add: 30 } }, manners: { listLayout: 'bare' } },
			[],
			'the list changed while it was read',
		],
		[
			'is lost',
			{},
			[{ match: { method: 'GET', path: '/records$' }, fault: { kind: 'status', status: 503 } }],
			'reads what is on the platform before it sends this',
		],
		[
			'does not show the column',
			{},
			[
				{
					match: { method: 'GET', path: '/records$' },
					fault: { kind: 'status', status: 200, body: { data: [{ uuid: 'x', cells: {} }] } },
				},
			],
			'shows the column "sku"',
		],
		[
			'returns its first page again and again',
			{ manners: { samePage: true, listLayout: 'bare' } },
			[],
			'returned a page of the list twice',
		],
	])('a list that %s holds all back, and says so', async (_, settings, faults, why) => {
		const table = await tableOf(...many(120));
		await platform.sandbox.settings(settings);
		await platform.sandbox.faults(faults);
		const result = await run(upsert(table, ['sku'], { maxRetries: 1 }), [{ sku: 'S1' }]);
		expect(failure(result)).toContain(why);
		expect(failure(result)).toContain('Nothing was sent for this item');
		expect(await written()).toEqual([]);
	});

	// interface: §4.4 table rows
	test.each(['', 'flat', 'data', 'values', 'fields', 'wrapped'])(
		'cells in the layout "%s", a row without its empty cell: matched, updated, created',
		async (recordLayout) => {
			await platform.sandbox.settings({ manners: { recordLayout } });
			const sku = (name: string) => `${recordLayout}-${name}`;
			const table = await tableOf(
				{ sku: sku('a'), price: 1 },
				{ price: 9, active: true },
				{ sku: sku('b'), size: 5 },
			);
			const result = ok(
				await run(upsert(table), [
					{ sku: sku('a'), price: 2 },
					{ sku: sku('b'), price: 3 },
					{ sku: sku('c'), price: 4 },
					{ sku: sku('c'), price: 5 },
				]),
			);
			expect(created(result)).toEqual([false, false, true, false]);
			expect(await held()).toEqual([
				{ sku: sku('a'), price: 2 },
				{ price: 9, active: true },
				{ sku: sku('b'), size: 5, price: 3 },
				{ sku: sku('c'), price: 5 },
			]);
		},
	);

	// interface: §4.4 table rows
	test.each(['', 'flat', 'data', 'wrapped'])(
		'a column named "id", in the layout "%s": the update goes to the record, not to the cell',
		async (recordLayout) => {
			await platform.sandbox.settings({ manners: { recordLayout } });
			const having = ['id', 'name'].map((name) => ({ name, data_type: 'text' }));
			const table = await tableIn(
				platform.sandbox,
				[
					{ id: 'A-1', name: 'one' },
					{ id: 'A-2', name: 'two' },
				],
				having,
			);
			const result = ok(await run(upsert(table, ['id']), [{ id: 'A-2', name: 'zwei' }]));
			expect(created(result)).toEqual([false]);
			const [, { uuid }] = (await platform.sandbox.state('records')) as any[];
			expect((await platform.sandbox.ledger({ method: 'PUT' })).map(({ path }) => path)).toEqual([
				`/data/${table}/records/${uuid}`,
			]);
			expect((await held()).map(({ name }) => name)).toEqual(['one', 'zwei']);
		},
	);

	test.each<[string, IDataObject[], string]>([
		['cells in two places', [{ uuid: 'x', sku: 'a', parent: { sku: 'b' } }], 'in two places'],
		['a cell that is an object', [{ uuid: 'x', record: { sku: { text: 'a' } } }], 'be compared'],
		['a column that no row shows', [{ uuid: 'x', record: { price: 1 } }], 'the column "sku"'],
		['an ID that is a cell', [{ id: 'x', sku: 'a' }], 'does not show its ID'],
	])('%s: held back, and said', async (_, listed, says) => {
		const having = ['sku', 'id', 'price'].map((name) => ({ name, data_type: 'text' }));
		const table = await tableIn(platform.sandbox, [], having);
		const body = { success: true, data: listed };
		await strike('GET', { kind: 'status', status: 200, body }, {});
		const result = await run(upsert(table), [{ sku: 'a', price: '2' }]);
		expect(failure(result)).toContain(says);
		expect(await written()).toEqual([]);
	});

	test('an update that omits columns in which the record has values: said once', async () => {
		const table = await tableOf(
			{ sku: 'a', price: 1, size: 2 },
			{ sku: 'b', price: 1, size: null },
		);
		const both = [
			{ sku: 'a', price: 2 },
			{ sku: 'b', price: 2 },
		];
		const said = hintsOf(await run(upsert(table), both));
		expect(said.split('Whether an update keeps them is not known')).toHaveLength(2);
		const whole = await run(upsert(table), [{ sku: 'a', price: 2, size: 2 }]);
		expect(hintsOf(whole)).not.toContain('not mapped');
		expect(await written()).toEqual(['PUT', 'PUT', 'PUT']);
	});

	test('columns that cannot be read hold all back: how values compare is not known', async () => {
		const table = await tableOf({ sku: 'a' });
		await platform.sandbox.strike('/fields$', 404);
		expect(failure(await run(upsert(table), [{ sku: 'a', price: 1 }]))).toBeDefined();
		expect(await written()).toEqual([]);
	});

	test('a lost answer creates nothing twice, and a lost update is sent again by the next try', async () => {
		const table = await tableOf({ sku: 'old', price: 1 });
		await lag(2, 3);
		await strike('POST', { kind: 'reset-after' });
		const made = ok(await run(upsert(table), [{ sku: 'new', price: 1 }]));
		expect(created(made)).toEqual([true]);
		expect(hintsOf(made)).toContain('It was found on the platform and not created again');
		expect(await written()).toEqual(['POST']);

		await platform.sandbox.clearLedger();
		await strike('PUT', { kind: 'reset-after' });
		const changed = ok(
			await run(upsert(table), [{ sku: 'old', price: 2 }], {
				retryOnFail: true,
				maxTries: 2,
				waitBetweenTries: 1,
			}),
		);
		expect(created(changed)).toEqual([false]);
		expect(await written()).toEqual(['PUT', 'PUT']);
		expect((await held()).map(({ price }) => price)).toEqual([2, 1]);
	});

	test('after a lost create, a record with other values is not taken for it', async () => {
		const table = await tableOf();
		const other = { uuid: 'other', record: { sku: 'alike', price: 9 } };
		await strike(
			'GET',
			{ kind: 'status', status: 200, body: { data: [other] } },
			{ nth: [2, 3, 4, 5, 6, 7, 8, 9] },
		);
		await strike('POST', { kind: 'reset-before' });
		const said = failure(await run(upsert(table), [{ sku: 'alike', price: 1 }]));
		expect(said).toContain('A new record on the platform looks like it');
		expect(await written()).toEqual(['POST']);
	});

	test('after a create that nobody can find, its twin in the run is held back', async () => {
		const table = await tableOf();
		await lag();
		await strike('POST', { kind: 'reset-after' });
		const result = await run(
			upsert(table),
			[
				{ sku: 'lost', price: 1 },
				{ sku: 'lost', price: 2 },
			],
			{ onError: 'continueRegularOutput' },
		);
		const [lost, twin] = result.json().map(({ error }) => error);
		expect(lost).toContain('may have gone through');
		expect(twin).toContain('It is not known whether the record exists already');
		expect(await held()).toHaveLength(1);
	});

	test('a record that is deleted right after it was created is created again', async () => {
		const table = await tableOf();
		const [{ uuid }] = (await run(upsert(table), [{ sku: 'gone', price: 1 }])).json();
		await platform.sandbox.api.delete(`/data/${table}/records/${uuid}`);
		expect(created(await run(upsert(table), [{ sku: 'gone', price: 2 }]))).toEqual([true]);
		expect(await held()).toEqual([{ sku: 'gone', price: 2 }]);
	});

	test('the editor offers what can be matched on; a preview says that an update is possible', async () => {
		const table = await tableOf({ sku: 'a' });
		const { fields } = await platform.engine.resourceMapping('acpTables', 'getTableFields', {
			parameters: { resource: 'record', operation: 'upsert', table: byId(table) },
			path: 'parameters.columns',
		});
		expect(fields.map(({ id, canBeUsedToMatch }) => [id, canBeUsedToMatch])).toEqual([
			['sku', true],
			['size', true],
			['price', true],
			['since', false],
			['active', true],
		]);
		const preview = await run(upsert(table, ['sku'], { preview: true }), [{ sku: 'a', price: 1 }]);
		expect(preview.json()[0]).toMatchObject({
			preview: true,
			text: expect.stringContaining('If a record has the same "sku", it is updated instead.'),
			method: 'POST',
			body: { record: { sku: 'a', price: 1 } },
		});
		expect(await written()).toEqual([]);
	});
});

describe('Create or Update while the list lags', () => {
	// How long a list may lag is counted in seconds, so this clock does not run ahead.
	const steady = usePlatform({ settings: fast, engine: { expressionEngine: 'legacy' } });

	test('two executions at once, and one right after: one record', async () => {
		const { sandbox, engine } = steady;
		const table = await tableIn(sandbox);
		await sandbox.settings({ latencyMs: 40 });
		await sandbox.strike(`GET ${pathOfRecords}`, showsNothing);
		const once = async (price: number) =>
			created(
				await engine.runNode('acpTables', upsert(table), { items: [{ sku: 'shared', price }] }),
			);
		expect((await Promise.all([once(1), once(2)])).flat().sort()).toEqual([false, true]);
		expect(await once(3)).toEqual([false]);
		const records = await sandbox.state('records');
		expect(records.map(({ record }) => record)).toEqual([{ sku: 'shared', price: 3 }]);
	});
});
