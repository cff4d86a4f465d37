/** What the editor offers, beyond one page. */
import { fast } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({
	...{ settings: fast, agents: 250 },
	engine: { expressionEngine: 'legacy' },
});

test('the agents of the trigger: all of them, each once, by name', async () => {
	const options = await engine.loadOptions('acpTrigger', 'getAgents');
	const agents = await sandbox.state('agents');
	expect(agents).toHaveLength(250);
	expect(options.map(({ value }) => value).sort()).toEqual(
		agents.map(({ agent_uuid: uuid }) => uuid).sort(),
	);
	const names = options.map(({ name }) => name);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

const inPages = { layout: 'page', perPage: 15 };
test.each([
	['acpContacts', 'getContactFields', { pages: { '/contacts/fields': inPages } }],
	['acpOutreach', 'getListingContactFields', {}],
])('the fields of a contact for %s: all active ones, each once', async (node, method, settings) => {
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
});
