/** What keeps tests from passing although the product is broken: rules for their code, and a guard when they run. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { ESLint } from 'eslint';
import { root } from './nodes.mjs';

describe('npm run lint refuses in a test file', () => {
	const eslint = new ESLint({
		cwd: root,
		overrideConfigFile: join(root, 'test', 'eslint.config.mjs'),
	});
	/** @returns the rules that some code breaks, as if it stood in a file of Jest (`.cts`) or of node:test */
	const broken = async (code, file) => {
		const [{ messages }] = await eslint.lintText(code, { filePath: join(root, 'test', file) });
		return messages.map(({ ruleId, message }) => ruleId ?? message);
	};
	const asserts = "() => { expect(run()).toBe('done'); }";
	const jest = {
		"test('x', async () => { await run(); });": 'expect-expect',
		"test('x', () => { expect(1).toBe(1); if (error) expect(error).toBe(1); });":
			'no-conditional-expect',
		"test('x', () => { expect(run()); });": 'valid-expect',
		"test('x', () => { expect(run()).rejects.toThrow(); });": 'valid-expect',
		[`test.skip('x', ${asserts});`]: 'no-disabled-tests',
		[`test.only('x', ${asserts});`]: 'no-focused-tests',
		"describe('x', () => { expect(1).toBe(1); });": 'no-standalone-expect',
		[`test('x', ${asserts}); test('x', ${asserts});`]: 'no-identical-title',
		[`test('', ${asserts});`]: 'valid-title',
	};
	test('of Jest what cannot fail or does not run', async () => {
		for (const [code, rule] of Object.entries(jest))
			assert.deepEqual(await broken(code, 'unit/x.test.cts'), [`jest/${rule}`], code);
	});

	const imports =
		"import '../asserted.mjs'; import assert from 'node:assert/strict'; import { test } from 'node:test';";
	const checks = '() => { assert.ok(run()); }';
	const nodeTest = {
		[`${imports} test('x', () => { run(); });`]: 'jest/expect-expect',
		[`${imports} test.skip('x', ${checks});`]: 'jest/no-disabled-tests',
		[`${imports} test('x', { skip: true }, ${checks});`]: 'no-restricted-syntax',
		[`${imports} test('x', { skip: 'later' }, ${checks});`]: 'no-restricted-syntax',
		[`${imports} test.only('x', ${checks});`]: 'jest/no-focused-tests',
		// It would let a test pass that reaches no assertion.
		[`${imports.replace("import '../asserted.mjs';", '')} test('x', ${checks});`]:
			'no-restricted-syntax',
	};
	test('of node:test what cannot fail or does not run', async () => {
		for (const [code, rule] of Object.entries(nodeTest))
			assert.deepEqual(await broken(code, 'sandbox/x.test.mjs'), [rule], code);
	});

	test('nothing of what asserts', async () => {
		assert.deepEqual(
			[
				await broken(`test('x', ${asserts});`, 'unit/x.test.cts'),
				await broken(`${imports} test('x', ${checks});`, 'sandbox/x.test.mjs'),
				await broken(`${imports} test('x', { skip: !host }, ${checks});`, 'sandbox/x.test.mjs'),
			],
			[[], [], []],
		);
	});
});

describe('a test that reaches no assertion when it runs fails', () => {
	/** What a runner prints about a file with one test that reaches none and one that does. */
	const run = async (name, code, command) => {
		mkdirSync(join(root, '.local'), { recursive: true });
		const folder = mkdtempSync(join(root, '.local', 'proofs-'));
		try {
			const file = join(folder, name);
			writeFileSync(file, code);
			// As the runner of this file itself, it would report to that one.
			const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
			const { stdout, stderr } = await promisify(execFile)(
				process.execPath,
				command(file, folder),
				{ cwd: root, env },
			).catch((error) => error);
			return stdout + stderr;
		} finally {
			rmSync(folder, { recursive: true });
		}
	};

	test('of node:test', async () => {
		const said = await run(
			'x.test.mjs',
			`import ${JSON.stringify(join(root, 'test', 'asserted.mjs'))};
			import assert from 'node:assert/strict';
			import { test } from 'node:test';
			test('none', () => { for (const x of []) assert.ok(x); });
			test('one', () => { assert.ok(true); });`,
			(file) => ['--test', '--test-reporter=tap', file],
		);
		assert.match(said, /not ok \d+ - none[^]*The test reached no assertion/);
		assert.match(said, /\n# pass 1\n# fail 1\n/);
	});

	test('of Jest', async () => {
		const said = await run(
			'x.test.cjs',
			`test('none', () => { for (const x of []) expect(x).toBe(1); });
			test('one', () => { expect(1).toBe(1); });`,
			(_file, folder) => [
				join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
				'--config',
				JSON.stringify({
					rootDir: folder,
					testMatch: ['**/*.test.cjs'],
					transform: {},
					// The same file as in jest.config.cjs.
					setupFilesAfterEnv: [join(root, 'test', 'asserted.cjs')],
				}),
			],
		);
		assert.match(said, /● none\n[^]*hasAssertions/);
		assert.match(said, /1 failed, 1 passed/);
	});
});
