import type { IDataObject } from 'n8n-workflow';
import type { Identity } from './journal';

/**
 * Request keys that this process saw carried out, the oldest first; for each endpoint, because no source shows whether
 * another shares the key, a digest of what was sent first with it.
 */
const used = new Map<string, Map<string, string>>();

/** Enough for the largest lists that people send one by one; what falls out is known to the platform alone. */
const most = 100_000;

/** A request key in its workspace. */
export const reachName = (origin: string, key: unknown): string => `${origin} ${String(key)}`;

/** Remembers that a request was carried out under its key. @returns a digest of what was first sent with the key */
export function noteKey(
	origin: string,
	request: { operation: { endpoint: string }; body: IDataObject; identity: Identity },
): string {
	const { operation, body, identity } = request;
	const name = reachName(origin, body.request_key);
	const contents = used.get(name) ?? new Map<string, string>();
	const first = contents.get(operation.endpoint) ?? identity.content;
	used.set(name, contents.set(operation.endpoint, first));
	const [oldest] = used.keys();
	if (used.size > most && oldest !== undefined) used.delete(oldest);
	return first;
}

/** Whether this process reached whom 'Reach Each Person' stands for. If not, the platform may still know the key. */
export const wasReached = (origin: string, key: unknown): boolean =>
	used.has(reachName(origin, key));
