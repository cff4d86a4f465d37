/**
 * The contract as a strict judge of requests and answers, independent of the compiler and of the sandbox.
 * CommonJS, so that Jest can load it too.
 */
const Ajv2019 = require('ajv/dist/2019').default;
const addFormats = require('ajv-formats').default ?? require('ajv-formats');
const { contract } = require('./catalog.cjs');

/**
 * Closes a schema: fields that it does not name are refused unless it says that it is open.
 * @param whole false for a part of an allOf, which sees only some of the fields
 */
function closed(schema, whole = true) {
	if (schema === null || typeof schema !== 'object') return schema;
	if (schema.$ref) return { $ref: `${whole ? 'closed' : 'part'}.json${schema.$ref}` };
	const result = { ...schema };
	for (const key of ['allOf', 'anyOf', 'oneOf'])
		if (schema[key]) result[key] = schema[key].map((part) => closed(part, false));
	if (schema.items) result.items = closed(schema.items);
	if (schema.properties)
		result.properties = Object.fromEntries(
			Object.entries(schema.properties).map(([name, property]) => [name, closed(property)]),
		);
	if (typeof schema.additionalProperties === 'object')
		result.additionalProperties = closed(schema.additionalProperties);
	const names = schema.properties ?? schema.allOf ?? schema.anyOf ?? schema.oneOf;
	if (whole && names && schema.additionalProperties === undefined)
		result.unevaluatedProperties = false;
	return result;
}

/** The schema as it is, with references that lead into the contract as it is: answers may hold more than is known. */
const open = (schema) =>
	Array.isArray(schema)
		? schema.map(open)
		: schema !== null && typeof schema === 'object'
			? Object.fromEntries(
					Object.entries(schema).map(([key, value]) => [
						key,
						key === '$ref' ? `open.json${value}` : open(value),
					]),
				)
			: schema;

/** Every question throws for a key that is not in the contract. */
function judge() {
	const { document, endpoints } = contract();
	const byKey = new Map(endpoints.map((endpoint) => [endpoint.key, endpoint]));
	const verdicts = new Map();
	const options = { strict: false, allErrors: true, validateSchema: false };
	const [ajv, coercing] = [new Ajv2019(options), new Ajv2019({ ...options, coerceTypes: 'array' })];
	const schemas = (turn) => ({
		components: {
			schemas: Object.fromEntries(
				Object.entries(document.components.schemas).map(([name, schema]) => [name, turn(schema)]),
			),
		},
	});
	for (const one of [ajv, coercing]) {
		addFormats(one);
		one.addFormat('binary', true);
		one.addSchema(
			schemas((schema) => closed(schema)),
			'closed.json',
		);
		one.addSchema(
			schemas((schema) => closed(schema, false)),
			'part.json',
		);
		one.addSchema(schemas(open), 'open.json');
	}

	const endpointOf = (key) => {
		if (!byKey.has(key)) throw new Error(`${key} is not in the contract`);
		return byKey.get(key);
	};
	const resolve = (part) =>
		part?.$ref
			? part.$ref
					.slice(2)
					.split('/')
					.reduce((found, name) => found[name], document)
			: part;

	function errors(name, schema, value, by = ajv) {
		if (!verdicts.has(name)) verdicts.set(name, by.compile(schema()));
		const verdict = verdicts.get(name);
		return verdict(value) ? [] : verdict.errors;
	}
	const said = (name, found) =>
		found.map(
			({ instancePath, message, params }) =>
				`${name}${instancePath} ${message} ${JSON.stringify(params)}`,
		);
	const judged = (name, ...rest) => said(name, errors(name, ...rest));

	const parametersOf = (key, place) => {
		const { path, contract: operation } = endpointOf(key);
		return [...(document.paths[path].parameters ?? []), ...(operation.parameters ?? [])]
			.map(resolve)
			.filter((parameter) => parameter.in === place);
	};
	/** The contract says so where it does not know all query parameters. */
	const openQuery = (key) => endpointOf(key).open.some((text) => /\bquery\b/.test(text));
	const objectOf = (parameters, additionalProperties) => ({
		type: 'object',
		additionalProperties,
		properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, closed(schema)])),
		required: parameters.filter(({ required }) => required).map(({ name }) => name),
	});
	const bodyOf = (key) => {
		const request = resolve(endpointOf(key).contract.requestBody);
		return {
			request,
			schema: (request?.content['application/json'] ?? request?.content['multipart/form-data'])
				?.schema,
		};
	};

	/**
	 * What is wrong with a request, by the contract alone; empty when nothing is. Unknown fields are wrong unless it says
	 * that there may be more.
	 * @param {string} key `METHOD /path`
	 * @param {{path: string, query?: Record<string, unknown>, body?: unknown}} request `path` is below `/api/v1`; a query
	 *   may be text, as it is on its way
	 * @returns {string[]}
	 */
	function requestFaults(key, { path: asked, query, body }) {
		const { path } = endpointOf(key);
		const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		const values = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(asked);
		if (!values) return [`${asked} is not ${path}`];
		const inPath = Object.fromEntries(
			names.map((name, index) => [name, decodeURIComponent(values[index + 1])]),
		);
		const faults = [
			...judged(`${key} path`, () => objectOf(parametersOf(key, 'path'), false), inPath),
			...judged(
				`${key} query`,
				() => objectOf(parametersOf(key, 'query'), openQuery(key)),
				{ ...query },
				coercing,
			),
		];
		const { request, schema } = bodyOf(key);
		const nothing =
			body === undefined ||
			body === null ||
			(typeof body === 'object' && Object.keys(body).length === 0);
		if (!schema)
			return nothing
				? faults
				: [...faults, `${key} has a body, but the contract knows none: ${JSON.stringify(body)}`];
		if (nothing && !request.required) return faults;
		return [...faults, ...judged(`${key} body`, () => closed(schema), body ?? {})];
	}

	/** Whether the contract has a body for the endpoint. */
	const takesBody = (key) => bodyOf(key).schema !== undefined;

	/** Whether a request may hold fields that the contract does not name. */
	const takesFurtherFields = (key) => {
		const { schema } = bodyOf(key);
		return (
			schema !== undefined &&
			judged(`${key} body`, () => closed(schema), { further: 1 }).every(
				(fault) => !/"further"/.test(fault),
			)
		);
	};

	/** Follows references and joins allOf parts: only to find properties, never to judge. */
	function flat(schema) {
		const found = resolve(schema) ?? {};
		if (!found.allOf) return found;
		const parts = [...found.allOf.map(flat), { ...found, allOf: undefined }];
		return parts.reduce(
			(joined, part) => ({
				...joined,
				...part,
				properties: { ...joined.properties, ...part.properties },
			}),
			{},
		);
	}
	const answerSchema = (key) => {
		const { responses } = endpointOf(key).contract;
		const status = Object.keys(responses).find((name) => name.startsWith('2'));
		return resolve(responses[status]).content?.['application/json']?.schema ?? {};
	};

	/**
	 * Schema of what a node gives out: what stands under `data`, or the whole body where there
	 * is no envelope; of lists, a row.
	 */
	function recordSchema(key, list) {
		const whole = answerSchema(key);
		const data = flat(whole).properties?.data ?? whole;
		const isArray = flat(data).type === 'array';
		if (!list && !isArray) return data;
		const rows = isArray
			? data
			: (flat(data).properties?.items ?? flat(data).properties?.data ?? {});
		return flat(rows).items ?? {};
	}
	/** What is wrong with a record of an answer, or with a row of a list; it may hold more than is known. */
	const recordFaults = (key, record, list) =>
		judged(`${key} ${list ? 'row' : 'answer'}`, () => open(recordSchema(key, list)), record);

	/**
	 * How an answer departs from the contract: wrong values, fields that it does not know, a
	 * body without what it is about. `shown` says how a name is told that may
	 * be somebody's, and is told how deep it stands.
	 */
	function answerDifferences(key, body, shown = (name) => name) {
		const schema = answerSchema(key);
		const at = (path) =>
			path === ''
				? 'the answer'
				: path
						.slice(1)
						.split('/')
						.map((part, depth) => (/^\d+$/.test(part) ? part : shown(part, depth)))
						.join('.')
						.replace(/\.\d+(?=\.|$)/g, '[]');
		const departures = errors(`${key} whole`, () => closed(schema), body).map(
			({ instancePath, keyword, message, params }) => {
				const extra = params.unevaluatedProperty ?? params.additionalProperty;
				return extra !== undefined && /Properties$/.test(keyword)
					? `${at(instancePath)} has a field beyond the contract: ${shown(extra, instancePath.split('/').length - 1)}`
					: `${at(instancePath)} ${message}`;
			},
		);
		const missing =
			flat(schema).properties?.data !== undefined &&
			knowsAnswer(key) &&
			!(body !== null && typeof body === 'object' && 'data' in body)
				? ['data is missing']
				: [];
		return [...new Set([...missing, ...departures])];
	}

	/** Whether the contract knows what an answer holds. */
	const knowsAnswer = (key) => {
		const schema = flat(answerSchema(key));
		const data = flat(schema.properties?.data ?? schema);
		return Boolean(data.properties ?? data.items);
	};

	return {
		endpoints,
		requestFaults,
		takesBody,
		takesFurtherFields,
		recordFaults,
		answerDifferences,
		knowsAnswer,
		parametersOf,
		flat,
	};
}

module.exports = { judge };
