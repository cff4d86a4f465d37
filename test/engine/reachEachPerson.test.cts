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
} from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

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
		expect(again.json().map(({ skipped, reason }) => [skipped, reason])).toEqual([
			[true, 'reached_before'],
			[true, 'reached_before'],
			[null, null],
		]);
		expect(hintsOf(again)).toContain('Skipped: 2 reached by an earlier run.');
	},
);

test('a restarted n8n has forgotten them: the platform knows the key, and nobody is reached twice', async () => {
	ok(await run(people(2), once));
	await engine.restart();
	ok(await run(people(2), once));
	expect(await posts()).toEqual(['created', 'created', 'repeated', 'repeated']);
	expect(await reached()).toEqual(onceEach([phoneOf(0), phoneOf(1)]));
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
	expect(result.json().map(({ reason }) => reason)).toEqual([null, 'same_number']);
});

test('a preview counts who was reached, and remembers nobody itself', async () => {
	ok(await run(people(1), { ...once, preview: true }));
	ok(await run(people(1), once));
	const preview = ok(await run(people(3), { ...once, preview: true }));
	expect(preview.json()[0]).toMatchObject({
		summary_recipients: 2,
		summary_skipped_reached_before: 1,
	});
	expect(requestsShown(preview)).toHaveLength(3);
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
