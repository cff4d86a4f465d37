/**
 * Answers of a success status that show something else than what was asked for: another record, the old state, a
 * message that failed. What is reported is what the answer shows.
 */
import type { INodeParameters } from 'n8n-workflow';
import { kinds, taskIn } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { answer, hit, promisesOf } from './guarantees/promises.cts';
import {
	byId,
	failure,
	fast,
	hintsOf,
	mapped,
	phoneOf,
	retrying,
	ok,
} from './guarantees/scene.cts';
import type { Result, Sandbox } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
const { sandbox, run } = platform;
const { given, perform } = promisesOf(platform);
const { sms, call } = kinds;
const otherUuid = '9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

const answers = async (request: string, data: unknown, status = 200) =>
	await sandbox.strike(request, { ...answer({ success: true, data }), status });
const contacts = async (): Promise<any[]> => await sandbox.state('contacts');
const onContact = async (operation: string, uuid: string, more: INodeParameters = {}) =>
	await run(`acpContacts contact.${operation}`, { contact: byId(uuid), ...more });
const told = (result: Result): string => `${failure(result) ?? ''} ${hintsOf(result)}`;
const continued = { onError: 'continueRegularOutput' } as const;

describe('Evidence: what was sent is taken for what was done', () => {
	const add = async (there: number[], indexes: number[]) => {
		const { data } = await sandbox.api.post('/listings', {
			name: 'Spring offer',
			contacts: there.map((index) => ({ phone_number: phoneOf(index) })),
		});
		const listing = byId(data.data.uuid);
		return await run(
			'acpOutreach listing.addContactsFromItems',
			{ listing, contacts: mapped({ phone_number: '={{ $json.phone }}' }) },
			{ items: indexes.map((index) => ({ phone: phoneOf(index) })) },
		);
	};

	test('two of three contacts are in the listing already: one was added, as the response counts', async () => {
		const result = await add([0, 1], [0, 1, 2]);
		expect(result.json()[0]).toMatchObject({ contacts_added: 1, contacts_skipped: 2 });
		expect(hintsOf(result)).toContain('1 contact was added to the listing, from 3 items.');
		expect(hintsOf(result)).toContain('The platform counts 2 fewer');
		expect(hintsOf(result)).not.toContain('did not succeed');
	});

	test('the response does not count the contacts: they are said to be sent, not added', async () => {
		await answers('POST ^/listings/[^/]+/contacts$', { uuid: otherUuid });
		const result = await add([], [0, 1]);
		expect(hintsOf(result)).toContain('2 contacts were sent to the listing, from 2 items.');
	});
});

// No source lists flags or states of a message: only an error, or no ID of its own, says that nothing was sent.
describe('a success with an ID counts as a message that was sent, whatever flags are beside it', () => {
	const withId = { messageId: 'm1' };
	test.each<[string, object]>([
		['a status of success', { data: { ...withId, status: 'success', error: null } }],
		['a status that is yet to come', { data: { ...withId, status: 'queued', delivered: false } }],
		['a flag that says no', { data: { message_uuid: 'm1', status: 'queued', sent: false } }],
		['a flag beside the data that says no', { ok: false, data: withId }],
		['a status beside the data that says no', { status: 'error', data: withId }],
	])('%s answers an SMS, and an ID: accepted, and the item holds what it says', async (_, body) => {
		await given(sms, { strikes: [hit(answer({ message: 'Queued', ...body }))('all')] });
		const result = await perform(sms, 2, continued);
		const { error, ...rest } = (body as { data: { error?: unknown } }).data;
		const shown = error === undefined ? rest : { ...rest, errorDetail: error };
		expect(result.json()).toMatchObject([shown, shown]);
		expect(result.json()[0]).not.toHaveProperty('acceptedWithoutProof');
		expect(hintsOf(result)).toMatch(/(^|\. )2 SMS were accepted/);
	});

	test('a call that is queued: its conversation is in the item', async () => {
		const data = { conversation_uuid: otherUuid, status: 'rejected', accepted: false };
		await answers('POST ^/call$', data);
		expect(ok(await perform(call)).json()).toMatchObject([data]);
	});
});

describe('Evidence: a success is taken for a record that was deleted', () => {
	test.each<[string, object, number, string]>([
		['no as a flag', { deleted: false }, 200, 'does not show that the request took effect'],
		['a name that nobody knows', { cleared: 'later' }, 200, 'does not show'],
		['a status that it is under way', {}, 202, 'does not show that the request took effect'],
		['another record', { uuid: otherUuid }, 200, 'responded with another record'],
	])(
		'%s answers a deletion: the record is not said to be deleted',
		async (_, data, status, said) => {
			const [{ uuid }] = await contacts();
			await answers('DELETE ^/contacts/', data, status);
			const result = await onContact('delete', uuid);
			expect(told(result)).toContain(said);
			expect(JSON.stringify(result.json())).not.toContain('"deleted":true');
		},
	);

	test('the deleted record itself, as it was, answers a deletion: deleted', async () => {
		const { uuid } = await taskIn(sandbox, 'scheduled');
		const result = await run('acpOutreach task.delete', { task: byId(uuid) });
		expect(result.json()).toEqual([{ deleted: true, uuid }]);
	});

	const notFound = (what: string) => ({ status: 404, code: `${what}_NOT_FOUND` });
	test.each<[string, Parameters<Sandbox['strike']>[1], string, INodeParameters]>([
		['a page of a proxy', { kind: 'html', status: 404 }, 'contact', {}],
		['no such endpoint', notFound('ENDPOINT'), 'contact', {}],
		['no such workspace', notFound('TENANT'), 'contact', {}],
		['a path that is a guess', notFound('RESOURCE'), 'contactField', { key: byId('company') }],
	])('a lost deletion, then 404 with %s: not said to be deleted', async (_, fault, of, more) => {
		const [{ uuid }] = await contacts();
		await sandbox.strike('DELETE ', 'reset-before', { times: 1 });
		await sandbox.strike('DELETE ', fault);
		const parameters = { contact: byId(uuid), ...more };
		const result = await run(`acpContacts ${of}.delete`, parameters, retrying);
		expect(failure(result)).toBeDefined();
	});
});

describe('Evidence: a success is taken for a state that the answer does not show', () => {
	test.each<[string, object, string]>([
		['the contact as Active', { status: 'Active' }, 'does not show'],
		['another contact', { uuid: otherUuid, status: 'Blacklisted' }, 'another record'],
	])('Add to Blacklist, the answer shows %s: told', async (_, change, said) => {
		const [{ uuid }] = await contacts();
		await answers('POST /blacklist$', { uuid, ...change });
		const result = await onContact('blacklist', uuid, { reason: 'Asked not to be called' });
		expect(hintsOf(result)).toContain(said);
		expect(result.json()[0]).toMatchObject({ acceptedWithoutProof: true });
		expect(result.json()[0].uuid).toBeUndefined();
	});

	test('Add to Blacklist, the answer shows an entry beside the status Active: done', async () => {
		const [{ uuid }] = await contacts();
		const entry = { reason: 'Asked not to be called', is_permanent: true, expires_at: null };
		await answers('POST /blacklist$', { uuid, status: 'Active', blacklist: entry });
		const result = await onContact('blacklist', uuid, { reason: entry.reason });
		expect(result.json()).toEqual([expect.objectContaining({ uuid, blacklist: entry })]);
	});

	test('Cancel of a task, the answer shows the old state and the task the new one: canceled', async () => {
		const task = await taskIn(sandbox, 'cancelled');
		await answers('POST /cancel$', { ...task, status: 'scheduled' });
		const [shown] = (await run('acpOutreach task.cancel', { task: byId(task.uuid) })).json();
		expect(shown).toMatchObject({ uuid: task.uuid, status: 'cancelled' });
	});
});

describe('Evidence: another record is taken for the one that was asked for', () => {
	test.each<[string, string, unknown[]]>([
		['get', 'GET', []],
		['update', 'PUT', [[undefined, undefined]]],
	])(
		'contact, %s, the answer shows another one: told, and none of its fields is in the item',
		async (operation, method, shown) => {
			const [anna, ben] = await contacts();
			await answers(`${method} ^/contacts/`, { ...ben, name: 'Ben' });
			const more = { updateFields: { name: 'Anna' }, options: { maxRetries: 1 } };
			const result = await onContact(operation, anna.uuid, more);
			expect(told(result)).toContain('another record');
			expect(result.json().map(({ uuid, name }) => [uuid, name])).toEqual(shown);
		},
	);

	test.each<[string, (ben: string) => Array<string | null>, string[], string]>([
		[
			'of another one too: omitted, and told',
			(ben) => [ben, null],
			['Task 0'],
			"The platform did not apply the filter 'Contact': 2 records with another ID there",
		],
		[
			'that name none: omitted, and told',
			() => [null],
			['Task 0'],
			"It is not known whether all records fit 'Contact': 1 record with another ID there, or without one, was omitted",
		],
	])('tasks of a contact, the list shows those %s', async (_, others, titles, said) => {
		const [anna, ben] = await contacts();
		const rows = [anna.uuid, ...others(ben.uuid)].map((contact_uuid, index) => ({
			uuid: otherUuid.replace(/.$/, String(index)),
			title: `Task ${index}`,
			contact_uuid,
		}));
		await answers('GET ^/tasks$', rows);
		const filters = { contact: byId(anna.uuid) };
		const result = await run('acpOutreach task.getAll', { returnAll: true, filters });
		expect(result.json().map(({ title }) => title)).toEqual(titles);
		expect(hintsOf(result)).toContain(said);
	});
});
