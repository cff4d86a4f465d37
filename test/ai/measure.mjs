/** What an AI that builds workflows finds and reads of the nodes; the stage `ai` bounds it. */
import { packageName } from './host.mjs';
import { phrases, unwanted } from './phrases.mjs';

/** @typedef {Awaited<ReturnType<typeof import('./host.mjs').openHost>>} Host */

/** As many as n8n's AI builder shows for a phrase. */
const shown = 5;

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const shortName = (name) => name.split('.').at(-1);

/**
 * The nodes as the editor's panel lists them: without tools, and a trigger beside its node of the same name is no entry
 * of its own.
 * @param {any[]} all
 */
function panelOf(all) {
	const offered = all.filter(
		({ name, hidden, outputs }) =>
			!hidden && !(name.endsWith('Tool') && JSON.stringify(outputs) === '["ai_tool"]'),
	);
	const names = new Set(offered.map(({ name }) => name));
	return offered
		.filter(({ name }) => !name.endsWith('Trigger') || !names.has(name.replace(/Trigger$/, '')))
		.map(({ name, displayName, codex }) => ({ name, properties: { displayName, codex } }));
}

/**
 * Where the two searches of n8n place this package's nodes: that of its AI builder and that of its node panel.
 * @param {Host} host @param {typeof phrases} [sought]
 * @returns {Array<{phrase: string, catalogue: number, panel: number}>} ranks from 1; 0 where none of the nodes is found
 */
function ranks({ all, catalogue, sublimeSearch }, sought = phrases) {
	const parser = new catalogue.NodeTypeParser(all);
	const panel = panelOf(all);
	return sought.map(({ phrase, nodes }) => {
		const rankIn = (names) =>
			names.findIndex((name) => nodes.some((node) => name === `${packageName}.${node}`)) + 1;
		// The panel takes "trigger" out of what is typed.
		const typed = phrase.toLowerCase().replace('trigger', '').trimEnd();
		return {
			phrase,
			catalogue: rankIn(parser.searchNodeTypes(phrase, shown).map(({ id }) => id)),
			panel: rankIn(sublimeSearch(typed, panel).map(({ item }) => item.name)),
		};
	});
}

/**
 * The operations of a node, each with the part of the definition that is about it alone.
 * @param {any} node @param {string} definition
 * @returns {Array<{resource: string, operation: string, description: string, text: string}>}
 */
export function entriesOf(node, definition) {
	// The comment above a type belongs to it.
	const parts = definition
		.replace(/^(\/\*\* .* \*\/)\n(?=export type)/gm, '$1 ')
		.split(/^(?=.*export type \w+Params = \{)/m);
	return node.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions }) =>
			options.map(({ value, description }) => {
				const [resource] = displayOptions.show.resource;
				const lines = [`resource: '${resource}';`, `operation: '${value}';`];
				const text = parts.find((part) => lines.every((line) => part.includes(line)));
				if (text === undefined) throw new Error(`${node.name}: no part for ${resource}.${value}`);
				return { resource, operation: value, description, text };
			}),
		);
}

/** Every parameter, at any depth. @param {any[]} properties @returns {any[]} */
const deep = (properties) =>
	(properties ?? []).flatMap((property) => [
		property,
		...deep(property.values),
		...(/collection$/i.test(property.type) ? deep(property.options) : []),
	]);

/** As n8n's generator writes a text into a comment. */
const inComment = (text) =>
	text.replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\*\//g, '*\\/');

/** What n8n's AI builder reads of a node before it writes one, and how much of it. @param {Host} host */
const definitions = ({ own, definitionOf }) =>
	own.map((node) => {
		const definition = definitionOf(node);
		const name = shortName(node.name);
		const entries = entriesOf(node, definition).map(({ resource, operation, ...entry }) => ({
			...entry,
			place: `${name}.${resource}.${operation}`,
		}));
		const places = (which) => entries.filter(which).map(({ place }) => place);
		return {
			name,
			characters: definition.length,
			bytes: Buffer.byteLength(JSON.stringify(node)),
			operations: entries.length,
			/** Operations that show another text than their own. */
			wrongDescriptions: places(({ description, text }) => !text.includes(inComment(description))),
			withoutOutput:
				entries.length === 0 && !definition.includes('@output')
					? [name]
					: places(({ text }) => !text.includes('@output')),
			mappersWithoutHint: deep(node.properties)
				.filter(({ type, builderHint }) => type === 'resourceMapper' && !builderHint?.propertyHint)
				.map((mapper) => `${name}.${mapper.name}`),
		};
	});

/**
 * Measures the built package in an installed n8n, without a model and without the network.
 * @param {Host} host
 */
export function measure(host) {
	const places = ranks(host);
	const nodes = definitions(host);
	const found = (search) =>
		places.filter((place) => place[search] > 0 && place[search] <= shown).length;
	return {
		missed: places.filter(({ catalogue, panel }) => !catalogue || !panel || panel > shown),
		/** Phrases that find a node of this package, whatever its place, and must not. */
		unwanted: ranks(
			host,
			unwanted.map((phrase) => ({ phrase, nodes: nodes.map(({ name }) => name) })),
		).filter(({ panel }) => panel > 0),
		phrases: places.length,
		foundByCatalogue: found('catalogue'),
		foundByPanel: found('panel'),
		operations: sum(nodes.map(({ operations }) => operations)),
		characters: sum(nodes.map(({ characters }) => characters)),
		longest: Math.max(...nodes.map(({ characters }) => characters)),
		bytes: sum(nodes.map(({ bytes }) => bytes)),
		wrongDescriptions: nodes.flatMap(({ wrongDescriptions }) => wrongDescriptions),
		withoutOutput: nodes.flatMap(({ withoutOutput }) => withoutOutput),
		mappersWithoutHint: nodes.flatMap(({ mappersWithoutHint }) => mappersWithoutHint),
	};
}
