/** ACP Quality in n8n's own engine against the sandbox. */
import type { IDataObject } from 'n8n-workflow';
import { byId, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform();
const { sandbox, engine } = platform;
const run = async (
	resource: string,
	parameters: IDataObject,
	options: Parameters<typeof platform.engine.runNode>[2] = {},
) => await engine.runNode('acpQuality', { resource, ...parameters } as never, options);
const missing = '00000000-0000-4000-8000-000000000000';
const firstAgent = async () => (await sandbox.state('agents'))[0].agent_uuid as string;

describe('evaluation', () => {
	const score = (value: string) => ({ value, confidence: 50, reason: 'said so' });
	const add = async (index: number) =>
		await sandbox.add('evaluations', {
			uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
			session_uuid: missing,
			conversation_uuid: missing,
			contact_uuid: missing,
			sentiment: score('positive'),
			emotion: score('joy'),
			success: score('yes'),
			satisfaction: null,
			created_at: '2026-04-01T10:00:00+03:00',
			updated_at: '2026-04-01T10:00:00+03:00',
		});

	// interface: §4.4 evaluation reads
	test('get many reads all pages and keeps ten fields; everything without Simplify', async () => {
		for (let index = 0; index < 230; index += 1) await add(index);
		const all = (await run('evaluation', { operation: 'getAll', returnAll: true })).json();
		expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(230);
		expect(all[0]).toMatchObject({ sentiment_value: 'positive', success_value: 'yes' });
		expect(Object.keys(all[0]).length).toBeLessThanOrEqual(10);
		const [whole] = (
			await run('evaluation', { operation: 'get', evaluation: byId(all[0].uuid), simplify: false })
		).json();
		expect(whole.sentiment).toEqual(score('positive'));
		const { results } = await engine.listSearch('acpQuality', 'searchEvaluations', {
			parameters: { resource: 'evaluation', operation: 'get' } as never,
			path: 'parameters.evaluation',
		});
		expect(results).toHaveLength(100);
	});

	// interface: §4.4 evaluation reads
	test('a session that was not rated yet is said to be one; analytics come as they are', async () => {
		const result = await run('evaluation', { operation: 'getForSession', session: byId(missing) });
		expect(result.error?.message).toBe('The platform found no evaluation of this session');
		expect(result.error?.description).toContain('when it ends');
		expect((await run('evaluation', { operation: 'getAnalytics' })).error?.message).toBeUndefined();
	});
});

describe('evaluation settings', () => {
	const setting = async (parameters: IDataObject, options: Parameters<typeof run>[2] = {}) =>
		await run('evaluationSetting', parameters, options);

	// interface: §3 evaluation; §4.4 evaluation settings
	test('an agent follows the default, gets its own, is reverted', async () => {
		const agent = byId(await firstAgent());
		expect((await setting({ operation: 'delete', agent })).error?.message).toContain(
			'Nothing to revert',
		);

		expect((await setting({ operation: 'assign', agent })).json()[0]).toMatchObject({
			is_default: false,
			source: 'agent',
		});
		const updated = ok(
			await setting({
				operation: 'update',
				agent,
				updateFields: {
					isActive: false,
					sessionizationTimeoutMinutes: 5,
					text: {
						values: [
							{ key: 'knowledge_gap', enabled: false },
							{ key: 'success_evaluation_prompt', enabled: true, prompt: 'Was a visit booked?' },
						],
					},
					voice: { values: [{ key: 'human_escalation_detection', enabled: true }] },
				},
			}),
		);
		expect((await sandbox.ledger({ method: 'PUT' }))[0]!.body).toEqual({
			is_active: false,
			sessionization: { timeout_minutes: 5 },
			text: {
				knowledge_gap: { enabled: false },
				success_evaluation_prompt: { enabled: true, prompt: 'Was a visit booked?' },
			},
			voice: { human_escalation_detection: { enabled: true } },
		});
		expect(updated.json()[0].sessionization).toMatchObject({
			timeout_minutes: 5,
			report_language: 'English',
		});

		await setting({
			operation: 'updateDefault',
			updateFields: { sessionizationReportLanguage: 'German' },
		});
		expect((await setting({ operation: 'getDefault' })).json()[0].sessionization).toMatchObject({
			timeout_minutes: 30,
			report_language: 'German',
		});
		expect((await setting({ operation: 'reassign', agent })).json()[0]).toMatchObject({
			is_default: false,
			sessionization: { timeout_minutes: 30, report_language: 'German' },
		});

		expect((await setting({ operation: 'delete', agent })).json()).toEqual([
			{ deleted: true, uuid: agent.value },
		]);
		expect(await sandbox.state('evaluate_overrides')).toEqual([]);
	});

	test('fields that are not known can be added as JSON; those of the form win', async () => {
		await setting({
			operation: 'updateDefault',
			options: { bodyJson: '{"sessionization": {"timeout_minutes": 9, "session_mode": "x"}}' },
			updateFields: { sessionizationTimeoutMinutes: 7 },
		});
		expect((await sandbox.ledger({ method: 'PUT' }))[0]!.body).toEqual({
			sessionization: { timeout_minutes: 7, session_mode: 'x' },
		});
	});

	// interface: §4.4 evaluation settings
	test('where the guessed path is wrong, the other one is named', async () => {
		await sandbox.strike('DELETE evaluate$', { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		expect(
			(await setting({ operation: 'delete', agent: byId(await firstAgent()) })).error?.description,
		).toContain('DELETE /agents/{agent ID}/evaluate/assign');
	});
});

describe('coaching agents', () => {
	// interface: §4.4 coaching agents
	test('one is created and updated, and another made the default', async () => {
		const [first] = (
			await run('coachingAgent', {
				operation: 'create',
				name: 'Sales coach',
				additionalFields: { isDefault: true, autoTriggerThreshold: 60, coachingTone: 'warm' },
			})
		).json();
		expect(first).toMatchObject({
			is_default: true,
			auto_trigger_threshold: 60,
			coaching_tone: 'warm',
		});
		expect(first.coaching_templates).toHaveLength(1);
		const [second] = (
			await run('coachingAgent', { operation: 'create', name: 'Support coach' })
		).json();

		const changed = await run('coachingAgent', {
			operation: 'update',
			coachingAgent: byId(first.uuid),
			updateFields: {
				coachingTemplates: {
					values: [
						{ name: 'Calm', template: 'Take your time', additionalFields: { isCustom: true } },
					],
				},
				trainingExamples: { values: [{ issue: 'Interrupted', coaching: 'Let people finish' }] },
			},
		});
		expect((await sandbox.ledger({ method: 'PATCH' }))[0]!.body).toEqual({
			coaching_templates: [{ name: 'Calm', template: 'Take your time', is_custom: true }],
			training_examples: [{ issue: 'Interrupted', coaching: 'Let people finish' }],
		});
		expect(changed.json()[0].name).toBe('Sales coach');

		await run('coachingAgent', { operation: 'setDefault', coachingAgent: byId(second.uuid) });
		expect((await sandbox.state('coaching_agents')).map(({ is_default }) => is_default)).toEqual([
			false,
			true,
		]);
	});

	test('the default cannot be switched off, only moved', async () => {
		const result = await run('coachingAgent', {
			operation: 'update',
			coachingAgent: byId(missing),
			updateFields: { isDefault: false },
		});
		expect(result.error?.message).toContain('Set as Default');
		expect(
			(
				await run('coachingAgent', {
					operation: 'create',
					name: 'x',
					additionalFields: { autoTriggerThreshold: 101 },
				})
			).error?.message,
		).toContain('it must be 100 or less');
		expect(await sandbox.ledger()).toEqual([]);
	});
});

describe('QA agents', () => {
	test('one is read and updated, and its scorecard replaced', async () => {
		const [stored] = await sandbox.state('qa_agents');
		const qaAgent = byId(stored.uuid);
		ok(
			await run('qaAgent', {
				operation: 'replaceSkills',
				qaAgent,
				skills: {
					values: [
						{
							name: 'Greeting',
							weight: 40,
							positiveItems: { values: [{ name: 'Says the name', points: 5 }] },
							penaltyItems: {
								values: [
									{ name: 'Swears', penaltyPoints: -10, additionalFields: { isAutoFail: true } },
								],
							},
						},
						{ name: 'Closing', weight: 60 },
					],
				},
			}),
		);
		expect((await sandbox.ledger({ method: 'PUT' }))[0]!.body).toEqual({
			skills: [
				{
					name: 'Greeting',
					weight: 40,
					positive_items: [{ name: 'Says the name', points: 5 }],
					penalty_items: [{ name: 'Swears', penalty_points: -10, is_auto_fail: true }],
				},
				{ name: 'Closing', weight: 60 },
			],
		});
		expect((await run('qaAgent', { operation: 'get', qaAgent })).json()[0]).toMatchObject({
			uuid: stored.uuid,
			total_weight: 100,
			weights_balanced: true,
		});
		const updated = await run('qaAgent', {
			operation: 'update',
			qaAgent,
			updateFields: { strictnessLevel: 80, customInstructions: 'Be fair' },
		});
		expect(updated.json()[0]).toMatchObject({
			strictness_level: 80,
			custom_instructions: 'Be fair',
			total_weight: 100,
		});
	});
});
