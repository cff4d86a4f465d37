/** ACP Agents: what the platform receives for every field of an agent, and what is refused before anything is sent. */
import { byId as by, ok } from './guarantees/scene.cts';
import { usePlatform, type LedgerEntry } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ speed: 10 });
const agents = async (): Promise<any[]> => await sandbox.state('agents');
const agentUuid = async (index = 0): Promise<string> => (await agents())[index].agent_uuid;
const run = async (
	resource: string,
	operation: string,
	parameters: object = {},
	options: object = {},
) => await engine.runNode('acpAgents', { resource, operation, ...parameters } as never, options);
const received = async (method: string, at: string): Promise<LedgerEntry> => {
	const [first, ...others] = await sandbox.ledger({ method, path: at });
	expect(others).toEqual([]);
	return first!;
};

const rows = (values: object[]) => ({ values });

describe('agent', () => {
	test('a row that was added sends only what was filled in', async () => {
		await run('agent', 'create', {
			name: 'Mia',
			additionalFields: {
				guardRules: rows([{ whenCondition: 'Swears', thenAction: 'end_conversation' }]),
				routingRules: rows([{ departmentName: 'Sales' }]),
			},
		});
		expect((await received('POST', '/agents')).body).toEqual({
			name: 'Mia',
			guard_rules: [{ when_condition: 'Swears', then_action: 'end_conversation' }],
			routing_rules: [{ department_name: 'Sales' }],
		});
	});

	test('JSON goes below the fields; fields win, lists are replaced', async () => {
		const json = {
			name: 'From JSON',
			tone: 'Cool',
			notes: [{ content: 'From JSON' }],
			guidelines: [{ content: 'Kept' }],
			settings: {
				voice: {
					interaction: { end_call_message: 'Ciao', silence_message: 'Hello?' },
					voice_profile: { language: 'it' },
				},
			},
		};
		await run('agent', 'create', {
			name: 'Mia',
			options: { bodyJson: JSON.stringify(json) },
			additionalFields: {
				notes: rows([{ content: 'From the form' }]),
				settingsVoice: { interactionEndCallMessage: 'Bye', complianceHipaaCompliance: true },
			},
		});
		expect((await received('POST', '/agents')).body).toEqual({
			name: 'Mia',
			tone: 'Cool',
			notes: [{ content: 'From the form' }],
			guidelines: [{ content: 'Kept' }],
			settings: {
				voice: {
					interaction: { end_call_message: 'Bye', silence_message: 'Hello?' },
					voice_profile: { language: 'it' },
					compliance: { hipaa_compliance: true },
				},
			},
		});
	});

	// interface: §2.3 settings.text; §3 agent status
	test.each([
		[
			'JSON that is none',
			{ name: 'Mia', options: { bodyJson: '{"tone": }' } },
			/'Options › Body \(JSON\)' is not valid JSON/,
		],
		['an empty name', { name: '={{ $json.nothing }}' }, /'Name' is empty.*expression/],
		[
			'an unknown time zone',
			{ name: 'Mia', additionalFields: { timezone: 'Europe/Atlantis' } },
			/'Timezone' is not a time zone: "Europe\/Atlantis"/,
		],
		[
			'a Windows zone, which agents do not take',
			{ name: 'Mia', additionalFields: { timezone: 'Turkey Standard Time' } },
			/'Timezone' is not a time zone/,
		],
		[
			'a status that no agent has',
			{ name: 'Mia', additionalFields: { status: '={{ "asleep" }}' } },
			/'Status' is "asleep"; choose one of: completed, in_progress, paused, pending, ready$/,
		],
		[
			'text where a number belongs',
			{
				name: 'Mia',
				additionalFields: { settingsVoice: { interactionMaxSilencePrompts: 'few' } },
			},
			/'Voice Settings › Max Silence Prompts' should be a (whole )?number/,
		],
		[
			'an empty guideline',
			{
				name: 'Mia',
				additionalFields: {
					guidelines: rows([{ content: 'Be kind' }, { content: '={{ $json.nothing }}' }]),
				},
			},
			/'Guidelines 2 › Content' is empty/,
		],
		[
			'a malformed ID deep inside',
			{
				name: 'Mia',
				additionalFields: {
					appointments: { scheduleAssignments: rows([{ schedule: by('abc') }]) },
				},
			},
			/'Appointments › Schedule Assignments 1 › Schedule' is not a valid ID: "abc"/,
		],
	])('refused before sending, in words: %s', async (_, parameters, message) => {
		const result = await run('agent', 'create', parameters);
		expect(result.error?.message).toMatch(message);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('update sends only what is supplied', async () => {
		const uuid = await agentUuid();
		const before = (await agents())[0];
		const result = ok(
			await run('agent', 'update', {
				agent: by(uuid),
				updateFields: {
					tone: 'Formal',
					appointmentSchedulingEnabled: false,
					topic: '',
					settingsVoice: { callBehaviorAudioRecording: false },
				},
			}),
		);
		const { body } = await received('PATCH', `/agents/${uuid}`);
		expect(body).toEqual({
			tone: 'Formal',
			appointment_scheduling_enabled: false,
			settings: { voice: { call_behavior: { audio_recording: false } } },
		});
		expect(result.json()[0]).toMatchObject({ agent_uuid: uuid, name: before.name, tone: 'Formal' });
	});

	test('update with Send Empty Fields clears what was added and left empty, and nothing else', async () => {
		const uuid = await agentUuid();
		await run('agent', 'update', {
			agent: by(uuid),
			updateFields: { topic: '', objective: 'Help' },
			options: { sendEmptyFields: true },
		});
		expect((await received('PATCH', `/agents/${uuid}`)).body).toEqual({
			topic: '',
			objective: 'Help',
		});
	});

	// interface: §7 ENDPOINT_NOT_FOUND
	test('a platform that cannot read a single agent: the list is named instead', async () => {
		await sandbox.strike('^/agents/', { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		const result = await run('agent', 'get', { agent: by(await agentUuid()) });
		expect(result.error?.message).toBe(
			'This workspace has no endpoint to read a single agent at the undocumented path this node tried',
		);
		expect(result.error?.description).toContain('Get Many');
	});
});

describe('knowledge and rules', () => {
	// interface: §8 rule 6
	test('a text of any length is sent, because no limit is known', async () => {
		const uuid = await agentUuid();
		expect(
			(await run('agentKnowledge', 'addNote', { agent: by(uuid), content: 'x'.repeat(200_000) }))
				.error,
		).toBeUndefined();
		expect((await agents())[0].notes.at(-1).content).toHaveLength(200_000);
	});

	test('a section is chosen from once an agent is', async () => {
		const parameters = { resource: 'agentKnowledge', operation: 'addNote', agent: by('') };
		await expect(
			engine.listSearch('acpAgents', 'searchAgentNotes', { parameters }),
		).rejects.toThrow("Choose 'Agent' first to list its notes");
	});

	test('an empty list is refused unless it is meant', async () => {
		const uuid = await agentUuid();
		const agent = by(uuid);
		const refused = await run('agentKnowledge', 'replaceGuidelines', { agent });
		expect(refused.error?.message).toMatch(/'Guidelines' is empty\. Add at least one guideline/);
		expect(await sandbox.ledger()).toEqual([]);
		await run('agentKnowledge', 'replaceGuidelines', { agent, options: { sendEmptyFields: true } });
		expect((await received('PUT', `/agents/${uuid}/guidelines`)).body).toEqual({ guidelines: [] });
		expect((await agents())[0].guidelines).toEqual([]);
	});

	test.each([
		[
			'addRoutingRule',
			{ additionalFields: { detectionMode: 'exact' } },
			/'Trigger Keyword' is empty/,
		],
		['addRoutingRule', { additionalFields: { detectionMode: 'intent' } }, /'AI Prompt' is empty/],
		[
			'addGuardRule',
			{ whenCondition: 'Swears', thenAction: 'forward' },
			/fill in 'Destination' or 'Destination Agent'/,
		],
		[
			'addGuardRule',
			{
				whenCondition: 'Swears',
				thenAction: 'forward',
				additionalFields: { destinationType: 'agent' },
			},
			/choose 'Destination Agent'/,
		],
		[
			'addGuardRule',
			{ whenCondition: '={{ $json.nothing }}', thenAction: 'forward' },
			/'When Condition' is empty/,
		],
	])('%s %j is refused before sending', async (operation, parameters, message) => {
		const agent = by(await agentUuid());
		const result = await run('agentRule', operation, { agent, ...parameters });
		expect(result.error?.message).toMatch(message);
		expect(await sandbox.ledger()).toEqual([]);
	});

	// interface: §2.7 guard rule
	test('an empty list of channels is sent as one', async () => {
		const uuid = await agentUuid();
		const rule = {
			whenCondition: 'Swears',
			thenAction: 'end_conversation',
			additionalFields: { selectedChannels: '={{ [] }}' },
		};
		expect(
			(await run('agentRule', 'addGuardRule', { agent: by(uuid), ...rule })).error,
		).toBeUndefined();
		expect((await received('POST', `/agents/${uuid}/guard-rules`)).body.selected_channels).toEqual(
			[],
		);
	});

	// interface: §2.3 sets of values
	test('an action that nobody has seen yet is not refused here: the platform decides', async () => {
		const uuid = await agentUuid();
		const result = await run('agentRule', 'addGuardRule', {
			agent: by(uuid),
			whenCondition: 'Swears',
			thenAction: 'take_a_break',
		});
		expect((await received('POST', `/agents/${uuid}/guard-rules`)).body.then_action).toBe(
			'take_a_break',
		);
		expect(result.error?.message).toMatch(/The platform did not accept 'Then Action'/);
	});
});

describe('voice', () => {
	const voiceOf = async (agent: string, fields: unknown, options: object = {}) =>
		await run(
			'agentVoice',
			'updateVoiceAdvanced',
			{ agent: by(agent), fields: fields as never },
			options,
		);
	/** As the editor stores values that are expressions. */
	const mappedFrom = (...keys: string[]) => ({
		mappingMode: 'defineBelow',
		value: Object.fromEntries(keys.map((key) => [key, `={{ $json.${key} }}`])),
		schema: [],
	});
	const patches = async () => (await sandbox.ledger()).filter(({ method }) => method === 'PATCH');

	// interface: §4.1 GET voice-advanced
	test('the fields of the chosen voice are offered with type, bounds or options and current value; another agent, other fields', async () => {
		const fieldsOf = async (index: number) =>
			await engine.resourceMapping('acpAgents', 'getVoiceAdvancedFields', {
				parameters: {
					resource: 'agentVoice',
					operation: 'updateVoiceAdvanced',
					agent: by(await agentUuid(index)),
				},
			});
		const warm = await fieldsOf(0);
		expect(Object.keys(warm)).toEqual(['fields']);
		expect(warm.fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['stability', 'Stability (0 to 1, now 0.5)', 'number'],
			['similarity', 'Similarity (0 to 1, now 0.75)', 'number'],
			['style', 'Style (0 to 1, now 0)', 'number'],
			['speed', 'Speed (0.7 to 1.2, now 1)', 'number'],
			['speaker_boost', 'Speaker Boost (now true)', 'boolean'],
		]);
		const clear = await fieldsOf(1);
		expect(clear.fields.map(({ displayName, type }) => [displayName, type])).toEqual([
			['Speed (one of 0.8, 1, 1.2, now 1)', 'options'],
			['Stability (0.2 to 0.9, now 0.6)', 'number'],
		]);
		expect(clear.fields[0]!.options!.map(({ value }) => value)).toEqual([0.8, 1, 1.2]);
		const { properties } = await engine.describe('acpAgents');
		expect(
			properties.find(({ type }) => type === 'resourceMapper')?.typeOptions?.loadOptionsDependsOn,
		).toEqual(['agent.value']);
		const none = await fieldsOf(2);
		expect(none).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining('No voice is selected'),
		});
	});

	// interface: §4.1 rule 8
	test.each([
		{ min: 'minimum', max: 'maximum', options: 'enum' },
		{ min: 'min', max: 'max', options: 'values' },
	])('bounds are found under %j too', async (voiceFieldKeys) => {
		await sandbox.settings({ voiceFieldKeys });
		const low = await voiceOf(await agentUuid(0), { speed: 0.5 });
		expect(low.error?.message).toMatch(/'Speed' is 0\.5; this voice takes 0\.7 or more/);
		const other = await voiceOf(await agentUuid(1), { speed: 1.1 });
		expect(other.error?.message).toMatch(/'Speed' is "1\.1"; this voice takes: 0\.8, 1, 1\.2/);
		expect(await patches()).toEqual([]);
	});

	test('values within the bounds are sent flat; text that is a number or a switch is converted', async () => {
		const uuid = await agentUuid(0);
		const mapped = {
			mappingMode: 'defineBelow',
			value: { stability: 0.9, speaker_boost: false, style: null },
			schema: [],
		};
		expect((await voiceOf(uuid, mapped)).error).toBeUndefined();
		expect((await patches()).at(-1)!.body).toEqual({ stability: 0.9, speaker_boost: false });
		const result = ok(
			await voiceOf(uuid, mappedFrom('speed', 'speaker_boost'), {
				items: [{ speed: '1.1', speaker_boost: 'true' }],
			}),
		);
		expect((await patches()).at(-1)!.body).toEqual({ speed: 1.1, speaker_boost: true });
		expect(result.json()[0].fields).toContainEqual(
			expect.objectContaining({ key: 'speed', value: 1.1 }),
		);
	});

	// interface: §4.1 rule 4
	test.each([
		[{ stability: 1.01 }, /'Stability' is 1\.01; this voice takes 1 or less/],
		[{ stability: -0.1 }, /'Stability' is -0\.1; this voice takes 0 or more/],
		[{ speaker_boost: 'loud' }, /'Speaker Boost' should be true or false, but it is "loud"/],
		[{ stability: 'high' }, /'Stability' should be a number, but it is "high"/],
		[
			{ warmth: 1 },
			/has no field "warmth"\. It has: stability, similarity, style, speed, speaker_boost/,
		],
		[{}, /'Fields' is empty\. Fill it in, or enter the fields/],
	])('%j is refused before sending', async (fields, message) => {
		const result = await voiceOf(await agentUuid(0), fields);
		expect(result.error?.message).toMatch(message);
		expect(await patches()).toEqual([]);
	});

	// interface: §4.1 rule 4
	test('one value out of bounds among several items: nothing is changed', async () => {
		const result = await voiceOf(await agentUuid(0), mappedFrom('speed'), {
			items: [{ speed: 1 }, { speed: 3 }],
		});
		expect(result.error?.message).toMatch(/'Speed' is 3; this voice takes 1\.2 or less \[item 1\]/);
		expect(await patches()).toEqual([]);
	});

	// interface: §4.1 GET voice-advanced; §4.1 rule 4
	test('no voice selected: said when tuning and when reading', async () => {
		const uuid = await agentUuid(2);
		const result = await voiceOf(uuid, { speed: 1 });
		expect(result.error?.message).toMatch(/No voice is selected for this agent/);
		expect(await patches()).toEqual([]);
		const read = await run('agentVoice', 'getVoiceAdvanced', { agent: by(uuid) });
		expect(read.json()).toEqual([{ fields: [] }]);
		expect(read.hints().map(({ message }) => message)).toEqual([
			expect.stringContaining('No voice is selected'),
		]);
		const tuned = await run('agentVoice', 'getVoiceAdvanced', { agent: by(await agentUuid(0)) });
		expect(tuned.json()[0].fields[0]).toEqual({
			key: 'stability',
			type: 'number',
			min: 0,
			max: 1,
			value: 0.5,
		});
		expect(tuned.hints()).toEqual([]);
	});
});

describe('intents', () => {
	// interface: §2.8 intent
	test('an action without its connection is explained, one without its URL is not sent', async () => {
		const agent = by(await agentUuid());
		const [created] = (await run('agentIntent', 'create', { agent, name: 'Book a table' })).json();
		const set = async (parameters: object) =>
			await run('agentIntent', 'setEvent', {
				agent,
				intent: by(created.intent_uuid),
				...parameters,
			});
		const [{ app_uid: app }] = await sandbox.state('flow_connections');
		const unconnected = await set({ eventType: 'app', app: by(app), action: by('create_event') });
		expect(unconnected.error).toMatchObject({
			message: 'The platform did not accept this action',
			description: expect.stringContaining('connected'),
		});
		await sandbox.clearLedger();
		const empty = await set({ eventType: 'webhook', webhookUrl: '={{ $json.nothing }}' });
		expect(empty.error?.message).toMatch(/'Webhook URL' is empty/);
		expect(await sandbox.ledger({ method: 'PUT' })).toEqual([]);
	});
});

describe('webhooks', () => {
	const create = async (agent: string, number: number) =>
		await run('agentWebhook', 'create', {
			agent: by(agent),
			url: `https://example.com/${number}`,
			events: ['intent_call', 'conversation_end_report'],
			additionalFields: { secretKey: 'signing-secret' },
		});

	// interface: §2.9 agent webhook; §4.1 rule 5
	test('the sixth is refused by the platform and explained', async () => {
		const uuid = await agentUuid();
		for (const number of [1, 2, 3, 4, 5])
			expect((await create(uuid, number)).error).toBeUndefined();
		const sixth = await create(uuid, 6);
		expect(sixth.error).toMatchObject({
			message: 'This agent already has five webhooks, which is the maximum',
			httpCode: '409',
		});
		expect(sixth.error?.description).toContain('delete one');
		expect(sixth.error?.context?.code).toBe('webhook_limit_reached');
		const list = await run('agentWebhook', 'getAll', { agent: by(uuid), returnAll: true });
		expect(list.json().map(({ url, has_secret }) => [url, has_secret])).toEqual(
			[1, 2, 3, 4, 5].map((number) => [`https://example.com/${number}`, true]),
		);
		expect(JSON.stringify(list.stored)).not.toContain('signing-secret');
	});

	test('switching off sends that alone, and keeps address and events', async () => {
		const uuid = await agentUuid();
		const webhook = (await create(uuid, 1)).json()[0].webhook_uuid;
		const result = await run('agentWebhook', 'update', {
			agent: by(uuid),
			webhook: by(webhook),
			updateFields: { isActive: false },
		});
		expect(result.json()[0]).toMatchObject({
			webhook_uuid: webhook,
			is_active: false,
			has_secret: true,
		});
		expect((await received('PATCH', `/agents/${uuid}/webhooks/${webhook}`)).body).toEqual({
			is_active: false,
		});
		await run('agentWebhook', 'update', {
			agent: by(uuid),
			webhook: by(webhook),
			updateFields: { url: 'https://example.com/new', events: ['text_evaluation'] },
		});
		expect((await sandbox.state('webhooks'))[0]).toMatchObject({
			url: 'https://example.com/new',
			events: ['text_evaluation'],
			is_active: false,
		});
	});

	test('a webhook of another agent is not touched', async () => {
		const webhook = (await create(await agentUuid(1), 1)).json()[0].webhook_uuid;
		const result = await run('agentWebhook', 'update', {
			agent: by(await agentUuid(0)),
			webhook: by(webhook),
			updateFields: { isActive: false },
		});
		expect(result.error?.message).toBe('Webhook not found');
		expect((await sandbox.state('webhooks'))[0]).toMatchObject({ is_active: true });
	});

	test('deleted; where the platform has no delete, switching off is advised', async () => {
		const uuid = await agentUuid();
		const webhook = (await create(uuid, 1)).json()[0].webhook_uuid;
		await sandbox.settings({ webhooks: { delete: false } });
		const refused = await run('agentWebhook', 'delete', { agent: by(uuid), webhook: by(webhook) });
		expect(refused.error).toMatchObject({
			message:
				'This workspace has no endpoint to delete a webhook at the undocumented path this node tried',
			description: expect.stringContaining("Turn off 'Is Active'"),
		});
		await sandbox.settings({ webhooks: { delete: true } });
		expect(
			(await run('agentWebhook', 'delete', { agent: by(uuid), webhook: by(webhook) })).json(),
		).toEqual([{ deleted: true, uuid: webhook }]);
		expect(await sandbox.state('webhooks')).toEqual([]);
	});
});

describe('channels and areas without known endpoints', () => {
	// interface: §2.2 memorize and evaluation
	test('API Request sends its query as the platform reads one: lists repeated, what is null left out', async () => {
		await run('otherEndpoint', 'apiRequest', {
			method: 'GET',
			path: '/agents?per_page=2',
			query: '{"page": 1, "search": null, "tags": ["vip", "new"]}',
		});
		expect((await received('GET', '/agents')).query).toEqual({
			per_page: '2',
			page: '1',
			'tags[]': ['vip', 'new'],
		});
	});
});
