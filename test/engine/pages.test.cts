/** What the editor offers, beyond one page. */
import { byId, fast } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({
	settings: fast,
	engine: { expressionEngine: 'legacy' },
});

const start = async (options: object): Promise<void> => {
	await sandbox.reset(options);
	engine.credentials = { acpApi: sandbox.credential() };
};

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
