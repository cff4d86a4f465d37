/** Named periods: whole days of a zone, whichever moment it is and whatever its clocks do. */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { timeWindow } from '../../nodes/engine/fields/time';
import { calendarPeriods, periods, windowOf, type Period } from '../../nodes/engine/time';

type Past = Exclude<Period, 'tomorrow' | `next${string}`>;

/** Each window as `date offset, date offset`: the midnight with which it begins, and the one at which it ends. */
type Windows = Record<Past, string>;

const midnight = (written: string): string => {
	const [date, offset] = written.split(' ');
	return `${date}T00:00:00${offset}`;
};

const moments: Array<{ title: string; zone: string; now: string; windows: Windows }> = [
	{
		title: 'the last second of a year',
		zone: 'Europe/Istanbul',
		now: '2026-12-31T20:59:59Z',
		windows: {
			today: '2026-12-31 +03:00, 2027-01-01 +03:00',
			yesterday: '2026-12-30 +03:00, 2026-12-31 +03:00',
			last7Days: '2026-12-24 +03:00, 2026-12-31 +03:00',
			last30Days: '2026-12-01 +03:00, 2026-12-31 +03:00',
			thisWeek: '2026-12-28 +03:00, 2027-01-04 +03:00',
			lastWeek: '2026-12-21 +03:00, 2026-12-28 +03:00',
			thisMonth: '2026-12-01 +03:00, 2027-01-01 +03:00',
			lastMonth: '2026-11-01 +03:00, 2026-12-01 +03:00',
		},
	},
	{
		title: 'the first second of a year, in the middle of a week',
		zone: 'Europe/Istanbul',
		now: '2026-12-31T21:00:00Z',
		windows: {
			today: '2027-01-01 +03:00, 2027-01-02 +03:00',
			yesterday: '2026-12-31 +03:00, 2027-01-01 +03:00',
			last7Days: '2026-12-25 +03:00, 2027-01-01 +03:00',
			last30Days: '2026-12-02 +03:00, 2027-01-01 +03:00',
			thisWeek: '2026-12-28 +03:00, 2027-01-04 +03:00',
			lastWeek: '2026-12-21 +03:00, 2026-12-28 +03:00',
			thisMonth: '2027-01-01 +03:00, 2027-02-01 +03:00',
			lastMonth: '2026-12-01 +03:00, 2027-01-01 +03:00',
		},
	},
	{
		title: 'the 31st, after a month of 28 days',
		zone: 'Europe/Istanbul',
		now: '2026-03-31T09:00:00Z',
		windows: {
			today: '2026-03-31 +03:00, 2026-04-01 +03:00',
			yesterday: '2026-03-30 +03:00, 2026-03-31 +03:00',
			last7Days: '2026-03-24 +03:00, 2026-03-31 +03:00',
			last30Days: '2026-03-01 +03:00, 2026-03-31 +03:00',
			thisWeek: '2026-03-30 +03:00, 2026-04-06 +03:00',
			lastWeek: '2026-03-23 +03:00, 2026-03-30 +03:00',
			thisMonth: '2026-03-01 +03:00, 2026-04-01 +03:00',
			lastMonth: '2026-02-01 +03:00, 2026-03-01 +03:00',
		},
	},
	{
		title: 'the day of 23 hours, a Sunday',
		zone: 'America/New_York',
		now: '2026-03-08T12:00:00Z',
		windows: {
			today: '2026-03-08 -05:00, 2026-03-09 -04:00',
			yesterday: '2026-03-07 -05:00, 2026-03-08 -05:00',
			last7Days: '2026-03-01 -05:00, 2026-03-08 -05:00',
			last30Days: '2026-02-06 -05:00, 2026-03-08 -05:00',
			thisWeek: '2026-03-02 -05:00, 2026-03-09 -04:00',
			lastWeek: '2026-02-23 -05:00, 2026-03-02 -05:00',
			thisMonth: '2026-03-01 -05:00, 2026-04-01 -04:00',
			lastMonth: '2026-02-01 -05:00, 2026-03-01 -05:00',
		},
	},
	{
		title: 'the last second of the day of 25 hours, which begins a month and ends a week',
		zone: 'America/New_York',
		now: '2026-11-02T04:59:59Z',
		windows: {
			today: '2026-11-01 -04:00, 2026-11-02 -05:00',
			yesterday: '2026-10-31 -04:00, 2026-11-01 -04:00',
			last7Days: '2026-10-25 -04:00, 2026-11-01 -04:00',
			last30Days: '2026-10-02 -04:00, 2026-11-01 -04:00',
			thisWeek: '2026-10-26 -04:00, 2026-11-02 -05:00',
			lastWeek: '2026-10-19 -04:00, 2026-10-26 -04:00',
			thisMonth: '2026-11-01 -04:00, 2026-12-01 -05:00',
			lastMonth: '2026-10-01 -04:00, 2026-11-01 -04:00',
		},
	},
	{
		title: 'the first second of the Monday after the day of 25 hours',
		zone: 'America/New_York',
		now: '2026-11-02T05:00:00Z',
		windows: {
			today: '2026-11-02 -05:00, 2026-11-03 -05:00',
			yesterday: '2026-11-01 -04:00, 2026-11-02 -05:00',
			last7Days: '2026-10-26 -04:00, 2026-11-02 -05:00',
			last30Days: '2026-10-03 -04:00, 2026-11-02 -05:00',
			thisWeek: '2026-11-02 -05:00, 2026-11-09 -05:00',
			lastWeek: '2026-10-26 -04:00, 2026-11-02 -05:00',
			thisMonth: '2026-11-01 -04:00, 2026-12-01 -05:00',
			lastMonth: '2026-10-01 -04:00, 2026-11-01 -04:00',
		},
	},
	{
		title: 'the Monday after clocks went back in the south, a day before it is one in UTC',
		zone: 'Pacific/Auckland',
		now: '2026-04-05T12:00:00Z',
		windows: {
			today: '2026-04-06 +12:00, 2026-04-07 +12:00',
			yesterday: '2026-04-05 +13:00, 2026-04-06 +12:00',
			last7Days: '2026-03-30 +13:00, 2026-04-06 +12:00',
			last30Days: '2026-03-07 +13:00, 2026-04-06 +12:00',
			thisWeek: '2026-04-06 +12:00, 2026-04-13 +12:00',
			lastWeek: '2026-03-30 +13:00, 2026-04-06 +12:00',
			thisMonth: '2026-04-01 +13:00, 2026-05-01 +12:00',
			lastMonth: '2026-03-01 +13:00, 2026-04-01 +13:00',
		},
	},
	{
		title: 'the last second of the Sunday on which clocks went forward in the south',
		zone: 'Pacific/Auckland',
		now: '2026-09-27T10:59:59Z',
		windows: {
			today: '2026-09-27 +12:00, 2026-09-28 +13:00',
			yesterday: '2026-09-26 +12:00, 2026-09-27 +12:00',
			last7Days: '2026-09-20 +12:00, 2026-09-27 +12:00',
			last30Days: '2026-08-28 +12:00, 2026-09-27 +12:00',
			thisWeek: '2026-09-21 +12:00, 2026-09-28 +13:00',
			lastWeek: '2026-09-14 +12:00, 2026-09-21 +12:00',
			thisMonth: '2026-09-01 +12:00, 2026-10-01 +13:00',
			lastMonth: '2026-08-01 +12:00, 2026-09-01 +12:00',
		},
	},
];

const windowAt = (period: Period, now: string, zone: string) =>
	windowOf(period, DateTime.fromISO(now), zone);
const hoursOf = ({ from, to }: { from: string; to: string }): number =>
	(Date.parse(to) - Date.parse(from)) / 3_600_000;

describe.each(moments)('$title in $zone', ({ zone, now, windows }) => {
	test.each(Object.entries(windows) as Array<[Period, string]>)('%s: %s', (period, window) => {
		const [from, to] = window.split(', ') as [string, string];
		expect(windowAt(period, now, zone)).toEqual({ from: midnight(from), to: midnight(to) });
	});
});

test('the table names every period, and the field offers no other', () => {
	for (const { windows } of moments)
		expect(Object.keys(windows).sort()).toEqual([...periods].sort());
	const [period] = timeWindow().from.show('from', 'From');
	const offered = (period!.options as Array<{ value: string }>).map(({ value }) => value);
	expect(offered.sort()).toEqual([...periods, 'custom'].sort());
});

describe('clocks that change at midnight', () => {
	test.each([
		// Midnight is left out: the day begins at one, and its neighbors have their own midnights.
		[
			'Africa/Cairo',
			'2026-04-24',
			'today',
			'2026-04-24T01:00:00+03:00',
			'2026-04-25T00:00:00+03:00',
			23,
		],
		[
			'Africa/Cairo',
			'2026-04-24',
			'yesterday',
			'2026-04-23T00:00:00+02:00',
			'2026-04-24T01:00:00+03:00',
			24,
		],
		[
			'Africa/Cairo',
			'2026-05-01',
			'last7Days',
			'2026-04-24T01:00:00+03:00',
			'2026-05-01T00:00:00+03:00',
			167,
		],
		[
			'America/Santiago',
			'2026-09-06',
			'thisWeek',
			'2026-08-31T00:00:00-04:00',
			'2026-09-07T00:00:00-03:00',
			167,
		],
		// Midnight comes twice: the day begins with the first.
		[
			'America/Havana',
			'2026-11-01',
			'today',
			'2026-11-01T00:00:00-04:00',
			'2026-11-02T00:00:00-05:00',
			25,
		],
		[
			'America/Havana',
			'2026-11-01',
			'yesterday',
			'2026-10-31T00:00:00-04:00',
			'2026-11-01T00:00:00-04:00',
			24,
		],
		[
			'America/Havana',
			'2026-11-15',
			'thisMonth',
			'2026-11-01T00:00:00-04:00',
			'2026-12-01T00:00:00-05:00',
			721,
		],
	] as const)('%s on %s: %s is %s to %s', (zone, day, period, from, to, hours) => {
		const window = windowAt(period, `${day}T12:00:00Z`, zone);
		expect({ ...window, hours: hoursOf(window) }).toEqual({ from, to, hours });
	});
});

describe('compared with the calendar', () => {
	const day = 86_400_000;
	const clockOf = (zone: string) =>
		new Intl.DateTimeFormat('en-CA', {
			timeZone: zone,
			hourCycle: 'h23',
			dateStyle: 'short',
			timeStyle: 'medium',
		});
	/** Date and time of day at a moment, by the language's own calendar. */
	const read = (clock: Intl.DateTimeFormat, at: number): { date: number; time: string } => {
		const parts = Object.fromEntries(
			clock.formatToParts(at).map(({ type, value }) => [type, value]),
		) as Record<string, string>;
		return {
			date: Date.parse(`${parts.year}-${parts.month}-${parts.day}T00:00:00Z`),
			time: `${parts.hour}:${parts.minute}:${parts.second}`,
		};
	};
	/** First and last date of a period, counted on a calendar without zones. */
	const datesOf = (period: Past, today: number): [number, number] => {
		const date = new Date(today);
		const monday = today - ((date.getUTCDay() + 6) % 7) * day;
		const month = (by: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by, 1);
		return {
			today: [today, today],
			yesterday: [today - day, today - day],
			last7Days: [today - 7 * day, today - day],
			last30Days: [today - 30 * day, today - day],
			thisWeek: [monday, monday + 6 * day],
			lastWeek: [monday - 7 * day, monday - day],
			thisMonth: [month(0), month(1) - day],
			lastMonth: [month(-1), month(0) - day],
		}[period] as [number, number];
	};

	test.each([
		'Europe/Istanbul',
		'America/New_York',
		'Pacific/Auckland',
		'Africa/Cairo',
		'America/Havana',
		'Asia/Kolkata',
		'Pacific/Apia',
	])('every period at any moment begins and ends where its dates change in %s', (zone) => {
		const clock = clockOf(zone);
		const wallClock = (at: number) => read(clock, at);
		const moment = fc.integer({
			min: Date.UTC(2024, 0, 1) / 1000,
			max: Date.UTC(2030, 0, 1) / 1000,
		});
		fc.assert(
			fc.property(moment, fc.constantFrom(...(periods as Past[])), (seconds, period) => {
				const now = seconds * 1000;
				const [first, last] = datesOf(period, wallClock(now).date);
				const { from, to } = windowAt(period, new Date(now).toISOString(), zone);
				// Half-open: the first second is of the first date, the one before is not; the same at the end.
				expect(wallClock(Date.parse(from)).date).toBe(first);
				expect(wallClock(Date.parse(from) - 1000).date).toBe(first - day);
				expect(wallClock(Date.parse(to)).date).toBe(last + day);
				expect(wallClock(Date.parse(to) - 1000).date).toBe(last);
				// What is written is the local time of the zone.
				expect(from.slice(11, 19)).toBe(wallClock(Date.parse(from)).time);
				expect(to.slice(11, 19)).toBe(wallClock(Date.parse(to)).time);
			}),
			{ numRuns: 150, seed: 1 },
		);
	});
});

describe('periods of a calendar, which also look ahead', () => {
	// In New York clocks go back on the 1st of November, a Sunday.
	test.each([
		['tomorrow', '2026-11-01 -04:00, 2026-11-02 -05:00'],
		['next7Days', '2026-10-31 -04:00, 2026-11-07 -05:00'],
		['next30Days', '2026-10-31 -04:00, 2026-11-30 -05:00'],
		['nextWeek', '2026-11-02 -05:00, 2026-11-09 -05:00'],
		['nextMonth', '2026-11-01 -04:00, 2026-12-01 -05:00'],
	] as const)('%s is %s', (period, window) => {
		const now = DateTime.fromISO('2026-11-01T03:59:59Z');
		const [from, to] = window.split(', ').map(midnight);
		expect(windowOf(period, now, 'America/New_York')).toEqual({ from, to });
	});

	test('every one of them has a window', () => {
		expect(calendarPeriods.length).toBeGreaterThan(10);
		for (const period of calendarPeriods) {
			const { from, to } = windowOf(period, DateTime.now(), 'Europe/Istanbul');
			expect(Date.parse(to)).toBeGreaterThan(Date.parse(from));
		}
	});
});
