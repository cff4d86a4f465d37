/** Cal.com's stand-in: of its public API v2, what is free and a booking, refused as Cal.com's own code refuses them. */
import { createServer } from 'node:http';
import { DateTime } from 'luxon';
import { listening } from '../../../tools/ports.mjs';

const hour = 3_600_000;
const isInstant = (text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(text));

/** One event type, open around the clock. @returns {Promise<string>} its URL */
export async function startCalCom() {
	const booked = [];

	const endpoints = {
		'GET /v2/slots 2024-09-04'({ eventTypeId, start, end, timeZone = 'UTC' }) {
			if (!(Number(eventTypeId) > 0) || !isInstant(start) || !isInstant(end)) return [400, {}];
			const data = {};
			for (let at = Date.parse(start); at <= Date.parse(end); at += hour) {
				const shown = DateTime.fromMillis(at, { zone: timeZone }).toISO();
				if (!booked.includes(at)) (data[shown?.slice(0, 10) ?? ''] ??= []).push({ start: shown });
			}
			return [200, { data, status: 'success' }];
		},
		'POST /v2/bookings 2024-08-13'(_, { eventTypeId, start, attendee }) {
			const { name, email, phoneNumber = '+1', timeZone } = attendee;
			const isPerson = name && /^\S+@\S+$/.test(email) && /^\+\d+$/.test(phoneNumber);
			const isWhole = Number.isInteger(eventTypeId) && isInstant(start) && timeZone && isPerson;
			if (!isWhole || booked.includes(Date.parse(start))) return [400, { status: 'error' }];
			booked.push(Date.parse(start));
			const data = { uid: 'bk1', status: 'accepted', start, eventTypeId, attendees: [attendee] };
			return [201, { status: 'success', data }];
		},
	};
	const server = createServer(async (request, response) => {
		let text = '';
		for await (const chunk of request) text += chunk;
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
		const asked = `${request.method} ${pathname} ${request.headers['cal-api-version']}`;
		const answer = endpoints[asked] ?? (() => [404]);
		const [status, body] = answer(Object.fromEntries(searchParams), text && JSON.parse(text));
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	});
	return await listening(server.unref());
}
