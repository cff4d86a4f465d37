/**
 * What the Conversation Event Trigger makes of deliveries: who is let in, what comes out of which form, what a stranger gets to
 * see.
 */
import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { secretOf as derivedSecret } from '../../nodes/shared/registration/plan';
import { usePlatform, type Trigger } from './harness/index.cts';
import { post, tokenOf, triggersOn } from './harness/triggers.cts';

const platform = usePlatform();
const { sandbox } = platform;
const { agents, eventTrigger, listed, started } = triggersOn(platform);

const name = 'conversation_end_report';
const own = 'the-secret-of-the-credential-itself';
const wrong = { status: 401, data: { message: 'Unauthorized' } };

/** A published trigger, its agent and the callback URL that the platform has. */
async function published(parameters: object = {}, change: Record<string, string> = {}) {
	const [agent] = (await agents()) as [string];
	const credentials = { acpApi: sandbox.credential(change) };
	const trigger = await eventTrigger([agent], parameters, { credentials });
	await trigger.activate();
	const { url } = (await listed(agent)).find((one) => one.url.startsWith(trigger.url))!;
	/** Delivers bodies one after the other. @returns the message and the data of each */
	const deliver = async (...bodies: object[]) => {
		const before = (await trigger.calls()).length;
		const messages: string[] = [];
		for (const body of bodies) messages.push((await post(url, body)).data.message);
		const results = await trigger.executions(before);
		return { messages, items: results.flatMap((result) => result.json('Trigger')) as any[] };
	};
	return { agent, trigger, url, deliver };
}

const event = (data: unknown = { number: '+12125550101' }) => JSON.stringify({ event: name, data });
const sign = (body: string | Buffer, secret: string) =>
	createHmac('sha256', secret).update(body).digest('hex');

/** The secret that the trigger makes where the credential has none. */
const secretOf = ({ info }: Trigger, agent: string, apiToken = sandbox.token) => {
	const workflow = `workflow-${info.webhookId.slice(0, 8)}`;
	const owner = { workflow, node: 'node-0', agent };
	return derivedSecret('acp-trigger', 'signature', apiToken, owner).toString('hex');
};
const verifiedIn = async (trigger: Trigger) =>
	(await trigger.emitted()).map(({ signatureVerified }) => signatureVerified);

describe('who is let in', () => {
	test('a signed delivery of the platform is one item with all of its parts', async () => {
		const { agent, trigger } = await published();
		const before = Date.now();
		const data = { text: 'ğüşiöç 😀', at: '2026-01-02T03:04:05+03:00' };
		const [delivery] = await sandbox.deliver({ agent, event: name, data });
		expect(delivery).toMatchObject({ status: 200 });
		const items = await trigger.emitted();
		expect(items).toEqual([
			{
				event: name,
				knownEvent: true,
				isEvaluation: false,
				agent,
				data: { ...data, timestamp: expect.stringMatching(/\+03:00$/) },
				deliveryId: expect.stringMatching(/^body-[0-9a-f]{32}$/),
				deliveryHeaderId: delivery!.headers['x-delivery-id'],
				receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
				signatureVerified: true,
				caughtUp: false,
			},
		]);
		expect(Date.parse(items[0].receivedAt)).toBeGreaterThanOrEqual(before);
	});

	test('wrong, missing, empty, doubled or foreign token: 401, nothing starts, nothing leaks', async () => {
		const { trigger, url, agent } = await published();
		const other = tokenOf((await published()).url);
		const token = tokenOf(url);
		for (const query of [
			'',
			`?agent=${agent}`,
			`?token=${token}`,
			`?agent=${agent}&token=`,
			`?agent=${agent}&token=${token}x`,
			`?agent=${agent}&token=${token.slice(1)}`,
			`?agent=${agent}&token=${token.toLowerCase()}`,
			`?agent=${agent}&token=${token}&token=${token}`,
			`?agent[a]=${agent}&token[b]=${token}`,
			`?agent=00000000-0000-4000-8000-000000000000&token=${token}`,
			`?agent=${agent}&token=${other}`,
		])
			expect([query, await post(trigger.url + query, event())]).toMatchObject([query, wrong]);
		expect(await started(trigger)).toBe(0);
		expect((await post(url, event())).status).toBe(200);
		expect(await started(trigger)).toBe(1);
	});

	test('token and signature stay good when the credential has changed since, or cannot be read any more', async () => {
		const { trigger, url, agent } = await published();
		const headers = { 'x-signature': `sha256=${sign(event(), secretOf(trigger, agent))}` };
		const { token } = await sandbox.addToken('workspace', { label: 'next' });
		for (const credentials of [{ acpApi: sandbox.credential({ token }) }, {}]) {
			await trigger.setCredentials(credentials as never);
			expect((await post(url, event(), headers)).status).toBe(200);
			const stranger = `${trigger.url}?agent=${agent}&token=x`;
			expect((await post(stranger, event(), headers)).status).toBe(401);
		}
		expect(await verifiedIn(trigger)).toEqual([true, true]);
		const { registrations } = await trigger.staticData();
		const released = registrations.map((one: object) => ({ ...one, address: '' }));
		await trigger.setStaticData({ 'node:Trigger': { registrations: released } });
		expect((await post(url, event(), headers)).status).toBe(401);
	});

	test('while the credential cannot be read, no signature is valid, not even one with an empty token’s secret', async () => {
		const { agent, trigger, url } = await published({}, { webhookSecret: own });
		const signedWith = async (secret: string) =>
			await post(url, event(), { 'x-signature': sign(event(), secret) });
		await signedWith(own);
		await trigger.setCredentials({});
		await signedWith(secretOf(trigger, agent, ''));
		await signedWith(own);
		expect(await verifiedIn(trigger)).toEqual([true, false, false]);
	});

	test.each([
		['report', [false, false, true]],
		['off', [null, null, null]],
	])('%s: whether an event has no, a wrong or a valid signature is %j', async (signature, said) => {
		const { trigger, url } = await published({ options: { signature } }, { webhookSecret: own });
		await post(url, event());
		await post(url, event(), { 'x-signature': sign(event(), 'another') });
		await post(url, event(), { 'x-anything': `v1=${sign(event(), own)}` });
		expect(await verifiedIn(trigger)).toEqual(said);
	});

	// interface: §6 signed
	test('required: without a valid one 401 and nothing starts', async () => {
		const required = { options: { signature: 'required' } };
		const { trigger, url, agent } = await published(required, { webhookSecret: own });
		expect(await post(url, event())).toMatchObject(wrong);
		const ofAnother = { 'x-signature': sign(`${event()} `, own) };
		expect(await post(url, event(), ofAnother)).toMatchObject(wrong);
		expect(await started(trigger)).toBe(0);
		const [delivery] = await sandbox.deliver({ agent, event: name });
		expect(delivery).toMatchObject({ status: 200 });
		const type = { 'content-type': 'application/octet-stream' };
		await post(url, event(), { ...type, 'x-signature': sign(event(), own) });
		expect(await verifiedIn(trigger)).toEqual([true, true]);
	});

	test('a stranger learns nothing about the limit', async () => {
		const { trigger } = await published();
		const large = JSON.stringify({ event: 'x', data: 'x'.repeat(5_000_000) });
		expect((await post(trigger.url, large)).status).toBe(401);
	});
});

describe('what comes out', () => {
	test('data is untouched except for credentials', async () => {
		const { deliver } = await published();
		const credentials = [
			...['access_token', 'api_key', 'auth_token', 'authorization', 'bearer_token'],
			...['client_secret', 'id_token', 'passphrase', 'passwd', 'password', 'private_key'],
			...['refresh_token', 'secret', 'secret_key', 'token', 'x_api_key'],
		].flatMap((key) => [
			key,
			key.toUpperCase(),
			key.replaceAll('_', '-'),
			key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
		]);
		const filled = (value: unknown) =>
			Object.fromEntries(credentials.map((key) => [key, value as string]));
		const others = {
			...{ tokens: 'a', key: 'b', api: 'c', pass: 'd', id: 'e', private: 'f', secretary: 'g' },
			...{ account_domain: 'acme.example.com', token_count: 5, secrets: ['kept'] },
			...{ empty: '', nothing: null, zero: 0, no: false, at: '2026-05-06T07:08:09-03:00' },
		};
		const dataWith = (value: unknown, inside: unknown) => ({
			fields: { ...filled(value), ...others },
			webhook: { url: 'https://x.example.com', auth_token: inside },
			list: [{ PASSWORD: inside }, 1, 'a'],
			token: null,
			secret: '',
		});
		const { items } = await deliver({ event: name, data: dataWith('hush', { deep: 1 }) });
		expect(items[0].data).toEqual(dataWith('********', '********'));
	});

	// interface: §6 payload shapes
	test('fields under data and beside the event, data as JSON text, a list or a text', async () => {
		const { deliver } = await published();
		const cases: Array<[fields: object, data: unknown]> = [
			[
				{ number: '+1', api_key: 'x' },
				{ number: '+1', api_key: '********' },
			],
			[{ data: [1, { a: 2 }] }, [1, { a: 2 }]],
			[{ data: 'text' }, 'text'],
			[{ data: null }, null],
			[
				{ conversation_uuid: 'u', number: '+1', data: { number: '+2' } },
				{ conversation_uuid: 'u', number: '+2' },
			],
			[
				{ conversation_uuid: 'u', data: [1] },
				{ conversation_uuid: 'u', data: [1] },
			],
			[
				{ conversation_uuid: 'u', data: null },
				{ conversation_uuid: 'u', data: null },
			],
			[{ data: '{"a":1,"auth_token":"hush"}' }, { a: 1, auth_token: '********' }],
			[{ data: '[{"a":1}]' }, [{ a: 1 }]],
			...['"a"', '17', '{"a":', ''].map((data): [object, unknown] => [{ data }, data]),
		];
		const { items } = await deliver(...cases.map(([fields]) => ({ event: name, ...fields })));
		expect(items.map(({ data }) => data)).toEqual(cases.map(([, data]) => data));
	});

	// interface: §6 causes
	test('an event that the interface does not name passes, marked', async () => {
		const { deliver } = await published();
		const { messages, items } = await deliver({ event: 'conversation_archived', data: { a: 1 } });
		expect(messages).toEqual(['Received']);
		expect(items).toMatchObject([
			{ event: 'conversation_archived', knownEvent: false, data: { a: 1 } },
		]);
	});

	test('events and agents that are not asked for are answered immediately and start nothing', async () => {
		const { trigger, deliver } = await published({ events: [name, 'conversation_status'] });
		const { messages, items } = await deliver({ event: 'voice_evaluation' }, { event: name });
		expect(messages).toEqual(['Received and ignored', 'Received']);
		const [, other] = await agents(2);
		await trigger.setParameters({ agents: [other!] });
		expect((await deliver({ event: name })).messages).toEqual(['Received and ignored']);
		expect([items.length, await started(trigger)]).toEqual([1, 1]);
	});

	// interface: §6 evaluation events
	test.each([null, 'client', 'beside', 'ids', 'nameless'])(
		'a call of the sandbox, delivered in the shape %p: each of its events once, each leads to its conversation',
		async (eventShape) => {
			await sandbox.settings({
				call: { lifeMs: 50, outcomeByNumber: { '0101': 'interested' } },
				manners: { eventShape },
			});
			const { trigger, agent } = await published({
				events: [name, 'voice_evaluation'],
				options: { simplify: true, channels: ['call'], signature: 'required' },
			});
			const { data } = await sandbox.api.post('/call', {
				agentId: agent,
				participant: { number: '+12125550101' },
			});
			await trigger.waitForCalls(2);
			const items = await trigger.emitted();
			const first = eventShape === 'nameless' ? 'unknown' : name;
			const isNamed = [null, 'beside', 'ids'].includes(eventShape);
			expect(items.map((item) => item.event)).toEqual([
				first,
				isNamed ? 'voice_evaluation' : first,
			]);
			const whose = items.map((item) => item.data.conversation_uuid);
			expect(whose).toEqual([data.data.conversation_uuid, data.data.conversation_uuid]);
			expect(items[1].data.session_evaluation_uuid).toMatch(/^[0-9a-f-]{36}$/);
			expect(items[1].data.success).toBe(eventShape === 'ids' ? undefined : 'yes');
			expect(new Set(items.map(({ deliveryId }) => deliveryId)).size).toBe(2);
		},
	);

	// interface: §6 retries
	test('the delivery ID: from the body, with its event, else the same for the same body; that of a header beside it', async () => {
		const { trigger, url } = await published();
		const headers = [
			...['x-delivery-id', 'x-webhook-delivery', 'x-webhook-id'],
			...['webhook-id', 'x-event-id', 'idempotency-key'],
		];
		const ofBody = expect.stringMatching(/^body-[0-9a-f]{32}$/);
		const cases: Array<[body: object, headers: object, id: unknown, ofHeader: unknown]> = [
			[{ delivery_id: 'd', event_id: 'e' }, {}, `d ${name}`, null],
			[{ event_id: 'e' }, {}, `e ${name}`, null],
			[{ delivery_id: '  ', event_id: ' f ' }, {}, `f ${name}`, null],
			[{ delivery_id: 7 }, { 'x-delivery-id': 'h' }, `7 ${name}`, 'h'],
			[{ delivery_id: 'd'.repeat(300) }, {}, `${'d'.repeat(200)} ${name}`, null],
			[{ delivery_id: { a: 1 } }, {}, ofBody, null],
			[{ a: 1 }, { 'x-event-id': 'second', 'x-delivery-id': 'first' }, ofBody, 'first'],
			[{ a: 1 }, {}, ofBody, null],
			[{ a: 2 }, {}, ofBody, null],
			...headers.map((header): [object, object, unknown, unknown] => [
				{ a: 1 },
				{ [header]: `of ${header}` },
				ofBody,
				`of ${header}`,
			]),
		];
		for (const [body, header] of cases) await post(url, { event: name, ...body }, header as never);
		const items = await trigger.emitted();
		expect(items.map((item) => [item.deliveryId, item.deliveryHeaderId])).toEqual(
			cases.map(([, , id, ofHeader]) => [id, ofHeader]),
		);
		const [again, same, another] = items.slice(6).map(({ deliveryId }) => deliveryId);
		expect([again === same, same === another]).toEqual([true, false]);
	});

	test('unusual events come through whole', async () => {
		const { trigger, url } = await published();
		const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key ${at}`, at]));
		const unicode = { text: 'ğüşiöç \u0000 😀 \ud800 ‮', 'ключ 键 🔑': [] };
		const types = ['text/plain', 'application/vnd.api+json', 'application/octet-stream'];
		await post(url, event(keys));
		await post(url, event(unicode));
		await post(url, Buffer.from(`\ufeff${event({ bom: true })}`));
		for (const type of types) await post(url, event({ type }), { 'content-type': type });
		await post(url, event({ doubled: true }), { 'x-delivery-id': ['a', 'b'], 'x-s': ['x', 'y'] });
		const large = '9007199254740993';
		const data = '{"call_id":12345678901234567890,"duration":42}';
		await post(url, `{"event":"${name}","delivery_id":${large},"data":${data}}`);
		await post(url, `{"event":"${name}","data":{"__proto__":{"polluted":true},"a":1}}`);
		const items = await trigger.emitted();
		expect(items.slice(0, -1).map((item) => item.data)).toEqual([
			keys,
			unicode,
			{ bom: true },
			...types.map((type) => ({ type })),
			{ doubled: true },
			{ delivery_id: large, call_id: '12345678901234567890', duration: 42 },
		]);
		expect(items.at(-2).deliveryId).toBe(`${large} ${name}`);
		expect([items.at(-1).data.a, ({} as any).polluted]).toEqual([1, undefined]);
	});
});

describe('simplified', () => {
	const score = (value: unknown) => ({ value, confidence: 0.9 });
	const evaluation = {
		...{ call_id: 'c', session_evaluation_uuid: 's', conversation_uuid: 'u', agent_id: 'a' },
		...{ session_type: 'voice', duration: 42, number: '+1', conversation: 'AI: Hello' },
		contact_info: { phone_number: '+1' },
		sentiment_analysis: {
			...{ sentiment: score('positive'), emotion: score('calm'), intent: score('book') },
			...{ satisfaction: score(4), success: score('yes'), human_escalation: score(false) },
		},
		call_end_analysis: { anything: 1 },
		pipeline_change: 'Won',
		timestamp: '2026-01-02T03:04:05+03:00',
	};
	const ofEvaluation = {
		...{
			conversation_uuid: 'u',
			session_type: 'voice',
			number: '+1',
			session_evaluation_uuid: 's',
		},
		...{ success: 'yes', satisfaction: 4, sentiment: 'positive', intent: 'book' },
		...{ human_escalation: false, pipeline_change: 'Won' },
	};
	const ofCall = { conversation_uuid: 'c', session_type: 'voice', call_id: 'x', duration: 0 };
	const letters = Object.fromEntries([...'abcdefgh'].map((key) => [key, key]));

	// interface: §6 payload shapes
	test('at most ten fields: the known ones first, each from the first of its places that has a value', async () => {
		const { deliver } = await published({ options: { simplify: true } });
		const phone = { contact_info: { phone_number: '+1' } };
		const cases: Array<[data: object, simple: object]> = [
			[phone, { number: '+1' }],
			[{ number: '+2', ...phone }, { number: '+2' }],
			[{ number: null, ...phone }, { number: '+1' }],
			[{ conversation: 'A long talk', call_id: 'c' }, { call_id: 'c' }],
			// What no source names is not dropped while there is room for it.
			[{ status: 'Closed', nested: { a: 1 }, list: [1], empty: '' }, { status: 'Closed' }],
			[{ agent_id: 'a', intent: 'book' }, { intent: 'book' }],
			[{ nested: { a: 1 } }, { nested: { a: 1 } }],
			[
				{ ...letters, ...ofCall, ...phone, timestamp: 't' },
				{ ...ofCall, number: '+1', timestamp: 't', a: 'a', b: 'b', c: 'c', d: 'd' },
			],
			[evaluation, ofEvaluation],
		];
		const { items } = await deliver(...cases.map(([data]) => ({ event: name, data })));
		expect(items.map(({ data }) => data)).toEqual(cases.map(([, simple]) => simple));
	});

	test('an evaluation keeps what matters of it, under its own name or that of the end report', async () => {
		const { deliver } = await published({
			events: ['voice_evaluation'],
			options: { simplify: true },
		});
		const { items } = await deliver(
			{ event: 'voice_evaluation', data: evaluation },
			{ event: 'voice_evaluation', ...evaluation },
			{ event: name, data: evaluation },
		);
		expect(items.map(({ data }) => data)).toEqual([ofEvaluation, ofEvaluation, ofEvaluation]);
	});
});

describe('the channel of an event, wherever it stands and however it is written', () => {
	const text = { session_type: 'text' };
	const voice = { session_type: 'voice' };
	const texts = ['email', 'instagram', 'messenger', 'sms', 'whatsapp'];
	const ofCalls = [
		...[{ channel: 'phone' }, { channel: 'Voice' }, { channel: 'call' }, voice],
		...[{ conversation: { channel: 'CALL' } }, { channel: ['call', 'sms'] }],
		{ channel: '', conversation: { channel: 'call' } },
		// Nobody says a channel, or what is said is not known.
		...[{}, { conversation: {} }, { session_type: 'something new' }],
		{ session_type: 'constructor' },
	];
	const ofOthers = [
		...[{ channel: 'sms' }, { channel: 'WhatsApp Call' }, { channel: 'constructor' }],
		{ conversation: { channel: 'sms' }, session_type: 'voice' },
		{ channel: 'sms', conversation: { channel: 'call' } },
		...[text, { session_type: 'sms' }],
	];
	const cases: Array<[channels: string[], asked: object[], others: object[]]> = [
		[['call'], ofCalls, ofOthers],
		[['whatsapp_call'], [voice], [{ channel: 'phone' }, text]],
		[['whatsapp', 'call'], [voice, text, { channel: 'WhatsApp' }], [{ channel: 'instagram' }]],
		...texts.map((one): (typeof cases)[0] => [[one], [text], [voice, { channel: 'phone' }]]),
	];

	test.each(cases)('of %j', async (channels, asked, others) => {
		const { deliver } = await published({ options: { channels } });
		const inside = (all: object[]) => all.map((data) => ({ event: name, data }));
		const beside = (all: object[]) => all.map((fields) => ({ event: name, ...fields }));
		const { messages } = await deliver(...inside(asked), ...beside(asked));
		expect(messages).toEqual([...asked, ...asked].map(() => 'Received'));
		const { messages: ignored } = await deliver(...inside(others), ...beside(others));
		expect(ignored).toEqual([...others, ...others].map(() => 'Received and ignored'));
	});
});

describe('a delivery that does not name its event', () => {
	const u = { conversation_uuid: 'u' };
	const nameless = { data: u };
	const other = 'intent_call';

	test.each<[string, Array<[body: object, headers: object, event: string, data?: object]>]>([
		[
			'a header that can only mean it names it, known or not; the body comes first',
			[
				...['x-event', 'x-event-type', 'x-event-name', 'x-webhook-event', 'event'].map(
					(header): [object, object, string] => [nameless, { [header]: other }, other],
				),
				[nameless, { 'webhook-event-type': 'call_archived' }, 'call_archived'],
				[{ event: name, ...nameless }, { 'x-event': other }, name, u],
				[{}, { 'x-event': name }, name],
			],
		],
		[
			'its name may stand under another key, which is then no field',
			[
				...['event_type', 'eventType', 'event_name', 'eventName', 'webhook_event', 'type'].map(
					(key): [object, object, string, object] => [
						{ [key]: ' intent_call ', ...u },
						{},
						other,
						u,
					],
				),
				...['webhookEvent', 'name', 'topic', 'action'].map(
					(key): [object, object, string, object] => [{ [key]: other, ...nameless }, {}, other, u],
				),
				[{ event_type: 'call_archived', ...u }, { 'x-event': other }, 'call_archived', u],
				[{ event: '', event_name: name, type: other }, {}, name, { event: '', type: other }],
			],
		],
		[
			'it may stand deeper; there it is a field as well',
			[
				[{ event: { type: other }, id: 1 }, {}, other, { event: { type: other }, id: 1 }],
				[{ type: 'x', event: { type: other } }, {}, other, { type: 'x', event: { type: other } }],
				[{ event: { name: other } }, {}, other],
				[{ data: { event: other, id: 1 } }, {}, other, { event: other, id: 1 }],
				[{ data: { event_type: other } }, {}, other],
				[{ data: '{"type":"intent_call"}' }, {}, other, { type: other }],
			],
		],
		[
			'any header that ends like one may name it, as the interface does',
			[
				...['x-acme-event', 'x-acme-topic', 'webhook-topic', 'x-acme-event-type'].map(
					(header): [object, object, string] => [nameless, { [header]: other }, other],
				),
				[
					nameless,
					{ 'x-acme-event': 'push', 'x-topic': 'calls', 'x-event-id': name },
					'unknown',
					u,
				],
			],
		],
		[
			'else it passes as unknown, and what may mean something else is kept',
			[
				[nameless, {}, 'unknown', u],
				[{ event: { type: 'ended' }, ...u }, {}, 'unknown', { event: { type: 'ended' }, ...u }],
				[
					{ type: 'voice', name: 'Ada', topic: 'x', action: 'end', ...u },
					{},
					'unknown',
					{ type: 'voice', name: 'Ada', topic: 'x', action: 'end', ...u },
				],
				[{ data: { event: 'hung_up', type: 'voice' } }, {}, 'unknown'],
			],
		],
	])('%s', async (_, cases) => {
		const { trigger, url } = await published({ events: [other, name] });
		for (const [body, headers] of cases) await post(url, body, headers as never);
		const items = await trigger.emitted();
		expect(items.map((item) => [item.event, item.knownEvent])).toEqual(
			cases.map(([, , event]) => [event, event === other || event === name]),
		);
		const told = cases.map(([, , , data], index) => data && items[index].data);
		expect(told).toEqual(cases.map(([, , , data]) => data));
	});

	test('it is the only event that is subscribed, if there is one', async () => {
		const { trigger, deliver } = await published({ events: ['text_evaluation'] });
		const { items } = await deliver(nameless, u);
		expect(items).toMatchObject([
			{ event: 'text_evaluation', knownEvent: true, data: u },
			{ event: 'text_evaluation', knownEvent: true, data: u },
		]);
		await trigger.setParameters({ agents: await agents(), events: [other, name] });
		const { messages } = await deliver({ event_type: 'text_evaluation' });
		expect(messages).toEqual(['Received and ignored']);
	});
});

test('an end report that carries an evaluation starts the workflow of evaluations of its kind, under its own name', async () => {
	const uuid = { session_evaluation_uuid: 's' };
	const voice = { ...uuid, session_type: 'voice' };
	const text = { ...uuid, session_type: 'text' };
	const beside = { sentiment_analysis: { success: { value: 'yes' } } };
	const none = [
		{ conversation_uuid: 'no evaluation' },
		{ sentiment_analysis: {}, session_evaluation_uuid: null },
	];
	const { trigger, agent, deliver } = await published();
	for (const [events, accepted] of [
		[['voice_evaluation'], [voice, uuid, beside]],
		[['text_evaluation'], [text, uuid, beside]],
		[
			['voice_evaluation', name],
			[voice, text, uuid, ...none, beside],
		],
		[['intent_call', 'conversation_status'], []],
	] as Array<[string[], object[]]>) {
		await trigger.setParameters({ agents: [agent], events });
		const reports = [voice, text, uuid, ...none].map((data) => ({ event: name, data }));
		const { items } = await deliver(...reports, { event: name, ...beside });
		expect(items.map((item) => [item.event, item.data])).toEqual(
			accepted.map((data) => [name, data]),
		);
	}
});

describe('what is not an event starts nothing and gets a status that says so', () => {
	const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
	const inData = (json: string) => `{"event":"${name}","data":${json}}`;
	const sized = (bytes: number) => inData(`"${'x'.repeat(bytes - inData('""').length)}"`);
	const limit = 4 * 1024 * 1024;
	const bytes = { 'content-type': 'application/octet-stream' };
	const packed = { ...bytes, 'content-encoding': 'gzip' };
	const streamed = (megabytes: number) =>
		Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(1_048_576, 32)));

	// What is not here is in trigger.fuzz: JSON that is cut, no object, other types, forms.
	test('levels, sizes, bytes, streams, and what is packed', async () => {
		const { trigger, url } = await published();
		const cases: Array<[status: number, body: unknown, headers?: object]> = [
			[400, '{}'],
			[400, '', bytes],
			[415, Buffer.from([0, 255, 254, 1]), bytes],
			[415, '--x--', { 'content-type': 'multipart/mixed; boundary=x' }],
			[200, inData(nested(99))],
			[400, inData(nested(100))],
			[400, inData(nested(300_000))],
			[413, inData('['.repeat(2_500_000) + ']'.repeat(2_500_000))],
			[200, sized(limit)],
			[413, sized(limit + 1)],
			[413, Buffer.alloc(5_000_000), bytes],
			// Without a length: larger than the limit of the node, and than the one of n8n.
			[413, streamed(5), bytes],
			[413, streamed(17), bytes],
			[200, gzipSync(event({ packed: true })), packed],
			[400, event(), packed],
		];
		for (const [index, [status, body, headers]] of cases.entries()) {
			const answer = await post(url, body, headers as never);
			expect([index, answer.status]).toEqual([index, status]);
			expect(JSON.stringify(answer.data)).not.toContain('stack');
		}
		const items = await trigger.emitted();
		expect(items).toHaveLength(3);
		expect(items[2].data).toEqual({ packed: true });
	});

	test('a name of up to 200 characters is one', async () => {
		const { deliver } = await published();
		const [most, more] = ['e'.repeat(200), 'e'.repeat(201)];
		const { items } = await deliver({ event: most, data: {} }, { event: more, data: {} });
		expect(items.map((item) => item.event)).toEqual([most, name]);
	});
});
