/** Start and Wait: many calls at once, and lists of conversations and answers as different platforms give them. */
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { type Chosen, promisesOf } from './guarantees/promises.cts';
import { fast, hintsOf, people, ok } from './guarantees/scene.cts';

const call = { lifeMs: 30_000 };
const platform = usePlatform({ settings: { ...fast, call }, speed: 10 });
const { sandbox } = platform;
const { perform } = promisesOf(platform);

const waiting: Kind = { ...kinds.call, node: 'acpCalls call.startAndWait' };
const startAndWait = async (items: number | object[], chosen: Chosen = {}) =>
	await perform(waiting, items, { ...chosen, change: { simplify: false, ...chosen.change } });
const closed = { status: 'Closed', timedOut: false };
const placed = async () => await sandbox.created('/call');
/** Requests for the list, and for single conversations. */
const reads = async () => {
	const all = await sandbox.ledger({ method: 'GET' });
	const lists = all.filter(({ path }) => path === '/conversations');
	const single = all.filter(({ path }) => path.startsWith('/conversations/'));
	return { all: lists.length + single.length, lists, single };
};
/** The items as a single read of each conversation gives them. */
const asReadAlone = async (items: any[]) =>
	await Promise.all(
		items.map(async ({ conversation_uuid: uuid }) => {
			const { data } = await sandbox.api.get(`/conversations/${uuid}`);
			return data.data;
		}),
	);

describe('Guarantee: waiting for calls leaves the workspace its requests', () => {
	test('20 calls of 30 seconds: at most 40 reads, and each item is what its own read gives', async () => {
		const result = ok(await startAndWait(20));
		const { all, lists, single } = await reads();
		expect(all).toBeLessThanOrEqual(40);
		expect(new Set(single.map(({ path }) => path)).size).toBe(20);
		expect(lists.length).toBeGreaterThan(3);
		expect(lists[0]!.query).toMatchObject({ sort_by: 'created_at', sort_dir: 'desc' });
		const items = result.json();
		expect(items).toHaveLength(20);
		expect(items).toMatchObject(await asReadAlone(items));
		expect(items).toMatchObject(people(20).map(() => closed));
	});

	test('a single call is read by itself', async () => {
		const result = await startAndWait(1);
		expect(result.json()).toMatchObject([closed]);
		const { lists, single } = await reads();
		expect(lists).toEqual([]);
		expect(single.length).toBeGreaterThan(1);
	});

	test.each([
		['does not show the state of a call', { conversationList: 'thin' }],
		['may not be read', { unreadable: ['/conversations'] }],
	])('a list that %s: every wait ends with the call', async (_, manners) => {
		await sandbox.settings({ manners });
		const items = ok(await startAndWait(3)).json();
		expect(items).toMatchObject(await asReadAlone(items));
		expect(items).toMatchObject(people(3).map(() => closed));
		// A list that does not help is given up, and each call is read by itself in every round.
		const { lists, single } = await reads();
		expect(lists.length).toBeLessThanOrEqual(10);
		expect(single.length).toBeGreaterThan(9);
		expect(await placed()).toHaveLength(3);
	});
});

describe('Guarantee: a call without a conversation to wait for is told, not repeated', () => {
	const warning = 'The call was accepted, but its response has no conversation_uuid to wait for';

	const keys = ['agentId', 'answered', 'id', 'phone_number', 'provider', 'status', 'warning'];
	test.each([
		['older', keys],
		['quickstart', [...keys, 'createdAt', 'participant'].sort()],
	])(
		'the %s variant of the answer: the item goes on, the others are called',
		async (variant, shown) => {
			await sandbox.settings({ manners: { callAnswer: variant } });
			const result = ok(await startAndWait(3, { change: { simplify: true } }));
			const ids = (await placed()).map(({ resourceUuid }) => resourceUuid).sort();
			expect(ids).toHaveLength(3);
			const items = result.json();
			expect(items.map((one) => Object.keys(one).sort())).toEqual(people(3).map(() => shown));
			expect(items).toMatchObject(people(3).map(() => ({ warning })));
			expect(items.map(({ id }) => id).sort()).toEqual(ids);
			expect(hintsOf(result)).toContain(`${warning}.`);
			expect(result.pairedItems()).toEqual([[0], [1], [2]]);
			expect((await reads()).all).toBe(0);
		},
	);
});

// Where a conversation does not say that its call ended, the list does.
describe('Evidence: a call without a status is taken for one that goes on', () => {
	const newerConversations = true;
	const nobody = { lifeMs: 20_000, outcomeByNumber: { '': 'no_answer' } };

	test.each([
		[1, {}],
		[10, { concurrency: 5 }],
	])('%s calls that nobody answers: each wait ends with its call', async (count, options) => {
		await sandbox.settings({ call: nobody, manners: { newerConversations } });
		const result = ok(await perform(waiting, count, { options }));
		const unanswered = { call_status: 'no-answer', timedOut: false };
		expect(result.json()).toMatchObject(people(count).map(() => unanswered));
		expect(hintsOf(result)).not.toContain('Stopped waiting');
	});

	const answered = { ...nobody, outcomeByNumber: { '': 'interested' } };
	test.each<[string, object, object, object]>([
		[
			'shows none either: the time-out ends it',
			nobody,
			{ conversationList: 'thin' },
			{ timedOut: true },
		],
		['is late: its row ends it', answered, { conversationList: 'late' }, { answered: 'yes' }],
	])('a list that %s', async (_, calls, manners, shown) => {
		await sandbox.settings({ call: calls, manners: { newerConversations, ...manners } });
		const result = await perform(waiting, 2, { options: { waitTimeout: 60 } });
		expect(result.json()).toMatchObject([shown, shown]);
	});
});
