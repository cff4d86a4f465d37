import { blacklisted } from '../support/steps.mjs';

/** Two requests that were approved and one that nobody has decided. @returns {Promise<string[]>} their ids */
async function requests({ sandbox }) {
	const [schedule] = await sandbox.control('GET /state/schedules');
	const ids = [];
	for (const [status, phone, person] of [
		['approved', '+12125550401', 'Ada'],
		['approved', '+12125550402', 'Ben'],
		['pending', '+12125550403', 'Cem'],
	]) {
		const { body } = await sandbox.api('POST /appointment-requests', {
			schedule_uuid: schedule.uuid,
			title: `Visit of ${person}`,
			start_time: '2099-05-01T10:00:00+03:00',
			contact_name: person,
			contact_email: `${person.toLowerCase()}@example.com`,
			contact_phone: phone,
		});
		ids.push(body.data.uuid);
		await sandbox.control(`PATCH /state/appointment_requests/${body.data.uuid}`, { status });
	}
	return ids;
}

const eventIdOf = (request) => request.replaceAll('-', '');

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Every 15 Minutes': {
			ends: 'Put It into the Calendar',
			sends: {
				'Look into the Calendar': [{ eventId: /^0c9b8a7d\w+$/ }, { eventId: /^2e4d6c8b\w+$/ }],
				'Put It into the Calendar': [
					{
						start: '2026-05-04T10:00:00+03:00',
						additionalFields: { id: /^0c9b8a7d\w+$/, summary: 'Visit of Ada' },
					},
				],
			},
		},
		'Event Deleted': {
			ends: 'Tell the Contact',
			shows: { 'Cancel the Request': [{ title: 'Visit of Ben', status: 'cancelled' }] },
		},
	},
	live: {
		'two were approved, one of them is in the calendar already': {
			from: 'Every 15 Minutes',
			async arrange(live) {
				const [ada] = await requests(live);
				const missing = { error: 'The resource you are requesting could not be found' };
				const listed = (await live.sandbox.api('GET /appointment-requests?status=approved')).body
					.data;
				return {
					'Look into the Calendar': listed.map(({ uuid }) =>
						uuid === ada ? missing : { id: eventIdOf(uuid), status: 'confirmed' },
					),
				};
			},
			ends: 'Put It into the Calendar',
			created: {
				'/sms/send': [
					{
						phoneNumber: '+12125550401',
						message: /^Hello Ada, your appointment is confirmed: 1 May, 10:00\.$/,
					},
				],
			},
			sends: {
				'Put It into the Calendar': [
					{
						start: /^2099-05-01T10:00:00/,
						end: /^2099-05-01T11:00:00/,
						additionalFields: {
							id: /^[0-9a-f]{32}$/,
							summary: 'Visit of Ada',
							description: 'Ada, +12125550401',
						},
					},
				],
			},
		},
		'a contact on the blacklist gets an appointment, and no message': {
			from: 'Every 15 Minutes',
			async arrange(live) {
				await requests(live);
				await blacklisted('+12125550401')(live);
				const listed = (await live.sandbox.api('GET /appointment-requests?status=approved')).body
					.data;
				return {
					'Look into the Calendar': listed.map(({ title, uuid }) =>
						title === 'Visit of Ada' ? { error: 'Not found' } : { id: eventIdOf(uuid) },
					),
				};
			},
			ends: 'Put It into the Calendar',
			shows: { Confirm: [{ phone_number: '+12125550401', reason: 'blacklisted' }] },
			sends: { 'Put It into the Calendar': [{ additionalFields: { summary: 'Visit of Ada' } }] },
		},
		'an event is deleted in the calendar': {
			from: 'Event Deleted',
			async arrange(live) {
				const [, ben] = await requests(live);
				return { 'Event Deleted': [{ id: eventIdOf(ben), status: 'cancelled' }] };
			},
			ends: 'Tell the Contact',
			created: {
				'/sms/send': [
					{
						phoneNumber: '+12125550402',
						message: /^Hello Ben, .* cancel your appointment on 1 May, 10:00\./,
					},
				],
			},
			again: { ends: 'Of a Deleted Event' },
		},
	},
};
