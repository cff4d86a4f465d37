// The customer's side: what the page gets, what its buttons do, and who may press them.
import assert, { assertNone } from '../asserted.mjs';
import { request as httpRequest } from 'node:http';
import { describe, test } from 'node:test';
import { FixedOffsetZone } from 'luxon';
import { eventually } from '../../sandbox/client.mjs';
import { foreignName, refusalOf } from '../../sandbox/guard.mjs';
import { beginningOf } from '../../sandbox/hours.mjs';
import { form, receiver, useSandbox } from './workspace.mjs';

const here = useSandbox({
	call: { lifeMs: 20, ringMs: 60_000, letGoMs: 20, outcomeByNumber: { '0100': 'interested' } },
});
const { api, control, done, ledger, set, state } = here;
const post = (path, body) => control(`POST ${path}`, body);
const strike = (fault, more = {}) => post('/faults', { ...more, fault });

/** Opens the stream as the page does; `until` waits for a view. @param {any} context of the test, which closes it */
async function open(context) {
	const leave = new AbortController();
	const response = await fetch(`${here.sandbox.page}/events`, { signal: leave.signal });
	let sent = '';
	const page = {
		all: () => sent,
		view: () =>
			JSON.parse(
				sent
					.split('\n\n')
					.at(-2)
					.replace(/^data: /, ''),
			),
		until: (fits) =>
			eventually(async () => sent.includes('\n\n') && fits(page.view()) && page.view()),
		close: () => leave.abort(),
	};
	context.after(page.close);
	(async () => {
		for await (const piece of response.body) sent += Buffer.from(piece).toString();
	})().catch(() => {});
	await page.until(() => true);
	return page;
}

const call = async (more) => (await here.ring(more)).body.data;
const byHand = ({ id }, action, body = {}) => post(`/calls/${id}/${action}`, body);
const conversationOf = ({ conversation_uuid: uuid }) => done(`GET /conversations/${uuid}`);
const ended = async (one) =>
	eventually(async () => {
		const conversation = await conversationOf(one);
		return conversation.status === 'Closed' && conversation.call;
	});
const subscribe = (url, events, more = {}) =>
	done(`POST /agents/${here.agent}/webhooks`, { url, events, ...more });

describe('phones', () => {
	test('the page is closed: a call that was picked up on it goes on by itself', async (context) => {
		const page = await open(context);
		const started = await call();
		await byHand(started, 'pick-up');
		await page.until(({ counts }) => counts.talking === 1);
		page.close();
		assert.equal((await ended(started)).status, 'completed');
	});

	test('what a phone does not allow is refused', async (context) => {
		const page = await open(context);
		const started = await call();
		await page.until(({ counts }) => counts.ringing === 1);
		const refused = (one, action, code) =>
			assert.rejects(byHand(one, action, { text: ' ' }), code, action);
		await refused(started, 'hang-up', /CALL_NOT_LIVE/);
		await refused(started, 'say', /CALL_NOT_LIVE/);
		await refused(started, 'explode', /VALIDATION_ERROR/);
		await byHand(started, 'pick-up');
		await refused(started, 'pick-up', /CALL_NOT_LIVE/);
		await refused(started, 'say', /VALIDATION_ERROR/);
		await refused({ id: 'nobody' }, 'pick-up', /RESOURCE_NOT_FOUND/);
	});
});

describe('messages', () => {
	test('the page gets no token and no secret', async (context) => {
		const { url } = await receiver(context);
		const page = await open(context);
		const hidden = `${url}?token=hidden-in-url`;
		await subscribe(hidden, ['conversation_status'], { secret_key: 'hidden-in-webhook' });
		const email = { to: 'a@example.com', subject: 'Shown', request_key: 'row-7' };
		await api('POST /email/messages', { ...email, token: 'hidden-in-email' });
		await byHand(await call(), 'decline');
		const view = await page.until(({ counts }) => counts.deliveries === 2 && counts.emails === 1);
		assert.equal(view.requests.find(({ path }) => path === '/email/messages').key, 'row-7');
		assert.ok(page.all().includes('Shown'));
		for (const secret of ['hidden-in', here.sandbox.token, here.sandbox.userToken])
			assert.ok(!page.all().includes(secret), secret);
	});
});

describe('bad days', () => {
	test('start afresh: registrations stay, everything else is gone, no identifier comes again', async (context) => {
		const { url } = await receiver(context);
		await subscribe(url, ['conversation_status']);
		await done(`POST /agents/${here.agent}/notes`, { content: 'stays' });
		const three = async () => [await call(), await call(), await call()];
		const idsOf = (calls) => calls.flatMap(({ id, conversation_uuid: uuid }) => [id, uuid]);
		const before = await three();
		const delivered = (least) =>
			eventually(async () => {
				const log = await control('GET /deliveries');
				return log.length >= least && log;
			});
		const [told] = await delivered(1);
		await strike({ kind: 'empty' }, { match: { path: 'nowhere' } });
		const page = await open(context);
		const formUrl = 'http://localhost:5678/form/leads';
		await set({ page: { formUrl } });
		await post('/reset', { keepRegistered: true });
		const view = await page.until(({ counts }) => counts.requests === 0);
		assert.equal(view.formUrl, formUrl);
		const { ended: over, talking, deliveries } = view.counts;
		assert.deepEqual([over, talking, deliveries], [0, 0, 0]);
		assertNone(view.faults);
		const [same] = await state('agents');
		assert.deepEqual([same.agent_uuid, same.notes.length], [here.agent, 1]);
		const again = await three();
		const known = new Set(idsOf(before));
		assertNone(idsOf(again).filter((id) => known.has(id)));
		const all = await delivered(3);
		assert.ok(!all.some(({ id }) => id === told.id));
		assert.equal(all[0].payload.data.conversation_uuid, again[0].conversation_uuid);
	});
});

describe('who may look', () => {
	/** @returns {Promise<{status: number, headers: object, text: string}>} also with headers that fetch does not send */
	const askUrl = (url, { method = 'GET', headers = {}, body } = {}) =>
		new Promise((resolve, reject) => {
			const request = httpRequest(url, { method, headers }, async (response) => {
				const said = Buffer.concat(await response.toArray()).toString();
				resolve({ status: response.statusCode, headers: response.headers, text: said });
			});
			request.on('error', reject);
			request.end(body);
		});
	const ask = (path, options) => askUrl(`${here.sandbox.url}${path}`, options);
	const press = (headers) =>
		ask('/_sandbox/settings', { method: 'PATCH', headers, body: '{"latencyMs":1}' });

	test('a page of another origin presses no button', async () => {
		const { host, port } = new URL(here.sandbox.url);
		for (const headers of [
			{ origin: 'https://evil.example' },
			{ origin: 'null' },
			{ origin: `https://${host}` },
			{ origin: `http://127.0.0.1:${port}`, host: 'localhost:1' },
			{ host: 'evil.example' },
			{ host: 'evil.example', origin: 'http://evil.example' },
			{ host: 'localhost.evil.example' },
		])
			assert.equal((await press(headers)).status, 403, JSON.stringify(headers));
		for (const path of ['/_sandbox/page', '/_sandbox/page/events', '/_sandbox/tokens'])
			assert.equal((await ask(path, { headers: { host: 'evil.example' } })).status, 403, path);
		assert.equal((await control('GET /settings')).latencyMs, 0);
	});

	test('no path answers under a name that others can point at this computer', async () => {
		const authorization = `Bearer ${here.sandbox.token}`;
		const file = { text: 'abc', type: 'text/plain', name: 'a.txt' };
		const { url: media } = await done('POST /medias', form({ file }));
		const { length } = await ledger();
		for (const url of [`${here.sandbox.url}/api/v1/agents`, `${here.sandbox.url}/`, media]) {
			const status = async (host) =>
				(await askUrl(url, { headers: { host, authorization } })).status;
			assert.equal(await status('evil.example'), 403, url);
			assert.notEqual(await status('localhost:1'), 403, url);
		}
		assert.equal((await ledger()).length - length, 2, 'what is refused is not even noted');
	});

	test('a name that it was told to serve is a name of its own', () => {
		const from = (host) => ({ headers: { host } });
		assert.equal(foreignName(from('sandbox:4010'), ['sandbox']), undefined);
		assert.equal(foreignName(from('[fd00::7]:4010'), ['fd00::7']), undefined);
		assert.match(foreignName(from('evil.example:4010'), ['sandbox']), /evil\.example/);
		assert.match(foreignName(from(''), ['sandbox']), /localhost/);
	});

	test('the page itself does, by each name of this computer', async () => {
		const { port } = new URL(here.sandbox.url);
		for (const name of ['127.0.0.1', 'localhost', 'sandbox.localhost', '[::1]']) {
			const host = `${name}:${port}`;
			assert.equal((await press({ host, origin: `http://${host}` })).status, 200, name);
		}
	});

	test('another computer does not; in a container, whoever reaches its port under a name of this one', () => {
		const refusal = (remoteAddress, inContainer = false, host = 'localhost:4010') =>
			refusalOf({ headers: { host }, socket: { remoteAddress } }, { inContainer });
		for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::1'])
			assert.equal(refusal(address), undefined);
		for (const address of ['192.168.1.7', '::ffff:10.0.0.1', '1.127.0.0', undefined])
			assert.match(refusal(address), /Only this computer/);
		assert.equal(refusal('172.17.0.1', true), undefined);
		assert.match(refusal('172.17.0.1', true, 'a.example'), /localhost/);
	});

	test('the page loads nothing of others, and no other page frames it', async () => {
		const { status, headers, text: page } = await ask('/_sandbox/page');
		assert.equal(status, 200);
		assert.match(headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/);
		const parts = [...page.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path]) => path);
		assert.equal(parts.length, 2);
		for (const path of [...parts, '/_sandbox/page/cards.js', '/_sandbox/page/elements.js'])
			assert.equal((await ask(path)).status, 200, path);
		assert.equal((await ask('/_sandbox/page/view.mjs')).status, 404);
		assert.equal((await ask('/_sandbox/page', { method: 'POST' })).status, 405);
	});
});

describe('hours of a rule', () => {
	const zone = 'Asia/Tokyo';
	/** A time of day in so many hours, there. */
	const inHours = (hours) =>
		new Date(Date.now() + hours * 3_600_000).toLocaleTimeString('en-GB', {
			...{ timeZone: zone, hour: '2-digit', minute: '2-digit' },
		});
	const launch = (rule, more = {}) =>
		done('POST /listings', {
			name: 'Evening',
			agent_uuid: here.agent,
			auto_start: true,
			contacts: [
				{ name: 'Aiko', phone_number: '+819012345678', timezone: zone },
				{ name: 'Ben', phone_number: '+14155550123', timezone: zone },
			],
			rule,
			...more,
		});
	const closed = () => ({ start_time: inHours(2), end_time: inHours(3) });
	const calls = () => state('calls');

	test('outside of them a call waits, the page says until when, and Begin now lets it begin', async (context) => {
		await set({ call: { keepsHours: true } });
		const page = await open(context);
		await launch(closed());
		const { held } = await page.until(({ counts }) => counts.held === 2);
		const [{ name, number, isCall, beginsAt, zone: shown }] = held;
		assert.deepEqual([name, number, isCall, shown], ['Aiko', '+819012345678', true, zone]);
		const minutes = (beginsAt - Date.now()) / 60_000;
		assert.ok(minutes > 118 && minutes <= 120, `${minutes} minutes`);
		assertNone(await calls());

		await post('/hours/begin');
		const { ringing } = await page.until(({ counts }) => counts.ringing === 2);
		assert.deepEqual(ringing.map((one) => one.name).sort(), ['Aiko', 'Ben']);
		assert.equal(page.view().counts.held, 0);
	});

	test('a rule that the listing names, or that a campaign has, counts, too', async (context) => {
		await set({ call: { keepsHours: true } });
		const page = await open(context);
		const { uuid } = await done('POST /rules', { name: 'Later', ...closed() });
		await launch({ uuid });
		await page.until(({ counts }) => counts.held === 2);
		const campaign = await post('/state/campaigns', { name: 'Own', pool_uuids: [] });
		await done(`PUT /campaigns/${campaign.uuid}/rule`, { rule_uuid: uuid });
		await done('POST /tasks', {
			...{ title: 'One', type: 'make_call', agent_uuid: here.agent, auto_queue: true },
			contact: { phone_number: '+819012345678' },
			campaign_uuid: campaign.uuid,
			scheduled_at: new Date(Date.now() + 2000).toISOString(),
		});
		await page.until(({ counts }) => counts.held === 3);
		assertNone(await calls());
	});

	test('what is called off while it waits does not begin', async (context) => {
		await set({ call: { keepsHours: true } });
		const page = await open(context);
		await launch(closed());
		await page.until(({ counts }) => counts.held === 2);
		const [task] = await state('tasks');
		await done(`POST /tasks/${task.uuid}/cancel`);
		await page.until(({ counts }) => counts.held === 1);
		await post('/hours/begin');
		await page.until(({ counts }) => counts.ringing === 1);
		assert.equal((await calls()).length, 1);
		const begun = (await state('tasks')).find(({ status }) => status === 'in_progress');
		const { body } = await api(`POST /tasks/${begun.uuid}/cancel`);
		assert.equal(body.error.code, 'INVALID_STATE', 'its call has begun');
	});

	test('hours over midnight, from a time on, until a time', () => {
		const at = (time) => Date.parse(`2026-11-27T${time}:00Z`);
		const utc = new FixedOffsetZone(0);
		const inRule = (start_time, end_time, now) =>
			beginningOf({ start_time, end_time }, utc, at(now)) ?? 'on';
		assert.deepEqual(
			[
				inRule('09:00', '17:00:00', '12:00'),
				inRule('09:00', '17:00', '08:59'),
				inRule('09:00', '17:00', '17:00'),
				inRule('20:00', '02:00', '23:00'),
				inRule('20:00', '02:00', '01:59'),
				inRule('20:00', '02:00', '02:00'),
				inRule('09:30', null, '23:59'),
				inRule('09:30', null, '00:00'),
				inRule(undefined, '17:00', '00:00'),
				inRule(undefined, undefined, '22:31'),
			],
			[
				'on',
				at('09:00'),
				at('09:00') + 86_400_000,
				'on',
				'on',
				at('20:00'),
				'on',
				at('09:30'),
				'on',
				'on',
			],
		);
	});
});
