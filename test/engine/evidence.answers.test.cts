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
	people,
	phoneOf,
	retrying,
} from './guarantees/scene.cts';
import type { Sandbox } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
const { sandbox, run } = platform;
const { given, perform } = promisesOf(platform);
const otherUuid = '9f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

const answers = async (request: string, data: unknown, status = 200) =>
	await sandbox.strike(request, { ...answer({ success: true, data }), status });
const anna = async (): Promise<any> => (await sandbox.state('contacts'))[0];
/** Does something with the first contact, or a part of it. @returns the first item, and all that is told */
const onContact = async (operation: string, more: INodeParameters = {}) => {
	const contact = byId((await anna()).uuid);
	const result = await run(`acpContacts contact.${operation}`, { contact, ...more });
	return { item: result.json()[0] ?? {}, told: `${failure(result) ?? ''} ${hintsOf(result)}` };
};

const counted = '1 contact was added to the listing, from 3 items. The platform counts 2 fewer';
const uncounted = '3 contacts were sent to the listing, from 3 items.';
test.each<[string, number[], object | undefined, string]>([
	['one is new, as the response counts', [0, 1], undefined, counted],
	['the response does not count', [], { uuid: otherUuid }, uncounted],
])('of three contacts for a listing, %s', async (_, there, data, said) => {
	const listing = await sandbox.api.post('/listings', {
		name: 'Spring offer',
		contacts: there.map((index) => ({ phone_number: phoneOf(index) })),
	});
	if (data) await answers('POST ^/listings/[^/]+/contacts$', data);
	const contacts = mapped({ phone_number: '={{ $json.phone }}' });
	const parameters = { listing: byId(listing.data.data.uuid), contacts };
	const node = 'acpOutreach listing.addContactsFromItems';
	const result = await run(node, parameters, { items: people(3) });
	expect(hintsOf(result)).toContain(said);
	expect(hintsOf(result)).not.toContain('did not succeed');
});

// No source lists flags or states of a message: only an error, or no ID of its own, says that nothing was sent.
test('a success with an ID counts as a message that was sent, whatever flags are beside it', async () => {
	const data = { messageId: 'm1', status: 'queued', sent: false, delivered: false };
	const body = { ok: false, status: 'error', message: 'Queued', data: { ...data, error: null } };
	await given(kinds.sms, { strikes: [hit(answer(body))('all')] });
	const result = await perform(kinds.sms, 2);
	const shown = { ...data, errorDetail: null };
	expect(result.json()).toMatchObject([shown, shown]);
	expect(result.json()[0]).not.toHaveProperty('acceptedWithoutProof');
	expect(hintsOf(result)).toMatch(/(^|\. )2 SMS were accepted/);
});

describe('Evidence: a success is taken for a record that was deleted', () => {
	test('the deleted record itself, as it was, answers: deleted', async () => {
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
		await sandbox.strike('DELETE ', 'reset-before', { times: 1 });
		await sandbox.strike('DELETE ', fault);
		const parameters = { contact: byId((await anna()).uuid), ...more };
		const result = await run(`acpContacts ${of}.delete`, parameters, retrying);
		expect(failure(result)).toBeDefined();
	});
});

describe('Evidence: a success is taken for a state that the answer does not show', () => {
	const entry = { reason: 'Asked not to be called', is_permanent: true, expires_at: null };
	test.each<[string, object, string | undefined]>([
		['the contact as Active', { status: 'Active' }, 'does not show'],
		['an entry beside the status Active', { status: 'Active', blacklist: entry }, undefined],
	])('Add to Blacklist, the answer shows %s: done or told', async (_, change, said) => {
		const { uuid } = await anna();
		await answers('POST /blacklist$', { uuid, ...change });
		const { item, told } = await onContact('blacklist', { reason: entry.reason });
		expect(told).toContain(said ?? '');
		expect([item.acceptedWithoutProof, item.uuid]).toEqual(
			said ? [true, undefined] : [undefined, uuid],
		);
	});

	test('Cancel of a task, the answer shows the old state and the task the new one: canceled', async () => {
		const task = await taskIn(sandbox, 'cancelled');
		await answers('POST /cancel$', { ...task, status: 'scheduled' });
		const [shown] = (await run('acpOutreach task.cancel', { task: byId(task.uuid) })).json();
		expect(shown).toMatchObject({ uuid: task.uuid, status: 'cancelled' });
	});
});

test.each([
	['get', 'GET'],
	['update', 'PUT'],
])('contact, %s, the answer shows another one: told, not shown', async (operation, method) => {
	await answers(`${method} ^/contacts/`, { ...(await anna()), uuid: otherUuid, name: 'Ben' });
	const more = { updateFields: { name: 'Anna' }, options: { maxRetries: 1 } };
	const { item, told } = await onContact(operation, more);
	expect(told).toContain('another record');
	expect([item.uuid, item.name]).toEqual([undefined, undefined]);
});
