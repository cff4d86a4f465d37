import {
	createCipheriv,
	createDecipheriv,
	createHash,
	createHmac,
	randomBytes,
	timingSafeEqual,
} from 'node:crypto';

/**
 * Derives a secret of a registration from the credential's token. One that is stored is lost with n8n's static data: if
 * a node is renamed, or killed before it saves, or by a long execution. And it proves that a URL is the node's own.
 */
export const derive = (apiToken: string, parts: string[]): Buffer =>
	createHmac('sha256', apiToken).update(JSON.stringify(parts)).digest();

const sealWith = (token: string): Buffer =>
	createHmac('sha256', token).update('acp-trigger sealed secret').digest();

/**
 * Seals a text for n8n's static data, which whoever may read the workflow can read. Only the token opens it.
 * @param start of the cipher; never the same for two texts under one token
 */
export function seal(secret: string, token: string, start = randomBytes(12)): string {
	const cipher = createCipheriv('aes-256-gcm', sealWith(token), start);
	const sealed = [cipher.update(secret, 'utf8'), cipher.final()];
	return Buffer.concat([start, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

/** @returns what was sealed; undefined if another token sealed it */
export function unseal(sealed: string, token: string): string | undefined {
	const bytes = Buffer.from(sealed, 'base64url');
	try {
		const cipher = createDecipheriv('aes-256-gcm', sealWith(token), bytes.subarray(0, 12));
		cipher.setAuthTag(bytes.subarray(-16));
		return cipher.update(bytes.subarray(12, -16), undefined, 'utf8') + cipher.final('utf8');
	} catch {
		return undefined;
	}
}

/** Seals a text that is always the same: equal texts under one token are equal when sealed, and nothing else shows. */
export const sealAlike = (text: string, token: string): string =>
	seal(text, token, createHmac('sha256', sealWith(token)).update(text).digest().subarray(0, 12));

/** Compares texts in a time that does not depend on where they differ. */
export const sameText = (one: string, other: string): boolean =>
	timingSafeEqual(
		createHash('sha256').update(one).digest(),
		createHash('sha256').update(other).digest(),
	);
