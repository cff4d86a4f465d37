/**
 * Options that differ from item to item, and values that an expression got wrong: obeyed by item, or refused by name.
 */
import { camelCase } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	contact,
	failure,
	fast,
	mapped,
	ok,
	people,
	phoneOf,
	requestsShown,
} from './guarantees/scene.cts';
import { usePlatform, type InputItem } from './harness/index.cts';

const { sandbox, run } = usePlatform({ settings: fast, engine: { expressionEngine: 'vm' } });

const onError = 'continueRegularOutput';
const errorsOf = (records: any[]): Array<string | undefined> => records.map(({ error }) => error);
const readAgent = async (options: INodeParameters, items: object[]) =>
	await run(
		'acpAgents agent.get',
		{ agent: byId('={{ $json.agent }}'), options },
		{ items: items as never, onError },
	);

describe('an option by expression counts for its item', () => {
	test('Timezone: each time is read in the zone of its item, and its answer comes in it', async () => {
		const zones = {
			'Europe/Istanbul': '2027-07-01T09:30:00+03:00',
			'America/New_York': '2027-07-01T09:30:00-04:00',
			'Pacific/Auckland': '2027-07-01T09:30:00+12:00',
		};
		const [schedule] = await sandbox.state('schedules');
		const parameters = {
			schedule: byId(schedule.uuid),
			title: '={{ $json.zone }}',
			startTime: '2027-07-01T09:30:00',
			endTime: '2027-07-03T09:30:00',
			options: { timezone: '={{ $json.zone }}' },
		};
		const items = Object.keys(zones).map((zone) => ({ zone }));
		ok(await run('acpScheduling appointment.create', parameters, { items }));
		const sent = await sandbox.created('/appointments');
		const told = sent.map(({ body, headers }) => [headers['x-timezone'], body.start_time]);
		expect(Object.fromEntries(told)).toEqual(zones);
	});

	test('Timeout and Max Retries: the item that has no time and no second try fails, the others wait and try again', async () => {
		const [hasty, patient, stubborn] = [0, 1, 2].map((index) => agentOf(sandbox, index));
		await sandbox.strike(`^/agents/${await hasty}$`, 'timeout');
		await sandbox.strike(`^/agents/${await patient}$`, { kind: 'slow', ms: 1500 });
		await sandbox.strike(`^/agents/${await stubborn}$`, 503, { nth: 1 });
		const result = await readAgent(
			{ timeout: '={{ $json.seconds }}', maxRetries: '={{ $json.retries }}' },
			[
				{ agent: await hasty, seconds: 1, retries: 0 },
				{ agent: await patient, seconds: 60, retries: 0 },
				{ agent: await stubborn, seconds: 60, retries: 1 },
			],
		);
		expect(errorsOf(result.json())).toEqual([
			expect.stringMatching(/1 second/),
			undefined,
			undefined,
		]);
		const asked = async (uuid?: Promise<string>) =>
			(await sandbox.ledger({ path: `/agents/${await uuid}` })).length;
		expect([await asked(hasty), await asked(patient), await asked(stubborn)]).toEqual([1, 1, 2]);
	});

	test('Concurrency: the most careful item decides, wherever it stands', async () => {
		await sandbox.settings({ latencyMs: 60 });
		const items = people(12).map((person, index) => ({ ...person, atOnce: index === 7 ? 1 : 9 }));
		ok(await run('acpContacts', contact({ concurrency: '={{ $json.atOnce }}' }), { items }));
		const { maxInFlight, total } = await sandbox.summary();
		expect({ maxInFlight, total }).toEqual({ maxInFlight: 1, total: 12 });
	});
});

const call = 'acpCalls call.startAndWait';
test.each<[string, string, unknown, string]>([
	[call, 'Options › Wait Timeout', 'abc', 'should be a number, but it is "abc"'],
	[call, 'Options › Wait Timeout', 0, 'is 0; it must be 1 or more'],
	[call, 'Options › Wait Timeout', 'Infinity', 'should be a number, but it is "Infinity"'],
	[call, 'Options › Advanced › Max Retries', '1.000', 'should be a number, but it is "1.000"'],
	[call, 'Options › Advanced › Max Retries', '1.5', 'should be a whole number, but it is "1.5"'],
	[call, 'Options › Advanced › Max Retries', '0x10', 'should be a number, but it is "0x10"'],
	[call, 'Options › Advanced › Max Retries', '1e1', 'should be a number, but it is "1e1"'],
	[call, 'Options › Advanced › Max Retries', '1,000', 'should be a number, but it is "1,000"'],
	[call, 'Options › Preview', 'yes', 'should be true or false, but it is "yes"'],
	[
		'acpContacts contact.create',
		'Options › Advanced › Retry Writes',
		'no',
		'should be true or false, but it is "no"',
	],
	['acpAgents agent.getAll', 'Simplify', 'no', 'should be true or false, but it is "no"'],
	[
		'acpAgents otherEndpoint.apiRequest',
		'Read All Pages',
		'yes',
		'should be true or false, but it is "yes"',
	],
])('%s: %s = %j is refused by name before anything is sent', async (node, label, value, says) => {
	const name = label === 'Read All Pages' ? 'paginate' : camelCase(label.split(' › ').at(-1));
	const given = '={{ $json.value }}';
	const parameters = {
		agent: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
		phoneNumber: phoneOf(1),
		method: 'GET',
		path: '/agents',
		...(label.startsWith('Options') ? { options: { [name]: given } } : { [name]: given }),
	};
	const result = await run(node, parameters, { items: [{ value: value as string }], onError });
	expect(errorsOf(result.json())).toEqual([`'${label}' ${says}`]);
	expect(await sandbox.ledger()).toEqual([]);
});

describe('Evidence: what one item says is taken for what all items of a request say', () => {
	const [anna, ben, carl] = [phoneOf(1), phoneOf(2), phoneOf(3)];
	const fromItems = async (change: INodeParameters, items: object[], more: object = {}) =>
		await run(
			'acpOutreach listing.createFromItems',
			{
				name: 'Spring offer',
				agent: byId(await agentOf(sandbox)),
				campaignType: 'call',
				contacts: mapped({ phone_number: '={{ $json.phone }}' }),
				...change,
			},
			{ items: items as InputItem[], ...more },
		);
	const posts = async () =>
		(await sandbox.ledger({ method: 'POST' })).filter(({ path }) => path.startsWith('/listings'));

	test.each<[string, INodeParameters, [unknown, unknown], string]>([
		[
			'Preview',
			{ autoStart: true, options: { preview: '={{ $json.x }}' } },
			[false, true],
			'off, item 1: on',
		],
		[
			'Start Contacting Immediately',
			{ autoStart: '={{ $json.x }}' },
			[true, false],
			'on, item 1: off',
		],
		[
			'Skip Blacklisted Contacts',
			{ options: { skipBlacklistedContacts: '={{ $json.x }}' } },
			[false, true],
			'off, item 1: on',
		],
		[
			'Start Again',
			{ autoStart: true, options: { startAgain: '={{ $json.x }}' } },
			[true, false],
			'on, item 1: off',
		],
		[
			'Request Key',
			{ options: { requestKey: '=k-{{ $json.x }}' } },
			[1, 2],
			'"k-1", item 1: "k-2"',
		],
		[
			'Campaign Type',
			{ campaignType: '={{ $json.x }}' },
			['call', 'whatsapp'],
			'"call", item 1: "whatsapp"',
		],
		['Name', { name: '={{ $json.x }}' }, ['Debtors', 'Friends'], '"Debtors", item 1: "Friends"'],
		[
			'Start Date',
			{ additionalFields: { startDate: '={{ $json.x }}' } },
			['2031-01-01', '2031-01-02'],
			'"2031-01-01", item 1: "2031-01-02"',
		],
		[
			'Listing',
			{ operation: 'addContactsFromItems', listing: byId('={{ $json.x }}') },
			['3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35', '4f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'],
			'"3f2b',
		],
	])(
		"'%s' differs between items: nothing is sent, and it is told with two of them",
		async (label, change, [x, y], told) => {
			const items = [
				{ phone: anna, x },
				{ phone: ben, x: y },
			];
			const said = `'${label}' differs between items (item 0: ${told}`;
			expect(failure(await fromItems(change, items))).toContain(said);
			const continued = await fromItems(change, items, { onError });
			expect(errorsOf(requestsShown(continued))).toEqual(
				[0, 1].map(() => expect.stringContaining(said)),
			);
			expect(await posts()).toEqual([]);
		},
	);

	test('an item whose own value cannot be read is refused, the others are sent', async () => {
		const items = [anna, ben, carl].map((phone, at) => ({
			phone,
			start: [true, 'perhaps', undefined][at],
		}));
		const result = await fromItems({ autoStart: '={{ $json.start }}' }, items, { onError });
		expect(errorsOf(result.json())).toEqual([
			undefined,
			expect.stringContaining("'Start Contacting Immediately' should be true or false"),
			expect.stringContaining("'Start Contacting Immediately' is empty"),
		]);
		expect((await posts()).map(({ body }) => body.contacts)).toEqual([[{ phone_number: anna }]]);
	});

	test.each<[string, INodeParameters, object[]]>([
		[
			'the same value in each item',
			{ name: '={{ $json.x }}' },
			[
				{ phone: anna, x: 'A' },
				{ phone: ben, x: 'A' },
			],
		],
		[
			'a name in the first row of a sheet alone',
			{ name: '={{ $json.x }}' },
			[
				{ phone: anna, x: 'A' },
				{ phone: ben, x: '' },
			],
		],
		[
			'the time of the run in a name',
			{ name: '={{ $json.x }} {{ $now.toMillis() }}{{ Math.random() }}' },
			[
				{ phone: anna, x: 'A' },
				{ phone: ben, x: 'A' },
			],
		],
		[
			'the country of each number',
			{ options: { defaultCountry: byId('={{ $json.x }}') } },
			[
				{ phone: '415 555 0001', x: 'US' },
				{ phone: '030 901820', x: 'DE' },
			],
		],
		[
			'a number to skip in each item',
			{ options: { skipNumbers: '={{ $json.x }}' } },
			[
				{ phone: anna, x: carl },
				{ phone: ben, x: '+493090182001' },
			],
		],
	])('%s: both items are sent', async (_, change, items) => {
		ok(await fromItems(change, items));
		expect((await posts()).map(({ body }) => body.contacts.length)).toEqual([2]);
	});
});

describe('a column of truth values never becomes true by itself', () => {
	/** What is sent for each value, or why it is not. */
	const previewed = async (node: string, parameters: object, values: unknown[]) => {
		const result = await run(
			node,
			{ ...parameters, options: { preview: true } },
			{ items: values.map((value) => ({ value }) as never), onError },
		);
		return requestsShown(result).map(({ body, error }) => error ?? body);
	};
	const some = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');
	const words = ['no', 'yes', 'off', 'on', 'N', 'Y', 'nein', '2', -1];

	test.each<[string, unknown[], (value: unknown) => unknown]>([
		['for false are false', [false, 'false', 'FALSE', ' False ', '0', 0], () => false],
		['for true are true', [true, 'true', 'TRUE', ' True ', '1', 1], () => true],
		[
			'of another kind are refused by name',
			words,
			(word) => `'Is Active' should be true or false, but it is "${word}"`,
		],
	])('words and numbers %s', async (_, values, expected) => {
		const webhook = { agent: some, url: 'https://example.com', events: ['intent_call'] };
		const isActive = '={{ $json.value }}';
		const parameters = { ...webhook, additionalFields: { isActive } };
		const sent = await previewed('acpAgents agentWebhook.create', parameters, values);
		expect(sent.map((one) => one.is_active ?? one)).toEqual(values.map(expected));
	});

	test('a field that is shown for false is read for "false" and "0", too', async () => {
		const parameters = {
			contact: some,
			reason: 'Asked not to be called',
			isPermanent: '={{ $json.value }}',
			expiresAt: '2035-01-31',
		};
		const given = ['false', '0', false, 'true', true, 'no'];
		const sent = await previewed('acpContacts contact.blacklist', parameters, given);
		const until = { is_permanent: false, expires_at: '2035-01-31' };
		const forGood = expect.not.objectContaining({ expires_at: expect.anything() });
		expect(sent).toEqual([
			...Array(3).fill(expect.objectContaining(until)),
			...Array(2).fill(forGood),
			`'Is Permanent' should be true or false, but it is "no"`,
		]);
	});

	test('a choice by its name shows the same fields as by its value, and only those are sent', async () => {
		const parameters = {
			flow: some,
			kind: '={{ $json.value }}',
			app: byId('tables'),
			triggerKey: byId('record_created'),
			actionKey: byId('add_record'),
		};
		const kinds = ['Trigger', 'trigger', 'Action', 'action'];
		const trigger = { kind: 'trigger', app_uid: 'tables', trigger_key: 'record_created' };
		const action = { kind: 'action', app_uid: 'tables', action_key: 'add_record' };
		const sent = await previewed('acpFlows flowStep.add', parameters, kinds);
		expect(sent).toEqual([trigger, trigger, action, action]);
	});
});

describe('dates that JavaScript made', () => {
	/** What a listing that starts at a date would send, with a zone of the credential. */
	const startOf = async (expressions: string[], timezone: string): Promise<unknown[]> => {
		const dates: unknown[] = [];
		for (const expression of expressions) {
			const result = ok(
				await run(
					'acpOutreach listing.create',
					{
						name: 'Offer',
						contacts: { values: [{ phoneNumber: phoneOf(1) }] },
						additionalFields: { startDate: `={{ ${expression} }}` },
						options: { preview: true },
					},
					{ credentials: { acpApi: sandbox.credential({ timezone }) } },
				),
			);
			dates.push(requestsShown(result)[0].body.start_date);
		}
		return dates;
	};
	const midnights = [
		"new Date('2026-03-29')",
		'new Date(Date.UTC(2026, 2, 29))',
		"'2026-03-29'",
		"'2026-03-29T00:00:00'",
		"DateTime.fromISO('2026-03-29T00:00:00', { zone: 'Asia/Tokyo' })",
	];

	test.each(['', 'UTC', 'America/New_York', 'Pacific/Auckland'])(
		'midnight stays the date that was meant, in the zone "%s"',
		async (zone) => {
			expect(await startOf(midnights, zone)).toEqual(midnights.map(() => '2026-03-29'));
		},
	);
});

test.each([
	['two, because each holds its file in memory', {}, 2, 2],
	['as many as the user chose', { concurrency: 4 }, 3, 4],
])('uploads under way at once: %s', async (_, options, least, most) => {
	await sandbox.settings({ latencyMs: 300 });
	const file = (index: number): InputItem => ({
		json: {},
		binary: { data: { data: Buffer.from(`file ${index}`), fileName: `${index}.txt` } },
	});
	const items = Array.from({ length: 8 }, (__, index) => file(index));
	ok(await run('acpMedia media.upload', { options }, { items }));
	expect(await sandbox.created('/medias')).toHaveLength(8);
	const { maxInFlight } = await sandbox.summary();
	expect(maxInFlight).toBeGreaterThanOrEqual(least);
	expect(maxInFlight).toBeLessThanOrEqual(most);
});
