/** What a request key proves and what it does not, and answers about a request that is known already. */
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { hit, lost, promisesOf } from './guarantees/promises.cts';
import {
	failure,
	fast,
	hintsOf,
	onceEach,
	people,
	phoneOf,
	retrying,
	ok,
} from './guarantees/scene.cts';

const platform = usePlatform({ settings: fast, speed: 10 });
// A process remembers what it has launched.
beforeEach(async () => {
	await platform.engine.forget();
});
const { sandbox, engine } = platform;
const { given, agent, happened, perform, promises, requests } = promisesOf(platform);
const { call, smsByApiRequest } = kinds;
const sms: Kind = { ...kinds.sms, of: ({ phoneNumber }) => phoneNumber };
const task: Kind = {
	...kinds.task,
	parameters: (of) => ({ ...kinds.task.parameters(of), title: 'Call back', autoQueue: false }),
};
const launch: Kind = {
	...kinds.launch,
	parameters: (of) => ({ ...kinds.launch.parameters(of), autoStart: false }),
};

const keyed = (requestKey: string, more: INodeParameters = {}) => ({
	options: { requestKey, ...more },
});
const continued = { onError: 'continueRegularOutput' } as const;
const otherUuid = '9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
const effects = async ({ path }: Kind) => (await requests(path)).map(({ effect }) => effect);
const keys = async ({ path }: Kind) =>
	(await requests(path)).map(({ body }) => body.request_key as string | undefined);

describe('Evidence: a key with an empty part is taken for a key of its own', () => {
	test.each([
		['a plain field is missing', '=reminder-{{ $json.appointment_id }}', '"$json.appointment_id"'],
		['a nested field is missing', '=r-{{ $json.order?.id }}', '"$json.order?.id"'],
		['JavaScript joins it', "={{ 'reminder-' + $json.appointment_id }}", 'has no value'],
		['an object stands in it', "={{ 'r-' + {} }}", 'has no value'],
	])('%s: the item is refused and nothing is sent', async (_, requestKey, said) => {
		const result = await perform(sms, 1, keyed(requestKey));
		expect(result.error?.message).toContain("'Request Key' is \"r");
		expect(result.error?.message).toContain(said);
		expect(await requests(sms.path)).toEqual([]);
	});

	promises({
		'one item of three lacks the value: the others are sent with On Error: Continue': {
			does: [sms, people(3).map((one, at) => ({ ...one, ...(at !== 1 && { id: at }) }))],
			when: { ...keyed('=reminder-{{ $json.id }}'), ...continued },
			then: { errors: [1], happens: onceEach([phoneOf(0), phoneOf(2)]) },
		},
	});
});

describe('Evidence: a key that was used for somebody else is taken for this request', () => {
	test('an SMS with the same key to two people in two runs: both are reached', async () => {
		for (const one of people(2)) ok(await perform(sms, [one], keyed('reminder')));
		expect(await happened(sms)).toEqual(onceEach([phoneOf(0), phoneOf(1)]));
	});

	test('the same key to the same person in two runs, the number written in another way: reached once', async () => {
		for (const phone of ['+1 415 555 0000', '+14155550000'])
			ok(await perform(sms, [{ phone, text: 'x' }], keyed('r-1')));
		expect(await effects(sms)).toEqual(['created', 'repeated']);
	});

	test('API Request, whose key is sent as written: the item whose answer names another fails', async () => {
		const [first, second] = people(2) as [object, object];
		ok(await perform(smsByApiRequest, [first], keyed('r-1')));
		// Another process does not know what the key was used for.
		await engine.restart();
		const result = await perform(smsByApiRequest, [second], keyed('r-1'));
		expect(result.error?.message).toBe(
			`The platform returned a request to ${phoneOf(0)} instead of ${phoneOf(1)}`,
		);
		expect(await effects(sms)).toEqual(['created', 'repeated']);
	});
});

describe('Evidence: a key that was used for another content is taken for this request', () => {
	const another = { agent: { __rl: true, mode: 'id', value: '={{ $json.other }}' } };
	const contents: Array<[string, Kind, INodeParameters, string | undefined]> = [
		['an SMS with another text', sms, { message: 'Delivered' }, undefined],
		['a call of another agent', call, another, '"agentId"'],
		['a listing with another name', launch, { name: 'Tuesday' }, '"name"'],
	];
	test.each([
		...contents.map((row) => [...row, false] as const),
		...contents.slice(1).map((row) => [...row, true] as const),
	])(
		'%s, in another process: %p: the item and a hint say so, and what differs where the answer shows it',
		async (_, kind, change, differs, restarted) => {
			await engine.forget();
			const items = [{ ...people(1)[0]!, other: await agent(1) }];
			const order = keyed('order-17');
			ok(await perform(kind, items, order));
			// The same again is the same request.
			const again = ok(await perform(kind, items, order));
			expect(hintsOf(again)).not.toContain('used before');
			if (restarted) await engine.forget();
			const other = ok(await perform(kind, items, { ...order, change }));
			expect(other.json()).toEqual([expect.objectContaining({ requestKeyUsedBefore: true })]);
			expect(await effects(kind)).toEqual(['created', 'repeated', 'repeated']);
			expect(hintsOf(other)).toContain('was used before with other values');
			expect(hintsOf(other)).toContain(differs ?? '');
		},
	);

	test('a batch that stopped halfway runs again with its keys and new texts: each is reached once', async () => {
		const day = keyed('=day-{{ $json.phone }}', { concurrency: 1 });
		await given(sms, { strikes: [hit(403)(4)] });
		expect((await perform(sms, 5, day)).status).toBe('error');
		await sandbox.clearFaults();
		ok(await perform(sms, 5, { ...day, change: { message: 'Written at 9:05' } }));
		expect(await happened(sms)).toEqual(onceEach(people(5).map(({ phone }) => phone)));
	});

	test('only some items have a used key: all have the field', async () => {
		await engine.forget();
		const items = people(2);
		ok(await perform(sms, items.slice(0, 1), keyed('=r-{{ $json.phone }}')));
		const more = { ...keyed('=r-{{ $json.phone }}'), change: { message: 'Another' } };
		const result = ok(await perform(sms, items, more));
		expect(result.json().map(({ requestKeyUsedBefore: used }) => used)).toEqual([true, null]);
		expect(hintsOf(result)).toContain(
			'1 SMS was accepted, and 1 may have been, from 2 items. 1 was answered without proof.',
		);
	});

	promises(
		Object.fromEntries(
			['field', 'message'].map((guessedKeys) => [
				`a workspace that takes no key for listings and says so in its ${guessedKeys}: nothing is sent without the user's own`,
				{
					does: launch,
					when: { ...keyed('order-17'), manners: { guessedKeys } },
					then: {
						fails: ['request_key is prohibited', "remove 'Request Key' under Options"],
						requests: 1,
						there: { listings: 0 },
					},
				},
			]),
		),
	);
});

describe('Evidence: a conflict about its own key is taken for a refusal', () => {
	const conflict = (body: object, more: object = {}) =>
		hit({ status: 409, body: { success: false, ...body }, ...more })('all');
	const refusal = { fails: 'Nothing was done for this item', requests: 1 };

	promises({
		'a lost response, then the first record with its key: it is taken': {
			does: sms,
			when: { manners: { repeatedKeys: 'record' }, strikes: [lost()] },
			then: { json: [{ messageId: expect.any(String) }], requests: 2 },
		},
		...Object.fromEntries(
			(
				[
					[
						'with the conversation of another call',
						{ data: { id: 'c1', conversation_uuid: otherUuid, status: 'initiated' } },
					],
					['with another call beside the error', { record: { uuid: otherUuid } }],
					[
						'with the record of another key',
						{ data: { conversation_uuid: otherUuid, request_key: 'other' } },
					],
					['with Retry-After', { message: 'Still processing' }, { retryAfter: 1 }],
					['that has the word', { message: 'The same request key was already processed' }],
				] as Array<[string, { message?: string }, object?]>
			).map(([what, { message = 'Already accepted a minute ago', ...body }, more]) => [
				`a call is refused ${what}: told as it is, sent once`,
				{
					does: call,
					when: { strikes: [conflict({ message, ...body }, more)] },
					then: { ...refusal, fails: [message, refusal.fails] },
				},
			]),
		),
		'an SMS is refused with the message of another: told as it is, sent once': {
			does: sms,
			when: {
				...keyed('r-1'),
				strikes: [
					conflict({
						message: 'This SMS was already sent',
						data: { messageId: 'm-1', recipientPhone: phoneOf(0) },
					}),
				],
			},
			then: { ...refusal, fails: ['This SMS was already sent', refusal.fails] },
		},
		...Object.fromEntries(
			[
				['it does not match its first request', 'The request_key does not match its first request'],
				['nothing more is said', 'The request_key is wrong'],
			].map(([what, message]) => [
				`a guessed key is refused because ${what}: nothing is sent without a key`,
				{
					does: task,
					when: {
						...keyed('r-1'),
						strikes: [
							hit({
								status: 422,
								body: { message, error: { code: 'VALIDATION_ERROR', field: 'request_key' } },
							})('all'),
						],
					},
					then: { fails: message!, requests: 1 },
				},
			]),
		),
	});

	test('a lost response, then it is in progress: the node asks again until it is done', async () => {
		await given(sms, { manners: { repeatedKeys: 'in-progress' }, strikes: [lost()] });
		const result = ok(await perform(sms));
		expect(result.json()[0]).toMatchObject({ messageId: expect.any(String) });
		expect(await keys(sms)).toHaveLength(4);
		expect(new Set(await keys(sms)).size).toBe(1);
		expect(await happened(sms)).toEqual(onceEach([phoneOf(0)]));
	});

	test.each<[string, (sent: any) => object, string[]]>([
		['repeats the request: it is not its record', (data) => ({ data }), ['A conversation is open']],
		[
			'names the key as its field: not known whether it was done',
			() => ({ error: { code: 'CONFLICT', field: 'request_key' } }),
			['may have accepted this request before', 'with the same request key is safe'],
		],
		[
			'names the key by its value: not known whether it was done',
			({ request_key: key }) => ({ error: { code: 'CONFLICT', details: `Key ${key}` } }),
			['may have accepted this request before', 'with the same request key is safe'],
		],
	])('a conflict that %s, sent once', async (_, body, said) => {
		await perform(sms, 1, keyed('r-1'));
		const [first] = await requests(sms.path);
		await given(sms, {
			strikes: [conflict({ message: 'A conversation is open', ...body(first!.body) })],
		});
		const why = failure(await perform(sms, 1, keyed('r-1')));
		for (const part of said) expect(why).toContain(part);
		expect(await requests(sms.path)).toHaveLength(2);
	});
});

describe('Evidence: a guessed key is taken for a proven one', () => {
	const confirmed = (...requestKeysConfirmed: string[]) => ({
		credentials: { acpApi: { ...sandbox.credential(), requestKeysConfirmed } },
	});

	promises({
		'confirmed, and yet the key is refused: nothing is sent without it': () => ({
			does: task,
			when: { ...confirmed('POST /tasks'), manners: { guessedKeys: 'field' } },
			then: { fails: 'request_key', requests: 1 },
		}),
		'confirmed for tasks alone: a listing is looked for as before': () => ({
			does: kinds.launch,
			when: { ...confirmed('POST /tasks'), strikes: [lost()] },
			then: { hints: 'It was found on the platform and not created again', requests: 1 },
		}),
		'confirmed for listings, Retry On Fail: a later try is not kept back by what the first one started':
			() => ({
				does: kinds.launch,
				when: {
					...confirmed('POST /listings'),
					...retrying,
					options: { maxRetries: 0 },
					strikes: [lost()],
				},
				then: { requests: 2, there: { listings: 1 } },
			}),
	});

	test('confirmed for tasks: it is sent again with its key and exists once, and no list is read', async () => {
		await given(task, { strikes: [lost([1, 2])] });
		ok(await perform(task, 1, confirmed('POST /tasks')));
		expect(await effects(task)).toEqual(['created', 'repeated', 'repeated']);
		expect(new Set(await keys(task)).size).toBe(1);
		expect(await requests(task.path, 'GET')).toEqual([]);
	});
});

describe('Evidence: an optional prompt is taken for one that every workspace leaves out', () => {
	const oneByOne = { options: { concurrency: 1 } };

	test('a workspace asks for one: an empty prompt is sent, once per call, and from then on at first', async () => {
		await given(call, { manners: { promptRequired: true } });
		const result = ok(await perform(call, 3, oneByOne));
		expect((await requests('/call')).map(({ body, effect }) => [body.prompt, effect])).toEqual([
			[undefined, 'rejected'],
			...people(3).map(() => [{ content: '', overwrite: false }, 'created']),
		]);
		expect(hintsOf(result)).not.toContain('prompt');
	});

	test('it refuses the empty one, too: the message names Prompt Content', async () => {
		await engine.forget();
		const error = { code: 'VALIDATION_ERROR', field: 'prompt' };
		const body = { success: false, message: 'The prompt field is required.', error };
		await given(call, { strikes: [hit({ status: 422, body })('all')] });
		const result = await perform(call, 3, oneByOne);
		expect(result.error?.message).toContain("'Prompt Content'");
		expect(await requests('/call')).toHaveLength(2);
	});
});
