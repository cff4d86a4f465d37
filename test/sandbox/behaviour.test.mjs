// What the platform's interface states in words, held against the running sandbox over HTTP.
import assert from '../asserted.mjs';
import { beforeEach, describe, test } from 'node:test';
import { eventually } from '../../sandbox/client.mjs';
import { receiver, useSandbox } from './workspace.mjs';

const here = useSandbox({ call: { lifeMs: 20 } });
const { api, control, done, ring, state } = here;
const reset = (settings = {}, counts = {}) => here.reset({ settings, ...counts });
const pathOf = (index) => `/agents/${here.agents[index].agent_uuid}`;

/** @type {Record<string, string>} by kind, the first of each */
let tokens;
beforeEach(async () => {
	const all = await control('GET /tokens');
	tokens = Object.fromEntries(all.map(({ kind, token }) => [kind, token]).reverse());
});
const as = (kind) => ({ authorization: `Bearer ${tokens[kind]}` });
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('errors (interface §7)', () => {
	const callWith = (more) => () => ({
		agentId: here.agent,
		participant: { number: '+14155550100' },
		...more,
	});
	const to = (number) => callWith({ participant: { number } });
	const token = (authorization) => ({ authorization });
	const asText = { 'content-type': 'text/plain' };
	const noSection = { name: 'x', notes: [{ content: 'a' }, { order: '1' }] };
	const noBoolean = { name: 'x', appointment_scheduling_enabled: 'yes' };
	const party = { url: 'https://example.com', events: ['party'] };
	const webhooks = () => `POST ${pathOf(0)}/webhooks`;
	const stranger = callWith({ agentId: UNKNOWN });
	const noUuid = callWith({ agentId: 'x' });
	/** Name, request, what it is answered with (status, code, field), body, headers; the last two may be made later. */
	const cases = [
		// interface: §5 rule 1; §7 MISSING_AUTH_TOKEN
		['no token', 'GET /agents', '401 MISSING_AUTH_TOKEN', undefined, token(undefined)],
		// interface: §7 INVALID_AUTH_TOKEN
		['malformed scheme', 'GET /agents', '401 INVALID_AUTH_TOKEN', undefined, token('Basic abc')],
		['unknown token', 'GET /agents', '401 INVALID_AUTH_TOKEN', undefined, token('Bearer nobody')],
		['revoked token', 'GET /agents', '401 INVALID_AUTH_TOKEN', undefined, () => as('revoked')],
		// interface: §7 FORBIDDEN
		['no permission', 'GET /agents', '403 FORBIDDEN', undefined, () => as('forbidden')],
		['unknown resource', `GET /agents/${UNKNOWN}`, '404 RESOURCE_NOT_FOUND'],
		['unknown agent of a call', 'POST /call', '404 RESOURCE_NOT_FOUND', stranger],
		['unknown endpoint', 'GET /nothing', '404 ENDPOINT_NOT_FOUND'],
		['known path, unknown method', 'DELETE /agents', '404 ENDPOINT_NOT_FOUND'],
		['malformed JSON', 'POST /agents', '400 INVALID_FORMAT', '{"name": '],
		// interface: §4 bodies
		['JSON that is sent as text', 'POST /agents', '400 INVALID_FORMAT', { name: 'x' }, asText],
		['no body', 'POST /agents', '422 VALIDATION_ERROR'],
		// interface: §2.2 required fields
		['missing field', 'POST /agents', '422 VALIDATION_ERROR name', { role: 'x' }],
		['empty required field', 'POST /agents', '422 VALIDATION_ERROR name', { name: '' }],
		['unknown field', 'POST /agents', '422 VALIDATION_ERROR nmae', { name: 'x', nmae: 'y' }],
		['wrong type', 'POST /agents', `422 VALIDATION_ERROR ${Object.keys(noBoolean)[1]}`, noBoolean],
		// interface: §7 error envelope
		['wrong type deep inside', 'POST /agents', '422 VALIDATION_ERROR notes.1.order', noSection],
		['invalid uuid in the path', 'GET /agents/not-a-uuid', '422 INVALID_UUID uuid'],
		['invalid uuid in the body', 'POST /call', '422 INVALID_UUID agentId', noUuid],
		// interface: §7 INVALID_FORMAT
		['separators', 'POST /call', '422 INVALID_FORMAT participant.number', to('+1 415 555 0100')],
		['no plus', 'POST /call', '422 INVALID_FORMAT participant.number', to('14155550100')],
		['unknown status filter', 'GET /agents?status=asleep', '422 VALIDATION_ERROR status'],
		// interface: §8 page size
		['page size over 100', 'GET /agents?per_page=101', '422 VALIDATION_ERROR per_page'],
		['unknown event', webhooks, '422 VALIDATION_ERROR events.0', party],
	];
	for (const [name, request, said, body, headers = {}] of cases) {
		const [status, code, field] = said.split(' ');
		// interface: §2.1 rule 6; §8 rule 2
		test(`${name}: ${status} ${code}`, async () => {
			const value = (one) => (typeof one === 'function' ? one() : one);
			const answer = await api(value(request), value(body), value(headers));
			assert.equal(answer.status, Number(status));
			assert.equal(answer.body.success, false);
			assert.equal(typeof answer.body.message, 'string');
			assert.equal(answer.body.error.code, code);
			assert.equal(answer.body.error.field, field);
			for (const header of ['x-timezone', 'x-ratelimit-limit', 'x-ratelimit-remaining'])
				assert.ok(answer.headers.get(header), `has ${header}`);
			assert.equal((await here.ledger()).at(-1).effect, 'rejected');
		});
	}

	test('another tenant: everything is 404, and so is a base address with a path', async () => {
		const headers = { authorization: `Bearer ${here.sandbox.token}` };
		const response = await fetch(`${here.sandbox.url}/team/api/v1/agents`, { headers });
		const { error } = await response.json();
		assert.deepEqual([response.status, error.code], [404, 'ENDPOINT_NOT_FOUND']);
		await reset({ tenant: 'wrong' });
		for (const sent of [{}, token(undefined)])
			assert.equal((await api('GET /agents', undefined, sent)).status, 404);
	});

	// interface: §5 rule 5
	test('a token that is revoked stops at once', async () => {
		const { token: mine } = await control('POST /tokens', { kind: 'workspace' });
		const status = async () =>
			(await api('GET /agents', undefined, token(`Bearer ${mine}`))).status;
		assert.equal(await status(), 200);
		await control('POST /tokens/revoke', { token: mine });
		assert.equal(await status(), 401);
	});
});

describe('timezones (interface §2.1)', () => {
	// interface: §2.1 rule 5d
	test('neither profile nor workspace has a zone: UTC', async () => {
		await reset({ workspaceTimezone: '', memberTimezone: '' });
		for (const kind of ['workspace', 'user']) {
			const { headers } = await api('GET /agents', undefined, as(kind));
			assert.equal(headers.get('x-timezone'), 'UTC');
		}
	});
});

describe('agents (interface §2.2, §4.1)', () => {
	// interface: §3 agent status; §4.1 GET agents
	test('search looks at name, company and role; status narrows', async () => {
		await done('POST /agents', { name: 'Zeynep' });
		await done('POST /agents', { name: 'A', company_name: 'Zeynep Ltd' });
		await done('POST /agents', { name: 'B', role: 'zeynep helper' });
		await done('POST /agents', { name: 'C', description: 'Zeynep' });
		const found = async (query) =>
			(await done(`GET /agents?${query}`)).items.map(({ name }) => name);
		assert.deepEqual(await found('search=ZEYNEP'), ['Zeynep', 'A', 'B']);
		assert.equal((await found('status=pending')).length, 4);
		assert.equal((await found('status=completed')).length, 0);
	});

	// interface: §2.1 rule 2; §2.2 items; §2.7 guard rule
	test('create keeps every section and gives its items uuids', async () => {
		const sections = {
			guidelines: [{ content: 'g', order: 1 }],
			notes: [{ content: 'n', order: 2 }],
			procedures: [{ name: 'p', description: 'd', steps: [{ order: 1, description: 's' }] }],
			training: [{ content: 'q', intent: 'i', response: 'a' }],
			routing_rules: [{ detection_mode: 'intent', ai_prompt: 'x', phrases: ['y'] }],
			guard_rules: [
				{ name: 'g', when_condition: 'w', then_action: 'forward', selected_channels: [] },
			],
		};
		const slots = { schedule_uuid: UNKNOWN, slot_rules: { offer_slots_from: '3_hours' } };
		const given = {
			name: 'Full',
			settings: {
				voice: { interruption: { mode: 'balanced' }, compliance: { hipaa_compliance: true } },
				text: { working_hours: { enabled: true, start: '9 AM', end: '6 PM' } },
			},
			appointments: { enabled: true, random_assignment: false, schedule_assignments: [slots] },
		};
		const { status, body } = await api('POST /agents', { ...given, ...sections });
		assert.deepEqual([status, body.data.status], [201, 'pending']);
		const data = await done(`GET /agents/${body.data.agent_uuid}`);
		for (const [name, [item]] of Object.entries(sections)) {
			const { uuid, ...stored } = data[name][0];
			assert.match(uuid, /^[0-9a-f-]{36}$/);
			assert.deepEqual(stored, item, name);
		}
		assert.deepEqual(data.appointments, given.appointments);
		assert.equal(data.settings.voice.compliance.hipaa_compliance, true);
		assert.equal(data.settings.text.working_hours.start, '9 AM');
		for (const name of ['intents', 'webhooks', 'phone_numbers', 'channels'])
			assert.deepEqual(data[name], [], name);
		assert.match(data.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/);
	});

	/** Fields of what is returned, by where they stand. */
	const RETURNED = {
		agent: `agent_uuid name description company_name role objective tone behavior_guidelines company_service topic
			length_detail interest_of_product negative_response custom_prompt language timezone custom_llm_url settings
			appointment_scheduling_enabled appointment_scheduling_randomly guidelines notes procedures training
			appointments routing_rules guard_rules status speed recommendations intents webhooks phone_numbers channels
			created_at updated_at`,
		settings: 'evaluation memorize text voice',
		intent: `intent_uuid key name description recommendation_actions confidence_threshold is_system
			intent_llm_handle_by_response webhook parameters created_at updated_at`,
		webhook: 'created_at events has_secret is_active updated_at url webhook_uuid',
		number: 'phone_number_uuid number status country_code type capabilities',
		capabilities: 'call sms whatsapp whatsapp_call',
	};
	// interface: §2.2 returned fields; §2.8 intent; §2.9 agent webhook; §2.10 phone number
	test('an agent has all fields that are returned, so do its intents, webhooks and phone numbers', async () => {
		const path = pathOf(1);
		const url = 'https://example.com/hook';
		await done(`POST ${path}/intents`, { name: 'Refund', webhook: { url, auth_token: 't' } });
		await done(`POST ${path}/webhooks`, { url, events: ['intent_call'] });
		const [{ phone_number_uuid }] = await state('phone_numbers');
		await done(`POST ${path}/channels/call/provision`, { phone_number_uuid });
		const agent = await done(`GET ${path}`);
		const { settings, intents, webhooks, phone_numbers } = agent;
		const [[intent], [webhook], [number]] = [intents, webhooks, phone_numbers];
		const { capabilities } = number;
		const records = { agent, settings, intent, webhook, number, capabilities };
		for (const [name, record] of Object.entries(records))
			assert.deepEqual(Object.keys(record).sort(), RETURNED[name].split(/\s+/).sort(), name);
	});

	// interface: §4.1 POST notes and guidelines
	test('notes and guidelines are added, the whole agent comes back', async () => {
		for (const section of ['notes', 'guidelines']) {
			await done(`POST ${pathOf(0)}/${section}`, { content: 'one', order: 1 });
			const { body } = await api(`POST ${pathOf(0)}/${section}`, { content: 'two' });
			assert.deepEqual(Object.keys(body), ['data']);
			const contents = body.data[section].map(({ content }) => content);
			assert.deepEqual(contents, ['one', 'two']);
		}
	});

	// interface: §4.1 rule 4; §4.1 rule 8
	test('voice-advanced depends on the voice', async () => {
		const fields = async (index) => (await done(`GET ${pathOf(index)}/voice-advanced`)).fields;
		const [warm, clear, none] = await Promise.all([0, 1, 2].map(fields));
		const keys = (all) => all.map(({ key }) => key).join(' ');
		assert.equal(keys(warm), 'stability similarity style speed speaker_boost');
		assert.equal(keys(clear), 'speed stability');
		assert.deepEqual(none, []);
		const { type, min, max, value } = warm[0];
		assert.deepEqual([type, min, max, typeof value], ['number', 0, 1, 'number']);
		assert.deepEqual([warm[4].type, warm[4].value], ['boolean', true]);
		assert.deepEqual(clear[0].options, [0.8, 1, 1.2]);
	});

	for (const [name, index, body] of [
		['above the maximum', 0, { stability: 1.5 }],
		['not an option', 1, { speed: 0.9 }],
		['wrong type', 0, { speaker_boost: 1 }],
		['field of another voice', 1, { style: 0.5 }],
		['no voice', 2, { speed: 1 }],
	])
		test(`voice-advanced update refused: ${name}`, async () => {
			const answer = await api(`PATCH ${pathOf(index)}/voice-advanced`, body);
			assert.deepEqual([answer.status, answer.body.error.field], [422, Object.keys(body)[0]]);
		});
});

describe('agent webhooks (interface §2.9, §4.1)', () => {
	const url = 'https://example.com/hook?token=t0ken';
	const add = (more = {}) =>
		api(`POST ${pathOf(0)}/webhooks`, { url, events: ['conversation_status'], ...more });

	// interface: §4.1 POST webhooks; §4.1 GET webhooks
	test('the sixth is refused with 409 webhook_limit_reached', async () => {
		for (let count = 0; count < 5; count += 1) assert.equal((await add()).status, 201);
		const sixth = await add();
		assert.deepEqual([sixth.status, sixth.body.error.code], [409, 'webhook_limit_reached']);
		const { count, limit, items } = await done(`GET ${pathOf(0)}/webhooks`);
		assert.deepEqual([count, limit, items.length], [5, 5, 5]);
	});

	// interface: §2.9 agent webhook; §4.1 rule 5
	test('the secret is never returned and stands nowhere', async () => {
		const { body } = await add({ secret_key: 'very-secret-key' });
		assert.equal(body.data.has_secret, true);
		const shown = [body, await done(`GET ${pathOf(0)}`), await done(`GET ${pathOf(0)}/webhooks`)];
		for (const path of ['/ledger', '/state/webhooks', '/deliveries'])
			shown.push(await control(`GET ${path}`));
		assert.doesNotMatch(JSON.stringify(shown), /very-secret-key/);
		assert.doesNotMatch(JSON.stringify(await here.ledger()), new RegExp(here.sandbox.token));
	});
});

describe('calls, their end and the events (interface §4.4, §6)', () => {
	const subscribe = (address, events, more = {}) =>
		done(`POST ${pathOf(0)}/webhooks`, {
			url: `${address}?token=callback-token`,
			events,
			...more,
		});
	const ENDED = ['conversation_status', 'conversation_end_report', 'voice_evaluation'];
	const ALL = [...ENDED, 'conversation_update', 'text_evaluation', 'intent_call'];
	/** Places a call and waits for its events. @returns {Promise<string>} the conversation */
	async function called(...targets) {
		const { conversation_uuid: uuid } = (await ring()).body.data;
		await eventually(() => targets.every(({ received }) => received.length === 4));
		return uuid;
	}

	/** Fields of an event that another client reads (catalogue, last area). */
	const IDS = ['call_id', 'session_evaluation_uuid', 'conversation_uuid', 'agent_id'];
	const SOURCED = [
		...IDS,
		...['session_type', 'duration', 'number', 'contact_info', 'conversation'],
		...['sentiment_analysis', 'timestamp'],
	];
	for (const [eventShape, envelope, names, lastEvent] of [
		[null, ['data', 'event', 'timestamp'], SOURCED, 'voice_evaluation'],
		['client', ['data', 'event'], SOURCED, 'conversation_end_report'],
		['beside', ['event', ...SOURCED], SOURCED, 'voice_evaluation'],
		['ids', ['data', 'event'], IDS, 'voice_evaluation'],
		['nameless', ['data'], SOURCED, undefined],
	])
		test(`events in the shape ${eventShape}: names with a source, and all of them somewhere`, async (context) => {
			await reset({ manners: { eventShape } });
			const target = await receiver(context);
			await subscribe(target.url, ALL, { secret_key: 'signing' });
			const uuid = await called(target);
			const fieldsOf = ({ event, data, ...beside }) => data ?? beside;
			const said = new Set();
			for (const { body, headers } of target.received) {
				for (const name of Object.keys(body)) assert.ok(envelope.includes(name), name);
				for (const name of Object.keys(fieldsOf(body))) said.add(name);
				assert.equal(fieldsOf(body).conversation_uuid, uuid);
				const isNamed = !['client', 'nameless'].includes(eventShape);
				assert.equal(headers['x-event'] !== undefined, isNamed);
			}
			assert.deepEqual([...said].sort(), [...names].sort());
			assert.equal(target.events()[3], lastEvent);
		});
});

describe('limits (interface §8)', () => {
	// A window that does not end while the tests run.
	const windowMs = 1e12;
	for (const algorithm of ['token-bucket', 'fixed-window', 'sliding-window'])
		// interface: §8 rule 1
		test(`${algorithm}: the request over the limit is 429, and nothing is created for it`, async () => {
			await reset({ rate: { send: { limit: 5, windowMs, algorithm } } });
			const answers = [];
			for (let count = 0; count < 7; count += 1)
				answers.push(await ring({ request_key: `k${count}` }));
			const statuses = answers.map(({ status }) => status);
			assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429]);
			const remaining = answers.map(({ headers }) => headers.get('x-ratelimit-remaining'));
			assert.equal(remaining.join(''), '4321000');
			const { headers, body } = answers[5];
			assert.equal(headers.get('x-ratelimit-limit'), '5');
			const wait = Number(headers.get('retry-after'));
			assert.ok(wait >= 1);
			assert.deepEqual([body.error.code, body.error.retryAfter], ['RATE_LIMIT_EXCEEDED', wait]);
			assert.equal((await state('calls')).length, 5);
		});

	test('one limit for the four sending endpoints and for all tokens', async () => {
		await reset({ rate: { send: { limit: 4, windowMs } } });
		const [{ uuid: templateId }] = await state('whatsapp_templates');
		const template = { agentId: here.agent, phoneNumber: '+14155550100', templateId };
		const sms = { agentId: here.agent, phoneNumber: '+14155550100', message: 'm' };
		const statuses = [(await ring()).status];
		for (const [request, body, kind] of [
			['POST /sms/send', sms, 'user'],
			['POST /whatsapp/template', template, 'workspace'],
			['POST /email/messages', { to: 'a@example.com' }, 'user'],
			['POST /sms/send', sms, 'workspace'],
		])
			statuses.push((await api(request, body, as(kind))).status);
		assert.deepEqual(statuses, [201, 201, 201, 201, 429]);
		assert.equal((await api('GET /agents')).status, 200, 'reads go on');
	});

	test('the request over the general limit is 429', async () => {
		await reset({ rate: { general: { limit: 3, windowMs, algorithm: 'sliding-window' } } });
		const answers = [];
		for (let count = 0; count < 4; count += 1) answers.push(await api('GET /agents'));
		const statuses = answers.map(({ status }) => status);
		assert.deepEqual(statuses, [200, 200, 200, 429]);
		assert.equal(answers[0].headers.get('x-ratelimit-limit'), '3');
	});

	// interface: §8 deliveries
	test('stated limits are the defaults', async () => {
		await control('POST /reset', {});
		const { rate, call, webhooks } = await control('GET /settings');
		const { send, general } = rate;
		assert.deepEqual([send.limit, send.windowMs], [5, 1000]);
		assert.deepEqual([general.limit, general.windowMs], [1000, 60_000]);
		assert.deepEqual([call.liveLimit, webhooks.limit, webhooks.perSecond], [50, 5, 100]);
	});

	// interface: §8 rule 3
	test('request_key: the same request again, never a second call; a refused one leaves its key free', async () => {
		const key = { request_key: 'order-7' };
		assert.equal((await ring({ ...key, agentId: UNKNOWN })).status, 404);
		const first = await ring(key);
		const body = { agentId: here.agent, participant: { number: '+14155550100' }, ...key };
		const second = await api('POST /call', body, as('user'));
		assert.deepEqual([second.status, second.body], [201, first.body]);
		assert.equal((await state('calls')).length, 1);
		const { counts } = await control('GET /ledger/summary');
		const effects = counts.map(({ effect, count }) => [effect, count]);
		assert.deepEqual(effects, [
			['rejected', 1],
			['created', 1],
			['repeated', 1],
		]);
		await ring({ request_key: 'order-8' });
		assert.equal((await state('calls')).length, 2);
	});
});

describe('analytics (interface §4.2)', () => {
	const read = (query) => api(`GET /analytics/calls?${query}`);

	// interface: §4.2 query; §4.2 response
	test('windows are half-open, and the window before is counted, too', async () => {
		await ring();
		const [{ created_at: at }] = await state('conversations');
		const second = 1000 * Math.floor(Date.parse(at) / 1000);
		const time = (offset) => encodeURIComponent(new Date(second + offset).toISOString());
		const calls = async (from, to, more = '') =>
			(await read(`from=${time(from)}&to=${time(to)}${more}`)).body;
		const count = async (...window) => (await calls(...window)).totals.calls;
		assert.equal(await count(0, 1000), 1);
		assert.equal(await count(-1000, 0), 0, 'the end is outside');
		assert.equal(await count(0, 1000, '&channel=whatsapp_call'), 0);
		assert.equal(await count(0, 1000, '&channel=call,whatsapp_call'), 1);
		assert.equal((await calls(0, 1000)).previous, undefined);
		const both = await calls(1000, 2000, '&compare_prev=true');
		assert.deepEqual([both.totals.calls, both.previous.totals.calls], [0, 1]);
		const names = 'meta totals duration_sec buckets outcome cost previous';
		assert.deepEqual(Object.keys(both), names.split(' '));
		const totals = 'calls inbound outbound answered missed failed ai_handled human_handled';
		assert.deepEqual(Object.keys(both.totals), totals.split(' '));
	});

	const [first, next] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
	for (const [name, query, code, field] of [
		['no start', `to=${first}`, 'VALIDATION_ERROR', 'from'],
		['no time', `from=yesterday&to=${first}`, 'INVALID_FORMAT', 'from'],
		['end before start', `from=${next}&to=${first}`, 'VALIDATION_ERROR', 'to'],
		['by day', `from=${first}&to=${next}&granularity=day`, 'VALIDATION_ERROR', 'granularity'],
	])
		// interface: §4.2 query
		test(`refused: ${name}`, async () => {
			const { status, body } = await read(query);
			assert.deepEqual([status, body.error.code, body.error.field], [422, code, field]);
		});
});

describe('contact fields (interface §4.3)', () => {
	// interface: §2.11 contact field; §4.3 PUT contact field
	test('only what is supplied changes; the key does not', async () => {
		const path = 'PUT /contacts/fields/company';
		const { key, name, is_active } = await done(path, { is_active: false });
		assert.deepEqual([key, name, is_active], ['company', 'Company', false]);
		assert.equal((await api('PUT /contacts/fields/nothing', { name: 'x' })).status, 404);
		for (const [request, body] of [
			[path, { key: 'firm' }],
			['POST /contacts/fields', { key: 'company', name: 'Firm' }],
		]) {
			const answer = await api(request, body);
			assert.deepEqual([answer.status, answer.body.error.field], [422, 'key'], request);
		}
	});
});
