import { boolean, choice, integer, locator, text, timeOfDay } from '../engine/fields';
import { operation, perPage, resource } from '../engine/operation';

const ruleField = locator('searchOutreachRules', {
	name: 'rule',
	required: true,
});

const typeOfRule = {
	displayName: 'Type',
	description: 'What the rule is for; a rule for texts has one attempt and no end time',
};

/** Fields of a rule beside name and type (reference: campaigns). */
const about = {
	max_calls_per_day: integer({
		min: 1,
		displayName: 'Max Attempts per Contact per Day',
		description: "Days are counted in the contact's time zone",
	}),
	max_total_calls: integer({
		min: 1,
		displayName: 'Max Attempts per Contact',
		description: "Counted over the campaign's dates",
	}),
	retry_interval_minutes: integer({
		nullable: true,
		min: 1,
		displayName: 'Minutes Between Attempts',
		description: 'For calls, not for texts',
	}),
	start_time: timeOfDay({
		withSeconds: false,
		description: "Earliest time of day to reach contacts, in the contact's time zone",
	}),
	end_time: timeOfDay({
		nullable: true,
		withSeconds: false,
		placeholder: 'e.g. 18:00',
		description: "Latest time of day to call contacts, in the contact's time zone; not for texts",
	}),
	dnc_check: boolean({
		displayName: 'Do-Not-Call Check',
		default: true,
		description: 'Whether to skip contacts who do not want to be called',
	}),
	remove_on_opt_out: boolean({
		displayName: 'Remove on Opt-Out',
		default: true,
		description: 'Whether to remove contacts who opt out',
	}),
	escalation_after_failed_attempts: integer({
		min: 0,
		displayName: 'Escalation After Attempts',
		description: 'Escalates after this many failed attempts; 0 turns this off',
	}),
	escalation_type: text({
		maxLength: 255,
		description: 'Type of the escalation; not documented',
	}),
	escalation_target: text({
		description: 'Target of the escalation; not documented',
	}),
};

const simplify = [
	'uuid',
	'name',
	'type',
	'max_calls_per_day',
	'max_total_calls',
	'retry_interval_minutes',
	'start_time',
	'end_time',
	'created_at',
	'updated_at',
];

export const outreachRule = resource({
	label: 'Outreach Rule',
	value: 'outreachRule',
	description: 'When and how often contacts of listings and campaigns are reached',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /rules', {
			description:
				'Set when and how often contacts are reached; listings and campaigns refer to ' +
				'the rule',
			body: {
				name: text({
					required: true,
					minLength: 3,
					maxLength: 255,
					placeholder: 'e.g. Office hours, three calls a day',
				}),
				type: choice(['call', 'text'], { ...typeOfRule, top: true, default: 'call' }),
				...about,
			},
		}),
		get: operation.get('GET /rules/{uuid}', {
			description: 'Read one rule',
			path: { uuid: ruleField },
			simplify,
		}),
		getAll: operation.list('GET /rules', {
			description: "List the workspace's rules",
			query: {
				type: choice(['call', 'text'], { description: 'Only rules for calls or for texts' }),
			},
			pages: { pageSize: perPage },
			simplify,
		}),
		update: operation.update('PUT /rules/{uuid}', {
			description: 'Change a rule; tasks already scheduled stay unchanged',
			path: { uuid: ruleField },
			body: {
				name: text({ minLength: 3, maxLength: 255 }),
				type: choice(['call', 'text'], typeOfRule),
				...about,
			},
		}),
	},
});
