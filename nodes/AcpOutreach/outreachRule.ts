import { boolean, choice, integer, locator, text, timeOfDay } from '../engine/fields';
import { operation, perPage, resource } from '../engine/operation';

const ruleField = locator('searchOutreachRules', {
	name: 'rule',
	displayName: 'Rule',
	required: true,
	description: 'The rule in the workspace',
});

const kind = {
	displayName: 'Type',
	description:
		'Whether the rule is for calls or for texts; a rule for texts holds one attempt and no end time',
};

/** What a rule says beside name and type (reference: campaigns). */
const about = {
	max_calls_per_day: integer({
		min: 1,
		description: "Most attempts per contact and day, in the contact's time zone",
	}),
	max_total_calls: integer({
		min: 1,
		description: "Most attempts per contact over the campaign's dates",
	}),
	retry_interval_minutes: integer({
		nullable: true,
		min: 1,
		description: 'Minutes between two calls; not for texts',
	}),
	start_time: timeOfDay({
		withSeconds: false,
		description: "Time of day from which contacts are reached, in the contact's time zone",
	}),
	end_time: timeOfDay({
		nullable: true,
		withSeconds: false,
		placeholder: 'e.g. 18:00',
		description:
			"Time of day until which contacts are called, in the contact's time zone; not for texts",
	}),
	dnc_check: boolean({
		displayName: 'Do-Not-Call Check',
		default: true,
		description: 'Whether contacts who do not want to be called are left out',
	}),
	remove_on_opt_out: boolean({
		default: true,
		description: 'Whether contacts who opt out are removed',
	}),
	escalation_after_failed_attempts: integer({
		min: 0,
		displayName: 'Escalation After Attempts',
		description:
			'After how many attempts without success the contact is passed on; 0 switches it off',
	}),
	escalation_type: text({ maxLength: 255, description: 'How the contact is passed on' }),
	escalation_target: text({ description: 'To whom the contact is passed on' }),
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
			name: 'Create',
			action: 'Create an outreach rule',
			description:
				'Say when and how often contacts are reached; listings and campaigns refer to the rule',
			body: {
				name: text({
					required: true,
					minLength: 3,
					maxLength: 255,
					placeholder: 'e.g. Office hours, three calls a day',
				}),
				type: choice(['call', 'text'], { ...kind, top: true, default: 'call' }),
				...about,
			},
		}),
		get: operation.get('GET /rules/{uuid}', {
			name: 'Get',
			action: 'Get an outreach rule',
			description: 'Read one rule',
			path: { uuid: ruleField },
			simplify,
		}),
		getAll: operation.list('GET /rules', {
			name: 'Get Many',
			action: 'Get many outreach rules',
			description: 'List the rules of the workspace',
			query: {
				type: choice(['call', 'text'], { description: 'Only rules for calls, or for texts' }),
			},
			pages: { pageSize: perPage },
			simplify,
		}),
		update: operation.update('PUT /rules/{uuid}', {
			name: 'Update',
			action: 'Update an outreach rule',
			description: 'Change a rule; tasks that are scheduled already stay as they are',
			path: { uuid: ruleField },
			body: {
				name: text({ minLength: 3, maxLength: 255 }),
				type: choice(['call', 'text'], kind),
				...about,
			},
		}),
	},
});
