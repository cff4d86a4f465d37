import type { IDataObject } from 'n8n-workflow';
import { mapKeys, omit, snakeCase } from 'lodash';
import { objectOf, saysNone, unreadable } from '../response/response';
import { isPlainObject } from '../text/text';

export interface Page {
	rows: IDataObject[];
	total?: number;
	lastPage?: number;
	cursor?: string;
	/** Whether there is another page; absent if the platform does not say. */
	more?: boolean;
}

const count = (value: unknown): number | undefined => {
	const number = typeof value === 'string' && value !== '' ? Number(value) : value;
	return Number.isInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
};

const asRecord = (row: unknown): IDataObject =>
	isPlainObject(row) ? row : { value: row as string };

const cursorIn = (address: unknown): string | null => {
	const whole = [String(address), 'https://platform.example.com'] as const;
	return URL.canParse(...whole) ? new URL(...whole).searchParams.get('cursor') : null;
};

/** Keys under which platforms tell about pages; in `meta` also one step deeper. */
const pagingNames = ['pagination', 'meta', 'paging', 'page_info', 'pageInfo', 'links'];
const lastPageNames = ['last_page', 'total_pages', 'page_count', 'pages'];
const totalNames = ['total', 'total_items', 'total_count', 'total_records', 'total_results'];
const moreNames = ['has_more', 'has_more_pages', 'has_next', 'has_next_page'];
/** Number or URL of the next page; `null` on the last one. */
const nextNames = ['next_page_url', 'next_page', 'next_url', 'next'];
const nextCursorNames = ['next_cursor', 'cursor'];

/** Lists that tell about a response and are not the requested one. */
const noRows = ['errors', 'error', 'warnings', 'details', 'trace', 'links'];

function placeOf(body: unknown, rows?: string): { holder: IDataObject; place: unknown } {
	const whole = objectOf(body);
	if (body === undefined || Array.isArray(body)) return { holder: whole, place: body ?? [] };
	const data = 'data' in whole ? whole.data : whole;
	if (Array.isArray(data) || data === null) return { holder: whole, place: data };
	const holder = objectOf(data);
	const names = [rows, 'items', 'data'].filter((name) => name !== undefined);
	const name =
		names.find((candidate) => Array.isArray(holder[candidate])) ??
		(isRecord(holder, rows !== undefined)
			? undefined
			: Object.keys(omit(holder, noRows)).find((key) => isRows(holder[key]))) ??
		names.find((candidate) => holder[candidate] === null);
	return { holder, place: name === undefined ? undefined : holder[name] };
}

/** Under an unknown name, rows must be records. */
const isRows = (value: unknown): boolean => Array.isArray(value) && value.every(isPlainObject);

/** Whether an object is one record, whose lists are its own. */
const isRecord = (holder: IDataObject, ofPart: boolean): boolean =>
	Object.keys(holder).some((name) => (ofPart ? /(^|_)(uuid|id)$/ : /^(uuid|id)$/).test(name));

/**
 * Recognizes the layouts that coexist: rows under `data.items`, `data.data`, `data` or nothing; pages under `pagination`,
 * `meta` or `links`, beside the rows or `data` (reference: conventions). No body (204) and null say that there are none.
 * @throws RequestError if no list can be recognized: that is not an empty one
 */
export function readPage(body: unknown, rows?: string): Page {
	const whole = objectOf(body);
	const { holder, place } = placeOf(body, rows);
	const tellers = [holder, whole]
		.flatMap((teller) => pagingNames.map((key) => objectOf(teller[key])))
		.flatMap((paging) => [objectOf(paging.pagination), paging])
		.concat(holder, whole)
		.map((teller) => mapKeys(teller, (_, key) => snakeCase(key)));
	/** What is told under the first of these names that exists anywhere; `null` if it has no value there. */
	const fact = (keys: string[]): unknown => {
		for (const key of keys) {
			const told = tellers.map((teller) => teller[key]).filter((value) => value !== undefined);
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
	const none = total === 0 || (total === undefined && saysNone(whole, place));
	if (!Array.isArray(place) && !none) throw unreadable('list', body);
	const list = Array.isArray(place) ? place : [];
	return { rows: list.map(asRecord), lastPage, total, cursor, more: more() };
}
