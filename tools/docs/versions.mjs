/** The sentence on which n8n the package runs in. */

/**
 * @param {Array<{version: string, node: number[]}>} hosts oldest first
 * @returns {string} Markdown
 */
export function versions(hosts) {
	const named = hosts.map(
		({ version, node }) => `${version} (Node ${[...node].sort().join(' and ')})`,
	);
	return `Every change is tried in n8n ${named.slice(0, -1).join(', ')} and ${named.at(-1)}. The package has no dependencies.`;
}
