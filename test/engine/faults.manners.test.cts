/**
 * The manners of real platforms, crossed with the classes of faults, seeded and short: each of a few requests is hit
 * once. The manners come from the sandbox itself, so that a new one is crossed without a word here. The stage meets
 * every third manner with a class, and every ninth where each fault lasts until a time-out;
 * `npm test -- --tests faults --full` crosses all of them.
 */
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, fast, note, onceEach, people, sms } from './guarantees/scene.cts';
import { type Fault, faultClasses, timeoutOf } from './guarantees/faultClasses.cts';

const { sandbox, engine } = usePlatform({
	settings: fast,
	speed: 50,
	engine: { expressionEngine: 'legacy' },
});
const full = process.env.FAULTS === 'full';
jest.setTimeout(600_000);

const items = people(3);
const texts = items.map(({ text }) => text);
const contacts = 35;
/** Every second request of a method and path is hit, with the faults of a class in turn. */
const strike = async (faults: Fault[], method: string, path: string) =>
	await sandbox.faults(
		faults.map((fault, index) => ({
			match: { method, path, nth: faults.length === 1 ? [1, 3] : [1 + 2 * index] },
			fault,
		})),
	);

/** What happened, in a form that reads well when it is wrong. */
async function crossed(faults: Fault[]) {
	const options = timeoutOf(faults);
	const agent = await agentOf(sandbox);
	await strike(faults, 'POST', '^/sms/send$');
	await strike(faults, 'POST', '/notes$');
	await strike(faults, 'GET', '^/contacts$');
	const run = async (node: string, parameters: object, input?: object[]) => {
		const result = await engine.runNode(node, parameters as never, {
			...(input && { items: input as never }),
		});
		return result.error ? [`${result.error.message}: ${result.error.description}`] : result.json();
	};
	const [sent, noted] = await Promise.all([
		run('acpMessages', sms(agent, options), items),
		run('acpKnowledge', note(agent, { ...options, retryWrites: true }), items),
	]);
	const listed = await run('acpContacts', {
		resource: 'contact',
		operation: 'getAll',
		returnAll: true,
		options,
	});
	const times = async (path: string, of: (body: any) => string) => {
		const counts: Record<string, number> = {};
		for (const { body } of await sandbox.created(path))
			counts[of(body)] = (counts[of(body)] ?? 0) + 1;
		return counts;
	};
	const ledger = await sandbox.ledger();
	return {
		struck: ledger.some(({ method, fault }) => method === 'POST' && fault !== undefined),
		sends: await times('/sms/send', ({ message }) => message),
		notes: await times(`/agents/${agent}/notes`, ({ content }) => content),
		items: [sent, noted].map((records) =>
			records.length === items.length ? items.length : records,
		),
		listed: listed.map((row) => (row as { uuid?: string }).uuid ?? row),
	};
}

describe('Guarantee: random faults lose nothing and let nothing happen twice, whatever the manners of the platform', () => {
	test.each(Object.entries(faultClasses))('%s, notes with Retry Writes', async (name, faults) => {
		const manners = Object.entries(await sandbox.manners());
		expect(manners.length).toBeGreaterThan(6);
		// A manner that nothing turns on is not crossed: `MANNERS` in sandbox/manners.mjs says what does.
		expect(manners.filter(([, ways]) => ways.length === 0)).toEqual([]);
		const ways = manners.flatMap(([manner, all]) => all.map((way) => ({ manner, way })));
		const turn = Object.keys(faultClasses).indexOf(name);
		const step = full ? 1 : 'timeout' in timeoutOf(faults) ? 9 : 3;
		const met = ways.filter((_, index) => (index + turn) % step === 0);
		expect(met.length).toBeGreaterThan(ways.length / step - 1);
		for (const { manner, way } of met) {
			await sandbox.reset({ seed: 1, settings: { ...fast, manners: { [manner]: way } }, contacts });
			engine.credentials = { acpApi: sandbox.credential() };
			expect({ name, manner, way, ...(await crossed(faults)) }).toEqual({
				name,
				manner,
				way,
				struck: true,
				sends: onceEach(texts),
				notes: onceEach(texts),
				items: [items.length, items.length],
				listed: (await sandbox.state('contacts')).map(({ uuid }) => uuid),
			});
		}
	});
});
