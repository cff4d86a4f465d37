// What the platform's interface states in words, held against the running sandbox over HTTP.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually, startSandbox } from '../../sandbox/client.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
/** @type {{agent_uuid: string}[]} */
let agents;
/** @type {Record<string, string>} by kind, the first of each */
let tokens;

before(async () => {
	sandbox = await startSandbox();
});
after(() => sandbox.stop());
beforeEach(() => reset());

/** A fresh workspace; sending is not held back unless a test asks for it. */
async function reset(settings = {}, counts = {}) {
	await sandbox.control('POST /reset', {
		seed: 1,
		settings: {
			call: { lifeMs: 20 },
			...settings,
			rate: { send: { limit: 1000 }, ...settings.rate },
		},
		...counts,
	});
	agents = await sandbox.control('GET /state/agents');
	tokens = Object.fromEntries(
		(await sandbox.control('GET /tokens')).map(({ kind, token }) => [kind, token]).reverse(),
	);
}

const as = (kind) => ({ authorization: `Bearer ${tokens[kind]}` });
const callBody = (more = {}) => ({
	agentId: agents[0].agent_uuid,
	participant: { number: '+14155550100' },
	...more,
});
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('errors (interface §7)', () => {
	const to = (/** @type {string} */ number) => callBody({ participant: { number } });
	const basic = { authorization: 'Basic abc' };
	const nobody = { authorization: 'Bearer nobody' };
	const asText = { 'content-type': 'text/plain' };
	const noSection = { name: 'x', notes: [{ content: 'a' }, { order: '1' }] };
	const noBoolean = { name: 'x', appointment_scheduling_enabled: 'yes' };
	const party = { url: 'https://example.com', events: ['party'] };
	/** Name, request, what it is answered with (status, code, field), body, headers; the last two may be made later. */
	const cases = [
		// interface: §5 rule 1; §7 MISSING_AUTH_TOKEN
		['no token', 'GET /agents', '401 MISSING_AUTH_TOKEN', undefined, { authorization: undefined }],
		// interface: §7 INVALID_AUTH_TOKEN
		['malformed scheme', 'GET /agents', '401 INVALID_AUTH_TOKEN', undefined, basic],
		// interface: §7 INVALID_AUTH_TOKEN
		['unknown token', 'GET /agents', '401 INVALID_AUTH_TOKEN', undefined, nobody],
		['revoked token', 'GET /agents', '401 INVALID_AUTH_TOKEN', undefined, () => as('revoked')],
		// interface: §7 FORBIDDEN
		['no permission', 'GET /agents', '403 FORBIDDEN', undefined, () => as('forbidden')],
		['unknown resource', `GET /agents/${UNKNOWN}`, '404 RESOURCE_NOT_FOUND'],
		[
			'unknown agent of a call',
			'POST /call',
			'404 RESOURCE_NOT_FOUND',
			() => callBody({ agentId: UNKNOWN }),
		],
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
		[
			'wrong type',
			'POST /agents',
			'422 VALIDATION_ERROR appointment_scheduling_enabled',
			noBoolean,
		],
		// interface: §7 error envelope
		['wrong type deep inside', 'POST /agents', '422 VALIDATION_ERROR notes.1.order', noSection],
		['invalid uuid in the path', 'GET /agents/not-a-uuid', '422 INVALID_UUID uuid'],
		[
			'invalid uuid in the body',
			'POST /call',
			'422 INVALID_UUID agentId',
			() => callBody({ agentId: 'x' }),
		],
		// interface: §7 INVALID_FORMAT
		[
			'phone with separators',
			'POST /call',
			'422 INVALID_FORMAT participant.number',
			() => to('+1 415 555 0100'),
		],
		[
			'phone without plus',
			'POST /call',
			'422 INVALID_FORMAT participant.number',
			() => to('14155550100'),
		],
		['unknown status filter', 'GET /agents?status=asleep', '422 VALIDATION_ERROR status'],
		// interface: §8 page size
		['page size over 100', 'GET /agents?per_page=101', '422 VALIDATION_ERROR per_page'],
		[
			'unknown event',
			() => `POST /agents/${agents[0].agent_uuid}/webhooks`,
			'422 VALIDATION_ERROR events.0',
			party,
		],
	];
	for (const [name, request, said, body, headers = {}] of cases) {
		const [status, code, field] = said.split(' ');
		// interface: §2.1 rule 6; §8 rule 2
		test(`${name}: ${status} ${code}`, async () => {
			const value = (one) => (typeof one === 'function' ? one() : one);
			const answer = await sandbox.api(value(request), value(body), value(headers));
			assert.equal(answer.status, Number(status));
			assert.equal(answer.body.success, false);
			assert.equal(typeof answer.body.message, 'string');
			assert.equal(answer.body.error.code, code);
			assert.equal(answer.body.error.field, field);
			for (const header of ['x-timezone', 'x-ratelimit-limit', 'x-ratelimit-remaining'])
				assert.ok(answer.headers.get(header), `has ${header}`);
			assert.equal((await sandbox.control('GET /ledger')).at(-1).effect, 'rejected');
		});
	}

	test('another tenant: everything is 404', async () => {
		await reset({ tenant: 'wrong' });
		assert.equal((await sandbox.api('GET /agents')).status, 404);
		assert.equal(
			(await sandbox.api('GET /agents', undefined, { authorization: undefined })).status,
			404,
		);
	});

	test('a base address with a path is another address', async () => {
		const response = await fetch(`${sandbox.url}/team/api/v1/agents`, {
			headers: { authorization: `Bearer ${sandbox.token}` },
		});
		assert.deepEqual(
			[response.status, (await response.json()).error.code],
			[404, 'ENDPOINT_NOT_FOUND'],
		);
	});

	// interface: §5 rule 5
	test('a token that is revoked stops at once', async () => {
		const { token } = await sandbox.control('POST /tokens', { kind: 'workspace' });
		const authorization = `Bearer ${token}`;
		assert.equal((await sandbox.api('GET /agents', undefined, { authorization })).status, 200);
		await sandbox.control('POST /tokens/revoke', { token });
		assert.equal((await sandbox.api('GET /agents', undefined, { authorization })).status, 401);
	});
});

describe('timezones (interface §2.1)', () => {
	const winter = '2027-01-15T09:00:00';
	const applied = [
		['header', { 'x-timezone': 'Asia/Kolkata' }, '', 'workspace', 'Asia/Kolkata'],
		['query parameter', {}, '?timezone=Asia%2FKolkata', 'workspace', 'Asia/Kolkata'],
		[
			'header before query parameter',
			{ 'x-timezone': 'Asia/Kolkata' },
			'?timezone=America%2FNew_York',
			'workspace',
			'Asia/Kolkata',
		],
		// interface: §2.1 rule 5a
		['Windows name', { 'x-timezone': 'Tokyo Standard Time' }, '', 'workspace', 'Asia/Tokyo'],
		// interface: §2.1 rule 5a
		[
			'invalid header, then query parameter',
			{ 'x-timezone': 'Mars/Base' },
			'?timezone=Asia%2FTokyo',
			'workspace',
			'Asia/Tokyo',
		],
		[
			'invalid value, workspace token',
			{ 'x-timezone': 'Mars/Base' },
			'',
			'workspace',
			'Europe/Istanbul',
		],
		['an offset is no zone', { 'x-timezone': '+05:30' }, '', 'workspace', 'Europe/Istanbul'],
		['workspace token', {}, '', 'workspace', 'Europe/Istanbul'],
		// interface: §2.1 rule 5b
		['per-user token', {}, '', 'user', 'America/New_York'],
		['per-user token with header', { 'x-timezone': 'UTC' }, '', 'user', 'UTC'],
	];
	for (const [name, headers, query, kind, zone] of applied) {
		test(`${name}: ${zone}`, async () => {
			const answer = await sandbox.api(`GET /agents${query}`, undefined, {
				...as(kind),
				...headers,
			});
			assert.equal(answer.headers.get('x-timezone'), zone);
		});
	}

	// interface: §2.1 rule 5d
	test('neither profile nor workspace has a zone: UTC', async () => {
		await reset({ workspaceTimezone: '', memberTimezone: '' });
		for (const kind of ['workspace', 'user'])
			assert.equal(
				(await sandbox.api('GET /agents', undefined, as(kind))).headers.get('x-timezone'),
				'UTC',
			);
	});

	const sent = [
		["without offset: the caller's zone", winter, 'America/New_York', '2027-01-15T09:00:00-05:00'],
		[
			'with a space instead of T',
			'2027-01-15 09:00:00',
			'America/New_York',
			'2027-01-15T09:00:00-05:00',
		],
		[
			'with offset: that instant',
			`${winter}+03:00`,
			'America/New_York',
			'2027-01-15T01:00:00-05:00',
		],
		['with Z: that instant', `${winter}Z`, 'Asia/Kolkata', '2027-01-15T14:30:00+05:30'],
		['in summer time', '2027-07-15T09:00:00', 'America/New_York', '2027-07-15T09:00:00-04:00'],
		[
			'that the clocks skip: moved on',
			'2027-03-14T02:30:00',
			'America/New_York',
			'2027-03-14T03:30:00-04:00',
		],
		[
			'that comes twice: the first',
			'2027-11-07T01:30:00',
			'America/New_York',
			'2027-11-07T01:30:00-04:00',
		],
		[
			'just before the clocks change',
			'2027-03-14T01:59:59',
			'America/New_York',
			'2027-03-14T01:59:59-05:00',
		],
		["in no zone: the workspace's", winter, undefined, '2027-01-15T09:00:00+03:00'],
	];
	for (const [name, time, zone, shown] of sent) {
		// interface: §2.1 rule 1
		test(`a datetime ${name}, shown as ${shown}`, async () => {
			const [{ uuid: schedule_uuid }] = await sandbox.control('GET /state/schedules');
			const headers = zone === undefined ? {} : { 'x-timezone': zone };
			const created = await sandbox.api(
				'POST /appointments',
				{ schedule_uuid, title: 'Visit', start_time: time, end_time: '2028-01-01T00:00:00Z' },
				headers,
			);
			assert.equal(created.status, 201, JSON.stringify(created.body));
			assert.equal(created.body.data.start_time, shown);
			const [stored] = await sandbox.control('GET /state/appointments');
			assert.equal(Date.parse(stored.start_time), Date.parse(shown), 'stored as the same instant');
			const elsewhere = (await sandbox.api('GET /appointments', undefined, { 'x-timezone': 'UTC' }))
				.body.data[0].start_time;
			assert.match(elsewhere, /\+00:00$/);
			assert.equal(Date.parse(elsewhere), Date.parse(shown), 'the same instant in every zone');
		});
	}

	test('dates and times of day are never shifted', async () => {
		const headers = { 'x-timezone': 'Pacific/Auckland' };
		const { body: rule } = await sandbox.api(
			'POST /rules',
			{ name: 'Hours', start_time: '09:30', end_time: '17:45' },
			headers,
		);
		assert.deepEqual([rule.data.start_time, rule.data.end_time], ['09:30:00', '17:45:00']);
		const { body: listing } = await sandbox.api(
			'POST /listings',
			{
				name: 'L',
				contacts: [{ phone_number: '+14155550101' }],
				start_date: '2027-02-22',
				end_date: '2027-03-22',
			},
			headers,
		);
		assert.deepEqual(
			[listing.data.start_date, listing.data.end_date],
			['2027-02-22', '2027-03-22'],
		);
		const [stored] = await sandbox.control('GET /state/listings');
		assert.equal(stored.start_date, '2027-02-22');
	});
});

describe('agents (interface §2.2, §4.1)', () => {
	test('pages: at most 100, in order, none twice', async () => {
		await reset({}, { agents: 205 });
		const pages = await Promise.all(
			[1, 2, 3].map((page) => sandbox.api(`GET /agents?per_page=100&page=${page}`)),
		);
		assert.deepEqual(
			pages.map(({ body }) => body.data.items.length),
			[100, 100, 5],
		);
		assert.deepEqual(pages[0].body.data.pagination, {
			current_page: 1,
			last_page: 3,
			per_page: 100,
			total: 205,
		});
		assert.equal(
			new Set(pages.flatMap(({ body }) => body.data.items.map(({ agent_uuid: uuid }) => uuid)))
				.size,
			205,
		);
	});

	// interface: §3 agent status; §4.1 GET agents
	test('search looks at name, company and role; status narrows', async () => {
		await sandbox.api('POST /agents', { name: 'Zeynep' });
		await sandbox.api('POST /agents', { name: 'A', company_name: 'Zeynep Ltd' });
		await sandbox.api('POST /agents', { name: 'B', role: 'zeynep helper' });
		await sandbox.api('POST /agents', { name: 'C', description: 'Zeynep' });
		const { items } = (await sandbox.api('GET /agents?search=ZEYNEP')).body.data;
		assert.deepEqual(
			items.map(({ name }) => name),
			['Zeynep', 'A', 'B'],
		);
		assert.equal((await sandbox.api('GET /agents?status=pending')).body.data.items.length, 4);
		assert.equal((await sandbox.api('GET /agents?status=completed')).body.data.items.length, 0);
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
		const given = {
			name: 'Full',
			description: 'd',
			settings: {
				voice: { interruption: { mode: 'balanced' }, compliance: { hipaa_compliance: true } },
				text: { working_hours: { enabled: true, start: '9 AM', end: '6 PM' } },
			},
			appointments: {
				enabled: true,
				random_assignment: false,
				schedule_assignments: [
					{ schedule_uuid: UNKNOWN, slot_rules: { offer_slots_from: '3_hours' } },
				],
			},
			...sections,
		};
		const { status, body } = await sandbox.api('POST /agents', given);
		assert.equal(status, 201);
		assert.equal(body.data.status, 'pending');
		const { data } = (await sandbox.api(`GET /agents/${body.data.agent_uuid}`)).body;
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

	// interface: §2.2 returned fields; §2.8 intent; §2.9 agent webhook; §2.10 phone number
	test('an agent has all fields that are returned, so do its intents, webhooks and phone numbers', async () => {
		const path = `/agents/${agents[1].agent_uuid}`;
		await sandbox.api(`POST ${path}/intents`, {
			name: 'Refund',
			webhook: { url: 'https://example.com', auth_token: 't' },
			parameters: [{ key: 'order', default: '', type: 'string', required: true }],
		});
		await sandbox.api(`POST ${path}/webhooks`, {
			url: 'https://example.com/hook',
			events: ['intent_call'],
		});
		const [{ phone_number_uuid }] = await sandbox.control('GET /state/phone_numbers');
		await sandbox.api(`POST ${path}/channels/call/provision`, { phone_number_uuid });
		const { data } = (await sandbox.api(`GET ${path}`)).body;
		const has = (record, names) =>
			assert.deepEqual(
				names.split(' ').filter((name) => !(name in record)),
				[],
			);
		has(
			data,
			'agent_uuid name description company_name role objective tone behavior_guidelines ' +
				'company_service topic length_detail interest_of_product negative_response ' +
				'custom_prompt language timezone appointment_scheduling_enabled ' +
				'appointment_scheduling_randomly custom_llm_url',
		);
		has(
			data,
			'settings guidelines notes procedures training appointments routing_rules ' +
				'guard_rules status speed recommendations intents webhooks phone_numbers channels ' +
				'created_at updated_at',
		);
		assert.deepEqual(Object.keys(data.settings).sort(), [
			'evaluation',
			'memorize',
			'text',
			'voice',
		]);
		has(
			data.intents[0],
			'intent_uuid key name description recommendation_actions confidence_threshold ' +
				'is_system intent_llm_handle_by_response webhook parameters created_at updated_at',
		);
		assert.deepEqual(Object.keys(data.webhooks[0]).sort(), [
			'created_at',
			'events',
			'has_secret',
			'is_active',
			'updated_at',
			'url',
			'webhook_uuid',
		]);
		has(data.phone_numbers[0], 'phone_number_uuid number status country_code type capabilities');
		assert.deepEqual(Object.keys(data.phone_numbers[0].capabilities), [
			'call',
			'sms',
			'whatsapp',
			'whatsapp_call',
		]);
	});

	// interface: §4.1 POST notes and guidelines
	test('notes and guidelines are added, the whole agent comes back', async () => {
		const path = `/agents/${agents[0].agent_uuid}`;
		for (const section of ['notes', 'guidelines']) {
			await sandbox.api(`POST ${path}/${section}`, { content: 'one', order: 1 });
			const { body } = await sandbox.api(`POST ${path}/${section}`, { content: 'two' });
			assert.deepEqual(Object.keys(body), ['data']);
			assert.deepEqual(
				body.data[section].map(({ content }) => content),
				['one', 'two'],
			);
		}
	});

	// interface: §4.1 rule 4
	test('voice-advanced depends on the voice', async () => {
		const fields = async (agent) =>
			(await sandbox.api(`GET /agents/${agent.agent_uuid}/voice-advanced`)).body.data.fields;
		const [warm, clear, none] = await Promise.all(agents.slice(0, 3).map(fields));
		assert.deepEqual(
			warm.map(({ key }) => key),
			['stability', 'similarity', 'style', 'speed', 'speaker_boost'],
		);
		assert.deepEqual(
			clear.map(({ key }) => key),
			['speed', 'stability'],
		);
		assert.deepEqual(none, []);
		assert.deepEqual(
			[warm[0].type, warm[0].min, warm[0].max, typeof warm[0].value],
			['number', 0, 1, 'number'],
		);
		assert.deepEqual([warm[4].type, warm[4].value], ['boolean', true]);
		assert.deepEqual(clear[0].options, [0.8, 1, 1.2]);
	});

	for (const [name, agent, body, field] of [
		['above the maximum', 0, { stability: 1.5 }, 'stability'],
		['not an option', 1, { speed: 0.9 }, 'speed'],
		['wrong type', 0, { speaker_boost: 1 }, 'speaker_boost'],
		['field of another voice', 1, { style: 0.5 }, 'style'],
		['no voice', 2, { speed: 1 }, 'speed'],
	]) {
		test(`voice-advanced update refused: ${name}`, async () => {
			const answer = await sandbox.api(
				`PATCH /agents/${agents[agent].agent_uuid}/voice-advanced`,
				body,
			);
			assert.deepEqual([answer.status, answer.body.error.field], [422, field]);
		});
	}

	// interface: §4.1 rule 8
	test('bounds may stand under other names', async () => {
		await reset({ voiceFieldKeys: { min: 'minimum', max: 'maximum', options: 'enum' } });
		const { fields } = (await sandbox.api(`GET /agents/${agents[0].agent_uuid}/voice-advanced`))
			.body.data;
		assert.deepEqual([fields[0].minimum, fields[0].maximum, fields[0].min], [0, 1, undefined]);
	});
});

describe('agent webhooks (interface §2.9, §4.1)', () => {
	const add = (more = {}) =>
		sandbox.api(`POST /agents/${agents[0].agent_uuid}/webhooks`, {
			url: 'https://example.com/hook?token=t0ken',
			events: ['conversation_status'],
			...more,
		});

	// interface: §4.1 POST webhooks; §4.1 GET webhooks
	test('the sixth is refused with 409 webhook_limit_reached', async () => {
		for (let count = 0; count < 5; count += 1) assert.equal((await add()).status, 201);
		const sixth = await add();
		assert.deepEqual([sixth.status, sixth.body.error.code], [409, 'webhook_limit_reached']);
		const { data } = (await sandbox.api(`GET /agents/${agents[0].agent_uuid}/webhooks`)).body;
		assert.deepEqual([data.count, data.limit, data.items.length], [5, 5, 5]);
	});

	// interface: §2.9 agent webhook; §4.1 rule 5
	test('the secret is never returned and stands nowhere', async () => {
		const { body } = await add({ secret_key: 'very-secret-key' });
		assert.equal(body.data.has_secret, true);
		const everything = await Promise.all([
			sandbox.api(`GET /agents/${agents[0].agent_uuid}`),
			sandbox.api(`GET /agents/${agents[0].agent_uuid}/webhooks`),
			sandbox.control('GET /ledger'),
			sandbox.control('GET /state/webhooks'),
			sandbox.control('GET /deliveries'),
		]);
		assert.doesNotMatch(
			JSON.stringify([body, everything.map((one) => one.body ?? one)]),
			/very-secret-key/,
		);
		assert.doesNotMatch(
			JSON.stringify(await sandbox.control('GET /ledger')),
			new RegExp(sandbox.token),
		);
	});

	for (const [name, settings, method, status] of [
		['without delete', { delete: false }, 'DELETE', 404],
		['that refuses delete', { delete: '405' }, 'DELETE', 405],
		['without update', { update: false }, 'PATCH', 404],
	]) {
		test(`a platform ${name} answers ${status} and keeps the webhook`, async () => {
			await reset({ webhooks: settings });
			const { webhook_uuid: uuid } = (await add()).body.data;
			const answer = await sandbox.api(
				`${method} /agents/${agents[0].agent_uuid}/webhooks/${uuid}`,
				method === 'PATCH' ? { url: 'https://example.com', events: ['intent_call'] } : undefined,
			);
			assert.equal(answer.status, status);
			assert.equal((await sandbox.control('GET /state/webhooks')).length, 1);
		});
	}
});

describe('calls, their end and the events (interface §4.4, §6)', () => {
	/** A receiver of deliveries. */
	async function receiver(status = 200) {
		const received = [];
		const server = createServer(async (request, response) => {
			const chunks = [];
			for await (const chunk of request) chunks.push(chunk);
			received.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
			response.writeHead(status).end('thanks');
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return {
			received,
			url: `http://127.0.0.1:${server.address().port}/in`,
			close: () => server.close(),
		};
	}

	const subscribe = (url, events, more = {}) =>
		sandbox.api(`POST /agents/${agents[0].agent_uuid}/webhooks`, {
			url: `${url}?token=callback-token`,
			events,
			...more,
		});
	const ALL = [
		'conversation_status',
		'conversation_end_report',
		'conversation_update',
		'voice_evaluation',
		'text_evaluation',
		'intent_call',
	];

	// interface: §6 event names; §6 evaluation events
	test('a call lives, ends, and tells status, report and evaluation, signed', async () => {
		const target = await receiver();
		try {
			await subscribe(target.url, ALL, { secret_key: 'signing' });
			const { conversation_uuid: uuid } = (await sandbox.api('POST /call', callBody())).body.data;
			await eventually(() => target.received.length === 4);
			const bodies = target.received.map(({ text }) => JSON.parse(text));
			assert.deepEqual(
				bodies.map(({ event }) => event),
				[
					'conversation_status',
					'conversation_status',
					'conversation_end_report',
					'voice_evaluation',
				],
			);
			assert.ok(
				bodies.every(
					({ data }) => data.conversation_uuid === uuid && data.number === '+14155550100',
				),
			);
			for (const { headers, text } of target.received)
				assert.equal(
					headers['x-signature'],
					`sha256=${createHmac('sha256', 'signing').update(text).digest('hex')}`,
				);
			assert.equal(new Set(target.received.map(({ headers }) => headers['x-delivery-id'])).size, 4);
			const conversation = (await sandbox.api(`GET /conversations/${uuid}`)).body.data;
			assert.equal(conversation.status, 'Closed');
			assert.equal(conversation.call.duration, bodies[2].data.duration);
			const log = await eventually(async () => {
				const entries = await sandbox.control('GET /deliveries');
				return entries.length === 4 && entries.every(({ status }) => status !== null) && entries;
			});
			assert.deepEqual(
				log.map(({ status, url, attempt, responseBody }) => [status, url, attempt, responseBody]),
				Array(4).fill([200, target.url, 1, 'thanks']),
			);
			assert.doesNotMatch(JSON.stringify(log), /callback-token|"signing"/);
		} finally {
			target.close();
		}
	});

	/** Fields of an event that another client reads (catalogue, last area). */
	const SOURCED = [
		...['call_id', 'session_evaluation_uuid', 'conversation_uuid', 'agent_id', 'session_type'],
		...['duration', 'number', 'contact_info', 'conversation', 'sentiment_analysis', 'timestamp'],
	];
	const IDS = ['call_id', 'session_evaluation_uuid', 'conversation_uuid', 'agent_id'];

	for (const [eventShape, envelope, names, lastEvent] of [
		[null, ['data', 'event', 'timestamp'], SOURCED, 'voice_evaluation'],
		['client', ['data', 'event'], SOURCED, 'conversation_end_report'],
		['beside', ['event', ...SOURCED], SOURCED, 'voice_evaluation'],
		['ids', ['data', 'event'], IDS, 'voice_evaluation'],
		['nameless', ['data'], SOURCED, undefined],
	])
		test(`events in the shape ${eventShape}: names with a source, and all of them somewhere`, async () => {
			await reset({ manners: { eventShape } });
			const target = await receiver();
			try {
				await subscribe(target.url, ALL, { secret_key: 'signing' });
				const { conversation_uuid: uuid } = (await sandbox.api('POST /call', callBody())).body.data;
				await eventually(() => target.received.length === 4);
				const bodies = target.received.map(({ text }) => JSON.parse(text));
				const fieldsOf = ({ event, data, ...beside }) => data ?? beside;
				const unknown = bodies.flatMap((body) => [
					...Object.keys(body).filter((name) => !envelope.includes(name)),
					...Object.keys(fieldsOf(body)).filter((name) => !names.includes(name)),
				]);
				assert.deepEqual(unknown, []);
				const said = new Set(bodies.flatMap((body) => Object.keys(fieldsOf(body))));
				assert.deepEqual([...said].sort(), [...names].sort());
				assert.deepEqual(
					bodies.map((body) => fieldsOf(body).conversation_uuid),
					Array(4).fill(uuid),
				);
				assert.equal(bodies[3].event, lastEvent);
				assert.deepEqual(
					target.received.map(({ headers }) => headers['x-event'] !== undefined),
					Array(4).fill(!['client', 'nameless'].includes(eventShape)),
				);
			} finally {
				target.close();
			}
		});

	// interface: §6 signed
	test('only active webhooks that subscribe to the event hear it; without secret nothing is signed', async () => {
		const target = await receiver();
		try {
			await subscribe(target.url, ['conversation_end_report']);
			await subscribe(target.url, ALL, { is_active: false });
			await sandbox.api('POST /call', callBody());
			await eventually(() => target.received.length === 1);
			await eventually(async () => (await sandbox.control('GET /state/evaluations')).length === 1);
			assert.equal(JSON.parse(target.received[0].text).event, 'conversation_end_report');
			assert.equal(target.received[0].headers['x-signature'], undefined);
			assert.equal((await sandbox.control('GET /deliveries')).length, 1);
		} finally {
			target.close();
		}
	});

	/** A receiver that takes deliveries and never answers. */
	async function hanging() {
		const received = [];
		const server = createServer(async (request) => {
			const chunks = [];
			for await (const chunk of request) chunks.push(chunk);
			received.push(JSON.parse(Buffer.concat(chunks)).event);
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const url = `http://127.0.0.1:${server.address().port}/hangs`;
		return { received, url, close: () => server.closeAllConnections() || server.close() };
	}
	const eventsOf = (target) => target.received.map(({ text }) => JSON.parse(text).event);
	const inOrder = [
		'conversation_status',
		'conversation_status',
		'conversation_end_report',
		'voice_evaluation',
	];

	test('a receiver that hangs holds up no other delivery of the call, and hears all of them', async () => {
		await reset({ webhooks: { timeoutMs: 60_000, orderMs: 200 } });
		const [target, other] = [await receiver(), await hanging()];
		try {
			await subscribe(other.url, ALL);
			await subscribe(target.url, ALL);
			await sandbox.api('POST /call', callBody());
			await eventually(() => target.received.length === 4 && other.received.length === 4);
			assert.deepEqual(eventsOf(target), inOrder);
			assert.deepEqual(other.received, inOrder);
		} finally {
			target.close();
			other.close();
		}
	});

	test('failing deliveries are repeated as the settings say, under the same id', async () => {
		await reset({ webhooks: { attempts: 3, retryDelayMs: 5 } });
		const target = await receiver(500);
		try {
			await subscribe(target.url, ['intent_call']);
			const [last] = await sandbox.control('POST /deliver', {
				agent: agents[0].agent_uuid,
				event: 'intent_call',
				data: { intent: 'x', api_key: 'k3y' },
			});
			assert.deepEqual([last.status, last.attempt], [500, 3]);
			assert.equal(new Set(target.received.map(({ headers }) => headers['x-delivery-id'])).size, 1);
			assert.equal(last.payload.data.api_key, '***');
		} finally {
			target.close();
		}
	});

	// interface: §8 deliveries
	test('no more deliveries leave in a second than stated', async () => {
		await reset({ webhooks: { perSecond: 20 } });
		const target = await receiver();
		try {
			await subscribe(target.url, ['intent_call']);
			await Promise.all(
				Array.from({ length: 30 }, () =>
					sandbox.control('POST /deliver', { agent: agents[0].agent_uuid, event: 'intent_call' }),
				),
			);
			const moments = (await sandbox.control('GET /deliveries'))
				.map(({ at }) => at)
				.sort((a, b) => a - b);
			assert.equal(moments.length, 30);
			// A second's worth at once, the others one by one: the last ten take half a second.
			assert.ok(moments.at(-1) - moments[0] >= 450, String(moments.at(-1) - moments[0]));
		} finally {
			target.close();
		}
	});

	test('the outcome depends on seed and number, not on the order', async () => {
		const numbers = [
			'+14155550111',
			'+14155550112',
			'+14155550113',
			'+14155550114',
			'+14155550115',
			'+14155550116',
		];
		const outcomes = async (order) => {
			await reset();
			for (const number of order)
				await sandbox.api('POST /call', callBody({ participant: { number } }));
			const ended = await eventually(async () => {
				const { data } = (await sandbox.api('GET /conversations?status=Closed&per_page=100')).body
					.data;
				return data.length === order.length && data;
			});
			return Object.fromEntries(
				ended.map(({ contact, call }) => [contact.phone_number, [call.summary, call.duration]]),
			);
		};
		const forwards = await outcomes(numbers);
		assert.deepEqual(await outcomes([...numbers].reverse()), forwards);
		assert.ok(
			new Set(Object.values(forwards).map(([summary]) => summary.split(': ')[1])).size > 1,
			'not all alike',
		);
	});

	// interface: §8 rule 4
	test('beyond the limit of simultaneous calls an accepted call waits for a free line', async () => {
		await reset({ call: { lifeMs: 60_000, liveLimit: 2 } });
		const uuids = [];
		for (let count = 0; count < 3; count += 1)
			uuids.push((await sandbox.api('POST /call', callBody())).body.data.conversation_uuid);
		const status = async (uuid) =>
			(await sandbox.api(`GET /conversations/${uuid}`)).body.data.call.status;
		assert.deepEqual(await Promise.all(uuids.map(status)), [
			'in-progress',
			'in-progress',
			'queued',
		]);
		await sandbox.api(`POST /calls/action/${uuids[0]}/hangup`, {});
		assert.equal(await status(uuids[2]), 'in-progress');
	});

	test('beyond that limit a call is refused, if the settings say so', async () => {
		await reset({ call: { lifeMs: 60_000, liveLimit: 1, overLimit: 'reject' } });
		await sandbox.api('POST /call', callBody());
		const answer = await sandbox.api('POST /call', callBody());
		assert.equal(answer.status, 429);
		assert.equal((await sandbox.control('GET /state/calls')).length, 1);
	});
});

describe('limits (interface §8)', () => {
	// A window that does not end while the tests run.
	const windowMs = 1e12;
	for (const algorithm of ['token-bucket', 'fixed-window', 'sliding-window']) {
		// interface: §8 rule 1
		test(`${algorithm}: the request over the limit is 429, and nothing is created for it`, async () => {
			await reset({ rate: { send: { limit: 5, windowMs, algorithm } } });
			const answers = [];
			for (let count = 0; count < 7; count += 1)
				answers.push(await sandbox.api('POST /call', callBody({ request_key: `k${count}` })));
			assert.deepEqual(
				answers.map(({ status }) => status),
				[201, 201, 201, 201, 201, 429, 429],
			);
			assert.deepEqual(
				answers.map(({ headers }) => headers.get('x-ratelimit-remaining')),
				['4', '3', '2', '1', '0', '0', '0'],
			);
			const refused = answers[5];
			assert.equal(refused.headers.get('x-ratelimit-limit'), '5');
			assert.ok(Number(refused.headers.get('retry-after')) >= 1);
			assert.equal(refused.body.error.code, 'RATE_LIMIT_EXCEEDED');
			assert.equal(refused.body.error.retryAfter, Number(refused.headers.get('retry-after')));
			assert.equal((await sandbox.control('GET /state/calls')).length, 5);
		});
	}

	test('one limit for the four sending endpoints and for all tokens', async () => {
		await reset({ rate: { send: { limit: 4, windowMs } } });
		const agentId = agents[0].agent_uuid;
		const [template] = await sandbox.control('GET /state/whatsapp_templates');
		const phoneNumber = '+14155550100';
		const statuses = [];
		for (const [request, body, kind] of [
			['POST /call', callBody(), 'workspace'],
			['POST /sms/send', { agentId, phoneNumber, message: 'm' }, 'user'],
			['POST /whatsapp/template', { agentId, phoneNumber, templateId: template.uuid }, 'workspace'],
			['POST /email/messages', { to: 'a@example.com' }, 'user'],
			['POST /sms/send', { agentId, phoneNumber, message: 'm' }, 'workspace'],
		])
			statuses.push((await sandbox.api(request, body, as(kind))).status);
		assert.deepEqual(statuses, [201, 201, 201, 201, 429]);
		assert.equal((await sandbox.api('GET /agents')).status, 200, 'reads go on');
	});

	test('others who send use up the same limit', async () => {
		await reset({
			rate: { send: { limit: 5, windowMs, algorithm: 'sliding-window', othersPerSecond: 1000 } },
		});
		const refused = await eventually(async () => {
			const answer = await sandbox.api('POST /sms/send', {
				agentId: agents[0].agent_uuid,
				phoneNumber: '+14155550100',
				message: 'm',
			});
			return answer.status === 429 && answer;
		});
		assert.equal(refused.headers.get('x-ratelimit-remaining'), '0');
		assert.ok((await sandbox.control('GET /state/messages')).length < 5);
	});

	test('the request over the general limit is 429', async () => {
		await reset({ rate: { general: { limit: 3, windowMs, algorithm: 'sliding-window' } } });
		const answers = [];
		for (let count = 0; count < 4; count += 1) answers.push(await sandbox.api('GET /agents'));
		assert.deepEqual(
			answers.map(({ status }) => status),
			[200, 200, 200, 429],
		);
		assert.equal(answers[0].headers.get('x-ratelimit-limit'), '3');
	});

	// interface: §8 deliveries
	test('stated limits are the defaults', async () => {
		await sandbox.control('POST /reset', {});
		const { rate, call, webhooks } = await sandbox.control('GET /settings');
		assert.deepEqual(
			[
				rate.send.limit,
				rate.send.windowMs,
				rate.general.limit,
				rate.general.windowMs,
				call.liveLimit,
				webhooks.limit,
				webhooks.perSecond,
			],
			[5, 1000, 1000, 60_000, 50, 5, 100],
		);
	});

	// interface: §8 rule 3
	test('request_key: the same request again, never a second call', async () => {
		const first = await sandbox.api('POST /call', callBody({ request_key: 'order-7' }));
		const second = await sandbox.api(
			'POST /call',
			callBody({ request_key: 'order-7' }),
			as('user'),
		);
		assert.deepEqual([second.status, second.body], [first.status, first.body]);
		assert.equal((await sandbox.control('GET /state/calls')).length, 1);
		const { counts } = await sandbox.control('GET /ledger/summary');
		assert.deepEqual(
			counts.map(({ effect, count }) => [effect, count]),
			[
				['created', 1],
				['repeated', 1],
			],
		);
		await sandbox.api('POST /call', callBody({ request_key: 'order-8' }));
		assert.equal((await sandbox.control('GET /state/calls')).length, 2);
	});

	test('a refused request leaves its key free', async () => {
		assert.equal(
			(await sandbox.api('POST /call', callBody({ agentId: UNKNOWN, request_key: 'k' }))).status,
			404,
		);
		assert.equal((await sandbox.api('POST /call', callBody({ request_key: 'k' }))).status, 201);
	});

	test('without request keys the same request again is a second call', async () => {
		await reset({ requestKeys: false });
		for (let count = 0; count < 2; count += 1)
			await sandbox.api('POST /call', callBody({ request_key: 'k' }));
		assert.equal((await sandbox.control('GET /state/calls')).length, 2);
	});
});

describe('analytics (interface §4.2)', () => {
	// interface: §4.2 query; §4.2 response
	test('windows are half-open, and the window before is counted, too', async () => {
		await sandbox.api('POST /call', callBody());
		const [{ created_at: at }] = await sandbox.control('GET /state/conversations');
		const second = 1000 * Math.floor(Date.parse(at) / 1000);
		const time = (offset) => encodeURIComponent(new Date(second + offset).toISOString());
		const calls = async (from, to, more = '') =>
			(await sandbox.api(`GET /analytics/calls?from=${time(from)}&to=${time(to)}${more}`)).body;
		assert.equal((await calls(0, 1000)).totals.calls, 1);
		assert.equal((await calls(-1000, 0)).totals.calls, 0, 'the end is outside');
		const both = await calls(1000, 2000, '&compare_prev=true');
		assert.deepEqual(
			[both.totals.calls, both.previous.totals.calls, both.success],
			[0, 1, undefined],
		);
		assert.deepEqual(Object.keys(both), [
			'meta',
			'totals',
			'duration_sec',
			'buckets',
			'outcome',
			'cost',
			'previous',
		]);
		assert.deepEqual(Object.keys(both.totals), [
			'calls',
			'inbound',
			'outbound',
			'answered',
			'missed',
			'failed',
			'ai_handled',
			'human_handled',
		]);
		assert.equal((await calls(0, 1000, '&channel=whatsapp_call')).totals.calls, 0);
		assert.equal((await calls(0, 1000, '&channel=call,whatsapp_call')).totals.calls, 1);
		assert.equal((await calls(0, 1000)).previous, undefined);
	});

	for (const [name, query, code, field] of [
		['no start', 'to=2026-01-01T00:00:00Z', 'VALIDATION_ERROR', 'from'],
		['no time', 'from=yesterday&to=2026-01-01T00:00:00Z', 'INVALID_FORMAT', 'from'],
		[
			'end before start',
			'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
			'VALIDATION_ERROR',
			'to',
		],
		[
			'another grouping',
			'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&granularity=day',
			'VALIDATION_ERROR',
			'granularity',
		],
	]) {
		// interface: §4.2 query
		test(`refused: ${name}`, async () => {
			const answer = await sandbox.api(`GET /analytics/calls?${query}`);
			assert.deepEqual(
				[answer.status, answer.body.error.code, answer.body.error.field],
				[422, code, field],
			);
		});
	}
});

describe('contact fields (interface §4.3)', () => {
	// interface: §2.11 contact field; §4.3 PUT contact field
	test('only what is supplied changes; the key does not', async () => {
		const { data } = (await sandbox.api('PUT /contacts/fields/company', { is_active: false })).body;
		assert.deepEqual([data.key, data.name, data.is_active], ['company', 'Company', false]);
		const other = await sandbox.api('PUT /contacts/fields/company', { key: 'firm' });
		assert.deepEqual([other.status, other.body.error.field], [422, 'key']);
		assert.equal((await sandbox.api('PUT /contacts/fields/nothing', { name: 'x' })).status, 404);
		const twin = await sandbox.api('POST /contacts/fields', { key: 'company', name: 'Firm' });
		assert.deepEqual([twin.status, twin.body.error.field], [422, 'key'], 'a key is unique');
	});
});
