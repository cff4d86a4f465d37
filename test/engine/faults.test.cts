/**
 * Random faults of every class over many requests, seeded. The oracle is the sandbox's ledger: what was accepted, how
 * often, and whether each output is the answer to its own item.
 * The stage `faults` runs the short form; `npm test -- --tests faults --full` runs 1000 keyed sends, 1000 reads and
 * 300 writes for each class.
 */
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import { byId, failure, fast, happened, onceEach, phoneOf, sms, ok } from './guarantees/scene.cts';
import { type Fault, faultClasses, timeoutOf } from './guarantees/faultClasses.cts';

const full = process.env.FAULTS === 'full';
const sends = full ? 1000 : 60;
const reads = full ? 1000 : 60;
const writes = full ? 300 : 60;
const seed = Number(process.env.FAULTS_SEED ?? 1);
const agents = 10;

const { sandbox, engine, run } = usePlatform({
	settings: fast,
	speed: 50,
	seed,
	agents,
	engine: { debugLog: true },
});
jest.setTimeout(full ? 600_000 : 60_000);

/** Of all requests; high enough that some are hit twice in a row. */
const part = full ? 0.04 : 0.12;

/** n8n tries again only after a failure of the whole node or of its first item, so this one fails for certain. */
const failsOnce = { maxRetries: '={{ $itemIndex === 0 ? 0 : 5 }}' };
const withLone = ', with Max Retries 0 for the first item';

/** How the node meets an item that failed; n8n's Retry On Fail works differently in each. */
const modes: Array<[string, 'stopWorkflow' | 'continueRegularOutput', INodeParameters]> = [
	['On Error stop', 'stopWorkflow', {}],
	['On Error continue', 'continueRegularOutput', {}],
	[`On Error stop${withLone}`, 'stopWorkflow', failsOnce],
	[`On Error continue${withLone}`, 'continueRegularOutput', failsOnce],
];

/** Lets one fault hit the first write to the first item's own path. */
const strikeFirst = async (fault: Fault, path: string) =>
	await sandbox.strike(`POST ${path}`, fault, { nth: 1 });

/** Lets the faults hit requests of one method and path at random, each equally often. */
async function strike(faults: Fault[], method: string, path: string): Promise<void> {
	const probability = (faults[0]!.status === 429 ? part / 2 : part) / faults.length;
	await sandbox.faults(faults.map((fault) => ({ match: { method, path, probability }, fault })));
}

/** How many requests were hit: a class that never struck proves nothing. */
const struck = async (method: string) =>
	(await sandbox.ledger({ method })).filter(({ fault }) => fault !== undefined).length;

const agentUuids = async (): Promise<string[]> =>
	(await sandbox.state('agents')).map(({ agent_uuid }) => agent_uuid);
const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

describe.each(Object.entries(faultClasses))(
	'Guarantee: random faults lose nothing and let nothing happen twice › %s',
	(name, faults) => {
		const options = timeoutOf(faults);

		beforeEach(async () => {
			await sandbox.reset({
				seed: seed * 100 + Object.keys(faultClasses).indexOf(name),
				settings: fast,
				agents,
			});
			engine.credentials = { acpApi: sandbox.credential() };
		});

		// interface: §7 retry
		test('keyed sends: accepted once each, every answer at its item', async () => {
			const [agent] = await agentUuids();
			await strike(faults, 'POST', '^/sms/send$');
			const items = Array.from({ length: sends }, (_one, index) => ({
				phone: phoneOf(index),
				text: `Hello ${index}`,
			}));
			const result = ok(await run('acpMessages', sms(agent!, options), { items }));
			expect(await struck('POST')).toBeGreaterThan(0);
			expect(await happened(sandbox, '/sms/send', (body) => body.phoneNumber)).toEqual(
				onceEach(items.map(({ phone }) => phone)),
			);
			const accepted = new Map(
				(await sandbox.created('/sms/send')).map(({ body, resourceUuid }) => [
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
			const result = ok(
				await run('acpAgents agent.get', { agent: byId('={{ $json.agent }}'), options }, { items }),
			);
			expect(await struck('GET')).toBeGreaterThan(0);
			expect(result.json().map(({ agent_uuid }) => agent_uuid)).toEqual(
				items.map(({ agent }) => agent),
			);
			expect(result.pairedItems()).toEqual(items.map((_one, index) => [index]));
		});

		test.each(modes)(
			'writes without a key that leave a trace, Retry On Fail, Retry Writes, %s: done once each, every answer at its item',
			async (_, onError, more) => {
				const [first, ...others] = await agentUuids();
				const before = onError === 'stopWorkflow';
				await strikeFirst(before ? faults[0]! : faults.at(-1)!, `^/agents/${first}/notes$`);
				await strike(faults, 'POST', `^/agents/(?!${first}).*/notes$`);
				const items = Array.from({ length: writes }, (_one, index) => ({
					agent: index === 0 ? first! : others[index % others.length]!,
					text: `Fact ${index}`,
				}));
				const parameters = {
					resource: 'agentKnowledge',
					operation: 'addNote',
					agent: byId('={{ $json.agent }}'),
					content: '={{ $json.text }}',
					options: { ...options, ...more, retryWrites: true },
				};
				const result = ok(await run('acpAgents', parameters, { items, ...retrying, onError }));
				expect(await struck('POST')).toBeGreaterThan(1);
				const ledger = await sandbox.ledger();
				// The second try looked at the first item's agent, or sent again what was refused.
				const ofFirst = ledger.filter(({ path }) => path.startsWith(`/agents/${first}`));
				expect(ofFirst.length).toBeGreaterThan(1);
				const done = ledger.filter(({ effect }) => effect === 'created');
				expect(done.map(({ path, body }) => `${path} ${body.content}`).sort()).toEqual(
					items.map(({ agent, text }) => `/agents/${agent}/notes ${text}`).sort(),
				);
				expect(
					result
						.json()
						.map(({ agent_uuid, notes }, index) => [
							agent_uuid,
							notes.map(({ content }: any) => content).includes(items[index]!.text),
						]),
				).toEqual(items.map(({ agent }) => [agent, true]));
				expect(result.pairedItems()).toEqual(items.map((_one, index) => [index]));
			},
		);

		test.each(modes)(
			'writes without a key and without a trace, Retry On Fail, %s: none twice, each done or named',
			async (_, onError, more) => {
				const newTable = async (table: string): Promise<string> => {
					const columns = [{ name: 'text', data_type: 'text' }];
					const { data } = await sandbox.api.post('/data/tables', { name: table, columns });
					return data.data.uuid;
				};
				const [first, others] = [await newTable('First'), await newTable('Others')];
				await sandbox.clearLedger();
				const stops = onError === 'stopWorkflow';
				await strikeFirst(stops ? faults[0]! : faults.at(-1)!, `^/data/${first}/records$`);
				await strike(faults, 'POST', `^/data/${others}/records$`);
				const items = Array.from({ length: writes }, (_one, index) => ({
					table: index === 0 ? first : others,
					text: `Row ${index}`,
				}));
				const parameters = {
					resource: 'record',
					operation: 'create',
					table: byId('={{ $json.table }}'),
					columns: {
						mappingMode: 'defineBelow',
						value: { text: '={{ $json.text }}' },
						matchingColumns: [],
						schema: [],
					},
					options: { ...options, ...more },
				};
				const logged = engine.log.length;
				const result = await run('acpTables', parameters, { items, ...retrying, onError });
				expect(await struck('POST')).toBeGreaterThan(1);
				// What was refused is done in the second try, or by the node's own; what is not known stays an error until the
				// last, and is not compared with its table again.
				const refused = faults[0]!.status === 429;
				const untilDone = more === failsOnce ? 2 : 1;
				const tries = engine.log.slice(logged).match(/Running node "Node" started/g);
				// Where n8n goes on after an error, its log has no word of further tries.
				if (stops) expect(tries).toHaveLength(refused ? untilDone : retrying.maxTries);
				const read = await sandbox.ledger({ path: `/data/${first}/fields` });
				expect(read).toHaveLength(refused ? untilDone : 1);
				const times: Record<string, number> = {};
				const done = await sandbox.created();
				expect(done.length).toBeGreaterThan(0);
				for (const { body, path } of done) {
					expect(path).toBe(`/data/${body.record.text === 'Row 0' ? first : others}/records`);
					times[body.record.text] = (times[body.record.text] ?? 0) + 1;
				}
				expect(new Set(Object.values(times))).toEqual(new Set([1]));
				const happenedIn = Object.keys(times).length;

				if (refused) {
					expect(failure(result)).toBeUndefined();
					expect(result.json().map(({ record }) => record.text)).toEqual(
						items.map(({ text }) => text),
					);
					expect(happenedIn).toBe(writes);
					return;
				}
				if (stops) {
					const [, known, uncertain, not] = /(\d+) done, (\d+) uncertain, (\d+) not/.exec(
						result.error!.description!,
					)!;
					expect(Number(known) + Number(uncertain) + Number(not)).toBe(writes);
					expect(happenedIn).toBeGreaterThanOrEqual(Number(known));
					expect(happenedIn).toBeLessThanOrEqual(Number(known) + Number(uncertain));
					expect(Number(uncertain)).toBeGreaterThan(1);
					return;
				}
				expect(failure(result)).toBeUndefined();
				expect(result.pairedItems()).toEqual(items.map((_one, index) => [index]));
				const named = result.json().map(({ error }) => error !== undefined);
				expect(named[0]).toBe(true);
				expect(result.json()).toEqual(
					items.map((item, index) =>
						named[index]
							? expect.objectContaining({
									...item,
									errorItem: index,
									errorDescription: expect.stringContaining('Check the platform'),
								})
							: expect.objectContaining({ record: expect.objectContaining({ text: item.text }) }),
					),
				);
				// Whatever is not named has happened.
				const silent = items.filter((_one, index) => !named[index]).map(({ text }) => text);
				expect(silent.filter((text) => times[text] !== 1)).toEqual([]);
			},
		);
	},
);
