/**
 * The manners of real platforms, crossed with the classes of faults, seeded and short: each of a few requests is hit
 * once. The manners come from the sandbox itself, so that a new one is crossed without a word here. The stage meets
 * every third manner with a class, and every ninth where each fault lasts until a time-out;
 * `npm test -- --tests faults --full` crosses all of them.
 */
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, fast, happened, note, onceEach, people, sms } from './guarantees/scene.cts';
import type { FaultRule } from './harness/index.cts';

const { sandbox, engine } = usePlatform({
	settings: fast,
	speed: 50,
	engine: { expressionEngine: 'legacy' },
});

type Fault = FaultRule['fault'];
const half = (fault: Fault): Fault[] => [fault, { ...fault, afterAcceptance: true }];
const classes: Record<string, Fault[]> = {
	429: [{ kind: 'status', status: 429, retryAfter: 1 }],
	503: half({ kind: 'status', status: 503 }),
	'a reset': [{ kind: 'reset-before' }, { kind: 'reset-after' }],
	'HTML from a proxy': half({ kind: 'html', status: 502 }),
	'truncated JSON': [{ kind: 'truncated' }, { kind: 'truncated', close: true }],
	'a time-out with Timeout 1': half({ kind: 'timeout' }),
	'an answer that drips on with Timeout 1': [{ kind: 'drip', everyMs: 400, endless: true }],
};
const items = people(3);
const once = onceEach(items.map(({ text }) => text));
const contacts = 35;

/** What happened under the faults of a class, which hit every second request, in a form that reads well when it is wrong. */
async function crossed(faults: Fault[], options: { timeout?: number }) {
	const agent = await agentOf(sandbox);
	for (const [at, fault] of faults.entries())
		for (const path of ['POST ^/sms/send$', 'POST /notes$', 'GET ^/contacts$'])
			await sandbox.strike(path, fault, { nth: faults.length === 1 ? [1, 3] : [1 + 2 * at] });
	const run = async (node: string, parameters: object, given?: object) => {
		const result = await engine.runNode(node, parameters as never, given);
		return result.error ? [result.error.message, result.error.description] : result.json();
	};
	const told = await Promise.all([
		run('acpMessages', sms(agent, options), { items }),
		run('acpKnowledge', note(agent, { ...options, retryWrites: true }), { items }),
	]);
	const listed = await run('acpContacts contact.getAll', { returnAll: true, options });
	return {
		sends: await happened(sandbox, '/sms/send', ({ message }) => message),
		notes: await happened(sandbox, `/agents/${agent}/notes`, ({ content }) => content),
		items: told.map((records) => (records.length === items.length ? items.length : records)),
		listed: listed.map((row) => (row as { uuid?: string }).uuid ?? row),
	};
}

describe('Guarantee: random faults lose nothing and let nothing happen twice, whatever the manners of the platform', () => {
	test.each(Object.entries(classes))('%s, notes with Retry Writes', async (name, faults) => {
		const isSlow = name.includes('Timeout');
		const manners = Object.entries(await sandbox.manners());
		// A manner that nothing turns on is not crossed: `MANNERS` in sandbox/manners.mjs says what does.
		expect(manners.filter(([, ways]) => ways.length === 0)).toEqual([]);
		const ways = manners.flatMap(([manner, all]) => all.map((way) => ({ manner, way })));
		const step = process.env.FULL ? 1 : isSlow ? 9 : 3;
		const turn = Object.keys(classes).indexOf(name);
		const met = ways.filter((_, index) => (index + turn) % step === 0);
		expect(met.length).toBeGreaterThan(1);
		for (const { manner, way } of met) {
			await sandbox.reset({ seed: 1, settings: { ...fast, manners: { [manner]: way } }, contacts });
			engine.credentials = { acpApi: sandbox.credential() };
			expect({ manner, way, ...(await crossed(faults, isSlow ? { timeout: 1 } : {})) }).toEqual({
				manner,
				way,
				sends: once,
				notes: once,
				items: [items.length, items.length],
				listed: (await sandbox.state('contacts')).map(({ uuid }) => uuid),
			});
			const ledger = await sandbox.ledger();
			expect(ledger.filter(({ method, fault }) => method === 'POST' && fault)).not.toEqual([]);
		}
	});
});
