import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isPlainObject, omit } from 'lodash';
import { besideEnvelope, isSuccess, objectOf, recordOf } from './answer';
import { isAnother } from './record';

/**
 * Why a success does not show that a request was carried out: nothing in the response does, or the response is about
 * another record.
 */
export type Unproven = 'silent' | 'another';

interface Response {
	status: number;
	body: unknown;
}

/** A write, as far as its response is compared with it. */
interface Write {
	operation: {
		kind: string;
		template: string;
		done?: (record: IDataObject, body: IDataObject) => boolean | undefined;
	};
	path: IDataObject;
	body: IDataObject;
}

const isIdName = (name: string): boolean => /^(uu)?id$|_(uu)?id$|[a-z](Uui|I)d$/.test(name);

/** IDs in a record that the request did not contain. */
export const newIds = (record: IDataObject, sent: IDataObject): unknown[] =>
	Object.entries(record)
		.filter(([name]) => isIdName(name) && sent[name] === undefined)
		.map(([, value]) => value);

/** Whether a success shows that a write was done, or why not. */
export function proofOf(response: Response, prepared: Write): 'shown' | Unproven {
	const { operation, path } = prepared;
	const { kind, template, done } = operation;
	const record = objectOf(recordOf(response.body));
	// What an action says about its record is that record.
	const shownAt = done ? template.slice(0, template.lastIndexOf('}') + 1) : template;
	if (kind !== 'raw' && isAnother(record, shownAt, path)) return 'another';
	if (done?.(record, prepared.body) === false) return 'silent';
	return proves(response, prepared) ? 'shown' : 'silent';
}

/**
 * Whether a response holds what proves a write: an ID, a record, a status that says so (201, 202, 204) or an explicit
 * success. Flags and states beside them change nothing: an accepted request waits in a queue (interface §8 rule 4). A
 * text proves nothing: "Service busy" comes with status 200, too. That a record was deleted is proven by a record or by
 * nothing at all: no source shows anything more in such a response.
 */
function proves({ status, body }: Response, { operation, body: sent }: Write): boolean {
	const { kind, template } = operation;
	if (typeof body === 'string') return body === '';
	if (kind === 'remove' && status === 202) return false;
	const value = recordOf(body);
	const record = objectOf(value);
	const ids = [record, objectOf(record.data)].flatMap((one) => newIds(one, sent));
	if (ids.some(Boolean)) return true;
	const isSaid = isSuccess(body) || [201, 202, 204].includes(status);
	const rest = besideEnvelope(record);
	if (kind === 'remove' && template.endsWith('}'))
		return isEmpty(rest) && (isSaid || isEmpty(value));
	if (!isPlainObject(value) && !isEmpty(value)) return true;
	// The place of the ID that it promises is there, and nothing in it.
	const lacksId = kind === 'send' ? ids.length > 0 : 'uuid' in record || 'id' in record;
	if (kind === 'send' || kind === 'create')
		return !lacksId && (isSaid || (kind === 'create' && !isEmpty(omit(rest, 'status'))));
	return isSaid || isEmpty(value) || !isEmpty(rest);
}

/** What came back, for the item. Another record's fields are not among those of the item. */
export const withoutProof = ({ status, body }: Response, why: Unproven): IDataObject => ({
	acceptedWithoutProof: true,
	responseStatus: status,
	response: null,
	...(isPlainObject(body) && why !== 'another'
		? (body as IDataObject)
		: isEmpty(body)
			? {}
			: { response: typeof body === 'string' ? body : JSON.stringify(body) }),
});

/** What the node adds to such an item. */
export const namesWithoutProof = ['acceptedWithoutProof', 'responseStatus', 'response'];

/** Said in the output panel beside such items. */
export const withoutProofHint: Record<Unproven, string> = {
	silent:
		'The platform responded, but the response does not show that the request took effect. Items with ' +
		"'acceptedWithoutProof' hold what came back. Check them on the platform before you send them again.",
	another:
		'The platform responded with another record, so it is not known whether the request took effect. Items with ' +
		"'acceptedWithoutProof' hold what came back. Check them on the platform before you send them again.",
};
