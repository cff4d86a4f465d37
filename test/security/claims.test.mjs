/** Every claim of docs/security.md names a test that exists. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository } from '../../tools/bootstrap.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(repository, file), 'utf8');
const claims = [...read('docs/security.md').matchAll(/^\| (?<claim>.+) \| `(?<file>[^`]+)`: (?<title>.+) \|$/gm)].map(({ groups }) => /** @type {Record<string, string>} */ (groups));
const rows = read('docs/security.md').split('\n').filter((line) => line.startsWith('| ') && line !== '| Claim | Test |');

test('every row is a claim with its test', () => {
	assert.ok(rows.length > 20);
	assert.equal(claims.length, rows.length);
});

for (const { claim, file, title } of claims)
	test(claim, () => {
		const titles = [...read(file).matchAll(/^\s*(?:test|describe)(?:\.each\([\s\S]*?\])?\)?\((['"`])(?<title>.+?)\1, /gm)].map(({ groups }) => groups?.title.replaceAll("\\'", "'"));
		const eachTitles = [...read(file).matchAll(/\]\)\((['"])(?<title>.+?)\1, /g)].map(({ groups }) => groups?.title);
		assert.ok([...titles, ...eachTitles].includes(title), `${file} has no test "${title}"`);
	});
