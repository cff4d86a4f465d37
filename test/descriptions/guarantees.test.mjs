/**
 * A guarantee is what people get who change no option. A test that sets one which bears on it, such as Max Retries 0,
 * says so in its title, and so does the page that is made of the titles.
 */
import assert, { assertNone } from '../asserted.mjs';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import typescript from 'typescript';
import { root } from './nodes.mjs';
import { contentOf } from '../../tools/files.mjs';

const { unsaid } = createRequire(import.meta.url)('../engine/guarantees/saidOptions.cjs');

/** Test files that prove guarantees. @param {string} pattern */
const proving = (pattern) =>
	globSync(pattern, { cwd: root })
		.map((file) => ({ file, code: contentOf(file) }))
		.filter(({ code }) => code.includes("'Guarantee: "));

/**
 * What no title of a file says about the options of nodes that stand in its code.
 * @param {string} file
 * @param {string} code
 * @returns {string[]}
 */
function unsaidIn(file, code) {
	const titles = [];
	const given = [];
	const visit = (node) => {
		if (typescript.isCallExpression(node) && /^(describe|test)\b/.test(node.expression.getText()))
			titles.push(node.arguments[0].getText());
		if (typescript.isPropertyAssignment(node) && node.name.getText() === 'options')
			typescript.forEachChild(node.initializer, (option) => {
				if (!typescript.isPropertyAssignment(option)) return;
				const { name, initializer: value } = option;
				const number = typescript.isNumericLiteral(value);
				given.push({ [name.getText()]: number ? Number(value.text) : value.getText() });
			});
		typescript.forEachChild(node, visit);
	};
	visit(typescript.createSourceFile(file, code, typescript.ScriptTarget.ES2022, true));
	return given.flatMap((options) => unsaid(titles.join('\n'), options));
}

test('in the engine the platform of guarantees looks at the options of every run', () => {
	const files = proving('test/engine/*.test.cts');
	assert.ok(files.length > 15);
	const past = files.filter(
		({ code }) =>
			/\busePlatform\b[^;]*from '\.\/harness/.test(code) ||
			!code.includes("import { usePlatform } from './guarantees/platform.cts';"),
	);
	assertNone(past.map(({ file }) => file));
});

test('in a real n8n the titles of a file say which options its nodes have', () => {
	const files = proving('test/{server,queue,browser}/*.test.mjs');
	assert.ok(files.length > 1);
	const found = files.flatMap(({ file, code }) =>
		unsaidIn(file, code).map((words) => `${file}: no title says ${words}`),
	);
	assertNone(found);
});

test('what a title leaves out is found', () => {
	assert.deepEqual(unsaid('Retry On Fail', { maxRetries: 0, concurrency: 1 }), [
		'Concurrency 1',
		'Max Retries 0',
	]);
	assert.deepEqual(unsaid('with Concurrency 10', { concurrency: 1 }), ['Concurrency 1']);
	assertNone(unsaid('with Concurrency 1', { concurrency: 1, requestKey: 'a' }));
	assertNone(unsaid("'Retry Writes' is on", { retryWrites: true }));
	const options = "{ requestKey: '={{ $json.a }}', timeout: 2 }";
	const code = (title) =>
		`test('${title}', { timeout: 300 }, () => { assert.ok(run({ options: ${options} })); });`;
	assert.deepEqual(unsaidIn('x.test.mjs', code('a read')), ['Timeout 2']);
	assertNone(unsaidIn('x.test.mjs', code('a read, with Timeout 2')));
});
