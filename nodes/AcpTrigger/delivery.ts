import { createHash } from 'node:crypto';
import { get } from 'lodash';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import {
	carriesEvaluation,
	isAskedFor,
	isOfChannel,
	readEvent,
	simplified,
	shortTextOf,
	type AgentEvent,
} from './event';
import { wasCaughtUp } from './missed';
import { type Registration, type } from './registration';
import { isRepeated } from './repeated';
import { readAgents, readEvents, readTriggerOptions } from './settings';
import { isSigned } from './signature';
import {
	bytesOf,
	masked,
	withoutText,
	deliveredObject,
	credentialOf,
	receiverOf,
	RejectedDelivery,
	type Sender,
	unauthorized,
} from '../shared/registration/delivered';
import { unseal } from '../shared/registration/proof';
import { words } from '../engine/text/text';

/** Undefined if they are in the credential, and n8n cannot read it. */
async function signingSecrets(
	context: IWebhookFunctions,
	{ kept, token, secret }: Sender<Registration>,
): Promise<string[] | undefined> {
	const generated = unseal(kept?.sealed ?? '', token);
	if (generated !== undefined) return [generated];
	const { apiToken, webhookSecret } = await credentialOf(context, type);
	const made = await secret('signature');
	return apiToken === '' || made === undefined ? undefined : [webhookSecret, made.toString('hex')];
}

/** Headers that usually carry an ID of the delivery. No signature covers headers: anybody can invent it. */
const idHeaders = words(
	'x-delivery-id x-webhook-delivery x-webhook-id webhook-id x-event-id idempotency-key',
);

const digestOf = (agent: string, rawBody: Buffer): string =>
	createHash('sha256').update(agent).update(rawBody).digest('hex');

/**
 * An ID that all repeats of a delivery share. It comes from what a signature covers, so that nobody can send a delivery
 * again under another ID. No source names an ID (reference: webhook guide). So this takes a field of the body that
 * usually carries one, with the event's name and its conversation, because several events may share it. Or it is a hash
 * of the body, which a repeat does not change.
 */
function deliveryIdOf(
	agent: string,
	body: IDataObject,
	{ signedName, fields }: AgentEvent,
	rawBody: Buffer,
): string {
	const id = shortTextOf(body.delivery_id) ?? shortTextOf(body.event_id);
	if (id === undefined) return `body-${digestOf(agent, rawBody).slice(0, 32)}`;
	const conversation = shortTextOf(get(fields, 'conversation_uuid'));
	return [id, signedName, conversation].filter((part) => part !== undefined).join(' ');
}

/** Turns a delivery into one item, or answers it without starting anything. */
export const receive = receiverOf<Registration>(type, async (context, request, sender) => {
	const { agent } = sender;
	const { headers } = request;
	const rawBody = await bytesOf(request);

	const { signature, maximumAge, channels, simplify } = readTriggerOptions(context);
	const secrets = signature === 'off' ? undefined : await signingSecrets(context, sender);
	const notBefore = Date.now() - maximumAge * 60_000;
	// Whoever cannot read the secrets does not know that a signature is wrong.
	const signatureVerified = secrets ? isSigned(rawBody, headers, secrets, notBefore) : null;
	if (signature === 'required' && signatureVerified !== true)
		throw unauthorized(signatureVerified !== null);

	const body = deliveredObject(request, rawBody);
	const subscribed = readEvents(context);
	const event = readEvent(body, headers, subscribed);
	if (event === undefined) throw new RejectedDelivery(400, 'The body is empty');
	const fields = withoutText(masked(event.fields), sender.token);

	const filtered =
		!readAgents(context).includes(agent) ||
		!isAskedFor(event, subscribed) ||
		(channels !== undefined && !isOfChannel(fields, channels));
	if (filtered) return { webhookResponse: { message: 'Received and ignored' } };

	const deliveryId = deliveryIdOf(agent, body, event, rawBody);
	const json: IDataObject = {
		event: event.name,
		knownEvent: event.known,
		isEvaluation: carriesEvaluation(fields),
		agent,
		data: (simplify ? simplified(fields) : fields) as IDataObject,
		deliveryId,
		deliveryHeaderId: idHeaders.map((name) => shortTextOf(headers[name])).find(Boolean) ?? null,
		receivedAt: new Date().toISOString(),
		signatureVerified,
		caughtUp: false,
	};
	// Which field is an ID is a guess, so the content counts, too.
	if (await isRepeated(context, deliveryId, [digestOf(agent, rawBody), signatureVerified]))
		return { webhookResponse: { message: 'Received before' } };
	if (wasCaughtUp(context, { ...json, data: fields as IDataObject }))
		return { webhookResponse: { message: 'Received before' } };
	return { workflowData: [[{ json }]], webhookResponse: { message: 'Received' } };
});
