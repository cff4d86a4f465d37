import { IANAZone } from 'luxon';
import { changed } from '../answers.mjs';
import { invalid, required } from '../errors.mjs';
import { change } from '../store.mjs';
import { inZone, Instant } from '../zone.mjs';
import { addContact } from './contacts.mjs';

const HOUR = 3_600_000;
const UTC = IANAZone.create('UTC');

function checkOrder({ start_time, end_time }) {
	if (start_time !== undefined && end_time !== undefined && end_time.ms <= start_time.ms)
		throw invalid('end_time', 'The field end_time must lie after start_time.');
}

/** Whom a request is for: a known contact, or one made from the details (reference: appointment requests). */
function contactOfRequest(sandbox, body) {
	if (body.contact_uuid !== undefined) return sandbox.store.need('contacts', body.contact_uuid);
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

export const handlers = {
	'POST /appointments/{}/status': ({ record: appointment, body: { status } }) => {
		if (!status) throw required('status');
		return changed(change(appointment, { status }));
	},
	'POST /appointment-requests/{}/cancel': ({ record: request }) =>
		changed(change(request, { status: 'cancelled' })),
};

/**
 * Whether an appointment begins on the days that a list is asked for. What is compared, in which zone, and whether the
 * last day counts is not shown; the manner `calendarDays` chooses.
 */
const onDays =
	({ query, zone, sandbox }) =>
	({ start_time: start }) => {
		const manner = sandbox.settings.manners.calendarDays;
		const first = query.start_date?.slice(0, 10) ?? '';
		const last = query.end_date?.slice(0, 10) ?? '9999';
		const day = inZone(start.ms, manner === 'utc' ? UTC : zone.zone).slice(0, 10);
		return day >= first && (manner === 'until' ? day < last : day <= last);
	};

export const rules = {
	appointments: {
		prepare: ({ sandbox }, body) => {
			sandbox.store.need('schedules', body.schedule_uuid);
			if (body.contact_uuid !== undefined) sandbox.store.need('contacts', body.contact_uuid);
			checkOrder(body);
			return { status: 'approved', ...body };
		},
		where: onDays,
		revise: (context, record, body) => {
			checkOrder({ ...record, ...body });
			return body;
		},
	},
	appointment_requests: {
		prepare: ({ sandbox }, body) => {
			const { start_time } = body;
			const schedule = sandbox.store.need('schedules', body.schedule_uuid);
			if (start_time.ms <= Date.now())
				throw invalid('start_time', 'The field start_time must be in the future.');
			const contact = contactOfRequest(sandbox, body);
			const { end_time = new Instant(start_time.ms + HOUR) } = body;
			checkOrder({ start_time, end_time });
			return {
				...body,
				end_time,
				id: sandbox.store.all('appointment_requests').length + 1,
				status: 'pending',
				appointment: null,
				schedule,
				contact: { id: 1, ...contact },
			};
		},
		where: onDays,
	},
	schedules: {
		prepare: ({ sandbox }, body) => ({
			id: sandbox.store.all('schedules').length + 1,
			type: 'appointment',
			...body,
		}),
	},
};
