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
import type { RegistrationData } from './plan';
import { isRepeated } from './repeated';
import { readAgents, readEvents, readTriggerOptions } from './settings';
import { callbackToken, isSigned, signingSecret } from './signature';
import { cleanToken, markOf } from '../engine/http/workspace';
import { maskWebhooks } from '../engine/secrets/secrets';
import {
	bytesOf,
	type Delivered,
	masked,
	deliveredObject,
	answeringRejections,
	RejectedDelivery,
} from '../engine/registration/delivered';
import { noteReceived } from '../engine/registration/left';
import { versionOf } from '../engine/registration/plan';
import { sameText, unseal } from '../engine/registration/proof';

/** The sender of a delivery, as far as the callback URL shows. */
interface Sender {
	agent: string;
	/** Secrets that the platform may sign with. */
	secrets: () => Promise<string[]>;
}

/**
 * What the credential holds; empty if n8n cannot read it, because a stranger's delivery must not become a failed
 * execution.
 */
async function credentialOf(
	context: IWebhookFunctions,
): Promise<{ apiToken: string; webhookSecret: string }> {
	try {
		const { token, webhookSecret } = await context.getCredentials('acpApi');
		return {
			apiToken: cleanToken(token),
			webhookSecret: typeof webhookSecret === 'string' ? webhookSecret.trim() : '',
		};
	} catch (thrown) {
		context.logger.warn(
			`ACP Event Trigger could not read its credential: ${(thrown as Error).message}`,
		);
		return { apiToken: '', webhookSecret: '' };
	}
}

/**
 * Recognizes the registration by the token in the callback URL: n8n's static data knows it, or only this node's
 * credential can have made it.
 * @returns undefined for a stranger
 */
async function senderOf(context: IWebhookFunctions): Promise<Sender | undefined> {
	const { agent, token } = context.getQueryData() as { agent?: unknown; token?: unknown };
	if (typeof agent !== 'string' || typeof token !== 'string' || agent === '' || token === '')
		return undefined;
	const { registrations = [] } = context.getWorkflowStaticData('node') as RegistrationData;
	const mark = markOf(token);
	const version = versionOf(context.getNode());
	// n8n may bring back an older state of static data, and with it what a leaked URL opens.
	const kept = registrations.filter(
		(entry) =>
			entry.agent === agent && (entry.version ?? '') === version && sameText(entry.token, mark),
	);
	const workflow = String(context.getWorkflow().id);
	const owner = { workflow, node: context.getNode().id, agent, version };
	if (kept.length === 0) {
		const { apiToken } = await credentialOf(context);
		if (apiToken === '' || !sameText(token, callbackToken(apiToken, owner))) return undefined;
	}
	return {
		agent,
		async secrets() {
			const generated = kept.flatMap(({ sealed = '' }) => unseal(sealed, token) ?? []);
			if (generated.length > 0) return generated;
			const { apiToken, webhookSecret } = await credentialOf(context);
			return [webhookSecret, apiToken === '' ? '' : signingSecret(apiToken, owner)];
		},
	};
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
	sender: Sender,
	body: IDataObject,
	{ signedName, fields }: AgentEvent,
	rawBody: Buffer,
): string {
	const id = textOf(body.delivery_id) ?? textOf(body.event_id);
	if (id === undefined)
		return `body-${createHash('sha256').update(sender.agent).update(rawBody).digest('hex').slice(0, 32)}`;
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
	const sender = await senderOf(context);
	if (!sender) throw new RejectedDelivery(401, 'Unauthorized');
	const { headers } = request;
	const rawBody = await bytesOf(request);

	const options = readTriggerOptions(context);
	const signatureVerified =
		options.signature === 'off'
			? null
			: isSigned(
					rawBody,
					headers,
					await sender.secrets(),
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
		!readAgents(context).includes(sender.agent) ||
		!isAskedFor(event, subscribed) ||
		(options.channels !== undefined && !isOfChannel(fields, options.channels));
	if (filtered) return { webhookResponse: { message: 'Received and ignored' } };

	const json: IDataObject = {
		event: event.name,
		knownEvent: event.known,
		agent: sender.agent,
		data: (options.simplify ? simplified(fields) : fields) as IDataObject,
		deliveryId: deliveryIdOf(sender, body, event, rawBody),
		deliveryHeaderId: headerIdOf(headers),
		receivedAt: new Date().toISOString(),
		signatureVerified,
	};
	if (await isRepeated(context, String(json.deliveryId), [sender.agent, signatureVerified]))
		return { webhookResponse: { message: 'Received before' } };
	noteReceived(context);
	return { workflowData: [[{ json }]], webhookResponse: { message: 'Received' } };
}
