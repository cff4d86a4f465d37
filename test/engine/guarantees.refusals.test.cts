/**
 * What becomes of a request that the platform refuses with 429, and of everything else meanwhile. Each test
 * begins with nodes that remember nothing, because the pace is kept for as long as the process lives.
 */
import { usePlatform } from './guarantees/platform.cts';
import type { INodeParameters } from 'n8n-workflow';
import { agentOf, byId, fast, hintsOf, people, sms, ok } from './guarantees/scene.cts';

const { sandbox, engine, run } = usePlatform({ speed: 60, settings: fast });

beforeEach(async () => {
	await engine.forget();
});

/** Sends SMS with On Error: Continue. @returns what is wrong with each, or its status */
async function texts(count: number): Promise<Array<{ message: string; description: string }>> {
	const chosen = { items: people(count), onError: 'continueRegularOutput' } as const;
	const result = ok(await run('acpMessages', sms(await agentOf(sandbox)), chosen));
	return result
		.json()
		.map(({ error, errorDescription, ...sent }) =>
			error ? { message: error, description: errorDescription } : sent,
		);
}
const asked = async () => await sandbox.ledger({ path: '/sms/send' });
const refuse = async (retryAfter: number, times?: number) =>
	await sandbox.strike('^/sms/send$', { status: 429, retryAfter }, { times });

describe('Guarantee: a 429 holds up what it is about, and nothing else', () => {
	test('an hour to wait for SMS: later SMS fail at once with the time left, all else goes on', async () => {
		await refuse(3600, 1);
		for (const count of [1, 3]) {
			const errors = await texts(count);
			expect(errors).toHaveLength(count);
			for (const { message, description } of errors) {
				expect(message).toMatch(/^The platform asked to wait \d\d minutes, until \d\d:\d\d$/);
				expect(description).toMatch(/All others still work.*Nothing was done for this item/);
			}
			expect(await asked()).toHaveLength(1);
		}

		const agent = await agentOf(sandbox);
		expect(ok(await run('acpAgents agent.getAll', { returnAll: true })).json()).toHaveLength(5);
		const call = { agent: byId(agent), phoneNumber: '={{ $json.phone }}' };
		ok(await run('acpCalls call.start', call, { items: people(3) }));
		expect(await sandbox.created('/call')).toHaveLength(3);
		expect((await engine.listSearch('acpMessages', 'searchAgents')).results).toHaveLength(5);
		const trigger = await engine.trigger('acpTrigger', { agents: [agent] });
		await trigger.activate();
		expect(await sandbox.state('webhooks')).toHaveLength(1);
		await trigger.deactivate();
	});

	test('a 429 that lasts is given up after ten minutes, waiting in line included, by all that were sent together', async () => {
		await refuse(1);
		const errors = await texts(10);
		expect(errors).toHaveLength(10);
		for (const { message, description } of errors) {
			expect(message).toBe('The platform is receiving more requests than it allows');
			expect(description).toMatch(
				/Run it again later, or send fewer at a time\. .*Nothing was done/,
			);
			expect(description).not.toMatch(/Max Retries/);
		}
		const requests = await asked();
		const minutes = (requests.at(-1)!.at - requests[0]!.at) / 60_000;
		expect(minutes).toBeGreaterThan(8);
		expect(minutes).toBeLessThan(13);
		expect(requests.length).toBeLessThan(700);
	});

	test('one of a moment holds back its own request only', async () => {
		await refuse(1, 1);
		expect(await texts(8)).toHaveLength(8);
		const requests = (await asked()).map(({ status, body }) => [status, body.phoneNumber]);
		// The refused one was sent again behind those that had not been refused.
		expect(requests.map(([status]) => status)).toEqual([429, ...Array(8).fill(201)]);
		expect(requests.at(-1)![1]).toBe(requests[0]![1]);
	});

	const elsewhere = async (options: INodeParameters) => {
		await sandbox.strike('^/sms/send$', { status: 429, retryAfter: 3 }, { nth: 6 });
		const result = ok(
			await run('acpMessages', sms(await agentOf(sandbox), options), { items: people(20) }),
		);
		expect(hintsOf(result)).toMatch(/1 request was retried/);
		const ledger = await asked();
		expect(ledger).toHaveLength(21);
		const at = ledger.findIndex(({ status }) => status === 429);
		return { refused: ledger[at]!, later: ledger.slice(at + 1) };
	};

	test('a 429 from elsewhere: the refused one is sent again when Retry-After is over, every other once', async () => {
		const { refused, later } = await elsewhere({});
		const again = later.filter(({ body }) => body.phoneNumber === refused.body.phoneNumber);
		expect(again).toHaveLength(1);
		expect(again[0]!.at - refused.at).toBeGreaterThanOrEqual(3000);
		expect(await sandbox.created('/sms/send')).toHaveLength(20);
	});

	// interface: §8 rule 1
	test('a 429 from elsewhere, with Concurrency 1: nothing leaves before Retry-After is over, then everything goes', async () => {
		const { refused, later } = await elsewhere({ concurrency: 1 });
		expect(later[0]!.at - refused.at).toBeGreaterThanOrEqual(3000);
	});
});
