/**
 * Sends, reads and event deliveries at half the platform's limits in a real n8n, for as long as one likes.
 *
 *   node scripts/soak.mjs --minutes 20     writes docs/reference/benchmarks-soak.md
 *   node scripts/soak.mjs --minutes 2 --print
 *
 * Exit code 0 when memory is flat (last third ≤ 1.05 × first third, after forced garbage
 * collections), no handles pile up
 * and nothing is lost or done twice.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	ensureBuild,
	ensureHost,
	ensureNodeVersion,
	ensurePack,
	ensurePackage,
	exitWith,
	nodeBinary,
	repository,
} from '../tools/bootstrap.mjs';

const pack = 'n8n-nodes-agent-conversation-platform.';
/** Every tick sends and reads this much: 150 sends and 300 reads a minute, of 300 and 1000 that are allowed. */
const tick = { milliseconds: 2000, sends: 5, reads: 10 };
const sampleMilliseconds = 5000;
/** What is loaded and compiled at first is no leak. */
const warmUpShare = 0.2;

const pause = (/** @type {number} */ milliseconds) =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));
const mean = (/** @type {number[]} */ numbers) =>
	numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Talks to the debugger of a running Node process. @param {number} pid @param {number} port */
async function debuggerOf(pid, port, until) {
	process.kill(pid, 'SIGUSR1');
	const [{ webSocketDebuggerUrl }] = await until(
		'the debugger to answer',
		async () =>
			await fetch(`http://127.0.0.1:${port}/json/list`).then(
				(answer) => answer.json(),
				() => false,
			),
		20_000,
	);
	const socket = new WebSocket(webSocketDebuggerUrl);
	await new Promise((resolve, reject) => {
		socket.addEventListener('open', resolve);
		socket.addEventListener('error', reject);
	});
	let last = 0;
	const waiting = new Map();
	socket.addEventListener('message', ({ data }) => {
		const { id, result } = JSON.parse(String(data));
		waiting.get(id)?.(result);
		waiting.delete(id);
	});
	const call = async (/** @type {string} */ method, params = {}) =>
		await new Promise((resolve) => {
			waiting.set(++last, resolve);
			socket.send(JSON.stringify({ id: last, method, params }));
		});
	return {
		/** Heap in use after a garbage collection, in megabytes, and how many handles are open. */
		async sample() {
			await call('HeapProfiler.collectGarbage');
			const expression =
				'JSON.stringify({ heap: process.memoryUsage().heapUsed / 1e6, rss: ' +
				'process.memoryUsage().rss / 1e6, handles: process.getActiveResourcesInfo().length })';
			const { result } = await call('Runtime.evaluate', { expression });
			return JSON.parse(result.value);
		},
		close: () => socket.close(),
	};
}

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '20' },
			print: { type: 'boolean', default: false },
		},
	});
	const length = Number(values.minutes) * 60_000;
	await ensurePackage();
	// The debugger speaks over a WebSocket, which Node 20 does not have and the repository's own Node 24 does.
	if (typeof WebSocket === 'undefined')
		process.exit(spawnSync(nodeBinary(), process.argv.slice(1), { stdio: 'inherit' }).status ?? 1);
	const { startHost, defaultVersion } = await import('../tools/host.mjs');
	const { until } = await import('../tools/host-client.mjs');
	const { freePort } = await import('../tools/ports.mjs');
	const { startSandbox } = await import('../sandbox/client.mjs');
	await ensureHost(defaultVersion);
	await ensureBuild();
	const tarball = await ensurePack();
	const userFolder = await mkdtemp(join(tmpdir(), 'soak-'));
	const debugPort = await freePort();
	const sandbox = await startSandbox({ settings: { call: { lifeMs: 500 } } });
	const host = await startHost({
		userFolder,
		tarball,
		env: {
			NODE_OPTIONS: `--inspect-port=127.0.0.1:${debugPort}`,
			EXECUTIONS_DATA_PRUNE: 'false',
		},
	});
	try {
		const acpApi = await host.createCredential({
			name: 'Sandbox',
			type: 'acpApi',
			data: { baseUrl: sandbox.url, token: sandbox.token, timezone: '', webhookSecret: '' },
		});
		const [{ agent_uuid: agent }] = await sandbox.control('GET /state/agents');
		const node = (
			/** @type {string} */ name,
			/** @type {string} */ type,
			typeVersion,
			parameters,
			more = {},
		) => ({ id: name, name, type, typeVersion, position: [0, 0], parameters, ...more });
		const link = (/** @type {string} */ to) => ({ main: [[{ node: to, type: 'main', index: 0 }]] });
		const perRow = (/** @type {string} */ path, /** @type {any} */ work) => ({
			name: path,
			nodes: [
				node(
					'Rows',
					'n8n-nodes-base.webhook',
					2,
					{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
					{ webhookId: crypto.randomUUID() },
				),
				node('Split', 'n8n-nodes-base.splitOut', 1, {
					fieldToSplitOut: 'body.rows',
					options: { destinationFieldName: 'row' },
				}),
				{ ...work, credentials: { acpApi } },
			],
			connections: { Rows: link('Split'), Split: link('Work') },
			settings: { executionOrder: 'v1' },
		});
		const sending = perRow(
			'send',
			node('Work', `${pack}acpCalls`, 1, {
				resource: 'call',
				operation: 'start',
				agent: { __rl: true, mode: 'id', value: agent },
				phoneNumber: '={{ $json.row.number }}',
				additionalFields: {},
				options: { requestKey: '={{ $json.row.key }}' },
			}),
		);
		const reading = perRow(
			'read',
			node('Work', `${pack}acpContacts`, 1, {
				resource: 'contact',
				operation: 'getAll',
				limit: 50,
			}),
		);
		const receiving = {
			name: 'receive',
			nodes: [
				node(
					'Trigger',
					`${pack}acpTrigger`,
					1.1,
					{
						agents: [agent],
						events: ['conversation_end_report'],
						options: { signature: 'required' },
					},
					{ webhookId: crypto.randomUUID(), credentials: { acpApi } },
				),
			],
			connections: {},
			settings: { executionOrder: 'v1' },
		};
		const ids = [];
		for (const workflow of [sending, reading, receiving]) {
			const { id } = await host.createWorkflow(workflow);
			const { active, error } = await host.activate(id);
			if (!active) throw new Error(error);
			ids.push(id);
		}
		await sandbox.control('DELETE /ledger');
		const observed = await debuggerOf(host.process.pid, debugPort, until);
		const start = async (/** @type {string} */ path, /** @type {object[]} */ rows) => {
			const { status } = await fetch(`${host.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ rows }),
			});
			if (status !== 200) throw new Error(`n8n answered ${status}`);
		};
		const begun = Date.now();
		const samples = [];
		let sent = 0;
		let ticks = 0;
		let nextSample = 0;
		while (Date.now() - begun < length) {
			await Promise.all([
				start(
					'send',
					Array.from({ length: tick.sends }, () => ({
						key: `row-${sent}`,
						number: `+1415${5_550_000 + sent++}`,
					})),
				),
				start(
					'read',
					Array.from({ length: tick.reads }, (_, row) => ({ row })),
				),
			]);
			ticks++;
			if (Date.now() - begun >= nextSample) {
				samples.push({ at: Date.now() - begun, ...(await observed.sample()) });
				nextSample += sampleMilliseconds;
			}
			await pause(Math.max(0, begun + ticks * tick.milliseconds - Date.now()));
		}
		const countOf = async (/** @type {string} */ workflowId, status) =>
			(await host.executions({ workflowId, status: [status] }, { limit: '1' })).count;
		const [sends, reads, receives] = await until(
			'every execution to end',
			async () => {
				const counts = await Promise.all(ids.map((id) => countOf(id, 'success')));
				return counts[0] >= ticks && counts[1] >= ticks && counts[2] >= sent && counts;
			},
			300_000,
			1000,
		);
		observed.close();
		const ledger = await sandbox.control('GET /ledger');
		const created = ledger.filter(
			(/** @type {any} */ { effect, path }) => effect === 'created' && path === '/call',
		);
		const keys = new Set(created.map((/** @type {any} */ { body }) => body.request_key));
		const rejected = ledger.filter((/** @type {any} */ { status }) => status === 429).length;
		const steady = samples.filter(({ at }) => at >= length * warmUpShare);
		const third = Math.floor(steady.length / 3);
		const first = steady.slice(0, third);
		const last = steady.slice(-third);
		const of = (/** @type {any[]} */ part, /** @type {string} */ what) =>
			mean(part.map((sample) => sample[what]));
		const ratio = of(last, 'heap') / of(first, 'heap');
		const bars = [
			{
				bar: 'heap after garbage collection, last third ≤ 1.05 × first third',
				held: ratio <= 1.05,
				figure: `${of(first, 'heap').toFixed(1)} MB → ${of(last, 'heap').toFixed(1)} MB, × ${ratio.toFixed(3)}`,
			},
			{
				bar: 'open handles, last third at most 10 more than first third',
				held: of(last, 'handles') <= of(first, 'handles') + 10,
				figure: `${of(first, 'handles').toFixed(0)} → ${of(last, 'handles').toFixed(0)}`,
			},
			{
				bar: 'every call placed exactly once',
				held: created.length === sent && keys.size === sent,
				figure: `${sent} asked for, ${created.length} placed, ${keys.size} different`,
			},
			{
				bar: 'every outcome started the trigger exactly once',
				held: receives === sent,
				figure: `${receives} of ${sent}`,
			},
			{
				bar: 'every execution succeeded',
				held: sends === ticks && reads === ticks,
				figure: `${sends} + ${reads} + ${receives}`,
			},
		];
		const page = [
			'# Soak',
			'',
			`Made by \`node scripts/soak.mjs --minutes ${values.minutes}\` on ${new Date().toISOString().slice(0, 10)}: n8n ${defaultVersion}, ${cpus().length} × ${cpus()[0].model.trim()}. ${tick.sends * 30} calls and ${tick.reads * 30} reads a minute, every outcome delivered to the trigger. The first ${warmUpShare * 100} % of the time are warm-up; then ${steady.length} samples of n8n's main process, each after a forced garbage collection.`,
			'',
			`- Requests: ${ledger.length}, answered 429: ${rejected}`,
			`- Resident memory: ${of(first, 'rss').toFixed(0)} MB → ${of(last, 'rss').toFixed(0)} MB (mean of first and last third)`,
			...bars.map(
				({ bar, held, figure }) => `- ${held ? 'Held' : '**Missed**'}: ${bar}: ${figure}`,
			),
			'',
		].join('\n');
		console.log(page);
		if (!values.print)
			writeFileSync(join(repository, 'docs', 'reference', 'benchmarks-soak.md'), page);
		process.exitCode = bars.every(({ held }) => held) ? 0 : 1;
	} finally {
		await host.kill();
		await sandbox.stop();
		await rm(userFolder, { recursive: true, force: true });
	}
} catch (error) {
	exitWith(error);
}
