// The customer's side: what the page gets, what its buttons do, and who may press them.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { eventually, startSandbox } from '../../sandbox/client.mjs';
import { foreignName, refusalOf } from '../../sandbox/guard.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
let agent;
/** What stands for n8n: keeps what it is sent, and answers every request alike. */
let receiver;
let received = [];

before(async () => {
	sandbox = await startSandbox();
	receiver = createServer(async (request, response) => {
		const text = Buffer.concat(await request.toArray()).toString();
		received.push({ path: request.url, body: JSON.parse(text) });
		response.setHeader('content-type', 'application/json');
		response.end('{"answer":"It arrives on Friday."}');
	});
	await once(receiver.listen(0, '127.0.0.1'), 'listening');
});
after(async () => {
	receiver.close();
	receiver.closeAllConnections();
	await sandbox.stop();
});
beforeEach(() => reset({}));
afterEach(() => {
	for (const page of pages.splice(0)) page.close();
});

async function reset(call) {
	await sandbox.control('POST /reset', {
		seed: 1,
		settings: {
			rate: { send: { limit: 1000 }, general: { limit: 100_000 } },
			call: {
				lifeMs: 20,
				ringMs: 60_000,
				letGoMs: 20,
				outcomeByNumber: { '0100': 'interested' },
				...call,
			},
		},
	});
	received = [];
	[agent] = await sandbox.control('GET /state/agents');
}

const pages = [];

/** Opens the stream as the page does; `until` waits for a view. */
async function open() {
	const leave = new AbortController();
	const response = await fetch(`${sandbox.page}/events`, { signal: leave.signal });
	let text = '';
	const page = {
		all: () => text,
		view: () => {
			const lines = text.split('\n\n').slice(0, -1);
			return JSON.parse(lines.at(-1).replace(/^data: /, ''));
		},
		until: (fits) =>
			eventually(async () => text.includes('\n\n') && fits(page.view()) && page.view()),
		close: () => leave.abort(),
	};
	pages.push(page);
	(async () => {
		for await (const piece of response.body) text += Buffer.from(piece).toString();
	})().catch(() => {});
	await page.until(() => true);
	return page;
}

const call = async (number = '+14155550100') => {
	const { body } = await sandbox.api('POST /call', {
		agentId: agent.agent_uuid,
		participant: { number },
	});
	return body.data;
};
const byHand = (uuid, action, body = {}) => sandbox.control(`POST /calls/${uuid}/${action}`, body);
const conversationOf = async ({ conversation_uuid: uuid }) =>
	(await sandbox.api(`GET /conversations/${uuid}`)).body.data;
const messagesOf = async ({ conversation_uuid: uuid }) =>
	(await sandbox.api(`GET /conversations/${uuid}/messages`)).body.data.data.map(
		({ sender, content }) => `${sender}: ${content}`,
	);
const ended = async (one) =>
	eventually(async () => {
		const conversation = await conversationOf(one);
		return conversation.status === 'Closed' && conversation;
	});

describe('phones', () => {
	test('no page is open: a call runs by itself, whatever the time to ring', async () => {
		assert.equal((await ended(await call())).call.status, 'completed');
	});

	test('somebody picks up, talks and hangs up: transcript, outcome and events are of this talk', async () => {
		const { port } = receiver.address();
		await sandbox.api(`POST /agents/${agent.agent_uuid}/webhooks`, {
			url: `http://127.0.0.1:${port}/events`,
			events: ['conversation_status', 'conversation_end_report', 'voice_evaluation'],
		});
		const { body } = await sandbox.api(`POST /agents/${agent.agent_uuid}/intents`, {
			name: 'Where is my order',
			webhook: { url: `http://127.0.0.1:${port}/orders` },
			parameters: [{ key: 'order_number', type: 'string', required: true }],
		});
		const page = await open();
		const started = await call();
		const [ringing] = (await page.until(({ counts }) => counts.ringing === 1)).ringing;
		assert.deepEqual(
			[ringing.uuid, ringing.number, ringing.lines, ringing.taken],
			[started.id, '+14155550100', [], false],
		);
		assert.equal((await conversationOf(started)).call.status, 'initiated');

		await byHand(started.id, 'pick-up');
		const [talking] = (await page.until(({ counts }) => counts.talking === 1)).talking;
		assert.equal(talking.taken, true);
		assert.deepEqual(talking.intents, [
			{
				uuid: body.data.intent_uuid,
				name: 'Where is my order',
				parameters: [{ key: 'order_number', required: true }],
			},
		]);
		await byHand(started.id, 'say', { text: ' Where is it? ', asks: true });
		await sandbox.control('POST /intents', {
			conversation: started.conversation_uuid,
			intent: body.data.intent_uuid,
			parameters: { order_number: '4711' },
		});
		await page.until(({ talking: [one] }) => one.asked?.isSpoken && one.lines.length === 3);
		await byHand(started.id, 'hang-up', { outcome: 'callback_requested' });

		assert.equal((await ended(started)).call.summary.split(': ')[1], 'callback_requested.');
		assert.deepEqual((await messagesOf(started)).slice(1), [
			'Contact: Where is it?',
			'AI: It arrives on Friday.',
			'AI: Thank you, goodbye.',
		]);
		await eventually(async () => received.length === 5);
		const told = received.filter(({ path }) => path === '/events');
		assert.deepEqual(
			told.map(({ body: { event } }) => event),
			['conversation_status', 'conversation_status', 'conversation_end_report', 'voice_evaluation'],
		);
		assert.equal(told[3].body.data.sentiment_analysis.intent.value, 'callback_requested');
		const after = await page.until(
			({ deliveries }) => deliveries.length === 4 && deliveries.every(({ status }) => status),
		);
		assert.deepEqual(
			after.deliveries.map(({ status }) => status),
			[200, 200, 200, 200],
		);
		assert.equal(after.ended[0].outcome, 'callback_requested');
	});

	test('somebody does not answer: the call ends so, with nothing said', async () => {
		const page = await open();
		const started = await call();
		await page.until(({ counts }) => counts.ringing === 1);
		await byHand(started.id, 'decline');
		const { call: own } = await ended(started);
		assert.deepEqual([own.status, own.duration], ['no-answer', 0]);
		assert.deepEqual(await messagesOf(started), []);
	});

	test('nobody does anything: the call runs by itself after its time', async () => {
		await reset({ ringMs: 30 });
		await open();
		assert.equal((await ended(await call())).call.status, 'completed');
	});

	test('the page is closed: a call that was picked up on it goes on by itself', async () => {
		const page = await open();
		const started = await call();
		await byHand(started.id, 'pick-up');
		await page.until(({ counts }) => counts.talking === 1);
		page.close();
		assert.equal((await ended(started)).call.status, 'completed');
	});

	test('Call me: the sandbox calls through its own API, and a phone rings', async () => {
		const page = await open();
		const { uuid } = await sandbox.control('POST /call-me');
		const { ringing, requests } = await page.until(({ counts }) => counts.ringing === 1);
		assert.equal(ringing[0].uuid, uuid);
		assert.deepEqual(
			requests.map(({ method, path, tries }) => [method, path, tries.map(({ status }) => status)]),
			[['POST', '/call', [201]]],
		);
		await sandbox.control('POST /faults', { fault: { kind: 'status', status: 503 } });
		await assert.rejects(sandbox.control('POST /call-me'), /Nobody was called/);
	});

	test('the agent says the first sentence of the call, and of free text that it cannot answer it', async () => {
		const page = await open();
		const start = 'Good morning, this is the bakery.';
		const { body } = await sandbox.api('POST /call', {
			agentId: agent.agent_uuid,
			participant: { number: '+14155550100' },
			message: { start },
		});
		await byHand(body.data.id, 'pick-up');
		await byHand(body.data.id, 'say', { text: 'What is your name?' });
		await sandbox.api(`POST /agents/${agent.agent_uuid}/intents`, {
			name: 'Where is my order?',
			webhook: { url: `http://127.0.0.1:${receiver.address().port}/orders` },
		});
		await byHand(body.data.id, 'say', { text: 'And now?' });
		const { talking } = await page.until(({ talking: [one] }) => one?.lines.length === 5);
		const [opening, , unable, , able] = talking[0].lines;
		assert.deepEqual(opening, { sender: 'AI', content: start });
		for (const { sender, content } of [unable, able])
			assert.match(`${sender} ${content}`, /^AI I cannot answer that/);
		assert.match(unable.content, /Intent Trigger/);
		assert.match(able.content, /“Where is my order\?”/);
	});

	test('what a phone does not allow is refused', async () => {
		const page = await open();
		const started = await call();
		await page.until(({ counts }) => counts.ringing === 1);
		for (const [action, code] of [
			['hang-up', /CALL_NOT_LIVE/],
			['say', /CALL_NOT_LIVE/],
			['explode', /VALIDATION_ERROR/],
		])
			await assert.rejects(byHand(started.id, action, { text: 'x' }), code);
		await byHand(started.id, 'pick-up');
		await assert.rejects(byHand(started.id, 'pick-up'), /CALL_NOT_LIVE/);
		await assert.rejects(byHand(started.id, 'say', { text: ' ' }), /VALIDATION_ERROR/);
		await assert.rejects(byHand('nobody', 'pick-up'), /RESOURCE_NOT_FOUND/);
	});

	test('sixty people are called: the page counts all of them, and shows twelve', async () => {
		const page = await open();
		await Promise.all(Array.from({ length: 60 }, (_, index) => call(`+1415555${2000 + index}`)));
		const { counts, ringing } = await page.until(({ counts: { requests } }) => requests === 60);
		assert.deepEqual([counts.ringing, counts.waiting, ringing.length], [50, 10, 12]);
		await sandbox.control('POST /calls/all/decline');
		// Those who waited for a line ring now: they had not rung when all were declined.
		const after = await page.until(({ counts: { ended } }) => ended === 50);
		assert.deepEqual([after.counts.ringing, after.counts.waiting], [10, 0]);
	});

	test('requests with one key are one row, in which every status stands', async () => {
		await sandbox.control('POST /faults', {
			match: { path: '/call' },
			times: 3,
			fault: { kind: 'status', status: 429 },
		});
		const page = await open();
		const body = {
			agentId: agent.agent_uuid,
			participant: { number: '+14155550100' },
			request_key: 'row-7',
		};
		for (let tries = 0; tries < 4; tries += 1) await sandbox.api('POST /call', body);
		await sandbox.api('GET /agents');
		const { requests, reads } = await page.until((view) => view.reads.length === 1);
		assert.deepEqual(
			requests.map(({ key, tries }) => [key, tries.map(({ status, effect }) => [status, effect])]),
			[['row-7', [...Array(3).fill([429, 'none']), [201, 'created']]]],
		);
		assert.equal(reads[0].path, '/agents');
	});
});

describe('messages', () => {
	test('an SMS arrives; the reply to it is stored, and n8n hears of it', async () => {
		await sandbox.api(`POST /agents/${agent.agent_uuid}/webhooks`, {
			url: `http://127.0.0.1:${receiver.address().port}/events`,
			events: ['conversation_update'],
		});
		const page = await open();
		const { body } = await sandbox.api('POST /sms/send', {
			agentId: agent.agent_uuid,
			phoneNumber: '+14155550100',
			message: 'Hello.',
		});
		const uuid = body.data.conversationId;
		const [text] = (await page.until(({ counts }) => counts.texts === 1)).texts;
		assert.deepEqual([text.uuid, text.channel], [uuid, 'SMS']);
		await sandbox.control(`POST /replies/${uuid}`, { text: 'Who is this?' });
		const { texts } = await page.until(({ texts: [one] }) => one.lines.length === 2);
		assert.deepEqual(texts[0].lines, [
			{ sender: 'AI', content: 'Hello.' },
			{ sender: 'Contact', content: 'Who is this?' },
		]);
		assert.deepEqual(await messagesOf({ conversation_uuid: uuid }), [
			'AI: Hello.',
			'Contact: Who is this?',
		]);
		await eventually(async () => received.length === 1);
		assert.deepEqual(
			[received[0].body.event, received[0].body.data.conversation_uuid],
			['conversation_update', uuid],
		);
		await assert.rejects(sandbox.control(`POST /replies/${uuid}`, { text: '' }), /VALIDATION/);
		await assert.rejects(sandbox.control('POST /replies/nobody', { text: 'x' }), /NOT_FOUND/);
	});

	test('the page gets no token and no secret', async () => {
		const page = await open();
		await sandbox.api(`POST /agents/${agent.agent_uuid}/webhooks`, {
			url: `http://127.0.0.1:${receiver.address().port}/events?token=hidden-in-url`,
			events: ['conversation_status'],
			secret_key: 'hidden-in-webhook',
		});
		await sandbox.api('POST /email/messages', {
			to: 'a@example.com',
			subject: 'Shown',
			token: 'hidden-in-email',
			request_key: 'row-7',
		});
		const started = await call();
		await byHand(started.id, 'decline');
		const view = await page.until(({ counts }) => counts.deliveries === 2 && counts.emails === 1);
		assert.equal(view.requests.find(({ path }) => path === '/email/messages').key, 'row-7');
		assert.ok(page.all().includes('Shown'));
		for (const secret of ['hidden-in', sandbox.token, sandbox.userToken])
			assert.ok(!page.all().includes(secret), secret);
	});
});

describe('bad days', () => {
	test('maintenance ends after its time', async () => {
		await sandbox.control('POST /faults', {
			fault: { kind: 'status', status: 503 },
			forMs: 300,
		});
		const page = await open();
		const [fault] = page.view().faults;
		assert.deepEqual([fault.kind, fault.status, fault.timesLeft], ['status', 503, null]);
		assert.equal((await sandbox.api('GET /agents')).status, 503);
		await eventually(async () => (await sandbox.api('GET /agents')).status === 200);
		await page.until(({ faults }) => faults.length === 0);
	});

	test('a manner is turned on and off; the page names those that are on', async () => {
		const page = await open();
		await sandbox.control('PATCH /settings', { manners: { lagMs: 500, samePage: true } });
		const on = await page.until(({ manners }) => manners.length > 0);
		assert.deepEqual(on.manners, [
			{ name: 'samePage', value: true },
			{ name: 'lagMs', value: 500 },
		]);
		await sandbox.control('DELETE /manners/lagMs');
		await page.until(({ manners }) => manners.length === 1 && manners[0].name === 'samePage');
		await sandbox.control('DELETE /manners');
		await page.until(({ manners }) => manners.length === 0);
		await assert.rejects(sandbox.control('DELETE /manners/toString'), /404|manner/);
	});

	test('every manner is offered, with what it does', async () => {
		const offered = await (await fetch(`${sandbox.page}/manners`)).json();
		assert.deepEqual(
			offered.map(({ name }) => name),
			Object.keys(await sandbox.control('GET /manners')),
		);
		const silent = offered.filter(({ says }) => says === '').map(({ name }) => name);
		assert.deepEqual(silent, []);
	});

	test('start afresh: registrations stay, everything else is gone, no identifier comes again', async () => {
		const url = `http://127.0.0.1:${receiver.address().port}/events`;
		const events = ['conversation_status'];
		await sandbox.api(`POST /agents/${agent.agent_uuid}/webhooks`, { url, events });
		await sandbox.api(`POST /agents/${agent.agent_uuid}/notes`, { content: 'stays' });
		const before = [await call(), await call(), await call()];
		const delivered = async () => await sandbox.control('GET /deliveries');
		const [told] = await eventually(async () => (await delivered()).length > 0 && delivered());
		await sandbox.control('POST /faults', { fault: { kind: 'empty' }, match: { path: 'nowhere' } });
		const page = await open();
		const formUrl = 'http://localhost:5678/form/leads';
		await sandbox.control('PATCH /settings', { page: { formUrl } });
		await sandbox.control('POST /reset', { keepRegistered: true });
		const { counts, faults, ...view } = await page.until(
			({ counts: { requests } }) => requests === 0,
		);
		assert.equal(view.formUrl, formUrl);
		assert.deepEqual([counts.ended, counts.talking, counts.deliveries], [0, 0, 0]);
		assert.deepEqual(faults, []);
		const [same] = await sandbox.control('GET /state/agents');
		assert.deepEqual([same.agent_uuid, same.notes.length], [agent.agent_uuid, 1]);
		const again = [await call(), await call(), await call()];
		const known = new Set(before.flatMap(({ id, conversation_uuid: uuid }) => [id, uuid]));
		const fresh = again.flatMap(({ id, conversation_uuid: uuid }) => [id, uuid]);
		assert.deepEqual(
			fresh.filter((uuid) => known.has(uuid)),
			[],
		);
		const all = await eventually(async () => (await delivered()).length >= 3 && delivered());
		assert.ok(!all.some(({ id }) => id === told.id));
		const [one] = all;
		assert.equal(one.payload.data.conversation_uuid, again[0].conversation_uuid);
	});
});

describe('who may look', () => {
	/** @returns {Promise<{status: number, headers: object, text: string}>} also with headers that fetch does not send */
	const askUrl = (url, { method = 'GET', headers = {}, body } = {}) =>
		new Promise((resolve, reject) => {
			const request = httpRequest(url, { method, headers }, async (response) => {
				const text = Buffer.concat(await response.toArray()).toString();
				resolve({ status: response.statusCode, headers: response.headers, text });
			});
			request.on('error', reject);
			request.end(body);
		});
	const ask = (path, options) => askUrl(`${sandbox.url}${path}`, options);

	test('a page of another origin presses no button', async () => {
		const { host } = new URL(sandbox.url);
		for (const headers of [
			{ origin: 'https://evil.example' },
			{ origin: 'null' },
			{ origin: `https://${host}` },
			{ origin: `http://127.0.0.1:${new URL(sandbox.url).port}`, host: 'localhost:1' },
			{ host: 'evil.example' },
			{ host: 'evil.example', origin: 'http://evil.example' },
			{ host: 'localhost.evil.example' },
		]) {
			const options = { method: 'PATCH', headers, body: '{"latencyMs":1}' };
			const { status, text } = await ask('/_sandbox/settings', options);
			assert.equal(status, 403, `${JSON.stringify(headers)} ${text}`);
		}
		for (const path of ['/_sandbox/page', '/_sandbox/page/events', '/_sandbox/tokens'])
			assert.equal((await ask(path, { headers: { host: 'evil.example' } })).status, 403, path);
		assert.equal((await sandbox.control('GET /settings')).latencyMs, 0);
	});

	test('no path answers under a name that others can point at this computer', async () => {
		const headers = { host: 'evil.example', authorization: `Bearer ${sandbox.token}` };
		const media = new FormData();
		media.append('file', new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
		const { body } = await sandbox.api('POST /medias', media);
		const file = new URL(body.data.url ?? body.data.file_url);
		const { length } = await sandbox.control('GET /ledger');
		for (const url of [`${sandbox.url}/api/v1/agents`, `${sandbox.url}/`, file.href]) {
			assert.equal((await askUrl(url, { headers })).status, 403, url);
			assert.notEqual((await askUrl(url, { headers: { host: 'localhost:1' } })).status, 403, url);
		}
		const served = await sandbox.control('GET /ledger');
		assert.equal(served.length - length, 2, 'what is refused is not even noted');
	});

	test('a name that it was told to serve is a name of its own', () => {
		const from = (host) => ({ headers: { host } });
		assert.equal(foreignName(from('sandbox:4010'), ['sandbox']), undefined);
		assert.equal(foreignName(from('[fd00::7]:4010'), ['fd00::7']), undefined);
		assert.match(foreignName(from('evil.example:4010'), ['sandbox']), /evil\.example/);
		assert.match(foreignName(from(''), ['sandbox']), /localhost/);
	});

	test('the page itself does, by each name of this computer', async () => {
		const { port } = new URL(sandbox.url);
		for (const name of ['127.0.0.1', 'localhost', 'sandbox.localhost', '[::1]']) {
			const host = `${name}:${port}`;
			const headers = { host, origin: `http://${host}` };
			const options = { method: 'PATCH', headers, body: '{"latencyMs":1}' };
			assert.equal((await ask('/_sandbox/settings', options)).status, 200, name);
		}
	});

	test('another computer does not; in a container, whoever reaches its port under a name of this one', () => {
		const from = (remoteAddress, host = 'localhost:4010') => ({
			headers: { host },
			socket: { remoteAddress },
		});
		const outside = { inContainer: false };
		assert.equal(refusalOf(from('127.0.0.1'), outside), undefined);
		assert.equal(refusalOf(from('::ffff:127.0.0.1'), outside), undefined);
		assert.equal(refusalOf(from('::1'), outside), undefined);
		for (const address of ['192.168.1.7', '::ffff:10.0.0.1', '1.127.0.0', undefined])
			assert.match(refusalOf(from(address), outside), /Only this computer/);
		assert.equal(refusalOf(from('172.17.0.1'), { inContainer: true }), undefined);
		assert.match(refusalOf(from('172.17.0.1', 'a.example'), { inContainer: true }), /localhost/);
	});

	test('the page loads nothing of others, and no other page frames it', async () => {
		const { status, headers, text } = await ask('/_sandbox/page');
		assert.equal(status, 200);
		assert.match(headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/);
		const parts = [...text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path]) => path);
		assert.equal(parts.length, 2);
		for (const path of [...parts, '/_sandbox/page/cards.js', '/_sandbox/page/elements.js'])
			assert.equal((await ask(path)).status, 200, path);
		assert.equal((await ask('/_sandbox/page/view.mjs')).status, 404);
		assert.equal((await ask('/_sandbox/page', { method: 'POST' })).status, 405);
	});
});
