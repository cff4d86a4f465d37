/** Two workspaces in one n8n: nothing that belongs to one of them is applied to the other. */
import { agentOf, failure, people, sms, ok } from './guarantees/scene.cts';
import { startSandbox, usePlatform, type Sandbox } from './harness/index.cts';

const platform = usePlatform({ engine: { expressionEngine: 'legacy' } });
const { engine, run } = platform;
let other: Sandbox;

beforeAll(async () => {
	other = await startSandbox();
});
// Pace and zone are kept for as long as the process lives.
beforeEach(async () => {
	await Promise.all([other.reset(), engine.forget()]);
});
afterAll(async () => {
	await other?.stop();
});

const both = (): Sandbox[] => [platform.sandbox, other];
const limits = async (sandbox: Sandbox, limit: number) =>
	await sandbox.settings({
		rate: { send: { limit, windowMs: 1000, algorithm: 'sliding-window', othersPerSecond: 0 } },
	});
const send = async (sandbox: Sandbox, count: number, more: Record<string, string> = {}) =>
	await run('acpMessages', sms(await agentOf(sandbox)), {
		items: people(count),
		credentials: { acpApi: sandbox.credential(more) },
	});
const rejected = async (sandbox: Sandbox) =>
	(await sandbox.ledger({ path: '/sms/send' })).filter(({ status }) => status === 429).length;
const accepted = async (sandbox: Sandbox) => await sandbox.created('/sms/send');

describe('sends to two workspaces at once', () => {
	test('each has a pace of its own: together they get more than either allows', async () => {
		await Promise.all(both().map(async (sandbox) => await limits(sandbox, 5)));
		const results = await Promise.all(both().map(async (sandbox) => await send(sandbox, 15)));
		expect(results.map(failure)).toEqual([undefined, undefined]);
		// Without a pace, about ten of each are refused; a busy machine delays a send or two.
		for (const sandbox of both()) expect(await rejected(sandbox)).toBeLessThanOrEqual(3);
		const times = (await Promise.all(both().map(accepted))).flat().map(({ at }) => at);
		expect(times).toHaveLength(30);
		const within = (from: number) => times.filter((at) => at >= from && at < from + 2000).length;
		// One pace for both lets 10 leave in two seconds, a pace of each 20; the middle, because arrivals are uneven.
		expect(Math.max(...times.map(within))).toBeGreaterThan(14);
	});

	test('one that asks for patience does not hold up the other', async () => {
		await other.strike('^/sms/send$', { status: 429, retryAfter: 5 }, { nth: 1 });
		const waiting = send(other, 1);
		ok(await send(platform.sandbox, 8));
		expect(failure(await waiting)).toBeUndefined();
		const [taken] = await accepted(other);
		expect([await rejected(other), taken?.effect]).toEqual([1, 'created']);
		const here = await accepted(platform.sandbox);
		expect(here).toHaveLength(8);
		expect(Math.max(...here.map(({ at }) => at))).toBeLessThan(taken!.at);
	});

	test('the same workspace under two spellings has one pace', async () => {
		await limits(platform.sandbox, 5);
		const { url } = platform.sandbox;
		const results = await Promise.all(
			[url, `${url}/api/v1/`].map(async (baseUrl) => await send(platform.sandbox, 6, { baseUrl })),
		);
		expect(results.map(failure)).toEqual([undefined, undefined]);
		expect(await accepted(platform.sandbox)).toHaveLength(12);
		// With a pace for each spelling, half of them would be refused.
		expect(await rejected(platform.sandbox)).toBeLessThanOrEqual(2);
	});
});

test('the zone that one applies is not applied to the other, even under the same token', async () => {
	await platform.sandbox.settings({ workspaceTimezone: 'Europe/Istanbul' });
	await other.settings({ workspaceTimezone: 'America/New_York' });
	expect(platform.sandbox.token).toBe(other.token);
	const period = { period: 'custom', from: '2035-03-05T00:00:00', to: '2035-03-06T00:00:00' };
	const asked = [];
	for (const sandbox of both()) {
		const credentials = { acpApi: sandbox.credential() };
		ok(await run('acpInsights analytics.exportMessages', period, { credentials }));
		const [request] = await sandbox.ledger({ path: '/analytics/messages' });
		asked.push(request!.query.from);
	}
	expect(asked).toEqual(['2035-03-05T00:00:00+03:00', '2035-03-05T00:00:00-05:00']);
});
