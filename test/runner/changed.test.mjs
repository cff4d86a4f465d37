/** What `npm test -- --changed` takes a change to touch. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { touchedBy } from '../../scripts/test/changed.mjs';

const of = (stages, name) => {
	const tests = stages.get(name);
	return tests instanceof Set ? [...tests].sort() : tests;
};
const everyOperation = 'test/engine/everyOperation.test.cts';

test('a file of a node: the tests of its area, its operations alone, types', () => {
	const file = 'nodes/AcpConversations/transcription.ts';
	const { stages, operations, unknown, leftOut } = touchedBy([file]);
	assert.deepEqual(
		of(stages, 'engine').map((test) => test.slice('test/engine/'.length, -'.test.cts'.length)),
		['acpConversations', 'everyOperation', 'guarantees.filters', 'guarantees.optOuts', 'places'],
	);
	assert.ok(of(stages, 'unit').includes('test/unit/stateOfTranscription.test.cts'));
	assert.deepEqual(operations, ['acpConversations']);
	assert.equal(of(stages, 'types'), 'all');
	assert.deepEqual(of(stages, 'lint'), [file]);
	assert.deepEqual(unknown, []);
	assert.ok(leftOut.descriptions.includes('rendered'));
	assert.ok(!leftOut.descriptions.includes('tree'));
	assert.ok(leftOut.engine.includes('guarantees'));
	assert.ok(!leftOut.engine.includes('acpConversations'));
});

test('a step from an item to its answer: every unit test, and every test in the engine', () => {
	const { stages, operations } = touchedBy(['nodes/engine/journal/journal.ts']);
	assert.deepEqual(
		['types', 'unit', 'engine', 'faults'].map((name) => of(stages, name)),
		['all', 'all', 'all', 'all'],
	);
	assert.deepEqual(operations, []);
});

test('every operation is tried as soon as something beside single nodes is changed', () => {
	const node = 'nodes/AcpCalls/call.ts';
	assert.deepEqual(touchedBy([node, 'nodes/AcpTables/table.ts']).operations, [
		'acpCalls',
		'acpTables',
	]);
	for (const file of [
		'test/engine/everyOperation/rules.cts',
		everyOperation,
		'tools/contract-check.cjs',
	])
		assert.deepEqual(touchedBy([node, file]).operations, [], file);
	assert.deepEqual(touchedBy([node, 'docs/examples.md']).operations, ['acpCalls']);
});

test('a test file runs itself; one of whole servers is said to be left out', () => {
	assert.deepEqual(of(touchedBy(['test/unit/pace.test.cts']).stages, 'unit'), [
		'test/unit/pace.test.cts',
	]);
	assert.deepEqual(touchedBy(['test/server/killed.test.mjs']).unknown, [
		'test/server/killed.test.mjs',
	]);
});

test('a file that is gone runs the tests of its area; a test file that is gone, what reads the titles of tests', () => {
	const { stages, unknown } = touchedBy([
		'test/unit/gone.test.cts',
		'nodes/engine/journal/gone.ts',
	]);
	assert.equal(of(stages, 'engine'), 'all');
	assert.equal(stages.has('lint'), false);
	assert.deepEqual(unknown, []);
	const without = touchedBy(['test/engine/guarantees.gone.test.cts']).stages;
	assert.deepEqual(of(without, 'descriptions'), [
		'test/descriptions/docs.test.mjs',
		'test/descriptions/guarantees.test.mjs',
		'test/descriptions/interface.test.mjs',
	]);
	assert.equal(of(without, 'runner'), 'all');
});

test('all of a stage stays all of it, whatever else is changed', () => {
	for (const files of [
		['tools/operations.cjs', 'docs/reference/errors.md'],
		['docs/reference/errors.md', 'tools/operations.cjs'],
	])
		assert.equal(of(touchedBy(files).stages, 'descriptions'), 'all');
});

test('a page: the tests of pages, nothing of the engine', () => {
	const { stages } = touchedBy(['docs/reference/errors.md', 'README.md']);
	assert.deepEqual([...stages.keys()].sort(), ['descriptions', 'lint', 'security']);
	assert.ok(of(stages, 'descriptions').includes('test/descriptions/docs.test.mjs'));
});

test('what no test is known for is said', () => {
	assert.deepEqual(touchedBy(['.editorconfig']).unknown, ['.editorconfig']);
});
