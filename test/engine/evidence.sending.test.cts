/**
 * What could be taken for an answer, and is none, when something is sent: silence, a text, a list that lags, a record
 * of the same name. What the platform carried out and holds decides, by its own ledger and state.
 */
import type { INodeParameters } from 'n8n-workflow';
import { kinds, taskIn } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import {
	answer,
	type Case,
	type Happening,
	hit,
	lost,
	type Outcome,
	promisesOf,
	unsent,
} from './guarantees/promises.cts';
import {
	byId,
	contact as contactWith,
	failure,
	fast,
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

/** What happens to a request of a kind, and what must come of it. */
type Row = [what: string, does: Case['does'], when: Happening, then: Outcome];
const table = (rows: Row[]) =>
	promises(
		Object.fromEntries(rows.map(([what, does, when, then]) => [what, { does, when, then }])),
	);

describe('Evidence: a lost answer is taken for leave to start again what costs money', () => {
	const lostOnce = { ...retryWrites, strikes: [lost()] };
	const hints = 'the record shows that the request went through. It was not sent again';
	const onceDone = { requests: 1, happens: 'once' } as const;
	table([
		['a task, with Retry Writes: its status shows it', queue, lostOnce, { ...onceDone, hints }],
	]);

	test('the platform shows a part of its listings only: the node says why', async () => {
		await sandbox.addMany('listings', 100, (at) => ({ name: `Older ${at}`, contact_uuids: [] }));
		await given(launch, { strikes: [lost()] });
		expect(failure(await perform(launch, 1, anew()))).toMatch(
			/lists only some of its records.*not known whether.*It was not sent again/,
		);
		expect(await requests('/listings', 'POST')).toHaveLength(1);
	});
});

describe('Evidence: a task is taken for one that may be carried out', () => {
	const calls = async () => (await sandbox.state('conversations')).length;

	test('it is carried out once, and nothing but that is sent', async () => {
		const [item] = (await queue.scene!(sandbox, people(1))) as [{ task: string }];
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
	test.each<['queue' | 'retry', string, string]>([
		['queue', 'queued', 'The task is already queued'],
		['queue', 'in_progress', 'The task is already in progress'],
		['queue', 'completed', 'The task is already completed'],
		['queue', '', 'The platform does not show the status of the task'],
		['queue', 'on_hold', ''],
		['queue', 'failed', ''],
		['retry', 'in_progress', `${failed} in progress`],
		['retry', 'on_hold', `${failed} on hold`],
		['retry', 'a new word', 'a status that this node does not know: "a new word"'],
		['retry', 'cancelled', ''],
	])('%s, %s: nothing is sent, or the platform decides', async (operation, status, fails) => {
		const items = [{ task: (await taskIn(sandbox, status)).uuid }];
		const result = await perform({ ...kinds[operation], scene: undefined }, items, retryWrites);
		const said = failure(result) ?? '';
		for (const part of fails ? [fails, 'Nothing was sent for this item.'] : [])
			expect(said).toContain(part);
		expect(await requests(kinds[operation].path)).toHaveLength(fails ? 0 : 1);
	});
});

describe('Evidence: a record of the same name, or any change of one, is taken for one’s own', () => {
	const [mine, theirs] = ['Open at 8', 'Closed on Sunday'].map((text) => ({ text }));
	/** Somebody else makes the same task, for another contact. */
	const alike = async () =>
		await taskIn(sandbox, 'scheduled', {
			title: 'Hello 0',
			scheduled_at: '2035-05-01T10:00:00+03:00',
			contact: { phone_number: phoneOf(9) },
		});
	const listing = async () =>
		await sandbox.api.post('/listings', {
			name: 'Spring offer',
			agent_uuid: await agent(),
			contacts: [7, 8].map((index) => ({ phone_number: phoneOf(index) })),
		});
	const twin = async () => {
		const [{ uuid: _own, ...mine }] = await sandbox.state('listings');
		await sandbox.add('listings', mine);
	};
	const other = { status: 'failed', updated_at: '2035-01-01T00:00:00+00:00' };
	const shown = ['GET ^/tasks/[^/]+$', answer({ data: other }), { nth: [2, 3, 4, 5] }] as never;

	const silent = { strikes: [hit({ kind: 'timeout', afterAcceptance: true })()] };
	const several = /Several new records .* not known which one it is\. It was not sent again/;
	const absent = /may have gone through.*did not find it/;
	const mayBe = 'looks like it but may be another';
	const changed = /has changed since, but its status does not show .* It was not sent again/;
	const besides = { strikes: [unsent()], meanwhile: alike };
	const notFound = { fails: absent, requests: 2 };
	const twoListings = { ...anew({ timeout: 3 }), ...silent, meanwhile: twin };
	const bothThere = { fails: several, requests: 1, there: { listings: 2 } };
	const samePhone = async () => await sandbox.api.post('/contacts', { phone_number: phoneOf(0) });
	const two = { options: { timeout: 3 }, ...silent, meanwhile: samePhone };
	const either = { fails: several, requests: 2 };
	const changedOnce = { ...retryWrites, strikes: [unsent(), shown] };
	const untold = { fails: changed, requests: 1 };
	table([
		[
			'another run adds the same note meanwhile, and one’s own is lost on its way',
			[note, [mine!, theirs!]],
			{
				options: { concurrency: 1, timeout: 600 },
				strikes: [hit({ kind: 'slow', ms: 150_000 })(), unsent(3)],
				meanwhile: async () => ok(await perform(note, [theirs!])),
			},
			{ fails: absent, requests: 3 },
		],
		['a task for somebody else, the request lost: named as uncertain', task, besides, notFound],
		[
			'a listing of another execution, the request lost: no batch is added to it',
			[launch, 3],
			{
				...{ change: { autoStart: false }, options: { batchSize: 1 } },
				...{ strikes: [unsent()], meanwhile: listing },
			},
			{ fails: mayBe, sent: { 'POST /listings': 2, 'POST /listings/[^/]+/contacts': 0 } },
		],
		[
			'two new listings of the name, Timeout 3: it is not known which',
			launch,
			twoListings,
			bothThere,
		],
		['two new contacts of the number, Timeout 3: it is not known which', findOrCreate, two, either],
		['a task that somebody else changed, lost, with Retry Writes', retryTask, changedOnce, untold],
	]);

	test.each<[string, typeof lost, INodeParameters]>([
		['the title, the request lost: nobody knows', unsent, { title: 'New' }],
		['nothing new, the request lost: nobody knows', unsent, {}],
		['the title, the answer lost: seen', lost, { title: 'New' }],
	])('Run Automatically was on already, an update of %s', async (_, strike, title) => {
		const { uuid } = await taskIn(sandbox, 'scheduled', { auto_queue: true });
		const update = {
			node: 'acpOutreach task.update',
			parameters: () => ({ task: byId(uuid), updateFields: { autoQueue: true, ...title } }),
			path: '/tasks/.*',
			method: 'PUT',
		};
		await given(update, { strikes: [strike()] });
		const said = failure(await perform(update)) ?? '';
		expect(said).toMatch(strike === unsent ? /has not changed/ : /^$/);
		expect(await requests(update.path, 'PUT')).toHaveLength(1);
	});
});

describe('Evidence: an answer that holds no record is taken for what it shows', () => {
	const held = {
		...{ silent: uncertain, sent: { 'POST .*': 0 } },
		fails: ['returned no record for GET /tasks', 'Nothing was sent for this item.'],
	};
	const call = { ...kinds.call, node: 'acpCalls call.startAndWait' };
	const waited = { json: [{ timedOut: false }], silent: 'a state that this node does not know' };
	const absent = { status: 404, code: 'RESOURCE_NOT_FOUND' };
	const unread = ['GET ^/tasks/[^/]+$', busy, { nth: [2, 3, 4, 5, 6, 7, 8, 9] }] as never;
	const unsentOne = { ...quick, strikes: [unsent(), unread] };
	const unknown = { fails: 'could not be searched for it', requests: 1 };
	const late: Happening = {
		settings: { call: { lifeMs: 1000 } },
		strikes: [['GET ^/conversations/', absent, { nth: [1, 2] }]],
	};
	const noTask: Happening = { ...quick, strikes: [['GET ^/tasks/', busy]] };
	table([
		['a task that can no longer be read, the request to queue it lost', queue, unsentOne, unknown],
		['a call that cannot be found at first: it is waited for', call, late, waited],
		['a task to queue, a message in its place: held back, and it says why', queue, noTask, held],
	]);
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
