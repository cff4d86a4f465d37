import { changed, read } from '../answers.mjs';
import { invalid, notFound } from '../errors.mjs';
import { emptied } from '../manners.mjs';
import { merged } from '../settings.mjs';
import { Instant } from '../zone.mjs';
import { agentOf } from './agents.mjs';

/** Whatever an agent's own settings do not say comes from the workspace's default (interface §3). */
const overrideOf = (sandbox, uuid) => sandbox.store.collection('evaluate_overrides').get(uuid);
const defaults = (sandbox) => sandbox.store.collection('evaluate_default').get('default').settings;

const asDefault = (settings) => ({
	agent_uuid: null,
	is_default: true,
	source: 'default',
	...settings,
});
const asOverride = (uuid, settings) => ({
	agent_uuid: uuid,
	is_default: false,
	source: 'agent',
	...settings,
});

function override(sandbox, uuid, settings) {
	sandbox.store.collection('evaluate_overrides').add({ uuid, settings: structuredClone(settings) });
	return changed(
		asOverride(uuid, overrideOf(sandbox, uuid).settings),
		uuid,
		'Evaluation settings updated.',
	);
}

/** Evaluation settings that nobody changed yet. */
export const FIRST_EVALUATE_SETTINGS = {
	is_active: true,
	sessionization: {
		session_mode: 'sliding_timeout',
		timeout_minutes: 30,
		report_language: 'English',
		summary_prompt: '',
	},
	text: Object.fromEntries(
		[
			'sentiment_analyzer',
			'emotion_detection',
			'intent_labels',
			'knowledge_gap',
			'human_escalation_detection',
			'customer_satisfaction_score',
			'success_evaluation_prompt',
		].map((name) => [name, { enabled: true, description: '' }]),
	),
	voice: { human_escalation_detection: { enabled: true, description: '' } },
};

/** Only one coaching agent is the default; it moves when another is made default (reference: coaching agents). */
function makeDefault(sandbox, agent) {
	for (const one of sandbox.store.collection('coaching_agents').values())
		one.is_default = one === agent;
}

const qaAgentOf = (sandbox, uuid) => sandbox.store.need('qa_agents', uuid, 'QA agent');

const withSkills = (sandbox, skills) =>
	skills.map((skill, index) => ({
		uuid: sandbox.random.uuid(),
		name: '',
		description: '',
		weight: 0,
		max_score: 10,
		ai_evaluation_prompt: '',
		positive_items: [],
		penalty_items: [],
		is_custom: true,
		...skill,
		order: index + 1,
	}));

/** What an update of a QA agent can set, beside the flags. */
const SETTABLE = [
	'name',
	'description',
	'strictness_level',
	'confidence_threshold',
	'auto_fail_threshold',
	'custom_instructions',
	'automatic_scoring',
	'sentiment_analysis',
	'compliance_checking',
	'skills',
];

function changeQaAgent({ sandbox, operation, params: [uuid], body }) {
	const agent = qaAgentOf(sandbox, uuid);
	const { skills, ...fields } = body;
	// PUT …/skills is about the skills alone (reference: extra).
	const left = operation.path.endsWith('/skills')
		? {}
		: emptied(sandbox, operation, agent, SETTABLE);
	Object.assign(
		agent,
		left,
		fields,
		skills === undefined ? {} : { skills: withSkills(sandbox, skills) },
		{ updated_at: Instant.now() },
	);
	return changed(shownQaAgent(agent), uuid, 'QA agent updated.');
}

export const shownQaAgent = (agent) => {
	const total = agent.skills.reduce((sum, { weight }) => sum + weight, 0);
	return { ...agent, total_weight: total, weights_balanced: total === 100 };
};

const FIRST_COACHING = {
	is_active: true,
	coaching_tone: 'supportive',
	coaching_frequency: 'immediate',
	auto_trigger_threshold: 70,
	language: 'English',
	include_positive_feedback: true,
	include_actionable_steps: true,
	include_resources: true,
};

export const quality = {
	'GET /evaluate/default': ({ sandbox }) =>
		read(asDefault(defaults(sandbox)), 'Evaluation settings retrieved.'),
	'PUT /evaluate/default': ({ sandbox, body }) => {
		const record = sandbox.store.collection('evaluate_default').get('default');
		record.settings = merged(record.settings, body);
		return changed(asDefault(record.settings), 'default', 'Evaluation settings updated.');
	},
	'PUT /agents/{}/evaluate': ({ sandbox, params: [uuid], body }) => {
		agentOf(sandbox, uuid);
		return override(
			sandbox,
			uuid,
			merged(overrideOf(sandbox, uuid)?.settings ?? defaults(sandbox), body),
		);
	},
	'DELETE /agents/{}/evaluate': ({ sandbox, params: [uuid] }) => {
		agentOf(sandbox, uuid);
		if (!sandbox.store.collection('evaluate_overrides').delete(uuid))
			throw notFound('Evaluation override');
		return changed(asDefault(defaults(sandbox)), uuid, 'The agent uses the default again.');
	},
	'POST /agents/{}/evaluate/assign': ({ sandbox, params: [uuid] }) => {
		agentOf(sandbox, uuid);
		return override(sandbox, uuid, overrideOf(sandbox, uuid)?.settings ?? defaults(sandbox));
	},
	'POST /agents/{}/evaluate/reassign': ({ sandbox, params: [uuid] }) => {
		agentOf(sandbox, uuid);
		return override(sandbox, uuid, defaults(sandbox));
	},
	'POST /coaching-agents/{}/set-default': ({ sandbox, params: [uuid] }) => {
		const agent = sandbox.store.need('coaching_agents', uuid, 'Coaching agent');
		makeDefault(sandbox, agent);
		return changed(agent, uuid, 'Default set.');
	},
	'PUT /qa-agents/{}': changeQaAgent,
	'PATCH /qa-agents/{}': changeQaAgent,
	'PUT /qa-agents/{}/skills': ({ sandbox, operation, params, body }) =>
		changeQaAgent({ sandbox, operation, params, body: { skills: body.skills ?? [] } }),
};

export const qualityHooks = {
	coaching_agents: {
		thing: 'Coaching agent',
		prepare: ({ sandbox }, { is_default, ...body }) => {
			if (!body.name) throw invalid('name', 'The field name is required.');
			if (is_default) makeDefault(sandbox);
			return { ...FIRST_COACHING, is_default: is_default ?? false, ...body };
		},
		// Only another agent that becomes the default takes it away.
		revise: ({ sandbox }, agent, { is_default, ...body }) => {
			if (is_default) makeDefault(sandbox, agent);
			return { ...body, is_default: agent.is_default };
		},
	},
	evaluations: { thing: 'Evaluation' },
	qa_agents: { thing: 'QA agent', show: (context, agent) => shownQaAgent(agent) },
};
