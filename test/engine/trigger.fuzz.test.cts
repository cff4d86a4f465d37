/**
 * Ten thousand and more deliveries of every kind, good and bad, from a seed. What each of them must bring about is
 * decided here from its parts, not from the node: 401 for strangers, 4xx and nothing for what is no event, one item
 * with the whole data for an event.
 */
import axios from 'axios';
import { createHmac } from 'node:crypto';
import http from 'node:http';
import { usePlatform } from './harness/index.cts';

const seed = Number(process.env.FUZZ_SEED ?? 20261);
const count = Number(process.env.FUZZ_COUNT ?? 10_000);
const secret = 'the-secret-of-the-credential-itself';

const platform = usePlatform({ engine: { credentials: {} } });

/** mulberry32 */
function random(state: number): () => number {
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let value = Math.imul(state ^ (state >>> 15), 1 | state);
		value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
		return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
	};
}

const next = random(seed);
const below = (limit: number) => Math.floor(next() * limit);
const one = <T,>(list: readonly T[]): T => list[below(list.length)]!;
/** True once in so many times. */
const rarely = (times: number) => below(times) === 0;

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
const word = (length: number, letters = alphabet) =>
	Array.from({ length }, () => one(letters)).join('');
// In keys nothing that JSON escapes: Node 24's JSON.parse mixes up such keys of similar
// objects, before and after the node
// (`JSON.parse('[{"n":1,"\\u0000":1},{"n":1,"\\\\":1}]')` has the last key twice).
const keyLetters = alphabet.filter((letter) => JSON.stringify(letter) === `"${letter}"`);

/** Half a surrogate pair cannot stand in a URL. */
const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString());

function value(depth: number): unknown {
	switch (below(depth > 4 ? 6 : 9)) {
		case 0:
			return null;
		case 1:
			return next() < 0.5;
		case 2:
			return one([0, -1, 1e21, 0.1, 1e-7, Number.MAX_SAFE_INTEGER, 42]);
		case 3:
			return word(below(12));
		case 4:
			return '2026-01-02T03:04:05+03:00';
		case 5:
			return '';
		case 6:
			return Array.from({ length: below(4) }, () => value(depth + 1));
		default:
			return object(depth + 1);
	}
}

const object = (depth: number): Record<string, unknown> => {
	const size = rarely(400) ? 10_000 : below(5);
	const entries = Array.from({ length: size }, (_, index): [string, unknown] => [
		size > 100
			? `key ${index}`
			: rarely(4)
				? one([
						'number',
						'channel',
						'error',
						'json',
						'length',
						'toString',
						'hasOwnProperty',
						'agent_uuid',
					])
				: word(1 + below(6), keyLetters),
		size > 100 ? index : value(depth),
	]);
	return Object.fromEntries(entries);
};

const levels = (depth: number) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;

interface Shot {
	query: string;
	body: Buffer;
	headers: Record<string, string | string[]>;
	/** Status that the sender must get. */
	status: number;
	/** What must come out. */
	item?: { event: string; knownEvent: boolean; data: unknown; signatureVerified: boolean };
}

const known = ['conversation_end_report', 'conversation_status'];

function shot(agent: string, token: string): Shot {
	const headers: Shot['headers'] = {
		'content-type': one([
			'application/json',
			'application/json',
			'application/json; charset=utf-8',
			'Application/JSON',
		]),
	};
	const good = `?agent=${agent}&token=${token}`;
	const stranger =
		below(4) > 0
			? undefined
			: one([
					'',
					`?agent=${agent}`,
					`?token=${token}`,
					`${good}&token=x`,
					`?agent=${agent}&token=${encoded(word(43))}`,
					`?agent=${agent}&token=${token.slice(0, -1)}`,
					`?agent[]=${agent}&token=${token}`,
					`?agent=${encoded(word(5))}&token=${token}`,
				]);

	const event = rarely(10) ? `new_event_${below(100)}` : one(known);
	const data = object(0);
	const flat = rarely(6);
	let text = JSON.stringify(
		flat
			? { number: 1, ...data, data: undefined, event }
			: { event, agent_uuid: agent, data, timestamp: 'x' },
	);
	let status = 200;
	let item: Shot['item'] = {
		event,
		knownEvent: known.includes(event),
		data: flat ? JSON.parse(text) : data,
		signatureVerified: false,
	};
	if (flat) delete (item.data as any).event;

	const spoil = (newStatus: number, newText: string) => {
		status = newStatus;
		item = undefined;
		text = newText;
	};
	switch (below(24)) {
		case 0:
			spoil(422, text.slice(0, 1 + below(text.length - 2)));
			break;
		case 1:
			spoil(400, '');
			break;
		case 2:
			spoil(400, one(['[]', 'null', '5', '"event"', 'true', `[${text}]`]));
			break;
		case 3:
			spoil(
				400,
				JSON.stringify({ event: one([null, 5, {}, [], '', '   ', true, 'x'.repeat(201)]), data }),
			);
			break;
		case 4:
			spoil(400, JSON.stringify({ data }));
			break;
		case 5:
			spoil(400, `{"event":"${event}","data":${levels(60 + below(2000))}}`);
			break;
		case 6:
			headers['content-type'] = one([
				'text/plain',
				'application/octet-stream',
				'image/png',
				'',
				'application/x-unheard-of',
			]);
			if (next() < 0.5) spoil(415, word(5) + '{');
			break;
		case 7:
			headers['content-type'] = 'application/x-www-form-urlencoded';
			spoil(415, 'event=conversation_end_report&data=1');
			break;
		case 8:
			headers['content-type'] = 'multipart/form-data; boundary=x';
			spoil(415, '--x\r\n\r\n--x--');
			break;
		case 9:
			if (rarely(20)) spoil(413, JSON.stringify({ event, data: 'x'.repeat(4_300_000) }));
			break;
		case 10:
			item.data = { channel: 'Sms', ...(rarely(2) ? { number: '+1' } : {}) };
			text = JSON.stringify({ event, data: item.data });
			item = undefined;
			break;
		case 11:
			item = undefined;
			text = JSON.stringify({ event: 'voice_evaluation', data });
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
	if (rarely(3)) {
		const digest = createHmac('sha256', secret)
			.update(body)
			.digest(one(['hex', 'base64']));
		const right = next() < 0.7;
		headers[one(['x-signature', 'x-hub-signature-256', 'signature'])] = one([
			digest,
			`sha256=${digest}`,
			[`t=1,v1=${digest}`],
		])
			.toString()
			.slice(right ? 0 : 12);
		if (item) item.signatureVerified = right;
	}
	if (rarely(5)) headers['x-delivery-id'] = ['a', 'b'];
	if (rarely(9)) headers['x-request-id'] = 'x'.repeat(5000);
	if (stranger !== undefined && status !== 422) {
		status = 401;
		item = undefined;
	}
	return { query: stranger ?? good, body, headers, status, ...(item ? { item } : {}) };
}

test(`${count} deliveries with seed ${seed}`, async () => {
	const [{ agent_uuid: agent }] = await platform.sandbox.state('agents');
	const trigger = await platform.engine.trigger(
		'acpTrigger',
		{ agents: [agent], events: known, options: { channels: ['call'] } },
		{
			credentials: { acpApi: platform.sandbox.credential({ webhookSecret: secret }) },
		},
	);
	await trigger.activate();
	const { data: answer } = await platform.sandbox.api.get(`/agents/${agent}/webhooks`);
	const token = new URL(answer.data.items[0].url).searchParams.get('token')!;
	const shots = Array.from({ length: count }, () => shot(agent, token));
	const client = axios.create({
		httpAgent: new http.Agent({ keepAlive: true, maxSockets: 8 }),
		proxy: false,
		validateStatus: () => true,
		transformRequest: (data) => data as never,
		maxBodyLength: Infinity,
	});

	const wrong: string[] = [];
	let position = 0;
	await Promise.all(
		Array.from({ length: 8 }, async () => {
			for (let index = position++; index < shots.length; index = position++) {
				const { query, body, headers, status } = shots[index]!;
				const response = await client.post(trigger.url + query, body, {
					headers: headers as never,
				});
				if (response.status !== status)
					wrong.push(
						`#${index} expected ${status}, got ${response.status} for ${JSON.stringify(headers)} ${body.toString().slice(0, 200)}`,
					);
			}
		}),
	);
	expect(wrong.slice(0, 5)).toEqual([]);

	// Executions begin in any order; each is found again by what it holds.
	const key = ({ event, knownEvent, data, signatureVerified }: NonNullable<Shot['item']>) =>
		JSON.stringify({ event, knownEvent, data, signatureVerified });
	const expected = shots
		.flatMap(({ item }) => (item ? [key(JSON.parse(JSON.stringify(item)))] : []))
		.sort();
	const executions = await trigger.executions();
	expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
	const items = executions.flatMap((execution) => execution.json('Trigger'));
	for (const item of items) {
		expect(Object.keys(item)).toEqual([
			'event',
			'knownEvent',
			'agent',
			'data',
			'deliveryId',
			'receivedAt',
			'signatureVerified',
		]);
		if (item.agent !== agent || typeof item.deliveryId !== 'string' || item.deliveryId === '')
			wrong.push(JSON.stringify(item).slice(0, 200));
	}
	expect(wrong).toEqual([]);
	expect(items.map(key).sort()).toEqual(expected);
	expect(expected.length).toBeGreaterThan(count / 5);
	expect(new Set(shots.map(({ status }) => status))).toEqual(
		new Set([200, 400, 401, 413, 415, 422]),
	);
}, 300_000);
