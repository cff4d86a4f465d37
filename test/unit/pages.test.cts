/** How a list is read: what each layout tells about its pages, and how many requests it takes to its end. */
import { isEqual, uniqWith } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { readPage } from '../../nodes/engine/pages/layouts';
import { type ListRequest, paginate, whyIncomplete } from '../../nodes/engine/pages/pages';
import { readWhole } from '../../nodes/engine/pages/whole';
import { RequestError } from '../../nodes/engine/errors/requestError';

const row = { uuid: 'a' };
const data = [row];
const both = { total: 9, lastPage: 3 };
const next = 'https://platform.example.com/api/v1/list?page=2';

describe('a layout', () => {
	test.each<[string, unknown, object]>([
		['a top-level array', data, {}],
		['a list under data', { data }, {}],
		['items', { data: { items: data, pagination: { total: 9, last_page: 3 } } }, both],
		['data.data', { data: { data, total: 9, last_page: 3 } }, both],
		['no envelope', { data, total: 9, last_page: 3 }, both],
		['meta beside data', { data, meta: { total: 9 } }, { total: 9 }],
		['pagination beside data', { data, pagination: { total_pages: 3 } }, { lastPage: 3 }],
		['meta.pagination', { data, meta: { pagination: { total_pages: 3 } } }, { lastPage: 3 }],
		['camel case', { data, meta: { totalPages: 3, totalItems: 9 } }, both],
		['numbers as text', { data: { items: data, pagination: { total: '9' } } }, { total: 9 }],
		['an address alone', { data: { data, next_page_url: next } }, { more: true }],
		['no further address', { data: { data, next_page_url: null } }, { more: false }],
		['an address in camel case', { data: { items: data, nextPageUrl: next } }, { more: true }],
		['links', { data, links: { next, prev: null } }, { more: true }],
		['links, last page', { data, links: { next: null } }, { more: false }],
		['the number of the next page', { data, meta: { nextPage: 2 } }, { more: true }],
		['hasMore', { data: { items: data, hasMore: true } }, { more: true }],
		['has_next_page', { data, page_info: { has_next_page: false } }, { more: false }],
		[
			'a cursor',
			{ messages: data, pagination: { next_cursor: 'x', has_more: true } },
			{ cursor: 'x', more: true },
		],
		['a cursor in camel case', { data, meta: { nextCursor: 'x' } }, { cursor: 'x' }],
		[
			'a cursor in an address',
			{ data, next_page_url: `${next}&cursor=x` },
			{ cursor: 'x', more: true },
		],
		['no further cursor', { data, meta: { next_cursor: null, cursor: 'now' } }, { more: false }],
		['a last page without address', { data, last_page: 3, next_page_url: null }, { lastPage: 3 }],
		['a total without address', { data, total: 9, next_page_url: null }, { total: 9 }],
		['figures that are none', { data, total: '', last_page: -1 }, {}],
		['no last page', { data, last_page: 0 }, {}],
		['an empty cursor', { data, meta: { next_cursor: '' } }, { more: false }],
		['a list of words before it', { data: { tags: ['a'], messages: data } }, {}],
		['an ID of something else beside it', { data: { agent_uuid: 'a', messages: data } }, {}],
	])('with %s: its rows are read, and what it tells about further pages', (_, body, told) => {
		expect(readPage(body)).toEqual({ rows: data, ...told });
	});
});

const list = (count: number, from = 0): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ uuid: `row ${from + index}` }));

const answer = (body: unknown) => ({ status: 200, headers: {}, body: body as never });
/** Rows of a page of a hundred. */
const hundred = (rows: IDataObject[], page: unknown = 1) =>
	rows.slice(100 * (Number(page) - 1), 100 * Number(page));

/** A platform with these pages; beyond them it gives `beyond`. */
function platform(pages: IDataObject[][], beyond: () => unknown = () => []) {
	const asked: IDataObject[] = [];
	const fetch: ListRequest['fetch'] = async (query) => {
		asked.push(query);
		const body = pages[Number(query.page ?? 1) - 1] ?? beyond();
		return answer({ success: true, data: body });
	};
	return { asked, fetch };
}
const refused = (facts: object = {}) => {
	throw new RequestError('status', 'nothing', { status: 422, ...facts });
};
const pageSize = { name: 'per_page', max: 100 };
/** Why a list may be incomplete, as far as it is told. */
const hearing = () => {
	const told: string[] = [];
	return { told, incomplete: (why: string) => told.push(why) };
};

describe('a list that tells nothing about pages', () => {
	const unnamed = list(12).map(({ uuid: value }) => ({ value }));
	const shared = unnamed.map((row) => ({ id: 1, ...row }));
	test.each<[string, IDataObject[][], number, number, string[]?]>([
		['of one short page', [list(9)], 9, 2],
		['as long as a page may be', [list(10)], 10, 2],
		['a shorter last page', [list(15), list(15, 15), list(7, 30)], 37, 4],
		['pages that are not all as long as the first', [list(15), list(12, 15), list(15, 27)], 42, 4],
		['pages of a few rows', [list(3), list(3, 3), list(1, 6)], 7, 4],
		['a full last page', [list(15), list(15, 15)], 30, 3],
		['empty', [[]], 0, 1],
		['pages without IDs', [unnamed, [{ value: 1 }]], 13, 3],
		['a row that moved on', [list(50), list(50, 49), list(12, 98)], 110, 4, ['changed']],
		['rows that share an ID on one page', [shared, [{ id: 1, value: 12 }]], 13, 3],
		['the same page again', [list(12), list(12)], 12, 2, ['repeated']],
		['the same without IDs', [unnamed, unnamed], 12, 2, ['repeated']],
		['the same few rows again', [list(9), list(9)], 9, 2],
	])('%s: every row once, in as many requests as needed', async (...row) => {
		const [, pages, rows, requests, why = []] = row;
		const { asked, fetch } = platform(pages);
		const { told, incomplete } = hearing();
		const all = await paginate({ fetch, query: {}, limit: Infinity, incomplete });
		expect(all).toEqual(uniqWith(pages.flat(), isEqual));
		expect([all.length, asked.length, told]).toEqual([rows, requests, why]);
	});

	test.each<[IDataObject[][], number, unknown]>([
		[[list(10)], 404, ['refused']],
		[[list(10)], 422, []],
		[[list(10), list(10, 10)], 422, ['refused']],
		[[list(10)], 500, 'an error'],
		[[list(100)], 404, 'an error'],
	])('the page after %j is refused with %i: %j', async (pages, status, expected) => {
		const { fetch } = platform(pages, () => refused({ status }));
		const { told, incomplete } = hearing();
		const reading = paginate({ fetch, query: {}, limit: Infinity, pageSize, incomplete });
		expect(await reading.then(() => told).catch(() => 'an error')).toEqual(expected);
	});

	test('a row is known by the ID that its list names, also if it changed meanwhile', async () => {
		const rows = list(12).map(({ uuid }) => ({ phone_number_uuid: uuid, calls: 0 }));
		const moved = { ...rows.at(-1), calls: 1 };
		const { fetch } = platform([rows, [moved, { phone_number_uuid: 'new' }]]);
		const read = await paginate({ fetch, path: '/phone-numbers', query: {}, limit: Infinity });
		expect(read).toEqual([...rows, { phone_number_uuid: 'new' }]);
	});

	test('a total that grows with each page, and nothing new on three of them: it ends', async () => {
		let asked = 0;
		const fetch = async () => answer({ data: list(10), meta: { total: 100 + asked++ } });
		const rows = await paginate({ fetch, query: {}, limit: Infinity, width: 1 });
		expect(rows).toEqual(list(10));
		expect(asked).toBe(5);
	});

	test('part of a record: never a second request', async () => {
		const { asked, fetch } = platform([list(40), list(40, 40)]);
		const rows = await paginate({ fetch, query: {}, limit: Infinity, whole: true });
		expect(rows).toEqual(list(40));
		expect(asked).toHaveLength(1);
	});

	test('a query that begins at another page is read from there', async () => {
		const { asked, fetch } = platform([list(15), list(15, 15), list(3, 30)]);
		const rows = await paginate({ fetch, query: { page: 2 }, limit: Infinity });
		expect(rows).toEqual(list(18, 15));
		expect(asked.map(({ page }) => page)).toEqual([2, 3, 4]);
	});
});

test.each([404, 422])(
	'a page that was promised and is refused with %i is an error',
	async (status) => {
		const fetch: ListRequest['fetch'] = async ({ page }) =>
			page ? refused({ status }) : answer({ data: list(3), meta: { hasMore: true } });
		const reading = paginate({ fetch, query: {}, limit: Infinity });
		await expect(reading).rejects.toMatchObject({ facts: { status } });
	},
);

describe('a page size that is refused', () => {
	test.each([
		[60, 100, {}, [100, 50]],
		[25, 100, {}, [100, 50, 20]],
		[10, 100, {}, [100, 50, 20, 10]],
		[5, 100, {}, [100, 50, 20, 10, undefined]],
		[5, 20, {}, [20, 10, undefined]],
		[60, 100, { field: 'per_page' }, [100, 50]],
	])('above %i, of %i that are wanted (%j): the sizes %j are tried', async (...row) => {
		const [largest, limit, facts, expected] = row;
		const sizes: unknown[] = [];
		const fetch: ListRequest['fetch'] = async ({ per_page: size }) => {
			sizes.push(size);
			if (Number(size ?? 0) > largest) refused(facts);
			return answer({ data: list(3), total: 3 });
		};
		expect(await paginate({ fetch, query: {}, limit, pageSize })).toEqual(list(3));
		expect(sizes).toEqual(expected);
	});

	test('every size is refused: the first refusal is told', async () => {
		let tries = 0;
		const fetch = async () => refused({ message: `try ${++tries}` });
		const reading = paginate({ fetch, query: {}, limit: 100, pageSize });
		await expect(reading).rejects.toMatchObject({ facts: { message: 'try 1' } });
		expect(tries).toBe(5);
		const ofFilter = async () => refused({ message: `try ${++tries}`, field: 'status' });
		const filtered = paginate({ fetch: ofFilter, query: {}, limit: 100, pageSize });
		await expect(filtered).rejects.toMatchObject({ facts: { field: 'status' } });
		expect(tries).toBe(6);
	});
});

describe('a cursor', () => {
	const cursors = (page: (number: number) => IDataObject[], about: object = {}) => {
		let requests = 0;
		const fetch: ListRequest['fetch'] = async () => {
			const rows = page(++requests);
			const pagination = { next_cursor: `cursor ${requests}`, ...about };
			return answer({ rows, pagination });
		};
		return {
			read: async () => await paginate({ fetch, query: {}, limit: Infinity }),
			requests: () => requests,
		};
	};

	test.each<[string, (number: number) => IDataObject[], object, number]>([
		['repeats its first page', () => list(5), {}, 2],
		['says that this was all', () => list(5), { has_more: false }, 1],
		['goes round', (number) => list(5, (number % 2) * 5), {}, 3],
		['gives empty pages', (number) => (number === 1 ? list(5) : []), {}, 2],
		['promises more of nothing', (number) => (number === 1 ? list(5) : []), { has_more: true }, 4],
		['repeats and promises more', () => list(5), { has_more: true }, 4],
	])('that never ends and %s', async (_, page, about, requests) => {
		const reading = cursors(page, about);
		const rows = await reading.read();
		expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(rows.length);
		expect(rows.slice(0, 5)).toEqual(page(1));
		expect(reading.requests()).toBe(requests);
	});

	test('an empty page between full ones does not end the list', async () => {
		const pages = [list(5), [], list(5, 5)];
		const reading = cursors((number) => pages[number - 1] ?? [], { has_more: true });
		expect(await reading.read()).toEqual(list(10));
	});

	test('ever new rows end at the most pages that are read', async () => {
		const reading = cursors((number) => list(1, number));
		expect(await reading.read()).toHaveLength(10_001);
		expect(reading.requests()).toBe(10_001);
	});
});

describe('a search in place of a long list', () => {
	const [, one, other] = list(3);
	const proof = ({ uuid }: IDataObject) => (uuid === 'row 1' ? { search: 'x' } : undefined);
	const fits = ({ uuid }: IDataObject) => uuid === 'row 1';

	test.each<[string, unknown, object, unknown, number]>([
		['finds the record alone', [one], {}, 'proven', 2],
		['finds nothing', [], {}, true, 4],
		['finds others, too', [one, other], {}, true, 4],
		['is refused', 422, {}, true, 4],
		['cannot be asked', 500, {}, 'an error', 2],
		['takes more reads', [one], { pays: () => false }, true, 3],
		['has nothing to prove it', [one], { proof: () => undefined }, true, 3],
	])('that %s', async (_, found, change, expected, requests) => {
		let asked = 0;
		const fetch: ListRequest['fetch'] = async ({ page = 1, search }) => {
			asked++;
			if (search && typeof found === 'number') refused({ status: found });
			return answer(search ? { data: found } : { data: hundred(list(250), page), total: 250 });
		};
		const search = { proof, fits, ...change };
		const reading = readWhole({ fetch, query: {}, pageSize, take: () => false, search });
		const outcome = reading.then((all) => all.whole || all.ended).catch(() => 'an error');
		expect([await outcome, asked]).toEqual([expected, requests]);
	});
});

describe('a long list that several executions wait for', () => {
	const many = list(1200);
	const executions = (
		count: number,
		narrow?: (rows: IDataObject[], at: number) => IDataObject[],
	) => {
		let asked = 0;
		const run = async (at: number) => {
			const fetchOf =
				(rows: IDataObject[]): ListRequest['fetch'] =>
				async ({ page = 1 }) => {
					asked++;
					return answer({ data: hundred(rows, page), total: rows.length });
				};
			const own = fetchOf(many);
			const fetch = narrow ? fetchOf(narrow(many, at)) : own;
			const seen: unknown[] = [];
			await readWhole({
				fetch,
				query: {},
				pageSize,
				asked: { name: `contacts of ${count}`, fetch: own },
				take: (rows) => void seen.push(...rows.map(({ uuid }) => uuid)),
			});
			return seen;
		};
		return {
			run: async () => await Promise.all(list(count).map((_, at) => run(at))),
			asked: () => asked,
		};
	};

	test('is read once for all', async () => {
		const { run, asked } = executions(3);
		for (const seen of await run()) expect(seen).toHaveLength(1200);
		expect(asked()).toBe(3 + 12);
	});

	test('is read by each for itself where each asks for another part of it', async () => {
		const { run } = executions(2, (rows, at) => [{ uuid: `of ${at}` }, ...rows.slice(0, 1150)]);
		const [one, other] = await run();
		expect([one![0], other![0]]).toEqual(['of 0', 'of 1']);
	});
});

const byTotal = (total: number) => ({ total });
const byLastPage = (total: number) => ({ last_page: Math.ceil(total / 100) });
test.each<[string, IDataObject[], (total: number) => object]>([
	['a hundred go, by their total', list(150, 100), byTotal],
	['a hundred go, by the last page', list(150, 100), byLastPage],
	['a hundred come, by their total', [...list(100, 1000), ...list(250)], byTotal],
	['a hundred come, by the last page', [...list(100, 1000), ...list(250)], byLastPage],
])('%s, after the first page: all that stayed are there, once', async (_, after, about) => {
	let rows = list(250);
	const fetch: ListRequest['fetch'] = async ({ page = 1 }) => {
		const body = { ...about(rows.length), data: hundred(rows, page) };
		rows = after;
		return answer(body);
	};
	const { told, incomplete } = hearing();
	const all = await paginate({ fetch, query: {}, limit: Infinity, pageSize, incomplete });
	expect(all).toEqual(expect.arrayContaining(list(150, 100)));
	expect([new Set(all.map(({ uuid }) => uuid)).size, told]).toEqual([all.length, ['changed']]);
});

describe('a list that changes while it is read for a decision', () => {
	/** A list of pages of a hundred that another state follows as soon as so many requests came. */
	const moving = (...states: Array<[requests: number, rows: IDataObject[]]>) => {
		let asked = 0;
		const seen = new Set<unknown>();
		const read = async (readings?: number) =>
			await readWhole({
				fetch: async ({ page = 1 }) => {
					const [, rows] = states.find(([until]) => asked < until) ?? states[states.length - 1]!;
					asked++;
					return answer({ data: hundred(rows, page), meta: { total: rows.length } });
				},
				query: {},
				pageSize,
				width: 1,
				readings,
				take: (rows) => rows.forEach(({ uuid }) => seen.add(uuid)),
			});
		return { read, seen };
	};
	const added = [{ uuid: 'new 1' }, { uuid: 'new 2' }];

	test('one goes and two come: who slipped to a page that was read is not taken for absent', async () => {
		const after = [...list(199, 1), ...added];
		const { read, seen } = moving([1, list(200)], [Infinity, after]);
		const slipped = { uuid: 'row 100' };
		expect(await read(1)).toMatchObject({ whole: false, why: whyIncomplete.changed });
		expect(seen).not.toContain(slipped.uuid);
		const again = moving([1, list(200)], [Infinity, after]);
		expect(await again.read()).toMatchObject({ whole: true });
		expect(again.seen).toContain(slipped.uuid);
	});

	test('it goes on changing: whole once everybody was seen before and after one moment', async () => {
		const growing = (count: number) => [...list(count, 1000), ...list(200)];
		const { read, seen } = moving(
			...Array.from({ length: 9 }, (_, at): [number, IDataObject[]] => [at + 1, growing(at)]),
		);
		expect(await read()).toMatchObject({ whole: true });
		expect([...seen]).toEqual(expect.arrayContaining(list(200).map(({ uuid }) => uuid)));
	});

	test('some are missing from every reading: not whole', async () => {
		const turned = [...list(50, 150), ...list(150)];
		const { read, seen } = moving([1, list(200)], [2, turned], [3, list(200)], [4, turned]);
		expect(await read()).toMatchObject({ whole: false });
		expect(seen.size).toBe(150);
	});
});
