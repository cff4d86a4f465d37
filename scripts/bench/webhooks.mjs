/**
 * What arrives at the triggers, beside n8n's own Webhook node in the same n8n: how many events a second, and how soon
 * an answer. In n8n as it comes, which makes an isolate for expressions for every request and spares only its own
 * Webhook node (live-webhooks.js, webhookPhaseNeedsIsolate), and in n8n that makes one only when it is needed.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { defaultVersion, oldestVersion } from '../../tools/bootstrap.mjs';
import { until } from '../../tools/host-client.mjs';
import { set } from '../../tools/workspace.mjs';
import { minute, percentile, round } from './measure.mjs';

/** @typedef {import('../../tools/workspace.mjs').Workspace} Workspace */

/** n8n's setting: an isolate for expressions only when there is an expression. */
const whenNeeded = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
const event = 'conversation_end_report';
/** Nobody knows the platform's own patience; with this one the answers show when n8n gets round to each delivery. */
const patience = 4 * minute;

const pause = async (ms) => await new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Does work at a rate. @template T @param {() => Promise<T>} work @returns {Promise<T[]>} */
async function atRate(perSecond, count, work) {
	const begun = performance.now();
	const turnOf = async (index) =>
		await pause((index / perSecond) * 1000 - (performance.now() - begun));
	const results = await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			await turnOf(index);
			return await work();
		}),
	);
	await turnOf(count);
	return results;
}

/** Does work, some at once, each when another has ended. */
async function asFastAsItGoes(count, work) {
	let left = count;
	await Promise.all(
		Array.from({ length: 16 }, async () => {
			while (left-- > 0) await work();
		}),
	);
}

const webhookNode = (path, parameters = {}) => ({
	name: 'Trigger',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	parameters: { httpMethod: 'POST', path, options: {}, ...parameters },
});

/** Asks again while n8n says that its database is late, as it does under load. */
const patiently = async (ask) =>
	await until(
		'n8n to answer',
		async () => {
			try {
				return { answer: await ask() };
			} catch (error) {
				if (error.status !== 503) throw error;
				return false;
			}
		},
		5 * minute,
		1000,
	).then(({ answer }) => answer);

/** How many executions of a workflow have ended so. @param {Workspace} workspace @param {string[]} status */
const count = async ({ host }, workflowId, status) =>
	await patiently(() => host.executions({ workflowId, status }, { limit: '1' }));

/** Waits until so many executions have ended; asks seldom, because asking costs n8n as much as an execution. */
const ended = async (workspace, id, number) =>
	await until(
		`${number} executions to end`,
		async () => {
			const found = await count(workspace, id, ['success', 'error', 'crashed']);
			return !found.estimated && found.count >= number;
		},
		10 * minute,
		1000,
	);

/**
 * What a workflow takes: as fast as deliveries are acknowledged, and in a burst.
 * @param {Workspace} workspace @param {string} agent it and its webhook are this work's alone
 * @param {boolean} own whether the trigger is the pack's @param {any[]} after further nodes
 */
async function taken(workspace, agent, own, after, size) {
	const path = randomUUID();
	const trigger = {
		name: 'Trigger',
		type: 'acpTrigger',
		parameters: { agents: [agent], events: [event], options: {} },
	};
	const id = await workspace.workflow('Bench', [own ? trigger : webhookNode(path), ...after]);
	await workspace.publish(id);
	if (!own)
		await workspace.sandbox.api(`POST /agents/${agent}/webhooks`, {
			url: `${workspace.host.url}/webhook/${path}`,
			events: [event],
			secret_key: randomUUID(),
		});
	const deliver = async () =>
		(await workspace.deliver(agent, { number: '+15550000001' }, event))[0];
	// The first ones pay for what n8n loads once.
	await asFastAsItGoes(100, deliver);
	await ended(workspace, id, 100);
	const begun = performance.now();
	await asFastAsItGoes(size, deliver);
	await ended(workspace, id, 100 + size);
	const perSecond = size / ((performance.now() - begun) / 1000);
	const burst = await atRate(100, 1000, deliver);
	await ended(workspace, id, 1100 + size);
	const executed = (await count(workspace, id, ['success'])).count - 100 - size;
	await patiently(() => workspace.host.deleteWorkflow(id));
	const times = burst.map(({ durationMs }) => durationMs);
	return {
		perSecond: round(perSecond, 1),
		acknowledged: burst.filter(({ status }) => status === 200).length,
		executed,
		times: [0.5, 0.99, 1].map((share) => percentile(times, share)),
	};
}

/** How many events a second the Conversation Event Trigger takes. @param {import('../bench.mjs').Bench} bench */
export async function trigger({ sandbox, another, say }, size = 1500) {
	await sandbox.control('POST /reset', {
		agents: 16,
		settings: { webhooks: { perSecond: 10_000, timeoutMs: patience } },
	});
	const agents = (await sandbox.control('GET /state/agents')).map((agent) => agent.agent_uuid);
	const rows = [];
	const bars = [];
	for (const [isolates, env] of Object.entries({ 'when needed': whenNeeded, always: {} })) {
		const workspace = await another({ env });
		const plain = {};
		try {
			for (const [what, after] of [
				['', []],
				[' and Edit Fields', [set('={{ $json.data?.summary }}')]],
			])
				for (const node of ['Webhook node', 'Conversation Event Trigger']) {
					const own = node !== 'Webhook node';
					const result = await taken(workspace, agents.pop(), own, after, size);
					const { perSecond, acknowledged, executed, times } = result;
					plain[node] ??= perSecond;
					const row = [`${node}${what}`, isolates, perSecond, acknowledged, executed];
					rows.push([...row, `${times.join(' / ')} ms`]);
					say(rows.at(-1).join(', '));
					if (own && after.length === 0)
						bars.push({
							bar: `isolates ${isolates}: a burst of 100 a second for 10 seconds: each acknowledged and executed once`,
							held: acknowledged === 1000 && executed === 1000,
							figure: `${acknowledged} of 1000 acknowledged, ${executed} executed, the slowest acknowledgement after ${round(times[2] / 1000, 1)} s`,
						});
				}
		} finally {
			await workspace.kill();
		}
		const [theirs, ours] = [plain['Webhook node'], plain['Conversation Event Trigger']];
		if (isolates === 'when needed')
			bars.push({
				bar: 'isolates when needed: at least 0.9 × what the Webhook node takes',
				held: ours >= 0.9 * theirs,
				figure: `${ours} against ${theirs} per second`,
			});
	}
	return {
		title: 'Events received',
		text: `Workflows of a trigger without further nodes, or with one Edit Fields node that has an expression. Sustained: ${size} deliveries sent as fast as they are acknowledged, until the last execution has ended. Burst: 100 a second for 10 seconds; the sandbox waits ${patience / 1000} seconds for an acknowledgement, how long the platform waits is not known. Sandbox, n8n and the measuring side share the machine.

Isolates: n8n as it comes always makes an isolate for expressions, for every delivery to a trigger and again for its execution; only its own Webhook node is spared the first. With \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` it makes one when there is an expression to evaluate, and the Conversation Event Trigger has none; the nodes after it mostly do, so each execution makes one there.`,
		columns: [
			...['what', 'isolates', 'sustained per second', 'burst: acknowledged of 1000', 'executed'],
			'acknowledged after: median / 99th percentile / slowest',
		],
		rows,
		bars,
	};
}

const body = JSON.stringify({ conversation_uuid: randomUUID(), parameters: { day: 'Friday' } });
/** With a time-out, Node heeds how long n8n keeps an idle connection open; without, it writes into closed ones. */
const connections = new Agent({ keepAlive: true, maxSockets: 64, timeout: 60_000 });

/** @returns {Promise<number>} milliseconds until the whole answer is there */
const ask = (url) =>
	new Promise((resolve, reject) => {
		const begun = performance.now();
		const headers = { 'content-type': 'application/json', 'content-length': body.length };
		const sent = request(url, { method: 'POST', agent: connections, headers }, (response) => {
			let text = '';
			response.on('data', (chunk) => (text += chunk));
			response.on('error', reject);
			response.on('end', () => {
				const right = response.statusCode === 200 && text.includes('At seven.');
				if (right) resolve(performance.now() - begun);
				else reject(new Error(`${response.statusCode} ${text.slice(0, 200)}`));
			});
		});
		sent.on('error', reject);
		sent.end(body);
	});

/** @param {Workspace} workspace @returns {Promise<Array<[perSecond: number, webhook: number[], own: number[]]>>} */
async function answers(workspace, seconds) {
	const { host, sandbox } = workspace;
	const [{ agent_uuid: agent }] = await sandbox.control('GET /state/agents');
	const { body: made } = await sandbox.api(`POST /agents/${agent}/intents`, {
		name: `Bench ${randomUUID()}`,
	});
	const intent = made.data.intent_uuid;
	const path = randomUUID();
	const own = { name: 'Trigger', type: 'acpIntentTrigger', parameters: { agent, intent } };
	const ids = [];
	// Both workflows give the answer with a node of their own.
	for (const node of [webhookNode(path, { responseMode: 'lastNode' }), own]) {
		ids.push(await workspace.workflow('Bench', [node, set('At seven.')]));
		await workspace.publish(ids.at(-1));
	}
	const { body: shown } = await sandbox.api(`GET /agents/${agent}`);
	const { url } = shown.data.intents.find((one) => one.intent_uuid === intent).webhook;
	const urls = [`${host.url}/webhook/${path}`, url];
	// The first ones pay for what n8n loads once.
	for (const address of urls) await atRate(10, 30, () => ask(address));
	const results = [];
	for (const perSecond of [1, 5, 20]) {
		const times = [[], []];
		// In turns of a second, and of one request each at the least: the machine is never quite as quiet as a moment
		// before, and a median needs some values.
		for (let turn = 0; turn < Math.max(seconds, 30 / perSecond); turn++)
			for (const [index, address] of urls.entries())
				times[index].push(...(await atRate(perSecond, perSecond, () => ask(address))));
		results.push([perSecond, ...times]);
	}
	for (const id of ids) await host.deleteWorkflow(id);
	return results;
}

/**
 * How soon the Agent Question Trigger answers, beside the Webhook node that responds when the last node finishes. Somebody
 * waits on the phone for each answer.
 * @param {import('../bench.mjs').Bench} bench @param {number} [seconds] how long each rate is held for each node
 */
export async function intent({ sandbox, another, say }, seconds = 20) {
	await sandbox.control('POST /reset', {});
	const rows = [];
	const bars = [];
	const both = (times) =>
		[0.5, 0.95].map((share) => percentile(times, share).toFixed(1)).join(' / ');
	for (const [n8n, options, demanded] of [
		[`${defaultVersion}, isolates when needed`, { env: whenNeeded }, true],
		[oldestVersion, { version: oldestVersion }, true],
		[`${defaultVersion} as it comes`, {}, false],
	]) {
		const workspace = await another(options);
		try {
			for (const [perSecond, webhook, own] of await answers(workspace, seconds)) {
				const ratio = percentile(own, 0.5) / percentile(webhook, 0.5);
				rows.push([n8n, perSecond, both(webhook), both(own), ratio.toFixed(2)]);
				say(rows.at(-1).join(', '));
				if (demanded)
					bars.push({
						bar: `${n8n}, ${perSecond} per second: at most 1.2 × the Webhook node's median`,
						held: ratio <= 1.2,
						figure: `${ratio.toFixed(2)} ×`,
					});
			}
		} finally {
			await workspace.kill();
		}
	}
	return {
		title: 'Answers in a conversation',
		text: `A trigger and one Edit Fields node without expressions, answered when the last node finishes; median / 95th percentile in milliseconds, ${seconds} seconds of each rate for each node and 30 requests at the least, in turns of a second. n8n as it comes makes an isolate for expressions for every request to any trigger but its own Webhook node, from a pool of one; no node can avoid that. \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` does.`,
		columns: ['n8n', 'per second', 'Webhook node, Last Node', 'Agent Question Trigger', 'ratio'],
		rows,
		bars,
	};
}
