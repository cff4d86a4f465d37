/**
 * Messages against the limit of five a second. Over networks that vary, and from several processes at once:
 * test/unit/pace.network.test.cts, in simulated time.
 */
import { byId } from '../../tools/workspace.mjs';
import { begin, httpRequest, items, measure, round, seconds, work } from './measure.mjs';

const algorithms = ['token-bucket', 'fixed-window', 'sliding-window'];

const people = (agent, count) =>
	items(
		`return Array.from({ length: ${count} }, (_, i) => ({ json: { phone: '+1415556' + String(1000 + i), agent: '${agent.agent_uuid}' } }));`,
	);
const sms = work('acpMessages', 'sms.send', {
	agent: byId('={{ $json.agent }}'),
	phoneNumber: '={{ $json.phone }}',
	message: 'Hello',
});
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
