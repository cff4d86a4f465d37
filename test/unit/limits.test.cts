import { DateTime } from 'luxon';
import { limitsOf } from '../../nodes/engine/http/pace';

const minute = 60_000;
const http = (moment: DateTime) => moment.toHTTP() as string;
/** The wait that an answer asks for, in whole seconds. */
const secondsOf = (headers: Record<string, string>, body?: unknown, isRefused = true) => {
	const { retryAfterMs } = limitsOf(headers, body, isRefused);
	return retryAfterMs === undefined ? undefined : Math.round(retryAfterMs / 1000);
};
// A whole second, as HTTP dates have them.
const now = DateTime.fromISO('2026-03-04T05:06:07Z', { zone: 'utc' });
const at = (value: string) => secondsOf({ date: http(now), 'retry-after': value });

describe('Retry-After', () => {
	test.each([
		['seconds', '3', 3],
		['seconds with a fraction', '2.5', 3],
		['a negative number', '-5', 0],
		['a date', http(now.plus({ hours: 1 })), 3600],
		['a date that has passed', http(now.minus({ years: 1 })), 0],
		['a date as ISO 8601', now.plus({ minutes: 2 }).toISO() as string, 120],
		['seconds since 1970', String(now.plus({ minutes: 5 }).toSeconds()), 300],
		['milliseconds since 1970', String(now.plus({ minutes: 5 }).toMillis()), 300],
		['seconds since 1970, passed', String(now.minus({ minutes: 5 }).toSeconds()), 0],
		['more than a day', '999999999', 86_400],
		['an absurd number', '1e300', 86_400],
		['the year 9999', http(now.set({ year: 9999 })), 86_400],
		['nothing', '', undefined],
		['infinity', 'Infinity', undefined],
		['words', 'in a moment', undefined],
	])('%s (%j) is a wait of %p seconds', (_, value, seconds) => {
		expect(at(value)).toBe(seconds);
	});

	test.each([
		['slow', { hours: -7 }],
		['fast', { days: 400 }],
	])('of a server whose clock is %s: the date counts from its own', (_, offset) => {
		const there = DateTime.utc().plus(offset).startOf('second');
		const headers = { date: http(there), 'retry-after': http(there.plus({ seconds: 20 })) };
		expect(secondsOf(headers)).toBe(20);
	});

	test.each([[{}], [{ date: 'today' }]])(
		'without a date of the answer our clock counts: %j',
		(date) => {
			const headers = { ...date, 'retry-after': http(DateTime.utc().plus({ minutes: 2 })) };
			const { retryAfterMs } = limitsOf(headers, undefined, true);
			expect(Math.abs((retryAfterMs as number) - 2 * minute)).toBeLessThan(30_000);
		},
	);

	test('the body counts where the header says nothing', () => {
		const body = { error: { retryAfter: 7 } };
		expect(secondsOf({}, body)).toBe(7);
		expect(secondsOf({ 'retry-after': 'soon' }, body)).toBe(7);
		expect(secondsOf({ 'retry-after': '2' }, body)).toBe(2);
		expect(secondsOf({}, { error: 'RATE_LIMIT_EXCEEDED' })).toBeUndefined();
		expect(secondsOf({}, undefined)).toBeUndefined();
	});
});

test('limits are numbers, or unknown', () => {
	const read = (limit: string, remaining: string) =>
		limitsOf({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining }, {}, false);
	expect(read('5', '0')).toMatchObject({ limit: 5, remaining: 0 });
	expect(read('many', '')).toEqual({});
});

describe('a 429 that names no wait', () => {
	test.each([
		['seconds until its window ends', '12'],
		['the moment at which its window ends', String(now.plus({ seconds: 12 }).toSeconds())],
	])('waits for the end of the window: %s', (_, reset) => {
		const headers = { date: http(now), 'x-ratelimit-reset': reset };
		expect(secondsOf(headers)).toBe(12);
		expect(secondsOf({ ...headers, 'retry-after': '3' })).toBe(3);
		expect(secondsOf(headers, undefined, false)).toBeUndefined();
	});
});
