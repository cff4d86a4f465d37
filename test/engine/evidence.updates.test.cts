/** Updates of which no source says whether they keep the fields that they leave out. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { agentOf, byId, failure, fast, hintsOf } from './guarantees/scene.cts';
import { until, usePlatform, type NodeOptions } from './harness/index.cts';

const platform = usePlatform({ settings: fast });

const voice = (operation: string, agent: string, updateFields: object) => ({
	resource: 'agentVoice',
	operation,
	agent: byId(agent),
	updateFields,
});
const settings = (agent: string, updateFields: object) => ({
	resource: 'agent',
	operation: 'update',
	agent: byId(agent),
	updateFields,
});
const run = async (parameters: object, node: NodeOptions = {}, type = 'acpAgents') =>
	await platform.engine.runNode(type, parameters as INodeParameters, node);
const only = { options: { sendOnlyTheseFields: true } };

const get = async (path: string): Promise<any> => (await platform.sandbox.api.get(path)).data.data;
const voiceOf = async (uuid: string) => await get(`/agents/${uuid}/voice`);
const settingsOf = async (uuid: string) => (await get(`/agents/${uuid}`)).settings;
const sent = async (path: string, method = 'PATCH'): Promise<IDataObject[]> =>
	(await platform.sandbox.ledger({ method, path })).map(({ body }: any) => body);
const replace = async () =>
	await platform.sandbox.settings({ manners: { replacingUpdates: true } });
const hide = async (path: string) =>
	await platform.sandbox.settings({ differ: [{ path, method: 'GET', kind: 'missing' }] });

/** An agent with settings of every kind. */
const agentWithSettings = async () => {
	const uuid = await agentOf(platform.sandbox);
	await platform.sandbox.api.patch(`/agents/${uuid}`, {
		settings: {
			voice: {
				interaction: { inbound_first_message: 'Good morning', max_silence_prompts: 3 },
				call_behavior: { silence_timeout_seconds: 30 },
				normalizers: { outbound: { kg: 'kilograms' } },
			},
			text: { handover: { enabled: true, release_channels: ['whatsapp'] } },
		},
		appointments: {
			enabled: true,
			schedule_assignments: [{ name: 'Demo', slot_rules: { offer_slots_from: '3_hours' } }],
		},
	});
	const { settings: now } = await get(`/agents/${uuid}`);
	await platform.sandbox.change('agents', uuid, {
		settings: { ...now, memorize: { facts: 'all' } },
	});
	await platform.sandbox.clearLedger();
	return uuid;
};

describe('Evidence: a field that an update leaves out is taken for one that stays', () => {
	const sections = [
		['updateInteraction', 'interaction', { end_call_message: 'Bye', silence_message: 'Hello?' }],
		['updateCallBehavior', 'call_behavior', { silence_timeout_seconds: 30 }],
	] as const;
	const cases = sections.flatMap((section) =>
		[false, true].map((replacing) => [replacing ? 'replaces' : 'merges', ...section] as const),
	);

	test.each(cases)(
		'a platform that %s, %s: the other fields are read and sent, and it says so',
		async (manner, operation, section, before) => {
			const uuid = await agentOf(platform.sandbox);
			const path = section.replace('_', '-');
			await platform.sandbox.api.patch(`/agents/${uuid}/${path}`, before);
			const was = (await voiceOf(uuid))[section];
			await platform.sandbox.settings({ manners: { replacingUpdates: manner === 'replaces' } });
			const change =
				section === 'interaction'
					? { outboundFirstMessage: 'Hello' }
					: { maxCallDurationSeconds: 120 };
			const result = await run(voice(operation, uuid, change));
			expect(failure(result)).toBeUndefined();
			expect((await voiceOf(uuid))[section]).toEqual({
				...was,
				...(section === 'interaction'
					? { outbound_first_message: 'Hello' }
					: { max_call_duration_seconds: 120 }),
			});
			expect(hintsOf(result)).toContain('reads them and sends them unchanged with yours');
		},
	);

	test.each([true, false])(
		'a platform that replaces settings (%s), one compliance switch of an agent: everything else stays',
		async (replacingUpdates) => {
			const uuid = await agentWithSettings();
			const was = await get(`/agents/${uuid}`);
			await platform.sandbox.settings({ manners: { replacingUpdates } });
			const result = await run(
				settings(uuid, { settingsVoice: { complianceEuGdprCompliance: true } }),
			);
			expect(failure(result)).toBeUndefined();
			const now = await get(`/agents/${uuid}`);
			expect(now.settings).toEqual({
				...was.settings,
				voice: {
					...was.settings.voice,
					compliance: { ...was.settings.voice.compliance, eu_gdpr_compliance: true },
				},
			});
			expect(now.appointments).toEqual(was.appointments);
			const [body] = await sent(`/agents/${uuid}`);
			expect(Object.keys(body!)).toEqual(['settings']);
			expect(Object.keys(body!.settings as object).sort()).toEqual(['text', 'voice']);
			expect(hintsOf(result)).toContain('A change that was made in the same moment');
			expect(hintsOf(result)).toContain('so this was not sent: "settings.memorize"');
		},
	);

	test('an agent whose appointments are changed: its schedules stay, and a name alone reads nothing', async () => {
		const uuid = await agentWithSettings();
		const was = await get(`/agents/${uuid}`);
		await replace();
		const change = { appointments: { random_assignment: true } };
		for (const fields of [{ appointments: { randomAssignment: true } }, { name: 'Mia' }])
			expect(failure(await run(settings(uuid, fields)))).toBeUndefined();
		const now = await get(`/agents/${uuid}`);
		expect(now.appointments).toEqual({ ...was.appointments, ...change.appointments });
		expect(await sent(`/agents/${uuid}`)).toMatchObject([change, { name: 'Mia' }]);
	});

	test('a schedule and a task: what is filled in changes, status and automatic run are not sent along', async () => {
		const [schedule] = await platform.sandbox.state('schedules');
		const [contact] = await platform.sandbox.state('contacts');
		const questions = [{ name: 'Company', type: 'text', required: true, description: '' }];
		await platform.sandbox.api.put(`/schedules/${schedule.uuid}`, {
			ai_agents: ['a'],
			custom_questions: questions,
		});
		const made = await platform.sandbox.api.post('/tasks', {
			title: 'Call',
			description: 'About the offer',
			priority: 7,
			type: 'make_call',
			agent_uuid: await agentOf(platform.sandbox),
			contact_uuid: contact.uuid,
			scheduled_at: '2035-05-01T10:00:00+03:00',
		});
		const task = made.data.data;
		await replace();
		const ofSchedule = await run(
			{
				resource: 'schedule',
				operation: 'update',
				schedule: byId(schedule.uuid),
				updateFields: { color: '#ff0000' },
			},
			{},
			'acpScheduling',
		);
		expect(failure(ofSchedule)).toBeUndefined();
		expect(await get(`/schedules/${schedule.uuid}`)).toMatchObject({
			name: schedule.name,
			color: '#ff0000',
			ai_agents: ['a'],
			custom_questions: questions,
		});
		const ofTask = await run(
			{
				resource: 'task',
				operation: 'update',
				task: byId(task.uuid),
				updateFields: { title: 'Call back' },
			},
			{},
			'acpOutreach',
		);
		expect(failure(ofTask)).toBeUndefined();
		expect(await get(`/tasks/${task.uuid}`)).toMatchObject({
			title: 'Call back',
			description: 'About the offer',
			priority: 7,
		});
		const [body] = await sent(`/tasks/${task.uuid}`, 'PUT');
		expect(Object.keys(body!).sort()).toEqual(['description', 'priority', 'scheduled_at', 'title']);
		expect(Date.parse(body!.scheduled_at as string)).toBe(Date.parse('2035-05-01T07:00:00Z'));
	});

	test.each([
		['a section', '/agents/{uuid}/voice', 'updateInteraction'],
		['a part that is not shown', '', 'updateInteraction'],
	])(
		'a platform that does not show %s: the item is held back, unless only its own fields are wanted',
		async (_, path, operation) => {
			const uuid = await agentOf(platform.sandbox);
			if (path) await hide(path);
			else
				await platform.sandbox.faults([
					{
						match: { method: 'GET', path: '/voice$' },
						fault: { kind: 'status', status: 200, body: { success: true, data: { uuid } } },
					},
				]);
			const change = voice(operation, uuid, { silenceMessage: 'Hello?' });
			const result = await run(change);
			expect(result.error?.message).toMatch(/^It is not known whether this update keeps/);
			expect(result.error?.description).toContain("'Send Only These Fields'");
			expect(result.error?.description).toContain('Nothing was sent for this item.');
			expect(await sent(`/agents/${uuid}/interaction`)).toEqual([]);
			expect(failure(await run({ ...change, ...only }))).toBeUndefined();
			expect(await sent(`/agents/${uuid}/interaction`)).toEqual([{ silence_message: 'Hello?' }]);
		},
	);

	test('a schedule whose lists are not shown: they are named, and filled in they are sent', async () => {
		const [{ uuid, name }] = await platform.sandbox.state('schedules');
		await platform.sandbox.faults([
			{
				match: { method: 'GET', path: `^/schedules/${uuid}$` },
				fault: {
					kind: 'status',
					status: 200,
					body: { success: true, data: { uuid, name, ai_agents: [{ name: 'Ada' }] } },
				},
			},
		]);
		const change = async (more: object) =>
			await run(
				{
					resource: 'schedule',
					operation: 'update',
					schedule: byId(uuid),
					updateFields: { color: '#ff0000', ...more },
				},
				{},
				'acpScheduling',
			);
		expect((await change({})).error?.message).toContain(
			"keeps 'AI Agents', 'Human Agents', 'Custom Questions', and the platform does not show",
		);
		expect(await sent(`/schedules/${uuid}`, 'PUT')).toEqual([]);
		const lists = {
			aiAgents: ['a'],
			humanAgents: ['b'],
			customQuestions: { values: [{ name: 'Company' }] },
		};
		expect(failure(await change(lists))).toBeUndefined();
		expect(await sent(`/schedules/${uuid}`, 'PUT')).toEqual([
			{
				name,
				color: '#ff0000',
				ai_agents: ['a'],
				human_agents: ['b'],
				custom_questions: [{ name: 'Company' }],
			},
		]);
	});

	test('an agent that cannot be read by its ID: it is found in the list of agents', async () => {
		const uuid = await agentWithSettings();
		const was = await settingsOf(uuid);
		await replace();
		await hide('/agents/{uuid}');
		const result = await run(
			settings(uuid, { settingsVoice: { complianceHipaaCompliance: true } }),
		);
		expect(failure(result)).toBeUndefined();
		await platform.sandbox.settings({ differ: [] });
		expect(await settingsOf(uuid)).toMatchObject({
			voice: { interaction: was.voice.interaction, compliance: { hipaa_compliance: true } },
			text: was.text,
		});
	});

	test('several items about one agent, whose changes it shows late: none undoes another', async () => {
		const uuid = await agentOf(platform.sandbox);
		await replace();
		const stale = await voiceOf(uuid);
		await platform.sandbox.clearLedger();
		await platform.sandbox.faults([
			{
				match: { method: 'GET', path: '/voice$' },
				times: 3,
				fault: { kind: 'status', status: 200, body: { success: true, data: stale } },
			},
		]);
		const change = { silenceMessage: '={{ $json.silence }}', endCallMessage: '={{ $json.end }}' };
		const items = [{ silence: 'Hello?' }, { end: 'Bye' }, { silence: 'Anybody there?' }];
		const result = await run(voice('updateInteraction', uuid, change), {
			items: items.map((json) => ({ json })),
		});
		expect(failure(result)).toBeUndefined();
		expect((await voiceOf(uuid)).interaction).toMatchObject({
			silence_message: 'Anybody there?',
			end_call_message: 'Bye',
		});
	});

	test('a change by somebody else while a request waits after a 429: it is read anew and stays', async () => {
		const uuid = await agentOf(platform.sandbox);
		await replace();
		await platform.sandbox.faults([
			{
				match: { method: 'PATCH', path: '/interaction$', nth: 1 },
				fault: { kind: 'status', status: 429, retryAfter: 3 },
			},
		]);
		const running = run(voice('updateInteraction', uuid, { silenceMessage: 'Hello?' }));
		await until('the first try', async () => (await sent(`/agents/${uuid}/interaction`)).length);
		await platform.sandbox.settings({ manners: { replacingUpdates: false } });
		await platform.sandbox.api.patch(`/agents/${uuid}/interaction`, { end_call_message: 'Bye' });
		await replace();
		expect(failure(await running)).toBeUndefined();
		expect((await voiceOf(uuid)).interaction).toMatchObject({
			silence_message: 'Hello?',
			end_call_message: 'Bye',
		});
	});

	test('a preview: it shows what would be sent, changes by the items before included, and sends nothing', async () => {
		const uuid = await agentWithSettings();
		const { text } = await settingsOf(uuid);
		const fields = { settingsVoice: { complianceEuGdprCompliance: '={{ $json.gdpr }}' } };
		const preview = { options: { preview: true } };
		const result = await run(
			{ ...settings(uuid, { ...fields, name: '={{ $json.name }}' }), ...preview },
			{ items: [{ json: { gdpr: true } }, { json: { name: 'Mia', gdpr: false } }] },
		);
		expect(failure(result)).toBeUndefined();
		expect(result.json().map(({ body }) => body)).toMatchObject([
			{ settings: { voice: { compliance: { eu_gdpr_compliance: true } }, text } },
			{ name: 'Mia', settings: { voice: { compliance: { eu_gdpr_compliance: false } }, text } },
		]);
		expect(await sent(`/agents/${uuid}`)).toEqual([]);
		await hide('/agents/{uuid}/voice');
		const unread = {
			...voice('updateInteraction', uuid, { silenceMessage: 'Hello?' }),
			...preview,
		};
		expect((await run(unread)).error?.message).toMatch(
			/^It is not known whether this update keeps/,
		);
		const [item] = (await run(unread, { onError: 'continueRegularOutput' })).json();
		expect(item!.error.message).toContain('they could not be read');
	});
});
