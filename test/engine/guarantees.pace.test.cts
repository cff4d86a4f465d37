/**
 * How fast requests leave, judged by the limiters of the sandbox: what a limiter refuses was sent too early. Without a
 * common pace they refuse half and more; a busy machine makes a few late. How few, in simulated time without a machine:
 * test/unit/pace.network.test.cts.
 */
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import { agentOf, allHintsOf, failure, ok, people, sms } from './guarantees/scene.cts';
import { type Result, type Sandbox, startSandbox } from './harness/index.cts';

/** More than one window, and more than any bucket holds. */
const count = Number(process.env.PACE_SENDS ?? 24);
/** One in five: on a machine that is busy with other tests, more than the one or three that a free one has come late. */
const few = (sent: number): number => Math.ceil(sent / 5);
const algorithms = ['token-bucket', 'fixed-window', 'sliding-window'];

const platform = usePlatform();
const { sandbox, engine, run } = platform;
const { perform } = promisesOf(platform);
const { call } = kinds;

const limited = (algorithm: string, { limit = 5, othersPerSecond = 0 } = {}) => ({
	rate: { send: { limit, windowMs: 1000, algorithm, othersPerSecond } },
});
const accepted = async (of: Sandbox = sandbox) => await of.created('/sms/send');
const rejected = async (of: Sandbox = sandbox) =>
	(await of.ledger({ method: 'POST' })).filter(({ status }) => status === 429).length;
/** With PACE_SENDS set, what the limiter saw. */
async function report(name: string, of: Sandbox): Promise<void> {
	if (!process.env.PACE_SENDS) return;
	const times = (await accepted(of)).map(({ at }) => at);
	const perSecond = ((times.length - 1) * 1000) / (times.at(-1)! - times[0]!);
	console.log(name, { sent: times.length, rejected: await rejected(of), perSecond });
}

/** Sends to workspaces of these settings, to all of them at once: each has a pace of its own. */
function sentTo(workspaces: Record<string, object>) {
	const sent = new Map<string, { of: Sandbox; result: Result }>();
	beforeAll(async () => {
		await engine.forget();
		await Promise.all(
			Object.entries(workspaces).map(async ([name, settings]) => {
				const of = await startSandbox({ settings });
				const credentials = { acpApi: of.credential() };
				const options = { items: people(count), credentials };
				const result = await run('acpMessages', sms(await agentOf(of)), options);
				await report(name, of);
				sent.set(name, { of, result });
			}),
		);
	});
	afterAll(async () => {
		for (const { of } of sent.values()) await of.stop();
	});
	return async (name: string) => {
		const { of, result } = sent.get(name)!;
		ok(result);
		expect(await accepted(of)).toHaveLength(count);
		return { result, rejected: await rejected(of) };
	};
}
const byAlgorithm = (more: object) =>
	Object.fromEntries(algorithms.map((algorithm) => [algorithm, limited(algorithm, more)]));

describe('Guarantee: sends leave at the pace that the platform allows › alone', () => {
	const sent = sentTo(byAlgorithm({}));

	// interface: §8 sends
	test.each(algorithms)(
		'alone in the workspace, a %s on the other side: at most one in five is refused',
		async (algorithm) => {
			const { result, rejected: count429 } = await sent(algorithm);
			expect(count429).toBeLessThanOrEqual(few(count));
			expect(allHintsOf(result)).toMatch(
				/requests were delayed to keep the platform's rate limits/,
			);
		},
	);
});

describe('Guarantee: sends leave at the pace that the platform allows › beside others', () => {
	const jitter = { latencyMs: 60, manners: { jitterMs: 200 }, ...limited('sliding-window') };
	const sent = sentTo({ ...byAlgorithm({ othersPerSecond: 2 }), jitter });

	test.each(algorithms)('others send, too, a %s on the other side', async (algorithm) => {
		// What others send is seen only afterwards, so more are refused; how many is held in simulated time.
		expect((await sent(algorithm)).rejected).toBeLessThan(count / 2);
	});

	test('over a network that takes up to 200 ms longer, a sliding window on the other side: at most one in five is refused', async () => {
		expect((await sent('jitter')).rejected).toBeLessThanOrEqual(few(count));
	});
});

describe('Guarantee: sends leave at the pace that the platform allows › shared', () => {
	// The pace is kept for as long as the process lives.
	beforeEach(async () => {
		await engine.forget();
	});

	test('two executions at once keep one pace together, and neither waits for the other to end', async () => {
		await sandbox.settings(limited('sliding-window'));
		const both = [await agentOf(sandbox, 0), await agentOf(sandbox, 1)];
		const results = await Promise.all(
			both.map(async (agent) => await run('acpMessages', sms(agent), { items: people(15) })),
		);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		// Two paces that know nothing of each other would see as many refused as accepted.
		expect(await rejected()).toBeLessThanOrEqual(few(30));
		const agents = (await accepted()).map(({ body }) => body.agentId);
		expect(agents).toHaveLength(30);
		// Before the first half has gone, each has had a fair part of it.
		const early = both.map((agent) => agents.slice(0, 15).filter((one) => one === agent).length);
		expect(Math.min(...early)).toBeGreaterThanOrEqual(4);
	});

	// interface: §8 sends
	test('calls and messages share the limit', async () => {
		await sandbox.settings(limited('sliding-window'));
		const results = await Promise.all([perform(kinds.sms, 10), perform(call, 10)]);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		expect(await rejected()).toBeLessThanOrEqual(few(20));
		expect(await sandbox.created()).toHaveLength(20);
	});

	// interface: §8 rule 2
	test('a platform that announces more: the documented limit is kept', async () => {
		await sandbox.settings(limited('sliding-window', { limit: 40 }));
		await perform(kinds.sms, 30);
		const times = (await accepted()).map(({ at }) => at);
		expect(times).toHaveLength(30);
		expect(await rejected()).toBe(0);
		// 29 distances of a fifth of a second; what arrives late or early varies by less.
		expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(5000);
	});
});
