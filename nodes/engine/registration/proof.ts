import {
	createCipheriv,
	createDecipheriv,
	createHash,
	createHmac,
	randomBytes,
	timingSafeEqual,
} from 'node:crypto';

const sealWith = (token: string): Buffer =>
	createHmac('sha256', token).update('acp-trigger sealed secret').digest();

/**
 * Seals a signing secret for n8n's static data, which whoever may read the workflow can read. Only the callback token
 * opens it. Static data holds only a mark of that token; every delivery brings it.
 */
export function seal(secret: string, token: string): string {
	const start = randomBytes(12);
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

/** Compares texts in a time that does not depend on where they differ. */
export const sameText = (one: string, other: string): boolean =>
	timingSafeEqual(
		createHash('sha256').update(one).digest(),
		createHash('sha256').update(other).digest(),
	);
