/** App Builder: a build conversation, which step is possible when, and an app made from code. */
import type { INodeParameters } from 'n8n-workflow';
import { cases, refusals } from './guarantees/cases.cts';
import { byId, hintsOf, ok } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10, settings: { builders: { processingMs: 5 } } });
const { sandbox, run } = platform;

describe('build conversation', () => {
	const talk = async (operation: string, uuid: string, more: INodeParameters = {}) =>
		await run(`acpBuilders buildConversation.${operation}`, {
			buildConversation: byId(uuid),
			...more,
		});
	/** A conversation that the platform has brought to its first questions. */
	const begun = async () => {
		const prompt = 'A page with order states';
		const { data } = await sandbox.api.post('/builder-agents', { prompt });
		await until('the questions', async () =>
			(await sandbox.state('build_conversations')).some(({ status }) => status === 'gathering'),
		);
		return data.data.uuid as string;
	};

	// interface: §3 build conversation; §3 gathering; §4.4 builders
	test('from a sentence to an app: questions are handed back, answered, approved; then changed', async () => {
		const started = await run('acpBuilders buildConversation.start', { prompt: 'A page' });
		const [{ uuid }] = started.json();
		const waited = async () => {
			const result = ok(await talk('waitUntilReady', uuid));
			return [result.json()[0], hintsOf(result)];
		};
		expect(await waited()).toMatchObject([
			{ uuid, status: 'gathering', questions: [expect.stringContaining('?')], timedOut: false },
			expect.stringContaining("Use the operation 'Answer'"),
		]);
		expect((await talk('answer', uuid, { message: 'Frankfurt, daily' })).json()[0]).toMatchObject({
			status: 'processing',
		});
		expect(await waited()).toMatchObject([
			{ status: 'awaiting_approval' },
			expect.stringContaining("Use the operation 'Approve'"),
		]);
		await talk('approve', uuid);
		const [built] = await waited();
		expect(built).toMatchObject({
			status: 'deployed',
			builder_preview_url: expect.stringContaining('http'),
		});
		expect(JSON.stringify(built)).not.toContain('svc_');
		await talk('rebuild', uuid, { message: 'Add opening hours' });
		expect((await waited())[0].prompt).toContain('Add opening hours');
	});

	// interface: §3 gathering; §3 awaiting_approval; §3 deployed and failed
	test.each([
		['answer', 'processing', /'Wait Until Ready'/],
		['rebuild', 'processing', /'Wait Until Ready'/],
		['approve', 'gathering', /'Answer'/],
		['rebuild', 'gathering', /'Answer'/],
		['answer', 'awaiting_approval', /'Approve'/],
		['rebuild', 'awaiting_approval', /'Approve'/],
		['answer', 'deployed', /'Rebuild'.*'Builder'/],
		['approve', 'deployed', /'Rebuild'/],
		['answer', 'failed', /'Rebuild'.*'Start'/],
		['approve', 'failed', /'Rebuild'/],
	])('%s is not possible while it is %s: the message names the one to use', async (...row) => {
		const [operation, status, advice] = row;
		const uuid = await begun();
		await sandbox.change('build_conversations', uuid, { status });
		await sandbox.clearLedger();
		const { error } = await talk(operation, uuid, operation === 'approve' ? {} : { message: 'x' });
		expect(error?.message).toContain(`while the build conversation is "${status}"`);
		expect(error?.message).toMatch(advice);
		expect(await sandbox.ledger({ method: 'POST' })).toEqual([]);
	});

	// interface: §3 states that follow
	test('a state that nobody has told of is waited through and left to the platform', async () => {
		const uuid = await begun();
		const [record] = await sandbox.state('build_conversations');
		const polishing = { success: true, data: { ...record, status: 'polishing' } };
		const strike = { status: 200, body: polishing };
		await sandbox.strike('GET ^/builder-agents/', strike, { nth: 1 });
		expect((await talk('waitUntilReady', uuid)).json()[0].status).toBe('gathering');
		await sandbox.clearFaults();
		await sandbox.strike('GET ^/builder-agents/', strike);
		ok(await talk('answer', uuid, { message: 'x' }));
	});

	// interface: §3 build conversation
	test('the wait ends at its time-out with what is known', async () => {
		await sandbox.settings({ builders: { processingMs: 60_000 } });
		const { data } = await sandbox.api.post('/builder-agents', { prompt: 'A page' });
		const result = await talk('waitUntilReady', data.data.uuid, { options: { waitTimeout: 1 } });
		expect(result.json()[0]).toMatchObject({ status: 'processing', timedOut: true });
		expect(hintsOf(result)).toContain("'Wait Timeout'");
	});
});

describe('builder', () => {
	const app = { name: 'my-api', entrypoint: 'python3 main.py' };
	const create = (more: object) => ({
		node: 'acpBuilders builder.create',
		parameters: { ...app, ...more },
	});
	const row = (key: string, value: string) => ({ key, value });
	const fromJson = { options: { bodyJson: '={{ {files: $json.files} }}' } };
	const slow = async () => {
		const files = { 'main.py': 'print(1)' };
		const { data } = await sandbox.api.post('/builders', { ...app, files });
		return {
			node: 'acpBuilders builder.exec',
			parameters: {
				builder: byId(data.data.uuid),
				command: 'echo slow',
				additionalFields: { timeout: 2 },
				options: { timeout: 1 },
			},
			strikes: [['exec$', { kind: 'slow', ms: 2500 }]] as never,
			json: [{ exit_code: 0, output: 'slow\n' }],
		};
	};

	cases(platform, {
		// interface: §3 deployed and failed; §4.4 builders
		'an app from code: files and variables are sent by their names': {
			...create({
				files: { values: [row('main.py', 'print("hello")'), row('lib/util.py', '')] },
				additionalFields: { env: { values: [row('LANGUAGE', 'tr')] }, port: 9000 },
				resources: { cpu: 2 },
			}),
			got: {
				'POST /builders': [
					{
						...app,
						files: { 'main.py': 'print("hello")', 'lib/util.py': '' },
						env: { LANGUAGE: 'tr' },
						port: 9000,
						resources: { cpu: 2 },
					},
				],
			},
		},
		'any number of files may come from the input item as JSON': {
			...create(fromJson),
			items: [{ files: { 'a.py': 'x' } }],
			got: { 'POST /builders': [{ ...app, files: { 'a.py': 'x' } }] },
		},
		'a machine for each item is created only if it was asked for': {
			...create({ ...fromJson }),
			items: [{ files: { 'a.py': 'x' } }, { files: { 'a.py': 'y' } }],
			refused: /'Create for Each Item' is off, and each of 2 items creates a machine/,
		},
		'and then it is': {
			...create({ ...fromJson, createForEachItem: true }),
			items: [{ files: { 'a.py': 'x' } }, { files: { 'a.py': 'y' } }],
			sent: { 'POST /builders': 2 },
		},
		'a command is given the time that it asks for': slow,
		...refusals('acpBuilders', [
			[
				'builder.create',
				{ ...app, name: 'My API', files: { values: [row('a', '1')] } },
				'\'Name\' is "My API"; it may contain only lowercase letters',
			],
			['builder.create', { ...app, files: {}, ...fromJson }, "'Files' is empty"],
			[
				'builder.create',
				{ ...app, files: { values: [row('main.py', '={{ $json.none }}')] } },
				"'Files' is empty",
			],
			[
				'builder.exec',
				{
					builder: byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'),
					command: '=rm -rf /data/{{ $json.none }}/*',
				},
				"'Command' is incomplete: {{ $json.none }} returned nothing",
			],
			[
				'builder.create',
				{ ...app, files: { values: [row('a', '1'), row('a', '2')] } },
				'\'Files\' contains "a" twice',
			],
		]),
	});
});
