/** `npm run newest`: what it says of test files that pass, fail and cannot begin, run by node itself. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { paragraph } from '../../scripts/newest-report.mjs';
import { repository } from '../../tools/bootstrap.mjs';

const folder = mkdtempSync(join(tmpdir(), 'newest-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const said = (code) => {
	const file = join(folder, 'some.test.mjs');
	writeFileSync(
		file,
		`import { before, describe, test } from 'node:test'; import assert from 'node:assert/strict';${code}`,
	);
	const { NODE_TEST_CONTEXT, ...env } = process.env;
	const { stdout } = spawnSync(
		process.execPath,
		['--test', `--test-reporter=${join(repository, 'scripts', 'newest-report.mjs')}`, file],
		{ encoding: 'utf8', env },
	);
	const tests = stdout
		.trim()
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	return paragraph('9.1.0', '9.0.0', { tests });
};

test('all pass: one sentence says so', () => {
	assert.deepEqual(said("describe('n8n', () => { test('a', () => {}); test('b', () => {}); });"), {
		broken: false,
		text: 'n8n 9.1.0 (pinned here: 9.0.0): all 2 tests pass.',
	});
});

test('some fail: each with its message, in one line, as code', () => {
	const { broken, text } = said(`describe('n8n', () => {
		test('fine', () => {});
		test('the list', () => assert.equal(1, 2));
		test('the trigger', () => { throw new Error('\`@somebody\` #1 ' + 'x'.repeat(900) + ' the end'); });
	});`);
	assert.ok(broken);
	assert.match(
		text,
		/^n8n 9\.1\.0 \(pinned here: 9\.0\.0\): 2 of 3 tests fail\. “the list”: `Expected values to be strictly equal: 1 !== 2`; “the trigger”: `'@somebody' #1 x+ … x+ the end`\.$/,
	);
	assert.ok(text.length < 700);
});

test('n8n does not start: its last words, once', () => {
	assert.deepEqual(
		said(`describe('n8n 9.1.0', () => {
			before(() => { throw new Error('ended while starting:\\nNo such module'); });
			test('a', () => {});
			test('b', () => {});
		});`),
		{
			broken: true,
			text: 'n8n 9.1.0 (pinned here: 9.0.0): no test could begin. “n8n 9.1.0”: `ended while starting: No such module`.',
		},
	);
});

test('no result at all is no success', () => {
	assert.deepEqual(paragraph('9.1.0', '9.0.0', { tests: [] }), {
		broken: true,
		text: 'n8n 9.1.0 (pinned here: 9.0.0): no test could begin. The tests did not say why.',
	});
});

test('an n8n that cannot be installed is told with the reason', () => {
	assert.deepEqual(paragraph('9.1.0', '9.0.0', { notInstalled: 'No matching version' }), {
		broken: true,
		text: 'n8n 9.1.0 (pinned here: 9.0.0) cannot be installed: `No matching version`.',
	});
});
