/**
 * How many events a second the ACP Trigger takes, beside n8n's own Webhook node with an empty workflow in the same run.
 * Every delivery must be acknowledged with 200 and executed exactly once.
 *
 *   npm run bench -- --only trigger
 */
import { randomUUID } from 'node:crypto';
import { until } from '../lib/host-client.mjs';

const event = 'conversation_end_report';
const minute = 60_000;
/** Requests of the measuring side under way at once. */
const width = 8;
const round = (value, digits = 1) => Number(value.toFixed(digits));

/** @template T, R @param {T[]} list @param {(one: T) => Promise<R>} work @returns {Promise<R[]>} */
async function inParallel(list, work, parallel = width) {
	const results = [];
	let position = 0;
	await Promise.all(Array.from({ length: parallel }, async () => {
		for (let index = position++; index < list.length; index = position++) results[index] = await work(list[index]);
	}));
	return results;
}

/** A workflow of the trigger and nothing else. @returns {Promise<string>} its id, published */
async function published(host, node) {
	const { id } = await host.createWorkflow({ name: `Bench ${randomUUID()}`, nodes: [{ id: randomUUID(), name: 'Trigger', position: [0, 0], webhookId: randomUUID(), ...node }], connections: {}, settings: { executionOrder: 'v1' } });
	const { active, error } = await host.activate(id, minute);
	if (!active) throw new Error(error);
	return id;
}

/** Asks again while n8n says that its database is late, as it does under load; the deliveries are judged by their own answers. */
const patiently = async (ask) =>
	await until('n8n to answer', async () => {
		try {
			return { answer: await ask() };
		} catch (error) {
			if (error.status !== 503) throw error;
			return false;
		}
	}, 5 * minute, 1000).then(({ answer }) => answer);

/** All executions of a workflow, by windows of IDs from beyond the newest. */
async function executionsOf(host, workflowId) {
	const list = async (range) => await patiently(() => host.executions({ workflowId }, range));
	const { count, results } = await list({});
	const found = [];
	for (let above = Math.max(0, ...results.map(({ id }) => Number(id))) + 200; above > 0 && found.length < count; above -= 100) {
		const { results: window } = await list({ firstId: String(above - 101), lastId: String(above) });
		found.push(...window.map(({ id, status }) => ({ id, status })));
	}
	return found;
}

/** Waits until so many executions have ended; asks seldom, because asking costs n8n as much as an execution. */
async function ended(host, workflowId, count, deadline) {
	await until(`${count} executions to end`, async () => {
		const { count: found, estimated } = await patiently(() => host.executions({ workflowId, status: ['success', 'error', 'crashed'] }, { limit: '1' }));
		return !estimated && found >= count;
	}, deadline, 1000);
}

/**
 * Has the platform deliver events to an agent's webhooks.
 * @param {number | undefined} perSecond undefined: as fast as they are acknowledged
 * @returns {Promise<{numbers: string[], log: any[], seconds: number}>} one log entry per delivery
 */
async function send(sandbox, agent, count, perSecond) {
	await sandbox.control('DELETE /deliveries');
	const numbers = Array.from({ length: count }, (_, index) => `+1555${String(index).padStart(7, '0')}`);
	const deliver = (number) => sandbox.control('POST /deliver', { agent, event, data: { number, duration: 42, outcome: 'interested', summary: 'Wants a quote for two licences by Friday.' } });
	const begun = performance.now();
	if (perSecond === undefined) await inParallel(numbers, deliver, 16);
	else {
		await Promise.all(numbers.map(async (number, index) => {
			const wait = (index / perSecond) * 1000 - (performance.now() - begun);
			await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
			await deliver(number);
		}));
	}
	const seconds = (performance.now() - begun) / 1000;
	return { numbers, log: await sandbox.control('GET /deliveries'), seconds };
}

const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** What came of deliveries: acknowledged, executed, and each of them once. */
async function judge(host, workflowId, { numbers, log }) {
	const executions = await executionsOf(host, workflowId);
	const seen = new Map();
	await inParallel(executions, async ({ id }) => {
		const { nodes } = await patiently(() => host.getExecution(id));
		const number = nodes.Trigger.items[0]?.json.data?.number ?? nodes.Trigger.items[0]?.json.body?.data?.number;
		seen.set(number, (seen.get(number) ?? 0) + 1);
	});
	const times = log.map(({ durationMs }) => durationMs);
	return {
		deliveries: numbers.length,
		acknowledged: log.filter(({ status }) => status === 200).length,
		executed: executions.filter(({ status }) => status === 'success').length,
		lost: numbers.filter((number) => !seen.has(number)).length,
		twice: [...seen.values()].filter((times) => times > 1).length,
		medianMs: percentile(times, 0.5),
		p99Ms: percentile(times, 0.99),
		slowestMs: Math.max(...times),
	};
}

/**
 * @param {{host: any, sandbox: any, credential: {id: string, name: string}, say: (line: string) => void, count?: number}} bench
 * @returns {Promise<{title: string, text: string, columns: string[], rows: any[][], bars: any[]}>}
 */
export async function trigger({ host, sandbox, credential, say, count = 6000 }) {
	await sandbox.control('POST /reset', { agents: 5, settings: { webhooks: { perSecond: 10_000 } } });
	const [webhookAgent, equalAgent, ownAgent, steadyAgent, burstAgent] = (await sandbox.control('GET /state/agents')).map((agent) => agent.agent_uuid);
	const ours = (agent) => ({ type: 'n8n-nodes-agent-conversation-platform.acpTrigger', typeVersion: 1, credentials: { acpApi: credential }, parameters: { agents: [agent], events: [event], options: {} } });

	/** As many deliveries as one node takes, sent as fast as they are acknowledged. @returns executions per second until the last has ended */
	const sustainedBy = async (what, node, agent, register) => {
		const id = await published(host, node);
		await register?.();
		// The first ones pay for what n8n loads once.
		await send(sandbox, agent, 100);
		await ended(host, id, 100, 2 * minute);
		const begun = performance.now();
		const { log } = await send(sandbox, agent, closedLoop);
		await ended(host, id, 100 + closedLoop, 10 * minute);
		const perSecond = closedLoop / ((performance.now() - begun) / 1000);
		say(`${what}: ${round(perSecond)} executions per second`);
		await patiently(() => host.deleteWorkflow(id));
		const times = log.map(({ durationMs }) => durationMs);
		return { perSecond, row: [what, `${round(perSecond)} sustained`, closedLoop, closedLoop, closedLoop, '', '', `${percentile(times, 0.5)} / ${percentile(times, 0.99)} / ${Math.max(...times)} ms`, ''] };
	};
	const webhookNode = async (typeVersion, agent) => {
		const path = randomUUID();
		return await sustainedBy(`Webhook node, version ${typeVersion}`, { type: 'n8n-nodes-base.webhook', typeVersion, parameters: { httpMethod: 'POST', path, options: {} } }, agent, async () => {
			await sandbox.api(`POST /agents/${agent}/webhooks`, { url: `${host.url}/webhook/${path}`, events: [event], secret_key: randomUUID() });
		});
	};
	const closedLoop = Math.max(300, Math.round(count / 4));
	const webhook = await webhookNode(2, webhookAgent);
	// n8n spares only its own Webhook node, from version 2 on, the isolate for expressions that it makes for every delivery to a trigger.
	const equal = await webhookNode(1, equalAgent);
	const own = await sustainedBy('ACP Trigger', ours(ownAgent), ownAgent);

	// Faster than it can go, n8n keeps every waiting execution in memory until there is none left.
	const perSecond = 0.9 * Math.min(webhook.perSecond, equal.perSecond, own.perSecond);
	const steadyId = await published(host, ours(steadyAgent));
	const steadySent = await send(sandbox, steadyAgent, count, perSecond);
	const steadyBegun = performance.now();
	await ended(host, steadyId, count, 10 * minute);
	const behind = (performance.now() - steadyBegun) / 1000;
	const steady = await judge(host, steadyId, steadySent);
	say(`ACP Trigger, ${round(perSecond)} per second: ${JSON.stringify(steady)}`);
	await patiently(() => host.deleteWorkflow(steadyId));

	const burstId = await published(host, ours(burstAgent));
	const burstSent = await send(sandbox, burstAgent, 1000, 100);
	const burstBegun = performance.now();
	// What is not there by then is judged as lost.
	await ended(host, burstId, 1000, 3 * minute).catch(() => undefined);
	const burstBehind = (performance.now() - burstBegun) / 1000;
	const burst = await judge(host, burstId, burstSent);
	say(`ACP Trigger, burst of 100 per second: ${JSON.stringify(burst)}`);
	await patiently(() => host.deleteWorkflow(burstId));

	const whole = ({ deliveries, acknowledged, executed, lost, twice }) => acknowledged === deliveries && executed === deliveries && lost === 0 && twice === 0;
	const row = (what, rate, { deliveries, acknowledged, executed, lost, twice, medianMs, p99Ms, slowestMs }, after) => [what, rate, deliveries, acknowledged, executed, lost, twice, `${medianMs} / ${p99Ms} / ${slowestMs} ms`, `${round(after)} s`];
	const figure = ({ deliveries, acknowledged, executed, lost, twice }) => `${acknowledged} of ${deliveries} acknowledged, ${executed} executed, ${lost} lost, ${twice} twice`;
	return {
		title: 'Events received',
		text: `Sustained: ${closedLoop} deliveries sent as fast as they are acknowledged, until the last execution of a workflow without further nodes has ended. n8n makes an isolate for expressions for every delivery to a trigger; only its own Webhook node is spared it, from version 2 on, so version 1 is what any other trigger can be compared with. Then signed events to the ACP Trigger at a fixed rate. Acknowledgement: median / 99th percentile / slowest. Behind: from the last acknowledgement until the last execution has ended. Sandbox, n8n and the measuring side share the machine.`,
		columns: ['what', 'per second', 'deliveries', 'acknowledged', 'executed', 'lost', 'twice', 'acknowledgement', 'behind'],
		rows: [
			webhook.row,
			equal.row,
			own.row,
			row('ACP Trigger, 0.9 × the slowest of these', round(count / steadySent.seconds), steady, behind),
			row('ACP Trigger, burst of 10 s', round(1000 / burstSent.seconds), burst, burstBehind),
		],
		bars: [
			{ bar: 'the ACP Trigger takes at least 0.9 × what the Webhook node takes that gets an isolate, too', held: own.perSecond >= 0.9 * equal.perSecond, figure: `${round(own.perSecond)} against ${round(equal.perSecond)} per second; version 2 without one: ${round(webhook.perSecond)}` },
			{ bar: `${count} events at ${round(perSecond)} per second: each acknowledged and executed exactly once`, held: whole(steady), figure: figure(steady) },
			{ bar: 'a burst of 100 a second for 10 seconds: each acknowledged and executed exactly once', held: whole(burst), figure: figure(burst) },
		],
	};
}
