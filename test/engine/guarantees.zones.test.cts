/**
 * Times: what a person writes, in which zone, and which moment the platform makes of it (interface §2.1).
 * n8n's own zone, the machine's and the workflow's are all different ones, and none of them may show.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { byId, failure, fast, hintsOf, requestsShown, ok, mapped } from './guarantees/scene.cts';

const { sandbox, engine } = usePlatform({ settings: fast, engine: { expressionEngine: 'vm' } });

/** What is written in which zone, what leaves, the moment that the platform stores (UTC), and what the panel says. */
type Writing = [
	name: string,
	/** Option Timezone, and the credential's. */
	zone: string | { zone?: string; credential: string } | undefined,
	written: unknown,
	sent: string,
	/** Where `sent` has no offset. */
	moment?: string,
	hint?: string,
];

const appointment = async (
	zone: string | undefined,
	start: unknown,
	end: unknown,
): Promise<INodeParameters> => ({
	resource: 'appointment',
	operation: 'create',
	schedule: byId((await sandbox.state('schedules'))[0].uuid),
	title: 'Demo',
	startTime: start as string,
	endTime: end as string,
	options: zone === undefined ? {} : { timezone: zone },
});

const zonesOf = (zones: Writing[1]): { zone?: string; credential?: string } =>
	typeof zones === 'object' ? zones : { zone: zones };

/**
 * Creates an appointment that ends in the year 2030.
 * @returns its request, and its start in UTC as the platform has it
 */
async function create(zones: Writing[1], written: unknown) {
	const { zone, credential } = zonesOf(zones);
	const credentials = { acpApi: sandbox.credential({ timezone: credential ?? '' }) };
	const result = await engine.runNode(
		'acpScheduling',
		await appointment(zone, written, '2030-01-01T00:00:00Z'),
		{ credentials, timezone: 'Asia/Tokyo' },
	);
	const [request] = await sandbox.created('/appointments');
	const stored = (await sandbox.state('appointments')).find(
		({ uuid }) => uuid === request?.resourceUuid,
	);
	return { result, request, stored };
}

const kolkata = 'Asia/Kolkata';
const newYork = 'America/New_York';

/** What is said of a start time by two clocks. */
const otherClock = (written: string, offset: string, there: string, zone: string): string =>
	`'Start Time' is ${written} with the offset ${offset}, which is ${there} in ${zone}. If you meant ${written.slice(11)} in ${zone}, remove the offset, write $now.setZone('${zone}') in the expression, or set the time zone of the workflow.`;

describe('Guarantee: a time is the moment that its writer meant', () => {
	const writings: Writing[] = [
		['Asia/Kolkata, half an hour off', kolkata, '2027-07-01T09:30:00', '2027-07-01T09:30:00+05:30'],
		// interface: §2.1 rule 7
		['UTC', 'UTC', '2027-07-01T09:30:00', '2027-07-01T09:30:00+00:00'],
		// interface: §2.1 rule 5a
		[
			'a Windows name, which the platform maps',
			'India Standard Time',
			'2027-07-01T09:30:00',
			'2027-07-01T09:30:00',
			'2027-07-01T04:00:00',
		],
		// interface: §2.1 rule 3; §2.1 rule 7
		[
			'no zone: the workspace’s',
			undefined,
			'2027-07-01T09:30:00',
			'2027-07-01T09:30:00',
			'2027-07-01T06:30:00',
		],
		[
			'the credential’s zone',
			{ credential: kolkata },
			'2027-07-01T09:30:00',
			'2027-07-01T09:30:00+05:30',
		],
		// interface: §2.1 rule 5a
		[
			'the option wins over the credential',
			{ zone: newYork, credential: kolkata },
			'2027-07-01T09:30:00',
			'2027-07-01T09:30:00-04:00',
		],
		// interface: §2.1 rule 1
		[
			'an offset wins over every zone',
			{ zone: newYork, credential: kolkata },
			'2027-07-01T09:30:00+02:00',
			'2027-07-01T09:30:00+02:00',
			undefined,
			otherClock('2027-07-01 09:30', '+02:00', '2027-07-01 03:30', newYork),
		],
		// interface: §2.1 rule 7
		['Z', newYork, '2027-07-01T09:30:00Z', '2027-07-01T09:30:00+00:00'],
		[
			'a luxon date from an expression',
			newYork,
			"={{ DateTime.fromISO('2027-07-01T09:30:00', { zone: 'Asia/Kolkata' }) }}",
			'2027-07-01T09:30:00+05:30',
			undefined,
			otherClock('2027-07-01 09:30', '+05:30', '2027-07-01 00:00', newYork),
		],
		[
			'a luxon date of the zone in force',
			newYork,
			"={{ DateTime.fromISO('2027-01-15T09:30:00', { zone: 'America/Toronto' }) }}",
			'2027-01-15T09:30:00-05:00',
		],
		// interface: §2.1 rule 6
		[
			'a wall time of n8n’s zone, in the workspace’s',
			undefined,
			'={{ $now.set({ year: 2027, month: 7, day: 1, hour: 9, minute: 0, second: 0 }) }}',
			'2027-07-01T09:00:00+09:00',
			undefined,
			otherClock('2027-07-01 09:00', '+09:00', '2027-07-01 03:00', 'Europe/Istanbul'),
		],
		[
			'a JavaScript date from an expression',
			newYork,
			"={{ new Date('2027-07-01T04:00:00.500Z') }}",
			'2027-07-01T00:00:00-04:00',
		],
	];

	test.each(writings)('%s', async (...writing) => {
		const [, zones, written, sent, moment, hint = ''] = writing;
		const { result, request, stored } = await create(zones, written);
		expect(failure(result)).toBeUndefined();
		expect(request!.body.start_time).toBe(sent);
		const { zone, credential } = zonesOf(zones);
		expect(request!.headers['x-timezone']).toBe(zone ?? credential);
		const inUtc = moment ?? new Date(sent).toISOString().slice(0, 19);
		expect(stored.start_time).toBe(`${inUtc}+00:00`);
		expect(hintsOf(result)).toBe(hint);
	});

	test('America/New_York, the hour that does not exist: refused with what to do', async () => {
		const { result, request } = await create(newYork, '2027-03-14T02:30:00');
		expect(result.error!.message).toBe(
			`'Start Time' is a time that does not exist in America/New_York: "2027-03-14T02:30:00". Clocks go forward then; choose a time after the change, or add an offset`,
		);
		expect(request).toBeUndefined();
	});

	// interface: §2.1 rule 5a
	test('an unknown zone: refused, because the platform would ignore it', async () => {
		const { result } = await create('Mars/Olympus', '2027-07-01T09:30:00');
		expect(result.error!.message).toMatch(
			/^'Timezone' under Options is not known: "Mars\/Olympus"/,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});

	// interface: §2.1 rule 4
	test('dates and times of day are never shifted', async () => {
		const listing = {
			resource: 'listing',
			operation: 'createFromItems',
			name: 'Spring',
			contacts: mapped({ phone_number: '={{ $json.phone }}' }),
			additionalFields: {
				startDate: '2027-03-14',
				endDate: '2027-11-07T23:30:00',
				ruleStartTime: '9:30',
			},
			options: { timezone: kolkata, preview: true },
		} as unknown as INodeParameters;
		const result = ok(
			await engine.runNode('acpOutreach', listing, {
				items: [{ phone: '+14155550101' }],
				timezone: 'Asia/Tokyo',
			}),
		);
		expect(requestsShown(result)[0].body).toMatchObject({
			start_date: '2027-03-14',
			end_date: '2027-11-07',
			rule: { start_time: '09:30' },
		});
	});

	// interface: §2.1 rule 1
	test('answers come in the zone that was asked for', async () => {
		const { result } = await create(kolkata, '2027-07-01T09:30:00');
		expect(result.json()[0].start_time).toBe('2027-07-01T09:30:00+05:30');
	});

	// interface: §2.1 rule 6
	test('the platform applies another zone than asked: a hint says that times may be off', async () => {
		await sandbox.settings({ honourTimezone: false });
		const { result } = await create(kolkata, '2027-07-01T09:30:00');
		expect(failure(result)).toBeUndefined();
		expect(hintsOf(result)).toMatch(
			/^The platform applied the time zone Europe\/Istanbul instead of the requested one\. Times may be wrong\. Check 'Timezone'/,
		);
	});
});

describe('Guarantee: a time by another clock than that of the zone in force is shown by both', () => {
	const nine = '={{ $now.set({ year: 2027, month: 7, day: 1, hour: 9, minute: 0, second: 0 }) }}';

	/** Creates one appointment for each item from nine to ten by n8n's clock. */
	const book = async (options: INodeParameters, count = 1) =>
		await engine.runNode(
			'acpScheduling',
			{ ...(await appointment(undefined, nine, nine.replace('9, minute', '10, minute'))), options },
			{
				items: Array.from({ length: count }, (_, index) => ({ index })),
				credentials: { acpApi: sandbox.credential({ timezone: '' }) },
				timezone: newYork,
			},
		);

	test('Preview, with a zone that nobody has told yet: it is looked up, both clocks are shown', async () => {
		const result = ok(await book({ preview: true }));
		expect(requestsShown(result)[0].otherClocks).toBe(
			'Start Time: 2027-07-01T09:00:00-04:00, which is 2027-07-01 16:00 in Europe/Istanbul; ' +
				'End Time: 2027-07-01T10:00:00-04:00, which is 2027-07-01 17:00 in Europe/Istanbul',
		);
		expect(hintsOf(result)).toContain(
			'which is 2027-07-01 16:00 in Europe/Istanbul. 1 more time has another offset too. If you meant 09:00',
		);
	});

	test('Preview in a zone that has the same clock: one clock, and nothing is said', async () => {
		const result = await book({ preview: true, timezone: 'America/Toronto' });
		expect(requestsShown(result)[0].body.start_time).toBe('2027-07-01T09:00:00-04:00');
		expect(requestsShown(result)[0].otherClocks).toBeUndefined();
		expect(hintsOf(result)).not.toContain('offset');
	});

	test('many items: said once', async () => {
		const result = await book({ preview: true, timezone: kolkata }, 3);
		expect(requestsShown(result)).toHaveLength(3);
		expect(hintsOf(result).match(/with the offset/g)).toHaveLength(1);
		expect(hintsOf(result)).toContain('5 more times have another offset too.');
	});
});

describe('Evidence: a zone that the platform does not tell is taken for no zone', () => {
	test('no answer names the zone: no clock is compared, and the preview is as it was', async () => {
		await sandbox.settings({ manners: { zoneUnnamed: true } });
		const { token } = await sandbox.addToken('workspace', { label: 'no clock' });
		const start = '2027-07-01T09:00:00-04:00';
		const result = await engine.runNode(
			'acpScheduling',
			{
				...(await appointment(undefined, start, '2030-01-01T00:00:00Z')),
				options: { preview: true },
			},
			{ credentials: { acpApi: sandbox.credential({ token, timezone: '' }) } },
		);
		expect(requestsShown(result)[0].body.start_time).toBe(start);
		expect(requestsShown(result)[0].otherClocks).toBeUndefined();
		expect(hintsOf(result)).toBe('');
	});
});

describe('Guarantee: times that say which moment they mean need nothing else', () => {
	const offsets = {
		period: 'custom',
		from: '2027-07-01T00:00:00+03:00',
		to: '2027-07-02T00:00:00Z',
	};
	const local = { period: 'custom', from: '2027-07-01T00:00:00', to: '2027-07-02T00:00:00' };
	const thirty = Array.from({ length: 30 }, (_, index) => ({ index }));

	/** Runs with a token of its own, of which no answer has told anything yet; gives the paths that were asked for. */
	const run = async (
		parameters: INodeParameters,
		options: { items?: IDataObject[]; onError?: 'continueRegularOutput' } = {},
		label = expect.getState().currentTestName,
	) => {
		const { token } = await sandbox.addToken('workspace', { label });
		await sandbox.clearLedger();
		const result = await engine.runNode(
			parameters.resource === 'analytics' ? 'acpInsights' : 'acpOutreach',
			parameters,
			{ ...options, credentials: { acpApi: sandbox.credential({ token }) } },
		);
		return { result, paths: (await sandbox.ledger()).map(({ path }) => path) };
	};
	const calls = (parameters: INodeParameters): INodeParameters => ({
		resource: 'analytics',
		operation: 'getCalls',
		...parameters,
	});
	const outcomes: INodeParameters = {
		resource: 'listing',
		operation: 'getOutcomes',
		listing: byId('11111111-2222-4333-8444-555555555555'),
	};
	const unreadable = { manners: { unreadable: ['/agents'] } };

	test('a period with offsets: no zone is looked up, and no right to read agents is needed', async () => {
		await sandbox.settings(unreadable);
		const { result, paths } = await run(calls(offsets), { items: thirty });
		expect(failure(result)).toBeUndefined();
		expect(paths).toEqual(thirty.map(() => '/analytics/calls'));
	});

	test('a time without an offset: the zone is looked up once for all items', async () => {
		const { result, paths } = await run(calls(local), { items: thirty });
		expect(failure(result)).toBeUndefined();
		expect(paths).toEqual(['/agents', ...thirty.map(() => '/analytics/calls')]);
		const sent = await sandbox.ledger({ path: '/analytics/calls' });
		expect(sent.map(({ query }) => query.from)).toEqual(
			thirty.map(() => '2027-07-01T00:00:00+03:00'),
		);
	});

	test('a token that may not read agents: the refusal tells the zone', async () => {
		await sandbox.settings(unreadable);
		const { result, paths } = await run(calls({ period: 'yesterday' }), { items: thirty });
		expect(failure(result)).toBeUndefined();
		expect(paths).toEqual(['/agents', ...thirty.map(() => '/analytics/calls')]);
		const [, request] = await sandbox.ledger();
		expect(request!.query.from).toMatch(/T00:00:00\+03:00$/);
	});

	test('a platform that never tells its zone: asked once; what has to be known here is refused by name', async () => {
		await sandbox.settings({ manners: { zoneUnnamed: true } });
		const label = 'untold';
		const sent = await run(calls(local), { items: thirty }, label);
		expect(failure(sent.result)).toBeUndefined();
		// The platform reads them in its zone (interface §2.1 rule 3).
		expect((await sandbox.ledger()).at(-1)!.query.from).toBe('2027-07-01T00:00:00');
		expect(sent.paths).toEqual(['/agents', ...thirty.map(() => '/analytics/calls')]);
		const filters = { createdAfter: '2027-07-01T00:00:00' };
		const refused = await run({ ...outcomes, filters }, { items: thirty }, label);
		expect(refused.result.error!.message).toMatch(
			/^30 of 30 items cannot be sent: 'Created After' has no offset, and the platform does not show the time zone of the workspace: "2027-07-01T00:00:00"\. Add an offset, like \+03:00, or set 'Timezone' under Options/,
		);
		expect(refused.paths).toEqual([]);
		const period = await run(calls({ period: 'yesterday' }), {}, label);
		expect(period.result.error!.message).toMatch(
			/^'Period' needs a time zone, and the platform does not show that of the workspace\. Set 'Timezone' under Options or in the credential/,
		);
		expect(period.paths).toEqual([]);
		const told = await run(calls({ ...local, options: { timezone: kolkata } }), {}, label);
		expect(failure(told.result)).toBeUndefined();
		expect(told.paths).toEqual(['/analytics/calls']);
	});

	test('the platform cannot be asked, with Max Retries 0: said once per item, asked once; items with offsets are sent', async () => {
		await sandbox.strike('^/agents$', 500);
		const mixed = {
			...local,
			from: '={{ $json.index < 2 ? "2027-07-01T00:00:00" : "2027-07-01T00:00:00Z" }}',
			to: '2027-07-02T00:00:00Z',
			options: { maxRetries: 0 },
		};
		const { result, paths } = await run(calls(mixed), {
			items: thirty.slice(0, 4),
			onError: 'continueRegularOutput',
		});
		expect(paths).toEqual(['/agents', '/analytics/calls', '/analytics/calls']);
		expect(result.json().map(({ error }) => error ?? 'sent')).toEqual([
			expect.stringMatching(
				/^The time zone of the workspace could not be read\. Choose one under 'Timezone' in the credential or under Options\. /,
			),
			expect.stringMatching(
				/^The time zone of the workspace could not be read\. Choose one under 'Timezone' in the credential or under Options\. /,
			),
			'sent',
			'sent',
		]);
	});
});
