// The sandbox as a tool of the tests: faults, ledger, settings, seeds, paging oddities, departures from the contract.
import assert, { assertNone } from '../asserted.mjs';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { describe, test } from 'node:test';
import { eventually, startSandbox } from '../../sandbox/client.mjs';
import { Limiter } from '../../sandbox/rate.mjs';
import { form, useSandbox } from './workspace.mjs';

const here = useSandbox({ call: { lifeMs: 60_000 } });
const { api, control, done, ledger, set, state } = here;

const strike = (fault, more = {}) => control('POST /faults', [{ ...more, fault }]);
const authorized = () => ({ authorization: `Bearer ${here.sandbox.token}` });
const noteRequest = () => ({
	method: 'POST',
	headers: { ...authorized(), 'content-type': 'application/json' },
});
const notesUrl = () => `${here.sandbox.url}/api/v1/agents/${here.agent}/notes`;
const note = () => api(`POST /agents/${here.agent}/notes`, { content: 'n' });
const notes = async () => (await state('agents'))[0].notes.length;
const lastEntry = async () => (await ledger()).at(-1);

/** A request whose connection breaks. @returns {Promise<string>} the error's code */
const broken = () =>
	new Promise((resolve, reject) => {
		const request = httpRequest(notesUrl(), noteRequest(), (response) => {
			response.on('error', (error) => resolve(error.code));
			response.on('end', () => reject(new Error('An answer came.')));
			response.resume();
		});
		request.on('error', (error) => resolve(error.code));
		request.end('{"content":"n"}');
	});

describe('faults', () => {
	const status = (code, more = {}) => ({ kind: 'status', status: code, ...more });
	const html = (code, afterAcceptance) => ({ kind: 'html', status: code, afterAcceptance });
	const after = { afterAcceptance: true };
	const elsewhere = { kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' };
	const odd = status(409, { body: { odd: true } });
	/** Name, fault, status, how often it is carried out, what stands in headers and body. */
	const answered = [
		['status before acceptance', status(500), 500, 0, /INTERNAL_SERVER_ERROR/],
		['status after', status(502, after), 502, 1, /"success":false/],
		['503 under maintenance', status(503), 503, 0, /SERVICE_UNAVAILABLE/],
		['429', status(429, { retryAfter: 7 }), 429, 0, /"retry-after":"7".*"retryAfter":7/],
		['429 without a wait', status(429, { retryAfter: null }), 429, 0, /^(?!.*retry-?after)/i],
		['own code and body', odd, 409, 0, / \{"odd":true\}$/],
		['HTML of a proxy', html(502, false), 502, 0, /<html>/],
		['HTML after acceptance', html(504, true), 504, 1, /"text\/html/],
		['half of the JSON', { kind: 'truncated' }, 201, 1, / \{[^]*[^}]$/],
		['empty body', { kind: 'empty' }, 201, 1, /\} $/],
		['wrong content type', { kind: 'content-type' }, 201, 1, /"text\/plain/],
		['redirect', elsewhere, 302, 0, /"location":"http:\/\/127.0.0.1:9\/elsewhere"/],
		['slow', { kind: 'slow', ms: 30 }, 201, 1, /"data":\{/],
	];
	for (const [name, fault, code, count, says] of answered)
		test(`${name}: answered with ${code}, carried out ${count} times, and only once`, async () => {
			await strike(fault, { match: { path: '/notes$' }, times: 1 });
			const answer = await note();
			assert.equal(answer.status, code);
			const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
			assert.match(`${JSON.stringify(Object.fromEntries(answer.headers))} ${body}`, says);
			assert.equal(await notes(), count, 'whether it was carried out');
			const entry = await lastEntry();
			assert.deepEqual(
				[entry.fault, entry.effect, entry.status],
				[fault.kind, count ? 'created' : 'none', code],
			);
			assert.equal((await note()).status, 201, 'only once');
		});

	for (const [name, fault, count] of [
		['reset before', { kind: 'reset-before' }, 0],
		['reset after', { kind: 'reset-after' }, 1],
		['an answer that breaks off', { kind: 'truncated', close: true }, 1],
	])
		test(`${name}: the connection breaks, and the request was carried out ${count} times`, async () => {
			await strike(fault, { times: 1 });
			assert.equal(await broken(), 'ECONNRESET');
			assert.equal(await notes(), count);
			const entry = await eventually(async () => (await lastEntry()).fault && lastEntry());
			assert.equal(entry.fault, fault.kind);
		});

	for (const afterAcceptance of [false, true])
		test(`silence: the request was carried out is ${afterAcceptance}`, async () => {
			await strike({ kind: 'timeout', afterAcceptance }, { times: 1 });
			const signal = AbortSignal.timeout(150);
			const response = fetch(notesUrl(), { ...noteRequest(), body: '{"content":"n"}', signal });
			await assert.rejects(response, { name: 'TimeoutError' });
			assert.equal(await notes(), afterAcceptance ? 1 : 0);
		});

	test('hit only what they match; an unknown kind is refused', async () => {
		await strike(status(500), { match: { method: 'GET', path: '^/contacts' } });
		const [agents, contacts] = [await api('GET /agents'), await api('GET /contacts')];
		const all = [(await note()).status, agents.status, contacts.status];
		assert.deepEqual(all, [201, 200, 500]);
		const [rule] = await control('GET /faults');
		assert.deepEqual([rule.seen, rule.done], [1, 1]);
		await assert.rejects(strike({ kind: 'meteor' }), /meteor/);
	});
});

describe('manners of limits and of the network', () => {
	test('jitter: what left together arrives in another order', async () => {
		await set({ manners: { jitterMs: 400 } });
		const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
		await Promise.all(names.map((name) => api(`GET /agents?name=${name}`)));
		const order = (await ledger()).map(({ query }) => query.name);
		assert.equal(order.length, 12);
		assert.notDeepEqual(order, names);
	});
});

test('README.md says of every manner what it does', async () => {
	const readme = readFileSync(new URL('../../sandbox/README.md', import.meta.url), 'utf8');
	const names = Object.keys(await control('GET /manners'));
	assert.ok(names.length > 30);
	assertNone(names.filter((name) => !readme.includes(`\n| \`${name}\` | `)));
});

describe('ledger', () => {
	test('holds every request in order, with masked secrets', async () => {
		await api('GET /agents?per_page=1&status=ready');
		const hook = { url: 'https://example.com', events: ['intent_call'], secret_key: 'hush' };
		await api(`POST /agents/${here.agent}/webhooks`, hook);
		await api(`PATCH /agents/${here.agent}`, { role: 'x' });
		await api('POST /agents', '{broken');
		const entries = await ledger();
		assert.deepEqual(
			entries.map(({ id, method, status, effect }) => [id, method, status, effect].join(' ')),
			['1 GET 200 none', '2 POST 201 created', '3 PATCH 200 changed', '4 POST 400 rejected'],
		);
		const [read, added, changed, refused] = entries;
		assert.deepEqual(read.query, { per_page: '1', status: 'ready' });
		assert.deepEqual([added.body.secret_key, added.headers.authorization], ['***', 'Bearer ***']);
		assert.equal(added.resourceUuid, (await state('webhooks'))[0].webhook_uuid);
		assert.equal(changed.resourceUuid, here.agent);
		assert.equal(refused.body, '{broken');
		assert.equal((await control('GET /ledger?path=/agents&method=POST')).length, 1);
		await control('DELETE /ledger');
		assertNone(await ledger());
	});
});

describe('lists that misbehave, answers that differ', () => {
	test('a parameter that the contract does not have is refused, unless it says that there may be more', async () => {
		assert.equal((await api('GET /tasks?per_pag=1')).body.error.field, 'per_pag');
		assert.equal((await api('GET /agents?colour=red')).status, 200);
	});
});

describe('files and answers in pieces', () => {
	/** Uploads a file. @returns {Promise<string>} its address */
	const upload = async (content) =>
		(await done('POST /medias', form({ file: { text: content, name: 'a.bin' } }))).url;
	/** Reads an answer until so many bytes are there, and closes the connection. */
	const readSome = (url, bytes, headers = {}) =>
		new Promise((resolve, reject) => {
			const request = httpRequest(url, { headers }, (response) => {
				let read = 0;
				response.on('error', () => {});
				response.on('data', (piece) => {
					read += piece.length;
					if (read < bytes) return;
					response.destroy();
					resolve(read);
				});
			});
			request.on('error', reject);
			request.end();
		});
	/** The last request, once its connection is done with it. */
	const lastDone = () =>
		eventually(async () => {
			const last = await lastEntry();
			return last.status !== null && last;
		});

	test('a drip comes whole to whoever waits', async () => {
		await strike({ kind: 'drip', bytes: 50, everyMs: 1 }, { times: 1 });
		assert.equal((await note()).status, 201);
		const { fault, effect, status, closedEarly, sentBytes } = await lastDone();
		assert.deepEqual([fault, effect, status, closedEarly], ['drip', 'created', 201, false]);
		assert.ok(sentBytes > 100);
	});

	test('an endless one goes on until the client closes, which is recorded', async () => {
		await strike({ kind: 'drip', bytes: 100, everyMs: 0, endless: true }, { times: 1 });
		await readSome(`${here.sandbox.url}/api/v1/agents`, 500_000, authorized());
		const entry = await lastDone();
		assert.equal(entry.closedEarly, true);
		assert.ok(entry.sentBytes >= 500_000);
	});

	test('the manner holds for the API, the files, or both', async () => {
		const url = await upload('x'.repeat(100));
		const touched = [];
		for (const of of ['api', 'files', 'all', null]) {
			await set({ manners: { drip: of && { of, bytes: 10 } } });
			await api('GET /agents');
			touched.push((await lastDone()).closedEarly === false);
			assert.equal(await (await fetch(url)).text(), 'x'.repeat(100));
		}
		assert.deepEqual(touched, [true, false, true, false]);
	});

	test('files of any size, and how much of them was taken', async () => {
		const url = await upload('x');
		await set({ manners: { fileBytes: 3_000_000 } });
		const response = await fetch(url);
		assert.equal(response.headers.get('content-length'), '3000000');
		assert.equal((await response.arrayBuffer()).byteLength, 3_000_000);
		await set({ manners: { fileBytes: 100_000_000 } });
		await readSome(url, 1);
		const [whole, part] = await eventually(async () => {
			const all = await control('GET /files');
			return all[1]?.closedEarly !== undefined && all;
		});
		assert.deepEqual([whole.closedEarly, part.closedEarly], [false, true]);
		assert.ok(part.sentBytes < 50_000_000);
	});
});

describe('rate limiters with a clock of their own', () => {
	const limiterOf = (algorithm, othersPerSecond = 0) =>
		new Limiter({ limit: 2, windowMs: 1000, algorithm, othersPerSecond }, 0);
	const passing = (limiter, moments) => moments.filter((now) => limiter.take(now).allowed);

	for (const [algorithm, name, moments, passed, wait] of [
		[
			'token-bucket',
			'full at first, then one per share of the window',
			[0, 0, 0, 499, 500, 999, 1000, 5000, 5000, 5000],
			[0, 0, 500, 1000, 5000, 5000],
			500,
		],
		[
			'fixed-window',
			'lets a burst through at the seam',
			[900, 950, 999, 1000, 1001, 1002],
			[900, 950, 1000, 1001],
			1000,
		],
		[
			'sliding-window',
			'never more than the limit in any window',
			[900, 950, 999, 1000, 1899, 1900, 1949, 1950],
			[900, 950, 1900, 1950],
			1000,
		],
	])
		test(`${algorithm}: ${name}, and it says how long to wait`, () => {
			assert.deepEqual(passing(limiterOf(algorithm), moments), passed);
			const limiter = limiterOf(algorithm);
			passing(limiter, [0, 0]);
			const { allowed, remaining, retryAfterMs } = limiter.take(0);
			assert.deepEqual([allowed, remaining, retryAfterMs], [false, 0, wait]);
			assert.equal(limiter.take(wait).allowed, true);
		});

	test('others take their share at their own moments', () => {
		assert.deepEqual(passing(limiterOf('sliding-window', 1), [1500, 1600]), [1500]);
	});
});

test('one line of JSON tells where it listens; SIGTERM ends it', async () => {
	const other = await startSandbox({ seed: 5, settings: { workspaceTimezone: 'Asia/Tokyo' } });
	assert.match(other.url, /^http:\/\/127\.0\.0\.1:\d+$/);
	assert.equal((await other.api('GET /agents')).headers.get('x-timezone'), 'Asia/Tokyo');
	await other.stop();
	assert.equal(other.child.exitCode, 0);
});

test('only who asks for a seed can know the token before it is printed', async (context) => {
	const tokens = async (seed) => {
		const one = await startSandbox({ seed });
		context.after(() => one.stop());
		assert.equal((await one.api('GET /agents')).status, 200);
		return one;
	};
	const [first, second] = [await tokens(null), await tokens(null)];
	assert.notEqual(first.token, second.token);
	assert.notEqual(first.userToken, second.userToken);
	assert.equal((await tokens(5)).token, (await tokens(5)).token);
});
