/**
 * On Error, for everything that can go wrong: before the items are looked at, while they are prepared, on the way and
 * afterwards. Nothing leaves by the success branch as if it had been done.
 */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, failure, fast, people, mapped } from './guarantees/scene.cts';
import type { FaultRule, NodeOptions } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 10 });

const unknown = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
const status = (path: string, code: number, body?: unknown): FaultRule => ({
	match: { path },
	fault: { kind: 'status', status: code, ...(body === undefined ? {} : { body }) },
});
const columns = mapped({ name: 'a' });
const createRecord = { resource: 'record', operation: 'create', table: byId(unknown), columns };
const writeContact = {
	resource: 'contact',
	operation: 'create',
	phoneNumber: '={{ $json.phone }}',
};

interface Kind {
	node: string;
	parameters: INodeParameters;
	faults?: FaultRule[];
	/** What the credential says differently; null: there is none. */
	credential?: Record<string, string> | null;
	/** What is told, in short. */
	says: RegExp;
}

const kinds: Record<string, Kind> = {
	'the operation does not exist': {
		node: 'acpContacts',
		parameters: { resource: 'contact', operation: 'constructor' },
		says: /The operation "constructor" does not exist for "contact"/,
	},
	'the credential has no usable Base URL': {
		node: 'acpContacts',
		parameters: writeContact,
		credential: { baseUrl: 'http://workspace.example.com' },
		says: /'Base URL' in the credential begins with http:/,
	},
	'the credential has an unknown time zone': {
		node: 'acpContacts',
		parameters: writeContact,
		credential: { timezone: 'Mars/Olympus' },
		says: /'Timezone' in the credential is not known/,
	},
	'the credential cannot be opened': {
		node: 'acpContacts',
		parameters: writeContact,
		credential: null,
		says: /credential/i,
	},
	'the zone cannot be looked up': {
		node: 'acpInsights',
		parameters: { resource: 'analytics', operation: 'getCalls', period: 'yesterday' },
		faults: [status('^/agents$', 500)],
		says: /The time zone of the workspace could not be read/,
	},
	'an option (Max Retries) cannot be used': {
		node: 'acpContacts',
		parameters: { ...writeContact, options: { maxRetries: 'many' } },
		says: /'Options › Advanced › Max Retries' should be a number/,
	},
	'an expression cannot be resolved': {
		node: 'acpContacts',
		parameters: { ...writeContact, name: '={{ $("Nowhere").item.json.name }}' },
		says: /Nowhere|expression|referenced/,
	},
	'a value cannot be sent': {
		node: 'acpContacts',
		parameters: { ...writeContact, phoneNumber: 'none' },
		says: /'Phone Number' is not a phone number/,
	},
	'there is no file': {
		node: 'acpMedia',
		parameters: { resource: 'media', operation: 'upload' },
		says: /the item has no file there/,
	},
	'what it is compared with cannot be read': {
		node: 'acpTables',
		parameters: createRecord,
		faults: [status('/fields$', 403)],
		says: /no permission for this/,
	},
	'what it is looked for in cannot be read': {
		node: 'acpContacts',
		parameters: { ...writeContact, operation: 'findOrCreate' },
		faults: [{ ...status('^/contacts$', 403), match: { method: 'GET', path: '^/contacts$' } }],
		says: /no permission for this/,
	},
	'the platform refuses it': {
		node: 'acpContacts',
		parameters: writeContact,
		faults: [status('^/contacts$', 422)],
		says: /The platform did not accept the request/,
	},
	'the answer is lost': {
		node: 'acpContacts',
		parameters: writeContact,
		faults: [{ match: { path: '^/contacts$' }, fault: { kind: 'reset-after' } }],
		says: /The connection to .* was lost/,
	},
	'what came of it cannot be read': {
		node: 'acpCalls',
		parameters: {
			resource: 'call',
			operation: 'startAndWait',
			agent: byId('={{ $json.agent }}'),
			phoneNumber: '={{ $json.phone }}',
		},
		faults: [
			{ ...status('^/conversations', 403), match: { method: 'GET', path: 'conversations' } },
		],
		says: /The call was accepted.*, but its result could not be read/,
	},
};

const run = async ({ node, parameters, credential = {} }: Kind, options: NodeOptions = {}) => {
	const agent = await agentOf(sandbox);
	const inputs = people(3).map((person) => ({ ...person, agent }));
	const acpApi = sandbox.credential(credential ?? {});
	const result = await engine.runNode(node, parameters, {
		items: inputs,
		credentials: credential === null ? {} : { acpApi },
		...options,
	});
	return { result, inputs };
};

describe('Guarantee: On Error is obeyed by everything', () => {
	let tokens = 0;
	beforeEach(async () => {
		// An answer to an earlier test tells the zone of its token, which is then not looked up.
		const { token } = await sandbox.addToken('workspace', { label: `test ${++tokens}` });
		sandbox.token = token;
	});

	describe.each(Object.entries(kinds))('%s', (_, kind) => {
		beforeEach(async () => {
			if (kind.faults) await sandbox.faults(kind.faults);
		});

		test('Stop: the execution ends with it', async () => {
			const { result } = await run(kind, { onError: 'stopWorkflow' });
			expect(result.status).toBe('error');
			expect(`${result.error?.message} ${result.error?.description}`).toMatch(kind.says);
		});

		test.each([
			['Continue', 'continueRegularOutput'],
			['Continue (using error output)', 'continueErrorOutput'],
		] as const)('%s: every item is an error item with its input', async (__, onError) => {
			const { result, inputs } = await run(kind, { onError });
			expect(failure(result)).toBeUndefined();
			// The output for errors is the last: the third where *Skipped* is the second.
			const outputs = [0, 1, 2].filter((one) => result.items('Node', one).length > 0);
			expect(outputs).toHaveLength(1);
			const [output = 0] = outputs;
			expect(output === 0).toBe(onError === 'continueRegularOutput');
			expect(result.pairedItems('Node', output)).toEqual([[0], [1], [2]]);
			expect(result.json('Node', output)).toHaveLength(3);
			const outcome = expect.stringMatching(/^(nothing happened|unknown)$/);
			const someText = expect.any(String);
			for (const [index, json] of result.json('Node', output).entries()) {
				expect(json).toEqual({
					...inputs[index],
					error: expect.stringMatching(kind.says),
					...(output === 0 && {
						errorDescription: someText,
						errorCode: someText,
						errorField: json.errorField,
						errorStatus: json.errorStatus,
						errorOutcome: outcome,
						errorItem: index,
					}),
				});
				expect(Object.values(json).filter((value) => typeof value === 'object' && value)).toEqual(
					[],
				);
			}
		});

		test('as an AI tool with Continue: the model is told', async () => {
			const agent = await agentOf(sandbox);
			const acpApi = sandbox.credential(kind.credential ?? {});
			const { answers } = await engine.callTools(
				kind.node,
				kind.parameters,
				[{ args: { phone: people(1)[0]!.phone, agent } }],
				{
					onError: 'continueRegularOutput',
					credentials: kind.credential === null ? {} : { acpApi },
				},
			);
			expect(JSON.stringify(answers).replaceAll('\\"', '"')).toMatch(kind.says);
		});
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'the execution is stopped, with %s: no item tells of an error',
		async (onError) => {
			const kind = kinds['what it is compared with cannot be read'] as Kind;
			await sandbox.strike('/fields$', { kind: 'slow', ms: 20_000 });
			const { result } = await run(kind, {
				onError,
				cancelWhen: async () => (await sandbox.ledger()).length > 0,
			});
			expect(result.status).toBe('canceled');
			expect(result.runs()[0]?.error?.message).toBe('The execution was canceled');
			const items = [...result.json('Node', 0), ...result.json('Node', 1)];
			expect(items.filter((json) => 'error' in json)).toEqual([]);
		},
	);
});
