/** Texts keep what a program can see of docs/contributing/style.md (tools/text-faults.mjs). */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentsOf } from '../../tools/comments.mjs';
import { faultsIn, readStyle, wordsOfCode } from '../../tools/text-faults.mjs';
import { allTexts } from '../../tools/texts.mjs';
import { root } from './nodes.mjs';

const style = readStyle(root);
// Pages are for readers: node scripts/texts.mjs --faults lists what stands out in them.
const texts = allTexts().filter(({ kind }) => kind !== 'page');

const said = ({ where, kind, fault, text }) => `${where} (${kind}): ${fault} | ${text}`;

test('no text of the editor, of a message, of an example or of a comment has a fault', () => {
	assert.ok(texts.filter(({ kind }) => kind !== 'comment').length > 4000);
	assert.ok(texts.filter(({ kind }) => kind === 'comment').length > 1000);
	assert.ok(style.terms.length > 15 && style.names.size > 10);
	// Absence is the point; the tests below show that faults are seen.
	assert.deepEqual(faultsIn(texts, style).map(said), [], 'node scripts/texts.mjs --faults');
});

test('every word of the code that a comment may use is used in one', () => {
	const comments = texts.filter(({ kind }) => kind === 'comment').map(({ text }) => text);
	for (const [word, reason] of Object.entries(wordsOfCode)) {
		assert.ok(reason.length > 10, word);
		assert.ok(
			comments.some((text) => new RegExp(`\\b${word}\\b`, 'i').test(text)),
			`no comment uses "${word}" any more`,
		);
	}
});

test('comments are read with their lines, and texts of the code are not comments', () => {
	const code = [
		'/**',
		' * The first',
		' * comment. @returns nothing',
		' */',
		"const text = 'not // a comment';",
		'// Two lines,',
		'// one comment.',
		'const more = `not /* a */ ${text /* the third */} comment`; // the fourth',
		'',
		'// the fifth',
	].join('\n');
	assert.deepEqual(commentsOf('code.ts', code), [
		{ line: 1, text: 'The first comment. @returns nothing' },
		{ line: 6, text: 'Two lines, one comment.' },
		{ line: 8, text: 'the third' },
		{ line: 8, text: 'the fourth' },
		{ line: 10, text: 'the fifth' },
	]);
});

const faulty = [
	['comment', 'The address of a web page', /"address": write URL/],
	['comment', 'The `address` of a request in a zone', undefined],
	['description', 'Read in the zone of the workspace', /"zone": write time zone/],
	['description', 'The address of the web page', /"address": write URL/],
	['description', 'The email address of the contact, if any', undefined],
	['hint', 'Sent at once', /"at once": write immediately/],
	['hint', 'Sent immediately. Twice', /two sentences without a final period/],
	['description', 'Sent immediately.', /a final period after a single sentence/],
	['notice', 'This costs money', /no final period/],
	['notice', 'Write {{custom.<key>}} into the text.', /"<key>", which n8n takes for HTML/],
	['description', `Some ${'word '.repeat(24)}word`, /a sentence of 26 words; at most 25/],
	['description', 'When the task is carried out', /"carried out": write run/],
	['notice', 'The path is a guess.', /"a guess": write unconfirmed/],
	['note', `## Some ${'word '.repeat(79)}word`, /a note of 81 words; at most 80/],
	['note', `**Some** ${'word '.repeat(78)}word`, undefined],
	['label', 'Phone number', /"number" without a capital/],
	['label', 'Type of Value', undefined],
	['action', 'get a contact', /begins without a capital/],
	['action', 'Get a Contact', /"Contact" with a capital inside a sentence/],
	['description', 'Reads a message of WhatsApp', undefined],
	['description', "Set in 'Phone Number', like E.164", undefined],
	['placeholder', 'your number', /does not begin with "e\.g\."/],
	['placeholder', 'e.g. +14155550123', undefined],
	['error', 'A problem with the file', /"problem" in a message/],
	['error', "Set 'On Error' to another value", undefined],
];

for (const [kind, text, fault] of faulty) {
	test(`${kind} "${text.slice(0, 50)}" ${fault ? 'is seen' : 'has no fault'}`, () => {
		const found = faultsIn([{ where: 'here', kind, text }], style).map((one) => one.fault);
		assert.equal(found.length, fault ? 1 : 0, found.join('; '));
		if (fault) assert.match(found[0], fault);
	});
}

test('a boolean begins with "Whether"', () => {
	const text = { where: 'here', kind: 'description', text: 'If it is sent', type: 'boolean' };
	assert.match(faultsIn([text], style)[0].fault, /does not begin with "Whether"/);
	assert.equal(faultsIn([{ ...text, text: 'Whether it is sent' }], style).length, 0);
});
