/**
 * What an expression left empty: whatever decides whom an operation covers or how it runs is refused for the item, by
 * its name; what is content may be empty. Every operation with every field, by a rule of the test's own, which goes by
 * what n8n shows of a parameter.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { repository } from '../../tools/contract.cjs';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { fill, forms, isShown, type Known } from './everyOperation/samples.cts';
import { byId, fast, phoneOf, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast });

const uuid = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';

/** Values that only have to look right: nothing is sent. */
const lookRight: Known = {
	valueOf: async (property) => {
		const entered = property.modes?.filter(({ name }) => name === 'id');
		const shown = JSON.stringify({ ...property, modes: entered });
		if (property.type === 'resourceLocator')
			return /number, or an ID|tag's number/.test(shown) || property.name === 'agentId'
				? '12'
				: (/e\.g\. ([^"…]+)"/.exec(shown)?.[1] ?? uuid);
		if (property.type !== 'string') return undefined;
		if (/^e\.g\. 3f2b8c1e-5d47-…/.test(property.placeholder ?? '')) return uuid;
		return undefined;
	},
	mapped: async ({ name }) => (name === 'contacts' ? { phone_number: phoneOf(1) } : { key: 'x' }),
};

/** Types of parameters in which something is chosen or counted. */
const chosen = new Set([
	'boolean',
	'dateTime',
	'multiOptions',
	'number',
	'options',
	'resourceLocator',
]);

/** The page's table of fields that do not follow their type: `| operation | field | decides or content |`. */
const exceptions = new Map(
	[
		...readFileSync(join(repository, 'docs', 'reference', 'empty-expressions.md'), 'utf8').matchAll(
			/^\| `([\w.]+)` \| \*([^*]+)\* \| (decides|content) \|/gm,
		),
	].map(([, operation, field, what]) => [`${operation} ${field}`, what === 'decides'] as const),
);

/** Collections whose names stand in no message. */
const placesOfOptional = ['additionalFields', 'updateFields', 'filters'];

/** Values that show a field which would be hidden otherwise. */
const showing: Record<string, INodeParameters> = {
	'contact.blacklist': { isPermanent: false },
	'contact.upsert': {
		customFields: { mappingMode: 'defineBelow', value: { customer_number: '17' } },
	},
};

/** Options with rules of their own. */
const otherwise = ['skipNumbers', 'requestKey'];

interface Leaf {
	property: INodeProperties;
	path: string[];
	label: string;
	decides: boolean;
}

const operations = operationsOf(nodes()).flatMap((entry) =>
	forms(entry.parameters).map((form) => ({
		subject: `${entry.resource.value}.${entry.value}`,
		title: [`${entry.resource.value}.${entry.value}`, ...Object.values(form)].join(', '),
		entry,
		form,
	})),
);

const met = new Set<string>();

/** Every parameter of an operation that an expression can stand in, with what the test says of it. */
function leavesOf(
	{ entry, subject }: (typeof operations)[number],
	properties: INodeProperties[],
	filled: INodeParameters,
	above: string[] = [],
	levels: string[] = [],
): Leaf[] {
	return properties.flatMap((property): Leaf[] => {
		const { name, type, displayName } = property;
		if (!(name in filled) || property.noDataExpression) return [];
		const path = [...above, name];
		const inner = filled[name] as INodeParameters;
		if (type === 'collection')
			return leavesOf(
				{ entry, subject } as never,
				property.options as never,
				inner,
				path,
				placesOfOptional.includes(name) ? levels : [...levels, displayName],
			);
		if (type === 'fixedCollection' || type === 'resourceMapper') return [];
		if (otherwise.includes(name)) return [];
		const inQuery = entry.operation.method === 'GET' || path[0] === 'options';
		const exception = exceptions.get(`${subject} ${displayName}`);
		if (exception !== undefined && !inQuery) met.add(`${subject} ${displayName}`);
		const label = [...levels, displayName].join(' › ');
		const decides = inQuery || name === 'bodyJson' || (exception ?? chosen.has(type));
		return [{ property, path, label, decides }];
	});
}

const at = (values: any, path: string[]): any =>
	path.reduce((part, name) => (part[name] ??= {}), values);

/** Makes a parameter an expression of the item. @returns the value that stood there */
function ask(parameters: INodeParameters, { path }: Leaf, key: string): unknown {
	const level = at(parameters, path.slice(0, -1));
	const name = path.at(-1)!;
	const before = level[name];
	const expression = `={{ $json.${key} }}`;
	if (before?.__rl) {
		level[name] = { ...before, value: expression };
		return before.value;
	}
	level[name] = expression;
	return before;
}

const optionsOf = async (parameters: INodeProperties[]): Promise<INodeParameters> => {
	const options = parameters.find(({ name }) => name === 'options')!;
	const values = await fill(options.options as INodeProperties[], lookRight, 'all', ['options']);
	return {
		...values,
		preview: false,
		sendEmptyFields: false,
		timezone: 'Europe/Berlin',
		defaultCountry: 'DE',
	};
};

describe('Evidence: an expression that returns nothing, taken for a field that was not set', () => {
	test.each(operations)('$title: refused by name', async (one) => {
		const { entry, form } = one;
		const contact = { uuid, phone_number: phoneOf(1), email: 'zoe@example.com' };
		await sandbox.strike(`GET /contacts/${uuid}`, {
			status: 200,
			body: { success: true, data: contact },
		});
		const parameters = await fill(entry.parameters, lookRight, 'all', [], {
			...form,
			...showing[one.subject],
		});
		const names = new Set(entry.parameters.map(({ name }: INodeProperties) => name));
		if (names.has('limit')) Object.assign(parameters, { returnAll: false, limit: 5 });
		if (names.has('simplify')) parameters.simplify = true;
		const known = new Set(
			(
				entry.parameters.find(({ name }: INodeProperties) => name === 'options')!
					.options as INodeProperties[]
			).map(({ name }) => name),
		);
		parameters.options = Object.fromEntries(
			Object.entries(await optionsOf(entry.parameters)).filter(
				([name]) => known.has(name) && !otherwise.includes(name),
			),
		) as INodeParameters;
		const shown = entry.parameters.filter(
			(property: INodeProperties) => isShown(property, parameters) && !(property.name in form),
		);
		const leaves = leavesOf(one, shown, parameters);
		const full: Record<string, unknown> = {};
		for (const [index, leaf] of leaves.entries())
			full[`p${index}`] = ask(parameters, leaf, `p${index}`);
		const deciding = leaves.flatMap((leaf, index) => (leaf.decides ? [{ leaf, index }] : []));
		expect(deciding.length).toBeGreaterThan(0);
		const nothing = [undefined, null, '  '];
		const items = deciding.map(({ index }) => ({
			...full,
			[`p${index}`]: nothing[index % nothing.length],
		}));
		const content = leaves.flatMap((leaf, index) => (leaf.decides ? [] : [index]));
		// All content empty at once, which must not be what refuses the item.
		const without = Object.fromEntries(content.map((index) => [`p${index}`, undefined]));
		if ('preview' in (parameters.options as object))
			items.push({
				...full,
				...without,
				[`p${leaves.findIndex(({ path }) => path.join() === 'options,preview')}`]: true,
			} as never);
		// A request that is made from all items takes everything else from the first.
		const runs = entry.operation.allItems ? items.map((item) => [item]) : [items];
		const said: string[] = [];
		for (const part of runs) {
			const result = ok(
				await run(
					entry.node.name,
					{ resource: entry.resource.value, operation: entry.value, ...parameters },
					{ items: part as never, onError: 'continueRegularOutput' },
				),
			);
			const errors = new Map(
				result
					.json()
					.filter(({ errorCode }: any) => errorCode === 'INVALID_ITEM')
					.map(({ errorItem, error }: any) => [errorItem, error as string]),
			);
			said.push(...part.map((_, item) => errors.get(item) ?? 'not refused'));
		}
		expect(deciding.map(({ leaf }, index) => `${leaf.label}: ${said[index]}`)).toEqual(
			deciding.map(({ leaf }) => expect.stringMatching(saysEmpty(leaf.label))),
		);
		expect(said[deciding.length] ?? '').not.toMatch(/returned nothing/);
		expect(await sandbox.created()).toEqual([]);
	});

	test('the page names every field that does not follow its type, and no other', () => {
		expect(exceptions.size).toBeGreaterThan(10);
		expect([...met].sort()).toEqual([...exceptions.keys()].sort());
	});
});

describe('Evidence: a value that a model left empty', () => {
	const search = "={{ $fromAI('search', 'Whom to look for', 'string') }}";
	const withDefault = "={{ $fromAI('search', `It's a name`, 'string', '') }}";
	test.each([
		[
			'a filter of the model: refused, as one of the workflow is',
			search,
			{ search: '' },
			[],
			/'Search' is empty: its expression returned nothing/,
		],
		['one that has a default: not set', withDefault, { search: '' }, [undefined], /uuid/],
		[
			'a filter of the workflow: refused, although a model runs it',
			'={{ $json.contact }}',
			{},
			[],
			/'Search' is empty: its expression returned nothing/,
		],
	])('%s', async (_, written, args, asked, says) => {
		const { answers } = await engine.callTools(
			'acpContacts',
			{ resource: 'contact', operation: 'getAll', filters: { search: written } } as never,
			[{ args } as never],
		);
		expect(JSON.stringify(answers)).toMatch(says);
		expect((await sandbox.ledger()).map(({ query }: any) => query.search)).toEqual(asked);
	});
});

describe('Evidence: a part of a text that an expression left empty, taken for the whole text', () => {
	const cancelled = async () => (await sandbox.ledger()).filter(({ method }) => method !== 'GET');

	const tasks = (filters: object, more: object = {}) =>
		({ resource: 'task', operation: 'getAll', returnAll: true, filters, ...more }) as never;
	const raw = (more: object) =>
		({ resource: 'otherEndpoint', operation: 'apiRequest', ...more }) as never;
	const contacts = (search: string) =>
		['acpContacts', { resource: 'contact', operation: 'getAll', filters: { search } }] as const;

	const refused: Array<[string, readonly [string, object], string]> = [
		[
			'a filter of a list: the item is refused and nothing is read',
			['acpOutreach', tasks({ contact: byId('={{ $json.contactId }}') })],
			"'Contact' is empty: its expression returned nothing for this item",
		],
		['an empty list: refused', contacts('={{ [] }}'), "'Search' should be text, but it is a list"],
		['no number: refused', contacts('={{ Number("x") }}'), "'Search' is empty"],
		[
			'a text whose only value is missing: refused with that part',
			contacts('=+{{ $json.phone }}'),
			"'Search' is incomplete: {{ $json.phone }} returned nothing for this item",
		],
		[
			'a text with a part that n8n works out: refused with that part',
			contacts('=+{{ $json.phones?.[0] }}'),
			"'Search' is incomplete: {{ $json.phones?.[0] }} returned nothing for this item",
		],
		[
			'the path of API Request: refused, not sent to the collection',
			['acpOutreach', raw({ method: 'DELETE', path: '=/tasks/{{ $json.task }}' })],
			"'Path' is incomplete: {{ $json.task }} returned nothing for this item",
		],
		[
			'a query parameter of API Request: refused by its name',
			['acpOutreach', raw({ path: '/tasks', query: '={"contact_uuid": "{{ $json.contactId }}"}' })],
			"'Query Parameters (JSON)' is incomplete: {{ $json.contactId }} returned nothing",
		],
		[
			'a body of API Request: refused, because it would empty the field',
			[
				'acpContacts',
				raw({ method: 'PATCH', path: '/contacts/a', body: '={"notes": "{{ $json.none }}"}' }),
			],
			"'Body (JSON)' is incomplete: {{ $json.none }} returned nothing",
		],
		[
			'the method of API Request: refused, not taken for GET',
			['acpOutreach', raw({ method: '={{ $json.method }}', path: '/tasks' })],
			"'Method' is empty: its expression returned nothing",
		],
	];
	test.each(refused)('%s', async (_, [node, parameters], says) => {
		const result = await run(node, parameters as never, { items: [{}] });
		expect(result.error?.message).toContain(says);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('tasks of nobody in particular: none is cancelled', async () => {
		const agent = (await sandbox.state('agents'))[0].agent_uuid;
		for (const index of [1, 2, 3])
			await sandbox.api.post('/tasks', {
				title: `Call ${index}`,
				type: 'make_call',
				agent_uuid: agent,
				scheduled_at: '2035-03-05T10:00:00',
				contact: { phone_number: phoneOf(index) },
			});
		await sandbox.clearLedger();
		const next = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
		const result = await engine.run(
			{
				nodes: [
					{ name: 'Items', type: 'harness.items', parameters: { items: [{ json: {} }] } as never },
					{
						name: 'List',
						type: 'acpOutreach',
						parameters: tasks({ contact: byId('={{ $json.contactId }}') }),
					},
					{
						name: 'Node',
						type: 'acpOutreach',
						parameters: {
							resource: 'task',
							operation: 'cancel',
							task: byId('={{ $json.uuid }}'),
						} as never,
					},
				],
				connections: { Items: next('List'), List: next('Node') },
			},
			{ startNode: 'Items' },
		);
		expect(result.error?.message).toContain("'Contact' is empty");
		expect(await cancelled()).toEqual([]);
		const states = (await sandbox.state('tasks')).map(({ status }) => status);
		expect(states).toHaveLength(3);
		expect(states).not.toContain('cancelled');
	});

	test('values that are there, an empty constant and a part that is empty on purpose: the list is read as it was asked for', async () => {
		const read = async (search: string, items: object[]) => {
			await sandbox.clearLedger();
			const [node, parameters] = contacts(search);
			ok(await run(node, parameters as never, { items: items as never }));
			return (await sandbox.ledger()).map(({ query }: any) => query.search);
		};
		expect(await read('=+{{ $json.phone }}', [{ phone: 49 }])).toEqual(['+49']);
		expect(await read('', [{}])).toEqual([undefined]);
		expect(await read('=', [{}])).toEqual([undefined]);
		expect(await read("=Zoe{{ $json.last ? ' ' + $json.last : '' }}", [{}])).toEqual(['Zoe']);
	});
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const saysEmpty = (label: string) =>
	new RegExp(`^${escaped(label)}: '${escaped(label)}' is empty[.:]`);
