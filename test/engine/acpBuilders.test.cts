/** App Builder: a build conversation, which step is possible when, and an app made from code. */
import type { INodeParameters } from 'n8n-workflow';
import { cases, refusals } from './guarantees/cases.cts';
import { byId, hintsOf, ok } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10, settings: { builders: { processingMs: 5 } } });
const { sandbox, run } = platform;

describe('build conversation', () => {
	const talk = async (operation: string, uuid: string, more: INodeParameters = {}) => {
		const parameters = { buildConversation: byId(uuid), ...more };
		return await run(`acpBuilders buildConversation.${operation}`, parameters);
	};
	const waited = async (uuid: string, options: INodeParameters = {}) => {
		const result = ok(await talk('waitUntilReady', uuid, { options }));
		return [result.json()[0], hintsOf(result)];
	};
	const begin = async () =>
		(await sandbox.api.post('/builder-agents', { prompt: 'A page' })).data.data.uuid as string;
	/** A conversation that the platform has brought to its first questions. */
	const begun = async () => {
		const uuid = await begin();
		await until('the questions', async () =>
			(await sandbox.state('build_conversations')).some(({ status }) => status === 'gathering'),
		);
		return uuid;
	};

	// interface: §3 build conversation; §3 gathering; §4.4 builders
	test('from a sentence to an app: questions are handed back, answered, approved; then changed', async () => {
		const started = await run('acpBuilders buildConversation.start', { prompt: 'A page' });
		const [{ uuid }] = started.json();
		const asks = [expect.stringContaining('?')];
		expect(await waited(uuid)).toMatchObject([
			{ uuid, status: 'gathering', questions: asks, timedOut: false },
			expect.stringContaining("Use the operation 'Answer'"),
		]);
		const answered = ok(await talk('answer', uuid, { message: 'Frankfurt, daily' }));
		expect(answered.json()).toMatchObject([{ status: 'processing' }]);
		expect(await waited(uuid)).toMatchObject([
			{ status: 'awaiting_approval' },
			expect.stringContaining("Use the operation 'Approve'"),
		]);
		await talk('approve', uuid);
		const [built] = await waited(uuid);
		const url = expect.stringContaining('http');
		expect(built).toMatchObject({ status: 'deployed', builder_preview_url: url });
		expect(JSON.stringify(built)).not.toContain('svc_');
		await talk('rebuild', uuid, { message: 'Add opening hours' });
		expect((await waited(uuid))[0].prompt).toContain('Add opening hours');
	});

	// interface: §3 gathering; §3 awaiting_approval; §3 deployed and failed
	test.each([
		['answer', 'processing', /'Wait Until Ready'/],
		['approve', 'gathering', /'Answer'/],
		['rebuild', 'gathering', /'Answer'/],
		['answer', 'awaiting_approval', /'Approve'/],
		['rebuild', 'awaiting_approval', /'Approve'/],
		['answer', 'deployed', /'Rebuild'.*'Builder'/],
		['approve', 'failed', /'Rebuild'/],
		['answer', 'failed', /'Rebuild'.*'Start'/],
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
		const body = { success: true, data: { ...record, status: 'polishing' } };
		await sandbox.strike('GET ^/builder-agents/', { status: 200, body }, { nth: 1 });
		expect(await waited(uuid)).toMatchObject([{ status: 'gathering' }, expect.anything()]);
		await sandbox.clearFaults();
		await sandbox.strike('GET ^/builder-agents/', { status: 200, body });
		ok(await talk('answer', uuid, { message: 'x' }));
	});

	// interface: §3 build conversation
	test('the wait ends at its time-out with what is known', async () => {
		await sandbox.settings({ builders: { processingMs: 60_000 } });
		expect(await waited(await begin(), { waitTimeout: 1 })).toMatchObject([
			{ status: 'processing', timedOut: true },
			expect.stringContaining("'Wait Timeout'"),
		]);
	});
});

describe('builder', () => {
	const app = { name: 'my-api', entrypoint: 'python3 main.py' };
	const row = (key: string, value: string) => ({ key, value });
	const files = (...values: object[]) => ({ ...app, files: { values } }) as never;
	const fromJson = { options: { bodyJson: '={{ {files: $json.files} }}' } };
	const two = {
		node: 'acpBuilders builder.create',
		items: [{ files: { 'a.py': 'x' } }, { files: { 'a.py': 'y' } }],
	};

	cases(platform, {
		// interface: §3 deployed and failed; §4.4 builders
		'an app from code: files and variables are sent by their names': {
			node: 'acpBuilders builder.create',
			parameters: {
				...(files(row('main.py', 'print("hello")'), row('lib/util.py', '')) as object),
				additionalFields: { env: { values: [row('LANGUAGE', 'tr')] }, port: 9000 },
				resources: { cpu: 2 },
			},
			got: {
				'POST /builders': [
					{
						...{ ...app, files: { 'main.py': 'print("hello")', 'lib/util.py': '' } },
						...{ env: { LANGUAGE: 'tr' }, port: 9000, resources: { cpu: 2 } },
					},
				],
			},
		},
		'a machine for each item is created only if it was asked for': {
			...two,
			parameters: { ...app, ...fromJson },
			refused: /'Create for Each Item' is off, and each of 2 items creates a machine/,
		},
		'and then it is, from files as JSON': {
			...two,
			parameters: { ...app, ...fromJson, createForEachItem: true },
			got: { 'POST /builders': two.items.map((item) => expect.objectContaining(item)) },
		},
		'a command is given the time that it asks for': async () => {
			const body = { ...app, files: { 'main.py': 'print(1)' } };
			const builder = byId((await sandbox.api.post('/builders', body)).data.data.uuid);
			const times = { additionalFields: { timeout: 2 }, options: { timeout: 1 } };
			return {
				node: 'acpBuilders builder.exec',
				parameters: { builder, command: 'echo slow', ...times },
				strikes: [['exec$', { kind: 'slow', ms: 2500 }]],
				json: [{ exit_code: 0, output: 'slow\n' }],
			};
		},
		...refusals('acpBuilders', [
			['builder.create', { ...app, name: 'My API' }, /"My API"; it may contain only lowercase/],
			['builder.create', { ...app, files: {}, ...fromJson }, "'Files' is empty"],
			['builder.create', files(row('main.py', '={{ $json.none }}')), "'Files' is empty"],
			['builder.create', files(row('a', '1'), row('a', '2')), '\'Files\' contains "a" twice'],
		]),
	});
});
