/**
 * Filters and searches whose names nobody vouches for: real platforms ignore query parameters that they do not know, so
 * what comes back is filtered in the node as well, and a record that is looked for is found all the same.
 */
import type { INodeParameters } from 'n8n-workflow';
import { contract } from '../../tools/contract.cjs';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { usePlatform } from './guarantees/platform.cts';
import { byId, fast, hintsOf, phoneOf, ok } from './guarantees/scene.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 10 });

const { endpoints } = contract();

/** Every filter of a list that is sent under a name which is a guess, or that is applied in the node alone. */
const filters = operationsOf(nodes())
	// What is made of a whole list has tests of its own.
	.filter(({ operation }) => !operation.outputFields)
	.flatMap(({ node, resource, value, operation }) =>
		Object.entries(operation.pages?.filters ?? {}).map(([name, { guessed }]) => ({
			title: `${resource.value}.${value} by ${name}`,
			node: node.name,
			guessed,
			endpoint: operation.endpoint,
			name,
		})),
	);

interface Filtered {
	parameters: INodeParameters;
	filters: INodeParameters;
	/** What the filter asks for, seen from outside. */
	fits: (row: any) => boolean;
}

const file = async (name: string) => {
	const form = new FormData();
	form.append('file', new Blob(['x'], { type: 'text/plain' }), name);
	await sandbox.api.post('/medias', form);
};

/** A call that has ended, with its session and its messages; `listing` where it came of one. */
const endedCall = async (change: object = {}) => {
	const { data } = await sandbox.api.post('/call', {
		agentId: (await sandbox.state('agents'))[0].agent_uuid,
		participant: { number: '+14155550101' },
		prompt: { overwrite: false, content: 'Hello' },
		...change,
	});
	const uuid = data.data.conversation_uuid as string;
	await sandbox.api.post(`/calls/action/${uuid}/hangup`, {});
	return uuid;
};

/** What begins on one day, of what begins at these times. */
const times = ['2035-03-04T23:30', '2035-03-05T00:00', '2035-03-05T23:59'];
const ofOneDay = (resource: string): Filtered => ({
	parameters: {
		resource,
		operation: 'getAll',
		period: 'custom',
		startDate: '2035-03-05',
		endDate: '2035-03-05',
	},
	filters: {},
	fits: ({ title }) => title.startsWith('2035-03-05'),
});

/** The scene of each of them: rows that fit and rows that do not. */
const scenes: Record<string, () => Promise<Filtered>> = {
	'agent.getAll by search': async () => {
		await sandbox.api.post('/agents', { name: 'Zora', role: 'Night porter' });
		return {
			parameters: { resource: 'agent', operation: 'getAll' },
			filters: { search: 'night PORTER' },
			fits: ({ name }) => name === 'Zora',
		};
	},
	'agent.getAll by status': async () => {
		const made = await sandbox.api.post('/agents', { name: 'Zora' });
		const { status } = made.data.data;
		const others = (await sandbox.state('agents')).filter((one) => one.status !== status);
		expect(others.length).toBeGreaterThan(0);
		return {
			parameters: { resource: 'agent', operation: 'getAll' },
			filters: { status },
			fits: (row) => row.status === status,
		};
	},
	'appointment.getAll by days': async () => {
		const [{ uuid: schedule }] = await sandbox.state('schedules');
		for (const start_time of times)
			await sandbox.api.post('/appointments', {
				schedule_uuid: schedule,
				title: start_time,
				start_time: `${start_time}:00`,
				end_time: '2035-03-08T00:00:00',
			});
		return ofOneDay('appointment');
	},
	'appointmentRequest.getAll by days': async () => {
		const [{ uuid: schedule_uuid }] = await sandbox.state('schedules');
		const asks = { contact_name: 'Anna', contact_email: 'anna@example.com' };
		for (const title of times)
			await sandbox.api.post('/appointment-requests', {
				...asks,
				schedule_uuid,
				title,
				start_time: `${title}:00`,
			});
		return ofOneDay('appointmentRequest');
	},
	'contact.find by find': async () => {
		const [, { phone_number: find }] = await sandbox.state('contacts');
		return {
			parameters: { resource: 'contact', operation: 'find', find },
			filters: {},
			fits: (row) => row.phone_number === find,
		};
	},
	'contactPool.getContacts by search': async () => {
		const pool = await sandbox.api.post('/pools', { name: 'Leads', description: 'x' });
		const people = (await sandbox.state('contacts')).slice(0, 4);
		const { uuid } = pool.data.data;
		await sandbox.api.post(`/pools/${uuid}/contacts`, {
			contact_uuids: people.map((one) => one.uuid),
		});
		return {
			parameters: { resource: 'contactPool', operation: 'getContacts', pool: byId(uuid) },
			filters: { search: people[2].phone_number },
			fits: (row) => row.phone_number === people[2].phone_number,
		};
	},
	'session.getMessages by sender': async () => {
		await sandbox.settings({ call: { outcomeByNumber: { '0101': 'interested' } } });
		const uuid = await endedCall();
		const [session] = await sandbox.state('sessions');
		expect(session.conversation_uuid).toBe(uuid);
		return {
			parameters: { resource: 'session', operation: 'getMessages', session: byId(session.uuid) },
			filters: { sender: 'Contact' },
			fits: ({ sender }) => sender === 'Contact',
		};
	},
	'media.getAll by search': async () => {
		for (const name of ['price-list.pdf', 'photo.png', 'PRICE-LIST-2.pdf']) await file(name);
		return {
			parameters: { resource: 'media', operation: 'getAll' },
			filters: { fileName: 'price-list' },
			fits: (row) => /price-list/i.test(JSON.stringify(row)),
		};
	},
	'listing.getOutcomes by listing_uuid': async () => await outcomes({}),
	'listing.getOutcomes by created_after': async () =>
		await outcomes({ createdAfter: '2030-01-01T00:00:00Z' }),
	...Object.fromEntries(
		['call', 'conversation'].flatMap((resource) => [
			[
				`${resource}.getAll by created_after`,
				async () => await ofPeriod(resource, { createdAfter: '2030-01-01T00:00:00Z' }),
			],
			[
				`${resource}.getAll by created_before`,
				async () => await ofPeriod(resource, { createdBefore: '2030-01-01T00:00:00Z' }),
			],
		]),
	),
};

/** Two records, of the years 2029 and 2031. */
const ofPeriod = async (resource: string, filters: INodeParameters): Promise<Filtered> => {
	for (const year of [2029, 2031]) {
		const uuid = await endedCall();
		const [record] = (await sandbox.state(`${resource}s`)).filter(
			(one) => one.uuid === uuid || one.conversation_uuid === uuid,
		);
		await sandbox.change(`${resource}s`, record.uuid, {
			created_at: `${year}-01-01T00:00:00+00:00`,
		});
	}
	return {
		parameters: { resource, operation: 'getAll' },
		filters,
		fits: ({ created_at: at }) => at >= '2030' === (filters.createdAfter !== undefined),
	};
};

/** Two conversations that came of a listing, of the years 2029 and 2031, and one that did not. */
const outcomes = async (more: INodeParameters): Promise<Filtered> => {
	const listing = '11111111-2222-4333-8444-555555555555';
	const uuids = [await endedCall(), await endedCall(), await endedCall()];
	const about = [
		{ listing_uuid: listing, created_at: '2031-01-01T00:00:00+00:00' },
		{ listing_uuid: listing, created_at: '2029-01-01T00:00:00+00:00' },
		{ created_at: '2031-01-01T00:00:00+00:00' },
	];
	for (const [at, uuid] of uuids.entries()) await sandbox.change('conversations', uuid, about[at]!);
	return {
		parameters: { resource: 'listing', operation: 'getOutcomes', listing: byId(listing) },
		filters: more,
		fits: ({ listing_uuid, created_at }) =>
			listing_uuid === listing && (!more.createdAfter || created_at >= '2030'),
	};
};

describe('Guarantee: a filter that the platform may not know is applied all the same', () => {
	test('every filter of a list whose name is a guess is applied in the node, too', () => {
		const guesses = endpoints
			.filter(({ method }) => method === 'GET')
			.flatMap(({ key, source, contract: { parameters = [] } }) =>
				parameters
					.filter((one: any) => one.in === 'query' && (one['x-source'] ?? source) === 'inferred')
					.map(({ name }: { name: string }) => `${key} ${name}`),
			)
			// Which part of a list is read, and in which order: nothing to filter by.
			.filter((guess: string) => !/ (page|per_page|sort_by|sort_dir)$/.test(guess));
		const sent = filters.filter(({ guessed }) => guessed);
		expect(guesses.length).toBeGreaterThan(3);
		expect(sent.map(({ endpoint, name }) => `${endpoint} ${name}`)).toEqual(
			expect.arrayContaining(guesses),
		);
		expect(filters.map(({ title }) => title).sort()).toEqual(Object.keys(scenes).sort());
	});

	for (const { title, node, guessed } of filters)
		test(`${title}: the same records, whether the platform knows the filter or ignores it`, async () => {
			const scene = await scenes[title]!();
			const all = { ...scene.parameters, returnAll: true, simplify: false };
			const { filters: filled } = scene;
			const read = async (parameters: INodeParameters) => {
				const result = ok(await engine.runNode(node, { ...all, ...parameters }));
				// Only what is about the filter.
				const hints = result.hints().filter(({ message }) => !message.startsWith('Times in this'));
				expect(hints).toEqual([]);
				return result.json();
			};
			const known = await read({ filters: filled });
			expect(known.length).toBeGreaterThan(0);
			expect(known.filter(scene.fits)).toEqual(known);
			await sandbox.settings({ manners: { ignoreGuesses: true } });
			await sandbox.clearLedger();
			expect(await read({ filters: filled })).toEqual(known);
			const [request] = await sandbox.ledger();
			const own = ['page', 'per_page', 'sort_by', 'sort_dir'];
			const names = Object.keys(request!.query).filter((name) => !own.includes(name));
			expect(names.length > 0).toBe(
				guessed || /^(listing|appointment|appointmentRequest)\./.test(title),
			);
			// Limit counts what fits.
			const limited = await read({ filters: filled, returnAll: false, limit: 1 });
			expect(limited).toEqual(known.slice(0, 1));
		});

	test('a record that does not show what is asked about is left out, and that is said', async () => {
		await sandbox.strike('^/agents$', {
			status: 200,
			body: {
				success: true,
				data: {
					items: [{ agent_uuid: 'a', status: 'paused' }, { agent_uuid: 'b' }],
					pagination: {},
				},
			},
		});
		const result = await engine.runNode('acpAgents agent.getAll', {
			filters: { status: 'paused' },
		});
		expect(result.json().map(({ agent_uuid }) => agent_uuid)).toEqual(['a']);
		expect(hintsOf(result)).toBe(
			"The platform does not show 'Status' for some records, so it is not known whether they match the " +
				'filter. They were omitted. Remove the filter to see them.',
		);
	});

	test('the list of a dropdown is searched here as well where its search is a guess', async () => {
		await sandbox.api.post('/agents', { name: 'Zora', role: 'Night porter' });
		const searched = async () =>
			(await engine.listSearch('acpAgents', 'searchAgents', { filter: 'porter' })).results;
		const known = await searched();
		expect(known).toMatchObject([{ name: 'Zora' }]);
		await sandbox.settings({ manners: { ignoreGuesses: true } });
		expect(await searched()).toEqual(known);
	});
});

const findOrCreate: INodeParameters = {
	resource: 'contact',
	operation: 'findOrCreate',
	phoneNumber: '={{ $json.phone }}',
};
const strangers = Array.from({ length: 20 }, (_, index) => phoneOf(9000 + index));
const ignoring = { contacts: 2000, settings: { ignoredQuery: ['search'] } };

describe('Guarantee: Find or Create finds what is there, and makes nothing twice', () => {
	beforeEach(async () => await engine.forget());
	const run = async (phones: string[]) => {
		await sandbox.clearLedger();
		const result = ok(
			await engine.runNode('acpContacts', findOrCreate, {
				items: phones.map((phone) => ({ phone })),
			}),
		);
		return result.json();
	};
	const reads = async () => (await sandbox.ledger({ path: '/contacts', method: 'GET' })).length;

	test('20 people among 2,000 contacts of a platform that ignores the search: its list is read once', async () => {
		await sandbox.reset(ignoring);
		const made = await run(strangers);
		expect(made.map(({ created }) => created)).toEqual(strangers.map(() => true));
		expect(await sandbox.created('/contacts')).toHaveLength(20);
		// The first page tells how long the list is; then it is read together with whoever waits for it.
		expect(await reads()).toBe(21);
		const again = await run(strangers);
		expect(again.map(({ uuid, created }) => [uuid, created])).toEqual(
			made.map(({ uuid }) => [uuid, false]),
		);
		expect(await sandbox.created('/contacts')).toEqual([]);
	});

	test('as many people as the list has pages: it is read once, and nobody is searched for', async () => {
		await sandbox.reset({ contacts: 2000 });
		const { phone_number: phone } = (await sandbox.state('contacts')).at(-1);
		const found = await run([phone, ...strangers]);
		expect(found.map(({ created }) => created)).toEqual([false, ...strangers.map(() => true)]);
		expect(await reads()).toBe(21);
	});
});
