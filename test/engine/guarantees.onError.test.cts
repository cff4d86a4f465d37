/**
 * On Error, for everything that can go wrong: before the items are looked at, while they are prepared, on the way and
 * afterwards. Nothing leaves by the success branch as if it had been done.
 */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, byId, failure, fast, people, mapped } from './guarantees/scene.cts';
import type { NodeOptions } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: fast, speed: 10 });

const unknown = '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
const phoneNumber = '={{ $json.phone }}';

type Fault = Parameters<typeof sandbox.strike>;
interface Kind {
	node?: string;
	parameters?: INodeParameters;
	fault?: Fault;
	/** What the credential says differently; null: there is none. */
	credential?: Record<string, string> | null;
	/** What is told, in short. */
	says: RegExp;
}

const kinds: Record<string, Kind> = {
	'the operation does not exist': {
		node: 'acpContacts contact.constructor',
		says: /The operation "constructor" does not exist for "contact"/,
	},
	'the credential has no usable Base URL': {
		credential: { baseUrl: 'http://workspace.example.com' },
		says: /'Base URL' in the credential begins with http:/,
	},
	'the credential cannot be opened': { credential: null, says: /credential/i },
	'the zone cannot be looked up': {
		node: 'acpInsights analytics.getCalls',
		parameters: { period: 'yesterday' },
		fault: ['^/agents$', 500],
		says: /The time zone of the workspace could not be read/,
	},
	'an expression cannot be resolved': {
		parameters: { name: '={{ $("Nowhere").item.json.name }}' },
		says: /Nowhere|expression|referenced/,
	},
	'what it is compared with cannot be read': {
		node: 'acpTables record.create',
		parameters: { table: byId(unknown), columns: mapped({ name: 'a' }) },
		fault: ['/fields$', 403],
		says: /no permission for this/,
	},
	'what it is looked for in cannot be read': {
		node: 'acpContacts contact.findOrCreate',
		fault: ['GET ^/contacts$', 403],
		says: /no permission for this/,
	},
	'the answer is lost': {
		fault: ['^/contacts$', 'reset-after'],
		says: /The connection to .* was lost/,
	},
	'what came of it cannot be read': {
		node: 'acpCalls call.startAndWait',
		parameters: { agent: byId('={{ $json.agent }}') },
		fault: ['GET conversations', 403],
		says: /The call was accepted.*, but its result could not be read/,
	},
};

const given = ({ credential = {} }: Kind): NodeOptions['credentials'] =>
	credential === null ? {} : { acpApi: sandbox.credential(credential) };
const run = async (kind: Kind, options: NodeOptions = {}) => {
	const { node = 'acpContacts contact.create', parameters } = kind;
	const agent = await agentOf(sandbox);
	const inputs = people(3).map((person) => ({ ...person, agent }));
	const all = { phoneNumber, ...parameters };
	const chosen = { items: inputs, credentials: given(kind), ...options };
	return { result: await engine.runNode(node, all, chosen), inputs };
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
			if (kind.fault) await sandbox.strike(...kind.fault);
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
			const someText = expect.any(String);
			const errorOutcome = expect.stringMatching(/^(nothing happened|unknown)$/);
			const told = result.json('Node', output);
			expect(told).toEqual(
				inputs.map((input, errorItem) => ({
					...input,
					error: expect.stringMatching(kind.says),
					...(output === 0 && {
						errorDescription: someText,
						errorCode: someText,
						errorField: told[errorItem].errorField,
						errorStatus: told[errorItem].errorStatus,
						errorOutcome,
						errorItem,
					}),
				})),
			);
			const values = told.flatMap((json) => Object.values(json));
			expect(values.filter((value) => typeof value === 'object' && value)).toEqual([]);
		});

		test('as an AI tool with Continue: the model is told', async () => {
			const { node = 'acpContacts contact.create', parameters } = kind;
			const [name, resource, operation] = node.split(/[ .]/) as [string, string, string];
			const { answers } = await engine.callTools(
				name,
				{ resource, operation, phoneNumber, ...parameters },
				[{ args: { phone: people(1)[0]!.phone, agent: await agentOf(sandbox) } }],
				{ onError: 'continueRegularOutput', credentials: given(kind) },
			);
			expect(JSON.stringify(answers).replaceAll('\\"', '"')).toMatch(kind.says);
		});
	});
});
