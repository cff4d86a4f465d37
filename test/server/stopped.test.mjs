/**
 * A person stops a real n8n in the middle of its calls and goes on as docs/guides/stopped-run.md says: everyone is called
 * once.
 */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../tools/host-client.mjs';
import { byId, manualTrigger, openWorkspace } from '../../tools/workspace.mjs';

const people = 60;
const enough = 15;

/** @type {Awaited<ReturnType<typeof openWorkspace>>} */
let workspace;

before(async () => {
	workspace = await openWorkspace({
		settings: { latencyMs: 60, rate: { send: { limit: 100 }, general: { limit: 100_000 } } },
	});
});
after(async () => await workspace?.close());

const list = {
	name: 'List',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: {
		jsCode: `return Array.from({ length: ${people} }, (_, index) => ({ json: { phone: '+1415555' + (1000 + index) } }))`,
	},
};
/** @param {string} agent @param {Record<string, unknown>} options */
const call = (agent, options) => ({
	name: 'Call',
	type: 'acpCalls',
	parameters: {
		resource: 'call',
		operation: 'start',
		agent: byId(agent),
		phoneNumber: '={{ $json.phone }}',
		additionalFields: {},
		options: { advanced: { concurrency: 4 }, ...options },
	},
});
/** @param {string} since */
const reached = (since) => ({
	name: 'Reached',
	type: 'acpConversations',
	parameters: {
		resource: 'conversation',
		operation: 'getAll',
		returnAll: true,
		filters: { channel: 'call', createdAfter: since },
		options: {},
	},
});
const called = async () =>
	(await workspace.created('/call')).map(({ body }) => body.participant.number);

test(
	'calls are stopped in the middle, and the page’s four steps call the rest: everyone once',
	{ timeout: 900_000 },
	async () => {
		const [{ agent_uuid: agent }] = await workspace.sandbox.control('GET /state/agents');
		const { host } = workspace;
		const first = await workspace.workflow('Call', [manualTrigger, list, call(agent, {})]);
		const execution = await host.run(first, { triggerToStartFrom: { name: 'Start' } });
		await until('some of the calls', async () => (await called()).length >= enough, 60_000, 5);
		await host.stopExecution(execution);
		const { startedAt } = await host.waitForExecution(execution);
		const before = await called();
		assert.ok(before.length < people, `n8n was stopped too late: ${before.length} calls`);

		const rest = async (/** @type {Record<string, unknown>} */ options) =>
			await workspace.run(
				await workspace.workflow('Call the rest', [
					manualTrigger,
					reached(new Date(Date.parse(startedAt) - 60_000).toISOString()),
					{ ...list, executeOnce: true },
					call(agent, {
						skipNumbers: "={{ $('Reached').all().map(row => row.json.contact_phone_number) }}",
						...options,
					}),
				]),
				'Start',
			);
		const preview = await rest({ preview: true });
		assert.equal((await called()).length, before.length, 'a preview calls nobody');
		const [{ json: summary }] = preview.nodes.Call.items;
		assert.equal(summary.summary_skipped_skip_numbers, before.length);
		await rest({});
		const all = await called();
		assert.deepEqual([all.length, new Set(all).size], [people, people]);
	},
);
