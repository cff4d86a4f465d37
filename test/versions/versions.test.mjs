/**
 * The packed package in the oldest n8n that it claims to run in, with `--full` in all of them
 * (`test/hosts/versions.json`); in others with `HOST_VERSIONS=2.41.1,…`. What a host does not have (data tables) is
 * left out there, by what the host itself says.
 */
import assert from '../asserted.mjs';
import { createRequire } from 'node:module';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ensureNode20, ensurePackage, hosts, repository } from '../../tools/bootstrap.mjs';
import { jsonOf } from '../../tools/files.mjs';
import { isFull } from '../full.mjs';

await ensurePackage();
const { eventTrigger, manualTrigger, openWorkspace, until } =
	await import('../../tools/workspace.mjs');
const { fillInForms } = await import('../server/support/credentialForm.mjs');

const expressions = join(repository, 'test', 'engine', 'plainExpressions');

/**
 * A node that reads a table of parameters both ways (see test/engine/plainExpressions.test.cts), by the code of the
 * package that is installed in n8n's user folder.
 */
async function ofThePack(userFolder) {
	const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', packName);
	const written = await readFile(join(expressions, 'PlainExpressions.node.cjs'), 'utf8');
	const code = written
		.replaceAll("'../../../dist/", `'${installed}/dist/`)
		.replace("'./table.cjs'", `'${join(expressions, 'table.cjs')}'`);
	assert.equal(code.split(installed).length, 3);
	assert.doesNotMatch(code, /require\('\./);
	return code;
}
const table = createRequire(import.meta.url)('../engine/plainExpressions/table.cjs');

const minutes = 60_000;
const packName = 'n8n-nodes-agent-conversation-platform';
const { n8n: published } = jsonOf('package.json');

const wanted = isFull ? hosts : hosts.slice(0, 1);
const versions = process.env.HOST_VERSIONS?.split(',') ?? wanted.map(({ version }) => version);
const matrix = versions.flatMap((version) => {
	const nodes = hosts.find((host) => host.version === version)?.node ?? [24];
	return (isFull ? nodes : nodes.slice(-1)).map((node) => ({
		name: `n8n ${version} on Node ${node}`,
		version,
		node,
	}));
});

const preview = {
	...{ resource: 'otherEndpoint', operation: 'apiRequest', options: { preview: true } },
	...{ method: 'POST', path: '/tables', body: '{"name": "Orders"}' },
};
/** One action of each node: a read where there is one without an ID, else the preview of a write. */
const actions = [
	{ node: 'acpAgents', resource: 'agent', operation: 'getAll' },
	{ node: 'acpBuilders', resource: 'builder', operation: 'getSpending' },
	{ node: 'acpCalls', resource: 'call', operation: 'getAll' },
	{ node: 'acpContacts', resource: 'contact', operation: 'getAll' },
	{ node: 'acpConversations', resource: 'conversation', operation: 'getAll' },
	{ node: 'acpFlows', resource: 'flow', operation: 'getAll' },
	{ node: 'acpInsights', resource: 'log', operation: 'getAll' },
	{ node: 'acpKnowledge', ...preview },
	{ node: 'acpMedia', resource: 'media', operation: 'getAll' },
	{ node: 'acpMessages', resource: 'whatsappTemplate', operation: 'getAll' },
	{ node: 'acpOutreach', resource: 'listing', operation: 'getAll' },
	{ node: 'acpQuality', resource: 'evaluation', operation: 'getAll' },
	{ node: 'acpScheduling', resource: 'appointment', operation: 'getAll' },
	{ node: 'acpTables', ...preview },
];

for (const { name, version, node } of matrix)
	describe(name, () => {
		let workspace;
		let host;
		let sandbox;

		before(
			async () => {
				workspace = await openWorkspace({
					version,
					settings: { call: { lifeMs: 500 } },
					...(node === 20 && { node: await ensureNode20() }),
					async prepare(folder) {
						const custom = join(folder, 'custom');
						await mkdir(custom);
						const code = await ofThePack(join(folder, 'n8n'));
						await writeFile(join(custom, 'PlainExpressions.node.js'), code);
						return { N8N_CUSTOM_EXTENSIONS: custom };
					},
				});
				({ host, sandbox } = workspace);
			},
			{ timeout: 15 * minutes },
		);
		after(async () => await workspace?.close());

		const firstAgent = async () => (await sandbox.control('GET /state/agents'))[0].agent_uuid;

		test('loads every node and the credential', async () => {
			assert.deepEqual([published.nodes.length, published.credentials.length], [16, 1]);
			assert.deepEqual(await host.missingOfPack(), []);
		});

		test('the form of the credential has a sentence for everything that can be wrong, and follows no redirect', async () => {
			const { answers, heardThere, heardElsewhere } = await fillInForms(host, sandbox);
			assert.ok(answers.length > 30);
			for (const { what, status, message, expected } of answers) {
				assert.match(message, expected, what);
				assert.equal(status, message === 'Connection successful!' ? 'OK' : 'Error', what);
			}
			assert.ok(heardThere > 20);
			assert.equal(heardElsewhere, 0, 'what a redirect leads to hears nothing');
		});

		test('one action of each node succeeds', { timeout: 15 * minutes }, async () => {
			const nodes = actions.map(({ node, ...parameters }) => ({
				...{ name: node, type: node, parameters },
				...{ executeOnce: true, alwaysOutputData: true },
			}));
			const id = await workspace.workflow('One of each', [manualTrigger, ...nodes]);
			await sandbox.control('DELETE /ledger');
			const execution = await workspace.run(id);
			for (const { node } of actions)
				assert.ok(execution.nodes[node]?.items.length > 0, `${node} gave nothing`);
			const ledger = await sandbox.control('GET /ledger');
			const reads = actions.filter(({ options }) => !options?.preview).length;
			assert.equal(
				new Set(ledger.map(({ path }) => path)).size,
				reads,
				'each read reached the platform, the preview did not',
			);
			assert.ok(
				ledger.every(({ status }) => status === 200),
				JSON.stringify(ledger.filter(({ status }) => status !== 200)),
			);
			const agents = await sandbox.control('GET /state/agents');
			assert.deepEqual(
				execution.nodes.acpAgents.items.map(({ json }) => json.agent_uuid).sort(),
				agents.map(({ agent_uuid }) => agent_uuid).sort(),
			);
		});

		test(
			'plain expressions give what this n8n gives, for every spelling and every odd item',
			{ timeout: 15 * minutes },
			async () => {
				const node = (parameters) => ({
					type: 'CUSTOM.plainExpressions',
					parameters,
				});
				const rows = [...table.plain, ...table.leftToN8n, ...table.composed];
				const id = await workspace.workflow('Plain expressions', [
					manualTrigger,
					node({ mode: 'items' }),
					{ ...node({ mode: 'compare', table: rows }), name: 'Compare' },
				]);
				const execution = await workspace.run(id);
				const { items, counts, different } = execution.nodes.Compare.items[0].json;
				assert.ok(items > 60);
				assert.deepEqual(
					counts.map(({ raw }) => raw),
					rows,
				);
				const here = counts.filter(({ byUs }) => byUs > 0).length;
				assert.equal(here, table.plain.length + table.composed.length - 1);
				assert.deepEqual(different, []);
			},
		);

		test('the list of agents shows those of the workspace', async () => {
			const results = await workspace.choices('acpCalls', 'searchAgents', 'parameters.agent');
			const agent = await firstAgent();
			assert.ok(
				results.some(({ value }) => value === agent),
				JSON.stringify(results),
			);
		});

		test(
			'the trigger registers, receives an event and cleans up',
			{ timeout: 15 * minutes },
			async () => {
				const agent = await firstAgent();
				const { credential } = workspace;
				const { id } = await host.createWorkflow(eventTrigger(agent, credential, 'Trigger'));
				await workspace.publish(id);
				assert.equal((await sandbox.control('GET /state/webhooks')).length, 1);
				await workspace.deliver(agent, { conversation_uuid: 'ended' });
				const [execution] = await workspace.started(id, 1);
				const { json } = execution.nodes.Trigger.items[0];
				assert.deepEqual(
					[json.event, json.agent, json.data.conversation_uuid, json.signatureVerified],
					['conversation_end_report', agent, 'ended', true],
				);
				await host.deactivate(id);
				await until(
					'the webhook to be removed',
					async () => (await sandbox.control('GET /state/webhooks')).length === 0,
					minutes,
				);
			},
		);
	});
