/** Agents: rows, JSON beside the fields, and the tuning of a voice. */
import { cases, refusals } from './guarantees/cases.cts';
import { agentOf, byId, hintsOf, mapped, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine, run } = platform;
const create = 'acpAgents agent.create';
const rows = (...values: object[]) => ({ values }) as never;

describe('agent', () => {
	const end = { whenCondition: 'Swears', thenAction: 'end_conversation' };
	const told = { interactionEndCallMessage: 'Bye', complianceHipaaCompliance: true };
	const interaction = { end_call_message: 'Ciao', silence_message: 'Hello?' };
	const json = {
		...{ name: 'From JSON', tone: 'Cool', guidelines: [{ content: 'Kept' }] },
		notes: [{ content: 'From JSON' }],
		settings: { voice: { interaction, voice_profile: { language: 'it' } } },
	};

	const appointments = { scheduleAssignments: rows({ schedule: byId('abc') }) };
	const notAnId = '\'Appointments › Schedule Assignments 1 › Schedule\' is not a valid ID: "abc"';

	cases(platform, {
		'JSON goes below the fields; fields win, lists are replaced; a row sends only what was filled in':
			{
				node: create,
				parameters: {
					name: 'Mia',
					rules: { guardRules: rows(end), routingRules: rows({ departmentName: 'Sales' }) },
					options: { bodyJson: JSON.stringify(json) },
					knowledge: { notes: rows({ content: 'From the form' }) },
					settingsVoice: told,
				},
				got: {
					'POST /agents': [
						{
							...{ ...json, name: 'Mia', notes: [{ content: 'From the form' }] },
							guard_rules: [{ when_condition: 'Swears', then_action: 'end_conversation' }],
							routing_rules: [{ department_name: 'Sales' }],
							settings: {
								voice: {
									interaction: { ...interaction, end_call_message: 'Bye' },
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
				hints: /'Knowledge › Guidelines' was not sent: it has no rows\. n8n drops an expression/,
				got: { 'PATCH /agents/[^/]+': [{ topic: 'Bookings' }] },
			}),
		...refusals('acpAgents', [['agent.create', { name: 'Mia', appointments }, notAnId]]),
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
		const [first] = ok(await run(create, fromJson('Mia', JSON.stringify(written)))).json();
		const agent = byId(first.agent_uuid);
		const read = ok(await run('acpAgents agent.get', { agent, simplify: false })).json();
		const others = { intents: [], channels: 2, webhooks: [{ url: 'https://n8n.example/x' }] };
		const items = [{ ...read[0], ...others }];
		const result = ok(await run(create, fromJson('Copy', '={{ $json }}'), { items }));
		const [copy] = result.json();
		expect(copy).toMatchObject({ ...written, name: 'Copy' });
		expect(copy.agent_uuid).not.toBe(first.agent_uuid);
		expect(copy.procedures[0].uuid).not.toBe(read[0].procedures[0].uuid);
		expect(hintsOf(result)).toMatch(/Not copied: agent_uuid, .*guidelines\.uuid.*webhooks/);
		expect(hintsOf(result)).toMatch(/Not copied: .*channels/);
		expect(hintsOf(result)).not.toMatch(/intents/);
	});

	cases(platform, {
		'a field that no source shows is sent as it is written': {
			node: create,
			parameters: fromJson('Mia', '{"agent_uuid": "a-1", "mood": "good"}'),
			fails: 'The platform did not accept',
			got: { 'POST /agents': [{ name: 'Mia', mood: 'good' }] },
		},
	});
});

describe('voice', () => {
	// interface: §4.1 GET voice-advanced
	test('the fields of the chosen voice are offered; another agent, other fields', async () => {
		const offered = async (index: number) => {
			const agent = byId(await agentOf(sandbox, index));
			const parameters = { resource: 'agentVoice', operation: 'updateVoiceAdvanced', agent };
			return await engine.resourceMapping('acpAgents', 'getVoiceAdvancedFields', { parameters });
		};
		expect((await offered(0)).fields.map(({ id }) => id)).toEqual([
			'stability',
			'similarity',
			'style',
			'speed',
			'speaker_boost',
		]);
		const speed = { displayName: 'Speed (one of 0.8, 1, 1.2, now 1)', type: 'options' };
		expect((await offered(1)).fields[0]).toMatchObject(speed);
		const none = { fields: [], emptyFieldsNotice: expect.stringContaining('No voice is selected') };
		expect(await offered(2)).toMatchObject(none);
		const { properties } = await engine.describe('acpAgents');
		const mapper = properties.find(({ type }) => type === 'resourceMapper');
		expect(mapper?.typeOptions?.loadOptionsDependsOn).toEqual(['agent.value']);
	});

	const tuned = async (index: number, fields: object, item: object = {}) => ({
		node: 'acpAgents agentVoice.updateVoiceAdvanced',
		parameters: { agent: byId(await agentOf(sandbox, index)), fields: mapped(fields) },
		items: [item],
	});
	const read = async (index: number) => ({
		node: 'acpAgents agentVoice.getVoiceAdvanced',
		parameters: { agent: byId(await agentOf(sandbox, index)) },
	});

	cases(platform, {
		// interface: §4.1 GET voice-advanced; §4.1 rule 4
		'no voice is selected: nothing is changed': async () => ({
			...(await tuned(2, { speed: 1 })),
			fails: 'No voice is selected for this agent',
			sent: { 'PATCH .*': 0 },
		}),
		'without a voice, a hint says so': async () => ({
			...(await read(2)),
			hints: /^No voice is selected/,
			json: [{ fields: [] }],
		}),
	});
});
