/** Regular expressions of the nodes: none takes more than a text's length to read it, whatever the text is. */
import assert, { assertNone } from '../asserted.mjs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkSync } from 'recheck';
import ts from 'typescript';
import { repository } from '../../tools/bootstrap.mjs';
import { contentOf } from '../../tools/files.mjs';

// JavaScript, not a program for this platform. Its limits count steps, so that each machine comes to the same verdict.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const limits = { timeout: null, attackTimeout: null, attackLimit: 1_000_000, randomSeed: 0 };

const verdictOn = (source, flags = '') => checkSync(source, flags, limits).status;

const sources = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(join(repository, folder), { recursive: true }).map((name) => `${folder}/${name}`),
	)
	.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
	.map((name) => {
		const text = contentOf(name);
		return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
	});

/** @param {ts.Node} node @returns {ts.Node[]} the node and all below it */
const below = (node) => {
	const found = [node];
	ts.forEachChild(node, (child) => void found.push(...below(child)));
	return found;
};
const all = sources.flatMap(below);

/** @type {Map<string, ts.Expression[]>} constants of modules, by their names */
const constants = Map.groupBy(
	all.filter(
		(node) => ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent),
	),
	(node) => node.name.getText(),
);

/** @param {ts.Node} node @returns {{ source: string, flags: string }} of a literal between slashes */
const ofLiteral = (node) => {
	const end = node.getText().lastIndexOf('/');
	return { source: node.getText().slice(1, end), flags: node.getText().slice(end + 1) };
};

/** What a text of the code is when it runs; nothing if it is more than constants. @returns {string | undefined} */
function textOf(node) {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node)) {
		const parts = node.templateSpans.map(({ expression, literal }) => {
			const part = textOf(expression);
			return part === undefined ? undefined : part + literal.text;
		});
		return parts.includes(undefined) ? undefined : node.head.text + parts.join('');
	}
	const [of, name] = ts.isPropertyAccessExpression(node)
		? [node.expression, node.name.text]
		: [node, ''];
	const named = constants.get(of.getText()) ?? [];
	const own = named.filter((one) => one.getSourceFile() === node.getSourceFile());
	const meant = own.length > 0 ? own : named;
	if (meant.length !== 1) return undefined;
	const { initializer } = meant[0];
	if (name === 'source' && ts.isRegularExpressionLiteral(initializer))
		return ofLiteral(initializer).source;
	const value = name
		? below(initializer).find((one) => ts.isPropertyAssignment(one) && one.name.getText() === name)
		: meant[0];
	return value?.initializer && ts.isStringLiteralLike(value.initializer)
		? value.initializer.text
		: undefined;
}

/** The property of a locator, whose values are judged where they are written. @param {ts.Node} node */
const isPattern = (node) => node.getText() === 'pattern.regex';

/** @param {ts.Node} node @returns {{ source?: string, flags: string } | undefined} nothing if it makes no expression */
function expressionOf(node) {
	if (ts.isRegularExpressionLiteral(node)) return ofLiteral(node);
	// What the editor, or the locator, makes an expression of.
	if (ts.isPropertyAssignment(node) && node.name.getText() === 'regex')
		return isPattern(node.initializer)
			? undefined
			: { source: textOf(node.initializer), flags: '' };
	const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
	if (!isMade || node.expression.getText() !== 'RegExp') return undefined;
	const [source, flags] = node.arguments;
	if (isPattern(source)) return undefined;
	return { source: textOf(source), flags: flags ? String(textOf(flags)) : '' };
}

/** @param {ts.Node} node @returns {string} "nodes/…/file.ts:12" */
const placeOf = (node) => {
	const file = node.getSourceFile();
	return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

const expressions = all.flatMap((node) => {
	const expression = expressionOf(node);
	return expression ? [{ ...expression, node, place: placeOf(node) }] : [];
});

/** The comment above or behind an expression that names who cuts or refuses longer texts before it reads them. */
const exempt = /\/\/ At most \d+ characters: (\w+) /;
const functions = new Set(
	[...constants.keys()].concat(
		all.filter(ts.isFunctionDeclaration).map((node) => node.name?.text ?? ''),
	),
);
const isExempt = (node) => {
	const statement = ts.findAncestor(node, ts.isStatement);
	const { 1: door } = exempt.exec(statement?.getFullText() ?? '') ?? [];
	return door !== undefined && functions.has(door);
};

test('the checker knows a slow expression from a quick one', () => {
	assert.equal(verdictOn('\\s+$'), 'vulnerable');
	assert.equal(verdictOn('^(a.*)*a.*$'), 'vulnerable');
	assert.equal(verdictOn('(?<=\\d\\s*)x'), 'vulnerable');
	assert.equal(verdictOn('^\\s+'), 'safe');
});

test('no expression is made of a text from outside', () => {
	const made = expressions.filter(({ source, node }) => source === undefined && !isExempt(node));
	assertNone(made.map(({ place }) => place));
	assert.ok(expressions.length > 200, `${expressions.length} expressions`);
	assert.ok(expressions.some(({ node }) => ts.isNewExpression(node)));
});

test('every expression reads any text in one go', () => {
	const verdicts = new Map();
	const isSlow = ({ source = '', flags }) => {
		const key = `/${source}/${flags}`;
		if (!verdicts.has(key)) verdicts.set(key, verdictOn(source, flags));
		return verdicts.get(key) !== 'safe';
	};
	const exempted = expressions.filter(({ source, node }) => !source || isExempt(node));
	const slow = expressions.filter((one) => !exempted.includes(one) && isSlow(one));
	assertNone(slow.map(({ place, source }) => `${place} ${source}`));
	assert.ok(exempted.length <= 2, 'rewrite expressions rather than cut what they read');
	assert.ok(verdicts.size > 200);
});
