/**
 * A real n8n is killed in the middle of sends whose request keys are the user's own, starts again and runs the workflow
 * again; and a person stops it in the middle of calls and goes on as docs/guides/stopped-run.md says. Each happens once.
 */
import assert from '../asserted.mjs';
import { after, before, describe, test } from 'node:test';
import { contentOf } from '../../tools/files.mjs';
import { until } from '../../tools/host-client.mjs';
import { action, byId, code, manualTrigger, openWorkspace, raw } from '../../tools/workspace.mjs';

const sends = 100;
const people = 60;
/** Few enough that what happens now is in the middle, whatever the machine. */
const enough = 30;

let workspace;

before(async () => {
	workspace = await openWorkspace({
		shares: true,
		settings: { latencyMs: 40, rate: { send: { limit: 100 }, general: { limit: 100_000 } } },
	});
});
after(async () => await workspace?.close());

const settings = {
	executionOrder: 'v1',
	saveDataErrorExecution: 'all',
	saveManualExecutions: true,
};

/** 100 orders become 100 messages, each with its order number as its key. */
async function createWorkflow() {
	const [agent] = await workspace.sandbox.control('GET /state/agents');
	const orders = Array.from({ length: sends }, (_, index) => ({
		order: `A-${index}`,
		phone: `+1415555${String(1000 + index)}`,
	}));
	return await workspace.workflow(
		'Tell customers',
		[
			manualTrigger,
			raw('Orders', JSON.stringify({ orders })),
			{
				name: 'Split',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'orders', options: {} },
			},
			action('Send', 'acpMessages', 'sms.send', {
				agent: byId(agent.agent_uuid),
				phoneNumber: '={{ $json.phone }}',
				message: '=Order {{ $json.order }} is on its way',
				options: { requestKey: '={{ $json.order }}', advanced: { concurrency: 4 } },
			}),
		],
		{ settings },
	);
}

const accepted = async () =>
	(await workspace.created('/sms/send')).map(({ body }) => body.request_key);

describe('Guarantee: with a key of the user’s a send happens once however often the workflow runs', () => {
	test(
		'a real n8n is killed (SIGKILL) in the middle of 100 sends with Concurrency 4, starts again and runs the workflow again',
		{ timeout: 900_000 },
		async () => {
			const workflow = await createWorkflow();
			await workspace.host.run(workflow, { triggerToStartFrom: { name: 'Start' } });
			await until('some of the sends', async () => (await accepted()).length >= enough, 60_000, 5);
			await workspace.host.kill('SIGKILL');
			const before = (await accepted()).length;
			assert.ok(before < sends, `n8n was killed too late: ${before} of ${sends} were sent`);

			await workspace.host.start();
			const execution = await workspace.run(workflow, 'Start');
			const keys = await accepted();
			assert.equal(keys.length, sends);
			assert.equal(new Set(keys).size, sends);
			const ledger = await workspace.sandbox.control('GET /ledger?path=/sms/send&method=POST');
			assert.ok(
				ledger.filter(({ effect }) => effect === 'repeated').length >= before,
				'what had been accepted was asked for again and given back',
			);

			// Each output is the answer to its own order.
			const uuids = new Map(
				ledger
					.filter(({ effect }) => effect === 'created')
					.map(({ body, resourceUuid }) => [body.phoneNumber, resourceUuid]),
			);
			const { items } = execution.nodes.Send;
			assert.deepEqual(
				items.map(({ json }) => [json.recipientPhone, json.messageId]),
				Array.from({ length: sends }, (_, index) => `+1415555${1000 + index}`).map((phone) => [
					phone,
					uuids.get(phone),
				]),
			);
		},
	);
});

const list = code(
	'List',
	`return Array.from({ length: ${people} }, (_, index) => ({ json: { phone: '+1415555' + (1000 + index) } }))`,
);
const call = (agent, options) =>
	action('Call', 'acpCalls', 'call.start', {
		agent: byId(agent),
		phoneNumber: '={{ $json.phone }}',
		options: { advanced: { concurrency: 4 }, ...options },
	});
const reached = (since) =>
	action('Reached', 'acpConversations', 'conversation.getAll', {
		returnAll: true,
		filters: { channel: 'call', createdAfter: since },
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

		const rest = async (options) =>
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
		const shown = preview.nodes.Call.items.filter(({ json }) => json.preview);
		assert.equal(shown.length, people - before.length);
		await rest({});
		const all = await called();
		assert.deepEqual([all.length, new Set(all).size], [people, people]);
	},
);

test(
	'the branch on the page of errors sends again what did nothing, and only that',
	{ timeout: 900_000 },
	async () => {
		const { sandbox } = workspace;
		const [{ agent_uuid: agent }] = await sandbox.control('GET /state/agents');
		const page = contentOf('docs/reference/errors.md');
		const { nodes, connections } = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '');
		for (const node of nodes) {
			const { name, parameters } = node;
			if (parameters.agent) {
				parameters.agent = byId(agent);
				node.credentials = { acpApi: workspace.credential };
			}
			if (name === 'Send') parameters.options = { advanced: { concurrency: 1, maxRetries: 0 } };
			if (name === 'Wait') parameters.amount = 0;
		}
		const to = (node) => ({ main: [[{ node, type: 'main', index: 0 }]] });
		await sandbox.control('DELETE /ledger');
		await sandbox.control('POST /faults', [
			{ match: { path: '/sms/send', nth: 2 }, fault: { kind: 'status', status: 422 } },
			{ match: { path: '/sms/send', nth: 3 }, fault: { kind: 'reset-after' } },
		]);
		const id = await workspace.workflow('Branch', [manualTrigger, list, ...nodes], {
			connections: { ...connections, Start: to('List'), List: to('Send') },
		});
		const { nodes: ran } = await workspace.run(id, 'Start');
		await sandbox.control('DELETE /faults');
		const phones = (name) => ran[name].items.map(({ json }) => json.phone);
		assert.deepEqual(phones('Wait'), ['+14155551001']);
		assert.deepEqual(phones('Look First'), ['+14155551002']);
		const sent = (await workspace.created('/sms/send')).map(({ body }) => body.phoneNumber);
		assert.deepEqual([sent.length, new Set(sent).size], [people, people]);
	},
);
