/**
 * Runs that fail in every way in a real n8n, and a search through all that they leave: n8n's database, its log at level
 * debug, the executions as the editor gets them.
 */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ensureHost, ensurePack } from '../../tools/bootstrap.mjs';
import { defaultVersion, startHost } from '../../tools/host.mjs';
import { startSandbox } from '../../sandbox/client.mjs';
import { packageName } from './support/workspace.mjs';

const webhookSecret = 'signing-secret-4711-of-the-credential';
/** The platform of a mistyped Base URL. */
const nowhere = 'https://acme.nowhere.test';

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof startSandbox>>} */
let sandbox;
/** @type {import('../../tools/host.mjs').Host} */
let host;

before(async () => {
	await ensureHost(defaultVersion);
	folder = await realpath(await mkdtemp(join(tmpdir(), 'host-test-')));
	sandbox = await startSandbox({});
	host = await startHost({
		userFolder: join(folder, 'n8n'),
		tarball: await ensurePack(),
		env: { N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file', CODE_ENABLE_STDOUT: 'true' },
	});
});
after(async () => {
	await host?.stop();
	await sandbox?.stop();
	await rm(folder, { recursive: true, force: true });
});

const byId = (/** @type {string} */ value) => ({ __rl: true, mode: 'id', value });

/** @param {string} name @param {object} change */
const credential = async (name, change = {}) =>
	await host.createCredential({
		name,
		type: 'acpApi',
		data: { baseUrl: sandbox.url, token: sandbox.token, timezone: '', webhookSecret, ...change },
	});

/**
 * Runs one node that is not to succeed.
 * @returns {Promise<import('../../tools/host-client.mjs').Execution>}
 */
async function runNode(type, parameters, account, more = {}) {
	const { id } = await host.createWorkflow({
		name: 'Fails',
		settings: {
			executionOrder: 'v1',
			saveManualExecutions: true,
			saveDataErrorExecution: 'all',
			saveDataSuccessExecution: 'all',
		},
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'node',
				name: 'Node',
				type: `${packageName}${type}`,
				typeVersion: 1,
				position: [200, 0],
				parameters,
				credentials: { acpApi: account },
				...more,
			},
		],
		connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
	});
	return await host.waitForExecution(await host.run(id, { triggerToStartFrom: { name: 'Start' } }));
}

/** All files below a folder. @returns {Promise<string[]>} */
async function filesBelow(/** @type {string} */ directory) {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

describe('Guarantee: the credential’s token and secret appear nowhere', () => {
	test(
		'runs that fail in every way, a trigger that cannot register: database, logs, executions',
		{ timeout: 300_000 },
		async () => {
			const [agent] = await sandbox.control('GET /state/agents');
			const tokens = await sandbox.control('GET /tokens');
			const tokenOf = (/** @type {string} */ kind) => tokens.find((one) => one.kind === kind).token;
			const good = await credential('Good');
			const accounts = {
				revoked: await credential('Revoked', { token: tokenOf('revoked') }),
				forbidden: await credential('Forbidden', { token: tokenOf('forbidden') }),
				nowhere: await credential('Nowhere', { baseUrl: nowhere }),
				refused: await credential('Refused', { baseUrl: 'http://127.0.0.1:9' }),
				'not TLS': await credential('Not TLS', { baseUrl: sandbox.url.replace('http:', 'https:') }),
			};
			const read = {
				resource: 'agent',
				operation: 'get',
				agent: byId(agent.agent_uuid),
				options: { maxRetries: 0, timeout: 1 },
			};
			const sms = {
				resource: 'sms',
				operation: 'send',
				agent: byId(agent.agent_uuid),
				phoneNumber: '+14155550101',
				message: 'Hello',
				options: { maxRetries: 1, timeout: 1 },
			};
			const executions = [];
			for (const account of Object.values(accounts))
				executions.push(await runNode('acpAgents', read, account));
			for (const fault of [
				{ kind: 'status', status: 500 },
				{
					kind: 'status',
					status: 422,
					body: {
						success: false,
						message: 'No',
						error: { code: 'VALIDATION_ERROR', field: 'phoneNumber' },
					},
				},
				{ kind: 'reset-after' },
				{ kind: 'timeout', afterAcceptance: true },
				{ kind: 'html', status: 502 },
				{ kind: 'truncated', close: true },
				{ kind: 'redirect', location: 'https://elsewhere.example.com/' },
			]) {
				await sandbox.control('DELETE /faults');
				await sandbox.control('POST /faults', [{ match: {}, fault }]);
				executions.push(await runNode('acpMessages', sms, good));
				executions.push(
					await runNode('acpMessages', sms, good, { onError: 'continueRegularOutput' }),
				);
				executions.push(
					await runNode('acpMessages', { ...sms, phoneNumber: 'none' }, good, {
						retryOnFail: true,
						maxTries: 2,
						waitBetweenTries: 1,
					}),
				);
			}
			assert.ok(
				executions.filter(({ status }) => status === 'error').length > executions.length / 2,
			);

			// A trigger whose registration the platform refuses: n8n shows and logs why.
			await sandbox.control('DELETE /faults');
			await sandbox.control('POST /faults', [
				{ match: { method: 'POST', path: '/webhooks$' }, fault: { kind: 'status', status: 422 } },
			]);
			const { id } = await host.createWorkflow({
				name: 'Listens',
				nodes: [
					{
						id: 'trigger',
						name: 'Trigger',
						type: `${packageName}acpTrigger`,
						typeVersion: 1,
						position: [0, 0],
						webhookId: '6f1f0c53-0000-4000-8000-000000000001',
						parameters: { agents: [agent.agent_uuid], events: ['conversation_end_report'] },
						credentials: { acpApi: good },
					},
				],
				connections: {},
			});
			const { active } = await host.activate(id, 60_000);
			assert.equal(active, false);
			// … and one that it accepts, with the credential's secret.
			await sandbox.control('DELETE /faults');
			assert.equal((await host.activate(id, 60_000)).active, true);
			await host.deactivate(id);

			const shown = JSON.stringify(
				await Promise.all(
					executions.map(async (execution) => await host.getExecution(execution.id)),
				),
			);
			await host.stop();
			const secrets = [
				...new Set([sandbox.token, tokenOf('revoked'), tokenOf('forbidden'), webhookSecret]),
			].flatMap((secret) => [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')]);
			const places = new Map([['executions as the editor gets them', Buffer.from(shown)]]);
			for (const file of await filesBelow(join(folder, 'n8n', '.n8n')))
				if (!file.includes('node_modules'))
					places.set(file.slice(folder.length), await readFile(file));
			places.set('output of n8n', Buffer.from(host.logs()));
			assert.ok(
				[...places.keys()].some((name) => name.endsWith('database.sqlite')),
				'the database was searched',
			);
			assert.ok(places.get('output of n8n').length > 1000, 'the log was searched');
			for (const [name, content] of places) {
				for (const secret of secrets)
					assert.equal(content.includes(secret), false, `${secret.slice(0, 8)}… stands in ${name}`);
			}
			// The search itself: it would have found what is there.
			assert.ok(
				[...places.values()].some(
					(content) => content.includes('Order') || content.includes('+14155550101'),
				),
			);
			assert.doesNotMatch(shown, /authorization|bearer/i);
		},
	);
});
