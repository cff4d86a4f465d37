import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { limits } from '../platform/facts';
import type { PlatformResponse } from '../http/client';
import { type Page, readPage } from './layouts';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';

/** The query parameter that sets the page size, and the most that it takes. */
export interface PageSize {
	name: string;
	max: number;
}

/** The page size of most lists, and the most that the platform gives. */
export const perPage: PageSize = { name: 'per_page', max: limits.pageSize.most };

/** Where reading goes on: the page, and what is to be known of those before it. */
export interface NextPage {
	number: number;
	/** Rows of the first page. */
	perPage: number;
	/** Content of the page before. */
	print: string;
	/** The page size that the platform took. */
	size?: number;
}

export interface PagesRequest {
	/** Reads one page. */
	fetch: (query: IDataObject) => Promise<PlatformResponse>;
	query: IDataObject;
	/** Key of the rows where they stand neither under `data.items`, `data.data` nor `data`. */
	rows?: string;
	/** Key of the rows' ID where it is neither `uuid` nor `id`. */
	id?: string;
	pageSize?: PageSize;
	/** Pages read side by side once their number is known. */
	width?: number;
	/** Rows that will be enough; Infinity where nobody knows. */
	enough?: number;
	/** The list is part of one record: what tells nothing about pages is whole. */
	whole?: boolean;
	/** What an earlier reading gave as `next`. */
	from?: NextPage;
}

export interface ListRequest extends Omit<PagesRequest, 'enough' | 'from'> {
	/** Most rows wanted; Infinity for all. */
	limit: number;
	/** Rows that do not count and are left out; all pages may have to be read to find enough others. */
	keeps?: (row: IDataObject) => boolean;
	/** Called with each page's rows, in order; what it returns is kept. */
	take?: (rows: IDataObject[]) => IDataObject[];
}

/** The platform lists what was not searched for, so it takes no notice of the search. */
export class NotNarrowed extends Error {
	override name = 'NotNarrowed';
}

/**
 * Adds query parameters whose names are our guess to every page; when the platform refuses them, the list is read
 * without. A platform that does not know them may as well ignore them, so the rows are to be sorted out here (`keeps`).
 */
export function guessing(fetch: ListRequest['fetch'], guess: IDataObject): ListRequest['fetch'] {
	let added = guess;
	return async (query) =>
		await fetch({ ...query, ...added }).catch(async (thrown: unknown) => {
			if (
				!(thrown instanceof RequestError) ||
				!thrown.isInvalidRequest ||
				Object.keys(added).length === 0
			)
				throw thrown;
			added = {};
			return await fetch(query);
		});
}

/**
 * A list of fewer rows that tells nothing about pages is taken for whole: platforms choose 10, 15, 20, 25, 50 or 100
 * rows per page. A longer one may be a first page, whatever size was asked for, and costs one more request.
 */
const smallestPage = 10;
/** Stops a server that never ends. */
const mostPages = 10_000;
/** Pages of a cursor without a new row, although there is said to be more. */
const mostIdlePages = 3;
/** Sizes to ask for when the platform refuses a larger one; after them none at all. */
const smallerSizes = [50, 20, 10];

/**
 * Reads a list page by page until `limit` or its end.
 * @returns rows in the platform's order, at most `limit`
 * @throws RequestError
 */
export async function paginate({
	limit,
	keeps,
	take = (rows) => rows,
	...request
}: ListRequest): Promise<IDataObject[]> {
	const result: IDataObject[] = [];
	if (limit <= 0) return result;
	let taken = 0;
	for await (const { rows } of pagesOf({ ...request, enough: keeps ? Infinity : limit })) {
		const wanted = (keeps ? rows.filter(keeps) : rows).slice(0, limit - taken);
		taken += wanted.length;
		for (const row of take(wanted)) result.push(row);
		if (taken >= limit) break;
	}
	return result;
}

/**
 * The pages of a list, each when it is asked for. The list ends when the platform says so, or with a page that is
 * empty, shorter than the first or brings nothing new. Rows that an earlier page had are left out: records move on to
 * the next page when others come in before them.
 * @returns for each page its new rows, and `next` where there may be another
 * @throws RequestError
 */
export async function* pagesOf(
	request: PagesRequest,
): AsyncGenerator<{ rows: IDataObject[]; next?: NextPage }> {
	const { fetch, pageSize, enough = Infinity, width = 4, from } = request;
	const read = async (size: number | undefined, query: IDataObject): Promise<Page> => {
		const sized = pageSize && size ? { [pageSize.name]: size } : {};
		return readPage((await fetch({ ...request.query, ...sized, ...query })).body, request.rows);
	};
	const { first, size } = from
		? { first: await ifThere(read(from.size, { page: from.number })), size: from.size }
		: await begin(request, async (size) => await read(size, {}));
	if (!first) return;
	const start = from?.number ?? (Number(request.query.page) || 1);
	const perPage = from?.perPage ?? first.rows.length;
	const news = remember(request.id, from?.print);
	if (first.cursor !== undefined) {
		yield { rows: news(first.rows).rows };
		yield* pagesByCursor(first, async (cursor) => await read(size, { cursor }), news);
		return;
	}

	const lastPage =
		first.lastPage ?? (first.total && perPage ? Math.ceil(first.total / perPage) : undefined);
	const full = size !== undefined && perPage >= size;
	const promised = lastPage !== undefined || first.more === true || full;
	const nextOf = ({ rows, more }: Page, at: number, print: string): NextPage | undefined => {
		const longEnough = !request.whole && rows.length >= Math.max(perPage, smallestPage);
		const goesOn = more ?? (lastPage === undefined ? longEnough : at < lastPage);
		return goesOn && rows.length > 0 && at < mostPages
			? { number: at + 1, perPage, print, size }
			: undefined;
	};
	const pageAt = inAdvance(
		async (page) => {
			const reading = read(size, { page });
			return await (promised ? reading : ifThere(reading));
		},
		lastPage === undefined ? 1 : width,
		Math.min(lastPage ?? Infinity, start - 1 + Math.ceil(enough / perPage)),
	);
	for (let at = start, page: Page | undefined = first; page;) {
		const { rows, print } = news(page.rows);
		const next: NextPage | undefined = nextOf(page, at, print);
		if (rows.length > 0 || at === start) yield { rows, next };
		if (!next || rows.length === 0) return;
		at = next.number;
		page = await pageAt(at);
	}
}

async function* pagesByCursor(
	first: Page,
	read: (cursor: string) => Promise<Page>,
	news: ReturnType<typeof remember>,
): AsyncGenerator<{ rows: IDataObject[] }> {
	const asked = new Set<string>();
	let idle = 0;
	for (let page = first; page.cursor !== undefined && page.more !== false;) {
		if (asked.has(page.cursor) || asked.size >= mostPages) return;
		asked.add(page.cursor);
		page = await read(page.cursor);
		const { rows } = news(page.rows);
		idle = rows.length > 0 ? 0 : idle + 1;
		if (idle > 0 && (page.more !== true || idle >= mostIdlePages)) return;
		yield { rows };
	}
}

/**
 * The first page, asked for smaller where the platform refuses its size.
 * @returns the page, and the size it was asked for
 * @throws RequestError
 */
async function begin(
	{ pageSize, enough = Infinity }: PagesRequest,
	read: (size: number | undefined) => Promise<Page>,
): Promise<{ first: Page; size?: number }> {
	const largest = pageSize && Math.max(1, Math.min(pageSize.max, enough));
	if (!largest) return { first: await read(undefined) };
	let refused: RequestError | undefined;
	for (const size of [largest, ...smallerSizes.filter((one) => one < largest), undefined]) {
		try {
			return { first: await read(size), size };
		} catch (thrown) {
			// What the platform refuses for another reason is not asked for again.
			if (!isRefusal(thrown) || ![undefined, pageSize.name].includes(thrown.facts.field))
				return rethrow(refused ?? thrown);
			refused ??= thrown;
		}
	}
	return rethrow(refused);
}

const isRefusal = (thrown: unknown): thrown is RequestError =>
	thrown instanceof RequestError && thrown.isInvalidRequest;

/** A page that nothing promised may be refused: the platform does not know pages, or not this one. */
const ifThere = async (page: Promise<Page>): Promise<Page | undefined> =>
	await page.catch((thrown: unknown) =>
		isRefusal(thrown) || (thrown instanceof RequestError && thrown.facts.status === 404)
			? undefined
			: rethrow(thrown),
	);

/** Reads pages side by side, up to the last that is certainly needed. @returns a page, by its number */
function inAdvance<T>(read: (page: number) => Promise<T>, width: number, last: number) {
	const pending = new Map<number, Promise<T>>();
	return async (number: number): Promise<T> => {
		for (let ask = number; ask < number + width && (ask === number || ask <= last); ask++) {
			if (pending.has(ask)) continue;
			const page = read(ask);
			// Handled when its turn comes; without this a later page's failure would be reported as nobody's.
			page.catch(() => undefined);
			pending.set(ask, page);
		}
		const page = pending.get(number) as Promise<T>;
		pending.delete(number);
		return await page;
	};
}

/** Tells two pages apart without keeping them; in which order their rows come does not count. */
const printOf = (rows: IDataObject[]): string =>
	createHash('sha256')
		.update(JSON.stringify(rows.map((row) => JSON.stringify(row)).sort()))
		.digest('base64url')
		.slice(0, 22);

/**
 * Remembers what was given, rows by their ID and pages by their content.
 * @param before content of a page that was given before
 * @returns a function that leaves out of a page what was given before, and tells the page's content
 */
function remember(id?: string, before?: string) {
	const prints = new Set(before === undefined ? [] : [before]);
	const given = new Set<unknown>();
	let tells = true;
	return (rows: IDataObject[]): { rows: IDataObject[]; print: string } => {
		const print = printOf(rows);
		if (prints.has(print)) return { rows: [], print };
		prints.add(print);
		const ids = rows.map((row) => (id ? row[id] : undefined) ?? row.uuid ?? row.id ?? undefined);
		const known = ids.filter((one) => one !== undefined);
		// What stands twice on one page is no ID.
		tells &&= new Set(known).size === known.length;
		const fresh = tells ? rows.filter((_, at) => !given.has(ids[at])) : rows;
		for (const one of known) given.add(one);
		return { rows: fresh, print };
	};
}
