import { changed } from '../answers.mjs';
import { notFound, required } from '../errors.mjs';
import { merged } from '../settings.mjs';
import { dataSchema, filled } from '../shape.mjs';

/** Whatever an agent's own settings do not say comes from the workspace's default (interface §3). */
const defaults = ({ store }) => store.get('evaluate_default', 'default').settings;
const ownOf = ({ store }, uuid) => store.get('evaluate_overrides', uuid)?.settings;

const asDefault = (settings) => ({
	agent_uuid: null,
	is_default: true,
	source: 'default',
	...settings,
});

/** Gives the agent of the path settings of its own. @param {(context: any) => any} settingsFor */
const override = (settingsFor) => (context) => {
	const { sandbox, params } = context;
	const [uuid] = params;
	const settings = structuredClone(settingsFor(context));
	sandbox.store.add('evaluate_overrides', { uuid, settings });
	return changed({ agent_uuid: uuid, is_default: false, source: 'agent', ...settings });
};
const present = ({ sandbox, params }) => ownOf(sandbox, params[0]) ?? defaults(sandbox);

/** Only one coaching agent is the default; it moves when another is made default (reference: coaching agents). */
function makeDefault({ store }, agent) {
	for (const one of store.all('coaching_agents')) one.is_default = one === agent;
}

function withSkills({ contract, random }, { skills, ...fields }) {
	if (skills === undefined) return fields;
	const { properties } = dataSchema(contract, contract.operation('GET /qa-agents/{}'));
	const ordered = skills.map((skill, index) => {
		const own = { uuid: random.uuid(), is_custom: true, ...skill, order: index + 1 };
		return filled(contract, properties.skills.items, own);
	});
	return { ...fields, skills: ordered };
}

export const handlers = {
	'GET /evaluate/default': ({ sandbox }) => asDefault(defaults(sandbox)),
	'PUT /evaluate/default': ({ sandbox, body }) => {
		const record = sandbox.store.get('evaluate_default', 'default');
		record.settings = merged(record.settings, body);
		return asDefault(record.settings);
	},
	'PUT /agents/{}/evaluate': override((context) => merged(present(context), context.body)),
	'DELETE /agents/{}/evaluate': ({ sandbox, params: [uuid] }) => {
		if (!sandbox.store.delete('evaluate_overrides', uuid)) throw notFound('Evaluation override');
		return asDefault(defaults(sandbox));
	},
	'POST /agents/{}/evaluate/assign': override(present),
	'POST /agents/{}/evaluate/reassign': override(({ sandbox }) => defaults(sandbox)),
	'POST /coaching-agents/{}/set-default': ({ sandbox, record: agent }) => {
		makeDefault(sandbox, agent);
		return changed(agent);
	},
	'PUT /qa-agents/{}/skills': ({ sandbox, record: agent, body }) => {
		Object.assign(agent, withSkills(sandbox, { skills: body.skills ?? [] }));
		return shownQaAgent(agent);
	},
};

function shownQaAgent(agent) {
	const total = agent.skills.reduce((sum, { weight }) => sum + weight, 0);
	return { ...agent, total_weight: total, weights_balanced: total === 100 };
}

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

export const rules = {
	coaching_agents: {
		prepare: ({ sandbox }, { is_default = false, ...body }) => {
			if (!body.name) throw required('name');
			if (is_default) makeDefault(sandbox);
			return { ...FIRST_COACHING, is_default, ...body };
		},
		// Only another agent that becomes the default takes it away.
		revise: ({ sandbox }, agent, { is_default, ...body }) => {
			if (is_default) makeDefault(sandbox, agent);
			return { ...body, is_default: agent.is_default };
		},
	},
	qa_agents: {
		revise: ({ sandbox }, agent, body) => withSkills(sandbox, body),
		show: (context, agent) => shownQaAgent(agent),
	},
};
