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
const send = async (sandbox: Sandbox, count: number) =>
	await run('acpMessages', sms(await agentOf(sandbox)), {
		items: people(count),
		credentials: { acpApi: sandbox.credential() },
	});
const requests = async (sandbox: Sandbox) => await sandbox.ledger({ path: '/sms/send' });
const accepted = async (sandbox: Sandbox) =>
	(await sandbox.created('/sms/send')).map(({ at, body }) => ({ at, to: body.phoneNumber }));

describe('sends to two workspaces at once', () => {
	test('one that asks for patience does not hold up the other', async () => {
		await other.strike('^/sms/send$', { status: 429, retryAfter: 5 }, { nth: 1 });
		const waiting = send(other, 1);
		ok(await send(platform.sandbox, 8));
		expect(failure(await waiting)).toBeUndefined();
		const [refused, taken] = await requests(other);
		expect([refused?.status, taken?.effect]).toEqual([429, 'created']);
		const here = await accepted(platform.sandbox);
		expect(here).toHaveLength(8);
		expect(Math.max(...here.map(({ at }) => at))).toBeLessThan(taken!.at);
	});
});

test('the zone that one applies is not applied to the other, even under the same token', async () => {
	await platform.sandbox.settings({ workspaceTimezone: 'Europe/Istanbul' });
	await other.settings({ workspaceTimezone: 'America/New_York' });
	const tokens = both().map(({ token }) => token);
	expect(tokens[0]).toBe(tokens[1]);
	const scheduled: string[] = [];
	for (const sandbox of both()) {
		ok(
			await run(
				'acpInsights analytics.exportMessages',
				{ period: 'custom', from: '2035-03-05T00:00:00', to: '2035-03-06T00:00:00' },
				{ credentials: { acpApi: sandbox.credential() } },
			),
		);
		const [request] = await sandbox.ledger({ path: '/analytics/messages' });
		scheduled.push(String(request!.query.from));
	}
	expect(scheduled).toEqual(['2035-03-05T00:00:00+03:00', '2035-03-05T00:00:00-05:00']);
});
