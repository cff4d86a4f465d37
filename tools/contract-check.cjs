/**
 * Checks requests and answers strictly against the contract, independent of the compiler and of the sandbox.
 * CommonJS, so that Jest can load it too.
 */
const Ajv2019 = require('ajv/dist/2019').default;
const addFormats = require('ajv-formats').default ?? require('ajv-formats');
const { contract, endpointParameters, flat, resolve, successOf } = require('./contract.cjs');

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
	JSON.parse(JSON.stringify(schema), (key, value) =>
		key === '$ref' && typeof value === 'string' ? `open.json${value}` : value,
	);

/** Every question throws for a key that is not in the contract. */
function contractCheck() {
	const { document, endpoints } = contract();
	const byKey = new Map(endpoints.map((endpoint) => [endpoint.key, endpoint]));
	const verdicts = new Map();
	const options = { strict: false, allErrors: true, validateSchema: false };
	const [ajv, coercing] = [new Ajv2019(options), new Ajv2019({ ...options, coerceTypes: 'array' })];
	const turns = {
		closed: (schema) => closed(schema),
		part: (schema) => closed(schema, false),
		open,
	};
	for (const one of [ajv, coercing]) {
		addFormats(one);
		one.addFormat('binary', true);
		for (const [name, turn] of Object.entries(turns)) {
			const schemas = Object.entries(document.components.schemas).map(([title, schema]) => [
				title,
				turn(schema),
			]);
			one.addSchema({ components: { schemas: Object.fromEntries(schemas) } }, `${name}.json`);
		}
	}

	const endpointOf = (key) => {
		if (!byKey.has(key)) throw new Error(`${key} is not in the contract`);
		return byKey.get(key);
	};
	function errors(name, schema, value, by = ajv) {
		if (!verdicts.has(name)) verdicts.set(name, by.compile(schema()));
		const verdict = verdicts.get(name);
		return verdict(value) ? [] : verdict.errors;
	}
	const faults = (name, ...rest) =>
		errors(name, ...rest).map(
			({ instancePath, message, params }) =>
				`${name}${instancePath} ${message} ${JSON.stringify(params)}`,
		);

	const parametersAt = (key, place) =>
		endpointParameters(document, endpointOf(key)).filter((parameter) => parameter.in === place);
	const objectOf = (parameters, additionalProperties) => ({
		type: 'object',
		additionalProperties,
		properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, closed(schema)])),
		required: parameters.filter(({ required }) => required).map(({ name }) => name),
	});
	const requestOf = (key) => {
		const request = resolve(document, endpointOf(key).contract.requestBody);
		const { 'application/json': json, 'multipart/form-data': form } = request?.content ?? {};
		return { required: request?.required, schema: (json ?? form)?.schema };
	};
	const bodyFaults = (key, body) =>
		faults(`${key} body`, () => closed(requestOf(key).schema), body);

	/**
	 * What is wrong with a request, by the contract alone; empty when nothing is. Unknown fields are wrong unless it says
	 * that there may be more.
	 * @param {string} key `METHOD /path`
	 * @param {{path: string, query?: Record<string, unknown>, body?: unknown}} request `path` is below `/api/v1`; a query
	 *   may be text, as it is on its way
	 * @returns {string[]}
	 */
	function requestFaults(key, { path: asked, query, body }) {
		const { path, open: unknown } = endpointOf(key);
		const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		const values = new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(asked);
		if (!values) return [`${asked} is not ${path}`];
		const inPath = names.map((name, index) => [name, decodeURIComponent(values[index + 1])]);
		// The contract says so where it does not know all query parameters.
		const openQuery = unknown.some((text) => /\bquery\b/.test(text));
		const found = [
			...faults(
				`${key} path`,
				() => objectOf(parametersAt(key, 'path'), false),
				Object.fromEntries(inPath),
			),
			...faults(
				`${key} query`,
				() => objectOf(parametersAt(key, 'query'), openQuery),
				{ ...query },
				coercing,
			),
		];
		const { required, schema } = requestOf(key);
		const nothing = typeof (body ?? {}) === 'object' && Object.keys(body ?? {}).length === 0;
		if (nothing && !(schema && required)) return found;
		return schema
			? [...found, ...bodyFaults(key, body ?? {})]
			: [...found, `${key} has a body, but the contract knows none: ${JSON.stringify(body)}`];
	}

	/** Whether the contract has a body for the endpoint. */
	const takesBody = (key) => requestOf(key).schema !== undefined;

	/** Whether a request may hold fields that the contract does not name. */
	const takesFurtherFields = (key) =>
		takesBody(key) && bodyFaults(key, { further: 1 }).every((fault) => !/"further"/.test(fault));

	const answerSchema = (key) =>
		successOf(document, endpointOf(key)).content?.['application/json']?.schema ?? {};
	/** What an answer is about: what stands under `data`, or the whole body where there is no envelope. */
	const dataSchema = (key) => {
		const whole = answerSchema(key);
		return flat(document, whole).properties?.data ?? whole;
	};

	/** What is wrong with a record of an answer, or with a row of a list; it may hold more than is known. */
	function recordFaults(key, record, list) {
		const data = dataSchema(key);
		const { type, properties } = flat(document, data);
		const rows = type === 'array' ? data : (properties?.items ?? properties?.data ?? {});
		const schema = list || type === 'array' ? (flat(document, rows).items ?? {}) : data;
		return faults(`${key} ${list ? 'row' : 'answer'}`, () => open(schema), record);
	}

	/** Whether the contract knows what an answer holds. */
	const knowsAnswer = (key) => {
		const { properties, items } = flat(document, dataSchema(key));
		return Boolean(properties ?? items);
	};

	/**
	 * How an answer departs from the contract: wrong values, fields that it does not know, a body without what it is
	 * about. `shown` says how a name is told that may be somebody's, and is told how deep it stands.
	 */
	function answerDifferences(key, body, shown = (name) => name) {
		const schema = answerSchema(key);
		const at = (path) =>
			path
				.slice(1)
				.split('/')
				.map((part, depth) => (/^\d+$/.test(part) ? part : shown(part, depth)))
				.join('.')
				.replace(/\.\d+(?=\.|$)/g, '[]') || 'the answer';
		const departures = errors(`${key} whole`, () => closed(schema), body).map(
			({ instancePath, keyword, message, params }) => {
				const extra = params.unevaluatedProperty ?? params.additionalProperty;
				const what =
					extra !== undefined && /Properties$/.test(keyword)
						? `has a field beyond the contract: ${shown(extra, instancePath.split('/').length - 1)}`
						: message;
				return `${at(instancePath)} ${what}`;
			},
		);
		const enveloped = flat(document, schema).properties?.data !== undefined;
		const missing = !(body !== null && typeof body === 'object' && 'data' in body);
		return [
			...new Set([
				...(enveloped && missing && knowsAnswer(key) ? ['data is missing'] : []),
				...departures,
			]),
		];
	}

	return {
		endpoints,
		requestFaults,
		takesBody,
		takesFurtherFields,
		recordFaults,
		answerDifferences,
		knowsAnswer,
		parametersOf: parametersAt,
		flat: (schema) => flat(document, schema),
	};
}

module.exports = { contractCheck };
