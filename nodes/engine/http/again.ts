import { patienceMs } from './pace';
import { longWaitMs } from '../platform/paceLimits';
import type { RequestError } from '../errors/requestError';

/** Repeated, `read` and `set` do nothing, `keyed` returns the first (interface §8 rule 3), and `write` can happen twice. */
export type RequestClass = 'read' | 'keyed' | 'set' | 'write';

/**
 * May a request be sent again that did not succeed? Everybody who could asks here (architecture.md, question 5).
 * @returns `same`: nothing happened, or the second time changes nothing more; `other`: the platform did not accept the
 * form (interface §7: 400, 422), so once without what the node guessed; `look`: it may have been carried out; `no`
 */
export function again(
	kind: RequestClass,
	requestError: RequestError,
): 'same' | 'other' | 'look' | 'no' {
	const { outcome, isInvalidRequest, temporary, facts } = requestError;
	const { status, retryAfterMs } = facts;
	// A conflict that asks to wait, after a lost try with the same key: the platform may still be at work on that one.
	if (kind === 'keyed' && outcome !== 'nothing' && status === 409 && retryAfterMs !== undefined)
		return 'same';
	if (outcome !== 'nothing' && kind === 'write') return 'look';
	return outcome === 'nothing' && isInvalidRequest ? 'other' : temporary ? 'same' : 'no';
}

/** A longer `Retry-After` is not waited for; the user is told instead. After a 429, `longWaitMs` is the bound. */
const longestWaitMs = 5 * 60_000;

/** Interface §7. @param past failures without 429, milliseconds since the first 429 @returns milliseconds; undefined: give up */
export function retryDelay(
	requestError: RequestError,
	call: { class: RequestClass; maxRetries?: number },
	past: { failures: number; throttledMs: number },
	random: () => number,
): number | undefined {
	if (again(call.class, requestError) !== 'same') return undefined;
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
	const backOff = Math.min(500 * 2 ** (past.failures - 1), 30_000);
	return Math.max(asked, backOff * (0.5 + random() / 2));
}
