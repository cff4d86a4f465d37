import { upperFirst } from 'lodash';
import {
	boolean,
	integer,
	json,
	lines,
	list,
	locator,
	text,
	texts,
	type FieldOptions,
} from '../engine/fields';
import type { Schema, Shape } from '../engine/operation';

/** What an agent knows and its rules: written with the whole agent, or one by one (interface §2.4, §2.6, §2.7). */

const otherAgent = (description?: string) =>
	locator('searchAgents', { name: 'destinationAgent', description });

const intent = locator('searchAgentIntents', { name: 'intent' });

const order = integer('From 0');

export const guideline: Shape<Schema<'GuidelineWrite'>> = {
	content: text("One short do or don't", {
		required: true,
		rows: 3,
		placeholder: 'e.g. Never promise a delivery date',
	}),
	order,
};

export const note: Shape<Schema<'NoteWrite'>> = {
	content: text('One fact', {
		required: true,
		rows: 4,
		placeholder: 'e.g. The shop is open from 9:00 to 18:00',
	}),
	order,
};

export const procedureSteps = list<Schema<'ProcedureStep'>>(
	'Step',
	{
		description: text({
			rows: 2,
			placeholder: 'e.g. Ask for the order number',
		}),
		intent_uuid: intent,
		order: integer('From 1'),
	},
	{ description: 'What to do, in order' },
);

/** @param at options of the fields that a procedure usually needs */
export const procedureFields = (
	at: Pick<FieldOptions, 'top'> = {},
): Shape<Schema<'ProcedureWrite'>> => ({
	name: text({ ...at, placeholder: 'e.g. Order status' }),
	description: text('When the procedure applies', {
		...at,
		rows: 2,
		placeholder: 'e.g. The customer asks where an order is',
	}),
	steps: procedureSteps,
});

export const trainingItem: Shape<Schema<'TrainingItemWrite'>> = {
	content: text({
		required: true,
		rows: 2,
		displayName: 'Question',
		placeholder: 'e.g. Do you deliver on Sundays?',
	}),
	response: text('The ideal answer', { rows: 3, placeholder: 'e.g. Yes, from 10:00 to 14:00' }),
	intent: text('Your own key for what the customer wants', { placeholder: 'e.g. delivery_times' }),
};

/** @param at options of the fields that a rule usually needs */
export const routingRule = (
	at: Pick<FieldOptions, 'top'> = {},
): Shape<Schema<'RoutingRuleWrite'>> => ({
	department_name: text({ ...at, placeholder: 'e.g. Sales' }),
	detection_mode: text({
		clearable: false,
		samples: ['exact', 'intent', 'both'],
	}),
	trigger_keyword: text("Required if 'Detection Mode' is exact or both", {
		...at,
		placeholder: 'e.g. sales',
	}),
	ai_prompt: text("Required if 'Detection Mode' is intent or both", {
		...at,
		rows: 3,
		placeholder: 'e.g. The caller wants to buy something',
	}),
	phrases: lines('What callers say, three to five phrases'),
	destination_type: text({ samples: ['extension', 'agent'] }),
	destination: text('Extension or phone number', {
		...at,
		placeholder: 'e.g. 101',
	}),
	destination_agent_uuid: otherAgent(),
	transfer_type: text({ samples: ['transfer_call'] }),
	transfer_config: json(),
	voice_response: text('What the agent says', { rows: 2 }),
	voice_on_error: text({
		rows: 2,
		displayName: 'Voice on Failed Transfer',
	}),
	voice_on_success: text({
		rows: 2,
		displayName: 'Voice on Successful Transfer',
	}),
	priority: integer('The lowest is checked first'),
	is_active: boolean({ displayName: 'Active' }),
});

/** @param at options of the fields that a rule usually needs */
export const guardRule = (at: Pick<FieldOptions, 'top' | 'required'> = {}) =>
	({
		when_condition: text('The situation', {
			...at,
			rows: 3,
			placeholder: 'e.g. The customer threatens legal action',
		}),
		then_action: text({
			clearable: false,
			...at,
			samples: ['forward', 'end_conversation'],
		}),
		name: text(),
		example_phrases: lines('What customers say, three to five phrases'),
		selected_channels: texts({
			// The platform accepts a new rule with an empty list (interface §2.7). In a change, an empty list would clear the
			// old one.
			...(at.required ? { keepsEmpty: true } : {}),
			samples: ['phone', 'instagram', 'whatsapp', 'facebook_messenger'],
			description: 'Phone if empty',
		}),
		say_before_forwarding: text({ rows: 2 }),
		say_before_end: text({ rows: 2 }),
		destination_type: text("May be required if 'Then Action' is forward", {
			samples: ['extension', 'agent'],
		}),
		destination: text('Extension or phone number', { placeholder: 'e.g. 101' }),
		destination_agent_uuid: otherAgent("Required if 'Destination Type' is agent"),
		is_active: boolean({ displayName: 'Active' }),
		is_default: boolean({ displayName: 'Default' }),
	}) satisfies Shape<Schema<'GuardRuleWrite'>>;

/** What an operation says that replaces all of something that an agent has. @param named the same in short */
export const replacingAll = (what: string, named = what) => ({
	description: `Replace all ${what} with this list; ${named} not in it are deleted`,
	notice: `The list below replaces all ${what}. ${upperFirst(named)} not in it are deleted.`,
	openBody: true as const,
});

/** A list that replaces all that the agent has. @param entry "Guard Rule" */
export const replacing = <T>(entry: string, row: Shape<NoInfer<T>>) =>
	list<T>(entry, row, {
		orBodyJson: true,
		description: "To remove all, leave it empty and set it to [] in 'Body (JSON)'",
	});
