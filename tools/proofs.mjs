/**
 * The names of the tests in a file, read from its code, for pages that name tests as proofs. That each test can fail,
 * `test/eslint.config.mjs` and `test/asserted.*` see to.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {object} TestCode
 * @property {'describe' | 'test'} kind
 * @property {string} title as it is written; a title that is an expression as `${expression}`
 * @property {string[]} above titles of the groups around it, outermost first
 * @property {string[]} cases texts in the table that it is run for
 */

/** @type {Map<string, TestCode[]>} */
const known = new Map();

/**
 * @param {string} file absolute path of a test file
 * @param {string} [code] of a file that does not exist
 * @returns {TestCode[]} groups and tests in the file's order
 */
export function testsOf(file, code) {
	const before = known.get(file);
	if (before) return before;
	const text = code ?? readFileSync(file, 'utf8');
	const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const constants = constantsOf(tree);
	/** @type {TestCode[]} */
	const found = [];
	/** @param {ts.Node} node @param {string[]} above @param {ts.Expression[]} tables */
	const visit = (node, above, tables) => {
		const [word] = ts.isCallExpression(node)
			? (/^(describe|test)\b/.exec(node.expression.getText()) ?? [])
			: [];
		// The table of `test.each` is a call of its own, without a function.
		if (!word || !node.arguments.some((part) => ts.isFunctionLike(part))) {
			const inside = ts.isForOfStatement(node) ? [...tables, node.expression] : tables;
			ts.forEachChild(node, (child) => visit(child, above, inside));
			return;
		}
		const title = titleOf(node.arguments[0]);
		const cases = [node.expression, ...tables].flatMap((table) => textsIn(table, constants));
		found.push({ kind: word, title, above, cases });
		ts.forEachChild(node, (child) => visit(child, [...above, title], tables));
	};
	visit(tree, [], []);
	if (code === undefined) known.set(file, found);
	return found;
}

/** @param {ts.Node} node the first argument of a test */
function titleOf(node) {
	if (ts.isStringLiteralLike(node)) return node.text;
	return ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : `\${${node.getText()}}`;
}

/** @param {ts.Node} tree @returns {Map<string, ts.Expression[]>} what constants are made of, by name */
function constantsOf(tree) {
	/** @type {Map<string, ts.Expression[]>} */
	const found = new Map();
	const visit = (/** @type {ts.Node} */ node) => {
		if (ts.isVariableDeclaration(node) && node.initializer && ts.isIdentifier(node.name))
			found.set(node.name.text, [...(found.get(node.name.text) ?? []), node.initializer]);
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
}

/**
 * @param {ts.Node} node
 * @param {Map<string, ts.Expression[]>} constants
 * @param {number} [depth]
 * @returns {string[]} texts and keys in it and in the constants that it names
 */
function textsIn(node, constants, depth = 0) {
	if (ts.isStringLiteralLike(node)) return [node.text];
	/** @type {string[]} */
	const found = [];
	if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node))
		found.push(node.name.getText());
	if (ts.isIdentifier(node) && depth < 3)
		for (const made of constants.get(node.text) ?? [])
			found.push(...textsIn(made, constants, depth + 1));
	ts.forEachChild(node, (child) => void found.push(...textsIn(child, constants, depth)));
	return found;
}

/** What stands in a title for a part of a case. */
const placeholder = /%[sijp#dfo]|\$[\w.]+|\$\{[^}]*\}/;

/** Where test runners look for tests, see scripts/test.mjs and jest.config.cjs. */
const places = /^test\/((unit|engine)\/.*\.test\.cts|\w+\/.*\.test\.mjs)$/;

/**
 * Whether a test that a page names is run.
 * @param {string} repository
 * @param {string} file below the repository
 * @param {string} title of a test or a group; of a test with a table, as it is written or with a case of it
 * @returns {{proves: boolean, why?: string}} `why` not
 */
export function proofOf(repository, file, title) {
	if (!places.test(file)) return { proves: false, why: `${file} is no place where tests run` };
	if (!existsSync(join(repository, file))) return { proves: false, why: `${file} does not exist` };
	const path = title.split(' › ');
	const own = path.pop() ?? '';
	const found = testsOf(join(repository, file)).some(
		(one) =>
			(one.title === own || one.cases.some((name) => isCase(one.title, name, own))) &&
			// The case that a group is for may be written as it is made.
			path.every((name, at) => {
				const group = one.above.at(at - path.length);
				return group === name || placeholder.test(group ?? '');
			}),
	);
	return found ? { proves: true } : { proves: false, why: `${file} has no test "${title}"` };
}

/**
 * Whether a name is that of a case in the table of a test.
 * @param {string} template title of the test, with its placeholders
 * @param {string} name text that stands in the table
 * @param {string} wanted
 */
function isCase(template, name, wanted) {
	const parts = template.split(placeholder);
	if (parts.length === 1) return false;
	const form = new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('([^]*)')}$`);
	const [, ...filled] = form.exec(wanted) ?? [];
	// What follows a case's own name says how it is run and what is expected.
	return filled.some(
		(text) =>
			text === name ||
			(/^(:|,| \([^()]*\)$)/.test(text.slice(name.length)) && text.startsWith(name)),
	);
}
