import { createHash } from 'node:crypto';
import { get } from 'lodash';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import {
	type AgentEvent,
	headerOf,
	isAskedFor,
	isOfChannel,
	readEvent,
	simplified,
	textOf,
} from './event';
import { type Registration, type } from './registration';
import { isRepeated } from './repeated';
import { readAgents, readEvents, readTriggerOptions } from './settings';
import { isSigned } from './signature';
import { maskWebhooks } from '../engine/secrets/secrets';
import {
	bytesOf,
	type Delivered,
	masked,
	deliveredObject,
	answeringRejections,
	credentialOf,
	RejectedDelivery,
	type Sender,
	senderOf,
} from '../engine/registration/delivered';
import { pendingCleanups } from '../engine/registration/pendingCleanups';
import { unseal } from '../engine/registration/proof';

async function signingSecrets(
	context: IWebhookFunctions,
	{ kept, token, secret }: Sender<Registration>,
): Promise<string[]> {
	const generated = unseal(kept?.sealed ?? '', token);
	if (generated !== undefined) return [generated];
	const { webhookSecret } = await credentialOf(context, type);
	return [webhookSecret, (await secret('signature'))?.toString('hex') ?? ''];
}

const idHeaders = [
	'x-delivery-id',
	'x-webhook-delivery',
	'x-webhook-id',
	'webhook-id',
	'x-event-id',
	'idempotency-key',
];

/** An ID of the delivery in a header that usually carries one. No signature covers headers: anybody can invent it. */
const headerIdOf = (headers: Delivered['headers']): string | null =>
	headerOf(headers, idHeaders) ?? null;

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
	const id = textOf(body.delivery_id) ?? textOf(body.event_id);
	if (id === undefined)
		return `body-${createHash('sha256').update(agent).update(rawBody).digest('hex').slice(0, 32)}`;
	const conversation = textOf(get(fields, 'conversation_uuid'));
	return [id, signedName, conversation].filter((part) => part !== undefined).join(' ');
}

/**
 * n8n's `webhook`: turns a delivery into one item, or answers it without starting anything. It never throws because of
 * what a sender does: n8n would record a failed execution.
 */
export const receive = async (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	await answeringRejections(context, accept);

async function accept(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject() as unknown as Delivered;
	const sender = await senderOf<Registration>(context, type);
	const { agent } = sender;
	const { headers } = request;
	const rawBody = await bytesOf(request);

	const options = readTriggerOptions(context);
	const signatureVerified =
		options.signature === 'off'
			? null
			: isSigned(
					rawBody,
					headers,
					await signingSecrets(context, sender),
					Date.now() - options.maximumAge * 60_000,
				);
	if (options.signature === 'required' && signatureVerified !== true)
		throw new RejectedDelivery(401, 'Unauthorized');

	const body = deliveredObject(request, rawBody);
	const subscribed = readEvents(context);
	const event = readEvent(body, headers, subscribed);
	if (event === undefined) throw new RejectedDelivery(400, 'The body is empty');
	const fields = maskWebhooks(masked(event.fields));

	const filtered =
		!readAgents(context).includes(agent) ||
		!isAskedFor(event, subscribed) ||
		(options.channels !== undefined && !isOfChannel(fields, options.channels));
	if (filtered) return { webhookResponse: { message: 'Received and ignored' } };

	const json: IDataObject = {
		event: event.name,
		knownEvent: event.known,
		agent,
		data: (options.simplify ? simplified(fields) : fields) as IDataObject,
		deliveryId: deliveryIdOf(agent, body, event, rawBody),
		deliveryHeaderId: headerIdOf(headers),
		receivedAt: new Date().toISOString(),
		signatureVerified,
	};
	if (await isRepeated(context, String(json.deliveryId), [agent, signatureVerified]))
		return { webhookResponse: { message: 'Received before' } };
	pendingCleanups.testReceived(context);
	return { workflowData: [[{ json }]], webhookResponse: { message: 'Received' } };
}
