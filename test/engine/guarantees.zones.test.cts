/**
 * Times: what a person writes, in which zone, and which moment the platform makes of it (interface §2.1).
 * n8n's own zone, the machine's and the workflow's are all different ones, and none of them may show.
 */
import type { INodeParameters } from 'n8n-workflow';
import { byId, failure, fast, hintsOf } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ settings: fast, engine: { expressionEngine: 'vm' } });

interface Writing {
	/** Option Timezone, or the credential's. */
	zone?: string;
	credential?: string;
	written: unknown;
	/** What leaves. */
	sent: string;
	/** The moment that the platform stores. */
	moment: string;
	header: string | undefined;
}

const appointment = async (
	zone: string | undefined,
	start: unknown,
	end: unknown,
): Promise<INodeParameters> => ({
	resource: 'appointment',
	operation: 'create',
	schedule: byId((await platform.sandbox.state('schedules'))[0].uuid),
	title: 'Demo',
	startTime: start as string,
	endTime: end as string,
	options: zone === undefined ? {} : { timezone: zone },
});

/**
 * Creates an appointment that ends in the year 2030.
 * @returns its request, and its start in UTC as the platform has it
 */
async function create({
	zone,
	credential,
	written,
}: Pick<Writing, 'zone' | 'credential' | 'written'>) {
	const credentials = { acpApi: platform.sandbox.credential({ timezone: credential ?? '' }) };
	const result = await platform.engine.runNode(
		'acpScheduling',
		await appointment(zone, written, '2030-01-01T00:00:00Z'),
		{ credentials, timezone: 'Asia/Tokyo' },
	);
	const [request] = await platform.sandbox.created('/appointments');
	const stored = (await platform.sandbox.state('appointments')).find(
		({ uuid }) => uuid === request?.resourceUuid,
	);
	return { result, request, stored };
}

const kolkata = 'Asia/Kolkata';
const newYork = 'America/New_York';

describe('Guarantee: a time is the moment that its writer meant', () => {
	const writings: Record<string, Writing> = {
		'Asia/Kolkata, half an hour off': {
			zone: kolkata,
			written: '2027-07-01T09:30:00',
			sent: '2027-07-01T09:30:00+05:30',
			moment: '2027-07-01T04:00:00',
			header: kolkata,
		},
		'America/New_York in winter': {
			zone: newYork,
			written: '2027-01-15 09:30',
			sent: '2027-01-15T09:30:00-05:00',
			moment: '2027-01-15T14:30:00',
			header: newYork,
		},
		'America/New_York, the minute before clocks go forward': {
			zone: newYork,
			written: '2027-03-14T01:59:00',
			sent: '2027-03-14T01:59:00-05:00',
			moment: '2027-03-14T06:59:00',
			header: newYork,
		},
		'America/New_York, the minute after clocks went forward': {
			zone: newYork,
			written: '2027-03-14T03:00:00',
			sent: '2027-03-14T03:00:00-04:00',
			moment: '2027-03-14T07:00:00',
			header: newYork,
		},
		'America/New_York, the hour before clocks go back': {
			zone: newYork,
			written: '2027-11-07T00:30:00',
			sent: '2027-11-07T00:30:00-04:00',
			moment: '2027-11-07T04:30:00',
			header: newYork,
		},
		'America/New_York, the hour that comes twice: the first one': {
			zone: newYork,
			written: '2027-11-07T01:30:00',
			sent: '2027-11-07T01:30:00-04:00',
			moment: '2027-11-07T05:30:00',
			header: newYork,
		},
		'America/New_York, the hour that comes twice, with an offset: the second one': {
			zone: newYork,
			written: '2027-11-07T01:30:00-05:00',
			sent: '2027-11-07T01:30:00-05:00',
			moment: '2027-11-07T06:30:00',
			header: newYork,
		},
		'America/New_York, after clocks went back': {
			zone: newYork,
			written: '2027-11-07T02:00:00',
			sent: '2027-11-07T02:00:00-05:00',
			moment: '2027-11-07T07:00:00',
			header: newYork,
		},
		UTC: {
			zone: 'UTC',
			written: '2027-07-01T09:30:00',
			sent: '2027-07-01T09:30:00+00:00',
			moment: '2027-07-01T09:30:00',
			header: 'UTC',
		},
		'a Windows name, which the platform maps': {
			zone: 'India Standard Time',
			written: '2027-07-01T09:30:00',
			sent: '2027-07-01T09:30:00',
			moment: '2027-07-01T04:00:00',
			header: 'India Standard Time',
		},
		'no zone: the workspace’s': {
			written: '2027-07-01T09:30:00',
			sent: '2027-07-01T09:30:00',
			moment: '2027-07-01T06:30:00',
			header: undefined,
		},
		'the credential’s zone': {
			credential: kolkata,
			written: '2027-07-01T09:30:00',
			sent: '2027-07-01T09:30:00+05:30',
			moment: '2027-07-01T04:00:00',
			header: kolkata,
		},
		'the option wins over the credential': {
			credential: kolkata,
			zone: newYork,
			written: '2027-07-01T09:30:00',
			sent: '2027-07-01T09:30:00-04:00',
			moment: '2027-07-01T13:30:00',
			header: newYork,
		},
		'an offset wins over every zone': {
			credential: kolkata,
			zone: newYork,
			written: '2027-07-01T09:30:00+02:00',
			sent: '2027-07-01T09:30:00+02:00',
			moment: '2027-07-01T07:30:00',
			header: newYork,
		},
		Z: {
			zone: newYork,
			written: '2027-07-01T09:30:00Z',
			sent: '2027-07-01T09:30:00+00:00',
			moment: '2027-07-01T09:30:00',
			header: newYork,
		},
		'milliseconds are left out': {
			zone: 'UTC',
			written: '2027-07-01T09:30:00.123Z',
			sent: '2027-07-01T09:30:00+00:00',
			moment: '2027-07-01T09:30:00',
			header: 'UTC',
		},
		'a luxon date from an expression': {
			zone: newYork,
			written: "={{ DateTime.fromISO('2027-07-01T09:30:00', { zone: 'Asia/Kolkata' }) }}",
			sent: '2027-07-01T09:30:00+05:30',
			moment: '2027-07-01T04:00:00',
			header: newYork,
		},
		'a JavaScript date from an expression': {
			zone: newYork,
			written: "={{ new Date('2027-07-01T04:00:00.500Z') }}",
			sent: '2027-07-01T00:00:00-04:00',
			moment: '2027-07-01T04:00:00',
			header: newYork,
		},
	};

	for (const [name, { sent, moment, header, ...writing }] of Object.entries(writings)) {
		test(name, async () => {
			const { result, request, stored } = await create(writing);
			expect(failure(result)).toBeUndefined();
			expect(request!.body.start_time).toBe(sent);
			expect(request!.headers['x-timezone']).toBe(header);
			expect(stored.start_time).toBe(`${moment}+00:00`);
			expect(hintsOf(result)).toBe('');
		});
	}

	test('America/New_York, the hour that does not exist: refused with what to do', async () => {
		const { result, request } = await create({ zone: newYork, written: '2027-03-14T02:30:00' });
		expect(result.error!.message).toBe(
			`'Start Time' is a time that does not exist in America/New_York: "2027-03-14T02:30:00". Clocks go forward then; choose a time after the change, or add an offset`,
		);
		expect(request).toBeUndefined();
	});

	test('an unknown zone: refused, because the platform would ignore it', async () => {
		const { result } = await create({ zone: 'Mars/Olympus', written: '2027-07-01T09:30:00' });
		expect(result.error!.message).toMatch(
			/^'Timezone' under Options is not known: "Mars\/Olympus"/,
		);
		expect(await platform.sandbox.ledger()).toEqual([]);
	});

	test('dates and times of day are never shifted', async () => {
		const listing = {
			resource: 'listing',
			operation: 'createFromItems',
			name: 'Spring',
			contacts: {
				mappingMode: 'defineBelow',
				value: { phone_number: '={{ $json.phone }}' },
				schema: [],
			},
			additionalFields: {
				startDate: '2027-03-14',
				endDate: '2027-11-07T23:30:00',
				ruleStartTime: '9:30',
			},
			options: { timezone: kolkata, preview: true },
		} as unknown as INodeParameters;
		const result = await platform.engine.runNode('acpOutreach', listing, {
			items: [{ phone: '+14155550101' }],
			timezone: 'Asia/Tokyo',
		});
		expect(failure(result)).toBeUndefined();
		expect(result.json()[0].body).toMatchObject({
			start_date: '2027-03-14',
			end_date: '2027-11-07',
			rule: { start_time: '09:30' },
		});
	});

	test('answers come in the zone that was asked for', async () => {
		const { result } = await create({ zone: kolkata, written: '2027-07-01T09:30:00' });
		expect(result.json()[0].start_time).toBe('2027-07-01T09:30:00+05:30');
	});

	test('the platform applies another zone than asked: a hint says that times may be off', async () => {
		await platform.sandbox.settings({ honourTimezone: false });
		const { result } = await create({ zone: kolkata, written: '2027-07-01T09:30:00' });
		expect(failure(result)).toBeUndefined();
		expect(hintsOf(result)).toMatch(
			/^The platform applied the time zone Europe\/Istanbul instead of the one asked for\. Times may be off; check 'Timezone'/,
		);
	});
});
