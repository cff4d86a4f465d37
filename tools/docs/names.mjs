/**
 * Public names: what workflows store. Nodes, resources, operations and parameters, as `node
 * resource.operation parameter`.
 */

function* namesOf(properties, above) {
	for (const property of properties) {
		if (property.type === 'notice') continue;
		const name = above ? `${above}.${property.name}` : property.name;
		yield name;
		if (property.type === 'collection') yield* namesOf(property.options ?? [], name);
		if (property.type === 'fixedCollection')
			for (const group of property.options ?? [])
				yield* namesOf(group.values ?? [], `${name}.${group.name}`);
	}
}

const sorted = (names) => [...new Set(names)].sort();

/**
 * @param {import('../catalog.cjs').NodeEntry[]} nodes
 * @param {(description: any, resource: string, operation: string) => any[]} parametersOf
 * @returns {Record<string, any>} node → resource → operation → parameters; for a trigger, node → parameters
 */
export const publicNames = (nodes, parametersOf) =>
	Object.fromEntries(
		nodes.map((node) => [
			node.name,
			node.resources.length === 0
				? sorted(namesOf(node.description.properties))
				: Object.fromEntries(
						node.resources.map((resource) => [
							resource.value,
							Object.fromEntries(
								[...resource.operations.map(({ value }) => value), 'apiRequest'].map((value) => [
									value,
									sorted(namesOf(parametersOf(node.description, resource.value, value))),
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
