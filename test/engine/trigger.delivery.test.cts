/**
 * What the Conversation Event Trigger makes of deliveries: who is let in, what comes out of which form, what a stranger gets to
 * see.
 */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { mapValues, omit } from 'lodash';
import { usePlatform, type Trigger } from './harness/index.cts';
import { endReport, event, post, signed, tokenOf, triggersOn } from './harness/triggers.cts';

const platform = usePlatform();
const { sandbox } = platform;
const { agents, publishedEvents, secretOf, started } = triggersOn(platform);

const name = endReport;
const own = 'the-secret-of-the-credential-itself';

/** A published trigger, its agent and the callback URL that the platform has. */
async function published(parameters: object = {}, change: Record<string, string> = {}) {
	const credentials = { acpApi: sandbox.credential(change) };
	const made = await publishedEvents(parameters, { credentials });
	const { trigger, url } = made;
	/** Delivers one after the other. @returns the message and the data of each */
	const deliver = async (...deliveries: Array<object | [body: object, headers: object]>) => {
		const before = (await trigger.calls()).length;
		const messages: string[] = [];
		for (const one of deliveries) {
			const [body, headers] = Array.isArray(one) ? one : [one, {}];
			messages.push((await post(url, body, headers)).data.message);
		}
		const results = await trigger.executions(before);
		return { messages, items: results.flatMap((result) => result.json('Trigger')) as any[] };
	};
	return { ...made, deliver };
}

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
		const token = tokenOf(url);
		const other = tokenOf((await published()).url);
		for (const query of [
			...['', `?agent=${agent}&token=`, `?agent=${agent}&token=${token}&token=${token}`],
			`?agent=00000000-0000-4000-8000-000000000000&token=${token}`,
			...[token.toLowerCase(), token.slice(0, -1), other].map(
				(wrong) => `?agent=${agent}&token=${wrong}`,
			),
			...[`?agent=${agent}`, `?token=${token}`, `?agent[]=${agent}&token=${token}`],
			`?agent=%F0%9F%98%80&token=${token}`,
		])
			expect([query, await post(trigger.url + query, event())]).toMatchObject([
				query,
				{ status: 401, data: { message: 'Unauthorized' } },
			]);
		expect(await started(trigger)).toBe(0);
		expect((await post(url, event())).status).toBe(200);
		expect(await started(trigger)).toBe(1);
	});

	test('token and signature stay good when the credential has changed since, or cannot be read any more', async () => {
		const { trigger, url, agent } = await published();
		const headers = { 'x-signature': signed(event(), secretOf(trigger, agent)) };
		const { token } = await sandbox.addToken('workspace', { label: 'next' });
		for (const [credentials, says] of [
			[{ acpApi: sandbox.credential({ token }) }, 401],
			[{}, 503],
		]) {
			await trigger.setCredentials(credentials as never);
			expect((await post(url, event(), headers)).status).toBe(200);
			const stranger = `${trigger.url}?agent=${agent}&token=x`;
			expect((await post(stranger, event(), headers)).status).toBe(says);
		}
		expect(await verifiedIn(trigger)).toEqual([true, true]);
		const { registrations } = await trigger.staticData();
		const released = registrations.map((one: object) => ({ ...one, address: '' }));
		await trigger.setStaticData({ 'node:Trigger': { registrations: released } });
		expect((await post(url, event(), headers)).status).toBe(503);
	});

	test('while the credential cannot be read, no signature is valid or wrong, not even one with an empty token’s secret', async () => {
		const { agent, trigger, url } = await published({}, { webhookSecret: own });
		await trigger.setCredentials({});
		for (const secret of [secretOf(trigger, agent, ''), own])
			await post(url, event(), { 'x-signature': signed(event(), secret) });
		expect(await verifiedIn(trigger)).toEqual([null, null]);
	});

	test('while the credential cannot be read, what needs it is put off, not refused', async () => {
		const { trigger, url } = await published(
			{ options: { signature: 'required' } },
			{ webhookSecret: own },
		);
		await trigger.setCredentials({});
		const headers = { 'x-signature': signed(event(), own) };
		expect((await post(url, event(), headers)).status).toBe(503);
		expect(await started(trigger)).toBe(0);
	});

	// interface: §6 signed
	test.each([
		['report', [200, 200, 200], [false, false, true, true]],
		['off', [200, 200, 200], [null, null, null, null]],
		['required', [401, 401, 200], [true, true]],
	])('Signature %s: no, a wrong and a valid one', async (signature, statuses, said) => {
		const { agent, trigger, url } = await published(
			{ options: { signature } },
			{ webhookSecret: own },
		);
		const headers = [
			{},
			{ 'x-signature': signed(`${event()} `, own) },
			{ 'x-s': signed(event(), own) },
		];
		const answers = [];
		for (const one of headers) answers.push((await post(url, event(), one as never)).status);
		expect(answers).toEqual(statuses);
		await sandbox.deliver({ agent, event: name });
		expect(await verifiedIn(trigger)).toEqual(said);
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
		const names =
			'access_token api_key auth_token authorization bearer_token client_secret id_token passphrase ' +
			'passwd password private_key refresh_token secret secret_key token x_api_key';
		const spellings = [
			(key: string) => key,
			(key: string) => key.replaceAll('_', '-').toUpperCase(),
			(key: string) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
		];
		const keys = names.split(' ').flatMap((key) => spellings.map((spelled) => spelled(key)));
		const others = { tokens: 'a', key: 'b', secretary: 'c', token_count: 5, secrets: ['kept'] };
		const dataWith = (value: unknown, inside: unknown) => ({
			fields: { ...Object.fromEntries(keys.map((key) => [key, value])), ...others },
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
		const u = { conversation_uuid: 'u' };
		const cases: Array<[fields: object, data: unknown]> = [
			[
				{ api_key: 'x', ...u },
				{ api_key: '********', ...u },
			],
			[{ data: [1, { a: 2 }] }, [1, { a: 2 }]],
			[
				{ ...u, number: '+1', data: { number: '+2' } },
				{ ...u, number: '+2' },
			],
			[
				{ ...u, data: [1] },
				{ ...u, data: [1] },
			],
			[{ data: '{"a":1,"auth_token":"hush"}' }, { a: 1, auth_token: '********' }],
			[{ data: '[{"a":1}]' }, [{ a: 1 }]],
			...[null, '"a"', '17', '{"a":', ''].map((data): [object, unknown] => [{ data }, data]),
		];
		const { items } = await deliver(...cases.map(([fields]) => ({ event: name, ...fields })));
		expect(items.map(({ data }) => data)).toEqual(cases.map(([, data]) => data));
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
			const participant = { number: '+12125550101' };
			const { data } = await sandbox.api.post('/call', { agentId: agent, participant });
			await trigger.waitForCalls(2);
			const items = await trigger.emitted();
			const first = eventShape === 'nameless' ? 'unknown' : name;
			const isNamed = [null, 'beside', 'ids'].includes(eventShape);
			expect(items.map((item) => item.event)).toEqual([
				first,
				isNamed ? 'voice_evaluation' : first,
			]);
			const whose = items.map((item) => item.data.conversation_uuid);
			expect(whose).toEqual(Array(2).fill(data.data.conversation_uuid));
			expect(items[1].data.session_evaluation_uuid).toMatch(/^[0-9a-f-]{36}$/);
			expect(items[1].data.success).toBe(eventShape === 'ids' ? undefined : 'yes');
			expect(new Set(items.map(({ deliveryId }) => deliveryId)).size).toBe(2);
		},
	);

	// interface: §6 retries
	test('the delivery ID: from the body, with its event, else the same for the same body; that of a header beside it', async () => {
		const { deliver } = await published();
		const ofBody = expect.stringMatching(/^body-[0-9a-f]{32}$/);
		const two = { 'x-event-id': 'second', 'x-delivery-id': 'first' };
		const names = 'x-webhook-delivery x-webhook-id webhook-id x-event-id idempotency-key'.split(
			' ',
		);
		const rows = [
			[{ delivery_id: 'd', event_id: 'e' }, {}, `d ${name}`, null],
			[{ delivery_id: '  ', event_id: ' f ' }, {}, `f ${name}`, null],
			[{ delivery_id: 7 }, { 'x-delivery-id': 'h' }, `7 ${name}`, 'h'],
			[{ delivery_id: 'd'.repeat(300) }, {}, `${'d'.repeat(200)} ${name}`, null],
			[{ delivery_id: { a: 1 } }, two, ofBody, 'first'],
			...names.map((header) => [{}, { [header]: header }, ofBody, header]),
		] as Array<[body: object, headers: object, id: unknown, ofHeader: unknown]>;
		const { items } = await deliver(
			...rows.map(([body, headers]) => [{ event: name, ...body }, headers] as [object, object]),
		);
		expect(items.map((item) => [item.deliveryId, item.deliveryHeaderId])).toEqual(
			rows.map(([, , ...ids]) => ids),
		);
		const [another, one, same] = items.slice(4).map(({ deliveryId }) => deliveryId);
		expect([another === one, one === same]).toEqual([false, true]);
	});

	test('unusual events come through whole', async () => {
		const { trigger, url } = await published();
		const unicode = { text: 'ğüşiöç \u0000 😀 \ud800 ‮', 'ключ 键 🔑': [] };
		await post(url, event(unicode));
		await post(url, Buffer.from(`\ufeff${event({ bom: true })}`));
		await post(url, event({ doubled: true }), { 'x-delivery-id': ['a', 'b'], 'x-s': ['x', 'y'] });
		const large = '9007199254740993';
		const data = '{"call_id":12345678901234567890,"duration":42}';
		await post(url, `{"event":"${name}","delivery_id":${large},"data":${data}}`);
		await post(url, `{"event":"${name}","data":{"__proto__":{"polluted":true},"a":1}}`);
		const items = await trigger.emitted();
		expect(items.slice(0, -1).map((item) => item.data)).toEqual([
			unicode,
			{ bom: true },
			{ doubled: true },
			{ delivery_id: large, call_id: '12345678901234567890', duration: 42 },
		]);
		expect(items.at(-2).deliveryId).toBe(`${large} ${name}`);
		expect([items.at(-1).data.a, ({} as any).polluted]).toEqual([1, undefined]);
	});
});

// interface: §6 payload shapes
test('simplified: at most ten fields, the known ones first, each from the first of its places that has a value', async () => {
	const { deliver } = await published({ options: { simplify: true } });
	const phone = { contact_info: { phone_number: '+1' } };
	const letters = Object.fromEntries([...'abcdefgh'].map((key) => [key, key]));
	const scores = { success: 'yes', satisfaction: 4, sentiment: 'positive', intent: 'book' };
	const valued = mapValues({ ...scores, human_escalation: false }, (value) => ({ value }));
	const rated = { conversation_uuid: 'c', session_type: 'voice', session_evaluation_uuid: 's' };
	const evaluation = {
		...rated,
		sentiment_analysis: valued,
		agent_id: 'a',
		call_id: 'x',
		...phone,
	};
	const simple = { ...rated, ...scores, human_escalation: false, call_id: 'x', number: '+1' };
	for (const [data, expected] of [
		[{ number: '+2', ...phone }, { number: '+2' }],
		[{ number: null, ...phone, conversation: 'A long talk' }, { number: '+1' }],
		// What no source names is not dropped while there is room for it.
		[{ status: 'Closed', nested: { a: 1 }, list: [1], empty: '' }, { status: 'Closed' }],
		[{ nested: { a: 1 } }, { nested: { a: 1 } }],
		[
			{ ...letters, ...phone, duration: 0 },
			{ number: '+1', duration: 0, ...letters },
		],
		[
			{ ...evaluation, pipeline_change: 'Won', ...letters },
			{ ...omit(simple, 'call_id'), pipeline_change: 'Won' },
		],
		[evaluation, simple],
	])
		expect((await deliver({ event: name, data })).items[0].data).toEqual(expected);
});

const [text, voice] = [{ session_type: 'text' }, { session_type: 'voice' }];
const deeper = (channel: string) => ({ conversation: { channel } });
test.each`
	channels                | asked                                                                         | others
	${['call']}             | ${[{ channel: 'phone' }, { channel: 'Voice' }, { channel: ['call', 'sms'] }]} | ${[{ channel: 'sms' }]}
	${['call']}             | ${[voice, {}, { session_type: 'something new' }]}                             | ${[text, { session_type: 'sms' }]}
	${['call']}             | ${[deeper('CALL'), { channel: '', ...deeper('call') }]}                       | ${[deeper('sms'), { channel: 'sms', ...deeper('call') }]}
	${['call']}             | ${[{ session_type: 'constructor' }]}                                          | ${[{ channel: 'constructor' }, { channel: 'WhatsApp Call' }]}
	${['whatsapp_call']}    | ${[voice]}                                                                    | ${[{ channel: 'phone' }, text]}
	${['whatsapp', 'call']} | ${[voice, text, { channel: 'WhatsApp' }]}                                     | ${[{ channel: 'instagram' }]}
	${['email']}            | ${[text]}                                                                     | ${[voice]}
	${['instagram']}        | ${[text]}                                                                     | ${[voice]}
	${['messenger']}        | ${[text]}                                                                     | ${[voice]}
	${['sms']}              | ${[text]}                                                                     | ${[voice]}
`(
	'of the channels $channels are $asked and not $others, inside data and beside the event',
	async ({ channels, asked, others }) => {
		const { deliver } = await published({ options: { channels } });
		const all = [...asked, ...others];
		const inside = await deliver(...all.map((data) => ({ event: name, data })));
		const beside = await deliver(...all.map((fields) => ({ event: name, ...fields })));
		for (const { messages } of [inside, beside])
			expect(messages.map((message) => message === 'Received')).toEqual(
				all.map((one) => asked.includes(one)),
			);
	},
);

describe('a delivery that does not name its event', () => {
	const other = 'intent_call';
	const u = { conversation_uuid: 'u' };
	const nameless = { data: u };
	const inside = { event: { type: other }, id: 1 };
	const ambiguous = { event: { type: 'ended' }, type: 'voice', name: 'Ada', topic: 'x', ...u };

	// interface: §6 causes
	test.each`
		says                                           | body                                            | headers                                           | event        | data
		${'a header that can only mean it names it'}   | ${nameless}                                     | ${{ 'x-event': other }}                           | ${other}     | ${u}
		${'also one that the interface does not name'} | ${nameless}                                     | ${{ 'webhook-event-type': 'new' }}                | ${'new'}     | ${u}
		${'the body comes first'}                      | ${{ event: name, ...nameless }}                 | ${{ 'x-event': other }}                           | ${name}      | ${u}
		${'a body that holds nothing'}                 | ${{}}                                           | ${{ 'x-webhook-event-name': name }}               | ${name}      | ${{}}
		${'a name that the interface does not have'}   | ${{ event: 'new', ...nameless }}                | ${{}}                                             | ${'new'}     | ${u}
		${'another key, which is then no field'}       | ${{ event_type: ` ${other} `, ...u }}           | ${{}}                                             | ${other}     | ${u}
		${'a key that may mean something else'}        | ${{ topic: other, ...nameless }}                | ${{}}                                             | ${other}     | ${u}
		${'such a key before a header'}                | ${{ eventName: 'new', ...u }}                   | ${{ 'x-event': other }}                           | ${'new'}     | ${u}
		${'an empty one'}                              | ${{ event: '', event_name: name, type: other }} | ${{}}                                             | ${name}      | ${{ event: '', type: other }}
		${'deeper, where it is a field as well'}       | ${inside}                                       | ${{}}                                             | ${other}     | ${inside}
		${'in the data'}                               | ${{ data: { event: other, id: 1 } }}            | ${{}}                                             | ${other}     | ${{ event: other, id: 1 }}
		${'in data as JSON text'}                      | ${{ data: '{"type":"intent_call"}' }}           | ${{}}                                             | ${other}     | ${{ type: other }}
		${'a header that ends like one'}               | ${nameless}                                     | ${{ 'x-acme-topic': other }}                      | ${other}     | ${u}
		${'but not with any name'}                     | ${nameless}                                     | ${{ 'x-acme-event': 'push', 'x-event-id': name }} | ${'unknown'} | ${u}
		${'what may mean something else is kept'}      | ${ambiguous}                                    | ${{}}                                             | ${'unknown'} | ${ambiguous}
		${'nor in the data'}                           | ${{ data: { event: 'hung_up' } }}               | ${{}}                                             | ${'unknown'} | ${{ event: 'hung_up' }}
	`('$says: $event', async ({ body, headers, event: is, data }) => {
		const { deliver } = await published({ events: [other, name] });
		const { items } = await deliver([body, headers]);
		expect(items).toMatchObject([{ event: is, knownEvent: [other, name].includes(is) }]);
		expect(items[0].data).toEqual(data);
	});

	test('it is the only event that is subscribed, if there is one', async () => {
		const { trigger, deliver } = await published({ events: ['text_evaluation'] });
		const only = { event: 'text_evaluation', knownEvent: true, data: u };
		expect((await deliver(nameless, u)).items).toMatchObject([only, only]);
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
		{ conversation_uuid: 'none' },
		{ sentiment_analysis: {}, session_evaluation_uuid: null },
	];
	const all = [voice, text, uuid, ...none, beside];
	const { trigger, agent, deliver } = await published();
	for (const [events, accepted] of [
		[['voice_evaluation'], [voice, uuid, beside]],
		[['text_evaluation'], [text, uuid, beside]],
		[['voice_evaluation', name], all],
		[['intent_call', 'conversation_status'], []],
	] as Array<[string[], object[]]>) {
		await trigger.setParameters({ agents: [agent], events });
		const { items } = await deliver(...all.map((data) => ({ event: name, data })));
		expect(items.map((item) => [item.event, item.data])).toEqual(
			accepted.map((data) => [name, data]),
		);
	}
});

test('what is not an event starts nothing and gets a status that says so: levels, sizes, bytes, streams, what is packed', async () => {
	const { trigger, url } = await published();
	const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
	const inData = (json: string) => `{"event":"${name}","data":${json}}`;
	const sized = (count: number) => inData(`"${'x'.repeat(count - inData('""').length)}"`);
	const limit = 4 * 1024 * 1024;
	const bytes = { 'content-type': 'application/octet-stream' };
	const packed = { ...bytes, 'content-encoding': 'gzip' };
	const streamed = (megabytes: number) =>
		Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(1_048_576, 32)));
	const cases: Array<[status: number, body: unknown, headers?: object]> = [
		[400, '{}'],
		[400, '', bytes],
		[415, Buffer.from([0, 255, 254, 1]), bytes],
		[422, '{"event":"x'],
		[400, '[{"event":"x"}]'],
		[400, 'null'],
		[415, 'event=x&data=1', { 'content-type': 'application/x-www-form-urlencoded' }],
		[415, '--x\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
		[415, '--x--', { 'content-type': 'multipart/mixed; boundary=x' }],
		[200, inData(nested(99))],
		[400, inData(nested(100))],
		[400, inData(nested(300_000))],
		[413, inData('['.repeat(2_500_000) + ']'.repeat(2_500_000))],
		[200, sized(limit)],
		[413, sized(limit + 1)],
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
	// A name of up to 200 characters is one.
	for (const length of [200, 201]) await post(url, { event: 'e'.repeat(length) });
	const [, , third, long, longer] = await trigger.emitted();
	expect([third.data, long.event, longer.event]).toEqual([{ packed: true }, 'e'.repeat(200), name]);
});
