import { DateTime } from 'luxon';
import { readDate, readInstant, readTimeOfDay, sameZone, windowOf, zoneOf, type Zone } from '../../nodes/engine/time';

const zone = (name: string): Zone => zoneOf(name)!;
const fail = (text: string): never => {
	throw new Error(text);
};
const instant = (value: unknown, name = 'Asia/Kolkata') => readInstant(value, zone(name), fail);

describe('zones', () => {
	test.each([
		['Europe/Istanbul', 'iana'],
		['UTC', 'iana'],
		['Turkey Standard Time', 'windows'],
		['Central Standard Time (Mexico)', 'windows'],
		['UTC-11', 'windows'],
		['', 'none'],
		[undefined, 'none'],
	])('%s is %s', (name, kind) => expect(zoneOf(name)?.kind).toBe(kind));

	test.each(['Europe/Atlantis', '+03:00', 'Standard', 'local', 42])('%s is no zone', (name) => expect(zoneOf(name)).toBeUndefined());

	test('names of one zone are the same', () => {
		const now = DateTime.utc(2026, 7, 1);
		expect(sameZone('Asia/Kolkata', 'Asia/Calcutta', now)).toBe(true);
		expect(sameZone('Europe/Istanbul', 'UTC', now)).toBe(false);
	});
});

describe('instants', () => {
	test('without offset: the zone’s offset; with offset: that instant; never milliseconds', () => {
		expect(instant('2026-03-29T09:30:00')).toBe('2026-03-29T09:30:00+05:30');
		expect(instant('2026-03-29 09:30')).toBe('2026-03-29T09:30:00+05:30');
		expect(instant('2026-03-29T09:30:00.123Z')).toBe('2026-03-29T09:30:00+00:00');
		expect(instant('2026-03-29T09:30:00+0200')).toBe('2026-03-29T09:30:00+02:00');
		expect(instant(DateTime.fromISO('2026-03-29T09:30:00-04:00', { setZone: true }))).toBe('2026-03-29T09:30:00-04:00');
		expect(instant(new Date('2026-03-29T04:00:00Z'))).toBe('2026-03-29T09:30:00+05:30');
	});

	test('a Windows zone or none leaves the time to the platform', () => {
		expect(instant('2026-03-29T09:30:00', 'Turkey Standard Time')).toBe('2026-03-29T09:30:00');
		expect(instant('2026-03-29T09:30:00', '')).toBe('2026-03-29T09:30:00');
	});

	test('New York: the hour that does not exist is refused, of the repeated one the first is meant', () => {
		expect(() => instant('2026-03-08T02:30:00', 'America/New_York')).toThrow('does not exist in America/New_York');
		expect(instant('2026-03-08T03:30:00', 'America/New_York')).toBe('2026-03-08T03:30:00-04:00');
		expect(instant('2026-11-01T01:30:00', 'America/New_York')).toBe('2026-11-01T01:30:00-04:00');
		expect(instant('2026-11-01T02:30:00', 'America/New_York')).toBe('2026-11-01T02:30:00-05:00');
	});

	test.each(['tomorrow', '2026-02-30T10:00:00', '29.03.2026 09:30', 1774776600, '2026-03-29T25:00', '', '2026-03-29'])('%s is refused in words', (value) =>
		expect(() => instant(value)).toThrow(/is not a date|has a date without a time/),
	);
});

describe('dates and times of day are never shifted', () => {
	test('dates', () => {
		expect(readDate('2026-03-29', zone('Pacific/Auckland'), fail)).toBe('2026-03-29');
		expect(readDate('2026-03-29T23:30:00-11:00', zone('Pacific/Auckland'), fail)).toBe('2026-03-29');
		expect(() => readDate('29/03/2026', zone('UTC'), fail)).toThrow('is not a date');
		expect(() => readDate('2026-02-30', zone('UTC'), fail)).toThrow('is not a date that exists');
	});
	test('times of day', () => {
		expect(readTimeOfDay('9:05', true, fail)).toBe('09:05:00');
		expect(readTimeOfDay('23:59:59', false, fail)).toBe('23:59');
		expect(() => readTimeOfDay('24:00', true, fail)).toThrow('is not a time of day');
	});
});

describe('named windows are whole days of the zone', () => {
	test('yesterday across both changes of the clock in New York', () => {
		expect(windowOf('yesterday', DateTime.fromISO('2026-03-09T12:00:00Z'), 'America/New_York')).toEqual({
			from: '2026-03-08T00:00:00-05:00',
			to: '2026-03-09T00:00:00-04:00',
		});
		expect(windowOf('yesterday', DateTime.fromISO('2026-11-02T12:00:00Z'), 'America/New_York')).toEqual({
			from: '2026-11-01T00:00:00-04:00',
			to: '2026-11-02T00:00:00-05:00',
		});
	});
	test('the day is the zone’s, not UTC’s', () => {
		expect(windowOf('today', DateTime.fromISO('2026-06-01T20:00:00Z'), 'Asia/Kolkata').from).toBe('2026-06-02T00:00:00+05:30');
	});
});
