import { choice, email, instant, locator, reference, text } from '../engine/fields';
import { dayWindow, clockHint, wrongOrder } from './dayWindow';
import { operation, resource, words } from '../engine/operation';
import { stateWord } from '../engine/text/text';

const days = dayWindow('requests');

export const appointmentRequest = resource({
	label: 'Appointment Request',
	value: 'appointmentRequest',
	path: { uuid: reference('searchAppointmentRequests') },
	description:
		'A booking that people approve or reject on the platform: no known endpoint does. Get Many shows its status.',
	defaultOperation: 'getAll',
	apiRequestNotice: 'Approve or reject appointment requests on the platform.',
	operations: {
		cancel: operation.action('POST /appointment-requests/{uuid}/cancel', {
			description: 'Cancel a request; the response shows its new state',
			// States that are not canceled (reference: appointment requests); the other ones are not shown.
			confirms: ({ status }) =>
				['approved', 'pending'].includes(stateWord(status)) ? false : undefined,
		}),
		create: operation.create('POST /appointment-requests', {
			description: 'Propose a booking, which a team member approves or rejects on the platform',
			body: {
				schedule_uuid: reference('searchSchedules', 'The schedule to book in'),
				title: text({ required: true, placeholder: 'e.g. Demo call with Anna' }),
				start_time: instant('Must be in the future', { required: true }),
				contact_uuid: locator(
					'searchContacts',
					"Who the appointment is with. If empty, 'Contact Name' and 'Contact Email' are required.",
					{ top: true },
				),
				contact_name: text('Name of the person to find or create as a contact', {
					top: true,
					placeholder: 'e.g. Anna',
				}),
				contact_email: email({ top: true }),
				contact_surname: text({ placeholder: 'e.g. Demir' }),
				contact_phone: text({
					placeholder: 'e.g. +14155550123',
				}),
				description: text({ rows: 2 }),
				end_time: instant("If empty, the schedule's usual duration applies"),
				notes: text({ rows: 2 }),
			},
			check: ({ body }) => {
				if (
					body.contact_uuid === undefined &&
					(body.contact_name === undefined || body.contact_email === undefined)
				) {
					return "Choose a contact in 'Contact', or enter both 'Contact Name' and 'Contact Email'";
				}
				return wrongOrder(body);
			},
		}),
		get: operation.get('GET /appointment-requests/{uuid}', {
			description: 'Read one request, with the appointment it led to',
			simplify: words(
				'uuid title status start_time end_time notes approval_note rejection_reason approved_at ' +
					'rejected_at',
			),
			hint: clockHint,
		}),
		getAll: operation.list('GET /appointment-requests', {
			pages: { unpaged: true, filters: days.filters },
			description: "List the workspace's appointment requests",
			query: {
				...days.query,
				status: choice(['approved', 'pending', 'rejected'], 'Only requests with this status'),
				schedule_uuid: locator('searchSchedules', 'Only requests for this schedule'),
			},
			simplify: words(
				'uuid title status start_time end_time notes schedule.name contact.name ' +
					'contact.phone_number created_at',
			),
			hint: clockHint,
		}),
	},
});
