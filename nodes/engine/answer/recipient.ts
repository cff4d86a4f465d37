import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import { RequestError } from '../errors/requestError';
import { mayBeSame } from '../people/contactPoints';

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
}

/** Says that the response to a request with the user's own key shows other content. */
export function otherContent({ body, ownKey }: Keyed, response: IDataObject): string | undefined {
	if (ownKey === undefined || body.request_key === undefined) return undefined;
	const field = otherIn(body, response);
	return (
		field &&
		`The platform returned an earlier request for a 'Request Key': "${field}" in the output is not what was sent. It ` +
			'acts on each key once, so the new values probably had no effect. To send them, use another key.'
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
