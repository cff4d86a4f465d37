/**
 * Filters and searches whose names nobody vouches for: real platforms ignore query parameters that they do not know, so
 * what comes back is filtered in the node as well, and a record that is looked for is found all the same.
 */
import type { INodeParameters } from 'n8n-workflow';
import { contract } from '../../tools/contract.cjs';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, fast, hintsOf, ok } from './guarantees/scene.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 10 });

const { endpoints } = contract();

/** Every filter of a list that is sent under a name which is a guess, or that is applied in the node alone. */
const filters = operationsOf(nodes())
	// What is made of a whole list has tests of its own.
	.filter(({ operation }) => !operation.outputFields)
	.flatMap(({ node, subject, operation }) =>
		Object.entries(operation.pages?.filters ?? {}).map(([name, { guessed }]) => ({
			title: `${subject} by ${name}`,
			node: node.name,
			guessed,
			endpoint: operation.endpoint,
			name,
		})),
	);

/** An operation of a list, what the filter is filled in with, and what it asks for, seen from outside. */
type Filtered = [
	parameters: INodeParameters,
	filters: INodeParameters,
	fits: (row: any) => boolean,
];

/** Makes a call that has ended, with its session and its messages. @returns its conversation */
const endedCall = async (): Promise<string> => {
	const { data } = await sandbox.api.post('/call', {
		agentId: await agentOf(sandbox),
		participant: { number: '+14155550101' },
		prompt: { overwrite: false, content: 'Hello' },
	});
	const { conversation_uuid: uuid } = data.data;
	await sandbox.api.post(`/calls/action/${uuid}/hangup`, {});
	return uuid;
};
const at = (year: number) => ({ created_at: `${year}-01-01T00:00:00+00:00` });

/** What begins on one day. */
const ofOneDay: Filtered = [
	{ period: 'custom', startDate: '2035-03-05', endDate: '2035-03-05' },
	{},
	({ title }) => title.startsWith('2035-03-05'),
];
/** Makes one of these, with what is about it, for each time around one day. */
const aroundOneDay = async (path: string, about: object) => {
	const [{ uuid: schedule_uuid }] = await sandbox.state('schedules');
	for (const title of ['2035-03-04T23:30', '2035-03-05T00:00', '2035-03-05T23:59'])
		await sandbox.api.post(path, { schedule_uuid, title, start_time: `${title}:00`, ...about });
	return ofOneDay;
};
/** Two records, of the years 2029 and 2031. */
const ofPeriod = async (collection: string, filters: INodeParameters): Promise<Filtered> => {
	for (const year of [2029, 2031]) {
		const uuid = await endedCall();
		const [record] = (await sandbox.state(collection)).filter(
			(one) => one.uuid === uuid || one.conversation_uuid === uuid,
		);
		await sandbox.change(collection, record.uuid, at(year));
	}
	const isAfter = filters.createdAfter !== undefined;
	return [{}, filters, ({ created_at: made }) => made >= '2030' === isAfter];
};
/** Two conversations that came of a listing, of the years 2029 and 2031, and one that did not. */
const outcomes = async (filters: INodeParameters): Promise<Filtered> => {
	const listing_uuid = '11111111-2222-4333-8444-555555555555';
	for (const about of [{ listing_uuid, ...at(2031) }, { listing_uuid, ...at(2029) }, at(2031)])
		await sandbox.change('conversations', await endedCall(), about);
	return [
		{ listing: byId(listing_uuid) },
		filters,
		(row) =>
			row.listing_uuid === listing_uuid && (!filters.createdAfter || row.created_at >= '2030'),
	];
};
const createdAfter = '2030-01-01T00:00:00Z';
const createdBefore = createdAfter;

/** The scene of each of them: rows that fit and rows that do not. */
const scenes: Record<string, () => Promise<Filtered>> = {
	'agent.getAll by search': async () => {
		await sandbox.api.post('/agents', { name: 'Zora', role: 'Night porter' });
		return [{}, { search: 'night PORTER' }, ({ name }) => name === 'Zora'];
	},
	'agent.getAll by status': async () => {
		const { status } = (await sandbox.api.post('/agents', { name: 'Zora' })).data.data;
		const others = (await sandbox.state('agents')).filter((one) => one.status !== status);
		expect(others.length).toBeGreaterThan(0);
		return [{}, { status }, (row) => row.status === status];
	},
	'appointment.getAll by days': async () =>
		await aroundOneDay('/appointments', { end_time: '2035-03-08T00:00:00' }),
	'appointmentRequest.getAll by days': async () =>
		await aroundOneDay('/appointment-requests', {
			contact_name: 'Anna',
			contact_email: 'anna@example.com',
		}),
	'contact.find by find': async () => {
		const [, { phone_number: find }] = await sandbox.state('contacts');
		return [{ find }, {}, (row) => row.phone_number === find];
	},
	'contactPool.getContacts by search': async () => {
		const pool = await sandbox.api.post('/pools', { name: 'Leads', description: 'x' });
		const people = (await sandbox.state('contacts')).slice(0, 4);
		const { uuid } = pool.data.data;
		const contact_uuids = people.map((one) => one.uuid);
		await sandbox.api.post(`/pools/${uuid}/contacts`, { contact_uuids });
		const search = people[2].phone_number;
		return [{ pool: byId(uuid) }, { search }, (row) => row.phone_number === search];
	},
	'session.getMessages by sender': async () => {
		await sandbox.settings({ call: { outcomeByNumber: { '0101': 'interested' } } });
		await endedCall();
		const [{ uuid }] = await sandbox.state('sessions');
		return [{ session: byId(uuid) }, { sender: 'Contact' }, ({ sender }) => sender === 'Contact'];
	},
	'media.getAll by search': async () => {
		for (const name of ['price-list.pdf', 'photo.png', 'PRICE-LIST-2.pdf']) {
			const form = new FormData();
			form.append('file', new Blob(['x'], { type: 'text/plain' }), name);
			await sandbox.api.post('/medias', form);
		}
		const fits = (row: object) => /price-list/i.test(JSON.stringify(row));
		return [{}, { fileName: 'price-list' }, fits];
	},
	'listing.getOutcomes by listing_uuid': async () => await outcomes({}),
	'listing.getOutcomes by created_after': async () => await outcomes({ createdAfter }),
	'call.getAll by created_after': async () => await ofPeriod('calls', { createdAfter }),
	'call.getAll by created_before': async () => await ofPeriod('calls', { createdBefore }),
	'conversation.getAll by created_after': async () =>
		await ofPeriod('conversations', { createdAfter }),
	'conversation.getAll by created_before': async () =>
		await ofPeriod('conversations', { createdBefore }),
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
			const [parameters, filled, fits] = await scenes[title]!();
			const read = async (more: INodeParameters = {}) => {
				const all = { ...parameters, filters: filled, returnAll: true, simplify: false, ...more };
				const result = ok(await engine.runNode(`${node} ${title.split(' ')[0]!}`, all));
				// Only what is about the filter.
				const hints = result.hints().filter(({ message }) => !message.startsWith('Times in this'));
				expect(hints).toEqual([]);
				return result.json();
			};
			const known = await read();
			expect(known.length).toBeGreaterThan(0);
			expect(known.filter(fits)).toEqual(known);
			await sandbox.settings({ manners: { ignoreGuesses: true } });
			await sandbox.clearLedger();
			expect(await read()).toEqual(known);
			const [request] = await sandbox.ledger();
			const own = ['page', 'per_page', 'sort_by', 'sort_dir'];
			const names = Object.keys(request!.query).filter((name) => !own.includes(name));
			expect(names.length > 0).toBe(
				guessed || /^(listing|appointment|appointmentRequest)\./.test(title),
			);
			// Limit counts what fits.
			expect(await read({ returnAll: false, limit: 1 })).toEqual(known.slice(0, 1));
		});

	test('a record that does not show what is asked about is left out, and that is said', async () => {
		const items = [{ agent_uuid: 'a', status: 'paused' }, { agent_uuid: 'b' }];
		const body = { success: true, data: { items, pagination: {} } };
		await sandbox.strike('^/agents$', { status: 200, body });
		const filters = { status: 'paused' };
		const result = await engine.runNode('acpAgents agent.getAll', { filters });
		expect(result.json().map(({ agent_uuid }) => agent_uuid)).toEqual(['a']);
		expect(hintsOf(result)).toMatch(
			/^The platform does not show 'Status' for some records, so it is not known .* They were omitted\./,
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
