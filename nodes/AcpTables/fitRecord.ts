import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { unreadable, parseExactly } from '../engine/response/response';
import { tableColumns, unmatchable } from '../engine/lookups/tableColumns';
import {
	type Fail,
	isPlainObject,
	InvalidValue,
	numberIn,
	quoted,
	yesOrNo,
} from '../engine/text/text';
import { readDate, readInstant, type Zone } from '../engine/time';

/** @param response of `GET /data/{uuid}/fields` @param matching names of columns @throws RequestError if it holds no list */
export function refuseMatching(response: unknown, matching: string[]): string | undefined {
	const column = tableColumns(response).find(
		({ name, type }) => matching.includes(name) && Object.hasOwn(unmatchable, type),
	);
	return (
		column &&
		`The column "${column.name}" holds ${unmatchable[column.type]}, which can be written in several ways. Match on a column that holds text, numbers, URLs, or true and false`
	);
}

const asNumber = (value: unknown, fail: Fail): number => {
	const number = typeof value === 'string' ? numberIn(value) : value;
	return typeof number === 'number' && Number.isFinite(number)
		? number
		: fail(
				`holds numbers, but the value is ${quoted(value)}. Enter it without thousands separators, like 1234.5, or pass a number`,
			);
};

const asBoolean = (value: unknown, fail: Fail): boolean =>
	typeof value === 'boolean'
		? value
		: (yesOrNo(String(value)) ?? fail(`holds true or false, but the value is ${quoted(value)}`));

/** Date pickers return midnight without an offset for a day; luxon's text, such as that of `$today`, has one. */
const dayPattern = /^\d{4}-\d{2}-\d{2}(?:[T ]00:00(?::00(?:\.0+(?:Z|[+-]\d{2}:\d{2})?)?)?)?$/;

/** A day, or a moment if the value names a time of day; days are never shifted (interface §2.1 rule 4). */
function asDate(value: unknown, fail: Fail, zone: Zone): string {
	const day = DateTime.isDateTime(value)
		? value.isValid && value.equals(value.startOf('day'))
		: typeof value === 'string' && dayPattern.test(value.trim());
	const invalid = (text: string): never => fail(`holds dates, but the value ${text}`);
	return day ? readDate(value, zone, invalid) : readInstant(value, zone, invalid);
}

/** JSON text becomes what it says; any other text is a JSON text itself. */
function asJson(value: unknown, fail: Fail): unknown {
	if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
	try {
		return parseExactly(value);
	} catch {
		return fail(`holds JSON, but the value is not valid JSON: ${quoted(value)}`);
	}
}

const readers: Record<string, (value: unknown, fail: Fail, zone: Zone) => unknown> = {
	text: (value) =>
		typeof value === 'string'
			? value
			: typeof value === 'object'
				? JSON.stringify(value)
				: String(value),
	number: asNumber,
	date: asDate,
	boolean: asBoolean,
	json: asJson,
	url: (value, fail) =>
		typeof value === 'string' && /^https?:\/\/[^\s/]+/i.test(value.trim())
			? value.trim()
			: fail(`holds URLs, but the value is ${quoted(value)}. It should begin with https://`),
};

/**
 * @param response of `GET /data/{uuid}/fields` @param record column name to value; an empty text empties the cell
 * @throws RequestError if no columns are shown; InvalidValue for an unknown column and for a value that does not fit
 */
export function fitRecord(response: unknown, record: unknown, zone: Zone): unknown {
	const columns = tableColumns(response);
	if (columns.length === 0) throw unreadable('list', response);
	if (!isPlainObject(record)) return record;
	const known = new Map(columns.map(({ name, type }) => [name, type]));
	return Object.fromEntries(
		Object.entries(record as IDataObject).map(([name, value]) => {
			const type = known.get(name);
			if (type === undefined) {
				throw new InvalidValue(
					undefined,
					`The table has no column "${name}". It has: ${columns.map((column) => column.name).join(', ')}`,
				);
			}
			const fail = (text: string): never => {
				throw new InvalidValue(
					undefined,
					`The column "${name}" ${text}. To send it unchanged, use the resource 'Other Endpoint'`,
				);
			};
			if (value === null || (value === '' && type !== 'text')) return [name, null];
			const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
			return [name, read?.(value, fail, zone) ?? value];
		}),
	);
}
