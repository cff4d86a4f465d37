import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import { rethrow } from '../errors/rethrow';
import { mostLevels, parseExactly, TooDeep } from '../http/exactJson';
import { mask } from '../secrets/secrets';

/** Larger deliveries get a 413. A transcript of an hour is about 100 kB. */
export const mostBytes = 4 * 1024 * 1024;

/**
 * Keys whose values are credentials, masked everywhere in `data`. Upper and lower case, `_` and `-` make no difference.
 * The reference (webhook guide) says that such keys can be in an event's `fields`.
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

/** Takes a delivery, or answers its sender why not. */
export async function answeringRejections(
	context: IWebhookFunctions,
	take: (context: IWebhookFunctions) => Promise<IWebhookResponseData>,
): Promise<IWebhookResponseData> {
	try {
		return await take(context);
	} catch (thrown) {
		if (!(thrown instanceof RejectedDelivery)) return rethrow(thrown);
		context.getResponseObject().status(thrown.status).json({ message: thrown.message });
		return { noWebhookResponse: true };
	}
}

/** A copy with masked values of all credential keys. @throws RejectedDelivery if it is nested too deeply */
export function masked(value: unknown, level = 0): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (level >= mostLevels) throw tooDeep();
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

/** JSON as it was sent, large numbers as text; undefined if it is none. */
export function parsed(text: string): unknown {
	try {
		return parseExactly(text);
	} catch {
		return undefined;
	}
}

const tooDeep = (): RejectedDelivery =>
	new RejectedDelivery(400, `The body is nested deeper than ${mostLevels} levels`);

/** The body of a delivery. @throws RejectedDelivery */
function parsedBody(text: string): unknown {
	try {
		return parseExactly(text);
	} catch (thrown) {
		throw thrown instanceof TooDeep ? tooDeep() : new RejectedDelivery(415, 'The body is not JSON');
	}
}

const refuseAbove = (bytes: number): void => {
	if (bytes > mostBytes)
		throw new RejectedDelivery(413, `The body is larger than ${mostBytes} bytes`);
};

/**
 * The body as it was sent. n8n has already read it for the content types that it knows.
 * @throws RejectedDelivery if it is too large, cannot be read, or is a form with parts, which n8n handles itself
 */
export async function bytesOf(request: Delivered): Promise<Buffer> {
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

/**
 * The body as an object, read from its bytes: n8n's own reading changes large numbers.
 * @throws RejectedDelivery if it is not an event
 */
export function deliveredObject({ encoding }: Delivered, rawBody: Buffer): IDataObject {
	if (rawBody.length === 0) throw new RejectedDelivery(400, 'The body is empty');
	const text = rawBody.toString(Buffer.isEncoding(String(encoding)) ? encoding : 'utf8');
	const value = parsedBody(text.replace(/^\uFEFF/, ''));
	if (!isPlainObject(value)) throw new RejectedDelivery(400, 'The body is not a JSON object');
	return value as IDataObject;
}
