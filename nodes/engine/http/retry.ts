import { patienceMs } from './pace';
import { longWaitMs } from '../platform/waits';
import type { RequestError } from '../errors/requestError';

/**
 * What repeating a request can do. `read`: nothing. `keyed`: nothing, because `request_key` makes the platform
 * return the first request (interface §8 rule 3). `set`: nothing, because it sets the same again. `write`: it can
 * happen twice, so the recovery of the operation decides, and not the client.
 */
export type RequestClass = 'read' | 'keyed' | 'set' | 'write';

/** A longer `Retry-After` is not waited for; the user is told instead. After a 429, `longWaitMs` is the bound. */
const longestWaitMs = 5 * 60_000;

/**
 * Whether and when to try again (interface §7: 429, 500, 502, 503 with back-off). A write only if it is certain that
 * nothing happened.
 * @param past failures until now without 429, and milliseconds since the first 429
 * @param random from 0 to below 1
 * @returns milliseconds to wait, never less than the platform asked for; undefined to give up
 */
export function retryDelay(
	requestError: RequestError,
	call: { class: RequestClass; maxRetries?: number },
	past: { failures: number; throttledMs: number },
	random: () => number,
): number | undefined {
	if (!requestError.temporary) return undefined;
	const asked = requestError.facts.retryAfterMs ?? 0;
	if (asked > longestWaitMs) return undefined;
	const allowed = call.maxRetries ?? 5;
	if (allowed <= 0) return undefined;
	if (requestError.facts.status === 429) {
		if (asked > longWaitMs) return undefined;
		if (past.throttledMs + asked >= patienceMs) return undefined;
		// Chance spreads requests that were refused together.
		return Math.max(asked, 250) + random() * 250;
	}
	if (past.failures > allowed) return undefined;
	if (call.class === 'write' && requestError.outcome !== 'nothing') return undefined;
	const backOff = Math.min(500 * 2 ** (past.failures - 1), 30_000);
	return Math.max(asked, backOff * (0.5 + random() / 2));
}
