/** What the canvas shows under the name of a node. */
import assert from '../asserted.mjs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { nodes as built } from './nodes.mjs';

const { Workflow } = createRequire(import.meta.url)('n8n-workflow');

/** As n8n's editor evaluates it. */
function subtitleOf(node, parameters) {
	const { description } = built().find((one) => one.className === node.className);
	const step = {
		...{ id: '1', name: 'Step', type: description.name, typeVersion: 1, position: [0, 0] },
		parameters,
	};
	const types = { getByName: () => undefined, getByNameAndVersion: () => ({ description }) };
	const workflow = new Workflow({
		nodes: [step],
		connections: {},
		active: false,
		nodeTypes: types,
	});
	return workflow.expression.getSimpleParameterValue(step, description.subtitle, 'internal', {});
}
const shown = ({ node, resource, value }) =>
	subtitleOf(node, { resource: resource.value, operation: value });
const find = (resource, value) =>
	operationsOf(nodes()).find((one) => one.resource.value === resource && one.value === value);

describe('the subtitle of a node', () => {
	test('says what it does in words', () => {
		assert.equal(shown(find('listing', 'createFromItems')), 'create from items: listing');
		assert.equal(shown(find('call', 'startAndWait')), 'start and wait: call');
		assert.equal(shown(find('contact', 'upsert')), 'create or update: contact');
		assert.equal(shown(find('callAction', 'hangup')), 'hang up: live call');
		assert.equal(shown(find('whatsapp', 'sendTemplate')), 'send template: WhatsApp');
	});

	test('has the words of the lists for every operation', () => {
		const operations = operationsOf(nodes());
		assert.ok(operations.length > 200);

		const others = operations.filter(
			(one) =>
				shown(one).toLowerCase() !== `${one.operation.name}: ${one.resource.label}`.toLowerCase(),
		);
		// One word with two labels in its node: the subtitle keeps the word.
		assert.deepEqual(others.map(shown), ['update: evaluation setting']);
	});

	test('stays words for an operation that n8n adds', () => {
		const { node } = find('call', 'start');
		assert.equal(
			subtitleOf(node, { resource: 'call', operation: '__CUSTOM_API_CALL__' }),
			'__custom_api_call__: call',
		);
	});
});
