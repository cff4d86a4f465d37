import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { ApiError } from './errors.mjs';
import { instantFrom, isDateTime } from './zone.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const CONTRACT = 'contract.json';

/**
 * @typedef {object} Operation
 * @property {string} key method and path with nameless parameters, for example `POST /agents/{}/notes`
 * @property {string} method upper case
 * @property {string} path as in the contract
 * @property {string[]} names of the path parameters, in order
 * @property {object} contract the operation object of the contract
 * @property {boolean} sending counts against the sending endpoints' limit
 * @property {string | undefined} paging layout of a list
 * @property {boolean} openQuery the contract says that it does not know all query parameters
 * @property {object | undefined} answer schema of the success answer, references unresolved
 */

/** The contract: finds the operation of a request, and checks requests and answers against it. */
export class Contract {
	/** @type {Operation[]} */
	operations = [];
	#root = { literals: new Map() };
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
		for (const [path, item] of Object.entries(document.paths)) {
			for (const method of METHODS.filter((name) => item[name] !== undefined))
				this.#addOperation(method, path, item);
		}
	}

	#addOperation(method, path, item) {
		const contract = item[method];
		const operation = {
			key: `${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, '{}')}`,
			method: method.toUpperCase(),
			path,
			names: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
			contract,
			sending: contract['x-rate'] === 'send',
			paging: contract['x-paging'],
			openQuery: (contract['x-open'] ?? []).some((open) => /\bquery\b/.test(open)),
			answer: this.#successSchema(contract),
		};
		this.operations.push(operation);
		let node = this.#root;
		for (const segment of path.split('/').filter(Boolean)) {
			if (segment.startsWith('{')) node = node.parameter ??= { literals: new Map() };
			else {
				if (!node.literals.has(segment)) node.literals.set(segment, { literals: new Map() });
				node = node.literals.get(segment);
			}
		}
		(node.operations ??= new Map()).set(operation.method, operation);
	}

	#successSchema(contract) {
		const status = Object.keys(contract.responses).find((name) => name.startsWith('2'));
		return status === undefined
			? undefined
			: this.resolve(contract.responses[status]).content?.['application/json']?.schema;
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
		const segments = path.split('/').filter(Boolean);
		const found = descend(this.#root, segments, 0, method, []);
		if (found === undefined) return undefined;
		try {
			return { operation: found.operation, params: found.params.map(decodeURIComponent) };
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

	#parameters(operation, place) {
		const all = [
			...(this.document.paths[operation.path].parameters ?? []),
			...(operation.contract.parameters ?? []),
		];
		return all
			.map((parameter) => this.resolve(parameter))
			.filter((parameter) => parameter.in === place);
	}

	#objectOf(parameters, additionalProperties) {
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
			this.ajv.compile(this.#objectOf(this.#parameters(operation, 'path'), true)),
		);
		const named = Object.fromEntries(operation.names.map((name, index) => [name, params[index]]));
		if (!check(named)) throw refusal(check.errors[0], named);
	}

	/**
	 * @param {Operation} operation
	 * @param {URLSearchParams} search
	 * @param {import('luxon').IANAZone} zone in which datetimes without offset are read
	 * @param {boolean} strict refuse parameters that the contract does not have, unless it says that there may be more
	 * @returns {Record<string, any>} typed values, defaults filled in
	 * @throws {ApiError} 422
	 */
	readQuery(operation, search, zone, strict) {
		const parameters = this.#check(
			operation,
			'query names',
			() => new Map(this.#parameters(operation, 'query').map((one) => [one.name, one])),
		);
		const query = {};
		for (const name of new Set(search.keys())) {
			if (name === 'timezone' && !parameters.has(name)) continue;
			if (!parameters.has(name) && !operation.openQuery && !strict) continue;
			const values = search.getAll(name).map((value) => this.#utc(value, zone));
			query[name] = values.length === 1 ? values[0] : values;
		}
		const check = this.#check(operation, 'query', () =>
			this.textAjv.compile(this.#objectOf([...parameters.values()], operation.openQuery)),
		);
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
			if (request.required)
				throw new ApiError(422, {
					message: 'The request has no body.',
					details: `${operation.method} ${operation.path} needs a body.`,
				});
			return undefined;
		}
		const content = request.content[mediaType];
		if (content === undefined) {
			throw new ApiError(400, {
				message: `The content type ${mediaType || '(none)'} is not accepted here.`,
				details: `Accepted: ${Object.keys(request.content).join(', ')}.`,
			});
		}
		const sent =
			files === undefined
				? json
				: {
						...json,
						...Object.fromEntries([...files].map(([name, { filename }]) => [name, filename])),
					};
		const translated = this.#walkInstants(sent, (text) => this.#utc(text, zone));
		const ajv =
			files !== undefined
				? this.textAjv
				: operation.method === 'POST'
					? this.creatingAjv
					: this.ajv;
		const check = this.#check(operation, `body ${mediaType}`, () =>
			ajv.compile(absolute(content.schema)),
		);
		if (!check(translated)) throw refusal(check.errors[0], translated);
		const required = this.#check(operation, `required ${mediaType}`, () =>
			requiredOf(this.resolve(content.schema), this),
		);
		const empty = required.find((name) => translated[name] === '');
		if (empty !== undefined)
			throw new ApiError(422, {
				field: empty,
				message: `The field ${empty} is required.`,
				details: 'It is empty.',
			});
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
		if (
			value === null ||
			typeof value !== 'object' ||
			Object.getPrototypeOf(value) !== Object.prototype
		)
			return value;
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

function descend(node, segments, index, method, params) {
	if (index === segments.length) {
		const operation = node.operations?.get(method);
		return operation === undefined ? undefined : { operation, params };
	}
	const literal = node.literals.get(segments[index]);
	const found = literal && descend(literal, segments, index + 1, method, params);
	if (found !== undefined) return found;
	return (
		node.parameter &&
		descend(node.parameter, segments, index + 1, method, [...params, segments[index]])
	);
}

/** A schema whose references say that they mean the contract. */
function absolute(schema) {
	if (Array.isArray(schema)) return schema.map(absolute);
	if (schema === null || typeof schema !== 'object') return schema;
	return Object.fromEntries(
		Object.entries(schema).map(([key, value]) => [
			key,
			key === '$ref' ? `${CONTRACT}${value}` : absolute(value),
		]),
	);
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
	const visit = (part) => {
		if (part === null || typeof part !== 'object') return;
		if (part.name !== undefined && isInstant(part.schema)) names.add(part.name);
		for (const [name, property] of Object.entries(part.properties ?? {}))
			if (isInstant(property)) names.add(name);
		Object.values(part).forEach(visit);
	};
	visit(document);
	return names;
}

/** @param {import('ajv').ErrorObject} error @returns {ApiError} (codes of interface §7) */
function refusal(error, value) {
	const steps = error.instancePath
		.split('/')
		.slice(1)
		.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
	const refused = (code, field, message, details) =>
		new ApiError(422, { code, field, message, details });
	const field = steps.join('.');
	const below = (name) => [...steps, name].join('.');
	const given = steps.reduce((part, step) => part?.[step], value);
	const shown = typeof given === 'string' ? ` Given: ${JSON.stringify(given.slice(0, 100))}.` : '';
	switch (error.keyword) {
		case 'required': {
			const name = below(error.params.missingProperty);
			return refused('VALIDATION_ERROR', name, `The field ${name} is required.`);
		}
		case 'additionalProperties': {
			const name = below(error.params.additionalProperty);
			return refused('VALIDATION_ERROR', name, `The field ${name} is not known here.`);
		}
		case 'format':
			if (error.params.format === 'uuid')
				return refused(
					'INVALID_UUID',
					field,
					`The field ${field} must be a valid UUID.`,
					shown.trim() || undefined,
				);
			return refused(
				'INVALID_FORMAT',
				field,
				`The field ${field} must be a valid ${error.params.format}.`,
				shown.trim() || undefined,
			);
		case 'pattern':
			return refused(
				'INVALID_FORMAT',
				field,
				`The field ${field} has the wrong format.`,
				`It must match ${error.params.pattern}.${shown}`,
			);
		case 'enum':
			return refused(
				'VALIDATION_ERROR',
				field,
				`The field ${field} must be one of: ${error.params.allowedValues.join(', ')}.`,
			);
		default:
			return refused(
				'VALIDATION_ERROR',
				field,
				`The ${field === '' ? 'body' : `field ${field}`} ${error.message}.`,
			);
	}
}
