/**
 * Answers as real platforms give them: a refusal with status 200, a write that says nothing but success, lists in any
 * layout and page size. What counts is what the platform carried out and holds, by its own ledger and state.
 */
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import { agentOf, byId, failure, fast, people, ok } from './guarantees/scene.cts';

const platform = usePlatform({ settings: fast, speed: 10, engine: { expressionEngine: 'legacy' } });
const { sandbox, engine, run } = platform;

const { perform, requests } = promisesOf(platform);

/** Something is done to the first contact. */
const onContact = (operation: string, method: string, more: INodeParameters = {}): Kind => ({
	node: `acpContacts contact.${operation}`,
	parameters: async () => ({ contact: byId((await sandbox.state('contacts'))[0].uuid), ...more }),
	path: '/contacts/[^/]+',
	method,
});

const turnOn = async (manners: object) => await sandbox.settings({ manners });
const missing = '7d3f1c52-9b0e-4c63-8a11-5e2f4d6c7b80';

/** One write of every kind. */
const writes: Record<string, Kind> = {
	'a send': kinds.sms,
	'a create': kinds.contact,
	'a write that leaves a trace': kinds.note,
	'an update': onContact('update', 'PUT', { updateFields: { name: '={{ $json.text }}' } }),
	'a deletion': onContact('delete', 'DELETE'),
	'API Request': kinds.contactByApiRequest,
};

describe('Guarantee: a refusal with status 200 is a refusal', () => {
	const refusal = { success: false, message: 'No credit left.', error: { code: 'NO_CREDIT' } };

	test.each(Object.entries(writes))(
		'%s: its item has the code and the message of the platform, and nothing was done',
		async (_, write) => {
			await sandbox.strike(`^${write.path}$`, { status: 200, body: refusal });
			const { error } = await perform(write);
			expect(error?.message).toBe('No credit left');
			expect(error?.description).toMatch(
				/Its code for this is NO_CREDIT\..*Nothing was done for this item\./,
			);
			expect(await requests(write.path, write.method)).toHaveLength(1);

			const continued = await perform(write, 2, { onError: 'continueRegularOutput' });
			expect(continued.json()).toMatchObject(
				people(2).map((person, errorItem) => ({ ...person, errorCode: 'NO_CREDIT', errorItem })),
			);
		},
	);

	test('every refusal of the platform reads as with its own status', async () => {
		const said = async () =>
			await Promise.all([
				run('acpContacts contact.get', { contact: byId(missing) }).then(failure),
				run('acpContacts otherEndpoint.apiRequest', { path: '/no/such/endpoint' }).then(failure),
			]);
		const usual = await said();
		expect(usual.filter((text) => text !== undefined)).toHaveLength(2);
		await turnOn({ refusalsAsSuccess: true });
		expect(await said()).toEqual(usual);
		engine.credentials = { acpApi: sandbox.credential({ token: 'mistyped' }) };
		expect((await said())[0]).toContain('The platform did not accept the token');
	});
});

describe.each(['empty-array', 'bare-array', 'empty', 'text'])(
	'Guarantee: a write that says nothing but success keeps its item › %s',
	(writeAnswers) => {
		test.each(Object.entries(writes))('%s: done once, one item for each', async (name, write) => {
			await turnOn({ writeAnswers });
			const items = people(/update|deletion/.test(name) ? 1 : 3);
			const result = ok(await perform(write, items));
			expect(result.pairedItems()).toEqual(items.map((_one, index) => [index]));
			const all = await requests(write.path, write.method);
			expect(all.map(({ effect }) => effect)).toEqual(
				items.map(() => (write.method ? 'changed' : 'created')),
			);
		});
	},
);

describe('Guarantee: a write that says nothing but success keeps its item', () => {
	test('what can be found on the platform is in the item', async () => {
		await turnOn({ writeAnswers: 'empty' });
		const agent = await agentOf(sandbox);
		const noted = await perform(kinds.note);
		expect(noted.json()).toMatchObject([{ agent_uuid: agent }]);
		const found = await perform(kinds.findOrCreate);
		const [made] = (await sandbox.state('contacts')).slice(-1);
		expect(found.json()).toMatchObject([{ uuid: made.uuid, created: true }]);
	});
});

const layouts = [
	'array',
	'bare',
	'meta-beside',
	'pagination-beside',
	'next-url',
	'camel-case',
	null,
];
const count = 230;
const read = async (parameters: INodeParameters, operation = 'listing.getAll') => {
	await sandbox.clearLedger();
	const result = ok(await run(`acpOutreach ${operation}`, parameters));
	return {
		uuids: result.json().map(({ uuid }) => uuid as string),
		requests: (await sandbox.ledger({ path: '/listings' })).length,
	};
};

describe('Guarantee: a list is read to its end, in whatever layout it comes', () => {
	// interface: §4.1 rule 9
	test.each(layouts)('%s', async (listLayout) => {
		await turnOn({ listLayout, rowsPerPage: 50 });
		const listing = (index: number) => ({ name: `Listing ${index}`, contact_uuids: [] });
		await sandbox.addMany('listings', count, listing);
		const all = (await sandbox.state('listings')).map(({ uuid }) => uuid);
		expect(all).toHaveLength(count);
		expect((await read({ returnAll: true })).uuids).toEqual(all);
		expect(await read({ limit: 1 })).toEqual({ uuids: all.slice(0, 1), requests: 1 });
		expect(await read({ limit: 120 })).toEqual({ uuids: all.slice(0, 120), requests: 3 });
		const pages = { method: 'GET', path: '/listings', paginate: true };
		expect((await read(pages, 'otherEndpoint.apiRequest')).uuids).toEqual(all);

		const offered: unknown[] = [];
		let paginationToken: string | undefined;
		do {
			const page = await engine.listSearch('acpOutreach', 'searchListings', { paginationToken });
			offered.push(...page.results.map(({ value }) => value));
			paginationToken = page.paginationToken;
		} while (paginationToken !== undefined && offered.length <= count);
		expect(offered).toEqual(all);
	});
});
