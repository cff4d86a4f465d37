import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isPlainObject, omit } from 'lodash';
import { tidy } from '../text/text';

/** What the platform put under `data`; the whole body if there is no envelope (interface §1, §4.2). */
export const unwrap = (body: unknown): unknown =>
	isPlainObject(body) && 'data' in (body as IDataObject) ? (body as IDataObject).data : body;

/** The record of an answer that is not a list: some servers write an empty object as an empty array. */
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

/** Reads the error envelope. */
export function errorFactsOf(body: unknown): ErrorFacts {
	const envelope = objectOf(body);
	const detail = objectOf(envelope.error);
	const { errors } = envelope;
	const plain = typeof envelope.error === 'string' ? envelope.error : undefined;
	return {
		code: tidy(detail.code ?? envelope.code ?? plain ?? objectOf(envelope.data).error, 60),
		message: tidy(envelope.message) ?? tidy(detail.message),
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

/** An answer with a success status whose envelope says that the request failed. */
export interface Refusal {
	/** The status that its code or its own number means, if any. */
	status?: number;
	/** Whether it holds data nevertheless: then the platform may have done a part. */
	partly: boolean;
}

/**
 * Whether an answer with a success status is a refusal: the envelope's own `success` is false (interface §7). A record
 * that has a field of that name is not: it has an ID, or no message and no error.
 */
export function refusalOf(body: unknown): Refusal | undefined {
	const envelope = objectOf(body);
	if (envelope.success !== false && envelope.success !== 'false') return undefined;
	if ('uuid' in envelope || 'id' in envelope) return undefined;
	const { message, error, errors, code, data } = envelope;
	const others = omit(envelope, 'success', 'message', 'error', 'errors', 'code', 'data');
	const says = [message, error, errors, code].some((part) => tidy(textOf(part)) !== undefined);
	if (!says && !isEmpty(others)) return undefined;
	const detail = objectOf(error);
	const facts = errorFactsOf(body);
	const word = facts.code?.toUpperCase() ?? '';
	const status =
		statusOfCode.find(([pattern]) => pattern.test(word))?.[1] ??
		[detail.status, detail.code, envelope.status, envelope.status_code, code]
			.map(Number)
			.find((number) => Number.isInteger(number) && number >= 400 && number < 600) ??
		(isEmpty(objectOf(errors)) ? undefined : 422);
	const about = ['error', 'errors', 'message', 'code'].some((name) => name in objectOf(data));
	const partly = typeof data === 'object' && !isEmpty(data) && !about;
	return { status, partly };
}
