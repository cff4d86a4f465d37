/**
 * The contract (contract/openapi.yaml) as code reads it: its endpoints and areas, and every field of every endpoint with
 * the source that it is known from. CommonJS, so that Jest can load it too.
 */
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { load } = require('js-yaml');

const repository = dirname(__dirname);
const verbs = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * @typedef {object} Endpoint
 * @property {string} key `METHOD /path`, as operations name it; the path is below /api/v1
 * @property {string} method
 * @property {string} path
 * @property {string} area tag of the contract
 * @property {'seed' | 'reference' | 'workspace' | 'client' | 'catalogue' | 'inferred'} source
 * @property {string} [paging] layout of a list
 * @property {string[]} open what is not known
 * @property {string} [unconfirmed] what was guessed, what happens if it is wrong, and what to do then
 * @property {string} [leftOut] what becomes of fields that an update leaves out
 * @property {any} contract the operation object
 */

/** @returns {{document: any, endpoints: Endpoint[], areas: Array<{name: string, beyond: boolean}>}} */
function contract(file = join(repository, 'contract', 'openapi.yaml')) {
	const document = /** @type {any} */ (load(readFileSync(file, 'utf8')));
	const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
		verbs
			.filter((verb) => item[verb])
			.map((verb) => ({
				key: `${verb.toUpperCase()} ${path}`,
				method: verb.toUpperCase(),
				path,
				area: item[verb].tags[0],
				source: item[verb]['x-source'],
				unconfirmed: item[verb]['x-unconfirmed'],
				leftOut: item[verb]['x-left-out'],
				paging: item[verb]['x-paging'],
				open: item[verb]['x-open'] ?? [],
				contract: item[verb],
			})),
	);
	const areas = document.tags.map((/** @type {any} */ tag) => ({
		name: tag.name,
		beyond: tag['x-beyond-interface'] === true,
	}));
	return { document, endpoints, areas };
}

/** A part of the contract, or what it refers to. @param {any} document @param {any} part @returns {any} */
const resolve = (document, part) =>
	part?.$ref === undefined
		? part
		: resolve(
				document,
				part.$ref
					.slice('#/'.length)
					.split('/')
					.reduce((/** @type {any} */ found, /** @type {string} */ name) => found[name], document),
			);

/** A schema with its reference and its `allOf` in place: to look at its properties, never to judge by it. */
function flat(/** @type {any} */ document, /** @type {any} */ schema) {
	const { allOf = [], ...own } = resolve(document, schema) ?? {};
	const parts = [...allOf.map((/** @type {any} */ part) => flat(document, part)), own];
	if (parts.length === 1) return own;
	const properties = Object.assign({}, ...parts.map((part) => part.properties));
	const required = parts.flatMap((part) => part.required ?? []);
	return Object.assign({}, ...parts, { properties, required });
}

/** Whether an object takes no fields but those that it names. @param {any} document @param {any} schema @returns {boolean} */
function isClosed(document, schema) {
	const { additionalProperties, allOf = [] } = resolve(document, schema) ?? {};
	return (
		additionalProperties === false ||
		allOf.some((/** @type {any} */ part) => isClosed(document, part))
	);
}

/** Parameters of an endpoint, those of its path included. @param {any} document @param {any} endpoint @returns {any[]} */
const endpointParameters = (document, { path, contract: operation }) =>
	[...(document.paths[path].parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
		resolve(document, one),
	);

/** The response of an endpoint that has succeeded. @param {any} document @param {any} endpoint @returns {any} */
const successOf = (document, { contract: { responses } }) =>
	resolve(
		document,
		responses[Object.keys(responses).find((status) => status.startsWith('2')) ?? ''],
	);

/** What a fact may come from; the first that speaks wins. */
const sources = ['seed', 'reference', 'workspace', 'client', 'catalogue', 'inferred'];

const boundNames = [
	...['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
	'x-max-megabytes',
];

/** Endpoints whose request and answer the interface document shows (sections 4.1 to 4.3); the others it only names. */
const shownByInterface = new Set([
	'POST /agents',
	'GET /agents',
	'POST /agents/{uuid}/notes',
	'POST /agents/{uuid}/guidelines',
	'POST /agents/{uuid}/webhooks',
	'GET /agents/{uuid}/webhooks',
	'GET /agents/{uuid}/voice-advanced',
	'GET /agents/{uuid}/compliance',
	'GET /analytics/calls',
	'PUT /contacts/fields/{key}',
]);

/**
 * @typedef {object} ContractField
 * @property {string} endpoint `METHOD /path`
 * @property {'path' | 'query' | 'header' | 'body' | 'answer'} place
 * @property {string} name `a.b`; `[]` stands for each entry of a list, `*` for each value of a map
 * @property {string} [source] absent where nothing says where the field comes from
 * @property {boolean} marked the field itself, or a schema above it, says so; otherwise the endpoint does
 * @property {Array<{bound: string, value: any, source?: string}>} bounds as OpenAPI names them
 */

/**
 * Every field of every endpoint: parameters, body and successful answer.
 *
 * A field's source is the nearest `x-source` at it or above it in its schema. Without one, the endpoint's source speaks
 * for it, if that source shows fields: the interface document names many endpoints without showing what they take.
 * A bound has the source of its field, unless `x-bounds-source` beside it, or a schema that holds nothing but a value,
 * names another.
 * @returns {ContractField[]}
 */
function contractFields({ document, endpoints } = contract()) {
	/** @type {ContractField[]} */
	const fields = [];

	/** @param {any} schema @param {any} at @param {string[]} seen references on the way */
	function walk(schema, at, seen = []) {
		if (schema?.$ref !== undefined) {
			if (seen.includes(schema.$ref)) return;
			walk(resolve(document, schema), { ...at, shared: true }, [...seen, schema.$ref]);
			return;
		}
		if (schema === undefined) return;
		// Which of several values it is says nothing about the field.
		const choices = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
		const parts = [...(schema.allOf ?? []), ...choices];
		const inside = [
			...Object.entries(schema.properties ?? {}),
			...(schema.items ? [['[]', schema.items]] : []),
			...(typeof schema.additionalProperties === 'object'
				? [['*', schema.additionalProperties]]
				: []),
		];
		const value = parts.length === 0 && inside.length === 0;
		const mark = schema['x-source'];
		const ofField = value && at.shared ? undefined : mark;
		const source = ofField ?? at.source;
		const marked = at.marked || ofField !== undefined;
		const bounds = boundNames
			.filter((bound) => schema[bound] !== undefined)
			.map((bound) => ({
				bound,
				value: schema[bound],
				source: schema['x-bounds-source'] ?? mark ?? source,
			}));
		const { endpoint, place, path } = at;
		if ((value && path.length > 0) || bounds.length > 0)
			fields.push({ endpoint, place, name: path.join('.'), source, marked, bounds });
		for (const part of parts)
			walk(part, { ...at, source, marked, shared: at.shared || choices.includes(part) }, seen);
		for (const [key, below] of inside)
			walk(below, { ...at, path: [...path, key], source, marked, shared: false }, seen);
	}

	for (const endpoint of endpoints) {
		const { key, source: existence, contract: operation } = endpoint;
		const source = existence === 'seed' && !shownByInterface.has(key) ? undefined : existence;
		for (const { name, in: place, schema, 'x-source': mark } of endpointParameters(
			document,
			endpoint,
		))
			walk(schema, {
				endpoint: key,
				place,
				path: [name],
				// What stands in the path is shown with it.
				source: mark ?? (place === 'path' ? existence : source),
				marked: mark !== undefined,
			});
		const contents = {
			body: resolve(document, operation.requestBody),
			answer: successOf(document, endpoint),
		};
		for (const [place, { content = {} } = {}] of Object.entries(contents))
			for (const { schema } of /** @type {any[]} */ (Object.values(content)))
				walk(schema, { endpoint: key, place, path: [], source, marked: false });
	}
	return fields;
}

module.exports = {
	boundNames,
	contract,
	contractFields,
	flat,
	isClosed,
	endpointParameters,
	repository,
	resolve,
	shownByInterface,
	sources,
	successOf,
};
