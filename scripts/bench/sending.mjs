/** Messages against the limit of five a second: alone, over networks that vary, and from several processes at once. */
import { byId } from '../../tools/workspace.mjs';
import { begin, httpRequest, items, measure, round, seconds } from './measure.mjs';

const algorithms = ['token-bucket', 'fixed-window', 'sliding-window'];

const people = (agent, count) =>
	items(
		`return Array.from({ length: ${count} }, (_, i) => ({ json: { phone: '+1415556' + String(1000 + i), agent: '${agent.agent_uuid}' } }));`,
	);
const sms = {
	name: 'Work',
	type: 'acpMessages',
	parameters: {
		resource: 'sms',
		operation: 'send',
		agent: byId('={{ $json.agent }}'),
		phoneNumber: '={{ $json.phone }}',
		message: 'Hello',
	},
};
/** Each message has its own request key: lost are those of which there is none. */
const twice = ({ created, different }) => created - different;

/** 100 keyed sends under each limiter. @param {import('../bench.mjs').Bench} bench */
export async function sends({ workspace, sandbox, say }) {
	const body =
		'={{ JSON.stringify({ agentId: $json.agent, phoneNumber: $json.phone, message: "Hello" }) }}';
	const request = (options) => ({
		...httpRequest(workspace, '/sms/send', body, options),
		onError: 'continueRegularOutput',
	});
	const batching = { batch: { batchSize: 5, batchInterval: 1050 } };
	const ways = {
		'this pack': sms,
		'HTTP Request, defaults': request(),
		'HTTP Request, batches of 5 per 1050 ms': request({ batching }),
	};
	const rows = [];
	const bars = [];
	for (const algorithm of algorithms)
		for (const [way, node] of Object.entries(ways)) {
			// Every way begins with the limiter's full allowance.
			await begin(sandbox, { send: { algorithm } });
			const [agent] = await sandbox.control('GET /state/agents');
			const result = await measure(workspace, [people(agent, 100), node], '/sms/send');
			const { created, rejected } = result;
			const lost = 100 - result.different;
			const figure = `${round(result.perSecond)} per second, ${rejected} rejected, ${lost} lost, ${twice(result)} twice`;
			say(`${algorithm}, ${way}: ${figure}`);
			rows.push([
				...[algorithm, way, `${created} of 100`, rejected, round(result.perSecond)],
				...[lost, twice(result), seconds(result.time)],
			]);
			if (node === sms)
				bars.push({
					bar: `${algorithm}: at least 4.85 accepted per second, at most 1 rejected, none lost or twice`,
					held: result.perSecond >= 4.85 && rejected <= 1 && lost === 0 && twice(result) === 0,
					figure,
				});
		}
	return {
		title: '100 SMS against a limit of 5 per second',
		text: 'Accepted per second from the first to the last accepted request. "Continue" is on for the HTTP Request node; without it the first rejection ends its run and the outputs are gone.',
		columns: [
			...['limiter', 'way', 'sent', 'rejected', 'accepted per second'],
			...['lost', 'twice', 'node time'],
		],
		rows,
		bars,
	};
}

/** What must be accepted of five a second, by how much a network varies. */
const least = { 0: 4.85, 50: 4.29, 200: 3.75, 500: 3 };
const perSender = 80;

/** Sends over networks that vary, beside somebody else, and from several processes. */
export async function network({ workspace, sandbox, another, say }) {
	const other = await another();
	// Ten take much memory; test/unit/pace.network.test.cts has them in simulated time.
	const told = [];
	while (told.length < 4) told.push(await another({ credential: { numberOfWorkers: 4 } }));
	const alone = Object.entries(least).map(([varies, demanded]) => ({
		way: 'alone',
		varies: Number(varies),
		demanded,
		mostRejected: 0.06,
	}));
	const cases = [
		...alone,
		{ way: 'somebody else sends 2 per second', othersPerSecond: 2, mostRejected: 0.06 },
		{ way: 'two processes, 80 each', senders: [workspace, other], mostRejected: 0.07 },
		{ way: 'four told processes, 80 each', senders: told, mostRejected: 0.1, demanded: 4.25 },
	];
	const rows = [];
	const bars = [];
	try {
		for (const algorithm of algorithms)
			for (const one of cases) {
				const { way, varies = 0, demanded = 0, mostRejected } = one;
				const { senders = [workspace], othersPerSecond = 0 } = one;
				await begin(sandbox, {
					send: { algorithm, othersPerSecond },
					latencyMs: 60,
					manners: { jitterMs: varies },
				});
				const [agent] = await sandbox.control('GET /state/agents');
				const results = await Promise.all(
					senders.map((sender) => measure(sender, [people(agent, perSender), sms], '/sms/send')),
				);
				// The one that ended last has seen everything.
				const result = results.sort((a, b) => b.requests - a.requests)[0];
				const all = perSender * senders.length;
				const percent = round((result.rejected / result.requests) * 100, 1);
				const figure = `${round(result.perSecond)} per second, ${percent} % rejected, ${result.created} sent`;
				say(`${algorithm}, ${way}, up to ${varies} ms: ${figure}`);
				rows.push([
					...[algorithm, way, `60 + up to ${varies} ms`, `${result.created} of ${all}`],
					...[`${result.rejected} (${percent} %)`, round(result.perSecond)],
					way === 'alone' ? round(5 / (1 + varies / 1000)) : '',
				]);
				bars.push({
					bar: `${algorithm}, ${way}, up to ${varies} ms: ${
						demanded ? `at least ${demanded} accepted per second, ` : ''
					}at most ${round(mostRejected * 100)} % rejected, all sent once`,
					held:
						result.perSecond >= demanded && percent <= mostRejected * 100 && result.created === all,
					figure,
				});
			}
	} finally {
		for (const one of [other, ...told]) await one.kill();
	}
	return {
		title: 'SMS over a network that varies, and from several processes',
		text: 'Against a limit of 5 per second. Each request arrives after a delay of its own, each answer takes 60 ms. What a single sender can reach where no two requests may come too close is 5 / (1 + variation in seconds).',
		columns: [
			...['limiter', 'who sends', 'latency', 'sent', 'rejected', 'accepted per second'],
			'5 / (1 + variation)',
		],
		rows,
		bars,
	};
}
