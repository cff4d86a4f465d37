import { choice, date, email, instant, locator, text } from '../engine/fields';
import { wrongOrder } from './times';
import { operation, resource } from '../engine/operation';

const requestField = (description: string) =>
	locator('searchAppointmentRequests', {
		name: 'appointmentRequest',
		displayName: 'Appointment Request',
		required: true,
		description,
	});

export const appointmentRequest = resource({
	label: 'Appointment Request',
	value: 'appointmentRequest',
	description: 'A booking that somebody has yet to approve',
	defaultOperation: 'getAll',
	apiRequestNotice:
		'Approving and rejecting an appointment request is done on the platform, or here: this ' +
		"package knows no endpoint for it yet; take method and path from your workspace's API documentation.",
	operations: {
		cancel: operation.action('POST /appointment-requests/{uuid}/cancel', {
			name: 'Cancel',
			action: 'Cancel an appointment request',
			description: 'Withdraw a request; the answer shows it as it is then',
			path: { uuid: requestField('The request to withdraw') },
		}),
		create: operation.create('POST /appointment-requests', {
			name: 'Create',
			action: 'Create an appointment request',
			description: 'Propose a booking; somebody approves or rejects it on the platform',
			body: {
				schedule_uuid: locator('searchSchedules', {
					name: 'schedule',
					displayName: 'Schedule',
					required: true,
					description: 'The schedule to book in',
				}),
				title: text({ required: true, placeholder: 'e.g. Demo call with Anna' }),
				start_time: instant({ required: true, description: 'When it begins; in the future' }),
				contact_uuid: locator('searchContacts', {
					name: 'contact',
					displayName: 'Contact',
					top: true,
					description:
						"Whom the appointment is with. Where nobody is chosen, 'Contact Name' and 'Contact Email' are needed.",
				}),
				contact_name: text({
					top: true,
					description: 'Name of somebody who is found or created as a contact',
					placeholder: 'e.g. Anna',
				}),
				contact_email: email({ top: true, description: 'Email address of that person' }),
				contact_surname: text({ placeholder: 'e.g. Demir' }),
				contact_phone: text({
					description: 'Phone number of that person',
					placeholder: 'e.g. +14155550123',
				}),
				description: text({ rows: 2 }),
				end_time: instant({
					description: "When it ends; else the schedule's usual duration counts",
				}),
				notes: text({ rows: 2, description: 'Notes about the request' }),
			},
			check: ({ body }) => {
				if (
					body.contact_uuid === undefined &&
					(body.contact_name === undefined || body.contact_email === undefined)
				) {
					return "Choose a contact in 'Contact', or give both 'Contact Name' and 'Contact Email'";
				}
				return wrongOrder(body);
			},
		}),
		get: operation.get('GET /appointment-requests/{uuid}', {
			name: 'Get',
			action: 'Get an appointment request',
			description: 'Read one request, with the appointment that came of it',
			path: { uuid: requestField('The request in the workspace') },
			simplify: [
				'uuid',
				'title',
				'status',
				'start_time',
				'end_time',
				'notes',
				'approval_note',
				'rejection_reason',
				'approved_at',
				'rejected_at',
			],
		}),
		getAll: operation.list('GET /appointment-requests', {
			name: 'Get Many',
			action: 'Get many appointment requests',
			description: 'List the requests of the workspace',
			query: {
				status: choice(['approved', 'pending', 'rejected'], {
					description: 'Only requests in this state',
				}),
				schedule_uuid: locator('searchSchedules', {
					name: 'schedule',
					displayName: 'Schedule',
					description: 'Only requests for this schedule',
				}),
				start_date: date({ description: 'Only requests on this day or later' }),
				end_date: date({ description: 'Only requests on this day or earlier' }),
			},
			simplify: [
				'uuid',
				'title',
				'status',
				'start_time',
				'end_time',
				'notes',
				'schedule.name',
				'contact.name',
				'contact.phone_number',
				'created_at',
			],
		}),
	},
});
