import type { PreparedRequest } from '../operation/preparedRequest';

/** Request keys that this process saw carried out, the oldest first, each with a digest of what was sent. */
const reached = new Map<string, string>();

/** Enough for the largest lists that people send one by one; what falls out is known to the platform alone. */
const most = 100_000;

type Keyed = Pick<PreparedRequest, 'operation' | 'body'>;

const nameOf = (origin: string, { operation, body }: Keyed): string =>
	`${origin} ${operation.endpoint} ${String(body.request_key)}`;

/**
 * Remembers that a request with this key was carried out, so that a later run of this process leaves its person out.
 * @returns what was sent with it the first time
 */
export function noteReached(origin: string, request: PreparedRequest): string {
	const name = nameOf(origin, request);
	const { content } = request.identity;
	const first = reached.get(name) ?? content;
	reached.set(name, first);
	const [oldest] = reached.keys();
	if (reached.size > most && oldest !== undefined) reached.delete(oldest);
	return first;
}

/** Whether this process reached them. If not, the platform may still know the key. */
export const wasReached = (origin: string, request: Keyed): boolean =>
	reached.has(nameOf(origin, request));
