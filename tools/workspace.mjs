/**
 * What tests, benchmarks and screenshots in a real n8n share: a sandbox, an n8n with the package, and the sandbox's
 * credential saved in it.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startSandbox } from '../sandbox/client.mjs';
import {
	cacheFolder,
	ensureHost,
	ensurePack,
	hashOf,
	hostFolder,
	nodeBinary,
	repository,
} from './bootstrap.mjs';
import { ownConnection, until } from './host-client.mjs';
import { defaultVersion, startHost } from './host.mjs';

/** @typedef {import('./host-client.mjs').CredentialReference} CredentialReference */
/** @typedef {import('./host-client.mjs').Execution} Execution */

export { until };

/** What types of this package begin with. */
export const packageName = 'n8n-nodes-agent-conversation-platform.';

/** A start for workflows that a person runs. */
export const manualTrigger = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** A reference by its ID. @param {string} value */
export const byId = (value) => ({ __rl: true, mode: 'id', value });

/**
 * A node of this package.
 * @param {string} name @param {string} type e.g. `acpCalls` @param {string} operation e.g. `call.start`
 * @param {object} [parameters] others @param {object} [more] of the node
 */
export const action = (name, type, operation, parameters = {}, more = {}) => {
	const [resource, value] = operation.split('.');
	return { name, type, parameters: { resource, operation: value, ...parameters }, ...more };
};

/** n8n's node that makes items. @param {string} name @param {string} jsCode @param {object} [more] */
export const code = (name, jsCode, more = {}) => ({
	...{ name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } },
	...more,
});

/** n8n's node that makes an item of a text in JSON. @param {string} name @param {string} jsonOutput */
export const raw = (name, jsonOutput) => ({
	...{ name, type: 'n8n-nodes-base.set', typeVersion: 3.4 },
	parameters: { mode: 'raw', jsonOutput, options: {} },
});

/** n8n's node that a POST starts. @param {string} name @param {string} path @param {string} [responseMode] */
export const webhook = (name, path, responseMode = 'onReceived') => ({
	...{ name, type: 'n8n-nodes-base.webhook', typeVersion: 2 },
	parameters: { httpMethod: 'POST', path, responseMode, options: {} },
});

/** Another program sends JSON. @param {string} url @param {unknown} body @param {RequestInit} [more] */
export const postJson = async (url, body, more = {}) =>
	await fetch(url, {
		method: 'POST',
		headers: { ...ownConnection, 'content-type': 'application/json' },
		body: JSON.stringify(body),
		...more,
	});

/** n8n's node that writes the field `answer`. @param {string} value @param {string} [name] of the node */
export const set = (value, name) => ({
	...(name && { name }),
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: { assignments: [{ id: 'a', name: 'answer', value, type: 'string' }] },
		options: {},
	},
});

/** The leads of `examples/`, as somebody uploads them on the form of the example. */
export const leadsToUpload = async () =>
	new File([await readFile(join(repository, 'examples', 'leads.csv'))], 'leads.csv', {
		type: 'text/csv',
	});

/**
 * A workflow that starts when a conversation of an agent ends.
 * @param {string} agent @param {CredentialReference} credential @param {string} name
 */
export const eventTrigger = (agent, credential, name) => ({
	name,
	nodes: [
		{
			id: 'trigger',
			name: 'Trigger',
			type: `${packageName}acpTrigger`,
			typeVersion: 1.1,
			position: [0, 0],
			webhookId: randomUUID(),
			parameters: {
				agents: [agent],
				events: ['conversation_end_report'],
				options: { signature: 'required' },
			},
			credentials: { acpApi: credential },
		},
	],
	connections: {},
	settings: { executionOrder: 'v1' },
});

/** From each of these nodes to the next. @param {string[]} names */
export const chain = (...names) =>
	Object.fromEntries(
		names
			.slice(1)
			.map((node, index) => [names[index], { main: [[{ node, type: 'main', index: 0 }]] }]),
	);

/** Changes parameters of a node (see `edit`). @param {object} change */
export const withParameters =
	(change) =>
	({ parameters }) => ({ parameters: { ...parameters, ...change } });

const deadline = 60_000;

/** Of what starts by itself an n8n that is shared runs two at a time, the third waits: enough for every example. */
const twoSlots = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' };

/** n8n servers that test files of one process share, by version. @type {Map<string, ReturnType<typeof openPlace>>} */
const shared = new Map();

/**
 * @param {{
 *   settings?: object,             of the sandbox
 *   version?: string,              of n8n
 *   shares?: boolean,              the n8n of others in this process who share
 *   env?: Record<string, string>,  further environment for n8n
 *   node?: string,                 another Node binary for n8n
 *   bare?: boolean,                n8n without editor, Code nodes and optional modules
 *   prepare?: (folder: string) => Promise<Record<string, string>>,   before n8n starts, with the folder of everything;
 *     gives further environment
 *   sandbox?: Awaited<ReturnType<typeof startSandbox>>,   one that is there already
 *   credential?: object,           fields of the credential, beside URL and token
 * }} [options]
 * @returns {Promise<Workspace>}
 */
export async function openWorkspace({
	settings,
	version = defaultVersion,
	shares = false,
	sandbox,
	credential = {},
	...options
} = {}) {
	const place = shares ? { ...options, env: { ...twoSlots, ...options.env } } : options;
	const opening = (shares && shared.get(version)) || openPlace({ version, ...place });
	if (shares) shared.set(version, opening);
	const opened = await opening;
	opened.users += 1;
	const workspace = new Workspace(opened, sandbox ?? (await startSandbox({ settings })));
	workspace.credential = await workspace.newCredential(credential, 'Sandbox workspace');
	return workspace;
}

/** An n8n in a folder of its own. */
async function openPlace({ version, env = {}, node, bare, prepare }) {
	await ensureHost(version);
	const tarball = await ensurePack();
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'host-test-')));
	const files = join(folder, 'files');
	await mkdir(files);
	const prepared = await prepare?.(folder);
	const userFolder = join(folder, 'n8n');
	const begun = begunFolder(version);
	if (existsSync(begun)) await cp(begun, join(userFolder, '.n8n'), { recursive: true });
	const host = await startHost({
		version,
		node,
		bare,
		userFolder,
		workingFolder: files,
		tarball,
		// nodes that read files may read these and nothing else
		env: { N8N_RESTRICT_FILE_ACCESS_TO: files, ...env, ...prepared },
	});
	if (!existsSync(begun)) await keepBegun(host, begun);
	return { folder, files, host, users: 0 };
}

/** What n8n's first start leaves, an owner included: to make its tables takes each n8n three seconds of computing. */
function begunFolder(version) {
	const madeBy = hashOf(['tools/host-client.mjs']).slice(0, 8);
	return join(cacheFolder, 'begun', `${basename(hostFolder(version))}-${madeBy}`);
}

async function keepBegun({ userFolder, version }, begun) {
	await mkdir(dirname(begun), { recursive: true });
	const copy = await mkdtemp(`${begun}-`);
	const [database, config] = ['database.sqlite', 'config'].map((name) => join('.n8n', name));
	// n8n goes on and writes.
	const sql = `VACUUM INTO '${join(copy, 'database.sqlite')}'`;
	const script = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(join(userFolder, database))}).exec(${JSON.stringify(sql)})`;
	await promisify(execFile)(nodeBinary(hostFolder(version)), ['-e', script]);
	await cp(join(userFolder, config), join(copy, 'config'));
	// Another may have been faster.
	await rename(copy, begun).catch(() => rm(copy, { recursive: true }));
}

export class Workspace {
	/** @type {CredentialReference} with the sandbox's token */
	credential;

	/**
	 * @param {Awaited<ReturnType<typeof openPlace>>} place `folder`: of all, gone after `close()`; `files`: folder that n8n
	 *   may read files from, its working folder
	 * @param {Awaited<ReturnType<typeof startSandbox>>} sandbox
	 */
	constructor(place, sandbox) {
		this.place = place;
		this.folder = place.folder;
		this.files = place.files;
		this.host = place.host;
		this.sandbox = sandbox;
	}

	/** The fields of a credential for the sandbox. @param {object} [change] */
	credentialData(change = {}) {
		const { url: baseUrl, token } = this.sandbox;
		return { baseUrl, token, timezone: '', webhookSecret: '', ...change };
	}

	/** @param {object} [change] @returns {Promise<CredentialReference>} */
	async newCredential(change, name = `Sandbox ${randomUUID()}`) {
		const data = this.credentialData(change);
		return await this.host.createCredential({ name, type: 'acpApi', data });
	}

	async changeCredential({ id, name }, change) {
		const data = this.credentialData(change);
		await this.host.updateCredential(id, { name, type: 'acpApi', data });
	}

	/**
	 * A node as n8n keeps it. The package's own get the credential.
	 * @param {any} node its type without a package belongs to this one
	 */
	node({ type, ...node }, index = 0) {
		const own = type.includes('.') ? {} : { credentials: { acpApi: this.credential } };
		return {
			id: randomUUID(),
			typeVersion: /^acp\w*Trigger$/.test(type) ? 1.1 : 1,
			...(/trigger$|webhook$|\.wait$/i.test(type) && { webhookId: randomUUID() }),
			position: [index * 224, 0],
			parameters: {},
			...own,
			...node,
			type: type.includes('.') ? type : packageName + type,
		};
	}

	/**
	 * Saves a workflow of nodes, each the next one's start.
	 * @param {string} name
	 * @param {any[]} nodes see `node`
	 * @param {object} [more] other connections, settings, …
	 * @returns {Promise<string>} the workflow's ID
	 */
	async workflow(name, nodes, more = {}) {
		const all = nodes.map((node, index) => this.node({ name: `Step ${index}`, ...node }, index));
		const { id } = await this.host.createWorkflow({
			name,
			nodes: all,
			connections: chain(...all.map((node) => node.name)),
			settings: { executionOrder: 'v1' },
			...more,
		});
		return id;
	}

	/**
	 * A person edits this package's triggers in a workflow, and saves.
	 * @param {string} id
	 * @param {(node: any) => object} change see `withParameters`
	 */
	async edit(id, change, on = this.host) {
		const saved = await on.getWorkflow(id);
		const nodes = saved.nodes.map((node) =>
			/\.acp\w*Trigger$/.test(node.type) ? { ...node, ...change(node) } : node,
		);
		const isChain = Object.keys(saved.connections).length > 0;
		const connections = isChain ? chain(...nodes.map(({ name }) => name)) : {};
		await on.updateWorkflow(id, { nodes, connections, versionId: saved.versionId });
	}

	/** Publishes a workflow; its triggers are registered then. @param {string} id */
	async publish(id, on = this.host) {
		const { active, error } = await on.activate(id, 2 * deadline);
		assert.equal(active, true, error);
	}

	/** @param {string} id @returns {Promise<string>} what n8n shows when it does not publish a workflow */
	async refused(id, on = this.host) {
		const { active, error } = await on.activate(id, 2 * deadline);
		assert.equal(active, false, 'published, although it should not have been');
		await on.deactivate(id).catch(() => undefined);
		return String(error);
	}

	/**
	 * Entries of a list as the editor shows them.
	 * @param {string} node e.g. `acpCalls`
	 * @param {string} methodName e.g. `searchAgents`
	 * @param {string} path e.g. `parameters.agent`
	 * @returns {Promise<Array<{name: string, value: string}>>}
	 */
	async choices(node, methodName, path) {
		const { results } = await this.host.request(
			'POST',
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				nodeTypeAndVersion: { name: `${packageName}${node}`, version: 1 },
				currentNodeParameters: {},
				methodName,
				path,
				credentials: { acpApi: this.credential },
			},
		);
		return results;
	}

	/** The agent that a reader would choose. @type {{name: string, value: string} | undefined} */
	#agent;

	async agent() {
		this.#agent ??= (await this.choices('acpCalls', 'searchAgents', 'parameters.agent'))[0];
		return this.#agent;
	}

	/** The WhatsApp template that a reader would choose. */
	async template() {
		const all = await this.choices('acpMessages', 'searchWhatsappTemplates', 'parameters.template');
		return all.find(({ name }) => name.includes('hello'));
	}

	/** Has the agent call somebody. @returns {Promise<string>} the conversation */
	async call(number) {
		const order = { agentId: (await this.agent()).value, participant: { number } };
		return (await this.sandbox.api('POST /call', order)).body.data.conversation_uuid;
	}

	/** Waits until a conversation is over. @param {string} uuid @returns {Promise<string>} `uuid` */
	async closed(uuid) {
		await until(
			`conversation ${uuid} to end`,
			async () =>
				(await this.sandbox.control('GET /state/conversations')).find((one) => one.uuid === uuid)
					?.status === 'Closed',
			deadline,
		);
		return uuid;
	}

	/** The platform tells of an event. @returns {Promise<any[]>} one delivery for each webhook */
	async deliver(
		/** @type {string} */ agent,
		data = { number: '+12125550101' },
		event = 'conversation_end_report',
	) {
		return await this.sandbox.control('POST /deliver', { agent, event, data });
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
	 * @returns {Promise<Execution>}
	 * @throws {Error} when it does not succeed
	 */
	async run(workflowId, from) {
		return succeeded(await this.ended(workflowId, from));
	}

	/** As `run`, whatever the end. @param {string} workflowId @param {string} [from] */
	async ended(workflowId, from) {
		const start = from === undefined ? undefined : { triggerToStartFrom: { name: from } };
		return await this.host.waitForExecution(await this.host.run(workflowId, start), 2 * deadline);
	}

	/**
	 * Waits until executions of a workflow have ended.
	 * @param {string} workflowId
	 * @param {number} count how many at least
	 * @returns {Promise<any[]>} without data, newest first; no other is under way, but waiting ones
	 */
	async executions(workflowId, count, mode = /./) {
		return await until(
			`${count} executions of workflow ${workflowId}`,
			async () => {
				const all = (await this.host.listExecutions({ workflowId })).filter((one) =>
					mode.test(one.mode),
				);
				const over = all.filter(({ status }) => !/^(new|running|unknown)$/.test(status));
				return over.length >= count && over.length === all.length && over;
			},
			deadline,
		);
	}

	/**
	 * Waits for executions that events started.
	 * @param {string} workflowId
	 * @param {number} count how many have ended by then
	 * @returns {Promise<Execution[]>} oldest first
	 * @throws {Error} when one of them did not succeed
	 */
	async started(workflowId, count) {
		await until(
			`${count} executions that do not wait`,
			async () =>
				(await this.executions(workflowId, count, /^webhook$/)).every(
					({ status }) => status !== 'waiting',
				),
			deadline,
		);
		const ended = await this.executions(workflowId, count, /^webhook$/);
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

	/** Forgets all workflows, data tables and what the platform had. @param {object} [settings] of the sandbox */
	async begin(settings = {}) {
		for (const { id } of await this.host.listWorkflows()) await this.host.deleteWorkflow(id);
		await this.forgetTables();
		await this.sandbox.control('POST /reset', { settings });
	}

	async forgetTables() {
		const path = await this.host.dataTablesPath();
		const { data } = await this.host.request('GET', path);
		for (const { id } of data) await this.host.request('DELETE', `${path}/${id}`);
	}

	/**
	 * Fills in an example as its notes say, and saves it.
	 * @param {any} example as exported
	 * @param {(node: any) => void} [further] what a reader enters besides
	 * @returns {Promise<string>} the workflow's ID
	 */
	async importExample(example, further) {
		const agent = await this.agent();
		const template = await this.template();
		const { id } = await this.host.importWorkflow(example, this.credential, (node) => {
			further?.(node);
			const { type, parameters } = node;
			// as long as somebody may take to answer is too long for a test
			if (type === 'n8n-nodes-base.wait' && parameters.resume === 'timeInterval')
				parameters.amount = 0;
			for (const holder of [parameters, parameters.filters ?? {}])
				if (holder.agent?.value === '') holder.agent = chosen(agent);
			if (parameters.agents?.length === 0) parameters.agents = [agent.value];
			if (parameters.template?.value === '') parameters.template = chosen(template);
		});
		return id;
	}

	async close() {
		await this.sandbox.stop();
		if (--this.place.users > 0) return;
		shared.delete(this.host.version);
		await this.host.stop();
		await rm(this.folder, { recursive: true, force: true });
	}

	/** Ends n8n alone, without waiting for executions that nobody needs. */
	async kill() {
		await this.host.kill();
		await rm(this.folder, { recursive: true, force: true });
	}
}

/** What a list's entry becomes when it is chosen. @param {{name: string, value: string}} entry */
export const chosen = ({ name: cachedResultName, value }) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});

/** @param {Execution} execution @throws {Error} which node did not succeed, and what n8n shows */
export function succeeded(execution) {
	if (execution.status === 'success') return execution;
	const { node, message, description } = execution.error ?? {};
	throw new Error(
		`Execution ${execution.id} ended with "${execution.status}" in ${node?.name ?? 'no node'}: ${message} ${description ?? ''}`,
	);
}
