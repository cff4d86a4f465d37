/** Updates, on a platform that replaces wherever no source says that an update is partial. */
import { isEmpty, isPlainObject, mapValues, uniq } from 'lodash';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { contract } from '../../tools/contract.cjs';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { fill, forms } from './everyOperation/samples.cts';
import { beforehand, Scene } from './everyOperation/workspace.cts';
import { agentOf, byId, failure, fast, hintsOf, ok } from './guarantees/scene.cts';
import { usePlatform, type NodeOptions } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: fast });

const run = async (parameters: object, node: NodeOptions = {}, type = 'acpAgents') =>
	await engine.runNode(type, parameters as INodeParameters, node);
const replace = async (replacingUpdates = true) =>
	await sandbox.settings({ manners: { replacingUpdates } });

const { endpoints } = contract();
const leftOutOf = (endpoint: string) => endpoints.find(({ key }) => key === endpoint)?.leftOut;
/** What a form says: not the doubt, but what to do. */
const adviceOf = (endpoint: string) => leftOutOf(endpoint)?.replace(/^Unconfirmed: [^.]+\. /, '');

/** Every update that may leave something out; what replaces by its name is not among them. */
const updates = operationsOf(nodes()).filter(
	({ operation }) => ![undefined, 'replaced'].includes(leftOutOf(operation.endpoint)),
);

const isNothing = (value: unknown): boolean =>
	!value || (typeof value === 'object' && isEmpty(value));

/** Paths of all values that are there; a list of texts is one value. */
const pathsOf = (value: unknown, above: string[] = []): string[] =>
	isNothing(value)
		? []
		: isPlainObject(value) || (Array.isArray(value) && isPlainObject(value[0]))
			? Object.entries(value as object).flatMap(([name, inner]) => pathsOf(inner, [...above, name]))
			: [above.join('.')];

/** All that the sandbox has stored, but what it noted of its own accord. */
async function stored(): Promise<string[]> {
	const { data } = await sandbox.control.get('/state');
	const all = await Promise.all(
		(data as string[]).map(async (name) => [name, await sandbox.state(name)] as const),
	);
	return all.flatMap(([name, records]) => pathsOf(records, [name]));
}

/** The first field of an update, or the first column of a mapper. */
async function oneField(
	scene: Scene,
	entry: (typeof updates)[number],
	filled: INodeParameters,
): Promise<INodeParameters> {
	const { updateFields } = await fill(entry.parameters, scene, 'all', [], {});
	if (updateFields)
		return { updateFields: firstOf(updateFields as IDataObject) } as INodeParameters;
	return mapValues(filled, (value: any) =>
		value?.mappingMode ? { ...value, value: firstOf(value.value) } : value,
	) as INodeParameters;
}
const firstOf = (object: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(object).slice(0, 1));

/**
 * What each update sends if one field is filled in (an ID in it aside), and what a platform that replaces then empties,
 * by the last part of its name: `sent | lost`.
 */
const table: Record<string, string> = {
	'agent.update': 'appointment_scheduling_enabled',
	'agentIntent.update': `name confidence_threshold
		| description recommendation_actions intent_llm_handle_by_response key type default required
		url auth_token`,
	'agentKnowledge.updateProcedure': 'description | name',
	'agentKnowledge.updateTrainingItem': 'intent | content response',
	'agentRule.updateGuardRule': 'is_active',
	'agentRule.updateRoutingRule': 'is_active',
	'agentVoice.updateCallBehavior': `audio_recording
		| background_sound silence_timeout_seconds max_call_duration_seconds
		max_call_duration_message background_sound_ambience background_sound_volume
		noise_cancellation`,
	'agentVoice.updateInteraction': `customer_speak_first
		| inbound_first_message outbound_first_message voice_mail_message end_call_message
		silence_message max_silence_prompts`,
	'agentVoice.updateVoiceAdvanced': 'style stability | similarity speed speaker_boost',
	'agentWebhook.update': 'events | is_active',
	'contact.update': 'country_code',
	'contactAnalyzer.update': 'analysis_goals | example_values',
	'contactField.update': 'is_active',
	'contactPool.update': 'description | name max_parallel_items max_retries is_active',
	'flowStep.update': 'action_key',
	'phoneNumber.assignTrunk': 'phone_number channel agent_uuid',
	'phoneNumber.update': `channel_settings.inbound.channel_limit
		| enabled channel_limit whitelisted_destinations`,
	'phoneNumber.updateTrunk': 'phone_number channel additional_settings.key | name',
	'campaign.update': 'agent_id | name description start_date end_date',
	'outreachRule.update': 'dnc_check',
	'task.update': 'description | title scheduled_at priority auto_queue',
	'coachingAgent.update': 'auto_trigger_threshold',
	'evaluationSetting.updateDefault': 'sessionization.report_language',
	'evaluationSetting.update': 'is_active',
	'qaAgent.update': `auto_fail_threshold
		| name description strictness_level confidence_threshold custom_instructions
		automatic_scoring sentiment_analysis compliance_checking uuid weight max_score
		ai_evaluation_prompt points penalty_points is_auto_fail is_custom order`,
	'appointment.update': 'description | title status notes',
	'schedule.update':
		'ai_agents | name type color availability_type_uuid human_agents description required',
	'record.update': 'record.item | price',
};

describe('Evidence: an update sends what was filled in, and says what may be lost', () => {
	test('the table has every update', () => {
		expect(Object.keys(table).sort()).toEqual(
			updates.map(({ resource, value }) => `${resource.value}.${value}`).sort(),
		);
	});

	test.each(updates.map((entry) => [`${entry.resource.value}.${entry.value}`, entry] as const))(
		'%s',
		async (subject, entry) => {
			const { operation, parameters, resource, node } = entry;
			const [form = {}] = forms(parameters);
			const scene = new Scene(sandbox, engine, subject, node.name, form, 'all', false);
			for (const name of beforehand[subject] ?? []) await scene.get(name);
			const send = async ({ options: _o, simplify: _s, ...filled }: INodeParameters) => {
				await sandbox.clearLedger();
				return await run(
					{ resource: resource.value, operation: entry.value, ...filled },
					{},
					node.name,
				);
			};
			// The record, filled in completely.
			const all = await fill(parameters, scene, 'all', [], form);
			expect(failure(await send(all))).toBeUndefined();
			await replace();
			const before = await stored();
			const required = all.updateFields ? await fill(parameters, scene, 'required', [], form) : all;
			const one = await oneField(scene, entry, required);
			const hints = hintsOf(ok(await send({ ...required, ...one })));
			const after = await stored();
			const writes = (await sandbox.ledger()).filter(({ method }) => method !== 'GET');
			expect(writes).toHaveLength(1);
			const lost = before.filter((path) => !after.includes(path));
			const loses = uniq(lost.map((path) => path.split('.').pop()!));
			const sends = pathsOf(writes[0]!.body);
			expect([...sends, ...(loses.length > 0 ? ['|', ...loses] : [])]).toEqual(
				table[subject]!.split(/\s+/),
			);
			const said = parameters.find(({ name }) => name === 'notice')?.displayName ?? '';
			const isPartial = leftOutOf(operation.endpoint) === 'stays';
			expect(said).toContain(isPartial ? '' : adviceOf(operation.endpoint));
			expect(/\bfill in\b/i.test(said)).toBe(!isPartial);
			// Of an agent, only what is inside a group may be lost.
			const mayLose = !isPartial && subject !== 'agent.update';
			expect(hints.includes('no source shows it')).toBe(mayLose);
			expect(isPartial && loses.length > 0).toBe(false);
		},
	);

	test.each<[string, INodeParameters, boolean]>([
		['a group', { settingsVoice: { interactionSilenceMessage: 'Hello?' } }, true],
		['a field outside of groups', { updateFields: { topic: 'Sales' } }, false],
	])('an agent, %s: the hint says that the group may be replaced: %j', async (_, change, says) => {
		const agent = byId(await agentOf(sandbox));
		const result = ok(await run({ resource: 'agent', operation: 'update', agent, ...change }));
		expect(hintsOf(result).includes('may have been replaced as a whole')).toBe(says);
	});
});
