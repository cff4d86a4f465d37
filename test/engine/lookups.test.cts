/**
 * From List: what each list asks the platform for, how its rows read, and which ID a choice gives. A wrong one means
 * that a workflow works on something else than what was chosen.
 */
import { byId as by } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ engine: { expressionEngine: 'legacy' } });
/** Where a list is chosen that needs another choice first. */
const agent = { resource: 'agentKnowledge', operation: 'addNote', agent: by('a1') };
const app = { resource: 'flowStep', operation: 'add', kind: 'action', app: by('crm') };
const table = { resource: 'record', operation: 'getAll', table: by('t1') };
const search = async (method: string, filter?: string, paginationToken?: string) => {
	const [node, parameters] = /^searchFlowApp[AT]/.test(method)
		? ['acpFlows', app]
		: method === 'searchTableRecords'
			? ['acpTables', table]
			: ['acpAgents', agent];
	const more = { parameters, filter, paginationToken, path: 'parameters.x' };
	return await engine.listSearch(node as string, method, more as never);
};
/** Whatever is asked, the platform answers this. */
const answering = async (data: unknown, times?: number) =>
	await sandbox.faults([
		{
			...(times && { times }),
			fault: { kind: 'status', status: 200, body: { success: true, data } },
		},
	]);
/** A record with a value at each of these places. */
const record = (places: string[]) => {
	const whole: any = {};
	for (const place of places) {
		const keys = place.split('.');
		const last = keys.pop() as string;
		keys.reduce((inside, key) => (inside[key] ??= {}), whole)[last] = `the ${place}`;
	}
	return whole;
};

interface List {
	path: string;
	/** Field of the ID. */
	id: string;
	/** Fields shown. */
	label: string[];
	/** Where the rows stand, when not under `items`. */
	rows?: string;
	query?: Record<string, string>;
}
const pages = { page: '1', per_page: '100' };
const ofAgent = (rows: string, label: string[], id = 'uuid'): List => ({
	path: '/agents/a1',
	rows,
	id,
	label,
});

test.each<[string, List]>([
	[
		'searchActionLogs',
		{ path: '/logs/actions', id: 'uuid', label: ['name', 'type', 'status', 'created_at'] },
	],
	['searchAgentGuardRules', ofAgent('guard_rules', ['name', 'when_condition'])],
	['searchAgentGuidelines', ofAgent('guidelines', ['content'])],
	['searchAgentIntents', ofAgent('intents', ['name', 'key'], 'intent_uuid')],
	['searchAgentNotes', ofAgent('notes', ['content'])],
	['searchAgentProcedures', ofAgent('procedures', ['name'])],
	[
		'searchAgentRoutingRules',
		ofAgent('routing_rules', ['department_name', 'trigger_keyword', 'ai_prompt']),
	],
	['searchAgentTraining', ofAgent('training', ['content', 'intent'])],
	['searchAgentWebhooks', { path: '/agents/a1/webhooks', id: 'webhook_uuid', label: ['url'] }],
	[
		'searchAgents',
		{ path: '/agents', id: 'agent_uuid', label: ['name', 'company_name'], query: pages },
	],
	[
		'searchAppointmentRequests',
		{ path: '/appointment-requests', id: 'uuid', label: ['title', 'contact.name', 'start_time'] },
	],
	['searchAppointments', { path: '/appointments', id: 'uuid', label: ['title', 'start_time'] }],
	['searchContactFields', { path: '/contacts/fields', id: 'key', label: ['name', 'key'] }],
	[
		'searchContacts',
		{
			path: '/contacts',
			id: 'uuid',
			label: ['name', 'surname', 'phone_number', 'email'],
			query: pages,
		},
	],
	[
		'searchConversations',
		{
			path: '/conversations',
			id: 'uuid',
			label: ['contact.name', 'contact.phone_number', 'channel', 'created_at'],
			query: pages,
		},
	],
	[
		'searchEvaluations',
		{
			path: '/evaluations',
			id: 'uuid',
			label: ['created_at', 'sentiment.value', 'success.value'],
			query: pages,
		},
	],
	['searchFlowAppActions', { path: '/flow/apps/crm/actions', id: 'key', label: ['name', 'key'] }],
	['searchFlowAppTriggers', { path: '/flow/apps/crm/triggers', id: 'key', label: ['name', 'key'] }],
	['searchFlowApps', { path: '/flow/apps', id: 'uid', label: ['name', 'category'] }],
	[
		'searchFlowConnections',
		{ path: '/flow/connections', id: 'uuid', label: ['label', 'app_uid', 'status'] },
	],
	['searchFlows', { path: '/flows', id: 'uuid', label: ['name', 'status'] }],
	['searchListings', { path: '/listings', id: 'uuid', label: ['name'], query: pages }],
	[
		'searchLiveCalls',
		{
			path: '/conversations',
			id: 'uuid',
			label: ['contact.name', 'contact.phone_number', 'created_at'],
			query: { channel: 'call', status: 'Active', ...pages },
		},
	],
	['searchMedias', { path: '/medias', id: 'uuid', label: ['name'] }],
	['searchOutreachRules', { path: '/rules', id: 'uuid', label: ['name', 'type'], query: pages }],
	[
		'searchPhoneNumbers',
		{ path: '/phone-numbers', id: 'phone_number_uuid', label: ['number', 'location'] },
	],
	['searchSchedules', { path: '/schedules', id: 'uuid', label: ['name'] }],
	[
		'searchTableRecords',
		{ path: '/data/t1/records', id: 'uuid', label: ['product', 'price'], query: pages },
	],
	[
		'searchWhatsappAccounts',
		{ path: '/whatsapp/wabas', id: 'waba_id', label: ['name', 'waba_id'] },
	],
	[
		'searchWhatsappTemplates',
		{ path: '/whatsapp/templates', id: 'uuid', label: ['name', 'language', 'status'] },
	],
])('%s: asks for its list, shows its fields, gives its ID', async (method, list) => {
	const { path, id, label, rows = 'items', query = {} } = list;
	await answering({ [rows]: [record([id, ...label]), { [id]: 'bare' }] });
	await sandbox.clearLedger();
	expect((await search(method)).results).toEqual([
		{ name: label.map((place) => `the ${place}`).join(' – '), value: `the ${id}` },
		{ name: 'bare', value: 'bare' },
	]);
	expect(
		(await sandbox.ledger()).map(({ method: verb, path: asked, query: with_ }) => [
			verb,
			asked,
			with_,
		]),
	).toEqual([['GET', path, query]]);
});

test('a file is shown by the first of its names, else by its address', async () => {
	const address = 'https://files.example.com/a/b.pdf?size=2#page';
	await answering({
		items: [
			{ uuid: '1', file_name: 'a', filename: 'b', original_name: 'c', url: address },
			{ uuid: '2', name: '', filename: 'b', original_name: 'c', url: address },
			{ uuid: '3', original_name: 'c', url: address },
			{ uuid: '4', url: address },
			{ uuid: '5', name: 7, url: 5 },
		],
	});
	expect((await search('searchMedias')).results.map(({ name }) => name)).toEqual([
		'a',
		'b',
		'c',
		'b.pdf',
		'5',
	]);
});

test('a record of a table is shown by its first three values that can be read', async () => {
	await answering({
		items: [
			{ uuid: '1', record: { a: '', b: 'x', c: true, d: 2, e: null, f: 'y', g: 'z' }, other: 'o' },
			{ created_at: 'c', id: 5, uuid: '2', updated_at: 'u', a: 'beside' },
			{ uuid: '3', record: { a: 'l'.repeat(100) } },
		],
	});
	expect((await search('searchTableRecords')).results.map(({ name }) => name)).toEqual([
		'x – 2 – y',
		'beside',
		'l'.repeat(80),
	]);
});

test('rows that read alike show the end of their IDs', async () => {
	await answering({
		items: [
			{ uuid: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35', name: 'Anna', phone_number: '+14155550101' },
			{ uuid: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b36', name: 'Anna', email: 'anna@example.com' },
			{ uuid: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b37', name: 'Anna' },
			{ uuid: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b38', name: 'Anna' },
		],
	});
	expect((await search('searchContacts')).results.map(({ name }) => name)).toEqual([
		'Anna – +14155550101',
		'Anna – anna@example.com',
		'Anna (ID …7a4b37)',
		'Anna (ID …7a4b38)',
	]);
});

test('rows without an ID are left out, numbers are IDs', async () => {
	await answering({
		items: [
			{ name: 'a' },
			{ uuid: { b: 1 }, name: 'b' },
			{ uuid: 7, name: 'c' },
			{ uuid: null, name: 'd' },
		],
	});
	expect((await search('searchFlows')).results).toEqual([{ name: 'c', value: 7 }]);
});

describe('what is typed', () => {
	const asked = async () => (await sandbox.ledger()).map(({ query }) => query);
	const flows = [
		{ uuid: 'f-1', name: 'Welcome', status: 'deployed' },
		{ uuid: 'f-2', name: 'Welcome back', status: 'draft' },
		{ uuid: 'x-3', name: 'Goodbye', status: 'draft' },
	];

	test('every word of it stands in the label or the ID, in any order', async () => {
		await answering({ items: flows, total: 3 });
		const found = async (filter: string) =>
			(await search('searchFlows', filter)).results.map(({ value }) => value);
		expect(await found('WELCOME')).toEqual(['f-1', 'f-2']);
		expect(await found(' draft  welcome ')).toEqual(['f-2']);
		expect(await found('x-3')).toEqual(['x-3']);
		expect(await found('nothing')).toEqual([]);
		expect(await found('  ')).toEqual(['f-1', 'f-2', 'x-3']);
		expect(await asked()).toEqual([{}, {}, {}, {}, {}]);
	});

	test('the platform searches where it can, and what it gives is taken as it is', async () => {
		await answering({ items: [{ uuid: '1', contact: { name: 'Other' } }] });
		expect((await search('searchConversations', ' 5550101 ')).results).toEqual([
			{ name: 'Other', value: '1' },
		]);
		expect(await asked()).toEqual([{ ...pages, phone: '5550101' }]);
	});

	test('a search that is our guess: what comes back is sorted out, and without it when it is refused', async () => {
		const items = [
			{ agent_uuid: '1', name: 'Anna' },
			{ agent_uuid: '2', name: 'Berta' },
		];
		await sandbox.strike('^/agents$', 422, { times: 1 });
		await answering({ items, total: 2 });
		expect((await search('searchAgents', 'anna')).results).toEqual([{ name: 'Anna', value: '1' }]);
		expect((await search('searchAgents', 'anna')).results).toEqual([{ name: 'Anna', value: '1' }]);
		expect(await asked()).toEqual([
			{ ...pages, search: 'anna' },
			pages,
			{ ...pages, search: 'anna' },
		]);
	});

	test('numbers of phones are searched by the platform, other words here', async () => {
		await answering({ items: [{ uuid: '1', contact: { name: 'Anna' } }] });
		const found = async (filter: string) =>
			(await search('searchConversations', filter)).results.length;
		for (const number of ['+123', '123', '123456789012345'])
			expect([number, await found(number)]).toEqual([number, 1]);
		for (const other of ['12', '1234567890123456', '+', '12a', 'a123'])
			expect([other, await found(other)]).toEqual([other, 0]);
		expect(await found('anna')).toBe(1);
		expect((await asked()).map(({ phone }: any) => phone)).toEqual([
			'+123',
			'123',
			'123456789012345',
			...Array(6).fill(undefined),
		]);
	});
});

test.each(['germ', ' DE '])('countries: %j finds Germany', async (filter) => {
	const { results } = await search('searchCountries', filter);
	expect(results).toContainEqual({ name: 'Germany (+49)', value: 'DE' });
});
