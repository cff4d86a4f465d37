/**
 * *Create or Update* of table records: what counts is what the table holds afterwards, by the platform's own state, and
 * which requests the ledger shows.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { answer } from './guarantees/promises.cts';
import { byId, failure, fast, hintsOf, ok, tableWith, writesOf } from './guarantees/scene.cts';
import type { Result } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast, speed: 50 });

const columns = { sku: 'text', size: 'number', price: 'number', since: 'date', active: 'boolean' };
const named = { id: 'text', sku: 'text', name: 'text', price: 'number' };

const tableIn = async (types: Record<string, string>, ...records: IDataObject[]) =>
	await tableWith(sandbox, types, records);
const tableOf = async (...records: IDataObject[]) => await tableIn(columns, ...records);
const many = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ sku: `S${index}`, price: index }));

const upsert = async (
	table: string,
	items: IDataObject[],
	matchingColumns = ['sku'],
	options: INodeParameters = {},
) => {
	const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns, schema: [] };
	const parameters = { table: byId(table), columns, options };
	return await run('acpTables record.upsert', parameters, { items });
};
const created = (result: Result) =>
	ok(result)
		.json()
		.map((json) => json.created as boolean);

const held = async () => (await sandbox.state('records')).map(({ record }) => record);
const written = async () => (await writesOf(sandbox)).map(({ method }) => method).sort();
const records = '^/data/[^/]+/records(/[^/]+)?$';
/** The list shows these rows, in some of its reads or in all. */
const lists = async (rows: object[], nth?: number[]) =>
	await sandbox.strike(`GET ${records}`, answer({ success: true, data: rows }), { nth });

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
	const result = await upsert(table, items);
	expect(created(result)).toEqual([false, true, false, false, true, true]);
	expect(result.pairedItems()).toEqual(items.map((_, index) => [index]));
	expect(await written()).toEqual(['POST', 'POST', 'POST', 'PUT', 'PUT', 'PUT']);
	expect(await sandbox.ledger({ path: `/data/${table}/records`, method: 'GET' })).toHaveLength(2);
	const prices = Object.fromEntries((await held()).map(({ sku, price }) => [sku, price]));
	expect(prices).toMatchObject({ S3: 33, ' S119 ': 99, '007': 1, '7': 7, s3: 8 });
	expect(created(await upsert(table, items))).toEqual(items.map(() => false));
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
	expect(created(await upsert(table, items, ['sku', 'size']))).toEqual([false, false, true]);
	const switched = await tableOf({ sku: 'c', active: 'yes' }, { sku: 'c', active: 'no' });
	const yes = [{ sku: 'c', active: true, price: 4 }];
	expect(created(await upsert(switched, yes, ['sku', 'active']))).toEqual([false]);
	const prices = (await held()).map(({ sku, price }) => `${sku} ${price}`);
	expect(prices).toEqual(['a 1', 'a 2', 'b 3', 'c 4', 'c undefined']);
});

test.each<[string, IDataObject, string[], RegExp]>([
	['no column to match on', { sku: 'a' }, [], /'Columns' has no column to match on\. Choose/],
	['an empty value', { sku: ' ', price: 1 }, ['sku'], /'Columns › sku' is empty, so no record/],
	['a column of dates', { since: '2026-03-29' }, ['since'], /"since" holds dates.*Match on/],
	['a number that is rounded', { size: '12345678901234567890' }, ['size'], /No record can be/],
	['a column that the table does not have', { code: 1 }, ['code'], /no column "code"/],
])('%s is refused by name, and nothing is read or written', async (_, item, matching, says) => {
	const table = await tableOf({ sku: 'a' });
	expect(failure(await upsert(table, [item], matching))).toMatch(says);
	expect((await sandbox.ledger()).filter(({ path }) => path.includes('/records'))).toEqual([]);
});

test.each<[string, object, string]>([
	['without the column', { record: { price: 1 } }, 'shows the column "sku"'],
	['with cells in two places', { sku: 'a', parent: { sku: 'b' } }, 'in two places'],
	['with a cell that is an object', { record: { sku: { text: 'a' } } }, 'be compared'],
	['with an ID that is a cell', { id: 'x', uuid: undefined, sku: 'a' }, 'does not show its ID'],
])('a list %s holds all back, and says so', async (_, shown, why) => {
	const table = await tableIn(named, ...many(1));
	await lists([{ uuid: 'x', ...shown }]);
	const said = failure(await upsert(table, [{ sku: 'a' }]));
	expect(said).toContain(why);
	expect(said).toContain('Nothing was sent for this item');
	expect(await written()).toEqual([]);
});

test('columns that cannot be read hold all back: how values compare is not known', async () => {
	const table = await tableOf({ sku: 'a' });
	await sandbox.strike('/fields$', 404);
	expect(failure(await upsert(table, [{ sku: 'a', price: 1 }]))).toBeDefined();
	expect(await written()).toEqual([]);
});

// interface: §4.4 table rows
test.each(['', 'flat', 'data', 'values', 'fields', 'wrapped'])(
	'cells in the layout "%s", a row without its empty cell, a column named "id": matched, updated, created',
	async (recordLayout) => {
		await sandbox.settings({ manners: { recordLayout } });
		const [a, b, c] = ['a', 'b', 'c'].map((name) => `${recordLayout}-${name}`);
		const other = { price: 9, active: true };
		const table = await tableOf({ sku: a, price: 1 }, other, { sku: b, size: 5 });
		const items = [a, b, c, c].map((sku, index) => ({ sku, price: index }));
		expect(created(await upsert(table, items))).toEqual([false, false, true, false]);
		expect(await held()).toEqual([
			{ sku: a, price: 0 },
			other,
			{ sku: b, size: 5, price: 1 },
			{ sku: c, price: 3 },
		]);
		// The update goes to the record, not to the cell.
		const rows = [a, b].map((id) => ({ id, name: 'one' }));
		const withId = await tableIn(named, ...rows);
		expect(created(await upsert(withId, [{ id: b, name: 'two' }], ['id']))).toEqual([false]);
		expect((await held()).slice(4).map(({ name }) => name)).toEqual(['one', 'two']);
	},
);

test('an update that omits columns in which the record has values: said once', async () => {
	const table = await tableOf({ sku: 'a', price: 1, size: 2 }, { sku: 'b', size: null });
	const both = ['a', 'b'].map((sku) => ({ sku, price: 2 }));
	const said = hintsOf(await upsert(table, both));
	expect(said.split('Whether an update keeps them is not known')).toHaveLength(2);
	const whole = await upsert(table, [{ sku: 'a', price: 2, size: 2 }]);
	expect(hintsOf(whole)).not.toContain('not mapped');
	expect(await written()).toEqual(['PUT', 'PUT', 'PUT']);
});

test('after a lost create, a record with other values is not taken for it', async () => {
	const table = await tableOf();
	await lists([{ uuid: 'x', record: { sku: 'alike', price: 9 } }], [2, 3, 4, 5, 6, 7, 8, 9]);
	await sandbox.strike(`POST ${records}`, 'reset-before', { nth: 1 });
	const said = failure(await upsert(table, [{ sku: 'alike', price: 1 }]));
	expect(said).toContain('A new record looks like it');
	expect(await written()).toEqual(['POST']);
});

test('a record that is deleted right after it was created is created again', async () => {
	const table = await tableOf();
	const [{ uuid }] = (await upsert(table, [{ sku: 'gone', price: 1 }])).json();
	await sandbox.api.delete(`/data/${table}/records/${uuid}`);
	expect(created(await upsert(table, [{ sku: 'gone', price: 2 }]))).toEqual([true]);
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
	const preview = await upsert(table, [{ sku: 'a', price: 1 }], ['sku'], { preview: true });
	expect(preview.json()[0]).toMatchObject({
		preview: true,
		text: expect.stringContaining('If a record has the same "sku", it is updated instead.'),
		request: { method: 'POST', body: { record: { sku: 'a', price: 1 } } },
	});
	expect(await written()).toEqual([]);
});
