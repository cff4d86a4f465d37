import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isPlainObject, omit } from 'lodash';
import { objectOf, recordOf, saysSomething } from '../http/envelope';
import type { PlatformResponse } from '../http/client';
import { RequestError } from '../errors/requestError';
import type { OperationKind } from '../operation/operation';
import type { PreparedRequest, Unproven } from '../operation/preparedRequest';
import { isAnother } from '../operation/sameRecord';
import { stateWord, yesOrNo } from '../text/text';

type Response = Pick<PlatformResponse, 'status' | 'body'>;

/** What a response says beside a record. */
const remarks = [
	'success',
	'message',
	'msg',
	'code',
	'detail',
	'details',
	'error',
	'errors',
	'reason',
	'title',
];

const isIdName = (name: string): boolean => /^(uu)?id$|_(uu)?id$|[a-z](Uui|I)d$/.test(name);

/** IDs in a record that the request did not contain. */
const newIds = (record: IDataObject, sent: IDataObject): unknown[] =>
	Object.entries(record)
		.filter(([name]) => isIdName(name) && sent[name] === undefined)
		.map(([, value]) => value);

/** Whether a record has the place of the ID that the request promises, and nothing there. */
function lacksId({ kind }: { kind: OperationKind }, record: IDataObject, ids: unknown[]): boolean {
	if (ids.some(Boolean)) return false;
	if (kind === 'send') return ids.length > 0;
	return kind === 'create' && ('uuid' in record || 'id' in record);
}

/** Flags that say whether a request was done. Not `delivered` and `queued`: that comes later, or was before. */
const flags: Partial<Record<OperationKind, string[]>> = {
	send: ['sent', 'accepted', 'success', 'ok'],
	remove: ['deleted', 'removed', 'success', 'ok'],
};

/** The flag of a part that says no. */
const flagSayingNo = (kind: OperationKind, part: IDataObject): string | undefined =>
	flags[kind]?.find((name) => yesOrNo(String(part[name])) === false);

/** States of a message that was not sent: usual words, because no source shows them. */
const notSent = new Set([
	...['failed', 'failure', 'error', 'rejected', 'refused', 'blocked', 'expired'],
	...['undelivered', 'undeliverable', 'not-sent', 'canceled', 'cancelled'],
]);

/** A deletion that is asked for or under way. The status of the record itself says nothing about it. */
const isDeletionAhead = (status: unknown): boolean =>
	/approval|deleting|deletion/.test(stateWord(status));

/** The parts of a response that may say whether the request was done. */
const partsOf = (body: unknown): IDataObject[] => [
	objectOf(recordOf(body)),
	omit(objectOf(body), 'data'),
];

/** Where a response says that the request was not done, without texts of its own; undefined if it does not say so. */
function denialIn(body: unknown, { kind, wait }: PreparedRequest['operation']): string | undefined {
	for (const part of partsOf(body)) {
		const name = flagSayingNo(kind, part);
		// A record that was deleted may have a field of that name.
		const isOwn = kind === 'remove' && newIds(part, {}).some(Boolean);
		if (name !== undefined && !isOwn) return `"${name}": ${String(part[name])}`;
		// A call that failed is an outcome, which the operation waits for.
		if (kind !== 'send' || wait) continue;
		if (notSent.has(stateWord(part.status))) return `"status": "${stateWord(part.status)}"`;
		if ('error' in part && saysSomething(part.error)) return '"error"';
	}
	return undefined;
}

/**
 * Reads the response to a write and refuses a success whose content says that nothing came of the request: a message
 * that failed, a deletion that was not done.
 * @returns a function that takes the response and throws a request error
 */
export const refuseDenied =
	({ operation }: PreparedRequest) =>
	(body: unknown): void => {
		const denial = denialIn(body, operation);
		if (denial === undefined) return;
		// A message that failed on its way may have arrived.
		const outcome = operation.kind === 'send' ? 'unknown' : 'nothing';
		throw new RequestError('denied', outcome, { received: denial });
	};

/** Whether a success shows that a write was done, or why not. */
export function proofOf(response: Response, prepared: PreparedRequest): 'shown' | Unproven {
	const { operation, path } = prepared;
	const { kind, template, done } = operation;
	const record = objectOf(recordOf(response.body));
	// What an action says about its record is that record.
	const shownAt = done ? template.slice(0, template.lastIndexOf('}') + 1) : template;
	if (kind !== 'raw' && isAnother(record, shownAt, path)) return 'another';
	if (done?.(record, prepared.body) === false) return 'silent';
	const mayBeThere =
		kind === 'remove' &&
		(response.status === 202 ||
			isDeletionAhead(record.status) ||
			flagSayingNo(kind, record) !== undefined);
	return !mayBeThere && proves(response, prepared) ? 'shown' : 'silent';
}

/**
 * Whether a response holds what proves a write: an ID, a record, a status that says so (201, 202, 204) or an explicit
 * success. A text proves nothing: "Service busy" comes with status 200, too.
 */
function proves({ status, body }: Response, { operation, body: sent }: PreparedRequest): boolean {
	const { kind } = operation;
	if (typeof body === 'string') return body === '';
	const { success } = objectOf(body);
	const record: unknown = recordOf(body);
	const ids = [objectOf(record), objectOf(objectOf(record).data)].flatMap((one) =>
		newIds(one, sent),
	);
	if (lacksId(operation, objectOf(record), ids)) return false;
	if (success === true || success === 'true' || [201, 202, 204].includes(status)) return true;
	const promisesRecord = kind === 'send' || kind === 'create';
	if (isEmpty(record)) return !promisesRecord;
	if (!isPlainObject(record) || ids.some(Boolean)) return true;
	return (
		kind !== 'send' &&
		!isEmpty(omit(record as IDataObject, remarks, promisesRecord ? 'status' : ''))
	);
}

/** What came back, for the item. Another record's fields are not among those of the item. */
export const withoutProof = ({ status, body }: Response, why: Unproven): IDataObject => ({
	acceptedWithoutProof: true,
	responseStatus: status,
	...(isPlainObject(body) && why !== 'another'
		? (body as IDataObject)
		: isEmpty(body)
			? {}
			: { response: body as string }),
});

/** Said in the output panel beside such items. */
export const withoutProofHint: Record<Unproven, string> = {
	silent:
		'The platform responded, but the response does not show that the request took effect. Items with ' +
		"'acceptedWithoutProof' hold what came back. Check them on the platform before you send them again.",
	another:
		'The platform responded with another record, so it is not known whether the request took effect. Items with ' +
		"'acceptedWithoutProof' hold what came back. Check them on the platform before you send them again.",
};
