/**
 * Every message that the package can show: the sentences in its code that no form shows. What is filled in when it
 * happens is written as "…".
 */
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import lodash from 'lodash';
import ts from 'typescript';
import { repository } from '../contract.cjs';
import { contentOf } from '../files.mjs';
import built from '../operations.cjs';
import { cell, table } from './markdown.mjs';

/** @typedef {{file: string, says: string, next: string}} Message `next`: what to do, or the rest of the message */

/** What n8n's AI builder alone reads, and what is written from the contract. */
const withoutMessages = /(platform\/facts|describe\/(builderHint|inShort))\.ts$/;

const flat = (text) => text.replace(/\s+/g, ' ').trim();
const tidy = (text) => flat(text.replace(/(…[ ,]*){2,}/g, '… '));

/** @param {unknown} part @returns {string[]} every text in it */
const textsIn = (part) =>
	typeof part === 'string'
		? [flat(part)]
		: part !== null && typeof part === 'object'
			? Object.values(part).flatMap(textsIn)
			: [];

/** Whether a form shows a text. Hints are shown when a node has run. */
function formsShow() {
	const require = createRequire(import.meta.url);
	const { AcpApi } = require(join(repository, 'dist', 'credentials', 'AcpApi.credentials.js'));
	const forms = built.nodes().map(({ node }) => lodash.omit(node.description, 'hints'));
	const shown = [...new Set(textsIn([new AcpApi().properties, forms]))].join('\n');
	return (text) => {
		const parts = flat(text)
			.split('…')
			.filter((part) => part.trim().length > 2);
		return parts.length > 0 && parts.every((part) => shown.includes(part.trim()));
	};
}

/** Text of a literal or template, also where it is written on several lines; undefined for anything else. */
function textOf(node) {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
	if (ts.isTemplateExpression(node))
		return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
	if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
		return undefined;
	const [left, right] = [textOf(node.left), textOf(node.right)];
	return left === undefined || right === undefined ? undefined : left + right;
}

/** Four words or more, of which one of the first is no name. */
const isSentence = (text) => {
	const first = text.trim().split(/\s+/).slice(0, 4);
	return (
		/^\s?[A-Z'"…]/.test(text) &&
		first.length === 4 &&
		first.some((word) => /^[a-z]/.test(word)) &&
		!/^…?\/|https?:\/\/\S+$/.test(text)
	);
};
/** What a message says of a field, whose name is put before it. */
const saysOfField =
	/^(is|has|holds|contains|must|should|cannot|needs|names|begins|returned|could|differs|leads) /;

/** First sentence, and what follows it. */
function halves(text) {
	const end = text.search(/(?<!\b(?:e\.g|i\.e))[.!?] (?=[A-Z'"…])/);
	return end < 0
		? [text.replace(/\.$/, ''), '']
		: [text.slice(0, end), text.slice(end + 2).replace(/^…\s*/, '')];
}

/** @param {ts.Node} node @returns {ts.Node[]} every text in it, in its order, those in the holes of a template too */
function textNodes(node) {
	if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return [];
	const found = textOf(node) === undefined ? [] : [node];
	if (found.length === 0 || ts.isTemplateExpression(node))
		ts.forEachChild(node, (child) => void found.push(...textNodes(child)));
	return found;
}

/** The argument before one in a call. @param {ts.Node} node */
const before = ({ parent }, node) =>
	ts.isCallExpression(parent) || ts.isNewExpression(parent)
		? parent.arguments[parent.arguments.indexOf(node) - 1]
		: undefined;

/** What is told together: `{ message, description }`, or a message and, in the next argument, `{ description }`. */
function pairsIn(node, found = []) {
	if (ts.isObjectLiteralExpression(node)) {
		const property = (name) =>
			node.properties.find((one) => one.name?.getText() === name)?.initializer;
		const [message, description] = [
			property('message') ?? before(node, node),
			property('description'),
		];
		if (message && description)
			found.push({ messages: textNodes(message), descriptions: textNodes(description) });
	}
	ts.forEachChild(node, (child) => void pairsIn(child, found));
	return found;
}

/**
 * @param {string} file @param {string} source
 * @param {(text: string) => boolean} inForm whether a form shows a text
 * @returns {Message[]} of one source file
 */
function messagesIn(file, source, inForm) {
	const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
	const descriptionOf = new Map();
	const taken = new Set();
	const isMessage = (node) => isSentence(textOf(node)) && !inForm(textOf(node));
	for (const pair of pairsIn(tree)) {
		const descriptions = pair.descriptions.filter(isMessage);
		for (const [index, message] of pair.messages.filter(isMessage).entries()) {
			const description = descriptions[index] ?? descriptions[0];
			if (description === undefined) continue;
			descriptionOf.set(message, tidy(textOf(description)));
			taken.add(description);
		}
	}
	const found = new Map();
	const add = (says, next) => found.set(`${says}|${next}`, { file, says, next });
	for (const node of textNodes(tree)) {
		const text = textOf(node);
		if (taken.has(node) || inForm(text)) continue;
		const about = before(node, node) && textOf(before(node, node));
		const [says, rest] = halves(tidy(text));
		if (descriptionOf.has(node)) add(tidy(text).replace(/\.$/, ''), descriptionOf.get(node));
		else if (saysOfField.test(text)) add(`'${about ?? '…'}' ${says}`, rest);
		else if (isSentence(text)) add(says, rest);
	}
	return [...found.values()];
}

/** @returns {Message[]} of all sources, file by file */
export function allMessages() {
	const inForm = formsShow();
	return globSync('{credentials,nodes}/**/*.ts', { cwd: repository })
		.map((file) => file.replaceAll('\\', '/'))
		.filter((file) => !withoutMessages.test(file))
		.sort()
		.flatMap((file) => messagesIn(file, contentOf(file), inForm));
}

/** Sections of the page: where a message comes from, as people would look for it; then each node. */
const sections = [
	// What is said about the platform and the connection to it is explained by hand.
	[undefined, /^nodes\/engine\/errors\//],
	['The credential', /^credentials\/|http\/workspace\.ts$/],
	[
		'Values that cannot be sent',
		/^nodes\/engine\/(fields|people|phone|time\.ts|apiRequest|prepare|http\/path\.ts)/,
	],
	['Lists and fields in the editor', /^nodes\/engine\/lookups\//],
	['Both triggers', /^nodes\/shared\/registration\//],
	['While items are sent', /^nodes\/(engine|shared)\//],
];

/**
 * The generated part of `docs/reference/errors.md`.
 * @param {Message[]} messages @param {{className: string, description: any}[]} nodes
 * @param {string} byHand the part of the page that is written by hand: what it has is not repeated
 */
export function messageTables(messages, nodes, byHand) {
	const places = [
		...sections,
		...nodes.map(({ className, description }) => [
			description.displayName,
			new RegExp(`^nodes/${className}/`),
		]),
	];
	const others = messages.filter(({ says }) => !byHand.includes(`| ${cell(says)} |`));
	const placeOf = ({ file }) => places.find(([, files]) => files.test(file));
	return places
		.map((place) => [place[0], others.filter((one) => placeOf(one) === place)])
		.filter(([title, own]) => title !== undefined && own.length > 0)
		.map(([title, own]) => {
			const rows = own.map(({ says, next }) => [cell(says), cell(next)]);
			const different = lodash.uniqWith(rows, lodash.isEqual);
			return `## ${title}\n\n${table(['Message', 'What to do'], different)}`;
		})
		.join('\n\n');
}
