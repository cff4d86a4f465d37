import type { IDataObject } from 'n8n-workflow';
import { snakeCase } from 'lodash';
import { objectOf, readRecord, showsId, unreadable } from './answer';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (value: string): boolean => uuidPattern.test(value);

const uuidIn = (value: unknown): string | undefined => {
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
	const shown = new Set(Object.values(record).map(uuidIn));
	const isOther = (own: string | undefined, asked: Array<string | undefined>): boolean => {
		const last = asked.at(-1);
		return own !== undefined && last !== undefined && !asked.includes(own) && !shown.has(last);
	};
	const named = [...template.matchAll(/\/([^/{}]+)\/\{(\w+)\}/g)];
	const asked = named.map(([, , name = '']) => uuidIn(path[name]));
	const ofKinds = named.map(([, kind = '']) =>
		uuidIn(record[`${snakeCase(kind).replace(/s$/, '')}_uuid`]),
	);
	if (ofKinds.some((own, at) => isOther(own, [asked[at]]))) return true;
	const last = lastName(template);
	if (last === 'key' && typeof record.key === 'string') return record.key !== path.key;
	return last !== undefined && isOther(uuidIn(record.uuid) ?? uuidIn(record.id), asked);
}

/** The path's last value, if the path ends with it: the ID of a record. */
const lastName = (template: string): string | undefined => /\{(\w+)\}$/.exec(template)?.[1];

/**
 * Reads a record that was asked for by its ID.
 * @returns a function that takes the response, returns the record, and throws a request error if there is none, or
 * another one; outside an envelope, only its ID shows a record
 */
export const readSame =
	(template: string, path: IDataObject, mayBeEmpty = false) =>
	(body: unknown): unknown => {
		const record = readRecord(body, mayBeEmpty);
		const last = lastName(template);
		const isShown = record !== body || last === undefined || showsId(record);
		if (!isShown && !(last in objectOf(record))) throw unreadable('record', body);
		if (isAnother(objectOf(record), template, path))
			throw unreadable('record', body).with({ received: 'another record' });
		return record;
	};
