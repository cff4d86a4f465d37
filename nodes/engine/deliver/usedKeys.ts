import { omit } from 'lodash';
import { takesKey } from './otherForm';
import type { Delivering } from '../execution';
import { RequestError } from '../errors/requestError';
import { digest } from '../journal/journal';
import type { PreparedRequest } from '../operation/preparedRequest';

/** How long it is remembered what a key was used for, in milliseconds, and of how many keys. */
const keptMs = 24 * 3_600_000;
const mostKept = 10_000;

/** What the user's own keys were used for in this process, by workspace, endpoint and key; the oldest first. */
const used = new Map<string, { content: string; at: number }>();

/**
 * Sends a request that may have a key of the user's. The platform acts on each key once and answers the second request
 * with the first one, so a key that this process has used for another content is refused.
 * @param work sends it
 * @throws RequestError that nothing was sent, and what `work` throws
 */
export async function withOwnKey<T>(
	execution: Delivering,
	prepared: PreparedRequest,
	work: () => Promise<T>,
): Promise<T> {
	const { operation, address, body, ownKey } = prepared;
	if (ownKey === undefined || !takesKey(execution, prepared)) return await work();
	const { origin } = execution.client.workspace;
	const name = JSON.stringify([origin, operation.method, address, body.request_key]);
	const content = digest(prepared.query, omit(body, 'request_key'));
	const earlier = used.get(name);
	if (earlier && earlier.content !== content && Date.now() - earlier.at < keptMs)
		throw new RequestError('otherRequest', 'nothing', { code: 'KEY_IN_USE', message: ownKey });
	const done = await work();
	if (takesKey(execution, prepared)) {
		used.delete(name);
		used.set(name, { content, at: Date.now() });
		const [oldest] = used.keys();
		if (used.size > mostKept && oldest !== undefined) used.delete(oldest);
	}
	return done;
}
