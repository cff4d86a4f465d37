/**
 * How soon the ACP Intent Trigger answers, beside n8n's own Webhook node that responds when the last node finishes: at
 * 1, 5 and 20 requests per second, both in the same n8n, in turns. Somebody waits on the phone for each of them.
 *
 * In n8n as it comes, which makes an isolate for expressions for every request and spares only its own Webhook node
 * (live-webhooks.js, webhookPhaseNeedsIsolate); in n8n that makes one only when it is needed; and in n8n 1.123.
 *
 *   npm run bench -- --only intent
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { defaultVersion, oldestVersion } from '../../tools/bootstrap.mjs';
import { percentile, published } from './trigger.mjs';

const rates = [1, 5, 20];
const most = 1.2;
const fewest = 30;
const pack = 'n8n-nodes-agent-conversation-platform.';

/** Both workflows give the answer with a node of their own. */
const answering = {
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: [{ id: 'answer', name: 'answer', value: 'At seven.', type: 'string' }],
		},
		options: {},
	},
};

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
		sent.on('error', (error) => reject(new Error(`${new URL(url).pathname}: ${error.message}`)));
		sent.end(body);
	});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Requests at a rate. @returns {Promise<number[]>} how long each took */
async function atRate(url, perSecond, count) {
	const begun = performance.now();
	const turnOf = async (index) =>
		await pause(Math.max(0, (index / perSecond) * 1000 - (performance.now() - begun)));
	const times = await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			await turnOf(index);
			return await ask(url);
		}),
	);
	await turnOf(count);
	return times;
}

/** @returns {Promise<Array<{perSecond: number, webhook: number[], own: number[]}>>} */
async function contest({ host, credential, sandbox, say, seconds }) {
	const [{ agent_uuid: agent }] = await sandbox.control('GET /state/agents');
	const { body: made } = await sandbox.api(`POST /agents/${agent}/intents`, {
		name: `Bench ${randomUUID()}`,
	});
	const intent = made.data.intent_uuid;
	const path = randomUUID();
	const ids = [
		await published(
			host,
			{
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
			},
			[answering],
		),
		await published(
			host,
			{
				type: `${pack}acpIntentTrigger`,
				typeVersion: 1.1,
				credentials: { acpApi: credential },
				parameters: { agent, intent },
			},
			[answering],
		),
	];
	const { body: shown } = await sandbox.api(`GET /agents/${agent}`);
	const { url } = shown.data.intents.find((one) => one.intent_uuid === intent).webhook;
	const urls = { webhook: `${host.url}/webhook/${path}`, own: url };
	// The first ones pay for what n8n loads once.
	for (const address of Object.values(urls)) await atRate(address, 10, 30);
	const results = [];
	for (const perSecond of rates) {
		const times = { webhook: [], own: [] };
		// In turns of a second, and of one request each at the least: the machine is never quite as quiet as a moment
		// before, and a median needs some values.
		for (let turn = 0; turn < Math.max(seconds, fewest / perSecond); turn++)
			for (const [name, address] of Object.entries(urls))
				times[name].push(...(await atRate(address, perSecond, perSecond)));
		results.push({ perSecond, ...times });
		say(
			`${perSecond} per second: Webhook node ${percentile(times.webhook, 0.5).toFixed(1)} ms, ACP Intent Trigger ${percentile(times.own, 0.5).toFixed(1)} ms`,
		);
	}
	for (const id of ids) await host.deleteWorkflow(id);
	return results;
}

/**
 * @param {{host: any, credential: {id: string, name: string}, another: (env: Record<string, string>, version?: string)
 *   => Promise<{host: any, credential: {id: string, name: string}}>, sandbox: any, say: (line: string) => void,
 *   seconds?: number}} bench seconds: how long each rate is held for each node
 * @returns {Promise<{title: string, text: string, columns: string[], rows: any[][], bars: any[]}>}
 */
export async function intent({ host, credential, another, sandbox, say, seconds = 20 }) {
	await sandbox.control('POST /reset', {});
	const rows = [];
	const bars = [];
	const add = (n8n, results, demanded) => {
		for (const { perSecond, webhook, own } of results) {
			const [theirs, ours] = [percentile(webhook, 0.5), percentile(own, 0.5)];
			const times = (values) =>
				[0.5, 0.95].map((share) => percentile(values, share).toFixed(1)).join(' / ');
			rows.push([n8n, perSecond, times(webhook), times(own), (ours / theirs).toFixed(2)]);
			if (demanded)
				bars.push({
					bar: `${n8n}, ${perSecond} per second: at most ${most} × the Webhook node's median`,
					held: ours <= most * theirs,
					figure: `${(ours / theirs).toFixed(2)} ×`,
				});
		}
	};
	const elsewhere = async (n8n, env, version) => {
		say(n8n);
		const other = await another(env, version);
		try {
			add(n8n, await contest({ ...other, sandbox, say, seconds }), true);
		} finally {
			await other.host.kill();
		}
	};
	await elsewhere(`${defaultVersion}, isolates when needed`, {
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	});
	await elsewhere(oldestVersion, {}, oldestVersion);
	say(`${defaultVersion} as it comes`);
	add(
		`${defaultVersion} as it comes`,
		await contest({ host, credential, sandbox, say, seconds }),
		false,
	);
	return {
		title: 'Answers in a conversation',
		text: `A trigger and one Edit Fields node without expressions, answered when the last node finishes; median / 95th percentile in milliseconds, ${seconds} seconds of each rate for each node and ${fewest} requests at the least, in turns of a second. n8n as it comes makes an isolate for expressions for every request to any trigger but its own Webhook node, from a pool of one; no node can avoid that. \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` does.`,
		columns: ['n8n', 'per second', 'Webhook node, Last Node', 'ACP Intent Trigger', 'ratio'],
		rows,
		bars,
	};
}
