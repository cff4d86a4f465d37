/**
 * Answers of a success status that show something else than what was asked for: another record, the old state, a
 * message that failed. What is reported is what the answer shows.
 */
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	failure,
	fast,
	hintsOf,
	people,
	phoneOf,
	retrying,
	sms,
	ok,
	mapped,
} from './guarantees/scene.cts';
import { usePlatform, type FaultRule, type Result } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 20 });
const otherUuid = '9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

const answer = async (method: string, path: string, data: unknown, status = 200) =>
	await sandbox.faults([
		{ match: { method, path }, fault: { kind: 'status', status, body: { success: true, data } } },
	]);
const run = async (node: string, parameters: INodeParameters, options: object = {}) =>
	await engine.runNode(node, parameters, options);
const onContact = async (operation: string, uuid: string, more: INodeParameters = {}) =>
	await run('acpContacts', { resource: 'contact', operation, contact: byId(uuid), ...more });
const contacts = async (): Promise<any[]> => await sandbox.state('contacts');
const told = (result: Result): string => `${failure(result) ?? ''} ${hintsOf(result)}`;

/** A task for the far future. @returns it */
async function laterTask(change: object = {}): Promise<any> {
	const { data } = await sandbox.api.post('/tasks', {
		title: 'Call Anna back',
		type: 'make_call',
		agent_uuid: await agentOf(sandbox),
		contact_uuid: (await contacts())[0].uuid,
		scheduled_at: '2035-03-05T10:00:00Z',
		...change,
	});
	return data.data;
}

describe('Evidence: what was sent is taken for what was done', () => {
	const add = async (listing: string, indexes: number[]) =>
		await run(
			'acpOutreach',
			{
				resource: 'listing',
				operation: 'addContactsFromItems',
				listing: byId(listing),
				contacts: mapped({ phone_number: '={{ $json.phone }}' }),
			},
			{ items: indexes.map((index) => ({ phone: phoneOf(index) })) },
		);
	const listing = async (indexes: number[]): Promise<string> => {
		const { data } = await sandbox.api.post('/listings', {
			name: 'Spring offer',
			contacts: indexes.map((index) => ({ phone_number: phoneOf(index) })),
		});
		return data.data.uuid;
	};

	test('two of three contacts are in the listing already: one was added, as the response counts', async () => {
		const result = await add(await listing([0, 1]), [0, 1, 2]);
		expect(result.json()[0]).toMatchObject({ contacts_added: 1, contacts_skipped: 2 });
		expect(hintsOf(result)).toContain('1 contact was added to the listing, from 3 items.');
		expect(hintsOf(result)).toContain('The platform counts 2 fewer');
		expect(hintsOf(result)).not.toContain('did not succeed');
	});

	test('the response does not count the contacts: they are said to be sent, not added', async () => {
		await answer('POST', '^/listings/[^/]+/contacts$', { uuid: otherUuid });
		const result = await add(await listing([]), [0, 1]);
		expect(hintsOf(result)).toContain('2 contacts were sent to the listing, from 2 items.');
	});
});

describe('Evidence: a success is taken for a message that was sent', () => {
	const send = async () =>
		await run('acpMessages', sms(await agentOf(sandbox)), {
			items: people(2),
			onError: 'continueRegularOutput',
		});

	test('IDs that are empty answer an SMS: accepted without proof', async () => {
		await answer('POST', '^/sms/send$', { messageId: null, conversationId: null }, 201);
		const result = await send();
		expect(result.json()[0]).toMatchObject({ acceptedWithoutProof: true });
		expect(hintsOf(result)).toContain('0 SMS were sent, from 2 items. 2 were accepted');
	});

	test.each<[string, object]>([
		[
			'a status of success',
			{ messageId: 'm1', status: 'success', error: null, conversationId: null },
		],
		['a status that is yet to come', { messageId: 'm1', status: 'queued', delivered: false }],
		['a flag that says no', { message_uuid: 'm1', status: 'queued', sent: false }],
		['a flag that says no, as text', { messageId: 'm1', accepted: 'no', ok: 0 }],
		['a status of failure', { messageId: 'm1', status: 'failed', error: 'carrier' }],
		['an error beside its ID', { messageId: 'm1', error: 'No carrier' }],
	])('%s answers an SMS with an ID: accepted, and the item holds what it says', async (_, data) => {
		await answer('POST', '^/sms/send$', data);
		const result = await send();
		const { error, ...rest } = data as { error?: unknown };
		const shown = error === undefined ? rest : { ...rest, errorDetail: error };
		expect(result.json()).toEqual([expect.objectContaining(shown), expect.objectContaining(shown)]);
		expect(result.json()[0]).not.toHaveProperty('acceptedWithoutProof');
		expect(hintsOf(result)).toMatch(/(^|\. )2 SMS were sent/);
	});

	test.each<[string, object]>([
		['ok', { ok: false }],
		['a status', { status: 'error' }],
		['a code', { code: 500 }],
		['a flag and a success', { success: true, sent: false, ok: false, message: 'Queued' }],
	])('%s beside the data says no, and the data hold an ID: accepted', async (_, beside) => {
		const body = { ...beside, data: { messageId: 'm1' } };
		await sandbox.strike('^/sms/send$', { status: 200, body });
		const result = await send();
		expect(result.json()[0]).toMatchObject({ messageId: 'm1' });
		expect(hintsOf(result)).toMatch(/(^|\. )2 SMS were sent/);
	});

	test('a call that is queued: its conversation is in the item', async () => {
		const data = { conversation_uuid: otherUuid, status: 'rejected', accepted: false };
		await answer('POST', '^/call$', data);
		const result = ok(
			await run(
				'acpCalls',
				{
					resource: 'call',
					operation: 'start',
					agent: byId(await agentOf(sandbox)),
					phoneNumber: phoneOf(0),
				},
				{},
			),
		);
		expect(result.json()[0]).toMatchObject(data);
	});
});

describe('Evidence: a success is taken for a record that was deleted', () => {
	test.each<[string, object, number, string]>([
		['no as a flag', { deleted: false }, 200, 'does not show that the request took effect'],
		['a count of none', { deleted: 0, message: 'Part of a campaign' }, 200, 'does not show'],
		['a name that nobody knows', { cleared: 'later' }, 200, 'does not show'],
		['a status that it is under way', {}, 202, 'does not show that the request took effect'],
		['an approval to wait for', { status: 'pending_approval' }, 200, 'does not show'],
		['another record', { uuid: otherUuid }, 200, 'responded with another record'],
	])(
		'%s answers a deletion: the record is not said to be deleted',
		async (_, data, status, said) => {
			const [{ uuid }] = await contacts();
			await answer('DELETE', '^/contacts/', data, status);
			const result = await onContact('delete', uuid);
			expect(told(result)).toContain(said);
			expect(JSON.stringify(result.json())).not.toContain('"deleted":true');
		},
	);

	test('the deleted record itself, as it was, answers a deletion: deleted', async () => {
		const { uuid } = await laterTask();
		const result = await run('acpOutreach', {
			resource: 'task',
			operation: 'delete',
			task: byId(uuid),
		});
		expect(result.json()).toEqual([{ deleted: true, uuid }]);
	});

	const lost: FaultRule = {
		match: { method: 'DELETE' },
		times: 1,
		fault: { kind: 'reset-before' },
	};
	const notFound = (what: string): FaultRule['fault'] => ({
		kind: 'status',
		status: 404,
		code: `${what}_NOT_FOUND`,
	});

	test.each<[string, FaultRule['fault'], string, INodeParameters]>([
		['a page of a proxy', { kind: 'html', status: 404 }, 'contact', {}],
		['no such endpoint', notFound('ENDPOINT'), 'contact', {}],
		['no such workspace', notFound('TENANT'), 'contact', {}],
		['a path that is a guess', notFound('RESOURCE'), 'contactField', { key: byId('company') }],
	])(
		'a lost deletion, then 404 with %s: not said to be deleted',
		async (_, fault, resource, more) => {
			const [{ uuid }] = await contacts();
			await sandbox.faults([lost, { match: { method: 'DELETE' }, fault }]);
			const parameters = { resource, operation: 'delete', contact: byId(uuid), ...more };
			expect(failure(await run('acpContacts', parameters, retrying))).toBeDefined();
		},
	);
});

describe('Evidence: a success is taken for a state that the answer does not show', () => {
	test.each<[string, object, string]>([
		['the contact as Active', { status: 'Active' }, 'does not show'],
		['another contact', { uuid: otherUuid, status: 'Blacklisted' }, 'another record'],
	])('Add to Blacklist, the answer shows %s: told', async (_, change, said) => {
		const [{ uuid }] = await contacts();
		await answer('POST', '/blacklist$', { uuid, ...change });
		const result = await onContact('blacklist', uuid, { reason: 'Asked not to be called' });
		expect(hintsOf(result)).toContain(said);
		expect(result.json()[0]).toMatchObject({ acceptedWithoutProof: true });
		expect(result.json()[0].uuid).toBeUndefined();
	});

	test('Add to Blacklist, the answer shows an entry beside the status Active: done', async () => {
		const [{ uuid }] = await contacts();
		const entry = { reason: 'Asked not to be called', is_permanent: true, expires_at: null };
		await answer('POST', '/blacklist$', { uuid, status: 'Active', blacklist: entry });
		const result = await onContact('blacklist', uuid, { reason: entry.reason });
		expect(result.json()).toEqual([expect.objectContaining({ uuid, blacklist: entry })]);
	});

	test.each<[string, object, string]>([
		['still scheduled', { status: 'scheduled' }, 'does not show'],
		['another task', { uuid: otherUuid, status: 'cancelled' }, 'another record'],
	])('Cancel of a task, the answer shows %s: told', async (_, change, said) => {
		const task = await laterTask();
		await answer('POST', '/cancel$', { ...task, ...change });
		const parameters = { resource: 'task', operation: 'cancel', task: byId(task.uuid) };
		expect(hintsOf(await run('acpOutreach', parameters))).toContain(said);
	});

	test('Cancel of a task, the answer shows the old state and the task the new one: canceled', async () => {
		const task = await laterTask();
		await sandbox.change('tasks', task.uuid, { status: 'cancelled' });
		await answer('POST', '/cancel$', task);
		const parameters = { resource: 'task', operation: 'cancel', task: byId(task.uuid) };
		const [shown] = (await run('acpOutreach', parameters)).json();
		expect(shown).toMatchObject({ uuid: task.uuid, status: 'cancelled' });
	});
});

describe('Evidence: another record is taken for the one that was asked for', () => {
	test.each<[string, string]>([
		['get', 'GET'],
		['update', 'PUT'],
	])(
		'contact, %s, the answer shows another one: told, and none of its fields is in the item',
		async (operation, method) => {
			const [anna, ben] = await contacts();
			await answer(method, '^/contacts/', { ...ben, name: 'Ben' });
			const result = await onContact(operation, anna.uuid, {
				updateFields: { name: 'Anna' },
				options: { maxRetries: 1 },
			});
			expect(told(result)).toContain('another record');
			expect(result.json().map(({ uuid, name }) => [uuid, name])).toEqual(
				operation === 'get' ? [] : [[undefined, undefined]],
			);
		},
	);

	test.each<[string, (ben: string) => Array<string | null>, string[]]>([
		['of another one too: omitted, and told', (ben) => [ben, null], ['Task 0']],
		['that name none: they stay', () => [null], ['Task 0', 'Task 1']],
	])('tasks of a contact, the list shows those %s', async (_, others, titles) => {
		const [anna, ben] = await contacts();
		const rows = [anna.uuid, ...others(ben.uuid)].map((contact, index) => ({
			uuid: `9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b0${index}`,
			title: `Task ${index}`,
			contact_uuid: contact,
		}));
		await answer('GET', '^/tasks$', rows);
		const result = await run('acpOutreach', {
			resource: 'task',
			operation: 'getAll',
			returnAll: true,
			filters: { contact: byId(anna.uuid) },
		});
		expect(result.json().map(({ title }) => title)).toEqual(titles);
		expect(hintsOf(result)).toContain(
			titles.length === 1
				? "The platform did not apply the filter 'Contact': 2 records with another ID there"
				: '',
		);
	});
});
