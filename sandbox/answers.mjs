/**
 * @typedef {object} Result what a handler gives back
 * @property {number} status
 * @property {any} body
 * @property {'created' | 'changed' | 'none'} effect
 * @property {string} [uuid] of the resource it is about
 */

/** @returns {Result} something was read */
export const read = (data, message = 'OK') => ({
	status: 200,
	body: { success: true, message, data },
	effect: 'none',
});

/** @returns {Result} something new exists or happened */
export const created = (data, uuid, message = 'Created.') => ({
	status: 201,
	body: { success: true, message, data },
	effect: 'created',
	uuid,
});

/** @returns {Result} something that existed is different now, or gone */
export const changed = (data, uuid, message = 'Updated.') => ({
	status: 200,
	body: { success: true, message, data },
	effect: 'changed',
	uuid,
});

/** @returns {Result} it is gone; `thing`: what it was */
export const deleted = (uuid, thing) => ({
	status: 200,
	body: { success: true, message: `${thing} deleted.` },
	effect: 'changed',
	uuid,
});

/** An answer whose envelope has no message. @returns {Result} */
export const wordless = (data, uuid, effect, status = effect === 'created' ? 201 : 200) => ({
	status,
	body: { success: true, data },
	effect,
	uuid,
});

/** The writes of an agent's sections answer with the agent under `data` and nothing beside it (reference: agents). */
export const dataOnly = (data, uuid, effect) => ({
	status: effect === 'created' ? 201 : 200,
	body: { data },
	effect,
	uuid,
});

/** An answer without envelope (interface §4.2). @returns {Result} */
export const bare = (body) => ({ status: 200, body, effect: 'none' });

/**
 * A list in the layout that the contract's x-paging names.
 * @param {'items' | 'page' | 'flat' | 'unknown' | undefined} layout
 * @param {any[]} rows of this page
 * @param {{page: number, perPage: number, total: number, repeat?: boolean}} position repeat:
 * claim that there is always one more page
 * @returns {any} what stands under data
 */
export function listing(layout, rows, { page, perPage, total, repeat = false }) {
	const lastPage = repeat ? page + 1 : Math.max(1, Math.ceil(total / perPage));
	const numbers = {
		current_page: page,
		last_page: lastPage,
		per_page: perPage,
		total: repeat ? lastPage * perPage : total,
	};
	if (layout === 'items') return { items: rows, pagination: numbers };
	if (layout === 'page') return { ...numbers, data: rows };
	return rows;
}

/**
 * The page of a collection that is asked for.
 * @param {any} context
 * @param {string} name of the collection
 * @param {{where?: any, compare?: any, show?: (record: any) => any, usual?: number, layout?: any}} [options]
 *   usual: rows of a page unless the request says how many
 * @returns {any} what stands under data
 */
export function paged(context, name, options = {}) {
	const { sandbox, query, operation } = context;
	const { where, compare, show = (record) => record, usual = 15 } = options;
	const { page = 1, per_page: perPage = usual } = query;
	const repeat = sandbox.settings.pageRepeat;
	const { rows, total } = sandbox.store
		.collection(name)
		.page({ page: repeat ? 1 : page, perPage, where, compare });
	const shown = rows.map(show);
	return listing(options.layout ?? operation.paging, shown, { page, perPage, total, repeat });
}

/** Whether a record has the values that a query asks for in these fields. */
export const matching = (query, names) => (record) =>
	names.every((name) => query[name] === undefined || record[name] === query[name]);
