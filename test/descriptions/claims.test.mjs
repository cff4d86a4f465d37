/** What is not known is not called missing: nobody here has seen all that the platform has. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './nodes.mjs';

/** Claims that something does not exist on the platform, where all we know is that we know none. */
const claims = [
	/\b(platform|interface|reference) (has not|does not|doesn't|never) (publish|document)(ed)?\b/i,
	/\b(platform|reference) (publishes|documents|gives|shows|lists|offers) (no|none|nothing|neither)\b/i,
	/\b(is|are|was|were) not (yet )?(published|documented)\b/i,
	/\boffers no way to\b/i,
];

/** The text of a file as it is read: comments and texts that go on in the next line are one. */
const flowing = (text) =>
	text
		.replace(/['"`]\s*\+\s*['"`]/g, '')
		.replace(/\n\s*(\/\/|\*|#|-|>)?\s*/g, ' ')
		.replace(/\s+/g, ' ');

const claimed = (text) =>
	claims.flatMap((claim) => {
		const found = claim.exec(flowing(text));
		return found ? [found[0]] : [];
	});

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: root,
	encoding: 'utf8',
})
	.split('\n')
	.filter(
		(file) =>
			/^(nodes|credentials|docs|sandbox|contract|examples|scripts|tools)\/|^[A-Z]+\.md$/.test(
				file,
			) && /\.(ts|mjs|cjs|cts|md|json|yaml)$/.test(file),
	);

test('no page, no text of a node and no comment claims that the platform has something not', () => {
	assert.ok(files.length > 250);
	const found = files.flatMap((file) =>
		claimed(readFileSync(join(root, file), 'utf8')).map((claim) => `${file}: ${claim}`),
	);
	// Absence is the point; that the files were read is asserted above, that claims are found below.
	assert.deepEqual(found, []);
});

test('claims are found, also where a text goes on in the next line', () => {
	const examples = [
		'The platform does not publish its addresses.',
		"'The platform has not ' +\n\t\t'published the address of it'",
		'The platform documents none of its endpoints.',
		'/** The platform gives\n * no list of tables. */',
		'How files are imported is not documented in full.',
		'This workspace offers no way to delete a webhook',
	];
	assert.deepEqual(
		examples.map((text) => claimed(text).length),
		examples.map(() => 1),
	);
	assert.deepEqual(claimed('This package knows no endpoint of this area yet.'), []);
});
