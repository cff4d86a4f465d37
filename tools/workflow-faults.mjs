/**
 * What n8n would find wrong with the nodes of a workflow, by n8n's own descriptions of them: unknown nodes, versions,
 * parameters and choices, and required parameters that are empty.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hostFolder } from './bootstrap.mjs';
import built from './operations.cjs';

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

/** What n8n adds to a node that is used as a tool. */
const toolParameters = new Set(['descriptionType', 'toolDescription']);

const isExpression = (value) => typeof value === 'string' && value.startsWith('=');
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {{nodes: any[]}} workflow as exported
 * @param {Map<string, any[]>} types see `nodeTypesOf`
 * @returns {Array<{node: string, kind: 'unknown' | 'missing' | 'invalid', what: string}>}
 *   `missing`: a required parameter is empty, by its label
 */
export function faultsOf({ nodes }, types) {
	return nodes.flatMap((node) => {
		const fault = (kind, what) => ({ node: node.name, kind, what });
		const descriptions = types.get(node.type);
		if (!descriptions) return [fault('unknown', `type ${node.type}`)];
		const description = descriptions.find(({ version }) =>
			[version].flat().includes(node.typeVersion),
		);
		if (!description) return [fault('unknown', `version ${node.typeVersion} of ${node.type}`)];
		const faults = [];
		const all = withDefaults(description, node);
		const shown = (property, siblings) =>
			NodeHelpers.displayParameter(siblings, property, node, description, all);
		const check = (properties, values, path, siblings) => {
			for (const [name, value] of Object.entries(values)) {
				const place = [...path, name].join('.');
				const property = properties.find((one) => one.name === name && shown(one, siblings));
				if (!property) {
					if (!(path.length === 0 && node.type.endsWith('Tool') && toolParameters.has(name)))
						faults.push(fault('unknown', place));
				} else checkValue(property, value, place, [...path, name]);
			}
		};
		const checkValue = (property, value, place, path) => {
			if (isExpression(value)) return;
			if (['options', 'multiOptions'].includes(property.type)) {
				const { loadOptionsMethod, loadOptions } = property.typeOptions ?? {};
				if (loadOptionsMethod || loadOptions) return;
				const choices = (property.options ?? []).map((option) => option.value);
				for (const chosen of [value].flat())
					if (!isExpression(chosen) && !choices.includes(chosen))
						faults.push(fault('invalid', `${place}: ${JSON.stringify(chosen)}`));
			} else if (property.type === 'resourceLocator') {
				const modes = property.modes.map(({ name }) => name);
				if (!isObject(value) || !value.__rl || !modes.includes(value.mode))
					faults.push(fault('invalid', `${place}: mode ${JSON.stringify(value?.mode)}`));
			} else if (property.type === 'collection') {
				for (const one of [value].flat())
					check(property.options, one, path, { ...withOwnDefaults(property.options, one), ...one });
			} else if (property.type === 'fixedCollection') {
				for (const [group, rows] of Object.entries(value)) {
					const option = property.options.find(({ name }) => name === group);
					if (!option) faults.push(fault('unknown', `${place}.${group}`));
					else
						for (const row of [rows].flat())
							check(option.values, row, [...path, group], {
								...withOwnDefaults(option.values, row),
								...row,
							});
				}
			} else if (
				(property.type === 'number' && typeof value !== 'number') ||
				(property.type === 'boolean' && typeof value !== 'boolean')
			)
				faults.push(fault('invalid', `${place}: ${JSON.stringify(value)}`));
		};
		check(description.properties, node.parameters, [], all);
		const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		for (const texts of Object.values(issues?.parameters ?? {}))
			for (const text of texts)
				faults.push(fault('missing', /^Parameter "(.*)" is required\.?$/.exec(text)?.[1] ?? text));
		return faults;
	});
}

/** The parameters of a node with the defaults of those that are not set. */
function withDefaults(description, node) {
	return (
		NodeHelpers.getNodeParameters(
			description.properties,
			node.parameters,
			true,
			false,
			node,
			description,
		) ?? {}
	);
}

function withOwnDefaults(properties, values) {
	return Object.fromEntries(
		properties.filter(({ name }) => !(name in values)).map((one) => [one.name, one.default]),
	);
}
