/**
 * From List: what each list asks the platform for, how its rows read, and which ID a choice gives. A wrong one means
 * that a workflow works on something else than what was chosen.
 */
import { set } from 'lodash';
import { answer } from './guarantees/promises.cts';
import { byId as by, writesOf } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ engine: { expressionEngine: 'legacy' } });
const byName = (value: string) => ({ __rl: true, mode: 'name', value });
/** Where a list is chosen that needs another choice first. */
const agent = { resource: 'agentKnowledge', operation: 'addNote', agent: by('a1') };
const app = { resource: 'flowStep', operation: 'add', kind: 'action', app: by('crm') };
const table = { resource: 'record', operation: 'getAll', table: by('t1') };
const searchIn = async (node: string, method: string, parameters: object, filter?: string) =>
	await engine.listSearch(node, method, { parameters, filter, path: 'parameters.x' } as never);
const search = async (method: string, filter?: string) => {
	const places: Array<[RegExp, string, object]> = [
		[/^searchFlowApp[AT]/, 'acpFlows', app],
		[/^searchTableRecords/, 'acpTables', table],
		[/./, 'acpKnowledge', agent],
	];
	const [, node, parameters] = places.find(([of]) => of.test(method))!;
	return await searchIn(node, method, parameters, filter);
};
const labelsOf = async (method: string) =>
	(await search(method)).results.map(({ name }: { name: string }) => name);
/** Whatever is asked, the platform answers this. */
const answering = async (data: unknown, times?: number) =>
	await sandbox.strike('', answer({ success: true, data }), { times });
const asked = async () => (await sandbox.ledger()).map(({ method, path }) => `${method} ${path}`);
const queries = async () => (await sandbox.ledger()).map(({ query }) => query);
const pages = { page: '1', per_page: '100' };
const paged = '?page=1&per_page=100';

/** Name, path and query, where the rows stand, field of the ID, fields shown. */
const lists = `
	searchActionLogs          /logs/actions              items          uuid               name type status created_at
	searchAgentGuardRules     /agents/a1                 guard_rules    uuid               name when_condition
	searchAgentGuidelines     /agents/a1                 guidelines     uuid               content
	searchAgentIntents        /agents/a1                 intents        intent_uuid        name key
	searchAgentNotes          /agents/a1                 notes          uuid               content
	searchAgentProcedures     /agents/a1                 procedures     uuid               name
	searchAgentRoutingRules   /agents/a1                 routing_rules  uuid               department_name trigger_keyword ai_prompt
	searchAgentTraining       /agents/a1                 training       uuid               content intent
	searchAgentWebhooks       /agents/a1/webhooks        items          webhook_uuid       url
	searchAgents              /agents${paged}            items          agent_uuid         name company_name
	searchAppointmentRequests /appointment-requests      items          uuid               title contact.name start_time
	searchAppointments        /appointments              items          uuid               title start_time
	searchCalls               /calls${paged}             items          uuid               agent.name direction status created_at
	searchCampaigns           /campaigns${paged}         items          uuid               name status
	searchContactFields       /contacts/fields           items          key                name key
	searchContacts            /contacts${paged}          items          uuid               name surname phone_number email
	searchConversations       /conversations${paged}     items          uuid               contact.name contact.phone_number channel created_at
	searchEvaluations         /evaluations${paged}       items          uuid               created_at sentiment.value success.value
	searchFlowAppActions      /flow/apps/crm/actions     items          key                name key
	searchFlowAppTriggers     /flow/apps/crm/triggers    items          key                name key
	searchFlowApps            /flow/apps                 items          uid                name category
	searchFlowConnections     /flow/connections          items          uuid               label app_uid status
	searchFlows               /flows                     items          uuid               name status
	searchListings            /listings${paged}          items          uuid               name
	searchLiveCalls           /conversations${paged}&channel=call&status=Active items uuid contact.name contact.phone_number created_at
	searchMedias              /medias                    items          uuid               name
	searchOutreachRules       /rules${paged}             items          uuid               name type
	searchPhoneNumbers        /phone-numbers             items          phone_number_uuid  number location
	searchSchedules           /schedules                 items          uuid               name
	searchTableRecords        /data/t1/records${paged}   items          uuid               product price
	searchTasks               /tasks${paged}             items          uuid               title type status scheduled_at
	searchWhatsappAccounts    /whatsapp/wabas            items          waba_id            name waba_id
	searchWhatsappTemplates   /whatsapp/templates        items          uuid               name language status
`;

test.each(
	lists
		.trim()
		.split('\n')
		.map((line) => line.trim().split(/\s+/)),
)(
	'%s: asks for its list, shows its fields, gives its ID',
	async (method, endpoint, rows, id, ...label) => {
		const row = [id!, ...label].reduce((one, place) => set(one, place, `the ${place}`), {});
		await answering({ [rows!]: [row, { [id!]: 'bare' }] });
		await sandbox.clearLedger();
		expect((await search(method!)).results).toEqual([
			{ name: label.map((place) => `the ${place}`).join(' – '), value: `the ${id}` },
			{ name: 'bare', value: 'bare' },
		]);
		const [path, query = ''] = endpoint!.split('?');
		expect(await asked()).toEqual([`GET ${path}`]);
		expect(await queries()).toEqual([Object.fromEntries(new URLSearchParams(query))]);
	},
);

test.each([
	['acpKnowledge', 'searchAgentNotes', { ...agent, agent: by('') }, "Choose 'Agent' first to list"],
	['acpFlows', 'searchFlowAppActions', { ...app, app: by('') }, "Choose 'App' first"],
	[
		'acpKnowledge',
		'searchAgentNotes',
		{ ...agent, agent: byName('Mia') },
		'is set by name. Choose',
	],
])('%s, %s: what has to be chosen before is named', async (node, method, parameters, says) => {
	await expect(searchIn(node, method, parameters)).rejects.toThrow(says);
});

const address = 'https://files.example.com/a/b.pdf?size=2#page';
const values = { a: '', b: 'x', c: true, d: 2, e: null, f: 'y', g: 'z' };
const part = [{ type: 'BODY', text: 'Hello {{1}}' }];
const order = 'Hello {{ 1 }}, {{2}} is here. Bye, {{1}}';
/** By the search: rows, and how each reads. */
const labels: Record<string, Array<[row: object, label: string]>> = {
	// The placeholders to fill in, if the text is shown.
	searchWhatsappTemplates: [
		[{ name: 'order', status: 'APPROVED', content: order }, 'order – APPROVED – {{1}}, {{2}}'],
		[{ name: 'part', components: part }, 'part – {{1}}'],
		[{ name: 'plain', content: 'Hello' }, 'plain'],
	],
	// The first of its names, else its address.
	searchMedias: [
		[{ file_name: 'a', filename: 'b', original_name: 'c', url: address }, 'a'],
		[{ name: '', filename: 'b', original_name: 'c', url: address }, 'b'],
		[{ original_name: 'c', url: address }, 'c'],
		[{ url: address }, 'b.pdf'],
		[{ name: 7, url: 5 }, 'ID-4'],
	],
	// The first three values that can be read.
	searchTableRecords: [
		[{ record: values, other: 'o' }, 'x – 2 – y'],
		[{ created_at: 'c', id: 5, updated_at: 'u', a: 'beside' }, 'beside'],
		[{ record: { a: 'l'.repeat(100) } }, 'l'.repeat(80)],
	],
	// The end of their IDs, where rows read alike.
	searchContacts: [
		[{ name: 'Anna', email: 'anna@example.com' }, 'Anna – anna@example.com'],
		[{ name: 'Anna' }, 'Anna (ID …ID-1)'],
		[{ name: 'Anna' }, 'Anna (ID …ID-2)'],
	],
};
test.each(Object.entries(labels))('%s: what its rows are called', async (method, rows) => {
	await answering({ items: rows.map(([row], at) => ({ ...row, uuid: `ID-${at}` })) });
	expect(await labelsOf(method)).toEqual(rows.map(([, label]) => label));
});

test('rows without an ID are left out, numbers are IDs', async () => {
	const rows = [{ name: 'a' }, { uuid: { b: 1 }, name: 'b' }, { uuid: null, name: 'd' }];
	await answering({ items: [...rows, { uuid: 7, name: 'c' }] });
	expect((await search('searchFlows')).results).toEqual([{ name: 'c', value: 7 }]);
});

describe('what is typed', () => {
	const found = async (method: string, filter: string) =>
		(await search(method, filter)).results.map(({ value }: { value: unknown }) => value);

	test('every word of it stands in the label or the ID, in any order', async () => {
		const items = [
			{ uuid: 'f-1', name: 'Welcome', status: 'deployed' },
			{ uuid: 'f-2', name: 'Welcome back', status: 'draft' },
			{ uuid: 'x-3', name: 'Goodbye', status: 'draft' },
		];
		await answering({ items, total: 3 });
		for (const [typed, ...ids] of [
			['WELCOME', 'f-1', 'f-2'],
			[' draft  welcome ', 'f-2'],
			['x-3', 'x-3'],
			['nothing'],
			['  ', 'f-1', 'f-2', 'x-3'],
		])
			expect([typed, await found('searchFlows', typed!)]).toEqual([typed, ids]);
		expect(await queries()).toEqual([{}, {}, {}, {}, {}]);
	});

	test('a search that is our guess: what comes back is sorted out, and without it when it is refused', async () => {
		const items = ['Anna', 'Berta'].map((name) => ({ agent_uuid: name, name }));
		await sandbox.strike('^/agents$', 422, { times: 1 });
		await answering({ items, total: 2 });
		expect(await found('searchAgents', 'anna')).toEqual(['Anna']);
		expect(await found('searchAgents', 'anna')).toEqual(['Anna']);
		const searched = { ...pages, search: 'anna' };
		expect(await queries()).toEqual([searched, pages, searched]);
	});

	test('numbers of phones are searched by the platform, whose rows are taken as they are; other words here', async () => {
		await answering({ items: [{ uuid: '1', contact: { name: 'Anna' } }] });
		const numbers = ['+123', '123', '123456789012345'];
		const others = ['12', '1234567890123456', '+', '12a', 'a123'];
		for (const typed of [...numbers, 'anna', ...others])
			expect([typed, await found('searchConversations', typed)]).toEqual([
				typed,
				others.includes(typed) ? [] : ['1'],
			]);
		expect((await queries()).flatMap(({ phone }) => phone ?? [])).toEqual(numbers);
	});
});

test.each(['germ', ' DE '])('countries: %j finds Germany', async (filter) => {
	const { results } = await search('searchCountries', filter);
	expect(results).toContainEqual({ name: 'Germany (+49)', value: 'DE' });
});

describe('by name', () => {
	const [mia, max, other] = [1, 2, 3].map((end) => `3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b3${end}`);
	const agents = [
		{ agent_uuid: mia, name: 'Mia', company_name: 'Acme' },
		{ agent_uuid: max, name: 'Max' },
		{ agent_uuid: other, name: 'Max', company_name: 'Other' },
	];
	const addNote = async (name: string) => {
		const items = ['Mia', ' Mia '].map((one) => ({ agent: one }));
		const parameters = { agent: byName(name), content: 'One' };
		return await run('acpKnowledge agentKnowledge.addNote', parameters, { items });
	};
	const expectNothingSent = async () => expect(await writesOf(sandbox)).toEqual([]);

	test('the one agent of that name is meant, of an expression too; the list is read once', async () => {
		await answering({ items: agents, total: 3 }, 1);
		await addNote('={{ $json.agent }}');
		expect((await asked()).filter((one) => one === 'GET /agents')).toHaveLength(1);
		expect(await asked()).toContain(`POST /agents/${mia}/notes`);
	});

	const none = 'none of the agents has that name';
	const notAll = 'not all agents were read: ';
	test.each<[string, string, object[], number, string]>([
		['two of a name', 'Max', agents, 3, `the name of 2 agents: Max (ID ${max}), Max – Other (ID `],
		['none, or in other capitals', 'mia', agents, 3, `${none}. There are: "Mia"`],
		['a list that is not whole', 'Mia', agents, 9, `${notAll}the list has more`],
		['a row without a name', 'Mia', [{ agent_uuid: max }], 1, `${notAll}some show no name or no`],
		['a row without an ID', 'Mia', [{ name: 'Mia' }], 1, `${notAll}some show no name or no ID`],
		['null', 'null', [{ agent_uuid: mia, name: null }], 1, `but ${none}`],
	])('%s: refused before anything is written', async (_, name, items, total, says) => {
		await answering({ items, total });
		const { error } = await addNote(name);
		expect(`${error?.message} ${error?.description}`).toContain(says);
		await expectNothingSent();
	});

	test('a list that cannot be read says why', async () => {
		await sandbox.strike('^/agents$', 403);
		const { error } = await addNote('Mia');
		expect(`${error?.message} ${error?.description}`).toContain(notAll.trim());
	});

	test('tags are those that contacts carry; another name is not known', async () => {
		const tags = ['VIP', 'Lead'].map((name, at) => ({ uuid: [mia, max][at], name }));
		await answering({ items: [{ uuid: 'c-1', tags }, { uuid: 'c-2', tags }, { uuid: 'c-3' }] });
		const found = await search('searchContactTags');
		expect(found.results).toEqual(tags.map(({ uuid: value, name }) => ({ name, value })));
		const parameters = { contact: by(other!), tagId: byName('Gold') };
		const { error } = await run('acpContacts contact.addTag', parameters);
		expect(error?.message).toContain(
			'unknown whether there is one. Tags that contacts have: "VIP", "Lead"',
		);
		await expectNothingSent();
		// There may be tags that no contact has yet.
		await sandbox.clearFaults();
		await answering({ items: [{ uuid: 'c-3' }] });
		await expect(search('searchContactTags')).rejects.toThrow('because no record carries one');
	});
});
