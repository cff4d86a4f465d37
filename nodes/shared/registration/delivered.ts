import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { attempt, isMatch, isObject, mapValues } from 'lodash';
import { pendingCleanups } from './pendingCleanups';
import { secretOf, versionOf, type Owner } from './plan';
import { sameText } from './proof';
import type { Entry, TriggerType } from './registrant';
import { rethrow } from '../../engine/errors/requestError';
import { mostLevels, parseExactly, TooDeep } from '../../engine/response/response';
import { cleanToken, markOf } from '../../engine/http/workspace';
import { mask, maskWebhooks } from '../../engine/secrets/secrets';
import { isPlainObject, words } from '../../engine/text/text';

/** A transcript of an hour is about 100 kB. */
const mostBytes = 4 * 1024 * 1024;

/** Upper and lower case, `_` and `-` make no difference in the name of a key. */
export const plainKey = (key: string): string => key.toLowerCase().replace(/[_-]/g, '');

/**
 * Keys whose values are credentials, masked everywhere. The reference (webhook guide) says that such keys can be in an
 * event's `fields`.
 */
const credentialNames = new Set(
	words(
		'access_token api_key auth_token authorization bearer_token client_secret id_token passphrase passwd ' +
			'password private_key refresh_token secret secret_key token x_api_key',
	).map(plainKey),
);

/** A delivery that starts nothing, and the answer to its sender. */
export class RejectedDelivery extends Error {
	override name = 'RejectedDelivery';

	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

export const masked = (value: unknown): unknown => maskWebhooks(withoutCredentials(value));

function withoutCredentials(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutCredentials);
	if (!isPlainObject(value)) return value;
	return mapValues(value as IDataObject, (inside, key) =>
		credentialNames.has(plainKey(key)) && inside !== null && inside !== ''
			? mask
			: withoutCredentials(inside),
	);
}

/** The part of n8n's Express request that is read here; a node may not import its types. */
export interface Delivered {
	headers: Record<string, string | string[] | undefined>;
	rawBody?: Buffer;
	body: unknown;
	contentType?: string;
	encoding?: BufferEncoding;
	/** Fills `rawBody`, within n8n's own limit. */
	readRawBody(): Promise<void>;
}

export function opened(value: unknown): unknown {
	const inside = typeof value === 'string' ? attempt(parseExactly, value) : value;
	return isObject(inside) && !(inside instanceof Error) ? inside : value;
}

/** The same without a secret text, wherever it stands. */
export function withoutText(value: unknown, secret: string): unknown {
	if (typeof value === 'string') return value.split(secret).join(mask);
	if (Array.isArray(value)) return value.map((one) => withoutText(one, secret));
	return isPlainObject(value) ? mapValues(value, (one) => withoutText(one, secret)) : value;
}

/** A short text, also of a number; undefined if it is neither, or empty. */
export const shortText = (value: unknown): string | undefined => {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : undefined;
};

/** The body as it was sent. n8n has already read it for the content types that it knows, and forms with parts. */
export async function bytesOf(request: Delivered): Promise<Buffer> {
	const refuseAbove = (bytes: number): void => {
		if (bytes > mostBytes)
			throw new RejectedDelivery(413, `The body is larger than ${mostBytes} bytes`);
	};
	refuseAbove(request.rawBody?.length ?? Number(request.headers['content-length'] ?? 0));
	if (request.contentType?.startsWith('multipart/'))
		throw new RejectedDelivery(415, 'The body is not JSON');
	try {
		if (request.rawBody === undefined) await request.readRawBody();
	} catch (thrown) {
		const { status } = thrown as { status?: unknown };
		throw status === 413
			? new RejectedDelivery(413, 'The body is larger than this n8n accepts')
			: new RejectedDelivery(400, 'The body cannot be read');
	}
	const bytes = request.rawBody ?? Buffer.alloc(0);
	refuseAbove(bytes.length);
	return bytes;
}

/** The body as an object, read from its bytes: n8n's own reading changes large numbers. */
export function deliveredObject({ encoding }: Delivered, rawBody: Buffer): IDataObject {
	if (rawBody.length === 0) throw new RejectedDelivery(400, 'The body is empty');
	const text = rawBody.toString(Buffer.isEncoding(String(encoding)) ? encoding : 'utf8');
	const value = attempt(parseExactly, text.replace(/^\uFEFF/, ''));
	if (value instanceof TooDeep)
		throw new RejectedDelivery(400, `The body is nested deeper than ${mostLevels} levels`);
	if (value instanceof Error) throw new RejectedDelivery(415, 'The body is not JSON');
	if (!isPlainObject(value)) throw new RejectedDelivery(400, 'The body is not a JSON object');
	return value as IDataObject;
}

/** @param isKnown whether n8n could read its credential; its database may be late, so a sender may try again */
export const unauthorized = (isKnown: boolean): RejectedDelivery =>
	isKnown
		? new RejectedDelivery(401, 'Unauthorized')
		: new RejectedDelivery(503, 'The credential cannot be read now');

export interface Sender<E extends Entry> extends Owner {
	token: string;
	kept?: E;
	/** A secret that only the credential tells; undefined if n8n cannot read it. */
	secret: (purpose: string) => Promise<Buffer | undefined>;
}

/** What the credential holds; empty if n8n cannot read it: a stranger's delivery must not become a failed execution. */
export async function credentialOf(
	context: IWebhookFunctions,
	{ title }: TriggerType,
): Promise<{ apiToken: string; webhookSecret: string }> {
	try {
		const { token, webhookSecret } = await context.getCredentials('acpApi');
		return {
			apiToken: cleanToken(token),
			webhookSecret: typeof webhookSecret === 'string' ? webhookSecret.trim() : '',
		};
	} catch (thrown) {
		context.logger.warn(`${title} could not read its credential: ${(thrown as Error).message}`);
		return { apiToken: '', webhookSecret: '' };
	}
}

/**
 * Recognizes the registration by the token in the callback URL: n8n's static data knows it, or only this node's
 * credential can have made it.
 */
async function senderOf<E extends Entry>(context: IWebhookFunctions, type: TriggerType) {
	const { agent, intent, token } = context.getQueryData() as Record<string, unknown>;
	const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
	if (!isText(agent) || !isText(token) || !(intent === undefined || isText(intent)))
		throw new RejectedDelivery(401, 'Unauthorized');
	const workflow = String(context.getWorkflow().id);
	const owner: Owner = { workflow, node: context.getNode().id, agent, ...(intent && { intent }) };
	const version = versionOf(context.getNode());
	const secret = async (purpose: string): Promise<Buffer | undefined> => {
		const { apiToken } = await credentialOf(context, type);
		if (apiToken === '') return undefined;
		return secretOf(type.family, purpose, apiToken, { ...owner, version });
	};
	const { registrations = [] } = context.getWorkflowStaticData('node') as { registrations?: E[] };
	const mark = markOf(token);
	// n8n may bring back an older state of static data, and with it what a leaked URL opens.
	const kept = registrations.find(
		(entry) =>
			isMatch(entry, owner) &&
			entry.intent === intent &&
			entry.address !== '' &&
			(entry.version ?? '') === version &&
			sameText(entry.token, mark),
	);
	const made = kept ? undefined : (await secret('callback'))?.toString('base64url');
	if (!kept && (made === undefined || !sameText(token, made)))
		throw unauthorized(made !== undefined);
	return { ...owner, version, token, kept, secret };
}

/**
 * n8n's `webhook`. It never throws because of what a sender does: n8n would record a failed execution.
 * @param take turns a delivery into items, or answers it without starting anything
 */
export const receiverOf =
	<E extends Entry>(
		type: TriggerType,
		take: (
			context: IWebhookFunctions,
			request: Delivered,
			sender: Sender<E>,
		) => Promise<IWebhookResponseData>,
	) =>
	async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
		try {
			const request = context.getRequestObject() as unknown as Delivered;
			const taken = await take(context, request, await senderOf<E>(context, type));
			if (taken.workflowData) pendingCleanups.testReceived(context);
			return taken;
		} catch (thrown) {
			if (!(thrown instanceof RejectedDelivery)) return rethrow(thrown);
			context.getResponseObject().status(thrown.status).json({ message: thrown.message });
			return { noWebhookResponse: true };
		}
	};
