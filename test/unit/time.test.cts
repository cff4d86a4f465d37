import { DateTime, Settings } from 'luxon';
import { around } from '../../nodes/AcpOutreach/task';
import { wrongOrder } from '../../nodes/AcpScheduling/times';
import { type Caller, Client } from '../../nodes/engine/http/client';
import { clock } from '../../nodes/engine/http/clock';
import {
	isAfter,
	readDate,
	readInstant,
	readTimeOfDay,
	sameZone,
	windowOf,
	type Zone,
	zoneOf,
} from '../../nodes/engine/time';

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
	])('%s is %s', (name, kind) => expect(zoneOf(name)?.type).toBe(kind));

	test.each(['Europe/Atlantis', '+03:00', 'Standard', 'local', 42])('%s is no zone', (name) =>
		expect(zoneOf(name)).toBeUndefined(),
	);

	test('names of one zone are the same', () => {
		const now = DateTime.utc(2026, 7, 1);
		expect(sameZone('Asia/Kolkata', 'Asia/Calcutta', now)).toBe(true);
		expect(sameZone('Europe/Istanbul', 'UTC', now)).toBe(false);
	});
});

describe('instants', () => {
	// interface: §2.1 rule 3
	test('without offset: the zone’s offset; with offset: that instant; never milliseconds', () => {
		expect(instant('2026-03-29T09:30:00')).toBe('2026-03-29T09:30:00+05:30');
		expect(instant('2026-03-29 09:30')).toBe('2026-03-29T09:30:00+05:30');
		expect(instant('2026-03-29T09:30:00.123Z')).toBe('2026-03-29T09:30:00+00:00');
		expect(instant('2026-03-29T09:30:00+0200')).toBe('2026-03-29T09:30:00+02:00');
		expect(instant(DateTime.fromISO('2026-03-29T09:30:00-04:00', { setZone: true }))).toBe(
			'2026-03-29T09:30:00-04:00',
		);
		expect(instant(new Date('2026-03-29T04:00:00Z'))).toBe('2026-03-29T09:30:00+05:30');
	});

	test('a Windows zone or none leaves the time to the platform', () => {
		expect(instant('2026-03-29T09:30:00', 'Turkey Standard Time')).toBe('2026-03-29T09:30:00');
		expect(instant('2026-03-29T09:30:00', '')).toBe('2026-03-29T09:30:00');
	});

	test('New York: the hour that does not exist is refused, of the repeated one the first is meant', () => {
		expect(() => instant('2026-03-08T02:30:00', 'America/New_York')).toThrow(
			'does not exist in America/New_York',
		);
		expect(instant('2026-03-08T03:30:00', 'America/New_York')).toBe('2026-03-08T03:30:00-04:00');
		expect(instant('2026-11-01T01:30:00', 'America/New_York')).toBe('2026-11-01T01:30:00-04:00');
		expect(instant('2026-11-01T02:30:00', 'America/New_York')).toBe('2026-11-01T02:30:00-05:00');
	});

	test.each(['2026-03-28T24:00:00', '2026-03-28 24:00', '2026-03-28T24:00:00+02:00'])(
		'%s: the hour is named, not the change of clocks',
		(value) => {
			for (const name of ['Europe/Berlin', 'Turkey Standard Time', ''])
				expect(() => instant(value, name)).toThrow(
					`has an hour that does not exist: "${value}". The day ends at 00:00 of the next one`,
				);
		},
	);

	test.each([
		'tomorrow',
		'2026-02-30T10:00:00',
		'29.03.2026 09:30',
		1774776600,
		'2026-03-29T25:00',
		'',
		'2026-03-29',
	])('%s is refused in words', (value) =>
		expect(() => instant(value)).toThrow(/is not a date|has a date without a time/),
	);
});

describe('the zone of this n8n plays no part', () => {
	beforeAll(() => void (Settings.defaultZone = 'America/New_York'));
	afterAll(() => void (Settings.defaultZone = 'system'));

	// interface: §2.1 rule 2
	test.each([
		['2027-07-01T10:30:00', '2027-07-01T10:00:00', true],
		['2027-07-01T10:00:00', '2027-07-01T10:00:00', false],
		['2027-07-01T10:00:00+02:00', '2027-07-01T09:00:00+00:00', false],
		['2027-07-01T10:00:00Z', '2027-07-01T10:00:00+02:00', true],
		// Of a time that n8n's zone skips.
		['2027-03-14T02:30:00', '2027-03-14T03:00:00', false],
		// One with an offset, the other without: only the platform knows its zone.
		['2027-07-01T09:00:00Z', '2027-07-01T10:00:00', undefined],
		['2027-07-01T09:00:00', '2027-07-01T10:00:00-04:00', undefined],
		['tomorrow', '2027-07-01T10:00:00', undefined],
	])('%s after %s: %s', (one, other, after) => expect(isAfter(one, other)).toBe(after));

	// interface: §2.1 rule 3
	test('an appointment is refused only where it certainly ends before it starts', () => {
		expect(
			wrongOrder({ start_time: '2027-07-01T10:00:00', end_time: '2027-07-01T10:00:00' }),
		).toMatch(/'End Time' is not after 'Start Time'/);
		expect(
			wrongOrder({ start_time: '2027-07-01T10:00:00', end_time: '2027-07-01T08:00:00+00:00' }),
		).toBeUndefined();
		expect(wrongOrder({ start_time: '2027-07-01T10:00:00' })).toBeUndefined();
	});

	test('a task is looked for around the time as it was written', () => {
		expect(around('2027-03-14T02:30:00')).toEqual({
			scheduled_from: '2027-03-14T02:29:00',
			scheduled_to: '2027-03-14T02:31:00',
		});
		expect(around('2027-03-14T02:30:00+05:30')).toEqual({
			scheduled_from: '2027-03-14T02:29:00+05:30',
			scheduled_to: '2027-03-14T02:31:00+05:30',
		});
	});
});

describe('the zone that the platform applies', () => {
	const baseUrl = 'https://zones.example.com';
	const clientOf = async (token: string) =>
		await Client.open({ getCredentials: async () => ({ baseUrl, token }) } as unknown as Caller);
	const told = async (token: string, asked = '') =>
		(await clientOf(token)).learnedZone(zone(asked));
	const learn = async (token: string, asked: string, applied: unknown) =>
		(await clientOf(token)).learnZone(zone(asked), applied);
	afterEach(() => jest.restoreAllMocks());

	// interface: §2.1 rule 5b; §5 rule 9
	test('is known for each token and each zone asked for, because members have zones of their own', async () => {
		expect(await told('workspace')).toBeUndefined();
		await learn('workspace', '', 'Europe/Istanbul');
		await learn('member', '', 'America/New_York');
		await learn('member', 'India Standard Time', 'Asia/Kolkata');
		expect((await told('workspace'))!.zone).toEqual(zone('Europe/Istanbul'));
		expect((await told('member'))!.zone).toEqual(zone('America/New_York'));
		expect((await told('member', 'India Standard Time'))!.zone).toEqual(zone('Asia/Kolkata'));
		expect(await told('workspace', 'India Standard Time')).toBeUndefined();
	});

	test.each([undefined, '', 'Mars/Olympus', 'India Standard Time'])(
		'an answer that says %p tells none, which is known then',
		async (applied) => {
			await learn(`saying ${applied}`, '', applied);
			expect(await told(`saying ${applied}`)).toMatchObject({ zone: undefined });
		},
	);

	// interface: §2.1 rule 5c
	test('is asked for anew after five minutes, because it can be changed', async () => {
		let now = 0;
		jest.spyOn(clock, 'now').mockImplementation(() => now);
		await learn('changing', '', 'Asia/Kolkata');
		now = 5 * 60_000 - 1;
		expect((await told('changing'))!.zone).toEqual(zone('Asia/Kolkata'));
		now = 5 * 60_000;
		expect(await told('changing')).toBeUndefined();
	});
});

describe('dates and times of day are never shifted', () => {
	// interface: §2.1 rule 4
	test('dates', () => {
		expect(readDate('2026-03-29', zone('Pacific/Auckland'), fail)).toBe('2026-03-29');
		expect(readDate('2026-03-29T23:30:00-11:00', zone('Pacific/Auckland'), fail)).toBe(
			'2026-03-29',
		);
		expect(() => readDate('29/03/2026', zone('UTC'), fail)).toThrow('is not a date');
		expect(() => readDate('2026-02-30', zone('UTC'), fail)).toThrow('is not a date that exists');
	});
	// interface: §2.1 rule 4
	test('times of day', () => {
		expect(readTimeOfDay('9:05', true, fail)).toBe('09:05:00');
		expect(readTimeOfDay('23:59:59', false, fail)).toBe('23:59');
		expect(() => readTimeOfDay('24:00', true, fail)).toThrow('is not a time of day');
	});
});

describe('named windows are whole days of the zone', () => {
	test('yesterday across both changes of the clock in New York', () => {
		expect(
			windowOf('yesterday', DateTime.fromISO('2026-03-09T12:00:00Z'), 'America/New_York'),
		).toEqual({
			from: '2026-03-08T00:00:00-05:00',
			to: '2026-03-09T00:00:00-04:00',
		});
		expect(
			windowOf('yesterday', DateTime.fromISO('2026-11-02T12:00:00Z'), 'America/New_York'),
		).toEqual({
			from: '2026-11-01T00:00:00-04:00',
			to: '2026-11-02T00:00:00-05:00',
		});
	});
	test('the day is the zone’s, not UTC’s', () => {
		expect(windowOf('today', DateTime.fromISO('2026-06-01T20:00:00Z'), 'Asia/Kolkata').from).toBe(
			'2026-06-02T00:00:00+05:30',
		);
	});
});
