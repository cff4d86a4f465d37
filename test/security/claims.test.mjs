/** Every claim of docs/reference/security.md names a test; that each of them can fail, the lint sees to. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository } from '../../tools/bootstrap.mjs';
import { proofOf } from '../../tools/proofs.mjs';

const page = readFileSync(join(repository, 'docs/reference/security.md'), 'utf8');
const claims = [...page.matchAll(/^\| (?<claim>.+) \| `(?<file>[^`]+)`: (?<title>.+) \|$/gm)].map(
	({ groups }) => /** @type {Record<string, string>} */ (groups),
);
const rows = page
	.split('\n')
	.filter((line) => line.startsWith('| ') && line !== '| Claim | Test |');

test('every row is a claim with its test', () => {
	assert.ok(rows.length > 20);
	assert.equal(claims.length, rows.length);
});

for (const { claim, file, title } of claims)
	test(claim, () => {
		assert.deepEqual(proofOf(repository, file, title), { proves: true });
	});
