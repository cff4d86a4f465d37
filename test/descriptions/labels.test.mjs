/**
 * A parameter is named after what it is: the API's field, in camelCase, or its own label. Workflows store the name,
 * people see the label, and models guess one from the other.
 */
import assert, { assertNone } from '../asserted.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import lodash from 'lodash';
import { repository } from '../../tools/contract.cjs';
import { contentOf, jsonOf, tracked } from '../../tools/files.mjs';
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

/** What pages name beside labels of this package: n8n's own, the sandbox's, and what people make there. */
const others = `
	All Incoming Items, Always Output Data, Append or Update Row, Batching, Begin now, Columns to match on,
	Community nodes, Continue, Continue (using error output), Create credential, Credentials, Custom Properties,
	Decline all, Developer, Do not save, Done, ECONNREFUSED, ENOTFOUND, Edit Fields, Engagement, Error, Error
	details, Events to n8n, Everything as usual, Execute Once, Execute step, Execute workflow, Executions, Form,
	From Number, Give the day as a date like 2026-03-27, Google Sheets, Handover, ID, If, Ignore SSL Issues,
	Include Other Input Fields, Install, JQL, Label Names or IDs, Listings, Logs, Loop Over Items, More details, No
	Operation, Not done, Not shown, On Error, Orders, Pagination, Phones, Remove Items Processed in Previous
	Executions, Retry On Fail, Retry execution, Schedule Trigger, Settings, Split Out, Success, Summary, Switch,
	Tasks, The customer's side, Tool, Uninstall, Update, Upsert, Value to Dedupe On, Wait, is true`
	.split(',')
	.map((label) => label.replace(/\s+/g, ' ').trim());

/** Everything that is written in a description. */
const textsOf = (part) =>
	typeof part === 'string' ? [part] : lodash.flatMap(Object.values(part ?? {}), textsOf);

test('pages name labels that are there, so a label that changes is found wherever it is written', () => {
	const files = tracked();
	const examples = files
		.filter((file) => /^examples\/.+\.json$/.test(file))
		.map((file) => jsonOf(file));
	const { AcpApi } = require(join(repository, 'dist/credentials/AcpApi.credentials.js'));
	const described = [new AcpApi(), ...built.nodes().map(({ description }) => description)];
	const known = new Set([
		...others,
		...textsOf(described),
		...examples.flatMap(({ name, nodes }) => [
			name,
			name.split(':')[0],
			...nodes.map((node) => node.name),
		]),
	]);
	/** By hand, an example has nodes of others, whose labels are not known here. */
	const isOurs = (line) =>
		built.nodes().some(({ description }) => line.includes(`**: ${description.defaults.name}`));
	const byHand = 'docs/reference/examples-by-hand.md';
	const pages = files
		.filter((file) => /^(?:README|docs\/(?:guides\/|nodes\/)?[^/]+)\.md$/.test(file))
		.map((file) => [file, contentOf(file).split('<!-- generated')[0]]);
	pages.push([byHand, contentOf(byHand).split('\n').filter(isOurs).join('\n')]);
	const named = pages.flatMap(([file, text]) =>
		[...text.replace(/\s+/g, ' ').matchAll(/(?<![\w*])\*([A-Z][^*|…]{1,70})\*(?![\w*])/g)].map(
			([, label]) => ({ file, label }),
		),
	);
	assert.ok(named.length > 700, String(named.length));
	const partsOf = ({ label }) => (known.has(label) ? [label] : label.split(/: | [›→] /));
	const unknown = named.filter((one) => !partsOf(one).every((part) => known.has(part)));
	assertNone(unknown, 'write the new label there');
	assertNone(lodash.difference(others, named.flatMap(partsOf)));
});
