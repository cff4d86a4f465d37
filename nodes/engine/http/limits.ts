import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

/** No longer wait is believed, so that an absurd value does not close anything for good. */
const longestMs = 24 * 3_600_000;

const numberOf = (value: unknown): number | undefined => {
	if (typeof value === 'string' && value.trim() === '') return undefined;
	const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
	return Number.isFinite(number) ? number : undefined;
};

/** A wait in milliseconds: from seconds, a date, or the seconds or milliseconds since 1970 that some servers send. */
function waitOf(value: unknown, now: DateTime): number | undefined {
	const number = numberOf(value);
	const until =
		number === undefined
			? momentOf(value)
			: number >= 1e12
				? number
				: number >= 1e9
					? number * 1000
					: now.toMillis() + number * 1000;
	if (until === undefined) return undefined;
	return Math.min(Math.max(0, until - now.toMillis()), longestMs);
}

function momentOf(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const moment = [DateTime.fromHTTP(value), DateTime.fromISO(value)].find(({ isValid }) => isValid);
	return moment?.toMillis();
}

/** The parameters of a field of the IETF draft: `"default";r=50;t=30`, or `limit=100, reset=50`; the first counts. */
function parametersOf(value: unknown): Record<string, string> {
	const parameters: Record<string, string> = {};
	for (const [, name = '', number = ''] of String(value).matchAll(/\b([a-z]+)\s*=\s*(\d+)/gi))
		parameters[name.toLowerCase()] ??= number;
	return parameters;
}

/** What a response tells about the limits (interface §8 rules 1 and 2). */
export interface ToldLimits {
	limit?: number;
	/** How long the window is to which the limit belongs, if the response tells. */
	windowMs?: number;
	remaining?: number;
	retryAfterMs?: number;
}

/**
 * What a response tells about the limits: `X-RateLimit-*`, and `Retry-After`, otherwise `error.retryAfter` (interface
 * §7, §8 rules 1 and 2). Beside them the fields of the IETF draft: `RateLimit`, and `RateLimit-Policy`, which names its
 * window. Moments are compared with the response's own `Date`, because clocks differ.
 * @param isRefused whether it is a 429: when that names no wait, the end of its window is one
 */
export function limitsOf(headers: IDataObject, body: unknown, isRefused: boolean): ToldLimits {
	const now = DateTime.fromHTTP(String(headers.date));
	const reference = now.isValid ? now : DateTime.now();
	const drafted = parametersOf(headers.ratelimit);
	const policy = parametersOf(headers['ratelimit-policy']);
	const [quota] = /^\d+/.exec(String(headers['ratelimit-policy'])) ?? [];
	const seconds = numberOf(policy.w);
	return {
		limit: numberOf(headers['x-ratelimit-limit'] ?? policy.q ?? drafted.limit ?? quota),
		windowMs: seconds === undefined ? undefined : seconds * 1000,
		remaining: numberOf(headers['x-ratelimit-remaining'] ?? drafted.r ?? drafted.remaining),
		retryAfterMs:
			waitOf(headers['retry-after'], reference) ??
			waitOf((body as { error?: IDataObject } | undefined)?.error?.retryAfter, reference) ??
			(isRefused
				? waitOf(headers['x-ratelimit-reset'] ?? drafted.t ?? drafted.reset, reference)
				: undefined),
	};
}
