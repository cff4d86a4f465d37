import lodash from 'lodash';

const { groupBy, isEqual } = lodash;

/**
 * Public names: what saved workflows store. Nodes, resources, operations, parameters and what can be chosen in them, as
 * `node resource operation parameter` and `… parameter=value`; what holds several values, which are stored as a list, as
 * `… parameter:multipleValues`; the fields of simplified items, which expressions name, as `… simplified:field`; and
 * credentials with their fields. Bounds, and whether a value is required, are no names: workflows do not store them.
 *
 * Defaults stand in a list of their own. n8n stores a value only where it differs from the default, and takes the default
 * from the node whenever it opens a workflow: a new default changes what saved workflows do.
 */

const mostListed = 100;

/** Properties with those inside of them, each with its name. */
function* propertiesOf(properties, above) {
	for (const property of properties) {
		if (property.type === 'notice') continue;
		const name = above ? `${above}.${property.name}` : property.name;
		yield { name, property };
		if (property.type === 'collection') yield* propertiesOf(property.options ?? [], name);
		if (property.type === 'fixedCollection')
			for (const group of property.options ?? [])
				yield* propertiesOf(group.values ?? [], `${name}.${group.name}`);
	}
}

function* namesOf(properties) {
	for (const { name, property } of propertiesOf(properties)) {
		yield name;
		if (property.typeOptions?.multipleValues) yield `${name}:multipleValues`;
		if (property.type !== 'options' && property.type !== 'multiOptions') continue;
		const choices = property.options ?? [];
		// All countries of the world need not be told for every operation.
		if (choices.length > mostListed) yield `${name}=more than ${mostListed} choices`;
		else for (const { value } of choices) yield `${name}=${value}`;
	}
}

const isNothing = (value) =>
	value === undefined || value === '' || isEqual(value, {}) || isEqual(value, []);

function* defaultsIn(properties) {
	for (const { name, property } of propertiesOf(properties))
		if (!isNothing(property.default)) yield `${name}=${JSON.stringify(property.default)}`;
}

const simplifiedFields = (operation) =>
	(operation?.simplify ?? []).map((path) => `simplified:${path.replaceAll('.', '_')}`);

const sorted = (names) => [...new Set(names)].sort();

/** node → resource → operation → what `of` says; for a trigger, node → what it says of it. */
const treeOf = (nodes, of) =>
	Object.fromEntries(
		nodes.map(({ name, resources, description }) => [
			name,
			resources.length === 0
				? sorted(of(description.properties))
				: Object.fromEntries(
						resources.map((resource) => [
							resource.value,
							Object.fromEntries(
								[...resource.operations, resource.apiRequest ?? []]
									.flat()
									.map(({ value, operation, parameters }) => [
										value,
										sorted(of(parameters, operation)),
									]),
							),
						]),
					),
		]),
	);

const credentialTree = (credentials, of) =>
	Object.fromEntries(
		credentials.map(({ name, properties }) => [`credential ${name}`, sorted(of(properties))]),
	);

/**
 * @param {import('../operations.cjs').NodeEntry[]} nodes
 * @param {import('n8n-workflow').ICredentialType[]} credentials
 * @returns {Record<string, any>}
 */
export const publicNames = (nodes, credentials) => ({
	...treeOf(nodes, (parameters, operation) => [
		...namesOf(parameters),
		...simplifiedFields(operation),
	]),
	...credentialTree(credentials, namesOf),
});

/** Defaults as `parameter=value`, in the same tree. @type {typeof publicNames} */
export const defaultsOf = (nodes, credentials) => ({
	...treeOf(nodes, defaultsIn),
	...credentialTree(credentials, defaultsIn),
});

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

/**
 * Parameters that were there before, and whose default is another one now.
 * @param {{names: Record<string, any>, defaults: Record<string, any>}} before
 * @param {Record<string, any>} defaults
 * @returns {string[]} each in one line, with both values
 */
export function changedDefaults(before, defaults) {
	const [was, is] = [before.defaults, defaults].map((tree) =>
		groupBy(
			flatten(tree).filter((line) => line.includes('=')),
			(line) => line.slice(0, line.indexOf('=')),
		),
	);
	const values = (lines, name) =>
		lines[name]?.map((line) => line.slice(name.length + 1)).join(' or ') ?? 'nothing';
	return flatten(before.names)
		.filter((name) => values(was, name) !== values(is, name))
		.map((name) => `${name}: from ${values(was, name)} to ${values(is, name)}`);
}

/** What it means that defaults have changed, and what to do. @param {string[]} changed */
export const aboutDefaults = (changed) =>
	`Defaults have changed:
  ${changed.join('\n  ')}
n8n stores only values that differ from the default: saved workflows that left these alone now run with the new ones. To spare
them, give the node a new version, and the new default to that alone. If the change is meant, say so in CHANGELOG.md and run
npm run docs -- --new-defaults`;
