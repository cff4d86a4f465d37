import { whatsappAnswers } from '../support/steps.mjs';

/** One visit tomorrow, in the zone of the workspace; and one that nobody has approved. */
async function visits({ sandbox }) {
	const [schedule] = await sandbox.control('GET /state/schedules');
	const day = new Date(Date.now() + 27 * 3_600_000).toISOString().slice(0, 10);
	for (const [status, number, name] of [
		['approved', '+12125550401', 'Ada'],
		['cancelled', '+12125550402', 'Ben'],
	]) {
		const { body: contact } = await sandbox.api('POST /contacts', { name, phone_number: number });
		const { status: answer, body } = await sandbox.api('POST /appointments', {
			schedule_uuid: schedule.uuid,
			contact_uuid: contact.data.uuid,
			title: `Visit of ${name}`,
			start_time: `${day}T10:00:00+03:00`,
			end_time: `${day}T10:30:00+03:00`,
			status,
		});
		if (answer >= 300) throw new Error(JSON.stringify(body));
	}
	return {};
}

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: { 'Every Day at 10:00': { ends: 'Refused?' } },
	live: {
		'one has an appointment tomorrow': {
			arrange: visits,
			ends: 'Refused?',
			created: { '/whatsapp/template': [{ phoneNumber: '+12125550401' }] },
		},
		'WhatsApp is refused': {
			arrange: [visits, whatsappAnswers(422)],
			ends: 'Remind by SMS',
			created: { '/sms/send': [{ phoneNumber: '+12125550401', message: /^Hello Ada, .* 10:00/ }] },
		},
		'it is uncertain whether WhatsApp was sent': {
			arrange: [visits, whatsappAnswers(502)],
			change: (node) => {
				if (node.name === 'Remind on WhatsApp')
					node.parameters.options.advanced = { maxRetries: 0 };
			},
			ends: 'Refused?',
		},
	},
};
