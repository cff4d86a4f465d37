/** ACP Agents: what the platform receives for every field of an agent, and what is refused before anything is sent. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { camelCase } from 'lodash';
import { load } from 'js-yaml';
import { byId as by, ok } from './guarantees/scene.cts';
import { usePlatform, type LedgerEntry } from './harness/index.cts';
import { repositoryRoot } from './harness/paths.cts';

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

const schedule = '11111111-1111-4111-8111-111111111111';
const otherAgent = '22222222-2222-4222-8222-222222222222';
const voice = '33333333-3333-4333-8333-333333333333';
const intent = '44444444-4444-4444-8444-444444444444';

/** An agent with every field that can be written: interface §2.2 to §2.7, and the reference's where it shows more. */
const settings = {
	voice: {
		interaction: {
			customer_speak_first: true,
			inbound_first_message: 'Hello',
			outbound_first_message: 'Hi',
			voice_mail_message: 'Call back',
			end_call_message: 'Bye',
			silence_message: 'Still there?',
			max_silence_prompts: 3,
		},
		interruption: {
			mode: 'balanced',
			advanced: {
				allow_interruptions: true,
				preemptive_generation: false,
				manual_word_count_interrupt: true,
				resume_after_false_interruption: false,
				min_endpointing_delay: 0.3,
				max_endpointing_delay: 1,
				min_interruption_duration: 0.5,
				min_interruption_words: 1,
				balanced_interrupt_word_count: 2,
				false_interruption_timeout: 2,
			},
		},
		voice_profile: { language: 'en', voice_uuid: voice, voice_name: 'Warm' },
		call_behavior: {
			audio_recording: true,
			background_sound: false,
			background_sound_ambience: 'office',
			background_sound_volume: 0.3,
			noise_cancellation: true,
			silence_timeout_seconds: 20,
			max_call_duration_seconds: 600,
			max_call_duration_message: 'Time is up',
		},
		compliance: { eu_gdpr_compliance: true, hipaa_compliance: false },
		normalizers: { outbound: { numbers: 'words' }, inbound: { dates: 'iso' } },
	},
	text: {
		daily_limits: {
			daily_max_messages_per_conversation: 40,
			daily_conversation_limit_exceeded_message: 'Tomorrow again',
		},
		timing_and_delay: {
			base_delay: 1.5,
			pause_before_reply: 2,
			typing_speed_char: 0.05,
			delay_jitter_min: 0.1,
			delay_jitter_max: 0.9,
			typing_speed_wpm_min: 40,
			typing_speed_wpm_max: 60,
		},
		typing_simulation: {
			show_typing_indicator: true,
			simulate_typing_breaks: false,
			simulate_typos_corrections: true,
		},
		working_hours: {
			enabled: true,
			start: '9 AM',
			end: '6 PM',
			timezone: 'Europe/Istanbul',
			outside_hours_behavior: 'Auto-reply',
			offline_message: 'Closed',
			during_hours_agent: 'ai',
		},
		handover: {
			enabled: true,
			handover_triggers: 'User request',
			handover_method: 'Assign agent',
			assignment_strategy: 'First available',
			fallback_agent: 'Bot assistant',
			handover_message: 'One moment',
			handover_timeout: 30,
			release_after_minutes: 15,
			release_channels: ['whatsapp', 'instagram'],
		},
		confidence_controls: { min_confidence_threshold: 0.6, ask_clarifying_questions: true },
		message_behavior: {
			second_message_behavior: { enabled: true, chance: 0.2, delay_min: 1, delay_max: 3 },
			follow_up_behavior: { enabled: false, delay_min: 60, delay_max: 120 },
		},
		personality: {
			use_response_variations: true,
			use_punctuation_variation: false,
			use_filler_words: true,
			enable_small_talk: false,
			emoji_usage: 'None',
			energy_level: 'Friendly',
			empathy_level: 'Medium',
		},
		advanced: {
			split_messages: true,
			simulate_message_editing: false,
			use_memory_based_context: true,
			human_first_mode: false,
		},
		email: { signature: '<b>Mia</b>' },
	},
};
const assignment = {
	schedule_uuid: schedule,
	name: 'First visit',
	description: 'New customers',
	slot_rules: {
		offer_slots_from: '3_hours',
		book_slots_from: '6_hours',
		max_appointments_per_day: 10,
		conflict_resolution_enabled: true,
		alternative_slots_count: 3,
		suggestion_priority: 'nearest',
		prefer_same_day: true,
		prefer_same_time_slot: false,
		include_same_week: true,
	},
	rescheduling: {
		policy: 'always_ask',
		minor_change_hours: 2,
		minor_change_same_day: true,
		minor_change_same_week: false,
		minor_change_same_slot: true,
		min_rescheduling_notice: '2_hours',
	},
	cancellation: {
		min_cancellation_notice: '24_hours',
		ai_can_cancel: false,
		require_cancellation_reason: true,
		cancellation_fee_policy: 'no_fee',
	},
	questions: {
		inherit_from_schedule: true,
		custom_questions: [{ name: 'guests', type: 'text', description: 'How many?', required: true }],
	},
	approval: {
		require_approval: true,
		approval_threshold: '1_hour',
		approval_for_create: true,
		approval_for_reschedule: false,
		approval_for_cancel: true,
		approval_for_notes: false,
		notify_calendar_owner: 'always',
		notify_admins: 'always',
		expected_response_time: '5_min',
	},
};
const routingRule = {
	detection_mode: 'intent',
	trigger_keyword: 'sales',
	department_name: 'Sales',
	phrases: ['I want to buy, now', 'A quote, please'],
	ai_prompt: 'The caller wants to buy',
	voice_response: 'One moment',
	voice_on_error: 'Nobody answers',
	voice_on_success: 'Goodbye',
	destination_type: 'extension',
	destination: '101',
	destination_agent_uuid: otherAgent,
	transfer_type: 'transfer_call',
	transfer_config: { warm: true },
	priority: 2,
	is_active: false,
};
const guardRule = {
	name: 'Lawyers',
	when_condition: 'Threatens with a lawyer',
	example_phrases: ['I will sue', 'My lawyer, then'],
	then_action: 'forward',
	selected_channels: ['phone', 'whatsapp'],
	say_before_forwarding: 'I connect you',
	say_before_end: 'Goodbye',
	destination_type: 'agent',
	destination: '+14155550100',
	destination_agent_uuid: otherAgent,
	is_active: true,
	is_default: false,
};
const everything = {
	name: 'Mia',
	description: 'Answers',
	company_name: 'Example Ltd',
	role: 'Receptionist',
	objective: 'Help',
	tone: 'Warm',
	behavior_guidelines: 'Be brief',
	company_service: 'Dentistry',
	topic: 'Teeth',
	length_detail: 'Two sentences',
	interest_of_product: 'Cleaning',
	negative_response: 'Stay calm',
	status: 'ready',
	custom_prompt: 'You are Mia',
	language: 'en',
	speed: 'normal',
	timezone: 'Europe/Istanbul',
	appointment_scheduling_enabled: true,
	appointment_scheduling_randomly: false,
	custom_llm_url: 'https://llm.example.com/v1',
	settings,
	guidelines: [{ content: 'Never promise a date', order: 1 }, { content: 'Be kind' }],
	notes: [{ content: 'Open from 9', order: 0 }],
	procedures: [
		{
			name: 'Order status',
			description: 'Asks for an order',
			steps: [
				{ order: 1, description: 'Ask for the number', intent_uuid: intent },
				{ description: 'Look it up' },
			],
		},
	],
	training: [{ content: 'Open on Sundays?', intent: 'opening', response: 'No' }],
	appointments: { enabled: true, random_assignment: false, schedule_assignments: [assignment] },
	routing_rules: [routingRule],
	guard_rules: [guardRule],
};

/** The rule for parameter names (nested fields join), with a locator where the platform has a reference. */
const references: Record<string, string> = {
	schedule_uuid: 'schedule',
	voice_uuid: 'voice',
	destination_agent_uuid: 'destinationAgent',
	intent_uuid: 'intent',
};
const flat = (fields: object, above: string[] = []): object =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([key, value]) => {
			const here = [...above, key];
			if (key in references) return [[references[key]!, by(value)]];
			if (key === 'transfer_config' || above.at(-1) === 'normalizers')
				return [[camelCase(here.join(' ')), JSON.stringify(value)]];
			if (typeof value === 'object' && !Array.isArray(value))
				return Object.entries(flat(value, here));
			return [
				[
					camelCase(here.join(' ')),
					Array.isArray(value) ? value.join(key.endsWith('phrases') ? '\n' : ', ') : value,
				],
			];
		}),
	);
/** A row as the editor stores it: what cannot be left empty stands in its additional fields. */
const row = (fields: object, nested: object = {}): object => {
	const entries = Object.entries(flat(fields));
	const added = entries.filter(
		([, value]) => typeof value === 'number' || typeof value === 'boolean',
	);
	return {
		...Object.fromEntries(entries.filter((entry) => !added.includes(entry))),
		...nested,
		additionalFields: Object.fromEntries(added),
	};
};
const rows = (values: object[]) => ({ values });
const {
	name: _name,
	description: assignmentText,
	schedule_uuid: _schedule,
	slot_rules,
	rescheduling,
	cancellation,
	questions,
	approval,
} = assignment;
const scheduleAssignments = rows([
	{
		schedule: by(schedule),
		name: assignment.name,
		description: assignmentText,
		slotRules: flat(slot_rules),
		rescheduling: flat(rescheduling),
		cancellation: flat(cancellation),
		approval: flat(approval),
		questions: {
			inheritFromSchedule: true,
			customQuestions: rows(questions.custom_questions.map((question) => row(question))),
		},
	},
]);
const sections = {
	settingsVoice: flat(settings.voice),
	settingsText: flat(settings.text),
	guidelines: rows(everything.guidelines.map((entry) => row(entry))),
	notes: rows(everything.notes.map((entry) => row(entry))),
	procedures: rows(
		everything.procedures.map(({ steps, ...entry }) =>
			row(entry, { steps: rows(steps.map((step) => row(step))) }),
		),
	),
	training: rows(everything.training.map((entry) => row(entry))),
	appointments: { enabled: true, randomAssignment: false, scheduleAssignments },
	routingRules: rows([row(routingRule)]),
	guardRules: rows([row(guardRule)]),
};
const {
	settings: _settings,
	guidelines: _g,
	notes: _n,
	procedures: _p,
	training: _t,
	appointments: _a,
	routing_rules: _r,
	guard_rules: _u,
	...plain
} = everything;
const { name, role, objective, tone, behavior_guidelines, ...further } = plain;

describe('agent', () => {
	// interface: §2.2 request fields; §2.3 settings.voice; §2.3 settings.text; §2.4 knowledge
	// interface: §2.5 appointment assignment; §4.1 POST agents; §4.1 rule 2
	test('create: every field of the contract can be set without JSON, and arrives as the interface has it', async () => {
		const result = ok(
			await run('agent', 'create', {
				name,
				role,
				objective,
				tone,
				behaviorGuidelines: behavior_guidelines,
				additionalFields: { ...flat(further), ...sections },
			}),
		);
		const { body, effect, resourceUuid } = await received('POST', '/agents');
		expect(effect).toBe('created');
		expect(body).toEqual(everything);
		expect(result.json()[0]).toMatchObject({
			agent_uuid: resourceUuid,
			name: 'Mia',
			settings: { text: settings.text },
		});

		// The body above leaves nothing out that the contract knows.
		const { components } = load(
			readFileSync(path.join(repositoryRoot, 'contract/openapi.yaml'), 'utf8'),
		) as any;
		const missing = (schema: any, value: any, at: string): string[] => {
			const shape = schema.$ref ? components.schemas[schema.$ref.split('/').pop()] : schema;
			if (value === undefined) return [at];
			if (shape.type === 'array') return missing(shape.items, value[0], `${at}[]`);
			return Object.entries(shape.properties ?? {}).flatMap(([key, inner]) =>
				missing(inner, value[key], `${at}.${key}`),
			);
		};
		expect(missing({ $ref: '#/AgentWrite' }, body, 'agent')).toEqual([]);
	});

	// interface: §2.2 required fields
	test('create with the name alone sends the name alone', async () => {
		ok(await run('agent', 'create', { name: 'Mia' }));
		expect((await received('POST', '/agents')).body).toEqual({ name: 'Mia' });
	});

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

	// interface: §4.1 rule 2
	test('a whole agent as JSON from an expression is sent as it is', async () => {
		await run(
			'agent',
			'create',
			{ name: '={{ $json.name }}', options: { bodyJson: '={{ $json }}' } },
			{ items: [everything] },
		);
		expect((await received('POST', '/agents')).body).toEqual(everything);
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

	// interface: §2.2 request fields
	test('update takes every section', async () => {
		const uuid = await agentUuid();
		ok(
			await run('agent', 'update', {
				agent: by(uuid),
				updateFields: { ...flat(plain), ...sections },
			}),
		);
		expect((await received('PATCH', `/agents/${uuid}`)).body).toEqual(everything);
	});

	// interface: §2.2 returned fields; §3 agent status; §4.1 GET agents; §4.1 rule 7
	test('get and get many return an agent simplified or whole; status and search narrow', async () => {
		const uuid = await agentUuid(2);
		const [short, whole] = [
			await run('agent', 'get', { agent: by(uuid) }),
			await run('agent', 'get', { agent: by(uuid), simplify: false }),
		];
		expect(Object.keys(short.json()[0]).length).toBeLessThanOrEqual(10);
		expect(short.json()[0].agent_uuid).toBe(uuid);
		expect(whole.json()[0]).toMatchObject({
			agent_uuid: uuid,
			settings: expect.any(Object),
			intents: [],
		});
		await sandbox.api.patch(`/agents/${uuid}`, { status: 'paused', role: 'Night watch' });
		const found = await run('agent', 'getAll', { filters: { status: 'paused', search: 'night' } });
		expect(found.json().map(({ agent_uuid }) => agent_uuid)).toEqual([uuid]);
		expect((await sandbox.ledger({ path: '/agents' })).at(-1)!.query).toMatchObject({
			status: 'paused',
			search: 'night',
		});
	});

	// interface: §4.1 GET agents; §8 page size
	test('get many: return all over several pages, each agent once', async () => {
		await sandbox.reset({ agents: 203 });
		engine.credentials = { acpApi: sandbox.credential() };
		const result = await run('agent', 'getAll', { returnAll: true });
		expect(new Set(result.json().map(({ agent_uuid }) => agent_uuid)).size).toBe(203);
		expect((await sandbox.ledger({ path: '/agents' })).map(({ query }) => query.per_page)).toEqual([
			'100',
			'100',
			'100',
		]);
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

	// interface: §2.5 appointment assignment
	test('appointments are replaced', async () => {
		const uuid = await agentUuid();
		ok(
			await run('agent', 'replaceAppointments', {
				agent: by(uuid),
				enabled: true,
				randomAssignment: false,
				scheduleAssignments,
			}),
		);
		expect((await received('PUT', `/agents/${uuid}/appointments`)).body).toEqual(
			everything.appointments,
		);
	});
});

describe('knowledge and rules', () => {
	// interface: §2.2 items; §2.4 knowledge; §4.1 POST notes and guidelines; §4.1 rule 3
	test('a guideline, note, procedure and training item: added, changed, deleted', async () => {
		const uuid = await agentUuid();
		const agent = by(uuid);
		const last = async (section: string) => (await agents())[0][section].at(-1);
		const steps = rows([
			{ description: 'Ask', intent: by(intent), additionalFields: { order: 1 } },
		]);
		const add = async (operation: string, parameters: object) =>
			expect(
				(await run('agentKnowledge', operation, { agent, ...parameters })).error,
			).toBeUndefined();

		await add('addGuideline', { content: 'Be kind', additionalFields: { order: 3 } });
		await add('addNote', { content: 'Open at 9' });
		await add('addProcedure', { name: 'Status', description: 'Asks', additionalFields: { steps } });
		await add('addTrainingItem', {
			content: 'Open?',
			additionalFields: { intent: 'opening', response: 'Yes' },
		});
		expect(await last('guidelines')).toMatchObject({ content: 'Be kind', order: 3 });
		expect(await last('notes')).toMatchObject({ content: 'Open at 9' });
		expect(await last('procedures')).toMatchObject({
			name: 'Status',
			description: 'Asks',
			steps: [{ description: 'Ask', intent_uuid: intent, order: 1 }],
		});
		expect(await last('training')).toMatchObject({
			content: 'Open?',
			intent: 'opening',
			response: 'Yes',
		});

		const [guideline, note, procedure, item] = await Promise.all(
			['guidelines', 'notes', 'procedures', 'training'].map(
				async (section) => (await last(section)).uuid,
			),
		);
		await add('updateProcedure', {
			procedure: by(procedure),
			updateFields: { name: 'Order status' },
		});
		await add('updateTrainingItem', {
			trainingItem: by(item),
			updateFields: { response: 'From 9' },
		});
		expect(await last('procedures')).toMatchObject({
			name: 'Order status',
			description: 'Asks',
			steps: [{ description: 'Ask' }],
		});
		expect((await received('PATCH', `/agents/${uuid}/training/${item}`)).body).toEqual({
			response: 'From 9',
		});

		for (const [operation, parameter, value] of [
			['deleteGuideline', 'guideline', guideline],
			['deleteNote', 'note', note],
			['deleteProcedure', 'procedure', procedure],
			['deleteTrainingItem', 'trainingItem', item],
		] as const) {
			const result = await run('agentKnowledge', operation, { agent, [parameter]: by(value) });
			expect(result.json()).toEqual([{ deleted: true, uuid: value }]);
		}
		const after = (await agents())[0];
		expect([after.guidelines, after.notes, after.procedures, after.training]).toEqual([
			[],
			[],
			[],
			[],
		]);
	});

	// interface: §8 rule 6
	test('a text of any length is sent, because no limit is known', async () => {
		const uuid = await agentUuid();
		expect(
			(await run('agentKnowledge', 'addNote', { agent: by(uuid), content: 'x'.repeat(200_000) }))
				.error,
		).toBeUndefined();
		expect((await agents())[0].notes.at(-1).content).toHaveLength(200_000);
	});

	test('every section can be chosen from, once an agent is', async () => {
		const uuid = await agentUuid();
		await sandbox.api.patch(`/agents/${uuid}`, {
			guidelines: [{ content: 'Be kind' }, { content: 'Be brief' }],
			notes: [{ content: 'Open at 9' }],
			procedures: [{ name: 'Status' }],
			training: [{ content: 'Open?', intent: 'opening' }],
			routing_rules: [{ department_name: 'Sales', trigger_keyword: 'buy' }],
			guard_rules: [
				{ name: 'Lawyers', when_condition: 'Threats', then_action: 'end_conversation' },
			],
		});
		const offered = async (method: string, filter?: string, agent = by(uuid)) =>
			(
				await engine.listSearch('acpAgents', method, {
					parameters: { resource: 'agentKnowledge', operation: 'addNote', agent },
					filter,
				})
			).results.map((result) => result.name);
		expect(await offered('searchAgentGuidelines')).toEqual(['Be kind', 'Be brief']);
		expect(await offered('searchAgentGuidelines', 'BRIEF')).toEqual(['Be brief']);
		expect(await offered('searchAgentNotes')).toEqual(['Open at 9']);
		expect(await offered('searchAgentProcedures')).toEqual(['Status']);
		expect(await offered('searchAgentTraining')).toEqual(['Open? – opening']);
		expect(await offered('searchAgentRoutingRules')).toEqual(['Sales – buy']);
		expect(await offered('searchAgentGuardRules')).toEqual(['Lawyers – Threats']);
		await expect(offered('searchAgentNotes', undefined, by(''))).rejects.toThrow(
			"Choose 'Agent' first to list its notes",
		);
	});

	test('sections are replaced; an empty list is refused unless it is meant', async () => {
		const uuid = await agentUuid();
		const agent = by(uuid);
		await run('agentKnowledge', 'replaceGuidelines', { agent, guidelines: sections.guidelines });
		expect((await received('PUT', `/agents/${uuid}/guidelines`)).body).toEqual({
			guidelines: everything.guidelines,
		});
		await run('agentKnowledge', 'replaceTraining', { agent, training: sections.training });
		expect((await received('PUT', `/agents/${uuid}/training`)).body).toEqual({
			training: everything.training,
		});
		await sandbox.clearLedger();

		const refused = await run('agentKnowledge', 'replaceGuidelines', { agent });
		expect(refused.error?.message).toMatch(/'Guidelines' is empty\. Add at least one guideline/);
		expect(await sandbox.ledger()).toEqual([]);
		await run('agentKnowledge', 'replaceGuidelines', { agent, options: { sendEmptyFields: true } });
		expect((await received('PUT', `/agents/${uuid}/guidelines`)).body).toEqual({ guidelines: [] });
		expect((await agents())[0].guidelines).toEqual([]);
	});

	// interface: §2.6 routing rule; §2.7 guard rule
	test('routing and guard rules: added, changed, replaced, deleted', async () => {
		const uuid = await agentUuid();
		const agent = by(uuid);
		const { additionalFields, ...common } = row(routingRule) as any;
		const {
			phrases,
			voiceResponse,
			voiceOnError,
			voiceOnSuccess,
			transferType,
			transferConfig,
			destinationAgent,
			detectionMode,
			destinationType,
			...top
		} = common;
		ok(
			await run('agentRule', 'addRoutingRule', {
				agent,
				...top,
				additionalFields: {
					...additionalFields,
					phrases,
					voiceResponse,
					voiceOnError,
					voiceOnSuccess,
					transferType,
					transferConfig,
					destinationAgent,
					detectionMode,
					destinationType,
				},
			}),
		);
		expect((await received('POST', `/agents/${uuid}/routing-rules`)).body).toEqual(routingRule);
		const { when_condition, then_action, ...others } = guardRule;
		ok(
			await run('agentRule', 'addGuardRule', {
				agent,
				whenCondition: when_condition,
				thenAction: then_action,
				additionalFields: flat(others),
			}),
		);
		expect((await received('POST', `/agents/${uuid}/guard-rules`)).body).toEqual(guardRule);

		const {
			routing_rules: [routing],
			guard_rules: [guard],
		} = (await agents())[0];
		await run('agentRule', 'updateRoutingRule', {
			agent,
			routingRule: by(routing.uuid),
			updateFields: { isActive: false, priority: 5 },
		});
		expect((await received('PATCH', `/agents/${uuid}/routing-rules/${routing.uuid}`)).body).toEqual(
			{ is_active: false, priority: 5 },
		);
		await run('agentRule', 'updateGuardRule', {
			agent,
			guardRule: by(guard.uuid),
			updateFields: { isActive: false },
		});
		expect((await received('PATCH', `/agents/${uuid}/guard-rules/${guard.uuid}`)).body).toEqual({
			is_active: false,
		});
		expect(
			(
				await run('agentRule', 'deleteRoutingRule', { agent, routingRule: by(routing.uuid) })
			).json(),
		).toEqual([{ deleted: true, uuid: routing.uuid }]);
		expect(
			(await run('agentRule', 'deleteGuardRule', { agent, guardRule: by(guard.uuid) })).json(),
		).toEqual([{ deleted: true, uuid: guard.uuid }]);

		await run('agentRule', 'replaceRoutingRules', { agent, routingRules: sections.routingRules });
		expect((await received('PUT', `/agents/${uuid}/routing-rules`)).body).toEqual({
			routing_rules: [routingRule],
		});
		await run('agentRule', 'replaceGuardRules', { agent, guardRules: sections.guardRules });
		expect((await received('PUT', `/agents/${uuid}/guard-rules`)).body).toEqual({
			guard_rules: [guardRule],
		});
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

	// interface: §2.3 settings.voice; §4.1 GET compliance
	test('compliance is read; interaction and call behavior are changed, and read with all voice settings', async () => {
		const uuid = await agentUuid();
		const agent = by(uuid);
		expect((await run('agentVoice', 'getCompliance', { agent })).json()).toEqual([
			{ eu_gdpr_compliance: false, hipaa_compliance: false },
		]);
		const { interaction, call_behavior } = settings.voice;
		const first = await run('agentVoice', 'updateInteraction', {
			agent,
			updateFields: flat(interaction),
		});
		expect(first.json()).toEqual([interaction]);
		expect((await received('PATCH', `/agents/${uuid}/interaction`)).body).toEqual(interaction);
		await run('agentVoice', 'updateCallBehavior', { agent, updateFields: flat(call_behavior) });
		expect((await received('PATCH', `/agents/${uuid}/call-behavior`)).body).toEqual(call_behavior);
		const whole = await run('agentVoice', 'getVoiceSettings', { agent });
		expect(whole.json()[0]).toMatchObject({
			uuid,
			interaction,
			call_behavior,
			compliance: { hipaa_compliance: false },
		});
	});
});

describe('intents', () => {
	// interface: §2.8 intent
	test('created, listed, updated, given an action, published', async () => {
		const uuid = await agentUuid();
		const agent = by(uuid);
		const body = {
			name: 'Book a table',
			key: 'book',
			description: 'Wants a table',
			recommendation_actions: 'Book',
			confidence_threshold: 0.7,
			intent_llm_handle_by_response: true,
			webhook: { url: 'https://example.com/book', auth_token: 'shown-only-to-the-platform' },
			parameters: [{ key: 'guests', default: '2', type: 'string', required: true }],
		};
		const created = ok(
			await run('agentIntent', 'create', {
				agent,
				name: body.name,
				description: body.description,
				parameters: rows(body.parameters.map((parameter) => row(parameter))),
				additionalFields: {
					key: 'book',
					recommendationActions: 'Book',
					confidenceThreshold: 0.7,
					intentLlmHandleByResponse: true,
					webhookUrl: body.webhook.url,
					webhookAuthToken: body.webhook.auth_token,
				},
			}),
		);
		expect((await received('POST', `/agents/${uuid}/intents`)).body).toEqual({
			...body,
			webhook: { ...body.webhook, auth_token: '***' },
		});
		const { intent_uuid } = created.json()[0];
		const { results } = await engine.listSearch('acpAgents', 'searchAgentIntents', {
			parameters: { resource: 'agentIntent', operation: 'update', agent },
		});
		expect(results).toEqual([{ name: 'Book a table – book', value: intent_uuid }]);

		const intent = by(intent_uuid);
		await run('agentIntent', 'update', {
			agent,
			intent,
			name: 'Reserve',
			updateFields: { confidenceThreshold: 0.9 },
		});
		expect((await received('PATCH', `/agents/${uuid}/intents/${intent_uuid}`)).body).toEqual({
			name: 'Reserve',
			confidence_threshold: 0.9,
		});

		const event = `/agents/${uuid}/intents/${intent_uuid}/event`;
		const set = async (parameters: object) => {
			await sandbox.clearLedger();
			const result = await run('agentIntent', 'setEvent', { agent, intent, ...parameters });
			return { result, body: (await sandbox.ledger({ method: 'PUT', path: event }))[0]?.body };
		};
		expect((await set({ eventType: 'webhook', webhookUrl: 'https://example.com/a' })).body).toEqual(
			{ event_type: 'webhook', webhook: { url: 'https://example.com/a' } },
		);
		const target = await agentUuid(1);
		expect(
			(
				await set({
					eventType: 'agent',
					targetAgent: by(target),
					channel: 'whatsapp',
					channelActionName: 'Take over',
				})
			).body,
		).toEqual({
			event_type: 'agent',
			agent_uuid: target,
			channel: 'whatsapp',
			channel_action_name: 'Take over',
		});
		const [flow] = await sandbox.state('flows');
		expect((await set({ eventType: 'scenario', flow: by(flow.uuid) })).body).toEqual({
			event_type: 'scenario',
			flow_uuid: flow.uuid,
		});
		const [connection] = await sandbox.state('flow_connections');
		const app = {
			app: by(connection.app_uid),
			action: by('create_event'),
			connection: by(connection.uuid),
			config: '{"calendar": "office"}',
		};
		const draft = await set({ eventType: 'app', ...app });
		expect(draft.body).toEqual({
			event_type: 'app',
			app_uid: connection.app_uid,
			action_key: 'create_event',
			app_connection_uuid: connection.uuid,
			config: { calendar: 'office' },
		});
		expect(draft.result.json()[0]).toMatchObject({ event_type: 'app', status: 'draft' });

		expect((await run('agentIntent', 'publishEvent', { agent, intent })).error).toBeUndefined();
		expect((await run('agentIntent', 'getEvent', { agent, intent })).json()[0]).toMatchObject({
			event_type: 'app',
			status: 'deployed',
			config: { calendar: 'office' },
		});

		const unconnected = await set({ eventType: 'app', app: app.app, action: app.action });
		expect(unconnected.result.error).toMatchObject({
			message: 'The platform did not accept this action',
			description: expect.stringContaining('connected'),
		});
		const empty = await set({ eventType: 'webhook', webhookUrl: '={{ $json.nothing }}' });
		expect(empty.result.error?.message).toMatch(/'Webhook URL' is empty/);
		expect(empty.body).toBeUndefined();
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

	test('switching off keeps address and events, which the platform wants with every change', async () => {
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
			url: 'https://example.com/1',
			events: ['intent_call', 'conversation_end_report'],
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
		expect(result.error?.message).toMatch(/'Webhook' does not belong to this agent/);
		expect((await sandbox.ledger()).filter(({ method }) => method === 'PATCH')).toEqual([]);
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
	// interface: §2.10 phone number
	test('a number for calls, a SIP trunk and a number for SMS are assigned', async () => {
		const uuid = await agentUuid();
		const agent = by(uuid);
		const { results: numbers } = await engine.listSearch('acpAgents', 'searchPhoneNumbers');
		expect(numbers[0]!.name).toContain('+12125550100');
		const provisioned = await run('agentChannel', 'provisionCall', {
			agent,
			phoneNumber: by(numbers[0]!.value),
		});
		expect(provisioned.json()[0].agent).toMatchObject({ agent_uuid: uuid });
		expect((await received('POST', `/agents/${uuid}/channels/call/provision`)).body).toEqual({
			phone_number_uuid: numbers[0]!.value,
		});
		const [connection] = await sandbox.state('sip_connections');
		await run('agentChannel', 'assignSipTrunk', {
			agent,
			connection: by(connection.uuid),
			additionalFields: { force: true },
		});
		expect((await received('POST', `/agents/${uuid}/channels/call/sip-trunk`)).body).toEqual({
			connection_uuid: connection.uuid,
			force: true,
		});
		await run('agentChannel', 'assignSms', {
			agent,
			bodyJson: { phone_number_uuid: numbers[0]!.value },
		});
		expect((await received('POST', `/agents/${uuid}/channels/sms`)).body).toEqual({
			phone_number_uuid: numbers[0]!.value,
		});
	});

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

	// interface: §2.2 memorize and evaluation
	test('memorize and language are reached with API Request', async () => {
		const result = await run('otherEndpoint', 'apiRequest', {
			method: 'GET',
			path: '/agents',
			paginate: true,
		});
		expect(result.json().length).toBeGreaterThan(1);
	});
});
