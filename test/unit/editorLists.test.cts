/** How long a list of the editor waits for a platform that does not respond, and what it says then (simulated time). */
import {
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { methods } from '../../nodes/engine/lookups';

/** What the request helper throws when nothing came for so long. */
const silence = Object.assign(new Error('timeout of 1ms exceeded'), { code: 'ETIMEDOUT' });
/** n8n waits a little longer than the node does. */
const graceMs = 5000;

/** The editor beside a platform that never responds. */
function silent() {
	const asked: number[] = [];
	const caller = {
		getNode: () => ({ name: 'ACP', type: 'acp', typeVersion: 1, parameters: {} }),
		getCredentials: async () => ({ baseUrl: 'https://acme.example.com', token: 'a-token' }),
		getCurrentNodeParameter: () => 'chosen',
		getCurrentNodeParameters: () => ({}),
		helpers: {
			httpRequestWithAuthentication: async (_: string, { timeout = 0 }: IHttpRequestOptions) => {
				asked.push(timeout - graceMs);
				jest.advanceTimersByTime(timeout - graceMs);
				throw silence;
			},
		},
	};
	return { asked, caller: caller as unknown as ILoadOptionsFunctions };
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

const spent = (asked: number[]) => asked.reduce((sum, one) => sum + one, 0);

test('a list gives up within 15 seconds and says how to go on without it', async () => {
	const { asked, caller } = silent();
	const thrown: Error & { description?: string } = await methods.listSearch
		.searchAgents!.call(caller)
		.then(
			() => new Error('it loaded'),
			(error: Error) => error,
		);
	expect(asked.length).toBeGreaterThan(0);
	expect(spent(asked)).toBeLessThanOrEqual(15_000);
	expect(thrown.message).toBe('acme.example.com did not respond within 12 seconds');
	expect(thrown.description).toBe(
		"Try again in a moment. Until the list loads, choose 'By ID' and enter the ID.",
	);
});

test('so do a dropdown, and mapped fields, which show a sentence in place of what they offer', async () => {
	const dropdown = silent();
	const refused: unknown = await methods.loadOptions
		.getAgents!.call(dropdown.caller)
		.catch((error: unknown) => error);
	expect(spent(dropdown.asked)).toBeLessThanOrEqual(15_000);
	// Of a NodeApiError the editor shows "[object Object]".
	expect(refused).toBeInstanceOf(NodeOperationError);
	expect((refused as Error).message).toMatch(
		/did not respond .* an expression that returns the IDs\.$/,
	);

	const mapped = silent();
	const { emptyFieldsNotice } = await methods.resourceMapping.getContactFields!.call(mapped.caller);
	expect(spent(mapped.asked)).toBeLessThanOrEqual(15_000);
	expect(emptyFieldsNotice).toMatch(/did not respond .* reopen this node\.$/);
	expect(emptyFieldsNotice).not.toContain('Options');
});

test('a node that has no credential yet offers no agents, and says why', async () => {
	const { caller } = silent();
	const said = 'Node does not have any credentials set';
	caller.getCredentials = async () => {
		throw new NodeOperationError(caller.getNode(), said);
	};
	await expect(methods.loadOptions.getAgents!.call(caller)).rejects.toThrow(said);
});
