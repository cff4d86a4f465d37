/** Whether an event has started the workflow already: what n8n said counts, not what its sender heard. */
import { isRepeated } from '../../nodes/AcpTrigger/repeated';

/** A delivery as n8n passes it on, whose sender may be gone before n8n answers. */
function delivery(id: string) {
	const listeners: Array<() => void> = [];
	const response = {
		statusCode: 200,
		writableFinished: false,
		once: (_: string, listener: () => void) => listeners.push(listener),
		end: () => undefined as unknown,
	};
	const context = {
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id: 'n' }),
		getMode: () => 'webhook',
		getResponseObject: () => response,
	};
	return {
		arrives: async () => await isRepeated(context as never, id, []),
		senderLeaves: () => listeners.forEach((listener) => listener()),
		n8nAnswers(status: number) {
			response.statusCode = status;
			response.end();
		},
	};
}

test.each([
	[200, true],
	[500, false],
])('the sender gives up, n8n answers %s: a repeat is one: %s', async (status, expected) => {
	const [first, again] = [delivery(`gone ${status}`), delivery(`gone ${status}`)];
	expect(await first.arrives()).toBe(false);
	first.senderLeaves();
	first.n8nAnswers(status);
	expect(await again.arrives()).toBe(expected);
});

test('of several at once one goes on, and the others wait for what n8n says of it', async () => {
	const [first, second, third] = ['at once', 'at once', 'at once'].map(delivery);
	const [one, two, three] = [first!, second!, third!].map(async ({ arrives }) => await arrives());
	expect(await one).toBe(false);
	first!.n8nAnswers(500);
	expect(await two).toBe(false);
	second!.n8nAnswers(200);
	expect(await three).toBe(true);
});
