import { createHash } from 'node:crypto';
import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import { headerOf, isAskedFor, isOfChannel, readEvent, simplified, textOf } from './event';
import type { RegistrationData } from './plan';
import { readAgents, readEvents, readTriggerOptions } from './settings';
import { callbackToken, isSigned, sameText, signingSecret, unseal } from './signature';
import { cleanToken, markOf } from '../engine/http/workspace';
import { rethrow } from '../engine/rethrow';
import { mask, maskWebhooks } from '../engine/text/secrets';

/** Larger deliveries are answered 413. A transcript of an hour is about 100 kB. */
export const mostBytes = 4 * 1024 * 1024;
/** More levels than any event has; deeper ones would exhaust what reads them later. */
const mostLevels = 100;

/**
 * Keys whose values are credentials and are masked wherever they stand in `data`. Upper and lower case, `_` and `-`
 * make no difference. The reference (webhook guide) tells that such keys can occur in an event's `fields`.
 */
export const credentialKeys = [
	'access_token',
	'api_key',
	'auth_token',
	'authorization',
	'bearer_token',
	'client_secret',
	'id_token',
	'passphrase',
	'passwd',
	'password',
	'private_key',
	'refresh_token',
	'secret',
	'secret_key',
	'token',
	'x_api_key',
] as const;

const plainKey = (key: string): string => key.toLowerCase().replace(/[_-]/g, '');
const credentialNames = new Set<string>(credentialKeys.map(plainKey));

/** A delivery that starts nothing, with the answer that its sender gets. */
class RejectedDelivery extends Error {
	override name = 'RejectedDelivery';

	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** A copy in which the values of credential keys are masked. @throws RejectedDelivery when it is nested too deeply */
function masked(value: unknown, level = 0): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (level >= mostLevels)
		throw new RejectedDelivery(400, `The body is nested deeper than ${mostLevels} levels`);
	if (Array.isArray(value)) return value.map((entry) => masked(entry, level + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, inside]) => [
			key,
			credentialNames.has(plainKey(key)) && inside !== null && inside !== ''
				? mask
				: masked(inside, level + 1),
		]),
	);
}

/** What of n8n's Express request is read here; its types are not among what a node may import. */
interface Delivered {
	headers: Record<string, string | string[] | undefined>;
	rawBody?: Buffer;
	body: unknown;
	contentType?: string;
	/** Fills `rawBody`, within n8n's own limit. */
	readRawBody(): Promise<void>;
}

/** Who sent a delivery, as far as the callback URL tells. */
interface Sender {
	agent: string;
	/** Secrets that the platform may sign with. */
	secrets: () => Promise<string[]>;
}

/**
 * What the credential holds; nothing where n8n cannot read it, because a stranger's delivery
 * must not become a failed execution.
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
		context.logger.warn(`ACP Trigger could not read its credential: ${(thrown as Error).message}`);
		return { apiToken: '', webhookSecret: '' };
	}
}

/**
 * Recognises the registration by the token in the callback URL: one that n8n's static data knows, or one that only
 * this node's credential can have made.
 * @returns undefined for a stranger
 */
async function senderOf(context: IWebhookFunctions): Promise<Sender | undefined> {
	const { agent, token } = context.getQueryData() as { agent?: unknown; token?: unknown };
	if (typeof agent !== 'string' || typeof token !== 'string' || agent === '' || token === '')
		return undefined;
	const { registrations = [] } = context.getWorkflowStaticData('node') as RegistrationData;
	const mark = markOf(token);
	const kept = registrations.filter(
		(entry) => entry.agent === agent && sameText(entry.token, mark),
	);
	const owner = { workflow: String(context.getWorkflow().id), node: context.getNode().id, agent };
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

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const refuseAbove = (bytes: number): void => {
	if (bytes > mostBytes)
		throw new RejectedDelivery(413, `The body is larger than ${mostBytes} bytes`);
};

/**
 * The body as it was sent. n8n has read it already for the content types that it knows.
 * @throws RejectedDelivery when it is too large, cannot be read, or is a form's with parts, which n8n takes for itself
 */
async function bytesOf(request: Delivered): Promise<Buffer> {
	refuseAbove(request.rawBody?.length ?? Number(request.headers['content-length'] ?? 0));
	if (request.contentType?.startsWith('multipart/'))
		throw new RejectedDelivery(415, 'The body is not JSON');
	try {
		if (request.rawBody === undefined) await request.readRawBody();
	} catch (thrown) {
		const { status } = thrown as { status?: unknown };
		throw status === 413
			? new RejectedDelivery(413, 'The body is larger than this n8n takes')
			: new RejectedDelivery(400, 'The body cannot be read');
	}
	const bytes = request.rawBody ?? Buffer.alloc(0);
	refuseAbove(bytes.length);
	return bytes;
}

/** The body as an object. @throws RejectedDelivery for everything that is no event */
function objectOf({ body, contentType }: Delivered, rawBody: Buffer): IDataObject {
	if (rawBody.length === 0) throw new RejectedDelivery(400, 'The body is empty');
	const value = contentType === 'application/json' ? body : parsed(rawBody.toString('utf8'));
	if (value === undefined) throw new RejectedDelivery(415, 'The body is not JSON');
	if (!isPlainObject(value)) throw new RejectedDelivery(400, 'The body is not a JSON object');
	return value as IDataObject;
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
 * What repeats of a delivery have in common, from what a signature covers, so that nobody sends one again as another.
 * No source names an ID (reference: webhook guide), so: a field of the body that usually carries one, else a hash of
 * the body, which is the same when it is sent again.
 */
function deliveryIdOf(sender: Sender, body: IDataObject, rawBody: Buffer): string {
	return (
		textOf(body.delivery_id) ??
		textOf(body.event_id) ??
		`body-${createHash('sha256').update(sender.agent).update(rawBody).digest('hex').slice(0, 32)}`
	);
}

/**
 * n8n's `webhook`: turns a delivery into one item, or answers it without starting anything.
 * Never throws for what a sender can cause: n8n would record a failed execution.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await accept(context);
	} catch (thrown) {
		if (!(thrown instanceof RejectedDelivery)) rethrow(thrown);
		context.getResponseObject().status(thrown.status).json({ message: thrown.message });
		return { noWebhookResponse: true };
	}
}

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
					Date.now() - options.longestAge * 60_000,
				);
	if (options.signature === 'required' && signatureVerified !== true)
		throw new RejectedDelivery(401, 'Unauthorized');

	const body = objectOf(request, rawBody);
	const subscribed = readEvents(context);
	const event = readEvent(body, headers, subscribed);
	if (event === undefined) throw new RejectedDelivery(400, 'The body is empty');
	const fields = maskWebhooks(masked(event.fields));

	const filtered =
		!readAgents(context).includes(sender.agent) ||
		!isAskedFor(event, subscribed) ||
		(options.channels !== undefined && !isOfChannel(fields, options.channels));
	if (filtered) return { webhookResponse: { message: 'Received, not asked for' } };

	const json: IDataObject = {
		event: event.name,
		knownEvent: event.known,
		agent: sender.agent,
		data: (options.simplify ? simplified(fields) : fields) as IDataObject,
		deliveryId: deliveryIdOf(sender, body, rawBody),
		deliveryHeaderId: headerIdOf(headers),
		receivedAt: new Date().toISOString(),
		signatureVerified,
	};
	return { workflowData: [[{ json }]], webhookResponse: { message: 'Received' } };
}
