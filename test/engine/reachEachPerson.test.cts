/** 'Reach Each Person': how often one node reaches the same person, whatever runs, stops, imports or restarts. */
import type { INodeParameters } from 'n8n-workflow';
import { agentOf, fast, happened, hintsOf, ok, people, phoneOf, sms } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

// In Istanbul and in the workspace it is eight minutes to midnight; in New York the afternoon.
const { sandbox, engine } = usePlatform({
	settings: fast,
	engine: { clock: '2026-11-01T20:52:00Z' },
});

// What a process remembers is of one test alone.
beforeEach(async () => await engine.forget());

/** Runs the node of a workflow for so many people, or items. */
async function run(
	items: number | object[],
	options: INodeParameters,
	{ workflow = 'reminders', node = 'send' }: { workflow?: string; node?: string } = {},
) {
	const file = engine.nodeWorkflow('acpMessages', sms(await agentOf(sandbox), options), {
		items: (typeof items === 'number' ? people(items) : items) as never,
	});
	const nodes = file.nodes.map((one) => (one.name === 'Node' ? { ...one, id: node } : one));
	return await engine.run({ ...file, id: workflow, nodes }, { startNode: 'Items' });
}

const reached = async () => await happened(sandbox, '/sms/send', ({ phoneNumber }) => phoneNumber);
const posts = async () =>
	(await sandbox.ledger({ path: '/sms/send', method: 'POST' })).map(({ effect }) => effect);
const once = { reachEachPerson: 'once' };
const daily = (timezone = 'Europe/Istanbul') => ({ reachEachPerson: 'onceADay', timezone });

test('killed in the middle: whoever may have been reached is skipped, and that is said', async () => {
	await sandbox.settings({ latencyMs: 200 });
	run(60, { ...once, concurrency: 10 }).catch(() => undefined);
	await until('some to be reached', async () => (await posts()).length >= 15);
	await engine.restart();
	const { length: left } = await posts();
	await sandbox.settings({ latencyMs: 0 });
	const skipped = ok(await run(60, once)).json('Node', 1);
	expect(Object.values(await reached()).every((times) => times === 1)).toBe(true);
	expect(skipped.length).toBeGreaterThanOrEqual(15);
	// The rest of the last slice, at most.
	expect(skipped.length).toBeLessThan(left + 25);
	expect(skipped[0].message).toBe('Skipped: this node already reached this person, or may have');
});

test('the day is that of the node’s zone: the next one reaches everyone again', async () => {
	for (const options of [daily(), daily(), daily('Asia/Tokyo'), daily('Asia/Tokyo')])
		ok(await run(1, options));
	expect(await reached()).toEqual({ [phoneOf(0)]: 2 });
});

test('no zone is set: the day is that of the workspace, which is read once', async () => {
	engine.credentials = { acpApi: sandbox.credential({ timezone: '' }) };
	ok(await run(2, { reachEachPerson: 'onceADay' }));
	ok(await run(2, daily()));
	expect(await reached()).toEqual({ [phoneOf(0)]: 1, [phoneOf(1)]: 1 });
});

test.each<[string, object, INodeParameters]>([
	['another workflow', { workflow: 'offers' }, once],
	['another node of the workflow', { node: 'second' }, once],
	['every run, unless something is chosen,', {}, {}],
])('%s reaches them for itself', async (_, where, options) => {
	ok(await run(1, options));
	ok(await run(1, options, where));
	expect(await reached()).toEqual({ [phoneOf(0)]: 2 });
});

test('a preview counts who was reached, and remembers nobody itself', async () => {
	ok(await run(1, { ...once, preview: true }));
	ok(await run(1, once));
	const preview = ok(await run(3, { ...once, preview: true }));
	expect(preview.json()).toHaveLength(2);
	expect(hintsOf(preview)).toContain('Skipped: 1 reached by an earlier run.');
	expect(await posts()).toEqual(['created']);
});

test.each([
	['By My Own Key without a key', { reachEachPerson: 'ownKey' }, "Add 'Request Key' under Options"],
	['a key beside Only Once', { ...once, requestKey: 'r-1' }, "Choose 'By My Own Key'"],
])('%s: nothing is sent, and the message says what to do', async (_, options, said) => {
	expect((await run(1, options)).error?.message).toContain(said);
	expect(await posts()).toEqual([]);
});
