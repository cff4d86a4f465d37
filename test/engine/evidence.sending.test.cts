/**
 * What could be taken for an answer, and is none, when something is sent: silence, a text, a list that lags, a record
 * of the same name. What the platform carried out and holds decides, by its own ledger and state.
 */
import { kinds, taskIn } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { answer, hit, lost, promisesOf, unsent } from './guarantees/promises.cts';
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
const anew = (options: object = {}) => ({ options: { startAgain: true, ...options } });
const continued = { onError: 'continueRegularOutput' } as const;
const busy = answer({ message: 'Server busy' });
const unknown = '9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
const waitedFor = { ...kinds.call, node: 'acpCalls call.startAndWait' };
const uncertain = 'may have gone through';
/** The answer is lost in three ways, after the platform has carried it out. */
const lostAnswers = {
	'the connection breaks': lost(),
	'an error is answered': hit({ status: 503, afterAcceptance: true })(),
	'the answer is cut off': hit('truncated')(),
};

describe('Evidence: an answer that shows nothing is taken for done', () => {
	test.each([
		['a text', 'Service busy, try again later'],
		['nothing', ''],
		['an empty object', {}],
		['an empty list', []],
		['a message alone', { message: 'Try again later' }],
		['a status alone', { status: 'busy' }],
		['an error', { error: { code: 'NO_CREDIT' } }],
		['what was sent', { agentId: 'a', phoneNumber: 'b', message: 'c' }],
	])('%s answers an SMS with status 200: it is not counted as sent', async (_, body) => {
		await given(sms, { strikes: [hit(answer(body))([1, 2])] });
		const result = await perform(sms, 3, continued);
		const open = Object.hasOwn(Object(body), 'error') ? '' : ', and 2 may have been';
		expect(hintsOf(result)).toContain(`1 SMS was accepted${open}, from 3 items. `);
		expect(Object.keys(await happened(sms))).toHaveLength(1);
		const items = result.json();
		expect(items.filter((json) => json.acceptedWithoutProof || json.error)).toHaveLength(2);
	});

	test.each([
		['an ID', { data: { messageId: 'm1' } }],
		['a success that names itself', { success: true }],
	])('%s answers an SMS: it counts as sent', async (_, body) => {
		await given(sms, { strikes: [hit(answer(body))()] });
		const result = await perform(sms, 2);
		expect(hintsOf(result)).toMatch(/(^|\. )2 SMS were accepted/);
		expect(result.json().filter((json) => 'acceptedWithoutProof' in json)).toEqual([]);
	});
});

describe('Evidence: a lost answer is taken for leave to start again what costs money', () => {
	const found = 'It was found on the platform and not created again';
	const older = async () =>
		await sandbox.addMany('listings', 100, (index) => ({
			name: `Older ${index}`,
			contact_uuids: [],
		}));

	promises({
		...Object.fromEntries(
			Object.entries(lostAnswers).map(([what, strike]) => [
				`a listing, ${what} after acceptance, with Retry Writes: what is found is not started again`,
				{
					does: launch,
					when: { ...anew({ retryWrites: true }), strikes: [strike] },
					then: { hints: found, requests: 1, there: { listings: 1 } },
				},
			]),
		),
		'a listing, and the platform shows a part of its listings only: the node says why':
			async () => {
				await older();
				return {
					does: launch,
					when: { ...anew({ retryWrites: true }), strikes: [lost()] },
					then: {
						fails: /lists only some of its records.*not known whether.*It was not sent again/,
						requests: 1,
					},
				};
			},
		'a listing, and the platform cannot be asked: retrying the execution finds it': {
			does: launch,
			when: {
				...anew({ retryWrites: true }),
				strikes: [lost(), ['GET ^/listings$', 403, { nth: [2, 3, 4, 5] }]],
				again: 'retry',
			},
			then: { first: 'could not be searched', requests: 1, there: { listings: 1 } },
		},
	});
});

describe.each([
	['Queue', queue, 'scheduled'],
	['Retry', retryTask, 'failed'],
] as const)('Evidence: a task is taken for one that may be carried out › %s', (_, does, status) => {
	const calls = async () => (await sandbox.state('conversations')).length;
	/** The task is shown like this, from its second read on. */
	const shown = (data: object) =>
		['GET ^/tasks/[^/]+$', answer({ success: true, data }), { nth: [2, 3, 4, 5] }] as never;

	test('it is carried out once, and nothing but that is sent', async () => {
		const [item] = (await does.scene!(sandbox, people(1))) as [{ task: string }];
		await sandbox.clearLedger();
		const twice = [item, item];
		const result = await perform({ ...does, scene: undefined }, twice, continued);
		expect(result.json()).toMatchObject([
			{ uuid: item.task, status: 'queued' },
			{ errorCode: 'SAME_RECORD', error: 'Item 0 is about the same record' },
		]);
		await until('the call', async () => (await calls()) > 0);
		expect(await calls()).toBe(1);
		expect(await sandbox.ledger({ method: 'POST' })).toHaveLength(1);
	});

	promises({
		...Object.fromEntries(
			Object.entries(lostAnswers).map(([what, strike]) => [
				`${what} after acceptance, with Retry Writes: its status shows it, and it is not done again`,
				{
					does,
					when: { ...retryWrites, strikes: [strike] },
					then: {
						hints: 'the record shows that the request went through. It was not sent again',
						requests: 1,
						happens: 'once',
					},
				},
			]),
		),
		'somebody else changed it meanwhile: nobody can tell, even with Retry Writes': {
			does,
			when: {
				...retryWrites,
				strikes: [unsent(), shown({ status, updated_at: '2035-01-01T00:00:00+00:00' })],
			},
			then: {
				fails: /has changed since, but its status does not show .* It was not sent again/,
				requests: 1,
			},
		},
	});
});

describe('Evidence: a task is taken for one that may be carried out', () => {
	const inState = (operation: 'queue' | 'retry', status: string) => async () => {
		const { uuid } = await taskIn(sandbox, status);
		const { node, parameters, path } = kinds[operation];
		return [{ node, parameters, path }, [{ task: uuid }]] as [typeof queue, object[]];
	};
	const failed = 'The task has not failed: it is';

	promises(
		Object.fromEntries(
			(
				[
					['queue', 'queued', 'The task is already queued'],
					['queue', 'in_progress', 'The task is already in progress'],
					['queue', 'completed', 'The task is already completed'],
					['queue', '', 'The platform does not show the status of the task'],
					['queue', 'on_hold', undefined],
					['queue', 'failed', undefined],
					['retry', 'scheduled', `${failed} scheduled`],
					['retry', 'in_progress', `${failed} in progress`],
					['retry', 'completed', `${failed} completed`],
					['retry', 'a new word', 'a status that this node does not know: "a new word"'],
					['retry', 'cancelled', undefined],
				] as const
			).map(([operation, status, fails]) => [
				`${operation}, ${status}: ${fails ? 'nothing is sent' : 'the platform decides'}`,
				async () => ({
					does: await inState(operation, status)(),
					when: retryWrites,
					then: fails
						? { fails: [fails, 'Nothing was sent for this item.'], requests: 0 }
						: { requests: 1 },
				}),
			]),
		),
	);
});

describe('Evidence: a list that lags is taken for "not there"', () => {
	beforeEach(async () => await platform.engine.forget());
	const people4 = [['Open at 8', 'Closed on Sunday'], ['Closed on Sunday']] as const;

	promises({
		'200 notes: the agent is read once, and each note is added once': {
			does: [note, 200],
			then: { happens: 'once', sent: { 'GET /.*': 1 } },
		},
		// Whichever item is looked for first ends the run, and so the look for the other.
		'notes, answers lost, agent minutes behind: named as uncertain, none twice': {
			does: [note, 3],
			when: { manners: { lagMs: 600_000 }, strikes: [lost([1, 2])] },
			then: {
				fails: /did not find it, so it is not known|may have gone through|1 done, 2 uncertain/,
				requests: 3,
			},
		},
		'another run adds the same note meanwhile, and one’s own is lost on its way: not taken for it':
			{
				does: [note, people4[0].map((text) => ({ text }))],
				when: {
					options: { concurrency: 1, timeout: 600 },
					strikes: [hit({ kind: 'slow', ms: 150_000 })(), unsent(3)],
					meanwhile: async () =>
						ok(
							await perform(
								note,
								people4[1].map((text) => ({ text })),
							),
						),
				},
				then: { fails: /may have gone through.*did not find it/, requests: 3 },
			},
	});
});

describe('Evidence: a record of the same name is taken for one’s own', () => {
	const scheduledAt = '2035-05-01T10:00:00+03:00';
	/** Somebody else makes the same task, for another contact. */
	const alike = async () =>
		await taskIn(sandbox, 'scheduled', {
			title: 'Hello 0',
			scheduled_at: scheduledAt,
			contact: { phone_number: phoneOf(9) },
		});
	const silence = hit({ kind: 'timeout', afterAcceptance: true })();
	const several = /Several new records .* not known which one it is\. It was not sent again/;
	const twin = async () => {
		const [{ uuid: _own, ...mine }] = (await sandbox.state('listings')) as [any];
		await sandbox.add('listings', mine);
	};

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
		...Object.fromEntries(
			[false, true].map((on) => [
				`two new listings of the name, ${on ? 'with' : 'without'} Retry Writes, Timeout 3: it is not known which`,
				{
					does: launch,
					when: { ...anew({ retryWrites: on, timeout: 3 }), strikes: [silence], meanwhile: twin },
					then: { fails: several, requests: 1, there: { listings: 2 } },
				},
			]),
		),
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

	test('two executions, one request lost: each task is told once', async () => {
		await given(task, { settings: { latencyMs: 40 }, strikes: [unsent()] });
		const results = await Promise.all(people(2).map((one) => perform(task, [one])));
		expect(results.map(({ status }) => status).sort()).toEqual(['error', 'success']);
		expect(await sandbox.state('tasks')).toHaveLength(1);
	});
});

describe('Evidence: any change of a record is taken for one’s own', () => {
	/** Run Automatically was on already. */
	const update = (title: string | undefined, strike: typeof lost) => async () => {
		const { uuid } = await taskIn(sandbox, 'scheduled', { auto_queue: true });
		return {
			does: {
				node: 'acpOutreach task.update',
				parameters: () => ({
					task: byId(uuid),
					updateFields: { autoQueue: true, ...(title && { title }) },
				}),
				path: '/tasks/.*',
				method: 'PUT',
			},
			when: { strikes: [strike()] },
			then: { ...(strike === unsent && { fails: /has not changed/ }), requests: 1 },
		};
	};
	const already = 'Run Automatically was on already, an update of';
	const onlyTask = async () => (await sandbox.state('tasks'))[0].uuid;

	promises({
		'a task that was cancelled meanwhile, the request to queue it lost: nobody knows': {
			does: queue,
			when: {
				strikes: [unsent()],
				meanwhile: async () =>
					await sandbox.change('tasks', await onlyTask(), { status: 'cancelled' }),
			},
			then: { fails: 'has changed since, but its status does not show', requests: 1 },
		},
		[`${already} the title, the request lost: nobody knows`]: update('New', unsent),
		[`${already} nothing new, the request lost: nobody knows`]: update(undefined, unsent),
		[`${already} the title, the answer lost: seen`]: update('New', lost),
	});
});

describe('Evidence: an answer that holds no record is taken for what it shows', () => {
	const approve = (body: unknown, fails: string) => ({
		does: {
			node: 'acpBuilders buildConversation.approve',
			parameters: () => ({ buildConversation: byId(unknown) }),
			path: '/builder-agents/[^/]+/approve',
		},
		when: { ...quick, strikes: [['GET ^/builder-agents/', answer(body)] as never] },
		then: { fails, requests: 0 },
	});

	promises({
		'an agent that cannot be read once, a note whose answer is lost: found': {
			does: note,
			when: { strikes: [lost(), ['GET ^/agents/[^/]+$', busy, { nth: 1 }]] },
			then: { requests: 1 },
		},
		'a task that can no longer be read, the request to queue it lost: nobody knows': {
			does: queue,
			when: {
				...quick,
				strikes: [unsent(), ['GET ^/tasks/[^/]+$', busy, { nth: [2, 3, 4, 5, 6, 7, 8, 9] }]],
			},
			then: { fails: 'could not be searched for it', requests: 1 },
		},
		'the state of a build conversation: nothing is approved': approve(
			{ message: 'Server busy' },
			'returned no record for GET /builder-agents',
		),
		'a build conversation without a status: nothing is approved': approve(
			{ data: { uuid: 'u1', prompt: 'An app' } },
			'does not show the status of the build conversation',
		),
		'the tasks of a listing that is stopped: an error, none is said to be canceled': async () => {
			const contacts = [{ phone_number: phoneOf(0) }];
			const listing = { name: 'Spring offer', agent_uuid: await agent(), contacts };
			const { data } = await sandbox.api.post('/listings', listing);
			return {
				does: {
					node: 'acpOutreach listing.stop',
					parameters: () => ({ listing: byId(data.data.uuid), additionalFields: {} }),
					path: '',
				},
				when: { ...quick, strikes: [['GET ^/tasks$', busy]] },
				then: { fails: /./, silent: 'canceled' },
			};
		},
		'a call that cannot be found at first: it is waited for': {
			does: waitedFor,
			when: {
				settings: { call: { lifeMs: 1000 } },
				strikes: [
					['GET ^/conversations/', { status: 404, code: 'RESOURCE_NOT_FOUND' }, { nth: [1, 2] }],
				],
			},
			then: { json: [{ timedOut: false }] },
		},
		'a call that is waited for, once: read again, and no state is made up': {
			does: waitedFor,
			when: {
				settings: { call: { lifeMs: 1000 } },
				strikes: [['GET ^/conversations/', busy, { nth: 1 }]],
			},
			then: { json: [{ timedOut: false }], silent: 'a state that this node does not know' },
		},
	});
});

describe('Evidence: a record that nobody could read is taken for leave to send', () => {
	const held = { silent: uncertain, sent: { 'POST .*': 0 } };
	const nothing = 'Nothing was sent for this item.';
	const another = answer({ data: { uuid: unknown, status: 'pending' } });

	promises({
		'a task to retry, its read lost: held back, and it says why': {
			does: retryTask,
			when: { ...quick, strikes: [['GET ^/tasks/', 'reset-before']] },
			then: { fails: ['was lost', nothing], ...held },
		},
		'a task to queue, a message in its place: held back, and it says why': {
			does: queue,
			when: { ...quick, strikes: [['GET ^/tasks/', busy]] },
			then: { fails: ['returned no record for GET /tasks', nothing], ...held },
		},
		'a task to queue, another task in its place: held back': {
			does: queue,
			when: { strikes: [['GET ^/tasks/', another]] },
			then: { fails: 'returned another record', ...held },
		},
		'Find or Create, the list of contacts lost: nothing is created, and nothing may have gone through':
			{
				does: findOrCreate,
				when: { ...quick, strikes: [['GET ^/contacts$', 'reset-before']] },
				then: { fails: nothing, ...held },
			},
	});
});

describe('Evidence: a try of a tool call without an ID is taken for another call', () => {
	const ofModel = (parameters: object) => ({
		...parameters,
		phoneNumber: "={{ $fromAI('phone', 'Whom to write to', 'string') }}",
		options: { maxRetries: 0 },
	});
	const text = "={{ $fromAI('text', 'What to write', 'string') }}";

	test('an SMS, the answer lost, Retry On Fail: one SMS', async () => {
		await given(sms, { strikes: [lost()] });
		expect(
			await callTool('acpMessages', { ...ofModel(smsWith(await agent())), message: text }),
		).toBeUndefined();
		expect(await requests('/sms/send')).toHaveLength(2);
		expect(await happened(sms)).toEqual({ 'Hello 0': 1 });
	});

	test('a contact, the answer lost, Retry On Fail: one contact, and the model is told', async () => {
		await given(contact, { strikes: [lost()] });
		const error = await callTool('acpContacts', { ...ofModel(contactWith()), name: text });
		expect(error).toContain(uncertain);
		expect(await requests('/contacts')).toHaveLength(1);
	});

	const callTool = async (node: string, parameters: object): Promise<string | undefined> => {
		const calls = [{ args: people(1)[0]! }];
		const via = { via: 'invoke', ...retrying } as const;
		const { answers } = await engine.callTools(node, parameters as never, calls, via);
		expect(answers).toHaveLength(1);
		return answers[0]!.error;
	};
});
