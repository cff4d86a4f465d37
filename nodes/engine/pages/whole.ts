import { countBy, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { readPage } from './layouts';
import {
	idOfRow,
	type Incomplete,
	refusesQuery,
	type NewRows,
	type PagesRequest,
	pagesOf,
	whyIncomplete,
} from './pages';
import { type Asked, readTogether } from './together';
import { rethrow } from '../errors/requestError';

/** So many searches take no more reads than to learn how long a list is. */
export const fewSearches = 2;

/** A search that may take the place of a whole list. One that finds nothing proves nothing by itself. */
export interface Search {
	/** A query that must find a record if the search finds every one, however it is stored; nothing if it proves too little. */
	proof: (record: IDataObject) => IDataObject | undefined;
	/** Whether a row is what a query asks for: a platform that ignores it shows others. */
	fits: (row: IDataObject, query: IDataObject) => boolean;
	/** It needs no proof: the workspace's owner has confirmed it. */
	confirmed?: boolean;
	/** Whether searching takes fewer reads than a list with so many rows. */
	pays?: (total: number) => boolean;
	/** Ends the reading where searching pays, proven or not: what is found by chance need not be read. */
	isTried?: true;
}

type Page = [rows: IDataObject[], page: { reading: number; isFirst: boolean }];

export interface WholeRequest extends Omit<PagesRequest, 'enough' | 'from' | 'incomplete'> {
	/** Takes each page in order, and again those of a further reading; `true` ends the reading. */
	take: (...page: Page) => unknown;
	/** Readings of a list that changes while it is read. */
	readings?: number;
	/** Ends the reading after the first of several pages if it is proven there. */
	search?: Search;
	/** Whether a row is one that was searched for; another one ends the reading, and is not taken. */
	fits?: (row: IDataObject) => boolean;
	/** Who waits for the same list at the same moment reads it together. `fetch` reads it; another one reads for itself. */
	asked?: Asked & { fetch: PagesRequest['fetch'] };
}

/** Whether all rows of a list were read, or why not, as a part of a sentence, and what ended the reading. */
export type Whole = { rows: number } & (
	{ whole: true } | { whole: false; why: string; ended?: 'taken' | 'proven' | 'tried' | 'ignored' }
);

const notToItsEnd = 'the list was not read to its end';

/** So many pages are read together with other executions. */
const longPages = 10;

/** Reads a list anew, for all who wait for it. */
async function together({ take, asked, ...rest }: WholeRequest): Promise<Whole> {
	const request = omit(rest, 'search');
	const { query, rows, pageSize, readings } = request;
	const name = JSON.stringify([asked?.name, query, rows, pageSize, readings]);
	const whole = await readTogether<Page, Whole>(
		{ ...asked, name },
		async (page) => (await take(...page)) === true,
		async (give) =>
			await readWhole({ ...request, take: async (...page) => await give(page as Page) }),
	);
	return whole ?? { rows: 0, whole: false, why: notToItsEnd, ended: 'taken' };
}

/**
 * Reads a list for a decision, to its end, and again if it changed meanwhile. Then nobody is missing if at one moment
 * everybody whom the platform counted was known to be there. @throws RequestError
 */
export async function readWhole({ readings = 2, ...request }: WholeRequest): Promise<Whole> {
	/** The first and the last page on which a row was seen. */
	const seen = new Map<unknown, [first: number, last: number]>();
	/** How many rows there were at the moment of each page; pages in parallel have no order. */
	const totals: number[] = [];
	for (let reading = 1; ; reading++) {
		let why: Incomplete | undefined;
		let rows = 0;
		let last = 0;
		const width = reading > 1 ? 1 : request.width;
		const pages = pagesOf({ ...request, width, incomplete: (one) => (why = one) });
		for await (const page of pages) {
			const isFirst = rows === 0;
			rows += page.rows.length;
			last = page.total ?? last;
			const at = totals.push(reading > 1 ? (page.total ?? Infinity) : Infinity) - 1;
			for (const row of page.rows) {
				const id = idOfRow(row, request.path);
				if (id !== undefined) seen.set(id, [seen.get(id)?.[0] ?? at, at]);
			}
			const ended = await endedBy(request, page, { reading, isFirst });
			if (ended === 'long') return await together({ readings, ...request });
			if (ended) return { rows, whole: false, why: notToItsEnd, ended };
		}
		if (rows < last) why ??= 'short';
		if (!why || (why === 'changed' && wereAllThere([...seen.values()], totals)))
			return { rows, whole: true };
		if (why !== 'changed' || reading === readings)
			return { rows, whole: false, why: whyIncomplete[why] };
	}
}

/** @returns what makes reading on needless, if anything does */
async function endedBy(request: WholeRequest, { rows, next, total = 0 }: NewRows, page: Page[1]) {
	const { take, fits, search, asked } = request;
	if (fits && !rows.every(fits)) return 'ignored';
	const isBegun = page.reading > 1 || !page.isFirst || !next;
	const bySearch = search && !isBegun ? await searchedBy(search, rows, total, request) : undefined;
	const isShared = asked !== undefined && asked.fetch === request.fetch;
	if (!bySearch && !isBegun && isShared && total > longPages * rows.length) return 'long';
	return (await take(rows, page)) === true ? 'taken' : bySearch;
}

async function searchedBy(
	search: Search,
	rows: IDataObject[],
	total: number,
	request: WholeRequest,
): Promise<'proven' | 'tried' | undefined> {
	if (search.pays?.(total) === false) return undefined;
	if (search.confirmed || (await isProven(search, rows, request))) return 'proven';
	return search.isTried && 'tried';
}

/** Whether a search finds a record of the list by something that only a search in every spelling finds. */
async function isProven(
	search: Search,
	rows: IDataObject[],
	{ fetch, query, path }: Pick<WholeRequest, 'fetch' | 'query' | 'path'>,
): Promise<boolean> {
	const record = rows.find(
		(row) => idOfRow(row, path) !== undefined && search.proof(row) !== undefined,
	);
	const searched = record && search.proof(record);
	if (!searched) return false;
	try {
		const found = readPage((await fetch({ ...query, ...searched }, readPage)).body).rows;
		const isFound = found.some((row) => idOfRow(row, path) === idOfRow(record, path));
		return isFound && found.every((row) => search.fits(row, searched));
	} catch (thrown) {
		return refusesQuery(thrown) ? false : rethrow(thrown);
	}
}

/** Whether, at the moment of one page, as many rows were there as the platform counted. */
function wereAllThere(seen: Array<[first: number, last: number]>, totals: number[]): boolean {
	const come = countBy(seen, ([first]) => first);
	const gone = countBy(seen, ([, last]) => last + 1);
	let there = 0;
	return totals.some((total, at) => (there += (come[at] ?? 0) - (gone[at] ?? 0)) >= total);
}
