/** Every claim of docs/reference/security.md names a test; that each of them can fail, the lint sees to. */
import assert from '../asserted.mjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository } from '../../tools/bootstrap.mjs';
import { contentOf } from '../../tools/files.mjs';

const page = contentOf('docs/reference/security.md');
const claims = [...page.matchAll(/^\| (?<claim>.+) \| `(?<file>[^`]+)`: (?<title>.+) \|$/gm)].map(
	({ groups }) => groups,
);
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.endsWith('| Test |'));

test('every row is a claim with its test', () => {
	assert.ok(rows.length > 20);
	assert.equal(claims.length, rows.length);
});

/** Where test runners look for tests, see scripts/test.mjs and jest.config.cjs. */
const places = /^test\/((unit|engine)\/.*\.test\.cts|\w+\/.*\.test\.mjs)$/;

/** Whether a file has a test of this title: the first argument of a call, or the name of a row in a table. */
function hasTest(file, title) {
	if (!places.test(file) || !existsSync(join(repository, file))) return false;
	const named = new RegExp(`(?:\\(\\s*|^\\s*\\[?|name: )(['"\`])${RegExp.escape(title)}\\1`, 'm');
	return named.test(contentOf(file).replaceAll("\\'", "'"));
}

for (const { claim, file, title } of claims)
	test(claim, () => {
		assert.ok(hasTest(file, title), `${file} has no test "${title}"`);
	});

test('a claim may name only a test that exists and runs', () => {
	const security = 'test/engine/security.test.cts';
	assert.equal(hasTest(security, 'no token in what stays'), true);
	assert.equal(hasTest(security, 'a preview'), true);
	assert.equal(hasTest(security, 'a view'), false);
	assert.equal(hasTest(security, 'node:fs'), false);
	assert.equal(hasTest('test/engine/none.test.cts', 'a preview'), false);
	assert.equal(hasTest('test/engine/guarantees/scene.cts', 'a preview'), false);
});
