import { isEmpty, memoize, snakeCase } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { limits } from '../platform/facts';
import type { PlatformResponse } from '../http/client';
import { type Page, readPage } from './layouts';
import { RequestError, rethrow } from '../errors/requestError';
import { digest } from '../text/text';

export interface PageSize {
	name: string;
	max: number;
}

/** The usual page size of lists, and the maximum that the platform returns. */
export const perPage: PageSize = { name: 'per_page', max: limits.pageSize.most };

/** Where reading goes on: the page, and what to know of those before it. */
export interface NextPage {
	number: number;
	perPage: number;
	print: string;
	/** The page size that the platform took. */
	size?: number;
}

export type ListReader = (body: unknown) => Page;

export interface PagesRequest {
	/** What `reads` cannot read is asked for again. */
	fetch: (query: IDataObject, reads: ListReader) => Promise<PlatformResponse>;
	query: IDataObject;
	/** Key of the rows, if they are neither under `data.items`, `data.data` nor `data`. */
	rows?: string;
	/** Names the records: rows of `/agents` with neither `uuid` nor `id` have an `agent_uuid`. */
	path?: string;
	pageSize?: PageSize;
	/** Pages read in parallel once their number is known. */
	width?: number;
	/** Rows that will be enough; Infinity if not known. */
	enough?: number;
	/** Its sources show the list as a whole: a few rows that tell nothing about pages are all. */
	unpaged?: boolean;
	/** The list is part of one record: what tells nothing about pages is whole. */
	whole?: boolean;
	from?: NextPage;
	incomplete?: (why: Incomplete) => void;
}

/** Why rows may be missing, as a part of a sentence. */
export const whyIncomplete = {
	changed: 'the list changed while it was read',
	short: 'the list has more records than its pages contained',
	refused: 'the platform refused a further page of the list',
	repeated: 'the platform returned a page of the list twice',
};
export type Incomplete = keyof typeof whyIncomplete;

export interface ListRequest extends Omit<PagesRequest, 'enough' | 'from'> {
	limit: number;
	/** Rows that do not count and are left out; all pages may have to be read to find enough others. */
	keeps?: (row: IDataObject) => boolean;
	/** The rows of a page without those that the platform should not have listed. Pages are not larger for them. */
	own?: (rows: IDataObject[]) => IDataObject[];
	take?: (rows: IDataObject[]) => IDataObject[];
	/** Whether no row of a later page is wanted. */
	isPast?: (rows: IDataObject[]) => boolean;
}

/** Guessed parameters, which a platform may ignore (`keeps` filters here); if it refuses them, the list is read without. */
export function guessing(fetch: ListRequest['fetch'], guess: IDataObject): ListRequest['fetch'] {
	let added = guess;
	return async (query, reads) =>
		await fetch({ ...query, ...added }, reads).catch(async (thrown: unknown) => {
			if (!refusesQuery(thrown) || isEmpty(added)) return rethrow(thrown);
			added = {};
			return await fetch(query, reads);
		});
}

/** Platforms that choose their page size choose at least this many rows, if they have pages at all. */
const smallestPage = 10;

const mostPages = 10_000;
/** Pages in a row without a new row, although there is said to be more. */
const mostIdlePages = 3;
/** Sizes to ask for when the platform refuses a larger one; after them none at all. */
const smallerSizes = [50, 20, 10];

/** Reads a list until `limit` or its end. @throws RequestError */
export async function paginate({
	limit,
	keeps,
	own = (rows) => rows,
	take = (rows) => rows,
	isPast = () => false,
	...request
}: ListRequest): Promise<IDataObject[]> {
	const result: IDataObject[] = [];
	if (limit <= 0) return result;
	let taken = 0;
	for await (const { rows } of pagesOf({ ...request, enough: keeps ? Infinity : limit })) {
		const listed = own(rows);
		const wanted = (keeps ? listed.filter(keeps) : listed).slice(0, limit - taken);
		taken += wanted.length;
		for (const row of take(wanted)) result.push(row);
		if (taken >= limit || isPast(rows)) break;
	}
	return result;
}

export interface NewRows {
	rows: IDataObject[];
	next?: NextPage;
	total?: number;
}

export const refusesQuery = (thrown: unknown): thrown is RequestError =>
	thrown instanceof RequestError && thrown.isInvalidRequest;

/** A page that nothing promised may be refused: the platform does not know pages, or not this one. */
const ifRefused = (thrown: unknown): undefined =>
	refusesQuery(thrown) || (thrown instanceof RequestError && thrown.facts.status === 404)
		? undefined
		: rethrow(thrown);

/** Names of a record's ID by the name of its list, the surest first: a column of a table may be called `id`, too. */
export const idNames = memoize((list: string): string[] => {
	const one = snakeCase(list).replace(/s$/, '');
	return [`${one}_uuid`, 'uuid', `${one}_id`, 'id'];
});

/** What tells a row from the others of its list; undefined if it shows no ID. */
export const idOfRow = (row: IDataObject, path = ''): unknown =>
	idNames(path.slice(path.lastIndexOf('/') + 1))
		.map((name) => row[name])
		.find((one) => one != null);

/** Tells two pages apart without keeping them; the order of their rows does not count. */
function printOf(rows: IDataObject[], path?: string): string {
	const ids = rows.map((row) => idOfRow(row, path));
	const areIds = !ids.includes(undefined) && new Set(ids).size === rows.length;
	return digest((areIds ? ids.map(String) : rows.map((row) => JSON.stringify(row))).sort());
}

/** Ends when the platform says so, or with a page that brings nothing new; no row comes twice. @throws RequestError */
export async function* pagesOf(request: PagesRequest): AsyncGenerator<NewRows> {
	yield* new Reading(request).all();
}

/**
 * One reading of a list. Numbered pages are read in parallel while the list does not change, then one by one; if rows
 * are gone, the pages before, to which others have moved, are read again.
 */
class Reading {
	private readonly start: number;
	/** The page size that the platform took, and how many rows its pages have. */
	private size?: number;
	private perPage = 0;
	/** What the platform says of the end, from the newest page that mentions it. */
	private total?: number;
	private told?: number;
	private readonly pending = new Map<number, Promise<Page>>();
	/** What was returned: pages by their content, rows by their ID unless one occurs twice on a page. */
	private readonly prints: Set<string>;
	private readonly given = new Set<unknown>();
	private tells = true;
	private changed = false;
	private endMoves = false;
	private seen = 0;
	private idle = 0;

	constructor(private readonly request: PagesRequest) {
		const { from, query } = request;
		this.start = from?.number ?? (Number(query.page) || 1);
		this.size = from?.size;
		this.prints = new Set(from ? [from.print] : []);
	}

	async *all(): AsyncGenerator<NewRows> {
		const { from } = this.request;
		const first = from
			? await this.read({ page: from.number }).catch(ifRefused)
			: await this.first();
		if (first) yield* first.cursor === undefined ? this.numbered(first) : this.byCursor(first);
	}

	private async read(query: IDataObject): Promise<Page> {
		const { fetch, pageSize, rows, query: always } = this.request;
		const reads: ListReader = (body) => readPage(body, rows);
		const sized = pageSize && this.size ? { [pageSize.name]: this.size } : {};
		return reads((await fetch({ ...always, ...sized, ...query }, reads)).body);
	}

	/** The first page, requested smaller if the platform refuses its size. */
	private async first(): Promise<Page> {
		const { pageSize, enough = Infinity } = this.request;
		const largest = pageSize && Math.max(1, Math.min(pageSize.max, enough));
		const smaller = smallerSizes.filter((size) => largest !== undefined && size < largest);
		let refused: RequestError | undefined;
		for (const size of largest ? [largest, ...smaller, undefined] : [undefined]) {
			this.size = size;
			try {
				return await this.read({});
			} catch (thrown) {
				// A request refused for another reason is not sent again.
				const isOfSize =
					refusesQuery(thrown) && [undefined, pageSize?.name].includes(thrown.facts.field);
				if (!isOfSize || !pageSize) return rethrow(refused ?? thrown);
				refused ??= thrown;
			}
		}
		return rethrow(refused);
	}

	private fresh(rows: IDataObject[], print: string): IDataObject[] {
		if (this.prints.has(print)) return [];
		this.prints.add(print);
		const ids = rows.map((row) => idOfRow(row, this.request.path));
		const known = ids.filter((one) => one !== undefined);
		// What occurs twice on one page is no ID.
		this.tells &&= new Set(known).size === known.length;
		const fresh = this.tells ? rows.filter((_, at) => !this.given.has(ids[at])) : rows;
		for (const one of known) this.given.add(one);
		this.seen += fresh.length;
		return fresh;
	}

	private async *numbered(first: Page): AsyncGenerator<NewRows> {
		const { start, size } = this;
		this.perPage = this.request.from?.perPage ?? first.rows.length;
		this.observe(first);
		const { perPage } = this;
		const isPromised =
			this.lastPage !== undefined || first.more === true || (size !== undefined && perPage >= size);
		let page: Page | undefined = first;
		for (let at = start, moved = 0; ; at++) {
			const print = printOf(page.rows, this.request.path);
			const rows = this.fresh(page.rows, print);
			// Some of its rows were on another page before.
			const overlaps = rows.length > 0 && rows.length < page.rows.length && at > start;
			const stands = moved === 0 && !overlaps;
			this.endMoves ||= moved !== 0;
			if (!stands) this.noteChange();
			const goesOn = this.goesOn(page, at, rows.length);
			const next = goesOn ? { number: at + 1, perPage, print, size } : undefined;
			if (rows.length > 0 || at === start) yield { rows, next, total: this.total };
			if (moved < 0) yield* this.slipped(at, moved, next);
			if (!next) return this.conclude(at, page.rows.length > rows.length);
			page = await this.further(next.number, stands, isPromised);
			if (!page) return;
			moved = this.observe(page);
		}
	}

	/** How many more rows there are than before. */
	private observe({ total, lastPage }: Page): number {
		const before = this.total ?? this.told;
		this.total = total ?? this.total;
		this.told = lastPage ?? this.told;
		const now = this.total ?? this.told;
		if (before === undefined || now === undefined) return 0;
		return this.total === undefined ? (now - before) * this.perPage : now - before;
	}

	private get lastPage(): number | undefined {
		if (this.told !== undefined) return this.told;
		return this.total && this.perPage ? Math.ceil(this.total / this.perPage) : undefined;
	}

	private noteChange(): void {
		if (!this.changed) this.request.incomplete?.('changed');
		this.changed = true;
		// Pages read in advance are read again when their turn comes.
		this.pending.clear();
	}

	private goesOn({ rows, more }: Page, at: number, fresh: number): boolean {
		const { unpaged, whole } = this.request;
		const { lastPage } = this;
		if (rows.length === 0 || at >= mostPages) return false;
		// New records can push all rows of a page on to the next one.
		this.idle = fresh > 0 ? 0 : this.idle + 1;
		if (this.idle > 0 && !(this.endMoves && this.idle <= mostIdlePages)) return false;
		const few = unpaged === true && at === this.start && rows.length < smallestPage;
		return more ?? (lastPage === undefined ? !whole && !few : at < lastPage);
	}

	/** Rows that have moved to pages before, because `moved` others are gone. */
	private async *slipped(at: number, moved: number, next?: NextPage): AsyncGenerator<NewRows> {
		const back = Math.ceil(-moved / this.perPage);
		for (let again = Math.max(this.start, at - back); again < at; again++) {
			const page = await this.read({ page: again });
			const rows = this.fresh(page.rows, printOf(page.rows, this.request.path));
			if (rows.length > 0) yield { rows, next, total: this.total };
		}
	}

	private conclude(at: number, repeats: boolean): void {
		const { start, changed, total = 0, lastPage = 0, seen } = this;
		const isShort = start === 1 && !changed && (seen < total || at < lastPage);
		if (isShort || at >= mostPages) this.request.incomplete?.('short');
		// A platform that ignores page numbers returns its first page again.
		else if (!changed && !lastPage && repeats && seen >= smallestPage)
			this.request.incomplete?.('repeated');
	}

	/** The next page, others beside it; nothing if the platform refuses it and nothing promised it. */
	private async further(at: number, stands: boolean, isPromised: boolean) {
		const { enough = Infinity, width = 4, incomplete } = this.request;
		const lastWanted = this.start - 1 + Math.ceil(enough / this.perPage);
		const last = Math.min(this.lastPage ?? at, lastWanted, at + (stands ? width : 1) - 1);
		for (let number = at; number <= Math.max(at, last); number++) {
			if (this.pending.has(number)) continue;
			const page = this.read({ page: number });
			// Handled when its turn comes; without this a later page's failure would be an unhandled rejection.
			page.catch(() => undefined);
			this.pending.set(number, page);
		}
		const page = this.pending.get(at);
		this.pending.delete(at);
		return await page?.catch((thrown: unknown) => {
			if (isPromised) return rethrow(thrown);
			ifRefused(thrown);
			// A list without page numbers has one page; a page that is not found may be missing.
			if (at > this.start + 1 || !refusesQuery(thrown)) incomplete?.('refused');
			return undefined;
		});
	}

	private async *byCursor(first: Page): AsyncGenerator<NewRows> {
		const { incomplete } = this.request;
		const { total } = first;
		yield { rows: this.fresh(first.rows, printOf(first.rows, this.request.path)), total };
		const asked = new Set<string>();
		for (let page = first; page.cursor !== undefined && page.more !== false;) {
			if (asked.has(page.cursor) || asked.size >= mostPages) return incomplete?.('short');
			asked.add(page.cursor);
			page = await this.read({ cursor: page.cursor });
			const rows = this.fresh(page.rows, printOf(page.rows, this.request.path));
			this.idle = rows.length > 0 ? 0 : this.idle + 1;
			if (this.idle > 0 && page.more !== true) return;
			if (this.idle >= mostIdlePages) return incomplete?.('short');
			yield { rows, total };
		}
	}
}
