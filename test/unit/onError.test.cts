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
				statusCode: 200,
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
	const json = (index: number) => (onError === 'continueErrorOutput' ? {} : { a: index });
	const error = (item: number) => ({ message, item, code: expect.any(String) });

	test('an item whose answer breaks the node is named, and the others are done', async () => {
		const [output] = await run(contextOf('second', onError), [things]);
		expect(output).toEqual([
			{ json: { done: true }, pairedItem: { item: 0 } },
			{
				json: {
					...json(1),
					error: {
						...error(1),
						description: expect.stringMatching(
							/^This node did not expect it.*The request may have gone through/,
						),
					},
				},
				pairedItem: { item: 1 },
			},
			{ json: { done: true }, pairedItem: { item: 2 } },
		]);
	});

	test.each(['read', 'check'])('every item, where each of them breaks it: %s', async (chosen) => {
		const [output] = await run(contextOf(chosen, onError), [things]);
		expect(output).toEqual(
			[0, 1, 2].map((index) => ({
				json: { ...json(index), error: expect.objectContaining(error(index)) },
				pairedItem: { item: index },
			})),
		);
	});

	test.each(['getContext', 'getCredentials', 'getNodeParameter', 'evaluateExpression'])(
		'every item, where the run cannot even begin: %s',
		async (name) => {
			const [output] = await run(contextOf('read', onError, { [name]: broken }), [things]);
			expect(output).toEqual(
				[0, 1, 2].map((index) => ({
					json: { ...json(index), error: expect.objectContaining(error(index)) },
					pairedItem: { item: index },
				})),
			);
		},
	);

	test('its row is named where the item has one', async () => {
		const inputs = [{ json: { a: 0, row_number: 7 } }, { json: { a: 1 } }];
		const context = contextOf('read', onError, {
			getCredentials: broken,
			getInputData: () => inputs,
		});
		const [output] = await run(context, [things]);
		const errors = output!.map(({ json: { error: told } }) => told);
		expect(errors).toMatchObject([{ item: 0, row: 7 }, { item: 1 }]);
		expect(errors[1]).not.toHaveProperty('row');
	});

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
