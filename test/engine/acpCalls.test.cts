/** Phone Calls: waiting for the outcome of a call that is never placed twice, and runs of very many calls. */
import type { INodeParameters } from 'n8n-workflow';
import { cases, refusals } from './guarantees/cases.cts';
import { agentOf, allHintsOf, byId, ok, people } from './guarantees/scene.cts';
import { usePlatform, type NodeOptions } from './harness/index.cts';

// Waits are what these tests are made of.
const platform = usePlatform({ settings: { call: { lifeMs: 300 } }, speed: 5 });
const { sandbox, engine } = platform;
/** A read comes at the latest when the time-out is over, so a short one keeps the tests short. */
const soon = { waitTimeout: 2 };
const long = { call: { lifeMs: 600_000 } };

const calling = async (options: INodeParameters = soon): Promise<INodeParameters> => ({
	agent: byId(await agentOf(sandbox)),
	phoneNumber: '={{ $json.phone }}',
	options,
});
const start = async (operation: string, options?: INodeParameters, more: NodeOptions = {}) =>
	await engine.runNode(`acpCalls call.${operation}`, await calling(options), {
		items: people(1),
		...more,
	});
const sent = async () => await sandbox.ledger({ path: '/call' });
const wav = { mimeType: 'audio/wav', fileName: expect.stringMatching(/\.wav$/) };

describe('start and wait', () => {
	const waiting = async (options: INodeParameters = soon) => ({
		node: 'acpCalls call.startAndWait',
		parameters: await calling(options),
		items: people(1),
	});
	const outcome = (ofCall: string) => ({ call: { outcomeByNumber: { '0000': ofCall } } });

	cases(platform, {
		'the recording comes as a file on request': async () => ({
			...(await waiting({ ...soon, downloadFile: true, binaryPropertyName: 'talk' })),
			settings: outcome('interested'),
			files: [{ talk: expect.objectContaining(wav) }],
		}),
		// interface: §4.4 call
		'a call that nobody answered has no recording, and that is said': async () => ({
			...(await waiting({ ...soon, downloadFile: true })),
			settings: outcome('no_answer'),
			json: [{ answered: 'no', call_status: 'no-answer', timedOut: false }],
			files: [undefined],
			hints: /no recording to download/,
		}),
		'a state that nobody knows goes on waiting, with a hint': async () => ({
			...(await waiting({ waitTimeout: 1 })),
			settings: long,
			strikes: [
				[
					'GET ^/conversations/',
					{
						status: 200,
						body: { success: true, data: { status: 'Hovering', call: { status: 'on-hold' } } },
					},
				],
			],
			json: [{ timedOut: true }],
			hints: /does not know \("Hovering, on-hold"\), so it kept waiting/,
		}),
	});
});

describe('the call is never placed twice', () => {
	test('stopping ends the wait at once; the retry waits on for the same call', async () => {
		await sandbox.settings({ call: { lifeMs: 20_000 } });
		// The first read shows that the call's answer has arrived.
		const cancelWhen = async () => (await sandbox.ledger({ method: 'GET' })).length > 0;
		const stopped = await start('startAndWait', { waitTimeout: 600 }, { cancelWhen });
		expect(stopped.status).toBe('canceled');
		expect((await sandbox.state('calls'))[0].status).toBe('in-progress');
		const again = ok(await engine.retry(stopped));
		expect(again.json()[0]).toMatchObject({ answered: 'yes', timedOut: false });
		expect(await sent()).toHaveLength(1);
	});
});

// interface: §8 calls
test('no more than 50 live calls are under way, and the user reads why', async () => {
	await sandbox.settings({
		call: { lifeMs: 1_000, overLimit: 'reject' },
		rate: { send: { limit: 1_000 } },
	});
	const result = ok(await start('startAndWait', soon, { items: people(53) }));
	expect(result.json()).toHaveLength(53);
	expect(allHintsOf(result)).toMatch(/A workspace can have at most 50 live calls/);
	expect((await sent()).map(({ effect }) => effect)).toEqual(Array(53).fill('created'));
});

describe('live actions', () => {
	const conversation = byId('00000000-0000-4000-8000-000000000000');
	cases(
		platform,
		refusals('acpCalls', [
			[
				'callAction.forward',
				{ conversation, phoneNumber: '0415 555' },
				"'Phone Number' is not a phone number",
			],
		]),
	);
});

describe('a run of very many calls', () => {
	test('the editor says it before the run', async () => {
		const { hints = [] } = await engine.describe('acpCalls');
		/** Which hints the editor shows, as it finds out itself. */
		const shown = (operation: string, items: number) =>
			hints.filter(({ displayCondition = '' }) =>
				Boolean(
					new Function('$parameter', '$input', `return ${displayCondition.slice(3, -2)}`)(
						{ resource: 'call', operation },
						{ all: () => people(items) },
					),
				),
			);
		expect(shown('start', 301)).toEqual([
			expect.objectContaining({
				whenToDisplay: 'beforeExecution',
				message: expect.stringContaining(
					'more than 33 minutes. For long lists, use Outreach Lists',
				),
			}),
		]);
		expect(shown('startAndWait', 301)).toHaveLength(1);
		expect([...shown('start', 300), ...shown('getAll', 1000)]).toEqual([]);
	});
});
