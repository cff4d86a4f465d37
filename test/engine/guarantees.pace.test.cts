/**
 * How fast requests leave, judged by the limiters of the sandbox: what a limiter refuses was sent too early.
 * Each test has an engine process of its own, because the pace is kept for as long as the process lives.
 */
import { agentOf, byId, failure, hintsOf, people, sms } from './guarantees/scene.cts';
import { usePlatform, type LedgerEntry } from './harness/index.cts';

const platform = usePlatform();
jest.setTimeout(120_000);

/** More than one window, and more than any bucket holds. */
const count = Number(process.env.PACE_SENDS ?? 24);

beforeEach(async () => {
	await platform.engine.restart();
});

const sends = async (): Promise<LedgerEntry[]> =>
	await platform.sandbox.ledger({ path: '/sms/send' });
const rejected = async () => (await sends()).filter(({ status }) => status === 429).length;
const accepted = async () => (await sends()).filter(({ effect }) => effect === 'created');
const limiter = async (algorithm: string, othersPerSecond = 0, limit = 5) =>
	await platform.sandbox.settings({
		rate: { send: { limit, windowMs: 1000, algorithm, othersPerSecond } },
	});
const algorithms = ['token-bucket', 'fixed-window', 'sliding-window'];

async function report(name: string): Promise<void> {
	if (!process.env.PACE_SENDS) return;
	const times = (await accepted()).map(({ at }) => at);
	const seconds = (times.at(-1)! - times[0]!) / 1000;
	console.log(name, {
		sent: times.length,
		rejected: await rejected(),
		perSecond: ((times.length - 1) / seconds).toFixed(3),
	});
}

describe('Guarantee: sends leave at the pace that the platform allows', () => {
	test.each(algorithms)('alone in the workspace, a %s on the other side', async (algorithm) => {
		await limiter(algorithm);
		const result = await platform.engine.runNode(
			'acpMessages',
			sms(await agentOf(platform.sandbox)),
			{ items: people(count) },
		);
		await report(algorithm);
		expect(failure(result)).toBeUndefined();
		expect(await accepted()).toHaveLength(count);
		expect(await rejected()).toBeLessThanOrEqual(1);
		expect(hintsOf(result)).toMatch(/requests were held back to keep the platform's limits/);
	});

	test.each(algorithms)('others send, too, a %s on the other side', async (algorithm) => {
		await limiter(algorithm, 2);
		const result = await platform.engine.runNode(
			'acpMessages',
			sms(await agentOf(platform.sandbox)),
			{ items: people(count) },
		);
		await report(`${algorithm} with others`);
		expect(failure(result)).toBeUndefined();
		expect(await accepted()).toHaveLength(count);
		// What others send is seen only afterwards: a few are refused, then the rest is left to them.
		expect(await rejected()).toBeLessThanOrEqual(Math.ceil(count / 4));
	});

	test('two executions at once keep one pace together, and neither waits for the other to end', async () => {
		await limiter('sliding-window');
		const [one, two] = [await agentOf(platform.sandbox, 0), await agentOf(platform.sandbox, 1)];
		const results = await Promise.all(
			[one, two].map(
				async (agent) =>
					await platform.engine.runNode('acpMessages', sms(agent), { items: people(15) }),
			),
		);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		expect(await rejected()).toBeLessThanOrEqual(1);
		const agents = (await accepted()).map(({ body }) => body.agentId);
		expect(agents).toHaveLength(30);
		// Before the first half has gone, each has had a fair part of it.
		for (const agent of [one, two])
			expect(
				agents.slice(0, 15).filter((sender) => sender === agent).length,
			).toBeGreaterThanOrEqual(4);
	});

	test('calls and messages share the limit', async () => {
		await limiter('sliding-window');
		const agent = await agentOf(platform.sandbox);
		const call = {
			resource: 'call',
			operation: 'start',
			agent: byId(agent),
			phoneNumber: '={{ $json.phone }}',
		};
		const results = await Promise.all([
			platform.engine.runNode('acpMessages', sms(agent), { items: people(10) }),
			platform.engine.runNode('acpCalls', call, { items: people(10) }),
		]);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		const ledger = await platform.sandbox.ledger({ method: 'POST' });
		expect(ledger.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(1);
		expect(ledger.filter(({ effect }) => effect === 'created')).toHaveLength(20);
	});

	test('a 429 from elsewhere: nothing leaves before Retry-After is over, then everything goes', async () => {
		await limiter('token-bucket', 0, 50);
		await platform.sandbox.faults([
			{
				match: { path: '^/sms/send$', nth: 6 },
				fault: { kind: 'status', status: 429, retryAfter: 3 },
			},
		]);
		const result = await platform.engine.runNode(
			'acpMessages',
			sms(await agentOf(platform.sandbox), { concurrency: 1 }),
			{ items: people(20) },
		);
		expect(failure(result)).toBeUndefined();
		const ledger = await sends();
		expect(ledger).toHaveLength(21);
		const at = ledger.findIndex(({ status }) => status === 429);
		expect(ledger[at + 1]!.at - ledger[at]!.at).toBeGreaterThanOrEqual(3000);
		expect(hintsOf(result)).toMatch(/1 request was tried again/);
	});

	test('a platform that announces more gets more', async () => {
		await limiter('sliding-window', 0, 40);
		await platform.engine.runNode('acpMessages', sms(await agentOf(platform.sandbox)), {
			items: people(80),
		});
		const times = (await accepted()).map(({ at }) => at);
		expect(times).toHaveLength(80);
		expect(await rejected()).toBeLessThanOrEqual(1);
		expect(
			Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length)),
		).toBeGreaterThan(5);
	});
});
