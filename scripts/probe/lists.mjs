/**
 * How the lists of a workspace behave: their layout, their page size, their second page, and which filters do nothing.
 * How many records there are is never told.
 */
import { isDeepStrictEqual } from 'node:util';
import { fill, rowsIn } from './workspace.mjs';

const sizes = ['per_page', 'limit'];
const notFilters = [...sizes, 'page', 'cursor', 'sort_by'];

/**
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {any} endpoint a GET
 * @param {any} body its answer, without filters
 * @returns {Promise<((names: any) => any) | undefined>} what is told of it: verdict, differences, layout, where its rows
 *   stand, names and kinds beside them, what came of page sizes and of each filter; undefined when it is no list
 */
export async function listOf(workspace, endpoint, body) {
	const list = rowsIn(body);
	if (!list || (endpoint.paging === undefined && !/^(data(\.(items|data))?)?$/.test(list.at)))
		return undefined;
	const path = fill(endpoint.path, await workspace.valuesFor(endpoint.path));
	const always = await workspace.queryFor(endpoint.key);
	const asked = async (query) => {
		const { status, body: answer } = await workspace.ask(path, { ...always, ...query });
		return { status, rows: status === 200 ? rowsIn(answer)?.rows : undefined };
	};
	const parameters = workspace.judge.parametersOf(endpoint.key, 'query');
	const paging = await pagingOf(endpoint, parameters, list.rows, asked);
	const filters = {};
	for (const parameter of parameters)
		if (!notFilters.includes(parameter.name) && !parameter.required)
			filters[parameter.name] = await filterOf(parameter, list.rows, asked, workspace.judge.flat);
	const layout = layoutOf(body, list.at);
	const differs = differencesOf(endpoint, parameters, layout, paging, filters);
	return (names) => ({
		endpoint: endpoint.key,
		verdict: differs.length ? 'differs' : 'as in the contract',
		differs,
		layout,
		rows:
			list.at === ''
				? 'the answer itself'
				: list.at
						.split('.')
						.map((name) => names.shown(name))
						.join('.'),
		beside: names.shape(without(body, list.rows)),
		paging,
		filters,
	});
}

/** What the contract says otherwise; it speaks of those parameters alone that it has. */
function differencesOf({ paging: expected = 'unknown' }, parameters, layout, paging, filters) {
	const differs = [];
	const schemaOf = (name) => parameters.find((one) => one.name === name)?.schema;
	if (expected !== 'unknown' && expected !== layout)
		differs.push(`the layout is ${layout}, not ${expected}`);
	for (const size of sizes) {
		const schema = schemaOf(size);
		if (!schema) continue;
		if (paging[`${size}=1`] === 'ignored') differs.push(`${size} is ignored`);
		if (/^refused/.test(paging[`${size}=100`]) && !(schema.maximum < 100))
			differs.push(`${size}=100 is ${paging[`${size}=100`]}`);
		if (
			paging.default &&
			schema.default !== undefined &&
			paging.default !== `${schema.default} rows`
		)
			differs.push(`a page has ${paging.default}, not ${schema.default}`);
	}
	if (schemaOf('page') && paging['page=2'] === 'the first page again')
		differs.push('page is ignored');
	for (const [name, says] of Object.entries(filters))
		if (/^(ignored|refused)/.test(says)) differs.push(`${name} is ${says}`);
	return differs;
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

const tooFew = 'too few rows to tell';

async function pagingOf(endpoint, parameters, plain, asked) {
	const size =
		sizes.find((name) => parameters.some((one) => one.name === name)) ??
		(endpoint.paging === 'cursor' ? 'limit' : 'per_page');
	const one = await asked({ [size]: 1 });
	const result = {};
	if (one.status !== 200) result[`${size}=1`] = `refused (${one.status})`;
	else if (plain.length < 2) result[`${size}=1`] = tooFew;
	else result[`${size}=1`] = one.rows?.length === 1 ? 'one row' : 'ignored';
	for (const many of [100, 101]) {
		const { status, rows } = await asked({ [size]: many });
		if (status !== 200) result[`${size}=${many}`] = `refused (${status})`;
		else if (rows?.length === many) result[`${size}=${many}`] = 'that many rows';
		else result[`${size}=${many}`] = 'accepted';
	}
	if (endpoint.paging === 'cursor') return result;
	let [first, second] = [plain, await asked({ page: 2 })];
	if (second.status === 200 && second.rows?.length && !same(second.rows, plain))
		// There is a second page, so the first one was full.
		result.default = `${plain.length} rows`;
	else if (second.status === 200 && !second.rows?.length && result[`${size}=1`] === 'one row')
		[first, second] = [one.rows, await asked({ [size]: 1, page: 2 })];
	if (second.status !== 200) result['page=2'] = `refused (${second.status})`;
	else if (first.length === 0) result['page=2'] = tooFew;
	else if (same(second.rows, first)) result['page=2'] = 'the first page again';
	else result['page=2'] = second.rows?.length ? 'other rows' : 'no rows';
	return result;
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

async function filterOf({ name, schema }, plain, asked, flat) {
	if (plain.length === 0) return 'the list is empty';
	const values = valuesOf(flat(schema), flat);
	const refused = [];
	for (const value of values) {
		const { status, rows } = await asked({ [name]: value });
		if (status !== 200) refused.push(status);
		else if (!same(rows, plain)) return 'works';
	}
	if (refused.length === values.length) return `refused (${refused[0]})`;
	if (values[0] === madeUp && /status|state|type|kind|channel|direction|sender/.test(name))
		return 'a made-up value changes nothing';
	// Rows may stand in the same order either way, for example those of one second.
	if (/^(sort|order)/.test(name)) return 'no difference seen';
	return values.length > 1 && values.length - refused.length < 2 ? 'no difference seen' : 'ignored';
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
	return isDeepStrictEqual(rows?.map(identity), others.map(identity));
}
