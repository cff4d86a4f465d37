/** Phone Calls: waiting for the outcome of a call that is never placed twice, and runs of very many calls. */
import type { INodeParameters } from 'n8n-workflow';
import { limits } from '../../nodes/engine/platform/facts';
import { cases } from './guarantees/cases.cts';
import { agentOf, allHintsOf, byId, ok, people } from './guarantees/scene.cts';
import { usePlatform, type NodeOptions } from './harness/index.cts';

// Waits are what these tests are made of.
const platform = usePlatform({ settings: { call: { lifeMs: 300 } }, speed: 5 });
const { sandbox, engine } = platform;
/** A read comes at the latest when the time-out is over, so a short one keeps the tests short. */
const soon = { waitTimeout: 2 };

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

describe('start and wait', () => {
	const outcome = (ofCall: string) => ({ call: { outcomeByNumber: { '0000': ofCall } } });
	const waiting = async (options: INodeParameters, settings: object, shown?: object) => ({
		node: 'acpCalls call.startAndWait',
		parameters: await calling({ ...soon, ...options }),
		items: people(1),
		settings,
		strikes: shown && [
			['GET ^/conversations/', { status: 200, body: { success: true, data: shown } }] as any,
		],
	});

	cases(platform, {
		'the recording comes as a file on request': async () => ({
			...(await waiting({ downloadFile: true, binaryPropertyName: 'talk' }, outcome('interested'))),
			files: [{ talk: expect.objectContaining({ mimeType: 'audio/wav' }) }],
		}),
		'a call that nobody answered has no recording, and that is said': async () => ({
			...(await waiting({ downloadFile: true }, outcome('no_answer'))),
			json: [{ answered: 'no', call_status: 'no-answer', timedOut: false }],
			files: [undefined],
			hints: /no recording to download/,
		}),
		'a call that was called off may never have rung: nobody failed to pick up': async () => ({
			...(await waiting({}, {}, { status: 'Closed', call: { status: 'canceled' } })),
			json: [{ answered: null, call_status: 'canceled', timedOut: false }],
		}),
		'a state that nobody knows goes on waiting, with a hint': async () => ({
			...(await waiting({ waitTimeout: 1 }, {}, { status: 'Odd', call: { status: 'on-hold' } })),
			json: [{ timedOut: true }],
			hints: /does not know \("Odd, on-hold"\), so it kept waiting/,
		}),
	});

	// interface: §4.4 call
	test('whom and what comes first, IDs and URLs last', async () => {
		await sandbox.settings(outcome('interested'));
		const [ended] = ok(await start('startAndWait')).json();
		expect(Object.keys(ended).join()).toBe(
			'contact_phone_number,contact_name,answered,call_duration,call_status,call_summary,' +
				'timedOut,conversation_uuid,contact_uuid,call_recording_url',
		);
		const [begun] = ok(await start('start', {})).json();
		expect(Object.keys(begun).join()).toMatch(/^phone_number,status,id,.*_url$/);
	});
});

describe('the call is never placed twice', () => {
	const interrupted = { ...soon, maxRetries: 0 };

	test('Retry execution too, and the message says what was done', async () => {
		await sandbox.strike('GET ^/conversations/', 500, { nth: 2 });
		const failed = await start('startAndWait', interrupted, { items: people(2) });
		expect(failed.error?.message).toMatch(
			/^The call was accepted \(conversation [-0-9a-f]{36}\), but its result could not be read \(\+1\d{10}\) \[item [01]\]$/,
		);
		expect(failed.error?.description).toMatch(/1 started \(outcome unknown\)/);
		expect(failed.error?.description).toMatch(/Executions › Retry continue from there/);
		expect(failed.error?.description).not.toMatch(/Nothing was/);
		const again = ok(await engine.retry(failed));
		expect(again.json()).toMatchObject(
			people(2).map(({ phone }) => ({ contact_phone_number: phone, answered: 'yes' })),
		);
		expect(await sent()).toHaveLength(2);
	});

	test('stopping ends the wait at once; the retry waits on for the same call', async () => {
		await sandbox.settings({ call: { lifeMs: 20_000 } });
		// The first read shows that the call's answer has arrived.
		const cancelWhen = async () => (await sandbox.ledger({ method: 'GET' })).length > 0;
		const stopped = await start('startAndWait', { waitTimeout: 600 }, { cancelWhen });
		expect(stopped.status).toBe('canceled');
		expect((await sandbox.state('calls'))[0].status).toBe('in-progress');
		const again = ok(await engine.retry(stopped));
		expect(again.json()).toMatchObject([{ answered: 'yes', timedOut: false }]);
		expect(await sent()).toHaveLength(1);
	});
});

// interface: §8 calls
test('no more live calls than a workspace can have are under way, and the user reads why', async () => {
	const most = limits.liveCalls.most;
	const call = { lifeMs: 1_000, overLimit: 'reject' };
	await sandbox.settings({ call, rate: { send: { limit: 1_000 } } });
	const result = ok(await start('startAndWait', soon, { items: people(most + 3) }));
	expect(allHintsOf(result)).toContain(`A workspace can have at most ${most} live calls`);
	expect((await sent()).map(({ effect }) => effect)).toEqual(Array(most + 3).fill('created'));
});

describe('a run of very many calls', () => {
	const takes = /301 items at 5 per second take at least 1 minute/;

	test('Preview says how long it takes, and what is better', async () => {
		const preview = async (count: number) =>
			allHintsOf(await start('start', { preview: true }, { items: people(count) }));
		const hint = await preview(301);
		for (const one of [takes, 'For long lists, use Outreach Lists']) expect(hint).toMatch(one);
		expect(await preview(300)).not.toContain('For long lists');
	});

	test("it stands in n8n's log before the first call", async () => {
		const before = (await engine.logged()).length;
		let heard = '';
		const cancelWhen = async () => {
			if ((await sandbox.created('/call')).length === 0) return false;
			heard = (await engine.logged()).slice(before);
			return true;
		};
		const result = await start('start', soon, { items: people(301), cancelWhen });
		expect(result.status).toBe('canceled');
		expect(heard).toMatch(takes);
	});

	test('the editor says it before the run', async () => {
		const { hints = [] } = await engine.describe('acpCalls');
		/** Which hints the editor shows, as it finds out itself. */
		const shown = (operation: string, items: number) =>
			hints.filter(({ displayCondition = '' }) =>
				new Function('$parameter', '$input', `return ${displayCondition.slice(3, -2)}`)(
					{ resource: 'call', operation },
					{ all: () => people(items) },
				),
			);
		const message = expect.stringContaining('more than 33 minutes. For long lists, use Outreach');
		const hint = expect.objectContaining({ whenToDisplay: 'beforeExecution', message });
		expect([shown('start', 301), shown('startAndWait', 301)]).toEqual([[hint], [hint]]);
		expect([...shown('start', 300), ...shown('getAll', 1000)]).toEqual([]);
	});
});

describe('phone numbers', () => {
	cases(platform, {
		'a search that found several numbers buys none of them unless it was asked for': {
			node: 'acpCalls phoneNumber.buy',
			parameters: { phoneNumber: '={{ $json.number }}' },
			items: [{ number: '+4930901820' }, { number: '+4930901821' }],
			refused: /'Buy for Each Item' is off, and each of 2 items buys a number/,
		},
		'the list names the agent who answers WhatsApp on a number': async () => {
			const [{ agent_uuid: uuid, name }] = await sandbox.state('agents');
			const more = { agent: byId(uuid), additionalFields: { channel: 'whatsapp' } };
			const number = '+4930901899';
			const trunk = { phoneNumber: number, ...more };
			ok(await engine.runNode('acpCalls phoneNumber.registerTrunk', trunk));
			const agents = { bindings_whatsapp_agent_name: name, bindings_call_agent_name: null };
			const parameters = { simplify: true };
			return { node: 'acpCalls phoneNumber.getTrunks', parameters, json: [{ number, ...agents }] };
		},
	});
});
