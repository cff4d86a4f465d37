/** Output previews: what n8n shows of an operation's output before it has run. */
import assert, { assertNone } from '../asserted.mjs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadOutputSchema } from 'n8n-core';
import { repository } from '../../tools/contract.cjs';
import { jsonOf, contentOf } from '../../tools/files.mjs';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { parameters } from './nodes.mjs';

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
	const added = ['answered', 'created', 'timedOut'];
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
		assertNone(unknown, `${entry.node.name} ${entry.resource.value} ${entry.value}`);
	}
});

const triggers = nodes().filter(({ description }) => description.group.includes('trigger'));
const previewOf = ({ className, description }) =>
	loadOutputSchema({
		nodeDir: join(repository, 'dist', 'nodes', className),
		version: description.version,
	});
const triggerPreview = () => previewOf(triggers.find(({ name }) => name === 'acpTrigger'));
const page = () => contentOf('docs', 'nodes', 'acpTrigger.md');
const examples = readdirSync(join(repository, 'examples')).filter((name) => name.endsWith('.json'));
const example = (name) => jsonOf('examples', name);

/** Paths of the values in an event's data. */
const pathsOf = (value, path = []) =>
	value !== null && typeof value === 'object'
		? Object.entries(value).flatMap(([name, inside]) => pathsOf(inside, [...path, name]))
		: [path.join('.')];

/** Names that the trigger's page marks as read by another client. */
const sourced = () =>
	page()
		.split('\n')
		.filter((line) => line.startsWith('|') && line.includes('**read by another client**'))
		.flatMap((line) => [...line.split('|')[1].matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name));

// n8n's editor shows none for triggers (2.41.1: "Trigger nodes do not have schema previews"); its assistant reads them.
test('n8n finds a preview of each trigger in its default version, and none is left for another', () => {
	assert.equal(triggers.length, 2);
	for (const trigger of triggers) {
		assert.equal(previewOf(trigger)?.type, 'object', trigger.name);
		assert.deepEqual(readdirSync(join(repository, 'nodes', trigger.className, '__schema__')), [
			`v${trigger.description.version}.0.json`,
		]);
	}
});

/** Sample outputs of a trigger in an example. */
const pinnedOf = ({ nodes, pinData }, trigger) =>
	nodes
		.filter(({ type }) => type.endsWith(`.${trigger}`))
		.flatMap(({ name }) => pinData[name] ?? []);

test('the pinned requests of intents have the fields of the preview', () => {
	const { properties } = jsonOf('nodes/AcpIntentTrigger/__schema__/v1.1.0.json');
	const pinned = examples.map(example).flatMap((one) => pinnedOf(one, 'acpIntentTrigger'));
	assert.ok(pinned.length > 2);
	for (const { json } of pinned) {
		assert.deepEqual(Object.keys(json), Object.keys(properties));
		assert.deepEqual(Object.keys(json.contact), Object.keys(properties.contact.properties));
		assert.deepEqual(json.parameters, json.body.parameters);
	}
});

test('an event’s names in the preview, the sample output and the examples have a source', () => {
	const [sample] = JSON.parse(page().match(/## Sample output[\s\S]*?```json\n([\s\S]*?)```/)[1]);
	const names = sourced();
	assert.ok(names.length > 15, names.join(' '));
	assertNone(pathsOf(sample.data).filter((path) => !names.includes(path)));

	const { data, ...others } = triggerPreview().properties;
	assert.deepEqual(
		Object.keys(data.properties),
		Object.keys(sample.data),
		'preview and sample output show the same fields',
	);
	assert.deepEqual(Object.keys({ ...others, data }).sort(), Object.keys(sample).sort());
	assert.deepEqual(Object.keys(data.properties.contact_info.properties), ['phone_number']);

	const all = examples.map(example);
	const pinned = all.flatMap((one) => pinnedOf(one, 'acpTrigger'));
	assert.ok(pinned.length > 1);
	for (const { json } of pinned)
		assert.deepEqual(pathsOf(json), pathsOf(sample), 'pinned with the fields that the page has');

	const used = all.flatMap(({ nodes: steps }) =>
		[...JSON.stringify(steps).matchAll(/json\.data\.([a-z_]+)/g)].map(([, name]) => name),
	);
	assert.ok(used.length > 4);
	assert.deepEqual([...new Set(used)], ['conversation_uuid'], 'the rest is read from the platform');
});

/** The dot-notation paths of a preview. */
const pathsWithin = (properties, above = '') =>
	Object.entries(properties ?? {}).flatMap(([name, schema]) => [
		`${above}${name}`,
		...pathsWithin(schema.properties, `${above}${name}.`),
	]);

test('what n8n must not show of an output is named by the node: listen URLs, tokens, and commands that hold one', () => {
	const secret = /(^|\.)(listen_url|token|service_token|ssh_command)$/;
	const shown = operations.flatMap((operation) =>
		pathsWithin(preview(operation)?.properties)
			.filter((path) => secret.test(path))
			.map((path) => ({ path, node: operation.node.name })),
	);
	assert.deepEqual([...new Set(shown.map(({ path }) => path))].sort(), [
		...['builder.service_token', 'listen_url', 'service_token', 'ssh_command', 'token'],
	]);
	for (const { path, node } of shown) {
		const { description } = nodes().find((one) => one.description.name === node);
		assert.ok(description.sensitiveOutputFields?.includes(path), `${node}: ${path}`);
	}
});

test('n8n’s types say of a required reference that it is optional: a hint says that it is required', () => {
	const actions = nodes().filter(({ description }) => !description.group.includes('trigger'));
	const references = actions.flatMap(({ description }) =>
		[...parameters(description.properties)].filter(
			({ property }) => property.type === 'resourceLocator' && property.required,
		),
	);
	assert.ok(references.length > 50, `${references.length} references`);
	const unsaid = references.filter(
		({ property }) => property.builderHint?.propertyHint !== 'Required',
	);
	assertNone(unsaid.map(({ path }) => path.join('.')));
});
