import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isPlainObject, omit } from 'lodash';
import { objectOf, recordOf } from '../http/envelope';
import type { PlatformResponse } from '../http/client';
import type { PreparedRequest } from '../operation/preparedRequest';

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

/** Whether a record holds an ID that the request did not contain. */
const hasNewId = (record: IDataObject, sent: IDataObject): boolean =>
	Object.entries(record).some(
		([key, value]) =>
			/^(uu)?id$|_(uu)?id$|[a-z](Uui|I)d$/.test(key) && Boolean(value) && sent[key] === undefined,
	);

/**
 * Whether the response to a write shows that it was done: by an ID, a record, a status that says so (201, 202, 204) or
 * an explicit success. A text proves nothing: "Service busy" comes with status 200, too.
 */
export function proves(
	{ status, body }: Pick<PlatformResponse, 'status' | 'body'>,
	{ operation, body: sent }: PreparedRequest,
): boolean {
	const { kind } = operation;
	if (typeof body === 'string') return body === '';
	const { success } = objectOf(body);
	if (success === true || success === 'true' || [201, 202, 204].includes(status)) return true;
	const promisesRecord = kind === 'send' || kind === 'create';
	const record: unknown = recordOf(body);
	if (isEmpty(record)) return !promisesRecord;
	if (!isPlainObject(record)) return true;
	const { data } = record as IDataObject;
	if (hasNewId(record as IDataObject, sent) || hasNewId(objectOf(data), sent)) return true;
	return (
		kind !== 'send' &&
		!isEmpty(omit(record as IDataObject, remarks, promisesRecord ? 'status' : ''))
	);
}

/** What came back, for the item. */
export const withoutProof = ({ status, body }: PlatformResponse): IDataObject => ({
	acceptedWithoutProof: true,
	responseStatus: status,
	...(isPlainObject(body)
		? (body as IDataObject)
		: isEmpty(body)
			? {}
			: { response: body as string }),
});

/** Said in the output panel beside such items. */
export const withoutProofHint =
	'The platform responded, but the response does not show that the request took effect. Items with ' +
	"'acceptedWithoutProof' hold what came back. Check them on the platform before you send them again.";
