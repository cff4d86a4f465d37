// Intents of the sandbox: what calls their webhooks, and what it makes of the answers.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually, startSandbox } from '../../sandbox/client.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
let agent;

before(async () => {
	sandbox = await startSandbox();
});
after(() => sandbox.stop());

async function reset(options = {}) {
	await sandbox.control('POST /reset', {
		seed: 1,
		settings: { call: { lifeMs: 60_000 }, ...options.settings },
	});
	[agent] = await sandbox.control('GET /state/agents');
}

describe('intents', () => {
	const dinner = {
		name: 'Book a table',
		description: 'The customer wants to come for dinner',
		parameters: [
			{ key: 'guests', type: 'integer', default: '', required: true },
			{ key: 'day', type: 'string', default: 'Friday', required: false },
		],
	};
	/** Requests that came, and what each is answered with. */
	let received;
	let answer;
	let server;
	let address;

	before(async () => {
		server = createServer(async (request, response) => {
			const chunks = await request.toArray();
			received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks)) });
			response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'text/plain' });
			response.end(answer.text);
		});
		await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
		address = `http://127.0.0.1:${server.address().port}/answer?token=hidden`;
	});
	after(() => server.close());
	beforeEach(() => {
		received = [];
		answer = { text: 'At seven there is a table.' };
	});

	async function withCall(intent = {}, settings = {}) {
		await reset({ settings });
		const webhook = { url: address, auth_token: 'secret-of-the-intent' };
		const added = await sandbox.api(`POST /agents/${agent.agent_uuid}/intents`, {
			...dinner,
			webhook,
			...intent,
		});
		assert.equal(added.status, 201);
		const call = await sandbox.api('POST /call', {
			agentId: agent.agent_uuid,
			participant: { type: 'phone', number: '+12125550101' },
		});
		assert.equal(call.status, 201, JSON.stringify(call.body));
		return added.body.data.intent_uuid;
	}

	const trigger = (parameters = { guests: 4 }, more = {}) =>
		sandbox.control('POST /intents', {
			agent: agent.agent_uuid,
			intent: 'book_a_table',
			parameters,
			...more,
		});

	const sent = {
		flat: [
			'Bearer secret-of-the-intent',
			({ parameters }) => parameters,
			{ guests: '4', day: 'Friday' },
		],
		nested: [
			undefined,
			({ data }) => data.intent.parameters,
			[
				{ key: 'guests', value: 4 },
				{ key: 'day', value: 'Friday' },
			],
		],
		tool: [
			'secret-of-the-intent',
			(body) => JSON.parse(body.arguments),
			{ guests: 4, day: 'Friday' },
		],
	};
	for (const [request, [authorization, parametersOf, parameters]] of Object.entries(sent)) {
		test(`the shape ${request} carries the parameters and the token`, async () => {
			await withCall({}, { intents: { request } });
			const entry = await trigger();
			assert.equal(entry.spoken, 'At seven there is a table.');
			assert.equal(received.length, 1);
			assert.equal(received[0].headers.authorization, authorization);
			if (request === 'nested')
				assert.equal(received[0].headers['x-auth-token'], 'secret-of-the-intent');
			assert.deepEqual(parametersOf(received[0].body), parameters);
			const shown = JSON.stringify(await sandbox.control('GET /intents'));
			assert.match(shown, /At seven/);
			assert.doesNotMatch(shown, /hidden|secret-of-the-intent/);
		});
	}

	const json = '{"answer":"At seven.","free":2}';
	for (const [way, text, spoken] of [
		['model', json, 'At seven., 2'],
		['model', 'At seven.', 'At seven.'],
		['text', json, json],
		['field', json, 'At seven.'],
		['field', '{"free":2}', null],
		['text', '  ', null],
	]) {
		test(`read as ${way}, ${JSON.stringify(text)} speaks ${JSON.stringify(spoken)}`, async () => {
			await withCall({}, { intents: { answer: way } });
			answer = { text };
			assert.equal((await trigger()).spoken, spoken);
		});
	}

	// interface: §2.8 request and answer
	test('an answer that is refused or late is silence', async () => {
		await withCall({}, { intents: { timeoutMs: 50 } });
		answer = { text: 'no', status: 500 };
		const refused = await trigger();
		assert.deepEqual([refused.status, refused.spoken], [500, null]);
		const unanswered = createServer(() => {});
		await new Promise((listening) => unanswered.listen(0, '127.0.0.1', listening));
		const [{ intents }] = await sandbox.control('GET /state/agents');
		await sandbox.api(`PATCH /agents/${agent.agent_uuid}/intents/${intents[0].intent_uuid}`, {
			name: dinner.name,
			webhook: { url: `http://127.0.0.1:${unanswered.address().port}/` },
		});
		const late = await trigger();
		assert.deepEqual([late.status, late.error, late.spoken], [null, 'TimeoutError', null]);
		unanswered.closeAllConnections();
		unanswered.close();
	});

	// interface: §2.8 parameters
	test('what is required must have been heard, and the call be live', async () => {
		await withCall();
		await assert.rejects(trigger({}), /has not heard guests/);
		await reset();
		await assert.rejects(trigger(), /no such live call/);
		assert.deepEqual(received, []);
	});

	test('a live action wins over the webhook, a draft does not', async () => {
		const nobody = createServer();
		await new Promise((listening) => nobody.listen(0, '127.0.0.1', listening));
		const { port } = nobody.address();
		await new Promise((closed) => nobody.close(closed));
		const uuid = await withCall({ webhook: { url: `http://127.0.0.1:${port}/`, auth_token: '' } });
		const event = `/agents/${agent.agent_uuid}/intents/${uuid}/event`;
		await sandbox.api(`PUT ${event}`, { event_type: 'webhook', webhook: { url: address } });
		assert.equal((await trigger()).error, 'ECONNREFUSED');
		await sandbox.api(`POST ${event}/publish`);
		assert.equal((await trigger()).spoken, 'At seven there is a table.');
		assert.equal(received[0].headers.authorization, undefined);
	});

	test('they trigger by themselves, and the call remembers what was spoken', async () => {
		await withCall(
			{ parameters: [] },
			{
				call: { lifeMs: 300, outcomeByNumber: { '0101': 'interested' } },
				intents: { duringCallsMs: 20 },
			},
		);
		await eventually(async () =>
			(await sandbox.control('GET /state/messages')).find(
				({ content }) => content === 'At seven there is a table.',
			),
		);
		assert.equal((await sandbox.control('GET /intents')).length, 1);
		await sandbox.control('DELETE /intents');
		assert.deepEqual(await sandbox.control('GET /intents'), []);
	});

	test('they trigger by themselves with what contacts say, only in calls with those who say something', async () => {
		await withCall(
			{
				parameters: [
					{ key: 'guests', type: 'integer', default: '', required: false },
					{ key: 'place', type: 'string', default: 'inside', required: false },
				],
			},
			{
				call: { lifeMs: 300, outcomeByNumber: { '01': 'interested', '02': 'interested' } },
				intents: { duringCallsMs: 20, saidByNumber: { '0101': { guests: 4, name: 'Ada' } } },
			},
		);
		await sandbox.api('POST /call', {
			agentId: agent.agent_uuid,
			participant: { number: '+12125550102' },
		});
		const { length } = await eventually(async () => {
			const calls = await sandbox.control('GET /state/calls');
			return calls.length === 2 && calls.every(({ status }) => status === 'completed') && calls;
		});
		assert.equal(length, 2);
		assert.deepEqual(
			received.map(({ body }) => body.parameters),
			[{ guests: '4', place: 'inside' }],
		);
	});

	test('an endpoint is missing, an empty address is refused, or an update keeps the webhook, if the settings say so', async () => {
		const uuid = await withCall();
		const path = `/agents/${agent.agent_uuid}/intents/${uuid}`;
		await sandbox.control('PATCH /settings', { intents: { update: false, event: '405' } });
		assert.equal((await sandbox.api(`PATCH ${path}`, { name: 'Other' })).status, 404);
		const action = { event_type: 'webhook', webhook: { url: address } };
		assert.equal((await sandbox.api(`PUT ${path}/event`, action)).status, 405);
		const emptied = { name: 'Other', webhook: { url: '', auth_token: '' } };
		await sandbox.control('PATCH /settings', { intents: { update: true, emptyAddress: false } });
		assert.equal((await sandbox.api(`PATCH ${path}`, emptied)).status, 422);
		await sandbox.control('PATCH /settings', {
			intents: { emptyAddress: true, updateSetsWebhook: false },
		});
		const kept = await sandbox.api(`PATCH ${path}`, emptied);
		assert.deepEqual([kept.status, kept.body.data.webhook.url], [200, address]);
	});
});
