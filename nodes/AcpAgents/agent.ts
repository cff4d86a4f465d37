import {
	agent as agentField,
	boolean,
	choice,
	collection,
	spread,
	text,
	url,
	zone,
	type FieldOptions,
} from '../engine/fields';
import {
	appointments,
	guardRules,
	guidelines,
	notes,
	procedures,
	routingRules,
	scheduleAssignments,
	textSettings,
	training,
	voiceSettings,
} from './agentFields';
import {
	guessedFilter,
	hasValue,
	hasWords,
	operation,
	perPage,
	resource,
	words,
} from '../engine/operation';

/** States of an agent (interface §3). */
export const agentStatuses = ['completed', 'in_progress', 'paused', 'pending', 'ready'] as const;

const simplify = words(
	'agent_uuid name description company_name role status language timezone created_at ' +
		'updated_at',
);

/** @param at options of the fields that the platform advises to fill in for every agent (reference: agents) */
const identity = (at: Pick<FieldOptions, 'top'> = {}) => ({
	role: text('Who the agent acts as', {
		...at,
		rows: 2,
		placeholder: 'e.g. Receptionist at a dental practice',
	}),
	objective: text("The agent's goal", {
		...at,
		rows: 2,
		placeholder: 'e.g. Answer questions and book appointments',
	}),
	tone: text('How the agent speaks', { ...at, placeholder: 'e.g. Warm and brief' }),
	behavior_guidelines: text('How to behave in general', { ...at, rows: 3 }),
	language: text('Language code', { placeholder: 'e.g. en' }),
	appointment_scheduling_enabled: boolean(),
	appointment_scheduling_randomly: boolean(),
	company_name: text('Used when the agent introduces itself'),
	company_service: text({ rows: 2 }),
	custom_llm_url: url({
		placeholder: 'e.g. https://llm.example.com/v1',
	}),
	custom_prompt: text({ rows: 5 }),
	description: text('Note for your team; the agent does not read it', { rows: 2 }),
	interest_of_product: text('Undocumented', { rows: 2 }),
	length_detail: text('Length of replies', { placeholder: 'e.g. Two sentences at most' }),
	negative_response: text('How to respond to hostile customers', { rows: 2 }),
	speed: text({ samples: ['normal', 'fast'] }),
	status: choice(agentStatuses),
	timezone: zone({ ianaOnly: true }),
	topic: text(),
});

/** The same for Create and Update, so that the node describes each group once. */
const groups = {
	settings: { voice: voiceSettings, text: textSettings },
	appointments,
	knowledge: spread(collection({ top: true }, { guidelines, notes, procedures, training })),
	rules: spread(
		collection({ top: true }, { routing_rules: routingRules, guard_rules: guardRules }),
	),
};

export const agent = resource({
	label: 'Agent',
	value: 'agent',
	path: { uuid: agentField() },
	unsupported: ['Language'],
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /agents', {
			description:
				"Create an agent. To copy one, use 'Get' without 'Simplify' and enter its JSON in 'Body (JSON)'; intents, webhooks, numbers, channels and tables stay behind.",
			body: {
				name: text('Greets callers if no greeting is set', {
					required: true,
					placeholder: 'e.g. Mia',
				}),
				...identity({ top: true }),
				...groups,
			},
		}),
		get: operation.get('GET /agents/{uuid}', {
			description: "Read one agent; its settings, knowledge and rules come with 'Simplify' off",
			simplify,
		}),
		getAll: operation.list('GET /agents', {
			description: 'List the agents in the workspace',
			pages: {
				pageSize: perPage,
				filters: {
					search: guessedFilter(
						text('Text to search for in name, company and role', { placeholder: 'e.g. reception' }),
						hasWords('name', 'company_name', 'role'),
					),
					status: guessedFilter(
						choice(agentStatuses, 'Only agents with this status'),
						hasValue('status'),
					),
				},
			},
			simplify,
		}),
		replaceAppointments: operation.update('PUT /agents/{uuid}/appointments', {
			action: 'Replace the appointment settings of an agent',
			description:
				'Set whether an agent books appointments and into which schedules; replaces its previous settings',
			body: {
				enabled: boolean('Whether the agent books appointments', { top: true }),
				random_assignment: boolean('Whether to assign at random; not documented', { top: true }),
				schedule_assignments: scheduleAssignments({
					orBodyJson: true,
					description:
						"To remove all, leave it empty and set schedule_assignments to [] in 'Body (JSON)'",
				}),
			},
			openBody: true,
		}),
		update: operation.update('PATCH /agents/{uuid}', {
			description:
				'Change an agent; only the fields you fill in are sent. Lists replace existing ones; Agent Knowledge (ACP) adds to them.',
			body: {
				name: text({ placeholder: 'e.g. Mia' }),
				...identity(),
				...groups,
			},
			hint: (_, __, { settings, appointments: booking }) =>
				settings === undefined && booking === undefined
					? undefined
					: "A group that you changed ('Voice Settings', 'Text Settings', 'Appointments') may have been replaced as a whole: no source shows it. Check the agent.",
		}),
	},
});
