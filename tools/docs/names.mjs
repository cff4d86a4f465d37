import lodash from 'lodash';

const { isEqual } = lodash;

/**
 * Public names: what workflows store. Nodes, resources, operations, parameters and what can be chosen in them, as `node
 * resource operation parameter` and `… parameter=value`; and the fields of simplified items, which expressions name, as
 * `… simplified:field`. n8n does not store a value that is the default, and takes it from the node whenever it opens
 * a workflow: defaults, and what a parameter demands, belong to the names, as `… parameter:default=value` and
 * `… parameter:required`.
 */

const mostListed = 100;

const isNothing = (value) =>
	value === undefined || value === '' || isEqual(value, {}) || isEqual(value, []);

function* factsOf({ default: preset, required, typeOptions = {} }, name) {
	if (!isNothing(preset)) yield `${name}:default=${JSON.stringify(preset)}`;
	if (required) yield `${name}:required`;
	for (const option of ['minValue', 'maxValue', 'password', 'multipleValues'])
		if (typeOptions[option] !== undefined) yield `${name}:${option}=${typeOptions[option]}`;
}

function* namesOf(properties, above) {
	for (const property of properties) {
		if (property.type === 'notice') continue;
		const name = above ? `${above}.${property.name}` : property.name;
		yield name;
		yield* factsOf(property, name);
		if (property.type === 'options' || property.type === 'multiOptions') {
			const choices = property.options ?? [];
			// All countries of the world need not be told for every operation.
			if (choices.length > mostListed) yield `${name}=more than ${mostListed} choices`;
			else for (const { value } of choices) yield `${name}=${value}`;
		}
		if (property.type === 'collection') yield* namesOf(property.options ?? [], name);
		if (property.type === 'fixedCollection')
			for (const group of property.options ?? [])
				yield* namesOf(group.values ?? [], `${name}.${group.name}`);
	}
}

const simplifiedFields = (operation) =>
	(operation?.simplify ?? []).map((path) => `simplified:${path.replaceAll('.', '_')}`);

const sorted = (names) => [...new Set(names)].sort();

/**
 * @param {import('../operations.cjs').NodeEntry[]} nodes
 * @returns {Record<string, any>} node → resource → operation → parameters; for a trigger, node → parameters
 */
export const publicNames = (nodes) =>
	Object.fromEntries(
		nodes.map((node) => [
			node.name,
			node.resources.length === 0
				? sorted(namesOf(node.description.properties))
				: Object.fromEntries(
						node.resources.map((resource) => [
							resource.value,
							Object.fromEntries(
								[...resource.operations, resource.apiRequest ?? []]
									.flat()
									.map(({ value, operation, parameters }) => [
										value,
										sorted([...namesOf(parameters), ...simplifiedFields(operation)]),
									]),
							),
						]),
					),
		]),
	);

/** Every name of a tree as one line. */
export function flatten(tree, above = []) {
	if (Array.isArray(tree))
		return [above.join(' '), ...tree.map((name) => [...above, name].join(' '))];
	return [
		...(above.length ? [above.join(' ')] : []),
		...Object.entries(tree).flatMap(([name, inside]) => flatten(inside, [...above, name])),
	];
}

/** Names that were there and no longer are. */
export function vanished(before, now) {
	const present = new Set(flatten(now));
	return flatten(before).filter((name) => !present.has(name));
}
