/** What `npm test -- --changed` takes a change to touch. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { touchedBy } from '../../scripts/changed.mjs';
import { repository } from '../../tools/bootstrap.mjs';

const of = (stages, name) => {
	const tests = stages.get(name);
	return tests instanceof Set ? [...tests].sort() : tests;
};

test('a file of a node: its own tests, its operations, the unit tests that import it', () => {
	const { stages, operations, unknown, leftOut } = touchedBy([
		'nodes/AcpConversations/transcription.ts',
	]);
	assert.deepEqual(of(stages, 'engine'), [
		'test/engine/acpConversations.test.cts',
		'test/engine/everyOperation.test.cts',
	]);
	assert.deepEqual(of(stages, 'unit'), ['test/unit/stateOfTranscription.test.cts']);
	assert.deepEqual(operations, ['acpConversations']);
	assert.deepEqual(of(stages, 'lint'), ['nodes/AcpConversations/transcription.ts']);
	assert.ok(leftOut.descriptions.includes('rendered'));
	assert.ok(!leftOut.descriptions.includes('tree'));
	assert.deepEqual(unknown, []);
	assert.ok(leftOut.engine.includes('guarantees'));
	assert.ok(!leftOut.engine.includes('acpConversations'));
});

test('a file of the engine: all unit tests, a core, and what its name says', () => {
	const { stages, leftOut } = touchedBy(['nodes/engine/http/pace.ts']);
	assert.equal(of(stages, 'unit'), 'all');
	assert.deepEqual(of(stages, 'engine'), [
		'test/engine/acpContacts.test.cts',
		'test/engine/badInput.test.cts',
		'test/engine/basics.test.cts',
		'test/engine/guarantees.pace.others.test.cts',
		'test/engine/guarantees.pace.test.cts',
		'test/engine/guarantees.refusals.test.cts',
	]);
	assert.ok(leftOut.engine.includes('everyOperation'));
});

test('a test file runs itself; how every operation is tried runs all of it', () => {
	assert.deepEqual(of(touchedBy(['test/unit/pace.test.cts']).stages, 'unit'), [
		'test/unit/pace.test.cts',
	]);
	assert.deepEqual(
		touchedBy(['test/engine/everyOperation/rules.cts', 'nodes/AcpCalls/call.ts']).operations,
		[],
	);
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
	assert.deepEqual(of(stages, 'descriptions'), ['test/descriptions/docs.test.mjs']);
});

test('what no test is known for is said', () => {
	assert.deepEqual(touchedBy(['scripts/clean.mjs']).unknown, ['scripts/clean.mjs']);
});

test('every node, every engine test and every file of nodes, contract and sandbox is known', () => {
	const files = execFileSync(
		'git',
		['ls-files', 'nodes', 'credentials', 'contract', 'sandbox', 'test'],
		{
			cwd: repository,
			encoding: 'utf8',
		},
	)
		.trim()
		.split('\n')
		// Whole servers and browsers have stages of their own, which are too long for one changed file.
		.filter((file) => !/^test\/(browser|queue|server|versions|tsconfig)|\.md$/.test(file));
	assert.ok(files.length > 150);
	// One at a time: what a rule names must exist.
	assert.deepEqual(
		files.filter((file) => touchedBy([file]).unknown.length > 0),
		[],
	);
	const chosen = of(touchedBy(files).stages, 'engine');
	const every = readdirSync(join(repository, 'test', 'engine'))
		.filter((name) => name.endsWith('.test.cts'))
		.map((name) => `test/engine/${name}`)
		.sort();
	assert.deepEqual(chosen, every);
});
