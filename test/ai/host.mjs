/** The node types of an installed n8n with this package in it, and the libraries of its AI builder. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ClearError, defaultVersion, hostFolder, repository } from '../../tools/bootstrap.mjs';

export const packageName = 'n8n-nodes-agent-conversation-platform';

/** @typedef {any} Description of a node, as n8n's loader returns it, under its full name */

/**
 * Loads what n8n's own MCP server and assistant load, without starting n8n.
 * @param {string} [version] of an n8n that is installed
 */
export async function openHost(version = defaultVersion) {
	const modules = join(hostFolder(version), 'node_modules');
	if (!existsSync(join(modules, 'n8n')))
		throw new ClearError(
			`n8n ${version} is not installed. Run "npm test -- --only install" and try again.`,
		);
	const need = createRequire(join(modules, 'n8n', 'package.json'));
	/** By path, because most of it is not among what its package exports. */
	const file = (path) => need(join(modules, path));
	const { PackageDirectoryLoader } = need('n8n-core');
	const loader = new PackageDirectoryLoader(repository);
	await loader.loadAll();
	const named = (nodes, name) => nodes.map((node) => ({ ...node, name: `${name}.${node.name}` }));
	const own = named(loader.types.nodes, packageName);
	const types = {
		nodes: [
			...named(file('n8n-nodes-base/dist/types/nodes.json'), 'n8n-nodes-base'),
			...named(file('@n8n/n8n-nodes-langchain/dist/types/nodes.json'), '@n8n/n8n-nodes-langchain'),
			...own,
		],
		credentials: [],
	};
	// n8n offers every node as a tool of an agent, too, under a name of its own: the search finds both.
	file('n8n/dist/tool-generation/index.js').createAiTools(types, { nodes: {}, credentials: {} });
	return {
		/** The nodes of this package. */
		own,
		/** All nodes, tools included, as the AI builder's search sees them. */
		all: types.nodes,
		catalogue: file('@n8n/ai-utilities/dist/cjs/node-catalog/index.js'),
		/** The search of the editor's node panel. */
		sublimeSearch: file('@n8n/utils/dist/search/sublime-search.cjs').sublimeSearch,
		/** What n8n's MCP server answers when it is asked for a community node. */
		definitionOf: file('n8n/dist/modules/mcp-registry/synthesize-type-def.js')
			.synthesizeNodeTypeDef,
	};
}
