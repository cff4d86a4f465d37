/** What `npm test -- --changed` chooses for a change. */
import assert, { assertNone } from '../asserted.mjs';
import { test } from 'node:test';
import { touchedBy } from '../../scripts/test/changed.mjs';
import { filesOf, readsFile, stages } from '../../scripts/test/stages.mjs';
import { tracked } from '../../tools/files.mjs';
import built from '../../tools/operations.cjs';

const { nodes, operationsOf } = built;
const files = tracked();

const engineOf = (...files) => touchedBy(files).runs.get('engine') ?? [];

test('a new operation runs the tests of its node, and its own among those of all operations', () => {
	const parts = engineOf(
		'contract/openapi.yaml',
		'nodes/engine/platform/facts.ts',
		'nodes/AcpScheduling/schedule.ts',
	);
	assert.deepEqual(
		parts.map(({ files }) => files),
		[['test/engine/acpScheduling.test.cts'], ['test/engine/everyOperation.test.cts']],
	);
	const names = new RegExp(parts[1].named);
	assert.match('schedule.create, with all fields', names);
	assert.doesNotMatch('agent.create, with all fields', names);
	const { runs } = touchedBy(['nodes/AcpScheduling/schedule.ts']);
	assert.deepEqual([...runs.keys()].sort(), ['descriptions', 'engine', 'types', 'unit']);
});

test('a change of the engine or of a trigger runs what is named after it; one of the engine, the worlds, too', () => {
	const { runs } = touchedBy(['nodes/engine/http/pace.ts']);
	assert.deepEqual(runs.get('engine'), [{ files: ['test/engine/guarantees.pace.test.cts'] }]);
	assert.deepEqual(runs.get('worlds'), [{}]);
	const [{ files }] = engineOf('nodes/AcpIntentTrigger/request.ts');
	assert.ok(files.includes('test/engine/intentTrigger.delivery.test.cts'));
	assert.ok(files.every((file) => file.startsWith('test/engine/intentTrigger.')));
});

test('every action node has tests of its operations by such names', () => {
	const folders = files.flatMap((file) => /^nodes\/Acp\w+\/(?=Acp\w+\.node\.ts)/.exec(file) ?? []);
	const actions = folders.filter((folder) => !folder.endsWith('Trigger/'));
	assert.ok(actions.length > 10);
	const operations = operationsOf(nodes());
	for (const folder of actions) {
		const [own, { named }] = engineOf(`${folder}new.ts`);
		assert.equal(own.files.length, 1, folder);
		const titles = operations
			.filter(({ node }) => folder === `nodes/${node.className}/`)
			.map(({ subject }) => subject);
		assert.ok(titles.length > 0, folder);
		assertNone(titles.filter((title) => !new RegExp(named).test(title)));
	}
});

test('a test file runs itself; a page runs nothing of the engine; what does not run is named', () => {
	const own = 'test/engine/guesses.test.cts';
	assert.deepEqual(engineOf(own), [{ files: [own] }]);
	const { runs, leftOut } = touchedBy(['docs/reference/errors.md']);
	assert.deepEqual([...runs.keys()], ['descriptions']);
	assert.deepEqual(leftOut, ['lint', 'security', 'runner']);
});

test('every file is read by a stage, and what a stage reads is there', () => {
	assert.ok(files.length > 600);
	const reading = stages.filter(({ reads }) => reads && reads !== '*');
	assert.ok(reading.length > 5);
	for (const { name, reads } of reading)
		for (const begin of reads.split(' '))
			assert.ok(
				files.some((file) => file.startsWith(begin)),
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
	const owners = files
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
