/** Texts as they may stand in a message: one line, no longer than they may be. */
import { quoted, sentence, tidy } from '../../nodes/engine/text/text';

test('a text of the platform is cut where it may end, with a mark', () => {
	expect(tidy('x'.repeat(300))).toBe('x'.repeat(300));
	expect(tidy('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
	expect(tidy('abcdef', 4)).toBe('abc…');
});

test('control characters and line breaks become spaces; nothing stays nothing', () => {
	expect(tidy(' one\n\ttwo\u0000three ')).toBe('one two three');
	expect([tidy('  \n'), tidy(undefined), tidy(7)]).toEqual([undefined, undefined, undefined]);
});

test('a value in a message stands in quotes, at most sixty characters of it', () => {
	expect(quoted('a\nb')).toBe('"a b"');
	expect(quoted({ a: 1 })).toBe('"{"a":1}"');
	expect(quoted('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
	expect(quoted('x'.repeat(61))).toBe(`"${'x'.repeat(57)}…"`);
});

test('a sentence ends with a mark', () => {
	expect([sentence('No '), sentence('No!'), sentence(undefined)]).toEqual(['No.', 'No!', '']);
});
