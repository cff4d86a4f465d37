import { DateTime } from 'luxon';
import {
	agent,
	boolean,
	choice,
	converted,
	instant,
	integer,
	locator,
	phone,
	text,
	zone,
} from '../engine/fields';
import { operation, perPage, read, resource, searchList } from '../engine/operation';
import { comparable } from '../engine/phone/phone';
import { hasOffset } from '../engine/time';

/** Kinds of tasks that the list can be narrowed to; creating one takes others, too (reference: tasks; client). */
const taskTypes = [
	'appointment',
	'custom',
	'follow_up',
	'make_call',
	'notification',
	'send_email',
	'send_message',
	'survey',
	'webhook',
] as const;

/** A window of a minute around a time, because it is not shown whether the list's bounds include it. */
export const around = (time: unknown) => {
	// Without an offset the hours are counted as they are written, not in the zone of this n8n.
	const moment = DateTime.fromISO(String(time), { setZone: true, zone: 'utc' });
	const format = hasOffset(String(time)) ? "yyyy-MM-dd'T'HH:mm:ssZZ" : "yyyy-MM-dd'T'HH:mm:ss";
	return {
		scheduled_from: moment.minus({ minutes: 1 }).toFormat(format),
		scheduled_to: moment.plus({ minutes: 1 }).toFormat(format),
	};
};

const phoneOf = (contact: unknown): string | undefined => {
	const number = (contact as { phone_number?: unknown } | undefined)?.phone_number;
	return number === undefined ? undefined : comparable(number);
};

export const task = resource({
	label: 'Task',
	value: 'task',
	description: 'A single call or message at a chosen time',
	operations: {
		create: operation.create('POST /tasks', {
			name: 'Create',
			action: 'Create a task',
			description: 'Schedule one call or one template message',
			notice:
				"With 'Auto Queue' the platform carries the task out without being asked again, " +
				"which costs money. Turn on 'Preview' under Options to see the request without " +
				'sending it.',
			body: {
				title: text({
					required: true,
					description: 'What the task is called on the platform',
					placeholder: 'e.g. Remind Anna of her appointment',
				}),
				type: text({
					required: true,
					description: 'What happens: make_call calls, send_message sends a template',
					samples: [...taskTypes, 'call', 'message'],
					hint: 'For example: make_call, send_message',
					placeholder: 'e.g. make_call',
				}),
				agent_uuid: agent({ description: 'The agent that calls or writes' }),
				scheduled_at: instant({ required: true, description: 'When it happens; in the future' }),
				contact: {
					phone_number: phone({
						name: 'phoneNumber',
						displayName: 'Phone Number',
						top: true,
						description:
							'Whom to reach; a contact with this number is found or created. Leave it empty where ' +
							"'Contact' is chosen.",
					}),
				},
				auto_queue: boolean({
					top: true,
					description:
						'Whether the task is queued at once, to be carried out at its time without another request',
				}),
				contact_uuid: locator('searchContacts', {
					name: 'contact',
					displayName: 'Contact',
					description: "A contact of the workspace, instead of 'Phone Number'",
				}),
				description: text({ rows: 2 }),
				campaign_uuid: locator(null, {
					name: 'campaign',
					displayName: 'Campaign',
					description: 'ID of the campaign that the task belongs to',
				}),
				timezone: zone({ description: 'Time zone of the task' }),
				priority: integer({
					min: 1,
					max: 10,
					description: 'From 1 to 10; 5 unless said otherwise',
				}),
				expires_at: instant({ description: 'When the task is no longer of use' }),
				max_attempts: integer({
					default: 3,
					description: 'How often it is tried; 3 times unless said otherwise',
				}),
				task_data: converted(
					locator('searchWhatsappTemplates', {
						name: 'template',
						displayName: 'Template',
						description: 'The WhatsApp template that a task of type send_message sends',
					}),
					(template) => ({ message_type: 'whatsapp_template', template_uuid: template }),
				),
			},
			openBody: true,
			reaches: {
				at: ['contact.phone_number', 'contact.email'],
				contact: 'contact_uuid',
				words: ['task', 'tasks', 'created'],
			},
			check: ({ body }) => {
				if (body.contact_uuid !== undefined && body.contact !== undefined)
					return "Give 'Phone Number' or 'Contact', not both";
				if (body.contact_uuid === undefined && body.contact === undefined)
					return "Give 'Phone Number', or choose a contact in 'Contact' under Additional Fields";
				return undefined;
			},
			recover: searchList({
				when: (body) => body.auto_queue === true,
				in: read('GET /tasks'),
				inferredKey: true,
				pageSize: perPage,
				query: (body) => ({ agent_uuid: body.agent_uuid, ...around(body.scheduled_at) }),
				// The fields of a task are not shown (reference: tasks); what the list does not show cannot tell tasks apart.
				matches: (record, body) =>
					record.title === body.title &&
					(record.contact_uuid === undefined ||
						body.contact_uuid === undefined ||
						record.contact_uuid === body.contact_uuid) &&
					(phoneOf(record.contact) === undefined ||
						phoneOf(body.contact) === undefined ||
						phoneOf(record.contact) === phoneOf(body.contact)),
			}),
		}),
		getAll: operation.list('GET /tasks', {
			name: 'Get Many',
			action: 'Get many tasks',
			description: 'List the tasks of the workspace',
			query: {
				type: choice(taskTypes, { description: 'Only tasks of this kind' }),
				status: choice(
					[
						'cancelled',
						'completed',
						'expired',
						'failed',
						'in_progress',
						'on_hold',
						'pending',
						'queued',
						'scheduled',
					],
					{ description: 'Only tasks in this state' },
				),
				contact_uuid: locator('searchContacts', {
					name: 'contact',
					displayName: 'Contact',
					description: 'Only tasks for this contact',
				}),
				campaign_uuid: locator(null, {
					name: 'campaign',
					displayName: 'Campaign',
					description: 'Only tasks of this campaign',
				}),
				agent_uuid: agent({ required: undefined, description: 'Only tasks of this agent' }),
				priority: integer({ min: 1, max: 10, description: 'Only tasks of this priority' }),
				scheduled_from: instant({ description: 'Only tasks at this time or later' }),
				scheduled_to: instant({
					displayName: 'Scheduled To',
					description: 'Only tasks at this time or earlier',
				}),
			},
			pages: { pageSize: perPage },
		}),
	},
});
