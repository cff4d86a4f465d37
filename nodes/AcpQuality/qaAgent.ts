import { boolean, integer, list, locator, text, uuid } from '../engine/fields';
import { operation, resource, type Schema, type Shape } from '../engine/operation';

const qaAgentField = locator(null, {
	name: 'qaAgent',
	displayName: 'QA Agent',
	required: true,
	hint: 'This package knows no list of QA agents yet; take the ID from its page on the platform',
});

const simplify = [
	'uuid',
	'name',
	'description',
	'evaluates_agent_type',
	'is_active',
	'is_default',
	'language',
	'total_weight',
	'weights_balanced',
	'updated_at',
];

const skill = {
	name: text({ required: true, placeholder: 'e.g. Greeting' }),
	description: text({ rows: 2 }),
	weight: integer({
		top: true,
		description: 'Share of the whole; the weights of all skills should make 100',
	}),
	ai_evaluation_prompt: text({
		displayName: 'AI Evaluation Prompt',
		rows: 3,
		description: 'How to judge this skill',
	}),
	max_score: integer({ description: 'The best score', default: 10 }),
	is_custom: boolean({ description: 'Whether the skill is your own' }),
	positive_items: list(
		{ entry: 'Positive Item', description: 'What earns points' },
		{ name: text({ required: true }), points: integer({ top: true }) },
	),
	penalty_items: list(
		{ entry: 'Penalty Item', description: 'What costs points' },
		{
			name: text({ required: true }),
			penalty_points: integer({
				top: true,
				description: 'Points that are taken off, below zero',
				max: -1,
				default: -1,
			}),
			is_auto_fail: boolean({
				description: 'Whether this alone decides that the conversation was not passed',
			}),
		},
	),
	uuid: uuid({
		displayName: 'Skill ID',
		description: 'Names a skill that is there already; leave it empty for a new one',
	}),
} satisfies Shape<Schema<'QaSkillWrite'>>;

const fields = {
	auto_fail_threshold: integer({ default: 3 }),
	automatic_scoring: boolean({
		default: true,
		description: 'Whether conversations are scored without being asked',
	}),
	compliance_checking: boolean({ default: true, description: 'Whether compliance is checked' }),
	confidence_threshold: integer({ default: 85 }),
	custom_instructions: text({ rows: 4 }),
	description: text({ rows: 2 }),
	evaluates_agent_type: text({ samples: ['human'], description: 'Whose conversations are scored' }),
	evaluation_model: text({ samples: ['advanced'] }),
	is_active: boolean({ default: true, description: 'Whether the QA agent works' }),
	is_default: boolean({ default: true, description: 'Whether this is the default QA agent' }),
	language: text({ description: 'English name of a language', placeholder: 'e.g. English' }),
	name: text(),
	sentiment_analysis: boolean({ default: true, description: 'Whether sentiment is analysed' }),
	skills: list(
		{
			entry: 'Skill',
			description:
				'The skills of the scorecard; this package does not know whether the list replaces the ' +
				'present one, Replace Skills does so for certain',
		},
		skill,
	),
	strictness_level: integer({ default: 70 }),
} satisfies Shape<Schema<'QaAgentWrite'>>;

export const qaAgent = resource({
	label: 'QA Agent',
	value: 'qaAgent',
	description: 'Agents that score conversations by a scorecard of skills',
	operations: {
		get: operation.get('GET /qa-agents/{uuid}', {
			name: 'Get',
			action: 'Get a QA agent',
			description: 'Read one QA agent; its skills are there without Simplify',
			path: { uuid: qaAgentField },
			simplify,
		}),
		replaceSkills: operation.update('PUT /qa-agents/{uuid}/skills', {
			name: 'Replace Skills',
			action: 'Replace the skills of a QA agent',
			description: 'The skills given here become the whole scorecard; all others are removed',
			path: { uuid: qaAgentField },
			body: {
				skills: list(
					{
						entry: 'Skill',
						required: true,
						description: 'The whole scorecard. The weights should make 100 together.',
					},
					skill,
				),
			},
		}),
		update: operation.update('PUT /qa-agents/{uuid}', {
			name: 'Update',
			action: 'Update a QA agent',
			description: 'Change the fields that are filled in',
			path: { uuid: qaAgentField },
			body: fields,
		}),
	},
});
