import { flat, rowSchema, shown } from './shape.mjs';

/**
 * @typedef {object} Result what a request is answered with
 * @property {number} status
 * @property {any} body
 * @property {'created' | 'changed' | 'none'} effect
 * @property {string} [uuid] of the resource it is about
 */

/** Data of an answer to a request that does something else than its method says. */
class Outcome {
	constructor(effect, data) {
		Object.assign(this, { effect, data });
	}
}
/** Something new exists or happened. */
export const created = (data) => new Outcome('created', data);
/** Something that existed is different now, or gone. */
export const changed = (data) => new Outcome('changed', data);
/** Nothing came of it. */
export const unchanged = (data) => new Outcome('none', data);

const EFFECTS = {
	GET: 'none',
	POST: 'created',
	PUT: 'changed',
	PATCH: 'changed',
	DELETE: 'changed',
};
const MESSAGES = { none: 'OK', created: 'Created.', changed: 'Updated.' };
export const isUuid = (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

/**
 * The answer around what a handler gives back: status, envelope and shown fields are the contract's.
 * @param {import('./validate.mjs').Contract} contract
 * @param {import('./validate.mjs').Operation} operation
 * @param {string[]} params of the path
 * @param {any} given by the handler
 * @returns {Result}
 */
export function resultOf(contract, operation, params, given) {
	const effect = given instanceof Outcome ? given.effect : EFFECTS[operation.method];
	const whole = given instanceof Outcome ? given.data : given;
	const { properties } = flat(contract, operation.answer);
	const data = shown(contract, properties.data ?? operation.answer, whole);
	const body =
		properties.data === undefined
			? data
			: properties.success === undefined
				? { data }
				: { success: true, message: MESSAGES[effect], data };
	return {
		status: operation.status ?? (effect === 'created' ? 201 : 200),
		body,
		effect,
		uuid: Object.values(data ?? {}).find(isUuid) ?? params.findLast(isUuid),
	};
}

/**
 * A list in the layout that the contract's x-paging names.
 * @param {'items' | 'page' | 'flat' | 'unknown' | undefined} layout
 * @param {any[]} rows of this page
 * @param {{page: number, perPage: number, total: number}} position
 * @returns {any} what stands under data
 */
export function listing(layout, rows, { page, perPage, total }) {
	const numbers = {
		current_page: page,
		last_page: Math.max(1, Math.ceil(total / perPage)),
		per_page: perPage,
		total,
	};
	if (layout === 'items') return { items: rows, pagination: numbers };
	if (layout === 'page') return { ...numbers, data: rows };
	return rows;
}

const same = (a, b) => String(a).toLowerCase() === String(b).toLowerCase();

/**
 * Whether a record has what a query asks for: in fields of the same name, and in one of those that are searched. A
 * record without the field fits only a lenient platform; no source says which one it is.
 */
const fits = ({ search, ...query }, searched, isShown) => {
	const asked = Object.entries(query);
	const wanted = search?.toLowerCase();
	return (record) =>
		asked.every(([name, value]) =>
			Object.hasOwn(record, name) ? same(record[name], value) : !isShown(name),
		) &&
		(!wanted || searched.some((name) => String(record[name]).toLowerCase().includes(wanted)));
};

/**
 * The page of a collection that is asked for, with the records that the query and the path name.
 * @param {any} context
 * @param {string} name of the collection
 * @param {object} [options]
 * @param {(record: any) => boolean} [options.where] beside what the query asks for
 * @param {string[]} [options.searched] fields
 * @param {string[]} [options.except] what of the query `where` sees to
 * @param {(a: any, b: any) => number} [options.compare]
 * @param {(record: any) => any} [options.show]
 * @param {number} [options.usual] rows of a page unless the request says how many
 * @param {string} [options.layout]
 * @returns {any} what stands under data
 */
export function paged({ sandbox, query, operation }, name, options = {}) {
	const { settings, store } = sandbox;
	const { layout = operation.paging, where = () => true, show = (record) => record } = options;
	const usual = layout === 'flat' ? Number.MAX_SAFE_INTEGER : (options.usual ?? 15);
	const { page = 1, per_page: perPage = usual, ...asked } = query;
	for (const name of options.except ?? []) delete asked[name];
	const { properties = {} } = rowSchema(sandbox.contract, operation);
	const isStrict = settings.manners.filters !== 'lenient';
	const isAsked = fits(
		asked,
		options.searched ?? ['name'],
		(name) => isStrict && Object.hasOwn(properties, name),
	);
	const rows = store.all(name).filter((record) => where(record) && isAsked(record));
	if (options.compare) rows.sort(options.compare);
	const start = (page - 1) * perPage;
	const ofPage = rows.slice(start, start + perPage).map(show);
	return listing(layout, ofPage, { page, perPage, total: rows.length });
}
