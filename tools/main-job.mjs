/** The main job itself; see scripts/start.mjs. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ClearError, Interrupted, nodeBinary, repository } from './bootstrap.mjs';
import { DeadlineError, owner, until } from './host-client.mjs';
import { defaultVersion, startHost } from './host.mjs';
import { leadsToUpload } from './leads.mjs';

/** The n8n that the main job runs in. */
export const hostVersion = defaultVersion;

const callingExample = 'call-new-leads-and-record-the-outcome.json';
const answeringExample = 'tell-the-caller-where-the-order-is.json';
const credentialName = 'Sandbox workspace';
const nodeTypes = 'n8n-nodes-agent-conversation-platform.';
const outcomesDeadline = 120_000;

/** Names of the examples' nodes and columns that are needed here. */
const ordersNode = 'Run Once';
const leadsNode = 'Leads';
const callingNode = 'Start a Call';
const callingNote = 'Note 1';
const outcomesTable = 'Lead calls';
const columns = /** @type {const} */ ([
	'lead',
	'number',
	'call',
	'status',
	'seconds',
	'success',
	'answered',
]);
/** Columns that say what came of a call: the first is read from its conversation, the other from its evaluation. */
const outcome = ['status', 'success'];
/**
 * One of the leads asks about an order in the middle of the call, and the second workflow answers
 * (`sandbox/settings.mjs`, `intents`).
 */
const conversations = {
	call: { outcomeByNumber: { '0105': 'interested' }, ringMs: 20_000 },
	intents: { duringCallsMs: 300, saidByNumber: { '0105': { order_number: '4711' } } },
};
const hasOutcome = (/** @type {Record<string, unknown>} */ row) =>
	outcome.every((column) => row[column]);

/**
 * @param {{
 *   once: boolean,        end after the table instead of at Ctrl-C
 *   port: number,         of n8n; 0 = any free port
 *   sandboxPort: number,  of the sandbox; 0 = any free port
 *   state: string,        folder for n8n's data
 *   tarball: string,      the packed pack
 *   progress: import('./progress.mjs').Progress,
 * }} options
 * @returns {Promise<number>} the exit code: 0 when every lead has an outcome
 * @throws {ClearError} one line that says which step did not work, or that it was stopped
 */
export async function runMainJob({ once, port, sandboxPort, state, tarball, progress }) {
	/** @type {Array<() => Promise<void>>} */
	const cleanups = [];
	const cleanUp = async () => {
		for (const step of cleanups.splice(0).reverse()) await step();
	};
	const interrupted = new Promise((resolveInterrupt) => {
		for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
			process.on(signal, () => resolveInterrupt('interrupted'));
	});
	try {
		const work = (async () => {
			const sandbox = await progress.step('sandbox', () => startSandbox(sandboxPort));
			cleanups.push(sandbox.stop);
			const { folder, files } = await prepareState(state);
			const host = await progress.step('start', () =>
				startHost({
					version: hostVersion,
					userFolder: join(folder, 'n8n'),
					workingFolder: files,
					port,
					tarball,
					// nodes that read files may read nothing else
					env: { N8N_RESTRICT_FILE_ACCESS_TO: files },
				}),
			);
			cleanups.push(() => host.stop());
			const workflowId = await progress.step('import', () => provision(host, sandbox, folder));
			const { url: formUrl } = await host.formOf(workflowId);
			await fetch(`${sandbox.url}/_sandbox/settings`, {
				method: 'PATCH',
				body: JSON.stringify({ page: { formUrl } }),
			});
			const calls = await progress.step('run', () => callTheLeads(host, workflowId));
			return { host, sandbox, workflowId, formUrl, calls: await withAnswers(sandbox, calls) };
		})();
		// an interrupt before the end is not an error of the work
		work.catch(() => {});
		const done = await Promise.race([work, interrupted]);
		if (done === 'interrupted') throw new Interrupted();
		const { host, sandbox, workflowId, formUrl, calls } = done;
		const missing = calls.filter((call) => !hasOutcome(call)).length;
		printTable(calls);
		console.log(
			missing === 0
				? `\nEvery one of the ${calls.length} leads has an outcome.`
				: `\n${missing} of ${calls.length} leads have no outcome.`,
		);
		if (!once) {
			console.log('\nThose calls ran by themselves. Now you are the customer:\n');
			console.log(`Phones   ${sandbox.page}   open it and press "Call me": a phone rings`);
			console.log(`Form     ${formUrl}   upload examples/leads.csv: your phones ring`);
			console.log(`Editor   ${host.url}/workflow/${workflowId}`);
			console.log(`Login    ${owner.email}  ${owner.password}`);
			console.log(`Sandbox  ${sandbox.url}`);
			console.log('\nCtrl-C ends both.');
			await interrupted;
		}
		return missing === 0 ? 0 : 1;
	} finally {
		await cleanUp();
	}
}

/**
 * @param {number} port
 * @returns {Promise<{url: string, token: string, page: string, stop: () => Promise<void>}>}
 */
async function startSandbox(port) {
	const child = spawn(
		nodeBinary(),
		[
			join(repository, 'sandbox', 'main.mjs'),
			'--port',
			String(port),
			'--settings',
			JSON.stringify(conversations),
		],
		// a group of its own: Ctrl-C is for us, who end it after n8n
		{ stdio: ['ignore', 'pipe', 'pipe'], detached: true },
	);
	const killWithUs = () => child.kill('SIGKILL');
	process.once('exit', killWithUs);
	let output = '';
	let problems = '';
	child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
	child.stderr.setEncoding('utf8').on('data', (chunk) => (problems += chunk));
	const running = () => child.exitCode === null && child.signalCode === null;
	const line = await until(
		'the sandbox to listen',
		async () => {
			if (!running())
				throw new ClearError(`The sandbox did not start: ${problems.trim().split('\n')[0]}`);
			return output.includes('\n') && output.split('\n')[0];
		},
		20_000,
		20,
	);
	const { url, token, page } = JSON.parse(line);
	return {
		url,
		token,
		page,
		async stop() {
			child.kill('SIGTERM');
			await until('the sandbox to end', async () => !running(), 10_000, 20);
			process.removeListener('exit', killWithUs);
		},
	};
}

/**
 * @param {string} state
 * @returns {Promise<{folder: string, files: string}>} absolute, without symbolic links: n8n refuses those
 */
async function prepareState(state) {
	const wanted = resolve(repository, state);
	await mkdir(join(wanted, 'files'), { recursive: true });
	const folder = await realpath(wanted);
	// a first start that was stopped may have left half a database
	const n8n = join(folder, 'n8n');
	const isFirst = join(folder, firstStart);
	if (existsSync(isFirst)) await rm(n8n, { recursive: true, force: true });
	if (!existsSync(n8n)) await writeFile(isFirst, '');
	const files = join(folder, 'files');
	return { folder, files };
}

/** Stands beside n8n's data until everything is imported for the first time. */
const firstStart = 'first-start';

/**
 * Credential and both example workflows, published. What an earlier start left is used again.
 * @param {import('./host.mjs').Host} host
 * @param {{url: string, token: string}} sandbox
 * @param {string} folder
 * @returns {Promise<string>} the id of the workflow that calls the leads
 */
async function provision(host, sandbox, folder) {
	const credential = await saveCredential(host, sandbox);
	const test = await host.testCredential(credential.id);
	if (test.status !== 'OK')
		throw new ClearError(`The credential's test did not succeed: ${test.message}`);
	const answering = await provisionExample(host, credential, folder, answeringExample);
	const orders = { triggerToStartFrom: { name: ordersNode } };
	await host.waitForExecution(await host.run(answering, orders));
	await publish(host, answering);
	const calling = await provisionExample(host, credential, folder, callingExample);
	await publish(host, calling);
	await rm(join(folder, firstStart), { force: true });
	return calling;
}

/**
 * @param {import('./host.mjs').Host} host
 * @param {{id: string, name: string}} credential
 * @param {string} folder
 * @param {string} name of the file
 * @returns {Promise<string>} the id of its workflow, which is still to be published
 */
async function provisionExample(host, credential, folder, name) {
	const source = JSON.parse(await readFile(join(repository, 'examples', name), 'utf8'));
	const workflow = name === callingExample ? forTheDemo(source) : source;
	const fingerprint = createHash('sha256').update(JSON.stringify(workflow)).digest('hex');
	const memory = join(
		folder,
		`state${name === callingExample ? '' : `-${name.slice(0, -5)}`}.json`,
	);
	const remembered = await readJson(memory);
	const existing = (await host.listWorkflows()).find(({ id }) => id === remembered?.workflowId);
	if (existing && remembered.fingerprint === fingerprint) {
		// this sandbox is a new one and knows nothing of the webhook that was registered with the last
		await host.deactivate(existing.id);
		return existing.id;
	}
	if (existing) await host.deleteWorkflow(existing.id);
	const agent = await firstAgent(host, credential);
	const { id } = await host.importWorkflow(workflow, {
		credentials: { acpApi: credential },
		change(node) {
			const { parameters } = node;
			if (parameters.agent?.value === '')
				parameters.agent = {
					__rl: true,
					mode: 'list',
					value: agent.value,
					cachedResultName: agent.name,
				};
			if (parameters.agents?.length === 0) parameters.agents = [agent.value];
		},
	});
	await writeFile(memory, JSON.stringify({ workflowId: id, fingerprint }));
	return id;
}

const demoNote = `## 1. Call the leads
Open the phones (\`npm start\` has printed the URL). Then *Execute workflow* **from Leads File**, and upload \`examples/leads.csv\`:
the phones ring. Pick up, talk, hang up.

Each upload calls again. A retry of the same execution calls nobody twice. If each lead may be called only once, whoever uploads the
file: *Request Key* of *Start a Call*, \`new-lead-{{ $json.phone_number }}\`.`;

/**
 * The calling example as the demo has it: no samples in place of calls, since nobody is called for real, and every
 * upload calls anew.
 * @param {any} workflow
 */
function forTheDemo({ pinData: _samples, ...workflow }) {
	for (const node of workflow.nodes) {
		delete node.parameters.options?.requestKey;
		if (node.name === callingNode) delete node.notes;
		if (node.name === callingNote) node.parameters.content = demoNote;
	}
	return workflow;
}

/**
 * @param {import('./host.mjs').Host} host
 * @param {{url: string, token: string}} sandbox
 */
async function saveCredential(host, sandbox) {
	const credential = {
		name: credentialName,
		type: 'acpApi',
		data: { baseUrl: sandbox.url, token: sandbox.token, timezone: '', webhookSecret: '' },
	};
	const existing = (await host.listCredentials()).find(({ name }) => name === credentialName);
	if (!existing) return await host.createCredential(credential);
	await host.updateCredential(existing.id, credential);
	return { id: existing.id, name: existing.name };
}

/**
 * The agent that a person would choose in the node's own list.
 * @param {import('./host.mjs').Host} host
 * @param {{id: string, name: string}} credential
 */
async function firstAgent(host, credential) {
	const { results } = await host.listSearch({
		type: `${nodeTypes}acpCalls`,
		methodName: 'searchAgents',
		path: 'parameters.agent',
		parameters: { resource: 'call', operation: 'start' },
		credentials: { acpApi: credential },
	});
	if (results.length === 0) throw new ClearError('The workspace has no agent to call with.');
	return results[0];
}

/**
 * @param {import('./host.mjs').Host} host
 * @param {string} workflowId
 */
async function publish(host, workflowId) {
	const { active, error } = await host.activate(workflowId);
	if (!active) throw new ClearError(`The workflow could not be published: ${error}`);
}

/**
 * Uploads the leads on the workflow's form and waits for the outcomes.
 * @param {import('./host.mjs').Host} host
 * @param {string} workflowId
 * @returns {Promise<Array<Record<typeof columns[number], string | number>>>}
 *   one per lead, in the file's order; what has not arrived is empty
 */
async function callTheLeads(host, workflowId) {
	const earlier = await host.findDataTable(outcomesTable);
	if (earlier) await host.clearDataTable(earlier.id);
	const execution = await host.waitForExecution(
		await host.submitForm(workflowId, [await leadsToUpload()]),
	);
	if (execution.status !== 'success')
		throw new ClearError(
			`The workflow ended with "${execution.status}"${
				execution.error
					? ` in ${execution.error.node?.name ?? 'a node'}: ${execution.error.message}`
					: ''
			}`,
		);
	const leads = execution.nodes[leadsNode].items.map((item) => item.json);
	const table = await host.findDataTable(outcomesTable);
	if (!table) throw new Error(`The workflow left no data table "${outcomesTable}"`);
	let rows = await host.dataTableRows(table.id);
	const everyOutcome = async () => {
		rows = await host.dataTableRows(table.id);
		return leads.every((lead) =>
			rows.some((row) => row.number === lead.phone_number && hasOutcome(row)),
		);
	};
	try {
		await until('every outcome', everyOutcome, outcomesDeadline, 200);
	} catch (error) {
		// the table shows which ones are missing
		if (!(error instanceof DeadlineError)) throw error;
	}
	return leads.map((lead) => {
		const row = rows.find(({ number }) => number === lead.phone_number);
		return {
			lead: lead.name,
			number: lead.phone_number,
			call: row?.call ?? '',
			status: row?.status ?? '',
			seconds: row?.seconds ?? '',
			success: row?.success ?? '',
			answered: '',
		};
	});
}

/**
 * Adds what the agent spoke of the answer of the second workflow, where it asked during a call.
 * @param {{url: string}} sandbox
 * @param {Awaited<ReturnType<typeof callTheLeads>>} calls
 */
async function withAnswers(sandbox, calls) {
	const asked = await (await fetch(`${sandbox.url}/_sandbox/intents`)).json();
	return calls.map((row) => {
		const spoken = asked.find(
			(/** @type {any} */ entry) => entry.conversationUuid === row.call,
		)?.spoken;
		return { ...row, answered: spoken ? `"${spoken}"` : '' };
	});
}

/** @param {Array<Record<string, string | number>>} rows */
function printTable(rows) {
	const width = (/** @type {string} */ column) =>
		Math.max(column.length, ...rows.map((row) => String(row[column]).length));
	const line = (/** @type {(column: string) => string | number} */ cell) =>
		columns
			.map((column) =>
				column === 'seconds'
					? String(cell(column)).padStart(width(column))
					: String(cell(column)).padEnd(width(column)),
			)
			.join('  ')
			.trimEnd();
	console.log();
	console.log(line((column) => column));
	console.log(line((column) => '─'.repeat(width(column))));
	for (const row of rows)
		console.log(
			line((column) => row[column] || (outcome.includes(column) ? '(none)' : row[column])),
		);
}

/** @param {string} file */
async function readJson(file) {
	try {
		return JSON.parse(await readFile(file, 'utf8'));
	} catch {
		return undefined;
	}
}
