// What operations of the sandbox refuse beyond what the contract's schemas say: a request that is wrong must not pass
// unnoticed. What they do is held by the tests of the nodes; that each takes what the contract says and answers so is
// judged in test/engine/everyOperation.test.cts.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { startSandbox } from '../../sandbox/client.mjs';
import { unusedHandlers } from '../../sandbox/resources/index.mjs';
import { Contract } from '../../sandbox/validate.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
before(async () => {
	sandbox = await startSandbox({
		settings: {
			call: { lifeMs: 60_000 },
			rate: { send: { limit: 1000 }, general: { limit: 100_000 } },
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

const task = async (days) => ({
	title: 'Call back',
	type: 'make_call',
	agent_uuid: await firstAgent(),
	scheduled_at: inDays(days),
});
const visit = async () => ({
	schedule_uuid: (await call('GET /schedules'))[0].uuid,
	title: 'Visit',
});
const action = { kind: 'action', app_uid: 'tables', action_key: 'ai_query' };
const flow = async () => `/flow/${(await call('GET /flows'))[0].uuid}`;
/** The first flow with a trigger. */
async function withStep() {
	const path = await flow();
	const [{ steps }] = await call('GET /flows');
	if (steps.length > 0) return { path, steps };
	const [trigger] = await call('GET /flow/apps/agents/triggers');
	const start = { kind: 'trigger', app_uid: 'agents', trigger_key: trigger.key };
	return { path, steps: [await call(`POST ${path}/steps`, start)] };
}

const sip = { gateway: 'sip.example.com', password: 'hidden' };

test('no password of a trunk is kept', async () => {
	const agent_uuid = await firstAgent();
	const trunk = { phone_number: '+14155550190', channel: 'call', agent_uuid, sip };
	await call('POST /phone-numbers/trunks', trunk);
	const office = { name: 'Office', phone_number: '020 7946', ...sip, username: 'office' };
	const connection = await call('POST /channels/sip-trunk/connections', office);
	assert.doesNotMatch(JSON.stringify([connection, await state('trunks')]), /hidden/);
});

/**
 * What is refused beyond what the contract's schemas say, after what has to be there first: name, request, body, status,
 * the field or code that is named.
 * @type {[string, (() => Promise<[string, any?, number?, string?]>)][]}
 */
const refusals = [
	[
		'an app’s action of an intent without a connection',
		async () => {
			const agent = `/agents/${await firstAgent()}`;
			const { intent_uuid: uuid } = await call(`POST ${agent}/intents`, { name: 'Refund' });
			const app = { event_type: 'app', app_uid: 'calendar', action_key: 'create_event' };
			return [`PUT ${agent}/intents/${uuid}/event`, app, 422, 'app_connection_uuid'];
		},
	],
	['a custom field that nobody made', () => ['POST /contacts', { colour: 'red' }, 422, 'colour']],
	[
		'a blacklist entry that ends at no time',
		async () => {
			const { uuid } = await call('POST /contacts', { name: 'Zoe' });
			const temporary = { reason: 'asked', is_permanent: false };
			return [`POST /contacts/${uuid}/blacklist`, temporary, 422, 'expires_at'];
		},
	],
	[
		'a tag by its name',
		async () => {
			const { uuid } = await call('POST /contacts', { name: 'Zoe' });
			return [`POST /contacts/${uuid}/add-tag`, { tag_id: 'VIP' }, 422];
		},
	],
	[
		'goals for an analyzer of a field that is built in',
		() => ['PUT /analyzers/b_email', { analysis_goals: 'x' }, 422, 'analysis_goals'],
	],
	['an analyzer of no kind', () => ['PUT /analyzers/x_plan', {}, 422, 'INVALID_FORMAT']],
	['an analyzer of no field', () => ['PUT /analyzers/f_none', {}, 404, 'RESOURCE_NOT_FOUND']],
	[
		'an action on a call that has ended',
		async () => {
			const body = { agentId: await firstAgent(), participant: { number: '+14155550111' } };
			const { conversation_uuid: uuid } = await call('POST /call', body);
			await call(`POST /calls/action/${uuid}/hangup`);
			return [`POST /calls/action/${uuid}/mute`, undefined, 409];
		},
	],
	[
		'taking back evaluation settings that an agent does not have',
		async () => [`DELETE /agents/${await firstAgent()}/evaluate`, undefined, 404],
	],
	['an evaluation of no session', () => [`GET /sessions/${MISSING}/evaluation`, undefined, 404]],
	[
		'a template that is not approved',
		async () => {
			const [{ waba_id }] = await call('GET /whatsapp/wabas');
			const bye = { name: 'bye', language: 'en_US', category: 'UTILITY', waba_id };
			const components = [{ type: 'BODY', text: 'Bye {{1}}' }];
			const { uuid } = await call('POST /whatsapp/templates', { ...bye, components });
			const to = { agentId: await firstAgent(), phoneNumber: '+14155550121' };
			return ['POST /whatsapp/template', { ...to, templateId: uuid }, 422, 'templateId'];
		},
	],
	[
		'a media of another kind than the template says',
		async () => {
			const [{ waba_id }] = await call('GET /whatsapp/wabas');
			const file = { text: 'x', type: 'image/png', name: 'a.png' };
			const video = form({ waba_id, media_type: 'video', file });
			return ['POST /whatsapp/templates/upload-media', video, 422, 'media_type'];
		},
	],
	[
		'a listing that starts at once without an agent',
		() => {
			const contacts = [{ phone_number: '+14155550130' }];
			return ['POST /listings', { name: 'L', contacts, auto_start: true }, 422, 'agent_uuid'];
		},
	],
	[
		'a template under a name that another has',
		async () => {
			const [{ waba_id }] = await call('GET /whatsapp/wabas');
			const twin = { name: 'twin', language: 'en_US', category: 'UTILITY', waba_id };
			const components = [{ type: 'BODY', text: 'Hello' }];
			await call('POST /whatsapp/templates', { ...twin, components });
			return ['POST /whatsapp/templates', { ...twin, components: [] }, 422, 'name'];
		},
	],
	['a task with nobody to call', async () => ['POST /tasks', await task(2), 422, 'contact']],
	[
		'a task whose time is over',
		async () => {
			const contact = { phone_number: '+14155550133' };
			return ['POST /tasks', { ...(await task(-2)), contact }, 422, 'scheduled_at'];
		},
	],
	['a schedule without hours', () => ['POST /schedules', { name: 'Evenings' }, 422]],
	[
		'an appointment that ends before it begins',
		async () => {
			const times = { start_time: inDays(3), end_time: inDays(2) };
			return ['POST /appointments', { ...(await visit()), ...times }, 422, 'end_time'];
		},
	],
	[
		'an appointment at no time',
		async () => {
			const times = { start_time: 'tomorrow', end_time: inDays(2) };
			return ['POST /appointments', { ...(await visit()), ...times }, 422, 'start_time'];
		},
	],
	[
		'a request for an appointment of nobody',
		async () => {
			const ask = { ...(await visit()), start_time: inDays(4) };
			return ['POST /appointment-requests', ask, 422, 'contact_name'];
		},
	],
	...[
		['price', 'three'],
		['size', 1],
	].map(([column, value]) => [
		`a record with ${value} as ${column}`,
		async () => {
			const columns = [{ name: 'price', data_type: 'number' }];
			const { uuid } = await call('POST /data/tables', { name: `Prices ${column}`, columns });
			const record = { [column]: value };
			return [`POST /data/${uuid}/records`, { record }, 422, `record.${column}`];
		},
	]),
	['a transcription of nothing', () => ['POST /transcriptions', form({ reference_id: 'R' }), 422]],
	[
		'a builder whose name is no host’s',
		() => {
			const code = { entrypoint: 'python3 main.py', files: { 'main.py': 'print(1)' } };
			return ['POST /builders', { ...code, name: 'My API' }, 422, 'name'];
		},
	],
	[
		'a command for a builder that is stopped',
		async () => {
			const code = { entrypoint: 'python3 main.py', files: { 'main.py': 'print(1)' } };
			const { uuid } = await call('POST /builders', { ...code, name: 'my-api' });
			await call(`POST /builders/${uuid}/stop`);
			return [`POST /builders/${uuid}/exec`, { command: 'echo hi' }, 409];
		},
	],
	[
		'an action as the first step of a flow',
		async () => [`POST ${await flow()}/steps`, action, 422, 'kind'],
	],
	[
		'deploying a flow whose steps were not tested',
		async () => [`POST ${(await withStep()).path}/deploy`, undefined, 422],
	],
	[
		'a change of a flow that is deployed',
		async () => {
			const { path, steps } = await withStep();
			for (const { uuid } of steps) await call(`POST ${path}/steps/${uuid}/test`, {});
			await call(`POST ${path}/deploy`);
			return [`PATCH ${path}/steps/${steps[0].uuid}`, { config: {} }, 409];
		},
	],
	[
		'a number that the workspace has',
		async () => {
			const [{ number }] = await call('GET /phone-numbers/search');
			await call('POST /phone-numbers', { number });
			return ['POST /phone-numbers', { number }, 422, 'number'];
		},
	],
	[
		'a connection that another agent has',
		async () => {
			const office = { name: 'Office', phone_number: '020 7947', ...sip, username: 'office' };
			const { uuid: connection_uuid } = await call('POST /channels/sip-trunk/connections', office);
			const [one, other] = (await state('agents')).map(({ agent_uuid }) => `/agents/${agent_uuid}`);
			await call(`POST ${one}/channels/call/sip-trunk`, { connection_uuid });
			return [`POST ${other}/channels/call/sip-trunk`, { connection_uuid }, 422, 'phone_in_use'];
		},
	],
];
for (const [name, request] of refusals)
	test(`refused: ${name}`, async () => {
		const [asked, sent, wanted, named] = await request();
		const { status, body } = await sandbox.api(asked, sent);
		assert.equal(status, wanted, JSON.stringify(body));
		assert.ok([body.error.field, body.error.code, undefined].includes(named), named);
	});

test('no answer departed from the contract', async () => {
	const requests = await sandbox.control('GET /ledger');
	assert.ok(requests.length > 50);
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
