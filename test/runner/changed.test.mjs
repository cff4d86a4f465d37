/** What `npm test -- --changed` chooses for a change, by a record of the tests that is made up here. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { chooseTests, touchedBy } from '../../scripts/test/changed.mjs';
import { numbersOf, textOf } from '../../scripts/test/record.mjs';
import { filesOf, readsFile, stages } from '../../scripts/test/stages.mjs';
import { repository } from '../../tools/bootstrap.mjs';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: repository,
	encoding: 'utf8',
})
	.trim()
	.split('\n');

const record = {
	stages: Object.fromEntries(stages.map(({ name }) => [name, name === 'unit' ? 600 : 20])),
	tests: {
		'test/engine/harness.test.cts': [
			['about it', 1],
			['beside it', 1],
		],
		'test/engine/everyOperation.test.cts': [
			['slow about it', 1000],
			['the same folder', 1],
			['elsewhere', 1],
		],
	},
	executed: {
		'nodes/engine/journal/journal.ts': '0 2',
		'nodes/engine/http/pace.ts': '1',
		'nodes/AcpCalls/other.ts': '3',
		'nodes/AcpTables/table.ts': '4',
	},
};
const chosenFor = (...files) => Object.fromEntries(chooseTests(files, record).chosen);

test('tests that execute the changed file, as many as fit into the minute', () => {
	assert.deepEqual(chosenFor('nodes/engine/journal/journal.ts'), {
		'test/engine/harness.test.cts': ['about it'],
	});
	assert.equal(chooseTests(['nodes/engine/journal/journal.ts'], record).executing, 2);
});

test('a file that no test executed: those that executed its folder; without any, all of them', () => {
	assert.deepEqual(chosenFor('nodes/AcpCalls/call.ts'), {
		'test/engine/everyOperation.test.cts': ['the same folder'],
	});
	assert.equal(Object.values(chosenFor('sandbox/state.mjs')).flat().length, 4);
});

test('a change of the engine runs the unit tests whole, however long they take, and says what it leaves out', () => {
	const { runs, leftOut } = touchedBy(['nodes/engine/http/pace.ts'], record);
	assert.deepEqual(runs.get('unit'), [{}]);
	assert.deepEqual(runs.get('engine'), [
		{ files: ['test/engine/harness.test.cts'], named: '^(beside it)$' },
	]);
	assert.ok(leftOut.some((text) => text.startsWith('engine: all but 1 of 5 tests')));
	assert.ok(leftOut.includes('lint'));
});

test('a test file runs itself; a page runs nothing of the engine', () => {
	const own = 'test/engine/guesses.test.cts';
	assert.deepEqual(touchedBy([own], record).runs.get('engine')[0], { files: [own] });
	const { runs } = touchedBy(['docs/reference/errors.md'], record);
	assert.deepEqual([...runs.keys()].sort(), ['descriptions', 'lint', 'runner', 'security']);
});

test('numbers of tests as text, and back', () => {
	for (const [numbers, text] of [
		[[0, 1, 2, 5], '0-2 5'],
		[[7], '7'],
		[[], ''],
	]) {
		assert.equal(textOf(numbers), text);
		assert.deepEqual(numbersOf(text), numbers);
	}
});

test('every file is read by a stage, and what a stage reads is there', () => {
	assert.ok(tracked.length > 600);
	const reading = stages.filter(({ reads }) => reads && reads !== '*');
	assert.ok(reading.length > 5);
	for (const { name, reads } of reading)
		for (const begin of reads.split(' '))
			assert.ok(
				tracked.some((file) => file.startsWith(begin)),
				`${name} reads ${begin}, which is not there`,
			);
	for (const folder of ['nodes/', 'sandbox/', 'contract/'])
		assert.ok(
			stages.some((stage) => stage.name === 'engine' && readsFile(stage, folder)),
			folder,
		);
});

test('every test file belongs to one stage, but for what runs in two versions of n8n', () => {
	const owned = stages.flatMap(filesOf);
	const owners = tracked
		.filter((file) => /^test\/.+\.test\.\w+$/.test(file))
		.map((file) => [file, owned.filter((one) => one === file).length]);
	assert.ok(owners.length > 120, `${owners.length} test files`);
	assert.deepEqual(
		owners.filter(([, count]) => count !== 1).map(([file]) => file),
		[
			'test/server/intent-lifecycle.test.mjs',
			'test/server/recipes.test.mjs',
			'test/server/trigger-lifecycle.test.mjs',
		],
	);
});
