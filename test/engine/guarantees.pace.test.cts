/**
 * How fast requests leave, judged by the limiters of the sandbox: what a limiter refuses was sent too early.
 * Each test has an engine process of its own, because the pace is kept for as long as the process lives.
 */
import { algorithms, count, judgedBy } from './guarantees/limiters.cts';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, allHintsOf, byId, failure, people, sms } from './guarantees/scene.cts';

const platform = usePlatform();
const { sandbox, engine, run } = platform;

beforeEach(async () => {
	await engine.restart();
});

const { accepted, limiter, rejected, report } = judgedBy(platform);

describe('Guarantee: sends leave at the pace that the platform allows', () => {
	// interface: §8 sends
	test.each(algorithms)('alone in the workspace, a %s on the other side', async (algorithm) => {
		await limiter(algorithm);
		const result = await run('acpMessages', sms(await agentOf(sandbox)), { items: people(count) });
		await report(algorithm);
		expect(failure(result)).toBeUndefined();
		expect(await accepted()).toHaveLength(count);
		// A window that slides counts what arrives late; a refusal costs nothing.
		expect(await rejected()).toBeLessThanOrEqual(algorithm === 'sliding-window' ? 3 : 1);
		expect(allHintsOf(result)).toMatch(/requests were delayed to keep the platform's rate limits/);
	});

	test('two executions at once keep one pace together, and neither waits for the other to end', async () => {
		await limiter('sliding-window');
		const [one, two] = [await agentOf(sandbox, 0), await agentOf(sandbox, 1)];
		const results = await Promise.all(
			[one, two].map(async (agent) => await run('acpMessages', sms(agent), { items: people(15) })),
		);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		// A tenth at most.
		expect(await rejected()).toBeLessThanOrEqual(3);
		const agents = (await accepted()).map(({ body }) => body.agentId);
		expect(agents).toHaveLength(30);
		// Before the first half has gone, each has had a fair part of it.
		for (const agent of [one, two])
			expect(
				agents.slice(0, 15).filter((sender) => sender === agent).length,
			).toBeGreaterThanOrEqual(4);
	});

	// interface: §8 sends
	test('calls and messages share the limit', async () => {
		await limiter('sliding-window');
		const agent = await agentOf(sandbox);
		const call = {
			resource: 'call',
			operation: 'start',
			agent: byId(agent),
			phoneNumber: '={{ $json.phone }}',
		};
		const results = await Promise.all([
			run('acpMessages', sms(agent), { items: people(10) }),
			run('acpCalls', call, { items: people(10) }),
		]);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		const ledger = await sandbox.ledger({ method: 'POST' });
		// A tenth at most.
		expect(ledger.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(2);
		expect(ledger.filter(({ effect }) => effect === 'created')).toHaveLength(20);
	});

	// interface: §8 rule 2
	test('a platform that announces more: the documented limit is kept', async () => {
		await limiter('sliding-window', { limit: 40 });
		await run('acpMessages', sms(await agentOf(sandbox)), { items: people(30) });
		const times = (await accepted()).map(({ at }) => at);
		expect(times).toHaveLength(30);
		expect(await rejected()).toBe(0);
		// 29 distances of a fifth of a second; what arrives late or early varies by less.
		expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(5000);
	});
});
