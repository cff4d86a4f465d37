/** How much a person sees of an operation before adding anything: few fields, the others are one click away. */
import assert, { assertNone } from '../asserted.mjs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { nodes, operationsOf } from '../../tools/operations.cjs';

const require = createRequire(import.meta.url);
const { NodeHelpers } = require('n8n-workflow');

const most = 5;
/** Fields of which one is filled in: whom a task or a request is about. */
const alternatives = { 'acpOutreach.task.create': 6, 'acpScheduling.appointmentRequest.create': 6 };
/** What is not a value of the request: the choice of the operation, groups of optional fields, and what n8n adds. */
const beside = ['resource', 'operation', 'simplify'];
const closed = ['notice', 'collection'];

const shownOf = ({ node: { description }, resource, value }) => {
	const at = { typeVersion: 1 };
	const chosen = { resource: resource.value, operation: value };
	const { properties } = description;
	const values = NodeHelpers.getNodeParameters(properties, chosen, true, false, at, description);
	return properties
		.filter(
			(property) =>
				!closed.includes(property.type) &&
				!beside.includes(property.name) &&
				NodeHelpers.displayParameter({ ...values, ...chosen }, property, at, description),
		)
		.map(({ name }) => name);
};

test('an operation shows at most five fields by default', () => {
	const operations = operationsOf(nodes());
	assert.ok(operations.length > 100);
	const counts = operations.map((one) => ({
		name: `${one.node.name}.${one.resource.value}.${one.value}`,
		shown: shownOf(one),
	}));
	assert.ok(counts.some(({ shown }) => shown.length > 2));
	assertNone(counts.filter(({ name, shown }) => shown.length > (alternatives[name] ?? most)));
});
