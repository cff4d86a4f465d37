/** What a request key proves and what it does not, and answers about a request that is known already. */
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	failure,
	fast,
	happened,
	hintsOf,
	onceEach,
	people,
	phoneOf,
	sms,
	ok,
	mapped,
} from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 10 });

const run = async (
	items: object[],
	options: INodeParameters,
	more: { asTask?: boolean; onError?: 'continueRegularOutput' } = {},
) =>
	await engine.runNode(
		more.asTask ? 'acpOutreach' : 'acpMessages',
		more.asTask
			? {
					resource: 'task',
					operation: 'create',
					title: 'Call back',
					type: 'make_call',
					scheduledAt: '2035-05-01T10:00:00+03:00',
					agent: byId(await agentOf(sandbox)),
					phoneNumber: '={{ $json.phone }}',
					options,
				}
			: sms(await agentOf(sandbox), options),
		{ items: items as never, ...(more.onError ? { onError: more.onError } : {}) },
	);
const reached = async () => await happened(sandbox, '/sms/send', ({ phoneNumber }) => phoneNumber);
const posts = async (path = '/sms/send') => await sandbox.ledger({ path, method: 'POST' });
const manners = async (turnedOn: object) => await sandbox.settings({ manners: turnedOn });

describe('Evidence: a key with an empty part is taken for a key of its own', () => {
	const [anna] = people(1);

	test.each([
		['a plain field is missing', '=reminder-{{ $json.appointment_id }}', '"$json.appointment_id"'],
		['a nested field is missing', '=r-{{ $json.order?.id }}', '"$json.order?.id"'],
		['a fallback is empty', "=r-{{ $json.id || '' }}", '"$json.id || \'\'"'],
		['JavaScript joins it', "={{ 'reminder-' + $json.appointment_id }}", 'has no value'],
		['an object stands in it', "={{ 'r-' + {} }}", 'has no value'],
	])('%s: the item is refused and nothing is sent', async (_, requestKey, said) => {
		const result = await run([anna!], { requestKey });
		expect(result.error?.message).toContain("'Request Key' is \"r");
		expect(result.error?.message).toContain(said);
		expect(await posts()).toEqual([]);
	});

	test('one item of three lacks the value: the others are sent with On Error: Continue', async () => {
		const items = people(3).map((one, index) => ({
			...one,
			...(index === 1 ? {} : { id: index + 5 }),
		}));
		const result = await run(
			items,
			{ requestKey: '=reminder-{{ $json.id }}' },
			{ onError: 'continueRegularOutput' },
		);
		expect(result.json().map(({ errorField }) => errorField)).toEqual([
			undefined,
			'Request Key',
			undefined,
		]);
		expect(await reached()).toEqual(onceEach([phoneOf(0), phoneOf(2)]));
	});

	test('zero and false are values: the items are sent', async () => {
		const items = people(2).map((one, index) => ({ ...one, id: index === 0 ? 0 : false }));
		expect(failure(await run(items, { requestKey: '=n-{{ $json.id }}' }))).toBeUndefined();
		expect(await reached()).toEqual(onceEach([phoneOf(0), phoneOf(1)]));
	});
});

describe('Evidence: a key that was used for somebody else is taken for this request', () => {
	test.each([
		['an SMS', '/sms/send', false],
		['a task', '/tasks', true],
	])(
		'%s with the same key to two people in two runs: both are reached',
		async (_, path, asTask) => {
			for (const one of people(2))
				expect(failure(await run([one], { requestKey: 'reminder' }, { asTask }))).toBeUndefined();
			const sent = await sandbox.created(path);
			expect(sent.map(({ body }) => body.phoneNumber ?? body.contact.phone_number)).toEqual([
				phoneOf(0),
				phoneOf(1),
			]);
		},
	);

	test('the same key to the same person in two runs, the number written in another way: reached once', async () => {
		for (const phone of ['+1 415 555 0000', '+14155550000'])
			expect(failure(await run([{ phone, text: 'x' }], { requestKey: 'r-1' }))).toBeUndefined();
		expect(await reached()).toEqual(onceEach(['+14155550000']));
		expect((await posts()).map(({ effect }) => effect)).toEqual(['created', 'repeated']);
	});

	test('API Request, whose key is sent as written: the item whose answer names another fails', async () => {
		const agentId = await agentOf(sandbox);
		const results = [];
		for (const { phone } of people(2)) {
			// Another process does not know what the key was used for.
			await engine.restart();
			results.push(
				await engine.runNode('acpMessages otherEndpoint.apiRequest', {
					method: 'POST',
					path: '/sms/send',
					body: JSON.stringify({ agentId, phoneNumber: phone, message: 'Hello' }),
					options: { requestKey: 'r-1' },
				}),
			);
		}
		expect(failure(results[0]!)).toBeUndefined();
		expect(results[1]!.error?.message).toBe(
			`The platform returned a request to ${phoneOf(0)} instead of ${phoneOf(1)}`,
		);
		expect(await reached()).toEqual(onceEach([phoneOf(0)]));
	});
});

describe('Evidence: a key that was used for another content is taken for this request', () => {
	const call = (agent: string): INodeParameters => ({
		resource: 'call',
		operation: 'start',
		agent: byId(agent),
		phoneNumber: phoneOf(0),
		options: { requestKey: 'order-17' },
	});
	const listing = (name: string): INodeParameters => ({
		resource: 'listing',
		operation: 'createFromItems',
		name,
		campaignType: 'call',
		contacts: mapped({ phone_number: '={{ $json.phone }}' }),
		options: { requestKey: 'order-17' },
	});
	type Run = [node: string, path: string, first: INodeParameters, second: INodeParameters];
	const runs: Record<string, (agents: string[]) => Run> = {
		'an SMS with another text': ([agent = '']) => [
			'acpMessages',
			'/sms/send',
			sms(agent, { requestKey: 'order-17' }, { message: 'Packed' }),
			sms(agent, { requestKey: 'order-17' }, { message: 'Delivered' }),
		],
		'a call of another agent': ([one = '', other = '']) => [
			'acpCalls',
			'/call',
			call(one),
			call(other),
		],
		'a listing with another name': () => [
			'acpOutreach',
			'/listings',
			listing('Monday'),
			listing('Tuesday'),
		],
	};

	test.each([
		['an SMS with another text', false, undefined],
		['a call of another agent', false, '"agentId"'],
		['a listing with another name', false, '"name"'],
		['a call of another agent', true, '"agentId"'],
		['a listing with another name', true, '"name"'],
	])(
		'%s, in another process: %p: nothing is held back, and a hint says what differs',
		async (name, restarted, differs) => {
			await engine.restart();
			const agents = [await agentOf(sandbox, 0), await agentOf(sandbox, 1)];
			const [node, path, first, second] = runs[name]!(agents);
			const items = people(1);
			expect(failure(await engine.runNode(node, first, { items }))).toBeUndefined();
			// The same again is the same request.
			const again = ok(await engine.runNode(node, first, { items }));
			expect(hintsOf(again)).not.toContain('returned an earlier request');
			if (restarted) await engine.restart();
			const other = ok(await engine.runNode(node, second, { items }));
			expect(other.json()).toHaveLength(1);
			expect((await posts(path)).map(({ effect }) => effect)).toEqual([
				'created',
				'repeated',
				'repeated',
			]);
			expect(hintsOf(other).includes('returned an earlier request')).toBe(differs !== undefined);
			expect(hintsOf(other)).toContain(differs ?? '');
		},
	);

	test('a batch that stopped halfway runs again with its keys and new texts: each is reached once', async () => {
		const items = people(5);
		const options = { requestKey: '=day-{{ $json.phone }}', concurrency: 1 };
		const agent = await agentOf(sandbox);
		const batch = async (message: string) =>
			await engine.runNode('acpMessages', sms(agent, options, { message }), { items });
		await sandbox.strike('^/sms/send$', 403, { nth: 4 });
		expect((await batch('Written at 9:00')).status).toBe('error');
		await sandbox.clearFaults();
		const again = ok(await batch('Written at 9:05'));
		expect(again.json()).toHaveLength(5);
		expect(await reached()).toEqual(onceEach(items.map(({ phone }) => phone)));
	});

	test.each(['field', 'message'])(
		"a workspace that takes no key for listings and says so in its %s: nothing is sent without the user's own",
		async (guessedKeys) => {
			await manners({ guessedKeys });
			const result = await engine.runNode('acpOutreach', listing('Monday'), { items: people(1) });
			expect(result.error?.message).toContain('request_key is prohibited');
			expect(result.error?.description).toContain("remove 'Request Key' under Options");
			expect((await posts('/listings')).map(({ body }) => body.request_key)).toEqual(['order-17']);
			expect(await sandbox.created('/listings')).toHaveLength(0);
		},
	);
});

describe('Evidence: a conflict about its own key is taken for a refusal', () => {
	const lost = async (path: string) =>
		await sandbox.strike(`POST ^${path}$`, 'reset-after', { times: 1 });

	const conflict = async (path: string, body: object, fault: object = {}) =>
		await sandbox.strike(`POST ^${path}$`, {
			status: 409,
			body: { success: false, ...body },
			...fault,
		});
	const call = async (options: INodeParameters = {}) =>
		await engine.runNode(
			'acpCalls call.start',
			{ agent: byId(await agentOf(sandbox)), phoneNumber: '={{ $json.phone }}', options },
			{ items: people(1) },
		);
	const otherUuid = '9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

	test('a lost response, then the first record with its key: it is taken', async () => {
		await manners({ repeatedKeys: 'record' });
		await lost('/sms/send');
		const result = ok(await run(people(1), {}));
		expect(result.json()[0]).toMatchObject({ messageId: expect.any(String) });
		expect(await posts()).toHaveLength(2);
		expect(await reached()).toEqual(onceEach([phoneOf(0)]));
	});

	test('a lost response, then it is in progress: the node asks again until it is done', async () => {
		await manners({ repeatedKeys: 'in-progress' });
		await lost('/sms/send');
		const result = ok(await run(people(1), {}));
		expect(result.json()[0]).toMatchObject({ messageId: expect.any(String) });
		const sent = await posts();
		expect(sent.length).toBeGreaterThan(2);
		expect(new Set(sent.map(({ body }) => body.request_key)).size).toBe(1);
		expect(await reached()).toEqual(onceEach([phoneOf(0)]));
	});

	test('a lost response, then a conflict that lasts: uncertain, and a retry of the execution gets it', async () => {
		await sandbox.faults([
			{ match: { method: 'POST', path: '^/sms/send$' }, times: 1, fault: { kind: 'reset-after' } },
			{
				match: { method: 'POST', path: '^/sms/send$' },
				fault: { kind: 'status', status: 409, body: { success: false, message: 'Wait' } },
			},
		] as never);
		const failed = await run(people(1), {});
		expect(failed.error?.description).toContain('Retry On Fail and Executions › Retry are safe');
		expect((await posts()).length).toBeLessThanOrEqual(7);
		await sandbox.clearFaults();
		const result = await engine.retry(failed);
		expect(result.json()[0]).toMatchObject({ messageId: expect.any(String) });
		expect(await reached()).toEqual(onceEach([phoneOf(0)]));
	});

	const accepted = 'A call to this number was already accepted a minute ago';
	test.each<[string, string, object, object]>([
		[
			'with the conversation of another call',
			accepted,
			{ data: { id: 'c1', conversation_uuid: otherUuid, status: 'initiated' } },
			{},
		],
		['with another call beside the error', accepted, { record: { uuid: otherUuid } }, {}],
		[
			'with the record of another key',
			'Duplicate request',
			{ data: { conversation_uuid: otherUuid, request_key: 'other' } },
			{},
		],
		['because one is in progress', 'A call with this contact is in progress', {}, {}],
		['with Retry-After', 'Still processing', {}, { retryAfter: 1 }],
		['that has the word', 'The same request key or contact was already processed', {}, {}],
	])('a call is refused %s: told as it is, sent once', async (_, message, body, fault) => {
		await conflict('/call', { message, ...body }, fault);
		const result = await call();
		expect(result.error?.message).toBe(message);
		expect(result.error?.description).toContain('Nothing was done for this item');
		expect(result.json()).toEqual([]);
		expect(await posts('/call')).toHaveLength(1);
	});

	test('an SMS is refused with the message of another: told as it is, sent once', async () => {
		await conflict('/sms/send', {
			message: 'This SMS was already sent',
			data: { messageId: 'm-1', recipientPhone: phoneOf(0) },
		});
		const result = await run(people(1), { requestKey: 'r-1' });
		expect(result.error?.message).toBe('This SMS was already sent');
		expect(result.error?.description).toContain('Nothing was done for this item');
		expect(await posts()).toHaveLength(1);
	});

	test('a refusal that repeats the request is not its record', async () => {
		await run(people(1), { requestKey: 'r-1' });
		const [{ body }] = (await posts()) as [any];
		await conflict('/sms/send', { message: 'A conversation is open', data: body });
		const result = await run(people(1), { requestKey: 'r-1' });
		expect(result.error?.message).toBe('A conversation is open');
		expect(await posts()).toHaveLength(2);
	});

	test.each<[string, (key: string) => object]>([
		['as its field', () => ({ error: { code: 'CONFLICT', field: 'request_key' } })],
		['by its value', (key) => ({ error: { code: 'CONFLICT', details: `Key ${key}` } })],
	])(
		'the conflict names the key %s: not known whether it was done, sent once',
		async (_, error) => {
			await run(people(1), { requestKey: 'r-1' });
			const [{ body }] = (await posts()) as [any];
			await conflict('/sms/send', { message: 'Wait', ...error(body.request_key) });
			const result = await run(people(1), { requestKey: 'r-1' });
			expect(result.error?.description).toContain('may have accepted this request before');
			expect(result.error?.description).toContain('with the same request key is safe');
			expect(await posts()).toHaveLength(2);
		},
	);

	test.each([
		['it does not match its first request', 'The request_key does not match its first request.'],
		['it may not be used again', 'This request_key is not allowed to be used again.'],
		['nothing more is said', 'The request_key is wrong.'],
	])('a guessed key is refused because %s: nothing is sent without a key', async (_, message) => {
		await sandbox.strike('POST ^/tasks$', {
			status: 422,
			body: {
				success: false,
				message,
				error: { code: 'VALIDATION_ERROR', field: 'request_key' },
			},
		});
		const result = await run(people(1), { requestKey: 'r-1' }, { asTask: true });
		expect(result.error?.message).toContain(message.slice(0, -1));
		expect((await posts('/tasks')).map(({ body }) => body.request_key)).toEqual([
			expect.stringContaining('r-1-'),
		]);
	});
});

describe('Evidence: a guessed key is taken for a proven one', () => {
	const lost = async (path: string, times: number) =>
		await sandbox.strike(`POST ^${path}$`, 'reset-after', { times });
	const confirm = (...requestKeysConfirmed: string[]) =>
		(engine.credentials = { acpApi: { ...sandbox.credential(), requestKeysConfirmed } });
	const listing = async (node: object = {}, options: INodeParameters = {}) =>
		await engine.runNode(
			'acpOutreach listing.create',
			{
				name: 'Spring offer',
				autoStart: true,
				agent: byId(await agentOf(sandbox)),
				contacts: { values: [{ phoneNumber: '={{ $json.phone }}' }] },
				options,
			},
			{ items: people(1), ...node },
		);

	test('not confirmed: a task whose answer is lost is named as uncertain', async () => {
		await lost('/tasks', 1);
		const result = await run(people(1), {}, { asTask: true });
		expect(result.error?.description).toContain('may have gone through');
		expect(await posts('/tasks')).toHaveLength(1);
	});

	test('confirmed for tasks: it is sent again with its key and exists once, and no list is read', async () => {
		confirm('POST /tasks');
		await lost('/tasks', 2);
		ok(await run(people(1), {}, { asTask: true }));
		const sent = await posts('/tasks');
		expect(sent.map(({ effect }) => effect)).toEqual(['created', 'repeated', 'repeated']);
		expect(new Set(sent.map(({ body }) => body.request_key)).size).toBe(1);
		expect(await sandbox.ledger({ path: '/tasks', method: 'GET' })).toEqual([]);
	});

	test('confirmed, and yet the key is refused: nothing is sent without it', async () => {
		confirm('POST /tasks');
		await manners({ guessedKeys: 'field' });
		const result = await run(people(1), {}, { asTask: true });
		expect(result.error?.message).toContain('request_key');
		expect(await posts('/tasks')).toHaveLength(1);
	});

	test('confirmed for tasks alone: a listing is looked for as before', async () => {
		confirm('POST /tasks');
		await lost('/listings', 1);
		const result = ok(await listing());
		expect(hintsOf(result)).toContain('It was found on the platform and not created again');
		expect(await posts('/listings')).toHaveLength(1);
	});

	test('confirmed for listings, Retry On Fail: a later try is not kept back by what the first one started', async () => {
		confirm('POST /listings');
		await lost('/listings', 1);
		ok(await listing({ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }, { maxRetries: 0 }));
		expect((await posts('/listings')).map(({ effect }) => effect)).toEqual(['created', 'repeated']);
	});
});

describe('Evidence: an optional prompt is taken for one that every workspace leaves out', () => {
	const call = async (more: INodeParameters = {}) =>
		await engine.runNode(
			'acpCalls call.start',
			{
				agent: byId(await agentOf(sandbox)),
				phoneNumber: '={{ $json.phone }}',
				options: { concurrency: 1 },
				...more,
			},
			{ items: people(3) },
		);

	test('a workspace asks for one: an empty prompt is sent, once per call, and from then on at first', async () => {
		await manners({ promptRequired: true });
		const result = ok(await call());
		expect((await posts('/call')).map(({ body, effect }) => [body.prompt, effect])).toEqual([
			[undefined, 'rejected'],
			...people(3).map(() => [{ content: '', overwrite: false }, 'created']),
		]);
		expect(hintsOf(result)).not.toContain('prompt');
	});

	test('it refuses the empty one, too: the message names Prompt Content', async () => {
		await engine.restart();
		await sandbox.strike('POST ^/call$', {
			status: 422,
			body: {
				success: false,
				message: 'The prompt field is required.',
				error: { code: 'VALIDATION_ERROR', field: 'prompt' },
			},
		});
		const result = await call();
		expect(result.error?.message).toContain("'Prompt Content'");
		expect((await posts('/call')).length).toBe(2);
	});
});
