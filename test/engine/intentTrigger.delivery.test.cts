/**
 * What the Agent Question Trigger makes of requests: who is let in, what comes out, what is answered and when. What is read
 * from which place, and what is said of which answer, is in unit/intentRequest and unit/intentAnswer.
 */
import { Agent } from 'node:http';
import { usePlatform, type Trigger } from './harness/index.cts';
import { post as postAny, tokenOf, triggersOn } from './harness/triggers.cts';

const platform = usePlatform({
	settings: { call: { lifeMs: 60_000 } },
	engine: { debugLog: true },
});
const { sandbox, engine } = platform;
const { agents, changeIntent, intentOf, intentTrigger, newIntent, started } = triggersOn(platform);

const declared = [
	{ key: 'guests', default: '', type: 'integer', required: true },
	{ key: 'day', default: 'Friday', type: 'string', required: false },
	{ key: 'outside', default: '', type: 'boolean', required: false },
];

/** A published trigger, its agent and intent, and the callback URL that the platform has. */
async function published(parameters: object = {}, after?: object) {
	const [agent] = (await agents()) as [string];
	const intent = await newIntent(agent, { parameters: declared });
	const trigger = await intentTrigger(agent, intent, parameters, (after ? { after } : {}) as never);
	await trigger.activate();
	const { url, auth_token: authToken } = (await intentOf(agent, intent)).webhook;
	const set = async (changes: object) =>
		await trigger.setParameters({ agent, intent, ...changes } as never);
	return { agent, intent, trigger, url, authToken, set };
}

const post = async (url: string, body: unknown = {}, headers: object = {}, more: object = {}) => {
	const asText = { transformResponse: (data: string) => data };
	return await postAny(url, body, headers as never, { ...asText, ...more });
};
const statusesOf = async (trigger: Trigger) =>
	(await trigger.executions()).map(({ status }) => status);

const items = (...list: object[]) => ({
	type: 'harness.items',
	parameters: { items: list.map((json) => ({ json })) },
});
const ends = (how: string, ms = 0) => ({ type: 'harness.ends', parameters: { how, ms } });
const sorry = 'Nobody can tell right now.';
const said = { fallbackText: sorry };
const inText = { ...said, responseField: 'answer' };
const immediately = (responseText: string) => ({ respond: 'immediately', responseText });

async function call(agent: string) {
	const participant = { number: '+12125550101' };
	expect((await sandbox.api.post('/call', { agentId: agent, participant })).status).toBe(201);
}

describe('in a call of the platform', () => {
	test.each(['flat', 'nested', 'tool'])(
		'a request of the shape %s is one item',
		async (request) => {
			const { agent, intent, trigger } = await published();
			await sandbox.settings({ intents: { request } });
			await call(agent);
			const parameters = { guests: 4, outside: true, note: 'by the window' };
			const entry = await sandbox.triggerIntent({ agent, intent, parameters });
			expect(entry).toMatchObject({ status: 200, error: null });
			expect(JSON.parse(JSON.stringify(await trigger.emitted()))).toEqual([
				{
					intent,
					agent,
					parameters: { ...parameters, day: 'Friday' },
					conversation: entry.conversationUuid,
					contact: expect.objectContaining({ phone_number: '+12125550101' }),
					contactFrom: expect.anything(),
					body: entry.request.body,
					receivedAt: expect.stringMatching(/Z$/),
					answerBy: expect.stringMatching(/Z$/),
				},
			]);
		},
	);

	test.each([
		['model', {}, 'At seven, 2'],
		['text', { responseField: 'answer' }, 'At seven'],
		['field', {}, 'At seven'],
	])('read as %s, with %j, the agent speaks %s', async (answer, parameters, spoken) => {
		const after = items({ answer: 'At seven', free: 2 }, { answer: 'never' });
		const { agent, intent } = await published(parameters, after);
		await sandbox.settings({ intents: { answer } });
		await call(agent);
		const entry = await sandbox.triggerIntent({ agent, intent, parameters: { guests: 4 } });
		expect(entry.spoken).toBe(spoken);
	});
});

describe('who is let in', () => {
	test('wrong, missing, empty, doubled or foreign token: 401, nothing starts, nothing leaks', async () => {
		const { agent, intent, trigger, url } = await published();
		const [{ url: bare }, token] = [trigger, tokenOf(url)];
		for (const wrong of [
			...[bare, `${bare}?agent=${agent}&token=${token}`, `${url}x`, `${url}&token=${token}`],
			`${bare}?agent=${agent}&intent=${intent}&token=`,
			...[url.replace(intent, agent), url.replace('intent=', 'intent[]=')],
		])
			expect([wrong, await post(wrong)]).toMatchObject([
				wrong,
				{ status: 401, data: '{"message":"Unauthorized"}' },
			]);
		expect(await started(trigger)).toBe(0);
	});

	test.each`
		header                   | value             | report | required | off
		${'Authorization'}       | ${'Bearer TOKEN'} | ${200} | ${200}   | ${200}
		${'X-Whatever'}          | ${'TOKEN'}        | ${200} | ${200}   | ${200}
		${'Authorization'}       | ${'Bearer wrong'} | ${401} | ${401}   | ${200}
		${'Proxy-Authorization'} | ${'Bearer wrong'} | ${401} | ${401}   | ${200}
		${'AuthToken'}           | ${'wrong'}        | ${401} | ${401}   | ${200}
		${'auth_token'}          | ${'wrong'}        | ${401} | ${401}   | ${200}
		${'Authorization'}       | ${'Basic dXNlcg'} | ${200} | ${401}   | ${200}
		${'X-Request-Id'}        | ${'wrong'}        | ${200} | ${401}   | ${200}
	`('auth token in $header ($value)', async ({ header, value, ...statuses }) => {
		const { trigger, url, authToken, set } = await published();
		const headers = { [header]: value.replace('TOKEN', authToken) };
		const answers: Record<string, number> = {};
		for (const demand of Object.keys(statuses)) {
			await set({ options: { authToken: demand } });
			answers[demand] = (await post(url, {}, headers)).status;
		}
		expect(answers).toEqual(statuses);
		const accepted = Object.values(statuses).filter((status) => status === 200);
		expect(await started(trigger)).toBe(accepted.length);
	});

	test('static data is lost, the API token has changed or cannot be read: token and auth token prove themselves', async () => {
		const { trigger, url, authToken } = await published();
		const statuses = async () => [
			(await post(url, {}, { authorization: `Bearer ${authToken}` })).status,
			(await post(url, {}, { authorization: 'Bearer wrong' })).status,
			(await post(`${url}x`)).status,
		];
		const { staticData } = await trigger.state();
		await trigger.setStaticData({});
		expect(await statuses()).toEqual([200, 401, 401]);
		await trigger.setStaticData(staticData);
		const { token } = await sandbox.addToken('workspace');
		for (const [credentials, says] of [
			[{ acpApi: sandbox.credential({ token }) }, 401],
			[{}, 503],
		]) {
			await trigger.setCredentials(credentials as never);
			expect(await statuses()).toEqual([200, 401, says]);
		}
	});

	test('neither token nor auth token nor credential shows in items, static data or log', async () => {
		const { trigger, url, authToken } = await published();
		const parameters = { guests: 4, token: 'hidden-1' };
		const body = { auth_token: authToken, parameters, api_key: 'hidden-2' };
		await post(url, body, { authorization: `Bearer ${authToken}` });
		const shown = JSON.stringify([await trigger.emitted(), await trigger.state()]);
		expect(shown).toContain('"guests":4');
		for (const secret of [authToken, tokenOf(url), sandbox.token, 'hidden-1', 'hidden-2'])
			for (const text of [shown, await engine.logged()]) expect(text).not.toContain(secret);
	});

	test('for an intent that the node no longer answers for: the text, and nothing starts', async () => {
		const { agent, trigger, url, set } = await published(said);
		await set({ intent: await newIntent(agent, { name: 'Other' }), ...said });
		await sandbox.settings({ intents: { emptyAddress: false } });
		await trigger.activate('update');
		expect((await trigger.staticData()).registrations).toHaveLength(2);
		expect((await post(url)).data).toBe(JSON.stringify({ message: sorry }));
		expect(await started(trigger)).toBe(0);
	});

	test('a stranger learns nothing about the limit', async () => {
		const { trigger, url } = await published();
		const large = JSON.stringify({ x: 'x'.repeat(4_300_000) });
		expect((await post(url, large)).status).toBe(413);
		expect((await post(trigger.url, large)).status).toBe(401);
	});
});

describe('what comes out', () => {
	const typed = (...keys: string[]) =>
		keys.map((key) => ({ key, type: 'string', default: '', required: false }));
	const nobody = { uuid: null, name: null, phone_number: null, email: null };
	const person = { uuid: 'u', name: 'Ada', phone_number: '+1555', email: 'a@b.c' };

	test.each`
		says                  | type                                   | body                                             | status | out
		${'nothing'}          | ${'image/png'}                         | ${''}                                            | ${200} | ${{}}
		${'a form'}           | ${'application/x-www-form-urlencoded'} | ${'guests=4&number=1'}                           | ${200} | ${{ guests: '4', number: '1' }}
		${'any type'}         | ${''}                                  | ${'{"a":[{"length":"😀"}]}'}                     | ${200} | ${{ a: [{ length: '😀' }] }}
		${'JSON that is cut'} | ${'application/json'}                  | ${'{"a":'}                                       | ${422} | ${undefined}
		${'a list'}           | ${'application/json'}                  | ${'[{}]'}                                        | ${400} | ${undefined}
		${'many levels'}      | ${'text/plain'}                        | ${`{"a":${'['.repeat(150)}1${']'.repeat(150)}}`} | ${400} | ${undefined}
		${'no JSON'}          | ${'text/plain'}                        | ${'guests'}                                      | ${415} | ${undefined}
		${'parts'}            | ${'multipart/form-data; boundary=x'}   | ${'--x\r\n\r\n--x--'}                            | ${415} | ${undefined}
	`('$says: $status', async ({ type, body, status, out }) => {
		const { trigger, url } = await published();
		expect((await post(url, body, { 'content-type': type })).status).toBe(status);
		expect((await trigger.emitted()).map((item) => item.body)).toEqual(out ? [out] : []);
	});

	describe('Evidence: what the customer says is taken for who the customer is', () => {
		const keys = ['number', 'phone_number', 'email', 'contact_uuid', 'contact_name', 'customer'];
		const saidAll = Object.fromEntries(keys.map((key) => [key, `${key} as said`]));

		test('the intent declares parameters called like a contact: they are parameters, and no contact', async () => {
			const { agent, intent, trigger, url } = await published();
			await changeIntent(agent, intent, { parameters: typed(...keys) });
			await trigger.activate('update');
			const bodies = [saidAll, { data: saidAll }, { ...saidAll, contact_info: person }];
			for (const body of bodies) await post(url, body);
			const emitted = await trigger.emitted();
			expect(emitted.map(({ contact }) => contact)).toEqual([nobody, nobody, person]);
			expect(emitted.map((item) => item.parameters)).toEqual([saidAll, saidAll, saidAll]);
		});

		test('what the intent declares is lost: only fields of a record are its contact and conversation', async () => {
			const { trigger, url } = await published();
			await trigger.setStaticData({});
			await post(url, { ...saidAll, conversation_id: 'as said', caller: { number: '+1' } });
			const [{ contact, conversation }] = await trigger.emitted();
			expect([contact, conversation]).toEqual([{ ...nobody, phone_number: '+1' }, null]);
		});
	});
});

describe('the answer is the first item or a field of it, else the text for no answer', () => {
	const error = 'connect ECONNREFUSED 10.0.0.5:5432 at /opt/db.js:1';
	const sorryJson = { message: sorry };
	const goesOn = { onError: 'continueRegularOutput' };
	const contacts = 'n8n-nodes-agent-conversation-platform.acpContacts';
	const wrong = { resource: 'contact', operation: 'get', contact: 'no ID' };
	const lostContact = { type: contacts, parameters: wrong, ...goesOn };
	const long = 'Şükrü 😀 '.repeat(20_000);
	const fails = "={{ $('No').first() }}";

	test.each<[string, object, object | undefined, unknown, status?: string]>([
		['the whole first item', said, items({ a: 1, b: [2] }, { a: 2 }), { a: 1, b: [2] }],
		['one field, of a long text', inText, items({ answer: long }), long],
		['a field that is not there', inText, items({ other: 1 }), sorry],
		['a workflow that fails', inText, ends('fail'), sorry, 'error'],
		['the question itself, from a trigger alone', said, undefined, sorryJson],
		['no items', said, items(), sorryJson],
		['an error beside an answer', inText, items({ answer: 'Booked', error }), sorry],
		['a node that fails and goes on', said, { ...ends('fail'), ...goesOn }, sorryJson, 'error'],
		['a node of this package that goes on', said, lostContact, sorryJson],
		[
			'immediately',
			immediately('Wird erledigt – gleich!'),
			ends('fail'),
			'Wird erledigt – gleich!',
			'error',
		],
	])('%s', async (_, parameters, after, answer, ended = 'success') => {
		const { trigger, url } = await published(parameters, after);
		const { status, headers, data } = await post(url);
		const type = typeof answer === 'string' ? 'text/plain' : 'application/json';
		expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
		expect(data).toBe(typeof answer === 'string' ? answer : JSON.stringify(answer));
		expect(await statusesOf(trigger)).toEqual([ended]);
	});

	const standard = {
		text: 'Thank you, that is on its way.',
		fallback: 'I am sorry, I cannot find that out right now.',
	};
	test.each([
		['a text without a word', immediately(' …'), standard.text],
		['an expression in it', immediately('=Hello {{ $json.a }}'), standard.text],
		['an expression that fails', immediately(fails), standard.text],
		['an empty fallback text', { fallbackText: '' }, standard.fallback],
		['an expression as fallback text', { fallbackText: fails }, standard.fallback],
	])('a workflow that was published with %s before says the standard text', async (...row) => {
		const [, parameters, text] = row;
		const { trigger, url, set } = await published(inText);
		await set({ responseField: 'answer', ...parameters });
		await trigger.activate('init');
		expect(await post(url)).toMatchObject({ status: 200, data: text });
		expect(await engine.logged()).toContain('Agent Question Trigger says "');
		expect(await started(trigger)).toBe(1);
	});

	test.each([
		['a field', { responseField: fails }, sorry],
		['the timeout', { options: { responseTimeout: fails } }, JSON.stringify(sorryJson)],
		['when to answer', { respond: fails }, JSON.stringify(sorryJson)],
	])('an expression that fails in %s: the fallback text, and n8n records why', async (...row) => {
		const [, parameters, answer] = row;
		const { trigger, url, set } = await published(said);
		await set({ ...said, ...parameters });
		expect(await post(url)).toMatchObject({ status: 200, data: answer });
		expect(await statusesOf(trigger)).toEqual(['error']);
		expect((await post(`${url}x`)).status).toBe(401);
	});

	test.each([
		[immediately('={{ 1 }}'), "'Text' is an expression"],
		[immediately(' - '), "'Text' contains no words"],
		[{ fallbackText: '=Sorry {{ 1 }}' }, "'Fallback Text' is an expression"],
		[{ fallbackText: '' }, "'Fallback Text' contains no words"],
	])('a text that could be missing when somebody waits, %j, is refused', async (...row) => {
		const [parameters, message] = row;
		const { trigger, url, set } = await published();
		await trigger.deactivate();
		await set(parameters);
		await expect(trigger.activate()).rejects.toThrow(message);
		await expect(trigger.listen()).rejects.toThrow(message);
		expect((await post(url)).status).toBe(404);
	});
});

test.each([
	['the option', { options: { responseTimeout: 3 } }, 3000],
	['ten seconds', {}, 10_000],
	['two minutes at most', { options: { responseTimeout: 1000 } }, 120_000],
	['nobody waits', immediately('On its way'), null],
])('the item says until when the caller waits: %s', async (_, parameters, waits) => {
	const { trigger, url } = await published(parameters);
	await post(url);
	const [{ receivedAt, answerBy }] = await trigger.emitted();
	expect(answerBy && Date.parse(answerBy) - Date.parse(receivedAt)).toBe(waits);
});

// interface: §2.8 request and answer
test('a workflow that takes too long is answered for in time; the next request on the connection is not lost, and nobody is harmed', async () => {
	const slow = { ...inText, options: { responseTimeout: 1 } };
	const waiting = await published(slow, ends('wait', 1500));
	const httpAgent = new Agent({ keepAlive: true, maxSockets: 1 });
	const ask = async () => (await post(waiting.url, {}, {}, { httpAgent })).data;
	// The second is under way when n8n answers the first one.
	expect([await ask(), await ask()]).toEqual([sorry, sorry]);
	expect(await statusesOf(waiting.trigger)).toEqual(['success', 'success']);
	httpAgent.destroy();
	const failing = await published(slow, ends('fail', 1300));
	expect((await post(failing.url)).data).toBe(sorry);
	expect(await statusesOf(failing.trigger)).toEqual(['error']);
	// Its caller hangs up.
	const { trigger, url } = await published(slow, ends('wait', 300));
	await expect(post(url, {}, {}, { timeout: 100 })).rejects.toThrow('timeout');
	await trigger.waitForCalls(1);
	await trigger.executions();
	expect((await post(url)).status).toBe(200);
	expect(await engine.logged()).not.toContain('Response could not be sent');
});
