/**
 * What the ACP Trigger takes from a delivery: from each place where it can stand, in each
 * spelling, up to each limit.
 */
import axios, { type AxiosResponse } from 'axios';
import { createHmac } from 'node:crypto';
import { signingSecret } from '../../nodes/AcpTrigger/signature';
import { usePlatform } from './harness/index.cts';

// The expression engine has no part in deliveries; this one starts faster.
const platform = usePlatform({ engine: { expressionEngine: 'legacy' } });

/** A published trigger, and how its agent's deliveries reach it. */
async function published(parameters: object = {}, change: Record<string, string> = {}) {
	const [{ agent_uuid: agent }] = await platform.sandbox.state('agents');
	const trigger = await platform.engine.trigger(
		'acpTrigger',
		{ agents: [agent], ...parameters } as never,
		{
			credentials: { acpApi: platform.sandbox.credential(change) },
		},
	);
	await trigger.activate();
	const { data } = await platform.sandbox.api.get(`/agents/${agent}/webhooks`);
	const { url } = data.data.items.find((one: { url: string }) => one.url.startsWith(trigger.url));
	const post = async (body: unknown, headers: object = {}): Promise<AxiosResponse> =>
		await axios.post(url, typeof body === 'string' ? body : JSON.stringify(body), {
			headers: { 'content-type': 'application/json', ...headers } as never,
			validateStatus: () => true,
			proxy: false,
		});
	return { agent: agent as string, trigger, post };
}

const name = 'conversation_end_report';

describe('what repeats of a delivery have in common', () => {
	test('each header that usually carries an ID stands beside it; the first of them wins', async () => {
		const { trigger, post } = await published();
		const headers = [
			'x-delivery-id',
			'x-webhook-delivery',
			'x-webhook-id',
			'webhook-id',
			'x-event-id',
			'idempotency-key',
		];
		for (const header of headers)
			await post({ event: name, data: {} }, { [header]: `of ${header}` });
		await post({ event: name, data: {} }, { 'x-event-id': 'second', 'x-delivery-id': 'first' });
		const items = await trigger.emitted();
		expect(new Set(items.map(({ deliveryId }) => deliveryId)).size).toBe(1);
		expect(items.map(({ deliveryHeaderId }) => deliveryHeaderId)).toEqual([
			...headers.map((header) => `of ${header}`),
			'first',
		]);
	});

	test('fields of the body, before the headers; an empty one is none, a long one is cut', async () => {
		const { trigger, post } = await published();
		await post({ event: name, delivery_id: 'd', event_id: 'e', data: {} });
		await post({ event: name, event_id: 'e', data: {} });
		await post({ event: name, delivery_id: '  ', event_id: ' e ', data: {} });
		await post({ event: name, delivery_id: 'd', data: {} }, { 'x-delivery-id': 'h' });
		await post({ event: name, delivery_id: 'd'.repeat(300), data: {} });
		await post({ event: name, delivery_id: { a: 1 }, data: {} });
		expect((await trigger.emitted()).map(({ deliveryId }) => deliveryId)).toEqual([
			'd',
			'e',
			'e',
			'd',
			'd'.repeat(200),
			expect.stringMatching(/^body-[0-9a-f]{32}$/),
		]);
	});
});

test('every kind of credential is masked, in whichever spelling; names that only look alike are not', async () => {
	const { trigger, post } = await published();
	const credentials = [
		...['access_token', 'api_key', 'auth_token', 'authorization', 'bearer_token', 'client_secret'],
		...['id_token', 'passphrase', 'passwd', 'password', 'private_key', 'refresh_token', 'secret'],
		...['secret_key', 'token', 'x_api_key'],
	];
	const spellings = credentials.flatMap((key) => [
		key,
		key.toUpperCase(),
		key.replaceAll('_', '-'),
		key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
	]);
	const others = {
		tokens: 'a',
		key: 'b',
		api: 'c',
		pass: 'd',
		id: 'e',
		private: 'f',
		secretary: 'g',
	};
	const keys = [...new Set(spellings)];
	await post({
		event: name,
		data: { ...Object.fromEntries(keys.map((key) => [key, 'hush'])), ...others },
	});
	expect((await trigger.emitted())[0].data).toEqual({
		...Object.fromEntries(keys.map((key) => [key, '********'])),
		...others,
	});
});

test('simplified: each field from each of its places, the first that has a value', async () => {
	const { trigger, post } = await published({ options: { simplify: true } });
	const places: Array<[object, object]> = [
		[{ contact: { name: 'Anna' } }, { contact_name: 'Anna' }],
		[{ contact_info: { name: 'Anna' }, contact: { name: 'Berta' } }, { contact_name: 'Anna' }],
		[{ contact_info: { phone_number: '+1' } }, { number: '+1' }],
		[{ contact: { phone_number: '+2' } }, { number: '+2' }],
		[{ number: null, contact: { phone_number: '+2' } }, { number: '+2' }],
		[{ channel: 'sms', session_type: 'voice' }, { channel: 'sms' }],
		[{ call: { duration: 7 } }, { duration: 7 }],
		[{ duration: 0, call: { duration: 7 } }, { duration: 0 }],
		[{ outcome: 'sold' }, { outcome: 'sold' }],
		[{ call: { summary: 'Of the call' } }, { summary: 'Of the call' }],
		[{ call_end_analysis: { summary: 'Of the end' } }, { summary: 'Of the end' }],
		[{ sentiment: 'negative' }, { sentiment: 'negative' }],
		[
			{ call: { recording_url: 'https://a.example.com' } },
			{ recording_url: 'https://a.example.com' },
		],
	];
	for (const [data] of places) await post({ event: name, data });
	expect((await trigger.emitted()).map(({ data }) => data)).toEqual(
		places.map(([, simple]) => simple),
	);
});

test('the channel of an event, wherever it stands and however it is written', async () => {
	const { trigger, post } = await published({ options: { channels: ['call'] } });
	const asked = [
		{ channel: 'phone' },
		{ channel: 'Voice' },
		{ channel: 'call' },
		{ conversation: { channel: 'CALL' } },
		{ session_type: 'voice' },
		{ channel: '', conversation: { channel: 'call' } },
		{ channel: ['call', 'sms'] },
		{ conversation: {} },
	];
	for (const data of asked)
		expect([data, (await post({ event: name, data })).data.message]).toEqual([data, 'Received']);
	for (const data of [
		{ channel: 'sms' },
		{ conversation: { channel: 'sms' }, session_type: 'voice' },
		{ channel: 'sms', conversation: { channel: 'call' } },
		{ channel: 'WhatsApp Call' },
	])
		expect([data, (await post({ event: name, data })).data.message]).toEqual([
			data,
			'Received, not asked for',
		]);
	expect(await trigger.emitted()).toHaveLength(asked.length);
});

test('what is just within the limits comes through, what is just beyond is refused', async () => {
	const { trigger, post } = await published();
	const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
	const sized = (bytes: number) => {
		const around = JSON.stringify({ event: name, data: '' }).length;
		return JSON.stringify({ event: name, data: 'x'.repeat(bytes - around) });
	};
	const of = async (body: unknown) => (await post(body)).status;
	expect(await of({ event: 'e'.repeat(200), data: {} })).toBe(200);
	expect(await of({ event: 'e'.repeat(201), data: {} })).toBe(400);
	expect(await of(`{"event":"${name}","data":${nested(100)}}`)).toBe(200);
	expect(await of(`{"event":"${name}","data":${nested(101)}}`)).toBe(400);
	expect(await of(sized(4 * 1024 * 1024))).toBe(200);
	expect(await of(sized(4 * 1024 * 1024 + 1))).toBe(413);
	expect(await trigger.emitted()).toHaveLength(3);
});

test('while the credential cannot be read, no signature is valid, not even one with an empty token’s secret', async () => {
	const { agent, trigger, post } = await published({}, { webhookSecret: 'hush'.repeat(8) });
	const workflow = `workflow-${trigger.info.webhookId.slice(0, 8)}`;
	const body = JSON.stringify({ event: name, data: {} });
	const signedWith = async (secret: string) =>
		await post(body, { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') });
	await signedWith('hush'.repeat(8));
	await trigger.setCredentials({});
	await signedWith(signingSecret('', { workflow, node: 'node-0', agent }));
	await signedWith('hush'.repeat(8));
	expect((await trigger.emitted()).map(({ signatureVerified }) => signatureVerified)).toEqual([
		true,
		false,
		false,
	]);
});
