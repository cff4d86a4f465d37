/** What a workspace of a thousand, ten thousand and a hundred thousand records costs. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listening } from '../../tools/ports.mjs';
import { manualTrigger, byId } from '../../tools/workspace.mjs';
import {
	allPages,
	begin,
	changing,
	cpuOf,
	httpRequest,
	items,
	mapped,
	memoryOf,
	round,
	seconds,
	work,
} from './measure.mjs';

const sizes = [1000, 10_000, 100_000];
const rowsPerPage = 100;

/** The number of a contact of the sandbox. */
const numberOf = (at) => `+90555${String(at).padStart(7, '0')}`;
/** A number that nobody has yet. */
let strangers = 0;
const stranger = () => `+1415555${String(2000 + strangers++)}`;

/** @typedef {{work: string, confirmed?: true, phones: (size: number) => string[], node: any, atOnce?: number,
 *   least: (size: number) => number, path?: string, why?: string}} Work */

/** @param {string} agent @param {{id: string}} contact @param {string} tag @returns {Work[]} */
function worksOf(agent, contact, tag) {
	const call = work('acpCalls', 'call.start', {
		agent: byId(agent),
		phoneNumber: '={{ $json.phone }}',
		options: { skipBlacklistedContacts: true },
	});
	const find = work('acpContacts', 'contact.find', { find: '={{ $json.phone }}' });
	const person = { phoneNumber: '={{ $json.phone }}', name: 'Ada' };
	const upsert = work('acpContacts', 'contact.upsert', person);
	const addTag = work('acpContacts', 'contact.addTag', {
		contact: byId(contact),
		tagId: { __rl: true, mode: 'name', value: tag },
	});
	const pages = (size) => size / rowsPerPage;
	const known = (count) => (size) =>
		Array.from({ length: count }, (_, at) => numberOf(size - 1 - at));
	const one = () => [stranger()];
	const list = 'the list, because an unconfirmed search proves nothing';
	const oneCall = { work: 'one call, *Skip Blacklisted Contacts*', node: call, phones: one };
	const newPerson = { work: '*Create or Update*, one new person', node: upsert, phones: one };
	return [
		{ ...oneCall, least: pages, why: list },
		{ ...oneCall, confirmed: true, least: () => 2 },
		{ ...oneCall, work: 'three such calls at once', atOnce: 3, least: pages, why: list },
		{ work: '*Find*, one item', node: find, phones: known(1), least: pages, why: list },
		{ work: '*Find*, one item', confirmed: true, node: find, phones: known(1), least: () => 1 },
		{ work: '*Find*, 100 items', node: find, phones: known(100), least: pages },
		{
			work: '*Create or Update*, 1,000 known people',
			node: upsert,
			phones: known(1000),
			least: (size) => 1000 + Math.min(1000, pages(size)),
		},
		{ ...newPerson, least: (size) => pages(size) + 1, why: list },
		{ ...newPerson, confirmed: true, least: () => 2 },
		{ work: '*Add Tag* by name, the second time', node: addTag, phones: one, least: () => 1 },
	];
}

const turnsFile = join(tmpdir(), `n8n-turns-${process.pid}`);
/** The longest turn of n8n's event loop since a moment, in milliseconds of computing (`turns.cjs`). */
const longestTurn = (since) =>
	Math.max(
		0,
		...readFileSync(turnsFile, 'utf8')
			.split('\n')
			.map((line) => line.split(' ').map(Number))
			.filter(([at]) => at >= since)
			.map(([, length]) => length),
	);

/** Runs workflows once, all at the same moment. */
async function once({ host }, ids) {
	const group = host.process.pid;
	const before = cpuOf(group);
	let peak = 0;
	const watch = setInterval(() => (peak = Math.max(peak, memoryOf(group))), 50);
	const beganAt = Date.now();
	const began = performance.now();
	const runs = await Promise.all(ids.map(async (id) => await host.run(id)));
	const ended = await Promise.all(
		runs.map(async (run) => await host.waitForExecution(run, 600_000)),
	);
	const time = performance.now() - began;
	clearInterval(watch);
	const pause = longestTurn(beganAt);
	const failed = ended.find(({ status }) => status !== 'success');
	if (failed) throw new Error(failed.error?.message);
	return { time, pause, peak: Math.round(peak), cpu: cpuOf(group) - before };
}

/** A table of so many records; the sandbox would have to be told each of them. */
async function serveTable(size) {
	const table = '0a1b2c3d-0000-4000-8000-000000000001';
	const record = (at) => ({
		record_uuid: `0a1b2c3d-0000-4000-9000-${String(at).padStart(12, '0')}`,
		record: { key: `key ${at % 5 === 0 ? at : at % 5}`, value: `value ${at}` },
	});
	let requests = 0;
	const server = createServer((request, response) => {
		requests++;
		const { pathname, searchParams } = new URL(request.url, 'http://localhost');
		const page = Number(searchParams.get('page') ?? 1);
		const first = (page - 1) * rowsPerPage;
		const rows = Array.from({ length: Math.max(0, Math.min(rowsPerPage, size - first)) }, (_, at) =>
			record(first + at),
		);
		const data = pathname.endsWith('/fields')
			? ['key', 'value'].map((name) => ({ uuid: name, name, data_type: 'text' }))
			: request.method === 'GET'
				? { items: rows, total: size, current_page: page, last_page: Math.ceil(size / rowsPerPage) }
				: { record_uuid: record(0).record_uuid };
		response.setHeader('content-type', 'application/json');
		request.resume().on('end', () => response.end(JSON.stringify({ success: true, data })));
	});
	const columns = mapped({ key: '={{ $json.key }}', value: 'new' });
	const node = work('acpTables', 'record.upsert', {
		table: byId(table),
		columns: { ...columns, matchingColumns: ['key'] },
	});
	const url = await listening(server);
	return { url, node, count: () => requests, close: () => server.close() };
}

/** @param {import('../bench.mjs').Bench} bench */
export async function growth({ another, sandbox, say }) {
	writeFileSync(turnsFile, '');
	const turns = fileURLToPath(new URL('turns.cjs', import.meta.url));
	const env = { NODE_OPTIONS: `--require ${turns}`, TURNS_FILE: turnsFile };
	const workspace = await another({ env });
	try {
		return await grow(workspace, sandbox, say);
	} finally {
		await workspace.kill();
		rmSync(turnsFile);
	}
}

async function grow(workspace, sandbox, say) {
	const { host, credential } = workspace;
	const confirmed = await workspace.newCredential({ numberSearchConfirmed: true });
	const results = [];
	const add = (work, way, size, result, least, why = '') => {
		const { requests, cpu, pause, peak, time } = result;
		const computed = `${seconds(cpu)} CPU, pause ${Math.round(pause)} ms`;
		say(`${size}, ${work}, ${way}: ${requests} requests, ${computed}`);
		results.push({ work, way, size, least, why, requests, cpu, pause, peak, time });
	};
	const run = async (nodes, phones, { atOnce = 1, twice = false } = {}) => {
		const code = `return ${JSON.stringify(phones)}.map((phone) => ({ json: { phone, key: phone, contact: phone } }));`;
		const ids = [];
		for (let at = 0; at < atOnce; at++)
			ids.push(await workspace.workflow('Growth', [manualTrigger, items(code), ...nodes]));
		if (twice) await once(workspace, ids);
		await sandbox.control('DELETE /ledger');
		const result = await once(workspace, ids);
		for (const id of ids) await host.deleteWorkflow(id);
		return { ...result, requests: (await sandbox.control('GET /ledger')).length };
	};
	for (const size of sizes) {
		await begin(sandbox, { send: { limit: 1000 } }, { contacts: size });
		const [{ agent_uuid: agent }] = await sandbox.control('GET /state/agents');
		const [{ uuid: tag, name }] = await sandbox.control('GET /state/contact_tags');
		const [{ uuid: contact }] = await sandbox.control('GET /state/contacts');
		await sandbox.api(`POST /contacts/${contact}/add-tag`, { tag_id: tag });
		for (const one of worksOf(agent, contact, name)) {
			await host.restart();
			const credentials = { acpApi: one.confirmed ? confirmed : credential };
			const twice = one.work.includes('second time');
			const result = await run([{ ...one.node, credentials }], one.phones(size), { ...one, twice });
			const way = one.confirmed ? 'search confirmed' : 'not confirmed';
			add(one.work, way, size, result, one.least(size), one.why);
		}
		await host.restart();
		const put = changing(workspace, '={{ JSON.stringify({ name: "Ada" }) }}');
		const changed = Array.from({ length: 1000 }, () => contact);
		const changes = await run([put], changed);
		add('1,000 changes, nothing else', 'HTTP Request', size, changes, 1000);
		await host.restart();
		const result = await run(
			[httpRequest(workspace, `/contacts?per_page=${rowsPerPage}`, undefined, allPages)],
			[stranger()],
		);
		add('all contacts, nothing else', 'HTTP Request', size, result, size / rowsPerPage);
		const table = await serveTable(size);
		const there = await workspace.newCredential({ baseUrl: table.url });
		const keys = Array.from({ length: 5 }, (_, at) => `key ${5 * (at + 1)}`);
		await host.restart();
		const ofTable = await run([{ ...table.node, credentials: { acpApi: there } }], keys);
		table.close();
		const asked = { ...ofTable, requests: table.count() };
		add('table, *Create or Update*, five items', '–', size, asked, size / rowsPerPage + 6);
	}
	const of = (size) => results.filter((one) => one.size === size);
	const largest = sizes.at(-1) ?? 0;
	const exponent = ({ work, way, cpu }) => {
		const before = of(largest / 10).find((one) => one.work === work && one.way === way);
		return round(Math.log10(cpu / before.cpu), 1);
	};
	const dear = of(largest).filter(({ requests, least }) => requests > 2 * least);
	const own = of(largest).filter(({ way }) => way !== 'HTTP Request');
	const longest = Math.max(...own.map(({ pause }) => pause));
	const steepest = Math.max(...own.map(exponent));
	return {
		title: 'A hundred thousand contacts',
		text: 'Requests, with the least that is possible in brackets, and n8n’s own computing. A pause is the longest turn of n8n’s event loop, in its own computing: so long nothing else is answered. The exponent is that of the computing from 10,000 to 100,000: 1 is ten times as much for ten times as many. "Confirmed" is *Number Search Confirmed* in the credential. n8n is started anew before each.',
		columns: [
			'work',
			'search',
			...sizes.map((size) => `${size.toLocaleString('en')}: requests, CPU`),
			'exponent',
			'longest pause',
			'peak memory',
		],
		rows: of(largest).map((last) => [
			last.why ? `${last.work}: ${last.why}` : last.work,
			last.way,
			...sizes.map((size) => {
				const { requests, least, cpu } = of(size).find(
					({ work, way }) => work === last.work && way === last.way,
				);
				return `${requests} (${least}), ${seconds(cpu)}`;
			}),
			exponent(last),
			`${Math.round(last.pause)} ms`,
			`${last.peak} MB`,
		]),
		bars: [
			{
				bar: 'at most twice the least possible requests at 100,000',
				held: dear.length === 0,
				figure:
					dear.map(({ work, requests, least }) => `${work}: ${requests} of ${least}`).join('; ') ||
					'all',
			},
			{
				bar: 'computing grows at most linearly (exponent 1.2)',
				held: steepest <= 1.2,
				figure: `${steepest}`,
			},
			{
				bar: 'no turn of n8n’s event loop computes for more than 200 ms',
				held: longest <= 200,
				figure: `${Math.round(longest)} ms`,
			},
		],
	};
}
