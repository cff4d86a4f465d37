/**
 * *Create or Update* of table records: what counts is what the table holds afterwards, by the platform's own state, and
 * which requests the ledger shows.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { answer } from './guarantees/promises.cts';
import { byId, failure, fast, hintsOf, retrying, ok } from './guarantees/scene.cts';
import type { NodeOptions, Result, Sandbox } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
const { sandbox, engine } = platform;

const columns = { sku: 'text', size: 'number', price: 'number', since: 'date', active: 'boolean' };
const named = { id: 'text', sku: 'text', name: 'text', price: 'number' };

/**
 * A table that holds these records. Each new workspace gives its tables the same IDs, so tests in which something is
 * lost have a `sku` of their own.
 * @returns its ID
 */
async function tableIn(of: Sandbox, types: Record<string, string>, records: IDataObject[] = []) {
	const having = Object.entries(types).map(([name, data_type]) => ({ name, data_type }));
	const { data } = await of.api.post('/data/tables', { name: 'Prices', columns: having });
	const { uuid } = data.data as { uuid: string };
	for (const record of records) await of.api.post(`/data/${uuid}/records`, { record });
	await of.clearLedger();
	return uuid;
}
const tableOf = async (...records: IDataObject[]) => await tableIn(sandbox, columns, records);
const many = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ sku: `S${index}`, price: index }));

const upsert = (table: string, matchingColumns = ['sku'], options: INodeParameters = {}) => ({
	table: byId(table),
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns, schema: [] },
	options,
});
const run = async (parameters: INodeParameters, items: IDataObject[], node: NodeOptions = {}) =>
	await engine.runNode('acpTables record.upsert', parameters, { items, ...node });
const created = (result: Result) => result.json().map((json) => json.created as boolean);
const continued = { onError: 'continueRegularOutput' } as const;

const held = async (): Promise<any[]> =>
	(await sandbox.state('records')).map(({ record }) => record);
const written = async (): Promise<string[]> =>
	(await sandbox.ledger())
		.filter(({ method }) => method !== 'GET')
		.map(({ method }) => method)
		.sort();
const records = '^/data/[^/]+/records(/[^/]+)?$';
/** The list shows these rows, in some of its reads or in all. */
const lists = async (rows: object[], nth?: number[]) =>
	await sandbox.strike(`GET ${records}`, answer({ success: true, data: rows }), { nth });
const lose = async (method: string, kind: 'reset-after' | 'reset-before' = 'reset-after') =>
	await sandbox.strike(`${method} ${records}`, kind, { nth: 1 });

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
		expect(result.pairedItems()).toEqual(items.map((_, index) => [index]));
		expect(await written()).toEqual(['POST', 'POST', 'POST', 'PUT', 'PUT', 'PUT']);
		expect(await sandbox.ledger({ path: `/data/${table}/records`, method: 'GET' })).toHaveLength(2);
		expect(await held()).toHaveLength(124);
		const prices = Object.fromEntries((await held()).map(({ sku, price }) => [sku, price]));
		expect(prices).toMatchObject({ S3: 33, ' S119 ': 99, '007': 1, '7': 7, s3: 8 });
		await sandbox.clearLedger();
		expect(created(await run(upsert(table), items))).toEqual(items.map(() => false));
		expect(await held()).toHaveLength(124);
	});

	test('several columns match together; numbers and booleans by value, also if a platform keeps them as text', async () => {
		await sandbox.settings({ manners: { textCells: true } });
		const table = await tableOf({ sku: 'a', size: '5.0' }, { sku: 'a', size: '6' });
		const items = [
			{ sku: 'a', size: 5, price: 1 },
			{ sku: 'a', size: '6', price: 2 },
			{ sku: 'b', size: 6, price: 3 },
		];
		expect(created(ok(await run(upsert(table, ['sku', 'size']), items)))).toEqual([
			false,
			false,
			true,
		]);
		const switched = await tableOf({ sku: 'c', active: 'yes' }, { sku: 'c', active: 'no' });
		const yes = [{ sku: 'c', active: true, price: 4 }];
		expect(created(await run(upsert(switched, ['sku', 'active']), yes))).toEqual([false]);
		const prices = (await held()).map(({ sku, price }) => `${sku} ${price}`);
		expect(prices).toEqual(['a 1', 'a 2', 'b 3', 'c 4', 'c undefined']);
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
		expect((await sandbox.ledger()).filter(({ path }) => path.includes('/records'))).toEqual([]);
	});

	test('several records are named by their IDs; the other items go on', async () => {
		const table = await tableOf({ sku: 'a', price: 1 }, { sku: 'b', price: 1 }, { sku: 'b' });
		const ids = (await sandbox.state('records')).slice(1).map(({ uuid }) => uuid);
		const items = ['b', 'a'].map((sku) => ({ sku, price: 2 }));
		expect((await run(upsert(table), items, continued)).json()).toMatchObject([
			{
				error: expect.stringContaining('2 records have "sku" "b"'),
				errorDescription: expect.stringContaining(ids.join(', ')),
			},
			{ created: false, record: { price: 2 } },
		]);
		expect(await written()).toEqual(['PUT']);
	});

	const inTwoPlaces = [{ uuid: 'x', sku: 'a', parent: { sku: 'b' } }];
	const anObject = [{ uuid: 'x', record: { sku: { text: 'a' } } }];
	const bare = { listLayout: 'bare' };
	test.each<[string, object, number | object[] | undefined, string]>([
		[
			'that changes with each page',
			{ movingLists: { '/data/{uuid}/records': { add: 30 } }, manners: bare },
			undefined,
			'the list changed while it was read',
		],
		[
			'that returns its first page again and again',
			{ manners: { samePage: true, ...bare } },
			undefined,
			'returned a page of the list twice',
		],
		['that is lost', {}, 503, 'The check before sending failed'],
		['without the column', {}, [{ uuid: 'x', record: { price: 1 } }], 'shows the column "sku"'],
		['with cells in two places', {}, inTwoPlaces, 'in two places'],
		['with a cell that is an object', {}, anObject, 'be compared'],
		['with an ID that is a cell', {}, [{ id: 'x', sku: 'a' }], 'does not show its ID'],
	])('a list %s holds all back, and says so', async (_, settings, shown, why) => {
		const table = await tableIn(sandbox, named, many(120));
		await sandbox.settings(settings);
		if (typeof shown === 'number') await sandbox.strike('GET /records$', shown);
		else if (shown) await lists(shown);
		const said = failure(await run(upsert(table, ['sku'], { maxRetries: 1 }), [{ sku: 'a' }]));
		expect(said).toContain(why);
		expect(said).toContain('Nothing was sent for this item');
		expect(await written()).toEqual([]);
	});

	test('columns that cannot be read hold all back: how values compare is not known', async () => {
		const table = await tableOf({ sku: 'a' });
		await sandbox.strike('/fields$', 404);
		expect(failure(await run(upsert(table), [{ sku: 'a', price: 1 }]))).toBeDefined();
		expect(await written()).toEqual([]);
	});

	// interface: §4.4 table rows
	test.each(['', 'flat', 'data', 'values', 'fields', 'wrapped'])(
		'cells in the layout "%s", a row without its empty cell: matched, updated, created',
		async (recordLayout) => {
			await sandbox.settings({ manners: { recordLayout } });
			const [a, b, c] = ['a', 'b', 'c'].map((name) => `${recordLayout}-${name}`);
			const other = { price: 9, active: true };
			const table = await tableOf({ sku: a, price: 1 }, other, { sku: b, size: 5 });
			const items = [a, b, c, c].map((sku, index) => ({ sku, price: index }));
			expect(created(ok(await run(upsert(table), items)))).toEqual([false, false, true, false]);
			expect(await held()).toEqual([
				{ sku: a, price: 0 },
				other,
				{ sku: b, size: 5, price: 1 },
				{ sku: c, price: 3 },
			]);
		},
	);

	// interface: §4.4 table rows
	test.each(['', 'flat', 'data', 'wrapped'])(
		'a column named "id", in the layout "%s": the update goes to the record, not to the cell',
		async (recordLayout) => {
			await sandbox.settings({ manners: { recordLayout } });
			const rows = ['one', 'two'].map((name, index) => ({ id: `A-${index}`, name }));
			const table = await tableIn(sandbox, named, rows);
			const result = ok(await run(upsert(table, ['id']), [{ id: 'A-1', name: 'zwei' }]));
			expect(created(result)).toEqual([false]);
			expect((await held()).map(({ name }) => name)).toEqual(['one', 'zwei']);
		},
	);

	test('an update that omits columns in which the record has values: said once', async () => {
		const table = await tableOf({ sku: 'a', price: 1, size: 2 }, { sku: 'b', size: null });
		const both = ['a', 'b'].map((sku) => ({ sku, price: 2 }));
		const said = hintsOf(await run(upsert(table), both));
		expect(said.split('Whether an update keeps them is not known')).toHaveLength(2);
		const whole = await run(upsert(table), [{ sku: 'a', price: 2, size: 2 }]);
		expect(hintsOf(whole)).not.toContain('not mapped');
		expect(await written()).toEqual(['PUT', 'PUT', 'PUT']);
	});

	test('a lost answer creates nothing twice, and a lost update is sent again by the next try', async () => {
		const table = await tableOf({ sku: 'old', price: 1 });
		await lists([], [2, 3]);
		await lose('POST');
		const made = ok(await run(upsert(table), [{ sku: 'new', price: 1 }]));
		expect(created(made)).toEqual([true]);
		expect(hintsOf(made)).toContain('It was found on the platform and not created again');
		expect(await written()).toEqual(['POST']);

		await sandbox.clearLedger();
		await lose('PUT');
		const changed = ok(await run(upsert(table), [{ sku: 'old', price: 2 }], retrying));
		expect(created(changed)).toEqual([false]);
		expect(await written()).toEqual(['PUT', 'PUT']);
		expect((await held()).map(({ price }) => price)).toEqual([2, 1]);
	});

	test('after a lost create, a record with other values is not taken for it', async () => {
		const table = await tableOf();
		await lists([{ uuid: 'x', record: { sku: 'alike', price: 9 } }], [2, 3, 4, 5, 6, 7, 8, 9]);
		await lose('POST', 'reset-before');
		const said = failure(await run(upsert(table), [{ sku: 'alike', price: 1 }]));
		expect(said).toContain('A new record looks like it');
		expect(await written()).toEqual(['POST']);
	});

	test('after a create that nobody can find, its twin in the run is held back', async () => {
		const table = await tableOf();
		await lists([]);
		await lose('POST');
		const items = [1, 2].map((price) => ({ sku: 'lost', price }));
		const result = await run(upsert(table), items, continued);
		expect(result.json().map(({ error }) => error)).toEqual([
			expect.stringContaining('may have gone through'),
			expect.stringContaining('It is not known whether the record exists already'),
		]);
		expect(await held()).toHaveLength(1);
	});

	test('a record that is deleted right after it was created is created again', async () => {
		const table = await tableOf();
		const [{ uuid }] = (await run(upsert(table), [{ sku: 'gone', price: 1 }])).json();
		await sandbox.api.delete(`/data/${table}/records/${uuid}`);
		expect(created(await run(upsert(table), [{ sku: 'gone', price: 2 }]))).toEqual([true]);
		expect(await held()).toEqual([{ sku: 'gone', price: 2 }]);
	});

	test('the editor offers what can be matched on; a preview says that an update is possible', async () => {
		const table = await tableOf({ sku: 'a' });
		const { fields } = await engine.resourceMapping('acpTables', 'getTableFields', {
			parameters: { resource: 'record', operation: 'upsert', table: byId(table) },
			path: 'parameters.columns',
		});
		const matchable = fields.filter(({ canBeUsedToMatch }) => canBeUsedToMatch);
		expect(fields.map(({ id }) => id)).toEqual(Object.keys(columns));
		expect(matchable.map(({ id }) => id)).toEqual(['sku', 'size', 'price', 'active']);
		const preview = await run(upsert(table, ['sku'], { preview: true }), [{ sku: 'a', price: 1 }]);
		expect(preview.json()[0]).toMatchObject({
			preview: true,
			text: expect.stringContaining('If a record has the same "sku", it is updated instead.'),
			request: { method: 'POST', body: { record: { sku: 'a', price: 1 } } },
		});
		expect(await written()).toEqual([]);
	});
});

describe('Create or Update while the list lags', () => {
	// How long a list may lag is counted in seconds, so this clock does not run ahead.
	const steady = usePlatform({ settings: fast });

	test('two executions at once, and one right after: one record', async () => {
		const table = await tableIn(steady.sandbox, columns);
		await steady.sandbox.settings({ latencyMs: 40 });
		await steady.sandbox.strike(`GET ${records}`, answer({ data: [] }));
		const once = async (price: number) => {
			const items = [{ sku: 'shared', price }];
			return created(await steady.run('acpTables record.upsert', upsert(table), { items }));
		};
		expect((await Promise.all([once(1), once(2)])).flat().sort()).toEqual([false, true]);
		expect(await once(3)).toEqual([false]);
		const left = await steady.sandbox.state('records');
		expect(left.map(({ record }) => record)).toEqual([{ sku: 'shared', price: 3 }]);
	});
});
