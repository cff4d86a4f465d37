/** The demo itself; see scripts/start.mjs. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startSandbox } from '../sandbox/client.mjs';
import { ClearError, Interrupted, interruptions, nodeBinary, repository } from './bootstrap.mjs';
import { contentOf } from './files.mjs';
import { DeadlineError, owner, until } from './host-client.mjs';
import { startHost } from './host.mjs';
import { leadsToUpload, Workspace } from './workspace.mjs';

const callingExample = 'call-new-leads-and-record-the-outcome';
const answeringExample = 'tell-the-caller-where-the-order-is';
const credentialName = 'Sandbox workspace';
const outcomesDeadline = 120_000;

/** Names of the examples' nodes and columns that are needed here. */
const ordersNode = 'Run Once';
const leadsNode = 'Leads';
const callingNode = 'Start a Call';
const callingNote = 'Note 1';
const uploadForm = 'Leads File';
const outcomesTable = 'Lead calls';
const columns = ['lead', 'number', 'call', 'status', 'seconds', 'success', 'answered'];
/** Columns that say what came of a call: the first is read from its conversation, the other from its evaluation. */
const outcome = ['status', 'success'];
/**
 * One of the leads asks about an order in the middle of the call, and the second workflow answers
 * (`sandbox/settings.mjs`, `intents`).
 */
const conversations = {
	call: { outcomeByNumber: { '0105': 'interested' }, ringMs: 20_000, keepsHours: true },
	intents: { duringCallsMs: 300, saidByNumber: { '0105': { order_number: '4711' } } },
};
const hasOutcome = (row) => outcome.every((column) => row[column]);

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
export async function runDemo({ once, port, sandboxPort, state, tarball, progress }) {
	/** @type {Array<() => Promise<void>>} */
	const cleanups = [];
	const interrupted = new Promise((resolveInterrupt) => {
		for (const signal of interruptions) process.on(signal, () => resolveInterrupt('interrupted'));
	});
	const work = async () => {
		const sandbox = await progress.step('sandbox', () =>
			startSandbox({
				seed: null,
				settings: conversations,
				port: sandboxPort,
				node: nodeBinary(),
				// Ctrl-C is for us, who end it after n8n
				detached: true,
			}),
		);
		cleanups.push(() => sandbox.stop());
		const { folder, files, password } = await prepareState(state);
		const host = await progress.step('start', () =>
			startHost({
				userFolder: join(folder, 'n8n'),
				workingFolder: files,
				port,
				tarball,
				password,
				// nodes that read files may read nothing else
				env: { N8N_RESTRICT_FILE_ACCESS_TO: files },
			}),
		);
		cleanups.push(() => host.stop());
		const workspace = new Workspace({ folder, files, host, users: 1 }, sandbox);
		const id = await progress.step('import', () => provision(workspace));
		const { url: formUrl } = await host.formOf(id);
		await sandbox.control('PATCH /settings', { page: { formUrl } });
		const calls = await progress.step('run', () => callTheLeads(workspace, id));
		return { host, sandbox, id, formUrl, calls };
	};
	try {
		const working = work();
		// an interrupt before the end is not an error of the work
		working.catch(() => {});
		const done = await Promise.race([working, interrupted]);
		if (done === 'interrupted') throw new Interrupted();
		const { host, sandbox, id, formUrl, calls } = done;
		const missing = calls.filter((call) => !hasOutcome(call)).length;
		console.log();
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
			console.log(`Editor   ${host.url}/workflow/${id}`);
			console.log(`Login    ${owner.email}  ${host.password}`);
			console.log(`Sandbox  ${sandbox.url}`);
			console.log('\nCtrl-C ends both.');
			await interrupted;
		}
		return missing === 0 ? 0 : 1;
	} finally {
		for (const cleanUp of cleanups.reverse()) await cleanUp();
	}
}

/** Stands beside n8n's data until everything is imported for the first time. */
const firstStart = 'first-start';

/**
 * The owner's password: a web page that knew it could sign in, because n8n answers under any name that leads here.
 * @param {string} file
 */
async function passwordIn(file) {
	const made = `A1${randomBytes(12).toString('base64url')}`;
	await writeFile(file, made, { mode: 0o600, flag: 'wx' }).catch((error) => {
		if (error.code !== 'EEXIST') throw error;
	});
	return await readFile(file, 'utf8');
}

/**
 * @param {string} state
 * @returns {Promise<{folder: string, files: string, password: string}>} absolute, without symbolic links: n8n refuses
 *   those
 */
async function prepareState(state) {
	const wanted = resolve(repository, state);
	await mkdir(join(wanted, 'files'), { recursive: true });
	const folder = await realpath(wanted);
	// a first start that was stopped may have left half a database
	const n8n = join(folder, 'n8n');
	const isFirst = join(folder, firstStart);
	if (existsSync(isFirst)) await rm(n8n, { recursive: true, force: true });
	const password = join(folder, 'password');
	const isOlder = existsSync(n8n) && !existsSync(password);
	if (!existsSync(n8n)) await writeFile(isFirst, '');
	return {
		folder,
		files: join(folder, 'files'),
		// One that was made before each had a password of its own keeps the one it has.
		password: isOlder ? owner.password : await passwordIn(password),
	};
}

/**
 * Credential and both example workflows, published. What an earlier start left is used again.
 * @param {Workspace} workspace
 * @returns {Promise<string>} the id of the workflow that calls the leads
 */
async function provision(workspace) {
	const { host, folder } = workspace;
	const saved = (await host.listCredentials()).find(({ name }) => name === credentialName);
	if (saved) await workspace.changeCredential(saved, {});
	workspace.credential = saved ?? (await workspace.newCredential({}, credentialName));
	const { status, message } = await host.testCredential(workspace.credential.id);
	if (status !== 'OK') throw new ClearError(`The credential's test did not succeed: ${message}`);
	const answering = await provisionExample(workspace, answeringExample);
	await workspace.ended(answering, ordersNode);
	const calling = await provisionExample(workspace, callingExample);
	for (const id of [answering, calling]) {
		const { active, error } = await host.activate(id);
		if (!active) throw new ClearError(`The workflow could not be published: ${error}`);
	}
	await rm(join(folder, firstStart), { force: true });
	return calling;
}

/**
 * @param {Workspace} workspace
 * @param {string} name of the example
 * @returns {Promise<string>} the id of its workflow, which is still to be published
 */
async function provisionExample(workspace, name) {
	const { host, folder } = workspace;
	const source = contentOf('examples', `${name}.json`);
	const example = forTheDemo(JSON.parse(source));
	const fingerprint = createHash('sha256').update(JSON.stringify(example)).digest('hex');
	const memory = join(folder, `${name}.json`);
	const remembered = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
	const existing = (await host.listWorkflows()).find(({ id }) => id === remembered.id);
	if (existing && remembered.fingerprint === fingerprint) {
		// this sandbox is a new one and knows nothing of the webhook that was registered with the last
		await host.deactivate(existing.id);
		return existing.id;
	}
	if (existing) await host.deleteWorkflow(existing.id);
	const id = await workspace.importExample(example);
	await writeFile(memory, JSON.stringify({ id, fingerprint }));
	return id;
}

const demoNote = `## 1. Call the leads
Open the phones (\`npm start\` has printed the URL). Then *Execute workflow* **from Leads File**, and upload \`examples/leads.csv\`:
the phones ring. Pick up, talk, hang up.

Each upload calls again. A retry of the same execution calls nobody twice. If each lead may be called only once, whoever uploads the
file: *Request Key* of *Start a Call*, \`new-lead-{{ $json.phone_number }}\`.`;

/** The example's own form says that every lead is called once: its request key sees to that. */
const demoForm =
	'A CSV file with the columns name, phone_number and interest. Each upload calls every lead again.';

/**
 * The calling example as the demo has it: no samples in place of calls, since nobody is called for real, and every
 * upload calls anew. The other one stays as it is.
 * @param {any} workflow
 */
export function forTheDemo(workflow) {
	const named = (wanted) => workflow.nodes.find(({ name }) => name === wanted);
	const calling = named(callingNode);
	if (!calling) return workflow;
	delete calling.parameters.options?.requestKey;
	delete calling.notes;
	named(callingNote).parameters.content = demoNote;
	named(uploadForm).parameters.formDescription = demoForm;
	return { ...workflow, pinData: undefined };
}

/**
 * Uploads the leads on the workflow's form and waits for the outcomes.
 * @param {Workspace} workspace @param {string} id of the workflow
 * @returns {Promise<Array<Record<string, string | number>>>} one per lead, in the file's order; what has not arrived is
 *   empty. `answered` is what the agent spoke of the answer of the second workflow, where it asked during a call.
 */
async function callTheLeads({ host, sandbox }, id) {
	const earlier = await host.findDataTable(outcomesTable);
	if (earlier) await host.clearDataTable(earlier.id);
	const { status, error, nodes } = await host.waitForExecution(
		await host.submitForm(id, [await leadsToUpload()]),
	);
	const said = error ? ` in ${error.node?.name ?? 'a node'}: ${error.message}` : '';
	if (status !== 'success') throw new ClearError(`The workflow ended with "${status}"${said}`);
	const leads = nodes[leadsNode].items.map(({ json }) => json);
	const table = await host.findDataTable(outcomesTable);
	if (!table) throw new Error(`The workflow left no data table "${outcomesTable}"`);
	/** @type {Array<Record<string, any>>} */
	let rows = [];
	const rowOf = (lead) => rows.find((row) => row.number === lead.phone_number);
	const everyOutcome = async () => {
		rows = await host.dataTableRows(table.id);
		return leads.every((lead) => hasOutcome(rowOf(lead) ?? {}));
	};
	try {
		await until('every outcome', everyOutcome, outcomesDeadline, 200);
	} catch (late) {
		// the table shows which ones are missing
		if (!(late instanceof DeadlineError)) throw late;
	}
	const asked = await sandbox.control('GET /intents');
	return leads.map((lead) => {
		const row = { number: lead.phone_number, ...rowOf(lead), lead: lead.name };
		const spoken = asked.find((one) => one.conversationUuid === row.call)?.spoken;
		row.answered = spoken ? `"${spoken}"` : '';
		return Object.fromEntries(columns.map((column) => [column, row[column] ?? '']));
	});
}

/** @param {Array<Record<string, string | number>>} rows */
function printTable(rows) {
	const filled = rows.map((row) =>
		columns.map((column) =>
			String(row[column] === '' && outcome.includes(column) ? '(none)' : row[column]),
		),
	);
	const widths = columns.map((column, index) =>
		Math.max(column.length, ...filled.map((cells) => cells[index].length)),
	);
	for (const cells of [columns, widths.map((width) => '─'.repeat(width)), ...filled])
		console.log(
			cells
				.map((cell, index) =>
					columns[index] === 'seconds' ? cell.padStart(widths[index]) : cell.padEnd(widths[index]),
				)
				.join('  ')
				.trimEnd(),
		);
}
