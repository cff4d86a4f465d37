/** How the works of the benchmark run a workflow and read what n8n and the sandbox say about it. */
import { readdirSync, readFileSync } from 'node:fs';
import { action, code, manualTrigger } from '../../tools/workspace.mjs';

/** @typedef {import('../../tools/workspace.mjs').Workspace} Workspace */

const minute = 60_000;
export const round = (value, digits = 2) => Number(value.toFixed(digits));
export const seconds = (milliseconds) => `${round(milliseconds / 1000)} s`;
export const percentile = (values, share) =>
	[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** A node that makes items. @param {string} jsCode */
export const items = (jsCode) => code('Items', jsCode);

/** The node that does the work. @param {string} type @param {string} operation @param {object} parameters */
export const work = (type, operation, parameters) => action('Work', type, operation, parameters);

/** The columns of a mapper, filled in by hand. @param {Record<string, string>} value @param {string} required */
export const mapped = (value, required) => ({
	mappingMode: 'defineBelow',
	value,
	schema: Object.keys(value).map((id) => ({
		...{ id, displayName: id, display: true, type: 'string' },
		...{ required: id === required, defaultMatch: false },
	})),
});

/** n8n's HTTP Request node with the same credential. @param {Workspace} workspace @param {string} [body] JSON */
export const httpRequest = ({ credential, sandbox }, path, body, options = {}) => ({
	name: 'Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	credentials: { acpApi: credential },
	parameters: {
		method: body ? 'POST' : 'GET',
		url: `=${sandbox.url}/api/v1${path}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'acpApi',
		...(body ? { sendBody: true, specifyBody: 'json', jsonBody: body } : {}),
		options,
	},
});

/** The same node changing the contact of an item. @param {Workspace} workspace @param {string} body JSON */
export const changing = (workspace, body) => {
	const { parameters, ...node } = httpRequest(workspace, '/contacts/{{ $json.contact }}', body);
	return { ...node, parameters: { ...parameters, method: 'PUT' } };
};

/** Options of the HTTP Request node for reading all pages of a list. */
export const allPages = {
	pagination: {
		pagination: {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
			paginationCompleteWhen: 'other',
			completeExpression:
				'={{ $response.body.data.current_page >= $response.body.data.last_page }}',
			limitPagesFetched: false,
			requestInterval: 0,
		},
	},
};

/**
 * The sandbox anew, with limits and settings of its own.
 * @param {Workspace['sandbox']} sandbox
 * @param {{send?: object, general?: object, latencyMs?: number, manners?: object}} [settings]
 * @param {object} [records] how many agents or contacts
 */
export async function begin(sandbox, { send, general, ...settings } = {}, records = {}) {
	const rate = {
		send: { limit: 5, windowMs: 1000, algorithm: 'token-bucket', othersPerSecond: 0, ...send },
		general: { limit: 60_000, windowMs: minute, algorithm: 'fixed-window', ...general },
	};
	await sandbox.control('POST /reset', { ...records, settings: { rate, ...settings } });
}

const statusOf = (pid, name) => {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8');
	} catch {
		// It ended meanwhile.
		return '';
	}
};

/** The processes of a group, with what the kernel tells of each. n8n and what it starts are one (`tools/host.mjs`). */
const processesOf = (group) =>
	readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map((pid) => ({ pid, told: statusOf(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [] }))
		.filter(({ told }) => Number(told[2]) === group);

/** What a group has computed, in milliseconds. A tick is a hundredth of a second. */
export const cpuOf = (group) =>
	processesOf(group).reduce((sum, { told }) => sum + 10 * (Number(told[11]) + Number(told[12])), 0);

/** Memory of all processes of a group, in megabytes. */
export const memoryOf = (group) =>
	processesOf(group)
		.map(({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid, 'status'))?.[1] ?? 0) / 1024)
		.reduce((sum, memory) => sum + memory, 0);

/** An execution at its end; n8n may be too busy with expressions to answer before. */
async function ended(host, id) {
	for (;;) {
		try {
			return await host.waitForExecution(id, 10 * minute);
		} catch (error) {
			if (error.message !== 'fetch failed') throw error;
		}
	}
}

/** What tells two requests of a work apart. */
const aboutOf = (body) => body.phoneNumber ?? body.content ?? JSON.stringify(body);

/**
 * Runs a workflow once: items, then the nodes that do the work.
 * @param {Workspace} workspace @param {any[]} nodes
 * @param {string} [path] of the requests that count; all without
 */
export async function measure(workspace, nodes, path) {
	const { host, sandbox } = workspace;
	await sandbox.control('DELETE /ledger');
	const id = await workspace.workflow('Bench', [manualTrigger, ...nodes]);
	let peak = 0;
	const watch = setInterval(() => (peak = Math.max(peak, memoryOf(host.process.pid))), 50);
	const execution = await ended(host, await host.run(id)).finally(() => clearInterval(watch));
	if (execution.status !== 'success') throw new Error(execution.error?.message);
	await host.deleteWorkflow(id);
	const results = nodes.slice(1).map(({ name }) => execution.nodes[name]);
	const ledger = await sandbox.control(`GET /ledger${path ? `?path=${path}` : ''}`);
	const created = ledger.filter(({ effect }) => effect === 'created').map(({ body }) => body);
	const times = ledger.filter(({ status }) => status < 300).map(({ at }) => Number(new Date(at)));
	const took = (Math.max(...times) - Math.min(...times)) / 1000;
	return {
		time: results.reduce((sum, { runs }) => sum + runs[0].executionTime, 0),
		peak: Math.round(peak),
		items: results.at(-1).items.length,
		requests: ledger.length,
		rejected: ledger.filter(({ status }) => status === 429).length,
		created: created.length,
		/** As many as were created, where nothing was created twice. */
		different: new Set(created.map(aboutOf)).size,
		mostInFlight: Math.max(0, ...ledger.map(({ inFlight }) => inFlight ?? 0)),
		perSecond: times.length > 1 ? (times.length - 1) / took : 0,
	};
}
