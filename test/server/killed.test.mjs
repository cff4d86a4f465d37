/**
 * A real n8n is killed in the middle of sends whose request keys are the user's own, starts again and runs the workflow
 * again: the platform has accepted each exactly once.
 */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../tools/host-client.mjs';
import { byId, manualTrigger, openWorkspace } from '../../tools/workspace.mjs';

const sends = 100;
/** Few enough that a kill at this moment is in the middle, whatever the machine. */
const enough = 30;

/** @type {Awaited<ReturnType<typeof openWorkspace>>} */
let workspace;

before(async () => {
	workspace = await openWorkspace({
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
			{
				name: 'Orders',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: JSON.stringify({ orders }), options: {} },
			},
			{
				name: 'Split',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'orders', options: {} },
			},
			{
				name: 'Send',
				type: 'acpMessages',
				parameters: {
					resource: 'sms',
					operation: 'send',
					agent: byId(agent.agent_uuid),
					phoneNumber: '={{ $json.phone }}',
					message: '=Order {{ $json.order }} is on its way',
					additionalFields: {},
					options: { requestKey: '={{ $json.order }}', advanced: { concurrency: 4 } },
				},
			},
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
