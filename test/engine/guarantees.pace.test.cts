/**
 * How fast requests leave, judged by the limiters of the sandbox: what a limiter refuses was sent too early. Without a
 * common pace they refuse half and more; a busy machine makes a few late. How few, in simulated time without a machine:
 * test/unit/pace.network.test.cts.
 */
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import { agentOf, allHintsOf, failure, ok, people, sms } from './guarantees/scene.cts';
import { startSandbox } from './harness/index.cts';

/** More than one window, and more than any bucket holds. */
const count = Number(process.env.PACE_SENDS ?? 24);
/** One in five: on a machine that is busy with other tests, more than the one or three that a free one has come late. */
const few = (sent: number): number => Math.ceil(sent / 5);

const platform = usePlatform();
const { sandbox, engine, run } = platform;
const { perform } = promisesOf(platform);

const limited = (algorithm: string, { limit = 5, othersPerSecond = 0 } = {}) => ({
	rate: { send: { limit, windowMs: 1000, algorithm, othersPerSecond } },
});
const network = { latencyMs: 60, manners: { jitterMs: 200 } };
const accepted = async (of = sandbox) => await of.created('/sms/send');
const rejected = async (of = sandbox) =>
	(await of.ledger({ method: 'POST' })).filter(({ status }) => status === 429).length;

// The pace is kept for as long as the process lives.
beforeEach(async () => await engine.forget());

// Each workspace has a pace of its own, so that all of them are sent to at once. What others send is seen only
// afterwards, so more are refused; how many is held in simulated time.
// interface: §8 sends
test('Guarantee: sends leave at the pace that the platform allows › whatever limits them on the other side', async () => {
	const others = { othersPerSecond: 2 };
	await Promise.all(
		[
			{ settings: limited('token-bucket'), most: few(count) },
			{ settings: limited('fixed-window'), most: few(count) },
			{ settings: limited('sliding-window'), most: few(count) },
			{ settings: limited('sliding-window', others), most: count / 2 },
			{ settings: { ...network, ...limited('sliding-window') }, most: few(count) },
		].map(async ({ settings, most }) => {
			const of = await startSandbox({ settings });
			try {
				const chosen = { items: people(count), credentials: { acpApi: of.credential() } };
				const result = ok(await run('acpMessages', sms(await agentOf(of)), chosen));
				expect(await accepted(of)).toHaveLength(count);
				const refused = await rejected(of);
				if (process.env.PACE_SENDS) console.log(settings, { refused });
				expect({ settings, refused: refused > most }).toEqual({ settings, refused: false });
				expect(allHintsOf(result)).toMatch(
					/requests were delayed to keep the platform's rate limits/,
				);
			} finally {
				await of.stop();
			}
		}),
	);
});

describe('Guarantee: sends leave at the pace that the platform allows › shared', () => {
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
		const results = await Promise.all([perform(kinds.sms, 10), perform(kinds.call, 10)]);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		expect(await rejected()).toBeLessThanOrEqual(few(20));
		expect(await sandbox.created()).toHaveLength(20);
	});

	// interface: §8 rule 2
	test('a platform that announces more: the documented limit is kept', async () => {
		await sandbox.settings(limited('sliding-window', { limit: 40 }));
		await perform(kinds.sms, 30);
		const times = (await accepted()).map(({ at }) => at);
		expect([times.length, await rejected()]).toEqual([30, 0]);
		// 29 distances of a fifth of a second; what arrives late or early varies by less.
		expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(5000);
	});
});
