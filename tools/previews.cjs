/**
 * What n8n shows of a node's output before it has run: one JSON schema per operation, made
 * from the contract's answer and
 * from what the engine does with it. Operations whose answer is not known have none.
 */
const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const catalog = require('./catalog.cjs');

/** Deeper than this nobody looks before the first run. */
const deepest = 5;

/**
 * A schema of the contract with its references and `allOf` in place.
 * @returns {any} undefined where nothing is known
 */
function resolved(document, schema) {
	if (schema?.$ref)
		return resolved(
			document,
			schema.$ref
				.slice(2)
				.split('/')
				.reduce((place, key) => place[key], document),
		);
	if (schema?.allOf) {
		const parts = schema.allOf.map((part) => resolved(document, part));
		return Object.assign({}, ...parts, {
			properties: Object.assign({}, ...parts.map((part) => part?.properties)),
		});
	}
	const choices = schema?.anyOf ?? schema?.oneOf;
	return choices ? resolved(document, choices[0]) : schema;
}

/**
 * @returns {{type: string, properties?: object, items?: object} | undefined} the schema as
 * n8n reads it, without what it does not show
 */
function plain(document, schema, depth = 0) {
	const known = resolved(document, schema);
	if (known === undefined || depth > deepest) return undefined;
	const type = known.type ?? (known.properties ? 'object' : known.enum ? 'string' : undefined);
	if (type === 'object') {
		const properties = Object.entries(known.properties ?? {}).flatMap(([name, property]) => {
			const inside = plain(document, property, depth + 1);
			return inside ? [[name, inside]] : [];
		});
		return { type, properties: Object.fromEntries(properties) };
	}
	if (type === 'array') {
		const items = plain(document, known.items, depth + 1);
		return { type, ...(items ? { items } : {}) };
	}
	return type && { type };
}

/** What an endpoint answers with, taken out of its envelope (nodes/engine/answer/answer.ts). */
function answerOf(document, endpoint) {
	const responses = endpoint.contract.responses;
	const response = resolved(
		document,
		Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1],
	);
	const body = resolved(document, response?.content?.['application/json']?.schema);
	return resolved(
		document,
		body?.properties && 'data' in body.properties ? body.properties.data : body,
	);
}

/** One row of a list, wherever the rows stand (nodes/engine/pages/pages.ts). */
function rowOf(document, schema, rows) {
	if (schema?.type === 'array') return resolved(document, schema.items);
	const names = [rows, 'items', 'data', ...Object.keys(schema?.properties ?? {})].filter(Boolean);
	const list = names
		.map((name) => resolved(document, schema?.properties?.[name]))
		.find((property) => property?.type === 'array');
	return resolved(document, list?.items);
}

const byTemplate = (path) => path.replace(/\{[^}]+\}/g, '{}');

/** The fields that Simplify keeps, under the names that it gives them. */
function simplified(schema, paths) {
	const properties = paths.flatMap((path) => {
		const found = path.split('.').reduce((place, key) => place?.properties?.[key], schema);
		return found ? [[path.replace(/\./g, '_'), found]] : [];
	});
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/**
 * @param {ReturnType<typeof catalog.contract>} contract
 * @param {any} operation as the engine runs it
 * @returns {any} JSON schema of one output item, or undefined where it is not known
 */
function previewOf({ document, endpoints }, operation) {
	if (operation.removes)
		return {
			type: 'object',
			properties: { deleted: { type: 'boolean' }, uuid: { type: 'string' } },
		};
	if (operation.outputFields)
		return {
			type: 'object',
			properties: Object.fromEntries(
				Object.entries(operation.outputFields).map(([name, type]) => [name, { type }]),
			),
		};
	if (operation.output) return undefined;
	const read = (key) => {
		const endpoint = endpoints.find(
			(one) => `${one.method} ${byTemplate(one.path)}` === byTemplate(key),
		);
		const answer = endpoint && answerOf(document, endpoint);
		return plain(
			document,
			operation.pages || answer?.type === 'array'
				? rowOf(document, answer, operation.pages?.rows)
				: answer,
		);
	};
	const first = read(operation.endpoint);
	const last = operation.wait ? read(`GET ${operation.wait.read.template}`) : undefined;
	const { reaches } = operation;
	const to = operation.kind === 'send' && !operation.wait && reaches;
	const whole = {
		type: 'object',
		properties: {
			...(to ? { [to.by === 'address' ? 'email' : 'phone_number']: { type: 'string' } } : {}),
			...first?.properties,
			...last?.properties,
			...(last ? { timedOut: { type: 'boolean' } } : {}),
			...(operation.recover.by === 'match' && !operation.recover.update
				? { created: { type: 'boolean' } }
				: {}),
		},
	};
	const shown = operation.simplify ? simplified(whole, operation.simplify) : whole;
	const { error, ...properties } = shown.properties;
	if (Object.keys(properties).length === 0) return undefined;
	return {
		type: 'object',
		properties: { ...properties, ...(error ? { errorDetail: error } : {}) },
	};
}

/** @returns {Array<{path: string, schema: object}>} previews of all operations, by their path below `nodes/` */
function previews() {
	const contract = catalog.contract();
	return catalog.operationsOf(catalog.nodes()).flatMap(({ node, resource, value, operation }) => {
		const schema = previewOf(contract, operation);
		return schema
			? [
					{
						path: join(node.className, '__schema__', 'v1.0.0', resource.value, `${value}.json`),
						schema: { ...schema, version: 1 },
					},
				]
			: [];
	});
}

/** Writes the previews beside the built nodes, where n8n looks for them. */
function writePreviews(folder = join(catalog.repository, 'dist', 'nodes')) {
	for (const { path, schema } of previews()) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), `${JSON.stringify(schema, null, '\t')}\n`);
	}
}

module.exports = { previewOf, previews, writePreviews };
