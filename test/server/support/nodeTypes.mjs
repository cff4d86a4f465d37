/** Descriptions of nodes, n8n's own and those of this package, and what they say is missing. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hostFolder } from '../../../tools/bootstrap.mjs';
import built from '../../../tools/operations.cjs';

// Its build for import is not for Node.
const { NodeHelpers, setSafeRegexEngine } = createRequire(import.meta.url)('n8n-workflow');

// n8n ends a check by regular expression after 250 ms of the clock, which a busy machine exceeds. Those of its own
// descriptions are harmless.
setSafeRegexEngine({ test: (pattern, input, flags) => new RegExp(pattern, flags).test(input) });

const own = 'n8n-nodes-agent-conversation-platform';
const packages = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'];

/**
 * Descriptions of the nodes of an installed n8n and of this package.
 * @param {string} version of n8n; its host folder must be installed
 * @returns {Map<string, any[]>} by full type name: one description for each range of versions
 */
export function nodeTypesOf(version) {
	const types = new Map();
	const add = (name, description) => types.set(name, [...(types.get(name) ?? []), description]);
	for (const one of packages) {
		const file = join(hostFolder(version), 'node_modules', one, 'dist', 'types', 'nodes.json');
		for (const description of JSON.parse(readFileSync(file, 'utf8'))) {
			add(`${one}.${description.name}`, description);
			if (description.usableAsTool) add(`${one}.${description.name}Tool`, description);
		}
	}
	for (const { description } of built.nodes()) {
		add(`${own}.${description.name}`, description);
		if (description.usableAsTool) add(`${own}.${description.name}Tool`, description);
	}
	return types;
}

/**
 * @param {any} node of a workflow
 * @param {Map<string, any[]>} types see `nodeTypesOf`
 * @returns {string[]} labels of its required parameters that are empty
 */
export function missingIn(node, types) {
	const description = types
		.get(node.type)
		.find(({ version }) => [version].flat().includes(node.typeVersion));
	const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
	return Object.values(issues?.parameters ?? {})
		.flat()
		.map((text) => /^Parameter "(.*?)(?: Names or IDs)?" is required\.?$/.exec(text)?.[1] ?? text);
}
