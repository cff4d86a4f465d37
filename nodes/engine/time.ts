import { DateTime, IANAZone } from 'luxon';
import { type Fail, quoted } from './text/text';

/** `iana`: known to luxon. `windows`: only the platform maps it (interface §2.1 rule 5a). `none`: the workspace's. */
export type Zone =
	{ type: 'iana'; name: string } | { type: 'windows'; name: string } | { type: 'none'; name: '' };

export const noZone: Zone = { type: 'none', name: '' };

/** Windows zone IDs end in "Standard Time", some with a region before it (Unicode CLDR, windowsZones). */
const windowsName = /^[A-Z][\w .+-]* Standard Time( \([A-Za-z ]+\))?$|^UTC[+-]\d\d$/;

/** @returns undefined for a name that the platform would silently ignore (interface §2.1 rule 5a) */
export function zoneOf(name: unknown): Zone | undefined {
	if (name === undefined || name === null) return noZone;
	if (typeof name !== 'string') return undefined;
	const trimmed = name.trim();
	if (trimmed === '') return noZone;
	// `create` remembers its answer; `isValidZone` would build a formatter for every response.
	if (IANAZone.create(trimmed).isValid && !/^[+-]/.test(trimmed))
		return { type: 'iana', name: trimmed };
	return windowsName.test(trimmed) ? { type: 'windows', name: trimmed } : undefined;
}

const instantPattern =
	/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/i;

const format = (time: DateTime): string => time.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");

/**
 * A moment, as the platform takes it: ISO 8601 with an offset and without milliseconds (interface §2.1 rules 2 and 3).
 * A time without offset gets that of its zone; in a Windows zone, or without one, it stays without, for the platform to
 * read. In the hour that comes twice the first moment counts.
 * @param value ISO text, a JavaScript date or a luxon date from an expression
 * @param fail called with a sentence for the user; never returns
 */
export function readInstant(value: unknown, zone: Zone, fail: Fail): string {
	if (value instanceof Date) {
		if (Number.isNaN(value.getTime())) fail('is not a date');
		return format(DateTime.fromJSDate(value, { zone: zone.type === 'iana' ? zone.name : 'utc' }));
	}
	if (DateTime.isDateTime(value)) {
		return value.isValid ? format(value) : fail('is not a valid date');
	}
	const shown = quoted(value);
	const written = typeof value === 'string' ? value.trim() : '';
	const match = instantPattern.exec(written);
	if (!match) {
		return fail(
			/^\d{4}-\d{2}-\d{2}$/.test(written)
				? `has a date without a time: ${shown}. Add a time, like 2026-03-29T09:30:00`
				: `is not a date and time: ${shown}. Write it like 2026-03-29T09:30:00 or 2026-03-29T09:30:00+02:00`,
		);
	}
	const [, date, minutes, seconds = '00', offset] = match;
	if (minutes?.startsWith('24'))
		fail(`has an hour that does not exist: ${shown}. The day ends at 00:00 of the next one`);
	const local = `${date}T${minutes}:${seconds}`;
	if (!DateTime.fromISO(local, { zone: 'utc' }).isValid) {
		fail(`is not a date and time that exists: ${shown}. Check the day, the hour and the minutes`);
	}
	if (offset) {
		const [hours = 0, minutesOfHour = 0] =
			offset.replace(/[^\d]/g, '').match(/\d\d/g)?.map(Number) ?? [];
		// No zone is further from UTC.
		if (hours > 14 || minutesOfHour > 59) fail(`has an offset that does not exist: ${shown}`);
		const time = DateTime.fromISO(`${local}${offset.toUpperCase()}`, { setZone: true });
		return time.isValid ? format(time) : fail(`has an offset that does not exist: ${shown}`);
	}
	if (zone.type !== 'iana') return local;
	const time = DateTime.fromISO(local, { zone: zone.name });
	if (time.toFormat("yyyy-MM-dd'T'HH:mm:ss") !== local) {
		fail(
			`is a time that does not exist in ${zone.name}: ${shown}. Clocks go forward then; choose a time after the change, or add an offset`,
		);
	}
	return format(firstOf(time));
}

/** Whether a moment, as written, names an offset; not `Z`, which means UTC, and not a JavaScript date. */
export function namesOffset(value: unknown): boolean {
	if (DateTime.isDateTime(value)) return !(value.isOffsetFixed && value.offset === 0);
	const [, , , , offset] = (typeof value === 'string' && instantPattern.exec(value.trim())) || [];
	return offset !== undefined && offset.toUpperCase() !== 'Z';
}

/** A moment by the clock of a zone, both as they are sent; undefined if it has the same offset then. */
export function otherClock(moment: string, zone: string): string | undefined {
	const written = DateTime.fromISO(moment, { setZone: true });
	const there = written.setZone(zone);
	return there.offset === written.offset ? undefined : format(there);
}

/** The first of two moments, if the local time comes twice because clocks go back. */
const firstOf = (time: DateTime): DateTime =>
	time.getPossibleOffsets().reduce((a, b) => (b.toMillis() < a.toMillis() ? b : a), time);

/** The first moment of a day. In some zones clocks change at midnight, which then is missing or comes twice. */
const firstMoment = (time: DateTime): DateTime => firstOf(time.startOf('day'));

/** Whether a moment, as it is sent, has an offset. */
export const hasOffset = (moment: string): boolean =>
	/T/i.test(moment) && /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(moment);

/** @returns undefined if only one has an offset: then only the platform can tell (interface §2.1 rule 3) */
export function isAfter(one: string, other: string): boolean | undefined {
	if (hasOffset(one) !== hasOffset(other)) return undefined;
	const [first, second] = [one, other].map((moment) =>
		DateTime.fromISO(moment, { zone: 'utc' }),
	) as [DateTime, DateTime];
	return first.isValid && second.isValid ? first > second : undefined;
}

const isMidnight = (time: DateTime): boolean => time.toMillis() === time.startOf('day').toMillis();

/** Never shifted (interface §2.1 rule 4): `YYYY-MM-DD`, of a date with a time the date as written. */
export function readDate(value: unknown, zone: Zone, fail: Fail): string {
	if (value instanceof Date && !Number.isNaN(value.getTime())) {
		const [local, utc] = [zone.type === 'iana' ? zone.name : 'utc', 'utc'].map((name) =>
			DateTime.fromJSDate(value, { zone: name }),
		) as [DateTime, DateTime];
		// JavaScript reads a date without a time as midnight in UTC.
		const isDate = !isMidnight(local) && isMidnight(utc);
		return (isDate ? utc : local).toFormat('yyyy-MM-dd');
	}
	if (DateTime.isDateTime(value) && value.isValid) return value.toFormat('yyyy-MM-dd');
	const written =
		typeof value === 'string' ? /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/.exec(value.trim()) : null;
	const shown = quoted(value);
	if (!written) return fail(`is not a date: ${shown}. Write it like 2026-03-29`);
	const date = written[1] as string;
	if (!DateTime.fromISO(date, { zone: 'utc' }).isValid)
		fail(`is not a date that exists: ${shown}. Check the day and the month`);
	return date;
}

/** A time of day, never shifted (interface §2.1 rule 4): `HH:MM:SS`, or `HH:MM` if the platform wants that. */
export function readTimeOfDay(value: unknown, seconds: boolean, fail: Fail): string {
	const match =
		typeof value === 'string'
			? /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(value.trim())
			: null;
	if (!match)
		return fail(`is not a time of day: ${quoted(value)}. Write it like 09:30, from 00:00 to 23:59`);
	const [, hours = '', minutes, rest = '00'] = match;
	return `${hours.padStart(2, '0')}:${minutes}${seconds ? `:${rest}` : ''}`;
}

/** Named periods: a unit, its first and its last one (not included), counted from the present one. */
const spans = {
	today: ['day', 0, 1],
	tomorrow: ['day', 1, 2],
	yesterday: ['day', -1, 0],
	last7Days: ['day', -7, 0],
	last30Days: ['day', -30, 0],
	next7Days: ['day', 0, 7],
	next30Days: ['day', 0, 30],
	thisWeek: ['week', 0, 1],
	lastWeek: ['week', -1, 0],
	nextWeek: ['week', 1, 2],
	thisMonth: ['month', 0, 1],
	lastMonth: ['month', -1, 0],
	nextMonth: ['month', 1, 2],
} as const;
export type Period = keyof typeof spans;

/** For a calendar, which also looks ahead. */
export const calendarPeriods = Object.keys(spans) as Period[];
/** Those of which something may have happened. */
export const periods = calendarPeriods.filter((period) => spans[period][2] <= 1);

/** [from, to) in whole days (interface §4.2). @param zone IANA identifier whose midnight counts; weeks begin on Monday */
export function windowOf(period: Period, now: DateTime, zone: string) {
	const [unit, first, end] = spans[period];
	const at = (count: number): string =>
		format(
			firstMoment(
				now
					.setZone(zone)
					.startOf(unit)
					.plus({ [unit]: count }),
			),
		);
	return { from: at(first), to: at(end) };
}

/** The first moment of a calendar day and of the next one, as they are sent. */
export function dayIn(date: string, zone: string): { from: string; to: string } {
	const day = DateTime.fromISO(date, { zone }).startOf('day');
	return { from: format(firstMoment(day)), to: format(firstMoment(day.plus({ days: 1 }))) };
}

export const daysLater = (date: string, days: number): string =>
	DateTime.fromISO(date, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd');

/** The same name or, if luxon knows both, the same offset now and in six months. */
export function sameZone(a: string, b: string, now: DateTime): boolean {
	if (a.trim().toLowerCase() === b.trim().toLowerCase()) return true;
	if (!IANAZone.create(a).isValid || !IANAZone.create(b).isValid) return false;
	return (
		now.setZone(a).offset === now.setZone(b).offset &&
		now.plus({ months: 6 }).setZone(a).offset === now.plus({ months: 6 }).setZone(b).offset
	);
}
