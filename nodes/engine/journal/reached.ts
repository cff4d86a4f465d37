/** Request keys of 'Reach Each Person' that this process saw carried out, the oldest first. */
const reached = new Set<string>();

/** Enough for the largest lists that people send one by one; what falls out is known to the platform alone. */
const most = 100_000;

const nameOf = (origin: string, key: unknown): string => `${origin} ${String(key)}`;

/** Remembers that somebody was reached, so that a later run of this process leaves them out and counts them. */
export function noteReached(origin: string, key: unknown): void {
	reached.add(nameOf(origin, key));
	const [oldest] = reached;
	if (reached.size > most && oldest !== undefined) reached.delete(oldest);
}

/** Whether this process reached them. If not, the platform may still know the key. */
export const wasReached = (origin: string, key: unknown): boolean =>
	reached.has(nameOf(origin, key));
