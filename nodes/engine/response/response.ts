import type { IDataObject } from 'n8n-workflow';
import { isEmpty, omit, omitBy, snakeCase } from 'lodash';
import { RequestError } from '../errors/requestError';
import { errorStatuses } from '../platform/facts';
import { isPlainObject, tidy } from '../text/text';

/** Whether a text may hold a number that JavaScript cannot keep. Cheap, because it is asked of every response. */
const suspect = /\d{16}|\d[eE]\+?\d{3,}\s*(?:[,}\]]|$)/;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** A whole number beyond 2^53, or one beyond all that a number can be, would become another one. */
const changes = (token: string): boolean => {
	const number = Number(token);
	return !Number.isFinite(number) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(number));
};

/** More levels than anything on the platform has. Deeper JSON would exhaust the code that reads it later. */
export const mostLevels = 100;

export class TooDeep extends SyntaxError {
	override name = 'TooDeep';
	override message = `it is nested deeper than ${mostLevels} levels`;
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Numbers that JSON does not keep, like IDs above 2^53, become text: neighbors would be equal. @throws SyntaxError */
export function parseExactly(text: string): unknown {
	const value = JSON.parse(text) as unknown;
	if (isDeeperThan(mostLevels, value)) throw new TooDeep();
	if (!suspect.test(text)) return value;
	const exact = text.replace(tokens, (token) =>
		token.startsWith('"') || !changes(token) ? token : `"${token}"`,
	);
	return JSON.parse(exact) as unknown;
}

/** What the platform put under `data`; the whole body if there is no envelope (interface §1, §4.2). */
export const unwrap = (body: unknown): unknown =>
	isPlainObject(body) && 'data' in body ? body.data : body;

/** The record of a response that is not a list: some servers write an empty object as an empty array. */
export const recordOf = (body: unknown): unknown => {
	const value = unwrap(body);
	return Array.isArray(value) && value.length === 0 ? {} : value;
};

export const objectOf = (value: unknown): IDataObject => (isPlainObject(value) ? value : {});

/** What a response says beside its envelope (interface §1, §7): with nothing else it holds no record. */
export const besideEnvelope = (value: unknown): IDataObject =>
	omit(objectOf(value), 'success', 'message', 'data', 'error', 'errors');

export const showsId = (value: unknown): boolean =>
	Object.entries(objectOf(value)).some(([name, id]) => /^id$|uuid$/i.test(name) && Boolean(id));

const isTrue = (value: unknown): boolean => value === true || value === 'true';
export const isSuccess = (body: unknown): boolean => isTrue(objectOf(body).success);

const holdsNothing = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	value === '' ||
	(typeof value === 'object' && isEmpty(value));

const isSentence = (text: string | undefined): boolean => /\s/.test(text ?? '');
const sentenceIn = (place: IDataObject): string | undefined =>
	Object.values(place)
		.map((value) => tidy(value))
		.find(isSentence);

/** Reads the error envelope (interface §7); missing parts stay unknown. */
export function errorFactsOf(
	body: unknown,
): Pick<RequestError['facts'], 'code' | 'message' | 'details' | 'field'> {
	const envelope = objectOf(body);
	const detail = objectOf(envelope.error);
	const { errors } = envelope;
	const said = isSentence(tidy(envelope.error)) ? undefined : envelope.error;
	const details = detail.details ?? (isEmpty(errors) ? undefined : errors);
	return {
		code: tidy(detail.code ?? envelope.code ?? tidy(said) ?? objectOf(envelope.data).error, 60),
		message:
			tidy(envelope.message) ??
			tidy(detail.message) ??
			sentenceIn(omit(detail, 'details')) ??
			sentenceIn(envelope),
		details: tidy(details && typeof details === 'object' ? JSON.stringify(details) : details),
		field: tidy(detail.field ?? Object.keys(objectOf(errors))[0], 100),
	};
}

/**
 * Whether a response with a success status is a refusal: `success: false`, or an `error` in place of data (interface
 * §7). A record that has such fields is none: it shows its ID.
 * @returns the status that its code means, if any, and whether a part may have been done
 */
export function refusalOf(body: unknown): { status?: number; partly: boolean } | undefined {
	const envelope = objectOf(body);
	const { success, error, errors, data } = envelope;
	if (showsId(envelope)) return undefined;
	const isRefused = success === false || success === 'false';
	const isEmptied = 'data' in envelope ? isEmpty(data) : !isTrue(success);
	const isSaid = [error, errors].some((one) =>
		typeof one === 'object' ? !isEmpty(one) : tidy(one) !== undefined || one === true,
	);
	if (!isRefused && !(isEmptied && isSaid)) return undefined;
	const code = errorFactsOf(body).code ?? '';
	const holds = Array.isArray(data) ? data : besideEnvelope(data);
	return {
		status: Object.hasOwn(errorStatuses, code) ? errorStatuses[code] : undefined,
		partly: isTrue(success) || !isEmpty(holds),
	};
}

/** What came instead of what was asked for, without its values: they may be secret. */
function shapeOf(body: unknown): string {
	if (body === undefined) return 'nothing';
	if (Array.isArray(body)) return body.length === 0 ? 'an empty list' : 'a list';
	if (!isPlainObject(body)) return body === null ? 'null' : `a ${typeof body}`;
	const names = Object.keys(objectOf(body)).map((name) => `"${tidy(name, 30) ?? ''}"`);
	if (names.length === 0) return 'an empty object';
	return `an object with ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' and more' : ''}`;
}

/** A response that does not hold what was asked for. No conclusion may be drawn from it. */
export const unreadable = (asked: 'list' | 'record', body: unknown): RequestError =>
	new RequestError('unreadable', 'nothing', { asked, received: shapeOf(body) });

/** The one record that was asked for; `mayBeEmpty`: an empty list in its place is one, too. @throws RequestError */
export function readRecord(body: unknown, mayBeEmpty = false): unknown {
	const value = unwrap(body);
	const isHeld = isPlainObject(value)
		? showsId(value) || !isEmpty(besideEnvelope(value))
		: Array.isArray(value)
			? value.length > 0 || mayBeEmpty
			: value !== body && !holdsNothing(value);
	if (!isHeld) throw unreadable('record', body);
	return value;
}

/** Whether a response without a list says that there is none: null in place of the rows, and nothing else is said. */
export function saysNone(body: IDataObject, place: unknown): boolean {
	if (place !== null || refusalOf(body)) return false;
	const others = isTrue(body.success) ? besideEnvelope(body) : omit(body, 'data', 'success');
	return isEmpty(omitBy(others, holdsNothing));
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (value: string): boolean => uuidPattern.test(value);

const uuidIn = (value: unknown): string | undefined => {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	return isUuid(text) ? text : undefined;
};

/**
 * Whether a record that stands for what a path names by its ID is certainly another one: it shows its ID as `uuid`, `id`
 * or under the name of its kind (`/agents/{uuid}` → `agent_uuid`), and nowhere the one that was asked for.
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

/** Reads a record that was asked for by its ID; outside an envelope, only its ID shows a record. @throws RequestError */
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
