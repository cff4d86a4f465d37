/** `npm run lint` reads the code of all tests and finds those that cannot fail; here it reads some that cannot. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { proofOf, testsOf } from '../../tools/proofs.mjs';
import { root } from './nodes.mjs';

const doubts = (/** @type {string} */ code) =>
	testsOf(join(root, 'test', 'x.test.mjs'), code).flatMap((found) => found.doubts);
const inTest = (/** @type {string} */ body) => `test('x', async () => { ${body} });`;

describe('what may pass although the product is broken is found', () => {
	for (const [name, body, doubt] of [
		['no assertion', 'await run();', /asserts nothing/],
		['a matcher that is not called on anything', 'expect.objectContaining({});', /asserts nothing/],
		['a helper that asserts nothing', 'const f = () => 1; f();', /asserts nothing/],
		[
			'an assertion in a function that is not called',
			'const f = () => expect(1).toBe(2);',
			/asserts nothing/,
		],
		[
			'a loop',
			'for (const x of await found()) expect(x).toBe(1);',
			/holds when found\(\) is empty/,
		],
		[
			'a loop by number',
			'for (let i = 0; i < found.length; i++) expect(found[i]).toBe(1);',
			/found is empty/,
		],
		['a callback', 'found.forEach((x) => assert.equal(x, 1));', /found is empty/],
		[
			'a callback that is awaited',
			'await Promise.all(found.map(async (x) => assert.ok(x)));',
			/found is empty/,
		],
		[
			'a loop beside an assertion about something else',
			'expect(status).toBe(1); for (const x of found) expect(x).toBe(1);',
			/found is empty/,
		],
		[
			'a loop over what is demanded to be empty',
			'expect(found).toEqual([]); for (const x of found) expect(x).toBe(1);',
			/found is empty/,
		],
		['every', 'expect(found.every((x) => x === 0)).toBe(true);', /found is empty/],
		['the largest is small', 'expect(Math.max(...found)).toBeLessThan(3);', /found is empty/],
		['the smallest is large', 'expect(Math.min(...found)).toBeGreaterThan(3);', /found is empty/],
		['a condition', 'if (error) expect(error).toBe(1);', /only under a condition/],
		[
			'what is caught',
			'try { run(); } catch (error) { assert.ok(error); }',
			/only under a condition/,
		],
		[
			'nothing was sent',
			'await run(); expect(await ledger()).toEqual([]);',
			/only that something is absent/,
		],
		[
			'nothing was sent, in other words',
			'assert.deepEqual(sent, []); assert.equal(count, 0);',
			/only that something is absent/,
		],
		[
			'a text that does not stand there',
			'expect(log).not.toContain(token);',
			/only that something is absent/,
		],
	])
		test(name, () => {
			const found = doubts(inTest(body));
			assert.equal(found.length, 1, found.join('; '));
			assert.match(String(found[0]), doubt);
		});
});

describe('what is bound to assert something is let through', () => {
	for (const [name, body] of [
		['an assertion', 'expect(await run()).toBe(1);'],
		['a value that is zero', 'expect(waited).toBe(0);'],
		['an error that is demanded', 'await expect(run()).rejects.toThrow();'],
		[
			'a loop whose list is counted',
			'expect(found).toHaveLength(2); for (const x of found) expect(x).toBe(1);',
		],
		['a loop over cases that are written down', "for (const x of ['a', 'b']) expect(x).toBe(1);"],
		[
			'a loop over the entries of cases',
			"const cases = { a: 1 }; for (const [x] of Object.entries(cases)) expect(x).toBe('a');",
		],
		[
			'a loop that counts what it does',
			'let n = 0; for (const x of found) { n++; expect(x).toBe(1); } expect(n).toBe(3);',
		],
		['both branches', 'if (a) expect(a).toBe(1); else expect(b).toBe(1);'],
		['a helper that asserts', 'const same = (x) => expect(x).toBe(1); same(2);'],
		[
			'a callback that is called once',
			"await withServer(async (url) => { expect(url).toBe('x'); });",
		],
		[
			'nothing was sent, beside a refusal',
			"expect(error).toBe('no'); expect(await ledger()).toEqual([]);",
		],
		[
			'nothing was sent, with the reason',
			'run();\n// The scene itself demands that it ran.\nexpect(await ledger()).toEqual([]);',
		],
	])
		test(name, () =>
			assert.deepEqual([doubts(inTest(body)), testsOf('x', inTest(body)).length], [[], 1]),
		);

	test('a list of the file that another test counts', () => {
		const loop = inTest('for (const x of found) assert.ok(x);');
		assert.equal(doubts(loop).length, 1);
		assert.deepEqual(doubts(`${inTest('assert.ok(found.length > 3);')} ${loop}`), []);
	});
});

test('what is left out does not run', () => {
	const runs = (/** @type {string} */ code) => testsOf('x', code).map((found) => found.runs);
	const body = '() => { expect(1).toBe(1); }';
	assert.deepEqual(runs(`test('x', ${body});`), [true]);
	assert.deepEqual(runs(`describe('x', () => { test('x', ${body}); });`), [true, true]);
	assert.deepEqual(runs(`test.each([1])('x', ${body});`), [true]);
	assert.deepEqual(runs(`test.skip('x', ${body});`), [false]);
	assert.deepEqual(runs(`xtest('x', ${body});`), [false]);
	assert.deepEqual(runs("test.todo('x');"), [false]);
	assert.deepEqual(runs(`test('x', { skip: true }, ${body});`), [false]);
	assert.deepEqual(runs(`test('x', { skip: isTrigger }, ${body});`), [true]);
	assert.deepEqual(runs(`describe.skip('x', () => { test('x', ${body}); });`), [false, false]);
	assert.deepEqual(runs(`test.only('x', ${body}); test('y', ${body});`), [false, false]);
});

test('a helper of another file counts by what it asserts', () => {
	mkdirSync(join(root, '.local'), { recursive: true });
	const folder = mkdtempSync(join(root, '.local', 'proofs-'));
	try {
		writeFileSync(
			join(folder, 'helper.mjs'),
			'export const checks = (x) => assert.ok(x); export function looks(x) { return x; }',
		);
		const found = (/** @type {string} */ name) =>
			testsOf(
				join(folder, 'x.test.mjs'),
				`import { ${name} } from './helper.mjs'; ${inTest(`${name}(1);`)}`,
			)[0]?.asserts;
		assert.deepEqual([found('checks'), found('looks')], [true, false]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test('a test that reaches no assertion when it runs fails', async () => {
	mkdirSync(join(root, '.local'), { recursive: true });
	const folder = mkdtempSync(join(root, '.local', 'proofs-'));
	try {
		const file = join(folder, 'x.test.mjs');
		const imports = [
			`import ${JSON.stringify(join(root, 'test', 'asserted.mjs'))};`,
			"import assert from 'node:assert/strict';",
			"import { test } from 'node:test';",
		];
		writeFileSync(
			file,
			`${imports.join('\n')}
			test('none', () => { for (const x of []) assert.ok(x); });
			test('one', () => { assert.ok(true); });`,
		);
		// As the runner of this file itself, it would report to that one.
		const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
		const { stdout } = await promisify(execFile)(
			process.execPath,
			['--test', '--test-reporter=tap', file],
			{ env },
		).catch((error) => error);
		assert.match(stdout, /not ok \d+ - none[^]*The test reached no assertion/);
		assert.match(stdout, /\n# pass 1\n# fail 1\n/);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test('a page may name only a test that runs and asserts', () => {
	const why = (/** @type {string} */ file, /** @type {string} */ title) =>
		proofOf(root, file, title).why;
	const security = 'test/engine/security.test.cts';
	assert.equal(why(security, 'a preview'), undefined);
	assert.equal(why(security, 'no token in what stays › a preview'), undefined);
	assert.equal(
		why(security, 'a large answer › a preview'),
		`${security} has no test "a large answer › a preview"`,
	);
	assert.equal(why(security, 'no token in what stays'), undefined);
	assert.equal(why(security, '%s is not read'), undefined);
	assert.equal(why(security, 'file:///etc/hostname is not read'), undefined);
	assert.match(String(why(security, 'gopher://x is not read')), /has no test/);
	assert.match(String(why(security, 'a view')), /has no test "a view"/);
	assert.match(String(why('test/engine/none.test.cts', 'x')), /does not exist/);
	assert.match(String(why('test/engine/guarantees/scene.cts', 'x')), /no place where tests run/);
});

describe('the command', () => {
	const script = join(root, 'scripts', 'proofs.mjs');
	const run = async (/** @type {string[]} */ ...files) =>
		await promisify(execFile)(process.execPath, [script, ...files], { cwd: root }).then(
			({ stdout }) => ({ code: 0, said: stdout }),
			({ code, stderr }) => ({ code, said: stderr }),
		);

	test('fails for a test that asserts nothing, with its file and line', async () => {
		mkdirSync(join(root, '.local'), { recursive: true });
		const folder = mkdtempSync(join(root, '.local', 'proofs-'));
		try {
			writeFileSync(join(folder, 'x.test.mjs'), "\ntest('x', () => {});\n");
			const found = await run(`.local/${folder.split('/').at(-1)}/x.test.mjs`);
			assert.equal(found.code, 1);
			assert.match(found.said, /x\.test\.mjs:2: "x" asserts nothing/);
			assert.match(found.said, /x\.test\.mjs:1: has no import '\.\.\/asserted\.mjs'/);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	test('reads all tests', async () => {
		const { code, said } = await run();
		assert.equal(code, 0, said);
		assert.ok(Number(/^(\d+) tests/.exec(said)?.[1]) > 600, said);
	});
});
