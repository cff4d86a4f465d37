import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isPlainObject, omit, omitBy, snakeCase } from 'lodash';
import { RequestError } from '../errors/requestError';
import { tidy } from '../text/text';

/** What the platform put under `data`; the whole body if there is no envelope (interface §1, §4.2). */
export const unwrap = (body: unknown): unknown =>
	isPlainObject(body) && 'data' in (body as IDataObject) ? (body as IDataObject).data : body;

/** The record of a response that is not a list: some servers write an empty object as an empty array. */
export const recordOf = (body: unknown): unknown => {
	const value = unwrap(body);
	return Array.isArray(value) && value.length === 0 ? {} : value;
};

/** What the error envelope says (interface §7); missing parts stay unknown. */
export interface ErrorFacts {
	code?: string;
	message?: string;
	details?: string;
	field?: string;
}

/** An object as it is; an empty one for anything else. */
export const objectOf = (value: unknown): IDataObject =>
	isPlainObject(value) ? (value as IDataObject) : {};

const textOf = (value: unknown): unknown =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** The text under the first of these names that has one. */
const sentenceIn = (place: IDataObject, names: string[]): string | undefined =>
	names
		.map((name) => (typeof place[name] === 'string' ? tidy(place[name]) : undefined))
		.find(Boolean);

/** Names of sentences, in envelopes of all kinds. */
const sentenceNames = [
	'message',
	'msg',
	'error_message',
	'error_description',
	'detail',
	'title',
	'reason',
];

/** Reads the error envelope. */
export function errorFactsOf(body: unknown): ErrorFacts {
	const envelope = objectOf(body);
	const detail = objectOf(envelope.error);
	const { errors } = envelope;
	const plain = typeof envelope.error === 'string' ? envelope.error.trim() : undefined;
	// One word is a code; several are a sentence.
	const said = plain && /\s/.test(plain) ? { message: plain } : { code: plain };
	return {
		code: tidy(detail.code ?? envelope.code ?? said.code ?? objectOf(envelope.data).error, 60),
		message:
			tidy(envelope.message) ??
			tidy(detail.message) ??
			tidy(said.message) ??
			sentenceIn(detail, sentenceNames) ??
			sentenceIn(envelope, sentenceNames),
		details: tidy(textOf(detail.details ?? (isEmpty(errors) ? undefined : errors))),
		field: tidy(detail.field ?? Object.keys(objectOf(errors))[0], 100),
	};
}

/** Codes that say what a status would have said (interface §7). */
const statusOfCode: Array<[RegExp, number]> = [
	[/RATE_?LIMIT|TOO_MANY_REQUESTS|THROTTLED/, 429],
	[/UNAUTHORI[SZ]ED|UNAUTHENTICATED|AUTH_TOKEN|INVALID_TOKEN|TOKEN_(EXPIRED|REVOKED)/, 401],
	[/^FORBIDDEN$|PERMISSION_DENIED|ACCESS_DENIED/, 403],
	[/NOT_FOUND$/, 404],
	[/^METHOD_NOT_ALLOWED$/, 405],
	[/^VALIDATION|^INVALID_(?!STATE)|UNPROCESSABLE/, 422],
	[/^CONFLICT$|^INVALID_STATE$|_LIMIT_REACHED$/, 409],
	[/^INTERNAL_(SERVER_)?ERROR$|^SERVER_ERROR$/, 500],
	[/UNAVAILABLE|MAINTENANCE/, 503],
];

/** A response with a success status whose envelope says that the request failed. */
export interface Refusal {
	/** The status that its code or its own number means, if any. */
	status?: number;
	/** Whether it holds data nevertheless: then the platform may have done a part. */
	partly: boolean;
}

/** Under which names errors are told. */
const errorNames = ['error', 'errors', 'fault', 'exception'];

/** What surrounds data: a response with nothing but this is no record. In snake case. */
const envelopeNames = new Set([
	...[...errorNames, 'error_code', 'success', 'ok', 'status', 'status_code', 'http_status', 'code'],
	...[
		...sentenceNames,
		'messages',
		'details',
		'description',
		'type',
		'instance',
		'timestamp',
		'path',
		'data',
	],
	...['request_id', 'trace_id', 'correlation_id', 'retry_after', 'documentation_url', 'help'],
]);

/** Whether an object has its own ID, as every record of the platform has. */
const hasId = (value: IDataObject): boolean => 'uuid' in value || 'id' in value;

const isNothing = (value: unknown): boolean =>
	value === null || value === '' || (typeof value === 'object' && isEmpty(value));

/** What an object says beside its envelope. */
const beside = (value: IDataObject): IDataObject =>
	omitBy(value, (one, name) => isNothing(one) || envelopeNames.has(snakeCase(name)));

/** Something is said: no empty text, list or object, no number. */
const saysSomething = (value: unknown): boolean =>
	value === true ||
	(typeof value === 'object' ? !isEmpty(value) : Boolean(tidy(value)) && isNaN(Number(value)));

const errorStatus = (...values: unknown[]): number | undefined =>
	values
		.filter((value) => typeof value === 'number' || typeof value === 'string')
		.map(Number)
		.find((number) => Number.isInteger(number) && number >= 400 && number < 600);

const isTrue = (value: unknown): boolean => value === true || value === 'true';
const isFalse = (value: unknown): boolean => value === false || value === 'false';
const isSaid = (pattern: RegExp, ...values: unknown[]): boolean =>
	values.some((value) => typeof value === 'string' && pattern.test(value.trim()));

/** Whether an envelope says that the request did not succeed, under any of the usual names. */
function saysNo(envelope: IDataObject): boolean {
	const { success, ok, status, status_code, statusCode, code, data, message } = envelope;
	const errors = errorNames.map((name) => envelope[name]).filter(saysSomething);
	const others = beside(envelope);
	if (isFalse(success) || (isFalse(ok) && !isTrue(success) && !showsId(data))) {
		const says = errors.length > 0 || [message, code].some((part) => tidy(textOf(part)));
		return says || isEmpty(others);
	}
	if (showsId(envelope)) return false;
	// A success that names itself is believed, unless it has an error in place of its data.
	if (isTrue(success)) return errors.length > 0 && 'data' in envelope && isEmpty(data);
	const structured = ['code', 'message', 'type', 'title', 'status', 'details'];
	if (errors.some((error) => structured.some((name) => name in objectOf(error)))) return true;
	// What has an ID or fields of its own is a record, which may also have an error, a status or a code.
	if (showsId(data) || !isEmpty(others)) return false;
	return (
		errors.length > 0 ||
		isSaid(/^(error|fail|failed|failure)$/i, status) ||
		errorStatus(status, status_code, statusCode, code, envelope.error) !== undefined ||
		(typeof code === 'string' && isEmpty(data) && isErrorCode(code))
	);
}

const statusOf = (word: string): number | undefined =>
	statusOfCode.find(([pattern]) => pattern.test(word.toUpperCase()))?.[1];
const isErrorCode = (word: string): boolean =>
	statusOf(word) !== undefined || /ERROR|FAIL/i.test(word);

/**
 * Whether a response with a success status is a refusal: it says so under one of the usual names (interface §7). A
 * record that has a field of that name is none: it has an ID, or its own fields.
 */
export function refusalOf(body: unknown): Refusal | undefined {
	const envelope = objectOf(body);
	if (hasId(envelope) || !saysNo(envelope)) return undefined;
	const { error, errors, code, data } = envelope;
	const detail = objectOf(error);
	const { status: own, status_code, statusCode } = envelope;
	const status =
		statusOf(errorFactsOf(body).code ?? '') ??
		errorStatus(detail.status, detail.code, own, status_code, statusCode, code, error) ??
		(isEmpty(objectOf(errors)) ? undefined : 422);
	const about = ['error', 'errors', 'message', 'code'].some((name) => name in objectOf(data));
	const partly = isTrue(envelope.success) || (typeof data === 'object' && !isEmpty(data) && !about);
	return { status, partly };
}

/** Names that look like an ID's without being the ID of a record. */
const otherIds = /^(request|trace|correlation|span|error|log|event)_(uu)?id$/;

/** Whether an object shows the ID of a record, under its own name or that of its kind. */
const showsId = (value: unknown): boolean =>
	Object.entries(objectOf(value)).some(
		([name, id]) =>
			/(^|_)(uuid|id)$/.test(snakeCase(name)) &&
			!otherIds.test(snakeCase(name)) &&
			(typeof id === 'string' || typeof id === 'number') &&
			id !== '',
	);

/**
 * What the response to a write proves: a record with its ID, a success that names itself, or nothing. A message alone
 * proves nothing, whatever it says.
 */
export function proofIn(body: unknown): 'record' | 'success' | 'nothing' {
	if (refusalOf(body)) return 'nothing';
	if ([unwrap(body)].flat().some(showsId)) return 'record';
	const { success, ok, status } = objectOf(body);
	const named = isTrue(success) || isTrue(ok) || isSaid(/^(success|ok)$/i, status);
	return named ? 'success' : 'nothing';
}

/** What came instead of what was asked for, without its values: they may be secret. */
function shapeOf(body: unknown): string {
	if (body === undefined) return 'nothing';
	if (Array.isArray(body)) return body.length === 0 ? 'an empty list' : 'a list';
	if (!isPlainObject(body)) return body === null ? 'null' : `a ${typeof body}`;
	const names = Object.keys(objectOf(body)).map((name) => `"${tidy(name, 30) ?? ''}"`);
	if (names.length === 0) return 'an empty object';
	const more = names.length > 5 ? ' and more' : '';
	return `an object with ${names.slice(0, 5).join(', ')}${more}`;
}

/** A response that does not hold what was asked for. No conclusion may be drawn from it. */
export const unreadable = (asked: 'list' | 'record', body: unknown): RequestError =>
	new RequestError('unreadable', 'nothing', { asked, received: shapeOf(body) });

/**
 * The one record that a request asked for.
 * @param mayBeEmpty an empty list in its place is one, too
 * @throws RequestError if the response holds none: nothing, or an envelope without data
 */
export function readRecord(body: unknown, mayBeEmpty = false): unknown {
	const value = unwrap(body);
	const enveloped = value !== body;
	const named = enveloped
		? omitBy(objectOf(value), (_, name) => [...errorNames, 'message'].includes(name))
		: beside(objectOf(value));
	const holds = isPlainObject(value)
		? hasId(objectOf(value)) || !isEmpty(named)
		: Array.isArray(value)
			? value.length > 0 || mayBeEmpty
			: enveloped && value !== undefined && value !== null && value !== '';
	if (!holds) throw unreadable('record', body);
	return value;
}

/**
 * Whether a response without a list says that there is none: the place of the rows is empty, and nothing else is said.
 */
export function saysNone(body: IDataObject, place: unknown): boolean {
	if (place !== null || refusalOf(body)) return false;
	const said = Object.keys(omitBy(omit(body, 'data', 'success'), isNothing));
	return isTrue(body.success)
		? said.every((name) => envelopeNames.has(snakeCase(name)))
		: said.length === 0;
}
