// What operations of the sandbox do beyond storing and returning: what they refuse, and what they change elsewhere. That
// each takes what the contract says and answers so is judged in test/engine/everyOperation.test.cts.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { eventually, startSandbox } from '../../sandbox/client.mjs';
import { unusedHandlers } from '../../sandbox/resources/index.mjs';
import { Contract } from '../../sandbox/validate.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
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

/** Calls an operation that must succeed. @returns {Promise<any>} what stands under data, else the whole body */
async function call(request, body) {
	const { status, body: said } = await sandbox.api(request, body);
	assert.ok(status >= 200 && status < 300, `${request}: ${status} ${JSON.stringify(said)}`);
	return said.data ?? said;
}

/** Calls an operation that must be refused. `why`: the field or the code that the refusal names. */
async function refused(request, body, status, why) {
	const { status: given, body: said } = await sandbox.api(request, body);
	assert.equal(given, status, `${request}: ${JSON.stringify(said)}`);
	if (why !== undefined) assert.ok([said.error.field, said.error.code].includes(why), request);
}

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

test('a section of an agent keeps what was there, or is replaced as a whole', async () => {
	const agent = `/agents/${(await call('POST /agents', { name: 'Nora', notes: [{ content: '1' }] })).agent_uuid}`;
	const { notes } = await call(`POST ${agent}/notes`, { content: '2' });
	assert.deepEqual(
		notes.map(({ content }) => content),
		['1', '2'],
	);
	const shorter = await call(`DELETE ${agent}/notes/${notes[1].uuid}`);
	assert.equal(shorter.notes.length, 1);
	const training = [{ content: 'new' }];
	await call(`POST ${agent}/training`, { content: 'old' });
	const replaced = await call(`PUT ${agent}/training`, { training });
	assert.deepEqual(
		replaced.training.map(({ content }) => content),
		['new'],
	);
	await call(`PATCH ${agent}/interaction`, { silence_message: 'Still there?' });
	await call(`PATCH ${agent}/call-behavior`, { audio_recording: false });
	const { interaction, call_behavior: behavior } = await call(`GET ${agent}/voice`);
	assert.deepEqual(
		[interaction.silence_message, behavior.audio_recording],
		['Still there?', false],
	);
});

test('an intent’s action is a draft until it is published', async () => {
	const agent = `/agents/${await firstAgent()}`;
	const { key, intent_uuid: uuid } = await call(`POST ${agent}/intents`, {
		name: 'Wants a refund',
	});
	assert.equal(key, 'wants_a_refund');
	const event = `${agent}/intents/${uuid}/event`;
	const webhook = { url: 'https://example.com/x' };
	const { status } = await call(`PUT ${event}`, { event_type: 'webhook', webhook });
	assert.equal(status, 'draft');
	await call(`POST ${event}/publish`);
	assert.equal((await call(`GET ${event}`)).status, 'deployed');
	const app = { event_type: 'app', app_uid: 'calendar', action_key: 'create_event' };
	await refused(`PUT ${event}`, app, 422, 'app_connection_uuid');
});

// interface: §3 evaluation
test('evaluation settings are inherited, overridden and reverted', async () => {
	const agent = `/agents/${await firstAgent()}/evaluate`;
	const minutes = (timeout_minutes) => ({ sessionization: { timeout_minutes } });
	await call('PUT /evaluate/default', minutes(12));
	assert.equal((await call(`POST ${agent}/assign`)).source, 'agent');
	await call(`PUT ${agent}`, minutes(3));
	const kept = await call(`POST ${agent}/assign`);
	assert.equal(kept.sessionization.timeout_minutes, 3, 'assign keeps an override');
	const anew = await call(`POST ${agent}/reassign`);
	assert.equal(anew.sessionization.timeout_minutes, 12, 'reassign copies the default anew');
	await call(`DELETE ${agent}`);
	await refused(`DELETE ${agent}`, undefined, 404, 'RESOURCE_NOT_FOUND');
});

test('contacts: custom fields, the blacklist, tags and analyzers', async () => {
	await call('POST /contacts/fields', { key: 'plan', name: 'Plan' });
	const made = { name: 'Zoe', phone_number: '+14155550100', plan: 'Gold' };
	const contact = `/contacts/${(await call('POST /contacts', made)).uuid}`;
	assert.equal((await call(`PUT ${contact}`, { surname: 'Ray' })).plan, 'Gold');
	assert.equal((await call(`PUT ${contact}`, { plan: null })).plan, '', 'null clears');
	await refused('POST /contacts', { colour: 'red' }, 422, 'colour');
	const temporary = { reason: 'asked', is_permanent: false };
	await refused(`POST ${contact}/blacklist`, temporary, 422, 'expires_at');
	const { status } = await call(`POST ${contact}/blacklist`, { reason: 'asked for it' });
	assert.equal(status, 'Blacklisted');
	const [vip, newsletter] = await state('contact_tags');
	const tagsAfter = async (request, tag_id) =>
		(await call(`POST ${contact}/${request}`, { tag_id })).tags.map(({ name }) => name);
	assert.deepEqual(await tagsAfter('add-tag', vip.id), ['VIP']);
	assert.deepEqual(await tagsAfter('add-tag', newsletter.uuid), ['VIP', 'Newsletter']);
	assert.equal(
		`/contacts/${(await call(`GET /contacts?tag_uuid=${vip.uuid}`)).data[0].uuid}`,
		contact,
	);
	assert.deepEqual(await tagsAfter('remove-tag', vip.id), ['Newsletter']);
	for (const tag_id of [99, 'VIP']) await refused(`POST ${contact}/add-tag`, { tag_id }, 422);
	await refused('PUT /analyzers/b_email', { analysis_goals: 'x' }, 422, 'analysis_goals');
	await refused('PUT /analyzers/x_plan', {}, 422, 'INVALID_FORMAT');
	await refused('PUT /analyzers/f_unknown', {}, 404, 'RESOURCE_NOT_FOUND');
	await call('PUT /contacts/fields/plan', { is_active: false });
	assert.equal('plan' in (await call(`GET ${contact}`)), false, 'an inactive field is not shown');
	await call(`DELETE ${contact}`);
	await refused(`GET ${contact}`, undefined, 404, 'RESOURCE_NOT_FOUND');
});

test('a call is live until it is hung up, and leaves a session and its evaluation', async () => {
	const agentId = await firstAgent();
	const { conversation_uuid: uuid } = await call('POST /call', {
		agentId,
		participant: { number: '+14155550111' },
	});
	const calls = `GET /calls?agent_id=${agentId}&status=in-progress&direction=Outbound`;
	const [live] = (await call(calls)).data;
	assert.equal((await call(`GET /conversations/${uuid}`)).call.uuid, live.uuid);
	await refused(`GET /sessions/${MISSING}/evaluation`, undefined, 404);
	await call(`POST /calls/action/${uuid}/hangup`);
	await refused(`POST /calls/action/${uuid}/mute`, undefined, 409);
	assert.equal((await call(`GET /conversations/${uuid}`)).status, 'Closed');
	const [session] = (await call(`GET /conversations/${uuid}/sessions`)).data;
	const { total } = await call(`GET /conversations/${uuid}/messages`);
	assert.equal((await call(`GET /sessions/${session.uuid}/messages`)).total, total);
	const evaluation = await call(`GET /sessions/${session.uuid}/evaluation`);
	assert.equal((await call(`GET /evaluations/${evaluation.uuid}`)).session_uuid, session.uuid);
});

test('messages: templates are filled in, and only approved ones are sent', async () => {
	const agentId = await firstAgent();
	const templates = await call('GET /whatsapp/templates');
	const order = templates.find(({ name }) => name === 'order_confirmation');
	const to = { agentId, phoneNumber: '+14155550121' };
	const parameters = { field1: 'Ann', field2: '77' };
	const sent = await call('POST /whatsapp/template', {
		...to,
		templateId: order.uuid,
		parameters,
	});
	const { data } = await call(`GET /conversations/${sent.conversationId}/messages`);
	assert.match(data[0].content, /Hello Ann, your order 77/);
	const [{ waba_id }] = await call('GET /whatsapp/wabas');
	const bye = { name: 'bye', language: 'en_US', category: 'UTILITY', waba_id };
	const components = [{ type: 'BODY', text: 'Bye {{1}}' }];
	const fresh = await call('POST /whatsapp/templates', { ...bye, components });
	assert.equal(fresh.status, 'PENDING');
	await refused('POST /whatsapp/template', { ...to, templateId: fresh.uuid }, 422, 'templateId');
	await refused('POST /whatsapp/templates', { ...bye, components: [] }, 422, 'name');
	const file = { text: 'x', type: 'image/png', name: 'a.png' };
	const video = form({ waba_id, media_type: 'video', file });
	await refused('POST /whatsapp/templates/upload-media', video, 422, 'media_type');
});

test('listings: a number counts once, and starting at once calls each contact once', async () => {
	const agent_uuid = await firstAgent();
	const contacts = [130, 131, 130].map((n) => ({ phone_number: `+14155550${n}` }));
	const leads = { name: 'Leads', contacts, auto_start: true };
	const listing = await call('POST /listings', { ...leads, agent_uuid });
	assert.deepEqual([listing.contacts_added, listing.contacts_skipped], [2, 1]);
	const called = (await state('conversations')).filter(
		({ listing_uuid }) => listing_uuid === listing.uuid,
	);
	assert.equal(called.length, 2);
	await call(`DELETE /listings/${listing.uuid}/contacts/${called[0].contact.uuid}`);
	const one = (await call('GET /listings')).find(({ uuid }) => uuid === listing.uuid);
	assert.equal(one.contacts_count, 1);
	await refused('POST /listings', leads, 422, 'agent_uuid');
});

test('a task has a time to come and somebody to call; each request to carry it out is a call', async () => {
	const agent_uuid = await firstAgent();
	const plan = { title: 'Call back', type: 'make_call', agent_uuid, scheduled_at: inDays(2) };
	const contact = { phone_number: '+14155550133' };
	await refused('POST /tasks', plan, 422, 'contact');
	const late = { ...plan, contact, scheduled_at: inDays(-2) };
	await refused('POST /tasks', late, 422, 'scheduled_at');
	const { uuid } = await call('POST /tasks', { ...plan, contact });
	assert.equal((await call(`POST /tasks/${uuid}/cancel`)).status, 'cancelled');
	for (const carryOut of ['retry', 'queue']) {
		assert.equal((await call(`POST /tasks/${uuid}/${carryOut}`)).status, 'queued');
		await eventually(async () => (await call(`GET /tasks/${uuid}`)).status === 'in_progress');
	}
	const calls = (await state('conversations')).filter(({ task_uuids: of }) => of.includes(uuid));
	assert.equal(calls.length, 2);
	await call(`DELETE /tasks/${uuid}`);
	await refused(`GET /tasks/${uuid}`, undefined, 404, 'RESOURCE_NOT_FOUND');
});

test('pools say whom they did not find; a running campaign makes tasks of their contacts', async () => {
	const pool = await call('POST /pools', { name: 'Pool', description: 'd' });
	const [{ uuid: contact }] = await state('contacts');
	const running = (await state('campaigns')).find(({ status }) => status === 'In Process');
	const joined = await call(`POST /campaigns/${running.uuid}/pools`, {
		pool_uuids: [pool.uuid, MISSING],
	});
	assert.deepEqual(joined.pool_uuids_not_found, [MISSING]);
	const added = await call(`POST /pools/${pool.uuid}/contacts`, {
		contact_uuids: [contact, contact, MISSING],
	});
	assert.deepEqual(
		[added.contacts_added, added.contact_uuids_not_found, added.tasks_created],
		[1, [MISSING], 1],
	);
	assert.equal((await call(`POST /pools/${pool.uuid}/duplicate`, {})).contacts_copied, 1);
	const rule = await call('POST /rules', { name: 'Texts', type: 'text', max_calls_per_day: 9 });
	assert.deepEqual([rule.max_calls_per_day, rule.retry_interval_minutes], [1, null]);
	const ruled = await call(`PUT /campaigns/${running.uuid}/rule`, { rule_uuid: rule.uuid });
	assert.equal(ruled.rule.name, 'Texts');
});

test('appointments: times of the workspace, days, and what a request must have', async () => {
	const [{ uuid: schedule_uuid }] = await call('GET /schedules');
	await refused('POST /schedules', { name: 'Evenings' }, 422);
	const wanted = {
		schedule_uuid,
		title: 'Visit',
		start_time: inDays(3, 10),
		end_time: inDays(3, 11),
	};
	const { uuid, start_time } = await call('POST /appointments', wanted);
	assert.equal(start_time, `${inDays(3, 10)}+03:00`, 'read and answered in workspace time');
	const later = await call(`PUT /appointments/${uuid}`, { title: 'Later' });
	assert.equal(later.start_time, start_time);
	const day = inDays(3).slice(0, 10);
	const found = async (query) => (await call(`GET /appointments?${query}`)).length;
	assert.equal(await found(`start_date=${day}&end_date=${day}`), 1);
	assert.equal(await found(`end_date=${inDays(2).slice(0, 10)}`), 0);
	assert.equal(await found(`schedule_uuid=${schedule_uuid}&status=cancelled`), 0);
	await sandbox.control('PATCH /settings', { manners: { calendarDays: 'until' } });
	assert.equal(await found(`start_date=${day}&end_date=${day}`), 0, 'the last day is left out');
	await sandbox.control('PATCH /settings', { manners: { calendarDays: '' } });
	await refused('POST /appointments', { ...wanted, end_time: inDays(2) }, 422, 'end_time');
	await refused('POST /appointments', { ...wanted, start_time: 'tomorrow' }, 422, 'start_time');
	const ask = { schedule_uuid, title: 'Ask', start_time: inDays(4) };
	await refused('POST /appointment-requests', ask, 422, 'contact_name');
	const who = { contact_name: 'Ann', contact_email: 'ann@example.com' };
	const request = await call('POST /appointment-requests', { ...ask, ...who });
	assert.deepEqual([request.status, request.end_time], ['pending', `${inDays(4, 11)}+03:00`]);
});

test('a table knows its columns; imports find theirs', async () => {
	const table = await call('POST /data/tables', {
		name: 'Prices',
		columns: [
			{ name: 'item', data_type: 'text' },
			{ name: 'price', data_type: 'number' },
			{ name: 'until', data_type: 'date' },
		],
	});
	const records = `/data/${table.uuid}/records`;
	const tea = { item: 'tea', price: 3, until: '2026-12-31' };
	const { uuid, record } = await call(`POST ${records}`, { record: tea });
	assert.equal(record.until, '2026-12-31', 'a date is never shifted');
	const updated = await call(`PUT ${records}/${uuid}`, { record: { price: 4 } });
	assert.equal(updated.record.item, 'tea');
	await refused(`POST ${records}`, { record: { price: 'three' } }, 422, 'record.price');
	await refused(`POST ${records}`, { record: { size: 1 } }, 422, 'record.size');
	const data = 'city,size\n"Paris, France",2\nRome,3\n';
	const pasted = await call('POST /data/import/copypaste', { name: 'Pasted', data });
	assert.deepEqual(
		pasted.columns.map(({ name, data_type }) => `${name} ${data_type}`),
		['city text', 'size number'],
	);
	const [first] = (await call(`GET /data/${pasted.uuid}/records`)).data;
	assert.equal(first.record.city, 'Paris, France');
	const file = { text: 'a\tb\n1\t2', type: 'text/csv', name: 'x.csv' };
	const filed = await call('POST /data/import/file', form({ name: 'Filed', file }));
	assert.equal(filed.records_count, 1);
});

test('transcriptions end after a while, or fail', async () => {
	const voice_file = { text: 'riff', type: 'audio/wav', name: 'a.wav' };
	const ended = async (fields, status) => {
		const { uuid, status: first } = await call('POST /transcriptions', form(fields));
		assert.equal(first, 'pending');
		return await eventually(async () => {
			const found = await call(`GET /transcriptions/${uuid}`);
			return found.status === status && found;
		});
	};
	const { uuid } = await ended({ voice_file, reference_id: 'R1' }, 'completed');
	const transcript = await call(`GET /transcriptions/${uuid}/transcript`);
	assert.equal(transcript.reference_id, 'R1');
	assert.match(transcript.conversation.plain, /Customer: /);
	await sandbox.control('PATCH /settings', { transcription: { fails: true } });
	const failed = await ended({ voice_url: 'https://example.com/a.mp3' }, 'failed');
	assert.match(failed.error_message, /could not be read/);
	await refused('POST /transcriptions', form({ reference_id: 'R1' }), 422);
});

test('one coaching agent is the default; a scorecard tells whether its weights are balanced', async () => {
	const one = await call('POST /coaching-agents', { name: 'Coach', is_default: true });
	const two = await call('POST /coaching-agents', { name: 'Other' });
	const unset = await call(`PATCH /coaching-agents/${one.uuid}`, { is_default: false });
	assert.equal(unset.is_default, true, 'false cannot unset the default');
	await call(`POST /coaching-agents/${two.uuid}/set-default`);
	assert.deepEqual(
		(await state('coaching_agents')).map(({ is_default }) => is_default),
		[false, true],
	);
	const [{ uuid }] = await state('qa_agents');
	const skills = [{ name: 'Greeting', weight: 60 }];
	const scorecard = await call(`PUT /qa-agents/${uuid}/skills`, { skills });
	assert.deepEqual([scorecard.total_weight, scorecard.weights_balanced], [60, false]);
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

test('a builder runs commands while it runs', async () => {
	const code = { entrypoint: 'python3 main.py', files: { 'main.py': 'print(1)' } };
	await refused('POST /builders', { ...code, name: 'My API' }, 422, 'name');
	const path = `/builders/${(await call('POST /builders', { ...code, name: 'my-api' })).uuid}`;
	assert.deepEqual(await call(`GET ${path}/files`), [{ path: 'main.py', size: 8 }]);
	assert.equal((await call(`POST ${path}/exec`, { command: 'echo hi' })).output, 'hi\n');
	await call(`POST ${path}/stop`);
	await refused(`POST ${path}/exec`, { command: 'echo hi' }, 409);
});

test('a flow is deployed when every step was tested, and cannot be changed then', async () => {
	const [flow] = await call('GET /flows');
	const path = `/flow/${flow.uuid}`;
	const [trigger] = await call('GET /flow/apps/agents/triggers');
	const [connection] = await call('GET /flow/connections');
	const action = { kind: 'action', app_uid: 'tables', action_key: 'ai_query' };
	await refused(`POST ${path}/steps`, action, 422, 'kind');
	const start = { kind: 'trigger', app_uid: 'agents', trigger_key: trigger.key };
	const first = await call(`POST ${path}/steps`, start);
	const last = await call(`POST ${path}/steps`, action);
	const middle = await call(`POST ${path}/steps`, {
		kind: 'action',
		app_uid: 'calendar',
		action_key: 'create_event',
		app_connection_uuid: connection.uuid,
		insert_after_step_uuid: first.uuid,
	});
	assert.equal(middle.position, 2);
	await refused(`POST ${path}/deploy`, undefined, 422);
	for (const step of [first, middle, last]) await call(`POST ${path}/steps/${step.uuid}/test`, {});
	assert.equal((await call(`POST ${path}/deploy`)).status, 'deployed');
	await refused(`PATCH ${path}/steps/${last.uuid}`, { config: {} }, 409);
	assert.equal((await call(`POST ${path}/undeploy`)).steps.length, 3);
});

test('messages are read by cursor, each once', async () => {
	const window = `from=${encodeURIComponent(inDays(-1))}&to=${encodeURIComponent(inDays(1))}`;
	const seen = [];
	for (let cursor = ''; cursor !== null;) {
		const next = cursor && `&cursor=${cursor}`;
		const page = await call(`GET /analytics/messages?${window}&limit=2${next}`);
		seen.push(...page.messages.map(({ message_uuid: uuid }) => uuid));
		cursor = page.pagination.next_cursor;
	}
	assert.ok(seen.length > 2);
	assert.equal(new Set(seen).size, (await state('messages')).length);
});

test('a phone number has one owner, and no password of a trunk is kept', async () => {
	const [{ number }] = await call('GET /phone-numbers/search');
	const { phone_number_uuid } = await call('POST /phone-numbers', { number });
	await refused('POST /phone-numbers', { number }, 422, 'number');
	const agent_uuid = await firstAgent();
	await call(`POST /agents/${agent_uuid}/channels/call/provision`, { phone_number_uuid });
	const { channels } = await call(`GET /phone-numbers/${phone_number_uuid}/channels`);
	assert.equal(channels.call.agent_uuid, agent_uuid);
	const trunk = { phone_number: '+14155550190', channel: 'call' };
	const sip = { gateway: 'sip.example.com', password: 'hidden' };
	await call('POST /phone-numbers/trunks', { ...trunk, agent_uuid, sip });
	const connection = await call('POST /channels/sip-trunk/connections', {
		name: 'Office',
		phone_number: '020 7946',
		...sip,
		username: 'office',
	});
	assert.doesNotMatch(JSON.stringify([connection, await state('trunks')]), /hidden/);
	await refused('POST /channels/sip-trunk/connections', { name: 'Office' }, 422);
	const rates = await call('GET /phone-numbers/rates?country_code=IT&per_page=50&page=2');
	const { from, to, total, has_more: more } = rates.pagination;
	assert.deepEqual([from, to, total, more], [51, 70, 70, false]);
	const { uuid: connection_uuid } = connection;
	await call(`POST /agents/${agent_uuid}/channels/call/sip-trunk`, { connection_uuid });
	const other = `/agents/${(await state('agents'))[1].agent_uuid}`;
	const taken = `POST ${other}/channels/call/sip-trunk`;
	await refused(taken, { connection_uuid }, 422, 'phone_in_use');
});

test('no answer departed from the contract', async () => {
	const requests = await sandbox.control('GET /ledger');
	assert.ok(requests.length > 100);
	assert.deepEqual(
		requests
			.filter(({ violation }) => violation !== undefined)
			.map(({ method, path, violation }) => `${method} ${path}: ${violation}`),
		[],
	);
});

test('nothing is served that the contract does not have', () => {
	const contract = load(
		readFileSync(new URL('../../contract/openapi.yaml', import.meta.url), 'utf8'),
	);
	assert.deepEqual(unusedHandlers(new Contract(contract)), []);
	const [, ...rest] = Object.entries(contract.paths);
	const fewer = { ...contract, paths: Object.fromEntries(rest) };
	assert.notDeepEqual(unusedHandlers(new Contract(fewer)), []);
});
