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
	...refusals('acpScheduling', [
		['appointment.create', { ...visit, endTime: '2100-03-28T09:00:00' }, /not after 'Start Time'/],
		['appointmentRequest.create', { ...visit, contactName: 'Anna' }, /both 'Contact Name' and/],
	]),
});
