/** What a node got and what its parameters came to, item by item: for a pinned node, what it would have sent. */
import { createRequire } from 'node:module';

// Its build for import is not for Node.
const { Workflow } = createRequire(import.meta.url)('n8n-workflow');

/**
 * @param {{nodes: any[], connections: any, settings?: any}} workflow that was executed
 * @param {import('../../../tools/host-client.mjs').Execution} execution
 * @param {Map<string, any[]>} types see `nodeTypesOf` of nodeTypes.mjs
 * @param {string} name of a node that ran
 * @returns {Array<Record<string, any>>} its parameters for each item of each run that it executes for, defaults included
 */
export function resolvedParameters({ nodes, connections, settings }, execution, types, name) {
	const model = new Workflow({
		nodes: structuredClone(nodes),
		connections,
		settings,
		active: false,
		nodeTypes: {
			getByNameAndVersion(type, version) {
				const description = types.get(type)?.find((one) => [one.version].flat().includes(version));
				return description && { description };
			},
		},
	});
	const { runData } = execution.data.resultData;
	return execution.nodes[name].runs.flatMap(({ source: [source] }, run) => {
		const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
		const all = runData[previousNode][previousNodeRun].data.main[previousNodeOutput];
		const node = model.getNode(name);
		const items = node.executeOnce ? all.slice(0, 1) : all;
		return items.map((_, index) =>
			model.expression.getParameterValue(
				node.parameters,
				execution.data,
				run,
				index,
				name,
				items,
				'manual',
				{},
				{ node, data: { main: [items] }, source: { main: [source] } },
			),
		);
	});
}
