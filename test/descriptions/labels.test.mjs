/**
 * A parameter is named after what it is: the API's field, in camelCase, or its own label. Workflows store the name,
 * people see the label, and models guess one from the other.
 */
import assert from '../asserted.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import lodash from 'lodash';
import { repository } from '../../tools/contract.cjs';
import built from '../../tools/operations.cjs';

const { camelCase } = lodash;
const require = createRequire(import.meta.url);
const { fieldsOf } = require(join(repository, 'dist/nodes/engine/operation/places.js'));

/** Names with another reason. */
const exceptions = {
	binaryPropertyName: 'n8n calls it so in all its nodes',
	query: "API Request's parts of a request, as HTTP calls them",
	paginate: "API Request's word for reading all pages",
	agents: "n8n's linter asks for the label 'Agent Names or IDs'",
	intentDescription: "the intent's own description",
};

/** With the name of a group before it, or without what is in brackets. */
const isLabel = (name, label) =>
	[label, label.replace(/ \(.*\)/, '')].some((text) =>
		name.toLowerCase().endsWith(camelCase(text.replaceAll("'", '')).toLowerCase()),
	);

/** Parameters that no field of the API stands behind. */
function ownParameters(parameters, operation) {
	const placed = operation ? fieldsOf(operation) : [];
	const inGroups = (one) =>
		one.type === 'collection' &&
		one.name !== 'options' &&
		!placed.some(({ name }) => name === one.name)
			? ownParameters(one.options, operation)
			: one.type === 'collection' && one.name === 'options'
				? one.options
				: [one];
	return parameters
		.filter(({ type, name }) => type !== 'notice' && !['resource', 'operation'].includes(name))
		.flatMap(inGroups)
		.filter((one) => !placed.some(({ name }) => name === one.name));
}

test('what is not a field of the API is named after its label', () => {
	const own = built
		.nodes()
		.flatMap((node) =>
			node.resources.length === 0
				? ownParameters(node.description.properties)
				: node.resources.flatMap((resource) =>
						[...resource.operations, resource.apiRequest ?? []]
							.flat()
							.flatMap(({ parameters, operation }) => ownParameters(parameters, operation)),
					),
		);
	assert.ok(own.length > 500, String(own.length));
	const wrong = own
		.filter(({ name, displayName }) => !exceptions[name] && !isLabel(name, displayName))
		.map(({ name, displayName }) => `${name}: ${displayName}`);
	assert.deepEqual([...new Set(wrong)], []);
});
