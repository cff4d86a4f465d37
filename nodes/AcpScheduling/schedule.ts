import { boolean, list, locator, text, texts } from '../engine/fields';
import { operation, resource, type Schema } from '../engine/operation';

type Question = NonNullable<Schema<'ScheduleUpdate'>['custom_questions']>[number];

const scheduleField = (description: string) =>
	locator('searchSchedules', {
		name: 'schedule',
		displayName: 'Schedule',
		required: true,
		description,
	});

/** No list of availability types is known. */
const availabilityType = (description: string, required?: true) =>
	locator(null, {
		name: 'availabilityType',
		displayName: 'Availability Type',
		description,
		...(required ? { required } : {}),
	});

export const schedule = resource({
	label: 'Schedule',
	value: 'schedule',
	description: 'A calendar that appointments are booked in',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /schedules', {
			name: 'Create',
			action: 'Create a schedule',
			description: 'Make a calendar that appointments are booked in',
			body: {
				name: text({ required: true, placeholder: 'e.g. Demo calls' }),
				availability_type_uuid: availabilityType(
					'ID of the availability type, which holds opening times and the usual duration; Get Many ' +
						'shows those of other schedules',
					true,
				),
			},
		}),
		get: operation.get('GET /schedules/{uuid}', {
			name: 'Get',
			action: 'Get a schedule',
			description: 'Read one schedule',
			path: { uuid: scheduleField('The schedule to read') },
		}),
		getAll: operation.list('GET /schedules', {
			name: 'Get Many',
			action: 'Get many schedules',
			description: 'List the schedules of the workspace',
			query: {
				availability_type_uuid: availabilityType('Only schedules of this availability type'),
			},
		}),
		update: operation.update('PUT /schedules/{uuid}', {
			name: 'Update',
			action: 'Update a schedule',
			description: 'Change a schedule; only the fields that are given change',
			path: { uuid: scheduleField('The schedule to change') },
			body: {
				name: text(),
				type: text({ samples: ['appointment'] }),
				color: text({ description: 'Color of the schedule on the platform' }),
				availability_type_uuid: availabilityType(
					'ID of the availability type, which holds the usual duration',
				),
				ai_agents: texts({
					displayName: 'AI Agents',
					description: 'AI agents that book in the schedule',
				}),
				human_agents: texts({ description: 'People who take the appointments' }),
				custom_questions: list<Question>(
					{
						entry: 'Question',
						description: 'What is asked while booking; the list may replace the one that is there',
					},
					{
						name: text({ required: true, placeholder: 'e.g. Company' }),
						type: text({
							description: 'Kind of answer; text unless said otherwise',
							samples: ['text'],
						}),
						required: boolean({ description: 'Whether an answer is needed' }),
						description: text({ description: 'What the question is about' }),
					},
				),
			},
		}),
	},
});
