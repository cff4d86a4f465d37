/**
 * What a program can see of docs/contributing/style.md: terms to avoid, long sentences, final periods, capitals, how
 * booleans and placeholders begin, words that no message needs. Whether a text is true and clear is for readers to say.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {import('./texts.mjs').Text} Text
 * @typedef {{words: RegExp, instead: string}} Term
 * @typedef {object} Style
 * @property {Term[]} terms to avoid
 * @property {Set<string>} names written with capitals inside a sentence
 * @typedef {Text & {fault: string}} Fault
 */

const longest = 25;
/** Words of a note: more is not read on a canvas. */
const longestNote = 80;
const smallWords = new Set(
	'a an and as at but by for from in into nor of off on or out over per than the to up via vs with'.split(
		' ',
	),
);

const quoted = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, words]) => words);
const escaped = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '\\s+');

/** Text under a heading of a page, up to the next one. */
function section(page, heading) {
	const [, text] = page.split(`\n## ${heading}\n`);
	if (text === undefined) throw new Error(`docs/contributing/style.md has no section "${heading}"`);
	return text.split('\n## ')[0];
}

/** @param {string} page text of docs/contributing/style.md @returns {Style} what stands there in backticks */
export function styleOf(page) {
	const rows = section(page, 'Terms')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.slice(1);
	const terms = rows.flatMap(([, instead, not, but = '']) => {
		const avoid = quoted(not).map(escaped);
		if (avoid.length === 0) return [];
		// What is right is matched first, so that the word inside it is not found.
		const right = quoted(but).map(escaped);
		const words = new RegExp(
			`(?<![\\w-])(?:(?:${[...right, '(?!)'].join('|')})|(${avoid.join('|')}))(?![\\w-])`,
			'gi',
		);
		return [{ words, instead }];
	});
	return { terms, names: new Set(quoted(section(page, 'Names'))) };
}

/** @param {string} repository @returns {Style} */
export const readStyle = (repository) =>
	styleOf(readFileSync(join(repository, 'docs/contributing/style.md'), 'utf8'));

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
const words = (text) => text.split(/\s+/).filter((word) => /[\p{L}\d…]/u.test(word));

const phraseOf = (all) => all.join(' ').replace(/^[("]+|(?:'s)?[),.;:!?"…]*$/g, '');

function* termsIn({ where, kind, text }, { terms }) {
	if (kind === 'name') return;
	// The page of the rules names what it forbids.
	if (where.startsWith('docs/contributing/style.md')) return;
	for (const { words: avoided, instead } of terms)
		for (const [found, bad] of ownWords(text).matchAll(avoided))
			if (bad) yield `"${found}": write ${instead}`;
}

function* lengthOf({ kind, text }) {
	if (kind === 'note') {
		const count = words(text).length;
		if (count > longestNote) yield `a note of ${count} words; at most ${longestNote}`;
	}
	if (!['hint', 'description', 'notice'].includes(kind)) return;
	for (const sentence of sentences(ownWords(text))) {
		const count = words(sentence).length;
		if (count > longest) yield `a sentence of ${count} words; at most ${longest}`;
	}
}

function* periodOf({ where, kind, text }) {
	const several = sentences(text).length > 1;
	const ended = /[.!?…]['")]?$/.test(text);
	const title = where.endsWith('› header');
	if (['notice', 'panel'].includes(kind) && !title && !ended) yield 'no final period';
	if (!['description', 'hint', 'action'].includes(kind)) return;
	if (several && !ended) yield 'two sentences without a final period';
	if (!several && /[^.]\.$/.test(text)) yield 'a final period after a single sentence';
}

/** Capitals of names, labels and options: all words but small ones. */
function* titleCaseOf({ kind, text }) {
	if (!['label', 'option'].includes(kind)) return;
	const all = words(text.replace(/[(),:/–]/g, ' '));
	for (const [index, word] of all.entries()) {
		const inside = index > 0 && index < all.length - 1;
		if (/^\p{Ll}+$/u.test(word) && !(inside && smallWords.has(word)))
			yield `"${word}" without a capital`;
	}
}

/** Capitals of everything else: the first word, and names. `labels` are names too, and so are those of operations. */
function* sentenceCaseOf({ kind, text }, { names }, labels) {
	if (!['action', 'description', 'hint', 'notice', 'panel', 'error'].includes(kind)) return;
	if (/^\p{Ll}[\p{Ll}']*\s/u.test(text) && kind !== 'error') yield 'begins without a capital';
	const known = (phrase) => names.has(phrase) || labels.has(phrase);
	for (const sentence of sentences(ownWords(text))) {
		const all = words(sentence.replace(/\bfor example:.*/i, ''));
		for (let at = 0; at < all.length; at++) {
			if (!/^[("]?\p{Lu}/u.test(all[at])) continue;
			let length = Math.min(7, all.length - at);
			while (length > 0 && !known(phraseOf(all.slice(at, at + length)))) length--;
			if (length > 0) at += length - 1;
			// The first word, and after a colon what may be a value.
			else if (at > 0 && !/:$/.test(all[at - 1]) && /^[("]?\p{Lu}\p{Ll}[^/_]*$/u.test(all[at]))
				yield `"${phraseOf([all[at]])}" with a capital inside a sentence`;
		}
	}
}

function* beginningOf({ kind, text, type }) {
	if (kind === 'description' && type === 'boolean' && !text.startsWith('Whether '))
		yield 'a boolean that does not begin with "Whether"';
	if (kind === 'placeholder' && !text.startsWith('e.g. '))
		yield 'a placeholder that does not begin with "e.g."';
}

function* alarmsIn({ kind, text }) {
	if (kind !== 'error') return;
	for (const [found] of ownWords(text).matchAll(/\b(?:errors?|problems?|failures?|mistakes?)\b/gi))
		yield `"${found}" in a message: say what happened`;
}

/** n8n shows notices, hints and descriptions of errors as HTML: what looks like a tag vanishes. */
function* tagsIn({ kind, text }) {
	if (!['notice', 'hint', 'error', 'panel'].includes(kind)) return;
	for (const [found] of text.matchAll(/<\/?[a-z][^>]*>/gi))
		yield `"${found}", which n8n takes for HTML`;
}

const rules = [
	termsIn,
	lengthOf,
	periodOf,
	titleCaseOf,
	sentenceCaseOf,
	beginningOf,
	alarmsIn,
	tagsIn,
];

/**
 * @param {Text[]} texts all of them: what the labels are called follows from them
 * @param {Style} style
 * @returns {Fault[]} one for each fault of each different text
 */
export function faultsIn(texts, style) {
	const labels = new Set(
		texts.filter(({ kind }) => ['name', 'label', 'option'].includes(kind)).map(({ text }) => text),
	);
	const seen = new Set();
	return texts.flatMap((text) => {
		if (seen.has(`${text.kind} ${text.text}`)) return [];
		seen.add(`${text.kind} ${text.text}`);
		return rules.flatMap((rule) =>
			[...rule(text, style, labels)].map((fault) => ({ ...text, fault })),
		);
	});
}
