import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import { RequestError } from '../errors/requestError';
import type { PreparedRequest } from './preparedRequest';

/** Keys by which responses show whom a send reached, and requests say it (reference: call, sms, whatsapp; contract). */
const recipientPlaces = [
	'participant.number',
	'recipientPhone',
	'contact.phone_number',
	'phoneNumber',
	'phone_number',
	'to',
	'recipient',
];

const recipientIn = (content: IDataObject): string | undefined =>
	recipientPlaces
		.map((place) => get(content, place) as unknown)
		.find((value): value is string => typeof value === 'string' && value.trim() !== '');

/** Digits that two spellings of one number have in common, with and without its country code. */
const commonDigits = 7;

/** Whether two spellings certainly name different recipients; what cannot be compared does not. */
function areOthers(one: string, other: string): boolean {
	const [first, second] = [one.trim().toLowerCase(), other.trim().toLowerCase()];
	if (first.includes('@') && second.includes('@')) return first !== second;
	const isNumber = (text: string) => /^[+\d\s()./-]+$/.test(text);
	if (!isNumber(first) || !isNumber(second)) return false;
	const endings = [first, second].map((text) => text.replace(/\D/g, '').slice(-commonDigits));
	return endings.every(({ length }) => length === commonDigits) && endings[0] !== endings[1];
}

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

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** Whether two texts certainly differ; a platform may cut a text, or add to it. */
const differ = (one: string, other: string): boolean =>
	![one, other].includes('') && !one.includes(other) && !other.includes(one);

/** The field in which a response shows another request than this one; nothing if it may be this one. */
function otherIn(body: IDataObject, response: IDataObject): string | undefined {
	for (const [field, places] of Object.entries(shownPlaces)) {
		const asked = body[field];
		const shown = places
			.map((place) => get(response, place) as unknown)
			.find((value) => typeof value === 'string');
		if (
			typeof asked === 'string' &&
			typeof shown === 'string' &&
			differ(plain(asked), plain(shown))
		)
			return field;
	}
	// A platform may merge contacts, so fewer prove nothing.
	const { contacts } = body;
	const count = response.contacts_count;
	return Array.isArray(contacts) && typeof count === 'number' && count > contacts.length
		? 'contacts_count'
		: undefined;
}

/**
 * Compares the response to a request that carries the user's own key with the request: the key may stand for another.
 * @returns what to say if the response shows other content
 */
export function otherContent(
	{ body, ownKey }: PreparedRequest,
	response: IDataObject,
): string | undefined {
	if (ownKey === undefined || body.request_key === undefined) return undefined;
	const field = otherIn(body, response);
	return (
		field &&
		`The platform returned an earlier request for a 'Request Key': "${field}" in the output is not what was sent. It ` +
			'acts on each key once, so the new values probably had no effect. To send them, use another key.'
	);
}

/**
 * Compares the response to a send with whom it was for: a key may stand for a request to another recipient.
 * @throws RequestError if the response names another recipient
 */
export function refuseOthers({ operation, body }: PreparedRequest, response: IDataObject): void {
	if (!operation.paced || body.request_key === undefined) return;
	const [asked, shown] = [recipientIn(body), recipientIn(response)];
	if (asked === undefined || shown === undefined || !areOthers(asked, shown)) return;
	throw new RequestError('otherRecipient', 'unknown', {
		code: 'OTHER_RECIPIENT',
		message: asked,
		details: shown,
	});
}
