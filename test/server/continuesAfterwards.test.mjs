/**
 * The example that calls and goes on when the call has ended, published in a real n8n with two production slots: many
 * leads at once, and an event that comes before the row, before the Wait, twice, never, or around a restart.
 */
import assert from '../asserted.mjs';
import { after, before, describe, test } from 'node:test';
import { jsonOf } from '../../tools/files.mjs';
import { openWorkspace, until } from '../../tools/workspace.mjs';
import { inFull } from '../full.mjs';
import { blacklisted } from './support/steps.mjs';

const soon = 120_000;
const numbers = (count) =>
	Array.from({ length: count }, (_, index) => `+1212555${String(101 + index).padStart(4, '0')}`);

let workspace;
/** The workflow. @type {string} */
let id;

before(async () => (workspace = await openWorkspace({ shares: true })));
after(async () => await workspace?.close());

/** Imports and publishes it. @param {(node: any) => void} [change] @param {object} [settings] of the sandbox */
async function publish(change = () => {}, settings = { call: { lifeMs: 600_000 } }) {
	await workspace.begin(settings);
	const example = jsonOf('examples', 'call-and-continue-afterwards.json');
	id = await workspace.importExample({ ...example, pinData: {} }, (node) => {
		if (node.name === 'Go On') node.waitBetweenTries = 1000;
		change(node);
	});
	await workspace.publish(id);
}

async function upload(...leads) {
	const rows = leads.map((number) => `Lead ${number.slice(-4)},${number},a garden\n`);
	const csv = ['name,phone_number,interest\n', ...rows].join('');
	await workspace.host.submitForm(id, [new File([csv], 'leads.csv', { type: 'text/csv' })]);
}

const executions = async (mode) =>
	(await workspace.host.listExecutions({ workflowId: id })).filter((one) => one.mode === mode);
const calls = async () => await workspace.created('/call');
const rows = async (name) => await workspace.rows(name).catch(() => []);
const waitingRows = async () => await rows('Waiting calls');
const outcomes = async () => await rows('Call outcomes');

/** @param {number} count @returns {Promise<any[]>} rows of calls whose executions wait */
const waiting = async (count) =>
	await until(
		`${count} executions that wait`,
		async () => {
			const all = await executions('integrated');
			return all.filter(({ status }) => status === 'waiting').length === count && waitingRows();
		},
		soon,
	);

const recorded = async (count) =>
	await until(
		`${count} outcomes`,
		async () => {
			const found = await outcomes();
			return found.length === count && found;
		},
		soon,
	);

/** The platform ends a call, without an event. */
async function end(conversation) {
	const all = await workspace.sandbox.control('GET /state/conversations');
	const { call } = all.find(({ uuid }) => uuid === conversation);
	await workspace.sandbox.control(`PATCH /state/conversations/${conversation}`, {
		status: 'Closed',
		call: { ...call, status: 'completed', duration: 42 },
	});
}

/** The platform tells that a call has ended. */
async function tell(conversation_uuid) {
	const { value } = await workspace.agent();
	const [entry] = await workspace.deliver(value, { conversation_uuid, session_type: 'voice' });
	return entry.status;
}

/** Nothing runs or waits any more, nothing has failed, and no URL is kept. */
async function assertDone(leads) {
	await until(
		'nothing to run',
		async () =>
			(await workspace.host.listExecutions({ workflowId: id })).every(({ status }) =>
				/^(success|error|crashed|canceled)$/.test(status),
			),
		soon,
	);
	const all = await workspace.host.listExecutions({ workflowId: id });
	assert.deepEqual([...new Set(all.map(({ status }) => status))], ['success']);
	assert.equal((await executions('integrated')).length, leads);
	assert.deepEqual(await waitingRows(), []);
}

/** @returns {Promise<string[]>} names of the nodes that the newest execution for a lead ran */
async function lastWay() {
	const [{ id: newest }] = await executions('integrated');
	return Object.keys((await workspace.host.getExecution(newest)).nodes);
}

/** What a lead's execution runs whose call has ended before it looks. */
const pastTheWait = [
	'Forget Where to Go On',
	'Lead',
	'Look at the Call',
	'Read the Outcome',
	'Record the Outcome',
	'Remember Where to Go On',
	'Start a Call',
	'Still Going On?',
];

describe('Call and continue afterwards', () => {
	test('twelve leads in two slots are all called while the first call lasts, and all go on', async () => {
		const leads = numbers(12);
		await publish(undefined, { call: { ringMs: 600_000 } });
		const page = await fetch(`${workspace.sandbox.url}/_sandbox/page/events`);
		await upload(...leads);
		await until('twelve phones', async () => (await calls()).length === leads.length, soon);
		assert.deepEqual(await outcomes(), [], 'no call has ended yet');
		await workspace.sandbox.control('POST /calls/all/decline');
		await page.body?.cancel();
		const found = await recorded(leads.length);
		const conversations = await workspace.sandbox.control('GET /state/conversations');
		const numberOf = (call) => conversations.find(({ uuid }) => uuid === call).contact.phone_number;
		assert.deepEqual(found.map(({ number }) => number).sort(), leads);
		assert.deepEqual(
			found.map(({ call }) => numberOf(call)),
			found.map(({ number }) => number),
			'each lead has the outcome of its own call',
		);
		assert.ok(found.every(({ status }) => /^(completed|no-answer)$/.test(status)));
		await assertDone(leads.length);
	});

	test('an event before the row: the call is over when it is looked at', async () => {
		await publish();
		await upload(...numbers(1));
		const [{ call }] = await waiting(1);
		await end(call);
		assert.equal(await tell(call), 200);
		await recorded(1);
		// The request key finds the same call again.
		await upload(...numbers(1));
		await until('the second', async () => (await executions('integrated')).length === 2, soon);
		await assertDone(2);
		assert.deepEqual((await lastWay()).sort(), pastTheWait);
		assert.equal((await calls()).length, 1);
		assert.deepEqual(
			(await outcomes()).map(({ status, seconds }) => [status, seconds]),
			[['completed', 42]],
		);
	});

	test('an event before the Wait is sent again until the execution waits', inFull, async () => {
		await publish(undefined, { latencyMs: 2000, call: { lifeMs: 3000 } });
		await upload(...numbers(1));
		await recorded(1);
		await assertDone(1);
		assert.ok((await lastWay()).includes('Wait for the End'));
		const [woken] = await executions('webhook').then((all) =>
			Promise.all(all.map(async ({ id: one }) => await workspace.host.getExecution(one))),
		);
		assert.deepEqual(
			woken.nodes['Go On'].items.map(({ json }) => json),
			[{ message: 'Workflow was started' }],
		);
	});

	test('the same event twice at a time goes on once', async () => {
		await publish();
		await upload(...numbers(2));
		const [{ call }, other] = await waiting(2);
		await end(call);
		assert.deepEqual(await Promise.all([tell(call), tell(call)]), [200, 200]);
		await recorded(1);
		assert.equal(await tell(call), 200);
		assert.deepEqual(
			(await waiting(1)).map((row) => row.call),
			[other.call],
			'the other lead still waits',
		);
		await end(other.call);
		await tell(other.call);
		assert.equal((await recorded(2)).length, 2);
		await assertDone(2);
	});

	test('without an event it goes on at the limit', inFull, async () => {
		await publish(({ name, parameters }) => {
			if (name === 'Wait for the End')
				Object.assign(parameters, { resumeAmount: 5, resumeUnit: 'seconds' });
		});
		await upload(...numbers(2));
		const [{ call }] = await waiting(2);
		await end(call);
		const found = await recorded(2);
		assert.deepEqual(Object.fromEntries(found.map((row) => [row.call === call, row.status])), {
			true: 'completed',
			false: 'not over after the limit',
		});
		await assertDone(2);
	});

	for (const kill of [false, true])
		test(
			`${kill ? 'kill -9' : 'SIGTERM'} while it waits does no harm`,
			kill ? {} : inFull,
			async () => {
				await publish();
				await upload(...numbers(3));
				const all = await waiting(3);
				await workspace.host.restart({ kill });
				for (const { call } of all) await end(call);
				assert.deepEqual(
					await Promise.all(all.map(async ({ call }) => await tell(call))),
					[200, 200, 200],
				);
				const found = await recorded(3);
				assert.deepEqual(found.map(({ call }) => call).sort(), all.map(({ call }) => call).sort());
				await assertDone(3);
			},
		);

	test('whoever is skipped is recorded, and nobody waits', async () => {
		await publish();
		await blacklisted(numbers(1)[0])({ sandbox: workspace.sandbox });
		await upload(...numbers(1));
		const [{ number, status }] = await recorded(1);
		assert.deepEqual([number, status], [numbers(1)[0], 'blacklisted']);
		await assertDone(1);
	});

	test('an event of a call that nobody waits for does nothing', async () => {
		await publish();
		const call = await workspace.call('+12125550101');
		assert.equal(await tell(call), 200);
		const [{ nodes }] = await workspace.started(id, 1);
		assert.deepEqual(Object.keys(nodes), ['Call Ended', 'Who Waits?']);
	});
});
