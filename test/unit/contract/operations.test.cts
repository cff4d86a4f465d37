/**
 * The package beside the contract: nothing of the platform is out of reach, and nothing is invented. Which areas the
 * contract has is tested in `openapi.test.cts`.
 */
import { find } from 'lodash';
import { contract } from '../../../tools/contract.cjs';
import {
	areasWithoutEndpoint,
	endpointsWithoutOperation,
	nodes,
	operationsOf,
} from '../../../tools/operations.cjs';
import { agent } from '../../../nodes/engine/fields';
import { lists } from '../../../nodes/engine/lookups/lists';
import { operation, resource } from '../../../nodes/engine/operation';
import type { ListLookup } from '../../../nodes/engine/lookups/search';

const { document, endpoints, areas } = contract();
const all = nodes();
const operations = operationsOf(all);
/** What the resource of the custom API request says of itself, by node. */
const notYet = new Map(
	all.map(({ name, resources }) => [
		name,
		find(resources, { value: 'otherEndpoint' })?.description,
	]),
);

// interface: §4.4 shapes
test('every endpoint of the contract has an operation', () => {
	const used = new Set(operations.map(({ operation }) => operation.endpoint));
	expect(endpoints.map(({ key }) => key).filter((key) => !used.has(key))).toEqual(
		Object.keys(endpointsWithoutOperation),
	);
});

test('every operation is an endpoint of the contract', () => {
	const known = new Set(endpoints.map(({ key }) => key));
	expect(operations.length).toBeGreaterThan(150);
	const unknown = operations.filter(({ operation }) => !known.has(operation.endpoint));
	expect(unknown.map(({ subject }) => subject)).toEqual([]);
});

test('each part of a path has a field, of the operation or its resource, or nothing loads', () => {
	const made = (of: object) =>
		resource({
			label: 'Thing',
			value: 'thing',
			operations: { get: operation.get('GET /agents/{uuid}', {}) },
			...of,
		}).operations.get?.path;
	const uuid = agent();
	expect(made({ path: { uuid } })).toEqual({ uuid });
	expect(() => made({})).toThrow('GET /agents/{uuid}: no field');
});

test('every event of the contract can be chosen, in the trigger and where webhooks are made', () => {
	const choosing = all.flatMap(({ name, description }) =>
		description.properties
			.filter(({ name, options }) => name === 'events' && options)
			.map(({ options }) => [
				name,
				options!.map((one) => 'value' in one && String(one.value)).sort(),
			]),
	);
	const every = [...document.components.schemas.AgentEvent.enum].sort();
	expect(choosing).toEqual([
		['acpAgents', every],
		['acpTrigger', every],
	]);
});

// interface: §6 logs
test.each(areas.map(({ name }) => name))('%s can be reached from the canvas', (area) => {
	const keys = new Set(endpoints.filter((one) => one.area === area).map(({ key }) => key));
	const reached = operations.filter(({ operation }) => keys.has(operation.endpoint));
	const needless = [...keys].every((key) => key in endpointsWithoutOperation);
	if (keys.size === 0)
		expect(notYet.get(areasWithoutEndpoint[area]!)?.toLowerCase()).toContain(area.toLowerCase());
	else expect(reached.length > 0).toBe(!needless);
});

// interface: §2.2 memorize and evaluation; §4.2 count; §5 rule 2
test.each([
	[
		'acpContacts',
		'otherEndpoint.apiRequest',
		/^Not supported yet: contact settings\. Take the path/,
	],
	['acpConversations', 'otherEndpoint.apiRequest', /conversation replies/],
	['acpMessages', 'otherEndpoint.apiRequest', /Facebook Messenger/],
	['acpOutreach', 'otherEndpoint.apiRequest', /Publishing a campaign/],
	['acpOutreach', 'campaign.create', /No operation here starts it/],
	['acpInsights', 'analytics.getCalls', /this is the authoritative call count/],
	['acpInsights', 'analytics.getConversations', /they exclude calls without a channel/],
])('%s, %s: what cannot be done or counted there is said', (name, subject, says) => {
	const { resources } = all.find((node) => node.name === name)!;
	const [resource, operation] = subject.split('.');
	const of = resources.find(({ value }) => value === resource)!;
	const one = find([of.operations, of.apiRequest ?? []].flat(), { value: operation })!;
	const notices = one.parameters.filter(({ type }) => type === 'notice');
	const said = [one.operation?.description, ...notices.map(({ displayName }) => displayName)];
	expect(said).toContainEqual(expect.stringMatching(says));
});

test('an area counts as one without endpoints only as long as none is known', () => {
	const known = new Set(endpoints.map(({ area }) => area));
	expect(known.size + Object.keys(areasWithoutEndpoint).length).toBe(areas.length);
	expect(Object.keys(areasWithoutEndpoint).filter((area) => known.has(area))).toEqual([]);
});

test('a dropdown whose search is a guess searches here as well', () => {
	const searches = Object.values<ListLookup>(lists).flatMap(({ path, search, searchGuessed }) => {
		const form = (text: string) => text.replace(/\{\w+\}/g, '{}');
		const endpoint = endpoints.find(({ key }) => form(key) === `GET ${form(path)}`);
		const parameter = endpoint?.contract.parameters?.find(({ name }: any) => name === search);
		return search === undefined
			? []
			: [
					{
						path,
						guess: (parameter['x-source'] ?? endpoint!.source) === 'inferred',
						searchGuessed,
					},
				];
	});
	expect(searches.filter(({ guess }) => guess).length).toBeGreaterThan(0);
	for (const { guess, searchGuessed } of searches)
		expect(searchGuessed !== undefined && searchGuessed.length > 0).toBe(guess);
});

test('no list asks for larger pages than the platform gives', () => {
	const { document } = contract();
	const most = document['x-every-list'].per_page.maximum;
	expect(most).toBe(100);
	const resolved = (one: any) =>
		one.$ref ? document.components.parameters[one.$ref.split('/').pop()] : one;
	const allowed = (key: string, name: string): number | undefined => {
		const endpoint = endpoints.find((one) => one.key.replace(/\{\w+\}/g, '{}') === key);
		const parameter = endpoint?.contract.parameters
			?.map(resolved)
			.find((one: any) => one.name === name);
		return parameter && (parameter.schema.maximum ?? most);
	};
	const asked = [
		...operations.flatMap(({ operation: { endpoint, pages } }) =>
			pages?.pageSize ? [{ key: endpoint, ...pages.pageSize }] : [],
		),
		...Object.values<ListLookup>(lists).flatMap(({ path, pageSize }) =>
			pageSize ? [{ key: `GET ${path}`, ...pageSize }] : [],
		),
	];
	expect(asked.length).toBeGreaterThan(20);
	const inSmallPages = operations.filter(
		({ operation: { endpoint, pages } }) =>
			pages && !pages.pageSize && allowed(endpoint.replace(/\{\w+\}/g, '{}'), 'per_page'),
	);
	expect(inSmallPages.map(({ operation }) => operation.endpoint)).toEqual([]);
	for (const { key, name, max } of asked) {
		const greatest = allowed(key.replace(/\{\w+\}/g, '{}'), name);
		expect([key, greatest !== undefined && max <= greatest]).toEqual([key, true]);
	}
});
