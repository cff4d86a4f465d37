/**
 * How soon the Agent Question Trigger answers, beside n8n's own Webhook node in the same n8n. In n8n as it comes, which
 * makes an isolate for expressions for every request and spares only its own Webhook node (live-webhooks.js,
 * webhookPhaseNeedsIsolate), and in n8n that makes one only when it is needed.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { defaultVersion, oldestVersion } from '../../tools/bootstrap.mjs';
import { set, webhook } from '../../tools/workspace.mjs';
import { percentile } from './measure.mjs';

/** @typedef {import('../../tools/workspace.mjs').Workspace} Workspace */

/** n8n's setting: an isolate for expressions only when there is an expression. */
const whenNeeded = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

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
	for (const node of [webhook('Trigger', path, 'lastNode'), own]) {
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
 * The Webhook node responds when the last node finishes. Somebody waits on the phone for each answer.
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
