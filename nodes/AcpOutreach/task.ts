import type { IDataObject } from 'n8n-workflow';
import { searchList, watchRecord } from './costlyWrites';
import { progressOf, stateOf, taskStates } from './taskState';
import { get } from 'lodash';
import { DateTime } from 'luxon';
import {
	agent,
	boolean,
	choice,
	converted,
	type Field,
	instant,
	integer,
	locator,
	phone,
	reference,
	text,
	zone,
} from '../engine/fields';
import {
	fromResponse,
	fromRequest,
	operation,
	perPage,
	read,
	resource,
	showsFields,
	words,
} from '../engine/operation';
import type { ErrorText } from '../engine/errors/errorText';
import { normalForm } from '../engine/people/contactPoints';
import { quoted } from '../engine/text/text';
import { hasOffset, zoneOf } from '../engine/time';

/** Types of tasks that the list can filter by; a new task may have others, too (reference: tasks; client). */
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

const simplify = words(
	'uuid title type status scheduled_at auto_queue agent_uuid contact_uuid campaign_uuid ' +
		'updated_at',
);

/** Ten o'clock beside a zone of the task's own is ten there, not where the workspace is. */
const inOwnZone = (field: Field<string>): Field<string> => ({
	...field,
	read: (source, name, displayName) => {
		const beside = source.get('timezone') ?? get(source.get('additionalFields'), 'timezone');
		const own = zoneOf(beside);
		return field.read(own?.type === 'iana' ? { ...source, zone: own } : source, name, displayName);
	},
});

/** A range of a minute around a time, because no source shows whether the list's bounds include it. */
export const around = (time: unknown) => {
	// Hours without an offset count as they are written, not in the zone of this n8n.
	const moment = DateTime.fromISO(String(time), { setZone: true, zone: 'utc' });
	const format = hasOffset(String(time)) ? "yyyy-MM-dd'T'HH:mm:ssZZ" : "yyyy-MM-dd'T'HH:mm:ss";
	return {
		scheduled_from: moment.minus({ minutes: 1 }).toFormat(format),
		scheduled_to: moment.plus({ minutes: 1 }).toFormat(format),
	};
};

const phoneOf = (contact: unknown): string | undefined => {
	const number = (contact as { phone_number?: unknown } | undefined)?.phone_number;
	return number === undefined ? undefined : normalForm(number);
};

/** Whether a task is for the recipient of a request; undefined if it does not show whom it is for. */
function isForRecipient(record: IDataObject, body: IDataObject): boolean | undefined {
	if (body.contact_uuid !== undefined)
		return record.contact_uuid === undefined
			? undefined
			: record.contact_uuid === body.contact_uuid;
	const [shown, wanted] = [phoneOf(record.contact), phoneOf(body.contact)];
	return shown === undefined || wanted === undefined ? undefined : shown === wanted;
}

const itsContact = read('GET /contacts/{uuid}', { uuid: fromResponse('contact_uuid') });
const itsTask = read('GET /tasks/{uuid}', { uuid: fromRequest('uuid') });

const isCanceled = (record: IDataObject): boolean | undefined =>
	stateOf(record) === '' ? undefined : progressOf(record) === 'canceled';

/** Why a task is not carried out whose status does not say whether it has been already. */
function withoutState(record: IDataObject): ErrorText | undefined {
	const state = stateOf(record);
	if (progressOf(record) !== 'unknown') return undefined;
	return {
		message: state
			? `The task has a status that this node does not know: ${quoted(record.status)}`
			: 'The platform does not show the status of the task',
		description:
			"It could run twice. Check the task on the platform. To run it nevertheless, use the resource 'Other Endpoint'.",
	};
}

/** Whether a task is carried out or has been; another state says nothing: a user may have cancelled it. */
const hasBegun = (record: IDataObject): boolean =>
	['queued', 'in_progress', 'completed'].includes(stateOf(record));

/** An operation that has a task carried out. @param refused why not in a state in which it could happen twice */
const carriesOut = (
	isDone: (record: IDataObject) => boolean,
	refused: (state: string) => ErrorText,
) => ({
	notice:
		"This calls or messages someone and costs money. If the task may be running already, the node refuses. 'Preview' under Options sends nothing.",
	confirms: (record: IDataObject) => hasBegun(record) || undefined,
	recover: watchRecord({
		in: itsTask,
		refuses: (record) =>
			isDone(record) ? refused(stateOf(record).replace('_', ' ')) : withoutState(record),
		shows: hasBegun,
	}),
	simplify,
});

export const task = resource({
	label: 'Task',
	value: 'task',
	path: { uuid: reference('searchTasks') },
	description: 'A single call or message at a chosen time',
	operations: {
		cancel: operation.action('POST /tasks/{uuid}/cancel', {
			description:
				'Cancel a task that has not run yet; what happens to a call in progress is not known',
			confirms: isCanceled,
			recover: watchRecord({
				in: itsTask,
				shows: (record) => isCanceled(record) === true,
			}),
			simplify,
		}),
		create: operation.create('POST /tasks', {
			description:
				'Schedule a single call or template message. For your own words, use a Wait node before SMS, WhatsApp & Email (ACP).',
			notice:
				"With 'Run Automatically', the platform runs the task without another step, which costs money. 'Preview' under Options sends nothing.",
			body: {
				title: text("The task's name on the platform", {
					required: true,
					placeholder: 'e.g. Remind Anna of her appointment',
				}),
				type: text('What the task does: make_call calls, send_message sends a template', {
					required: true,
					samples: [...taskTypes, 'call', 'message'],
					dropdown: true,
				}),
				agent_uuid: agent('The agent that calls or sends the message'),
				scheduled_at: inOwnZone(
					instant('When to run the task; must be in the future', {
						required: true,
						hint: "In the task's 'Timezone' or, without it, the node's; $now keeps the workflow's",
					}),
				),
				contact: {
					phone_number: phone(
						"The number to reach; its contact is found or created. Leave empty if you choose 'Contact'.",
						{ name: 'phoneNumber', top: true },
					),
				},
				auto_queue: boolean('Whether to run the task at its scheduled time without another step', {
					top: true,
					displayName: 'Run Automatically',
				}),
				contact_uuid: locator('searchContacts', "An existing contact, instead of 'Phone Number'"),
				description: text({ rows: 2 }),
				campaign_uuid: locator('searchCampaigns', 'The campaign that the task belongs to'),
				timezone: zone("The contact's; times of the task without an offset are in it", {
					decides: true,
					ianaOnly: true,
				}),
				priority: integer('From 1 to 10; defaults to 5', { min: 1, max: 10 }),
				expires_at: inOwnZone(instant('When the task becomes obsolete')),
				max_attempts: integer('Defaults to 3, for who does not answer', {
					default: 3,
				}),
				task_data: converted(
					locator(
						'searchWhatsappTemplates',
						'The WhatsApp template for a task of type send_message',
						{ name: 'template' },
					),
					(template) => ({ message_type: 'whatsapp_template', template_uuid: template }),
				),
			},
			openBody: true,
			reaches: {
				at: ['contact.phone_number', 'contact.email', 'contact_uuid'],
				words: ['task', 'tasks', 'created'],
			},
			check: ({ body }) => {
				if (body.contact_uuid !== undefined && body.contact !== undefined)
					return "Enter 'Phone Number' or choose 'Contact', not both";
				if (body.contact_uuid === undefined && body.contact === undefined)
					return "Enter 'Phone Number', or choose a contact in 'Contact' under Additional Fields";
				return undefined;
			},
			hint: (_, __, { type, task_data: data }) =>
				type === 'send_message' && data === undefined
					? "The task names no template to send. Choose one in 'Template' under Additional Fields."
					: undefined,
			recover: searchList({
				when: (body) => body.auto_queue === true,
				in: read('GET /tasks'),
				inferredKey: true,
				pageSize: perPage,
				query: (body) => ({ agent_uuid: body.agent_uuid, ...around(body.scheduled_at) }),
				name: ({ title }) => title,
				// The fields of a task are not shown (reference: tasks); unknown fields cannot tell tasks apart.
				matches: (record, body, ask) => {
					const told = record.title === body.title && isForRecipient(record, body);
					if (told !== undefined || !ask) return told;
					return ask(itsContact).then(
						(contact) => contact && isForRecipient({ ...record, contact }, body),
					);
				},
			}),
		}),
		delete: operation.remove('DELETE /tasks/{uuid}', {
			description: 'Delete a task permanently; to keep it on record, cancel it instead',
		}),
		get: operation.get('GET /tasks/{uuid}', {
			description: 'Read one task with its status',
			simplify,
		}),
		getAll: operation.list('GET /tasks', {
			description: "List the workspace's tasks",
			query: {
				type: choice(taskTypes, 'Only tasks of this type'),
				status: choice(taskStates, 'Only tasks with this status'),
				contact_uuid: locator('searchContacts', 'Only tasks for this contact'),
				campaign_uuid: locator('searchCampaigns', "Only this campaign's tasks"),
				agent_uuid: locator('searchAgents', "Only this agent's tasks"),
				priority: integer('Only tasks with this priority', { min: 1, max: 10 }),
				scheduled_from: instant('Only tasks scheduled for this time or later'),
				scheduled_to: instant('Only tasks scheduled for this time or earlier', {
					displayName: 'Scheduled To',
				}),
			},
			pages: { pageSize: perPage },
		}),
		queue: operation.action('POST /tasks/{uuid}/queue', {
			action: 'Run a task now',
			description: 'Run a task that has not started',
			...carriesOut(hasBegun, (state) => ({
				message: `The task is already ${state}`,
				description:
					'It was not queued, because it would run twice. To reach the contact again, create another task.',
			})),
		}),
		retry: operation.action('POST /tasks/{uuid}/retry', {
			action: 'Retry a failed task',
			description: 'Run a failed task again',
			...carriesOut(
				(record) => hasBegun(record) || progressOf(record) === 'ahead',
				(state) => ({
					message: `The task has not failed: it is ${state}`,
					description: 'It was not retried, because it could run twice. Retry is for failed tasks.',
				}),
			),
		}),
		update: operation.update('PUT /tasks/{uuid}', {
			description: 'Change a task that has not run yet; only the fields you fill in are sent',
			notice: "With 'Run Automatically', the platform may run the task, which costs money.",
			body: {
				title: text(),
				description: text({ rows: 2 }),
				status: text('Which statuses can be set is not known', {
					samples: taskStates,
					dropdown: true,
				}),
				priority: integer('From 1 to 10', { min: 1, max: 10 }),
				scheduled_at: instant('When to run the task'),
				auto_queue: boolean('Whether to run the task at its scheduled time without another step', {
					displayName: 'Run Automatically',
				}),
			},
			openBody: true,
			recover: watchRecord({
				when: (body) => body.auto_queue === true,
				in: itsTask,
				changes: true,
				shows: (record, body) => showsFields(record, body) === true,
			}),
			simplify,
		}),
	},
});
