/** What fields make of the values that people, sheets, expressions and models give them. */
import { hasValue, hasWords } from '../../nodes/engine/operation/filters';
import * as fields from '../../nodes/engine/fields';
import { asks, isNothing } from '../../nodes/engine/fields/answered';
import { mergeJson } from '../../nodes/engine/fields/structure';
import type { Field, Source } from '../../nodes/engine/fields';
import { noZone } from '../../nodes/engine/time';

const id = '12B972F0-19f2-4c33-a9a0-1add2651f7ac';
const no = (text: string) => expect.stringContaining(text);

/** What a field sends, or why it refuses a value; of its parameters and the input item. */
function sent(field: Field<any, any>, value: unknown, change: object = {}): unknown {
	const source = {
		...{ get: () => value, has: () => true, written: () => undefined, json: () => ({}) },
		...{ emptyPart: () => undefined, report: () => undefined, numberRead: () => undefined },
		...{ above: [], item: 0, zone: noZone, neededZone: () => noZone, sendEmptyFields: false },
		...change,
	};
	try {
		return field.read(source as unknown as Source, 'x', 'X');
	} catch (thrown) {
		return (thrown as Error).message;
	}
}

const { boolean, choices, collection, eitherId, email, instant, integer } = fields;
const { json, lines, list, map, reference, text, texts, url, uuid, zone } = fields;
const required = { required: true } as const;
const none = undefined;
const inside = { a: text(), b: text() };
const parts = { c: inside } as never;
const [rows, group] = [list('Row', inside), collection('', inside)];
const [noon, long, windows] = ['2027-01-01T12:00:00', `${'a'.repeat(320)}@b.co`, 'UTC-11'];
const file = { values: [{ key: 'k', value: 'v' }] };
/** Of which the field itself has to know the moment. */
const moment = instant({ needsOffset: 'compared' });

test.each<[string, Field<any, any>, given: unknown[], expected: unknown[]]>([
	['a text', text(), [5, true, 5n, NaN, null, ' '], ['5', 'true', '5', none, none, none]],
	['a text that is none', text(), [['a'], {}], [no('a list'), no('an object')]],
	['2 or 3', text({ minLength: 2, maxLength: 3 }), ['a', 'ab', 'abcd'], [no('2'), 'ab', no('3')]],
	['a number', integer({ min: 1, max: 5 }), ['5', 0, 6], [5, no('1 or more'), no('5 or less')]],
	['no number', integer(), ['1.0', 1.5, '1e3'], [no('whole'), no('whole'), no('a number')]],
	['a switch', boolean(), ['1', 0, 'FALSE', ' True '], [true, false, false, true]],
	['no switch', boolean(), ['on', 'Y', 'nein', -1], Array(4).fill(no('true or false'))],
	['choices', choices(['a', 'b'], required), ['a, B', []], [['a', 'b'], no('one value')]],
	['an ID', uuid(), [id, 'x'], [id, no('not a valid ID')]],
	['texts', texts(), ['[1, "b"]', '[a', 'a\nb,'], [['1', 'b'], ['[a'], ['a', 'b']]],
	['lines', lines(), ['a, b\nc', ' ["a"]'], [['a, b', 'c'], ['a']]],
	['emails', email(), ['a@b.co', 'a@b', long], ['a@b.co', no('not'), no('not')]],
	['a URL', url(), ['http://a.b', 'ftp://a.b'], ['http://a.b', no('not a URL')]],
	['JSON', json(), ['{"a": 1}', '[1]', '{"a":'], [{ a: 1 }, no('object'), no('early')]],
	['numbers in JSON', json(), [{ a: 2 }, { a: 2 ** 60 }], [{ a: 2 }, no('too large')]],
	['names in JSON', json(), ['{"a":[{"__proto__":1}]}'], [no('"__proto__"')]],
	['a list in JSON', json({ default: '[]' }), ['[1]', '{}'], [[1], no('JSON list')]],
	['a record', reference(null), [{ __rl: true, value: id }, [id]], [id, no('a list')]],
	['no record', reference(null), [{ value: id }, 'x', ''], [no('object'), no('like'), no('empty')]],
	[
		'a digit',
		eitherId(null, {}),
		['12', 12, id, 2 ** 60, 'x'],
		[12, 12, id, no('large'), no('It')],
	],
	['a moment', moment, [noon, `${noon}Z`], [no('offset'), `${noon}+00:00`]],
	['a moment that is only sent', instant({ needsOffset: 'sent' }), [noon], [noon]],
	['a zone', zone(), [windows, 'Mars'], [windows, no('not a time')]],
	['a zone that is kept', zone({ ianaOnly: true }), ['UTC', windows], ['UTC', no('not a time')]],
	['parts', collection('', parts), [{ cA: '1', cB: '2' }], [{ c: { a: '1', b: '2' } }]],
	['a group', group, [{ a: 'x' }, {}, { a: '' }], [{ a: 'x' }, none, none]],
	['rows', rows, [{ values: [{ a: 'x' }] }, '[{"c":1}]'], [[{ a: 'x' }], [{ c: 1 }]]],
	['empty rows', rows, [[], {}, ''], [none, none, none]],
	['no rows', rows, ['{"a":"x"}', ['x']], [no('a list'), no('an object')]],
	['needed rows', list('Row', inside, { ...required }), [[]], [no('at least one row')]],
	['kept', texts({ keepsEmpty: true }), [[], ''], [[], none]],
	['kept rows', list('Row', inside, { keepsEmpty: true }), [[]], [[]]],
	['a map', map({ entry: 'File', key: {} }, text()), [file, '[]'], [{ k: 'v' }, none]],
])('%s', (_, field, given, expected) => {
	expect(given.map((value) => sent(field, value))).toEqual([...expected]);
});

test.each([
	['searchAgents', 'Sales Bot', "This looks like a name: choose 'By Name' for it. An ID looks"],
	['searchAgents', 'Łucja', "This looks like a name: choose 'By Name' for it. An ID looks"],
	['searchConversations', 'Ann', "This looks like a name: choose 'From List' for it. An ID looks"],
	['searchAgents', `${id}0`, `"${id}0". An ID looks`],
	['searchAgents', 'af2b8c1g-5d47-4a9b-8f60-2c1d9e7a4b35', '4b35". An ID looks'],
	['searchAgents', '+14155550100', '"+14155550100". An ID looks'],
	[null, 'Sales Bot', '"Sales Bot". An ID looks'],
] as const)('where an ID of %s is asked for, %s', (lookup, value, says) => {
	const stored = { __rl: true, mode: 'id', value };
	expect(sent(reference(lookup, { name: 'x' }), stored)).toEqual(no("'X' is not a valid ID: "));
	expect(sent(reference(lookup, { name: 'x' }), stored)).toEqual(no(says));
});

const words = { singular: 'column', plural: 'columns' };
const column = (key: string, displayName: string, more = {}) => ({ id: key, displayName, ...more });
const schema = [
	...[column('name', 'Name', required), column('first_name', 'First (text)')],
	...[column('a', 'Twin'), column('b', 'Twin'), column('constructor', 'c', { removed: true })],
];
/** What n8n stores of a mapper whose fields the editor has loaded. */
const form = (value: unknown, more = {}) => ({
	...{ mappingMode: 'defineBelow', schema },
	value,
	...more,
});
const placed = [{ field: text(), path: ['phone_number'], name: 'n', displayName: 'Phone Number' }];
const headings = { phone_number: ['handy'] };
const known = fields.mapper<object>('getListingContactFields', { words, placed, headings });
const loaded = fields.mapper<object>('getTableFields', { words, ...required });

test('columns that the editor loaded have their ID or their label, and there are no others', () => {
	expect(sent(loaded, form({ Name: 'A', first: 'B' }))).toEqual({ name: 'A', first_name: 'B' });
	expect(sent(loaded, form({ name: ' ' }))).toEqual(no("'X › Name' is empty. Map"));
	const twice = form({ name: 1, 'First-Name': 'B', 'First (text)': 'B' });
	expect(sent(loaded, twice)).toEqual({ name: 1, first_name: 'B' });
	expect(sent(loaded, form({ name: 1, zzzzzz: '' }))).toEqual({ name: 1 });
	expect(sent(loaded, form({ nmae: 1 }))).toEqual(no('no column "nmae". Did you mean "Name"?'));
	expect(sent(loaded, form({ zzzzzz: 1 }))).toEqual(no('no column "zzzzzz". It has: Name, First'));
	expect(sent(loaded, form({ name: 1, Twin: 1 }))).toEqual(no('no column "Twin"'));
	const lost = { schema: [column('constructor', 'Builder')] };
	expect(sent(loaded, form({ constructor: 1 }, lost))).toEqual({ constructor: 1 });
	expect(sent(loaded, form({}, lost))).toEqual(no('for which n8n stores no value'));
	expect(sent(loaded, form({}, { schema: [] }))).toEqual(no('Fill in at least one column'));
});

test('columns that nobody loaded: by heading, nearly so, or as they are; JSON too', () => {
	expect(sent(known, { Handy: '1' })).toEqual({ phone_number: '1' });
	expect(sent(known, { phne_numbr: 1 })).toEqual(no('Did you mean "Phone Number"?'));
	expect(sent(known, '{"vip": true}')).toEqual({ vip: true });
	expect(sent(known, { handy: 1, phone_number: 2 })).toEqual(no('twice, with different values'));
	expect(sent(known, { handy: 1, phone_number: 1 })).toEqual({ phone_number: 1 });
	expect(sent(known, { phone_number: '', handy: 1 })).toEqual({ phone_number: 1 });
	expect(sent(known, { handy: 1, phone_number: '' })).toEqual({ phone_number: 1 });
	const told: string[] = [];
	const report = ({ sentences = [] }: { sentences?: string[] }) => told.push(...sentences);
	sent(known, { vip: true, other: '' }, { report });
	expect(told).toEqual([no('sent "vip" as custom fields')]);
	expect(sent(known, '[1]')).toEqual(no('but it is a list'));
	expect(sent(known, 'x {{ 1 }}')).toEqual(no('one expression for the whole field'));
	expect(sent(known, {})).toBeUndefined();
});

test('columns that the platform keeps as text', () => {
	const asText = fields.mapper<object>('getContactFields', { words, texts: true });
	const values = { at: new Date(0), of: 1, is: true };
	expect(sent(asText, values)).toEqual({ at: '1970-01-01T00:00:00.000Z', of: '1', is: 'true' });
});

test('of the columns of an item those with the nearest name that hold something', () => {
	const automatic = { mappingMode: 'autoMapInputData', value: null };
	const ofItem = (item: object) => sent(known, automatic, { json: () => item });
	expect(ofItem({ Handy: '1', 'Phone Number': '2', row_number: 3 })).toEqual({ phone_number: '2' });
	expect(ofItem({ 'Phone Number': '', Handy: '1' })).toEqual({ phone_number: '1' });
	expect(ofItem({ 'Phone Number': '2', handy: '1' })).toEqual({ phone_number: '2' });
	expect(ofItem({ Handy: '1', 'Phone Number': '' })).toEqual({ phone_number: '1' });
	expect(ofItem({ Handy: '', 'Phone Number': '' })).toBeUndefined();
	const lacks = (item: object) => sent(loaded, form(null, automatic), { json: () => item });
	expect(lacks({ x: 1 })).toEqual(no('no column is called "Name". Your columns: "x". Rename one'));
	expect(lacks({})).toEqual(no('the item has no columns. Add some in a node'));
});

test('what was left empty is sent on purpose only', () => {
	const empty = { sendEmptyFields: true };
	const cleared = (options: object) =>
		collection('', { a: text({ nullable: true }), b: text(options) });
	expect(sent(cleared({}), { a: '', b: '' }, empty)).toEqual({ a: null, b: '' });
	expect(sent(cleared({ clearable: false }), { b: '' }, empty)).toEqual(no('cannot be cleared'));
	expect(sent(known, { a: '', b: null }, empty)).toEqual({ a: '', b: null });
	expect(sent(list('Row', inside, { ...required }), [], empty)).toEqual(
		no("'X' is empty. Add at least one row. n8n drops an expression in place of a whole list"),
	);
});

test('an expression that returns nothing is no answer, where a field decides', () => {
	const asking = ['={{ 1 }}', '={{ $fromAI("a") }}', { a: '={{ 1 }}' }];
	const optional = '={{ $fromAI("a", "b", "string", "c") }}';
	expect([...asking, optional, '=1', 'x', { a: 1 }, null].filter(asks)).toEqual(asking);
	expect([[], [''], ['a'], ' ', 0].map(isNothing)).toEqual([true, true, false, true, false]);
	const deciding = collection('', { n: integer(), u: uuid() });
	const empty = { written: () => ({ n: '={{ 1 }}' }) };
	expect(sent(deciding, { n: '' }, empty)).toEqual(no("'X › N' is empty: its expression returned"));
	const gap = { written: () => ({ u: '={{ 1 }}{{ 2 }}' }), emptyPart: () => '{{ 2 }}' };
	expect(sent(deciding, { u: id }, gap)).toEqual(no('is incomplete: {{ 2 }} returned nothing'));
});

test('JSON below the fields: they win, objects are joined', () => {
	const [below, above] = [
		{ a: { b: 1 }, c: 1 },
		{ a: { d: 2 }, c: { e: 3 } },
	];
	expect(mergeJson(below, above)).toEqual({ a: { b: 1, d: 2 }, c: { e: 3 } });
	expect(() => mergeJson(JSON.parse('{"__proto__":1}') as never, {})).toThrow('__proto__');
});

test('a row that does not show what a filter looks at is kept: it may fit', () => {
	const rows = [{ a: 'Éa ' }, { a: 1 }, { a: null }, {}];
	expect(rows.map((row) => hasValue('a')(row, 'éA'))).toEqual([true, false, undefined, undefined]);
	expect(rows.map((row) => hasWords('a')(row, 'a'))).toEqual([true, ...Array(3)]);
});
