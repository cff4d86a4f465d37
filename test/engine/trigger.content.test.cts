/**
 * What the ACP Event Trigger takes from a delivery: from each place where it can stand, in each
 * spelling, up to each limit.
 */
import axios, { type AxiosResponse } from 'axios';
import { createHmac } from 'node:crypto';
import { secretOf } from '../../nodes/engine/registration/plan';
import { usePlatform } from './harness/index.cts';

// The expression engine has no part in deliveries; this one starts faster.
const { sandbox, engine } = usePlatform({ engine: { expressionEngine: 'legacy' } });

/** A published trigger, and how its agent's deliveries reach it. */
async function published(parameters: object = {}, change: Record<string, string> = {}) {
	const [{ agent_uuid: agent }] = await sandbox.state('agents');
	const trigger = await engine.trigger('acpTrigger', { agents: [agent], ...parameters } as never, {
		credentials: { acpApi: sandbox.credential(change) },
	});
	await trigger.activate();
	const { data } = await sandbox.api.get(`/agents/${agent}/webhooks`);
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

	test('fields of the body count before the headers; an empty one is none, a long one is cut', async () => {
		const { trigger, post } = await published();
		await post({ event: name, delivery_id: 'd', event_id: 'e', data: {} });
		await post({ event: name, event_id: 'e', data: {} });
		await post({ event: name, delivery_id: '  ', event_id: ' f ', data: {} });
		await post({ event: name, delivery_id: 'g', data: {} }, { 'x-delivery-id': 'h' });
		await post({ event: name, delivery_id: 'd'.repeat(300), data: {} });
		await post({ event: name, delivery_id: { a: 1 }, data: {} });
		expect((await trigger.emitted()).map(({ deliveryId }) => deliveryId)).toEqual([
			...['d', 'e', 'f', 'g', 'd'.repeat(200)].map((id) => `${id} ${name}`),
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

describe('simplified', () => {
	test('each field from each of its places, the first that has a value, then what else is said in a word', async () => {
		const { trigger, post } = await published({ options: { simplify: true } });
		const places: Array<[object, object]> = [
			[{ contact_info: { phone_number: '+1' } }, { number: '+1' }],
			[{ number: '+2', contact_info: { phone_number: '+1' } }, { number: '+2' }],
			[{ number: null, contact_info: { phone_number: '+1' } }, { number: '+1' }],
			[
				{ duration: 0, session_type: 'voice' },
				{ session_type: 'voice', duration: 0 },
			],
			[{ conversation: 'A long talk', call_id: 'c' }, { call_id: 'c' }],
			// what no source names is not dropped where there is room for it
			[
				{ status: 'Closed', nested: { a: 1 }, list: [1], empty: '', conversation_uuid: 'u' },
				{ conversation_uuid: 'u', status: 'Closed' },
			],
			[{ agent_id: 'a', intent: 'book' }, { intent: 'book' }],
			[{ nested: { a: 1 } }, { nested: { a: 1 } }],
		];
		for (const [data] of places) await post({ event: name, data });
		expect((await trigger.emitted()).map(({ data }) => data)).toEqual(
			places.map(([, simple]) => simple),
		);
	});

	// interface: §6 payload shapes
	test.each([
		['under data', (data: object) => ({ event: 'voice_evaluation', data })],
		['beside event', (data: object) => ({ event: 'voice_evaluation', ...data })],
		['as an end report', (data: object) => ({ event: name, data })],
	])('an evaluation keeps what matters of it, %s', async (_, shape) => {
		const { trigger, post } = await published({
			events: ['voice_evaluation'],
			options: { simplify: true },
		});
		const score = (value: unknown) => ({ value, confidence: 0.9 });
		await post(
			shape({
				call_id: 'c',
				session_evaluation_uuid: 's',
				conversation_uuid: 'u',
				agent_id: 'a',
				session_type: 'voice',
				duration: 42,
				number: '+12125550101',
				contact_info: { phone_number: '+12125550101' },
				conversation: 'AI: Hello',
				sentiment_analysis: {
					sentiment: score('positive'),
					emotion: score('calm'),
					intent: score('book'),
					satisfaction: score(4),
					success: score('yes'),
					human_escalation: score(false),
					knowledge_gap: score(false),
				},
				call_end_analysis: { anything: 1 },
				pipeline_change: 'Won',
				timestamp: '2026-01-02T03:04:05+03:00',
			}),
		);
		expect((await trigger.emitted()).map(({ data }) => data)).toEqual([
			{
				conversation_uuid: 'u',
				session_type: 'voice',
				number: '+12125550101',
				session_evaluation_uuid: 's',
				success: 'yes',
				satisfaction: 4,
				sentiment: 'positive',
				intent: 'book',
				human_escalation: false,
				pipeline_change: 'Won',
			},
		]);
	});
});

describe('the channel of an event, wherever it stands and however it is written', () => {
	const answers = async (channels: string[], events: object[]) => {
		const { post } = await published({ options: { channels } });
		const result = [];
		for (const data of events) result.push((await post({ event: name, data })).data.message);
		return result;
	};
	const all = (events: object[], message: string) => events.map(() => message);

	test('an event of a call starts the workflow of calls, one of another channel does not', async () => {
		const asked = [
			{ channel: 'phone' },
			{ channel: 'Voice' },
			{ channel: 'call' },
			{ conversation: { channel: 'CALL' } },
			{ session_type: 'voice' },
			{ channel: '', conversation: { channel: 'call' } },
			{ channel: ['call', 'sms'] },
			{ conversation: {} },
			{ session_type: 'something new' },
			{ session_type: 'constructor' },
		];
		const others = [
			{ channel: 'sms' },
			{ conversation: { channel: 'sms' }, session_type: 'voice' },
			{ channel: 'sms', conversation: { channel: 'call' } },
			{ channel: 'WhatsApp Call' },
			{ channel: 'constructor' },
			{ session_type: 'text' },
			{ session_type: 'sms' },
		];
		expect(await answers(['call'], asked)).toEqual(all(asked, 'Received'));
		expect(await answers(['call'], others)).toEqual(all(others, 'Received and ignored'));
	});

	test.each(['email', 'instagram', 'messenger', 'sms', 'whatsapp'])(
		'text stands for %s, voice and phone do not',
		async (channel) => {
			const events = [{ session_type: 'text' }, { session_type: 'voice' }, { channel: 'phone' }];
			expect(await answers([channel], events)).toEqual([
				'Received',
				'Received and ignored',
				'Received and ignored',
			]);
		},
	);

	test('voice stands for both call channels, phone for a call alone', async () => {
		const events = [{ session_type: 'voice' }, { channel: 'phone' }, { session_type: 'text' }];
		expect(await answers(['whatsapp_call'], events)).toEqual([
			'Received',
			'Received and ignored',
			'Received and ignored',
		]);
	});

	test('it may stand beside the event', async () => {
		const { trigger, post } = await published({ options: { channels: ['whatsapp'] } });
		await post({ event: name, session_type: 'voice', conversation_uuid: 'one' });
		await post({ event: name, session_type: 'text', conversation_uuid: 'two' });
		expect((await trigger.emitted()).map(({ data }) => data.conversation_uuid)).toEqual(['two']);
	});
});

describe('fields under data and beside the event', () => {
	test('both come out; data wins; a list or text under data stays beside the others', async () => {
		const { trigger, post } = await published();
		await post({ event: name, conversation_uuid: 'u', number: '+1', data: { number: '+2' } });
		await post({ event: name, conversation_uuid: 'u', data: [1] });
		await post({ event: name, conversation_uuid: 'u', data: null });
		expect((await trigger.emitted()).map(({ data }) => data)).toEqual([
			{ conversation_uuid: 'u', number: '+2' },
			{ conversation_uuid: 'u', data: [1] },
			{ conversation_uuid: 'u', data: null },
		]);
	});
});

describe('fields that arrive in another form', () => {
	test('data as JSON text is what it says; a text that holds neither object nor list stays text', async () => {
		const { trigger, post } = await published({ options: { channels: ['whatsapp'] } });
		const fields = { conversation_uuid: 'u', session_type: 'text', auth_token: 'hush' };
		const bodies = [JSON.stringify(fields), '[{"a":1}]', '"a"', '17', 'said', '{"a":', ''];
		for (const data of bodies) await post({ event: name, data });
		await post({ event: name, data: JSON.stringify({ ...fields, session_type: 'voice' }) });
		expect((await trigger.emitted()).map(({ data }) => data)).toEqual([
			{ conversation_uuid: 'u', session_type: 'text', auth_token: '********' },
			[{ a: 1 }],
			...bodies.slice(2),
		]);
	});

	test('an ID of more digits than a number holds comes out as it was sent', async () => {
		const { trigger, post } = await published();
		const data = '{"call_id":12345678901234567890,"duration":42}';
		await post(`{"event":"${name}","delivery_id":9007199254740993,"data":${data}}`);
		await post(`{"event":"${name}","data":${data}}`, { 'content-type': 'text/plain' });
		await post({ event: name, data });
		const items = await trigger.emitted();
		expect(items[0].deliveryId).toBe(`9007199254740993 ${name}`);
		for (const item of items)
			expect(item.data).toMatchObject({ call_id: '12345678901234567890', duration: 42 });
		expect(items).toHaveLength(3);
	});
});

describe('a delivery that does not name its event', () => {
	const nameless = { data: { conversation_uuid: 'u' } };

	test('a header names it, known or not; the name in the body comes first', async () => {
		const { trigger, post } = await published({ events: ['intent_call', name] });
		for (const header of [
			'x-event',
			'x-event-type',
			'x-event-name',
			'x-webhook-event',
			'webhook-event',
			'webhook-event-type',
		])
			await post(nameless, { [header]: 'intent_call' });
		await post(nameless, { 'x-event': 'call_archived' });
		await post({ event: name, ...nameless }, { 'x-event': 'intent_call' });
		await post({}, { 'x-event': name });
		const filtered = await post(nameless, { 'x-event': 'text_evaluation' });
		expect(filtered.data.message).toBe('Received and ignored');
		expect((await trigger.emitted()).map((item) => [item.event, item.knownEvent])).toEqual([
			...Array.from({ length: 6 }, () => ['intent_call', true]),
			['call_archived', false],
			[name, true],
			[name, true],
		]);
	});

	test('its name may stand under another key, which is then no field', async () => {
		const { trigger, post } = await published({ events: ['intent_call', name] });
		const keys = [
			'event_type',
			'eventType',
			'event_name',
			'eventName',
			'webhook_event',
			'webhookEvent',
		];
		const others = ['type', 'name', 'topic', 'action'];
		for (const key of [...keys, ...others]) await post({ [key]: ' intent_call ', ...nameless });
		await post({ event_type: 'call_archived', ...nameless }, { 'x-event': 'intent_call' });
		await post({ type: 'intent_call', ...nameless }, { 'x-event': name });
		await post({ event: '', event_name: name, type: 'intent_call', ...nameless });
		const items = await trigger.emitted();
		expect(items.map((item) => [item.event, item.knownEvent])).toEqual([
			...[...keys, ...others].map(() => ['intent_call', true]),
			['call_archived', false],
			['intent_call', true],
			[name, true],
		]);
		expect(items[0].data).toEqual({ conversation_uuid: 'u' });
		expect(items[9].data).toEqual({ conversation_uuid: 'u' });
	});

	test('its name may stand deeper; there it is a field as well', async () => {
		const { trigger, post } = await published({ events: ['intent_call', name] });
		const bodies = [
			{ event: { type: 'intent_call' }, id: 1 },
			{ event: { name: 'intent_call' } },
			{ data: { event: 'intent_call', id: 1 } },
			{ data: { event_type: 'intent_call' } },
			{ data: '{"type":"intent_call"}' },
		];
		for (const body of bodies) await post(body);
		const items = await trigger.emitted();
		expect(items.map(({ event }) => event)).toEqual(bodies.map(() => 'intent_call'));
		expect(items[0].data).toEqual({ event: { type: 'intent_call' }, id: 1 });
		expect(items[2].data).toEqual({ event: 'intent_call', id: 1 });
	});

	test('any header that ends like one may name it', async () => {
		const { trigger, post } = await published({ events: ['intent_call', name] });
		const headers = ['event', 'event-name', 'x-webhook-event-type', 'x-acme-event', 'x-acme-topic'];
		for (const header of [...headers, 'webhook-topic', 'x-acme-event-type'])
			await post(nameless, { [header]: 'intent_call' });
		const items = await trigger.emitted();
		expect(items.map(({ event }) => event)).toEqual(Array.from({ length: 7 }, () => 'intent_call'));
	});

	test('what may mean something else names it only as the interface does', async () => {
		const { trigger, post } = await published({ events: ['intent_call', name] });
		await post({ type: 'voice', name: 'Ada', topic: 'x', action: 'end', ...nameless });
		await post({ data: { event: 'hung_up', type: 'voice' } });
		await post(nameless, { 'x-acme-event': 'push', 'x-topic': 'calls', 'x-event-id': name });
		const items = await trigger.emitted();
		expect(items.map(({ event }) => event)).toEqual(['unknown', 'unknown', 'unknown']);
		expect(items[0].data).toEqual({
			type: 'voice',
			name: 'Ada',
			topic: 'x',
			action: 'end',
			conversation_uuid: 'u',
		});
	});

	test('else it is the only event that is subscribed', async () => {
		const { trigger, post } = await published({ events: ['text_evaluation'] });
		await post(nameless);
		await post({ conversation_uuid: 'u' });
		expect(await trigger.emitted()).toMatchObject([
			{ event: 'text_evaluation', knownEvent: true, data: { conversation_uuid: 'u' } },
			{ event: 'text_evaluation', knownEvent: true, data: { conversation_uuid: 'u' } },
		]);
	});

	// interface: §6 payload shapes
	test('else it passes as unknown; what stands under event and names none is kept', async () => {
		const { trigger, post } = await published({ events: ['text_evaluation', name] });
		await post(nameless);
		await post({ event: { type: 'ended' }, conversation_uuid: 'u' });
		expect(
			(await trigger.emitted()).map((item) => [item.event, item.knownEvent, item.data]),
		).toEqual([
			['unknown', false, { conversation_uuid: 'u' }],
			['unknown', false, { event: { type: 'ended' }, conversation_uuid: 'u' }],
		]);
	});
});

describe('an end report that carries an evaluation', () => {
	const report = (more: object = {}) => ({
		event: name,
		data: { session_evaluation_uuid: 's', ...more },
	});
	const accepted = async (events: string[], bodies: object[]) => {
		const { trigger, post } = await published({ events });
		for (const body of bodies) await post(body);
		return (await trigger.emitted()).map(({ event, data }) => [event, data]);
	};

	test('starts the workflow where an evaluation of its kind is subscribed, under its own name, once', async () => {
		const bodies = [
			report({ session_type: 'voice' }),
			report({ session_type: 'text' }),
			report(),
			{ event: name, sentiment_analysis: { success: { value: 'yes' } } },
			{ event: name, data: { conversation_uuid: 'no evaluation' } },
			{ event: name, data: { sentiment_analysis: {}, session_evaluation_uuid: null } },
		];
		const [voice, text, open, beside] = [
			[name, { session_evaluation_uuid: 's', session_type: 'voice' }],
			[name, { session_evaluation_uuid: 's', session_type: 'text' }],
			[name, { session_evaluation_uuid: 's' }],
			[name, { sentiment_analysis: { success: { value: 'yes' } } }],
		];
		expect(await accepted(['voice_evaluation'], bodies)).toEqual([voice, open, beside]);
		expect(await accepted(['text_evaluation'], bodies)).toEqual([text, open, beside]);
		expect(await accepted(['voice_evaluation', name], bodies)).toHaveLength(bodies.length);
		expect(await accepted(['intent_call', 'conversation_status'], bodies)).toEqual([]);
	});
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
	expect(await of({ event: 'e'.repeat(201), data: {} })).toBe(200);
	expect(await of(`{"event":"${name}","data":${nested(99)}}`)).toBe(200);
	expect(await of(`{"event":"${name}","data":${nested(100)}}`)).toBe(400);
	expect(await of(sized(4 * 1024 * 1024))).toBe(200);
	expect(await of(sized(4 * 1024 * 1024 + 1))).toBe(413);
	const items = await trigger.emitted();
	expect(items.slice(0, 2).map(({ event }) => event)).toEqual(['e'.repeat(200), name]);
	expect(items).toHaveLength(4);
});

test('while the credential cannot be read, no signature is valid, not even one with an empty token’s secret', async () => {
	const { agent, trigger, post } = await published({}, { webhookSecret: 'hush'.repeat(8) });
	const workflow = `workflow-${trigger.info.webhookId.slice(0, 8)}`;
	const body = JSON.stringify({ event: name, data: {} });
	const signedWith = async (secret: string) =>
		await post(body, { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') });
	await signedWith('hush'.repeat(8));
	await trigger.setCredentials({});
	const owner = { workflow, node: 'node-0', agent };
	await signedWith(secretOf('acp-trigger', 'signature', '', owner).toString('hex'));
	await signedWith('hush'.repeat(8));
	expect((await trigger.emitted()).map(({ signatureVerified }) => signatureVerified)).toEqual([
		true,
		false,
		false,
	]);
});
