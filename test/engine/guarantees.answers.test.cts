/**
 * Answers as real platforms give them: a refusal with status 200, a write that says nothing but success, lists in any
 * layout and page size. What counts is what the platform carried out and holds, by its own ledger and state.
 */
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import { agentOf, byId, failure, fast, note, people, ok } from './guarantees/scene.cts';
import type { FaultRule } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 10, engine: { expressionEngine: 'legacy' } });
const { sandbox, engine, run } = platform;

const { perform, requests } = promisesOf(platform);

/** Something is done to the first contact. */
function onContact(operation: string, method: string, more: INodeParameters = {}): Kind {
	return {
		node: `acpContacts contact.${operation}`,
		parameters: async () => ({ contact: byId((await sandbox.state('contacts'))[0].uuid), ...more }),
		path: '/contacts/[^/]+',
		method,
	};
}

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

const refusal = (code: string, about: object = {}): FaultRule['fault'] => ({
	kind: 'status',
	status: 200,
	body: { success: false, message: 'The plan has no credit left.', error: { code }, ...about },
});

describe('Guarantee: a refusal with status 200 is a refusal', () => {
	test.each(Object.entries(writes))(
		'%s: its item has the code and the message of the platform, and nothing was done',
		async (_, write) => {
			await sandbox.strike(`^${write.path}$`, refusal('NO_CREDIT'));
			const result = await perform(write);
			expect(result.error?.message).toBe('The plan has no credit left');
			expect(result.error?.description).toContain('Its code for this is NO_CREDIT.');
			expect(result.error?.description).toContain('Nothing was done for this item.');
			expect(await requests(write.path, write.method)).toHaveLength(1);

			const continued = await perform(write, 2, { onError: 'continueRegularOutput' });
			expect(continued.json()).toEqual(
				people(2).map((person, errorItem) =>
					expect.objectContaining({ ...person, errorCode: 'NO_CREDIT', errorItem }),
				),
			);
		},
	);

	test('every refusal of the platform reads as with its own status', async () => {
		const cases: INodeParameters[] = [
			{ resource: 'contact', operation: 'get', contact: byId(missing) },
			{ resource: 'otherEndpoint', operation: 'apiRequest', path: '/no/such/endpoint' },
			{
				resource: 'otherEndpoint',
				operation: 'apiRequest',
				path: '/contacts',
				query: '{"page": 0}',
			},
		];
		const said = async () =>
			await Promise.all(
				cases.map(async (parameters) => failure(await run('acpContacts', parameters))),
			);
		const usual = await said();
		await turnOn({ refusalsAsSuccess: true });
		expect(await said()).toEqual(usual);
		expect(usual.filter((text) => text !== undefined)).toHaveLength(cases.length);
		engine.credentials = { acpApi: sandbox.credential({ token: 'mistyped' }) };
		const [refused] = await said();
		expect(refused).toContain('The platform did not accept the token');
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
		const noted = await run('acpKnowledge', note(agent), { items: people(1) });
		expect(noted.json()).toEqual([expect.objectContaining({ agent_uuid: agent })]);
		const found = ok(
			await run(
				'acpContacts contact.findOrCreate',
				{ phoneNumber: '={{ $json.phone }}', name: '={{ $json.text }}' },
				{ items: people(1) },
			),
		);
		const [made] = (await sandbox.state('contacts')).slice(-1);
		expect(found.json()).toEqual([expect.objectContaining({ uuid: made.uuid, created: true })]);
	});

	test('one record that is read and not there stays an error', async () => {
		await sandbox.strike('^/contacts/', 'empty');
		const result = await run('acpContacts contact.get', {
			contact: byId((await sandbox.state('contacts'))[0].uuid),
		});
		expect(result.error?.message).toMatch(/^The response of .* could not be read$/);
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
].map((listLayout) => [listLayout ?? 'as the contract has it', listLayout]);
const count = 230;
const uuidsOf = async (collection: string): Promise<string[]> =>
	(await sandbox.state(collection)).map(({ uuid }) => uuid);
const fill = async () =>
	await sandbox.addMany('listings', count, (index) => ({
		name: `Listing ${index}`,
		contact_uuids: [],
	}));
const listings = { resource: 'listing', operation: 'getAll' };
const read = async (parameters: INodeParameters) => {
	await sandbox.clearLedger();
	const result = ok(await run('acpOutreach', { ...listings, ...parameters }));
	return {
		uuids: result.json().map(({ uuid }) => uuid as string),
		requests: (await sandbox.ledger({ path: '/listings' })).length,
	};
};

describe.each(layouts)(
	'Guarantee: a list is read to its end, in whatever layout it comes › %s',
	(_, listLayout) => {
		test('pages smaller than asked for, a limit, and API Request', async () => {
			await sandbox.reset({ settings: { manners: { listLayout, rowsPerPage: 50 } } });
			engine.credentials = { acpApi: sandbox.credential() };
			await fill();
			const all = await uuidsOf('listings');
			expect(all.length).toBeGreaterThanOrEqual(count);
			expect((await read({ returnAll: true })).uuids).toEqual(all);
			expect(await read({ limit: 1 })).toEqual({ uuids: all.slice(0, 1), requests: 1 });
			expect(await read({ limit: 120 })).toEqual({ uuids: all.slice(0, 120), requests: 3 });
			const path = '/listings';
			const raw = {
				resource: 'otherEndpoint',
				operation: 'apiRequest',
				method: 'GET',
				path,
				paginate: true,
			};
			expect((await read(raw)).uuids).toEqual(all);
		});

		test('every page is chosen from', async () => {
			await turnOn({ listLayout, rowsPerPage: 50 });
			await fill();
			const all = await uuidsOf('listings');
			const offered: string[] = [];
			let paginationToken: string | undefined;
			let calls = 0;
			do {
				const page = await engine.listSearch('acpOutreach', 'searchListings', { paginationToken });
				offered.push(...page.results.map(({ value }) => String(value)));
				paginationToken = page.paginationToken;
			} while (paginationToken !== undefined && ++calls < 20);
			expect(offered).toEqual(all);
		});
	},
);

describe('Guarantee: a list is read to its end, in whatever layout it comes', () => {});
