import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { ApiError, invalid } from './errors.mjs';
import { isRecord } from './shape.mjs';
import { instantFrom, isDateTime } from './zone.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const CONTRACT = 'contract.json';

/**
 * @typedef {object} Operation
 * @property {string} key method and path with nameless parameters, for example `POST /agents/{}/notes`
 * @property {string} method upper case
 * @property {string} path as in the contract
 * @property {RegExp} form of paths, with a group for each parameter
 * @property {string[]} names of the path parameters, in order
 * @property {object} contract the operation object of the contract
 * @property {boolean} sending counts against the sending endpoints' limit
 * @property {string | undefined} paging layout of a list
 * @property {boolean} openQuery the contract says that it does not know all query parameters
 * @property {number | undefined} status of the success answer, where it is known
 * @property {object} answer its schema, references unresolved
 */

/** The contract: finds the operation of a request, and checks requests and answers against it. */
export class Contract {
	#checks = new Map();

	/** @param {string | URL} file */
	static load(file) {
		return new Contract(load(readFileSync(file, 'utf8')));
	}

	/** @param {any} document OpenAPI 3.0 */
	constructor(document) {
		this.document = document;
		this.limits = document['x-limits'];
		const options = { strict: false, validateSchema: false, allErrors: false, logger: false };
		this.ajv = new Ajv(options);
		/** For what is created: fields that were not sent get the contract's defaults. */
		this.creatingAjv = new Ajv({ ...options, useDefaults: true });
		/** For queries and forms, where everything arrives as text. */
		this.textAjv = new Ajv({ ...options, coerceTypes: 'array', useDefaults: true });
		for (const ajv of [this.ajv, this.creatingAjv, this.textAjv]) {
			addFormats(ajv);
			ajv.addFormat('binary', true);
			ajv.addSchema(document, CONTRACT);
		}
		this.instantKeys = instantKeys(document);
		/** @type {Operation[]} in the order in which they are tried: a literal segment wins over a parameter */
		this.operations = Object.entries(document.paths)
			.sort(([a], [b]) => (a.replaceAll('{', '~') < b.replaceAll('{', '~') ? -1 : 1))
			.flatMap(([path, item]) =>
				METHODS.filter((method) => method in item).map((method) =>
					this.#operationOf(method.toUpperCase(), path, item[method]),
				),
			);
	}

	/** @returns {Operation} */
	#operationOf(method, path, contract) {
		const status = Object.keys(contract.responses).find((name) => name.startsWith('2'));
		const { content } = this.resolve(contract.responses[status]);
		return {
			key: `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`,
			method,
			path,
			form: new RegExp(`^${path.replace(/\{[^}]+\}/g, '([^/]+)')}$`),
			names: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
			contract,
			sending: contract['x-rate'] === 'send',
			paging: contract['x-paging'],
			openQuery: (contract['x-open'] ?? []).some((open) => /\bquery\b/.test(open)),
			status: status === '2XX' ? undefined : Number(status),
			answer: content['application/json'].schema,
		};
	}

	/** @param {string} key @returns {Operation} */
	operation(key) {
		return this.operations.find((one) => one.key === key);
	}

	/**
	 * @template T
	 * @param {T} object a part of the contract, perhaps a reference
	 * @returns {T} what the reference points to
	 */
	resolve(object) {
		let found = object;
		while (found?.$ref !== undefined) {
			found = found.$ref
				.slice(2)
				.split('/')
				.reduce(
					(part, name) => part[name.replaceAll('~1', '/').replaceAll('~0', '~')],
					this.document,
				);
		}
		return found;
	}

	/**
	 * @param {string} method upper case
	 * @param {string} path below /api/v1
	 * @returns {{operation: Operation, params: string[]} | undefined} params in the order of the path, decoded
	 */
	match(method, path) {
		const plain = `/${path.split('/').filter(Boolean).join('/')}`;
		const operation = this.operations.find((one) => one.method === method && one.form.test(plain));
		try {
			const [, ...params] = operation?.form.exec(plain) ?? [];
			return operation && { operation, params: params.map(decodeURIComponent) };
		} catch {
			return undefined;
		}
	}

	/** Compiles once per operation and part. */
	#check(operation, part, build) {
		const name = `${operation.key} ${part}`;
		if (!this.#checks.has(name)) this.#checks.set(name, build());
		return this.#checks.get(name);
	}

	/** The parameters of an operation that stand in one place, as the schema of an object. */
	#schemaOf(operation, place, additionalProperties) {
		const shared = this.document.paths[operation.path].parameters ?? [];
		const parameters = [...shared, ...(operation.contract.parameters ?? [])]
			.map((parameter) => this.resolve(parameter))
			.filter((parameter) => parameter.in === place);
		return {
			type: 'object',
			additionalProperties,
			properties: Object.fromEntries(
				parameters.map(({ name, schema }) => [name, absolute(schema)]),
			),
			required: parameters.filter(({ required }) => required).map(({ name }) => name),
		};
	}

	/**
	 * @param {Operation} operation
	 * @param {string[]} params
	 * @throws {ApiError} 422 INVALID_UUID and the like
	 */
	checkPath(operation, params) {
		if (operation.names.length === 0) return;
		const check = this.#check(operation, 'path', () =>
			this.ajv.compile(this.#schemaOf(operation, 'path', true)),
		);
		const named = Object.fromEntries(operation.names.map((name, index) => [name, params[index]]));
		if (!check(named)) throw refusal(check.errors[0], named);
	}

	/**
	 * @param {Operation} operation
	 * @param {URLSearchParams} search
	 * @param {import('luxon').IANAZone} zone in which datetimes without offset are read
	 * @returns {Record<string, any>} typed values, defaults filled in
	 * @throws {ApiError} 422, also for parameters that the contract does not have, unless it says that there may be more
	 */
	readQuery(operation, search, zone) {
		const check = this.#check(operation, 'query', () =>
			this.textAjv.compile(this.#schemaOf(operation, 'query', operation.openQuery)),
		);
		const query = {};
		for (const name of new Set(search.keys())) {
			if (name === 'timezone' && !('timezone' in check.schema.properties)) continue;
			const values = search.getAll(name).map((value) => this.#utc(value, zone));
			query[name] = values.length === 1 ? values[0] : values;
		}
		if (!check(query)) throw refusal(check.errors[0], query);
		return query;
	}

	/**
	 * The body with datetimes in UTC (interface §2.1 rule 3: converted before validation).
	 * @param {Operation} operation
	 * @param {{json?: any, files?: Map<string, {filename: string}>, mediaType: string}} received
	 * json undefined when there is no body
	 * @param {import('luxon').IANAZone} zone in which datetimes without offset are read
	 * @returns {any} the body; points in time are Instants, a file is its name
	 * @throws {ApiError} 422, 400 for another content type
	 */
	readBody(operation, { json, files, mediaType }, zone) {
		const request = this.resolve(operation.contract.requestBody);
		if (request === undefined) return json;
		if (json === undefined) {
			if (!request.required) return undefined;
			throw new ApiError(422, { message: 'The request has no body.' });
		}
		const content = request.content[mediaType];
		if (content === undefined) {
			const message = `The content type ${mediaType || '(none)'} is not accepted here.`;
			throw new ApiError(400, { message, details: Object.keys(request.content).join(', ') });
		}
		const names = [...(files ?? [])].map(([name, { filename }]) => [name, filename]);
		const sent = files ? { ...json, ...Object.fromEntries(names) } : json;
		const translated = this.#walkInstants(sent, (text) => this.#utc(text, zone));
		const forJson = operation.method === 'POST' ? this.creatingAjv : this.ajv;
		const check = this.#check(operation, `body ${mediaType}`, () =>
			(files ? this.textAjv : forJson).compile(absolute(content.schema)),
		);
		if (!check(translated)) throw refusal(check.errors[0], translated);
		const required = this.#check(operation, `required ${mediaType}`, () =>
			requiredOf(this.resolve(content.schema), this),
		);
		const empty = required.find((name) => translated[name] === '');
		if (empty !== undefined) throw invalid(empty, `The field ${empty} is required.`);
		return this.withInstants(translated, zone);
	}

	#utc(text, zone) {
		const instant = isDateTime(text) ? instantFrom(text, zone) : undefined;
		return instant === undefined ? text : new Date(instant.ms).toISOString();
	}

	/**
	 * @param {any} value JSON
	 * @param {import('luxon').IANAZone} zone
	 * @returns {any} a copy whose points in time are Instants
	 */
	withInstants(value, zone) {
		return this.#walkInstants(value, (text) => instantFrom(text, zone));
	}

	#walkInstants(value, translate) {
		if (Array.isArray(value)) return value.map((inner) => this.#walkInstants(inner, translate));
		if (!isRecord(value)) return value;
		const result = {};
		for (const [key, inner] of Object.entries(value)) {
			const translated =
				typeof inner === 'string' && this.isInstantKey(key) && isDateTime(inner)
					? (translate(inner) ?? inner)
					: this.#walkInstants(inner, translate);
			// Not an assignment: a field called __proto__ stays a field.
			Object.defineProperty(result, key, {
				value: translated,
				enumerable: true,
				configurable: true,
				writable: true,
			});
		}
		return result;
	}

	/** A field holds a point in time when the contract says so somewhere, or where it is silent, by its name. */
	isInstantKey(key) {
		return this.instantKeys.has(key) || /(_at|_time|_date|_from|_to|_until)$/.test(key);
	}

	/**
	 * @param {Operation} operation
	 * @param {number} status
	 * @param {any} body as the client will read it
	 * @returns {string | undefined} how it violates the contract
	 */
	violation(operation, status, body) {
		const check = this.#check(operation, `answer ${status}`, () => {
			const { responses } = operation.contract;
			const response = this.resolve(
				responses[status] ?? responses[`${String(status)[0]}XX`] ?? responses.default,
			);
			if (response === undefined) return () => false;
			const schema = response.content?.['application/json']?.schema;
			return schema === undefined ? () => true : this.ajv.compile(absolute(schema));
		});
		if (check(body)) return undefined;
		return check.errors === undefined
			? `status ${status} is not in the contract`
			: this.ajv.errorsText(check.errors, { dataVar: 'body' });
	}
}

/** A schema whose references say that they mean the contract. */
function absolute(schema) {
	if (Array.isArray(schema)) return schema.map(absolute);
	if (!isRecord(schema)) return schema;
	const { $ref, ...rest } = schema;
	const parts = Object.entries(rest).map(([key, value]) => [key, absolute(value)]);
	return { ...Object.fromEntries(parts), ...($ref && { $ref: `${CONTRACT}${$ref}` }) };
}

/** Required fields of an object schema, those of its allOf parts included. */
function requiredOf(schema, contract) {
	return [
		...(schema.required ?? []),
		...(schema.allOf ?? []).flatMap((part) => requiredOf(contract.resolve(part), contract)),
	];
}

/** Names of all properties and parameters that the contract types as points in time. */
function instantKeys(document) {
	const names = new Set();
	const isInstant = (schema) =>
		schema?.format === 'date-time' ||
		schema?.$ref?.endsWith('/Instant') ||
		schema?.allOf?.some(isInstant);
	JSON.stringify(document, (key, part) => {
		if (isInstant(part)) names.add(key);
		if (isInstant(part?.schema)) names.add(part.name);
		return part;
	});
	return names;
}

/** @param {import('ajv').ErrorObject} error @returns {ApiError} (codes of interface §7) */
function refusal({ instancePath, keyword, message, params }, value) {
	const steps = instancePath
		.split('/')
		.slice(1)
		.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
	const given = steps.reduce((part, step) => part?.[step], value);
	const name = params.missingProperty ?? params.additionalProperty;
	const field = (name === undefined ? steps : [...steps, name]).join('.');
	const says = {
		required: 'is required',
		additionalProperties: 'is not known here',
		format: `must be a valid ${params.format === 'uuid' ? 'UUID' : params.format}`,
		pattern: 'has the wrong format',
		enum: `must be one of: ${params.allowedValues?.join(', ')}`,
	};
	const isFormat = keyword === 'format' || keyword === 'pattern';
	const details = [
		keyword === 'pattern' && `It must match ${params.pattern}.`,
		isFormat && typeof given === 'string' && `Given: ${JSON.stringify(given.slice(0, 100))}.`,
	];
	return new ApiError(422, {
		code:
			params.format === 'uuid' ? 'INVALID_UUID' : isFormat ? 'INVALID_FORMAT' : 'VALIDATION_ERROR',
		field,
		message: `The ${field === '' ? 'body' : `field ${field}`} ${says[keyword] ?? message}.`,
		details: details.filter(Boolean).join(' ') || undefined,
	});
}
