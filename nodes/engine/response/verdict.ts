import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isEqual, isMatch, omit, get } from 'lodash';
import {
	besideEnvelope,
	errorFactsOf,
	isAnother,
	isSuccess,
	objectOf,
	recordOf,
	refusalOf,
	parseExactly,
} from './response';
import { RequestError, rethrow, worse } from '../errors/requestError';
import { isPlainObject, tidy, words } from '../text/text';
import { mayBeSame } from '../people/contactPoints';

interface Asked {
	method: string;
	path: string;
	class: string;
	reads?: (body: unknown) => unknown;
}

/**
 * What the platform answered. Without an error it is done, as far as the response tells: a write may still lack its
 * proof (`proofOf`). An error is a refusal if its outcome is `nothing`; otherwise it is unknown what was done.
 */
export interface ReadResponse {
	/** What it means: the envelope may say another one than HTTP. */
	status: number;
	/** Parsed JSON, or the text that a write was answered with. */
	body?: unknown;
	error?: RequestError;
}

function parse(text: string): { value: unknown } | undefined {
	try {
		return { value: parseExactly(text) };
	} catch {
		return undefined;
	}
}

/** A web page comes from something in between, which may not have passed the request on. */
const isPage = (text: string): boolean => /^\s*</.test(text);

/** A refusal (interface §7). That of a read without a meaning in status and code may be a matter of the moment. */
function refusedError(meant: number | undefined, isRead: boolean, text: string): RequestError {
	const response = parse(text)?.value;
	const facts = errorFactsOf(response);
	if (meant === undefined) {
		const isPassing = isRead && facts.code === undefined;
		return new RequestError(isPassing ? 'unreadable' : 'refused', 'nothing', {
			response,
			...facts,
		});
	}
	// 429 and the 4xx codes come before anything is done; after a 5xx or a time-out the outcome is not known.
	const outcome = meant < 500 && meant !== 408 ? 'nothing' : 'unknown';
	return new RequestError(isPage(text) ? 'html' : 'status', outcome, {
		...(meant === 409 && isPlainObject(response) ? { response } : {}),
		...facts,
	});
}

/** @param clean a text without secrets: some servers repeat what was sent, and what does not succeed becomes a message */
export function readResponse(
	{ status, text, location }: { status: number; text: string; location?: unknown },
	{ method, path, class: kind, reads }: Asked,
	clean: (text: string) => string,
): ReadResponse {
	const endpoint = `${method} ${path}`;
	if (status >= 300 && status < 400) {
		const target = URL.canParse(String(location)) ? new URL(String(location)).origin : '';
		// No source shows a redirect (interface §7); a 303 comes after the deed.
		const outcome = kind === 'read' ? 'nothing' : 'unknown';
		return { status, error: new RequestError('redirect', outcome, { status, location: target }) };
	}
	const parsed = parse(text);
	const body = parsed?.value;
	const succeeds = status >= 200 && status < 300;
	const refusal = succeeds ? refusalOf(body) : { status, partly: false };
	if (refusal) {
		const { status: meant = status, partly } = refusal;
		const error = refusedError(refusal.status, kind === 'read', clean(text));
		if (partly) error.outcome = worse(error.outcome, 'unknown');
		return { status: meant, body, error: error.with({ status: meant, endpoint }) };
	}
	if (parsed) {
		try {
			reads?.(body);
			return { status, body };
		} catch (thrown) {
			if (!(thrown instanceof RequestError)) rethrow(thrown);
			const { message } = errorFactsOf(parse(clean(text))?.value);
			return { status, body, error: thrown.with({ status, endpoint, message }) };
		}
	}
	// That something was done can be told by the status alone; what was read cannot.
	const isDone = status === 204 || method !== 'GET';
	if (isDone && text.trim() === '') return { status };
	// A text is told as it is: it may say that it was done, or "Service busy".
	if (isDone && !/^\s*[<{["]/.test(text)) return { status, body: tidy(text) };
	const message = /^\s*[\w"]/.test(text) ? tidy(clean(text), 200) : undefined;
	const facts = { status, endpoint, message };
	const error = isPage(text)
		? new RequestError('html', 'unknown', facts)
		: new RequestError('unreadable', 'done', facts);
	return { status, error };
}

/** Why it is open whether a write was done: nothing in the response shows it, or it is about another record. */
export type Unproven = 'silent' | 'another';

interface Write {
	operation: {
		kind: string;
		method: string;
		template: string;
		confirms?: (record: IDataObject, body: IDataObject) => boolean | undefined;
	};
	pathValues: IDataObject;
	body: IDataObject;
}

const isIdName = (name: string): boolean => /^(uu)?id$|_(uu)?id$|[a-z](Uui|I)d$/.test(name);

export const newIds = (record: IDataObject, sent: IDataObject): unknown[] =>
	Object.entries(record)
		.filter(([name]) => isIdName(name) && sent[name] === undefined)
		.map(([, value]) => value);

/** Whether a response says itself that a write came to nothing, whatever ID is beside it. */
const saysNo = (record: IDataObject, kind: string): boolean =>
	kind === 'remove' ? record.deleted === false : kind !== 'raw' && !isEmpty(record.error);

/** A send promises an ID of its own; that of its contact or agent is no proof while another one is empty. */
const lacksOwnId = (record: IDataObject, sent: IDataObject): boolean =>
	newIds(record, sent).some((id) => !id) &&
	!Object.entries(record).some(([name, id]) => id && /^(message_?)?(uu)?id$/i.test(name));

export function proofOf(response: ReadResponse, prepared: Write): 'shown' | Unproven {
	const { operation, pathValues } = prepared;
	const { kind, template, confirms } = operation;
	const record = objectOf(recordOf(response.body));
	// What an action says about its record is that record.
	const shownAt = confirms ? template.slice(0, template.lastIndexOf('}') + 1) : template;
	if (kind !== 'raw' && isAnother(record, shownAt, pathValues)) return 'another';
	if (confirms?.(record, prepared.body) === false || saysNo(record, kind)) return 'silent';
	return proves(response, prepared) ? 'shown' : 'silent';
}

/** Statuses that say themselves that something was done. */
export const saysDone = (status: number): boolean => [201, 202, 204].includes(status);

/**
 * Whether a response holds what proves a write: an ID, a record, a status that says so (201, 202, 204) or an explicit
 * success. States beside them change nothing (interface §8 rule 4). A text proves nothing: "Service busy" comes with
 * status 200, too, and so does an empty response.
 */
function proves({ status, body }: ReadResponse, { operation, body: sent }: Write): boolean {
	const { kind, method, template } = operation;
	if (typeof body === 'string') return false;
	if (kind === 'remove' && status === 202) return false;
	const value = recordOf(body);
	const record = objectOf(value);
	const ids = [record, objectOf(record.data)].flatMap((one) => newIds(one, sent));
	if (ids.some(Boolean)) return kind !== 'send' || !lacksOwnId(record, sent);
	const isSaid = isSuccess(body) || saysDone(status);
	const rest = besideEnvelope(record);
	if (kind === 'remove' && template.endsWith('}')) return isEmpty(rest) && isSaid;
	if (kind !== 'send' && Array.isArray(value) && !isEmpty(value)) return true;
	// The place of the ID that it promises is there, and nothing in it.
	const lacksId = kind === 'send' ? ids.length > 0 : 'uuid' in record || 'id' in record;
	const isTold = isSaid || (kind !== 'send' && shows(rest, sent));
	const makesOne = ['send', 'create'].includes(kind) || (kind === 'raw' && method === 'POST');
	return isTold && !(makesOne && lacksId);
}

/** Whether a response gives back something that was sent. A field of that name alone may say that it is not valid. */
const shows = (rest: IDataObject, sent: IDataObject): boolean =>
	Object.entries(omit(rest, 'status')).some(
		([name, value]) =>
			Object.hasOwn(sent, name) &&
			(isEqual(value, sent[name]) ||
				(!isEmpty(sent[name]) && isMatch({ value }, { value: sent[name] }))),
	);

/** What came back, for the item. Another record's fields are not among those of the item. */
export const withoutProof = ({ status, body }: ReadResponse, why: Unproven): IDataObject => ({
	acceptedWithoutProof: true,
	responseStatus: status,
	response: null,
	...(isPlainObject(body) && why !== 'another'
		? body
		: isEmpty(body)
			? {}
			: { response: typeof body === 'string' ? body : JSON.stringify(body) }),
});

export const namesWithoutProof = ['acceptedWithoutProof', 'responseStatus', 'response'];

const inItems =
	"Items with 'acceptedWithoutProof' hold what came back. Check them on the platform before you send them again.";

export const withoutProofHint: Record<Unproven, string> = {
	silent: `The platform responded, but the response does not show that the request took effect. ${inItems}`,
	another: `The platform responded with another record, so it is not known whether the request took effect. ${inItems}`,
};

/** Keys by which responses show whom a send reached, and requests say it (reference: call, sms, whatsapp; contract). */
const recipientPlaces = words(
	'participant.number recipientPhone contact.phone_number phoneNumber phone_number to ' +
		'recipient',
);

/** What responses show of a request, under the names that requests use; and other names for it. */
const shownPlaces: Record<string, string[]> = {
	agentId: ['agentId', 'agent_uuid', 'agent.uuid'],
	agent_uuid: ['agent_uuid', 'agentId', 'agent.uuid'],
	templateId: ['templateId', 'template_uuid'],
	name: ['name'],
	title: ['title'],
	subject: ['subject'],
	text: ['text'],
};

const textAt = (content: IDataObject, places: string[]): string =>
	places
		.map((place): unknown => get(content, place))
		.map((value) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : ''))
		.find(Boolean) ?? '';

/** Whether two texts certainly differ; a platform may cut a text, or add to it. */
const differ = (one: string, other: string): boolean =>
	![one, other].includes('') && !one.includes(other) && !other.includes(one);

/** The field in which a response shows another request than this one; nothing if it may be this one. */
function otherIn(body: IDataObject, response: IDataObject): string | undefined {
	const field = Object.entries(shownPlaces).find(([name, places]) =>
		differ(textAt(body, [name]).toLowerCase(), textAt(response, places).toLowerCase()),
	);
	if (field) return field[0];
	// A platform may merge contacts, so fewer prove nothing.
	const { contacts } = body;
	const isMore = Array.isArray(contacts) && Number(response.contacts_count) > contacts.length;
	return isMore ? 'contacts_count' : undefined;
}

interface Keyed {
	operation: { paced: boolean };
	body: IDataObject;
	ownKey?: string;
	identity: { content: string };
}

/**
 * Says that a key of the user's was used before with other content.
 * @param first content of the first request with this key, as far as this process knows
 */
export function otherContent(
	{ body, ownKey, identity }: Keyed,
	response: IDataObject,
	first = identity.content,
): string | undefined {
	if (ownKey === undefined || body.request_key === undefined) return undefined;
	const field = otherIn(body, response);
	if (!field && first === identity.content) return undefined;
	return (
		"Items with 'requestKeyUsedBefore' have a 'Request Key' that was used before with other values" +
		`${field ? `: "${field}" in the output is not what was sent` : ''}. The platform acts on each key once, so the ` +
		'new values probably had no effect. To send them, use another key.'
	);
}

/** @throws RequestError if the response to a send certainly names another recipient than the request */
export function refuseOthers({ operation, body }: Keyed, response: IDataObject): void {
	if (!operation.paced || body.request_key === undefined) return;
	const [asked, shown] = [textAt(body, recipientPlaces), textAt(response, recipientPlaces)];
	if (mayBeSame(asked, shown) !== 'no') return;
	const facts = { code: 'OTHER_RECIPIENT', message: asked, details: shown };
	throw new RequestError('otherRecipient', 'unknown', facts);
}
