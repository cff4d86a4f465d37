import type { PreparedRequest } from '../operation/preparedRequest';

/** Request keys of 'Reach Each Person' that this process saw carried out, the oldest first. */
const reached = new Set<string>();

/** What this process sent first with each key of a user's, as a digest, the oldest first. */
const contents = new Map<string, string>();

/** Enough for the largest lists that people send one by one; what falls out is known to the platform alone. */
const most = 100_000;

/** A request key in its workspace. */
export const reachName = (origin: string, key: unknown): string => `${origin} ${String(key)}`;

function forgetOldest(kept: Set<string> | Map<string, string>): void {
	const [oldest] = kept.keys();
	if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}

/** Remembers that somebody was reached, so that a later run of this process leaves them out and counts them. */
export function noteReached(origin: string, key: unknown): void {
	reached.add(reachName(origin, key));
	forgetOldest(reached);
}

/** Whether this process reached them. If not, the platform may still know the key. */
export const wasReached = (origin: string, key: unknown): boolean =>
	reached.has(reachName(origin, key));

/** What was sent first with the key of a request, at its endpoint: no source shows whether another shares the key. */
export function firstContent(
	origin: string,
	{ operation, body, identity }: PreparedRequest,
): string {
	const name = reachName(`${origin} ${operation.endpoint}`, body.request_key);
	const first = contents.get(name) ?? identity.content;
	contents.set(name, first);
	forgetOldest(contents);
	return first;
}
