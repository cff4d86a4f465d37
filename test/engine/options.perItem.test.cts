/**
 * Options that differ from item to item, and values that an expression got wrong: obeyed by
 * item, or refused by name.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	contact,
	failure,
	fast,
	hintsOf,
	people,
	phoneOf,
	sms,
	requestsShown,
	ok,
} from './guarantees/scene.cts';
import { usePlatform, type InputItem } from './harness/index.cts';

const { sandbox, run } = usePlatform({ settings: fast, engine: { expressionEngine: 'vm' } });

const errorsOf = (records: any[]): Array<string | undefined> => records.map(({ error }) => error);
const agentUuids = async (): Promise<string[]> =>
	(await sandbox.state('agents')).map(({ agent_uuid }) => agent_uuid);
const readAgent = (options: INodeParameters): INodeParameters => ({
	resource: 'agent',
	operation: 'get',
	agent: byId('={{ $json.agent }}'),
	options,
});

describe('an option by expression counts for its item', () => {
	test('Timezone: each time is read in the zone of its item, and its answer comes in it', async () => {
		const [schedule] = await sandbox.state('schedules');
		const zones = {
			'Europe/Istanbul': '2027-07-01T09:30:00+03:00',
			'America/New_York': '2027-07-01T09:30:00-04:00',
			'Pacific/Auckland': '2027-07-01T09:30:00+12:00',
		};
		ok(
			await run(
				'acpScheduling appointment.create',
				{
					schedule: byId(schedule.uuid),
					title: '={{ $json.zone }}',
					startTime: '2027-07-01T09:30:00',
					endTime: '2027-07-03T09:30:00',
					options: { timezone: '={{ $json.zone }}' },
				},
				{ items: Object.keys(zones).map((zone) => ({ zone })) },
			),
		);
		const sent = await sandbox.created('/appointments');
		expect(
			Object.fromEntries(
				sent.map(({ body, headers }) => [
					body.title,
					{ start: body.start_time, header: headers['x-timezone'] },
				]),
			),
		).toEqual(
			Object.fromEntries(
				Object.entries(zones).map(([zone, start]) => [zone, { start, header: zone }]),
			),
		);
	});

	test('Timeout and Max Retries: the item that has no time and no second try fails, the others wait and try again', async () => {
		const [hasty, patient, stubborn] = await agentUuids();
		await sandbox.strike(`^/agents/${hasty}$`, 'timeout');
		await sandbox.strike(`^/agents/${patient}$`, { kind: 'slow', ms: 1500 });
		await sandbox.strike(`^/agents/${stubborn}$`, 503, { nth: 1 });
		const result = await run(
			'acpAgents',
			readAgent({ timeout: '={{ $json.seconds }}', maxRetries: '={{ $json.retries }}' }),
			{
				items: [
					{ agent: hasty!, seconds: 1, retries: 0 },
					{ agent: patient!, seconds: 60, retries: 0 },
					{ agent: stubborn!, seconds: 60, retries: 1 },
				],
				onError: 'continueRegularOutput',
			},
		);
		expect(errorsOf(result.json())).toEqual([
			expect.stringMatching(/1 second/),
			undefined,
			undefined,
		]);
		const asked = async (uuid?: string) =>
			(await sandbox.ledger({ path: `/agents/${uuid}` })).length;
		expect([await asked(hasty), await asked(patient), await asked(stubborn)]).toEqual([1, 1, 2]);
	});

	test('Request Key of API Request: each request carries the key of its item, an item without one is refused', async () => {
		const agent = await agentOf(sandbox);
		const send = {
			resource: 'otherEndpoint',
			operation: 'apiRequest',
			method: 'POST',
			path: '/sms/send',
			body: `={{ { agentId: '${agent}', phoneNumber: $json.phone, message: 'Hello' } }}`,
			options: { requestKey: '={{ $json.order }}' },
		};
		const items = [
			{ phone: phoneOf(1), order: 'order-1' },
			{ phone: phoneOf(2), order: 7002 },
			{ phone: phoneOf(3) },
		];
		const result = await run('acpMessages', send, { items, onError: 'continueRegularOutput' });
		expect(errorsOf(result.json())).toEqual([
			undefined,
			undefined,
			expect.stringMatching(/^'Request Key' is empty for this item/),
		]);
		const keys = (await sandbox.created('/sms/send')).map(({ body }) => [
			body.phoneNumber,
			body.request_key,
		]);
		expect(Object.fromEntries(keys)).toEqual({ [phoneOf(1)]: 'order-1', [phoneOf(2)]: '7002' });
	});

	test('Concurrency: the most careful item decides, wherever it stands', async () => {
		await sandbox.settings({ latencyMs: 60 });
		const items = people(12).map((person, index) => ({ ...person, atOnce: index === 7 ? 1 : 9 }));
		ok(await run('acpContacts', contact({ concurrency: '={{ $json.atOnce }}' }), { items }));
		const { maxInFlight, total } = await sandbox.summary();
		expect({ maxInFlight, total }).toEqual({ maxInFlight: 1, total: 12 });
	});

	test('Preview: of two items the one is shown and the other is sent', async () => {
		const result = ok(
			await run('acpMessages', sms(await agentOf(sandbox), { preview: '={{ $json.show }}' }), {
				items: people(2).map((person, index) => ({ ...person, show: index === 0 })),
			}),
		);
		expect(requestsShown(result).map(({ preview }) => preview)).toEqual([true, null]);
		expect((await sandbox.created('/sms/send')).map(({ body }) => body.phoneNumber)).toEqual([
			phoneOf(1),
		]);
	});

	test('Wait Timeout: each record is waited for as long as its item says', async () => {
		await sandbox.settings({ builders: { processingMs: 600_000 } });
		const start = async () =>
			(await sandbox.api.post('/builder-agents', { prompt: 'Build a form' })).data.data
				.uuid as string;
		const uuids = [await start(), await start()];
		const result = ok(
			await run(
				'acpBuilders buildConversation.waitUntilReady',
				{
					buildConversation: byId('={{ $json.uuid }}'),
					options: { waitTimeout: '={{ $json.seconds }}' },
				},
				{ items: uuids.map((uuid, index) => ({ uuid, seconds: index + 1 })) },
			),
		);
		expect(result.json().map(({ timedOut }) => timedOut)).toEqual([true, true]);
		const said = hintsOf(result).match(/after \d+ seconds/g);
		expect(said?.sort()).toEqual(['after 1 seconds', 'after 2 seconds']);
	});
});

describe('an option that an expression got wrong is refused by name before anything is sent', () => {
	const wrong: Array<[string, string, unknown, string]> = [
		['Wait Timeout', 'waitTimeout', 'abc', 'should be a number, but it is "abc"'],
		['Wait Timeout', 'waitTimeout', 0, 'is 0; it must be 1 or more'],
		['Wait Timeout', 'waitTimeout', 'Infinity', 'should be a number, but it is "Infinity"'],
		['Timeout', 'timeout', 'abc', 'should be a number, but it is "abc"'],
		['Timeout', 'timeout', 601, 'is 601; it must be 600 or less'],
		['Max Retries', 'maxRetries', 'often', 'should be a number, but it is "often"'],
		['Max Retries', 'maxRetries', 2.5, 'should be a whole number, but it is "2.5"'],
		['Max Retries', 'maxRetries', '1.000', 'should be a whole number, but it is "1.000"'],
		['Max Retries', 'maxRetries', '0x10', 'should be a number, but it is "0x10"'],
		['Max Retries', 'maxRetries', '1e1', 'should be a number, but it is "1e1"'],
		['Max Retries', 'maxRetries', '1,000', 'should be a number, but it is "1,000"'],
		['Concurrency', 'concurrency', 'all', 'should be a number, but it is "all"'],
		['Concurrency', 'concurrency', 65, 'is 65; it must be 50 or less'],
		['Preview', 'preview', 'yes', 'should be true or false, but it is "yes"'],
		['Preview', 'preview', 'no', 'should be true or false, but it is "no"'],
	];
	test.each(wrong)('%s: %s = %j', async (displayName, name, value, says) => {
		const agent = await agentOf(sandbox);
		const result = await run(
			'acpCalls call.startAndWait',
			{
				agent: byId(agent),
				phoneNumber: '={{ $json.phone }}',
				options: { [name]: '={{ $json.value }}' },
			},
			{
				items: [{ phone: phoneOf(1), value: value as string }],
				onError: 'continueRegularOutput',
			},
		);
		expect(errorsOf(result.json())).toEqual([`'Options › ${displayName}' ${says}`]);
		expect(await sandbox.ledger()).toEqual([]);
	});

	const agents = { resource: 'agent', operation: 'getAll' };
	const api = {
		resource: 'otherEndpoint',
		operation: 'apiRequest',
		method: 'GET',
		path: '/agents',
	};
	test.each<[string, string, INodeParameters, string]>([
		['returnAll', 'no', agents, `'Return All' should be true or false, but it is "no"`],
		['limit', 'all', agents, `'Limit' should be a number, but it is "all"`],
		['limit', '0', agents, `'Limit' is 0; it must be 1 or more`],
		['simplify', 'no', agents, `'Simplify' should be true or false, but it is "no"`],
		['paginate', 'yes', api, `'Read All Pages' should be true or false, but it is "yes"`],
	])('%s = %j', async (name, value, parameters, says) => {
		const result = await run(
			'acpAgents',
			{ ...parameters, [name]: '={{ $json.value }}' },
			{ items: [{ value }], onError: 'continueRegularOutput' },
		);
		expect(errorsOf(result.json())).toEqual([says]);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('Retry Writes: "no" does not count as the word to send again', async () => {
		const result = await run('acpContacts', contact({ retryWrites: '={{ $json.again }}' }), {
			items: [{ ...people(1)[0]!, again: 'no' }],
			onError: 'continueRegularOutput',
		});
		expect(errorsOf(result.json())).toEqual([
			`'Options › Retry Writes' should be true or false, but it is "no"`,
		]);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('Timezone: an unknown name, for its item alone', async () => {
		const [one, other] = await agentUuids();
		const result = await run('acpAgents', readAgent({ timezone: '={{ $json.zone }}' }), {
			items: [
				{ agent: one!, zone: 'Europe/Atlantis' },
				{ agent: other!, zone: 'Europe/Istanbul' },
			],
			onError: 'continueRegularOutput',
		});
		expect(errorsOf(result.json())).toEqual([
			`'Timezone' under Options is not known: "Europe/Atlantis". Use a name like Europe/Istanbul`,
			undefined,
		]);
		expect((await sandbox.ledger()).map(({ path }) => path)).toEqual([`/agents/${other}`]);
	});
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
				contacts: {
					mappingMode: 'defineBelow',
					value: { phone_number: '={{ $json.phone }}' },
				} as never,
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
			const continued = await fromItems(change, items, { onError: 'continueRegularOutput' });
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
		const result = await fromItems({ autoStart: '={{ $json.start }}' }, items, {
			onError: 'continueRegularOutput',
		});
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
	/** What an update of a webhook would send for a value of Is Active. */
	const activeFor = async (values: unknown[]): Promise<unknown[]> => {
		const result = await run(
			'acpAgents',
			{
				resource: 'agentWebhook',
				operation: 'create',
				agent: byId(await agentOf(sandbox)),
				url: 'https://example.com/events',
				events: ['conversation_end_report'],
				additionalFields: { isActive: '={{ $json.active }}' },
				options: { preview: true },
			},
			{
				items: values.map((active) => ({ active }) as IDataObject),
				onError: 'continueRegularOutput',
			},
		);
		return result.json().map(({ body, error }) => error ?? body.is_active);
	};

	test('words and numbers for false are false, those for true are true', async () => {
		expect(await activeFor([false, 'false', 'FALSE', ' False ', '0', 0])).toEqual(
			Array(6).fill(false),
		);
		expect(await activeFor([true, 'true', 'TRUE', ' True ', '1', 1])).toEqual(Array(6).fill(true));
	});

	test('any other word is refused by name', async () => {
		const words = ['no', 'yes', 'off', 'on', 'N', 'Y', 'nein', '2', -1];
		expect(await activeFor(words)).toEqual(
			words.map((word) => `'Is Active' should be true or false, but it is "${word}"`),
		);
	});

	test('a field that is shown for false is read for "false" and "0", too', async () => {
		const result = await run(
			'acpContacts contact.blacklist',
			{
				contact: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
				reason: 'Asked not to be called',
				isPermanent: '={{ $json.permanent }}',
				expiresAt: '2035-01-31',
				options: { preview: true },
			},
			{
				items: ['false', '0', false, 'true', true, 'no'].map((permanent) => ({ permanent })),
				onError: 'continueRegularOutput',
			},
		);
		const until = { is_permanent: false, expires_at: '2035-01-31' };
		expect(
			result
				.json()
				.map(
					({ body, error }) =>
						error ?? { is_permanent: body.is_permanent, expires_at: body.expires_at },
				),
		).toEqual([
			until,
			until,
			until,
			{ is_permanent: true, expires_at: undefined },
			{ is_permanent: true, expires_at: undefined },
			`'Is Permanent' should be true or false, but it is "no"`,
		]);
	});

	test('a choice by its name shows the same fields as by its value, and only those are sent', async () => {
		const result = ok(
			await run(
				'acpFlows flowStep.add',
				{
					flow: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
					kind: '={{ $json.kind }}',
					app: byId('tables'),
					triggerKey: byId('record_created'),
					actionKey: byId('add_record'),
					options: { preview: true },
				},
				{ items: ['Trigger', 'trigger', 'Action', 'action'].map((kind) => ({ kind })) },
			),
		);
		const trigger = { kind: 'trigger', app_uid: 'tables', trigger_key: 'record_created' };
		const action = { kind: 'action', app_uid: 'tables', action_key: 'add_record' };
		expect(result.json().map(({ body }) => body)).toEqual([trigger, trigger, action, action]);
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

describe('uploads', () => {
	const file = (index: number): InputItem => ({
		json: {},
		binary: { data: { data: Buffer.from(`file ${index}`), fileName: `${index}.txt` } },
	});
	const upload = async (options: INodeParameters) => {
		await sandbox.settings({ latencyMs: 300 });
		ok(
			await run(
				'acpMedia media.upload',
				{ options },
				{ items: Array.from({ length: 8 }, (_, index) => file(index)) },
			),
		);
		expect(await sandbox.created('/medias')).toHaveLength(8);
		return (await sandbox.summary()).maxInFlight;
	};

	test('two are under way at once, because each holds its file in memory', async () => {
		expect(await upload({})).toBe(2);
	});

	test('as many as the user chose', async () => {
		const atOnce = await upload({ concurrency: 4 });
		expect(atOnce).toBeGreaterThan(2);
		expect(atOnce).toBeLessThanOrEqual(4);
	});
});

describe('504 from something in between', () => {
	const gateway = { kind: 'status', status: 504 } as const;

	test('a read is tried again', async () => {
		const [agent] = await agentUuids();
		await sandbox.strike('^/agents/', gateway, { nth: 1 });
		const result = ok(await run('acpAgents', readAgent({}), { items: [{ agent: agent! }] }));
		expect(result.json()).toMatchObject([{ agent_uuid: agent }]);
		expect((await sandbox.ledger()).map(({ status }) => status)).toEqual([504, 200]);
	});

	test.each([false, true])(
		'a keyed send is tried again and happens once (accepted: %s)',
		async (accepted) => {
			await sandbox.strike('^/sms/send$', { ...gateway, afterAcceptance: accepted }, { nth: 1 });
			ok(await run('acpMessages', sms(await agentOf(sandbox)), { items: people(1) }));
			const asked = await sandbox.ledger({ path: '/sms/send' });
			expect(asked.map(({ status }) => status! < 300)).toEqual([false, true]);
			expect(asked.filter(({ effect }) => effect === 'created')).toHaveLength(1);
			expect(asked[0]!.body.request_key).toBe(asked[1]!.body.request_key);
		},
	);

	test.each([false, true])(
		'another write is not sent twice, and the message says so (accepted: %s)',
		async (accepted) => {
			await sandbox.strike('^/contacts$', { ...gateway, afterAcceptance: accepted }, { nth: 1 });
			const result = await run('acpContacts', contact(), { items: people(1) });
			expect(result.error?.message).toContain('status 504');
			expect(result.error?.description).toMatch(
				/The request may have gone through\. Check the platform before you run it again/,
			);
			expect(await sandbox.ledger({ path: '/contacts', method: 'POST' })).toHaveLength(1);
		},
	);
});

describe('Retry-After as a date', () => {
	const throttle = async (date: Date) =>
		await sandbox.strike(
			'^/agents/',
			{ status: 429, retryAfter: date.toUTCString() as unknown as number },
			{ nth: 1 },
		);
	const read = async () => {
		const [agent] = await agentUuids();
		const result = await run('acpAgents', readAgent({}), {
			items: [{ agent: agent! }],
			onError: 'continueRegularOutput',
		});
		return { result, asked: await sandbox.ledger({ path: `/agents/${agent}` }) };
	};

	test('nothing leaves before it', async () => {
		const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000);
		await throttle(date);
		const { result, asked } = await read();
		expect(errorsOf(result.json())).toEqual([undefined]);
		expect(asked.map(({ status }) => status)).toEqual([429, 200]);
		expect(asked[1]!.at).toBeGreaterThanOrEqual(date.getTime());
	});

	test('one that has passed is no wait', async () => {
		await throttle(new Date('2026-01-01T00:00:00Z'));
		const { asked } = await read();
		expect(asked.map(({ status }) => status)).toEqual([429, 200]);
	});

	test('one that is hours away is told instead of waited for', async () => {
		await throttle(new Date(Date.now() + 3 * 3_600_000));
		const { result, asked } = await read();
		expect(asked).toHaveLength(1);
		const [{ error }] = result.json();
		expect(error).toMatch(/^The platform asked to wait until \d\d:\d\d \(\d hours\)$/);
	});
});
