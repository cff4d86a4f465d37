/** The works of the benchmark: what is done, in which ways, and the bars that must hold. */
import { intent } from './intent.mjs';
import { trigger } from './trigger.mjs';

const pack = 'n8n-nodes-agent-conversation-platform.';
const minute = 60_000;
const round = (value, digits = 2) => Number(value.toFixed(digits));

/** A workflow: manual trigger → items made by code → the node under test. */
function workflow(name, code, target, { credential }) {
	const node = (nodeName, type, parameters, extra = {}) => ({
		id: nodeName,
		name: nodeName,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		...extra,
	});
	const work = {
		id: 'work',
		name: 'Work',
		position: [0, 0],
		credentials: { acpApi: credential },
		...target,
	};
	const link = (to) => [{ node: to, type: 'main', index: 0 }];
	return {
		name,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', {}),
			node('Items', 'n8n-nodes-base.code', { jsCode: code }, { typeVersion: 2 }),
			work,
		],
		connections: {
			Start: { main: [link('Items')] },
			Items: { main: [link('Work')] },
		},
		settings: { executionOrder: 'v1' },
	};
}

const ours = (type, parameters) => ({ type: pack + type, typeVersion: 1, parameters });
const agentOf = (expression) => ({ __rl: true, mode: 'id', value: expression });

/** Runs a workflow once and counts in the sandbox's ledger what came of it. */
async function measure({ host, sandbox }, flow, path) {
	await sandbox.control('DELETE /ledger');
	const { id } = await host.createWorkflow(flow);
	await host.waitForExecution(await host.run(id), 10 * minute);
	const ledger = await sandbox.control(`GET /ledger?path=${encodeURIComponent(path)}`);
	await host.deleteWorkflow(id);
	const accepted = ledger.filter((entry) => entry.status < 300);
	const at = accepted.map((entry) => Number(new Date(entry.at)));
	return {
		requests: ledger.length,
		accepted: accepted.length,
		created: ledger.filter((entry) => entry.effect === 'created').length,
		rejected: ledger.filter((entry) => entry.status === 429).length,
		perSecond: at.length > 1 ? (at.length - 1) / ((Math.max(...at) - Math.min(...at)) / 1000) : 0,
	};
}

const settings = async ({ sandbox }, patch) => {
	await sandbox.control('POST /reset', { settings: patch });
};
const rate = (send, general = {}) => ({
	rate: {
		send: { limit: 5, windowMs: 1000, algorithm: 'token-bucket', othersPerSecond: 0, ...send },
		general: {
			limit: 60_000,
			windowMs: minute,
			algorithm: 'fixed-window',
			othersPerSecond: 0,
			...general,
		},
	},
});

const smsCode = (agent, count) =>
	`return Array.from({ length: ${count} }, (_, i) => ({ json: { phone: '+1415556' + String(1000 + i), agent: '${agent.agent_uuid}' } }));`;

const smsWay = (bench, code) =>
	workflow(
		'ours',
		code,
		ours('acpMessages', {
			resource: 'sms',
			operation: 'send',
			agent: agentOf('={{ $json.agent }}'),
			phoneNumber: '={{ $json.phone }}',
			message: 'Hello',
		}),
		bench,
	);

/** Sends over networks that vary, beside somebody else, and from several processes at once. */
async function network(bench) {
	const rows = [];
	const bars = [];
	const others = [await bench.another({})];
	// Ten take much memory; test/unit/pace.network.test.cts has them in simulated time.
	const told = [];
	for (let process = 0; process < 4; process++)
		told.push(await bench.another({}, undefined, { numberOfWorkers: 4 }));
	const cases = [
		...[0, 50, 200, 500].map((varies) => ({
			way: 'alone',
			varies,
			mostRejected: 0.06,
			least: varies === 0 ? 4.85 : (0.9 * 5) / (1 + varies / 1000),
		})),
		{
			way: 'somebody else sends 2 per second',
			varies: 0,
			othersPerSecond: 2,
			mostRejected: 0.06,
		},
		{ way: 'two processes, 80 each', varies: 0, senders: [bench, ...others], mostRejected: 0.07 },
		{
			way: 'four told processes, 80 each',
			varies: 0,
			senders: told,
			mostRejected: 0.1,
			least: 4.25,
		},
	];
	try {
		for (const algorithm of ['token-bucket', 'fixed-window', 'sliding-window']) {
			for (const one of cases) {
				const { way, varies, othersPerSecond = 0, mostRejected, least = 0 } = one;
				const senders = (one.senders ?? [bench]).map((sender) => ({ ...bench, ...sender }));
				await settings(bench, {
					...rate({ algorithm, othersPerSecond }),
					latencyMs: 60,
					manners: { jitterMs: varies },
				});
				const [agent] = await bench.sandbox.control('GET /state/agents');
				const results = await Promise.all(
					senders.map((sender) => measure(sender, smsWay(sender, smsCode(agent, 80)), '/sms/send')),
				);
				// The one that ended last has seen everything.
				const result = results.sort((a, b) => b.requests - a.requests)[0];
				const share = result.rejected / result.requests;
				const reachable = 5 / (1 + varies / 1000);
				bench.say(
					`${algorithm}, ${way}, up to ${varies} ms: ${result.accepted} accepted, ${result.rejected} rejected, ${round(result.perSecond)} per second`,
				);
				rows.push([
					algorithm,
					way,
					`60 + up to ${varies} ms`,
					`${result.created} of ${80 * senders.length}`,
					`${result.rejected} (${round(share * 100, 1)} %)`,
					round(result.perSecond),
					way === 'alone' ? round(reachable) : '',
				]);
				bars.push({
					bar:
						`${algorithm}, ${way}, up to ${varies} ms: ` +
						(least > 0 ? `at least ${round(least)} accepted per second, ` : '') +
						`at most ${round(mostRejected * 100)} % rejected, all sent once`,
					held:
						result.perSecond >= least &&
						share <= mostRejected &&
						result.created === 80 * senders.length,
					figure: `${round(result.perSecond)} per second, ${round(share * 100, 1)} % rejected, ${result.created} sent`,
				});
			}
		}
	} finally {
		for (const { host } of [...others, ...told]) await host.kill();
	}
	return {
		title: 'SMS over a network that varies, and from several processes',
		text:
			'Against a limit of 5 per second. Each request arrives after a delay of its own, each answer takes 60 ms. ' +
			'What a single sender can reach where no two requests may come too close is 5 / (1 + variation in seconds).',
		columns: [
			'limiter',
			'who sends',
			'latency',
			'sent',
			'rejected',
			'accepted per second',
			'5 / (1 + variation)',
		],
		rows,
		bars,
	};
}

export const works = { network, trigger, intent };
