/** ACP Flows in n8n's own engine against the sandbox. */
import type { IDataObject } from 'n8n-workflow';
import { byId, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform();
const { sandbox, engine } = platform;
const run = async (
	resource: string,
	parameters: IDataObject,
	options: Parameters<typeof platform.engine.runNode>[2] = {},
) => await engine.runNode('acpFlows', { resource, ...parameters } as never, options);
const firstFlow = async () => (await sandbox.state('flows'))[0].uuid as string;
const choose = async (method: string, parameters: IDataObject, filter?: string) =>
	(
		await engine.listSearch('acpFlows', method, {
			parameters: parameters as never,
			path: 'parameters.x',
			filter,
		})
	).results;

test('a flow from its first step to deployed, and changed again after it was undeployed', async () => {
	const flow = byId(await firstFlow());
	const add = async (more: IDataObject) =>
		await run('flowStep', { operation: 'add', flow, ...more });
	const step = async (more: IDataObject) => {
		const result = ok(await add(more));
		return result.json()[0].uuid as string;
	};
	const [agent] = await sandbox.state('agents');
	const trigger = await step({
		kind: 'trigger',
		app: byId('agents'),
		triggerKey: byId('conversation_ended'),
	});
	expect((await sandbox.ledger({ method: 'POST' })).at(-1)!.body).toEqual({
		kind: 'trigger',
		app_uid: 'agents',
		trigger_key: 'conversation_ended',
	});
	const call = await step({
		kind: 'action',
		app: byId('agents'),
		actionKey: byId('start_call'),
		additionalFields: { agent: byId(agent.agent_uuid), config: '{"number": "{{step1.phone}}"}' },
	});
	const condition = await step({
		kind: 'action',
		app: byId('logic'),
		actionKey: byId('if_condition'),
		additionalFields: { insertAfterStep: byId(trigger) },
	});
	const child = await step({
		kind: 'action',
		app: byId('tables'),
		actionKey: byId('ai_query'),
		additionalFields: { parentStep: byId(condition), branchKey: 'true' },
	});

	const early = await run('flow', { operation: 'deploy', flow });
	expect(early.error?.message).toBe('The flow cannot be deployed in its current state');
	expect(early.error?.description).toMatch(/The platform says/);
	for (const uuid of [trigger, condition, call, child]) {
		ok(await run('flowStep', { operation: 'test', flow, step: byId(uuid) }));
	}
	expect((await run('flow', { operation: 'deploy', flow })).json()[0]).toMatchObject({
		status: 'deployed',
	});

	const locked = await run('flowStep', {
		operation: 'update',
		flow,
		step: byId(call),
		updateFields: { config: '{"number": "+14155550100"}' },
	});
	expect(locked.error?.message).toBe('The flow is deployed, so its steps cannot be changed');
	expect(locked.error?.description).toContain("'Undeploy' of the resource 'Flow'");
	const draft = (await run('flow', { operation: 'undeploy', flow })).json()[0];
	expect(draft).toMatchObject({ status: 'draft' });
	expect(draft.steps).toHaveLength(4);
	const updated = await run('flowStep', {
		operation: 'update',
		flow,
		step: byId(call),
		updateFields: { config: '{"number": "+14155550100"}' },
	});
	expect(updated.json()[0].config).toEqual({ number: '+14155550100' });
	expect((await sandbox.ledger({ method: 'PATCH' })).at(-1)!.body).toEqual({
		config: { number: '+14155550100' },
	});
});

test('what does not go together is refused before anything is sent', async () => {
	const flow = byId(await firstFlow());
	const some = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	const refusals: Array<[IDataObject, RegExp]> = [
		[
			{
				operation: 'add',
				kind: 'action',
				app: byId('tables'),
				actionKey: byId('={{ $json.none }}'),
			},
			/'Action' is empty/,
		],
		[
			{
				operation: 'add',
				kind: 'trigger',
				app: byId('agents'),
				triggerKey: byId('={{ $json.none }}'),
			},
			/'Trigger' is empty/,
		],
		[
			{
				operation: 'add',
				kind: 'action',
				app: byId('tables'),
				actionKey: byId('ai_query'),
				additionalFields: { parentStep: byId(some) },
			},
			/both 'Parent Step' and 'Branch'/,
		],
		[
			{ operation: 'test', step: byId(some), additionalFields: { live: true, dryRun: true } },
			/'Live' and 'Dry Run'/,
		],
		[
			{ operation: 'test', step: byId(some), additionalFields: { limit: 51 } },
			/it must be 50 or less/,
		],
	];
	for (const [parameters, message] of refusals)
		expect((await run('flowStep', { flow, ...parameters })).error?.message).toMatch(message);
	expect(await sandbox.ledger()).toEqual([]);
});

test('a trigger without a record to test with: the error names the field for sample data', async () => {
	await sandbox.strike('test$', {
		status: 404,
		body: {
			success: false,
			message: 'No records.',
			error: { code: 'RESOURCE_NOT_FOUND' },
			data: { samples: [] },
		},
	});
	const result = await run('flowStep', {
		operation: 'test',
		flow: byId(await firstFlow()),
		step: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
	});
	expect(result.error?.description).toContain("'Sample Data (JSON)'");
});

test('an action is chosen once its app is', async () => {
	const at = { resource: 'flowStep', operation: 'add', kind: 'action', app: byId('agents') };
	await expect(choose('searchFlowAppActions', { ...at, app: byId('') })).rejects.toThrow(
		"Choose 'App' first",
	);
});

test('flow executions are reached by API Request', async () => {
	const result = await run('otherEndpoint', {
		operation: 'apiRequest',
		method: 'GET',
		path: '/flows',
	});
	expect(result.json()).toMatchObject([{ name: 'After every conversation' }]);
});
