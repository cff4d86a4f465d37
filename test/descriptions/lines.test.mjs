/** Lines of code end at column 120, but for templates, regular expressions, titles of tests and URLs. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import typescript from 'typescript';
import { root } from './nodes.mjs';

const widest = 120;
/** A tab counts as in `.editorconfig`. */
const width = (line) => line.replaceAll('\t', '  ').length;

/** What `npm run contract` writes. */
const generated = ['contract/types.d.ts', 'nodes/engine/platform/facts.ts'];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: root,
	encoding: 'utf8',
})
	.split('\n')
	.filter((file) => /\.(ts|cts|mts|mjs|cjs|js)$/.test(file) && !generated.includes(file));

/** @returns {number[]} lines on which something stands that cannot be split */
function excused(file, source) {
	const tree = typescript.createSourceFile(file, source, typescript.ScriptTarget.ES2022, true);
	const lines = [];
	const excuse = (node) => {
		const [from, to] = [node.getStart(), node.getEnd()].map(
			(at) => tree.getLineAndCharacterOfPosition(at).line,
		);
		for (let line = from; line <= to; line++) lines.push(line);
	};
	const visit = (node) => {
		const title =
			typescript.isCallExpression(node) &&
			/^(test|it|describe)\b/.test(node.expression.getText()) &&
			node.arguments[0];
		if (title) excuse(title);
		const whole =
			typescript.isTemplateExpression(node) ||
			typescript.isNoSubstitutionTemplateLiteral(node) ||
			typescript.isRegularExpressionLiteral(node) ||
			(typescript.isStringLiteral(node) &&
				(node.text.includes('https://') || !node.text.includes(' ')));
		if (whole) excuse(node);
		typescript.forEachChild(node, visit);
	};
	visit(tree);
	return lines;
}

test(`no line is wider than ${widest} columns`, () => {
	assert.ok(files.length > 300);
	const wide = files.flatMap((file) => {
		const source = readFileSync(join(root, file), 'utf8');
		const lines = source
			.split('\n')
			.flatMap((line, index) => (width(line) > widest ? [index] : []));
		if (lines.length === 0) return [];
		const splittable = new Set(excused(file, source));
		return lines.filter((line) => !splittable.has(line)).map((line) => `${file}:${line + 1}`);
	});
	// Absence is the point; that the files were read is asserted above.
	assert.deepEqual(wide, []);
});
