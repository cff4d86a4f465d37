/**
 * What an expression left empty: whatever decides whom an operation covers or how it runs is refused for the item, by
 * its name; what is content may be empty. Every operation with every field, by a rule of the test's own, which goes by
 * what n8n shows of a parameter.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compact, get, omit, pick, set } from 'lodash';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { repository } from '../../tools/contract.cjs';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { fill, forms, isShown, type Known } from './everyOperation/samples.cts';
import { answer } from './guarantees/promises.cts';
import { fast, phoneOf, ok } from './guarantees/scene.cts';
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
const chosen = /^(boolean|dateTime|multiOptions|number|options|resourceLocator)$/;

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
	path: string[];
	label: string;
	decides: boolean;
}

const operations = operationsOf(nodes()).flatMap((entry) =>
	forms(entry.parameters).map((form) => {
		const { subject } = entry;
		return { subject, title: [subject, ...Object.values(form)].join(', '), entry, form };
	}),
);

const met = new Set<string>();

/** Every parameter of an operation that an expression can stand in, with what the test says of it. */
function leavesOf(
	operation: Pick<(typeof operations)[number], 'entry' | 'subject'>,
	properties: INodeProperties[],
	filled: INodeParameters,
	above: string[] = [],
	levels: string[] = [],
): Leaf[] {
	return properties.flatMap((property): Leaf[] => {
		const { name, type, displayName } = property;
		if (!(name in filled) || property.noDataExpression || otherwise.includes(name)) return [];
		const path = [...above, name];
		const label = [...levels, displayName].join(' › ');
		if (type === 'collection') {
			const inner = placesOfOptional.includes(name) ? levels : [...levels, displayName];
			const { options } = property as { options: INodeProperties[] };
			return leavesOf(operation, options, filled[name] as INodeParameters, path, inner);
		}
		if (type === 'fixedCollection' || type === 'resourceMapper') return [];
		const { entry, subject } = operation;
		const inQuery = entry.operation.method === 'GET' || path[0] === 'options';
		const exception = exceptions.get(`${subject} ${displayName}`);
		if (exception !== undefined && !inQuery) met.add(`${subject} ${displayName}`);
		const decides = inQuery || name === 'bodyJson' || (exception ?? chosen.test(type));
		return [{ path, label, decides }];
	});
}

/** Makes a parameter an expression of the item. @returns the value that stood there */
function ask(parameters: INodeParameters, path: string[], key: string): unknown {
	const before = get(parameters, path) as any;
	const expression = `={{ $json.${key} }}`;
	set(parameters, path, before?.__rl ? { ...before, value: expression } : expression);
	return before?.__rl ? before.value : before;
}

const optionsOf = async (parameters: INodeProperties[]): Promise<INodeParameters> => {
	const { options } = parameters.find(({ name }) => name === 'options') as {
		options: INodeProperties[];
	};
	const values = {
		...(await fill(options, lookRight, 'all', ['options'])),
		...{ preview: false, sendEmptyFields: false },
		...{ timezone: 'Europe/Berlin', defaultCountry: 'DE' },
	};
	const known = options.map(({ name }) => name);
	return omit(pick(values, known), otherwise);
};

describe('Evidence: an expression that returns nothing, taken for a field that was not set', () => {
	test.each(operations)('$title: refused by name', async (one) => {
		const { entry, form } = one;
		const contact = { uuid, phone_number: phoneOf(1), email: 'zoe@example.com' };
		await sandbox.strike(`GET /contacts/${uuid}`, answer({ success: true, data: contact }));
		const shows = { ...form, ...showing[one.subject] };
		const parameters: INodeParameters = {
			...(await fill(entry.parameters, lookRight, 'all', [], shows)),
			options: await optionsOf(entry.parameters),
		};
		const names = new Set(entry.parameters.map(({ name }: INodeProperties) => name));
		if (names.has('limit')) Object.assign(parameters, { returnAll: false, limit: 5 });
		if (names.has('simplify')) parameters.simplify = true;
		const shown = entry.parameters.filter(
			(property: INodeProperties) => isShown(property, parameters) && !(property.name in form),
		);
		const leaves = leavesOf(one, shown, parameters);
		const full = Object.fromEntries(
			leaves.map(({ path }, index) => [`p${index}`, ask(parameters, path, `p${index}`)]),
		);
		const deciding = leaves.flatMap((leaf, index) => (leaf.decides ? [{ leaf, index }] : []));
		expect(deciding.length).toBeGreaterThan(0);
		const nothing = [undefined, null, '  '];
		const items = deciding.map(({ index }) => ({ ...full, [`p${index}`]: nothing[index % 3] }));
		// All content empty at once, which must not be what refuses the item.
		const content = leaves.map(({ decides }, index) => (decides ? undefined : `p${index}`));
		const preview = leaves.findIndex(({ path }) => path.join() === 'options,preview');
		if (preview >= 0) items.push({ ...omit(full, compact(content)), [`p${preview}`]: true });
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
		const named = deciding.map((__, at) => /^'(.*)' is empty[.:]/.exec(said[at]!)?.[1] ?? said[at]);
		expect(named).toEqual(deciding.map(({ leaf }) => leaf.label));
		expect(said[deciding.length] ?? '').not.toMatch(/returned nothing/);
		expect(await sandbox.created()).toEqual([]);
	});

	test('the page names every field that does not follow its type, and no other', () => {
		expect(exceptions.size).toBeGreaterThan(10);
		expect([...met].sort()).toEqual([...exceptions.keys()].sort());
	});
});

test.each([
	['a filter of the model: refused, as one of the workflow is', { search: '' }, undefined],
	['one that has a default: not set', { search: '' }, "={{ $fromAI('search', '', 'string', '') }}"],
	['a filter of the workflow: refused, although a model runs it', {}, '={{ $json.contact }}'],
])(
	'a value that a model left empty, %s',
	async (_, args, search = "={{ $fromAI('search', '', 'string') }}") => {
		const parameters = { resource: 'contact', operation: 'getAll', filters: { search } };
		const { answers } = await engine.callTools('acpContacts', parameters, [{ args } as never]);
		const isAsked = search.includes(", '')");
		expect(JSON.stringify(answers)).toMatch(
			isAsked ? /uuid/ : /'Search' is empty: its expression returned nothing/,
		);
		const queries = (await sandbox.ledger()).map(({ query }) => query.search);
		expect(queries).toEqual(isAsked ? [undefined] : []);
	},
);

describe('Evidence: a part of a text that an expression left empty, taken for the whole text', () => {
	const lacks = (field: string, part: string) =>
		`'${field}' is incomplete: {{ ${part} }} returned nothing for this item`;
	const noMethod = "'Method' is empty: its expression returned nothing";
	const list = 'acpContacts contact.getAll';
	const raw = 'acpContacts otherEndpoint.apiRequest';
	const searching = (search: string) => ({ filters: { search } });
	const only = searching('=+{{ $json.phone }}');
	const first = searching('=+{{ $json.phones?.[0] }}');
	const path = { method: 'DELETE', path: '=/tasks/{{ $json.task }}' };
	const query = { path: '/tasks', query: '={"contact_uuid": "{{ $json.id }}"}' };
	const body = { method: 'PATCH', path: '/contacts/a', body: '={"notes": "{{ $json.none }}"}' };
	const method = { method: '={{ $json.method }}', path: '/tasks' };

	test.each<[string, string, INodeParameters, string]>([
		['an empty list', list, searching('={{ [] }}'), "'Search' should be text, but it is a list"],
		['no number', list, searching('={{ Number("x") }}'), "'Search' is empty"],
		['a text whose only value is missing', list, only, lacks('Search', '$json.phone')],
		['a part that n8n works out', list, first, lacks('Search', '$json.phones?.[0]')],
		['a path, which would be that of the collection', raw, path, lacks('Path', '$json.task')],
		['a query parameter', raw, query, lacks('Query Parameters (JSON)', '$json.id')],
		['a body, which would empty the field', raw, body, lacks('Body (JSON)', '$json.none')],
		['a method, which would be GET', raw, method, noMethod],
	])('%s: refused with that part', async (_, node, parameters, says) => {
		expect((await run(node, parameters, { items: [{}] })).error?.message).toContain(says);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('values that are there, an empty constant and a part that is empty on purpose: the list is read as it was asked for', async () => {
		const written = ['=+{{ $json.a }}', '', '=', "=Zoe{{ $json.b ? ' ' + $json.b : '' }}"];
		for (const search of written) ok(await run(list, searching(search), { items: [{ a: 49 }] }));
		const asked = (await sandbox.ledger()).map(({ query }) => query.search);
		expect(asked).toEqual(['+49', undefined, undefined, 'Zoe']);
	});
});
