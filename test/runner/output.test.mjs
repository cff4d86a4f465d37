/** What a test file reports arrives whole, also where the file ends while it waits to be read (--test-force-exit). */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('a file that ends at once has written everything', () => {
	const length = 3_000_000;
	const asserted = new URL('../asserted.mjs', import.meta.url);
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
