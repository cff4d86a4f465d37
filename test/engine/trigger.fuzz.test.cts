/**
 * Deliveries of every kind, good and bad, that fast-check makes from a seed. What each of them must bring about is
 * decided here from its parts, not from the node: 401 for strangers, 4xx and nothing for what is no event, one item
 * with the whole data for an event. What fails is shrunk to the smallest delivery that still does.
 *
 *   FUZZ_COUNT=10000                  more deliveries, in tests of a thousand each
 *   FUZZ_SEED=1 FUZZ_PATH=12:0:3      the seed and the path that a failure names: that delivery again
 */
import axios from 'axios';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import http from 'node:http';
import { usePlatform } from './harness/index.cts';

const seed = Number(process.env.FUZZ_SEED ?? 20261);
const count = Number(process.env.FUZZ_COUNT ?? 1000);
const perTest = 1000;
/** Deliveries that are under way at once. */
const perBatch = 25;
const secret = 'the-secret-of-the-credential-itself';

const { sandbox, engine } = usePlatform({ engine: { credentials: {} } });

const alphabet = [
	'a',
	'Z',
	'0',
	' ',
	'"',
	'\\',
	'\n',
	'\u0000',
	'ğ',
	'键',
	'😀',
	'\ud800',
	'\u202e',
	'<',
	'{',
	"'",
	'$',
	'=',
];
// In keys nothing that JSON escapes: Node 24's JSON.parse mixes up such keys of similar
// objects, before and after the node
// (`JSON.parse('[{"n":1,"\\u0000":1},{"n":1,"\\\\":1}]')` has the last key twice).
const keyLetters = alphabet.filter((letter) => JSON.stringify(letter) === `"${letter}"`);

const word = (length: number, letters = alphabet, minLength = 0) =>
	fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength: length });
/** True once in so many times. */
const rarely = (times: number) => fc.nat(times - 1).map((number) => number === times - 1);

const key = fc.oneof(
	{ weight: 3, arbitrary: word(6, keyLetters, 1) },
	fc.constantFrom(
		'number',
		'channel',
		'error',
		'json',
		'length',
		'toString',
		'hasOwnProperty',
		'agent_uuid',
	),
);
const { object } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 5, depthSize: 'medium' },
		fc.oneof(
			fc.constant(null),
			fc.boolean(),
			fc.constantFrom(0, -1, 1e21, 0.1, 1e-7, Number.MAX_SAFE_INTEGER, 42),
			word(12),
			fc.constantFrom('2026-01-02T03:04:05+03:00', ''),
		),
		fc.array(tie('value'), { maxLength: 3 }),
		tie('object'),
		tie('object'),
	),
	object: fc.oneof(
		{
			weight: 400,
			arbitrary: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
		},
		{
			weight: 1,
			arbitrary: fc
				.constant(10_000)
				.map((size) =>
					Object.fromEntries(Array.from({ length: size }, (_, index) => [`key ${index}`, index])),
				),
		},
	),
}));

const known = ['conversation_end_report', 'conversation_status'];

/** What a delivery is made of; whatever is smaller or comes first is the plainer delivery. */
const parts = fc.record({
	contentType: fc.constantFrom(
		'application/json',
		'application/json; charset=utf-8',
		'Application/JSON',
	),
	/** Who knocks without the right address, and how. */
	stranger: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(undefined) },
		fc.constantFrom(
			'no query',
			'no token',
			'no agent',
			'two tokens',
			'wrong token',
			'short token',
			'agent as list',
			'wrong agent',
		),
	),
	strange: word(43),
	event: fc.oneof(
		{ weight: 9, arbitrary: fc.constantFrom(...known) },
		fc.nat(99).map((number) => `new_event_${number}`),
	),
	data: object,
	flat: rarely(6),
	spoiled: fc.oneof(
		{ weight: 11, arbitrary: fc.constant(undefined) },
		{
			weight: 12,
			arbitrary: fc.constantFrom(
				'cut',
				'empty',
				'no object',
				'bad event',
				'no event',
				'deep',
				'other type',
				'other type and no JSON',
				'form',
				'multipart',
				'other channel',
				'event not chosen',
			),
		},
		// 4 MB each: a few are enough.
		rarely(4).map((large) => (large ? 'too large' : undefined)),
	),
	cut: fc.nat(),
	levels: fc.integer({ min: 60, max: 2060 }),
	nameHeader: fc.option(fc.constantFrom('x-event', 'x-event-type', 'webhook-event'), {
		nil: undefined,
	}),
	noObject: fc.constantFrom('[]', 'null', '5', '"event"', 'true', 'list'),
	badEvent: fc.constantFrom<unknown>(null, 5, {}, [], '', '   ', true, 'x'.repeat(201)),
	otherType: fc.constantFrom(
		'text/plain',
		'application/octet-stream',
		'image/png',
		'',
		'application/x-unheard-of',
	),
	noJson: word(5),
	channelAsSession: fc.boolean(),
	channelWithNumber: fc.boolean(),
	signature: fc.option(
		fc.record({
			right: fc.oneof({ weight: 7, arbitrary: fc.constant(true) }, fc.constant(false)),
			encoding: fc.constantFrom<'hex' | 'base64'>('hex', 'base64'),
			header: fc.constantFrom('x-signature', 'x-hub-signature-256', 'signature'),
			form: fc.constantFrom('bare', 'named', 'stripe'),
		}),
		{ freq: 3 },
	),
	twoDeliveryIds: rarely(5),
	longRequestId: rarely(9),
});
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

interface Shot {
	query: string;
	body: Buffer;
	headers: Record<string, string | string[]>;
	/** Status that the sender must get. */
	status: number;
	/** What must come out. */
	item?: { event: string; knownEvent: boolean; data: unknown; signatureVerified: boolean };
}

/** Half a surrogate pair cannot stand in a URL. */
const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString());

const queries: Record<
	NonNullable<Parts['stranger']>,
	(agent: string, token: string, strange: string) => string
> = {
	'no query': () => '',
	'no token': (agent) => `?agent=${agent}`,
	'no agent': (_, token) => `?token=${token}`,
	'two tokens': (agent, token) => `?agent=${agent}&token=${token}&token=x`,
	'wrong token': (agent, _, strange) => `?agent=${agent}&token=${encoded(strange)}`,
	'short token': (agent, token) => `?agent=${agent}&token=${token.slice(0, -1)}`,
	'agent as list': (agent, token) => `?agent[]=${agent}&token=${token}`,
	'wrong agent': (_, token, strange) => `?agent=${encoded(strange.slice(0, 5))}&token=${token}`,
};

const levels = (depth: number) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;

/** The delivery that is made of these parts, and what it must bring about. */
function shotOf(given: Parts, agent: string, token: string): Shot {
	const { event, data, flat } = given;
	const headers: Shot['headers'] = { 'content-type': given.contentType };
	let text = JSON.stringify(
		flat
			? { number: 1, ...data, data: undefined, event }
			: { event, agent_uuid: agent, data, timestamp: 'x' },
	);
	let status = 200;
	let item: Shot['item'] = {
		event,
		knownEvent: known.includes(event),
		data: flat ? JSON.parse(text) : { agent_uuid: agent, timestamp: 'x', ...data },
		signatureVerified: false,
	};
	if (flat) delete (item.data as any).event;
	/** The name stands in a header, or nowhere; two events are subscribed, so nobody can tell which it is. */
	const rename = (unnamed: object) => {
		text = JSON.stringify(unnamed);
		const { nameHeader } = given;
		if (nameHeader !== undefined) headers[nameHeader] = event;
		item = {
			event: nameHeader === undefined ? 'unknown' : event,
			knownEvent: nameHeader !== undefined && known.includes(event),
			data: 'event' in unnamed ? { event: unnamed.event, ...data } : data,
			signatureVerified: false,
		};
	};

	const spoil = (newStatus: number, newText: string) => {
		status = newStatus;
		item = undefined;
		text = newText;
	};
	switch (given.spoiled) {
		case 'cut':
			spoil(422, text.slice(0, 1 + (given.cut % (text.length - 2))));
			break;
		case 'empty':
			spoil(400, '');
			break;
		case 'no object':
			spoil(400, given.noObject === 'list' ? `[${text}]` : given.noObject);
			break;
		case 'bad event':
			rename({ event: given.badEvent, data });
			break;
		case 'no event':
			rename({ data });
			break;
		case 'deep':
			spoil(400, `{"event":"${event}","data":${levels(given.levels)}}`);
			break;
		case 'other type':
			headers['content-type'] = given.otherType;
			break;
		case 'other type and no JSON':
			headers['content-type'] = given.otherType;
			spoil(415, `${given.noJson}{`);
			break;
		case 'form':
			headers['content-type'] = 'application/x-www-form-urlencoded';
			spoil(415, 'event=conversation_end_report&data=1');
			break;
		case 'multipart':
			headers['content-type'] = 'multipart/form-data; boundary=x';
			spoil(415, '--x\r\n\r\n--x--');
			break;
		case 'too large':
			spoil(413, JSON.stringify({ event, data: 'x'.repeat(4_300_000) }));
			break;
		case 'other channel':
			text = JSON.stringify({
				event,
				data: {
					...(given.channelAsSession ? { session_type: 'text' } : { channel: 'Sms' }),
					...(given.channelWithNumber ? { number: '+1' } : {}),
				},
			});
			item = undefined;
			break;
		case 'event not chosen':
			text = JSON.stringify({ event: 'voice_evaluation', data });
			item = undefined;
			break;
		default:
	}
	if (item && typeof item.data === 'object' && item.data !== null && 'channel' in item.data) {
		// What a channel is called decides; only texts and numbers call it anything.
		const { channel } = item.data as { channel: unknown };
		const named = Array.isArray(channel) ? channel[0] : channel;
		if (typeof named === 'number' || (typeof named === 'string' && named.trim() !== ''))
			item = undefined;
	}
	const body = Buffer.from(text);
	if (given.signature) {
		const { encoding, form, header, right } = given.signature;
		const digest = createHmac('sha256', secret).update(body).digest(encoding);
		const whole = { bare: digest, named: `sha256=${digest}`, stripe: `t=1,v1=${digest}` }[form]!;
		headers[header] = right ? whole : whole.slice(12);
		if (item) item.signatureVerified = right;
	}
	if (given.twoDeliveryIds) headers['x-delivery-id'] = ['a', 'b'];
	if (given.longRequestId) headers['x-request-id'] = 'x'.repeat(5000);
	const { stranger } = given;
	if (stranger !== undefined && status !== 422) {
		status = 401;
		item = undefined;
	}
	const query = stranger
		? queries[stranger](agent, token, given.strange)
		: `?agent=${agent}&token=${token}`;
	return { query, body, headers, status, ...(item ? { item } : {}) };
}

/** Executions begin in any order; each is found again by what it holds. */
const keyOf = ({ event, knownEvent, data, signatureVerified }: NonNullable<Shot['item']>) =>
	JSON.stringify({ event, knownEvent, data, signatureVerified });

const tests = Array.from({ length: Math.ceil(count / perTest) }, (_, index) => ({
	seed: seed + index,
	deliveries: perTest,
}));

test.each(tests)(
	'$deliveries deliveries with seed $seed: each is answered as it should be, and the right ones start',
	async ({ seed, deliveries }) => {
		const [{ agent_uuid: agent }] = await sandbox.state('agents');
		const trigger = await engine.trigger(
			'acpTrigger',
			{ agents: [agent], events: known, options: { channels: ['call'] } },
			{ credentials: { acpApi: sandbox.credential({ webhookSecret: secret }) } },
		);
		await trigger.activate();
		const { data: answer } = await sandbox.api.get(`/agents/${agent}/webhooks`);
		const token = new URL(answer.data.items[0].url).searchParams.get('token')!;
		const client = axios.create({
			httpAgent: new http.Agent({ keepAlive: true, maxSockets: 8 }),
			proxy: false,
			validateStatus: () => true,
			transformRequest: (data) => data as never,
			maxBodyLength: Infinity,
		});
		const statuses = new Set<number>();
		let events = 0;
		let sent = 0;

		const property = fc.asyncProperty(
			// Always so many; in what failed, all that are not needed for it become null.
			fc.array(fc.option(parts, { freq: 1e9 }), { minLength: perBatch, maxLength: perBatch }),
			async (batch) => {
				const shots = batch.flatMap((one) => (one ? [shotOf(one, agent, token)] : []));
				const before = (await trigger.calls()).length;
				const answers = await Promise.all(
					shots.map(
						async ({ query, body, headers }) =>
							(await client.post(trigger.url + query, body, { headers: headers as never })).status,
					),
				);
				expect(answers).toEqual(shots.map(({ status }) => status));
				for (const status of answers) statuses.add(status);
				sent += answers.length;

				const executions = await trigger.executions(before);
				expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
				const items = executions.flatMap((execution) => execution.json('Trigger'));
				const expected = shots.flatMap(({ item }) =>
					item ? [keyOf(JSON.parse(JSON.stringify(item)))] : [],
				);
				expect(items.map(keyOf).sort()).toEqual(expected.sort());
				for (const item of items) {
					expect(Object.keys(item)).toEqual([
						'event',
						'knownEvent',
						'agent',
						'data',
						'deliveryId',
						'deliveryHeaderId',
						'receivedAt',
						'signatureVerified',
					]);
					expect(item).toMatchObject({ agent, deliveryId: expect.stringMatching(/./) });
				}
				events += items.length;
			},
		);
		await fc.assert(property, {
			seed,
			numRuns: Math.ceil(deliveries / perBatch),
			...(process.env.FUZZ_PATH ? { path: process.env.FUZZ_PATH } : {}),
		});
		if (process.env.FUZZ_PATH) return;
		// Every kind was there.
		expect(sent).toBe(deliveries);
		expect(events).toBeGreaterThan(deliveries / 5);
		expect([...statuses].sort()).toEqual([200, 400, 401, 413, 415, 422]);
	},
	300_000,
);
