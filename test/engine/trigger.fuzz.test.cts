/**
 * Deliveries of every kind, good and bad, that fast-check makes from a seed: 401 for strangers, 4xx and nothing for what is no
 * event, one item with the whole data for an event. What fails is shrunk to the smallest delivery that still does.
 *
 *   FUZZ_COUNT=10000                  more deliveries
 *   FUZZ_SEED=1 FUZZ_PATH=12:0:3      the seed and the path that a failure names: that delivery again
 */
import axios from 'axios';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import http from 'node:http';
import { usePlatform } from './harness/index.cts';
import { tokenOf, triggersOn } from './harness/triggers.cts';

const platform = usePlatform({ engine: { credentials: {} } });
const { sandbox } = platform;
const { agents, eventTrigger, listed } = triggersOn(platform);

const secret = 'the-secret-of-the-credential-itself';
const known = ['conversation_end_report', 'conversation_status'];

const alphabet = [...'aZ0 "\\\n\u0000ğ键😀\u202e<{\'$=', '\ud800'];
const word = (letters: string[], maxLength: number, minLength = 0) =>
	fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
/** A value of a list as often as it says; else undefined. */
const sometimes = <T,>(often: number, never: number, ...values: T[]) =>
	fc.oneof(
		{ weight: never, arbitrary: fc.constant(undefined) },
		{ weight: often, arbitrary: fc.constantFrom(...values) },
	);

/**
 * In keys nothing that JSON escapes: Node 24's JSON.parse mixes up such keys of similar objects, before and after the node
 * (`JSON.parse('[{"n":1,"\\u0000":1},{"n":1,"\\\\":1}]')` has the last key twice).
 */
const key = fc.oneof(
	word(
		alphabet.filter((letter) => JSON.stringify(letter) === `"${letter}"`),
		6,
		1,
	),
	fc.constantFrom('number', 'channel', 'error', 'json', 'length', 'toString', 'agent_uuid'),
);
const { data } = fc.letrec<{ value: unknown; data: Record<string, unknown> }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 5, depthSize: 'medium' },
		fc.constantFrom<unknown>(null, true, 0, -1, 1e21, 0.1, 1e-7, '', '2026-01-02T03:04:05+03:00'),
		word(alphabet, 12),
		fc.array(tie('value'), { maxLength: 3 }),
		tie('data'),
	),
	data: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

/** Who knocks without the right URL, by how. */
const queries = {
	'no query': () => '',
	'no token': (agent: string) => `?agent=${agent}`,
	'no agent': (_: string, token: string) => `?token=${token}`,
	'two tokens': (agent: string, token: string) => `?agent=${agent}&token=${token}&token=x`,
	'short token': (agent: string, token: string) => `?agent=${agent}&token=${token.slice(0, -1)}`,
	'agent as list': (agent: string, token: string) => `?agent[]=${agent}&token=${token}`,
	'wrong agent': (_: string, token: string) => `?agent=%F0%9F%98%80&token=${token}`,
};
/** Deliveries that start nothing: their status, their text, their content type. */
const spoilers: Record<string, (text: string, at: number) => [number, string, string?]> = {
	cut: (text, at) => [422, text.slice(0, 1 + (at % (text.length - 2))), 'application/json'],
	empty: () => [400, ''],
	list: (text) => [400, `[${text}]`],
	'no object': () => [400, 'null'],
	deep: (text, at) => [400, `{"a":${'['.repeat(100 + at)}${text}${']'.repeat(100 + at)}}`],
	'no JSON': (text) => [415, `${text}{`, 'application/octet-stream'],
	form: () => [415, 'event=x&data=1', 'application/x-www-form-urlencoded'],
	multipart: () => [415, '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
	'other channel': () => [200, JSON.stringify({ event: known[0], data: { channel: 'Sms' } })],
	'not chosen': (text) => [200, JSON.stringify({ ...JSON.parse(text), event: 'voice_evaluation' })],
};

/** What a delivery is made of; whatever comes first is the plainer delivery. */
const parts = fc.record({
	data,
	event: fc.constantFrom(...known, 'new_event'),
	flat: sometimes(1, 4, true),
	stranger: sometimes(1, 3, ...Object.keys(queries)) as fc.Arbitrary<keyof typeof queries>,
	// 4 MB each: a few are enough.
	spoiled: fc.oneof(
		{ weight: 30, arbitrary: sometimes(1, 2, ...Object.keys(spoilers)) },
		{ weight: 1, arbitrary: fc.constant('too large') },
	),
	at: fc.nat(2000),
	contentType: fc.constantFrom(
		'application/json',
		'Application/JSON; charset=utf-8',
		'image/png',
		'',
	),
	signed: sometimes(3, 1, 'right', 'wrong'),
	encoding: fc.constantFrom('hex', 'base64'),
	form: fc.constantFrom('', 'sha256=', 't=1,v1='),
});
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

/** The delivery that is made of these parts, its status, and the item that must come of it. */
function shotOf(given: Parts, agent: string, token: string) {
	const { data: fields, event, flat, signed, spoiled = '', stranger } = given;
	const inside: Record<string, unknown> = {
		...fields,
		...(flat && { data: undefined, event: undefined }),
	};
	const beside = flat ? inside : { agent_uuid: agent, timestamp: 'x', data: inside };
	const whole = JSON.stringify({ ...beside, event });
	const tooLarge = [413, JSON.stringify({ event, data: 'x'.repeat(4_300_000) })] as const;
	const [status, body, type = given.contentType] =
		spoiled === 'too large' ? tooLarge : (spoilers[spoiled]?.(whole, given.at) ?? [200, whole]);
	const digest = createHmac('sha256', secret)
		.update(body)
		.digest(given.encoding as 'hex');
	const signature = given.form + (signed === 'right' ? digest : digest.slice(12));
	const isStrange = stranger !== undefined && status !== 422;
	// What a channel is called decides; only texts and numbers call it anything.
	const channel: unknown = [(flat ? inside : fields).channel].flat()[0];
	const hasOther = typeof channel === 'number' || (typeof channel === 'string' && channel.trim());
	const item = {
		event,
		knownEvent: event !== 'new_event',
		data: flat ? inside : { agent_uuid: agent, timestamp: 'x', ...inside },
		signatureVerified: signed === 'right',
	};
	return {
		query: stranger ? queries[stranger](agent, token) : `?agent=${agent}&token=${token}`,
		body,
		headers: { 'content-type': type, ...(signed && { 'x-signature': signature }) },
		status: isStrange ? 401 : status,
		item: isStrange || spoiled || hasOther ? [] : [item],
	};
}

const { FUZZ_COUNT = 500, FUZZ_SEED = 20261, FUZZ_PATH: path } = process.env;

test('each delivery is answered as it should be, and the right ones start', async () => {
	const [agent] = (await agents()) as [string];
	const acpApi = sandbox.credential({ webhookSecret: secret });
	const parameters = { events: known, options: { channels: ['call'] } };
	const trigger = await eventTrigger([agent], parameters, { credentials: { acpApi } });
	await trigger.activate();
	const token = tokenOf((await listed(agent))[0]!.url);
	const client = axios.create({
		httpAgent: new http.Agent({ keepAlive: true, maxSockets: 8 }),
		proxy: false,
		validateStatus: () => true,
		transformRequest: (body) => body as never,
		maxBodyLength: Infinity,
	});
	const seen = new Set<number>();
	const counted = { sent: 0, started: 0 };
	// So many are under way at once; in what failed, all that are not needed for it become null.
	const batch = fc.array(fc.option(parts, { freq: 1e9 }), { minLength: 25, maxLength: 25 });
	const property = fc.asyncProperty(batch, async (all) => {
		const shots = all.flatMap((one) => (one === null ? [] : [shotOf(one, agent, token)]));
		const before = (await trigger.calls()).length;
		const answers = await Promise.all(
			shots.map(
				async ({ query, body, headers }) =>
					await client.post(trigger.url + query, Buffer.from(body), { headers }),
			),
		);
		expect(answers.map(({ status }) => status)).toEqual(shots.map(({ status }) => status));
		for (const { status } of answers) seen.add(status);
		const executions = await trigger.executions(before);
		expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
		const items = executions.flatMap((execution) => execution.json('Trigger'));
		for (const item of items) expect(item).toMatchObject({ agent, deliveryId: expect.any(String) });
		// Executions begin in any order; each is found again by what it holds.
		const keysOf = (list: any[]) =>
			list
				.map((one) => [one.event, one.knownEvent, one.data, one.signatureVerified])
				.map((one) => JSON.stringify(one))
				.sort();
		expect(keysOf(items)).toEqual(keysOf(shots.flatMap(({ item }) => item)));
		counted.sent += shots.length;
		counted.started += items.length;
	});
	const numRuns = Math.ceil(Number(FUZZ_COUNT) / 25);
	await fc.assert(property, { seed: Number(FUZZ_SEED), numRuns, ...(path && { path }) });
	if (path) return;
	// Every kind was there.
	expect(counted.started).toBeGreaterThan(counted.sent * 0.2);
	expect([...seen].sort()).toEqual([200, 400, 401, 413, 415, 422]);
}, 900_000);
