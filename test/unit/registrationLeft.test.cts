/** What a trigger has left at the platform, and a test that listens: who takes it back, and when. */
import {
	finishLeft,
	longestTestMs,
	noteReceived,
	noteTest,
	takeBack,
	takeUp,
} from '../../nodes/engine/registration/left';
import type { Registrant } from '../../nodes/engine/registration/registrant';

const nodeOf = (workflow: string): Registrant =>
	({
		title: 'ACP Event Trigger',
		workflow,
		node: 'node',
		addresses: {
			published: `https://n8n.example.com/webhook/${workflow}/webhook`,
			test: undefined,
		},
		context: { logger: { warn: () => undefined } },
	}) as unknown as Registrant;

/** What takes back succeeds from then on. */
const counted = (complaints: string[][] = []) => {
	const calls: string[] = [];
	return {
		calls,
		again: async () => {
			calls.push('again');
			return complaints.shift() ?? [];
		},
	};
};

afterEach(() => jest.useRealTimers());

test('a test whose workflow was deleted: any other node ends it when n8n no longer listens, once', async () => {
	jest.useFakeTimers({ now: 0 });
	const { calls, again } = counted();
	noteTest(nodeOf('deleted'), [{ agent: 'one' }], again);
	await finishLeft(nodeOf('other'));
	expect(calls).toEqual([]);
	jest.setSystemTime(longestTestMs);
	await finishLeft(nodeOf('other'));
	await finishLeft(nodeOf('other'));
	expect(calls).toEqual(['again']);
});

test('a test that got its event, and whose end n8n does not tell: any other node ends it', async () => {
	const { calls, again } = counted();
	noteTest(nodeOf('forgotten'), [{ agent: 'one' }], again);
	const received = (mode: string) =>
		noteReceived({
			getMode: () => mode,
			getWorkflow: () => ({ id: 'forgotten' }),
			getNode: () => ({ id: 'node' }),
		} as never);
	received('webhook');
	await finishLeft(nodeOf('other'));
	expect(calls).toEqual([]);
	received('manual');
	await finishLeft(nodeOf('other'));
	expect(calls).toEqual(['again']);
});

test('its own node goes on: what it still wants stays, the rest is ended', async () => {
	const { calls, again } = counted();
	noteTest(nodeOf('same'), [{ agent: 'one', intent: 'a' }], again);
	await takeUp(nodeOf('same'), [{ agent: 'one', intent: 'a' }]);
	expect(calls).toEqual([]);
	noteTest(nodeOf('same'), [{ agent: 'one', intent: 'a' }], again);
	await takeUp(nodeOf('same'), [{ agent: 'one', intent: 'b' }]);
	expect(calls).toEqual(['again']);
});

test('what could not be taken back stays for others, also where the node goes on elsewhere', async () => {
	const one = counted([['away']]);
	expect(await takeBack(nodeOf('one'), [{ agent: 'one' }], one.again)).toEqual(['away']);
	const two = counted([['away']]);
	noteTest(nodeOf('two'), [{ agent: 'one' }], two.again);
	await takeUp(nodeOf('two'), [{ agent: 'two' }]);
	await finishLeft(nodeOf('three'));
	await finishLeft(nodeOf('three'));
	expect([one.calls.length, two.calls.length]).toEqual([2, 2]);
});
