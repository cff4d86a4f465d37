import type { INodeParameters } from 'n8n-workflow';
import { byId as id } from './guarantees/scene.cts';
import { usePlatform, type Result } from './harness/index.cts';

// The workspace lives in Istanbul, n8n in New York, the machine in Auckland: a wrong zone shows.
const { sandbox, engine, run } = usePlatform({
	settings: { workspaceTimezone: 'Europe/Istanbul' },
});
const node = 'n8n-nodes-agent-conversation-platform.acpScheduling';
const errorOf = (result: Result) => `${result.error?.message} ${result.error?.description}`;
const firstSchedule = async () => id((await sandbox.state('schedules'))[0].uuid);
const bodies = async (path: string, method = 'POST') =>
	(await sandbox.ledger({ path, method })).map(({ body }) => body);

const appointment = async (parameters: INodeParameters = {}): Promise<INodeParameters> => ({
	resource: 'appointment',
	operation: 'create',
	schedule: await firstSchedule(),
	title: 'Demo',
	startTime: '2027-03-28T10:00:00',
	endTime: '2027-03-28T10:30:00',
	...parameters,
});

describe('appointments', () => {
	// interface: §2.1 rule 7
	test.each([
		[
			'no zone: as written, for the platform reads them in the workspace’s',
			{},
			'',
			'2027-03-28T10:00:00',
			'2027-03-28T10:00:00+03:00',
		],
		[
			'the option’s zone',
			{ timezone: 'Asia/Kolkata' },
			'',
			'2027-03-28T10:00:00+05:30',
			'2027-03-28T07:30:00+03:00',
		],
		[
			'the credential’s zone, after its clocks went forward',
			{},
			'Europe/Berlin',
			'2027-03-28T10:00:00+02:00',
			'2027-03-28T11:00:00+03:00',
		],
		[
			'a Windows name: as written, for the platform maps it',
			{ timezone: 'India Standard Time' },
			'',
			'2027-03-28T10:00:00',
			'2027-03-28T07:30:00+03:00',
		],
		[
			'an offset of its own wins',
			{ timezone: 'Asia/Kolkata' },
			'',
			'2027-03-28T10:00:00Z',
			'2027-03-28T13:00:00+03:00',
		],
	])('times: %s', async (_, options, timezone, sent, meant) => {
		const offset = sent.endsWith('Z');
		const parameters = await appointment({
			options,
			...(offset ? { startTime: '2027-03-28T10:00:00Z', endTime: '2027-03-28T11:00:00Z' } : {}),
		});
		const result = await run(node, parameters, {
			credentials: { acpApi: sandbox.credential({ timezone }) },
		});
		expect(errorOf(result)).toBe('undefined undefined');
		const [body] = await bodies('/appointments');
		expect(body.start_time).toBe(offset ? '2027-03-28T10:00:00+00:00' : sent);
		const [stored] = (await sandbox.api.get('/appointments')).data.data;
		expect(stored.start_time).toBe(meant);
	});

	test('a time that the zone skips and an end before the start are refused', async () => {
		const gap = await run(
			node,
			await appointment({
				startTime: '2027-03-28T02:30:00',
				options: { timezone: 'Europe/Berlin' },
			}),
		);
		expect(gap.error?.message).toContain(
			"'Start Time' is a time that does not exist in Europe/Berlin",
		);
		const order = await run(node, await appointment({ endTime: '2027-03-28T10:00:00' }));
		expect(order.error?.message).toContain("'End Time' is not after 'Start Time'");
		expect(await bodies('/appointments')).toEqual([]);
	});

	// interface: §4.4 appointments
	test('with a contact and answers: created, chosen, changed, cancelled, deleted', async () => {
		const [contact] = (await sandbox.api.get('/contacts')).data.data.data;
		const created = await run(
			node,
			await appointment({
				additionalFields: {
					contact: id(contact.uuid),
					status: 'pending',
					notes: 'Bring the offer',
					customAnswers: '{"company": "Example Ltd"}',
				},
			}),
		);
		expect((await bodies('/appointments'))[0]).toMatchObject({
			contact_uuid: contact.uuid,
			status: 'pending',
			notes: 'Bring the offer',
			custom_answers: { company: 'Example Ltd' },
		});
		const { uuid } = created.json()[0];
		const { results } = await engine.listSearch(node, 'searchAppointments', { filter: 'demo' });
		expect(results.map(({ value }) => value)).toEqual([uuid]);

		const appointmentField = id(uuid);
		const updated = await run('acpScheduling appointment.update', {
			appointment: appointmentField,
			updateFields: { startTime: '2027-04-01T09:00:00', endTime: '2027-04-01T09:30:00' },
			options: { timezone: 'Europe/Berlin' },
		});
		expect(errorOf(updated)).toBe('undefined undefined');
		expect(await bodies(`/appointments/${uuid}`, 'PUT')).toEqual([
			{ start_time: '2027-04-01T09:00:00+02:00', end_time: '2027-04-01T09:30:00+02:00' },
		]);
		await run('acpScheduling appointment.setStatus', {
			appointment: appointmentField,
			status: 'cancelled',
		});
		const list = await run('acpScheduling appointment.getAll', {
			options: { timezone: 'Asia/Kolkata' },
		});
		expect(list.json()).toMatchObject([
			{ uuid, status: 'cancelled', start_time: '2027-04-01T12:30:00+05:30' },
		]);
		expect(list.hints().map(({ message }) => message)).toEqual([
			"Times in this output are not in the workflow's time zone, America/New_York. To keep their hour in " +
				'an expression, write DateTime.fromISO($json.start_time, { setZone: true }).',
		]);
		const sameClock = await run(
			'acpScheduling appointment.get',
			{ appointment: appointmentField },
			{ timezone: 'Europe/Istanbul' },
		);
		expect(sameClock.json()).toMatchObject([{ start_time: '2027-04-01T10:00:00+03:00' }]);
		expect(sameClock.hints()).toEqual([]);
		const deleted = await run('acpScheduling appointment.delete', {
			appointment: appointmentField,
		});
		expect(deleted.json()).toEqual([{ deleted: true, uuid }]);
		expect(await sandbox.state('appointments')).toEqual([]);
	});

	test('two appointments of the same kind come from two items', async () => {
		const result = await run(
			node,
			await appointment({ startTime: '={{ $json.from }}', endTime: '={{ $json.to }}' }),
			{
				items: [
					{ from: '2027-05-01T09:00:00', to: '2027-05-01T09:30:00' },
					{ from: '2027-05-01T10:00:00', to: '2027-05-01T10:30:00' },
				],
			},
		);
		expect(result.json().map(({ start_time: start }) => start)).toEqual([
			'2027-05-01T09:00:00+03:00',
			'2027-05-01T10:00:00+03:00',
		]);
	});
});

describe('appointment requests', () => {
	const request = async (parameters: INodeParameters = {}): Promise<INodeParameters> => ({
		resource: 'appointmentRequest',
		operation: 'create',
		schedule: await firstSchedule(),
		title: 'Visit',
		startTime: '2100-06-01T10:00:00',
		...parameters,
	});

	test('a request needs a contact, or a name and an email address', async () => {
		const nobody = await run(node, await request({ contactName: 'Anna' }));
		expect(nobody.error?.message).toContain(
			"Choose a contact in 'Contact', or enter both 'Contact Name' and 'Contact Email'",
		);
		expect(await bodies('/appointment-requests')).toEqual([]);
		const somebody = await run(
			node,
			await request({
				contactName: 'Anna',
				contactEmail: 'anna@example.com',
				additionalFields: { contactPhone: '+1-555-0100', endTime: '2100-06-01T11:00:00' },
			}),
		);
		expect(errorOf(somebody)).toBe('undefined undefined');
		expect((await bodies('/appointment-requests'))[0]).toMatchObject({
			contact_name: 'Anna',
			contact_email: 'anna@example.com',
			contact_phone: '+1-555-0100',
		});
		const [contact] = (await sandbox.api.get('/contacts')).data.data.data;
		expect((await run(node, await request({ contact: id(contact.uuid) }))).status).toBe('success');
	});

	test('requests are listed by day and read; days are never shifted', async () => {
		const [created] = (
			await run(node, await request({ contactName: 'Anna', contactEmail: 'anna@example.com' }))
		).json();
		const list = async (filters: INodeParameters) =>
			(
				await run('acpScheduling appointmentRequest.getAll', {
					filters,
					options: { timezone: 'Europe/Istanbul' },
				})
			).json();
		expect(
			await list({
				startDate: '2100-06-01T00:00:00.000Z',
				endDate: '2100-06-01',
				status: 'pending',
				schedule: await firstSchedule(),
			}),
		).toMatchObject([
			{ uuid: created.uuid, contact_name: 'Anna', start_time: '2100-06-01T10:00:00+03:00' },
		]);
		expect(await list({ startDate: '2100-06-02' })).toEqual([]);
		const [query] = (await sandbox.ledger({ path: '/appointment-requests', method: 'GET' })).map(
			(entry) => entry.query,
		);
		expect(query).toMatchObject({ start_date: '2100-06-01', end_date: '2100-06-01' });
		const read = await run('acpScheduling appointmentRequest.get', {
			appointmentRequest: id(created.uuid),
		});
		expect(read.json()).toMatchObject([{ uuid: created.uuid, status: 'pending' }]);
		expect((await engine.listSearch(node, 'searchAppointmentRequests')).results).toMatchObject([
			{ value: created.uuid, name: expect.stringContaining('Visit') },
		]);
	});
});

describe('schedules', () => {
	test('a schedule is chosen and changed, with questions as rows', async () => {
		const { results } = await engine.listSearch(node, 'searchSchedules', { filter: 'visit' });
		expect(results).toMatchObject([{ name: 'Site visit' }]);
		const result = await run('acpScheduling schedule.update', {
			schedule: id(results[0]!.value),
			updateFields: {
				name: 'Visits',
				humanAgents: 'Mia, Tom',
				customQuestions: {
					values: [
						{ name: 'Company', additionalFields: { required: true } },
						{ name: 'Size', type: 'text' },
					],
				},
			},
		});
		expect(errorOf(result)).toBe('undefined undefined');
		expect(await bodies(`/schedules/${String(results[0]!.value)}`, 'PUT')).toEqual([
			{
				name: 'Visits',
				human_agents: ['Mia', 'Tom'],
				custom_questions: [
					{ name: 'Company', required: true },
					{ name: 'Size', type: 'text' },
				],
			},
		]);
		const list = await run('acpScheduling schedule.getAll', {});
		expect(
			list
				.json()
				.map(({ name }) => name)
				.sort(),
		).toEqual(['Demo call', 'Visits']);
	});
});
