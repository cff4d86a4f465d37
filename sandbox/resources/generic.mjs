import { changed, created, deleted, paged, read } from '../answers.mjs';
import { endpointNotFound } from '../errors.mjs';
import { replaces } from '../manners.mjs';
import { dataSchema, filled, flat, rowSchema, shown } from '../shape.mjs';
import { Instant } from '../zone.mjs';
import { born } from '../store.mjs';

/**
 * @typedef {object} Hooks what is special about a collection that is otherwise served by the contract's shape
 * @property {(context: any, fields: any) => any} [prepare] fields of a new record; may refuse
 * @property {(context: any, record: any, body: any) => any} [revise] changes of an update; may refuse
 * @property {(context: any) => ((record: any) => boolean) | undefined} [where] filter of a list
 * @property {(context: any, record: any) => any} [show] the record as answered
 * @property {string} [thing] its name in messages
 */

/** Name of the collection behind a path: `/appointment-requests/{}` → `appointment_requests`. */
const collectionName = (segments) =>
	segments
		.filter((segment) => !segment.startsWith('{'))
		.join('_')
		.replaceAll('-', '_');

/**
 * One mechanism for everything that can only be created, read, listed, changed and deleted.
 * @param {import('../validate.mjs').Contract} contract
 * @param {import('../validate.mjs').Operation} operation
 * @param {Record<string, Hooks>} allHooks by collection
 * @returns {(context: any) => import('../answers.mjs').Result}
 */
export function genericHandler(contract, operation, allHooks) {
	const segments = operation.path.split('/').filter(Boolean);
	const onItem = segments.at(-1).startsWith('{');
	const path = onItem ? segments.slice(0, -1) : segments;
	const name = collectionName(path);
	const hooks = allHooks[name] ?? {};
	const thing = hooks.thing ?? sentence(name);
	const schema = itemSchema(contract, path);
	const show = (context, record) =>
		shown(contract, schema, hooks.show?.(context, record) ?? record);
	const collectionOf = ({ sandbox }) => sandbox.store.collection(name);
	const recordOf = ({ sandbox, params }) => sandbox.store.need(name, params.at(-1), thing);

	if (onItem && operation.method === 'GET')
		return (context) => read(show(context, recordOf(context)), `${thing} retrieved.`);
	if (onItem && (operation.method === 'PUT' || operation.method === 'PATCH')) {
		return (context) => {
			const record = recordOf(context);
			const changes = hooks.revise?.(context, record, context.body) ?? context.body;
			const collection = collectionOf(context);
			collection.change(record[collection.key], {
				...(replaces(context.sandbox, operation) ? emptyOf(contract, operation, schema) : {}),
				...changes,
				updated_at: Instant.now(),
			});
			return changed(show(context, recordOf(context)), context.params.at(-1), `${thing} updated.`);
		};
	}
	if (onItem && operation.method === 'DELETE') {
		return (context) => {
			const record = recordOf(context);
			const collection = collectionOf(context);
			collection.delete(record[collection.key]);
			return deleted(context.params.at(-1), thing);
		};
	}
	if (!onItem && operation.method === 'GET' && operation.paging !== undefined) {
		const layout =
			operation.paging === 'unknown' ? unknownLayout(contract, operation) : operation.paging;
		return (context) =>
			read(
				paged(context, name, {
					layout,
					usual: layout === 'flat' ? Number.MAX_SAFE_INTEGER : 15,
					where: hooks.where?.(context),
					show: (record) => show(context, record),
				}),
				`${thing} list retrieved.`,
			);
	}
	if (!onItem && operation.method === 'POST') {
		return (context) => {
			const collection = collectionOf(context);
			const fields = hooks.prepare?.(context, context.body ?? {}) ?? context.body ?? {};
			const { request_key, ...kept } = fields;
			const record = collection.add({
				...filled(contract, schema, kept),
				[collection.key]: kept[collection.key] ?? context.sandbox.random.uuid(),
				...born(),
			});
			return created(show(context, record), record[collection.key], `${thing} created.`);
		};
	}
	throw endpointNotFound(operation.method, operation.path);
}

/** The fields that an update can set, empty. */
function emptyOf(contract, operation, schema) {
	const body = operation.contract.requestBody.content['application/json'].schema;
	const empty = filled(contract, schema, {});
	const names = Object.keys(flat(contract, body).properties ?? {});
	return Object.fromEntries(
		names.filter((name) => name in empty).map((name) => [name, empty[name]]),
	);
}

const sentence = (name) => {
	const words = name.replaceAll('_', ' ').replace(/s$/, '');
	return words[0].toUpperCase() + words.slice(1);
};

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

/**
 * Where the contract does not know the layout: as the answer's schema demands, else pages
 * where there are page numbers.
 */
function unknownLayout(contract, operation) {
	const data = dataSchema(contract, operation);
	if (data.type === 'array') return 'flat';
	const paged = (operation.contract.parameters ?? []).some(
		(parameter) => contract.resolve(parameter).name === 'page',
	);
	return paged && flat(contract, data).type !== 'array' ? 'page' : 'flat';
}
