/**
 * What could be taken for an answer, and is none, when something is sent: silence, a text, a list that lags, a record
 * of the same name. What the platform carried out and holds decides, by its own ledger and state.
 */
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	contact,
	failure,
	fast,
	hintsOf,
	note,
	people,
	phoneOf,
	sms,
	ok,
} from './guarantees/scene.cts';
import { until, usePlatform, type FaultRule, type Result } from './harness/index.cts';

// Without keys, whose names are a guess for tasks and listings: the node has to do without them.
const { sandbox, engine } = usePlatform({
	settings: { ...fast, requestKeysInferred: false },
	speed: 20,
	engine: { expressionEngine: 'legacy' },
});
jest.setTimeout(60_000);

const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const agent = async () => await agentOf(sandbox);
const strike = async (path: string, fault: FaultRule['fault'], match: object = {}) =>
	await sandbox.strike(`POST ^${path}$`, fault, { nth: 1, ...match });
const posts = async (path: string): Promise<number> =>
	(await sandbox.ledger({ method: 'POST' })).filter((entry) =>
		new RegExp(`^${path}$`).test(entry.path),
	).length;
const lag = async (lagMs: number) => await sandbox.settings({ manners: { lagMs } });
const findOrCreate = (options: INodeParameters = {}) => ({
	...contact(options),
	operation: 'findOrCreate',
});
const contactsOf = async (phone: string): Promise<any[]> =>
	(await sandbox.state('contacts')).filter(({ phone_number: number }) => number === phone);

/** A task for the far future. @returns its uuid */
async function laterTask(): Promise<string> {
	const { data } = await sandbox.api.post('/tasks', {
		title: 'Call Anna back',
		type: 'make_call',
		agent_uuid: await agent(),
		scheduled_at: '2035-03-05T10:00:00',
		contact: { phone_number: phoneOf(0) },
	});
	return data.data.uuid;
}

const onTask = async (operation: string, uuid: string, options: INodeParameters = {}) =>
	await engine.runNode('acpOutreach', { resource: 'task', operation, task: byId(uuid), options });

/** While a request is not answered or lost, somebody else does something. */
async function meanwhile(path: string, running: Promise<Result>, act: () => Promise<unknown>) {
	await until('the request', async () => (await posts(path)) > 0);
	await act();
	return await running;
}

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
		await strike('/sms/send', { kind: 'status', status: 200, body }, { nth: [1, 2] });
		const result = await engine.runNode('acpMessages', sms(await agent()), {
			items: people(3),
			onError: 'continueRegularOutput',
		});
		expect(hintsOf(result)).toContain('1 SMS was sent, from 3 items. ');
		expect(await sandbox.created('/sms/send')).toHaveLength(1);
		const doubtful = result
			.json()
			.filter((json) => json.acceptedWithoutProof === true || json.error !== undefined);
		expect(doubtful).toHaveLength(2);
	});

	test.each([
		['an ID', { data: { messageId: 'm1' } }],
		['a success that names itself', { success: true }],
	])('%s answers an SMS: it counts as sent', async (_, body) => {
		await strike('/sms/send', { kind: 'status', status: 200, body });
		const result = await engine.runNode('acpMessages', sms(await agent()), { items: people(2) });
		expect(hintsOf(result)).toMatch(/(^|\. )2 SMS were sent/);
		expect(result.json().filter((json) => 'acceptedWithoutProof' in json)).toEqual([]);
	});

	test('a text answers a deletion: the record is not said to be deleted', async () => {
		const [{ uuid }] = await sandbox.state('contacts');
		await strike(
			'/contacts/.*',
			{ kind: 'status', status: 200, body: 'Service busy' },
			{ method: 'DELETE' },
		);
		const result = await engine.runNode('acpContacts contact.delete', { contact: byId(uuid) });
		expect(result.json()).toEqual([
			{ acceptedWithoutProof: true, responseStatus: 200, response: 'Service busy' },
		]);
	});

	test('408 answers a new contact: nobody knows whether it was created, and it is not sent again', async () => {
		await strike('/contacts', { kind: 'status', status: 408, afterAcceptance: true });
		const result = await engine.runNode('acpContacts', contact(), {
			items: people(1),
			...retrying,
		});
		expect(failure(result)).toContain('may have gone through');
		expect(await contactsOf(phoneOf(0))).toHaveLength(1);
	});
});

describe('Evidence: an error is taken for leave to send again', () => {
	test.each<[string, string, (options: INodeParameters) => Promise<INodeParameters>, string]>([
		['a note', 'acpAgents', async (options) => note(await agent(), options), '/agents/[^/]+/notes'],
		['a contact', 'acpContacts', async (options) => contact(options), '/contacts'],
		['Find or Create', 'acpContacts', async (options) => findOrCreate(options), '/contacts'],
	])(
		'503 answers every try of %s, with Retry Writes and Max Retries 2: three requests',
		async (_, node, parameters, path) => {
			await strike(path, { kind: 'status', status: 503 }, { nth: undefined });
			const options = { retryWrites: true, maxRetries: 2 };
			const result = await engine.runNode(node, await parameters(options), { items: people(1) });
			expect(result.status).toBe('error');
			expect(await posts(path)).toBe(3);
		},
	);
});

describe('Evidence: a list that lags is taken for "not there"', () => {
	test('Find or Create, answer lost, list 8 seconds behind, Retry On Fail: one contact', async () => {
		await lag(8000);
		await strike('/contacts', { kind: 'reset-after' });
		const result = ok(
			await engine.runNode('acpContacts', findOrCreate(), { items: people(1), ...retrying }),
		);
		const [made, ...more] = await contactsOf(phoneOf(0));
		expect(more).toEqual([]);
		expect(result.json()).toEqual([expect.objectContaining({ uuid: made.uuid, created: true })]);
	});

	test('Find or Create, answer lost, list minutes behind, Retry On Fail: uncertain, one contact', async () => {
		await lag(600_000);
		await strike('/contacts', { kind: 'reset-after' });
		const result = await engine.runNode('acpContacts', findOrCreate(), {
			items: people(1),
			...retrying,
		});
		expect(failure(result)).toMatch(/may have gone through.*not known whether/);
		expect(await contactsOf(phoneOf(0))).toHaveLength(1);
	});

	test('Find or Create in two executions at once: one of them creates', async () => {
		await sandbox.settings({ latencyMs: 40 });
		const run = async () =>
			await engine.runNode('acpContacts', findOrCreate(), { items: people(1) });
		const results = await Promise.all([run(), run()]);
		expect(results.map((result) => result.json()[0].created).sort()).toEqual([false, true]);
		expect(await contactsOf(phoneOf(0))).toHaveLength(1);
	});

	test.each([
		['8 seconds behind: all found', 8000, undefined],
		// Whichever item is looked for first ends the run, and so the look for the other.
		[
			'minutes behind: named as uncertain',
			600_000,
			/did not find it, so it is not known|may have gone through/,
		],
	])('notes, answers lost, agent %s, none twice', async (_, behind, said) => {
		await lag(behind);
		await strike('/agents/[^/]+/notes', { kind: 'reset-after' }, { nth: [1, 2] });
		const uuid = await agent();
		const result = await engine.runNode('acpAgents', note(uuid), { items: people(3) });
		expect(failure(result) ?? '').toMatch(said ?? /^$/);
		expect(await posts(`/agents/${uuid}/notes`)).toBe(3);
	});

	test('200 notes: the agent is read once, and each note is added once', async () => {
		const uuid = await agent();
		ok(await engine.runNode('acpAgents', note(uuid), { items: people(200) }));
		expect(await posts(`/agents/${uuid}/notes`)).toBe(200);
		expect(await sandbox.ledger()).toHaveLength(201);
	});

	test('another run adds the same note meanwhile, and one’s own is lost on its way: not taken for it', async () => {
		const uuid = await agent();
		const path = `/agents/${uuid}/notes`;
		await strike(path, { kind: 'slow', ms: 10_000 });
		await strike(path, { kind: 'reset-before' }, { nth: 3 });
		const run = async (texts: string[]) =>
			await engine.runNode('acpAgents', note(uuid, { concurrency: 1 }), {
				items: texts.map((text) => ({ json: { text } })),
			});
		const result = await meanwhile(path, run(['Open at 8', 'Closed on Sunday']), async () => {
			expect(failure(await run(['Closed on Sunday']))).toBeUndefined();
		});
		expect(failure(result)).toMatch(/may have gone through.*did not find it/);
		expect(await posts(path)).toBe(3);
	});
});

describe('Evidence: a record of the same name is taken for one’s own', () => {
	const task = async (): Promise<INodeParameters> => ({
		resource: 'task',
		operation: 'create',
		title: 'Call back',
		type: 'make_call',
		phoneNumber: '={{ $json.phone }}',
		scheduledAt: '2035-05-01T10:00:00+03:00',
		autoQueue: true,
		agent: byId(await agent()),
	});
	const others = async (phone: string) =>
		await sandbox.api.post('/tasks', {
			title: 'Call back',
			type: 'make_call',
			agent_uuid: await agent(),
			scheduled_at: '2035-05-01T10:00:00+03:00',
			contact: { phone_number: phone },
		});

	test('a task for somebody else, the request lost: not taken, named as uncertain', async () => {
		await strike('/tasks', { kind: 'reset-before' });
		const result = await meanwhile(
			'/tasks',
			engine.runNode('acpOutreach', await task(), { items: people(1) }),
			async () => await others(phoneOf(9)),
		);
		expect(failure(result)).toMatch(/may have gone through.*did not find it/);
	});

	test('a task, the answer lost, a list that lacks rows, Retry Writes: not sent again', async () => {
		await strike('/tasks', { kind: 'reset-after' });
		const body = { data: { data: [], total: 5 } };
		await strike(
			'/tasks',
			{ kind: 'status', status: 200, body },
			{ method: 'GET', nth: undefined },
		);
		const result = await engine.runNode(
			'acpOutreach',
			{ ...(await task()), options: { retryWrites: true } },
			{ items: people(1) },
		);
		expect(failure(result)).toContain('lists only some of its records');
		expect(await posts('/tasks')).toBe(1);
	});

	test('a task for the same contact, the answer lost: found', async () => {
		await strike('/tasks', { kind: 'reset-after' });
		const result = ok(await engine.runNode('acpOutreach', await task(), { items: people(1) }));
		expect(result.json()[0].uuid).toBe((await sandbox.state('tasks'))[0].uuid);
	});

	test('a task whose contact cannot be read, the request lost: nobody knows', async () => {
		await strike('/tasks', { kind: 'reset-before' });
		await sandbox.settings({ manners: { unreadable: ['/contacts/{uuid}'] } });
		const result = await meanwhile(
			'/tasks',
			engine.runNode('acpOutreach', await task(), { items: people(1) }),
			async () => await others(phoneOf(9)),
		);
		expect(failure(result)).toContain('does not show whether it is the one that was requested');
	});

	test('two executions, one request lost: each task is told once', async () => {
		await sandbox.settings({ latencyMs: 40 });
		await strike('/tasks', { kind: 'reset-before' });
		const run = async (index: number) =>
			await engine.runNode('acpOutreach', await task(), { items: [people(2)[index]!] });
		const results = await Promise.all([run(0), run(1)]);
		expect(results.map(({ status }) => status).sort()).toEqual(['error', 'success']);
		expect(await sandbox.state('tasks')).toHaveLength(1);
	});

	test('a listing of another execution, the request lost: no batch is added to it', async () => {
		await strike('/listings', { kind: 'reset-before' });
		const uuid = await agent();
		const parameters: INodeParameters = {
			resource: 'listing',
			operation: 'createFromItems',
			name: 'Spring offer',
			agent: byId(uuid),
			contacts: {
				mappingMode: 'defineBelow',
				value: { phone_number: '={{ $json.phone }}' },
				schema: [],
			} as never,
			options: { batchSize: 1 },
		};
		const result = await meanwhile(
			'/listings',
			engine.runNode('acpOutreach', parameters, { items: people(3) }),
			async () =>
				await sandbox.api.post('/listings', {
					name: 'Spring offer',
					agent_uuid: uuid,
					contacts: [7, 8].map((index) => ({ phone_number: phoneOf(index) })),
				}),
		);
		expect(failure(result)).toContain('does not show whether it is the one that was requested');
		expect(await posts('/listings/[^/]+/contacts')).toBe(0);
	});
});

describe('Evidence: any change of a record is taken for one’s own', () => {
	test('a task that was cancelled meanwhile, the request to queue it lost: nobody knows', async () => {
		const uuid = await laterTask();
		await strike('/tasks/[^/]+/queue', { kind: 'reset-before' });
		const result = await meanwhile(
			'/tasks/[^/]+/queue',
			onTask('queue', uuid),
			async () => await sandbox.change('tasks', uuid, { status: 'cancelled' }),
		);
		expect(failure(result)).toContain('has changed since, but its status does not show');
	});

	test.each<[string, INodeParameters, FaultRule['fault'], RegExp | undefined]>([
		[
			'the title, the request lost: nobody knows',
			{ title: 'New' },
			{ kind: 'reset-before' },
			/has not changed/,
		],
		[
			'nothing new, the request lost: nobody knows',
			{},
			{ kind: 'reset-before' },
			/has not changed/,
		],
		['the title, the answer lost: seen', { title: 'New' }, { kind: 'reset-after' }, undefined],
	])('Run Automatically was on already, an update of %s', async (_, fields, fault, said) => {
		const uuid = await laterTask();
		await sandbox.change('tasks', uuid, { auto_queue: true });
		await strike('/tasks/[^/]+', fault, { method: 'PUT' });
		const result = await engine.runNode('acpOutreach task.update', {
			task: byId(uuid),
			updateFields: { autoQueue: true, ...fields },
		});
		expect(failure(result) ?? '').toMatch(said ?? /^$/);
		expect(await sandbox.ledger({ method: 'PUT' })).toHaveLength(1);
	});
});

describe('Evidence: an answer that holds no record is taken for what it shows', () => {
	const busy = { kind: 'status', status: 200, body: { message: 'Server busy' } } as const;
	const waitedFor = async () =>
		await engine.runNode(
			'acpCalls call.startAndWait',
			{ agent: byId(await agent()), phoneNumber: phoneOf(0) },
			{ items: people(1) },
		);

	test('an agent that cannot be read once, a note whose answer is lost: found', async () => {
		const uuid = await agent();
		await strike('/agents/[^/]+/notes', { kind: 'reset-after' });
		await strike('/agents/[^/]+', busy, { method: 'GET' });
		ok(await engine.runNode('acpAgents', note(uuid), { items: people(1) }));
		expect(await posts(`/agents/${uuid}/notes`)).toBe(1);
	});

	test('a task that can no longer be read, the request to queue it lost: nobody knows', async () => {
		const uuid = await laterTask();
		await strike('/tasks/[^/]+/queue', { kind: 'reset-before' });
		await strike('/tasks/[^/]+', busy, { method: 'GET', nth: [2, 3, 4, 5, 6, 7, 8, 9] });
		const result = await onTask('queue', uuid, { maxRetries: 1 });
		expect(failure(result)).toContain('could not be searched for it');
		expect(await posts('/tasks/[^/]+/queue')).toBe(1);
	});

	test('the state of a build conversation: nothing is approved', async () => {
		await strike('/builder-agents/[^/]+', busy, { method: 'GET', nth: undefined });
		const result = await engine.runNode('acpBuilders buildConversation.approve', {
			buildConversation: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
			options: { maxRetries: 1 },
		});
		expect(failure(result)).toContain('returned no record for GET /builder-agents');
		expect(await posts('/builder-agents/[^/]+/approve')).toBe(0);
	});

	test('a build conversation without a status: nothing is approved', async () => {
		const body = { data: { uuid: 'u1', prompt: 'An app' } };
		await strike('/builder-agents/[^/]+', { kind: 'status', status: 200, body }, { method: 'GET' });
		const result = await engine.runNode('acpBuilders buildConversation.approve', {
			buildConversation: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
		});
		expect(failure(result)).toContain('does not show the status of the build conversation');
		expect(await posts('/builder-agents/[^/]+/approve')).toBe(0);
	});

	test('the tasks of a listing that is stopped: an error, none is said to be canceled', async () => {
		const { data } = await sandbox.api.post('/listings', {
			name: 'Spring offer',
			agent_uuid: await agent(),
			contacts: [{ phone_number: phoneOf(0) }],
		});
		await strike('/tasks', busy, { method: 'GET', nth: undefined });
		const result = await engine.runNode('acpOutreach listing.stop', {
			listing: byId(data.data.uuid),
			additionalFields: {},
			options: { maxRetries: 1 },
		});
		expect(failure(result)).toBeDefined();
		expect(hintsOf(result)).not.toContain('canceled');
	});

	test('a call that cannot be found at first: it is waited for', async () => {
		await strike(
			'/conversations/[^/]+',
			{ kind: 'status', status: 404, code: 'RESOURCE_NOT_FOUND' },
			{ method: 'GET', nth: [1, 2] },
		);
		const result = ok(await waitedFor());
		expect(result.json()[0].timedOut).toBe(false);
	});

	test('a call that is waited for, once: read again, and no state is made up', async () => {
		await strike('/conversations/[^/]+', busy, { method: 'GET' });
		const result = ok(await waitedFor());
		expect(hintsOf(result)).not.toContain('a state that this node does not know');
	});
});

describe('Evidence: another record is taken for the one that was asked for', () => {
	const other = {
		kind: 'status',
		status: 200,
		body: { data: { uuid: '9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35', status: 'pending' } },
	} as const;

	test('another task in the place of the one to queue: held back', async () => {
		const uuid = await laterTask();
		await strike('/tasks/[^/]+', other, { method: 'GET', nth: undefined });
		const result = await onTask('queue', uuid);
		expect(failure(result)).toContain('returned another record');
		expect(await posts('/tasks/[^/]+/queue')).toBe(0);
	});
});

describe('Evidence: a record that nobody could read is taken for leave to send', () => {
	const refused = { status: 403 } as const;
	test.each<[string, string, FaultRule['fault'], string]>([
		[
			'a task to queue, without permission to read it',
			'queue',
			{ kind: 'status', ...refused },
			'The token is valid, but it has no permission for this',
		],
		['a task to retry, its read lost', 'retry', { kind: 'reset-before' }, 'was lost'],
		[
			'a task to queue, a message in its place',
			'queue',
			{ kind: 'status', status: 200, body: { message: 'Server busy' } },
			'returned no record for GET /tasks',
		],
		[
			'a task to queue, without a status',
			'queue',
			{ kind: 'status', status: 200, body: { data: { uuid: 'u1', title: 'Call' } } },
			'does not show the status of the task',
		],
		[
			'a task to retry, with a status that nobody knows',
			'retry',
			{ kind: 'status', status: 200, body: { data: { uuid: 'u1', status: 'dialing' } } },
			'a status that this node does not know: "dialing"',
		],
	])('%s: held back, and it says why', async (_, operation, fault, said) => {
		const uuid = await laterTask();
		await strike('/tasks/[^/]+', fault, { method: 'GET', nth: undefined });
		const result = await onTask(operation, uuid, { maxRetries: 1 });
		expect(failure(result)).toContain(said);
		expect(failure(result)).toContain('Nothing was sent for this item.');
		expect(failure(result)).not.toContain('may have gone through');
		expect(await posts(`/tasks/[^/]+/${operation}`)).toBe(0);
	});

	test('Find or Create, the list of contacts lost: nothing is created, and nothing may have gone through', async () => {
		await strike('/contacts', { kind: 'reset-before' }, { method: 'GET', nth: undefined });
		const result = await engine.runNode('acpContacts', findOrCreate({ maxRetries: 1 }), {
			items: people(1),
		});
		expect(failure(result)).toContain('Nothing was sent for this item.');
		expect(failure(result)).not.toContain('may have gone through');
		expect(await posts('/contacts')).toBe(0);
	});
});

describe('Evidence: a try of a tool call without an ID is taken for another call', () => {
	const ofModel = {
		phoneNumber: "={{ $fromAI('phone', 'Whom to write to', 'string') }}",
		options: { maxRetries: 0 },
	};
	const call = [{ args: { phone: phoneOf(1), text: 'Hello' } }];
	const invoke = { via: 'invoke', ...retrying } as const;

	test('an SMS, the answer lost, Retry On Fail: one SMS', async () => {
		await strike('/sms/send', { kind: 'reset-after' });
		const parameters = {
			...sms(await agent(), {}, ofModel),
			message: "={{ $fromAI('text', 'What to write', 'string') }}",
		};
		const { answers } = await engine.callTools('acpMessages', parameters, call, invoke);
		expect(answers[0]!.error).toBeUndefined();
		expect(await posts('/sms/send')).toBe(2);
		expect(await sandbox.created('/sms/send')).toHaveLength(1);
	});

	test('a contact, the answer lost, Retry On Fail: one contact, and the model is told', async () => {
		await strike('/contacts', { kind: 'reset-after' });
		const parameters = { ...contact(), ...ofModel, name: "={{ $fromAI('text', '', 'string') }}" };
		const { answers } = await engine.callTools('acpContacts', parameters, call, invoke);
		expect(answers[0]!.error).toContain('may have gone through');
		expect(await contactsOf(phoneOf(1))).toHaveLength(1);
	});
});
