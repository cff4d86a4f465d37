/**
 * Where each fact of the contract comes from: every field with its source, every bound with its own, and the limits of
 * the whole platform. CommonJS, so that Jest can load it too.
 *
 * A field's source is the nearest `x-source` at it or above it in its schema. Without one, the endpoint's source speaks
 * for it, if that source shows fields: the interface document names many endpoints without showing what they take.
 * A bound has the source of its field, unless `x-bounds-source` beside it, or a schema that holds nothing but a value,
 * names another.
 */
const { contract } = require('./catalog.cjs');

/** What a fact may come from; the first that speaks wins. */
const sources = ['seed', 'reference', 'workspace', 'client', 'catalogue', 'inferred'];

const boundNames = [
	'minimum',
	'maximum',
	'minLength',
	'maxLength',
	'pattern',
	'minItems',
	'maxItems',
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

/** The source that speaks for the fields of an endpoint that say nothing themselves. */
const sourceOfFields = ({ key, source }) =>
	source === 'seed' && !shownByInterface.has(key) ? undefined : source;

/**
 * @typedef {object} ContractField
 * @property {string} endpoint `METHOD /path`
 * @property {'path' | 'query' | 'header' | 'body' | 'answer'} place
 * @property {string} name `a.b`; `[]` stands for each entry of a list, `*` for each value of a map
 * @property {string} [source] absent where nothing says where the field comes from
 * @property {boolean} marked the field itself, or a schema above it, says so; otherwise the endpoint does
 * @property {Array<{bound: string, value: any, source?: string}>} bounds as OpenAPI names them
 */

/** Every field of every endpoint: parameters, body and successful answer. @returns {ContractField[]} */
function contractFields({ document, endpoints } = contract()) {
	const fields = [];
	const target = ($ref) =>
		$ref
			.slice('#/'.length)
			.split('/')
			.reduce((part, name) => part[name], document);
	const resolved = (one) => (one?.$ref === undefined ? one : resolved(target(one.$ref)));

	function walk(schema, at, seen = []) {
		if (schema?.$ref !== undefined) {
			if (seen.includes(schema.$ref)) return;
			walk(target(schema.$ref), { ...at, shared: true }, [...seen, schema.$ref]);
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
		const { key, path, source: existence, contract: operation } = endpoint;
		const source = sourceOfFields(endpoint);
		const parameters = [
			...(document.paths[path].parameters ?? []),
			...(operation.parameters ?? []),
		];
		for (const { name, in: place, schema, 'x-source': mark } of parameters.map(resolved))
			walk(schema, {
				endpoint: key,
				place,
				path: [name],
				// What stands in the path is shown with it.
				source: mark ?? (place === 'path' ? existence : source),
				marked: mark !== undefined,
			});
		for (const { schema } of Object.values(resolved(operation.requestBody)?.content ?? {}))
			walk(schema, { endpoint: key, place: 'body', path: [], source, marked: false });
		for (const [status, response] of Object.entries(operation.responses)) {
			if (!status.startsWith('2')) continue;
			for (const { schema } of Object.values(resolved(response).content ?? {}))
				walk(schema, { endpoint: key, place: 'answer', path: [], source, marked: false });
		}
	}
	return fields;
}

module.exports = { boundNames, contractFields, shownByInterface, sources };
