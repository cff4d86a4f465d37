import type { IDataObject } from 'n8n-workflow';
import { isPlainObject, mapKeys, snakeCase } from 'lodash';
import { objectOf } from '../http/envelope';

/** One page, whichever of the platform's layouts it came in. */
export interface Page {
	rows: IDataObject[];
	/** Rows of all pages, where the platform tells. */
	total?: number;
	lastPage?: number;
	cursor?: string;
	/** Whether there is another page; absent where the platform does not say. */
	more?: boolean;
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

/** A cursor that stands in the address of the next page. */
const cursorIn = (address: unknown): string | null => {
	try {
		return new URL(String(address), 'https://platform.example.com').searchParams.get('cursor');
	} catch {
		return null;
	}
};

/** Where platforms tell about pages; in `meta` also one step deeper. */
const pagingNames = ['pagination', 'meta', 'paging', 'page_info', 'pageInfo', 'links'];
const lastPageNames = ['last_page', 'total_pages', 'page_count', 'pages'];
const totalNames = ['total', 'total_items', 'total_count', 'total_records', 'total_results'];
const moreNames = ['has_more', 'has_more_pages', 'has_next', 'has_next_page'];
/** Number or address of the next page; `null` on the last one. */
const nextNames = ['next_page_url', 'next_page', 'next_url', 'next'];
const nextCursorNames = ['next_cursor', 'cursor'];

/**
 * Recognizes the layouts that coexist: rows under `data.items`, `data.data`, `data` or nothing at all; what is told
 * about the pages under `pagination`, `meta` or `links`, beside the rows or beside `data`, in snake or camel case
 * (reference: conventions).
 * @param rows key of the rows where they stand elsewhere
 */
export function readPage(body: unknown, rows?: string): Page {
	if (Array.isArray(body)) return { rows: body.map(asRecord) };
	const whole = objectOf(body);
	const data = 'data' in whole ? whole.data : whole;
	const holder = Array.isArray(data) ? whole : objectOf(data);
	const names = [rows, 'items', 'data'].filter((name): name is string => name !== undefined);
	const name =
		names.find((candidate) => Array.isArray(holder[candidate])) ??
		Object.keys(holder).find((key) => Array.isArray(holder[key]));
	const list = name === undefined ? [] : (holder[name] as unknown[]);

	const places = [holder, whole]
		.flatMap((place) => pagingNames.map((key) => objectOf(place[key])))
		.flatMap((paging) => [objectOf(paging.pagination), paging])
		.concat(holder, whole)
		.map((place) => mapKeys(place, (_, key) => snakeCase(key)));
	/** What is told under the first of these names that stands anywhere; `null` where it stands there without a value. */
	const fact = (keys: string[]): unknown => {
		for (const key of keys) {
			const told = places.map((place) => place[key]).filter((value) => value !== undefined);
			if (told.length > 0) return told.find((value) => value !== null) ?? null;
		}
		return undefined;
	};
	const lastPage = count(fact(lastPageNames)) || undefined;
	const total = count(fact(totalNames));
	const next = fact(nextNames);
	const nextCursor = fact(nextCursorNames);
	const cursor = [nextCursor, cursorIn(next)].find(
		(value): value is string => typeof value === 'string' && value !== '',
	);
	const flag = fact(moreNames);
	const counted = lastPage !== undefined || total !== undefined;
	const more = (): boolean | undefined => {
		if (typeof flag === 'boolean') return flag;
		if (counted) return undefined;
		if (next !== undefined) return Boolean(next);
		return nextCursor === undefined || cursor !== undefined ? undefined : false;
	};
	return { rows: list.map(asRecord), lastPage, total, cursor, more: more() };
}
