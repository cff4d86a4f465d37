// The sandbox as a tool of the tests: faults, ledger, settings, seeds, paging oddities, departures from the contract.
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually, startSandbox } from '../../sandbox/client.mjs';
import { Limiter } from '../../sandbox/rate.mjs';

/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
let agent;

before(async () => {
	sandbox = await startSandbox();
});
after(() => sandbox.stop());
beforeEach(() => reset());

async function reset(options = {}) {
	await sandbox.control('POST /reset', {
		seed: 1,
		...options,
		settings: {
			rate: { send: { limit: 1000 }, general: { limit: 100_000 } },
			call: { lifeMs: 60_000 },
			...options.settings,
		},
	});
	[agent] = await sandbox.control('GET /state/agents');
}

const note = () => sandbox.api(`POST /agents/${agent.agent_uuid}/notes`, { content: 'n' });
const notes = async () => (await sandbox.control('GET /state/agents'))[0].notes.length;
const lastEntry = async () => (await sandbox.control('GET /ledger')).at(-1);

/** A request whose connection breaks. @returns {Promise<string>} the error's code */
function broken() {
	return new Promise((resolve, reject) => {
		const request = httpRequest(
			`${sandbox.url}/api/v1/agents/${agent.agent_uuid}/notes`,
			{
				method: 'POST',
				headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
			},
			(response) => {
				response.on('error', (error) => resolve(error.code));
				response.on('end', () => reject(new Error('An answer came.')));
				response.resume();
			},
		);
		request.on('error', (error) => resolve(error.code));
		request.end('{"content":"n"}');
	});
}

describe('faults', () => {
	const html = { kind: 'html', afterAcceptance: false };
	const elsewhere = 'http://127.0.0.1:9/elsewhere';
	/** Name, fault, status, how often it is carried out, what stands in headers and body. */
	const answered = [
		['status before acceptance', { kind: 'status', status: 500 }, 500, 0, /INTERNAL_SERVER_ERROR/],
		[
			'status after',
			{ kind: 'status', status: 502, afterAcceptance: true },
			502,
			1,
			/"success":false/,
		],
		['503 under maintenance', { kind: 'status', status: 503 }, 503, 0, /SERVICE_UNAVAILABLE/],
		[
			'429 with a wait',
			{ kind: 'status', status: 429, retryAfter: 7 },
			429,
			0,
			/"retry-after":"7".*"retryAfter":7/,
		],
		[
			'429 without a wait',
			{ kind: 'status', status: 429, retryAfter: null },
			429,
			0,
			/^(?!.*retry-?after)/i,
		],
		[
			'own code and body',
			{ kind: 'status', status: 409, body: { odd: true } },
			409,
			0,
			/ \{"odd":true\}$/,
		],
		['HTML of a proxy', { ...html, status: 502 }, 502, 0, /<html>/],
		[
			'HTML after acceptance',
			{ ...html, status: 504, afterAcceptance: true },
			504,
			1,
			/"text\/html/,
		],
		['half of the JSON', { kind: 'truncated' }, 201, 1, / \{[^]*[^}]$/],
		['empty body', { kind: 'empty' }, 201, 1, /\} $/],
		['wrong content type', { kind: 'content-type' }, 201, 1, /"text\/plain/],
		[
			'redirect',
			{ kind: 'redirect', location: elsewhere },
			302,
			0,
			/"location":"http:\/\/127.0.0.1:9\/elsewhere"/,
		],
		['slow', { kind: 'slow', ms: 30 }, 201, 1, /"data":\{/],
	];
	for (const [name, fault, status, done, says] of answered) {
		test(`${name}: answered with ${status}, ${done ? 'carried out' : 'not carried out'}, and only once`, async () => {
			await sandbox.control('POST /faults', [{ match: { path: '/notes$' }, times: 1, fault }]);
			const answer = await note();
			assert.equal(answer.status, status);
			const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
			assert.match(`${JSON.stringify(Object.fromEntries(answer.headers))} ${body}`, says);
			assert.equal(await notes(), done, 'whether it was carried out');
			const entry = await lastEntry();
			assert.deepEqual(
				[entry.fault, entry.effect, entry.status],
				[fault.kind, done ? 'created' : 'none', status],
			);
			assert.equal((await note()).status, 201, 'only once');
		});
	}

	for (const [name, fault, done] of [
		['reset before', { kind: 'reset-before' }, 0],
		['reset after', { kind: 'reset-after' }, 1],
		['an answer that breaks off', { kind: 'truncated', close: true }, 1],
	]) {
		test(`${name}: the connection breaks, and the request was ${done ? 'carried out' : 'not carried out'}`, async () => {
			await sandbox.control('POST /faults', [{ times: 1, fault }]);
			assert.equal(await broken(), 'ECONNRESET');
			assert.equal(await notes(), done);
			assert.equal(
				(await eventually(async () => (await lastEntry()).fault && lastEntry())).fault,
				fault.kind,
			);
		});
	}

	for (const afterAcceptance of [false, true]) {
		test(`silence ${afterAcceptance ? 'after' : 'before'} acceptance: the request was ${afterAcceptance ? 'carried out' : 'not carried out'}`, async () => {
			await sandbox.control('POST /faults', [
				{ times: 1, fault: { kind: 'timeout', afterAcceptance } },
			]);
			const response = fetch(`${sandbox.url}/api/v1/agents/${agent.agent_uuid}/notes`, {
				method: 'POST',
				headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
				body: '{"content":"n"}',
				signal: AbortSignal.timeout(150),
			});
			await assert.rejects(response, { name: 'TimeoutError' });
			assert.equal(await notes(), afterAcceptance ? 1 : 0);
		});
	}

	const statuses = async (count) => {
		const seen = [];
		for (let turn = 0; turn < count; turn += 1) seen.push((await note()).status);
		return seen;
	};

	test('hit the nth request, every nth, or those of a list', async () => {
		const fault = { kind: 'status', status: 500 };
		await sandbox.control('POST /faults', [{ match: { method: 'post', nth: 2 }, fault }]);
		assert.deepEqual(await statuses(3), [201, 500, 201]);
		await sandbox.control('DELETE /faults');
		await sandbox.control('POST /faults', [{ match: { every: 2 }, fault }]);
		assert.deepEqual(await statuses(4), [201, 500, 201, 500]);
		await sandbox.control('DELETE /faults');
		await sandbox.control('POST /faults', [{ match: { nth: [1, 3] }, fault }]);
		assert.deepEqual(await statuses(4), [500, 201, 500, 201]);
	});

	test('by chance: the same seed hits the same requests', async () => {
		const run = async (seed) => {
			await reset({ seed });
			await sandbox.control('POST /faults', [
				{ match: { path: '/notes$', probability: 0.5 }, fault: { kind: 'status', status: 503 } },
			]);
			return statuses(20);
		};
		const first = await run(7);
		assert.deepEqual(await run(7), first);
		assert.ok(first.includes(503) && first.includes(201));
		assert.notDeepEqual(await run(8), first);
	});

	test('hit only what they match', async () => {
		await sandbox.control('POST /faults', [
			{ match: { method: 'GET', path: '^/contacts' }, fault: { kind: 'status', status: 500 } },
		]);
		assert.deepEqual(
			[
				(await note()).status,
				(await sandbox.api('GET /agents')).status,
				(await sandbox.api('GET /contacts')).status,
			],
			[201, 200, 500],
		);
		const [rule] = await sandbox.control('GET /faults');
		assert.deepEqual([rule.seen, rule.done], [1, 1]);
	});

	test('an unknown kind is refused', async () => {
		await assert.rejects(
			sandbox.control('POST /faults', [{ fault: { kind: 'meteor' } }]),
			/meteor/,
		);
	});
});

describe('manners of limits and of the network', () => {
	const refused = async (manners, retryAfter = 90) => {
		await reset({ settings: { manners } });
		await sandbox.control('POST /faults', [{ fault: { kind: 'status', status: 429, retryAfter } }]);
		const { headers } = await sandbox.api('GET /agents');
		return { said: headers.get('retry-after'), date: Date.parse(headers.get('date')) };
	};

	test('Retry-After is sent as seconds, date, epoch seconds and milliseconds, by the clock of the platform', async () => {
		assert.equal((await refused({})).said, '90');
		const date = await refused({ retryAfter: 'date', clockOffsetMs: -7_200_000 });
		assert.match(date.said, / GMT$/);
		assert.equal(Date.parse(date.said) - date.date, 90_000);
		assert.ok(date.date < Date.now() - 7_000_000);
		const epoch = await refused({ retryAfter: 'epoch' });
		assert.equal(Number(epoch.said) * 1000 - epoch.date, 90_000);
		const epochMs = await refused({ retryAfter: 'epochMs', clockOffsetMs: 3_600_000 });
		assert.equal(Number(epochMs.said) - epochMs.date, 90_000);
	});

	test('jitter: what left together arrives in another order, the same with the same seed', async () => {
		const arrived = async () => {
			await reset({ settings: { manners: { jitterMs: 400 } } });
			const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
			await Promise.all(names.map((name) => sandbox.api(`GET /agents?name=${name}`)));
			return (await sandbox.control('GET /ledger')).map(({ query }) => query.name);
		};
		const order = await arrived();
		assert.equal(order.length, 12);
		assert.notDeepEqual(
			order,
			[...order].sort((a, b) => a.slice(1) - b.slice(1)),
		);
	});
});

describe('ledger', () => {
	test('holds every request in order, with masked secrets', async () => {
		await sandbox.api('GET /agents?per_page=1&status=ready');
		await sandbox.api(`POST /agents/${agent.agent_uuid}/webhooks`, {
			url: 'https://example.com',
			events: ['intent_call'],
			secret_key: 'hush',
		});
		await sandbox.api(`PATCH /agents/${agent.agent_uuid}`, { role: 'x' });
		await sandbox.api('POST /agents', '{broken');
		const entries = await sandbox.control('GET /ledger');
		assert.deepEqual(
			entries.map(({ id, method, status, effect }) => [id, method, status, effect]),
			[
				[1, 'GET', 200, 'none'],
				[2, 'POST', 201, 'created'],
				[3, 'PATCH', 200, 'changed'],
				[4, 'POST', 400, 'rejected'],
			],
		);
		assert.deepEqual(entries[0].query, { per_page: '1', status: 'ready' });
		assert.deepEqual(
			[entries[1].body.secret_key, entries[1].headers.authorization],
			['***', 'Bearer ***'],
		);
		assert.equal(
			entries[1].resourceUuid,
			(await sandbox.control('GET /state/webhooks'))[0].webhook_uuid,
		);
		assert.equal(entries[2].resourceUuid, agent.agent_uuid);
		assert.equal(entries[3].body, '{broken');
		assert.equal((await sandbox.control('GET /ledger?path=/agents&method=POST')).length, 1);
		await sandbox.control('DELETE /ledger');
		assert.deepEqual(await sandbox.control('GET /ledger'), []);
	});

	test('files are recorded by name, type and size', async () => {
		const form = new FormData();
		form.append('file', new Blob(['abc'], { type: 'text/plain' }), 'a.txt');
		await sandbox.api('POST /medias', form);
		assert.deepEqual((await lastEntry()).body, {
			file: { filename: 'a.txt', mediaType: 'text/plain', size: 3 },
		});
	});

	test('the summary counts, and knows how many were in work at once', async () => {
		await sandbox.control('PATCH /settings', { latencyMs: 60 });
		await Promise.all([1, 2, 3].map(() => sandbox.api('GET /agents')));
		const { total, maxInFlight, inFlight, counts } = await sandbox.control('GET /ledger/summary');
		assert.deepEqual([total, maxInFlight, inFlight], [3, 3, 0]);
		assert.deepEqual(counts, [
			{ method: 'GET', path: '/agents', status: 200, effect: 'none', count: 3 },
		]);
	});

	test('old entries make room, the summary still counts them', async () => {
		await reset({ settings: { ledgerEntries: 10 } });
		for (let turn = 0; turn < 30; turn += 1) await sandbox.api('GET /flows');
		assert.ok((await sandbox.control('GET /ledger')).length <= 11);
		assert.equal((await sandbox.control('GET /ledger/summary')).total, 30);
	});

	test('the same key with another body is noted', async () => {
		const send = (message) =>
			sandbox.api('POST /sms/send', {
				agentId: agent.agent_uuid,
				phoneNumber: '+14155550100',
				message,
				request_key: 'k',
			});
		await send('one');
		await send('two');
		assert.deepEqual(
			(await sandbox.control('GET /ledger')).map(({ effect, keyConflict }) => [
				effect,
				keyConflict,
			]),
			[
				['created', undefined],
				['repeated', true],
			],
		);
	});
});

describe('seed and state', () => {
	test('the same seed gives the same workspace; tokens outlive a change of seed', async () => {
		const look = async (seed) => {
			await reset({ seed });
			const created = await sandbox.api('POST /agents', { name: 'X' });
			return [
				(await sandbox.control('GET /state/agents')).map(({ agent_uuid: uuid }) => uuid),
				created.body.data.agent_uuid,
			];
		};
		const first = await look(1);
		const second = await look(2);
		assert.deepEqual(await look(1), first);
		assert.notDeepEqual(second, first);
	});

	test('records can be put in from outside', async () => {
		const record = await sandbox.control('POST /state/campaigns', {
			name: 'Given',
			status: 'Draft',
			pool_uuids: [],
		});
		assert.equal(
			(await sandbox.api(`PUT /campaigns/${record.uuid}`, { name: 'Taken' })).body.data.name,
			'Taken',
		);
	});

	test('records can be changed and removed from outside', async () => {
		await sandbox.control(`PATCH /state/agents/${agent.agent_uuid}`, {
			status: 'paused',
			updated_at: '2027-01-01T00:00:00Z',
		});
		const { data } = (await sandbox.api(`GET /agents/${agent.agent_uuid}`)).body;
		assert.deepEqual([data.status, data.updated_at], ['paused', '2027-01-01T03:00:00+03:00']);
		await sandbox.control(`DELETE /state/agents/${agent.agent_uuid}`);
		assert.equal((await sandbox.api(`GET /agents/${agent.agent_uuid}`)).status, 404);
	});

	test('settings are merged deeply and survive no reset', async () => {
		const changed = await sandbox.control('PATCH /settings', {
			webhooks: { limit: 2 },
			call: { lifeMs: 5 },
		});
		assert.deepEqual(
			[
				changed.webhooks.limit,
				changed.webhooks.delete,
				changed.call.lifeMs,
				changed.call.liveLimit,
			],
			[2, true, 5, 50],
		);
		await sandbox.control('POST /reset', {});
		assert.equal((await sandbox.control('GET /settings')).webhooks.limit, 5);
	});

	test('100,000 contacts: any page is read, one is found by its number, others are changed and deleted', async () => {
		await reset({ contacts: 100_000 });
		const page = async (number) =>
			(await sandbox.api(`GET /contacts?per_page=100&page=${number}`)).body.data;
		const [first, last, beyond] = await Promise.all([page(1), page(1000), page(1001)]);
		assert.deepEqual(
			[first.total, first.last_page, first.data.length, last.data.length, beyond.data.length],
			[100_000, 1000, 100, 100, 0],
		);
		assert.equal(last.data[99].phone_number, '+905550099999');
		const { body } = await sandbox.api('POST /sms/send', {
			agentId: agent.agent_uuid,
			phoneNumber: '+905550099999',
			message: 'm',
		});
		const [conversation] = await sandbox.control('GET /state/conversations');
		assert.equal(conversation.contact.uuid, last.data[99].uuid, 'found by its number');
		assert.ok(body.success);
		await sandbox.api(`PUT /contacts/${last.data[0].uuid}`, { name: 'Changed' });
		await sandbox.api(`DELETE /contacts/${last.data[1].uuid}`);
		const after = await page(1000);
		assert.deepEqual(
			[after.total, after.data[0].name, after.data[1].uuid],
			[99_999, 'Changed', last.data[2].uuid],
		);
		await sandbox.api('POST /contacts', { name: 'New' });
		const end = await page(1000);
		assert.deepEqual([end.total, end.data.at(-1).name], [100_000, 'New']);
		assert.equal(
			(await sandbox.api(`GET /contacts/${first.data[0].uuid}`)).body.data.name,
			first.data[0].name,
		);
	});
});

describe('lists that misbehave, answers that differ', () => {
	test('every page has the rows of the first, if the settings say so', async () => {
		await reset({ settings: { pageRepeat: true }, agents: 3 });
		const pages = [
			(await sandbox.api('GET /agents?page=1')).body.data,
			(await sandbox.api('GET /agents?page=9')).body.data,
		];
		assert.deepEqual(pages[1].items, pages[0].items);
		assert.deepEqual([pages[1].pagination.current_page, pages[1].pagination.last_page], [9, 10]);
	});

	test('a full last page and an empty list have the right number of pages', async () => {
		await reset({ contacts: 30 });
		const { data } = (await sandbox.api('GET /contacts?per_page=15&page=2')).body;
		assert.deepEqual([data.data.length, data.last_page], [15, 2]);
		await reset({ contacts: 0 });
		const empty = (await sandbox.api('GET /contacts')).body.data;
		assert.deepEqual([empty.data, empty.total, empty.last_page], [[], 0, 1]);
	});

	test('a bare list comes in pages that the contract does not know, if the settings say so', async () => {
		const fields = (body) => body.data.map?.(({ key }) => key) ?? body.data;
		const path = 'GET /contacts/fields';
		await reset({});
		const all = fields((await sandbox.api(path)).body);
		assert.ok(all.length >= 3);
		await reset({ settings: { pages: { '/contacts/fields': { layout: 'flat', perPage: 2 } } } });
		assert.deepEqual(fields((await sandbox.api(path)).body), all.slice(0, 2));
		assert.deepEqual(fields((await sandbox.api(`${path}?page=2`)).body), all.slice(2, 4));
		assert.deepEqual(fields((await sandbox.api(`${path}?per_page=1&page=2`)).body), [all[1]]);
		await reset({ settings: { pages: { '/contacts/fields': { layout: 'page', perPage: 2 } } } });
		const { data } = (await sandbox.api(`${path}?page=2`)).body;
		assert.deepEqual(
			[data.data.map(({ key }) => key), data.current_page, data.per_page, data.total],
			[all.slice(2, 4), 2, 2, all.length],
		);
		assert.equal((await sandbox.api('GET /agents')).status, 200, 'other lists stay as they are');
	});

	for (const [kind, check] of [
		[
			'missing',
			(answer) =>
				assert.deepEqual([answer.status, answer.body.error.code], [404, 'ENDPOINT_NOT_FOUND']),
		],
		[
			'extra-field',
			(answer) => assert.equal(answer.body.data.items[0].field_beyond_the_contract, 'here'),
		],
		['other-layout', (answer) => assert.ok(Array.isArray(answer.body.result.list))],
	]) {
		test(`an endpoint that differs does so alone: ${kind}`, async () => {
			await reset({ settings: { differ: [{ path: '/agents', method: 'GET', kind }] } });
			check(await sandbox.api('GET /agents'));
			assert.equal(
				(await sandbox.api('POST /agents', { name: 'X' })).status,
				201,
				'only what was named differs',
			);
		});
	}

	test('a parameter that the contract does not have is refused, unless it says that there may be more', async () => {
		assert.equal((await sandbox.api('GET /tasks?per_pag=1')).body.error.field, 'per_pag');
		assert.equal((await sandbox.api('GET /contacts?search=ada')).status, 200);
		await reset({ settings: { strictQuery: false } });
		assert.equal((await sandbox.api('GET /tasks?per_pag=1')).status, 200);
	});
});

describe('files', () => {
	test('recordings and medias stand on another origin and need no credentials', async () => {
		await sandbox.control('PATCH /settings', {
			call: { lifeMs: 5, outcomeByNumber: { '0100': 'interested' } },
		});
		const { conversation_uuid: uuid } = (
			await sandbox.api('POST /call', {
				agentId: agent.agent_uuid,
				participant: { number: '+14155550100' },
			})
		).body.data;
		const url = await eventually(
			async () => (await sandbox.api(`GET /conversations/${uuid}`)).body.data.call.recording_url,
		);
		const response = await fetch(url);
		assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'audio/wav']);
		assert.equal(
			Buffer.from(await response.arrayBuffer())
				.subarray(0, 4)
				.toString(),
			'RIFF',
		);
		assert.deepEqual(
			(await sandbox.control('GET /files')).map(({ method, authorized }) => [method, authorized]),
			[['GET', false]],
		);
	});
});

describe('answers in pieces', () => {
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
	const authorized = () => ({ authorization: `Bearer ${sandbox.token}` });

	test('a drip comes whole to whoever waits', async () => {
		await sandbox.control('POST /faults', [
			{ times: 1, fault: { kind: 'drip', bytes: 50, everyMs: 1 } },
		]);
		assert.equal((await note()).status, 201);
		const { fault, effect, status, closedEarly, sentBytes } = await lastDone();
		assert.deepEqual([fault, effect, status, closedEarly], ['drip', 'created', 201, false]);
		assert.ok(sentBytes > 100);
	});

	test('an endless one goes on until the client closes, which is recorded', async () => {
		const endless = { kind: 'drip', bytes: 100, everyMs: 0, endless: true };
		await sandbox.control('POST /faults', [{ times: 1, fault: endless }]);
		await readSome(`${sandbox.url}/api/v1/agents`, 500_000, authorized());
		const entry = await lastDone();
		assert.equal(entry.closedEarly, true);
		assert.ok(entry.sentBytes >= 500_000);
	});

	test('the manner holds for the API, the files, or both', async () => {
		const form = new FormData();
		form.append('file', new Blob(['x'.repeat(100)]), 'a.bin');
		const { url } = (await sandbox.api('POST /medias', form)).body.data;
		const touched = async (of) => {
			await sandbox.control('PATCH /settings', { manners: { drip: of && { of, bytes: 10 } } });
			await sandbox.api('GET /agents');
			const api = (await lastDone()).closedEarly;
			assert.equal(await (await fetch(url)).text(), 'x'.repeat(100));
			return api === false;
		};
		assert.deepEqual(
			[await touched('api'), await touched('files'), await touched('all'), await touched(null)],
			[true, false, true, false],
		);
	});

	test('files of any size, and how much of them was taken', async () => {
		const form = new FormData();
		form.append('file', new Blob(['x']), 'a.bin');
		const { url } = (await sandbox.api('POST /medias', form)).body.data;
		await sandbox.control('PATCH /settings', { manners: { fileBytes: 3_000_000 } });
		const response = await fetch(url);
		assert.equal(response.headers.get('content-length'), '3000000');
		assert.equal((await response.arrayBuffer()).byteLength, 3_000_000);
		await sandbox.control('PATCH /settings', { manners: { fileBytes: 100_000_000 } });
		await readSome(url, 1);
		const files = await eventually(async () => {
			const all = await sandbox.control('GET /files');
			return all[1]?.closedEarly !== undefined && all;
		});
		assert.deepEqual(
			files.map(({ closedEarly }) => closedEarly),
			[false, true],
		);
		assert.ok(files[1].sentBytes < 50_000_000);
	});
});

describe('rate limiters with a clock of their own', () => {
	const times = (limiter, moments) => moments.map((moment) => limiter.take(moment).allowed);
	const settings = (algorithm, more = {}) => ({
		limit: 2,
		windowMs: 1000,
		algorithm,
		othersPerSecond: 0,
		...more,
	});

	test('token bucket: full at first, then one per share of the window', () => {
		assert.deepEqual(
			times(
				new Limiter(settings('token-bucket'), 0),
				[0, 0, 0, 499, 500, 999, 1000, 5000, 5000, 5000],
			),
			[true, true, false, false, true, false, true, true, true, false],
		);
	});

	test('fixed window: lets a burst through at the seam', () => {
		assert.deepEqual(
			times(new Limiter(settings('fixed-window'), 0), [900, 950, 999, 1000, 1001, 1002]),
			[true, true, false, true, true, false],
		);
	});

	test('sliding window: never more than the limit in any window', () => {
		assert.deepEqual(
			times(
				new Limiter(settings('sliding-window'), 0),
				[900, 950, 999, 1000, 1899, 1900, 1949, 1950],
			),
			[true, true, false, false, false, true, false, true],
		);
	});

	for (const [algorithm, expected] of [
		['token-bucket', 500],
		['fixed-window', 1000],
		['sliding-window', 1000],
	]) {
		test(`${algorithm}: says how long to wait`, () => {
			const limiter = new Limiter(settings(algorithm), 0);
			times(limiter, [0, 0]);
			const verdict = limiter.take(0);
			assert.deepEqual(
				[verdict.allowed, verdict.remaining, verdict.retryAfterMs],
				[false, 0, expected],
			);
			assert.equal(limiter.take(expected).allowed, true);
		});
	}

	test('others take their share at their own moments', () => {
		const limiter = new Limiter(settings('sliding-window', { othersPerSecond: 1 }), 0);
		assert.deepEqual(times(limiter, [1500, 1600]), [true, false]);
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
