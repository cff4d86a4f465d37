/** What the host tests share: a sandbox and a real n8n with the package, the sandbox's credential saved in it. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHost, ensurePack } from '../../../tools/bootstrap.mjs';
import { until } from '../../../tools/host-client.mjs';
import { defaultVersion, startHost } from '../../../tools/host.mjs';
import { startSandbox } from '../../../sandbox/client.mjs';

/** What types of this package begin with. */
export const packageName = 'n8n-nodes-agent-conversation-platform.';

const deadline = 60_000;

/**
 * @param {{settings?: object}} [options] settings of the sandbox
 * @returns {Promise<Workspace>}
 */
export async function openWorkspace({ settings } = {}) {
	await ensureHost(defaultVersion);
	const tarball = await ensurePack();
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'host-test-')));
	const files = join(folder, 'files');
	await mkdir(files);
	const sandbox = await startSandbox({ settings });
	try {
		const host = await startHost({
			userFolder: join(folder, 'n8n'),
			workingFolder: files,
			tarball,
			// nodes that read files may read these and nothing else
			env: { N8N_RESTRICT_FILE_ACCESS_TO: files },
		});
		const credential = await host.createCredential({
			name: 'Sandbox workspace',
			type: 'acpApi',
			data: { baseUrl: sandbox.url, token: sandbox.token, timezone: '', webhookSecret: '' },
		});
		return new Workspace({ folder, files, sandbox, host, credential });
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}

class Workspace {
	/**
	 * @param {{folder: string, files: string, sandbox: Awaited<ReturnType<typeof
	 * startSandbox>>, host: import('../../../tools/host.mjs').Host, credential:
	 * import('../../../tools/host-client.mjs').CredentialReference}} parts
	 */
	constructor(parts) {
		Object.assign(this, parts);
		/** Folder that n8n may read files from; its working folder. @type {string} */
		this.files = parts.files;
		this.sandbox = parts.sandbox;
		this.host = parts.host;
		this.credential = parts.credential;
		this.folder = parts.folder;
	}

	/**
	 * Entries of a list as the editor shows them.
	 * @param {string} node e.g. `acpCalls`
	 * @param {string} methodName e.g. `searchAgents`
	 * @param {string} path e.g. `parameters.agent`
	 * @returns {Promise<Array<{name: string, value: string}>>}
	 */
	async choices(node, methodName, path) {
		const { results } = await this.host.listSearch({
			type: `${packageName}${node}`,
			methodName,
			path,
			credentials: { acpApi: this.credential },
		});
		return results;
	}

	/**
	 * What the sandbox has really done, oldest first.
	 * @param {string} path below /api/v1, e.g. `/sms/send`
	 * @returns {Promise<any[]>} the ledger's entries with the effect `created`
	 */
	async created(path) {
		const ledger = await this.sandbox.control(`GET /ledger?path=${path}&method=POST`);
		return ledger.filter(({ effect }) => effect === 'created');
	}

	/**
	 * Runs a workflow to its end.
	 * @param {string} workflowId
	 * @param {string} [from] the trigger's name
	 * @returns {Promise<import('../../../tools/host-client.mjs').Execution>}
	 * @throws {Error} when it does not succeed
	 */
	async run(workflowId, from) {
		const id = await this.host.run(
			workflowId,
			from === undefined ? undefined : { triggerToStartFrom: { name: from } },
		);
		return succeeded(await this.host.waitForExecution(id, deadline));
	}

	/**
	 * Waits for executions that events started.
	 * @param {string} workflowId
	 * @param {number} count how many have ended by then
	 * @returns {Promise<import('../../../tools/host-client.mjs').Execution[]>} oldest first
	 * @throws {Error} when one of them did not succeed
	 */
	async started(workflowId, count) {
		const ended = await until(
			`${count} executions of workflow ${workflowId}`,
			async () => {
				const all = (await this.host.listExecutions({ workflowId })).filter(
					({ mode }) => mode === 'webhook',
				);
				return (
					all.length >= count &&
					all.every(({ status }) => !['new', 'running', 'waiting', 'unknown'].includes(status)) &&
					all
				);
			},
			deadline,
		);
		const executions = await Promise.all(
			ended.map(async ({ id }) => succeeded(await this.host.getExecution(id))),
		);
		return executions.sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** @param {string} name of a data table @returns {Promise<Array<Record<string, any>>>} its rows */
	async rows(name) {
		const table = await this.host.findDataTable(name);
		if (!table) throw new Error(`There is no data table "${name}".`);
		return await this.host.dataTableRows(table.id);
	}

	async close() {
		await this.host.stop();
		await this.sandbox.stop();
		await rm(this.folder, { recursive: true, force: true });
	}
}

/**
 * @param {import('../../../tools/host-client.mjs').Execution} execution
 * @throws {Error} which node did not succeed, and what n8n shows
 */
export function succeeded(execution) {
	if (execution.status === 'success') return execution;
	const { node, message, description } = execution.error ?? {};
	throw new Error(
		`Execution ${execution.id} ended with "${execution.status}" in ${node?.name ?? 'no node'}: ${message} ${description ?? ''}`,
	);
}
