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
 * A signing secret as n8n's static data may hold it, which everybody reads who may read the workflow: to be opened with
 * the callback token alone, of which static data holds only a mark, and which comes with every delivery.
 */
export function seal(secret: string, token: string): string {
	const start = randomBytes(12);
	const cipher = createCipheriv('aes-256-gcm', sealWith(token), start);
	const sealed = [cipher.update(secret, 'utf8'), cipher.final()];
	return Buffer.concat([start, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

/** @returns what was sealed; undefined when it was not sealed with this token */
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

/** Compares in a time that does not depend on where the texts differ. */
export const sameText = (one: string, other: string): boolean =>
	timingSafeEqual(
		createHash('sha256').update(one).digest(),
		createHash('sha256').update(other).digest(),
	);
