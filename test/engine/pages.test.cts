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
	parameters?: INodeParameters;
	id: string;
	/** Where the records are kept, in the order in which the platform lists them. */
	collection: string;
	path?: string;
	/** Most records of one page; Infinity where there are no pages. */
	most?: number;
	/** Records that are made one after the other, and those that are there. */
	more?: (index: number) => object;
	count?: number;
}

const period = {
	period: 'custom',
	from: '2035-03-05T00:00:00Z',
	to: '2035-03-06T00:00:00Z',
};
const schedule = (id: number) => ({
	id: 100 + id,
	name: `Schedule ${id}`,
	type: 'appointment',
	ai_agents: [],
	human_agents: [],
	custom_questions: [],
});

const layouts: Record<string, Layout> = {
	'data.items with pagination': {
		node: 'acpAgents agent.getAll',
		id: 'agent_uuid',
		collection: 'agents',
	},
	'a bare array that holds everything': {
		node: 'acpScheduling schedule.getAll',
		id: 'id',
		collection: 'schedules',
		most: Infinity,
		more: schedule,
	},
	'a cursor': {
		node: 'acpInsights analytics.exportMessages',
		parameters: period,
		id: 'content',
		collection: 'messages',
		path: '/analytics/messages',
		most: 1000,
		more: message,
		count: 1000,
	},
};

describe.each(Object.entries(layouts))('%s', (name, layout) => {
	const { node, parameters = {}, id, collection, most = 100, more, count = 200 } = layout;
	const path = layout.path ?? `/${collection}`;
	// A last page that is full, and one record on a page of its own.
	// interface: §4.1 rule 9
	test.each([count, count + 1])(
		'%i records: all of them once, and limits at and beyond a page exactly',
		async (size) => {
			await start({ [collection]: size, settings: fast });
			const there = collection === 'messages' ? [] : await sandbox.state(collection);
			if (more) await sandbox.addMany(collection, size - there.length, more);
			const all = (await sandbox.state(collection))
				.map((record) => record[id])
				.filter((one) => collection !== 'messages' || one.startsWith('Message '));
			expect(new Set(all).size).toBe(size);
			const read = async (how: INodeParameters) => {
				await sandbox.clearLedger();
				const result = ok(await run(node, { ...parameters, ...how }));
				const requests = (await sandbox.ledger({ path })).length;
				return [result.json().map((record) => record[id]), requests];
			};
			const pages = (limit: number) => Math.ceil(limit / most) || 1;
			// Whether a full page is the last one, a bare array does not tell.
			const beyond = name.includes('bare array') ? 1 : 0;
			expect(await read({ returnAll: true })).toEqual([all, pages(size) + beyond]);
			for (const limit of [most - 1, most, most + 1].filter(Number.isFinite).concat(150))
				expect(await read({ limit })).toEqual([all.slice(0, limit), pages(Math.min(limit, size))]);
		},
	);
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

	test.each([
		[
			'acpContacts',
			'getContactFields',
			{ pages: { '/contacts/fields': { layout: 'page', perPage: 15 } } },
		],
		['acpOutreach', 'getListingContactFields', {}],
	])(
		'the fields of a contact for %s: all active ones, each once',
		async (node, method, settings) => {
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
			const offered = (await engine.resourceMapping(node, method)).fields.map(({ id }) => id);
			expect(offered.slice(-active.length)).toEqual(active);
			expect(new Set(offered).size).toBe(offered.length);
		},
	);

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
