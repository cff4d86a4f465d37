import { boolean, integer, list, locator, text, uuid } from '../engine/fields';
import { operation, resource, type Schema, type Shape } from '../engine/operation';

const qaAgentField = locator(null, {
	name: 'qaAgent',
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
	name: text({ placeholder: 'e.g. Greeting' }),
	description: text({ rows: 2 }),
	weight: integer({
		top: true,
		description: 'Share of the total; the weights of all skills should add up to 100',
	}),
	ai_evaluation_prompt: text({
		rows: 3,
		description: 'How to judge this skill',
	}),
	max_score: integer({
		description: 'The best possible score',
		default: '',
		placeholder: 'e.g. 10',
	}),
	is_custom: boolean({ description: 'Whether the skill is your own' }),
	positive_items: list(
		{ entry: 'Positive Item', description: 'What earns points' },
		{ name: text(), points: integer({ top: true }) },
	),
	penalty_items: list(
		{ entry: 'Penalty Item', description: 'What costs points' },
		{
			name: text(),
			penalty_points: integer({
				top: true,
				description: 'Points to deduct, as a negative number',
				max: -1,
				default: -1,
			}),
			is_auto_fail: boolean({
				description: 'Whether this alone makes the conversation fail',
			}),
		},
	),
	uuid: uuid({
		displayName: 'Skill ID',
		description: 'ID of an existing skill; leave empty for a new one',
	}),
} satisfies Shape<Schema<'QaSkillWrite'>>;

const fields = {
	auto_fail_threshold: integer({ default: '', placeholder: 'e.g. 3' }),
	automatic_scoring: boolean({
		default: true,
		description: 'Whether to score conversations automatically',
	}),
	compliance_checking: boolean({ default: true, description: 'Whether to check compliance' }),
	confidence_threshold: integer({ default: '', placeholder: 'e.g. 85' }),
	custom_instructions: text({ rows: 4 }),
	description: text({ rows: 2 }),
	evaluates_agent_type: text({ samples: ['human'], description: 'Whose conversations to score' }),
	evaluation_model: text({ samples: ['advanced'] }),
	is_active: boolean({ default: true, description: 'Whether the QA agent is in use' }),
	is_default: boolean({ default: true, description: 'Whether this is the default QA agent' }),
	language: text({ description: 'English name of the language', placeholder: 'e.g. English' }),
	name: text(),
	sentiment_analysis: boolean({ default: true, description: 'Whether to analyze sentiment' }),
	skills: list(
		{
			entry: 'Skill',
			description:
				"The scorecard's skills. It is not known whether this list replaces the " +
				'current one; Replace Skills certainly does.',
		},
		skill,
	),
	strictness_level: integer({ default: '', placeholder: 'e.g. 70' }),
} satisfies Shape<Schema<'QaAgentWrite'>>;

export const qaAgent = resource({
	label: 'QA Agent',
	value: 'qaAgent',
	description: 'Agents that score conversations with a scorecard of skills',
	operations: {
		get: operation.get('GET /qa-agents/{uuid}', {
			description: "Read one QA agent. Turn off 'Simplify' to include its skills.",
			path: { uuid: qaAgentField },
			simplify,
		}),
		replaceSkills: operation.update('PUT /qa-agents/{uuid}/skills', {
			action: 'Replace the skills of a QA agent',
			description: 'Replace the whole scorecard with these skills; all others are removed',
			path: { uuid: qaAgentField },
			body: {
				skills: list(
					{
						entry: 'Skill',
						required: true,
						description: 'The whole scorecard. The weights should add up to 100.',
					},
					skill,
				),
			},
		}),
		update: operation.update('PUT /qa-agents/{uuid}', {
			description: 'Change a QA agent; only the fields you fill in are sent',
			path: { uuid: qaAgentField },
			body: fields,
		}),
	},
});
