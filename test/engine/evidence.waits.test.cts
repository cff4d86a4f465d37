/** Calls that nobody answers: where a conversation does not say that they ended, the list does. */
import { agentOf, byId, fast, hintsOf, people, ok } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const lifeMs = 20_000;
const { sandbox, run } = usePlatform({
	settings: {
		...fast,
		call: { lifeMs, outcomeByNumber: { '': 'no_answer' } },
		manners: { newerConversations: true },
	},
	speed: 60,
});

const startAndWait = async (count: number, options: object = {}) =>
	await run(
		'acpCalls call.startAndWait',
		{
			agent: byId(await agentOf(sandbox)),
			phoneNumber: '={{ $json.phone }}',
			options: options as never,
		},
		{ items: people(count) },
	);

describe('Evidence: a call without a status is taken for one that goes on', () => {
	test.each([
		[1, {}],
		[10, { concurrency: 5 }],
	])(
		'%s calls that nobody answers, five at once: each wait ends with its call',
		async (count, options) => {
			const result = ok(await startAndWait(count, options));
			expect(result.json().map(({ call_status, timedOut }) => [call_status, timedOut])).toEqual(
				people(count).map(() => ['no-answer', false]),
			);
			expect(hintsOf(result)).not.toContain('Stopped waiting');
		},
	);

	test('a list that shows no status either: it is not known, and the wait ends at its time-out', async () => {
		await sandbox.settings({ manners: { newerConversations: true, conversationList: 'thin' } });
		const result = await startAndWait(2, { waitTimeout: 60 });
		expect(result.json().map(({ timedOut }) => timedOut)).toEqual([true, true]);
	});

	test('a list that shows conversations late: the row that comes at last ends the wait', async () => {
		await sandbox.settings({
			call: { outcomeByNumber: { '': 'interested' } },
			manners: { newerConversations: true, conversationList: 'late' },
		});
		const result = await startAndWait(2);
		expect(result.json().map(({ status, timedOut }) => [status, timedOut])).toEqual([
			['Closed', false],
			['Closed', false],
		]);
	});
});
