/** What a trigger has left at the platform, and a test that listens: who takes it back, and when. */
import { lifecycleOf } from '../../nodes/shared/registration/lifecycle';
import { longestTestMs, pendingCleanups } from '../../nodes/shared/registration/pendingCleanups';
import type { Registrant } from '../../nodes/shared/registration/registrant';

const nodeOf = (workflow: string, mode = 'activate'): Registrant =>
	({
		type: { title: 'Conversation Event Trigger' },
		workflow,
		node: 'node',
		context: {
			logger: { warn: () => undefined },
			getActivationMode: () => mode,
			getWorkflow: () => ({ active: true }),
		},
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
	pendingCleanups.addTest(nodeOf('deleted'), [{ agent: 'one' }], again);
	await pendingCleanups.runOthers(nodeOf('other'));
	expect(calls).toEqual([]);
	jest.setSystemTime(longestTestMs);
	await pendingCleanups.runOthers(nodeOf('other'));
	await pendingCleanups.runOthers(nodeOf('other'));
	expect(calls).toEqual(['again']);
});

test('a test that got its event, and whose end n8n does not tell: any other node ends it', async () => {
	const { calls, again } = counted();
	pendingCleanups.addTest(nodeOf('forgotten'), [{ agent: 'one' }], again);
	const received = (mode: string) =>
		pendingCleanups.testReceived({
			getMode: () => mode,
			getWorkflow: () => ({ id: 'forgotten' }),
			getNode: () => ({ id: 'node' }),
		} as never);
	received('webhook');
	await pendingCleanups.runOthers(nodeOf('other'));
	expect(calls).toEqual([]);
	received('manual');
	await pendingCleanups.runOthers(nodeOf('other'));
	expect(calls).toEqual(['again']);
});

test('its own node goes on: what it still wants stays, the rest is ended', async () => {
	const { calls, again } = counted();
	pendingCleanups.addTest(nodeOf('same'), [{ agent: 'one', intent: 'a' }], again);
	await pendingCleanups.resume(nodeOf('same'), [{ agent: 'one', intent: 'a' }]);
	expect(calls).toEqual([]);
	pendingCleanups.addTest(nodeOf('same'), [{ agent: 'one', intent: 'a' }], again);
	await pendingCleanups.resume(nodeOf('same'), [{ agent: 'one', intent: 'b' }]);
	expect(calls).toEqual(['again']);
});

test('what could not be taken back stays for others, also where the node goes on elsewhere', async () => {
	const one = counted([['away']]);
	expect(await pendingCleanups.run(nodeOf('one'), [{ agent: 'one' }], one.again)).toEqual(['away']);
	const two = counted([['away']]);
	pendingCleanups.addTest(nodeOf('two'), [{ agent: 'one' }], two.again);
	await pendingCleanups.resume(nodeOf('two'), [{ agent: 'two' }]);
	await pendingCleanups.runOthers(nodeOf('three'));
	await pendingCleanups.runOthers(nodeOf('three'));
	expect([one.calls.length, two.calls.length]).toEqual([2, 2]);
});

test('whoever tests does not wait for what others have left', async () => {
	let begun = false;
	pendingCleanups.addTest(nodeOf('slow'), [], async () => {
		begun = true;
		return await new Promise<string[]>(() => undefined);
	});
	jest.useFakeTimers({ now: Date.now() + longestTestMs });
	await pendingCleanups.runOthers(nodeOf('other', 'manual'));
	jest.useRealTimers();
	await new Promise(setImmediate);
	expect(begun).toBe(true);
});

test('n8n has no URL that can be read: unpublishing does not fail, and the log says what stays', async () => {
	const said: string[] = [];
	const context = {
		...nodeOf('without a URL').context,
		logger: { warn: (text: string) => said.push(text) },
		getNode: () => ({ name: 'Trigger' }),
		getNodeWebhookUrl: () => 'undefined/webhook',
	};
	const lifecycle = lifecycleOf({ type: { title: 'Trigger' } } as never);
	expect(await lifecycle.hooks.delete.call(context as never)).toBe(false);
	expect(said).toEqual([
		expect.stringMatching(
			/^Trigger: could not restore what .*public URL cannot be read: "undefined/,
		),
	]);
});
