// Every operation of the contract, called over HTTP: it answers with success, as the contract
// says, and what was written
// can be read back.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { eventually, startSandbox } from '../../sandbox/client.mjs';
import { unusedHandlers } from '../../sandbox/resources/index.mjs';
import { Contract } from '../../sandbox/validate.mjs';

const contract = load(
	readFileSync(new URL('../../contract/openapi.yaml', import.meta.url), 'utf8'),
);
const OPERATIONS = Object.entries(contract.paths).flatMap(([path, item]) =>
	['get', 'post', 'put', 'patch', 'delete']
		.filter((method) => item[method])
		.map((method) => `${method.toUpperCase()} ${path}`),
);

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
/** Operations that were called. */
const called = new Set();

before(async () => {
	sandbox = await startSandbox({
		settings: {
			call: { lifeMs: 60_000 },
			rate: { send: { limit: 1000 }, general: { limit: 100_000 } },
			builders: { processingMs: 5 },
			transcription: { processingMs: 5 },
		},
	});
});
after(() => sandbox.stop());

const template = (path) =>
	new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
const literal = (operation) =>
	operation
		.split(' ')[1]
		.split('/')
		.filter((segment) => !segment.startsWith('{')).length;

function operationOf(request) {
	const [method, target] = request.split(' ');
	const path = target.split('?')[0];
	return OPERATIONS.filter(
		(operation) =>
			operation.startsWith(`${method} `) && template(operation.split(' ')[1]).test(path),
	).sort((a, b) => literal(b) - literal(a))[0];
}

/** Calls an operation that must succeed. @returns {Promise<any>} what stands under data, else the whole body */
async function call(request, body) {
	const operation = operationOf(request);
	assert.ok(operation, `${request} is in the contract`);
	called.add(operation);
	const answer = await sandbox.api(request, body);
	assert.ok(
		answer.status >= 200 && answer.status < 300,
		`${request}: ${answer.status} ${JSON.stringify(answer.body)}`,
	);
	return answer.body.data ?? answer.body;
}

const refused = async (request, body, status, code) => {
	const answer = await sandbox.api(request, body);
	assert.equal(answer.status, status, `${request}: ${JSON.stringify(answer.body)}`);
	if (code !== undefined) assert.equal(answer.body.error.code, code);
	return answer.body.error;
};

const form = (fields) => {
	const data = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		if (typeof value === 'string') data.append(name, value);
		else data.append(name, new Blob([value.text], { type: value.type }), value.name);
	}
	return data;
};

const state = (name) => sandbox.control(`GET /state/${name}`);
const firstAgent = async () => (await state('agents'))[0].agent_uuid;
const inDays = (days, hour = 10) =>
	`${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${String(hour).padStart(2, '0')}:00:00`;
const MISSING = '00000000-0000-4000-8000-000000000000';

test('every operation of agents, their sections and settings does what it says', async () => {
	const created = await call('POST /agents', {
		name: 'Nora',
		notes: [{ content: 'first' }],
		settings: { voice: { interaction: { max_silence_prompts: 3 } } },
	});
	const agent = `/agents/${created.agent_uuid}`;
	assert.equal(created.settings.voice.interaction.max_silence_prompts, 3);
	assert.ok(
		(await call('GET /agents?search=nora')).items.some(
			({ agent_uuid }) => agent_uuid === created.agent_uuid,
		),
	);
	assert.equal((await call(`PATCH ${agent}`, { role: 'Concierge' })).role, 'Concierge');
	assert.equal((await call(`GET ${agent}`)).notes[0].content, 'first');

	for (const [section, path, item] of [
		['notes', 'notes', { content: 'n' }],
		['guidelines', 'guidelines', { content: 'g' }],
		['procedures', 'procedures', { name: 'p', steps: [{ order: 1, description: 's' }] }],
		['training', 'training', { content: 't' }],
		['routing_rules', 'routing-rules', { detection_mode: 'intent', ai_prompt: 'billing' }],
		['guard_rules', 'guard-rules', { when_condition: 'threat', then_action: 'end_conversation' }],
	]) {
		const before = (await call(`GET ${agent}`))[section].length;
		const whole = await call(`POST ${agent}/${path}`, item);
		assert.equal(whole[section].length, before + 1, `${section} keeps what was there`);
		const { uuid } = whole[section].at(-1);
		if (OPERATIONS.some((operation) => operation.startsWith(`PATCH /agents/{uuid}/${path}/`))) {
			const [field] = Object.keys(item).filter((name) => typeof item[name] === 'string');
			const changed = await call(`PATCH ${agent}/${path}/${uuid}`, { [field]: item[field] });
			assert.equal(changed[section].at(-1).uuid, uuid);
		}
		if (OPERATIONS.includes(`PUT /agents/{uuid}/${path}`))
			assert.equal((await call(`PUT ${agent}/${path}`, { [section]: [item] }))[section].length, 1);
		const last = (await call(`GET ${agent}`))[section].at(-1).uuid;
		const shorter = await call(`DELETE ${agent}/${path}/${last}`);
		assert.ok(!shorter[section].some((one) => one.uuid === last));
	}

	assert.equal(
		(await call(`PUT ${agent}/appointments`, { enabled: true })).appointments.enabled,
		true,
	);
	assert.equal(
		(await call(`PATCH ${agent}/interaction`, { silence_message: 'Still there?' })).silence_message,
		'Still there?',
	);
	assert.equal(
		(await call(`PATCH ${agent}/call-behavior`, { audio_recording: false })).audio_recording,
		false,
	);
	const voice = await call(`GET ${agent}/voice`);
	assert.equal(voice.interaction.silence_message, 'Still there?');
	assert.equal(voice.call_behavior.audio_recording, false);
	assert.deepEqual(await call(`GET ${agent}/compliance`), {
		eu_gdpr_compliance: false,
		hipaa_compliance: false,
	});
	assert.deepEqual((await call(`GET ${agent}/voice-advanced`)).fields, [], 'no voice, no fields');
	const tuned = `/agents/${await firstAgent()}/voice-advanced`;
	await call(`PATCH ${tuned}`, { stability: 0.25 });
	assert.equal(
		(await call(`GET ${tuned}`)).fields.find(({ key }) => key === 'stability').value,
		0.25,
	);

	const intent = await call(`POST ${agent}/intents`, { name: 'Wants a refund' });
	assert.equal(intent.key, 'wants_a_refund');
	await call(`PATCH ${agent}/intents/${intent.intent_uuid}`, { name: 'Refund' });
	assert.equal(
		(
			await call(`PUT ${agent}/intents/${intent.intent_uuid}/event`, {
				event_type: 'webhook',
				webhook: { url: 'https://example.com/x' },
			})
		).status,
		'draft',
	);
	await call(`POST ${agent}/intents/${intent.intent_uuid}/event/publish`);
	assert.equal((await call(`GET ${agent}/intents/${intent.intent_uuid}/event`)).status, 'deployed');
	assert.equal(
		(
			await refused(
				`PUT ${agent}/intents/${intent.intent_uuid}/event`,
				{ event_type: 'app', app_uid: 'calendar', action_key: 'create_event' },
				422,
			)
		).field,
		'app_connection_uuid',
	);

	const webhook = await call(`POST ${agent}/webhooks`, {
		url: 'https://example.com/hook',
		events: ['conversation_status'],
		secret_key: 's3cret',
	});
	await call(`PATCH ${agent}/webhooks/${webhook.webhook_uuid}`, {
		url: webhook.url,
		events: webhook.events,
		is_active: false,
	});
	const list = await call(`GET ${agent}/webhooks`);
	assert.deepEqual(
		[list.count, list.limit, list.items[0].is_active, list.items[0].has_secret],
		[1, 5, false, true],
	);
	await call(`DELETE ${agent}/webhooks/${webhook.webhook_uuid}`);
	assert.equal((await call(`GET ${agent}/webhooks`)).count, 0);
});

// interface: §3 evaluation
test('evaluation settings are inherited, overridden and reverted', async () => {
	const agent = `/agents/${await firstAgent()}/evaluate`;
	await call('PUT /evaluate/default', { sessionization: { timeout_minutes: 12 } });
	assert.equal((await call('GET /evaluate/default')).sessionization.timeout_minutes, 12);
	assert.equal((await call(`POST ${agent}/assign`)).source, 'agent');
	assert.equal(
		(await call(`PUT ${agent}`, { sessionization: { timeout_minutes: 3 } })).sessionization
			.timeout_minutes,
		3,
	);
	assert.equal(
		(await call(`POST ${agent}/assign`)).sessionization.timeout_minutes,
		3,
		'assign keeps an override',
	);
	assert.equal(
		(await call(`POST ${agent}/reassign`)).sessionization.timeout_minutes,
		12,
		'reassign copies the default anew',
	);
	await call(`DELETE ${agent}`);
	await refused(`DELETE ${agent}`, undefined, 404, 'RESOURCE_NOT_FOUND');
});

test('every operation of contacts, fields, analyzers and approvals does what it says', async () => {
	const field = await call('POST /contacts/fields', { key: 'plan', name: 'Plan' });
	assert.ok((await call('GET /contacts/fields')).some(({ key }) => key === field.key));
	const contact = await call('POST /contacts', {
		name: 'Zoe',
		phone_number: '+14155550100',
		plan: 'Gold',
	});
	assert.equal((await call(`GET /contacts/${contact.uuid}`)).plan, 'Gold');
	assert.equal(
		(await call(`PUT /contacts/${contact.uuid}`, { surname: 'Ray' })).plan,
		'Gold',
		'an update changes only what is sent',
	);
	assert.equal(
		(await call(`PUT /contacts/${contact.uuid}`, { plan: null })).plan,
		'',
		'null clears a custom field',
	);
	assert.equal((await refused('POST /contacts', { colour: 'red' }, 422)).field, 'colour');
	assert.equal((await call('GET /contacts?per_page=2&page=2')).current_page, 2);
	assert.equal(
		(await call(`POST /contacts/${contact.uuid}/blacklist`, { reason: 'asked for it' })).status,
		'Blacklisted',
	);
	assert.equal(
		(
			await refused(
				`POST /contacts/${contact.uuid}/blacklist`,
				{ reason: 'asked', is_permanent: false },
				422,
			)
		).field,
		'expires_at',
	);
	const [vip, newsletter] = await state('contact_tags');
	const tagNames = async (request, tag_id) =>
		(await call(`POST /contacts/${contact.uuid}/${request}`, { tag_id })).tags.map(
			({ name }) => name,
		);
	assert.deepEqual(await tagNames('add-tag', vip.id), ['VIP']);
	assert.deepEqual(await tagNames('add-tag', newsletter.uuid), ['VIP', 'Newsletter']);
	assert.equal((await call(`GET /contacts?tag_uuid=${vip.uuid}`)).data[0].uuid, contact.uuid);
	assert.deepEqual(await tagNames('remove-tag', vip.id), ['Newsletter']);
	await refused(`POST /contacts/${contact.uuid}/add-tag`, { tag_id: 99 }, 422);
	await refused(`POST /contacts/${contact.uuid}/add-tag`, { tag_id: 'VIP' }, 422);
	assert.equal((await refused('GET /contacts?per_page=101', undefined, 422)).field, 'per_page');
	await call('PUT /analyzers/b_email', { update_behavior: 'manual_approval' });
	assert.equal(
		(await refused('PUT /analyzers/b_email', { analysis_goals: 'x' }, 422)).field,
		'analysis_goals',
	);
	await call('PUT /analyzers/f_plan', { analysis_goals: 'the plan' });
	await refused('PUT /analyzers/x_plan', {}, 422, 'INVALID_FORMAT');
	await refused('PUT /analyzers/f_unknown', {}, 404, 'RESOURCE_NOT_FOUND');
	assert.equal((await call('GET /contacts/approvals?status=Pending')).data.length, 2);
	assert.equal((await call('PUT /contacts/fields/plan', { is_active: false })).is_active, false);
	assert.equal(
		'plan' in (await call(`GET /contacts/${contact.uuid}`)),
		false,
		'an inactive field is not shown',
	);
	await call('DELETE /contacts/fields/plan');
	await call(`DELETE /contacts/${contact.uuid}`);
	await refused(`GET /contacts/${contact.uuid}`, undefined, 404, 'RESOURCE_NOT_FOUND');
});

test('every operation of calls, their actions, conversations, sessions and evaluations does what it says', async () => {
	const { conversation_uuid: uuid } = await call('POST /call', {
		agentId: await firstAgent(),
		participant: { number: '+14155550111' },
	});
	const [live] = (
		await call(`GET /calls?agent_id=${await firstAgent()}&status=in-progress&direction=Outbound`)
	).data;
	assert.equal((await call(`GET /conversations/${uuid}`)).call.uuid, live.uuid);
	assert.equal((await call(`GET /calls/${live.uuid}`)).agent.uuid, await firstAgent());
	assert.equal((await call(`GET /calls?agent_id=${MISSING}`)).total, 0);
	assert.equal((await call('GET /calls?direction=Inbound')).total, 0);
	await refused(`GET /calls/${MISSING}`, undefined, 404, 'RESOURCE_NOT_FOUND');
	await call(`POST /calls/action/${uuid}/say`, { message: 'One more thing.' });
	await call(`POST /calls/action/${uuid}/mute`);
	await call(`POST /calls/action/${uuid}/unmute`);
	await call(`POST /calls/action/${uuid}/forward`, { phone_number: '+14155550112' });
	await refused(`GET /sessions/${MISSING}/evaluation`, undefined, 404);
	await call(`POST /calls/action/${uuid}/hangup`);
	await refused(`POST /calls/action/${uuid}/mute`, undefined, 409);
	assert.equal((await call(`GET /conversations/${uuid}`)).status, 'Closed');
	assert.equal((await call('GET /conversations?phone=5550111')).data[0].uuid, uuid);
	const [session] = (await call(`GET /conversations/${uuid}/sessions`)).data;
	const messages = await call(`GET /conversations/${uuid}/messages`);
	assert.equal((await call(`GET /sessions/${session.uuid}/messages`)).total, messages.total);
	const evaluation = await call(`GET /sessions/${session.uuid}/evaluation`);
	assert.equal((await call(`GET /evaluations/${evaluation.uuid}`)).session_uuid, session.uuid);
	assert.equal((await call('GET /evaluations')).total, 1);
});

test('every operation of messages and templates does what it says', async () => {
	const agentId = await firstAgent();
	const sms = await call('POST /sms/send', { agentId, phoneNumber: '+14155550120', message: 'Hi' });
	assert.equal(
		(await call(`GET /conversations/${sms.conversationId}/messages`)).data[0].content,
		'Hi',
	);
	await call('POST /email/messages', { to: 'a@example.com', subject: 'Hi' });
	const templates = await call('GET /whatsapp/templates');
	const order = templates.find(({ name }) => name === 'order_confirmation');
	const sent = await call('POST /whatsapp/template', {
		agentId,
		templateId: order.uuid,
		phoneNumber: '+14155550121',
		parameters: { field1: 'Ann', field2: '77' },
	});
	assert.match(
		(await call(`GET /conversations/${sent.conversationId}/messages`)).data[0].content,
		/Hello Ann, your order 77/,
	);
	const [{ waba_id }] = await call('GET /whatsapp/wabas');
	const fresh = await call('POST /whatsapp/templates', {
		name: 'bye',
		language: 'en_US',
		category: 'UTILITY',
		waba_id,
		components: [{ type: 'BODY', text: 'Bye {{1}}' }],
	});
	assert.equal(fresh.status, 'PENDING');
	assert.equal(
		(
			await refused(
				'POST /whatsapp/template',
				{ agentId, templateId: fresh.uuid, phoneNumber: '+14155550121' },
				422,
			)
		).field,
		'templateId',
	);
	assert.equal(
		(
			await refused(
				'POST /whatsapp/templates',
				{ name: 'bye', language: 'en_US', category: 'UTILITY', waba_id, components: [] },
				422,
			)
		).field,
		'name',
	);
	const media = await call(
		'POST /whatsapp/templates/upload-media',
		form({ waba_id, media_type: 'image', file: { text: 'x', type: 'image/png', name: 'a.png' } }),
	);
	assert.ok(media.handle);
	const misfit = await sandbox.api(
		'POST /whatsapp/templates/upload-media',
		form({ waba_id, media_type: 'video', file: { text: 'x', type: 'image/png', name: 'a.png' } }),
	);
	assert.deepEqual([misfit.status, misfit.body.error.field], [422, 'media_type']);
	assert.match(
		(
			await call('POST /whatsapp/template-settings', {
				template_uuid: order.uuid,
				params: { body: { 1: '{{contact.name}}' } },
			})
		).content,
		/\{\{contact\.name\}\}/,
	);
});

test('every operation of listings, tasks, pools, campaigns and rules does what it says', async () => {
	const agent_uuid = await firstAgent();
	const people = [
		{ phone_number: '+14155550130', name: 'One' },
		{ phone_number: '+14155550131' },
		{ phone_number: '+14155550130' },
	];
	const listing = await call('POST /listings', {
		name: 'Leads',
		contacts: people,
		agent_uuid,
		auto_start: true,
	});
	assert.deepEqual([listing.contacts_added, listing.contacts_skipped], [2, 1]);
	const ofListing = (await state('conversations')).filter(
		({ listing_uuid }) => listing_uuid === listing.uuid,
	);
	assert.equal(ofListing.length, 2, 'starting at once calls each contact once');
	await call(`POST /listings/${listing.uuid}/contacts`, {
		contacts: [{ phone_number: '+14155550132' }],
	});
	await call(`DELETE /listings/${listing.uuid}/contacts/${ofListing[0].contact.uuid}`);
	assert.equal(
		(await call('GET /listings')).find(({ uuid }) => uuid === listing.uuid).contacts_count,
		2,
	);
	assert.equal(
		(await refused('POST /listings', { name: 'Leads', contacts: people, auto_start: true }, 422))
			.field,
		'agent_uuid',
	);

	const task = await call('POST /tasks', {
		title: 'Call back',
		type: 'make_call',
		agent_uuid,
		scheduled_at: inDays(2),
		contact: { phone_number: '+14155550133' },
	});
	assert.ok(
		(await call('GET /tasks?type=make_call&per_page=100')).data.some(
			({ uuid }) => uuid === task.uuid,
		),
	);
	assert.equal(
		(
			await refused(
				'POST /tasks',
				{
					title: 'Late',
					type: 'make_call',
					agent_uuid,
					scheduled_at: inDays(-2),
					contact: { phone_number: '+14155550133' },
				},
				422,
			)
		).field,
		'scheduled_at',
	);
	assert.equal(
		(
			await refused(
				'POST /tasks',
				{ title: 'Nobody', type: 'make_call', agent_uuid, scheduled_at: inDays(2) },
				422,
			)
		).field,
		'contact',
	);

	const at = `/tasks/${task.uuid}`;
	const statusAfter = async (request, body) => (await call(request, body)).status;
	assert.equal((await call(`PUT ${at}`, { title: 'Call Anna back', priority: 9 })).priority, 9);
	assert.equal((await call(`GET ${at}`)).title, 'Call Anna back');
	assert.equal(await statusAfter(`POST ${at}/cancel`), 'cancelled');
	for (const carryOut of ['retry', 'queue']) {
		assert.equal(await statusAfter(`POST ${at}/${carryOut}`), 'queued');
		await eventually(async () => (await call(`GET ${at}`)).status === 'in_progress');
	}
	assert.equal(
		(await state('conversations')).filter(({ task_uuids: uuids }) => uuids.includes(task.uuid))
			.length,
		2,
		'each request to carry it out is a call of its own',
	);
	await call(`DELETE ${at}`);
	await refused(`GET ${at}`, undefined, 404, 'RESOURCE_NOT_FOUND');

	const made = await call('POST /campaigns', { name: 'Autumn', agent_id: 12 });
	assert.equal(made.status, 'Draft');
	assert.deepEqual(
		(await call('GET /campaigns?search=autumn&per_page=100')).data.map(({ uuid }) => uuid),
		[made.uuid],
	);
	assert.equal((await call(`GET /campaigns/${made.uuid}`)).name, 'Autumn');
	await call(`DELETE /campaigns/${made.uuid}`);
	assert.equal((await call('GET /campaigns?search=autumn')).total, 0);
	await refused('GET /campaigns?per_page=101', undefined, 422);

	const pool = await call('POST /pools', { name: 'Pool', description: 'd' });
	assert.deepEqual([pool.type, pool.contacts_count], ['FIFO', 0]);
	await call(`PUT /pools/${pool.uuid}`, { name: 'Pool two' });
	const [{ uuid: contact }] = await state('contacts');
	const campaigns = await state('campaigns');
	const running = campaigns.find(({ status }) => status === 'In Process');
	assert.deepEqual(
		(await call(`POST /campaigns/${running.uuid}/pools`, { pool_uuids: [pool.uuid, MISSING] }))
			.pool_uuids_not_found,
		[MISSING],
	);
	const added = await call(`POST /pools/${pool.uuid}/contacts`, {
		contact_uuids: [contact, contact, MISSING],
	});
	assert.deepEqual(
		[added.contacts_added, added.contact_uuids_not_found, added.tasks_created],
		[1, [MISSING], 1],
	);
	assert.equal((await call(`GET /pools/${pool.uuid}/contacts`)).data[0].status, 'Pending');
	assert.equal((await call(`POST /pools/${pool.uuid}/duplicate`, {})).contacts_copied, 1);

	const rule = await call('POST /rules', { name: 'Text rule', type: 'text', max_calls_per_day: 9 });
	assert.deepEqual(
		[rule.max_calls_per_day, rule.retry_interval_minutes, rule.start_time],
		[1, null, '09:00:00'],
	);
	assert.equal((await call(`PUT /rules/${rule.uuid}`, { name: 'Texts' })).name, 'Texts');
	assert.equal((await call(`GET /rules/${rule.uuid}`)).name, 'Texts');
	assert.equal((await call('GET /rules?type=text')).total, 1);
	assert.equal(
		(await call(`PUT /campaigns/${running.uuid}/rule`, { rule_uuid: rule.uuid })).rule.name,
		'Texts',
	);
	assert.equal((await call(`PUT /campaigns/${running.uuid}`, { name: 'Spring' })).name, 'Spring');
	assert.equal((await call('GET /outbound/summary')).simultaneous_calls, 50);
});

test('every operation of appointments, requests and schedules does what it says', async () => {
	const [schedule] = await call('GET /schedules');
	assert.equal(
		(await call(`PUT /schedules/${schedule.uuid}`, { name: 'Consultation' })).name,
		'Consultation',
	);
	const type = '11111111-2222-4333-8444-555555555555';
	const evenings = await call('POST /schedules', {
		name: 'Evenings',
		availability_type_uuid: type,
	});
	assert.equal((await call(`GET /schedules/${evenings.uuid}`)).name, 'Evenings');
	assert.deepEqual(
		(await call(`GET /schedules?availability_type_uuid=${type}`)).map(({ uuid }) => uuid),
		[evenings.uuid],
	);
	await refused('POST /schedules', { name: 'Evenings' }, 422);
	const wanted = {
		schedule_uuid: schedule.uuid,
		title: 'Visit',
		start_time: inDays(3, 10),
		end_time: inDays(3, 11),
	};
	const appointment = await call('POST /appointments', wanted);
	assert.equal(
		appointment.start_time,
		`${inDays(3, 10)}+03:00`,
		'read and answered in workspace time',
	);
	assert.equal(
		(await call(`PUT /appointments/${appointment.uuid}`, { title: 'Later' })).start_time,
		appointment.start_time,
	);
	assert.equal(
		(await call(`POST /appointments/${appointment.uuid}/status`, { status: 'cancelled' })).status,
		'cancelled',
	);
	assert.ok((await call('GET /appointments')).some(({ uuid }) => uuid === appointment.uuid));
	assert.equal((await call(`GET /appointments/${appointment.uuid}`)).title, 'Later');
	const day = inDays(3).slice(0, 10);
	const found = async (query) => (await call(`GET /appointments?${query}`)).length;
	assert.equal(await found(`start_date=${day}&end_date=${day}`), 1);
	assert.equal(await found(`end_date=${inDays(2).slice(0, 10)}`), 0);
	assert.equal(await found(`schedule_uuid=${evenings.uuid}`), 0);
	assert.equal(await found(`schedule_uuid=${schedule.uuid}&status=cancelled`), 1);
	assert.equal(await found(`contact_uuid=${MISSING}`), 0);
	await sandbox.control('PATCH /settings', { manners: { calendarDays: 'until' } });
	assert.equal(await found(`start_date=${day}&end_date=${day}`), 0, 'the last day is left out');
	await sandbox.control('PATCH /settings', { manners: { calendarDays: '' } });
	await call(`DELETE /appointments/${appointment.uuid}`);
	assert.equal(
		(await refused('POST /appointments', { ...wanted, end_time: inDays(2) }, 422)).field,
		'end_time',
	);
	assert.equal(
		(
			await refused(
				'POST /appointments',
				{ ...wanted, start_time: 'tomorrow' },
				422,
				'INVALID_FORMAT',
			)
		).field,
		'start_time',
	);
	const request = await call('POST /appointment-requests', {
		schedule_uuid: schedule.uuid,
		title: 'Ask',
		start_time: inDays(4),
		contact_name: 'Ann',
		contact_email: 'ann@example.com',
	});
	assert.deepEqual(
		[request.status, request.contact.name, request.end_time],
		['pending', 'Ann', `${inDays(4, 11)}+03:00`],
	);
	assert.equal((await call(`GET /appointment-requests/${request.uuid}`)).title, 'Ask');
	assert.equal(
		(
			await call(
				`GET /appointment-requests?status=pending&start_date=${inDays(4).slice(0, 10)}&end_date=${inDays(4).slice(0, 10)}`,
			)
		).length,
		1,
	);
	assert.equal(
		(
			await refused(
				'POST /appointment-requests',
				{ schedule_uuid: schedule.uuid, title: 'Ask', start_time: inDays(4) },
				422,
			)
		).field,
		'contact_name',
	);
	assert.equal(
		(await call(`POST /appointment-requests/${request.uuid}/cancel`)).status,
		'cancelled',
	);
});

test('every operation of tables, records and imports does what it says', async () => {
	const table = await call('POST /data/tables', {
		name: 'Prices',
		columns: [
			{ name: 'item', data_type: 'text' },
			{ name: 'price', data_type: 'number' },
			{ name: 'until', data_type: 'date' },
		],
	});
	const path = `/data/${table.uuid}`;
	assert.deepEqual(
		(await call(`GET ${path}/fields`)).map(({ name }) => name),
		['item', 'price', 'until'],
	);
	const record = await call(`POST ${path}/records`, {
		record: { item: 'tea', price: 3, until: '2026-12-31' },
	});
	assert.equal(record.record.until, '2026-12-31', 'a date is never shifted');
	assert.equal(
		(await call(`PUT ${path}/records/${record.uuid}`, { record: { price: 4 } })).record.item,
		'tea',
	);
	assert.equal(
		(await refused(`POST ${path}/records`, { record: { price: 'three' } }, 422)).field,
		'record.price',
	);
	assert.equal(
		(await refused(`POST ${path}/records`, { record: { size: 1 } }, 422)).field,
		'record.size',
	);
	assert.equal((await call(`GET ${path}/records`)).total, 1);
	assert.equal((await call(`GET ${path}`)).records_count, 1);
	await call(`DELETE ${path}/records/${record.uuid}`);
	await call(`POST ${path}/assign`, { agent_uuid: await firstAgent() });
	await call(`POST ${path}/sync`);
	const pasted = await call('POST /data/import/copypaste', {
		name: 'Pasted',
		data: 'city,size\n"Paris, France",2\nRome,3\n',
	});
	assert.deepEqual(
		pasted.columns.map(({ name, data_type }) => [name, data_type]),
		[
			['city', 'text'],
			['size', 'number'],
		],
	);
	assert.equal(
		(await call(`GET /data/${pasted.uuid}/records`)).data[0].record.city,
		'Paris, France',
	);
	assert.equal(
		(
			await call(
				'POST /data/import/file',
				form({ name: 'Filed', file: { text: 'a\tb\n1\t2', type: 'text/csv', name: 'x.csv' } }),
			)
		).records_count,
		1,
	);
	await call('POST /data/import/website', { url: 'https://example.com' });
});

test('every operation of medias and transcriptions does what it says', async () => {
	const media = await call(
		'POST /medias',
		form({ file: { text: 'hello file', type: 'text/plain', name: 'hello.txt' } }),
	);
	assert.equal((await call(`GET /medias/${media.uuid}`)).url, media.url);
	assert.deepEqual(
		(await call('GET /medias?search=HELLO')).map(({ uuid }) => uuid),
		[media.uuid],
	);
	assert.notEqual(new URL(media.url).origin, new URL(sandbox.url).origin);
	assert.equal(await (await fetch(media.url)).text(), 'hello file');
	const requested = await call(
		'POST /transcriptions',
		form({ voice_file: { text: 'riff', type: 'audio/wav', name: 'a.wav' }, reference_id: 'R1' }),
	);
	assert.equal(requested.status, 'pending');
	const transcript = await eventually(async () => {
		const found = await call(`GET /transcriptions/${requested.uuid}/transcript`);
		return found.status === 'completed' && found;
	});
	assert.equal(transcript.reference_id, 'R1');
	const { status, transcription_result: said } = await call(
		`GET /transcriptions/${requested.uuid}`,
	);
	assert.deepEqual([status, said], ['completed', transcript.conversation.plain]);
	await sandbox.control('PATCH /settings', { transcription: { fails: true } });
	const broken = await call(
		'POST /transcriptions',
		form({ voice_url: 'https://example.com/a.mp3' }),
	);
	const failed = await eventually(async () => {
		const state = await call(`GET /transcriptions/${broken.uuid}`);
		return state.status === 'failed' && state;
	});
	assert.match(failed.error_message, /could not be read/);
	assert.match(transcript.conversation.plain, /Customer: /);
	const without = await sandbox.api('POST /transcriptions', form({ reference_id: 'R1' }));
	assert.equal(without.status, 422);
});

test('every operation of coaching agents and scorecards does what it says', async () => {
	const one = await call('POST /coaching-agents', { name: 'Coach', is_default: true });
	const two = await call('POST /coaching-agents', { name: 'Other' });
	assert.equal(
		(await call(`PATCH /coaching-agents/${one.uuid}`, { is_default: false, language: 'German' }))
			.is_default,
		true,
		'false cannot unset the default',
	);
	await call(`POST /coaching-agents/${two.uuid}/set-default`);
	assert.deepEqual(
		(await state('coaching_agents')).map(({ is_default }) => is_default),
		[false, true],
	);
	const [scorecard] = await state('qa_agents');
	assert.equal(
		(await call(`PUT /qa-agents/${scorecard.uuid}`, { strictness_level: 50 })).strictness_level,
		50,
	);
	assert.equal(
		(await call(`PATCH /qa-agents/${scorecard.uuid}`, { language: 'German' })).strictness_level,
		50,
	);
	assert.deepEqual(
		(({ total_weight, weights_balanced }) => [total_weight, weights_balanced])(
			await call(`PUT /qa-agents/${scorecard.uuid}/skills`, {
				skills: [{ name: 'Greeting', weight: 60 }],
			}),
		),
		[60, false],
	);
	assert.equal((await call(`GET /qa-agents/${scorecard.uuid}`)).skills[0].name, 'Greeting');
});

// interface: §3 deployed and failed
test('each operation of a build conversation works only in its state', async () => {
	await sandbox.control('PATCH /settings', { builders: { processingMs: 600_000 } });
	const slow = await call('POST /builder-agents', { prompt: 'An app that takes its time' });
	assert.equal(slow.status, 'processing');
	await refused(`POST /builder-agents/${slow.uuid}/answers`, { message: 'EU' }, 409);
	await refused(`POST /builder-agents/${slow.uuid}/rebuild`, { message: 'EU' }, 409);
	await sandbox.control('PATCH /settings', { builders: { processingMs: 5 } });
	const started = await call('POST /builder-agents', { prompt: 'An app that counts calls' });
	const path = `/builder-agents/${started.uuid}`;
	const reaches = (status) =>
		eventually(async () => {
			const found = await call(`GET ${path}`);
			return found.status === status && found;
		});
	const asking = await reaches('gathering');
	assert.deepEqual([asking.questions.length > 0, asking.builder], [true, null]);
	await refused(`POST ${path}/approve`, undefined, 409);
	await call(`POST ${path}/answers`, { message: 'EU' });
	await reaches('awaiting_approval');
	await call(`POST ${path}/approve`);
	assert.ok((await reaches('deployed')).builder.preview_url);
	await refused(`POST ${path}/answers`, { message: 'EU' }, 409);
	await call(`POST ${path}/rebuild`, { message: 'make it fail' });
	await reaches('failed');
	await call(`POST ${path}/rebuild`, { message: 'make it work' });
	await reaches('deployed');
});

test('every operation of builders from code does what it says', async () => {
	const builder = await call('POST /builders', {
		name: 'my-api',
		entrypoint: 'python3 main.py',
		files: { 'main.py': 'print(1)' },
	});
	const path = `/builders/${builder.uuid}`;
	assert.equal(builder.port, 8000);
	assert.deepEqual(await call(`GET ${path}/files`), [{ path: 'main.py', size: 8 }]);
	assert.equal((await call(`POST ${path}/exec`, { command: 'echo hi' })).output, 'hi\n');
	await call(`POST ${path}/stop`);
	await refused(`POST ${path}/exec`, { command: 'echo hi' }, 409);
	await call(`POST ${path}/start`);
	await call(`GET ${path}/logs`);
	assert.ok((await call(`POST ${path}/ssh`, { expires_minutes: 10 })).ssh_command);
	await call(`POST ${path}/ssh/recreate`, {});
	assert.ok((await call('GET /builders/spending')).vm_count >= 1);
	assert.equal(
		(
			await refused(
				'POST /builders',
				{ name: 'My API', entrypoint: 'x', files: {} },
				422,
				'INVALID_FORMAT',
			)
		).field,
		'name',
	);
});

test('every operation of flows and their steps does what it says', async () => {
	const [flow] = await call('GET /flows');
	const path = `/flow/${flow.uuid}`;
	assert.ok((await call('GET /flow/apps')).length > 0);
	const [trigger] = await call('GET /flow/apps/agents/triggers');
	assert.ok((await call('GET /flow/apps/agents/actions')).some(({ key }) => key === 'start_call'));
	const [connection] = await call('GET /flow/connections');
	assert.equal(
		(
			await refused(
				`POST ${path}/steps`,
				{ kind: 'action', app_uid: 'tables', action_key: 'ai_query' },
				422,
			)
		).field,
		'kind',
	);
	const first = await call(`POST ${path}/steps`, {
		kind: 'trigger',
		app_uid: 'agents',
		trigger_key: trigger.key,
	});
	const last = await call(`POST ${path}/steps`, {
		kind: 'action',
		app_uid: 'tables',
		action_key: 'ai_query',
		config: { text: '{{step1.name}}' },
	});
	const middle = await call(`POST ${path}/steps`, {
		kind: 'action',
		app_uid: 'calendar',
		action_key: 'create_event',
		app_connection_uuid: connection.uuid,
		insert_after_step_uuid: first.uuid,
	});
	assert.equal(middle.position, 2);
	await call(`PATCH ${path}/steps/${last.uuid}`, { config: { text: 'new' } });
	await refused(`POST ${path}/deploy`, undefined, 422);
	for (const step of [first, middle, last]) await call(`POST ${path}/steps/${step.uuid}/test`, {});
	assert.equal((await call(`POST ${path}/deploy`)).status, 'deployed');
	await refused(`PATCH ${path}/steps/${last.uuid}`, { config: {} }, 409);
	assert.equal((await call(`POST ${path}/undeploy`)).steps.length, 3);
});

test('every operation of analytics, logs and search does what it says', async () => {
	const window = `from=${encodeURIComponent(inDays(-1))}&to=${encodeURIComponent(inDays(1))}`;
	const calls = await call(`GET /analytics/calls?${window}&compare_prev=true&channel=call`);
	assert.ok(calls.totals.calls >= 1);
	assert.equal(calls.previous.totals.calls, 0);
	assert.equal('success' in calls, false, 'no envelope');
	assert.ok((await call(`GET /analytics/sessions?${window}`)).totals.sessions >= 1);
	const seen = [];
	for (let cursor = ''; cursor !== null;) {
		const page = await call(
			`GET /analytics/messages?${window}&limit=2${cursor && `&cursor=${cursor}`}`,
		);
		seen.push(...page.messages.map(({ message_uuid: uuid }) => uuid));
		cursor = page.pagination.next_cursor;
	}
	assert.equal(seen.length, (await state('messages')).length);
	assert.equal(new Set(seen).size, seen.length);
	await call('GET /analytics/conversations');
	await call('GET /analytics/evaluations');
	const [log] = await call('GET /logs/actions');
	assert.equal((await call(`GET /logs/actions/${log.type}/${log.uuid}`)).uuid, log.uuid);
	await call('POST /agentic-search', { query: 'tea' });
});

test('every operation of phone numbers, trunks and channels does what it says', async () => {
	const [offer] = await call('GET /phone-numbers/search');
	await call('GET /phone-numbers/search/requirements');
	assert.ok(
		(
			await call(
				'POST /phone-numbers/documents',
				form({ file: { text: 'x', type: 'application/pdf', name: 'a.pdf' } }),
			)
		).document_id,
	);
	const bought = await call('POST /phone-numbers', { number: offer.number });
	assert.equal(
		(await refused('POST /phone-numbers', { number: offer.number }, 422)).field,
		'number',
	);
	const agent_uuid = await firstAgent();
	const { agent } = await call(`POST /agents/${agent_uuid}/channels/call/provision`, {
		phone_number_uuid: bought.phone_number_uuid,
	});
	assert.ok(agent.phone_numbers.some(({ number }) => number === offer.number));
	await call(`POST /agents/${agent_uuid}/channels/sms`, {
		phone_number_uuid: bought.phone_number_uuid,
	});
	assert.equal(
		(await call(`GET /phone-numbers/${bought.phone_number_uuid}/channels`)).channels.call
			.agent_uuid,
		agent_uuid,
	);
	assert.equal(
		(await call(`GET /phone-numbers/channels?number=${encodeURIComponent(offer.number)}`)).number,
		offer.number,
	);
	assert.equal(
		(
			await call(`PATCH /phone-numbers/${bought.phone_number_uuid}`, {
				channel_settings: { voice: { channel_limit: 3 } },
			})
		).channel_settings.voice.channel_limit,
		3,
	);
	assert.ok((await call('GET /phone-numbers')).items.length >= 2);
	await call(`POST /phone-numbers/${bought.phone_number_uuid}/release`, {});
	await call('POST /phone-numbers/trunks', {
		phone_number: '+14155550190',
		channel: 'call',
		agent_uuid,
		sip: { gateway: 'sip.example.com', password: 'hidden' },
	});
	await call('PATCH /phone-numbers/trunks', {
		phone_number: '+14155550190',
		channel: 'call',
		name: 'Trunk',
	});
	await call('PUT /phone-numbers/trunks/assign', {
		phone_number: '+14155550190',
		channel: 'call',
		agent_uuid,
	});
	assert.equal((await call('GET /phone-numbers/trunks')).items.length, 1);
	assert.doesNotMatch(JSON.stringify(await state('trunks')), /hidden/);
	await call('DELETE /phone-numbers/trunks?phone_number=%2B14155550190&channel=call');
	const connection = await call('POST /channels/sip-trunk/connections', {
		name: 'Office',
		phone_number: '020 7946',
		gateway: 'sip.example.com',
		username: 'office',
		password: 'hidden',
	});
	assert.doesNotMatch(JSON.stringify(connection), /hidden|username/);
	await refused('POST /channels/sip-trunk/connections', { name: 'Office' }, 422);
	const pbx = await call('POST /pbx_extension_connectors', {
		agent_uuid,
		phone_number: '+14155550191',
		registrar_server: 'pbx.example.com',
		username_extension: '1001',
		pbx_password: 'hidden',
	});
	const connector = await call(`GET /pbx_extension_connectors/${pbx.pbx_extension_connector_uuid}`);
	assert.deepEqual([connector.status, connector.agent_uuid], ['active', agent_uuid]);
	const rates = await call('GET /phone-numbers/rates?country_code=IT&per_page=50&page=2');
	assert.deepEqual(rates.pagination, {
		current_page: 2,
		last_page: 2,
		per_page: 50,
		total: 70,
		from: 51,
		to: 70,
		has_more: false,
	});
	assert.equal((await call('GET /phone-numbers/rates?prefix=49100')).items.length, 1);
	await refused('GET /phone-numbers/rates?per_page=201', undefined, 422);
	await call(`POST /agents/${agent_uuid}/channels/call/sip-trunk`, {
		connection_uuid: connection.uuid,
	});
	const other = (await state('agents'))[1].agent_uuid;
	await refused(
		`POST /agents/${other}/channels/call/sip-trunk`,
		{ connection_uuid: connection.uuid },
		422,
		'phone_in_use',
	);
});

test('every operation of the contract was called, and no answer departed from the contract', async () => {
	assert.ok(OPERATIONS.length > 150);
	assert.deepEqual(
		OPERATIONS.filter((operation) => !called.has(operation)),
		[],
	);
	const requests = await sandbox.control('GET /ledger');
	assert.ok(requests.length > OPERATIONS.length / 2);
	const violations = requests.filter(({ violation }) => violation !== undefined);
	assert.deepEqual(
		violations.map(({ method, path, violation }) => `${method} ${path}: ${violation}`),
		[],
	);
});

test('nothing is served that the contract does not have', () => {
	assert.deepEqual(unusedHandlers(new Contract(contract)), []);
	const { paths, ...without } = contract;
	const [path] = Object.keys(paths);
	const { [path]: _gone, ...rest } = paths;
	assert.notDeepEqual(unusedHandlers(new Contract({ ...without, paths: rest })), []);
});
