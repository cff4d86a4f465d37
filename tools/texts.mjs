/** Every text that people read: in the editor, in a message, on the canvas of an example, on a page. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import catalog from './catalog.cjs';
import { allMessages } from './docs/messages.mjs';

const { repository } = catalog;
const require = createRequire(import.meta.url);

/**
 * @typedef {object} Text
 * @property {string} where nodes, parameters and options by their labels, or a file and its line
 * @property {'name' | 'label' | 'option' | 'action' | 'description' | 'hint' | 'notice' | 'placeholder' | 'panel' |
 *   'error' | 'note' | 'page'} kind
 * @property {string} text
 * @property {string} [type] of the parameter that the text belongs to
 */

const plain = (html) =>
	html
		.replace(/<br ?\/?>/g, ' ')
		.replace(/<\/?(?:a|b|code|i|li|ul)\b[^>]*>/g, '')
		.replace(/\s+/g, ' ')
		.trim();

/** Texts of parameters, of what stands in them, and of their choices. @returns {Iterable<Text>} */
function* ofParameters(parameters, where) {
	for (const parameter of parameters) {
		const place = `${where} › ${plain(parameter.displayName ?? parameter.name)}`;
		const is = (kind, text) => ({ where: place, kind, text: plain(text), type: parameter.type });
		if (parameter.type === 'notice') yield { ...is('notice', parameter.displayName), where };
		else if (parameter.displayName) yield is('label', parameter.displayName);
		if (parameter.description) yield is('description', parameter.description);
		if (parameter.hint) yield is('hint', parameter.hint);
		// Under a list or a collection it is the text of the button that adds to it.
		if (typeof parameter.placeholder === 'string' && parameter.placeholder)
			yield is(
				parameter.type.endsWith('ollection') ? 'label' : 'placeholder',
				parameter.placeholder,
			);
		if (parameter.typeOptions?.multipleValueButtonText)
			yield is('label', parameter.typeOptions.multipleValueButtonText);
		for (const mode of parameter.modes ?? [])
			yield* ofParameters([{ ...mode, type: 'mode' }], place);
		for (const option of parameter.options ?? []) {
			if (option.values) yield* ofParameters(option.values, place);
			if (option.type) yield* ofParameters([option], place);
			else {
				const choice = `${place} › ${option.displayName ?? option.name}`;
				yield { where: choice, kind: 'option', text: option.displayName ?? option.name };
				if (option.description)
					yield { where: choice, kind: 'description', text: plain(option.description) };
				if (option.action) yield { where: choice, kind: 'action', text: option.action };
			}
		}
	}
}

/** Texts of what the editor shows around the parameters: the trigger's panel, for example. */
function* ofPanel(value, where) {
	if (typeof value === 'string') yield { where, kind: 'panel', text: plain(value) };
	else if (value && typeof value === 'object')
		for (const [key, part] of Object.entries(value)) yield* ofPanel(part, `${where} › ${key}`);
}

function* ofTypes() {
	const { AcpApi } = require(join(repository, 'dist', 'credentials', 'AcpApi.credentials.js'));
	for (const type of [...catalog.nodes().map(({ description }) => description), new AcpApi()]) {
		const where = type.displayName;
		yield { where, kind: 'name', text: type.displayName };
		if (type.description) yield { where, kind: 'description', text: type.description };
		for (const key of ['eventTriggerDescription', 'activationMessage', 'triggerPanel'])
			if (type[key]) yield* ofPanel(type[key], `${where} › ${key}`);
		for (const { message } of type.hints ?? [])
			yield { where, kind: 'panel', text: plain(message) };
		yield* ofParameters(type.properties, where);
	}
}

function* ofExamples() {
	for (const file of readdirSync(join(repository, 'examples')).filter((name) =>
		name.endsWith('.json'),
	)) {
		const { nodes } = JSON.parse(readFileSync(join(repository, 'examples', file), 'utf8'));
		for (const node of nodes) {
			yield { where: `examples/${file}`, kind: 'name', text: node.name };
			if (node.type.endsWith('.stickyNote'))
				yield {
					where: `examples/${file} › ${node.name}`,
					kind: 'note',
					text: plain(node.parameters.content),
				};
			if (node.notes)
				yield { where: `examples/${file} › ${node.name}`, kind: 'note', text: node.notes };
		}
	}
}

/** Paragraphs of pages that are written by hand; code, tables of facts and what is generated are left out. */
function* ofPages() {
	const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'sandbox/README.md'].concat(
		readdirSync(join(repository, 'docs'), { recursive: true })
			.map((name) => `docs/${name}`)
			.filter((name) => name.endsWith('.md'))
			.sort(),
	);
	for (const file of files) {
		let text = readFileSync(join(repository, file), 'utf8');
		if (/^<!-- Generated/i.test(text)) continue;
		const blank = (part) => part.replace(/[^\n]/g, '');
		text = text
			.replace(/```[\s\S]*?```/g, blank)
			.replace(/<!-- generated: [\s\S]*?<!-- \/generated -->/g, blank);
		let line = 1;
		for (const paragraph of text.split(/\n(?=\s*\n|\s*(?:[-*|>#]|\d+\.)\s)/)) {
			const words = paragraph.replace(/\s+/g, ' ').trim();
			if (/\p{L}{2}/u.test(words))
				yield {
					where: `${file}:${line + (/^\n*/.exec(paragraph)?.[0].length ?? 0)}`,
					kind: 'page',
					text: words,
				};
			line += paragraph.split('\n').length;
		}
	}
}

function* ofMessages() {
	for (const { file, says, next } of allMessages(repository)) {
		yield { where: file, kind: 'error', text: says };
		if (next) yield { where: file, kind: 'error', text: next };
	}
}

/** @returns {Text[]} all of them; a text that stands in several places comes once for each */
export function allTexts() {
	return [...ofTypes(), ...ofMessages(), ...ofExamples(), ...ofPages()];
}
