/**
 * What could be taken for an answer, and is none, when something is sent: silence, a text, a list that lags, a record
 * of the same name. What the platform carried out and holds decides, by its own ledger and state.
 */
import type { INodeParameters } from 'n8n-workflow';
import { cases } from './guarantees/cases.cts';
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
	retrying,
	sms,
	ok,
	mapped,
} from './guarantees/scene.cts';
import { until, usePlatform, type FaultRule, type Result } from './harness/index.cts';

// Without keys, whose names are a guess for tasks and listings: the node has to do without them.
const platform = usePlatform({
	settings: { ...fast, requestKeysInferred: false },
	speed: 20,
	engine: { expressionEngine: 'legacy' },
});
const { sandbox, engine } = platform;

const agent = async () => await agentOf(sandbox);
const strike = async (path: string, fault: FaultRule['fault'], match: object = {}) =>
	await sandbox.strike(`POST ^${path}$`, fault, { nth: 1, ...match });
const posts = async (path: string): Promise<number> =>
	(await sandbox.ledger({ method: 'POST' })).filter((entry) =>
		new RegExp(`^${path}$`).test(entry.path),
	).length;
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
const onTask = async (operation: string, change: INodeParameters = {}) => ({
	node: `acpOutreach task.${operation}`,
	parameters: { task: byId(await laterTask()), ...change },
});
/** One item that is to create a contact, or to find it. */
const ofOne = (parameters: INodeParameters) => ({
	node: 'acpContacts',
	parameters,
	items: people(1),
});
const lost = (path: string, kind: 'reset-before' | 'reset-after' = 'reset-before') =>
	[`POST ^${path}$`, kind, { nth: 1 }] as [string, typeof kind, object];
const answer = (body: unknown) => ({ status: 200, body }) as const;

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

	cases(platform, {
		'a text answers a deletion: the record is not said to be deleted': async () => ({
			node: 'acpContacts contact.delete',
			parameters: { contact: byId((await sandbox.state('contacts'))[0].uuid) },
			strikes: [['DELETE ^/contacts/', answer('Service busy')]],
			json: [{ acceptedWithoutProof: true, responseStatus: 200, response: 'Service busy' }],
		}),
		'408 answers a new contact: nobody knows whether it was created, and it is not sent again':
			() => ({
				...ofOne(contact()),
				strikes: [['POST ^/contacts$', { status: 408, afterAcceptance: true }, { nth: 1 }]],
				chosen: retrying,
				fails: 'may have gone through',
				sent: { 'POST /contacts': 1 },
			}),
	});
});

describe('Evidence: an error is taken for leave to send again', () => {
	const options = { retryWrites: true, maxRetries: 2 };
	cases(
		platform,
		Object.fromEntries(
			[
				['a note', 'acpAgents', async () => note(await agent(), options), '/agents/[^/]+/notes'],
				['a contact', 'acpContacts', () => contact(options), '/contacts'],
				['Find or Create', 'acpContacts', () => findOrCreate(options), '/contacts'],
			].map(([what, node, parameters, path]: any) => [
				`503 answers every try of ${what}, with Retry Writes and Max Retries 2: three requests`,
				async () => ({
					node,
					parameters: await parameters(),
					items: people(1),
					strikes: [[`POST ^${path}$`, 503]],
					fails: /./,
					sent: { [`POST ${path}`]: 3 },
				}),
			]),
		),
	);
});

describe('Evidence: a list that lags is taken for "not there"', () => {
	const lagging = (lagMs: number) => ({
		...ofOne(findOrCreate()),
		manners: { lagMs },
		strikes: [lost('/contacts', 'reset-after')],
		chosen: retrying,
		sent: { 'POST /contacts': 1 },
	});
	cases(platform, {
		'Find or Create, answer lost, list 8 seconds behind, Retry On Fail: one contact': () => ({
			...lagging(8000),
			json: [{ created: true, phone_number: phoneOf(0), uuid: expect.any(String) }],
		}),
		'Find or Create, answer lost, list minutes behind, Retry On Fail: uncertain, one contact':
			() => ({ ...lagging(600_000), fails: /may have gone through.*not known whether/ }),
		'200 notes: the agent is read once, and each note is added once': async () => ({
			node: 'acpAgents',
			parameters: note(await agent()),
			items: people(200),
			sent: { 'POST /agents/[^/]+/notes': 200, 'GET /.*': 1 },
		}),
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
			/did not find it, so it is not known|may have gone through|1 done, 2 uncertain/,
		],
	])('notes, answers lost, agent %s, none twice', async (_, lagMs, said) => {
		await sandbox.settings({ manners: { lagMs } });
		await strike('/agents/[^/]+/notes', { kind: 'reset-after' }, { nth: [1, 2] });
		const uuid = await agent();
		const result = await engine.runNode('acpAgents', note(uuid), { items: people(3) });
		expect(failure(result) ?? '').toMatch(said ?? /^$/);
		expect(await posts(`/agents/${uuid}/notes`)).toBe(3);
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
		const running: Promise<Result> = run(['Open at 8', 'Closed on Sunday']);
		await until('the request', async () => (await posts(path)) > 0);
		ok(await run(['Closed on Sunday']));
		expect(failure(await running)).toMatch(/may have gone through.*did not find it/);
		expect(await posts(path)).toBe(3);
	});
});

describe('Evidence: a record of the same name is taken for one’s own', () => {
	const task = async (items: object[] = people(1)) => ({
		node: 'acpOutreach task.create',
		parameters: {
			title: 'Call back',
			type: 'make_call',
			phoneNumber: '={{ $json.phone }}',
			scheduledAt: '2035-05-01T10:00:00+03:00',
			autoQueue: true,
			agent: byId(await agent()),
		},
		items,
		strikes: [lost('/tasks')],
		meanwhile: async () =>
			await sandbox.api.post('/tasks', {
				title: 'Call back',
				type: 'make_call',
				agent_uuid: await agent(),
				scheduled_at: '2035-05-01T10:00:00+03:00',
				contact: { phone_number: phoneOf(9) },
			}),
	});

	cases(platform, {
		'a task for somebody else, the request lost: not taken, named as uncertain': async () => ({
			...(await task()),
			fails: /may have gone through.*did not find it/,
			sent: { 'POST /tasks': 2 },
		}),
		'a task whose contact cannot be read, the request lost: nobody knows': async () => ({
			...(await task()),
			manners: { unreadable: ['/contacts/{uuid}'] },
			fails: 'does not show whether it is the one that was requested',
			sent: { 'POST /tasks': 2 },
		}),
		'a listing of another execution, the request lost: no batch is added to it': async () => ({
			node: 'acpOutreach listing.createFromItems',
			parameters: {
				name: 'Spring offer',
				agent: byId(await agent()),
				contacts: mapped({ phone_number: '={{ $json.phone }}' }),
				options: { batchSize: 1 },
			},
			items: people(3),
			strikes: [lost('/listings')],
			meanwhile: async () =>
				await sandbox.api.post('/listings', {
					name: 'Spring offer',
					agent_uuid: await agent(),
					contacts: [7, 8].map((index) => ({ phone_number: phoneOf(index) })),
				}),
			fails: 'does not show whether it is the one that was requested',
			sent: { 'POST /listings': 2, 'POST /listings/[^/]+/contacts': 0 },
		}),
	});

	test('two executions, one request lost: each task is told once', async () => {
		await sandbox.settings({ latencyMs: 40 });
		await strike('/tasks', { kind: 'reset-before' });
		const run = async (index: number) => {
			const { node, parameters, items } = await task([people(2)[index]!]);
			return await engine.runNode(node, parameters, { items: items as never });
		};
		const results = await Promise.all([run(0), run(1)]);
		expect(results.map(({ status }) => status).sort()).toEqual(['error', 'success']);
		expect(await sandbox.state('tasks')).toHaveLength(1);
	});
});

describe('Evidence: any change of a record is taken for one’s own', () => {
	/** Run Automatically was on already. */
	const update = async (fields: object, kind: 'reset-before' | 'reset-after') => {
		const uuid = await laterTask();
		await sandbox.change('tasks', uuid, { auto_queue: true });
		return {
			node: 'acpOutreach task.update',
			parameters: { task: byId(uuid), updateFields: { autoQueue: true, ...fields } },
			strikes: [['PUT ^/tasks/', kind, { nth: 1 }] as [string, typeof kind, object]],
			sent: { 'PUT /tasks/.*': 1 },
		};
	};
	cases(platform, {
		'a task that was cancelled meanwhile, the request to queue it lost: nobody knows': async () => {
			const queue = await onTask('queue');
			return {
				...queue,
				strikes: [lost('/tasks/[^/]+/queue')],
				meanwhile: async () =>
					await sandbox.change('tasks', queue.parameters.task.value, { status: 'cancelled' }),
				fails: 'has changed since, but its status does not show',
				sent: { 'POST /tasks/[^/]+/queue': 1 },
			};
		},
		'Run Automatically was on already, an update of the title, the request lost: nobody knows':
			async () => ({
				...(await update({ title: 'New' }, 'reset-before')),
				fails: /has not changed/,
			}),
		'Run Automatically was on already, an update of nothing new, the request lost: nobody knows':
			async () => ({ ...(await update({}, 'reset-before')), fails: /has not changed/ }),
		'Run Automatically was on already, an update of the title, the answer lost: seen': async () =>
			await update({ title: 'New' }, 'reset-after'),
	});
});

describe('Evidence: an answer that holds no record is taken for what it shows', () => {
	const busy = answer({ message: 'Server busy' });
	const approve = {
		node: 'acpBuilders buildConversation.approve',
		parameters: {
			buildConversation: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
			options: { maxRetries: 1 },
		},
		sent: { 'POST /builder-agents/[^/]+/approve': 0 },
	};
	const waitedFor = async () => ({
		node: 'acpCalls call.startAndWait',
		parameters: { agent: byId(await agent()), phoneNumber: phoneOf(0) },
		items: people(1),
	});

	cases(platform, {
		'an agent that cannot be read once, a note whose answer is lost: found': async () => ({
			node: 'acpAgents',
			parameters: note(await agent()),
			items: people(1),
			strikes: [
				lost('/agents/[^/]+/notes', 'reset-after'),
				['GET ^/agents/[^/]+$', busy, { nth: 1 }],
			],
			sent: { 'POST /agents/[^/]+/notes': 1 },
		}),
		'a task that can no longer be read, the request to queue it lost: nobody knows': async () => ({
			...(await onTask('queue', { options: { maxRetries: 1 } })),
			strikes: [
				lost('/tasks/[^/]+/queue'),
				['GET ^/tasks/[^/]+$', busy, { nth: [2, 3, 4, 5, 6, 7, 8, 9] }],
			],
			fails: 'could not be searched for it',
			sent: { 'POST /tasks/[^/]+/queue': 1 },
		}),
		'the state of a build conversation: nothing is approved': () => ({
			...approve,
			strikes: [['GET ^/builder-agents/', busy]],
			fails: 'returned no record for GET /builder-agents',
		}),
		'a build conversation without a status: nothing is approved': () => ({
			...approve,
			strikes: [['GET ^/builder-agents/', answer({ data: { uuid: 'u1', prompt: 'An app' } })]],
			fails: 'does not show the status of the build conversation',
		}),
		'the tasks of a listing that is stopped: an error, none is said to be canceled': async () => {
			const { data } = await sandbox.api.post('/listings', {
				name: 'Spring offer',
				agent_uuid: await agent(),
				contacts: [{ phone_number: phoneOf(0) }],
			});
			return {
				node: 'acpOutreach listing.stop',
				parameters: {
					listing: byId(data.data.uuid),
					additionalFields: {},
					options: { maxRetries: 1 },
				},
				strikes: [['GET ^/tasks$', busy]],
				fails: /./,
				silent: 'canceled',
			};
		},
		'a call that cannot be found at first: it is waited for': async () => ({
			...(await waitedFor()),
			strikes: [
				['GET ^/conversations/', { status: 404, code: 'RESOURCE_NOT_FOUND' }, { nth: [1, 2] }],
			],
			json: [{ timedOut: false }],
		}),
		'a call that is waited for, once: read again, and no state is made up': async () => ({
			...(await waitedFor()),
			strikes: [['GET ^/conversations/', busy, { nth: 1 }]],
			json: [{ timedOut: false }],
			silent: 'a state that this node does not know',
		}),
	});
});

describe('Evidence: another record is taken for the one that was asked for', () => {
	cases(platform, {
		'another task in the place of the one to queue: held back': async () => ({
			...(await onTask('queue')),
			strikes: [
				[
					'GET ^/tasks/',
					answer({ data: { uuid: '9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35', status: 'pending' } }),
				],
			],
			fails: 'returned another record',
			sent: { 'POST /tasks/[^/]+/queue': 0 },
		}),
	});
});

describe('Evidence: a record that nobody could read is taken for leave to send', () => {
	const held = { silent: 'may have gone through', sent: { 'POST .*': 0 } };
	const quick = { options: { maxRetries: 1 } };
	cases(platform, {
		'a task to retry, its read lost: held back, and it says why': async () => ({
			...(await onTask('retry', quick)),
			strikes: [['GET ^/tasks/', 'reset-before']],
			fails: ['was lost', 'Nothing was sent for this item.'],
			...held,
		}),
		'a task to queue, a message in its place: held back, and it says why': async () => ({
			...(await onTask('queue', quick)),
			strikes: [['GET ^/tasks/', answer({ message: 'Server busy' })]],
			fails: ['returned no record for GET /tasks', 'Nothing was sent for this item.'],
			...held,
		}),
		'Find or Create, the list of contacts lost: nothing is created, and nothing may have gone through':
			() => ({
				...ofOne(findOrCreate({ maxRetries: 1 })),
				strikes: [['GET ^/contacts$', 'reset-before']],
				fails: 'Nothing was sent for this item.',
				...held,
			}),
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
