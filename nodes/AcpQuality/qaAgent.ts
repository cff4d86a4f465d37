import { boolean, integer, list, reference, text, uuid } from '../engine/fields';
import { operation, resource, type Schema, type Shape, words } from '../engine/operation';

const simplify = words(
	'uuid name description evaluates_agent_type is_active is_default language total_weight ' +
		'weights_balanced updated_at',
);

const skill = {
	name: text({ placeholder: 'e.g. Greeting' }),
	description: text({ rows: 2 }),
	weight: integer('Share of the total; the weights of all skills should add up to 100', {
		top: true,
	}),
	ai_evaluation_prompt: text('How to judge this skill', { rows: 3 }),
	max_score: integer('The best possible score', { default: '', placeholder: 'e.g. 10' }),
	is_custom: boolean('Whether the skill is your own'),
	positive_items: list(
		'Positive Item',
		{ name: text(), points: integer({ top: true }) },
		{ description: 'What earns points' },
	),
	penalty_items: list(
		'Penalty Item',
		{
			name: text(),
			penalty_points: integer('Points to deduct, as a negative number', {
				top: true,
				max: -1,
				default: -1,
			}),
			is_auto_fail: boolean('Whether this alone makes the conversation fail'),
		},
		{ description: 'What costs points' },
	),
	uuid: uuid('ID of an existing skill; leave empty for a new one', { displayName: 'Skill ID' }),
} satisfies Shape<Schema<'QaSkillWrite'>>;

const fields = {
	auto_fail_threshold: integer({ default: '', placeholder: 'e.g. 3' }),
	automatic_scoring: boolean('Whether to score conversations automatically', { default: true }),
	compliance_checking: boolean('Whether to check compliance', { default: true }),
	confidence_threshold: integer({ default: '', placeholder: 'e.g. 85' }),
	custom_instructions: text({ rows: 4 }),
	description: text({ rows: 2 }),
	evaluates_agent_type: text('Whose conversations to score', { samples: ['human'] }),
	evaluation_model: text({ samples: ['advanced'] }),
	is_active: boolean('Whether the QA agent is in use', { default: true }),
	is_default: boolean('Whether this is the default QA agent', { default: true }),
	language: text('English name of the language', { placeholder: 'e.g. English' }),
	name: text(),
	sentiment_analysis: boolean('Whether to analyze sentiment', { default: true }),
	skills: list('Skill', skill, {
		description:
			"The scorecard's skills. It is not known whether this list replaces the current one; Replace Skills certainly does.",
	}),
	strictness_level: integer({ default: '', placeholder: 'e.g. 70' }),
} satisfies Shape<Schema<'QaAgentWrite'>>;

export const qaAgent = resource({
	label: 'QA Agent',
	value: 'qaAgent',
	path: {
		uuid: reference(null, {
			name: 'qaAgent',
			hint: 'Copy the ID from its page on the platform',
		}),
	},
	description: 'Agents that score conversations with a scorecard of skills',
	operations: {
		get: operation.get('GET /qa-agents/{uuid}', {
			description: "Read one QA agent. Turn off 'Simplify' to include its skills.",
			simplify,
		}),
		replaceSkills: operation.update('PUT /qa-agents/{uuid}/skills', {
			action: 'Replace the skills of a QA agent',
			description: 'Replace the whole scorecard with these skills; all others are removed',
			body: {
				skills: list('Skill', skill, {
					orBodyJson: true,
					description: 'The whole scorecard. The weights should add up to 100.',
				}),
			},
			openBody: true,
		}),
		update: operation.update('PUT /qa-agents/{uuid}', {
			description: 'Change a QA agent; only the fields you fill in are sent',
			body: fields,
			openBody: true,
		}),
	},
});
