/**
 * Runs that fail in every way in a real n8n, and a search through all that they leave: n8n's database, its log at level
 * debug, the executions as the editor gets them.
 */
import assert from '../asserted.mjs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listening } from '../../tools/ports.mjs';
import { byId, manualTrigger, openWorkspace } from '../../tools/workspace.mjs';

const { secretOf } = createRequire(import.meta.url)('../../dist/nodes/shared/registration/plan.js');
const webhookSecret = 'signing-secret-4711-of-the-credential';
/** The platform of a mistyped Base URL. */
const nowhere = 'https://acme.nowhere.test';

/** Another version than the newest: `HOST_VERSIONS=1.123.81`, as for the triggers. */
const [version] = process.env.HOST_VERSIONS?.split(',') ?? [];

let workspace;
let sandbox;
let host;

before(async () => {
	workspace = await openWorkspace({
		version,
		env: {
			N8N_LOG_LEVEL: 'debug',
			N8N_LOG_OUTPUT: 'console,file',
			CODE_ENABLE_STDOUT: 'true',
			// n8n says most of an error then
			NODE_ENV: 'development',
		},
	});
	({ sandbox, host } = workspace);
});
after(async () => await workspace?.close());

const credential = async (name, change = {}) =>
	await workspace.newCredential({ webhookSecret, ...change }, name);

const settings = {
	executionOrder: 'v1',
	saveManualExecutions: true,
	saveDataErrorExecution: 'all',
	saveDataSuccessExecution: 'all',
};

/**
 * Runs one node that is not to succeed.
 * @returns {Promise<import('../../tools/host-client.mjs').Execution>}
 */
async function runNode(type, parameters, account, more = {}) {
	const node = { name: 'Node', type, parameters, credentials: { acpApi: account }, ...more };
	return await workspace.ended(
		await workspace.workflow('Fails', [manualTrigger, node], { settings }),
		'Start',
	);
}

/** All files below a folder. @returns {Promise<string[]>} */
async function filesBelow(directory) {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

describe('With the credential', () => {
	/** What another server hears: path and header. @type {string[]} */
	const heard = [];
	const elsewhere = createServer((request, response) => {
		heard.push(`${request.url} ${request.headers.authorization}`);
		response.end('{}');
	});
	let other = '';
	before(async () => {
		other = await listening(elsewhere);
	});
	after(async () => {
		await sandbox.control('DELETE /faults');
		await sandbox.control('DELETE /ledger');
		elsewhere.closeAllConnections();
		elsewhere.close();
	});
	const signedIn = { authentication: 'predefinedCredentialType', nodeCredentialType: 'acpApi' };
	const request = async (url, more, options = {}) =>
		await runNode(
			'n8n-nodes-base.httpRequest',
			{ url, ...more, options },
			await credential('For the HTTP Request node'),
			{ typeVersion: 4.2 },
		);

	test('the HTTP Request node of n8n brings the token to no other place', async () => {
		// The witness hears what is sent to it.
		assert.equal((await request(`${other}/open`, {})).status, 'success');
		const own = `${sandbox.url}/api/v1/agents`;
		const nextPage = { paginationMode: 'responseContainsNextURL', nextURL: `${other}/next` };
		for (const [url, options, says] of [
			[`${other}/api/v1/agents`, {}, /only sends its token to http/],
			[`${sandbox.url}@${new URL(other).host}/api/v1/agents`, {}, /only sends its token to http/],
			[`${sandbox.url}/elsewhere`, {}, /only sends its token to http/],
			[own, { proxy: other }, /a connection that n8n itself checks/],
			[own, { allowUnauthorizedCerts: true }, /a connection that n8n itself checks/],
			[own, { pagination: { pagination: nextPage } }, /only sends its token to http/],
		]) {
			const execution = await request(url, signedIn, options);
			assert.equal(execution.status, 'error', JSON.stringify([url, options]));
			assert.match(JSON.stringify(execution), says);
			assert.doesNotMatch(JSON.stringify(execution), new RegExp(sandbox.token));
		}
		assert.equal((await request(own, signedIn)).status, 'success');
		assert.deepEqual(heard.splice(0), ['/open undefined']);
	});

	test('the HTTP Request node of n8n follows no redirect with the credential', async () => {
		await sandbox.control('DELETE /ledger');
		const own = `${sandbox.url}/api/v1/agents`;
		assert.equal((await request(own, signedIn)).status, 'success');
		await sandbox.control('POST /faults', [
			{ fault: { kind: 'redirect', status: 302, location: `${other}/` } },
		]);
		for (const method of ['GET', 'POST'])
			assert.equal((await request(own, { method, ...signedIn })).status, 'error');
		const ledger = await sandbox.control('GET /ledger?path=/agents');
		assert.deepEqual(
			ledger.map(({ status }) => status),
			[200, 302, 302],
		);
		assert.deepEqual(heard, []);
	});
});

describe('Guarantee: the credential’s token and secret appear nowhere', () => {
	test(
		'runs that fail in every way (with Timeout 1, and Max Retries 0 or Max Retries 1), a trigger that cannot register: database, logs, executions',
		{ timeout: 900_000 },
		async () => {
			const [agent] = await sandbox.control('GET /state/agents');
			const tokens = await sandbox.control('GET /tokens');
			const tokenOf = (kind) => tokens.find((one) => one.kind === kind).token;
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
				options: { advanced: { maxRetries: 0, timeout: 1 } },
			};
			const sms = {
				resource: 'sms',
				operation: 'send',
				agent: byId(agent.agent_uuid),
				phoneNumber: '+14155550101',
				message: 'Hello',
				options: { advanced: { maxRetries: 1, timeout: 1 } },
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
			await sandbox.control('PATCH /settings', {
				manners: { httpsWebhooks: true, refusalsRepeat: true },
			});
			const listening = async (account) =>
				await workspace.workflow('Listens', [
					{
						id: 'trigger',
						name: 'Trigger',
						type: 'acpTrigger',
						typeVersion: 1,
						parameters: { agents: [agent.agent_uuid], events: ['conversation_end_report'] },
						credentials: { acpApi: account },
					},
				]);
			const id = await listening(good);
			const { active } = await host.activate(id, 60_000);
			assert.equal(active, false);
			const refused = (await sandbox.control('GET /ledger?method=POST')).filter(({ path }) =>
				path.endsWith('/webhooks'),
			);
			await sandbox.control('PATCH /settings', {
				manners: { httpsWebhooks: false, refusalsRepeat: false },
			});
			// … and one that it accepts, with the credential's secret.
			assert.equal((await host.activate(id, 60_000)).active, true);
			await host.deactivate(id);
			// … and one that stays published and makes its secret by itself.
			const other = await listening(await credential('No secret', { webhookSecret: '' }));
			assert.equal((await host.activate(other, 60_000)).active, true);
			const [registered] = (await sandbox.api(`GET /agents/${agent.agent_uuid}/webhooks`)).body.data
				.items;
			await workspace.deliver(agent.agent_uuid);
			const [received] = await workspace.started(other, 1);
			assert.equal(received.nodes.Trigger.items[0].json.signatureVerified, true);
			executions.push(
				received,
				await runNode(
					'acpAgents',
					{ resource: 'agentWebhook', operation: 'getAll', agent: byId(agent.agent_uuid) },
					good,
				),
			);
			assert.equal(executions.at(-1)?.status, 'success');
			const callbackTokens = [registered.url, ...refused.map(({ body }) => body.url)].map((url) =>
				new URL(url).searchParams.get('token'),
			);
			assert.ok(callbackTokens.length >= 2);
			const owner = { workflow: other, node: 'trigger', agent: agent.agent_uuid };

			const shown = JSON.stringify(
				await Promise.all(
					executions.map(async (execution) => await host.getExecution(execution.id)),
				),
			);
			await host.stop();
			const secrets = [
				...new Set([
					sandbox.token,
					tokenOf('revoked'),
					tokenOf('forbidden'),
					webhookSecret,
					...callbackTokens,
					secretOf('acp-trigger', 'signature', sandbox.token, owner).toString('hex'),
				]),
			].flatMap((secret) => [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')]);
			const places = new Map([['executions as the editor gets them', Buffer.from(shown)]]);
			for (const file of await filesBelow(join(workspace.folder, 'n8n', '.n8n')))
				if (!file.includes('node_modules'))
					places.set(file.slice(workspace.folder.length), await readFile(file));
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
