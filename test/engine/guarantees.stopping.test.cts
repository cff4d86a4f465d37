/**
 * How runs end before their end, and what is under way and told on the way. A clock that runs ahead would let more leave
 * than may: none here does.
 */
import { range } from 'lodash';
import { kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import { allHintsOf, fast, hintsOf, people, phoneOf, retrying } from './guarantees/scene.cts';
import type { Result } from './harness/index.cts';

const platform = usePlatform({ settings: fast });
const { sandbox, run } = platform;
const { perform } = promisesOf(platform);
const { sms, call, contact } = kinds;

describe('Guarantee: stopping stops', () => {
	test('a fault with On Error = Stop: what waits for its turn is not sent', async () => {
		await sandbox.settings({ rate: { send: { limit: 5 } } });
		// The pack learns the limit of 5 first.
		await perform(sms);
		await sandbox.clearLedger();
		await sandbox.strike('^/sms/send$', { status: 422, code: 'VALIDATION_ERROR' }, { nth: 2 });
		const { error } = await perform(sms, 50);
		expect(error?.message).toMatch(/\(\+14155550001\) \[item 1\]$/);
		const { total } = await sandbox.summary();
		// One leaves every 200 ms while the refusal is on its way, which takes time on a busy machine.
		expect(total).toBeLessThanOrEqual(10);
		expect(error?.description).toContain(`${total - 1} done, ${51 - total} not done`);
		await sandbox.settings(fast);
	});

	test('the user stops an execution with Retry On Fail: nothing more leaves, and it is not tried again', async () => {
		await sandbox.settings({ latencyMs: 30 });
		const cancelWhen = async () => (await sandbox.ledger()).length >= 5;
		const result = await perform(contact, 2000, { ...retrying, cancelWhen });
		expect(result.status).toBe('canceled');
		const { length } = await sandbox.ledger();
		// Long enough for any request that was still waiting.
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect(await sandbox.ledger()).toHaveLength(length);
		expect(length).toBeLessThan(2000);
	});
});

describe('Guarantee: what is under way at once is bounded', () => {
	test.each([
		['by default', {}, 64, 150],
		['by the option Concurrency 5', { concurrency: 5 }, 5, 30],
	])('%s', async (_, options, most, count) => {
		// Long enough that a busy machine has sent all that it may before the first answer comes.
		await sandbox.settings({ latencyMs: 400 });
		await perform(contact, count, { options });
		const { maxInFlight } = await sandbox.summary();
		expect(maxInFlight).toBeLessThanOrEqual(most);
		expect(maxInFlight).toBeGreaterThanOrEqual(most / 2);
	});

	test('what the node keeps for a later try is gone when it succeeds', async () => {
		const result = await perform(contact, 20, { onError: 'continueRegularOutput' });
		expect(result.nodeContext()).toEqual({ acp: {} });
	});
});

describe('Guarantee: the user sees what happened on the way', () => {
	test('requests that were tried again, and how long they waited; where nothing happened, nothing is said', async () => {
		await sandbox.strike('^/sms/send$', 503, { nth: [2, 3] });
		expect(allHintsOf(await perform(sms, 4))).toMatch(
			/2 requests were retried.*the maximum wait was [\d.]+ seconds/,
		);
		expect(hintsOf(await perform(contact, 2))).toBe('');
	});
});

describe('Evidence: a stopped run is taken for one that left nothing behind', () => {
	const slow = { latencyMs: 60, rate: { send: { limit: 1000 }, general: { limit: 100_000 } } };
	beforeEach(async () => void (await sandbox.settings(slow)));

	const four = { options: { concurrency: 4 } };
	const reached = async (): Promise<string[]> =>
		[...(await sandbox.created('/sms/send')), ...(await sandbox.created('/call'))].map(
			({ body }) => body.phoneNumber ?? body.participant.number,
		);
	const leftBehind = ({ executionData }: Result): Record<string, string> =>
		executionData.resultData.metadata ?? {};
	/** Numbers of a text such as "3, 5–7", in the part of a stopped run's text that begins so. */
	const itemsOf = (text: string, part: string): number[] => {
		const [, list = ''] =
			new RegExp(`${part}.*?: \\d+(?:, (?:from )?\\+\\d+)? \\(items? ([^;)]+)`).exec(text) ?? [];
		return list.split(', ').flatMap((one) => {
			const [from, to = from] = one.split('–').map(Number);
			return one === '' ? [] : range(from!, to! + 1);
		});
	};

	test('60 sends, stopped in the middle: what is done, uncertain and not done, as the platform has it', async () => {
		const items = people(60).map((item, index) => ({ ...item, row_number: index + 2 }));
		const cancelWhen = async () => (await reached()).length >= 20;
		const result = await perform(sms, items, { ...four, cancelWhen });
		const { acp_stopped: text = '', ...others } = leftBehind(result);
		expect(others).toEqual({});
		expect(text.length).toBeLessThanOrEqual(512);
		const done = Number(/^"Node" was stopped\. Done: (\d+) of 60\./.exec(text)?.[1]);
		const [uncertain, rest] = [itemsOf(text, 'Uncertain'), itemsOf(text, 'Not done')];
		expect(done).toBeGreaterThan(0);
		expect(uncertain.length).toBeLessThanOrEqual(4);
		expect(done + uncertain.length + rest.length).toBe(60);
		const all = await reached();
		// Nobody who was reached is among those to go on with, and nobody is missing.
		expect(rest.filter((item) => all.includes(phoneOf(item)))).toEqual([]);
		expect(all.length).toBeGreaterThanOrEqual(done);
		expect(all.length).toBeLessThanOrEqual(done + uncertain.length);
		const [first] = rest as [number];
		expect(text).toContain(`rows ${first + 2}–61`);
		expect(text).toContain(`Not done: ${rest.length}, from ${phoneOf(first)} (items ${first}–59`);
	});

	test('in a loop, the text names the run that was stopped; runs that have ended tell what they did', async () => {
		const cancelWhen = async () => (await reached()).length >= 25;
		const result = await perform(sms, 40, { ...four, batchSize: 20, cancelWhen });
		expect(leftBehind(result)).toEqual({
			acp_done: expect.stringMatching(/^"Node": 20 SMS were accepted, from 20 items\./),
			acp_stopped: expect.stringMatching(/^"Node" was stopped in its run 2\. Done: \d+ of 20\./),
		});
	});

	test('a stop during Start and Wait: calls that are being waited for are placed, and only the others are not done', async () => {
		await sandbox.settings({ call: { lifeMs: 600_000 } });
		let looksBefore = Infinity;
		const cancelWhen = async () => {
			const { length } = await sandbox.ledger({ method: 'GET' });
			if ((await reached()).length === 2) looksBefore = Math.min(looksBefore, length);
			return length > looksBefore + 1;
		};
		const waiting = { ...call, node: 'acpCalls call.startAndWait' };
		const result = await perform(waiting, 5, { options: { concurrency: 2 }, cancelWhen });
		const { acp_stopped: text = '' } = leftBehind(result);
		const all = await reached();
		expect(text).toContain('Done: 2 of 5.');
		expect(text).not.toContain('Uncertain');
		const open = range(0, 5).filter((item) => !all.includes(phoneOf(item)));
		expect(itemsOf(text, 'Not done')).toEqual(open);
	});

	test('a run that reads leaves nothing; one that ends by itself leaves what it did', async () => {
		// The second page holds it until it is stopped.
		await sandbox.settings({ manners: { rowsPerPage: 1 } });
		await sandbox.strike('GET ^/agents$', 'timeout', { nth: 2 });
		const cancelWhen = async () => (await sandbox.ledger()).length > 0;
		const read = await run('acpAgents agent.getAll', { returnAll: true }, { cancelWhen });
		expect(read.status).toBe('canceled');
		expect(leftBehind(read)).toEqual({});
		expect(leftBehind(await perform(sms, 3, four))).toEqual({
			acp_done: expect.stringMatching(/^"Node": 3 SMS were accepted, from 3 items\./),
		});
	});
});
