import { createHmac, timingSafeEqual } from 'node:crypto';

type Headers = Record<string, string | string[] | undefined>;

const algorithms = new Map([
	[20, 'sha1'],
	[32, 'sha256'],
	[64, 'sha512'],
]);

/** More candidates than any sender sends; this limits the work that a stranger can cause. */
const mostCandidates = 64;

/** The bytes of a digest in hex, base64 or base64url; undefined for any other text. */
function digestBytes(text: string): Buffer | undefined {
	const hex = /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
	if (hex && algorithms.has(hex.length)) return hex;
	const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
	return base64 && algorithms.has(base64.length) ? base64 : undefined;
}

/** Parts of a header: `<digest>`, `sha256=<digest>`, `t=<time>,v1=<digest>`, several with commas or spaces. */
const partsOf = (value: string): string[] => value.split(/[\s,;]+/).filter((part) => part !== '');

/** A time in seconds (ten digits from 2001 to 2286) or milliseconds. */
const millisecondsOf = (time: string): number => Number(time) * (time.length > 11 ? 1 : 1000);

const withoutName = (part: string): string =>
	part.replace(/^[A-Za-z][A-Za-z0-9_-]{0,30}[=:](?=.)/, '');

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
	headers: Headers,
	secrets: string[],
	notBefore = -Infinity,
): boolean {
	const usable = secrets.filter((secret) => secret !== '');
	const digests = new Map<string, Buffer>();
	const expected = (secret: string, algorithm: string, time: string | undefined): Buffer => {
		const key = JSON.stringify([secret, algorithm, time]);
		let digest = digests.get(key);
		if (!digest) {
			const hmac = createHmac(algorithm, secret);
			if (time !== undefined) hmac.update(`${time}.`);
			digests.set(key, (digest = hmac.update(body).digest()));
		}
		return digest;
	};
	let candidates = 0;
	for (const value of Object.values(headers).flat()) {
		if (typeof value !== 'string' || value.length > 4096) continue;
		const parts = partsOf(value);
		const time = parts
			.map((part) => /^t=(\d{9,13})$/.exec(part)?.[1])
			.find((found) => found !== undefined);
		for (const part of parts) {
			for (const text of new Set([part, withoutName(part)])) {
				const given = digestBytes(text);
				if (!given) continue;
				if (++candidates > mostCandidates) return false;
				const algorithm = algorithms.get(given.length) as string;
				for (const secret of usable) {
					if (timingSafeEqual(given, expected(secret, algorithm, undefined))) return true;
					if (time !== undefined && timingSafeEqual(given, expected(secret, algorithm, time)))
						return millisecondsOf(time) >= notBefore;
				}
			}
		}
	}
	return false;
}
