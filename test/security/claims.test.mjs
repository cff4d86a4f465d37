/** Every claim of docs/security.md names a test that exists. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository } from '../../tools/bootstrap.mjs';
import { testTitles } from '../../tools/test-titles.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(repository, file), 'utf8');
const claims = [
	...read('docs/security.md').matchAll(/^\| (?<claim>.+) \| `(?<file>[^`]+)`: (?<title>.+) \|$/gm),
].map(({ groups }) => /** @type {Record<string, string>} */ (groups));
const rows = read('docs/security.md')
	.split('\n')
	.filter((line) => line.startsWith('| ') && line !== '| Claim | Test |');

test('every row is a claim with its test', () => {
	assert.ok(rows.length > 20);
	assert.equal(claims.length, rows.length);
});

for (const { claim, file, title } of claims)
	test(claim, () => {
		const titles = testTitles(join(repository, file)).map((entry) => entry.title);
		assert.ok(titles.includes(title), `${file} has no test "${title}"`);
	});
