/**
 * How fast requests leave, judged by the limiter of the sandbox: what it refuses was sent too early. Without a common pace
 * it refuses half and more; a busy machine makes a few late. How few, of every limiter and beside others who send, in
 * simulated time without a machine: test/unit/pace.network.test.cts. What a platform announces: test/unit/pace.test.cts.
 */
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import { agentOf, allHintsOf, failure, ok, people, sms } from './guarantees/scene.cts';

/** One in five: on a machine that is busy with other tests, more than the one or three that a free one has come late. */
const few = (sent: number): number => Math.ceil(sent / 5);

const limited = { limit: 5, windowMs: 1000, algorithm: 'sliding-window' };
const platform = usePlatform({ settings: { rate: { send: limited } } });
const { sandbox, engine, run } = platform;
const { perform } = promisesOf(platform);

const rejected = async () =>
	(await sandbox.ledger({ method: 'POST' })).filter(({ status }) => status === 429).length;

// The pace is kept for as long as the process lives.
beforeEach(async () => await engine.forget());

describe('Guarantee: sends leave at the pace that the platform allows', () => {
	// interface: §8 sends
	test('more than one window of them, over a network that varies, and the delay is said', async () => {
		await sandbox.settings({ latencyMs: 60, manners: { jitterMs: 200 } });
		const result = ok(await perform(kinds.sms, 24));
		expect(await sandbox.created('/sms/send')).toHaveLength(24);
		expect(await rejected()).toBeLessThanOrEqual(few(24));
		expect(allHintsOf(result)).toMatch(/requests were delayed to keep the platform's rate limits/);
	});

	test('two executions at once keep one pace together, and neither waits for the other to end', async () => {
		const both = [await agentOf(sandbox, 0), await agentOf(sandbox, 1)];
		const results = await Promise.all(
			both.map(async (agent) => await run('acpMessages', sms(agent), { items: people(15) })),
		);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		// Two paces that know nothing of each other would see as many refused as accepted.
		expect(await rejected()).toBeLessThanOrEqual(few(30));
		const agents = (await sandbox.created('/sms/send')).map(({ body }) => body.agentId);
		expect(agents).toHaveLength(30);
		// Before the first half has gone, each has had a fair part of it.
		const early = both.map((agent) => agents.slice(0, 15).filter((one) => one === agent).length);
		expect(Math.min(...early)).toBeGreaterThanOrEqual(4);
	});

	// interface: §8 sends
	test('calls and messages share the limit', async () => {
		const results = await Promise.all([perform(kinds.sms, 10), perform(kinds.call, 10)]);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		expect(await rejected()).toBeLessThanOrEqual(few(20));
		expect(await sandbox.created()).toHaveLength(20);
	});
});
