/** The works of the benchmark: what is done, in which ways, and the bars that must hold. */
import { readFileSync, writeFileSync } from 'node:fs';
import { intent } from './intent.mjs';
import { listing } from './lists.mjs';
import { trigger } from './trigger.mjs';

const pack = 'n8n-nodes-agent-conversation-platform.';
const minute = 60_000;
const round = (value, digits = 2) => Number(value.toFixed(digits));
const seconds = (milliseconds) => `${round(milliseconds / 1000)} s`;

/** A workflow: manual trigger → items made by code → the node under test (→ back, for a loop). */
function workflow(name, code, target, { loop = false, credential } = {}) {
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
	const link = (to, index = 0) => [{ node: to, type: 'main', index }];
	return {
		name,
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', {}),
			node('Items', 'n8n-nodes-base.code', { jsCode: code }, { typeVersion: 2 }),
			...(loop
				? [
						node(
							'Loop',
							'n8n-nodes-base.splitInBatches',
							{ batchSize: 1, options: {} },
							{ typeVersion: 3 },
						),
					]
				: []),
			work,
		],
		connections: {
			Start: { main: [link('Items')] },
			Items: { main: [link(loop ? 'Loop' : 'Work')] },
			...(loop ? { Loop: { main: [[], link('Work')] }, Work: { main: [link('Loop')] } } : {}),
		},
		settings: { executionOrder: 'v1' },
	};
}

/** n8n's HTTP Request node with the same credential. */
const httpRequest = (url, body, options = {}) => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: body ? 'POST' : 'GET',
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'acpApi',
		...(body ? { sendBody: true, specifyBody: 'json', jsonBody: body } : {}),
		options,
	},
});

const ours = (type, parameters) => ({ type: pack + type, typeVersion: 1, parameters });
const agentOf = (expression) => ({ __rl: true, mode: 'id', value: expression });

/** Runs a workflow once and reads what n8n and the sandbox say about it. */
async function measure({ host, sandbox }, flow, path) {
	await sandbox.control('DELETE /ledger');
	const { id } = await host.createWorkflow(flow);
	resetPeak(host);
	const begun = performance.now();
	const execution = await host.waitForExecution(await host.run(id), 10 * minute);
	const wall = performance.now() - begun;
	const peak = peakOf(host);
	const runs = execution.data?.resultData?.runData?.Work ?? [];
	const time = runs.length > 1 ? wall : (runs[0]?.executionTime ?? wall);
	const ledger = path
		? await sandbox.control(`GET /ledger?path=${encodeURIComponent(path)}`)
		: await sandbox.control('GET /ledger');
	await host.deleteWorkflow(id);
	const items = runs.flatMap((run) => run.data?.main?.[0] ?? []);
	const accepted = ledger.filter((entry) => entry.status < 300);
	const created = ledger.filter((entry) => entry.effect === 'created');
	const at = accepted.map((entry) => Number(new Date(entry.at)));
	return {
		status: execution.status,
		time,
		peak,
		items,
		requests: ledger.length,
		accepted: accepted.length,
		created: created.length,
		rejected: ledger.filter((entry) => entry.status === 429).length,
		mostInFlight: Math.max(0, ...ledger.map((entry) => entry.inFlight ?? 0)),
		perSecond: at.length > 1 ? (at.length - 1) / ((Math.max(...at) - Math.min(...at)) / 1000) : 0,
		bodies: created.map((entry) => entry.body),
	};
}

/** Linux keeps a process's highest memory; writing 5 begins anew. @returns megabytes */
const resetPeak = (host) => {
	try {
		writeFileSync(`/proc/${host.process.pid}/clear_refs`, '5');
	} catch {
		// Without the right to reset it, the peak is that of the whole process life.
	}
};
const peakOf = (host) => {
	try {
		return Math.round(
			Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${host.process.pid}/status`, 'utf8'))?.[1]) /
				1024,
		);
	} catch {
		return NaN;
	}
};

const settings = async ({ sandbox }, patch, reset = {}) => {
	await sandbox.control('POST /reset', { ...reset, settings: patch });
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

const lostAndTwice = (wanted, result, key) => {
	const seen = new Map();
	for (const body of result.bodies) seen.set(key(body), (seen.get(key(body)) ?? 0) + 1);
	return {
		lost: wanted - seen.size,
		twice: [...seen.values()].filter((count) => count > 1).length,
	};
};

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

/** 100 keyed sends under each limiter. */
async function sends(bench) {
	const rows = [];
	const bars = [];
	for (const algorithm of ['token-bucket', 'fixed-window', 'sliding-window']) {
		await settings(bench, rate({ algorithm }));
		const [agent] = await bench.sandbox.control('GET /state/agents');
		const code = smsCode(agent, 100);
		const body =
			'={{ JSON.stringify({ agentId: $json.agent, phoneNumber: $json.phone, message: "Hello" }) }}';
		const url = `${bench.sandbox.url}/api/v1/sms/send`;
		const ways = {
			'this pack': smsWay(bench, code),
			'HTTP Request, defaults': workflow(
				'http',
				code,
				{ ...httpRequest(url, body), onError: 'continueRegularOutput' },
				bench,
			),
			'HTTP Request, batches of 5 per 1050 ms': workflow(
				'batched',
				code,
				{
					...httpRequest(url, body, { batching: { batch: { batchSize: 5, batchInterval: 1050 } } }),
					onError: 'continueRegularOutput',
				},
				bench,
			),
			'Loop Over Items, one by one': workflow(
				'loop',
				code,
				{ ...httpRequest(url, body), onError: 'continueRegularOutput' },
				{ ...bench, loop: true },
			),
		};
		for (const [way, flow] of Object.entries(ways)) {
			// Every way begins with the limiter's full allowance.
			await settings(bench, rate({ algorithm }));
			const result = await measure(bench, flow, '/sms/send');
			const { lost, twice } = lostAndTwice(100, result, (sent) => sent.phoneNumber);
			bench.say(
				`${algorithm}, ${way}: ${result.accepted} accepted, ${result.rejected} rejected, ${round(result.perSecond)} per second`,
			);
			rows.push([
				algorithm,
				way,
				`${result.created} of 100`,
				result.rejected,
				round(result.perSecond),
				lost,
				twice,
				seconds(result.time),
			]);
			if (way === 'this pack') {
				bars.push({
					bar: `${algorithm}: at least 4.85 accepted per second, at most 1 rejected, none lost or twice`,
					held: result.perSecond >= 4.85 && result.rejected <= 1 && lost === 0 && twice === 0,
					figure: `${round(result.perSecond)} per second, ${result.rejected} rejected, ${lost} lost, ${twice} twice`,
				});
			}
		}
	}
	return {
		title: '100 SMS against a limit of 5 per second',
		text:
			'Accepted per second from the first to the last accepted request. "Continue" is on ' +
			'for the HTTP Request node; without it the first rejection ends its run and the ' +
			'outputs are gone.',
		columns: [
			'limiter',
			'way',
			'sent',
			'rejected',
			'accepted per second',
			'lost',
			'twice',
			'node time',
		],
		rows,
		bars,
	};
}

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

const noteWays = (bench, code) => ({
	'this pack': workflow(
		'ours',
		code,
		ours('acpAgents', {
			resource: 'agentKnowledge',
			operation: 'addNote',
			agent: agentOf('={{ $json.agent }}'),
			content: '={{ $json.text }}',
		}),
		bench,
	),
	'HTTP Request, defaults': workflow(
		'http',
		code,
		{
			...httpRequest(
				`=${bench.sandbox.url}/api/v1/agents/{{ $json.agent }}/notes`,
				'={{ JSON.stringify({ content: $json.text }) }}',
			),
			onError: 'continueRegularOutput',
		},
		bench,
	),
});

/** Notes over many agents: an answer is the whole agent, so one agent would measure its growth instead. */
const noteCode = async (bench, count) => {
	const agents = (await bench.sandbox.control('GET /state/agents')).map(
		({ agent_uuid: uuid }) => uuid,
	);
	return `const agents = ${JSON.stringify(agents)}; return Array.from({ length: ${count} }, (_, i) => ({ json: { agent: agents[i % agents.length], text: 'Note ' + i } }));`;
};

/** Fewer than the documented limit lets pass in a minute: what is measured is the node. */
const withinTheLimit = 800;
/** With the agents that are read first, what two minutes of that limit let pass. */
const twoMinutes = 2 * withinTheLimit;

async function notes(bench) {
	const rows = [];
	const bars = [];
	const times = {};
	for (const way of [
		'HTTP Request, defaults',
		'this pack',
		'HTTP Request, defaults',
		'this pack',
	]) {
		await settings(bench, { ...rate({}), latencyMs: 100 }, { agents: 200 });
		// What left in the runs before would count: a process forgets it by being started anew.
		await bench.host.restart();
		const flow = noteWays(bench, await noteCode(bench, withinTheLimit))[way];
		const result = await measure(bench, flow);
		bench.say(
			`within the limit, ${way}: ${seconds(result.time)}, ${result.mostInFlight} in flight`,
		);
		if (result.time < (times[way]?.time ?? Infinity))
			times[way] = {
				...result,
				...lostAndTwice(withinTheLimit, result, (body) => body.content),
			};
	}
	for (const [way, result] of Object.entries(times))
		rows.push([
			'within the limit',
			way,
			`${result.created} of ${withinTheLimit}`,
			result.rejected,
			result.mostInFlight,
			result.lost,
			result.twice,
			seconds(result.time),
		]);
	const ratio = times['HTTP Request, defaults'].time / times['this pack'].time;
	bars.push({
		bar: 'at least 0.9 × the HTTP Request node’s speed with at most 64 in flight',
		held: ratio >= 0.9 && times['this pack'].mostInFlight <= 64,
		figure: `${round(ratio)} ×, ${times['this pack'].mostInFlight} in flight`,
	});

	const slow = { ...rate({}, { limit: 1000, algorithm: 'sliding-window' }), latencyMs: 100 };
	for (const way of ['this pack', 'HTTP Request, defaults']) {
		await settings(bench, slow, { agents: 200 });
		await bench.host.restart();
		const flow = noteWays(bench, await noteCode(bench, twoMinutes))[way];
		const result = await measure(bench, flow);
		const { lost, twice } = lostAndTwice(twoMinutes, result, (body) => body.content);
		bench.say(
			`1000 per minute, ${way}: ${seconds(result.time)}, ${result.rejected} rejected, ${lost} lost`,
		);
		rows.push([
			'1000 per minute',
			way,
			`${result.created} of ${twoMinutes}`,
			result.rejected,
			result.mostInFlight,
			lost,
			twice,
			seconds(result.time),
		]);
		// More than 1000 requests at 1000 in any minute cannot be done before the second minute begins.
		if (way === 'this pack')
			bars.push({
				bar:
					'under 1000 per minute: within 1.1 × the limiter’s own minimum of 60 s, at most 1 % ' +
					'rejected, none lost or twice',
				held: result.time <= 66_000 && result.rejected <= 20 && lost === 0 && twice === 0,
				figure: `${round(result.time / 60_000)} ×, ${result.rejected} rejected, ${lost} lost, ${twice} twice`,
			});
	}
	return {
		title: 'Notes at 100 ms latency',
		text: 'Spread over 200 agents. Best of two runs of those within the limit of 1000 per minute.',
		columns: [
			'limit',
			'way',
			'written',
			'rejected',
			'most in flight',
			'lost',
			'twice',
			'node time',
		],
		rows,
		bars,
	};
}

async function contacts(bench) {
	const count = withinTheLimit * 100;
	const code = 'return [{ json: {} }];';
	const fetchAll = {
		pagination: {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
				paginationCompleteWhen: 'other',
				completeExpression:
					'={{ $response.body.data.current_page >= $response.body.data.last_page }}',
				limitPagesFetched: false,
				requestInterval: 0,
			},
		},
	};
	const ways = {
		'this pack, Return All': workflow(
			'ours',
			code,
			ours('acpContacts', { resource: 'contact', operation: 'getAll', returnAll: true }),
			bench,
		),
		'HTTP Request, its own pagination': workflow(
			'http',
			code,
			httpRequest(`${bench.sandbox.url}/api/v1/contacts?per_page=100`, undefined, fetchAll),
			bench,
		),
	};
	const rows = [];
	const results = {};
	for (const [way, flow] of Object.entries(ways)) {
		await settings(bench, { ...rate({}), latencyMs: 100 }, { contacts: count });
		await bench.host.restart();
		results[way] = await measure(bench, flow);
		const result = results[way];
		bench.say(
			`${way}: ${seconds(result.time)}, ${result.requests} pages, ${result.items.length} items, peak ${result.peak} MB, ${result.status}`,
		);
		rows.push([
			way,
			result.requests,
			result.items.length,
			seconds(result.time),
			`${result.peak} MB`,
		]);
	}
	const [mine, other] = Object.values(results);
	return {
		title: 'All of 80,000 contacts at 100 ms per page',
		text:
			'The HTTP Request node reads one page after the other and returns a page per item; ' +
			'this pack returns a contact per item. n8n is started anew before each.',
		columns: ['way', 'pages', 'items', 'node time', 'peak memory of n8n'],
		rows,
		bars: [
			{
				bar: 'at least 3 × sequential pages',
				held: other.time / mine.time >= 3,
				figure: `${round(other.time / mine.time)} ×`,
			},
			{
				bar: 'peak memory at most 1.5 × the HTTP Request node’s',
				held: mine.peak / other.peak <= 1.5,
				figure: `${round(mine.peak / other.peak)} ×`,
			},
			{ bar: 'every contact', held: mine.items.length === count, figure: `${mine.items.length}` },
		],
	};
}

export const works = {
	sends,
	network,
	notes,
	contacts,
	listing,
	trigger,
	intent,
};
