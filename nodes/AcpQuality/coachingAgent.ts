import { boolean, choice, list, locator, number, text, url } from '../engine/fields';
import { operation, resource, type Schema, type Shape } from '../engine/operation';

const coachingAgentField = locator(null, {
	name: 'coachingAgent',
	displayName: 'Coaching Agent',
	required: true,
	hint:
		'This package knows no list of coaching agents yet; the ID comes with the answer that ' +
		'created it, or from its page on the platform',
});

/** Fields that create and update share (reference: coaching-agents). */
const fields = {
	auto_trigger_threshold: number({
		min: 0,
		max: 100,
		default: 70,
		description: 'Advice is written when a score falls below this percentage',
	}),
	coaching_frequency: choice(
		[{ name: 'Immediate', value: 'immediate', description: 'After each evaluation' }],
		{ description: 'When advice is written' },
	),
	coaching_templates: list(
		{
			entry: 'Template',
			description: 'Patterns for advice. The list replaces the one that is there.',
		},
		{
			name: text(),
			scenario: text({ description: 'When the template fits' }),
			template: text({ rows: 3 }),
			tone: text({ samples: ['supportive', 'direct'] }),
			is_custom: boolean({ description: 'Whether the template is your own' }),
		},
	),
	coaching_tone: text({
		maxLength: 100,
		samples: ['supportive', 'direct', 'constructive', 'motivational'],
		description: 'How advice sounds',
	}),
	description: text({ rows: 2 }),
	general_guidelines: text({ rows: 4, description: 'What advice should keep to' }),
	include_actionable_steps: boolean({
		default: true,
		description: 'Whether advice names next steps',
	}),
	include_positive_feedback: boolean({
		default: true,
		description: 'Whether advice names what went well',
	}),
	include_resources: boolean({
		default: true,
		description: 'Whether advice points to the resource library',
	}),
	is_active: boolean({ default: true, description: 'Whether the coaching agent works' }),
	language: text({
		maxLength: 50,
		description: 'English name of the language that advice is written in',
		placeholder: 'e.g. English',
	}),
	resource_library: list(
		{
			entry: 'Resource',
			description: 'What people can learn from. The list replaces the one that is there.',
		},
		{
			title: text(),
			description: text({ rows: 2 }),
			topics: text({ hint: 'Separate several with commas' }),
			type: text({ samples: ['video'] }),
			url: url({ displayName: 'URL' }),
		},
	),
	training_examples: list(
		{
			entry: 'Example',
			description: 'What advice looks like. The list replaces the one that is there.',
		},
		{
			issue: text({ rows: 2, description: 'What went wrong' }),
			coaching: text({ rows: 2, description: 'The advice for it' }),
		},
	),
} satisfies Shape<Omit<Schema<'CoachingAgentWrite'>, 'name' | 'is_default'>>;

export const coachingAgent = resource({
	label: 'Coaching Agent',
	value: 'coachingAgent',
	description: 'Agents that write advice for people whose conversations were rated low',
	operations: {
		create: operation.create('POST /coaching-agents', {
			name: 'Create',
			action: 'Create a coaching agent',
			description: 'Where templates and examples are left out, the platform adds sample ones',
			body: {
				name: text({ required: true, maxLength: 255, placeholder: 'e.g. Sales coach' }),
				...fields,
				is_default: boolean({
					displayName: 'Is Default',
					description: 'Whether this becomes the default coaching agent instead of the present one',
				}),
			},
		}),
		setDefault: operation.action('POST /coaching-agents/{uuid}/set-default', {
			name: 'Set as Default',
			action: 'Make a coaching agent the default',
			description: 'The coaching agent that was the default until now no longer is',
			path: { uuid: coachingAgentField },
			body: {},
		}),
		update: operation.update('PATCH /coaching-agents/{uuid}', {
			name: 'Update',
			action: 'Update a coaching agent',
			description:
				'Change the fields that are filled in; templates, examples and resources each replace the whole list',
			path: { uuid: coachingAgentField },
			body: {
				...fields,
				is_default: boolean({
					displayName: 'Is Default',
					default: true,
					description:
						'Whether this becomes the default; it ends only when another coaching agent is made the default',
				}),
				name: text({ maxLength: 255 }),
			},
			check: ({ body }) =>
				body.is_default === false
					? "'Is Default' cannot be switched off. Make another coaching agent the default " +
						'instead, with the operation Set as Default'
					: undefined,
		}),
	},
});
