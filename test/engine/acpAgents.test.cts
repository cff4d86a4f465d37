/** Agents: rows, JSON beside the fields, and the tuning of a voice. */
import { cases, refusals } from './guarantees/cases.cts';
import { agentOf, byId, hintsOf, mapped, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine, run } = platform;
const rows = (...values: object[]) => ({ values }) as never;

describe('agent', () => {
	const mia = (additionalFields: object) => ({ name: 'Mia', additionalFields }) as never;
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

	cases(platform, {
		'a row that was added sends only what was filled in': {
			node: 'acpAgents agent.create',
			parameters: {
				name: 'Mia',
				rules: {
					guardRules: rows({ whenCondition: 'Swears', thenAction: 'end_conversation' }),
					routingRules: rows({ departmentName: 'Sales' }),
				},
			},
			got: {
				'POST /agents': [
					{
						name: 'Mia',
						guard_rules: [{ when_condition: 'Swears', then_action: 'end_conversation' }],
						routing_rules: [{ department_name: 'Sales' }],
					},
				],
			},
		},
		'JSON goes below the fields; fields win, lists are replaced': {
			node: 'acpAgents agent.create',
			parameters: {
				name: 'Mia',
				options: { bodyJson: JSON.stringify(json) },
				knowledge: { notes: rows({ content: 'From the form' }) },
				settingsVoice: { interactionEndCallMessage: 'Bye', complianceHipaaCompliance: true },
			},
			got: {
				'POST /agents': [
					{
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
					},
				],
			},
		},
		// interface: §2.3 settings.text; §3 agent status
		'a list that was added without rows is told, because n8n shows an expression in its place so':
			async () => ({
				node: 'acpAgents agent.update',
				parameters: {
					agent: byId(await agentOf(sandbox)),
					updateFields: { topic: 'Bookings' },
					knowledge: { guidelines: '={{ [{ content: "Be brief" }] }}' as never },
				},
				hints:
					/'Knowledge › Guidelines' was not sent: it has no rows\. n8n drops an expression in place of a whole list/,
				got: { 'PATCH /agents/[^/]+': [{ topic: 'Bookings' }] },
			}),
		...refusals('acpAgents', [
			[
				'agent.create',
				{
					name: 'Mia',
					additionalFields: { customLlmUrl: 'https://llm.example.com/v1?key=********' },
				},
				/contains \*{8}, the mask that hides a secret in outputs/,
			],
			[
				'agent.create',
				mia({ timezone: 'Turkey Standard Time' }),
				'\'Timezone\' is not a time zone: "Turkey Standard Time"',
			],
			[
				'agent.create',
				mia({ status: '={{ "asleep" }}' }),
				/'Status' is "asleep"; choose one of: completed, in_progress, paused, pending, ready \|/,
			],
			[
				'agent.create',
				{ name: 'Mia', settingsVoice: { interactionMaxSilencePrompts: 'few' } },
				/'Voice Settings › Max Silence Prompts' should be a (whole )?number/,
			],
			[
				'agent.create',
				{
					name: 'Mia',
					knowledge: {
						guidelines: rows({ content: 'Be kind' }, { content: '={{ $json.nothing }}' }),
					},
				},
				"'Knowledge › Guidelines 2 › Content' is empty",
			],
			[
				'agent.create',
				{ name: 'Mia', appointments: { scheduleAssignments: rows({ schedule: byId('abc') }) } },
				'\'Appointments › Schedule Assignments 1 › Schedule\' is not a valid ID: "abc"',
			],
		]),
	});
});

describe('copy', () => {
	const fromJson = (name: string, bodyJson: string) =>
		({ name, simplify: false, options: { bodyJson } }) as never;
	const written = {
		...{ guidelines: [{ content: 'Be kind' }], notes: [{ content: 'Open on Sundays' }] },
		procedures: [{ name: 'Returns', steps: [{ description: 'Ask for the number', order: 1 }] }],
		guard_rules: [{ when_condition: 'Swears', then_action: 'end_conversation' }],
		settings: { memorize: { enabled: true }, voice: { call_behavior: { audio_recording: true } } },
	};

	test('an agent as it was read makes another one; what only the platform sets is not sent, and said', async () => {
		const create = 'acpAgents agent.create';
		const [first] = ok(await run(create, fromJson('Mia', JSON.stringify(written)))).json();
		const agent = byId(first.agent_uuid as string);
		const read = ok(await run('acpAgents agent.get', { agent, simplify: false })).json();
		expect(read[0].procedures).toEqual([{ ...written.procedures[0], uuid: expect.any(String) }]);
		const others = { intents: [], channels: 2, webhooks: [{ url: 'https://n8n.example/x' }] };
		const items = [{ ...read[0], ...others }];
		const result = ok(await run(create, fromJson('Copy', '={{ $json }}'), { items }));
		const [copy] = result.json();
		expect(copy).toMatchObject({ ...written, name: 'Copy' });
		expect(copy.agent_uuid).not.toBe(first.agent_uuid);
		expect(copy.procedures[0].uuid).not.toBe(first.procedures[0].uuid);
		expect(hintsOf(result)).toMatch(/Not copied: agent_uuid, .*guidelines\.uuid.*webhooks/);
		expect(hintsOf(result)).toMatch(/Not copied: .*channels/);
		expect(hintsOf(result)).not.toMatch(/intents/);
	});

	cases(platform, {
		'a field that no source shows is sent as it is written': {
			node: 'acpAgents agent.create',
			parameters: fromJson('Mia', '{"agent_uuid": "a-1", "mood": "good"}'),
			fails: 'The platform did not accept',
			got: { 'POST /agents': [{ name: 'Mia', mood: 'good' }] },
		},
	});
});

describe('voice', () => {
	// interface: §4.1 GET voice-advanced
	test('the fields of the chosen voice are offered with type, bounds or options and current value; another agent, other fields', async () => {
		const fieldsOf = async (index: number) =>
			await engine.resourceMapping('acpAgents', 'getVoiceAdvancedFields', {
				parameters: {
					resource: 'agentVoice',
					operation: 'updateVoiceAdvanced',
					agent: byId(await agentOf(sandbox, index)),
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
		const [speed, stability] = (await fieldsOf(1)).fields;
		expect(speed).toMatchObject({
			displayName: 'Speed (one of 0.8, 1, 1.2, now 1)',
			type: 'options',
			options: [{ value: 0.8 }, { value: 1 }, { value: 1.2 }],
		});
		expect(stability!.displayName).toBe('Stability (0.2 to 0.9, now 0.6)');
		expect(await fieldsOf(2)).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining('No voice is selected'),
		});
		const { properties } = await engine.describe('acpAgents');
		expect(
			properties.find(({ type }) => type === 'resourceMapper')?.typeOptions?.loadOptionsDependsOn,
		).toEqual(['agent.value']);
	});

	const tuned = async (index: number, fields: object, item: object = {}) => ({
		node: 'acpAgents agentVoice.updateVoiceAdvanced',
		parameters: { agent: byId(await agentOf(sandbox, index)), fields: mapped(fields) },
		items: [item],
	});

	cases(platform, {
		'text that is a number or a switch is converted, what is not filled in is not sent':
			async () => ({
				...(await tuned(
					0,
					{ speed: '={{ $json.speed }}', speaker_boost: '={{ $json.boost }}', style: null },
					{ speed: '1.1', boost: 'true' },
				)),
				got: { 'PATCH .*': [{ speed: 1.1, speaker_boost: true }] },
			}),
		// interface: §4.1 rule 4
		'no voice is selected: nothing is changed': async () => ({
			...(await tuned(2, { speed: 1 })),
			fails: 'No voice is selected for this agent',
			sent: { 'PATCH .*': 0 },
		}),
	});

	// interface: §4.1 GET voice-advanced; §4.1 rule 4
	test.each([
		[0, '', { key: 'stability', type: 'number', min: 0, max: 1, value: 0.5 }],
		[2, 'No voice is selected', undefined],
	])('agent %i is read: a hint says %j', async (index, hint, field) => {
		const agent = byId(await agentOf(sandbox, index));
		const read = ok(await run('acpAgents agentVoice.getVoiceAdvanced', { agent }));
		expect(read.json()[0].fields[0]).toEqual(field);
		expect(read.hints().map(({ message }) => message.slice(0, hint.length))).toEqual(
			hint ? [hint] : [],
		);
	});
});
