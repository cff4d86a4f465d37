/**
 * How fast requests leave beside others and over a network that varies, judged by the limiters of the sandbox. What the
 * pace reaches in many such networks: test/unit/pace.network.test.cts.
 */
import { algorithms, count, judgedBy } from './guarantees/limiters.cts';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, failure, people, sms } from './guarantees/scene.cts';

const platform = usePlatform();
const { sandbox, engine, run } = platform;

beforeEach(async () => {
	await engine.restart();
});

const { accepted, limiter, rejected, report } = judgedBy(platform);

describe('Guarantee: sends leave at the pace that the platform allows', () => {
	test.each(algorithms)('others send, too, a %s on the other side', async (algorithm) => {
		await limiter(algorithm, { othersPerSecond: 2 });
		const result = await run('acpMessages', sms(await agentOf(sandbox)), { items: people(count) });
		await report(`${algorithm} with others`);
		expect(failure(result)).toBeUndefined();
		expect(await accepted()).toHaveLength(count);
		// What others send is seen only afterwards: a few are refused, then the rest is left to them.
		expect(await rejected()).toBeLessThanOrEqual(Math.ceil(count / 3));
	});

	test('over a network that takes up to 200 ms longer, a sliding window on the other side', async () => {
		await limiter('sliding-window');
		await sandbox.settings({ latencyMs: 60, manners: { jitterMs: 200 } });
		const result = await run('acpMessages', sms(await agentOf(sandbox)), { items: people(count) });
		await report('200 ms of jitter');
		expect(failure(result)).toBeUndefined();
		expect(await accepted()).toHaveLength(count);
		expect(await rejected()).toBeLessThanOrEqual(Math.ceil(count / 8));
	});
});
