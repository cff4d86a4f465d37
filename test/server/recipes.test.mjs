/**
 * Recipes: the examples whose sample data is pinned on every trigger and every node that needs an account. Each is
 * imported into a real n8n and executed twice: with all of its sample data and no account at all, as somebody does who
 * clicks on "Execute workflow"; then with an account of the platform, the other apps' nodes still pinned. What each
 * promises stands in `recipes/`, a file for each.
 */
import assert, { assertNone } from '../asserted.mjs';
import { globSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import lodash from 'lodash';
import { ensureHost, repository } from '../../tools/bootstrap.mjs';
import { jsonOf } from '../../tools/files.mjs';
import { defaultVersion } from '../../tools/host.mjs';
import { nodeTypesOf } from './support/nodeTypes.mjs';
import { like } from './support/like.mjs';
import { resolvedParameters } from './support/resolved.mjs';
import { openWorkspace, packageName } from '../../tools/workspace.mjs';

// Its build for import is not for Node.
const { NodeHelpers } = createRequire(import.meta.url)('n8n-workflow');

/**
 * @typedef {import('../../tools/host-client.mjs').Execution} Execution
 * @typedef {import('./support/steps.mjs').Step} Step
 * @typedef {Record<string, unknown>} Part of an object; see `like`
 * @typedef {object} Way what an execution from one of the triggers must show
 * @property {string | string[]} ends the nodes at which the way ends: all on the way to them run, and no other
 * @property {string[]} [goesRound] nodes on the way to them that it goes round
 * @property {Record<string, Part[]>} [shows] what nodes give, by name
 * @property {Record<string, Part[]>} [sends] what nodes would send to their app, by name: parameters of each item
 *
 * @typedef {object} LiveParts
 * @property {Record<string, Part[]>} [created] what the platform has really done, by path: bodies of the requests,
 *   ordered by whom they reach
 * @property {string} [from] the trigger, where there are several
 * @property {boolean} [tables] whether n8n's own nodes work, too: data tables, which *Run Once* makes, and what
 *   remembers what it has seen
 * @property {Step | Step[]} [arrange] makes what the way needs on the platform; gives sample data that takes the place
 *   of what is pinned, by node; a node that it names without any works
 * @property {(node: any) => void} [change] what a reader changes besides
 * @property {Way & {created?: Record<string, Part[]>}} [again] what the same execution once more must show; without:
 *   the same, and the platform has done nothing more
 *
 * @typedef {Way & LiveParts} LiveWay
 *
 * @typedef {object} Recipe
 * @property {Record<string, Way>} click by trigger, one after the other: with all sample data, without any account
 * @property {Record<string, LiveWay>} live by what happens: with an account of the platform
 * @property {object} [settings] of the sandbox
 *
 * @typedef {object} Live
 * @property {Awaited<ReturnType<typeof openWorkspace>>['sandbox']} sandbox
 * @property {string} agent the agent that a reader would choose
 * @property {(number: string) => Promise<string>} call has the agent call somebody, to the end; gives the conversation
 * @property {(node: string) => object[]} pinned sample data of the example: the fields of each item
 */

/** Another version than the newest: `HOST_VERSIONS=1.123.81`, as for the triggers. */
const [version = defaultVersion] = process.env.HOST_VERSIONS?.split(',') ?? [];
await ensureHost(version);
const types = nodeTypesOf(version);

/** What a click runs as it is. */
const needsNoAccount = /\.(manualTrigger|scheduleTrigger|stickyNote)$/;
const descriptionOf = ({ type, typeVersion }) =>
	types.get(type)?.find(({ version }) => [version].flat().includes(typeVersion));
const isTrigger = (node) => descriptionOf(node).group.includes('trigger');
const isOwnAction = (node) => node.type.startsWith(packageName) && !isTrigger(node);
/** The parameters of a node with the defaults of those that are not set. */
const parametersOf = (node) =>
	NodeHelpers.getNodeParameters(
		descriptionOf(node).properties,
		node.parameters,
		true,
		false,
		node,
		descriptionOf(node),
	);
const needsAccount = (node) =>
	parametersOf(node).genericAuthType !== undefined ||
	descriptionOf(node).credentials?.some(
		(one) =>
			one.required &&
			NodeHelpers.displayParameter(parametersOf(node), one, node, descriptionOf(node)),
	);
const waitsForTime = ({ type, parameters }) =>
	type === 'n8n-nodes-base.wait' && parameters.resume === 'timeInterval';
const worksAlone = (node) => !isTrigger(node) && !needsAccount(node);
/** Nodes that a click cannot run: they wait for something to happen, or need an account. */
const toBePinned = ({ nodes, connections }) =>
	nodes.filter(
		(node) =>
			!needsNoAccount.test(node.type) &&
			(isTrigger(node) || needsAccount(node)) &&
			// models and tools run only when the node that they serve does
			(connections[node.name]?.main ?? !connections[node.name]),
	);

const all = globSync('*.json', { cwd: join(repository, 'examples') })
	.sort()
	.map((name) => ({ name, workflow: jsonOf('examples', name) }));
/** An older n8n may lack a node that an example uses. */
const examples = all.filter(({ workflow }) => workflow.nodes.every(descriptionOf));
/** What is no recipe has at most a trigger pinned. */
const recipes = examples.filter(({ workflow: { nodes, pinData } }) =>
	nodes.some((node) => pinData[node.name] && !isTrigger(node)),
);
const promises = new Map(
	await Promise.all(
		readdirSync(new URL('recipes/', import.meta.url)).map(async (file) => [
			file.replace(/\.mjs$/, '.json'),
			(await import(new URL(`recipes/${file}`, import.meta.url).href)).default,
		]),
	),
);

let workspace;
before(async () => {
	workspace = await openWorkspace({ version, shares: true, settings: { call: { lifeMs: 100 } } });
});
after(async () => {
	await workspace?.close();
});

/** The nodes that can come after a node, itself included. @returns {Set<string>} */
function reachedFrom({ connections }, name, reached = new Set([name])) {
	for (const { node } of (connections[name]?.main ?? []).flat().filter(Boolean))
		if (!reached.has(node)) reachedFrom({ connections }, node, reached.add(node));
	return reached;
}

/** Executes from a trigger and compares with what is promised. @returns {Promise<Execution>} */
async function execute(workflow, trigger, { ends, goesRound = [], shows = {}, sends = {} }) {
	const way = [...reachedFrom(workflow, trigger)].filter(
		(name) =>
			!goesRound.includes(name) &&
			[ends].flat().some((end) => reachedFrom(workflow, name).has(end)),
	);
	const execution = await workspace.run(workflow.id, trigger);
	assert.deepEqual(Object.keys(execution.nodes).sort(), way.sort(), 'the nodes that ran');
	for (const [name, expected] of Object.entries(shows)) {
		const items = execution.nodes[name].items.map(({ json }) => json);
		assert.deepEqual(like(items, expected), expected, `what ${name} gives`);
	}
	for (const [name, expected] of Object.entries(sends)) {
		const parameters = resolvedParameters(workflow, execution, types, name);
		assert.deepEqual(like(parameters, expected), expected, `what ${name} would send`);
	}
	return execution;
}

/** Sample data of this package's nodes has no field that they do not give. */
function assertSamplesAreTrue({ nodes, pinData }, execution) {
	const fields = (items) => [...new Set(items.flatMap(({ json }) => Object.keys(json)))];
	for (const node of nodes.filter(isOwnAction)) {
		const { name } = node;
		const [items] = execution.nodes[name]?.outputs ?? [];
		// A preview and an error have fields of their own.
		const given = fields((items ?? []).filter(({ json }) => !json.preview && !('error' in json)));
		// Without any field it is the empty item that n8n makes of no item ("Always Output Data").
		if (given.length > 0) {
			const invented = fields(pinData[name]).filter((field) => !given.includes(field));
			assertNone(invented, `fields that ${name} does not give`);
		}
	}
}

/** What the platform has done since the ledger was emptied. */
async function assertCreated(expected) {
	const ledger = await workspace.sandbox.control('GET /ledger');
	const done = ledger.filter(({ method, effect }) => method !== 'GET' && effect === 'created');
	const byPath = lodash.groupBy(done, ({ path }) => path.replace(/[0-9a-f-]{36}/g, '{}'));
	const reached = ({ participant, phoneNumber, to }) => participant?.number ?? phoneNumber ?? to;
	const bodies = Object.fromEntries(
		Object.entries(byPath).map(([path, entries]) => [
			path,
			entries
				.map(({ body }) => body)
				.sort((a, b) => String(reached(a)).localeCompare(String(reached(b)))),
		]),
	);
	assert.deepEqual(Object.keys(bodies).sort(), Object.keys(expected).sort(), 'what is done');
	assert.deepEqual(like(bodies, expected), expected);
}

test('each recipe has its promises, and no other example has', (context) => {
	assert.ok(recipes.length > 0);
	const lacking = all.filter((one) => !examples.includes(one)).map(({ name }) => name);
	if (lacking.length > 0)
		context.diagnostic(`n8n ${version} lacks a node of ${lacking.join(', ')}`);
	if (version === defaultVersion) assertNone(lacking);
	const expected = [...promises.keys()].filter((name) => !lacking.includes(name));
	assert.deepEqual(recipes.map(({ name }) => name).sort(), expected.sort());
});

for (const { name, workflow } of recipes)
	describe(name, () => {
		const { pinData } = workflow;
		const promise = promises.get(name);

		test('has sample data on every trigger and every node that needs an account, and names none', () => {
			assertNone(
				toBePinned(workflow)
					.map((node) => node.name)
					.filter((node) => !pinData[node]),
			);
			const { length } = workflow.nodes.filter(({ credentials }) => !credentials);
			assert.equal(
				length,
				workflow.nodes.length,
				'n8n runs nothing with a credential that it does not know',
			);
		});

		const form = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		if (form)
			test('sample data of the form is what n8n gives when somebody sends it', async () => {
				await workspace.begin(promise.settings);
				const id = await workspace.workflow('Form', [form]);
				await workspace.publish(id);
				const [{ json: sample }] = pinData[form.name];
				const values = form.parameters.formFields.values.map(
					({ fieldType, fieldName, fieldLabel }) =>
						fieldType === 'file'
							? new File(['a,b\n1,2\n'], 'file.csv', { type: 'text/csv' })
							: sample[fieldName ?? fieldLabel],
				);
				const execution = await workspace.host.waitForExecution(
					await workspace.host.submitForm(id, values),
				);
				const [{ json: sent }] = execution.nodes[form.name].items;
				assert.deepEqual(Object.keys(sent).sort(), Object.keys(sample).sort());
				for (const name of Object.keys(sample))
					if (typeof sample[name] === 'string' && !['submittedAt', 'formMode'].includes(name))
						assert.equal(sent[name], sample[name]);
			});

		test('a click shows the whole way without any account', async () => {
			await workspace.begin(promise.settings);
			const { id } = await workspace.host.createWorkflow(workflow);
			assert.ok(Object.keys(promise.click).length > 0);
			for (const [trigger, way] of Object.entries(promise.click))
				await execute(await workspace.host.getWorkflow(id), trigger, way);
			assertNone(await workspace.sandbox.control('GET /ledger'), 'nothing is asked');
		});

		for (const [what, way] of Object.entries(promise?.live ?? {}))
			test(`${what}: on the platform it does what it promises`, async () => {
				await workspace.begin(promise.settings);
				const live = {
					sandbox: workspace.sandbox,
					agent: (await workspace.agent()).value,
					call: async (number) => await workspace.closed(await workspace.call(number)),
					pinned: (node) => pinData[node].map(({ json }) => json),
				};
				const arranged = {};
				for (const step of [way.arrange ?? []].flat())
					Object.assign(arranged, await step(live, arranged));
				const pins = { ...pinData };
				for (const node of workflow.nodes)
					if (isOwnAction(node) || waitsForTime(node) || (way.tables && worksAlone(node)))
						delete pins[node.name];
				for (const [node, items] of Object.entries(arranged))
					pins[node] = items?.map((json) => ({ json }));
				const id = await workspace.importExample({ ...workflow, pinData: pins }, way.change);
				const filled = await workspace.host.getWorkflow(id);
				if (way.tables && workflow.nodes.some((node) => node.name === 'Run Once'))
					await workspace.run(filled.id, 'Run Once');
				await workspace.sandbox.control('DELETE /ledger');
				const [trigger = ''] = [way.from ?? Object.keys(promise.click)].flat();
				const execution = await execute(filled, trigger, way);
				assertSamplesAreTrue(workflow, execution);
				await assertCreated(way.created ?? {});
				if (way.refusedAgain) await assert.rejects(execute(filled, trigger, way), way.refusedAgain);
				else await execute(filled, trigger, way.again ?? way);
				await assertCreated(way.again?.created ?? way.created ?? {});
			});
	});
