/**
 * Requests of every kind, good and bad, that fast-check makes from a seed. What each of them must bring about is
 * decided here from its parts, not from the node: 401 for strangers, 4xx and nothing for what is no JSON object, else
 * one item with the whole body, which is what the workflow answers. `FUZZ_SEED` and `FUZZ_PATH` as in trigger.fuzz.
 */
import axios from 'axios';
import fc from 'fast-check';
import http from 'node:http';
import { usePlatform } from './harness/index.cts';

const seed = Number(process.env.FUZZ_SEED ?? 20262);
const count = Number(process.env.FUZZ_COUNT ?? 1000);
const perTest = 250;
/** Requests that are under way at once. */
const perBatch = 25;

const { sandbox, engine } = usePlatform();

// In keys nothing that JSON escapes: see trigger.fuzz.
const word = fc.string({
	unit: fc.constantFrom('a', 'Z', '0', 'ğ', '键', '😀', '{', '$', '='),
	maxLength: 6,
});
const text = fc.string({
	unit: fc.constantFrom('a', ' ', '"', '\\', '\n', '\u0000', '😀', '{', '='),
	maxLength: 12,
});
const key = fc.oneof(
	{ weight: 2, arbitrary: word.filter((one) => one !== '') },
	fc.constantFrom(
		'parameters',
		'arguments',
		'data',
		'intent',
		'call',
		'guests',
		'conversation_uuid',
		'contact_info',
		'number',
		'name',
		'key',
		'value',
		'error',
		'message',
		'length',
		'toString',
		'hasOwnProperty',
	),
);
const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 5, depthSize: 'medium' },
		fc.oneof(fc.constant(null), fc.boolean(), fc.constantFrom(0, -1, 0.1, 1e21, 42), text),
		fc.array(tie('value'), { maxLength: 3 }),
		tie('object'),
		tie('object'),
	),
	object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));

/** Once in so many; else nothing is wrong. */
const seldom = <T,>(arbitrary: fc.Arbitrary<T>) =>
	fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const parts = fc.record({
	body: object,
	contentType: fc.constantFrom(
		'application/json',
		'application/json; charset=utf-8',
		'text/plain',
		'image/png',
		'',
	),
	guests: fc.option(
		fc.oneof(fc.integer({ min: -9, max: 99 }), fc.constantFrom('4', 'four', '', null, true)),
	),
	stranger: seldom(
		fc.constantFrom(
			'no query',
			'no token',
			'wrong token',
			'two tokens',
			'other intent',
			'intent as list',
			'wrong auth token',
		),
	),
	spoiled: seldom(
		fc.constantFrom('cut', 'empty', 'list', 'number', 'deep', 'no JSON', 'multipart', 'form'),
	),
	rightAuthToken: fc.boolean(),
});
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

interface Place {
	agent: string;
	intent: string;
	token: string;
	authToken: string;
}

const queries: Record<string, (place: Place) => string> = {
	'no query': () => '',
	'no token': ({ agent, intent }) => `?agent=${agent}&intent=${intent}`,
	'wrong token': ({ agent, intent, token }) => `?agent=${agent}&intent=${intent}&token=${token}x`,
	'two tokens': ({ agent, intent, token }) =>
		`?agent=${agent}&intent=${intent}&token=${token}&token=${token}`,
	'other intent': ({ agent, token }) => `?agent=${agent}&intent=${agent}&token=${token}`,
	'intent as list': ({ agent, intent, token }) =>
		`?agent=${agent}&intent[]=${intent}&token=${token}`,
};

/** The request that is made of these parts, its status, and the body that must come out. */
function shotOf(given: Parts, place: Place) {
	const headers: Record<string, string> = { 'content-type': given.contentType };
	const { agent, intent, token, authToken } = place;
	const whole: Record<string, unknown> =
		given.guests === null ? given.body : { ...given.body, parameters: { guests: given.guests } };
	let body = JSON.stringify(whole);
	let status = 200;
	let expected: unknown = whole;
	const spoil = (newStatus: number, newBody: string, type?: string) => {
		[status, body, expected] = [newStatus, newBody, undefined];
		if (type !== undefined) headers['content-type'] = type;
	};
	switch (given.spoiled) {
		case 'cut':
			spoil(422, '{"a":', 'application/json');
			break;
		case 'empty':
			[body, expected] = ['', {}];
			break;
		case 'list':
			spoil(400, '[{}]');
			break;
		case 'number':
			spoil(400, '5', 'application/json');
			break;
		case 'deep':
			spoil(400, `{"a":${'['.repeat(150)}${']'.repeat(150)}}`);
			break;
		case 'no JSON':
			spoil(415, 'guests', 'text/plain');
			break;
		case 'multipart':
			spoil(415, '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x');
			break;
		case 'form':
			headers['content-type'] = 'application/x-www-form-urlencoded';
			[body, expected] = ['guests=4&number=1', { guests: '4', number: '1' }];
			break;
		default:
	}
	if (given.rightAuthToken) headers.authorization = `Bearer ${authToken}`;
	if (given.stranger === 'wrong auth token') headers.authorization = 'Bearer wrong';
	if (given.stranger !== null && status !== 422) [status, expected] = [401, undefined];
	const query =
		queries[given.stranger ?? '']?.(place) ?? `?agent=${agent}&intent=${intent}&token=${token}`;
	return { query, body, headers, status, expected, guests: given.guests };
}

/** What the parameter that the intent declares as an integer must be, where it is given by name. */
const typedGuests = (guests: unknown) => (guests === '4' ? 4 : guests === '' ? null : guests);

const tests = Array.from({ length: Math.ceil(count / perTest) }, (_, index) => ({
	seed: seed + index,
	requests: perTest,
}));

test.each(tests)(
	'$requests requests with seed $seed: each is answered as it should be, and the right ones start',
	async ({ seed, requests }) => {
		const [{ agent_uuid: agent }] = await sandbox.state('agents');
		const created = await sandbox.api.post(`/agents/${agent}/intents`, {
			name: 'Book a table',
			parameters: [{ key: 'guests', type: 'integer', default: '', required: true }],
		});
		const intent = created.data.data.intent_uuid;
		const trigger = await engine.trigger('acpIntentTrigger', { agent, intent });
		await trigger.activate();
		const { data } = await sandbox.api.get(`/agents/${agent}`);
		const { url, auth_token: authToken } = data.data.intents[0].webhook;
		const place = { agent, intent, token: new URL(url).searchParams.get('token')!, authToken };
		const client = axios.create({
			httpAgent: new http.Agent({ keepAlive: true, maxSockets: 8 }),
			proxy: false,
			validateStatus: () => true,
			transformRequest: (sent) => sent as never,
		});
		const statuses = new Set<number>();
		let sent = 0;
		let answered = 0;

		const property = fc.asyncProperty(
			// Always so many; in what failed, all that are not needed for it become null.
			fc.array(fc.option(parts, { freq: 1e9 }), { minLength: perBatch, maxLength: perBatch }),
			async (batch) => {
				const shots = batch.flatMap((one) => (one ? [shotOf(one, place)] : []));
				const before = (await trigger.calls()).length;
				const answers = await Promise.all(
					shots.map(
						async ({ query, body, headers }) =>
							await client.post(trigger.url + query, body, { headers: headers as never }),
					),
				);
				expect(answers.map(({ status }) => status)).toEqual(shots.map(({ status }) => status));
				for (const [index, { expected, guests }] of shots.entries()) {
					const { status, data: answer } = answers[index]!;
					statuses.add(status);
					sent++;
					if (expected === undefined) continue;
					answered++;
					// The workflow has nothing but the trigger's item, so that is its answer.
					expect(answer).toMatchObject({ intent, agent });
					expect(answer.body).toEqual(JSON.parse(JSON.stringify(expected)));
					if (guests !== null && expected !== undefined && 'parameters' in (expected as object))
						expect(answer.parameters).toEqual({ guests: typedGuests(guests) });
				}
				const executions = await trigger.executions(before);
				expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
				expect(executions).toHaveLength(
					shots.filter(({ expected }) => expected !== undefined).length,
				);
			},
		);
		await fc.assert(property, {
			seed,
			numRuns: Math.ceil(requests / perBatch),
			...(process.env.FUZZ_PATH ? { path: process.env.FUZZ_PATH } : {}),
		});
		if (process.env.FUZZ_PATH) return;
		// Every kind was there.
		expect(sent).toBe(requests);
		expect(answered).toBeGreaterThan(requests / 2);
		expect([...statuses].sort()).toEqual([200, 400, 401, 415, 422]);
	},
	300_000,
);
