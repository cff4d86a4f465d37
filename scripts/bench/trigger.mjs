/**
 * How many events a second the ACP Event Trigger takes, beside n8n's own Webhook node with an empty workflow in the
 * same run.
 * Every delivery must be acknowledged with 200 and executed exactly once.
 *
 * Twice: in n8n as it comes, which makes an isolate for expressions for every delivery and every execution and spares
 * only its own Webhook node the first (live-webhooks.js, webhookPhaseNeedsIsolate), and in n8n that makes one only
 * when an expression is there to be evaluated.
 *
 *   npm run bench -- --only trigger
 */
import { randomUUID } from 'node:crypto';
import { until } from '../../tools/host-client.mjs';

const event = 'conversation_end_report';
const minute = 60_000;
/** Requests of the measuring side under way at once. */
const width = 8;
const round = (value, digits = 1) => Number(value.toFixed(digits));

/** @template T, R @param {T[]} list @param {(one: T) => Promise<R>} work @returns {Promise<R[]>} */
async function inParallel(list, work, parallel = width) {
	const results = [];
	let position = 0;
	await Promise.all(
		Array.from({ length: parallel }, async () => {
			for (let index = position++; index < list.length; index = position++)
				results[index] = await work(list[index]);
		}),
	);
	return results;
}

/**
 * Nobody knows the platform's own patience; with this one the answers show when n8n gets
 * round to each delivery.
 */
const deliveryPatience = 4 * minute;

/** What most workflows have behind a trigger: a node with an expression. */
const editFields = {
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: [
				{ id: 'summary', name: 'summary', value: '={{ $json.data?.summary }}', type: 'string' },
			],
		},
		options: {},
	},
};
const withEditFields = ' and Edit Fields';

/** A workflow of the trigger and the nodes after it. @returns {Promise<string>} its id, published */
export async function published(host, trigger, after = []) {
	const place = (node, index) => ({
		id: randomUUID(),
		name: index === 0 ? 'Trigger' : `Node ${index}`,
		position: [index * 220, 0],
		...node,
	});
	const nodes = [{ webhookId: randomUUID(), ...trigger }, ...after].map(place);
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	const { id } = await host.createWorkflow({
		name: `Bench ${randomUUID()}`,
		nodes,
		connections,
		settings: { executionOrder: 'v1' },
	});
	const { active, error } = await host.activate(id, minute);
	if (!active) throw new Error(error);
	return id;
}

/**
 * Asks again while n8n says that its database is late, as it does under load; the deliveries
 * are judged by their own answers.
 */
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

/** All executions of a workflow, by windows of IDs from beyond the newest. */
async function executionsOf(host, workflowId) {
	const list = async (range) => await patiently(() => host.executions({ workflowId }, range));
	const { count, results } = await list({});
	const found = [];
	for (
		let above = Math.max(0, ...results.map(({ id }) => Number(id))) + 200;
		above > 0 && found.length < count;
		above -= 100
	) {
		const { results: window } = await list({ firstId: String(above - 101), lastId: String(above) });
		found.push(...window.map(({ id, status }) => ({ id, status })));
	}
	return found;
}

/** Waits until so many executions have ended; asks seldom, because asking costs n8n as much as an execution. */
async function ended(host, workflowId, count, deadline) {
	await until(
		`${count} executions to end`,
		async () => {
			const { count: found, estimated } = await patiently(() =>
				host.executions({ workflowId, status: ['success', 'error', 'crashed'] }, { limit: '1' }),
			);
			return !estimated && found >= count;
		},
		deadline,
		1000,
	);
}

/** Every delivery of a run has a number of its own. */
let numbersUsed = 0;

/**
 * Has the platform deliver events to an agent's webhooks.
 * @param {number | undefined} perSecond undefined: as fast as they are acknowledged
 * @returns {Promise<{numbers: string[], log: any[]}>} one log entry per delivery
 */
async function send(sandbox, agent, count, perSecond) {
	await sandbox.control('DELETE /deliveries');
	const numbers = Array.from(
		{ length: count },
		() => `+1555${String(numbersUsed++).padStart(7, '0')}`,
	);
	const deliver = (number) =>
		sandbox.control('POST /deliver', {
			agent,
			event,
			data: {
				conversation_uuid: '9a1c3e57-1b2d-4c6f-8e90-7d5b3a2f1c44',
				session_type: 'voice',
				number,
				duration: 42,
			},
		});
	const begun = performance.now();
	if (perSecond === undefined) await inParallel(numbers, deliver, 16);
	else {
		await Promise.all(
			numbers.map(async (number, index) => {
				const wait = (index / perSecond) * 1000 - (performance.now() - begun);
				await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
				await deliver(number);
			}),
		);
	}
	return { numbers, log: await sandbox.control('GET /deliveries') };
}

export const percentile = (values, share) =>
	[...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** What came of deliveries: acknowledged, executed, and each of them once. */
async function judge(host, workflowId, { numbers, log }) {
	const executions = await executionsOf(host, workflowId);
	const wanted = new Set(numbers);
	const seen = new Map();
	let executed = 0;
	await inParallel(executions, async ({ id, status }) => {
		const { nodes } = await patiently(() => host.getExecution(id));
		const number =
			nodes.Trigger.items[0]?.json.data?.number ?? nodes.Trigger.items[0]?.json.body?.data?.number;
		if (!wanted.has(number)) return;
		seen.set(number, (seen.get(number) ?? 0) + 1);
		if (status === 'success') executed++;
	});
	const times = log.map(({ durationMs }) => durationMs);
	return {
		deliveries: numbers.length,
		acknowledged: log.filter(({ status }) => status === 200).length,
		executed,
		lost: numbers.filter((number) => !seen.has(number)).length,
		twice: [...seen.values()].filter((times) => times > 1).length,
		medianMs: percentile(times, 0.5),
		p99Ms: percentile(times, 0.99),
		slowestMs: Math.max(...times),
	};
}

/** n8n's setting: an isolate for expressions only when there is an expression. */
const isolatesWhenNeeded = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** Webhook node and ACP Event Trigger in one n8n, each with an agent of its own for every piece of work. */
class Contest {
	constructor(host, sandbox, credential, agents, say) {
		Object.assign(this, { host, sandbox, credential, agents, say });
	}

	/** Publishes a workflow, does a piece of work with it and its agent, deletes it. */
	async with(what, work) {
		const node = what.replace(withEditFields, '');
		const agent = this.agents.pop();
		const path = randomUUID();
		const id = await published(
			this.host,
			node === 'Webhook node'
				? {
						type: 'n8n-nodes-base.webhook',
						typeVersion: 2,
						parameters: { httpMethod: 'POST', path, options: {} },
					}
				: {
						type: 'n8n-nodes-agent-conversation-platform.acpTrigger',
						typeVersion: 1.1,
						credentials: { acpApi: this.credential },
						parameters: { agents: [agent], events: [event], options: {} },
					},
			what === node ? [] : [editFields],
		);
		if (node === 'Webhook node')
			await this.sandbox.api(`POST /agents/${agent}/webhooks`, {
				url: `${this.host.url}/webhook/${path}`,
				events: [event],
				secret_key: randomUUID(),
			});
		// The first ones pay for what n8n loads once.
		await send(this.sandbox, agent, 100);
		await ended(this.host, id, 100, 2 * minute);
		const result = await work(id, agent);
		await patiently(() => this.host.deleteWorkflow(id));
		return result;
	}

	/**
	 * As many deliveries as a node takes, sent as fast as they are acknowledged.
	 * @returns executions per second until the last has ended
	 */
	async sustained(node, count) {
		return await this.with(node, async (id, agent) => {
			const begun = performance.now();
			await send(this.sandbox, agent, count);
			await ended(this.host, id, 100 + count, 10 * minute);
			const perSecond = count / ((performance.now() - begun) / 1000);
			this.say(`${node}: ${round(perSecond)} executions per second`);
			return perSecond;
		});
	}

	/**
	 * Deliveries at a rate.
	 * @returns what came of them, and how long after the last acknowledgement the last
	 * execution ended
	 */
	async paced(node, count, perSecond) {
		return await this.with(node, async (id, agent) => {
			const sent = await send(this.sandbox, agent, count, perSecond);
			const begun = performance.now();
			// What is not there by then is judged as lost.
			await ended(this.host, id, 100 + count, 5 * minute).catch(() => undefined);
			const behind = (performance.now() - begun) / 1000;
			const result = { ...(await judge(this.host, id, sent)), behind };
			this.say(`${node}, ${count} at ${round(perSecond)} per second: ${JSON.stringify(result)}`);
			return result;
		});
	}
}

/**
 * @param {{host: any, credential: {id: string, name: string}, another: (env: Record<string,
 * string>) => Promise<{host: any, credential: {id: string, name: string}}>, sandbox: any, say:
 * (line: string) => void, count?: number}} bench
 * @returns {Promise<{title: string, text: string, columns: string[], rows: any[][], bars: any[]}>}
 */
export async function trigger({ host, credential, another, sandbox, say, count = 6000 }) {
	await sandbox.control('POST /reset', {
		agents: 16,
		settings: { webhooks: { perSecond: 10_000, timeoutMs: deliveryPatience } },
	});
	const agents = (await sandbox.control('GET /state/agents')).map((agent) => agent.agent_uuid);
	const quarter = Math.round(count / 4);
	const rows = [];
	const add = (...cells) => rows.push(cells);
	const speed = (what, n8n, perSecond, deliveries = quarter) =>
		add(what, n8n, `${round(perSecond)} sustained`, deliveries, '', '', '', '', '', '');
	const paced = (
		what,
		n8n,
		perSecond,
		{ deliveries, acknowledged, executed, lost, twice, medianMs, p99Ms, slowestMs, behind },
	) =>
		add(
			what,
			n8n,
			round(perSecond),
			deliveries,
			acknowledged,
			executed,
			lost,
			twice,
			`${medianMs} / ${p99Ms} / ${slowestMs} ms`,
			`${round(behind)} s`,
		);
	const whole = ({ deliveries, acknowledged, executed, lost, twice }) =>
		acknowledged === deliveries && executed === deliveries && lost === 0 && twice === 0;
	const figure = ({ deliveries, acknowledged, executed, lost, twice }) =>
		`${acknowledged} of ${deliveries} acknowledged, ${executed} executed, ${lost} lost, ${twice} twice`;
	const bars = [];
	const bar = (text, held, shown) => bars.push({ bar: text, held, figure: shown });

	const run = async (n8n, contest, steadyCount) => {
		const webhook = await contest.sustained('Webhook node', quarter);
		speed('Webhook node', n8n, webhook);
		const own = await contest.sustained('ACP Event Trigger', quarter);
		speed('ACP Event Trigger', n8n, own);
		const some = Math.round(quarter / 3);
		for (const node of ['Webhook node', 'ACP Event Trigger'])
			speed(node + withEditFields, n8n, await contest.sustained(node + withEditFields, some), some);
		// Faster than it can go, n8n keeps every waiting execution in memory until there is none left.
		const rate = 0.9 * Math.min(webhook, own);
		const steady = await contest.paced('ACP Event Trigger', steadyCount, rate);
		paced('ACP Event Trigger, 0.9 × of the slower', n8n, rate, steady);
		bar(
			`isolates ${n8n}: ${steadyCount} events at ${round(rate)} per second: each acknowledged and executed exactly once`,
			whole(steady),
			figure(steady),
		);
		for (const node of [
			'Webhook node',
			'ACP Event Trigger',
			`ACP Event Trigger${withEditFields}`,
		]) {
			const burst = await contest.paced(node, 1000, 100);
			paced(`${node}, burst of 10 s`, n8n, 100, burst);
			if (node === 'ACP Event Trigger')
				bar(
					`isolates ${n8n}: a burst of 100 a second for 10 seconds: each acknowledged and executed exactly once`,
					whole(burst),
					`${figure(burst)}, the slowest acknowledgement after ${round(burst.slowestMs / 1000)} s`,
				);
		}
		return { webhook, own };
	};

	say('n8n with N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true');
	const second = await another(isolatesWhenNeeded);
	try {
		const { webhook, own } = await run(
			'when needed',
			new Contest(second.host, sandbox, second.credential, agents, say),
			count,
		);
		bar(
			'isolates when needed: at least 0.9 × what the Webhook node takes',
			own >= 0.9 * webhook,
			`${round(own)} against ${round(webhook)} per second`,
		);
	} finally {
		await second.host.kill();
	}
	say('n8n as it comes');
	await run('always', new Contest(host, sandbox, credential, agents, say), quarter);

	return {
		title: 'Events received',
		text: `Workflows of a trigger without further nodes, or with one Edit Fields node that has an expression. Sustained: deliveries sent as fast as they are acknowledged, until the last execution has ended. Acknowledgement: median / 99th percentile / slowest; the sandbox waits ${deliveryPatience / 1000} seconds for one, how long the platform waits is not known. Behind: from the last acknowledgement until the last execution has ended. Sandbox, n8n and the measuring side share the machine.

Isolates: n8n as it comes always makes an isolate for expressions, for every delivery to a trigger and again for its execution; only its own Webhook node is spared the first. With \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\` it makes one when there is an expression to evaluate, and the ACP Event Trigger has none; the nodes after it mostly do, so each execution makes one there.`,
		columns: [
			'what',
			'isolates',
			'per second',
			'deliveries',
			'acknowledged',
			'executed',
			'lost',
			'twice',
			'acknowledgement',
			'behind',
		],
		rows,
		bars,
	};
}
