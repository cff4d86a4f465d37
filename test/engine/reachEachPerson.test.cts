/** 'Reach Each Person': how often one node reaches the same person, whatever runs, stops, imports or restarts. */
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	failure,
	fast,
	happened,
	hintsOf,
	ok,
	onceEach,
	people,
	phoneOf,
	requestsShown,
	sms,
	keptAndSkipped,
} from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

// In Istanbul and in the workspace it is eight minutes to midnight; in New York the afternoon.
const { sandbox, engine } = usePlatform({
	settings: fast,
	engine: { clock: '2026-11-01T20:52:00Z' },
});

/** What a process remembers is of one test alone. */
beforeEach(async () => {
	await engine.forget();
});

interface Where {
	workflow?: string;
	node?: string;
	change?: INodeParameters;
	onError?: 'continueRegularOutput';
}

async function run(
	items: object[],
	options: INodeParameters,
	{ workflow = 'reminders', node = 'send', change, onError }: Where = {},
) {
	const parameters = sms(await agentOf(sandbox), options, change);
	const file = engine.nodeWorkflow('acpMessages', parameters, { items: items as never, onError });
	const nodes = file.nodes.map((one) => (one.name === 'Node' ? { ...one, id: node } : one));
	return await engine.run({ ...file, id: workflow, nodes }, { startNode: 'Items' });
}

const reached = async () => await happened(sandbox, '/sms/send', ({ phoneNumber }) => phoneNumber);
const posts = async () =>
	(await sandbox.ledger({ path: '/sms/send', method: 'POST' })).map(({ effect }) => effect);
const once = { reachEachPerson: 'once' };
const daily = (timezone = 'Europe/Istanbul') => ({ reachEachPerson: 'onceADay', timezone });

test.each([
	['Once a Day', daily()],
	['Only Once', once],
])(
	'%s: a second run skips whoever was reached, counts them and reaches the new one',
	async (_, options) => {
		ok(await run(people(2), options));
		const again = ok(await run(people(3), options));
		expect(await reached()).toEqual(onceEach([phoneOf(0), phoneOf(1), phoneOf(2)]));
		expect(await posts()).toEqual(['created', 'created', 'created']);
		expect(keptAndSkipped(again).map(({ reason }) => reason)).toEqual([
			'reached_before',
			'reached_before',
			undefined,
		]);
		expect(hintsOf(again)).toContain('Skipped: 2 reached by an earlier run.');
	},
);

test('a restarted n8n knows them from its database: they are skipped and counted', async () => {
	ok(await run(people(2), once));
	await engine.restart();
	const result = ok(await run(people(3), once));
	expect(await posts()).toEqual(['created', 'created', 'created']);
	expect(result.json('Node', 1)).toHaveLength(2);
	expect(hintsOf(result)).toContain('Skipped: 2 reached by an earlier run.');
});

test('a database that has forgotten them, too: the platform knows the key, and nobody is reached twice', async () => {
	ok(await run(people(2), once));
	await engine.restart();
	await engine.forgetDuplicates();
	ok(await run(people(2), once));
	expect(await posts()).toEqual(['created', 'created', 'repeated', 'repeated']);
	expect(await reached()).toEqual(onceEach([phoneOf(0), phoneOf(1)]));
});

test('killed in the middle: whoever may have been reached is skipped, and that is said', async () => {
	await sandbox.settings({ latencyMs: 200 });
	const running = run(people(60), { ...once, concurrency: 10 });
	running.catch(() => undefined);
	await until('some to be reached', async () => (await posts()).length >= 15);
	await engine.restart();
	const { length: left } = await posts();
	await sandbox.settings({ latencyMs: 0 });
	const result = ok(await run(people(60), once));
	expect(Object.values(await reached()).every((times) => times === 1)).toBe(true);
	const skipped = result.json('Node', 1);
	expect(skipped.length).toBeGreaterThanOrEqual(15);
	// The rest of the last slice, at most.
	expect(skipped.length).toBeLessThan(left + 25);
	expect(skipped[0].message).toBe('Skipped: this node already reached this person, or may have');
});

test('what certainly reached nobody is not remembered', async () => {
	await sandbox.strike('^/sms/send$', { status: 422, code: 'VALIDATION_ERROR' }, { nth: 2 });
	await run(people(3), { ...once, concurrency: 1 });
	await sandbox.clearFaults();
	await engine.restart();
	ok(await run(people(3), once));
	expect(await reached()).toEqual(onceEach([0, 1, 2].map(phoneOf)));
});

test('every run reaches everyone again, unless something else is chosen', async () => {
	for (const options of [{}, { reachEachPerson: 'everyRun' }]) ok(await run(people(1), options));
	expect(await reached()).toEqual({ [phoneOf(0)]: 2 });
});

test('the day is that of the node’s zone: the next one reaches everyone again', async () => {
	const [tokyo, istanbul] = [daily('Asia/Tokyo'), daily()];
	for (const options of [istanbul, istanbul, tokyo, tokyo]) ok(await run(people(1), options));
	expect(await reached()).toEqual({ [phoneOf(0)]: 2 });
});

test('no zone is set: the day is that of the workspace, which is read once', async () => {
	engine.credentials = { acpApi: sandbox.credential({ timezone: '' }) };
	ok(await run(people(2), { reachEachPerson: 'onceADay' }));
	ok(await run(people(2), daily()));
	expect(await reached()).toEqual(onceEach([phoneOf(0), phoneOf(1)]));
});

test.each([
	['another workflow', { workflow: 'offers' }],
	['another node of the workflow', { node: 'second' }],
])('%s reaches them for itself', async (_, where) => {
	ok(await run(people(1), once));
	ok(await run(people(1), once, where));
	expect(await reached()).toEqual({ [phoneOf(0)]: 2 });
});

test('the same person twice in one run, written in two ways: the first item counts, the output shows which', async () => {
	const items = [
		{ phone: '+1 415 555 0000', text: 'One' },
		{ phone: phoneOf(0), text: 'Two' },
	];
	const result = ok(await run(items, once));
	expect(await reached()).toEqual(onceEach([phoneOf(0)]));
	expect(result.json('Node', 1).map(({ reason }) => reason)).toEqual(['same_number']);
});

test('a preview counts who was reached, and remembers nobody itself', async () => {
	ok(await run(people(1), { ...once, preview: true }));
	ok(await run(people(1), once));
	const preview = ok(await run(people(3), { ...once, preview: true }));
	expect(requestsShown(preview)).toHaveLength(2);
	expect(hintsOf(preview)).toContain('Skipped: 1 reached by an earlier run.');
	expect(await posts()).toEqual(['created']);
});

test('what the platform refused or only accepted is not taken for reached', async () => {
	await sandbox.strike('POST ^/sms/send$', 422, { times: 1 });
	expect(failure(await run(people(1), once))).toBeDefined();
	ok(await run(people(1), once));
	expect(await reached()).toEqual(onceEach([phoneOf(0)]));
});

test('a failed run that is retried sends the rest with the same keys, also on the next day', async () => {
	await sandbox.strike('POST ^/sms/send$', 422, { nth: 2, times: 1 });
	const failed = await run(people(2), daily());
	expect(failure(failed)).toBeDefined();
	ok(await engine.retry(failed));
	expect(await reached()).toEqual(onceEach([phoneOf(0), phoneOf(1)]));
});

test.each([
	['By My Own Key without a key', { reachEachPerson: 'ownKey' }, "Add 'Request Key' under Options"],
	['a key beside Only Once', { ...once, requestKey: 'r-1' }, "Choose 'By My Own Key'"],
])('%s: nothing is sent, and the message says what to do', async (_, options, said) => {
	const result = await run(people(1), options);
	expect(result.error?.message).toContain(said);
	expect(await posts()).toEqual([]);
});

test('By My Own Key is the key as it was, once for each', async () => {
	const own = { reachEachPerson: 'ownKey', requestKey: '=order-{{ $json.text }}' };
	for (let round = 0; round < 2; round++) ok(await run(people(2), own));
	expect(await posts()).toEqual(['created', 'created', 'repeated', 'repeated']);
});
