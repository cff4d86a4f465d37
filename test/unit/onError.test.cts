/** On Error, for what nobody foresaw: a fault of this package itself becomes an error item, too, at its item. */
import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { operation, resource } from '../../nodes/engine/operation';
import { run } from '../../nodes/engine/run/run';

const broken = (): never => {
	throw new TypeError("Cannot read properties of undefined (reading 'x')");
};
const about = { action: 'Get it', name: 'Get' };
const things = resource({
	label: 'Thing',
	value: 'thing',
	operations: {
		/** Its output cannot be read for the second item. */
		second: operation.create('POST /agents', {
			...about,
			output: (answer: unknown) =>
				(answer as { nth: number }).nth === 2 ? broken() : { done: true },
		} as never),
		read: operation.get('GET /outbound/summary', { ...about, output: broken }),
		check: operation.create('POST /agents', { ...about, check: broken } as never),
	},
});

/** As much of n8n as a run needs; each item is answered with its place in the order. */
function contextOf(chosen: string, onError: string | undefined, change: object = {}) {
	let sent = 0;
	const inputs = [{ json: { a: 0 } }, { json: { a: 1 } }, { json: { a: 2 } }];
	const context = {
		getNode: () => ({ name: 'Node', type: 'acpThings', onError, parameters: {} }),
		getInputData: () => inputs,
		getNodeParameter: (name: string) =>
			({ resource: 'thing', operation: chosen, options: { concurrency: 1 } })[name],
		getCredentials: async () => ({ baseUrl: 'https://workspace.example.com', token: 'a' }),
		getExecutionId: () => '1',
		getExecutionCancelSignal: () => undefined,
		getContext: () => ({}),
		evaluateExpression: () => 0,
		continueOnFail: () => onError !== undefined && onError !== 'stopWorkflow',
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode: 201,
				headers: {},
				body: Readable.from([Buffer.from(JSON.stringify({ nth: ++sent }))]),
			}),
		},
		...change,
	};
	return context as unknown as IExecuteFunctions;
}

const message = "Cannot read properties of undefined (reading 'x')";

describe.each(['continueRegularOutput', 'continueErrorOutput'])('%s', (onError) => {
	const unexpected = /did not expect it.*The request may have gone through/;
	/** The error item of an input. */
	const told = (errorItem: number, description = expect.any(String)) =>
		onError === 'continueErrorOutput'
			? { error: expect.stringMatching(message.replace(/[()']/g, '.')) }
			: {
					a: errorItem,
					error: message,
					errorDescription: description,
					errorCode: expect.any(String),
					errorField: null,
					errorStatus: null,
					errorOutcome: expect.stringMatching(/^(unknown|nothing happened)$/),
					errorItem,
				};

	test('an item whose answer breaks the node is named, and the others are done', async () => {
		const [output] = await run(contextOf('second', onError), [things]);
		expect(output).toEqual([
			{ json: { done: true }, pairedItem: { item: 0 } },
			{ json: told(1, expect.stringMatching(unexpected)), pairedItem: { item: 1 } },
			{ json: { done: true }, pairedItem: { item: 2 } },
		]);
	});

	test.each(['read', 'check'])('every item, where each of them breaks it: %s', async (chosen) => {
		const [output] = await run(contextOf(chosen, onError), [things]);
		expect(output).toEqual(
			[0, 1, 2].map((index) => ({ json: told(index), pairedItem: { item: index } })),
		);
	});

	test.each(['getContext', 'getCredentials', 'getNodeParameter', 'evaluateExpression'])(
		'every item, where the run cannot even begin: %s',
		async (name) => {
			const [output] = await run(contextOf('read', onError, { [name]: broken }), [things]);
			expect(output).toEqual(
				[0, 1, 2].map((index) => ({ json: told(index), pairedItem: { item: index } })),
			);
		},
	);

	test('a stopped execution gives no items', async () => {
		const aborted = AbortSignal.abort();
		const stopped = contextOf('read', onError, {
			getExecutionCancelSignal: () => aborted,
			getContext: broken,
		});
		await expect(run(stopped, [things])).rejects.toThrow(message);
		const waiting = contextOf('read', onError, { getExecutionCancelSignal: () => aborted });
		await expect(run(waiting, [things])).rejects.toThrow('The execution was canceled');
	});
});

test.each(['read', 'second', 'check'])('stopWorkflow: %s is thrown', async (chosen) => {
	await expect(run(contextOf(chosen, 'stopWorkflow'), [things])).rejects.toThrow(message);
});
