/** Output previews: what n8n shows of an operation's output before it has run. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadOutputSchema } from 'n8n-core';

const { nodes, operationsOf, repository } = createRequire(import.meta.url)(
	'../../tools/catalog.cjs',
);
const operations = operationsOf(nodes());
/** As n8n reads it when a person looks at a node that has not run. */
const preview = ({ node, resource, value }) =>
	loadOutputSchema({
		nodeDir: join(repository, 'dist', 'nodes', node.className),
		version: 1,
		resource: resource.value,
		operation: value,
	});
const find = (node, resource, value) =>
	operations.find(
		(entry) =>
			entry.node.name === node && entry.resource.value === resource && entry.value === value,
	);
const keys = (...place) => Object.keys(preview(find(...place)).properties);

test('n8n finds a preview of most operations, each of at least one field', () => {
	const found = operations.map(preview).filter(Boolean);
	assert.ok(found.length > operations.length / 2, `${found.length} of ${operations.length}`);
	for (const { type, properties } of found) {
		assert.equal(type, 'object');
		assert.ok(Object.keys(properties).length > 0);
	}
});

test('a preview shows what the engine makes of the answer', () => {
	assert.deepEqual(keys('acpTables', 'record', 'delete'), ['deleted', 'uuid']);
	assert.ok(
		keys('acpBuilders', 'buildConversation', 'waitUntilReady').includes('builder_preview_url'),
	);
	assert.ok(keys('acpBuilders', 'buildConversation', 'waitUntilReady').includes('timedOut'));
	assert.ok(keys('acpTables', 'table', 'getFields').includes('data_type'));
	assert.equal(
		preview(find('acpTables', 'table', 'get')).properties.columns.items.properties.name.type,
		'string',
	);
});

test('where the answer is not known there is no preview', () => {
	for (const place of [
		['acpQuality', 'evaluation', 'getAnalytics'],
		['acpTables', 'record', 'getAll'],
		['acpFlows', 'flow', 'getAll'],
		['acpBuilders', 'builder', 'getLogs'],
	]) {
		assert.equal(preview(find(...place)), undefined, place.join('.'));
	}
});

test('Simplify keeps only fields that the contract knows, or that the engine adds', () => {
	const added = ['created', 'timedOut'];
	const simplified = operations.filter((one) => one.operation.simplify && preview(one));
	assert.ok(simplified.length > 10);
	for (const entry of simplified) {
		const known = preview(entry).properties;
		// The platform's own "error" has another name in the output (nodes/engine/output/items.ts).
		const unknown = entry.operation.simplify.filter(
			(path) =>
				!((path === 'error' ? 'errorDetail' : path.replace(/\./g, '_')) in known) &&
				!added.includes(path),
		);
		assert.deepEqual(unknown, [], `${entry.node.name} ${entry.resource.value} ${entry.value}`);
	}
});
