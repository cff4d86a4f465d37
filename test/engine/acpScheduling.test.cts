/** Appointments: whom an appointment is with, in which order its times stand, and by which clock they come back. */
import type { INodeParameters } from 'n8n-workflow';
import { cases, refusals } from './guarantees/cases.cts';
import { byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

// The workspace lives in Istanbul, n8n in New York, the machine in Auckland: a wrong zone shows.
const platform = usePlatform({ settings: { workspaceTimezone: 'Europe/Istanbul' } });
const { sandbox } = platform;
const scheduleOf = async () => (await sandbox.state('schedules'))[0].uuid;
const schedule = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');
const visit = { schedule, title: 'Visit', startTime: '2100-03-28T10:00:00' };

/** An appointment that is read in a zone. */
const read = async (options: INodeParameters, timezone?: string) => {
	const times = { start_time: '2027-04-01T10:00:00+03:00', end_time: '2027-04-01T10:30:00+03:00' };
	const body = { schedule_uuid: await scheduleOf(), title: 'Demo', ...times };
	const { data } = await sandbox.api.post('/appointments', body);
	return {
		node: 'acpScheduling appointment.get',
		parameters: { appointment: byId(data.data.uuid), options },
		chosen: { timezone },
	};
};

cases(platform, {
	// interface: §4.4 appointments
	'times of another clock than the workflow’s: how to keep their hour is said': async () => ({
		...(await read({ timezone: 'Asia/Kolkata' })),
		json: [{ start_time: '2027-04-01T12:30:00+05:30' }],
		hints:
			/^Times in this output are not in the workflow's time zone, America\/New_York\. To keep their hour in an expression, write DateTime\.fromISO\(\$json\.start_time, \{ setZone: true \}\)\.$/,
	}),
	'times of the same clock: nothing is said': async () => ({
		...(await read({}, 'Europe/Istanbul')),
		json: [{ start_time: '2027-04-01T10:00:00+03:00' }],
		hints: /^$/,
	}),
	'somebody with a name and an email address may be asked, too': async () => {
		const [contactName, contactEmail] = ['Anna', 'anna@example.com'];
		const who = { contact_name: contactName, contact_email: contactEmail };
		return {
			node: 'acpScheduling appointmentRequest.create',
			parameters: { ...visit, schedule: byId(await scheduleOf()), contactName, contactEmail },
			got: { 'POST /appointment-requests': [expect.objectContaining(who)] },
		};
	},
	// No source shows in which zone the platform counts days, nor whether the last one belongs to them.
	...Object.fromEntries(
		['utc', 'until'].map((calendarDays) => [
			`requests of a day, counted here and not as the platform does: ${calendarDays}`,
			async () => {
				await sandbox.settings({ manners: { calendarDays } });
				const who = { contact_name: 'Anna', contact_email: 'anna@example.com' };
				for (const title of ['05T23:59', '06T00:00', '06T23:59', '07T00:00']) {
					const about = { title, start_time: `2035-03-${title}:00+03:00`, ...who };
					const body = { schedule_uuid: await scheduleOf(), ...about };
					await sandbox.api.post('/appointment-requests', body);
				}
				return {
					node: 'acpScheduling appointmentRequest.getAll',
					parameters: { period: 'custom', startDate: '2035-03-06', endDate: '2035-03-06' },
					json: [{ title: '06T00:00' }, { title: '06T23:59' }],
				};
			},
		]),
	),
	...refusals('acpScheduling', [
		['appointment.create', { ...visit, endTime: '2100-03-28T09:00:00' }, /not after 'Start Time'/],
		['appointmentRequest.create', { ...visit, contactName: 'Anna' }, /both 'Contact Name' and/],
	]),
});
