import { createHmac, timingSafeEqual } from 'node:crypto';
import { memoize } from 'lodash';
import type { Delivered } from '../shared/registration/delivered';

const algorithms = new Map([
	[20, 'sha1'],
	[32, 'sha256'],
	[64, 'sha512'],
]);

/** More candidates than any sender sends; this limits the work that a stranger can cause. */
const mostCandidates = 64;

interface Candidate {
	digest: Buffer;
	algorithm: string;
	/** What the signature may cover in front of the body. */
	time: string | undefined;
}

/** The bytes of a digest in hex, base64 or base64url; undefined for any other text. */
function digestBytes(text: string): Buffer | undefined {
	const hex = /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
	if (hex && algorithms.has(hex.length)) return hex;
	const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
	return base64 && algorithms.has(base64.length) ? base64 : undefined;
}

const withoutName = (part: string): string =>
	part.replace(/^[A-Za-z][A-Za-z0-9_-]{0,30}[=:](?=.)/, '');

/** In a header: `<digest>`, `sha256=<digest>`, `t=<time>,v1=<digest>`, several with commas or spaces. */
function candidatesIn(header: string | undefined): Candidate[] {
	if (header === undefined || header.length > 4096) return [];
	const parts = header.split(/[\s,;]+/);
	const time = parts.map((part) => /^t=(\d{9,13})$/.exec(part)?.[1]).find(Boolean);
	const texts = parts.flatMap((part) => [...new Set([part, withoutName(part)])]);
	return texts.flatMap((text) => {
		const digest = digestBytes(text);
		const algorithm = algorithms.get(digest?.length ?? 0);
		return digest && algorithm ? [{ digest, algorithm, time }] : [];
	});
}

/** A time in seconds (ten digits from 2001 to 2286) or milliseconds. */
const millisecondsOf = (time: string): number => Number(time) * (time.length > 11 ? 1 : 1000);

/**
 * Whether some header carries a valid HMAC of the raw body under one of the secrets, and, if it covers a time, whether
 * that time is recent enough.
 *
 * The interface names neither the header nor the algorithm (interface §6), so this looks for what can be checked:
 * sha256, sha1 or sha512, in hex or base64, with or without a name before it, of the body or of `<time>.<body>` if the
 * same header has a time (`t=…,v1=…`). Never throws.
 * @param notBefore milliseconds since 1970; an older signature is not valid
 */
export function isSigned(
	body: Buffer,
	headers: Delivered['headers'],
	secrets: string[],
	notBefore = -Infinity,
): boolean {
	const expected = memoize(
		(secret: string, algorithm: string, before: string) =>
			createHmac(algorithm, secret).update(before).update(body).digest(),
		(...of) => JSON.stringify(of),
	);
	const candidates = Object.values(headers).flat().flatMap(candidatesIn);
	for (const { digest, algorithm, time } of candidates.slice(0, mostCandidates))
		for (const secret of secrets.filter((one) => one !== '')) {
			if (timingSafeEqual(digest, expected(secret, algorithm, ''))) return true;
			if (time !== undefined && timingSafeEqual(digest, expected(secret, algorithm, `${time}.`)))
				return millisecondsOf(time) >= notBefore;
		}
	return false;
}
