/**
 * Deliveries of every kind: 401 for strangers, 4xx and nothing for what is no event, one item with the whole data for
 * an event.
 */
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { fuzz, objectsOf, runsOf, sometimes, word, type Shot } from './harness/fuzz.cts';
import { usePlatform } from './harness/index.cts';
import { tokenOf, triggersOn } from './harness/triggers.cts';

const platform = usePlatform({ engine: { credentials: {} } });
const { sandbox } = platform;
const { agents, eventTrigger, listed } = triggersOn(platform);

const secret = 'the-secret-of-the-credential-itself';
const known = ['conversation_end_report', 'conversation_status'];

const alphabet = [
	...['a', 'Z', '0', ' ', '"', '\\', '\n', '\u0000', 'ğ', '键', '😀', '\ud800', '\u202e'],
	...['<', '{', "'", '$', '='],
];
const keyLetters = alphabet.filter((letter) => JSON.stringify(letter) === `"${letter}"`);
const keys = ['number', 'channel', 'error', 'json', 'length', 'toString', 'hasOwnProperty'];
const numbers = [0, -1, 1e21, 0.1, 1e-7, Number.MAX_SAFE_INTEGER, 42];
const data = fc.oneof(
	{
		weight: 400,
		arbitrary: objectsOf(
			fc.oneof(
				{ weight: 3, arbitrary: word(keyLetters, 6, 1) },
				fc.constantFrom(...keys, 'agent_uuid'),
			),
			fc.oneof(
				fc.constantFrom<unknown>(...numbers),
				word(alphabet, 12),
				fc.constantFrom('2026-01-02T03:04:05+03:00', ''),
			),
			4,
		),
	},
	{
		weight: 1,
		arbitrary: fc
			.constant(10_000)
			.map((size) =>
				Object.fromEntries(Array.from({ length: size }, (_, at) => [`key ${at}`, at])),
			),
	},
);

const signatures = fc.record({
	right: fc.oneof({ weight: 7, arbitrary: fc.constant(true) }, fc.constant(false)),
	encoding: fc.constantFrom<'hex' | 'base64'>('hex', 'base64'),
	header: fc.constantFrom('x-signature', 'x-hub-signature-256', 'signature'),
	form: fc.constantFrom('bare', 'named', 'stripe'),
});

/** What a delivery is made of; whatever is smaller or comes first is the plainer delivery. */
const parts = fc.record({
	contentType: fc.constantFrom(
		...['application/json', 'application/json; charset=utf-8', 'Application/JSON'],
	),
	/** Who knocks without the right address, and how. */
	stranger: sometimes(
		fc.constantFrom(
			...(['no query', 'no token', 'no agent', 'two tokens', 'wrong token'] as const),
			...(['short token', 'agent as list', 'wrong agent'] as const),
		),
		1,
		3,
	),
	strange: word(alphabet, 43),
	event: fc.oneof(
		{ weight: 9, arbitrary: fc.constantFrom(...known) },
		fc.nat(99).map((number) => `new_event_${number}`),
	),
	data,
	flat: sometimes(fc.constant(true), 1, 5),
	spoiled: fc.oneof(
		{ weight: 11, arbitrary: fc.constant(undefined) },
		{
			weight: 12,
			arbitrary: fc.constantFrom(
				...(['cut', 'empty', 'no object', 'bad event', 'no event', 'deep', 'other type'] as const),
				...(['other type and no JSON', 'form', 'multipart', 'other channel'] as const),
				'event not chosen' as const,
			),
		},
		// 4 MB each: a few are enough.
		sometimes(fc.constant('too large' as const), 1, 3),
	),
	cut: fc.nat(),
	levels: fc.integer({ min: 60, max: 2060 }),
	nameHeader: fc.option(fc.constantFrom('x-event', 'x-event-type', 'webhook-event')),
	noObject: fc.constantFrom('[]', 'null', '5', '"event"', 'true', 'list'),
	badEvent: fc.constantFrom<unknown>(null, 5, {}, [], '', '   ', true, 'x'.repeat(201)),
	otherType: fc.constantFrom(
		...['text/plain', 'application/octet-stream', 'image/png', '', 'application/x-unheard-of'],
	),
	noJson: word(alphabet, 5),
	channel: fc.constantFrom({ session_type: 'text' }, { channel: 'Sms' }),
	channelWithNumber: fc.boolean(),
	signature: fc.option(signatures, { freq: 3 }),
	twoDeliveryIds: sometimes(fc.constant(true), 1, 4),
	longRequestId: sometimes(fc.constant(true), 1, 8),
});
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

/** What must come out. */
interface Item {
	event: string;
	knownEvent: boolean;
	data: unknown;
	signatureVerified: boolean;
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

/** A spoiled delivery: its status, its text, its content type. */
type Spoiled = [status: number, text: string, type?: string];
const spoilers: Partial<
	Record<NonNullable<Parts['spoiled']>, (given: Parts, text: string) => Spoiled>
> = {
	cut: ({ cut }, text) => [422, text.slice(0, 1 + (cut % (text.length - 2)))],
	empty: () => [400, ''],
	'no object': ({ noObject }, text) => [400, noObject === 'list' ? `[${text}]` : noObject],
	deep: ({ event, levels }) => [
		400,
		`{"event":"${event}","data":${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}}`,
	],
	'other type and no JSON': ({ noJson, otherType }) => [415, `${noJson}{`, otherType],
	form: () => [415, 'event=conversation_end_report&data=1', 'application/x-www-form-urlencoded'],
	multipart: () => [415, '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
	'too large': ({ event }) => [413, JSON.stringify({ event, data: 'x'.repeat(4_300_000) })],
	'other channel': ({ event, channel, channelWithNumber }) => [
		200,
		JSON.stringify({ event, data: { ...channel, ...(channelWithNumber && { number: '+1' }) } }),
	],
	'event not chosen': (given) => [
		200,
		JSON.stringify({ event: 'voice_evaluation', data: given.data }),
	],
};

/** Whether data says a channel: what that is called decides; only texts and numbers call it anything. */
function saysChannel(fields: unknown): boolean {
	const { channel } = fields as { channel?: unknown };
	const named: unknown = Array.isArray(channel) ? channel[0] : channel;
	return typeof named === 'number' || (typeof named === 'string' && named.trim() !== '');
}

/** What is sent, and what must come out of it. */
function eventOf({ event, data: fields, flat, spoiled, ...given }: Parts, agent: string) {
	const item = (inside: unknown, name = event): Item => ({
		event: name,
		knownEvent: known.includes(name),
		data: inside,
		signatureVerified: false,
	});
	if (spoiled === 'no event' || spoiled === 'bad event') {
		// The name stands in a header, or nowhere; two events are subscribed, so nobody can tell which it is.
		const beside = spoiled === 'bad event' ? { event: given.badEvent } : {};
		const name = given.nameHeader === null ? 'unknown' : event;
		return { sent: { ...beside, data: fields }, item: item({ ...beside, ...fields }, name) };
	}
	if (!flat) {
		const beside = { agent_uuid: agent, timestamp: 'x' };
		return { sent: { event, ...beside, data: fields }, item: item({ ...beside, ...fields }) };
	}
	const beside = { number: 1, ...fields, data: undefined, event: undefined };
	return { sent: { ...beside, event }, item: item(beside) };
}

/** The delivery that is made of these parts, and what it must bring about. */
function shotOf(given: Parts, agent: string, token: string): Shot & { item?: Item } {
	const { contentType, nameHeader, otherType, signature, spoiled, stranger } = given;
	const { sent, item } = eventOf(given, agent);
	const whole = JSON.stringify(sent);
	const spoil = spoilers[spoiled ?? 'other type'];
	const [status, text, type = contentType] = spoil?.(given, whole) ?? [200, whole];
	const headers: Shot['headers'] = {
		'content-type': spoiled === 'other type' ? otherType : type,
		...(given.twoDeliveryIds && { 'x-delivery-id': ['a', 'b'] }),
		...(given.longRequestId && { 'x-request-id': 'x'.repeat(5000) }),
	};
	if (nameHeader && (spoiled === 'no event' || spoiled === 'bad event'))
		headers[nameHeader] = given.event;
	const body = Buffer.from(text);
	if (signature) {
		const { encoding, form, header, right } = signature;
		const digest = createHmac('sha256', secret).update(body).digest(encoding);
		const written = { bare: digest, named: `sha256=${digest}`, stripe: `t=1,v1=${digest}` }[form]!;
		headers[header] = right ? written : written.slice(12);
		item.signatureVerified = right;
	}
	const isStrange = stranger !== undefined && status !== 422;
	const starts = !isStrange && !spoil && !saysChannel(item.data);
	return {
		query: stranger
			? queries[stranger](agent, token, given.strange)
			: `?agent=${agent}&token=${token}`,
		body,
		headers,
		status: isStrange ? 401 : status,
		...(starts ? { item } : {}),
	};
}

/** Executions begin in any order; each is found again by what it holds. */
const keyOf = ({ event, knownEvent, data: fields, signatureVerified }: Item) =>
	JSON.stringify({ event, knownEvent, data: fields, signatureVerified });

test.each(runsOf(20261, 500))(
	'$requests deliveries with seed $seed: each is answered as it should be, and the right ones start',
	async (run) => {
		const [agent] = (await agents()) as [string];
		const acpApi = sandbox.credential({ webhookSecret: secret });
		const parameters = { events: known, options: { channels: ['call'] } };
		const trigger = await eventTrigger([agent], parameters, { credentials: { acpApi } });
		await trigger.activate();
		const token = tokenOf((await listed(agent))[0]!.url);
		const statuses = [200, 400, 401, 413, 415, 422];
		const names = [
			'event',
			'knownEvent',
			'isEvaluation',
			'agent',
			'data',
			'deliveryId',
			'deliveryHeaderId',
		];
		await fuzz(
			{ ...run, statuses, least: 0.2 },
			parts,
			trigger,
			(given) => shotOf(given, agent, token),
			(shots, executions) => {
				const items = executions.flatMap((execution) => execution.json('Trigger')) as any[];
				const expected = shots.flatMap(({ item }) =>
					item ? [keyOf(JSON.parse(JSON.stringify(item)))] : [],
				);
				expect(items.map(keyOf).sort()).toEqual(expected.sort());
				for (const item of items) {
					expect(Object.keys(item)).toEqual([
						...names,
						'receivedAt',
						'signatureVerified',
						'caughtUp',
					]);
					expect(item).toMatchObject({ agent, deliveryId: expect.stringMatching(/./) });
				}
				return items.length;
			},
		);
	},
	900_000,
);
