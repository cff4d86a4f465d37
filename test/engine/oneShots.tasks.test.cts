/**
 * Carrying a task out costs money: Queue and Retry look at the task before they send anything, and again where an
 * answer was lost. How many calls the platform places for a task decides.
 */
import type { INodeParameters } from 'n8n-workflow';
import { agentOf, byId, failure, hintsOf, ok } from './guarantees/scene.cts';
import { until, usePlatform, type FaultRule, type Result } from './harness/index.cts';

const { sandbox, engine } = usePlatform({
	settings: { call: { lifeMs: 6_000_000 } },
	speed: 10,
	engine: { expressionEngine: 'legacy' },
});

let last = 0;
/** A task for the far future, in some state. @returns its uuid */
async function task(status: string): Promise<string> {
	const { data } = await sandbox.api.post('/tasks', {
		title: 'Call Anna back',
		type: 'make_call',
		agent_uuid: await agentOf(sandbox),
		scheduled_at: '2035-03-05T10:00:00',
		contact: { phone_number: `+1415555${String(2000 + ++last)}` },
	});
	await sandbox.change('tasks', data.data.uuid, { status });
	await sandbox.clearLedger();
	return data.data.uuid;
}

const parameters = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'task',
	operation,
	task: byId('={{ $json.task }}'),
	simplify: false,
	...more,
});
const run = async (
	operation: string,
	tasks: string[],
	more: INodeParameters = {},
	settings: object = {},
): Promise<Result> =>
	await engine.runNode('acpOutreach', parameters(operation, more), {
		items: tasks.map((uuid) => ({ task: uuid })),
		...settings,
	});
const fault = async (kind: FaultRule['fault'], match: object = {}, times = 1) =>
	await sandbox.strike('POST ^/tasks/[^/]+/(queue|retry)$', kind, { ...match, times });
const posts = async () =>
	(await sandbox.ledger({ method: 'POST' })).filter(({ path }) => path.startsWith('/tasks'));
/** Calls that were placed for a task. */
const calls = async (uuid: string): Promise<number> =>
	(await sandbox.state('conversations')).filter(({ task_uuids: uuids }) => uuids.includes(uuid))
		.length;
const oneCall = async (uuid: string) => {
	await until('the call', async () => (await calls(uuid)) > 0);
	expect(await calls(uuid)).toBe(1);
};

const kinds = [
	['queue', 'scheduled'],
	['retry', 'failed'],
] as const;

describe.each(kinds)('%s of a task that is %s', (operation, status) => {
	test('carries it out, once', async () => {
		const uuid = await task(status);
		const result = ok(await run(operation, [uuid]));
		expect(result.json()[0]).toMatchObject({ uuid, status: 'queued' });
		await oneCall(uuid);
	});

	test.each([
		['the connection breaks', { kind: 'reset-after' }],
		['an error is answered', { kind: 'status', status: 503, afterAcceptance: true }],
		['the answer is cut off', { kind: 'truncated' }],
	] as const)(
		'%s after acceptance: its status shows it, and it is not done again',
		async (_, kind) => {
			const uuid = await task(status);
			await fault(kind);
			const result = ok(await run(operation, [uuid], { options: { retryWrites: true } }));
			expect(result.json()[0].uuid).toBe(uuid);
			expect(hintsOf(result)).toContain(
				'the record shows that the request went through. It was not sent again',
			);
			expect(await posts()).toHaveLength(1);
			await oneCall(uuid);
		},
	);

	test('nobody can tell: it stops and says so; Retry On Fail and retrying the execution only look again', async () => {
		const uuid = await task(status);
		await fault({ kind: 'reset-before' });
		const failed = await run(
			operation,
			[uuid],
			{},
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		);
		expect(failed.error?.description).toMatch(
			/has not changed, so it is not known .* It was not sent again\. .*turn on 'Retry Writes'/,
		);
		const again = await engine.retry(failed);
		expect(again.status).toBe('error');
		expect(await posts()).toHaveLength(1);
		expect(await calls(uuid)).toBe(0);
	});

	test("'Retry Writes': what certainly did not happen is sent again, once", async () => {
		const uuid = await task(status);
		await fault({ kind: 'reset-before' });
		ok(await run(operation, [uuid], { options: { retryWrites: true } }));
		expect(await posts()).toHaveLength(2);
		await oneCall(uuid);
	});

	test('somebody else changed it meanwhile: nobody can tell, even with Retry Writes', async () => {
		const uuid = await task(status);
		await fault({ kind: 'reset-before' });
		await sandbox.strike(
			'GET ^/tasks/[^/]+$',
			{
				status: 200,
				body: { success: true, data: { uuid, status, updated_at: '2035-01-01T00:00:00+00:00' } },
			},
			{ nth: [2, 3, 4, 5] },
		);
		const result = await run(operation, [uuid], { options: { retryWrites: true } });
		expect(result.error?.description).toMatch(
			/has changed since, but its status does not show .* It was not sent again/,
		);
		expect(await posts()).toHaveLength(1);
	});

	test('the task cannot be read: nothing is sent', async () => {
		const uuid = await task(status);
		await sandbox.settings({ manners: { unreadable: ['/tasks/{uuid}'] } });
		const result = await run(operation, [uuid, uuid], { options: { retryWrites: true } });
		expect(result.error?.message).toContain('it has no permission for this');
		expect(result.error?.description).toContain('Nothing was sent for this item.');
		expect(await posts()).toEqual([]);
		expect(await calls(uuid)).toBe(0);
	});

	test('two items about the same task: it happens for the first alone', async () => {
		const uuid = await task(status);
		const result = await run(operation, [uuid, uuid], {}, { onError: 'continueRegularOutput' });
		expect(result.json()[0]).toMatchObject({ uuid, status: 'queued' });
		expect(result.json()[1]).toMatchObject({
			errorCode: 'SAME_RECORD',
			error: 'Item 0 is about the same record',
		});
		expect(await posts()).toHaveLength(1);
		await oneCall(uuid);
	});

	test.each([{}, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }])(
		'Preview sends and reads nothing (%j)',
		async (settings) => {
			const uuid = await task(status);
			const result = await run(operation, [uuid], { options: { preview: true } }, settings);
			expect(result.json()[0]).toMatchObject({
				preview: true,
				method: 'POST',
				url: `${sandbox.url}/api/v1/tasks/${uuid}/${operation}`,
			});
			expect(await sandbox.ledger()).toEqual([]);
			expect(await calls(uuid)).toBe(0);
		},
	);
});

describe('a task that would be carried out twice', () => {
	test.each([
		['queue', 'queued', 'The task is already queued'],
		['queue', 'in_progress', 'The task is already in progress'],
		['queue', 'completed', 'The task is already completed'],
		['retry', 'scheduled', 'The task has not failed: it is scheduled'],
		['retry', 'in_progress', 'The task has not failed: it is in progress'],
		['retry', 'completed', 'The task has not failed: it is completed'],
		['retry', 'a new word', 'The task has a status that this node does not know: "a new word"'],
		['queue', '', 'The platform does not show the status of the task'],
	])('%s, %s: nothing is sent', async (operation, status, message) => {
		const uuid = await task(status);
		const result = await run(operation, [uuid], { options: { retryWrites: true } });
		expect(result.error?.message).toBe(message);
		expect(result.error?.description).toContain('Nothing was sent for this item.');
		expect(await posts()).toEqual([]);
	});

	test.each([
		['queue', 'on_hold'],
		['queue', 'failed'],
		['retry', 'cancelled'],
	])('%s, %s: the platform decides', async (operation, status) => {
		const uuid = await task(status);
		expect(failure(await run(operation, [uuid]))).toBeUndefined();
		await oneCall(uuid);
	});
});

describe('what else changes a task', () => {
	test('an update that queues it, and whose answer is lost, is looked at and not sent again', async () => {
		const uuid = await task('scheduled');
		await fault({ kind: 'reset-after' }, { method: 'PUT', path: '^/tasks/[^/]+$' });
		const result = ok(await run('update', [uuid], { updateFields: { autoQueue: true } }));
		expect(result.json()[0]).toMatchObject({ uuid, auto_queue: true });
		expect(await sandbox.ledger({ method: 'PUT' })).toHaveLength(1);
	});

	test('calling off whose answer is lost is found', async () => {
		const uuid = await task('scheduled');
		await fault({ kind: 'reset-after' }, { path: '^/tasks/[^/]+/cancel$' });
		const result = ok(await run('cancel', [uuid]));
		expect(result.json()[0]).toMatchObject({ uuid, status: 'cancelled' });
		expect(await posts()).toHaveLength(1);
	});

	test('calling off costs no reading where nothing is lost', async () => {
		const uuid = await task('scheduled');
		await run('cancel', [uuid]);
		expect(await sandbox.ledger()).toHaveLength(1);
	});
});
