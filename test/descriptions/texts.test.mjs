/** Texts keep what a program can see of docs/contributing/style.md (tools/docs/texts.mjs). */
import assert, { assertNone } from '../asserted.mjs';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { allTexts, faults, ofPages } from '../../tools/docs/texts.mjs';
import { contentOf } from '../../tools/files.mjs';
import { root } from './nodes.mjs';

const texts = allTexts();

test('no text of the editor, of a message, or of an example has a fault', () => {
	assert.ok(texts.length > 3000);
	// Absence is the point; the tests below show that faults are seen.
	assertNone(faults(texts), 'node scripts/texts.mjs --faults');
});

test('no page written by hand uses a word that the style avoids', () => {
	const pages = ofPages();
	assert.ok(new Set(pages.map(({ where }) => where.split(':')[0])).size > 45);
	// Absence is the point; the tests below show that faults are seen.
	assertNone(faults(pages).map(({ where, fault }) => `${where}: ${fault}`));
});

/** Claims that something does not exist on the platform, where all we know is that we know none. */
const claims = [
	/\b(platform|interface|reference) (has not|does not|doesn't|never) (publish|document)(ed)?\b/i,
	/\b(platform|reference) (publishes|documents|gives|shows|lists|offers) (no|none|nothing|neither)\b/i,
	/\b(is|are|was|were) not (yet )?(published|documented)\b/i,
	/\boffers no way to\b/i,
];

test('no text and no page says that the platform has something not: nobody here has seen all of it', () => {
	const claimed = (text) => claims.some((claim) => claim.test(text));
	assert.equal(claimed('The platform documents none of its endpoints.'), true);
	assert.equal(claimed('This workspace offers no way to delete a webhook'), true);
	assert.equal(claimed('This package knows no endpoint of this area yet.'), false);
	const pages = globSync(['*.md', 'sandbox/*.md', 'docs/**/*.md'], { cwd: root });
	assert.ok(pages.length > 50);
	assertNone(
		[...texts, ...pages.map((where) => ({ where, text: contentOf(where) }))]
			.filter(({ text }) => claimed(text.replace(/\s+/g, ' ')))
			.map(({ where }) => where),
	);
});

const faulty = [
	['description', 'Read in the zone of the workspace', /"zone": write time zone/],
	['description', 'The address of the web page', /"address": write URL/],
	['description', 'The email address of the contact, if any', undefined],
	['hint', 'Sent at once', /"at once": write immediately/],
	['notice', 'This costs money', /no final period/],
	['notice', 'Write {{custom.<key>}} into the text.', /"<key>", which n8n takes for HTML/],
	['description', `Some ${'word '.repeat(24)}word`, /a sentence of 26 words; at most 25/],
	['description', 'When the task is carried out', /"carried out": write run/],
	['notice', 'The path is a guess.', /"a guess": write unconfirmed/],
	['note', `## Some ${'word '.repeat(79)}word`, /a whole note of 81 words; at most 80/],
	['error', `Some ${'word '.repeat(39)}word`, /a whole error of 41 words; at most 40/],
	['note', `**Some** ${'word '.repeat(78)}word`, undefined],
	['label', 'Phone number', /"number" without a capital/],
	['label', 'Type of Value', undefined],
	['description', 'Reads a message of WhatsApp', undefined],
	['placeholder', 'your number', /does not begin with "e\.g\."/],
	['placeholder', 'e.g. +14155550123', undefined],
	['error', 'A problem with the file', /"problem" in a text/],
	['error', "Set 'On Error' to another value", undefined],
	['page', 'A problem that stands here', /"stands": write is in/],
	['page', 'A stand-in for the platform', undefined],
];

for (const [kind, text, fault] of faulty) {
	test(`${kind} "${text.slice(0, 50)}" ${fault ? 'is seen' : 'has no fault'}`, () => {
		const found = faults([{ where: 'here', kind, text }]).map((one) => one.fault);
		assert.equal(found.length, fault ? 1 : 0, found.join('; '));
		if (fault) assert.match(found[0], fault);
	});
}
