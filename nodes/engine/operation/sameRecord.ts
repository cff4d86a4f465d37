import type { IDataObject } from 'n8n-workflow';
import { snakeCase } from 'lodash';
import { isUuid } from '../fields/scalar';
import { objectOf, readRecord, unreadable } from '../http/envelope';

const idOf = (value: unknown): string | undefined => {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	return isUuid(text) ? text : undefined;
};

/**
 * Whether a record that stands for what a path names by its ID is certainly another one. It shows its ID as `uuid` or
 * `id` if the path ends with that ID, and under the name of its kind (`/agents/{uuid}` → `agent_uuid`). What shows no
 * ID, or the ID that was asked for in any place, may be the one.
 * @param template path with `{name}` for its values
 * @param path its values, by name
 */
export function isAnother(record: IDataObject, template: string, path: IDataObject): boolean {
	const shown = new Set(Object.values(record).map(idOf));
	const ofKinds = [...template.matchAll(/\/([^/{}]+)\/\{(\w+)\}/g)].map(
		([, kind = '', name = '']) => ({
			own: idOf(record[`${snakeCase(kind).replace(/s$/, '')}_uuid`]),
			asked: idOf(path[name]),
		}),
	);
	const isOther = (own: string | undefined, asked: Array<string | undefined>): boolean =>
		own !== undefined &&
		asked.at(-1) !== undefined &&
		!asked.includes(own) &&
		!shown.has(asked.at(-1));
	if (ofKinds.some(({ own, asked }) => isOther(own, [asked]))) return true;
	const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
	const last = names.at(-1);
	if (last === undefined || !template.endsWith('}')) return false;
	if (last === 'key' && typeof record.key === 'string') return record.key !== path.key;
	const own = idOf(record.uuid) ?? idOf(record.id);
	return isOther(
		own,
		names.map((name) => idOf(path[name])),
	);
}

/**
 * Reads a record that was asked for by its ID.
 * @returns a function that takes the response, returns the record, and throws a request error if there is none, or
 * another one
 */
export const readSame =
	(template: string, path: IDataObject, mayBeEmpty = false) =>
	(body: unknown): unknown => {
		const record = readRecord(body, mayBeEmpty);
		if (isAnother(objectOf(record), template, path))
			throw unreadable('record', body).with({ received: 'another record' });
		return record;
	};
