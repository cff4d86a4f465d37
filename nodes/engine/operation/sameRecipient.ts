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
