/** The map of files and tests (scripts/test/areas.mjs) fits the repository: nothing is left out, nothing is gone. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { areaOf, areas } from '../../scripts/test/areas.mjs';
import { filesOf, listed } from '../../scripts/test/list.mjs';
import { repository } from '../../tools/bootstrap.mjs';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: repository,
	encoding: 'utf8',
})
	.trim()
	.split('\n')
	.filter((file) => existsSync(join(repository, file)));
const stages = listed();
const quick = stages.filter(({ long, needs }) => !long || !needs);
const tests = quick.flatMap(filesOf);

test('every file belongs to an area with tests or stages, but for what says how files look', () => {
	const watched = files.filter((file) => !/^\.(?!github|ci)/.test(file));
	assert.ok(watched.length > 600, `${watched.length} files`);
	const without = watched.filter((file) => {
		const area = areaOf(file);
		return !area || area.tests.length + area.stages.length === 0;
	});
	assert.deepEqual(without, []);
});

test('every stage that an area names is one without whole servers and browsers, and so is a test', () => {
	const names = quick.map(({ name }) => name);
	assert.ok(names.length > 8 && tests.length > 100);
	const idle = areas.flatMap((area) => [
		...area.tests.filter((name) => !tests.some((file) => file.startsWith(name))),
		...area.stages.filter((stage) => !names.includes(stage)),
	]);
	assert.deepEqual(idle, []);
});

test('every path that an area names begins a file that no earlier area has', () => {
	assert.ok(areas.length > 30);
	const idle = areas.flatMap((area) =>
		area.paths.filter(
			(path) => !files.some((file) => file.startsWith(path) && areaOf(file) === area),
		),
	);
	assert.deepEqual(idle, []);
});

test('every test file belongs to one stage, but for what runs in two versions of n8n', () => {
	const owners = files
		.filter((file) => /^test\/.+\.test\.\w+$/.test(file))
		.map((file) => [file, stages.filter((stage) => stage.files?.test(file)).length]);
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
