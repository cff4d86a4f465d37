import { DateTime, Settings } from 'luxon';
import { around } from '../../nodes/AcpOutreach/task';
import { wrongOrder } from '../../nodes/AcpScheduling/dayWindow';
import { type Caller, Client } from '../../nodes/engine/http/client';
import { clock } from '../../nodes/engine/http/clock';
import {
	isAfter,
	namesOffset,
	otherClock,
	readDate,
	readInstant,
	readTimeOfDay,
	sameZone,
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
		[null, 'none'],
	])('%s is %s', (name, kind) => expect(zoneOf(name)?.type).toBe(kind));

	test.each(['Europe/Atlantis', '+03:00', 'Standard', 'local', 42])('%s is no zone', (name) =>
		expect(zoneOf(name)).toBeUndefined(),
	);

	test('names of one zone are the same', () => {
		const now = DateTime.utc(2026, 7, 1);
		expect(sameZone('Asia/Kolkata', 'Asia/Calcutta', now)).toBe(true);
		expect(sameZone('Europe/Istanbul', 'UTC', now)).toBe(false);
		expect(sameZone('Africa/Cairo', 'Europe/Istanbul', now)).toBe(false);
		expect(sameZone('UTC', 'Turkey Standard Time', now)).toBe(false);
	});
});

describe('instants', () => {
	test.each(['2026-03-28T24:00:00', '2026-03-28 24:00', '2026-03-28T24:00:00+02:00'])(
		'%s: the hour is named, not the change of clocks',
		(value) => {
			for (const name of ['Europe/Berlin', 'Turkey Standard Time', ''])
				expect(() => instant(value, name)).toThrow(
					`has an hour that does not exist: "${value}". The day ends at 00:00 of the next one`,
				);
		},
	);

	test('around a change of clocks each has the offset of its own, the first of two moments counts', () => {
		const spring = ['2027-03-14T01:59:00', '2027-03-14T03:00:00'];
		const autumn = ['2027-11-07T00:30:00', '2027-11-07T01:30:00', '2027-11-07T02:00:00'];
		const sent = [...spring, ...autumn].map((one) => instant(one, 'America/New_York').slice(19));
		expect(sent).toEqual(['-05:00', '-04:00', '-04:00', '-04:00', '-05:00']);
		const missing = () => instant('2027-03-14T02:30:00', 'America/New_York');
		expect(missing).toThrow('is a time that does not exist in America/New_York');
	});

	test('a date of an expression is a moment; in a zone that only the platform knows, texts stay', () => {
		const date = new Date('2027-07-01T00:00:00Z');
		expect(instant(date)).toBe('2027-07-01T05:30:00+05:30');
		expect(instant(date, 'UTC-11')).toBe('2027-07-01T00:00:00+00:00');
		expect(instant('2027-07-01 00:00', 'UTC-11')).toBe('2027-07-01T00:00:00');
		expect(instant(DateTime.fromJSDate(date, { zone: 'utc' }))).toBe('2027-07-01T00:00:00+00:00');
		for (const none of [new Date(NaN), DateTime.invalid('none')])
			expect(() => instant(none)).toThrow(/^is not a (valid )?date$/);
	});

	test('an offset is named by who writes one, and another clock shows what differs', () => {
		const moments = ['2027-07-01T09:00:00+02:00', '2027-07-01T09:00:00Z', '2027-07-01T09:00:00'];
		const luxon = [DateTime.utc(2027), DateTime.fromISO(moments[0]!, { setZone: true })];
		expect([...moments, ...luxon].map(namesOffset)).toEqual([true, false, false, false, true]);
		expect(otherClock(moments[0]!, 'Asia/Kolkata')).toBe('2027-07-01T12:30:00+05:30');
		expect(otherClock(moments[0]!, 'Europe/Berlin')).toBeUndefined();
	});

	test.each([
		'tomorrow',
		'2026-02-30T10:00',
		'29.03.2026 09:30',
		1774776600,
		'2026-03-29T25:00',
		'',
	])('%s is refused in words', (value) => expect(() => instant(value)).toThrow('is not a date'));
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
		['2027-07-01T10:00:00', 'tomorrow', undefined],
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

// interface: §2.1 rule 4
test.each([
	['a date in another form', () => readDate('29/03/2026', zone('UTC'), fail), 'is not a date'],
	['no date at all', () => readDate(new Date(NaN), zone('UTC'), fail), 'is not a date'],
	['no date of luxon', () => readDate(DateTime.invalid('x'), zone('UTC'), fail), 'is not a date'],
	['a day that no month has', () => readDate('2026-02-30', zone('UTC'), fail), 'that exists'],
	['an hour that no day has', () => readTimeOfDay('24:00', true, fail), 'is not a time of day'],
])('%s is refused', (_, read, says) => expect(read).toThrow(says));

// interface: §2.1 rule 4
test('a date and a time of day stay what is written', () => {
	const date = readDate('2026-03-29T23:30:00-11:00', zone('Pacific/Auckland'), fail);
	expect(date).toBe('2026-03-29');
	const dates = ['2026-03-29T00:00:00Z', '2026-03-28T18:30:00Z', '2026-03-28T20:00:00Z'];
	const read = dates.map((one) => readDate(new Date(one), zone('Asia/Kolkata'), fail));
	expect(read).toEqual(['2026-03-29', '2026-03-29', '2026-03-29']);
	expect(readDate(new Date(dates[1]!), zone('UTC-11'), fail)).toBe('2026-03-28');
	expect(readTimeOfDay('9:05', true, fail)).toBe('09:05:00');
	expect(readTimeOfDay('23:59:59', false, fail)).toBe('23:59');
});
