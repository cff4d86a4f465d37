/** Lists beyond one page: as many records as were asked for, none twice, in the platform's order, in every layout. */
import type { INodeParameters } from 'n8n-workflow';
import { byId, fast, message, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({
	settings: fast,
	engine: { expressionEngine: 'legacy' },
});
jest.setTimeout(600_000);

const start = async (options: object): Promise<void> => {
	await sandbox.reset(options);
	engine.credentials = { acpApi: sandbox.credential() };
};

interface Layout {
	node: string;
	parameters: INodeParameters;
	id: string;
	/** Where the records are kept, in the order in which the platform lists them. */
	collection: string;
	path: string;
	/** Most records of one page; Infinity where there are no pages. */
	most: number;
	make: (count: number) => Promise<void>;
	count?: number;
	limits?: number[];
	/** How many records there are when all are asked for. */
	sizes?: number[];
}

const limits = [99, 100, 101, 150, 250];
const period = { from: '2035-03-05T00:00:00Z', to: '2035-03-06T00:00:00Z' };
const schedule = (id: number) => ({
	id: 100 + id,
	name: `Schedule ${id}`,
	type: 'appointment',
	color: '#2266cc',
	availability_type_uuid: null,
	ai_agents: [],
	human_agents: [],
	custom_questions: [],
});
const listing = (index: number) => ({ name: `Listing ${index}`, contact_uuids: [] });
const listings = { resource: 'listing', operation: 'getAll' };

const layouts: Record<string, Layout> = {
	'data.items with pagination': {
		node: 'acpAgents',
		parameters: { resource: 'agent', operation: 'getAll' },
		id: 'agent_uuid',
		collection: 'agents',
		path: '/agents',
		most: 100,
		make: async (agents) => await start({ agents }),
	},
	'data.data with current_page and last_page': {
		node: 'acpContacts',
		parameters: { resource: 'contact', operation: 'getAll' },
		id: 'uuid',
		collection: 'contacts',
		path: '/contacts',
		most: 100,
		make: async (contacts) => await start({ contacts }),
	},
	'a bare array that holds everything': {
		node: 'acpScheduling',
		parameters: { resource: 'schedule', operation: 'getAll' },
		id: 'id',
		collection: 'schedules',
		path: '/schedules',
		most: Infinity,
		make: async (count) => {
			const there = (await sandbox.state('schedules')).length;
			await sandbox.addMany('schedules', count - there, schedule);
		},
		sizes: [2, 120],
	},
	'bare arrays, page by page': {
		node: 'acpOutreach',
		parameters: listings,
		id: 'uuid',
		collection: 'listings',
		path: '/listings',
		most: 100,
		make: async (count) => {
			await sandbox.settings({ pages: { '/listings': { layout: 'flat', perPage: 15 } } });
			await sandbox.addMany('listings', count, listing);
		},
		sizes: [100, 200, 250],
	},
	'a cursor': {
		node: 'acpInsights',
		parameters: { resource: 'analytics', operation: 'exportMessages', period: 'custom', ...period },
		id: 'content',
		collection: 'messages',
		path: '/analytics/messages',
		most: 1000,
		make: async (count) => await sandbox.addMany('messages', count, message),
		count: 1150,
		limits: [...limits, 999, 1000, 1001, 1100],
		sizes: [0, 1000, 1001],
	},
};

describe.each(Object.keys(layouts))('%s', (name) => {
	const layout = layouts[name]!;
	const { node, parameters, id, collection, path, most, make, count = 300 } = layout;
	const { sizes = [1, 100, 200, 250] } = layout;

	// interface: §4.1 rule 9
	test.each(sizes)('Return All gives all %i records, each once', async (size) => {
		await make(size);
		await sandbox.clearLedger();
		const result = ok(await run(node, { ...parameters, returnAll: true }));
		const ids = result.json().map((record) => record[id]);
		expect([ids.length, new Set(ids).size]).toEqual([size, size]);
		// A last page that is full asks for no page beyond it, where the layout tells that it ends there. A bare array does
		// not, and from ten records on it may be a first page.
		const beyond = name.includes('bare array') && size >= 10 ? 1 : 0;
		const pages = Math.max(1, Math.ceil(size / most));
		expect(await sandbox.ledger({ path })).toHaveLength(pages + beyond);
	});

	test(`limits below, at and beyond a page are kept exactly with ${count} records`, async () => {
		await make(count);
		const all = (await sandbox.state(collection))
			.filter((record) => collection !== 'messages' || record.content.startsWith('Message '))
			.map((record) => record[id]);
		expect(new Set(all).size).toBe(count);
		const wanted = layout.limits ?? limits;
		expect(wanted.length).toBeGreaterThan(4);
		for (const limit of wanted) {
			await sandbox.clearLedger();
			const result = ok(await run(node, { ...parameters, limit }));
			expect(result.json().map((record) => record[id])).toEqual(all.slice(0, limit));
			expect(await sandbox.ledger({ path })).toHaveLength(Math.ceil(limit / most) || 1);
		}
	});
});

describe('what the editor offers, beyond a page', () => {
	test('the agents of the trigger: all of them, each once, by name', async () => {
		await start({ agents: 250 });
		const options = await engine.loadOptions('acpTrigger', 'getAgents');
		const agents = await sandbox.state('agents');
		expect(agents).toHaveLength(250);
		expect(options.map(({ value }) => value).sort()).toEqual(
			agents.map(({ agent_uuid: uuid }) => uuid).sort(),
		);
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	});

	describe.each([
		['the custom fields of a contact', 'acpContacts', 'getContactFields'],
		['the fields of a contact of a listing', 'acpOutreach', 'getListingContactFields'],
	])('%s: all active ones, each once', (_, node, method) => {
		test.each([
			['in pages', { pages: { '/contacts/fields': { layout: 'page', perPage: 15 } } }],
			['all at once', {}],
		])('%s', async (_how, settings) => {
			await sandbox.settings(settings);
			await sandbox.addMany('contacts_fields', 40, (index) => ({
				key: `field_${index}`,
				name: `Field ${index}`,
				type: 'text',
				is_active: index !== 20,
			}));
			const active = (await sandbox.state('contacts_fields'))
				.filter((field) => field.is_active)
				.map(({ key }) => key);
			expect(active.length).toBeGreaterThanOrEqual(39);
			const { fields } = await engine.resourceMapping(node, method);
			const offered = fields.map(({ id }) => id);
			expect(offered.slice(-active.length)).toEqual(active);
			expect(new Set(offered).size).toBe(offered.length);
		});
	});

	test.each([
		['content', (text: string) => ({ content: text })],
		['components', (text: string) => ({ content: '', components: [{ type: 'BODY', text }] })],
	])("a template's placeholders by number, not by letter, read from its %s", async (_, about) => {
		const text = '{{10}} and {{2}}, then {{1}}, {{ 3 }} and {{2}} again';
		const [pattern] = await sandbox.state('whatsapp_templates');
		const { uuid: _uuid, ...like } = pattern;
		const { uuid } = await sandbox.add('whatsapp_templates', { ...like, ...about(text) });
		const { fields } = await engine.resourceMapping('acpMessages', 'getTemplateFields', {
			parameters: { resource: 'whatsapp', operation: 'sendTemplate', template: byId(uuid) },
			path: 'parameters.parameters',
		});
		expect(fields.map(({ id }) => id)).toEqual(['field1', 'field2', 'field3', 'field10']);
	});
});
