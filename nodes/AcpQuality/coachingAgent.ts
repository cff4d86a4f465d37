import { boolean, choice, list, number, reference, text, url } from '../engine/fields';
import { operation, resource, type Schema, type Shape } from '../engine/operation';

/** Fields that create and update share (reference: coaching-agents). */
const fields = {
	auto_trigger_threshold: number('Writes advice when a score falls below this percentage', {
		min: 0,
		max: 100,
		default: '',
		placeholder: 'e.g. 70',
	}),
	coaching_frequency: choice(
		[{ name: 'Immediate', value: 'immediate', description: 'After each evaluation' }],
		'When to write advice',
	),
	coaching_templates: list(
		'Template',
		{
			name: text(),
			scenario: text('When to use the template'),
			template: text({ rows: 3 }),
			tone: text({ samples: ['supportive', 'direct'] }),
			is_custom: boolean('Whether the template is your own'),
		},
		{ description: 'Templates for advice. This list replaces the current one.' },
	),
	coaching_tone: text({
		maxLength: 100,
		samples: ['supportive', 'direct', 'constructive', 'motivational'],
	}),
	description: text({ rows: 2 }),
	general_guidelines: text('Guidelines for all advice', { rows: 4 }),
	include_actionable_steps: boolean('Whether advice includes next steps', { default: true }),
	include_positive_feedback: boolean('Whether advice mentions what went well', { default: true }),
	include_resources: boolean('Whether advice refers to the resource library', { default: true }),
	is_active: boolean('Whether the coaching agent is in use', { default: true }),
	language: text('English name of the language to write advice in', {
		maxLength: 50,
		placeholder: 'e.g. English',
	}),
	resource_library: list(
		'Resource',
		{
			title: text(),
			description: text({ rows: 2 }),
			topics: text({ hint: 'Separate multiple topics with commas' }),
			type: text({ samples: ['video'] }),
			url: url(),
		},
		{ description: 'Learning material for team members. This list replaces the current one.' },
	),
	training_examples: list(
		'Example',
		{
			issue: text('What went wrong', { rows: 2 }),
			coaching: text('The advice for it', { rows: 2 }),
		},
		{ description: 'Sample advice. This list replaces the current one.' },
	),
} satisfies Shape<Omit<Schema<'CoachingAgentWrite'>, 'name' | 'is_default'>>;

export const coachingAgent = resource({
	label: 'Coaching Agent',
	value: 'coachingAgent',
	path: {
		uuid: reference(null, {
			name: 'coachingAgent',
			hint: "Copy the ID from the response to 'Create', or from its page on the platform",
		}),
	},
	description: 'Agents that write advice for team members whose conversations were rated low',
	operations: {
		create: operation.create('POST /coaching-agents', {
			description:
				'Create a coaching agent. If you add no templates and examples, the platform adds sample ones.',
			body: {
				name: text({ required: true, maxLength: 255, placeholder: 'e.g. Sales coach' }),
				...fields,
				is_default: boolean('Whether this replaces the current default coaching agent'),
			},
		}),
		setDefault: operation.action('POST /coaching-agents/{uuid}/set-default', {
			name: 'Set as Default',
			action: 'Make a coaching agent the default',
			description: 'Make a coaching agent the default; it replaces the current one',
		}),
		update: operation.update('PATCH /coaching-agents/{uuid}', {
			description:
				'Change only the fields you fill in. Templates, examples and resources each replace the whole list.',
			body: {
				...fields,
				is_default: boolean(
					'Whether this becomes the default; it stays the default until another coaching agent replaces it',
					{ default: true },
				),
				name: text({ maxLength: 255 }),
			},
			openBody: true,
			check: ({ body }) =>
				body.is_default === false
					? "'Is Default' cannot be turned off. Make another coaching agent the default instead, with the operation Set as Default"
					: undefined,
		}),
	},
});
