/** What a request key proves and what it does not, and answers about a request that is known already. */
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { hit, lost, promisesOf } from './guarantees/promises.cts';
import { failure, fast, hintsOf, onceEach, people, phoneOf, ok } from './guarantees/scene.cts';

const platform = usePlatform({ settings: fast, speed: 10 });
const { sandbox, engine } = platform;
// A process remembers what it has launched.
beforeEach(async () => await engine.forget());
const { given, agent, happened, perform, promises, requests } = promisesOf(platform);
const { call, smsByApiRequest } = kinds;
const sms: Kind = { ...kinds.sms, of: ({ phoneNumber }) => phoneNumber };
const quiet = (kind: Kind, change: INodeParameters): Kind => ({
	...kind,
	parameters: async (of) => ({ ...(await kind.parameters(of, sandbox)), ...change }),
});
const task = quiet(kinds.task, { title: 'Call back', autoQueue: false });
const launch = quiet(kinds.launch, { autoStart: false });

const keyed = (requestKey: string) => ({ options: { requestKey } });
const effects = async ({ path }: Kind) => (await requests(path)).map(({ effect }) => effect);
const keys = async ({ path }: Kind) =>
	(await requests(path)).map(({ body }) => body.request_key as string | undefined);

describe('Evidence: a key with an empty part is taken for a key of its own', () => {
	test.each([
		['a field is missing', '=reminder-{{ $json.appointment_id }}', '"$json.appointment_id"'],
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
			when: { ...keyed('=reminder-{{ $json.id }}'), onError: 'continueRegularOutput' },
			then: { errors: [1], happens: onceEach([phoneOf(0), phoneOf(2)]) },
		},
	});
});

describe('Evidence: a key that was used for another request is taken for this one', () => {
	test('API Request, whose key is sent as written: the item whose answer names another person fails', async () => {
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

	const another = { agent: { __rl: true, mode: 'id', value: '={{ $json.other }}' } };
	test.each<[string, Kind, INodeParameters, string, boolean]>([
		['an SMS with another text', sms, { message: 'Delivered' }, '', false],
		['a call of another agent', call, another, '"agentId"', true],
		['a listing with another name', launch, { name: 'Tuesday' }, '"name"', true],
	])(
		'%s: the item and a hint say so, and what differs where another process sees it in the answer',
		async (_, kind, change, differs, isForgotten) => {
			const items = [{ ...people(1)[0]!, other: await agent(1) }];
			const order = keyed('order-17');
			ok(await perform(kind, items, order));
			// The same again is the same request.
			expect(hintsOf(ok(await perform(kind, items, order)))).not.toContain('used before');
			if (isForgotten) await engine.forget();
			const other = ok(await perform(kind, items, { ...order, change }));
			expect(other.json()).toEqual([expect.objectContaining({ requestKeyUsedBefore: true })]);
			expect(await effects(kind)).toEqual(['created', 'repeated', 'repeated']);
			expect(hintsOf(other)).toContain('was used before with other values');
			expect(hintsOf(other)).toContain(differs);
		},
	);
});

describe('Evidence: a conflict about its own key is taken for a refusal', () => {
	const conflict = (body: object, more: object = {}) =>
		hit({ status: 409, body: { success: false, ...body }, ...more })('all');
	const ofOther = { conversation_uuid: 'c1', request_key: 'other' };
	const message = 'The same request key was already processed';

	promises({
		'a lost response, then the first record with its key: it is taken': {
			does: sms,
			when: { manners: { repeatedKeys: 'record' }, strikes: [lost()] },
			then: { json: [{ messageId: expect.any(String) }], requests: 2 },
		},
		'the record of another key, with words about keys, and Retry-After: told as it is, sent once': {
			does: call,
			when: { strikes: [conflict({ message, data: ofOther }, { retryAfter: 1 })] },
			then: { fails: [message, 'Nothing was done for this item'], requests: 1 },
		},
	});

	test('a lost response, then it is in progress: the node asks again until it is done', async () => {
		await given(sms, { manners: { repeatedKeys: 'in-progress' }, strikes: [lost()] });
		const result = ok(await perform(sms));
		expect(result.json()[0]).toMatchObject({ messageId: expect.any(String) });
		expect(await keys(sms)).toHaveLength(4);
		expect(new Set(await keys(sms)).size).toBe(1);
		expect(await happened(sms)).toEqual(onceEach([phoneOf(0)]));
	});

	const byField = () => ({ error: { code: 'CONFLICT', field: 'request_key' } });
	const byValue = ({ request_key: key }: any) => ({
		error: { code: 'CONFLICT', details: `Key ${key}` },
	});
	const isOpen = ['may have accepted this request before', 'with the same key is safe'];
	test.each<[string, (sent: any) => object, string[]]>([
		['repeats the request: it is not its record', (data) => ({ data }), ['A conversation is open']],
		['names the key as its field: not known whether it was done', byField, isOpen],
		['names the key by its value: not known whether it was done', byValue, isOpen],
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
	const remove = "remove 'Request Key' under Options";
	const refused = { manners: { guessedKeys: 'field' } };
	const ofTasks = () => confirmed('POST /tasks');

	promises({
		"a workspace takes no key for listings: nothing is sent without the user's own": {
			does: launch,
			when: { ...keyed('order-17'), ...refused },
			then: { fails: ['request_key is prohibited', remove], requests: 1 },
		},
		'confirmed, and yet the key is refused: nothing is sent without it': () => ({
			does: task,
			when: { ...ofTasks(), ...refused },
			then: { fails: 'request_key', requests: 1 },
		}),
	});

	test('confirmed for tasks: it is sent again with its key and exists once, and no list is read', async () => {
		await given(task, { strikes: [lost([1, 2])] });
		ok(await perform(task, 1, ofTasks()));
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
		const error = { code: 'VALIDATION_ERROR', field: 'prompt' };
		const body = { success: false, message: 'The prompt field is required.', error };
		await given(call, { strikes: [hit({ status: 422, body })('all')] });
		const result = await perform(call, 3, oneByOne);
		expect(result.error?.message).toContain("'Prompt Content'");
		expect(await requests('/call')).toHaveLength(2);
	});
});
