import type { IDataObject } from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import type { Answer } from './client';
import { RequestError } from './requestError';

/** One page, whichever of the platform's layouts it came in. */
interface Page {
	rows: IDataObject[];
	/** Total of all pages, where the platform tells. */
	total?: number;
	lastPage?: number;
	cursor?: string;
	more?: boolean;
	/** False for layouts that always hold everything. */
	paged: boolean;
}

const count = (value: unknown): number | undefined => {
	const number =
		typeof value === 'number'
			? value
			: typeof value === 'string' && value !== ''
				? Number(value)
				: NaN;
	return Number.isInteger(number) && number >= 0 ? number : undefined;
};

const asRecord = (row: unknown): IDataObject =>
	isPlainObject(row) ? (row as IDataObject) : { value: row as string };

/**
 * Recognises the layouts that coexist: `data.items` with `data.pagination`, `data.data` with `current_page` and
 * `last_page`, a bare list under `data`, and rows with a cursor (reference: conventions).
 * @param rows key of the rows where they stand elsewhere
 */
export function readPage(body: unknown, rows?: string): Page {
	if (Array.isArray(body)) return { rows: body.map(asRecord), paged: false };
	const whole = (isPlainObject(body) ? body : {}) as IDataObject;
	const data = 'data' in whole ? whole.data : whole;
	if (Array.isArray(data)) return { rows: data.map(asRecord), paged: true };
	const holder = (isPlainObject(data) ? data : {}) as IDataObject;
	const names = [rows, 'items', 'data'].filter((name): name is string => name !== undefined);
	const name =
		names.find((candidate) => Array.isArray(holder[candidate])) ??
		Object.keys(holder).find((key) => Array.isArray(holder[key]));
	const list = name === undefined ? [] : (holder[name] as unknown[]);
	const paging = (
		isPlainObject(holder.pagination)
			? holder.pagination
			: isPlainObject(whole.pagination)
				? whole.pagination
				: isPlainObject(holder.meta)
					? holder.meta
					: {}
	) as IDataObject;
	const fact = (...keys: string[]) =>
		keys
			.map((key) => paging[key] ?? holder[key])
			.find((value) => value !== undefined && value !== null);
	const cursor = fact('next_cursor', 'cursor');
	return {
		rows: list.map(asRecord),
		paged: true,
		total: count(fact('total', 'total_items', 'total_count')),
		lastPage: count(fact('last_page', 'total_pages', 'pages')),
		...(typeof cursor === 'string' && cursor !== '' ? { cursor } : {}),
		...(typeof fact('has_more') === 'boolean' ? { more: fact('has_more') as boolean } : {}),
	};
}

/** The query parameter that sets the page size, and the most that it takes. */
export interface PageSize {
	name: string;
	max: number;
}

export interface ListRequest {
	/** Reads one page. */
	fetch: (query: IDataObject) => Promise<Answer>;
	query: IDataObject;
	/** Most rows wanted; Infinity for all. */
	limit: number;
	rows?: string;
	pageSize?: PageSize;
	/** Pages read side by side once their number is known. */
	width?: number;
	/** Rows that do not count and are left out; all pages may have to be read to find enough others. */
	keeps?: (row: IDataObject) => boolean;
	/** Called with each page's rows, in order; what it returns is kept. */
	take?: (rows: IDataObject[]) => IDataObject[];
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

/** Stops a server that never ends. */
const mostPages = 100_000;

/**
 * Reads a list page by page until `limit`, its end, or a page that repeats the one before.
 * @returns rows in the platform's order, at most `limit`
 */
export async function paginate(request: ListRequest): Promise<IDataObject[]> {
	const { fetch, limit, pageSize, keeps } = request;
	const toRead = keeps ? Infinity : limit;
	const take = request.take ?? ((rows: IDataObject[]) => rows);
	const size = pageSize ? Math.max(1, Math.min(pageSize.max, toRead)) : undefined;
	const query = { ...request.query, ...(pageSize && size ? { [pageSize.name]: size } : {}) };
	const result: IDataObject[] = [];
	if (limit <= 0) return result;

	const first = readPage((await fetch(query)).body, request.rows);
	let taken = 0;
	const add = (rows: IDataObject[]) => {
		const wanted = (keeps ? rows.filter(keeps) : rows).slice(0, limit - taken);
		taken += wanted.length;
		for (const row of take(wanted)) result.push(row);
	};
	add(first.rows);

	if (first.cursor !== undefined) {
		const seen = new Set<string>();
		for (
			let page = first;
			taken < limit && page.cursor !== undefined && page.more !== false && !seen.has(page.cursor);
		) {
			seen.add(page.cursor);
			page = readPage((await fetch({ ...query, cursor: page.cursor })).body, request.rows);
			add(page.rows);
			if (page.rows.length === 0 && page.more !== true) break;
		}
		return result;
	}

	const perPage = first.rows.length;
	const lastPage =
		first.lastPage ??
		(first.total !== undefined && perPage > 0 ? Math.ceil(first.total / perPage) : undefined);
	const mayContinue = first.paged && perPage > 0 && taken < limit;
	if (!mayContinue || first.more === false || (lastPage !== undefined && lastPage <= 1))
		return result;
	// A bare list tells neither total nor page: only a full page of the size asked for promises another.
	if (lastPage === undefined && first.more !== true && (size === undefined || perPage < size))
		return result;

	let previous = fingerprint(first.rows);
	const width = lastPage === undefined ? 1 : Math.max(1, request.width ?? 4);
	const end = Math.min(
		lastPage ?? mostPages,
		mostPages,
		toRead === Infinity ? mostPages : Math.ceil(toRead / perPage),
	);
	const pending = new Map<number, Promise<Page>>();
	let ask = 2;
	const more = () => {
		while (pending.size < width && ask <= end) {
			const number = ask++;
			const page = fetch({ ...query, page: number }).then((answer) =>
				readPage(answer.body, request.rows),
			);
			// Handled when its turn comes; without this a later page's failure would be reported as nobody's.
			page.catch(() => undefined);
			pending.set(number, page);
		}
	};
	for (let number = 2; number <= end && taken < limit; number++) {
		more();
		const page = await (pending.get(number) as Promise<Page>);
		pending.delete(number);
		const print = fingerprint(page.rows);
		if (page.rows.length === 0 || print === previous) break;
		previous = print;
		add(page.rows);
		if (
			lastPage === undefined &&
			page.more !== true &&
			size !== undefined &&
			page.rows.length < size
		)
			break;
	}
	return result;
}

/** Tells two pages apart without keeping them. */
const fingerprint = (rows: IDataObject[]): string =>
	`${rows.length}:${JSON.stringify(rows[0] ?? null)}:${JSON.stringify(rows[rows.length - 1] ?? null)}`;
