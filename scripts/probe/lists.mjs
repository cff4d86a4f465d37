/**
 * How the lists of a workspace behave: their layout, their page size, their second page, and which filters do nothing.
 * How many records there are is never told.
 */
import { isDeepStrictEqual } from 'node:util';
import { fill, rowsIn } from './workspace.mjs';

const notFilters = ['per_page', 'limit', 'page', 'cursor', 'sort_by'];

/**
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {any} endpoint a GET @param {any} body its answer, without filters
 * @returns {Promise<{endpoint: string, layout: string, at: string, around: any, says: Record<string, string>,
 *   differs: string[]} | undefined>} `around`: the answer without its rows; `says`: what came of page sizes, the second
 *   page and filters; undefined when it is no list
 */
export async function listOf(workspace, endpoint, body) {
	const { at, rows } = rowsIn(body) ?? {};
	if (!rows || (endpoint.paging === undefined && !/^(data(\.(items|data))?)?$/.test(at)))
		return undefined;
	const { check } = workspace;
	const parameters = check.parametersOf(endpoint.key, 'query');
	const path = fill(endpoint.path, await workspace.valuesFor(endpoint.path));
	const always = await workspace.queryFor(endpoint.key);
	/** What a parameter does to the answer. */
	const effect = async (query) => {
		const answer = await workspace.ask(path, { ...always, ...query });
		if (answer.status !== 200) return { says: `refused (${answer.status})`, refused: true };
		const found = rowsIn(answer.body)?.rows ?? [];
		return { found, same: same(found, rows) };
	};

	const layout = layoutOf(body, at);
	const differs = [];
	if (![undefined, 'unknown', layout].includes(endpoint.paging))
		differs.push(`the layout is ${layout}, not ${endpoint.paging}`);
	const says = {};
	const size = parameters.find(({ name }) => ['per_page', 'limit'].includes(name));
	const name = size?.name ?? (endpoint.paging === 'cursor' ? 'limit' : 'per_page');
	for (const many of [1, 100, 101]) {
		const { found, says: refused } = await effect({ [name]: many });
		says[`${name}=${many}`] =
			refused ??
			(found.length === many
				? 'that many rows'
				: many === 1 && rows.length > 1
					? 'ignored'
					: 'taken');
	}
	if (size && says[`${name}=1`] === 'ignored') differs.push(`${name} is ignored`);
	if (size && /^refused/.test(says[`${name}=100`]) && !(size.schema.maximum < 100))
		differs.push(`${name}=100 is ${says[`${name}=100`]}`);
	if (endpoint.paging !== 'cursor') {
		const second = await effect({ page: 2 });
		says['page=2'] =
			second.says ??
			(second.same ? 'the same rows' : second.found.length ? 'other rows' : 'no rows');
		if (says['page=2'] === 'other rows') {
			// So the first page was full.
			says['rows of a page'] = String(rows.length);
			if (size?.schema.default !== undefined && rows.length !== size.schema.default)
				differs.push(`a page has ${rows.length} rows, not ${size.schema.default}`);
		}
		if (
			says['page=2'] === 'the same rows' &&
			rows.length > 0 &&
			parameters.some((one) => one.name === 'page')
		)
			differs.push('page is ignored');
	}
	for (const { name: filter, required, schema } of parameters) {
		if (notFilters.includes(filter) || required) continue;
		says[filter] = await filterOf(filter, check.flat(schema), rows, effect, check.flat);
		if (/^(ignored|refused)/.test(says[filter])) differs.push(`${filter} is ${says[filter]}`);
	}
	return { endpoint: endpoint.key, layout, at, around: without(body, rows), says, differs };
}

/** The layouts that the contract's head describes. */
function layoutOf(body, at) {
	if ((body?.data?.pagination ?? body?.pagination)?.next_cursor !== undefined) return 'cursor';
	if (at === 'data.items') return 'items';
	if (at === 'data.data' && 'current_page' in body.data) return 'page';
	const beside = Object.keys(body ?? {}).filter((name) => !/^(success|message|data)$/.test(name));
	return at === 'data' && beside.length === 0 ? 'flat' : 'another';
}

/** The answer around its rows. */
function without(value, rows) {
	if (value === rows) return [];
	if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inside]) => [name, without(inside, rows)]),
	);
}

const madeUp = 'zzqx no record has this';

/**
 * Values of which no record fits more than one, or none at all: a filter that changes the rows for none of them does
 * nothing.
 */
function valuesOf({ type, format, enum: complete, 'x-samples': samples, items }, flat) {
	const values = complete ?? samples;
	if (values) return values.slice(0, 4).map(String);
	if (items) return valuesOf(flat(items), flat);
	if (format === 'uuid') return ['00000000-0000-4000-8000-000000000000'];
	if (format === 'date') return ['1970-01-01', '2100-01-01'];
	if (format === 'date-time') return ['1970-01-01T00:00:00+00:00', '2100-01-01T00:00:00+00:00'];
	if (type === 'boolean') return ['true', 'false'];
	if (type === 'integer' || type === 'number') return ['1', '100'];
	return [madeUp];
}

async function filterOf(name, schema, rows, effect, flat) {
	if (rows.length === 0) return 'the list is empty';
	const values = valuesOf(schema, flat);
	const refused = [];
	for (const value of values) {
		const result = await effect({ [name]: value });
		if (result.refused) refused.push(result.says);
		else if (!result.same) return 'works';
	}
	if (refused.length === values.length) return refused[0];
	if (values[0] === madeUp && /status|state|type|kind|channel|direction|sender/.test(name))
		return 'a made-up value changes nothing';
	// Rows may stand in the same order either way, for example those of one second.
	const few = values.length > 1 && values.length - refused.length < 2;
	return /^(sort|order)/.test(name) || few ? 'no difference seen' : 'ignored';
}

/**
 * Whether two answers hold the same rows in the same order. Rows are told apart by an ID of their own where they have
 * one: the rest of a row may change from one answer to the next.
 */
function same(rows, others) {
	const names = Object.keys(others[0] ?? {}).filter((name) => /^(uuid|uid|id)$|_uuid$/.test(name));
	const own = names.find(
		(name) => new Set(others.map((row) => row?.[name])).size === others.length,
	);
	const identity = (row) => (own === undefined ? row : row?.[own]);
	return isDeepStrictEqual(rows.map(identity), others.map(identity));
}
