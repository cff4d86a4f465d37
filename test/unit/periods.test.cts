/** Named periods: whole days of a zone, whichever moment it is and whatever its clocks do, as the calendar has them. */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { timeWindow } from '../../nodes/engine/fields/time';
import { calendarPeriods, periods, windowOf, type Period } from '../../nodes/engine/time';

const day = 86_400_000;

/** Date and time of day at a moment in a zone, by the language's own calendar. */
function wallClockOf(zone: string) {
	const clock = new Intl.DateTimeFormat('en-CA', {
		timeZone: zone,
		hourCycle: 'h23',
		dateStyle: 'short',
		timeStyle: 'medium',
	});
	return (at: number): { date: number; time: string } => {
		const parts = Object.fromEntries(
			clock.formatToParts(at).map(({ type, value }) => [type, value]),
		) as Record<string, string>;
		return {
			date: Date.parse(`${parts.year}-${parts.month}-${parts.day}T00:00:00Z`),
			time: `${parts.hour}:${parts.minute}:${parts.second}`,
		};
	};
}

/** First and last date of a period, counted on a calendar without zones. */
function datesOf(period: Period, today: number): [number, number] {
	const date = new Date(today);
	const monday = today - ((date.getUTCDay() + 6) % 7) * day;
	const month = (by: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by, 1);
	const dates: Record<Period, [number, number]> = {
		today: [today, today],
		yesterday: [today - day, today - day],
		tomorrow: [today + day, today + day],
		last7Days: [today - 7 * day, today - day],
		last30Days: [today - 30 * day, today - day],
		next7Days: [today, today + 6 * day],
		next30Days: [today, today + 29 * day],
		thisWeek: [monday, monday + 6 * day],
		lastWeek: [monday - 7 * day, monday - day],
		nextWeek: [monday + 7 * day, monday + 13 * day],
		thisMonth: [month(0), month(1) - day],
		lastMonth: [month(-1), month(0) - day],
		nextMonth: [month(1), month(2) - day],
	};
	return dates[period];
}

/** The dates on both sides of both edges of a window, and whether these are written in the local time of the zone. */
function edgesOf(period: Period, now: number, zone: string) {
	const wallClock = wallClockOf(zone);
	const edges = Object.values(windowOf(period, DateTime.fromMillis(now), zone));
	return edges.flatMap((edge) => {
		const { date, time } = wallClock(Date.parse(edge));
		return [wallClock(Date.parse(edge) - 1000).date, date, edge.slice(11, 19) === time];
	});
}

/** Half-open: the first second is of the first date, the one before is not; the same at the end. */
function wholeDays(period: Period, now: number, zone: string) {
	const [first, last] = datesOf(period, wallClockOf(zone)(now).date);
	return [first - day, first, true, last, last + day, true];
}

test.each([
	['the last second of a year', 'Europe/Istanbul', '2026-12-31T20:59:59Z'],
	['the first second of a year, in a week', 'Europe/Istanbul', '2026-12-31T21:00:00Z'],
	['the 31st, after a month of 28 days', 'Europe/Istanbul', '2026-03-31T09:00:00Z'],
	['the day of 23 hours, a Sunday', 'America/New_York', '2026-03-08T12:00:00Z'],
	['the last second of the day of 25 hours', 'America/New_York', '2026-11-02T04:59:59Z'],
	['the first second after it, a Monday', 'America/New_York', '2026-11-02T05:00:00Z'],
	['a Monday, when in UTC it is Sunday', 'Pacific/Auckland', '2026-04-05T12:00:00Z'],
	['the last second of a day of 23 hours', 'Pacific/Auckland', '2026-09-27T10:59:59Z'],
	['a midnight that is left out', 'Africa/Cairo', '2026-04-24T12:00:00Z'],
	['the day after it', 'Africa/Cairo', '2026-04-25T12:00:00Z'],
	['a week with such a midnight', 'America/Santiago', '2026-09-06T12:00:00Z'],
	['a midnight that comes twice', 'America/Havana', '2026-11-01T12:00:00Z'],
	['the month with such a midnight', 'America/Havana', '2026-11-15T12:00:00Z'],
])('%s: every period is of whole days in %s', (_, zone, now) => {
	const at = Date.parse(now);
	for (const period of calendarPeriods)
		expect([period, edgesOf(period, at, zone)]).toEqual([period, wholeDays(period, at, zone)]);
});

test.each([
	'Europe/Istanbul',
	'America/New_York',
	'Pacific/Auckland',
	'Africa/Cairo',
	'America/Havana',
	'Asia/Kolkata',
	'Pacific/Apia',
])('every period at any moment begins and ends where its dates change in %s', (zone) => {
	const moment = fc.integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2030, 0, 1) / 1000 });
	fc.assert(
		fc.property(moment, fc.constantFrom(...calendarPeriods), (seconds, period) => {
			const at = seconds * 1000;
			expect(edgesOf(period, at, zone)).toEqual(wholeDays(period, at, zone));
		}),
		{ numRuns: 150, seed: 1 },
	);
});

test('the field offers the periods that have begun', () => {
	expect(calendarPeriods.length).toBeGreaterThan(10);
	const [period] = timeWindow().from.show('from', 'From');
	const offered = (period!.options as Array<{ value: string }>).map(({ value }) => value);
	expect(offered.sort()).toEqual([...periods, 'custom'].sort());
	const ahead = calendarPeriods.filter((one) => /^(next|tomorrow)/.test(one));
	expect([...ahead, ...periods].sort()).toEqual([...calendarPeriods].sort());
});
