/**
 * What is known of each operation's output before it has run, made from the contract's answer and from what the engine
 * does with it: the JSON schema that n8n shows (`__schema__`), and the line that an AI reads which writes workflows.
 * Operations whose answer is not known have no schema, and the line says so, because a guessed name returns nothing and
 * looks like an empty answer. The build writes both.
 */
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { contract, flat, repository, resolve, successOf } = require('./contract.cjs');
const { nodes, operationsOf } = require('./operations.cjs');

/** Deeper than this nobody looks before the first run. */
const deepest = 5;

/** A schema of the contract; of several that are possible, the first. */
function looked(document, schema) {
	const { anyOf, oneOf } = resolve(document, schema) ?? {};
	const [first] = anyOf ?? oneOf ?? [];
	return first ? looked(document, first) : schema && flat(document, schema);
}

/** The schema as n8n reads it, without what it does not show; undefined where nothing is known. */
function plain(document, schema, depth = 0) {
	const known = looked(document, schema);
	if (known === undefined || depth > deepest) return undefined;
	const type = known.type ?? (known.properties ? 'object' : known.enum ? 'string' : undefined);
	if (type === 'object')
		return object(
			Object.entries(known.properties ?? {}).map(([name, property]) => [
				name,
				plain(document, property, depth + 1),
			]),
		);
	const items = type === 'array' ? plain(document, known.items, depth + 1) : undefined;
	const samples = known['x-samples'];
	const examples = known.enum ?? (samples && [...samples, '…']);
	return type && { type, ...(items && { items }), ...(examples && { examples }) };
}

/** A schema of the properties that are known. @param {Array<[name: string, schema: any]>} properties */
const object = (properties) => ({
	type: 'object',
	properties: Object.fromEntries(properties.filter(([, schema]) => schema)),
});

/** What an endpoint answers with, taken out of its envelope (nodes/engine/response/response.ts). */
function answerOf(document, endpoint) {
	const body = looked(
		document,
		successOf(document, endpoint)?.content?.['application/json']?.schema,
	);
	return looked(
		document,
		body?.properties && 'data' in body.properties ? body.properties.data : body,
	);
}

/** One row of a list, wherever the rows stand (nodes/engine/pages/pages.ts). */
function rowOf(document, schema, rows) {
	if (schema?.type === 'array') return looked(document, schema.items);
	const names = [rows, 'items', 'data', ...Object.keys(schema?.properties ?? {})].filter(Boolean);
	const list = names
		.map((name) => looked(document, schema?.properties?.[name]))
		.find((property) => property?.type === 'array');
	return looked(document, list?.items);
}

const byTemplate = (path) => path.replace(/\{[^}]+\}/g, '{}');

/** The fields that Simplify keeps, under the names that it gives them. */
const simplified = (schema, paths) =>
	object(
		paths.map((path) => [
			path.replace(/\./g, '_'),
			path.split('.').reduce((place, key) => place?.properties?.[key], schema),
		]),
	);

/**
 * @param {ReturnType<typeof contract>} known
 * @param {any} operation as the engine runs it
 * @returns {any} JSON schema of one output item, or undefined where it is not known
 */
function schemaOf({ document, endpoints }, operation) {
	const { removes, outputFields, output, pages, wait, reaches, recover, kind } = operation;
	// Built when this runs, not when it is loaded.
	const { reachesBy } = require(
		join(repository, 'dist', 'nodes', 'engine', 'operation', 'places.js'),
	);
	const typed = (fields) => object(Object.entries(fields).map(([name, type]) => [name, { type }]));
	if (removes) return typed({ deleted: 'boolean', uuid: 'string' });
	if (outputFields) return typed(outputFields);
	if (output) return undefined;
	const read = (key) => {
		const endpoint = endpoints.find(
			(one) => `${one.method} ${byTemplate(one.path)}` === byTemplate(key),
		);
		const answer = endpoint && answerOf(document, endpoint);
		const list = pages || answer?.type === 'array';
		return plain(document, list ? rowOf(document, answer, pages?.rows) : answer)?.properties;
	};
	const to = kind === 'send' && !wait && reaches;
	const whole = object(
		Object.entries({
			...(to && {
				[reachesBy(operation) === 'address' ? 'email' : 'phone_number']: { type: 'string' },
			}),
			...read(operation.endpoint),
			...Object.fromEntries(
				Object.entries(operation.implied?.told ?? {}).map(([name, told]) => [
					name,
					{ type: 'string', description: told },
				]),
			),
			...(wait && { ...read(`GET ${wait.read.template}`), timedOut: { type: 'boolean' } }),
			...(recover.by === 'match' && !recover.update && { created: { type: 'boolean' } }),
		}),
	);
	const shown = operation.simplify ? simplified(whole, operation.simplify) : whole;
	const { error, ...properties } = shown.properties;
	if (Object.keys(properties).length === 0) return undefined;
	return object(Object.entries({ ...properties, ...(error && { errorDetail: error }) }));
}

/** Longer than this nobody reads; what is inside objects goes first, the last object before the others. */
const longest = 270;
const unknown = 'unknown: run it once';

/** @param {any} schema @param {number} depth levels of objects that are written out */
function line({ type, properties = {}, items, examples, description }, depth) {
	if (description && depth > 0) return description;
	if (examples && depth > 0) return examples.join(' | ');
	if (type === 'array')
		return items ? `${line({ ...items, examples: undefined }, depth)}[]` : 'list';
	if (type !== 'object') return type;
	const entries = Object.entries(properties);
	if (entries.length === 0) return 'object';
	if (depth === 0) return '{…}';
	return fields(entries.map(([name, property]) => [name, line(property, depth - 1)]));
}

/** @param {Array<[name: string, inside: string]>} entries */
const fields = (entries) =>
	`{ ${entries.map(([name, inside]) => (inside === 'string' ? name : `${name}: ${inside}`)).join(', ')} }`;

/** A record with as much of what its fields hold as `longest` lets in. @param {any} schema */
function lineOf(schema) {
	const entries = Object.entries(schema.properties);
	if (entries.length === 0) return line(schema, 1);
	const written = entries.map(([name, property]) => [name, line(property, 0)]);
	for (const [index, [name, property]] of entries.entries())
		for (const depth of [2, 1]) {
			const fuller = written.with(index, [name, line(property, depth)]);
			if (fields(fuller).length > longest) continue;
			written[index] = fuller[index];
			break;
		}
	return fields(written);
}

/** What an operation makes of an answer that says nothing. */
function made({ output }) {
	if (!output) return undefined;
	const record = output(undefined, { pathValues: {}, body: {} });
	return object(
		Object.entries(record).map(([name, value]) => [
			name,
			{ type: value === undefined ? 'string' : typeof value },
		]),
	);
}

/** Writes both beside the built nodes, where n8n looks for schemas and the nodes read the lines. */
function writeOutputSchemas(folder = join(repository, 'dist', 'nodes')) {
	const known = contract();
	const all = nodes();
	const lines = Object.fromEntries(all.map(({ name }) => [name, {}]));
	// Those of operations that are gone; the triggers' own stand beside them.
	for (const { className } of all)
		rmSync(join(folder, className, '__schema__', 'v1.0.0'), { recursive: true, force: true });
	for (const { node, resource, value, subject, operation } of operationsOf(all)) {
		const schema = schemaOf(known, operation);
		const shown = schema ?? made(operation);
		lines[node.name][subject] = shown ? lineOf(shown) : unknown;
		if (!schema) continue;
		const place = [folder, node.className, '__schema__', 'v1.0.0', resource.value, `${value}.json`];
		mkdirSync(dirname(join(...place)), { recursive: true });
		writeFileSync(join(...place), `${JSON.stringify({ ...schema, version: 1 }, null, '\t')}\n`);
	}
	// Whether a list shows the same as one record is not known everywhere; the names are a first guess, and said to be.
	for (const known of Object.values(lines))
		for (const place of Object.keys(known).filter((one) => known[one] === unknown)) {
			const one = place.replace(/getAll$/, 'get');
			if (one !== place && (known[one] ?? unknown) !== unknown)
				known[place] = `unknown, perhaps as ${one}: run it once`;
		}
	for (const { name, resources } of all)
		for (const { value } of resources.filter(({ apiRequest }) => apiRequest))
			lines[name][`${value}.apiRequest`] = "the response's data.";
	writeFileSync(
		join(folder, 'engine', 'describe', 'outputs.js'),
		`"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.outputs = ${JSON.stringify(lines, null, '\t')};\n`,
	);
}

module.exports = { writeOutputSchemas };
