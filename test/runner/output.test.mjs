/** What every test file of node:test imports (test/asserted.mjs). */
import assert from '../asserted.mjs';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const asserted = new URL('../asserted.mjs', import.meta.url);

test('a file that ends at once, as with --test-force-exit, has written everything', () => {
	const length = 3_000_000;
	const code = `
		import ${JSON.stringify(asserted)};
		process.stdout.write('x'.repeat(${length}));
		process.exit();
	`;
	const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
		maxBuffer: 2 * length,
	});
	assert.equal(stdout.length, length);
});

test('a test that reaches no assertion when it runs fails', () => {
	const code = `
		import ${JSON.stringify(asserted)};
		import assert from 'node:assert/strict';
		import { test } from 'node:test';
		test('none', () => { for (const x of []) assert.ok(x); });
		test('one', () => { assert.ok(true); });
	`;
	// As the runner of this file itself, it would report to that one.
	const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
	const { stdout } = spawnSync(
		process.execPath,
		['--test-reporter=tap', '--input-type=module', '-e', code],
		{ encoding: 'utf8', env },
	);
	assert.match(stdout, /not ok \d+ - none[^]*The test reached no assertion/);
	assert.match(stdout, /\n# pass 1\n# fail 1\n/);
});
