/**
 * Every text that people read in a form, a message or an example, and what a program can see of
 * docs/contributing/style.md in it. n8n's own linter sees to final periods, capitals of labels and "Whether"; whether a
 * text is true and clear is for readers to say.
 */
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repository } from '../contract.cjs';
import { jsonOf, contentOf } from '../files.mjs';
import built from '../operations.cjs';
import { allMessages } from './messages.mjs';

/**
 * @typedef {object} Text
 * @property {string} where nodes, parameters and options by their labels, or a file
 * @property {'label' | 'option' | 'action' | 'description' | 'hint' | 'notice' | 'placeholder' | 'panel' | 'error' |
 *   'note' | 'page'} kind
 * @property {string} text
 * @typedef {{words: RegExp, instead: string}} Term to avoid
 */

const require = createRequire(import.meta.url);

const plain = (html) =>
	html
		.replace(/<br ?\/?>/g, ' ')
		.replace(/<\/?(?:a|b|code|i|li|ul)\b[^>]*>/g, '')
		.replace(/\s+/g, ' ')
		.trim();

/** What stands under these names in a description of a node. */
const kinds = {
	action: 'action',
	activationMessage: 'panel',
	description: 'description',
	displayName: 'label',
	eventTriggerDescription: 'panel',
	hint: 'hint',
	message: 'panel',
	multipleValueButtonText: 'label',
	placeholder: 'placeholder',
};

/** @param {any} part of a node's description @param {string} where @returns {Iterable<Text>} */
function* ofForm(part, where) {
	const title = part.displayName ?? (part.value === undefined ? undefined : part.name);
	const place = [where, title === undefined ? '' : plain(String(title))]
		.filter(Boolean)
		.join(' › ');
	if (part.value !== undefined && part.displayName === undefined && part.name)
		yield { where: place, kind: 'option', text: String(part.name) };
	for (const [name, inside] of Object.entries(part)) {
		const kind = part.type === 'notice' && name === 'displayName' ? 'notice' : kinds[name];
		// Under a list or a collection the placeholder is the text of the button that adds to it.
		const button = name === 'placeholder' && /collection$/i.test(part.type);
		if (inside !== null && typeof inside === 'object' && name !== 'builderHint')
			yield* ofForm(inside, place);
		else if (typeof inside === 'string' && inside !== '' && (kind || where.endsWith('panel')))
			yield { where: place, kind: button ? 'label' : (kind ?? 'panel'), text: plain(inside) };
	}
}

function* ofForms() {
	const { AcpApi } = require(join(repository, 'dist', 'credentials', 'AcpApi.credentials.js'));
	const forms = [...built.nodes().map(({ description }) => description), new AcpApi()];
	for (const { triggerPanel = {}, codex: _, ...form } of forms) {
		yield* ofForm(form, '');
		yield* ofForm(triggerPanel, `${form.displayName} › panel`);
	}
}

function* ofExamples() {
	for (const file of globSync('examples/*.json', { cwd: repository })) {
		const { nodes } = jsonOf(file);
		for (const { name, type, notes, parameters } of nodes)
			for (const text of [notes, type.endsWith('.stickyNote') ? parameters.content : undefined])
				if (text) yield { where: `${file} › ${name}`, kind: 'note', text: plain(text) };
	}
}

/** Pages written by hand, each line a text; labels in italics are the form's. The style itself names what to avoid. */
export function ofPages() {
	const pages = ['*.md', 'docs/*.md', 'docs/{guides,contributing}/**/*.md'];
	const unread = ['CHANGELOG.md', 'LICENSE.md', 'docs/contributing/style.md'];
	return globSync(pages, { cwd: repository })
		.filter((file) => !unread.includes(file))
		.flatMap((file) =>
			contentOf(file)
				.replace(/^```[^]*?^```/gm, (code) => code.replace(/[^\n]+/g, ''))
				.replace(/(?<![\w*])\*[^*\n]+\*(?![\w*])/g, '…')
				.split('\n')
				.map((text, index) => ({ where: `${file}:${index + 1}`, kind: 'page', text })),
		)
		.filter(({ text }) => text !== '');
}

const ofMessages = () =>
	allMessages().flatMap(({ file, says, next }) =>
		[says, next].filter(Boolean).map((text) => ({ where: file, kind: 'error', text })),
	);

/** @returns {Text[]} all of them, each once for every kind; `where` is the first place */
export function allTexts() {
	const found = new Map();
	for (const text of [...ofForms(), ...ofMessages(), ...ofExamples()]) {
		const key = `${text.kind} ${text.text}`;
		if (!found.has(key)) found.set(key, text);
	}
	return [...found.values()];
}

const quoted = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, words]) => words);
const anyOf = (all) =>
	['(?!)', ...all.map((words) => RegExp.escape(words).replaceAll('\\x20', '\\s+'))].join('|');

/** @returns {Term[]} from the table under "Terms" in docs/contributing/style.md */
export function terms() {
	const page = contentOf('docs/contributing/style.md');
	const rows = page
		.split('\n## Terms\n')[1]
		.split('\n## ')[0]
		.match(/^\| .*/gm)
		.slice(1);
	return rows
		.map((row) => row.split('|'))
		.filter(([, , avoid]) => quoted(avoid).length > 0)
		.map(([, instead, avoid, right = '']) => ({
			instead: instead.trim(),
			// What is right is matched first, so that the word inside it is not found.
			words: new RegExp(
				`(?<![\\w-])(?:${anyOf(quoted(right))}|(${anyOf(quoted(avoid))}))(?![\\w-])`,
				'gi',
			),
		}));
}

/** Text without what is quoted from elsewhere: code, URLs, values, labels. */
const ownWords = (text) =>
	text
		.replace(/`[^`]*`/g, '…')
		.replace(/https?:\/\/\S+/g, '…')
		.replace(/\{\{?[^{}]*\}?\}/g, '…')
		.replace(/"[^"]*"/g, '…')
		.replace(/(?<![\w…])'[^']*'(?!\w)/g, '…')
		.replace(/\]\([^)]*\)/g, ']');

const sentences = (text) =>
	text.split(/(?<=[.!?…])(?<!\b(?:e\.g|i\.e|vs)\.)\s+(?=[\p{Lu}\d'"…])/u).filter(Boolean);
const wordsOf = (text) => text.split(/\s+/).filter((word) => /[\p{L}\d…]/u.test(word));

/** The most words of a sentence in these, and of all of these. */
const longest = { description: 25, hint: 25, notice: 25 };
const longestWhole = { error: 40, note: 80 };
const small =
	/^(an?|and|as|at|but|by|for|from|in|into|nor|of|off|on|or|out|over|per|than|the|to|up|via|vs|with)$/;

/** @param {Text} text @param {Term[]} avoided @returns {Iterable<string>} what is wrong with it */
export function* faultsOf({ kind, text }, avoided) {
	const own = ownWords(text);
	for (const { words, instead } of avoided)
		for (const [found, bad] of own.matchAll(words)) if (bad) yield `"${found}": write ${instead}`;
	for (const sentence of longest[kind] ? sentences(own) : []) {
		const count = wordsOf(sentence).length;
		if (count > longest[kind]) yield `a sentence of ${count} words; at most ${longest[kind]}`;
	}
	if (wordsOf(text).length > longestWhole[kind])
		yield `a whole ${kind} of ${wordsOf(text).length} words; at most ${longestWhole[kind]}`;
	if (kind === 'notice' && !/[.!?…]['")]?$/.test(text)) yield 'no final period';
	if (kind === 'placeholder' && !text.startsWith('e.g. '))
		yield 'a placeholder that does not begin with "e.g."';
	if (kind === 'label' || kind === 'option')
		for (const word of wordsOf(text.replace(/[(),:/–]/g, ' ')).slice(1))
			if (/^\p{Ll}+$/u.test(word) && !small.test(word)) yield `"${word}" without a capital`;
	if (!['note', 'option', 'page'].includes(kind))
		for (const [found] of own.matchAll(/\b(?:errors?|problems?|failures?|mistakes?)\b/gi))
			yield `"${found}" in a text: say what happened`;
	// n8n shows these as HTML: what looks like a tag vanishes.
	if (['notice', 'hint', 'error', 'panel'].includes(kind))
		for (const [found] of text.matchAll(/<\/?[a-z][^>]*>/gi))
			yield `"${found}", which n8n takes for HTML`;
}

/** @param {Text[]} [texts] @returns {Array<Text & {fault: string}>} */
export function faults(texts = allTexts()) {
	const avoided = terms();
	return texts.flatMap((text) => [...faultsOf(text, avoided)].map((fault) => ({ ...text, fault })));
}
