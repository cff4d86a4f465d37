import type { IDataObject } from 'n8n-workflow';
import { instant, json, locator, reference, text } from '../engine/fields';
import { stateWord } from '../engine/text/text';
import { dayWindow, clockHint, wrongOrder } from './dayWindow';
import { operation, resource, words } from '../engine/operation';

const statuses = ['approved', 'pending', 'cancelled'];

const days = dayWindow('appointments');

const ordered = ({ body }: { body: IDataObject }): string | undefined => wrongOrder(body);

const simplify = words(
	'uuid title status start_time end_time description notes schedule_uuid contact_uuid ' +
		'created_at',
);

export const appointment = resource({
	label: 'Appointment',
	value: 'appointment',
	path: { uuid: reference('searchAppointments') },
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /appointments', {
			description:
				'Book an appointment in a schedule. No operation here lists free slots: read taken times with Get Many.',
			body: {
				schedule_uuid: reference('searchSchedules', 'The schedule to book in'),
				title: text({ required: true, placeholder: 'e.g. Demo call with Anna' }),
				start_time: instant({ required: true }),
				end_time: instant({ required: true }),
				contact_uuid: locator('searchContacts', 'Who the appointment is with'),
				description: text({ rows: 2 }),
				status: text({ samples: statuses, dropdown: true }),
				notes: text({ rows: 2 }),
				custom_answers: json("Answers to the schedule's custom questions"),
			},
			check: ordered,
		}),
		delete: operation.remove('DELETE /appointments/{uuid}', {
			description:
				'Delete an appointment; to keep it on record, set its status to cancelled instead',
		}),
		get: operation.get('GET /appointments/{uuid}', {
			description: "Read one appointment, with times in the workspace's time zone",
			simplify,
			hint: clockHint,
		}),
		getAll: operation.list('GET /appointments', {
			description: "List appointments, for example today's, in the workspace's time zone",
			query: {
				...days.query,
				contact_uuid: locator('searchContacts', 'Only appointments with this contact'),
				schedule_uuid: locator('searchSchedules', 'Only appointments in this schedule'),
				status: text('Only appointments with this status', { samples: statuses, dropdown: true }),
			},
			pages: { unpaged: true, filters: days.filters },
			simplify,
			hint: clockHint,
		}),
		setStatus: operation.action('POST /appointments/{uuid}/status', {
			description: 'Approve or cancel an appointment',
			body: {
				status: text({
					required: true,
					samples: statuses,
					dropdown: true,
				}),
			},
			// No source shows all statuses, so an unknown one may be what was asked for.
			confirms: ({ status: shown }, { status }) =>
				stateWord(shown) === stateWord(status) ||
				(statuses.includes(stateWord(shown)) ? false : undefined),
		}),
		update: operation.update('PUT /appointments/{uuid}', {
			description: 'Change an appointment; only the fields you fill in are sent',
			body: {
				title: text(),
				description: text('What the appointment is about', { rows: 2 }),
				start_time: instant(),
				end_time: instant(),
				status: text({ samples: statuses, dropdown: true }),
				notes: text({ rows: 2 }),
			},
			openBody: true,
			check: ordered,
		}),
	},
});
