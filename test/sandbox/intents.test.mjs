// Intents of the sandbox: what calls their webhooks, and what it makes of the answers.
import assert from '../asserted.mjs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { receiver, useSandbox } from './workspace.mjs';

const here = useSandbox({ call: { lifeMs: 60_000 } });
const { control, done, set } = here;

const dinner = {
	name: 'Book a table',
	description: 'The customer wants to come for dinner',
	parameters: [
		{ key: 'guests', type: 'integer', default: '', required: true },
		{ key: 'day', type: 'string', default: 'Friday', required: false },
	],
};
const SPOKEN = 'At seven there is a table.';

/** What answers the intent, and a call of an agent that has it. */
async function withCall(context, { intent = {}, settings = {}, answer = {} } = {}) {
	const target = await receiver(context, { text: SPOKEN, ...answer });
	await set(settings);
	const webhook = { url: `${target.url}?token=hidden`, auth_token: TOKEN };
	const all = { ...dinner, webhook, ...intent };
	const { intent_uuid: uuid } = await done(`POST /agents/${here.agent}/intents`, all);
	await here.ring({ participant: { type: 'phone', number: '+12125550101' } });
	return { ...target, path: `/agents/${here.agent}/intents/${uuid}` };
}

const trigger = (parameters = { guests: 4 }) =>
	control('POST /intents', { agent: here.agent, intent: 'book_a_table', parameters });

const TOKEN = 'secret-of-the-intent';
const asList = [
	{ key: 'guests', value: 4 },
	{ key: 'day', value: 'Friday' },
];
const asText = { guests: '4', day: 'Friday' };
/** Shape, header and its value, what its parameters are. */
for (const [request, header, token, parametersOf, parameters] of [
	['flat', 'authorization', `Bearer ${TOKEN}`, (body) => body.parameters, asText],
	['nested', 'x-auth-token', TOKEN, ({ data }) => data.intent.parameters, asList],
	['tool', 'authorization', TOKEN, (body) => JSON.parse(body.arguments), { ...asText, guests: 4 }],
])
	test(`the shape ${request} carries the parameters and the token`, async (context) => {
		const { received } = await withCall(context, { settings: { intents: { request } } });
		assert.equal((await trigger()).spoken, SPOKEN);
		assert.equal(received.length, 1);
		const { headers, body } = received[0];
		assert.equal(headers[header], token);
		assert.deepEqual(parametersOf(body), parameters);
		const shown = JSON.stringify(await control('GET /intents'));
		assert.match(shown, /At seven/);
		assert.doesNotMatch(shown, /hidden|secret-of-the-intent/);
	});

const json = '{"answer":"At seven.","free":2}';
for (const [answer, text, spoken] of [
	['model', json, 'At seven., 2'],
	['model', 'At seven.', 'At seven.'],
	['text', json, json],
	['field', json, 'At seven.'],
	['field', '{"free":2}', null],
	['text', '  ', null],
])
	test(`read as ${answer}, ${JSON.stringify(text)} speaks ${JSON.stringify(spoken)}`, async (context) => {
		await withCall(context, { settings: { intents: { answer } }, answer: { text } });
		assert.equal((await trigger()).spoken, spoken);
	});

// interface: §2.8 request and answer
test('an answer that is refused or late is silence', async (context) => {
	const { path } = await withCall(context, { answer: { status: 500 } });
	const refused = await trigger();
	assert.deepEqual([refused.status, refused.spoken], [500, null]);
	const { url } = await receiver(context, null);
	await set({ intents: { timeoutMs: 50 } });
	await done(`PATCH ${path}`, { name: dinner.name, webhook: { url } });
	const late = await trigger();
	assert.deepEqual([late.status, late.error, late.spoken], [null, 'TimeoutError', null]);
});

// interface: §2.8 parameters
test('what is required must have been heard, and the call be live', async (context) => {
	const { received } = await withCall(context);
	await assert.rejects(trigger({}), /has not heard guests/);
	await here.reset();
	await assert.rejects(trigger(), /no such live call/);
	assert.deepEqual(received, []);
});

test('a live action wins over the webhook, a draft does not', async (context) => {
	const nobody = createServer();
	await once(nobody.listen(0, '127.0.0.1'), 'listening');
	const webhook = { url: `http://127.0.0.1:${nobody.address().port}/`, auth_token: '' };
	await new Promise((closed) => nobody.close(closed));
	const { path, received, url } = await withCall(context, { intent: { webhook } });
	await done(`PUT ${path}/event`, { event_type: 'webhook', webhook: { url } });
	assert.equal((await trigger()).error, 'ECONNREFUSED');
	await done(`POST ${path}/event/publish`);
	assert.equal((await trigger()).spoken, SPOKEN);
	assert.equal(received[0].headers.authorization, undefined);
});
