import { Instant } from './zone.mjs';

/** Whether a value is a JSON object; points in time are none. */
export const isRecord = (value) =>
	value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;

/** Schemas whose parts are joined, by the schema. */
const joined = new WeakMap();

/**
 * The schema with its references followed and its allOf parts joined.
 * @param {import('./validate.mjs').Contract} contract
 * @param {any} schema
 * @returns {any}
 */
export function flat(contract, schema) {
	const resolved = contract.resolve(schema) ?? {};
	if (resolved.allOf === undefined) return resolved;
	if (!joined.has(resolved)) {
		const { allOf, ...own } = resolved;
		const parts = [...allOf.map((part) => flat(contract, part)), own];
		const properties = parts.flatMap((part) => part.properties ?? []);
		const all = properties.length === 0 ? {} : { properties: Object.assign({}, ...properties) };
		joined.set(resolved, Object.assign({}, ...parts, all));
	}
	return joined.get(resolved);
}

/** Schema of what stands under data in the success answer. */
export const dataSchema = (contract, operation) =>
	flat(contract, flat(contract, operation.answer).properties?.data);

/** Schema of one row of a list, whatever its layout. */
export function rowSchema(contract, operation) {
	const data = dataSchema(contract, operation);
	const rows =
		data.type === 'array' ? data : flat(contract, data.properties?.items ?? data.properties?.data);
	return flat(contract, rows.items);
}

/**
 * A record that has every field of the schema: those given as they are, the others empty. Fields whose emptiness has no
 * form (an identifier, a point in time) are left out.
 * @param {import('./validate.mjs').Contract} contract
 * @param {any} schema
 * @param {Record<string, any>} given
 * @returns {Record<string, any>} fields beyond the schema are kept
 */
export function filled(contract, schema, given) {
	const record = {};
	for (const [name, property] of Object.entries(flat(contract, schema).properties ?? {})) {
		const value = given[name] === undefined ? empty(contract, property) : given[name];
		if (value !== undefined) record[name] = value;
	}
	return {
		...record,
		...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
	};
}

/** A record with every field that the answer of an operation shows of one, as `filled`. */
export function filledAs(contract, key, given) {
	const operation = contract.operation(key);
	const schemaOf = operation.paging === undefined ? dataSchema : rowSchema;
	return filled(contract, schemaOf(contract, operation), given);
}

function empty(contract, property) {
	const schema = flat(contract, property);
	if (schema.default !== undefined) return structuredClone(schema.default);
	if (schema.nullable) return null;
	if (schema.example !== undefined) return structuredClone(schema.example);
	const sample = schema.enum?.[0] ?? schema['x-samples']?.[0];
	if (sample !== undefined) return sample;
	switch (schema.type) {
		case 'string':
			return schema.format === undefined && schema.pattern === undefined ? '' : undefined;
		case 'integer':
		case 'number':
			return 0;
		case 'boolean':
			return false;
		case 'array':
			return [];
		case 'object':
			return filled(contract, schema, {});
		default:
			return undefined;
	}
}

/**
 * What the answer's schema lets through, at all depths: the platform does not show fields that the contract does not
 * have, unless a schema is open.
 */
export function shown(contract, schema, value) {
	const { properties, additionalProperties, items } = flat(contract, schema);
	if (Array.isArray(value)) return items ? value.map((one) => shown(contract, items, one)) : value;
	if (!isRecord(value) || properties === undefined) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => additionalProperties === true || Object.hasOwn(properties, name))
			.map(([name, inner]) => [name, shown(contract, properties[name], inner)]),
	);
}

/** Compares by a field that may hold an Instant. */
export const byField = (field, direction) => {
	const sign = direction === 'desc' ? -1 : 1;
	const key = (record) =>
		record[field] instanceof Instant ? record[field].ms : (record[field] ?? 0);
	return (a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
};
