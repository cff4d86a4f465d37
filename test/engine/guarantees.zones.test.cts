/**
 * Times: what a person writes, in which zone, and which moment the platform makes of it (interface §2.1).
 * n8n's own zone, the machine's and the workflow's are all different ones, and none of them may show.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { byId, failure, fast, hintsOf, requestsShown, ok, mapped } from './guarantees/scene.cts';

const { sandbox, engine } = usePlatform({ settings: fast, engine: { expressionEngine: 'vm' } });

const kolkata = 'Asia/Kolkata';
const newYork = 'America/New_York';
const appointment = async (startTime: string, endTime: string, options: INodeParameters) => ({
	resource: 'appointment',
	operation: 'create',
	schedule: byId((await sandbox.state('schedules'))[0].uuid),
	title: 'Demo',
	startTime,
	endTime,
	options,
});

/**
 * Creates an appointment that ends in the year 2030, in a zone of the option and one of the credential.
 * @returns its request, and its start in UTC as the platform has it
 */
async function create(timezone: string | undefined, written: string, credential = '') {
	const options = timezone === undefined ? {} : { timezone };
	const result = await engine.runNode(
		'acpScheduling',
		await appointment(written, '2030-01-01T00:00:00Z', options),
		{
			credentials: { acpApi: sandbox.credential({ timezone: credential }) },
			timezone: 'Asia/Tokyo',
		},
	);
	const [request] = await sandbox.created('/appointments');
	const made = await sandbox.state('appointments');
	return { result, request, stored: made.find(({ uuid }) => uuid === request?.resourceUuid) };
}

/** What is said of a start time by two clocks. */
const otherClock = (written: string, offset: string, there: string, zone: string): string =>
	`'Start Time' is ${written} with the offset ${offset}, which is ${there} in ${zone}. If you meant ${written.slice(11)} in ${zone}, remove the offset, write $now.setZone('${zone}') in the expression, or set the time zone of the workflow.`;

describe('Guarantee: a time is the moment that its writer meant', () => {
	const half = '2027-07-01T09:30:00';
	const luxon = `={{ DateTime.fromISO('2027-01-15T09:30:00', { zone: 'America/Toronto' }) }}`;
	const nine = '={{ $now.set({ year: 2027, month: 7, day: 1, hour: 9, minute: 0, second: 0 }) }}';
	const byTwo = otherClock('2027-07-01 09:30', '+02:00', '2027-07-01 03:30', newYork);
	const byIstanbul = otherClock(
		'2027-07-01 09:00',
		'+09:00',
		'2027-07-01 03:00',
		'Europe/Istanbul',
	);
	// interface: §2.1 rule 1; §2.1 rule 3; §2.1 rule 5a; §2.1 rule 6; §2.1 rule 7
	test.each([
		{ of: 'half an hour off', zone: kolkata, sent: `${half}+05:30` },
		{
			of: 'a Windows name, which the platform maps',
			zone: 'India Standard Time',
			sent: half,
			utc: 4,
		},
		{ of: 'no zone: the workspace’s', sent: half, utc: 6.5 },
		{ of: 'the credential’s zone', credential: kolkata, sent: `${half}+05:30` },
		{ of: 'the option wins', zone: newYork, credential: kolkata, sent: `${half}-04:00` },
		{
			of: 'an offset wins',
			zone: newYork,
			written: `${half}+02:00`,
			sent: `${half}+02:00`,
			hint: byTwo,
		},
		{ of: 'a date of luxon', zone: newYork, written: luxon, sent: '2027-01-15T09:30:00-05:00' },
		{ of: 'n8n’s own clock', written: nine, sent: '2027-07-01T09:00:00+09:00', hint: byIstanbul },
	])('$of', async ({ zone, credential, written = half, sent, utc, hint = '' }) => {
		const { result, request, stored } = await create(zone, written, credential);
		expect(failure(result)).toBeUndefined();
		expect(request!.body.start_time).toBe(sent);
		expect(request!.headers['x-timezone']).toBe(zone ?? credential);
		const moment = utc ? Date.UTC(2027, 6, 1, 0, utc * 60) : Date.parse(sent);
		expect(Date.parse(stored.start_time)).toBe(moment);
		expect(hintsOf(result)).toBe(hint);
	});

	// interface: §2.1 rule 5a
	test('an unknown zone: refused, because the platform would ignore it', async () => {
		const { result } = await create('Mars/Olympus', half);
		expect(result.error!.message).toMatch(/^'Timezone' under Options is not known: "Mars/);
		expect(await sandbox.ledger()).toEqual([]);
	});

	// interface: §2.1 rule 4
	test('dates and times of day are never shifted', async () => {
		const days = { startDate: '2027-03-14', endDate: '2027-11-07T23:30:00', ruleStartTime: '9:30' };
		const listing = {
			name: 'Spring',
			contacts: mapped({ phone_number: '+14155550101' }),
			additionalFields: days,
			options: { timezone: kolkata, preview: true },
		};
		const node = 'acpOutreach listing.createFromItems';
		const result = ok(await engine.runNode(node, listing, { timezone: 'Asia/Tokyo' }));
		expect(requestsShown(result)[0].body).toMatchObject({
			start_date: '2027-03-14',
			end_date: '2027-11-07',
			rule: { start_time: '09:30' },
		});
	});

	// interface: §2.1 rule 1
	test('answers come in the zone that was asked for', async () => {
		const { result } = await create(kolkata, half);
		expect(result.json()[0].start_time).toBe(`${half}+05:30`);
	});

	// interface: §2.1 rule 6
	test('the platform applies another zone than asked: a hint says that times may be off', async () => {
		await sandbox.settings({ honourTimezone: false });
		expect(hintsOf((await create(kolkata, half)).result)).toMatch(
			/^The platform applied the time zone Europe\/Istanbul instead of the requested one\./,
		);
	});
});

describe('Guarantee: a time by another clock than that of the zone in force is shown by both', () => {
	const nine = '={{ $now.set({ year: 2027, month: 7, day: 1, hour: 9, minute: 0, second: 0 }) }}';

	/** Previews one appointment for each item from nine to ten by n8n's clock. */
	const book = async (options: INodeParameters, items: IDataObject[] = [{}]) => {
		const ten = nine.replace('9, minute', '10, minute');
		const parameters = await appointment(nine, ten, { preview: true, ...options });
		const result = ok(
			await engine.runNode('acpScheduling', parameters, { items, timezone: newYork }),
		);
		return { shown: requestsShown(result), hints: hintsOf(result) };
	};

	test('Preview, with a zone that nobody has told yet: it is looked up, both clocks are shown', async () => {
		const { shown, hints } = await book({});
		expect(shown[0].otherClocks).toBe(
			'Start Time: 2027-07-01T09:00:00-04:00, which is 2027-07-01 16:00 in Europe/Istanbul; ' +
				'End Time: 2027-07-01T10:00:00-04:00, which is 2027-07-01 17:00 in Europe/Istanbul',
		);
		expect(hints).toContain('1 more time has another offset too. If you meant 09:00');
	});

	test('no answer names the zone: no clock is compared, and the preview is as it was', async () => {
		await sandbox.settings({ manners: { zoneUnnamed: true } });
		const { token } = await sandbox.addToken('workspace', { label: 'no clock' });
		engine.credentials = { acpApi: sandbox.credential({ token }) };
		const { shown, hints } = await book({});
		expect(shown[0].body.start_time).toBe('2027-07-01T09:00:00-04:00');
		expect([shown[0].otherClocks, hints]).toEqual([undefined, '']);
	});
});

describe('Guarantee: times that say which moment they mean need nothing else', () => {
	const times = { period: 'custom', from: '2027-07-01T00:00:00', to: '2027-07-02T00:00:00Z' };
	const offsets = { ...times, from: '2027-07-01T00:00:00+03:00' };
	const thirty = Array.from({ length: 30 }, (_, index) => ({ index }));

	/** Runs with a token of its own, of which no answer has told anything yet; gives the paths that were asked for. */
	const run = async (
		parameters: INodeParameters,
		options: { items?: IDataObject[]; onError?: 'continueRegularOutput' } = { items: thirty },
		node = 'acpInsights analytics.getCalls',
		label = expect.getState().currentTestName,
	) => {
		const { token } = await sandbox.addToken('workspace', { label });
		await sandbox.clearLedger();
		const credentials = { acpApi: sandbox.credential({ token }) };
		const result = await engine.runNode(node, parameters, { ...options, credentials });
		const ledger = await sandbox.ledger();
		return {
			result,
			said: result.error?.message,
			paths: ledger.map(({ path }) => path),
			from: ledger.at(-1)?.query.from,
		};
	};
	const each = thirty.map(() => '/analytics/calls');
	const unreadable = { manners: { unreadable: ['/agents'] } };

	test('a period with offsets: no zone is looked up, and no right to read agents is needed', async () => {
		await sandbox.settings(unreadable);
		expect(await run(offsets)).toMatchObject({ said: undefined, paths: each });
	});

	test.each([
		['a time without an offset: the zone is looked up once for all items', {}],
		['a token that may not read agents: the refusal tells the zone', unreadable],
	])('%s', async (_, settings) => {
		await sandbox.settings(settings);
		expect(await run(times)).toMatchObject({
			said: undefined,
			paths: ['/agents', ...each],
			from: '2027-07-01T00:00:00+03:00',
		});
	});

	test('a platform that never tells its zone: asked once; what has to be known here is refused by name', async () => {
		await sandbox.settings({ manners: { zoneUnnamed: true } });
		const told = async (parameters: INodeParameters, node?: string) =>
			await run(parameters, { items: thirty }, node, 'untold');
		// The platform reads them in its zone (interface §2.1 rule 3).
		const paths = ['/agents', ...each];
		expect(await told(times)).toMatchObject({ said: undefined, paths, from: times.from });
		const listing = byId('11111111-2222-4333-8444-555555555555');
		const outcomes = { listing, filters: { createdAfter: times.from } };
		expect(await told(outcomes, 'acpOutreach listing.getOutcomes')).toMatchObject({
			said: expect.stringMatching(/^30 of 30 .*: 'Created After' has no offset, and the platform/),
			paths: [],
		});
		expect(await told({ period: 'yesterday' })).toMatchObject({
			said: expect.stringMatching(/'Period' needs a time zone, and the platform does not show/),
			paths: [],
		});
		const chosen = { ...times, options: { timezone: kolkata } };
		expect(await told(chosen)).toMatchObject({ said: undefined, paths: each });
	});

	test('the platform cannot be asked, with Max Retries 0: said once per item, asked once; items with offsets are sent', async () => {
		await sandbox.strike('^/agents$', 500);
		const from = '={{ $json.index < 2 ? "2027-07-01T00:00:00" : "2027-07-01T00:00:00Z" }}';
		const { result, paths } = await run(
			{ ...times, from, options: { maxRetries: 0 } },
			{ items: thirty.slice(0, 4), onError: 'continueRegularOutput' },
		);
		expect(paths).toEqual(['/agents', '/analytics/calls', '/analytics/calls']);
		const unread = expect.stringMatching(
			/^The time zone of the workspace could not be read\. Choose one under 'Timezone'/,
		);
		const told = result.json().map(({ error }) => error ?? 'sent');
		expect(told).toEqual([unread, unread, 'sent', 'sent']);
	});
});
