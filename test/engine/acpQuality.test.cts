/** ACP Quality in n8n's own engine against the sandbox. */
import type { IDataObject } from 'n8n-workflow';
import { byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform();
const { sandbox, engine } = platform;
const run = async (
	resource: string,
	parameters: IDataObject,
	options: Parameters<typeof platform.engine.runNode>[2] = {},
) => await engine.runNode('acpQuality', { resource, ...parameters } as never, options);
const missing = '00000000-0000-4000-8000-000000000000';
const firstAgent = async () => (await sandbox.state('agents'))[0].agent_uuid as string;

describe('evaluation', () => {
	// interface: §4.4 evaluation reads
	test('a session that was not rated yet is said to be one; analytics come as they are', async () => {
		const result = await run('evaluation', { operation: 'getForSession', session: byId(missing) });
		expect(result.error?.message).toBe('The platform found no evaluation of this session');
		expect(result.error?.description).toContain('when it ends');
		expect((await run('evaluation', { operation: 'getAnalytics' })).error?.message).toBeUndefined();
	});
});

describe('evaluation settings', () => {
	const setting = async (parameters: IDataObject, options: Parameters<typeof run>[2] = {}) =>
		await run('evaluationSetting', parameters, options);

	// interface: §3 evaluation; §4.4 evaluation settings
	test('an agent that follows the default has nothing to revert', async () => {
		const agent = byId(await firstAgent());
		expect((await setting({ operation: 'delete', agent })).error?.message).toContain(
			'Nothing to revert',
		);
	});

	test('fields that are not known can be added as JSON; those of the form win', async () => {
		await setting({
			operation: 'updateDefault',
			options: { bodyJson: '{"sessionization": {"timeout_minutes": 9, "session_mode": "x"}}' },
			updateFields: { sessionizationTimeoutMinutes: 7 },
		});
		expect((await sandbox.ledger({ method: 'PUT' }))[0]!.body).toEqual({
			sessionization: { timeout_minutes: 7, session_mode: 'x' },
		});
	});

	// interface: §4.4 evaluation settings
	test('where the guessed path is wrong, the other one is named', async () => {
		await sandbox.strike('DELETE evaluate$', { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		expect(
			(await setting({ operation: 'delete', agent: byId(await firstAgent()) })).error?.description,
		).toContain('DELETE /agents/{agent ID}/evaluate/assign');
	});
});

describe('coaching agents', () => {
	test('the default cannot be switched off, only moved', async () => {
		const result = await run('coachingAgent', {
			operation: 'update',
			coachingAgent: byId(missing),
			updateFields: { isDefault: false },
		});
		expect(result.error?.message).toContain('Set as Default');
		expect(
			(
				await run('coachingAgent', {
					operation: 'create',
					name: 'x',
					additionalFields: { autoTriggerThreshold: 101 },
				})
			).error?.message,
		).toContain('it must be 100 or less');
		expect(await sandbox.ledger()).toEqual([]);
	});
});
