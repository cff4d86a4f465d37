/** Numbers that JavaScript cannot keep are kept as text; everything else is what JSON.parse makes of it. */
import { mostLevels, parseExactly, TooDeep } from '../../nodes/engine/response/response';

test.each<[string, unknown]>([
	['9007199254740991', 9007199254740991],
	['9007199254740993', '9007199254740993'],
	['-9007199254740993', '-9007199254740993'],
	[
		'{"a":[12345678901234567890,{"b":1234567890123456789}]}',
		{ a: ['12345678901234567890', { b: '1234567890123456789' }] },
	],
	['[1e400, -1E+400, 1e5]', ['1e400', '-1E+400', 100000]],
	['{"12345678901234567890":1}', { '12345678901234567890': 1 }],
	[
		'["12345678901234567890","a\\"12345678901234567890\\\\",12345678901234567890]',
		['12345678901234567890', 'a"12345678901234567890\\', '12345678901234567890'],
	],
	['0.12345678901234567890', 0.12345678901234568],
	['1.5e10', 1.5e10],
	['{"a":"line\\nbreak","b":null,"c":true}', { a: 'line\nbreak', b: null, c: true }],
])('%s', (text, value) => {
	expect(parseExactly(text)).toEqual(value);
});

test.each([
	'',
	'Server busy',
	'012345678901234567890',
	'12345678901234567890x',
	'{"a":12345678901234567890',
])('%j is no JSON', (text) => {
	expect(() => parseExactly(text)).toThrow(SyntaxError);
});

test.each(['[', '{"a":'])('%s 200,000 times is refused, not read', (open) => {
	const nested = (levels: number) =>
		open.repeat(levels) + (open === '[' ? '' : '0') + (open === '[' ? ']' : '}').repeat(levels);
	expect(() => parseExactly(nested(200_000))).toThrow(TooDeep);
	expect(() => parseExactly(nested(mostLevels + 1))).toThrow('deeper than 100 levels');
	expect(parseExactly(nested(mostLevels))).toBeDefined();
});

test('a text of many megabytes', () => {
	const long = 'x1234567890123456789'.repeat(500_000);
	expect(parseExactly(JSON.stringify({ long, id: 1 }))).toEqual({ long, id: 1 });
});
