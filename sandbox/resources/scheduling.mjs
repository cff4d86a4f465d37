import { IANAZone } from 'luxon';
import { changed, matching } from '../answers.mjs';
import { invalid } from '../errors.mjs';
import { inZone, Instant } from '../zone.mjs';
import { addContact, contactOf } from './contacts.mjs';

const HOUR = 3_600_000;
const UTC = IANAZone.create('UTC');

const scheduleOf = (sandbox, uuid) => sandbox.store.need('schedules', uuid, 'Schedule');

function checkOrder({ start_time, end_time }) {
	if (start_time !== undefined && end_time !== undefined && end_time.ms <= start_time.ms)
		throw invalid('end_time', 'The field end_time must lie after start_time.');
}

/** Whom a request is for: a known contact, or one made from the details (reference: appointment requests). */
function contactOfRequest(sandbox, body) {
	if (body.contact_uuid !== undefined) return contactOf(sandbox, body.contact_uuid);
	for (const name of ['contact_name', 'contact_email'])
		if (!body[name])
			throw invalid(name, `The field ${name} is required when contact_uuid is absent.`);
	return addContact(sandbox, {
		name: body.contact_name,
		surname: body.contact_surname ?? '',
		email: body.contact_email,
		phone_number: body.contact_phone ?? '',
	});
}

export const scheduling = {
	'POST /appointments/{}/status': ({ sandbox, params: [uuid], body }) => {
		const appointment = sandbox.store.need('appointments', uuid, 'Appointment');
		if (!body.status) throw invalid('status', 'The field status is required.');
		Object.assign(appointment, { status: body.status, updated_at: Instant.now() });
		return changed(appointment, uuid, 'Appointment updated.');
	},
	'POST /appointment-requests/{}/cancel': ({ sandbox, params: [uuid] }) => {
		const request = sandbox.store.need('appointment_requests', uuid, 'Appointment request');
		Object.assign(request, { status: 'cancelled', updated_at: Instant.now() });
		const { schedule_uuid, ...shown } = request;
		return changed(shown, uuid, 'Appointment request cancelled.');
	},
};

/**
 * Whether an appointment begins on the days that a list is asked for. What is compared, in which zone, and whether the
 * last day counts is not shown; the manner `calendarDays` chooses.
 */
function onDays({ start_time: start }, { query, zone, sandbox }) {
	const manner = sandbox.settings.manners.calendarDays;
	const first = query.start_date?.slice(0, 10);
	const last = query.end_date?.slice(0, 10);
	const day = inZone(start.ms, manner === 'utc' ? UTC : zone.zone).slice(0, 10);
	return (
		(first === undefined || day >= first) &&
		(last === undefined || (manner === 'until' ? day < last : day <= last))
	);
}

export const schedulingHooks = {
	appointments: {
		thing: 'Appointment',
		prepare: ({ sandbox }, body) => {
			scheduleOf(sandbox, body.schedule_uuid);
			if (body.contact_uuid !== undefined) contactOf(sandbox, body.contact_uuid);
			checkOrder(body);
			return { status: 'approved', ...body };
		},
		where: (context) => (appointment) =>
			matching(context.query, ['schedule_uuid', 'contact_uuid', 'status'])(appointment) &&
			onDays(appointment, context),
		revise: (context, record, body) => {
			checkOrder({ ...record, ...body });
			return body;
		},
	},
	appointment_requests: {
		thing: 'Appointment request',
		prepare: ({ sandbox }, body) => {
			const schedule = scheduleOf(sandbox, body.schedule_uuid);
			if (body.start_time.ms <= Date.now())
				throw invalid('start_time', 'The field start_time must be in the future.');
			const contact = contactOfRequest(sandbox, body);
			const {
				schedule_uuid,
				contact_uuid,
				contact_name,
				contact_surname,
				contact_email,
				contact_phone,
				...fields
			} = body;
			const times = {
				start_time: body.start_time,
				end_time: body.end_time ?? new Instant(body.start_time.ms + HOUR),
			};
			checkOrder(times);
			return {
				...fields,
				...times,
				id: sandbox.store.collection('appointment_requests').size + 1,
				status: 'pending',
				appointment: null,
				schedule_uuid,
				schedule: { id: schedule.id, name: schedule.name },
				contact: {
					id: 1,
					uuid: contact.uuid,
					name: contact.name,
					surname: contact.surname,
					email: contact.email,
					phone_number: contact.phone_number,
				},
			};
		},
		where:
			({ query, zone }) =>
			(request) => {
				const day = inZone(request.start_time.ms, zone.zone).slice(0, 10);
				return (
					matching(query, ['status', 'schedule_uuid'])(request) &&
					(query.start_date === undefined || day >= query.start_date) &&
					(query.end_date === undefined || day <= query.end_date)
				);
			},
	},
	schedules: {
		thing: 'Schedule',
		prepare: ({ sandbox }, body) => ({
			id: sandbox.store.collection('schedules').size + 1,
			type: 'appointment',
			...body,
		}),
		where: ({ query }) => matching(query, ['availability_type_uuid']),
	},
};
