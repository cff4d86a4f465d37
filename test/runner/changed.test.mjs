/** What `npm test -- --changed` takes a change to touch. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaOf } from '../../scripts/test/areas.mjs';
import { touchedBy } from '../../scripts/test/changed.mjs';

const of = (stages, name) => {
	const tests = stages.get(name);
	return tests instanceof Set ? [...tests].sort() : tests;
};
const everyOperation = 'test/engine/everyOperation.test.cts';

test('a file of a node: the tests of its area, its operations alone, types', () => {
	const file = 'nodes/AcpConversations/transcription.ts';
	const { stages, operations, unknown, leftOut } = touchedBy([file]);
	const wanted = areaOf(file).tests.filter((test) => test.startsWith('test/engine/'));
	assert.deepEqual(of(stages, 'engine'), wanted.sort());
	assert.ok(of(stages, 'engine').includes('test/engine/acpConversations.test.cts'));
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

/** What is most dangerous to change, and what proves that it does what it promises. */
for (const [file, proofs] of Object.entries({
	'nodes/engine/journal/journal.ts': ['guarantees.delivery', 'secondRuns', 'faults', 'oneShots'],
	'nodes/engine/deliver/deliver.ts': ['guarantees', 'guarantees.answers', 'faults.manners'],
	'nodes/engine/deliver/pool.ts': ['guarantees.delivery', 'guarantees.onError', 'continuedRuns'],
	'nodes/engine/deliver/recovery/writeOnce.ts': ['guarantees', 'oneShots.tasks', 'faults'],
	'nodes/engine/http/client.ts': ['errors', 'guarantees.refusals', 'guarantees.pace', 'workspaces'],
	'nodes/engine/http/pace.ts': ['guarantees.pace', 'guarantees.pace.others', 'trigger.lifecycle'],
	'nodes/engine/registration/memory.ts': ['guarantees.secrets', 'guarantees.token', 'leftovers'],
	'nodes/engine/secrets/secrets.ts': ['guarantees.trigger', 'intentTrigger.before', 'security'],
	'nodes/engine/run/run.ts': ['guarantees.onError', 'guarantees.batches', 'errors'],
	'nodes/engine/prepare/prepareAll.ts': ['badInput', 'guarantees.batches', 'guarantees.optOuts'],
}))
	test(`${file}: all unit tests, every operation of every node, and the guarantees that it keeps`, () => {
		const { stages, operations } = touchedBy([file]);
		assert.equal(of(stages, 'unit'), 'all');
		assert.deepEqual(operations, []);
		const chosen = ['engine', 'faults'].flatMap((name) => of(stages, name) ?? []);
		assert.ok(chosen.includes(everyOperation));
		assert.deepEqual(
			proofs.filter((name) => !chosen.includes(`test/engine/${name}.test.cts`)),
			[],
		);
	});

test('every operation is tried as soon as something beside single nodes is changed', () => {
	const node = 'nodes/AcpCalls/call.ts';
	assert.deepEqual(touchedBy([node, 'nodes/AcpTables/table.ts']).operations, [
		'acpCalls',
		'acpTables',
	]);
	for (const file of ['test/engine/everyOperation/rules.cts', everyOperation, 'tools/judge.cjs'])
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
	assert.ok(of(stages, 'engine').includes('test/engine/secondRuns.test.cts'));
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
		['tools/catalog.cjs', 'docs/reference/errors.md'],
		['docs/reference/errors.md', 'tools/catalog.cjs'],
	])
		assert.equal(of(touchedBy(files).stages, 'descriptions'), 'all');
});

test('a page: the tests of pages, nothing of the engine', () => {
	const { stages } = touchedBy(['docs/reference/errors.md', 'README.md']);
	assert.deepEqual([...stages.keys()].sort(), ['descriptions', 'lint']);
	assert.ok(of(stages, 'descriptions').includes('test/descriptions/docs.test.mjs'));
});

test('what no test is known for is said', () => {
	assert.deepEqual(touchedBy(['.editorconfig']).unknown, ['.editorconfig']);
});
