/**
 * What could be taken for an answer, and is none, when something is sent: silence, a text, a list that lags, a record
 * of the same name. What the platform carried out and holds decides, by its own ledger and state.
 */
import { kinds, taskIn } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { answer, type Case, hit, lost, promisesOf, unsent } from './guarantees/promises.cts';
import {
	byId,
	contact as contactWith,
	fast,
	hintsOf,
	people,
	phoneOf,
	retrying,
	sms as smsWith,
	ok,
} from './guarantees/scene.cts';
import { until } from './harness/index.cts';

// Without keys, whose names are a guess for tasks and listings: the node has to do without them.
const platform = usePlatform({
	settings: { ...fast, requestKeysInferred: false, call: { lifeMs: 6_000_000 } },
	speed: 50,
});
const { sandbox, engine } = platform;
const { agent, given, happened, perform, promises, requests } = promisesOf(platform);
const { sms, contact, findOrCreate, note, task, queue, retry: retryTask, launch } = kinds;

const retryWrites = { options: { retryWrites: true } };
const quick = { options: { maxRetries: 1 } };
/** A listing that runs already is not what these tests are about. */
const anew = (options: object = {}) => ({
	options: { startAgain: true, retryWrites: true, ...options },
});
const busy = answer({ message: 'Server busy' });
const uncertain = 'may have gone through';

test.each<[string, unknown, string, number]>([
	['a text', 'Service busy', '1 SMS was accepted, and 1 may have been, from 2 items. ', 1],
	['an error', { error: { code: 'NO_CREDIT' } }, '1 SMS was accepted, from 2 items. ', 1],
	['a success that names itself', { success: true }, '2 SMS were accepted', 0],
])('%s answers an SMS with status 200: counted as what it is', async (_, body, said, open) => {
	await given(sms, { strikes: [hit(answer(body))()] });
	const result = await perform(sms, 2, { onError: 'continueRegularOutput' });
	expect(hintsOf(result)).toContain(said);
	const items = result.json();
	expect(items.filter((json) => json.acceptedWithoutProof || json.error)).toHaveLength(open);
});

describe('Evidence: a lost answer is taken for leave to start again what costs money', () => {
	promises({
		'a listing, with Retry Writes: what is found is not started again': {
			does: launch,
			when: { ...anew(), strikes: [lost()] },
			then: {
				hints: 'It was found on the platform and not created again',
				requests: 1,
				there: { listings: 1 },
			},
		},
		'a listing, and the platform shows a part of its listings only: the node says why':
			async () => {
				await sandbox.addMany('listings', 100, (index) => ({
					name: `Older ${index}`,
					contact_uuids: [],
				}));
				return {
					does: launch,
					when: { ...anew(), strikes: [lost()] },
					then: {
						fails: /lists only some of its records.*not known whether.*It was not sent again/,
						requests: 1,
					},
				};
			},
		'a listing, and the platform cannot be asked: retrying the execution finds it': {
			does: launch,
			when: {
				...anew(),
				strikes: [lost(), ['GET ^/listings$', 403, { nth: [2, 3, 4, 5] }]],
				again: 'retry',
			},
			then: { first: 'could not be searched', requests: 1, there: { listings: 1 } },
		},
	});
});

describe('Evidence: a task is taken for one that may be carried out', () => {
	const calls = async () => (await sandbox.state('conversations')).length;

	test('it is carried out once, and nothing but that is sent', async () => {
		const [item] = (await queue.scene(sandbox, people(1))) as [{ task: string }];
		await sandbox.clearLedger();
		const continued = { onError: 'continueRegularOutput' } as const;
		const result = await perform({ ...queue, scene: undefined }, [item, item], continued);
		expect(result.json()).toMatchObject([
			{ uuid: item.task, status: 'queued' },
			{ errorCode: 'SAME_RECORD', error: 'Item 0 is about the same record' },
		]);
		await until('the call', async () => (await calls()) > 0);
		expect(await calls()).toBe(1);
		expect(await sandbox.ledger({ method: 'POST' })).toHaveLength(1);
	});

	const failed = 'The task has not failed: it is';
	const states: Array<['queue' | 'retry', string, string?]> = [
		['queue', 'queued', 'The task is already queued'],
		['queue', 'in_progress', 'The task is already in progress'],
		['queue', 'completed', 'The task is already completed'],
		['queue', '', 'The platform does not show the status of the task'],
		['queue', 'on_hold'],
		['queue', 'failed'],
		['retry', 'in_progress', `${failed} in progress`],
		['retry', 'a new word', 'a status that this node does not know: "a new word"'],
		['retry', 'cancelled'],
	];
	const inState = ([operation, status, fails]: (typeof states)[number]) => [
		`${operation}, ${status}: ${fails ? 'nothing is sent' : 'the platform decides'}`,
		async (): Promise<Case> => ({
			does: [
				{ ...kinds[operation], scene: undefined },
				[{ task: (await taskIn(sandbox, status)).uuid }],
			],
			when: retryWrites,
			then: fails
				? { fails: [fails, 'Nothing was sent for this item.'], requests: 0 }
				: { requests: 1 },
		}),
	];

	promises({
		...Object.fromEntries(states.map(inState)),
		'its answer is lost, with Retry Writes: its status shows it, and it is not done again': {
			does: queue,
			when: { ...retryWrites, strikes: [lost()] },
			then: {
				hints: 'the record shows that the request went through. It was not sent again',
				requests: 1,
				happens: 'once',
			},
		},
		'somebody else changed it meanwhile: nobody can tell, even with Retry Writes': {
			does: retryTask,
			when: {
				...retryWrites,
				strikes: [
					unsent(),
					[
						'GET ^/tasks/[^/]+$',
						answer({ data: { status: 'failed', updated_at: '2035-01-01T00:00:00+00:00' } }),
						{ nth: [2, 3, 4, 5] },
					],
				],
			},
			then: {
				fails: /has changed since, but its status does not show .* It was not sent again/,
				requests: 1,
			},
		},
	});
});

describe('Evidence: a list that lags is taken for "not there"', () => {
	const [mine, theirs] = ['Open at 8', 'Closed on Sunday'].map((text) => ({ text }));

	promises({
		'200 notes: the agent is read once, and each note is added once': {
			does: [note, 200],
			then: { happens: 'once', sent: { 'GET /.*': 1 } },
		},
		'another run adds the same note meanwhile, and one’s own is lost on its way: not taken for it':
			{
				does: [note, [mine!, theirs!]],
				when: {
					options: { concurrency: 1, timeout: 600 },
					strikes: [hit({ kind: 'slow', ms: 150_000 })(), unsent(3)],
					meanwhile: async () => ok(await perform(note, [theirs!])),
				},
				then: { fails: /may have gone through.*did not find it/, requests: 3 },
			},
	});
});

describe('Evidence: a record of the same name is taken for one’s own', () => {
	/** Somebody else makes the same task, for another contact. */
	const alike = async () =>
		await taskIn(sandbox, 'scheduled', {
			title: 'Hello 0',
			scheduled_at: '2035-05-01T10:00:00+03:00',
			contact: { phone_number: phoneOf(9) },
		});
	const silence = hit({ kind: 'timeout', afterAcceptance: true })();
	const several = /Several new records .* not known which one it is\. It was not sent again/;

	promises({
		'a task for somebody else, the request lost: not taken, named as uncertain': {
			does: task,
			when: { strikes: [unsent()], meanwhile: alike },
			then: { fails: /may have gone through.*did not find it/, requests: 2 },
		},
		'a task whose contact cannot be read, the request lost: nobody knows': {
			does: task,
			when: {
				manners: { unreadable: ['/contacts/{uuid}'] },
				strikes: [unsent()],
				meanwhile: alike,
			},
			then: { fails: 'looks like it but may be another', requests: 2 },
		},
		'a listing of another execution, the request lost: no batch is added to it': {
			does: [launch, 3],
			when: {
				change: { autoStart: false },
				options: { batchSize: 1 },
				strikes: [unsent()],
				meanwhile: async () =>
					await sandbox.api.post('/listings', {
						name: 'Spring offer',
						agent_uuid: await agent(),
						contacts: [7, 8].map((index) => ({ phone_number: phoneOf(index) })),
					}),
			},
			then: {
				fails: 'looks like it but may be another',
				sent: { 'POST /listings': 2, 'POST /listings/[^/]+/contacts': 0 },
			},
		},
		'two new listings of the name, Timeout 3: it is not known which': {
			does: launch,
			when: {
				...anew({ timeout: 3 }),
				strikes: [silence],
				meanwhile: async () => {
					const [{ uuid: _own, ...mine }] = (await sandbox.state('listings')) as [any];
					await sandbox.add('listings', mine);
				},
			},
			then: { fails: several, requests: 1, there: { listings: 2 } },
		},
		'two new contacts of the number, Timeout 3: it is not known which': {
			does: findOrCreate,
			when: {
				options: { timeout: 3 },
				strikes: [silence],
				meanwhile: async () =>
					await sandbox.api.post('/contacts', { phone_number: phoneOf(0), name: 'Another' }),
			},
			then: { fails: several, requests: 2 },
		},
	});
});

describe('Evidence: any change of a record is taken for one’s own', () => {
	/** Run Automatically was on already. */
	const update = (title: string | undefined, strike: typeof lost) => async () => {
		const { uuid } = await taskIn(sandbox, 'scheduled', { auto_queue: true });
		const updateFields = { autoQueue: true, ...(title && { title }) };
		return {
			does: {
				node: 'acpOutreach task.update',
				parameters: () => ({ task: byId(uuid), updateFields }),
				path: '/tasks/.*',
				method: 'PUT',
			},
			when: { strikes: [strike()] },
			then: { ...(strike === unsent && { fails: /has not changed/ }), requests: 1 },
		};
	};
	const already = 'Run Automatically was on already, an update of';

	promises({
		'a task that was cancelled meanwhile, the request to queue it lost: nobody knows': {
			does: queue,
			when: {
				strikes: [unsent()],
				meanwhile: async () => {
					const [{ uuid }] = await sandbox.state('tasks');
					await sandbox.change('tasks', uuid, { status: 'cancelled' });
				},
			},
			then: { fails: 'has changed since, but its status does not show', requests: 1 },
		},
		[`${already} the title, the request lost: nobody knows`]: update('New', unsent),
		[`${already} nothing new, the request lost: nobody knows`]: update(undefined, unsent),
		[`${already} the title, the answer lost: seen`]: update('New', lost),
	});
});

describe('Evidence: an answer that holds no record is taken for what it shows', () => {
	const held = { silent: uncertain, sent: { 'POST .*': 0 } };
	/** The conversation cannot be read at first. */
	const waitedFor = (...[fault, which]: [object, object]): Case => ({
		does: { ...kinds.call, node: 'acpCalls call.startAndWait' },
		when: {
			settings: { call: { lifeMs: 1000 } },
			strikes: [['GET ^/conversations/', fault, which]],
		},
		then: { json: [{ timedOut: false }], silent: 'a state that this node does not know' },
	});

	promises({
		'a task that can no longer be read, the request to queue it lost: nobody knows': {
			does: queue,
			when: {
				...quick,
				strikes: [unsent(), ['GET ^/tasks/[^/]+$', busy, { nth: [2, 3, 4, 5, 6, 7, 8, 9] }]],
			},
			then: { fails: 'could not be searched for it', requests: 1 },
		},
		'a call that cannot be found at first: it is waited for': waitedFor(
			{ status: 404, code: 'RESOURCE_NOT_FOUND' },
			{ nth: [1, 2] },
		),
		'a call that is waited for, once: read again, and no state is made up': waitedFor(busy, {
			nth: 1,
		}),
		'a task to queue, a message in its place: held back, and it says why': {
			does: queue,
			when: { ...quick, strikes: [['GET ^/tasks/', busy]] },
			then: {
				fails: ['returned no record for GET /tasks', 'Nothing was sent for this item.'],
				...held,
			},
		},
		'Find or Create, the list of contacts lost: nothing is created, and nothing may have gone through':
			{
				does: findOrCreate,
				when: { ...quick, strikes: [['GET ^/contacts$', 'reset-before']] },
				then: { fails: 'Nothing was sent for this item.', ...held },
			},
	});
});

describe('Evidence: a try of a tool call without an ID is taken for another call', () => {
	const text = "={{ $fromAI('text', 'What to write', 'string') }}";
	test.each([
		['an SMS: sent again with its key', sms, 'message', smsWith, 2],
		['a contact: not sent again, and the model is told', contact, 'name', () => contactWith(), 1],
	] as const)(
		'%s, the answer lost, Retry On Fail: it is there once',
		async (_, kind, says, parametersOf, sent) => {
			await given(kind, { strikes: [lost()] });
			const parameters = {
				...parametersOf(await agent()),
				phoneNumber: "={{ $fromAI('phone', 'Whom to write to', 'string') }}",
				[says]: text,
				options: { maxRetries: 0 },
			};
			const via = { via: 'invoke', ...retrying } as const;
			const calls = [{ args: people(1)[0]! }];
			const { answers } = await engine.callTools(kind.node, parameters, calls, via);
			expect(answers).toHaveLength(1);
			expect(answers[0]!.error ?? '').toMatch(sent === 1 ? uncertain : /^$/);
			expect(await requests(kind.path)).toHaveLength(sent);
			expect(await happened(kind)).toEqual({ 'Hello 0': 1 });
		},
	);
});
