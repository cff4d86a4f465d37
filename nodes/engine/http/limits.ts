import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { objectOf } from '../answer/answer';

/** No longer wait is believed, so that an absurd value does not close anything for good. */
const longestMs = 24 * 3_600_000;

const numberOf = (value: unknown): number | undefined => {
	const number = String(value ?? '').trim() === '' ? NaN : Number(value);
	return Number.isFinite(number) ? number : undefined;
};

/** A wait in milliseconds: from seconds, a date, or the seconds or milliseconds since 1970 that some servers send. */
function waitOf(value: unknown, now: number): number | undefined {
	const number = numberOf(value);
	const until =
		number === undefined
			? [DateTime.fromHTTP(String(value)), DateTime.fromISO(String(value))]
					.find(({ isValid }) => isValid)
					?.toMillis()
			: number < 1e9
				? now + number * 1000
				: number * (number < 1e12 ? 1000 : 1);
	return until === undefined ? undefined : Math.min(Math.max(0, until - now), longestMs);
}

export interface ToldLimits {
	limit?: number;
	remaining?: number;
	retryAfterMs?: number;
}

/**
 * `X-RateLimit-*`, and `Retry-After`, otherwise `error.retryAfter` (interface §7, §8 rules 1 and 2). Moments are compared
 * with the response's own `Date`, because clocks differ. If a 429 names no wait, the end of its window is one.
 */
export function limitsOf(headers: IDataObject, body: unknown, isRefused: boolean): ToldLimits {
	const date = DateTime.fromHTTP(String(headers.date));
	const now = (date.isValid ? date : DateTime.now()).toMillis();
	return {
		limit: numberOf(headers['x-ratelimit-limit']),
		remaining: numberOf(headers['x-ratelimit-remaining']),
		retryAfterMs:
			waitOf(headers['retry-after'], now) ??
			waitOf(objectOf(objectOf(body).error).retryAfter, now) ??
			(isRefused ? waitOf(headers['x-ratelimit-reset'], now) : undefined),
	};
}
