/** ACP Insights: windows of time as the platform counts them, exports page by page, logs, phone numbers, research. */
import { byId as by, ok } from './guarantees/scene.cts';
import { Engine, usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox } = platform;
const run = async (
	resource: string,
	operation: string,
	parameters: object = {},
	options: object = {},
	engine = platform.engine,
) => await engine.runNode('acpInsights', { resource, operation, ...parameters } as never, options);
const asked = async (at: string) => (await sandbox.ledger({ path: at })).map(({ query }) => query);

describe('half-open windows of named periods', () => {
	/** Runs with the clock of the engine at a given moment; what the platform was asked for. */
	async function windowAt(
		clock: string,
		parameters: object,
		credential: Record<string, string> = {},
		path = '/analytics/calls',
	) {
		const engine = await Engine.start({
			clock,
			credentials: { acpApi: sandbox.credential(credential) },
		});
		try {
			const result = ok(
				await run(
					'analytics',
					path === '/analytics/calls' ? 'getCalls' : 'getSessions',
					parameters,
					{},
					engine,
				),
			);
			const [query] = await asked(path);
			return { from: query!.from, to: query!.to, result };
		} finally {
			await engine.stop();
		}
	}

	test('yesterday, in the zone of Options, over the day on which clocks went forward: 23 hours', async () => {
		const { from, to, result } = await windowAt('2026-03-30T08:00:00Z', {
			period: 'yesterday',
			options: { timezone: 'Europe/Berlin' },
		});
		expect([from, to]).toEqual(['2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00']);
		expect((Date.parse(String(to)) - Date.parse(String(from))) / 3_600_000).toBe(23);
		expect(result.json()[0].meta).toMatchObject({ from, to, timezone: 'Europe/Berlin' });
	});

	test('yesterday, in the zone of the credential, over the day on which clocks went back: 25 hours', async () => {
		// Half an hour past midnight in New York, where it is the 2nd; in UTC it has been for hours.
		const { from, to } = await windowAt(
			'2026-11-02T05:30:00Z',
			{ period: 'yesterday' },
			{ timezone: 'America/New_York' },
		);
		expect([from, to]).toEqual(['2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00']);
		expect((Date.parse(String(to)) - Date.parse(String(from))) / 3_600_000).toBe(25);
	});

	// interface: §2.1 rule 5c
	test('yesterday, in the zone of the workspace, which is learned from the platform', async () => {
		await sandbox.settings({ workspaceTimezone: 'Pacific/Kiritimati' });
		// Already the 16th there, still the 15th in UTC.
		const { from, to } = await windowAt(
			'2026-06-15T11:00:00Z',
			{ period: 'yesterday' },
			{},
			'/analytics/sessions',
		);
		expect([from, to]).toEqual(['2026-06-15T00:00:00+14:00', '2026-06-16T00:00:00+14:00']);
	});

	// interface: §2.1 rule 5b; §5 rule 2; §5 rule 8; §5 rule 9
	test('yesterday, in the zone of the member whom a per-user token identifies', async () => {
		await sandbox.settings({
			memberTimezone: 'America/New_York',
			workspaceTimezone: 'Pacific/Kiritimati',
		});
		const { from, to } = await windowAt(
			'2026-06-15T11:00:00Z',
			{ period: 'yesterday' },
			{ token: sandbox.userToken },
		);
		expect([from, to]).toEqual(['2026-06-14T00:00:00-04:00', '2026-06-15T00:00:00-04:00']);
	});

	test('a Windows zone is mapped by the platform', async () => {
		const { from, to } = await windowAt(
			'2026-06-15T11:00:00Z',
			{ period: 'lastMonth' },
			{ timezone: 'Turkey Standard Time' },
		);
		expect([from, to]).toEqual(['2026-05-01T00:00:00+03:00', '2026-06-01T00:00:00+03:00']);
	});
});

describe('analytics', () => {
	const custom = { period: 'custom', from: '2026-05-01T00:00:00', to: '2026-05-08T00:00:00' };
	const zone = { options: { timezone: 'Europe/Istanbul' } };

	/** Calls at the edges of a week in Istanbul. */
	async function calls() {
		const at = {
			before: '2026-04-30T23:59:59+03:00',
			first: '2026-05-01T00:00:00+03:00',
			last: '2026-05-07T23:59:59+03:00',
			end: '2026-05-08T00:00:00+03:00',
		};
		const [agent] = await sandbox.state('agents');
		for (const [index, created_at] of Object.values(at).entries()) {
			await sandbox.add('conversations', {
				channel: index === 2 ? 'Whatsapp_call' : 'Call',
				status: 'Closed',
				agent_uuid: agent.agent_uuid,
				created_at,
				call: { status: 'completed', duration: 60, direction: 'Outbound', handled_by: 'AI' },
			});
		}
	}

	// interface: §4.2 query
	test('the first moment counts, the last does not; the window before is added', async () => {
		await calls();
		const result = ok(
			await run('analytics', 'getCalls', { ...custom, ...zone, filters: { comparePrev: true } }),
		);
		expect(await asked('/analytics/calls')).toEqual([
			{ from: '2026-05-01T00:00:00+03:00', to: '2026-05-08T00:00:00+03:00', compare_prev: 'true' },
		]);
		expect(result.json()[0]).toMatchObject({
			totals: { calls: 2, outbound: 2, answered: 2, ai_handled: 2 },
			duration_sec: { total: 120 },
			previous: { totals: { calls: 1 } },
		});
	});

	// interface: §4.2 query
	test('channels, agent and campaign narrow it', async () => {
		await calls();
		const [agent] = await sandbox.state('agents');
		const campaign = '11111111-1111-4111-8111-111111111111';
		const filters = { channel: 'call, whatsapp_call', agent: by(agent.agent_uuid) };
		const result = await run('analytics', 'getCalls', { ...custom, ...zone, filters });
		expect(result.json()[0].totals.calls).toBe(2);
		const listed = await run(
			'analytics',
			'getCalls',
			{ ...custom, ...zone, filters: { channel: '={{ $json.channels }}', campaign: by(campaign) } },
			{ items: [{ channels: ['whatsapp_call'] }] },
		);
		expect(listed.json()[0].totals.calls).toBe(0);
		expect(
			(await asked('/analytics/calls')).map(({ channel, agent_uuid, campaign_uuid }) => [
				channel,
				agent_uuid,
				campaign_uuid,
			]),
		).toEqual([
			['call,whatsapp_call', agent.agent_uuid, undefined],
			['whatsapp_call', undefined, campaign],
		]);
	});

	test.each([
		[
			'without an end',
			{ period: 'custom', from: '2026-05-01T00:00:00', to: '={{ $json.nothing }}' },
			/'To' is empty/,
		],
		[
			'that ends before it begins',
			{ ...custom, to: '2026-04-01T00:00:00' },
			/'To' is not after 'From'/,
		],
		[
			'of a time that does not exist',
			{
				period: 'custom',
				from: '2026-03-29T02:30:00',
				to: '2026-04-01T00:00:00',
				options: { timezone: 'Europe/Berlin' },
			},
			/'From' is a time that does not exist in Europe\/Berlin/,
		],
		['of a period that is none', { period: '={{ "fortnight" }}' }, /is "fortnight"; choose one of/],
	])('a window %s is refused before it is sent', async (_, parameters, message) => {
		const result = await run('analytics', 'getCalls', { ...zone, ...parameters });
		expect(result.error?.message).toMatch(message);
		expect(await asked('/analytics/calls')).toEqual([]);
	});

	test('the period may come from an expression', async () => {
		ok(
			await run(
				'analytics',
				'getCalls',
				{ period: '={{ $json.period }}', ...zone },
				{ items: [{ period: 'today' }] },
			),
		);
		const [{ from, to } = {} as never] = await asked('/analytics/calls');
		expect([from, to]).toEqual([
			expect.stringMatching(/T00:00:00\+03:00$/),
			expect.stringMatching(/T00:00:00\+03:00$/),
		]);
		expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(86_400_000);
	});

	// interface: §4.2 count
	test('which of two counts of calls holds is said where one is chosen', async () => {
		const { properties } = await platform.engine.describe('acpInsights');
		const operations = properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes('analytics'),
		)!.options as any[];
		const said = (operation: string): string =>
			operations.find(({ value }) => value === operation).description;
		expect(said('getCalls')).toMatch(/this is the authoritative call count/);
		expect(said('getConversations')).toMatch(/they exclude calls without a channel/);
	});

	describe('message export', () => {
		const total = 2003;
		async function messages() {
			const conversation = '22222222-2222-4222-8222-222222222222';
			await sandbox.addMany('messages', total, (index) => ({
				conversation_uuid: conversation,
				session_uuid: null,
				contact_uuid: null,
				agent_uuid: null,
				channel: 'whatsapp',
				direction: 'inbound',
				sender: 'Contact',
				message_type: 'text',
				content: `Message ${index}`,
				created_at: '2026-05-02T10:00:00+03:00',
			}));
		}

		test('a limit asks for no more than it needs; an empty window gives nothing; a cursor that repeats ends', async () => {
			await messages();
			expect(
				(
					await run('analytics', 'exportMessages', {
						...custom,
						...zone,
						limit: 7,
						simplify: false,
					})
				).json(),
			).toHaveLength(7);
			expect((await asked('/analytics/messages')).map(({ limit }) => limit)).toEqual(['7']);
			expect(
				(
					await run('analytics', 'exportMessages', {
						period: 'custom',
						from: '2020-01-01T00:00:00',
						to: '2020-01-02T00:00:00',
						...zone,
						returnAll: true,
					})
				).json(),
			).toEqual([]);
			await sandbox.settings({ pageRepeat: true });
			await sandbox.clearLedger();
			expect(
				(await run('analytics', 'exportMessages', { ...custom, ...zone, returnAll: true })).error,
			).toBeUndefined();
			expect((await asked('/analytics/messages')).length).toBeLessThan(5);
		});
	});
});

describe('logs, phone numbers and research', () => {
	test('action logs: listed, chosen, read', async () => {
		const list = await run('log', 'getAll', { returnAll: true });
		expect(
			list
				.json()
				.map(({ type }) => type)
				.sort(),
		).toEqual(['intent', 'task', 'workflow']);
		const { results } = await platform.engine.listSearch('acpInsights', 'searchActionLogs', {
			filter: 'intent',
		});
		expect(results).toHaveLength(1);
		const one = await run('log', 'get', {
			type: 'intent',
			log: by(results[0]!.value),
			simplify: false,
		});
		expect(one.json()[0]).toMatchObject({
			uuid: results[0]!.value,
			type: 'intent',
			agent: { name: expect.any(String) },
			errorDetail: null,
		});
	});

	test('phone numbers: channel settings are changed, a snapshot is read by number, requirements go with a purchase', async () => {
		const [number] = await sandbox.state('phone_numbers');
		const id = by(number.phone_number_uuid);
		await run('phoneNumber', 'update', {
			phoneNumber: id,
			updateFields: {
				channelSettingsVoiceChannelLimit: 5,
				channelSettingsSmsWhitelistedDestinations: 'DE, TR',
				channelSettingsInboundEnabled: true,
			},
		});
		expect((await sandbox.ledger({ method: 'PATCH' }))[0]!.body).toEqual({
			channel_settings: {
				voice: { channel_limit: 5 },
				sms: { whitelisted_destinations: ['DE', 'TR'] },
				inbound: { enabled: true },
			},
		});
		expect(
			(await run('phoneNumber', 'getChannelsByNumber', { phoneNumber: number.number })).json()[0],
		).toMatchObject({ number: number.number });
		const body = {
			number: '+4930123456',
			country_code: 'DE',
			address: { first_name: 'Ada', country_code: 'DE' },
			monthly_fee: 1.5,
			type: 'local',
			capabilities: { voice: true },
			requirements: [
				{
					key: 'proof_of_address',
					requirement_id: '11111111-1111-4111-8111-111111111111',
					value: 'yes',
					document_id: 'doc_1',
				},
			],
		};
		const [requirement] = body.requirements;
		ok(
			await run('phoneNumber', 'buy', {
				phoneNumber: body.number,
				countryCode: 'DE',
				additionalFields: {
					addressFirstName: 'Ada',
					addressCountryCode: 'DE',
					monthlyFee: 1.5,
					type: 'local',
					capabilities: '{"voice": true}',
					requirements: {
						values: [
							{
								key: 'proof_of_address',
								requirementId: requirement!.requirement_id,
								value: 'yes',
								documentId: 'doc_1',
							},
						],
					},
				},
			}),
		);
		expect((await sandbox.created('/phone-numbers')).map((entry) => entry.body)).toEqual([body]);
	});

	test('buying is previewed without buying', async () => {
		const result = await run('phoneNumber', 'buy', {
			phoneNumber: '+4930123456',
			options: { preview: true },
		});
		expect(result.json()[0]).toMatchObject({
			preview: true,
			method: 'POST',
			body: { number: '+4930123456' },
		});
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('trunks: registered with sign-in that shows nowhere, assigned, removed', async () => {
		const [agent] = await sandbox.state('agents');
		const trunk = { phoneNumber: '+4930999999', channel: 'call' };
		const registered = ok(
			await run('phoneNumber', 'registerTrunk', {
				phoneNumber: trunk.phoneNumber,
				agent: by(agent.agent_uuid),
				additionalFields: {
					channel: trunk.channel,
					sipGateway: 'sip.example.com',
					sipPassword: 'hidden-word',
					direction: 'both',
				},
			}),
		);
		expect(JSON.stringify(registered.json())).not.toContain('hidden-word');
		expect((await run('phoneNumber', 'getTrunks')).json().map(({ number }) => number)).toContain(
			trunk.phoneNumber,
		);
		await run('phoneNumber', 'assignTrunk', { ...trunk, agent: by(agent.agent_uuid) });
		expect((await run('phoneNumber', 'deleteTrunk', trunk)).json()).toEqual([{ deleted: true }]);
		expect((await sandbox.ledger({ method: 'DELETE' }))[0]!.query).toEqual({
			phone_number: trunk.phoneNumber,
			channel: 'call',
		});
	});

	test('what no source requires is not required: channel of a new trunk, registrar server', async () => {
		ok(await run('phoneNumber', 'registerTrunk', { phoneNumber: '+4930999998' }));
		ok(await run('phoneNumber', 'createPbxConnector', { phoneNumber: '+4930999997' }));
		const sent = await sandbox.ledger({ method: 'POST' });
		expect(sent.map(({ body }) => body)).toEqual([
			{ phone_number: '+4930999998' },
			{ phone_number: '+4930999997' },
		]);
	});

	test('a question is answered with sources; a city without its country is refused', async () => {
		const result = await run('search', 'ask', {
			query: 'Holidays in May?',
			additionalFields: { searchCountry: 'DE', searchCity: 'Berlin', language: 'en' },
		});
		expect(result.json()[0]).toMatchObject({
			answer: expect.any(String),
			citations: expect.any(Array),
		});
		expect((await sandbox.ledger())[0]!.body).toEqual({
			query: 'Holidays in May?',
			search_country: 'DE',
			search_city: 'Berlin',
			language: 'en',
		});
		await sandbox.clearLedger();
		const refused = await run('search', 'ask', {
			query: 'Holidays?',
			additionalFields: { searchCity: 'Berlin' },
		});
		expect(refused.error?.message).toMatch(/'Search Country'/);
		expect(await sandbox.ledger()).toEqual([]);
	});
});
