/** ACP Builders in n8n's own engine against the sandbox. */
import type { IDataObject } from 'n8n-workflow';
import { byId, ok } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine } = platform;
const run = async (
	resource: string,
	parameters: IDataObject,
	options: Parameters<typeof platform.engine.runNode>[2] = {},
) => await engine.runNode('acpBuilders', { resource, ...parameters } as never, options);
const talk = async (
	operation: string,
	uuid: string,
	more: IDataObject = {},
	options: Parameters<typeof platform.engine.runNode>[2] = {},
) => await run('buildConversation', { operation, buildConversation: byId(uuid), ...more }, options);
const begin = async (prompt = 'A page with order states') =>
	(await run('buildConversation', { operation: 'start', prompt })).json()[0].uuid as string;
const hints = (result: Awaited<ReturnType<typeof run>>) =>
	result
		.hints()
		.map(({ message }) => message)
		.join('\n');
const writes = async () =>
	(await sandbox.ledger({ method: 'POST' })).map(({ path }) => path.replace(/.*\//, ''));

/** Until the platform has come to a state by itself. */
const reached = async (uuid: string, status: string) =>
	await until(`the conversation to be ${status}`, async () =>
		(await sandbox.state('build_conversations')).some(
			(one) => one.uuid === uuid && one.status === status,
		),
	);

describe('build conversation', () => {
	// interface: §3 build conversation; §3 gathering; §4.4 builders
	test('from a sentence to an app: questions are handed back, answered, approved; then changed', async () => {
		const uuid = await begin();
		const asked = ok(await talk('waitUntilReady', uuid));
		expect(asked.json()[0]).toMatchObject({
			uuid,
			status: 'gathering',
			questions: [expect.stringContaining('?')],
			timedOut: false,
		});
		expect(hints(asked)).toContain("Use the operation 'Answer'");

		expect((await talk('answer', uuid, { message: 'Frankfurt, daily' })).json()[0]).toMatchObject({
			status: 'processing',
		});
		const planned = await talk('waitUntilReady', uuid);
		expect(planned.json()[0].status).toBe('awaiting_approval');
		expect(hints(planned)).toContain("Use the operation 'Approve'");

		await talk('approve', uuid);
		const built = (await talk('waitUntilReady', uuid)).json()[0];
		expect(built).toMatchObject({
			status: 'deployed',
			builder_preview_url: expect.stringContaining('http'),
		});
		expect(JSON.stringify(built)).not.toContain('svc_');

		await talk('rebuild', uuid, { message: 'Add opening hours' });
		expect((await talk('waitUntilReady', uuid)).json()[0].prompt).toContain('Add opening hours');
		expect(await writes()).toEqual(['builder-agents', 'answers', 'approve', 'rebuild']);
	});

	test('what is ready already is not waited for', async () => {
		const uuid = await begin();
		await reached(uuid, 'gathering');
		await sandbox.clearLedger();
		expect((await talk('waitUntilReady', uuid)).json()[0]).toMatchObject({
			status: 'gathering',
			timedOut: false,
		});
		expect(await sandbox.ledger()).toHaveLength(1);
	});

	// interface: §3 gathering; §3 awaiting_approval; §3 deployed and failed
	test('each operation is legal only in its state; the message names the one to use instead', async () => {
		const uuid = await begin();
		const every = async (status: string, expected: Record<string, RegExp>) => {
			await reached(uuid, status);
			await sandbox.clearLedger();
			for (const [operation, message] of Object.entries(expected)) {
				const refused = await talk(
					operation,
					uuid,
					operation === 'approve' ? {} : { message: 'x' },
				);
				expect(refused.error?.message).toMatch(
					new RegExp(`while the build conversation is "${status}"`),
				);
				expect(refused.error?.message).toMatch(message);
			}
			expect(await writes()).toEqual([]);
		};
		await sandbox.settings({ builders: { processingMs: 60_000 } });
		const slow = await begin();
		expect((await talk('answer', slow, { message: 'x' })).error?.message).toMatch(
			/is "processing"\. .*'Wait Until Ready'/,
		);
		expect((await talk('rebuild', slow, { message: 'x' })).error?.message).toMatch(
			/'Wait Until Ready'/,
		);
		await sandbox.settings({ builders: { processingMs: 50 } });

		await every('gathering', { approve: /'Answer'/, rebuild: /'Answer'/ });
		await talk('answer', uuid, { message: 'x' });
		await every('awaiting_approval', { answer: /'Approve'/, rebuild: /'Approve'/ });
		await talk('approve', uuid);
		await every('deployed', { answer: /'Rebuild'.*'Builder'/, approve: /'Rebuild'/ });
		await talk('rebuild', uuid, {
			message: 'now fail',
			updateFields: {},
			additionalFields: { replacePrompt: true },
		});
		await every('failed', { answer: /'Rebuild'.*'Start'/, approve: /'Rebuild'/ });
		expect(
			(await talk('rebuild', uuid, { message: 'without the map' })).error?.message,
		).toBeUndefined();
	});

	// interface: §3 states that follow
	test('a state that nobody has told of is waited through and left to the platform', async () => {
		const uuid = await begin();
		await reached(uuid, 'gathering');
		const record = (await sandbox.state('build_conversations'))[0];
		const reply = (status: string) => ({
			kind: 'status' as const,
			status: 200,
			body: { success: true, data: { ...record, status } },
		});
		await sandbox.strike('GET ^/builder-agents/', reply('polishing'), { nth: 1 });
		const waited = await talk('waitUntilReady', uuid);
		expect(waited.json()[0].status).toBe('gathering');
		await sandbox.clearFaults();
		await sandbox.strike('GET ^/builder-agents/', reply('polishing'));
		await talk('answer', uuid, { message: 'x' });
		expect((await writes()).at(-1)).toBe('answers');
	});

	// interface: §3 build conversation
	test('the wait ends at its time-out with what is known, and at once when the execution is stopped', async () => {
		await sandbox.settings({ builders: { processingMs: 60_000 } });
		const uuid = await begin();
		const result = await talk('waitUntilReady', uuid, { options: { waitTimeout: 1 } });
		expect(result.json()[0]).toMatchObject({ status: 'processing', timedOut: true });
		expect(hints(result)).toContain("'Wait Timeout'");
		await sandbox.clearLedger();
		const stopped = await talk(
			'waitUntilReady',
			uuid,
			{},
			{ cancelWhen: async () => (await sandbox.ledger()).length > 0 },
		);
		expect(stopped.status).toBe('canceled');
	});

	test('the state may change in between: the platform’s refusal is explained', async () => {
		const uuid = await begin();
		await reached(uuid, 'gathering');
		await sandbox.strike('answers$', {
			status: 409,
			body: { success: false, message: 'Already answered.', error: { code: 'INVALID_STATE' } },
		});
		const result = await talk('answer', uuid, { message: 'x' });
		expect(result.error?.message).toBe(
			'This is not possible in the current state of the build conversation',
		);
		expect(result.error?.description).toContain('Already answered.');
	});

	// interface: §3 awaiting_approval
	test('an approval that the workspace does not know is told apart', async () => {
		const uuid = await begin();
		await reached(uuid, 'gathering');
		await talk('answer', uuid, { message: 'x' });
		await reached(uuid, 'awaiting_approval');
		await sandbox.strike('approve$', { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		expect((await talk('approve', uuid)).error?.description).toContain("resource 'Other Endpoint'");
	});
});

describe('builder', () => {
	const files = {
		values: [
			{ key: 'main.py', value: 'print("hello")' },
			{ key: 'lib/util.py', value: '' },
		],
	};
	const create = async (more: IDataObject = {}) =>
		await run('builder', {
			operation: 'create',
			name: 'my-api',
			entrypoint: 'python3 main.py',
			files,
			...more,
		});

	// interface: §3 deployed and failed; §4.4 builders
	test('create from code sends files by path; then start, stop, logs, files, command, SSH, spending', async () => {
		const created = ok(
			await create({
				additionalFields: {
					env: { values: [{ key: 'LANGUAGE', value: 'tr' }] },
					port: 9000,
					jobType: 'always_on',
				},
				resources: { cpu: 2 },
			}),
		);
		expect((await sandbox.ledger({ path: '/builders' }))[0]!.body).toEqual({
			name: 'my-api',
			entrypoint: 'python3 main.py',
			files: { 'main.py': 'print("hello")', 'lib/util.py': '' },
			env: { LANGUAGE: 'tr' },
			port: 9000,
			job_type: 'always_on',
			resources: { cpu: 2 },
		});
		const at = { builder: byId(created.json()[0].uuid) };
		expect((await run('builder', { operation: 'stop', ...at })).json()[0]).toMatchObject({
			running: false,
		});
		expect((await run('builder', { operation: 'start', ...at })).json()[0]).toMatchObject({
			running: true,
		});
		expect(
			(await run('builder', { operation: 'getFiles', ...at })).json().map(({ path }) => path),
		).toEqual(['main.py', 'lib/util.py']);
		expect((await run('builder', { operation: 'exec', command: 'echo hi', ...at })).json()).toEqual(
			[{ exit_code: 0, output: 'hi\n' }],
		);
		expect((await run('builder', { operation: 'getLogs', ...at })).json()[0].logs).toContain(
			'$ echo hi',
		);
		expect(
			(
				await run('builder', {
					operation: 'createSsh',
					additionalFields: { expiresMinutes: 5 },
					...at,
				})
			).json()[0],
		).toHaveProperty('ssh_command');
		expect((await run('builder', { operation: 'recreateSsh', ...at })).json()[0]).toHaveProperty(
			'ssh_command',
		);
		expect((await run('builder', { operation: 'getSpending' })).json()[0]).toMatchObject({
			currency: 'EUR',
			vm_count: 1,
		});
	});

	test('names and bounds are checked before anything is sent', async () => {
		const refusals: Array<[Promise<Awaited<ReturnType<typeof run>>>, RegExp]> = [
			[create({ name: 'My API' }), /'Name' is "My API"; it may contain only lowercase letters/],
			[create({ files: {} }), /'Files' is empty/],
			[
				create({
					files: {
						values: [
							{ key: 'a', value: '1' },
							{ key: 'a', value: '2' },
						],
					},
				}),
				/'Files' contains "a" twice/,
			],
			[
				run('builder', {
					operation: 'exec',
					command: 'ls',
					builder: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
					additionalFields: { timeout: 601 },
				}),
				/it must be 600 or less/,
			],
			[
				run('builder', {
					operation: 'createSsh',
					builder: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
					additionalFields: { expiresMinutes: 4 },
				}),
				/it must be 5 or more/,
			],
		];
		for (const [refusal, message] of refusals)
			expect((await refusal).error?.message).toMatch(message);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('any number of files may come from the input item as JSON', async () => {
		const result = await create({
			files: {},
			options: { bodyJson: '={{ {files: $json.files} }}' },
		});
		expect(result.error?.message).toContain("'Files' is empty");
		ok(
			await run(
				'builder',
				{
					operation: 'create',
					name: 'my-api',
					entrypoint: 'x',
					options: { bodyJson: '={{ {files: $json.files} }}' },
				},
				{ items: [{ files: { 'a.py': 'x' } }] },
			),
		);
		expect((await sandbox.ledger({ path: '/builders' })).at(-1)!.body.files).toEqual({
			'a.py': 'x',
		});
	});

	test('a command is given the time that it asks for', async () => {
		const uuid = (await create()).json()[0].uuid;
		await sandbox.strike('exec$', { kind: 'slow', ms: 2500 });
		const at = {
			operation: 'exec',
			builder: byId(uuid),
			command: 'echo slow',
			options: { timeout: 1 },
		};
		const result = await run('builder', { ...at, additionalFields: { timeout: 2 } });
		expect(result.json()).toEqual([{ exit_code: 0, output: 'slow\n' }]);
	});

	test('a guessed address that the workspace does not have is said to be one', async () => {
		const uuid = (await create()).json()[0].uuid;
		await sandbox.strike('start$', { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		const result = await run('builder', { operation: 'start', builder: byId(uuid) });
		expect(result.error?.description).toContain('This operation is in beta');
	});

	test('AI agents cannot run commands, open shells or rent machines', async () => {
		for (const operation of ['create', 'createSsh', 'recreateSsh', 'exec']) {
			const { answers } = await engine.callTools(
				'acpBuilders',
				{
					resource: 'builder',
					operation,
					builder: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
					command: 'ls',
					name: 'x',
					entrypoint: 'x',
				} as never,
				[{ args: {} }],
			);
			expect(JSON.stringify(answers)).toContain('not available to AI agents');
		}
		expect(await sandbox.ledger()).toEqual([]);
	});
});
