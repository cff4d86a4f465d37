/** What the ACP Event Trigger makes of deliveries: who is let in, what comes out, what a stranger gets to see. */
import axios, { type AxiosResponse } from 'axios';
import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { secretOf as derivedSecret } from '../../nodes/engine/registration/plan';
import { usePlatform, type Trigger } from './harness/index.cts';

// The expression engine has no part in deliveries; this one starts faster.
const { sandbox, engine } = usePlatform({ engine: { debugLog: true } });

/** A published trigger, its agent and the callback URL that the platform has. */
async function published(parameters: object = {}, change: Record<string, string> = {}) {
	const [{ agent_uuid: agent }] = await sandbox.state('agents');
	const trigger = await engine.trigger('acpTrigger', { agents: [agent], ...parameters } as never, {
		credentials: { acpApi: sandbox.credential(change) },
	});
	await trigger.activate();
	const { data } = await sandbox.api.get(`/agents/${agent}/webhooks`);
	const own = data.data.items.find(({ url }: { url: string }) => url.startsWith(trigger.url));
	return { agent: agent as string, trigger, url: own.url as string };
}

const event = (data: unknown = { number: '+12125550101' }, name = 'conversation_end_report') =>
	JSON.stringify({ event: name, data });

async function post(
	url: string,
	body: string | Buffer | Readable,
	headers: Record<string, string | string[]> = {},
): Promise<AxiosResponse> {
	return await axios.post(url, body, {
		headers: { 'content-type': 'application/json', ...headers } as never,
		transformRequest: (data) => data as never,
		validateStatus: () => true,
		proxy: false,
		maxBodyLength: Infinity,
	});
}

/** Executions that were started, accepted or failed. */
const started = async (trigger: Trigger) =>
	(await trigger.calls()).filter(({ executionId }) => executionId !== undefined).length;

/** The secret that the trigger makes where the credential has none. */
const secretOf = ({ info }: Trigger, agent: string) =>
	derivedSecret('acp-trigger', 'signature', sandbox.token, {
		workflow: `workflow-${info.webhookId.slice(0, 8)}`,
		node: 'node-0',
		agent,
	}).toString('hex');

const sign = (body: string | Buffer, secret: string) =>
	createHmac('sha256', secret).update(body).digest('hex');

describe('who is let in', () => {
	test('a signed delivery of the platform is one item with all of its parts', async () => {
		const { agent, trigger } = await published();
		const before = Date.now();
		const [delivery] = await sandbox.deliver({
			agent,
			event: 'conversation_end_report',
			data: { number: '+12125550101', at: '2026-01-02T03:04:05+03:00' },
		});
		expect(delivery).toMatchObject({ status: 200 });
		const items = await trigger.emitted();
		expect(items).toEqual([
			{
				event: 'conversation_end_report',
				knownEvent: true,
				agent,
				data: {
					number: '+12125550101',
					at: '2026-01-02T03:04:05+03:00',
					timestamp: expect.stringMatching(/\+03:00$/),
				},
				deliveryId: expect.stringMatching(/^body-[0-9a-f]{32}$/),
				deliveryHeaderId: delivery!.headers['x-delivery-id'],
				receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
				signatureVerified: true,
			},
		]);
		expect(Date.parse(items[0].receivedAt)).toBeGreaterThanOrEqual(before);
	});

	test('wrong, missing, empty, doubled or foreign token: 401, nothing starts, nothing leaks', async () => {
		const { trigger, url, agent } = await published();
		const other = await published();
		const tokenOf = (address: string) => new URL(address).searchParams.get('token')!;
		const at = (query: string) => `${trigger.url}${query}`;
		const token = tokenOf(url);
		for (const address of [
			at(''),
			at(`?agent=${agent}`),
			at(`?token=${token}`),
			at(`?agent=${agent}&token=`),
			at(`?agent=${agent}&token=${token}x`),
			at(`?agent=${agent}&token=${token.slice(1)}`),
			at(`?agent=${agent}&token=${token.toLowerCase()}`),
			at(`?agent=${agent}&token=${token}&token=${token}`),
			at(`?agent[a]=${agent}&token[b]=${token}`),
			at(`?agent=00000000-0000-4000-8000-000000000000&token=${token}`),
			at(`?agent=${agent}&token=${tokenOf(other.url)}`),
		]) {
			const { status, data } = await post(address, event());
			expect([address, status, data]).toEqual([address, 401, { message: 'Unauthorized' }]);
		}
		expect(await started(trigger)).toBe(0);
		expect((await post(url, event())).status).toBe(200);
		expect(await started(trigger)).toBe(1);
	});

	test('token and signature stay good when the credential has changed since, or cannot be read any more', async () => {
		const { trigger, url, agent } = await published();
		const body = event();
		const headers = { 'x-signature': `sha256=${sign(body, secretOf(trigger, agent))}` };
		const { token } = await sandbox.addToken('workspace', { label: 'next' });
		for (const credentials of [{ acpApi: sandbox.credential({ token }) }, {}] as Array<
			Record<string, Record<string, string>>
		>) {
			await trigger.setCredentials(credentials);
			expect((await post(url, body, headers)).status).toBe(200);
			expect((await post(`${trigger.url}?agent=${agent}&token=x`, body, headers)).status).toBe(401);
		}
		expect(await trigger.emitted()).toMatchObject([
			{ signatureVerified: true },
			{ signatureVerified: true },
		]);
	});

	test('and when static data was lost or overwritten', async () => {
		const { trigger, url, agent } = await published();
		const body = event();
		const { staticData } = structuredClone(await trigger.state()) as any;
		const headers = { 'x-signature': `sha256=${sign(body, secretOf(trigger, agent))}` };
		for (const registration of staticData['node:Trigger'].registrations)
			Object.assign(registration, { token: 'older', sealed: undefined });
		await trigger.deactivate();
		const options = {
			webhookId: trigger.info.webhookId,
			workflowId: `workflow-${trigger.info.webhookId.slice(0, 8)}`,
		};
		const again = await engine.trigger(
			'acpTrigger',
			{ agents: [agent] },
			{ ...options, staticData },
		);
		// n8n starts while the platform is away: nothing is repaired.
		await sandbox.strike('.', 503);
		await again.activate('init');
		expect((await post(url, body, headers)).status).toBe(200);
		expect(await again.emitted()).toMatchObject([{ agent, signatureVerified: true }]);
	});

	test('report: says whether the signature is valid', async () => {
		const { trigger, url } = await published(
			{},
			{ webhookSecret: 'the-secret-of-the-credential-itself' },
		);
		const body = event();
		await post(url, body);
		await post(url, body, { 'x-signature': sign(body, 'another') });
		await post(url, body, {
			'x-anything': `v1=${sign(body, 'the-secret-of-the-credential-itself')}`,
		});
		expect((await trigger.emitted()).map(({ signatureVerified }) => signatureVerified)).toEqual([
			false,
			false,
			true,
		]);
	});

	// interface: §6 signed
	test('required: without a valid one 401 and nothing starts', async () => {
		const { trigger, url, agent } = await published(
			{ options: { signature: 'required' } },
			{ webhookSecret: 'the-secret-of-the-credential-itself' },
		);
		const body = event();
		expect(await post(url, body)).toMatchObject({ status: 401, data: { message: 'Unauthorized' } });
		expect(
			(
				await post(url, body, {
					'x-signature': sign(`${body} `, 'the-secret-of-the-credential-itself'),
				})
			).status,
		).toBe(401);
		expect(await started(trigger)).toBe(0);
		const [delivery] = await sandbox.deliver({ agent, event: 'conversation_end_report' });
		expect(delivery).toMatchObject({ status: 200 });
		expect(await trigger.emitted()).toMatchObject([{ signatureVerified: true }]);
	});

	test('off: not looked at', async () => {
		const { trigger, url } = await published({ options: { signature: 'off' } });
		await post(url, event(), { 'x-signature': 'x' });
		expect(await trigger.emitted()).toMatchObject([{ signatureVerified: null }]);
	});

	// interface: §6 signature
	test.each([
		[{ header: 'X-Hub-Signature', algorithm: 'sha1', encoding: 'hex', prefix: 'sha1=' }],
		[{ header: 'Webhook-Signature', algorithm: 'sha512', encoding: 'base64', prefix: '' }],
		[{ header: 'X-Acp-Sig', algorithm: 'sha256', encoding: 'base64', prefix: 'v1=' }],
	])('whichever way the platform signs: %j', async (signature) => {
		await sandbox.settings({ webhooks: { signature } });
		const { trigger, agent } = await published({ options: { signature: 'required' } });
		await sandbox.deliver({ agent, event: 'conversation_end_report', data: { text: 'ğüşiöç 😀' } });
		expect(await trigger.emitted()).toMatchObject([{ signatureVerified: true }]);
	});

	test('neither token nor secret nor credential shows in items or log', async () => {
		const secret = 'the-secret-of-the-credential-itself';
		const { trigger, url, agent } = await published({}, { webhookSecret: secret });
		await sandbox.deliver({ agent, event: 'conversation_end_report' });
		const executions = JSON.stringify(
			(await trigger.executions()).map(({ executionData }) => executionData),
		);
		const token = new URL(url).searchParams.get('token')!;
		expect(executions).toContain('conversation_end_report');
		expect(token.length).toBeGreaterThan(20);
		for (const hidden of [token, secret, sandbox.token]) {
			expect(executions).not.toContain(hidden);
			expect(engine.log).not.toContain(hidden);
			expect(JSON.stringify(await trigger.staticData())).not.toContain(hidden);
		}
	});
});

describe('what comes out', () => {
	test('data is untouched except for credentials', async () => {
		const { trigger, url } = await published({ events: ['intent_call'] });
		const fields = {
			Authorization: 'Bearer abc',
			api_key: 'k',
			'API-Key': 'k',
			apiKey: 'k',
			access_token: 't',
			token: 't',
			secret: 's',
			secret_key: 's',
			password: 'p',
			account_domain: 'acme.example.com',
			token_count: 5,
			secrets: ['kept'],
			empty: '',
			nothing: null,
			zero: 0,
			no: false,
		};
		const data = {
			fields,
			webhook: { url: 'https://x.example.com', auth_token: { inside: 1 } },
			list: [{ PASSWORD: ['a'] }, 1, 'a'],
			at: '2026-05-06T07:08:09-03:00',
			token: null,
		};
		await post(url, event(data, 'intent_call'));
		const hidden = '********';
		const shown = {
			...fields,
			Authorization: hidden,
			api_key: hidden,
			'API-Key': hidden,
			apiKey: hidden,
			access_token: hidden,
			token: hidden,
			secret: hidden,
			secret_key: hidden,
			password: hidden,
		};
		expect((await trigger.emitted())[0].data).toEqual({
			...data,
			fields: shown,
			webhook: { url: 'https://x.example.com', auth_token: hidden },
			list: [{ PASSWORD: hidden }, 1, 'a'],
			token: null,
		});
	});

	// interface: §6 payload shapes
	test('fields beside the event, a list or text under data come out as data', async () => {
		const { trigger, url } = await published();
		await post(
			url,
			JSON.stringify({ event: 'conversation_end_report', number: '+1', api_key: 'x' }),
		);
		await post(url, event([1, { a: 2 }]));
		await post(url, event('text'));
		await post(url, event(null));
		expect((await trigger.emitted()).map(({ data }) => data)).toEqual([
			{ number: '+1', api_key: '********' },
			[1, { a: 2 }],
			'text',
			null,
		]);
	});

	// interface: §6 causes
	test('an event that the interface does not name passes, marked', async () => {
		const { trigger, url } = await published();
		expect(await post(url, event({ a: 1 }, 'conversation_archived'))).toMatchObject({
			status: 200,
			data: { message: 'Received' },
		});
		expect(await trigger.emitted()).toMatchObject([
			{ event: 'conversation_archived', knownEvent: false, data: { a: 1 } },
		]);
	});

	test('events, channels and agents that are not asked for are answered at once and start nothing', async () => {
		const { trigger, url } = await published({
			events: ['conversation_end_report', 'conversation_status'],
			options: { channels: ['whatsapp', 'call'] },
		});
		const answers = [
			await post(url, event({ channel: 'sms' })),
			await post(url, event({ channel: 'whatsapp' }, 'voice_evaluation')),
			await post(url, event({ session_type: 'text', channel: 'Instagram' })),
		];
		for (const { status, data } of answers)
			expect([status, data]).toEqual([200, { message: 'Received and ignored' }]);
		expect(await started(trigger)).toBe(0);
		for (const data of [
			{ channel: 'WhatsApp' },
			{ session_type: 'voice' },
			{ channel: 'Call' },
			{ number: '+1' },
		])
			expect((await post(url, event(data))).status).toBe(200);
		expect(await trigger.emitted()).toHaveLength(4);

		const [, { agent_uuid: other }] = await sandbox.state('agents');
		await trigger.setParameters({ agents: [other] });
		expect(await post(url, event())).toMatchObject({
			status: 200,
			data: { message: 'Received and ignored' },
		});
		expect(await trigger.emitted()).toHaveLength(4);
	});

	// interface: §6 payload shapes
	test('simplified: at most ten fields, the known ones first', async () => {
		const { trigger, url } = await published({ options: { simplify: true } });
		const others = Object.fromEntries('abcdefgh'.split('').map((key) => [key, key]));
		await post(
			url,
			event({
				...others,
				call_id: 'x',
				conversation_uuid: 'c',
				contact_info: { phone_number: '+12125550101' },
				session_type: 'voice',
				number: '+12125550101',
				duration: 42,
				timestamp: 't',
			}),
		);
		await post(url, event({ other: 1 }));
		expect((await trigger.emitted()).map(({ data }) => data)).toEqual([
			{
				conversation_uuid: 'c',
				session_type: 'voice',
				number: '+12125550101',
				call_id: 'x',
				duration: 42,
				timestamp: 't',
				a: 'a',
				b: 'b',
				c: 'c',
				d: 'd',
			},
			{ other: 1 },
		]);
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
				events: ['conversation_end_report', 'voice_evaluation'],
				options: { simplify: true, channels: ['call'], signature: 'required' },
			});
			const { data } = await sandbox.api.post('/call', {
				agentId: agent,
				participant: { number: '+12125550101' },
			});
			await trigger.waitForCalls(2);
			const items = await trigger.emitted();
			const first = eventShape === 'nameless' ? 'unknown' : 'conversation_end_report';
			expect(items.map(({ event: name }) => name)).toEqual([
				first,
				eventShape === null || eventShape === 'beside' || eventShape === 'ids'
					? 'voice_evaluation'
					: first,
			]);
			const whose = items.map((item) => item.data.conversation_uuid);
			expect(whose).toEqual([data.data.conversation_uuid, data.data.conversation_uuid]);
			expect(items[1].data.session_evaluation_uuid).toMatch(/^[0-9a-f-]{36}$/);
			expect(items[1].data.success).toBe(eventShape === 'ids' ? undefined : 'yes');
			expect(new Set(items.map(({ deliveryId }) => deliveryId)).size).toBe(2);
		},
	);

	// interface: §6 retries
	test('the delivery ID: from the body, else the same for the same body; that of a header beside it', async () => {
		const { trigger, url } = await published();
		const named = { event: 'conversation_end_report', delivery_id: 7, data: {} };
		await post(url, JSON.stringify(named), { 'webhook-id': 'd-0' });
		await post(url, JSON.stringify({ ...named, delivery_id: '', event_id: 'e-8' }));
		await post(url, event({ a: 1 }), { 'x-delivery-id': 'd-1', 'idempotency-key': 'd-2' });
		await post(url, event({ a: 1 }));
		await post(url, event({ a: 2 }));
		const items = await trigger.emitted();
		expect(items.map(({ deliveryHeaderId }) => deliveryHeaderId)).toEqual([
			'd-0',
			null,
			'd-1',
			null,
			null,
		]);
		const ids = items.map(({ deliveryId }) => deliveryId);
		expect(ids.slice(0, 2)).toEqual(['7', 'e-8'].map((id) => `${id} conversation_end_report`));
		expect(ids[2]).toMatch(/^body-[0-9a-f]{32}$/);
		expect(ids[3]).toBe(ids[2]);
		expect(ids[4]).not.toBe(ids[2]);
	});
});

describe('what is not an event starts nothing and gets a status that says so', () => {
	const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
	test.each<[string, string | Buffer, Record<string, string>, number]>([
		['broken JSON', '{"event": "conv', {}, 422],
		['an empty body', '', {}, 400],
		['an empty object', '{}', {}, 400],
		['an array', '[{"event":"conversation_end_report"}]', {}, 400],
		['a number', '5', {}, 400],
		['null', 'null', {}, 400],
		[
			'a form',
			'event=conversation_end_report',
			{ 'content-type': 'application/x-www-form-urlencoded' },
			415,
		],
		['text', 'hello', { 'content-type': 'text/plain' }, 415],
		['bytes', Buffer.from([0, 255, 254, 1]), { 'content-type': 'application/octet-stream' }, 415],
		[
			'bytes that are no JSON of another type',
			'{',
			{ 'content-type': 'application/vnd.api+json' },
			415,
		],
		['nothing at all of another type', '', { 'content-type': 'application/octet-stream' }, 400],
		[
			'5 MB of another type',
			Buffer.alloc(5_000_000),
			{ 'content-type': 'application/octet-stream' },
			413,
		],
		['multipart of another kind', '--x--', { 'content-type': 'multipart/mixed; boundary=x' }, 415],
		[
			'multipart',
			'--x\r\ncontent-disposition: form-data; name="event"\r\n\r\nx\r\n--x--',
			{ 'content-type': 'multipart/form-data; boundary=x' },
			415,
		],
		[
			'5 MB',
			JSON.stringify({ event: 'conversation_end_report', data: 'x'.repeat(5_000_000) }),
			{},
			413,
		],
		[
			'5 MB of levels',
			JSON.stringify({ event: 'conversation_end_report', data: '[]' }).replace(
				'"[]"',
				`${'['.repeat(2_500_000)}${']'.repeat(2_500_000)}`,
			),
			{},
			413,
		],
		['150 levels', `{"event":"conversation_end_report","data":${nested(150)}}`, {}, 400],
		['2 MB of levels', `{"event":"conversation_end_report","data":${nested(300_000)}}`, {}, 400],
	])('%s', async (_, body, headers, status) => {
		const { trigger, url } = await published();
		const answer = await post(url, body, headers);
		expect(answer.status).toBe(status);
		expect(JSON.stringify(answer.data)).not.toContain('stack');
		expect(await started(trigger)).toBe(0);
		expect((await post(url, event())).status).toBe(200);
		expect(await trigger.emitted()).toHaveLength(1);
	});

	test('a signature over a body of another type counts', async () => {
		const secret = 'the-secret-of-the-credential-itself';
		const { trigger, url } = await published(
			{ options: { signature: 'required' } },
			{ webhookSecret: secret },
		);
		const body = event();
		await post(url, body, {
			'content-type': 'application/octet-stream',
			'x-signature': sign(body, secret),
		});
		expect(await trigger.emitted()).toMatchObject([{ signatureVerified: true }]);
	});

	test('a stranger learns nothing about the limit', async () => {
		const { trigger } = await published();
		expect(
			(await post(trigger.url, JSON.stringify({ event: 'x', data: 'x'.repeat(5_000_000) }))).status,
		).toBe(401);
	});

	test('unusual events come through whole', async () => {
		const { trigger, url } = await published();
		const keys = Object.fromEntries(
			Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, index]),
		);
		const unicode = { text: 'ğüşiöç \u0000 😀 \ud800 ‮', 'ключ 键 🔑': [] };
		await post(url, event(keys));
		await post(url, event(unicode));
		await post(
			url,
			`{"event":"conversation_end_report","data":{"__proto__":{"polluted":true},"constructor":{"a":1}}}`,
		);
		await post(url, Buffer.from(`\ufeff${event({ bom: true })}`));
		await post(url, event({ typeless: true }), { 'content-type': 'text/plain' });
		await post(url, event({ json: 'api' }), { 'content-type': 'application/vnd.api+json' });
		await post(url, event({ bytes: true }), { 'content-type': 'application/octet-stream' });
		await post(url, event({ doubled: true }), {
			'x-delivery-id': ['a', 'b'],
			'x-signature': ['x', 'y'],
		});
		const data = (await trigger.emitted()).map((item) => item.data);
		expect(data[0]).toEqual(keys);
		expect(data[1]).toEqual(unicode);
		expect(({} as any).polluted).toBeUndefined();
		expect(data.slice(3)).toEqual([
			{ bom: true },
			{ typeless: true },
			{ json: 'api' },
			{ bytes: true },
			{ doubled: true },
		]);
	});
});

describe('bodies that only the node reads', () => {
	const bytes = { 'content-type': 'application/octet-stream' };
	const packed = { ...bytes, 'content-encoding': 'gzip' };

	test('without a length, larger than the limit of the node, and than the one of n8n: 413', async () => {
		const { trigger, url } = await published();
		for (const megabytes of [5, 17])
			expect(
				(
					await post(
						url,
						Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(1_048_576, 32))),
						bytes,
					)
				).status,
			).toBe(413);
		expect(await started(trigger)).toBe(0);
	});

	test('compressed: read, or refused when they are not what they say', async () => {
		const { trigger, url } = await published();
		expect((await post(url, gzipSync(event({ packed: true })), packed)).status).toBe(200);
		expect(await post(url, event(), packed)).toMatchObject({
			status: 400,
			data: { message: 'The body cannot be read' },
		});
		expect((await trigger.emitted()).map(({ data }) => data)).toEqual([{ packed: true }]);
	});
});
