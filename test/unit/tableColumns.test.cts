/** Values of a record in the types of the table's columns. */
import { DateTime } from 'luxon';
import { fitRecord } from '../../nodes/AcpTables/fitRecord';
import { tableColumns } from '../../nodes/engine/lookups/tableColumns';
import { zoneOf } from '../../nodes/engine/time';

const zone = zoneOf('Europe/Berlin')!;
const fit = (type: string, value: unknown) =>
	(fitRecord({ data: [{ name: 'column', type }] }, { column: value }, zone) as { column: unknown })
		.column;

test.each([
	['rows with type', { data: [{ name: 'a', type: 'TEXT' }] }, [{ name: 'a', type: 'text' }]],
	[
		'rows with data_type',
		{ data: [{ name: 'a', data_type: 'Date', type: 'text' }] },
		[{ name: 'a', type: 'date' }],
	],
	['rows without a type', { data: [{ name: 'a' }] }, [{ name: 'a', type: '' }]],
	['rows without name', { data: [{ type: 'text' }, { name: '', type: 'text' }, { name: 1 }] }, []],
])('columns from %s: %j are %j', (_, answer, columns) => {
	expect(tableColumns(answer)).toEqual(columns);
});

test.each([
	['number', '12.5', 12.5],
	['number', ' 7 ', 7],
	['number', 0, 0],
	['number', '0', 0],
	['boolean', true, true],
	['boolean', ' YES ', true],
	['boolean', '1', true],
	['boolean', 1, true],
	['boolean', 'no', false],
	['boolean', '0', false],
	['boolean', 0, false],
	['boolean', 'False', false],
	['text', 7, '7'],
	['text', '', ''],
	['text', ' as it is ', ' as it is '],
	['text', { a: 1 }, '{"a":1}'],
	['json', '{"a":1}', { a: 1 }],
	['json', ' [1]', [1]],
	['json', '"text"', 'text'],
	['json', 'plain', 'plain'],
	['json', { a: 1 }, { a: 1 }],
	['url', ' https://example.com/a ', 'https://example.com/a'],
	['date', '2026-03-29', '2026-03-29'],
	['date', '2026-03-29T00:00:00.000', '2026-03-29'],
	['date', ' 2026-03-29 00:00 ', '2026-03-29'],
	['date', '2026-03-29T00:00:00.000-05:00', '2026-03-29'],
	['date', '2026-03-29T00:00:00.000Z', '2026-03-29'],
	['date', DateTime.fromISO('2026-03-29', { zone: 'Europe/Berlin' }), '2026-03-29'],
	['number', null, null],
	['number', '', null],
	['date', '', null],
	['another', 'as it is', 'as it is'],
])('a %s from %j is %j', (type, value, expected) => {
	expect(fit(type, value)).toEqual(expected);
});

test.each(['2026-03-29T12:30', '2026-03-29T00:00:01', '2026-03-29T00:00:00+05:00'])(
	'a date with a time of day is a moment: %s',
	(value) => {
		expect(fit('date', value)).toMatch(/^2026-03-29T/);
	},
);

test.each([
	['number', 'many', 'The column "column" holds numbers, but the value is "many"'],
	['number', ' ', 'The column "column" holds numbers'],
	['number', 'Infinity', 'The column "column" holds numbers'],
	['boolean', 'maybe', 'The column "column" holds true or false, but the value is "maybe"'],
	['json', '{a', 'The column "column" holds JSON, but the value is not valid JSON'],
	['url', 'example.com', 'The column "column" holds URLs'],
	['url', 'see https://example.com', 'The column "column" holds URLs'],
	['url', 7, 'The column "column" holds URLs'],
	['date', 'soon', 'The column "column" holds dates'],
])('%s refuses %j', (type, value, message) => {
	expect(() => fit(type, value)).toThrow(message);
});

test('a column that the table does not have is named, with those that it has', () => {
	const answer = { data: [{ name: 'a' }, { name: 'b' }] };
	const said = 'The table has no column "c". It has: a, b';
	expect(() => fitRecord(answer, { c: 1 }, zone)).toThrow(said);
});

test.each([[{ data: [] }], [{ data: [{ label: 'c' }] }], [{ data: { title: 'Prices', id: 5 } }]])(
	'%j shows no columns',
	(response) => {
		expect(() => fitRecord(response, { c: '1' }, zone)).toThrow('unreadable');
	},
);

test('what is no record stays as it is', () => {
	expect(fitRecord({ data: [{ name: 'a', type: 'number' }] }, 'text', zone)).toBe('text');
});
