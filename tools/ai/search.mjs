/** Where the two searches of n8n place this package's nodes: that of its AI builder and that of its node panel. */
import { packageName } from './host.mjs';
import { phrases } from './phrases.mjs';

/** As many as n8n's AI builder shows for a phrase. */
export const shown = 5;

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
 * @param {Awaited<ReturnType<typeof import('./host.mjs').openHost>>} host
 * @returns {Array<{phrase: string, catalogue: number, panel: number}>} ranks from 1; 0 where none of the nodes is found
 */
export function ranks({ all, catalogue, sublimeSearch }) {
	const parser = new catalogue.NodeTypeParser(all);
	const panel = panelOf(all);
	return phrases.map(([phrase, ...nodes]) => {
		const wanted = new Set(nodes.map((name) => `${packageName}.${name}`));
		const rankIn = (/** @type {string[]} */ names) =>
			names.findIndex((name) => wanted.has(name)) + 1;
		return {
			phrase,
			catalogue: rankIn(
				parser.searchNodeTypes(phrase, shown).map((/** @type {any} */ { id }) => id),
			),
			// The panel takes "trigger" out of what is typed.
			panel: rankIn(
				sublimeSearch(phrase.toLowerCase().replace('trigger', '').trimEnd(), panel).map(
					(/** @type {any} */ { item }) => item.name,
				),
			),
		};
	});
}
