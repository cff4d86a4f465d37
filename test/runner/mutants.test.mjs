/** What `npm run mutants` is told fits the sources as they are. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { areas, areasOf, leftOut } from '../../scripts/mutants/areas.mjs';
import { sourceFiles } from '../../scripts/mutants/copy.mjs';
import { repository } from '../../tools/bootstrap.mjs';

const sources = sourceFiles();

test('every source file belongs to an area, and every area to files and tests that exist', () => {
	const areas = areasOf(sources);
	assert.ok(sources.length > 100);
	for (const file of sources) assert.ok(areas.get(file).tests.length > 0, file);
});

test('every unit test and every test in the engine watches an area, or is left out with a reason', () => {
	const watching = new Set(areas.flatMap(({ tests }) => tests.map((test) => test.split('#')[0])));
	const files = ['unit', 'engine'].flatMap((folder) =>
		readdirSync(join(repository, 'test', folder))
			.filter((file) => file.endsWith('.test.cts'))
			.map((file) => `test/${folder}/${file}`),
	);
	assert.ok(files.length > 80);
	assert.deepEqual(files.filter((file) => !watching.has(file)).sort(), Object.keys(leftOut).sort());
	for (const [file, reason] of Object.entries(leftOut)) assert.ok(reason.length > 0, file);
});

test('every equivalent mutant is one of code that exists, with its reason', () => {
	const text = (file) => readFileSync(join(repository, file), 'utf8');
	const entries = JSON.parse(text('scripts/mutants/equivalent.json'));
	assert.ok(entries.length > 0);
	for (const { file, code, reason } of entries) {
		assert.ok(text(file).includes(code), `${file}: ${code}`);
		assert.ok(reason.length > 0, `${file}: ${code}`);
	}
});
