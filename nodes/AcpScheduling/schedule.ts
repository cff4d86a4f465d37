import { boolean, list, locator, reference, text, texts } from '../engine/fields';
import { operation, resource, type Schema } from '../engine/operation';

type Question = NonNullable<Schema<'ScheduleUpdate'>['custom_questions']>[number];

/** No known endpoint lists availability types. */
const availabilityType = (description: string, required?: true) =>
	locator(null, { name: 'availabilityType', description, ...(required ? { required } : {}) });

export const schedule = resource({
	label: 'Schedule',
	value: 'schedule',
	path: { uuid: reference('searchSchedules') },
	unsupported: ['Availability Types'],
	description:
		'A calendar for appointments. Reading or setting its days, hours and free slots is not supported yet.',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /schedules', {
			description: 'Create a calendar that appointments are booked in',
			body: {
				name: text({ required: true, placeholder: 'e.g. Demo calls' }),
				availability_type_uuid: availabilityType(
					"ID of the type, which sets the usual duration. 'Get Many' shows those in use.",
					true,
				),
			},
		}),
		get: operation.get('GET /schedules/{uuid}', {
			description: 'Read one schedule',
		}),
		getAll: operation.list('GET /schedules', {
			pages: { unpaged: true },
			description: "List the workspace's schedules",
			query: {
				availability_type_uuid: availabilityType('Only schedules with this availability type'),
			},
		}),
		update: operation.update('PUT /schedules/{uuid}', {
			description: 'Change a schedule; only the fields you fill in are sent',
			body: {
				name: text(),
				type: text({ samples: ['appointment'] }),
				color: text('Color of the schedule on the platform'),
				availability_type_uuid: availabilityType(
					'ID of the availability type, which sets the usual duration',
				),
				ai_agents: texts('AI agents that book appointments in this schedule'),
				human_agents: texts('Team members who take the appointments'),
				custom_questions: list<Question>(
					'Question',
					{
						name: text({ placeholder: 'e.g. Company' }),
						type: text('Type of answer; defaults to text', { samples: ['text'] }),
						required: boolean('Whether an answer is required'),
						description: text('What the question is about'),
					},
					{ description: 'What to ask when booking; this list may replace the current one' },
				),
			},
			openBody: true,
		}),
	},
});
