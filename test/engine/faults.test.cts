/**
 * Random faults of every class over many requests, seeded. The oracle is the sandbox's ledger: what was accepted, how
 * often, and whether each output is the answer to its own item.
 * `npm test` runs the short form; `npm run test:faults` runs 1000 keyed sends, 1000 reads and
 * 300 writes for each class.
 */
import {
	byId,
	contact,
	failure,
	fast,
	happened,
	onceEach,
	phoneOf,
	sms,
} from './guarantees/scene.cts';
import { usePlatform, type FaultRule } from './harness/index.cts';

const full = process.env.FAULTS === 'full';
const sends = full ? 1000 : 60;
const reads = full ? 1000 : 60;
const writes = full ? 300 : 60;
const seed = Number(process.env.FAULTS_SEED ?? 1);
const agents = 10;

const platform = usePlatform({ settings: fast, speed: 10, seed, agents });
jest.setTimeout(full ? 600_000 : 60_000);

/** Of all requests; high enough that some are hit twice in a row. */
const part = full ? 0.04 : 0.12;

type Fault = FaultRule['fault'];
const half = (fault: Fault): Fault[] => [fault, { ...fault, afterAcceptance: true }];
const classes: Record<string, Fault[]> = {
	429: [{ kind: 'status', status: 429, retryAfter: 1 }],
	500: half({ kind: 'status', status: 500 }),
	502: half({ kind: 'status', status: 502 }),
	503: half({ kind: 'status', status: 503 }),
	'reset before acceptance': [{ kind: 'reset-before' }],
	'reset after acceptance': [{ kind: 'reset-after' }],
	'time-out': half({ kind: 'timeout' }),
	'HTML from a proxy': half({ kind: 'html', status: 502 }),
	'truncated JSON': [{ kind: 'truncated' }, { kind: 'truncated', close: true }],
};

/** Lets the faults hit requests of one method and path at random, each equally often. */
async function strike(faults: Fault[], method: string, path: string): Promise<void> {
	const probability = (faults[0]!.status === 429 ? part / 2 : part) / faults.length;
	await platform.sandbox.faults(
		faults.map((fault) => ({ match: { method, path, probability }, fault })),
	);
}

/** How many requests were hit: a class that never struck proves nothing. */
const struck = async (method: string) =>
	(await platform.sandbox.ledger({ method })).filter(({ fault }) => fault !== undefined).length;

const agentUuids = async (): Promise<string[]> =>
	(await platform.sandbox.state('agents')).map(({ agent_uuid }) => agent_uuid);
const options = { timeout: 1 };
const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

describe.each(Object.entries(classes))(
	'Guarantee: random faults lose nothing and let nothing happen twice › %s',
	(_, faults) => {
		test('keyed sends: accepted once each, every answer at its item', async () => {
			const [agent] = await agentUuids();
			await strike(faults, 'POST', '^/sms/send$');
			const items = Array.from({ length: sends }, (_one, index) => ({
				phone: phoneOf(index),
				text: `Hello ${index}`,
			}));
			const result = await platform.engine.runNode('acpMessages', sms(agent!, options), { items });
			expect(failure(result)).toBeUndefined();
			expect(await struck('POST')).toBeGreaterThan(0);
			expect(await happened(platform.sandbox, '/sms/send', (body) => body.phoneNumber)).toEqual(
				onceEach(items.map(({ phone }) => phone)),
			);
			const accepted = new Map(
				(await platform.sandbox.created('/sms/send')).map(({ body, resourceUuid }) => [
					body.phoneNumber,
					resourceUuid,
				]),
			);
			expect(
				result.json().map(({ recipientPhone, messageId }) => [recipientPhone, messageId]),
			).toEqual(items.map(({ phone }) => [phone, accepted.get(phone)]));
			expect(result.pairedItems()).toEqual(items.map((_one, index) => [index]));
		});

		test('reads: every answer at its item', async () => {
			const uuids = await agentUuids();
			await strike(faults, 'GET', '^/agents/');
			const items = Array.from({ length: reads }, (_one, index) => ({
				agent: uuids[(index * 7) % uuids.length]!,
			}));
			const result = await platform.engine.runNode(
				'acpAgents',
				{ resource: 'agent', operation: 'get', agent: byId('={{ $json.agent }}'), options },
				{ items },
			);
			expect(failure(result)).toBeUndefined();
			expect(await struck('GET')).toBeGreaterThan(0);
			expect(result.json().map(({ agent_uuid }) => agent_uuid)).toEqual(
				items.map(({ agent }) => agent),
			);
			expect(result.pairedItems()).toEqual(items.map((_one, index) => [index]));
		});

		test('writes without a key that leave a trace, Retry On Fail: done once each, every answer at its item', async () => {
			const uuids = await agentUuids();
			await strike(faults, 'POST', '/notes$');
			const items = Array.from({ length: writes }, (_one, index) => ({
				agent: uuids[index % uuids.length]!,
				text: `Fact ${index}`,
			}));
			const parameters = {
				resource: 'agentKnowledge',
				operation: 'addNote',
				agent: byId('={{ $json.agent }}'),
				content: '={{ $json.text }}',
				options,
			};
			const result = await platform.engine.runNode('acpAgents', parameters, { items, ...retrying });
			expect(failure(result)).toBeUndefined();
			expect(await struck('POST')).toBeGreaterThan(0);
			const done = (await platform.sandbox.ledger({ method: 'POST' })).filter(
				({ effect }) => effect === 'created',
			);
			expect(done.map(({ path, body }) => `${path} ${body.content}`).sort()).toEqual(
				items.map(({ agent, text }) => `/agents/${agent}/notes ${text}`).sort(),
			);
			for (const [index, json] of result.json().entries()) {
				expect(json.agent_uuid).toBe(items[index]!.agent);
				expect(json.notes.map(({ content }: any) => content)).toContain(items[index]!.text);
			}
			expect(result.pairedItems()).toEqual(items.map((_one, index) => [index]));
		});

		test('writes without a key and without a trace, Retry On Fail: none twice, each done or named', async () => {
			await strike(faults, 'POST', '^/contacts$');
			const items = Array.from({ length: writes }, (_one, index) => ({
				phone: phoneOf(index),
				text: `Person ${index}`,
			}));
			const result = await platform.engine.runNode('acpContacts', contact(options), {
				items,
				...retrying,
				onError: 'continueRegularOutput',
			});
			expect(failure(result)).toBeUndefined();
			expect(await struck('POST')).toBeGreaterThan(0);
			const times = await happened(platform.sandbox, '/contacts', (body) => body.name);
			expect(Math.max(...Object.values(times))).toBe(1);
			for (const [index, json] of result.json().entries()) {
				const { text } = items[index]!;
				if (json.error)
					expect(json).toEqual({
						...items[index],
						error: expect.objectContaining({
							item: index,
							description: expect.stringMatching(
								/Look there before you run it again|Look on the platform/,
							),
						}),
					});
				else expect([json.name, times[text]]).toEqual([text, 1]);
			}
			expect(result.pairedItems()).toEqual(items.map((_one, index) => [index]));
		});
	},
);
