import { paged } from '../answers.mjs';
import { endpointNotFound, notFound } from '../errors.mjs';
import { dataSchema, filled, rowSchema, shown } from '../shape.mjs';
import { change, thingOf } from '../store.mjs';

/**
 * @typedef {object} Rule what is special about a collection that is otherwise served by the contract's shape
 * @property {(context: any, fields: any) => any} [prepare] fields of a new record; may refuse
 * @property {(context: any, record: any, body: any) => any} [revise] changes of an update; may refuse
 * @property {(context: any) => void} [refuse] whatever the request is
 * @property {(context: any) => any} [write] the handler of all writes, where they are of a kind of their own
 * @property {(context: any) => (record: any) => boolean} [where] what a list holds, beside what its query asks for
 * @property {string[]} [except] what of the query that is
 * @property {string[]} [searched] fields that a list searches
 * @property {(context: any, record: any) => any} [show] the record as answered
 */

/** Collections whose name is not that of their path; undefined: what the path names is not kept. */
const NAMES = {
	analyzers: undefined,
	builder_agents: 'build_conversations',
	calls_action: 'conversations',
	data: 'tables',
	flow: 'flows',
};

const isParameter = (segment) => segment.startsWith('{');

/** `['contacts', 'fields']` → `contacts_fields` */
function nameOf(segments) {
	const name = segments.join('_').replaceAll('-', '_');
	return name in NAMES ? NAMES[name] : name;
}

/** Collection of the record that a path names first, and which parameter names it. */
export function ownerOf({ path }) {
	const segments = path.split('/').filter(Boolean);
	const first = segments.findIndex(isParameter);
	if (first === -1) return undefined;
	const name = nameOf(segments.slice(0, first));
	const count = segments.slice(first).findIndex((segment) => !isParameter(segment));
	return name && { name, index: (count === -1 ? segments.length - first : count) - 1 };
}

/**
 * One mechanism for everything that can only be created, read, listed, changed and deleted, also below another record.
 * @param {import('../validate.mjs').Contract} contract
 * @param {import('../validate.mjs').Operation} operation
 * @param {Record<string, Rule>} rules by collection
 * @returns {(context: any) => any}
 */
export function genericHandler(contract, operation, rules) {
	const { method } = operation;
	const segments = operation.path.split('/').filter(Boolean);
	const onItem = isParameter(segments.at(-1));
	const path = onItem ? segments.slice(0, -1) : segments;
	const isBelow = path.some(isParameter);
	const name = isBelow ? nameOf(path.slice(-1)) : nameOf(path);
	/** The field in which a record names the one that it belongs to. */
	const parent = isBelow && ownerOf(operation).name.replace(/s$/, '_uuid');
	const rule = rules[name] ?? {};
	if (rule.write) return rule.write;
	const schema = itemSchema(contract, path);
	const show = (context, record) => shown(contract, schema, rule.show?.(context, record) ?? record);
	const isOwn = (record, [uuid]) => !isBelow || record[parent] === uuid;
	const recordOf = ({ sandbox, params, record: owner }) => {
		const record = isBelow ? sandbox.store.need(name, params.at(-1)) : owner;
		if (!isOwn(record, params)) throw notFound(thingOf(name));
		return record;
	};

	const onRecord = {
		GET: (context) => show(context, recordOf(context)),
		PUT: (context) => {
			const record = recordOf(context);
			const changes = rule.revise?.(context, record, context.body) ?? context.body;
			return show(context, change(record, changes));
		},
		DELETE: (context) => {
			recordOf(context);
			if (!rule.keeps?.(context)) context.sandbox.store.delete(name, context.params.at(-1));
		},
	};
	const layout =
		operation.paging === 'unknown' ? unknownLayout(contract, operation) : operation.paging;
	const onAll = {
		GET: (context) =>
			paged(context, name, {
				...rule,
				layout,
				where: (record) => isOwn(record, context.params) && (rule.where?.(context)(record) ?? true),
				show: (record) => show(context, record),
			}),
		POST: (context) => {
			const { body = {}, params, sandbox } = context;
			const { request_key, ...fields } = rule.prepare?.(context, body) ?? body;
			if (isBelow) fields[parent] = params[0];
			return show(context, sandbox.store.add(name, filled(contract, schema, fields)));
		},
	};
	const handler = onItem ? onRecord[method === 'PATCH' ? 'PUT' : method] : onAll[method];
	if (handler === undefined) throw endpointNotFound(method, operation.path);
	return (context) => {
		rule.refuse?.(context);
		return handler(context);
	};
}

/** Shape of one record: as read, else as created, else as listed, else as changed. */
function itemSchema(contract, path) {
	const normal = (text) => text.replace(/\{[^}]+\}/g, '{}');
	const collection = normal(`/${path.join('/')}`);
	const find = (method, suffix) =>
		contract.operations.find((one) => one.key === `${method} ${collection}${suffix}`);
	const reading = find('GET', '/{}');
	if (reading !== undefined) return dataSchema(contract, reading);
	const creating = find('POST', '');
	if (creating !== undefined && dataSchema(contract, creating).properties !== undefined)
		return dataSchema(contract, creating);
	const list = find('GET', '');
	if (list !== undefined) return rowSchema(contract, list);
	const changing = find('PUT', '/{}') ?? find('PATCH', '/{}');
	return changing === undefined ? {} : dataSchema(contract, changing);
}

/** Where the contract does not know the layout: as the answer's schema demands, else pages where they have numbers. */
function unknownLayout(contract, operation) {
	const parameters = (operation.contract.parameters ?? []).map((one) => contract.resolve(one));
	const hasPages = parameters.some(({ name }) => name === 'page');
	return hasPages && dataSchema(contract, operation).type !== 'array' ? 'page' : 'flat';
}
