/**
 * Random faults of every class over many requests, seeded. The oracle is the sandbox's ledger: what was accepted, how
 * often, and whether each output is the answer to its own item.
 * The stage `faults` runs the short form; `npm test -- --tests faults --full` runs 1000 keyed sends, 1000 reads and
 * 300 writes for each class.
 */
import { countBy } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { type Fault, faultClasses, timeoutOf } from './guarantees/faultClasses.cts';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { promisesOf } from './guarantees/promises.cts';
import {
	byId,
	failure,
	fast,
	mapped,
	onceEach,
	people,
	retrying,
	ok,
} from './guarantees/scene.cts';

const full = process.env.FAULTS === 'full';
const sends = full ? 1000 : 60;
const reads = full ? 1000 : 60;
const writes = full ? 300 : 60;
const seed = Number(process.env.FAULTS_SEED ?? 1);
const agents = 10;

const platform = usePlatform({
	settings: fast,
	speed: 50,
	seed,
	agents,
	engine: { debugLog: true },
});
const { sandbox, engine, run } = platform;
const { happened, perform, requests } = promisesOf(platform);
jest.setTimeout(600_000);

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

/** Lets the faults hit requests of one method and path at random, each equally often. */
async function strike(faults: Fault[], method: string, path: string): Promise<void> {
	const probability = (faults[0]!.status === 429 ? part / 2 : part) / faults.length;
	await sandbox.faults(faults.map((fault) => ({ match: { method, path, probability }, fault })));
}

/** How many requests were hit: a class that never struck proves nothing. */
const struck = async (method: string) =>
	(await sandbox.ledger({ method })).filter(({ fault }) => fault !== undefined).length;

/** Items that write `text` to a place each, the first one to a place of its own. */
const spread = (first: string, others: string[]) =>
	people(writes).map(({ text }, index) => ({
		text,
		place: index === 0 ? first : others[index % others.length]!,
	}));
/** One by one, where which of them: each output is that of its own item. */
const inPlace = (items: object[]) => items.map((_, index) => [index]);

describe.each(Object.entries(faultClasses))(
	'Guarantee: random faults lose nothing and let nothing happen twice › %s',
	(name, faults) => {
		const timeout = timeoutOf(faults);

		beforeEach(async () => {
			const turn = Object.keys(faultClasses).indexOf(name);
			await sandbox.reset({ seed: seed * 100 + turn, settings: fast, agents });
			engine.credentials = { acpApi: sandbox.credential() };
		});

		// interface: §7 retry
		test('keyed sends: accepted once each, every answer at its item', async () => {
			const sms: Kind = { ...kinds.sms, of: ({ phoneNumber }) => phoneNumber };
			await strike(faults, 'POST', '^/sms/send$');
			const result = ok(await perform(sms, sends, { options: timeout }));
			expect(await struck('POST')).toBeGreaterThan(0);
			const phones = people(sends).map(({ phone }) => phone);
			expect(await happened(sms)).toEqual(onceEach(phones));
			const accepted = new Map(
				(await sandbox.created('/sms/send')).map(({ body, resourceUuid }) => [
					body.phoneNumber,
					resourceUuid,
				]),
			);
			expect(
				result.json().map(({ recipientPhone, messageId }) => [recipientPhone, messageId]),
			).toEqual(phones.map((phone) => [phone, accepted.get(phone)]));
			expect(result.pairedItems()).toEqual(inPlace(phones as never));
		});

		test('reads: every answer at its item', async () => {
			const uuids = (await sandbox.state('agents')).map(({ agent_uuid }) => agent_uuid as string);
			await strike(faults, 'GET', '^/agents/');
			const items = people(reads).map((_, index) => ({ agent: uuids[(index * 7) % agents]! }));
			const parameters = { agent: byId('={{ $json.agent }}'), options: timeout };
			const result = ok(await run('acpAgents agent.get', parameters, { items }));
			expect(await struck('GET')).toBeGreaterThan(0);
			expect(result.json().map(({ agent_uuid: agent }) => ({ agent }))).toEqual(items);
			expect(result.pairedItems()).toEqual(inPlace(items));
		});

		test.each(modes)(
			'writes without a key that leave a trace, Retry On Fail, Retry Writes, %s: done once each, every answer at its item',
			async (_, onError, more) => {
				const [first = '', ...others] = (await sandbox.state('agents')).map(
					({ agent_uuid }) => agent_uuid as string,
				);
				const one = onError === 'stopWorkflow' ? faults[0]! : faults.at(-1)!;
				await sandbox.strike(`POST ^/agents/${first}/notes$`, one, { nth: 1 });
				await strike(faults, 'POST', `^/agents/(?!${first}).*/notes$`);
				const items = spread(first, others);
				const result = ok(
					await perform(kinds.note, items, {
						change: { agent: byId('={{ $json.place }}') },
						options: { ...timeout, ...more, retryWrites: true },
						onError,
						...retrying,
					}),
				);
				expect(await struck('POST')).toBeGreaterThan(1);
				// The second try looked at the first item's agent, or sent again what was refused.
				const ledger = await sandbox.ledger();
				expect(
					ledger.filter(({ path }) => path.startsWith(`/agents/${first}`)).length,
				).toBeGreaterThan(1);
				const done = ledger.filter(({ effect }) => effect === 'created');
				expect(done.map(({ path, body }) => `${path} ${body.content}`).sort()).toEqual(
					items.map(({ place, text }) => `/agents/${place}/notes ${text}`).sort(),
				);
				expect(result.json()).toMatchObject(items.map(({ place }) => ({ agent_uuid: place })));
				const shown = result.json().map(({ notes }) => notes.map(({ content }: any) => content));
				expect(shown.filter((texts, index) => texts.includes(items[index]!.text))).toEqual(shown);
				expect(result.pairedItems()).toEqual(inPlace(items));
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
				const one = stops ? faults[0]! : faults.at(-1)!;
				await sandbox.strike(`POST ^/data/${first}/records$`, one, { nth: 1 });
				await strike(faults, 'POST', `^/data/${others}/records$`);
				const items = spread(first, [others]);
				const columns = mapped({ text: '={{ $json.text }}' });
				const options = { ...timeout, ...more };
				const logged = engine.log.length;
				const result = await run(
					'acpTables record.create',
					{ table: byId('={{ $json.place }}'), columns, options },
					{ items, ...retrying, onError },
				);
				expect(await struck('POST')).toBeGreaterThan(1);
				// What was refused is done in the second try, or by the node's own; what is not known stays an error until the
				// last, and is not compared with its table again.
				const refused = faults[0]!.status === 429;
				const untilDone = more === failsOnce ? 2 : 1;
				const tries = engine.log.slice(logged).match(/Running node "Node" started/g);
				// Where n8n goes on after an error, its log has no word of further tries.
				if (stops) expect(tries).toHaveLength(refused ? untilDone : retrying.maxTries);
				expect(await requests(`/data/${first}/fields`, 'GET')).toHaveLength(
					refused ? untilDone : 1,
				);
				const done = await sandbox.created();
				const placeOf = Object.fromEntries(items.map(({ text, place }) => [text, place]));
				expect(done.map(({ path }) => path)).toEqual(
					done.map(({ body }) => `/data/${placeOf[body.record.text]}/records`),
				);
				const times = countBy(done, ({ body }) => body.record.text);
				expect(times).toEqual(onceEach(Object.keys(times)));
				expect(done.length).toBeGreaterThan(0);

				if (refused) {
					ok(result);
					expect(result.json().map(({ record }) => record)).toEqual(
						items.map(({ text }) => ({ text })),
					);
					expect(done).toHaveLength(writes);
					return;
				}
				if (stops) {
					const counts = /(\d+) done, (\d+) uncertain, (\d+) not/.exec(failure(result)!)!;
					const [known, uncertain, not] = counts.slice(1).map(Number) as [number, number, number];
					expect(known + uncertain + not).toBe(writes);
					expect(done.length).toBeGreaterThanOrEqual(known);
					expect(done.length).toBeLessThanOrEqual(known + uncertain);
					expect(uncertain).toBeGreaterThan(1);
					return;
				}
				ok(result);
				expect(result.pairedItems()).toEqual(inPlace(items));
				expect(result.json()[0].error).toBeDefined();
				const errorDescription = expect.stringContaining('Check the platform');
				expect(result.json()).toMatchObject(
					items.map((item, errorItem) =>
						result.json()[errorItem].error !== undefined
							? { ...item, errorItem, errorDescription }
							: { record: { text: item.text } },
					),
				);
				// Whatever is not named has happened.
				const silent = items.filter((_one, index) => result.json()[index].error === undefined);
				expect(silent.filter(({ text }) => times[text] !== 1)).toEqual([]);
			},
		);
	},
);
