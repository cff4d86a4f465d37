/**
 * From List: what each list asks the platform for, how its rows read, and which ID a choice gives. A wrong one means
 * that a workflow works on something else than what was chosen.
 */
import { byId as by } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ engine: { expressionEngine: 'legacy' } });
/** Where a list is chosen that needs another choice first. */
const agent = { resource: 'agentKnowledge', operation: 'addNote', agent: by('a1') };
const app = { resource: 'flowStep', operation: 'add', kind: 'action', app: by('crm') };
const table = { resource: 'record', operation: 'getAll', table: by('t1') };
const search = async (method: string, filter?: string, paginationToken?: string) => {
	const [node, parameters] = /^searchFlowApp[AT]/.test(method)
		? ['acpFlows', app]
		: method === 'searchTableRecords'
			? ['acpTables', table]
			: ['acpKnowledge', agent];
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

const pages = { page: '1', per_page: '100' };
/** Name, path, field of the ID, fields shown; then where the rows stand when not under `items`, and the query. */
type List = [string, string, string, string[], string?, Record<string, string>?];
const ofAgent = (method: string, rows: string, label: string[], id = 'uuid'): List => [
	method,
	'/agents/a1',
	id,
	label,
	rows,
];
const paged = (method: string, path: string, id: string, label: string[], query = {}): List => [
	method,
	path,
	id,
	label,
	undefined,
	{ ...query, ...pages },
];
const ofContact = ['contact.name', 'contact.phone_number'];

test.each<List>([
	['searchActionLogs', '/logs/actions', 'uuid', ['name', 'type', 'status', 'created_at']],
	ofAgent('searchAgentGuardRules', 'guard_rules', ['name', 'when_condition']),
	ofAgent('searchAgentGuidelines', 'guidelines', ['content']),
	ofAgent('searchAgentIntents', 'intents', ['name', 'key'], 'intent_uuid'),
	ofAgent('searchAgentNotes', 'notes', ['content']),
	ofAgent('searchAgentProcedures', 'procedures', ['name']),
	ofAgent('searchAgentRoutingRules', 'routing_rules', [
		'department_name',
		'trigger_keyword',
		'ai_prompt',
	]),
	ofAgent('searchAgentTraining', 'training', ['content', 'intent']),
	['searchAgentWebhooks', '/agents/a1/webhooks', 'webhook_uuid', ['url']],
	paged('searchAgents', '/agents', 'agent_uuid', ['name', 'company_name']),
	[
		'searchAppointmentRequests',
		'/appointment-requests',
		'uuid',
		['title', 'contact.name', 'start_time'],
	],
	['searchAppointments', '/appointments', 'uuid', ['title', 'start_time']],
	paged('searchCampaigns', '/campaigns', 'uuid', ['name', 'status']),
	['searchContactFields', '/contacts/fields', 'key', ['name', 'key']],
	paged('searchContacts', '/contacts', 'uuid', ['name', 'surname', 'phone_number', 'email']),
	paged('searchConversations', '/conversations', 'uuid', [...ofContact, 'channel', 'created_at']),
	paged('searchEvaluations', '/evaluations', 'uuid', [
		'created_at',
		'sentiment.value',
		'success.value',
	]),
	['searchFlowAppActions', '/flow/apps/crm/actions', 'key', ['name', 'key']],
	['searchFlowAppTriggers', '/flow/apps/crm/triggers', 'key', ['name', 'key']],
	['searchFlowApps', '/flow/apps', 'uid', ['name', 'category']],
	['searchFlowConnections', '/flow/connections', 'uuid', ['label', 'app_uid', 'status']],
	['searchFlows', '/flows', 'uuid', ['name', 'status']],
	paged('searchListings', '/listings', 'uuid', ['name']),
	paged('searchLiveCalls', '/conversations', 'uuid', [...ofContact, 'created_at'], {
		channel: 'call',
		status: 'Active',
	}),
	['searchMedias', '/medias', 'uuid', ['name']],
	paged('searchOutreachRules', '/rules', 'uuid', ['name', 'type']),
	['searchPhoneNumbers', '/phone-numbers', 'phone_number_uuid', ['number', 'location']],
	['searchSchedules', '/schedules', 'uuid', ['name']],
	paged('searchTableRecords', '/data/t1/records', 'uuid', ['product', 'price']),
	['searchWhatsappAccounts', '/whatsapp/wabas', 'waba_id', ['name', 'waba_id']],
	['searchWhatsappTemplates', '/whatsapp/templates', 'uuid', ['name', 'language', 'status']],
])(
	'%s: asks for its list, shows its fields, gives its ID',
	async (method, path, id, label, rows = 'items', query = {}) => {
		await answering({ [rows]: [record([id, ...label]), { [id]: 'bare' }] });
		await sandbox.clearLedger();
		expect((await search(method)).results).toEqual([
			{ name: label.map((place) => `the ${place}`).join(' – '), value: `the ${id}` },
			{ name: 'bare', value: 'bare' },
		]);
		expect(await sandbox.ledger()).toMatchObject([{ method: 'GET', path }]);
		expect((await sandbox.ledger())[0]!.query).toEqual(query);
	},
);

test.each([
	['acpKnowledge', 'searchAgentNotes', { ...agent, agent: by('') }, "'Agent' first to list its"],
	['acpFlows', 'searchFlowAppActions', { ...app, app: by('') }, "'App' first"],
])('%s, %s: what has to be chosen before is named', async (node, method, parameters, says) => {
	const asked = engine.listSearch(node, method, { parameters, path: 'parameters.x' } as never);
	await expect(asked).rejects.toThrow(`Choose ${says}`);
});

test('a template shows the placeholders to fill in, if its text is shown', async () => {
	const named = (name: string, more: object) => ({ uuid: name, name, language: 'en_US', ...more });
	await answering({
		items: [
			named('order', { status: 'APPROVED', content: 'Hello {{ 1 }}, {{2}} is here. Bye, {{1}}' }),
			named('part', { components: [{ type: 'BODY', text: 'Hello {{1}}' }] }),
			named('plain', { status: 'APPROVED', content: 'Hello' }),
			named('unseen', { status: 'PENDING' }),
		],
	});
	expect((await search('searchWhatsappTemplates')).results.map(({ name }) => name)).toEqual([
		'order – en_US – APPROVED – {{1}}, {{2}}',
		'part – en_US – {{1}}',
		'plain – en_US – APPROVED',
		'unseen – en_US – PENDING',
	]);
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

describe('by name', () => {
	const byName = (value: string) => ({ __rl: true, mode: 'name', value });
	const [mia, max, other] = [1, 2, 3].map((end) => `3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b3${end}`);
	const agents = [
		{ agent_uuid: mia, name: 'Mia', company_name: 'Acme' },
		{ agent_uuid: max, name: 'Max' },
		{ agent_uuid: other, name: 'Max', company_name: 'Other' },
	];
	const asked = async () => (await sandbox.ledger()).map(({ method, path }) => `${method} ${path}`);
	const noteFor = async (name: string, total = 3) => {
		await answering({ items: agents, total }, total === 3 ? 1 : undefined);
		const parameters = { agent: byName(name), content: '={{ $json.text }}' } as never;
		const items = [
			{ agent: 'Mia', text: 'one' },
			{ agent: ' Mia ', text: 'two' },
		] as never;
		return await run('acpKnowledge agentKnowledge.addNote', parameters, { items });
	};

	test('the one agent of that name is meant, of an expression too; the list is read once', async () => {
		await noteFor('={{ $json.agent }}');
		expect((await asked()).slice(0, 1)).toEqual(['GET /agents']);
		expect((await asked()).filter((one) => one === 'GET /agents')).toHaveLength(1);
		expect(await asked()).toContain(`POST /agents/${mia}/notes`);
	});

	test.each([
		['two of a name', 'Max', 3, `the name of 2 agents: Max (ID ${max}), Max – Other (ID ${other})`],
		['none, or in other capitals', 'mia', 3, 'none of the agents has. There are: "Mia", "Max"'],
		['a list that is not whole', 'Mia', 9, 'not all agents were read: the list has more'],
	])('%s: refused before anything is written', async (_, name, total, says) => {
		const { error } = await noteFor(name, total);
		expect(`${error?.message} ${error?.description}`).toContain(says);
		expect((await asked()).filter((one) => !one.startsWith('GET'))).toEqual([]);
	});

	test.each([
		['no name', { agent_uuid: other }],
		['no ID', { name: 'Mia' }],
	])('an agent of which the list shows %s may be the one: refused', async (_, hidden) => {
		await answering({ items: [...agents.slice(0, 2), hidden], total: 3 }, 1);
		const parameters = { agent: byName('Mia'), content: 'one' } as never;
		const { error } = await run('acpKnowledge agentKnowledge.addNote', parameters);
		expect(error?.message).toContain('not all agents were read: some show no name or no ID');
		expect((await asked()).filter((one) => !one.startsWith('GET'))).toEqual([]);
	});

	test('nothing is no name: an agent called null is not meant by "null"', async () => {
		await answering({ items: [{ agent_uuid: mia, name: null }], total: 1 }, 1);
		const parameters = { agent: byName('null'), content: 'one' } as never;
		const { error } = await run('acpKnowledge agentKnowledge.addNote', parameters);
		expect(error?.message).toContain('which none of the agents has');
		expect((await asked()).filter((one) => !one.startsWith('GET'))).toEqual([]);
	});

	test('a list that cannot be read says why', async () => {
		await sandbox.strike('^/agents$', 403);
		const { error } = await noteFor('Mia');
		expect(`${error?.message} ${error?.description}`).toContain('not all agents were read');
	});

	test('tags are those that contacts carry; another name is not known', async () => {
		const tags = [
			{ uuid: mia, name: 'VIP' },
			{ uuid: max, name: 'Lead' },
		];
		const items = [{ uuid: 'c-1', tags }, { uuid: 'c-2', tags }, { uuid: 'c-3' }];
		await answering({ items });
		const found = await search('searchContactTags');
		expect(found.results).toEqual(tags.map(({ uuid: value, name }) => ({ name, value })));
		await sandbox.clearLedger();
		const { error } = await run('acpContacts contact.addTag', {
			contact: by(other as string),
			tagId: byName('Gold'),
		} as never);
		expect(error?.message).toContain(
			'unknown whether there is one. Tags that contacts have: "VIP", "Lead"',
		);
		expect((await asked()).filter((one) => !one.startsWith('GET'))).toEqual([]);
		// There may be tags that no contact has yet.
		await sandbox.clearFaults();
		await answering({ items: [{ uuid: 'c-3' }] });
		await expect(search('searchContactTags')).rejects.toThrow('because no record carries one');
	});

	test('what belongs to an agent is listed once it is chosen', async () => {
		const parameters = { ...agent, agent: byName('Mia') };
		const notes = engine.listSearch('acpKnowledge', 'searchAgentNotes', {
			...{ parameters, path: 'parameters.x' },
		} as never);
		await expect(notes).rejects.toThrow("'Agent' is set by name. Choose it from the list");
	});
});
