/**
 * All that a person needs to build a workflow, for the browser tests and the screenshots: the platform's sandbox,
 * a real n8n with the pack, and its editor in a browser. Needs the development tools (see bootstrap.mjs).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/client.mjs';
import { ensureBuild, ensureHost, ensurePack } from './bootstrap.mjs';
import { startBrowser } from './browser.mjs';
import { Editor } from './editor.mjs';
import { defaultVersion, startHost } from './host.mjs';

/** Prefix of the node types. */
export const pack = 'n8n-nodes-agent-conversation-platform.';

/**
 * @param {{
 *   agents?: number,                             in the sandbox; default a handful
 *   files?: string,                              n8n's working folder, the only one that its nodes may read
 *   viewport?: {width: number, height: number},  of the editor, in pixels
 * }} [options]
 * @returns {Promise<Workbench>}
 */
export async function startWorkbench({
	agents,
	files,
	viewport = { width: 1440, height: 900 },
} = {}) {
	await ensureHost(defaultVersion);
	await ensureBuild();
	const tarball = await ensurePack();
	const bench = new Workbench();
	try {
		bench.sandbox = await startSandbox();
		if (agents) await bench.sandbox.control('POST /reset', { agents });
		bench.folder = await mkdtemp(join(tmpdir(), 'workbench-'));
		bench.host = await startHost({
			userFolder: join(bench.folder, 'n8n'),
			tarball,
			...(files && { workingFolder: files, env: { N8N_RESTRICT_FILE_ACCESS_TO: files } }),
		});
		bench.credential = await bench.host.createCredential({
			name: 'Sandbox workspace',
			type: 'acpApi',
			data: {
				baseUrl: bench.sandbox.url,
				token: bench.sandbox.token,
				timezone: '',
				webhookSecret: '',
			},
		});
		bench.browser = await startBrowser();
		bench.editor = await Editor.open(bench.browser, bench.host, viewport);
		return bench;
	} catch (error) {
		await bench.close();
		throw error;
	}
}

class Workbench {
	/** @type {Awaited<ReturnType<typeof startSandbox>>} */
	sandbox;
	/** @type {string} of n8n's data, gone after `close()` */
	folder;
	/** @type {import('./host.mjs').Host} */
	host;
	/** @type {import('./host-client.mjs').CredentialReference} with the sandbox's token */
	credential;
	/** @type {import('playwright-core').Browser} */
	browser;
	/** @type {Editor} */
	editor;

	/**
	 * Saves a workflow of nodes in a row; the pack's nodes get the credential.
	 * @param {string} name
	 * @param {Array<{name: string, type: string, parameters?: object, typeVersion?: number, webhookId?: string}>} nodes
	 *   types without a package belong to the pack
	 * @returns {Promise<string>} the workflow's id
	 */
	async workflow(name, nodes) {
		const placed = nodes.map(({ type, ...node }, index) => ({
			id: `node-${index}`,
			typeVersion: 1,
			position: [index * 224, 0],
			parameters: {},
			...node,
			...(type.includes('.')
				? { type }
				: { type: pack + type, credentials: { acpApi: this.credential } }),
		}));
		const connections = Object.fromEntries(
			placed
				.slice(1)
				.map(({ name: next }, index) => [
					placed[index].name,
					{ main: [[{ node: next, type: 'main', index: 0 }]] },
				]),
		);
		const { id } = await this.host.createWorkflow({
			name,
			nodes: placed,
			connections,
			settings: { executionOrder: 'v1' },
		});
		return id;
	}

	/** Ends everything, whatever has been started. */
	async close() {
		await this.browser?.close();
		await this.host?.stop();
		await this.sandbox?.stop();
		if (this.folder) await rm(this.folder, { recursive: true, force: true });
	}
}

/** A start for workflows that a person runs. */
export const manualTrigger = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };
