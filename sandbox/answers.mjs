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
