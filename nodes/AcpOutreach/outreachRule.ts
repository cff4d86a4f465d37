import { boolean, choice, integer, reference, text, timeOfDay } from '../engine/fields';
import { operation, perPage, resource, words } from '../engine/operation';

const typeOfRule = 'What the rule is for; a rule for texts has one attempt and no end time';

/** Fields of a rule beside name and type (reference: campaigns). */
const about = {
	max_calls_per_day: integer("Days are counted in the contact's time zone", {
		min: 1,
		displayName: 'Max Attempts per Contact per Day',
	}),
	max_total_calls: integer("Counted over the campaign's dates", {
		min: 1,
		displayName: 'Max Attempts per Contact',
	}),
	retry_interval_minutes: integer('For calls, not for texts', {
		nullable: true,
		min: 1,
		displayName: 'Minutes Between Attempts',
	}),
	start_time: timeOfDay("Earliest time to reach contacts, in the contact's time zone", {
		withSeconds: false,
	}),
	end_time: timeOfDay("Latest time to call, in the contact's time zone. Not for texts.", {
		nullable: true,
		withSeconds: false,
		placeholder: 'e.g. 18:00',
	}),
	dnc_check: boolean('Whether to skip contacts who do not want to be called', {
		displayName: 'Do-Not-Call Check',
		default: true,
	}),
	remove_on_opt_out: boolean('Whether to remove contacts who opt out', {
		displayName: 'Remove on Opt-Out',
		default: true,
	}),
	escalation_after_failed_attempts: integer(
		'Escalates after this many failed attempts; 0 turns this off',
		{ min: 0, displayName: 'Escalation After Attempts' },
	),
	escalation_type: text('Type of the escalation; not documented', { maxLength: 255 }),
	escalation_target: text('Target of the escalation; not documented'),
};

const simplify = words(
	'uuid name type max_calls_per_day max_total_calls retry_interval_minutes start_time ' +
		'end_time created_at updated_at',
);

export const outreachRule = resource({
	label: 'Outreach Rule',
	value: 'outreachRule',
	path: { uuid: reference('searchOutreachRules', { name: 'rule' }) },
	description: 'When and how often contacts of listings and campaigns are reached',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /rules', {
			description:
				'Set when and how often contacts are reached; listings and campaigns refer to the rule',
			body: {
				name: text({
					required: true,
					minLength: 3,
					maxLength: 255,
					placeholder: 'e.g. Office hours, three calls a day',
				}),
				type: choice(['call', 'text'], typeOfRule, { top: true, default: 'call' }),
				...about,
			},
		}),
		get: operation.get('GET /rules/{uuid}', {
			description: 'Read one rule',
			simplify,
		}),
		getAll: operation.list('GET /rules', {
			description: "List the workspace's rules",
			query: {
				type: choice(['call', 'text'], 'Only rules for calls or for texts'),
			},
			pages: { pageSize: perPage },
			simplify,
		}),
		update: operation.update('PUT /rules/{uuid}', {
			description: 'Change a rule; tasks already scheduled stay unchanged',
			body: {
				name: text({ minLength: 3, maxLength: 255 }),
				type: choice(['call', 'text'], typeOfRule),
				...about,
			},
		}),
	},
});
