// What operations of the sandbox refuse beyond what the contract's schemas say: a request that is wrong must not pass
// unnoticed. What they do is held by the tests of the nodes; that each takes what the contract says and answers so is
// judged in test/engine/everyOperation.test.cts.
import assert from '../asserted.mjs';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { unusedHandlers } from '../../sandbox/resources/index.mjs';
import { Contract } from '../../sandbox/validate.mjs';
import { form, useSandbox } from './workspace.mjs';

const here = useSandbox({ call: { lifeMs: 60_000 } });
const { api, done, state } = here;

const MISSING = '00000000-0000-4000-8000-000000000000';
const inDays = (days) =>
	`${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T10:00:00`;

const sip = { gateway: 'sip.example.com', password: 'hidden', username: 'office' };
const office = { name: 'Office', phone_number: '020 7946', ...sip };
const contact = { phone_number: '+14155550130' };
const task = (days, more = {}) => ({
	title: 'Call back',
	type: 'make_call',
	agent_uuid: here.agent,
	scheduled_at: inDays(days),
	...more,
});
const blacklist = { reason: 'asked', is_permanent: false };
const calendar = { event_type: 'app', app_uid: 'calendar', action_key: 'create_event' };
const program = { name: 'my-api', entrypoint: 'python3 main.py', files: { 'main.py': 'print(1)' } };
const prices = { name: 'Prices', columns: [{ name: 'price', data_type: 'number' }] };
const template = (waba_id, more = {}) => ({
	name: 'bye',
	language: 'en_US',
	category: 'UTILITY',
	waba_id,
	components: [{ type: 'BODY', text: 'Bye {{1}}' }],
	...more,
});
const wabaId = async () => (await done('GET /whatsapp/wabas'))[0].waba_id;
const trigger = { kind: 'trigger', app_uid: 'agents', trigger_key: 'conversation_ended' };
const action = { kind: 'action', app_uid: 'tables', action_key: 'ai_query' };
const goals = { analysis_goals: 'x' };
const visit = async (times) => {
	const [{ uuid: schedule_uuid }] = await done('GET /schedules');
	return { schedule_uuid, title: 'Visit', ...times };
};
const flow = async () => `/flow/${(await done('GET /flows'))[0].uuid}`;

test('no password of a trunk is kept', async () => {
	const trunk = { phone_number: '+14155550190', channel: 'call', agent_uuid: here.agent };
	await done('POST /phone-numbers/trunks', { ...trunk, sip });
	const connection = await done('POST /channels/sip-trunk/connections', office);
	const shown = JSON.stringify([connection, await state('trunks')]);
	assert.match(shown, /sip\.example\.com/);
	assert.doesNotMatch(shown, /hidden/);
});

/** What is refused, after what has to be there first: request, status, the field or code that is named; body. */
const refusals = {
	'an app’s action of an intent without a connection': async () => {
		const path = `/agents/${here.agent}/intents`;
		const { intent_uuid: uuid } = await done(`POST ${path}`, { name: 'Refund' });
		return [`PUT ${path}/${uuid}/event 422 app_connection_uuid`, calendar];
	},
	'a custom field that nobody made': () => ['POST /contacts 422 colour', { colour: 'red' }],
	'a blacklist entry that ends at no time': async () => {
		const { uuid } = await done('POST /contacts', { name: 'Zoe' });
		return [`POST /contacts/${uuid}/blacklist 422 expires_at`, blacklist];
	},
	'a tag by its name': async () => {
		const { uuid } = await done('POST /contacts', { name: 'Zoe' });
		return [`POST /contacts/${uuid}/add-tag 422`, { tag_id: 'VIP' }];
	},
	'goals for what is built in': () => ['PUT /analyzers/b_email 422 analysis_goals', goals],
	'an analyzer of no kind': () => ['PUT /analyzers/x_plan 422 INVALID_FORMAT', {}],
	'an analyzer of no field': () => ['PUT /analyzers/f_none 404 RESOURCE_NOT_FOUND', {}],
	'an action on a call that has ended': async () => {
		const { conversation_uuid: uuid } = (await here.ring()).body.data;
		await done(`POST /calls/action/${uuid}/hangup`);
		return [`POST /calls/action/${uuid}/mute 409 CALL_NOT_LIVE`];
	},
	'taking back settings that are not there': () => [`DELETE /agents/${here.agent}/evaluate 404`],
	'an evaluation of no session': () => [`GET /sessions/${MISSING}/evaluation 404`],
	'a template that is not approved': async () => {
		const body = template(await wabaId());
		const { uuid: templateId } = await done('POST /whatsapp/templates', body);
		const message = { agentId: here.agent, phoneNumber: '+14155550121', templateId };
		return ['POST /whatsapp/template 422 templateId', message];
	},
	'a media of another kind than the template says': async () => {
		const file = { text: 'x', type: 'image/png', name: 'a.png' };
		const video = form({ waba_id: await wabaId(), media_type: 'video', file });
		return ['POST /whatsapp/templates/upload-media 422 media_type', video];
	},
	'a template under a name that another has': async () => {
		const twin = template(await wabaId());
		await done('POST /whatsapp/templates', twin);
		return ['POST /whatsapp/templates 422 name', { ...twin, components: [] }];
	},
	'a listing that starts at once without an agent': () => {
		const listing = { name: 'L', contacts: [contact], auto_start: true };
		return ['POST /listings 422 agent_uuid', listing];
	},
	'a task with nobody to call': () => ['POST /tasks 422 contact', task(2)],
	'a task whose time is over': () => ['POST /tasks 422 scheduled_at', task(-2, { contact })],
	'a schedule without hours': () => ['POST /schedules 422', { name: 'Evenings' }],
	'an appointment that ends before it begins': async () => [
		'POST /appointments 422 end_time',
		await visit({ start_time: inDays(3), end_time: inDays(2) }),
	],
	'an appointment at no time': async () => [
		'POST /appointments 422 start_time',
		await visit({ start_time: 'tomorrow', end_time: inDays(2) }),
	],
	'a request for an appointment of nobody': async () => [
		'POST /appointment-requests 422 contact_name',
		await visit({ start_time: inDays(4) }),
	],
	'a record with a text as a number': async () => {
		const { uuid } = await done('POST /data/tables', prices);
		return [`POST /data/${uuid}/records 422 record.price`, { record: { price: 'three' } }];
	},
	'a record with another column': async () => {
		const { uuid } = await done('POST /data/tables', prices);
		return [`POST /data/${uuid}/records 422 record.size`, { record: { size: 1 } }];
	},
	'a transcription of nothing': () => ['POST /transcriptions 422', form({ reference_id: 'R' })],
	'a builder whose name is no host’s': () => {
		const builder = { ...program, name: 'My API' };
		return ['POST /builders 422 name', builder];
	},
	'a command for a builder that is stopped': async () => {
		const { uuid } = await done('POST /builders', program);
		await done(`POST /builders/${uuid}/stop`);
		return [`POST /builders/${uuid}/exec 409 INVALID_STATE`, { command: 'echo hi' }];
	},
	'an action as the first step': async () => [`POST ${await flow()}/steps 422 kind`, action],
	'deploying a flow whose steps were not tested': async () => {
		const path = await flow();
		await done(`POST ${path}/steps`, trigger);
		return [`POST ${path}/deploy 422 steps`];
	},
	'a change of a flow that is deployed': async () => {
		const path = await flow();
		const { uuid } = await done(`POST ${path}/steps`, trigger);
		await done(`POST ${path}/steps/${uuid}/test`, {});
		await done(`POST ${path}/deploy`);
		return [`PATCH ${path}/steps/${uuid} 409 FLOW_DEPLOYED`, { config: {} }];
	},
	'a number that the workspace has': async () => {
		const [{ number }] = await state('phone_numbers');
		return ['POST /phone-numbers 422 number', { number }];
	},
	'a connection that another agent has': async () => {
		const { uuid } = await done('POST /channels/sip-trunk/connections', office);
		const body = { connection_uuid: uuid };
		const [one, other] = here.agents.map(({ agent_uuid: agent }) => `POST /agents/${agent}`);
		await done(`${one}/channels/call/sip-trunk`, body);
		return [`${other}/channels/call/sip-trunk 422 phone_in_use`, body];
	},
};
/** Answers that departed from the contract. */
const violations = [];
for (const [name, request] of Object.entries(refusals))
	test(`refused: ${name}`, async () => {
		const [asked, sent] = await request();
		const [method, path, wanted, named] = asked.split(' ');
		const { status, body } = await api(`${method} ${path}`, sent);
		assert.equal(status, Number(wanted), JSON.stringify(body));
		assert.ok([body.error.field, body.error.code, undefined].includes(named), named);
		violations.push(...(await here.ledger()).filter(({ violation }) => violation));
	});

test('no answer departed from the contract', () => {
	const said = violations.map(({ method, path, violation }) => `${method} ${path}: ${violation}`);
	assert.ok(Object.keys(refusals).length > 25);
	assert.deepEqual(said, []);
});

test('nothing is served that the contract does not have', () => {
	const file = new URL('../../contract/openapi.yaml', import.meta.url);
	const contract = load(readFileSync(file, 'utf8'));
	assert.deepEqual(unusedHandlers(new Contract(contract)), []);
	const { [Object.keys(contract.paths)[0]]: _left, ...paths } = contract.paths;
	assert.notDeepEqual(unusedHandlers(new Contract({ ...contract, paths })), []);
});
