/** The names of the tests in a file, read from its code: however it is laid out, nothing is run. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * @param {string} file absolute path of a test file
 * @returns {{kind: 'describe' | 'test', title: string, above: string[]}[]} in the file's order; `above` holds the titles
 *   of the groups around it, outermost first. A title of `test.each` is given as it is written.
 */
export function testTitles(file) {
	const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
	/** @type {{kind: 'describe' | 'test', title: string, above: string[]}[]} */
	const found = [];
	/** @param {ts.Node} node @param {string[]} above */
	const visit = (node, above) => {
		const [, word] = ts.isCallExpression(node)
			? (/^(describe|test|it)\b/.exec(node.expression.getText()) ?? [])
			: [];
		const [first] = ts.isCallExpression(node) ? node.arguments : [];
		if (!word || !first || !ts.isStringLiteralLike(first)) {
			ts.forEachChild(node, (child) => visit(child, above));
			return;
		}
		const kind = word === 'describe' ? 'describe' : 'test';
		found.push({ kind, title: first.text, above });
		ts.forEachChild(node, (child) => visit(child, [...above, first.text]));
	};
	visit(tree, []);
	return found;
}
