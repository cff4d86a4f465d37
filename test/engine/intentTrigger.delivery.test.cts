/** What the ACP Intent Trigger makes of requests: who is let in, what comes out, what is answered and when. */
import axios, { type AxiosResponse } from 'axios';
import { Agent } from 'node:http';
import { usePlatform, type Trigger } from './harness/index.cts';

const { sandbox, engine } = usePlatform({
	settings: { call: { lifeMs: 60_000 } },
	engine: { debugLog: true },
});

const declared = [
	{ key: 'guests', default: '', type: 'integer', required: true },
	{ key: 'day', default: 'Friday', type: 'string', required: false },
	{ key: 'outside', default: '', type: 'boolean', required: false },
];

/** A published trigger, its agent and intent, and the callback URL that the platform has. */
async function published(
	parameters: object = {},
	options: { after?: object; credential?: object } = {},
) {
	const [{ agent_uuid: agent }] = await sandbox.state('agents');
	const created = await sandbox.api.post(`/agents/${agent}/intents`, {
		name: 'Book a table',
		parameters: declared,
	});
	const intent: string = created.data.data.intent_uuid;
	const trigger = await engine.trigger(
		'acpIntentTrigger',
		{ agent, intent, ...parameters } as never,
		{
			credentials: { acpApi: sandbox.credential(options.credential as never) },
			...(options.after && { after: options.after as never }),
		},
	);
	await trigger.activate();
	const { data } = await sandbox.api.get(`/agents/${agent}`);
	const own = data.data.intents.find((one: any) => one.intent_uuid === intent);
	const { url, auth_token: authToken } = own.webhook;
	return {
		agent: agent as string,
		intent,
		trigger,
		url: url as string,
		authToken: authToken as string,
	};
}

async function post(
	url: string,
	body: unknown = { parameters: { guests: '4' } },
	headers: Record<string, string> = {},
	more: object = {},
): Promise<AxiosResponse> {
	return await axios.post(url, typeof body === 'string' ? body : JSON.stringify(body), {
		headers: { 'content-type': 'application/json', ...headers },
		transformRequest: (data) => data as never,
		transformResponse: (data) => data as never,
		validateStatus: () => true,
		proxy: false,
		maxBodyLength: Infinity,
		...more,
	});
}

const started = async (trigger: Trigger) =>
	(await trigger.calls()).filter(({ executionId }) => executionId !== undefined).length;
const items = (...list: object[]) => ({
	type: 'harness.items',
	parameters: { items: list.map((json) => ({ json })) },
});
const ends = (how: string, ms = 0) => ({ type: 'harness.ends', parameters: { how, ms } });
const sorry = 'Nobody can tell right now.';
const said = { fallbackText: sorry };
const inText = { ...said, responseField: 'answer' };

async function call(agent: string) {
	const { status } = await sandbox.api.post('/call', {
		agentId: agent,
		participant: { number: '+12125550101' },
	});
	expect(status).toBe(201);
}

describe('in a call of the platform', () => {
	test.each(['flat', 'nested', 'tool'])(
		'a request of the shape %s is one item',
		async (request) => {
			const { agent, intent, trigger } = await published();
			await sandbox.settings({ intents: { request } });
			await call(agent);
			const entry = await sandbox.triggerIntent({
				agent,
				intent,
				parameters: { guests: 4, outside: true, note: 'by the window' },
			});
			expect(entry).toMatchObject({ status: 200, error: null });
			const [item] = await trigger.emitted();
			expect(Object.keys(item)).toEqual([
				'intent',
				'agent',
				'parameters',
				'conversation',
				'contact',
				'contactFrom',
				'body',
				'receivedAt',
				'answerBy',
			]);
			expect(item).toMatchObject({
				intent,
				agent,
				parameters: { guests: 4, day: 'Friday', outside: true, note: 'by the window' },
				conversation: entry.conversationUuid,
				contact: { phone_number: '+12125550101' },
			});
			expect(Date.parse(item.receivedAt)).not.toBeNaN();
			expect(JSON.parse(JSON.stringify(item.body))).toEqual(entry.request.body);
		},
	);

	test.each([
		['model', {}, 'At seven, 2'],
		['text', { responseField: 'answer' }, 'At seven'],
		['field', {}, 'At seven'],
	])('read as %s, with %j, the agent speaks %s', async (answer, parameters, spoken) => {
		const { agent, intent } = await published(parameters, {
			after: items({ answer: 'At seven', free: 2 }, { answer: 'never' }),
		});
		await sandbox.settings({ intents: { answer } });
		await call(agent);
		const entry = await sandbox.triggerIntent({ agent, intent, parameters: { guests: 4 } });
		expect(entry.spoken).toBe(spoken);
	});
});

describe('who is let in', () => {
	test('wrong, missing, empty, doubled or foreign token: 401, nothing starts, nothing leaks', async () => {
		const { agent, intent, trigger, url } = await published();
		const other = new URL(url);
		other.searchParams.set('intent', agent);
		const bare = trigger.url;
		const token = new URL(url).searchParams.get('token')!;
		for (const wrong of [
			bare,
			`${bare}?agent=${agent}&intent=${intent}`,
			`${bare}?agent=${agent}&token=${token}`,
			`${bare}?agent=${agent}&intent=${intent}&token=`,
			`${url}x`,
			`${url}&token=${token}`,
			other.href,
		]) {
			const answer = await post(wrong);
			expect([wrong, answer.status, answer.data]).toEqual([
				wrong,
				401,
				'{"message":"Unauthorized"}',
			]);
		}
		expect(await started(trigger)).toBe(0);
	});

	test.each([
		['Authorization', (token: string) => `Bearer ${token}`, 200],
		['Authorization', (token: string) => token, 200],
		['X-Auth-Token', (token: string) => token, 200],
		['X-Whatever', (token: string) => token, 200],
		['Authorization', () => 'Bearer wrong', 401],
		['X-Auth-Token', () => 'wrong', 401],
		['AuthToken', () => 'wrong', 401],
		['auth_token', () => 'wrong', 401],
		['Proxy-Authorization', () => 'Bearer wrong', 401],
		['Authorization', () => 'Basic dXNlcjpwYXNz', 200],
		['X-Request-Id', () => 'wrong', 200],
	])('auth token in %s (%s): %i', async (header, value, status) => {
		const { trigger, url, authToken } = await published();
		expect((await post(url, {}, { [header]: value(authToken) })).status).toBe(status);
		expect(await started(trigger)).toBe(status === 200 ? 1 : 0);
	});

	test('required, a request without it is refused; off, a wrong one is let in', async () => {
		const required = await published({ options: { authToken: 'required' } });
		expect((await post(required.url, {})).status).toBe(401);
		expect((await post(required.url, {}, { 'x-auth-token': required.authToken })).status).toBe(200);
		const off = await published({ options: { authToken: 'off' } });
		expect((await post(off.url, {}, { authorization: 'Bearer wrong' })).status).toBe(200);
	});

	test('the API token changed: the registration goes on, auth token and all', async () => {
		const { trigger, url, authToken } = await published();
		const { token } = await sandbox.addToken('workspace');
		await trigger.setCredentials({ acpApi: sandbox.credential({ token }) });
		expect((await post(url, {}, { authorization: `Bearer ${authToken}` })).status).toBe(200);
		await trigger.setCredentials({});
		expect((await post(url, {}, { authorization: `Bearer ${authToken}` })).status).toBe(200);
		expect((await post(`${url}x`)).status).toBe(401);
	});

	test('static data is lost: the token proves itself', async () => {
		const { agent, intent, trigger, url, authToken } = await published();
		const amnesiac = await engine.trigger(
			'acpIntentTrigger',
			{ agent, intent },
			{
				workflowId: `workflow-${trigger.info.webhookId.slice(0, 8)}`,
				webhookId: trigger.info.webhookId,
			},
		);
		await trigger.deactivate();
		await sandbox.strike('PATCH ', 503);
		await sandbox.strike('^/agents', 503);
		await amnesiac.activate('init').catch(() => undefined);
		await sandbox.clearFaults();
		await amnesiac.activate();
		const again = await post(url, {}, { 'x-auth-token': authToken });
		expect(again.status).toBe(200);
	});

	test('neither token nor auth token nor credential shows in items, static data or log', async () => {
		const { trigger, url, authToken } = await published();
		await post(
			url,
			{ auth_token: authToken, parameters: { guests: 4, token: 'hidden-1' }, api_key: 'hidden-2' },
			{ authorization: `Bearer ${authToken}` },
		);
		const shown = JSON.stringify([await trigger.emitted(), await trigger.state()]);
		expect(shown).toContain('"guests":4');
		for (const secret of [
			authToken,
			new URL(url).searchParams.get('token')!,
			sandbox.token,
			'hidden-1',
			'hidden-2',
		]) {
			expect(shown).not.toContain(secret);
			expect(engine.log).not.toContain(secret);
		}
	});

	test('for an intent that the node no longer answers for: the text, and nothing starts', async () => {
		const { agent, trigger, url } = await published(said);
		const second = await sandbox.api.post(`/agents/${agent}/intents`, { name: 'Other' });
		await trigger.setParameters({ agent, intent: second.data.data.intent_uuid, ...said });
		await sandbox.settings({ intents: { emptyAddress: false } });
		await trigger.activate('update');
		const { registrations } = await trigger.staticData();
		expect(registrations).toHaveLength(2);
		expect((await post(url)).data).toBe(JSON.stringify({ message: sorry }));
		expect(await started(trigger)).toBe(0);
	});
});

describe('what comes out', () => {
	test.each([
		['named', { parameters: { guests: '4' } }],
		['as numbers', { params: { guests: 4 } }],
		['as a list', { data: { parameters: [{ key: 'guests', value: '4' }] } }],
		['as a list with names', { intent: { parameters: [{ name: 'guests', value: 4 }] } }],
		['as JSON text', { arguments: '{"guests":4}' }],
		['inside a call', { call: { args: { guests: '4' } } }],
		['at the top', { guests: '4' }],
		['under data', { data: { guests: 4 } }],
	])('parameters %s', async (_, body) => {
		const { trigger, url } = await published();
		await post(url, body);
		const [{ parameters }] = await trigger.emitted();
		expect(parameters).toEqual({ guests: 4, day: 'Friday', outside: null });
	});

	test.each([
		['integer', '4', 4],
		['integer', 'four', 'four'],
		['number', '4.5', 4.5],
		['number', '', null],
		['boolean', 'Yes', true],
		['boolean', 0, false],
		['boolean', 'maybe', 'maybe'],
		['string', 4, '4'],
		['object', '{"a":1}', { a: 1 }],
		['object', 'plain', 'plain'],
		['date', '2026-11-22', '2026-11-22'],
	])('a value of type %s, %j, is %j', async (type, value, typed) => {
		const { agent, intent, trigger, url } = await published();
		await sandbox.api.patch(`/agents/${agent}/intents/${intent}`, {
			name: 'Book a table',
			parameters: [{ key: 'x', type, default: '', required: false }],
		});
		await trigger.activate('update');
		await post(url, { parameters: { x: value } });
		expect((await trigger.emitted())[0].parameters).toEqual({ x: typed });
	});

	// interface: §2.8 request and answer
	test('conversation and contact from wherever they stand; null where nobody says', async () => {
		const { trigger, url } = await published();
		const bodies = [
			{ conversation_uuid: 'c-1', number: '+1555' },
			{
				data: {
					conversation: { uuid: 'c-1' },
					contact_info: { uuid: 'u', name: 'Ada', phone_number: '+1555', email: 'a@b.c' },
				},
			},
			{ call: { conversationId: 'c-1' }, customer: { number: '+1555' } },
			{},
		];
		for (const body of bodies) await post(url, body);
		const emitted = await trigger.emitted();
		expect(emitted.map(({ conversation }) => conversation)).toEqual(['c-1', 'c-1', 'c-1', null]);
		expect(emitted.map(({ contact }) => contact.phone_number)).toEqual([
			'+1555',
			'+1555',
			'+1555',
			null,
		]);
		expect(emitted[1].contact).toEqual({
			uuid: 'u',
			name: 'Ada',
			phone_number: '+1555',
			email: 'a@b.c',
		});
		expect(emitted[3]).toMatchObject({ body: {}, contact: { uuid: null, name: null } });
		expect(emitted.map(({ contactFrom }) => contactFrom.phone_number)).toEqual([
			'number',
			'data.contact_info.phone_number',
			'customer.number',
			null,
		]);
	});

	test('numbers come out as they were said and sent', async () => {
		const large = '12345678901234567890';
		const { agent, intent, trigger, url } = await published();
		await sandbox.api.patch(`/agents/${agent}/intents/${intent}`, {
			name: 'Book a table',
			parameters: ['a', 'b', 'c', 'd'].map((key) => ({
				key,
				type: 'integer',
				default: '',
				required: false,
			})),
		});
		await trigger.activate('update');
		const asJson = `{"parameters":{"a":${large},"b":"+905551234567","c":"00042","d":"42"}}`;
		for (const type of ['application/json', 'text/plain', 'application/json; charset=utf-8'])
			await post(url, type === 'text/plain' ? asJson : `\uFEFF${asJson}`, { 'content-type': type });
		const parameters = { a: large, b: '+905551234567', c: '00042', d: 42 };
		const emitted = await trigger.emitted();
		expect(emitted.map((item) => item.parameters)).toEqual([parameters, parameters, parameters]);
		expect(emitted[0].body.parameters.a).toBe(large);
	});

	test.each([
		['an empty body', '', 'application/json', 200, {}],
		['a form', 'guests=4', 'application/x-www-form-urlencoded', 200, { guests: '4' }],
		['JSON under another type', '{"guests":4}', 'text/plain', 200, { guests: 4 }],
		['JSON that is cut', '{"guests":', 'application/json', 422, undefined],
		['a list', '[1]', 'application/json', 400, undefined],
		['no JSON', 'guests', 'text/plain', 415, undefined],
		['a form in parts', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x', 415, undefined],
		['too deep', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'application/json', 400, undefined],
	])('%s: of the body %j as %s the status is %i', async (_, body, type, status, expected) => {
		const { trigger, url } = await published();
		expect((await post(url, body, { 'content-type': type })).status).toBe(status);
		const emitted = await trigger.emitted();
		expect(emitted.map((item) => item.body)).toEqual(expected ? [expected] : []);
	});

	test('a stranger learns nothing about the limit', async () => {
		const { trigger, url } = await published();
		const large = JSON.stringify({ x: 'x'.repeat(4_300_000) });
		expect((await post(url, large)).status).toBe(413);
		expect((await post(trigger.url, large)).status).toBe(401);
	});
});

describe('Evidence: what the customer says is taken for who the customer is', () => {
	const keys = ['number', 'phone_number', 'email', 'contact_uuid', 'contact_name', 'customer'];
	const said = Object.fromEntries(keys.map((key) => [key, `${key} as said`]));
	const nobody = { uuid: null, name: null, phone_number: null, email: null };

	async function emittedFor(declares: string[], bodies: object[], staticDataIsLost = false) {
		const { agent, intent, trigger, url } = await published();
		await sandbox.api.patch(`/agents/${agent}/intents/${intent}`, {
			name: 'Book a table',
			parameters: declares.map((key) => ({ key, type: 'string', default: '', required: false })),
		});
		await trigger.activate('update');
		if (staticDataIsLost) await trigger.setStaticData({});
		for (const body of bodies) await post(url, body);
		return await trigger.emitted();
	}

	test('the intent declares parameters called like a contact: they are parameters, and no contact', async () => {
		const person = { uuid: 'u', name: 'Ada', phone_number: '+1', email: 'a@b.c' };
		const emitted = await emittedFor(keys, [
			said,
			{ data: said },
			{ call: said },
			{ ...said, contact_info: person },
		]);
		expect(emitted.map(({ contact }) => contact)).toEqual([nobody, nobody, nobody, person]);
		expect(emitted.map(({ parameters }) => parameters)).toEqual([said, said, said, said]);
		expect(emitted[3].contactFrom).toEqual({
			uuid: 'contact_info.uuid',
			name: 'contact_info.name',
			phone_number: 'contact_info.phone_number',
			email: 'contact_info.email',
		});
	});

	test('what the intent declares is lost: only fields of a person are the contact', async () => {
		const bodies = [said, { data: said }, { ...said, caller: { number: '+1' } }];
		const emitted = await emittedFor([], bodies, true);
		expect(emitted.map(({ contact }) => contact)).toEqual([
			nobody,
			nobody,
			{ ...nobody, phone_number: '+1' },
		]);
	});
});

describe('the answer is the first item or a field of it, else the text for no answer', () => {
	const nothing = { a: null, b: '  ', c: [], d: { e: [null, { f: '-' }] } };
	const stack = 'connect ECONNREFUSED 10.0.0.5:5432 at /opt/db.js:1';
	const error = stack;
	const sorryJson = { message: sorry };
	const goesOn = { onError: 'continueRegularOutput' };
	const lostContact = {
		type: 'n8n-nodes-agent-conversation-platform.acpContacts',
		parameters: { resource: 'contact', operation: 'get', contact: 'no ID' },
	};

	test.each([
		['the whole first item', said, items({ a: 1, b: [2] }, { a: 2 }), 'json', { a: 1, b: [2] }],
		['an item that says no', said, items({ free: false }), 'json', { free: false }],
		['an item without fields', said, items({}), 'json', { message: sorry }],
		['an item with nothing in it', said, items(nothing), 'json', { message: sorry }],
		['a field with nothing in it', inText, items({ answer: nothing, a: 1 }), 'plain', sorry],
		['a field without a word', inText, items({ answer: ' … 😀 ' }), 'plain', sorry],
		['an empty list', inText, items({ answer: [] }), 'plain', sorry],
		['a word in another script', inText, items({ answer: '七' }), 'plain', '七'],
		['one field', inText, items({ answer: 'At seven' }), 'plain', 'At seven'],
		['a field that is a number', inText, items({ answer: 7 }), 'plain', '7'],
		['a field that is an object', inText, items({ answer: { at: 7 } }), 'plain', '{"at":7}'],
		['a path', { ...inText, responseField: 'a.b' }, items({ a: { b: 'x' } }), 'plain', 'x'],
		['a key with a dot', { ...inText, responseField: 'a.b' }, items({ 'a.b': 'x' }), 'plain', 'x'],
		['a field that is not there', inText, items({ other: 1 }), 'plain', sorry],
		['an empty field', inText, items({ answer: '' }), 'plain', sorry],
		['a workflow that fails', inText, ends('fail'), 'plain', sorry],
		['a workflow that fails, as JSON', said, ends('fail'), 'json', { message: sorry }],
		['no items', inText, ends('nothing'), 'plain', sorry],
		['no items, as JSON', said, items(), 'json', { message: sorry }],
		['an error beside an answer', inText, items({ answer: 'Booked', error }), 'plain', sorry],
		['an error with a message', said, items({ error: { stack }, message: 'x' }), 'json', sorryJson],
		[
			'the message of an error',
			{ ...said, responseField: 'message' },
			items({ error, message: stack }),
			'plain',
			sorry,
		],
		['an error that is none', said, items({ a: 1, error: '' }), 'json', { a: 1, error: '' }],
		['error: false', inText, items({ answer: 'Booked', error: false }), 'plain', 'Booked'],
		['a node that fails and goes on', said, { ...ends('fail'), ...goesOn }, 'json', sorryJson],
		['a node of this package that goes on', said, { ...lostContact, ...goesOn }, 'json', sorryJson],
	])('%s', async (_, parameters, after, type, answer) => {
		const { url } = await published(parameters, { after });
		const { status, headers, data } = await post(url);
		expect(status).toBe(200);
		expect(headers['content-type']).toMatch(
			type === 'json' ? 'application/json' : 'text/plain; charset=utf-8',
		);
		expect(type === 'json' ? JSON.parse(data) : data).toEqual(answer);
	});

	test('immediately: the text, and the workflow goes on by itself', async () => {
		const { trigger, url } = await published(
			{ respond: 'immediately', responseText: 'Wird erledigt – gleich!' },
			{ after: ends('fail') },
		);
		const { status, headers, data } = await post(url);
		expect([status, headers['content-type'], data]).toEqual([
			200,
			'text/plain; charset=utf-8',
			'Wird erledigt – gleich!',
		]);
		expect((await trigger.executions()).map((result) => result.status)).toEqual(['error']);
	});

	test('a long answer comes through whole', async () => {
		const text = 'Şükrü 😀 '.repeat(20_000);
		const { url } = await published(inText, { after: items({ answer: text }) });
		expect((await post(url)).data).toBe(text);
	});

	test.each([
		['an empty text', { respond: 'immediately', responseText: ' ' }],
		['a text without a word', { respond: 'immediately', responseText: '…' }],
		['an expression in it', { respond: 'immediately', responseText: '=Hello {{ $json.a }}' }],
		[
			'an expression that fails',
			{ respond: 'immediately', responseText: "={{ $('No').first() }}" },
		],
		['no fallback text of its own', {}],
		['an empty fallback text', { fallbackText: '' }],
		['an expression as fallback text', { fallbackText: "={{ $('No').first() }}" }],
	])(
		'a workflow that was published with %s before says the standard text',
		async (_, parameters) => {
			const { agent, intent, trigger, url } = await published({ responseField: 'answer' });
			await trigger.setParameters({
				agent,
				intent,
				responseField: 'answer',
				...parameters,
			} as never);
			await trigger.activate('init');
			const { status, data } = await post(url);
			expect([status, data]).toEqual([
				200,
				'respond' in parameters
					? 'Thank you, that is on its way.'
					: 'I am sorry, I cannot find that out right now.',
			]);
			expect(engine.log).toContain('ACP Intent Trigger says "');
			expect(await started(trigger)).toBe(1);
		},
	);

	test.each([
		['a field', { responseField: "={{ $('No').first() }}" }, sorry],
		['the timeout', { options: { responseTimeout: "={{ $('No').first() }}" } }, sorryJson],
		['when to answer', { respond: "={{ $('No').first() }}" }, sorryJson],
	])(
		'an expression that fails in %s: the fallback text, and n8n records why',
		async (_, wrong, answer) => {
			const { agent, intent, trigger, url } = await published(said);
			await trigger.setParameters({ agent, intent, ...said, ...wrong } as never);
			const { status, data } = await post(url);
			expect([status, typeof answer === 'string' ? data : JSON.parse(data)]).toEqual([200, answer]);
			expect((await trigger.executions()).map((result) => result.status)).toEqual(['error']);
			expect((await post(`${url}x`)).status).toBe(401);
		},
	);

	test.each([
		['fails', ends('fail'), 'error'],
		['gives nothing', ends('nothing'), 'success'],
	])('the execution of a workflow that %s is recorded as it went', async (_, after, status) => {
		const { trigger, url } = await published(said, { after });
		await post(url);
		expect((await trigger.executions()).map((result) => result.status)).toEqual([status]);
	});
});

describe('the item says until when the caller waits', () => {
	test.each([
		['the option', { options: { responseTimeout: 3 } }, 3000],
		['ten seconds', {}, 10_000],
		['nobody waits', { respond: 'immediately', responseText: 'On its way' }, null],
	])('%s', async (_, parameters, waits) => {
		const { trigger, url } = await published(parameters);
		await post(url);
		const [{ receivedAt, answerBy }] = await trigger.emitted();
		expect(answerBy && Date.parse(answerBy) - Date.parse(receivedAt)).toBe(waits);
	});
});

describe('a workflow that takes too long', () => {
	const slow = { ...inText, options: { responseTimeout: 1 } };

	// interface: §2.8 request and answer
	test('is answered for in time; it ends as it ends, and the next request on the connection is not lost', async () => {
		const { trigger, url } = await published(slow, { after: ends('wait', 1500) });
		const httpAgent = new Agent({ keepAlive: true, maxSockets: 1 });
		const first = await post(url, {}, {}, { httpAgent });
		expect([first.status, first.data]).toEqual([200, sorry]);
		// It is under way when n8n answers the first one.
		const second = await post(url, {}, {}, { httpAgent });
		expect([second.status, second.data]).toEqual([200, sorry]);
		const executions = await trigger.executions();
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		const third = await post(url, {}, {}, { httpAgent });
		expect([third.status, third.data]).toEqual([200, sorry]);
		httpAgent.destroy();
		expect(engine.log).not.toContain('Response could not be sent');
	});

	test('and fails in the end', async () => {
		const { trigger, url } = await published(slow, { after: ends('fail', 1300) });
		expect((await post(url)).data).toBe(sorry);
		expect((await trigger.executions()).map(({ status }) => status)).toEqual(['error']);
		expect(engine.log).not.toContain('Response could not be sent');
	});

	test('a caller that hangs up harms nobody', async () => {
		const { trigger, url } = await published(slow, { after: ends('wait', 300) });
		await expect(post(url, {}, {}, { timeout: 100 })).rejects.toThrow('timeout');
		await trigger.waitForCalls(1);
		await trigger.executions();
		expect((await post(url)).status).toBe(200);
		expect(engine.log).not.toContain('Response could not be sent');
	});
});

describe('a text that could be missing when somebody waits is refused', () => {
	const text = 'Enter a fixed text';
	test.each([
		[
			'an expression',
			{ respond: 'immediately', responseText: '={{ 1 }}' },
			`'Text' is an expression`,
		],
		['no word', { respond: 'immediately', responseText: ' - ' }, `'Text' has no word in it`],
		['an expression', { fallbackText: '=Sorry {{ 1 }}' }, `'Fallback Text' is an expression`],
		['no word', { fallbackText: '' }, `'Fallback Text' has no word in it`],
	])('%s in %j', async (what, parameters, message) => {
		const { agent, intent, trigger, url } = await published();
		await trigger.deactivate();
		await trigger.setParameters({ agent, intent, ...parameters } as never);
		await expect(trigger.activate()).rejects.toThrow(message);
		await expect(trigger.listen()).rejects.toThrow(what === 'no word' ? message : text);
		expect((await post(url)).status).toBe(404);
		await trigger.setParameters({ agent, intent, ...said });
		await trigger.activate();
		expect((await post(url)).status).toBe(200);
	});
});
