/** ACP Calls in n8n's engine: starting a call and waiting for its outcome, and acting on a live call. */
import { byId as by, ok } from './guarantees/scene.cts';
import { parametersOf } from '../../tools/operations.cjs';
import { usePlatform } from './harness/index.cts';

// Waits are what these tests are made of.
const { sandbox, engine, run } = usePlatform({ settings: { call: { lifeMs: 300 } }, speed: 5 });
const agent = async () => by((await sandbox.state('agents'))[0].agent_uuid);
/** A read comes at the latest when the time-out is over, so a short one keeps the tests short. */
const soon = { waitTimeout: 2 };

const start = async (operation: string, parameters: object = {}, options: object = {}) =>
	await engine.startNode(
		'acpCalls',
		{
			resource: 'call',
			operation,
			agent: await agent(),
			phoneNumber: '={{ $json.phone }}',
			options: soon,
			...parameters,
		} as any,
		{ items: [{ phone: '+14155550101' }], ...options },
	);
const waitForEnd = async (parameters: object = {}, options: object = {}) =>
	await (
		await start('startAndWait', parameters, options)
	).done;

const placed = async () => await sandbox.created('/call');
const texts = (result: { hints(): Array<{ message: string }> }) =>
	result.hints().map(({ message }) => message);

describe('start and wait', () => {
	// interface: §4.4 call
	test('gives the outcome of each call, in input order', async () => {
		const items = ['+14155550101', '+14155550102', '+14155550103'].map((phone) => ({ phone }));
		const result = ok(await waitForEnd({ simplify: false }, { items }));
		const calls = await sandbox.state('calls');
		expect(result.json().map(({ contact }) => contact.phone_number)).toEqual(
			items.map(({ phone }) => phone),
		);
		for (const record of result.json()) {
			const call = calls.find(
				({ conversation_uuid }) => conversation_uuid === record.conversation_uuid,
			);
			expect(record).toMatchObject({
				uuid: record.conversation_uuid,
				status: 'Closed',
				timedOut: false,
				call: { status: call.status, duration: call.duration },
			});
			expect(record.call.summary).toMatch(/ended/);
		}
		expect(result.pairedItems()).toEqual([[0], [1], [2]]);
		expect(await placed()).toHaveLength(3);
	});

	test('whom and what comes first, IDs and URLs last', async () => {
		await sandbox.settings({ call: { outcomeByNumber: { '0101': 'interested' } } });
		const [ended] = (await waitForEnd()).json();
		expect(Object.keys(ended)).toEqual([
			'contact_phone_number',
			'contact_name',
			'status',
			'call_duration',
			'call_status',
			'call_summary',
			'timedOut',
			'conversation_uuid',
			'contact_uuid',
			'call_recording_url',
		]);
		const [started] = (await (await start('start', { options: {} })).done).json();
		expect(Object.entries(started)[0]).toEqual(['phone_number', '+14155550101']);
		const [, second, third] = Object.keys(started);
		expect(second).toBe('status');
		expect(third).toMatch(/uuid|id/i);
		expect(Object.keys(started).at(-1)).toMatch(/url|id$/i);
	});

	test('the recording comes as a file on request', async () => {
		await sandbox.settings({ call: { outcomeByNumber: { '0101': 'interested' } } });
		const result = ok(
			await waitForEnd({ options: { ...soon, downloadFile: true, binaryPropertyName: 'talk' } }),
		);
		const { binary } = result.items()[0]!;
		expect(binary!.talk).toMatchObject({
			mimeType: 'audio/wav',
			fileName: expect.stringMatching(/\.wav$/),
		});
		expect((await engine.binary(binary!.talk!)).subarray(0, 4).toString()).toBe('RIFF');
	});

	test('a call that nobody answered has no recording, and that is said', async () => {
		await sandbox.settings({ call: { outcomeByNumber: { '0101': 'no_answer' } } });
		const result = await waitForEnd({ options: { ...soon, downloadFile: true } });
		expect(result.json()[0]).toMatchObject({ call_status: 'no-answer', timedOut: false });
		expect(result.items()[0]!.binary).toBeUndefined();
		expect(texts(result)).toContainEqual(expect.stringMatching(/no recording to download/));
	});

	test('the user’s time-out ends the wait, not the call', async () => {
		await sandbox.settings({ call: { lifeMs: 600_000 } });
		const result = await waitForEnd({ options: { waitTimeout: 1 } });
		expect(result.status).toBe('success');
		expect(result.json()[0]).toMatchObject({ status: 'Active', timedOut: true });
		expect(texts(result)).toContainEqual(
			expect.stringMatching(
				/Stopped waiting for the call to end after 1 seconds\. Raise 'Wait Timeout'/,
			),
		);
		expect((await sandbox.state('calls'))[0].status).toBe('in-progress');
	});

	test('a state that nobody knows goes on waiting, with a hint', async () => {
		await sandbox.settings({ call: { lifeMs: 600_000 } });
		await sandbox.strike('GET ^/conversations/', {
			status: 200,
			body: { success: true, data: { status: 'Hovering', call: { status: 'on-hold' } } },
		});
		const result = await waitForEnd({ options: { waitTimeout: 1 } });
		expect(result.json()[0]).toMatchObject({ timedOut: true });
		expect(texts(result)).toContainEqual(
			expect.stringMatching(/does not know \("Hovering, call on-hold"\), so it kept waiting/),
		);
	});

	test('what was begun a moment ago may not be readable yet', async () => {
		await sandbox.strike(
			'GET ^/conversations/',
			{ status: 404, code: 'RESOURCE_NOT_FOUND' },
			{ nth: 1 },
		);
		const result = await waitForEnd({ options: { waitTimeout: 60 } });
		expect(result.json()[0]).toMatchObject({ status: 'Closed', timedOut: false });
	});
});

describe('the call is never placed twice', () => {
	const reads = { method: 'GET', path: '^/conversations/' };

	test('Retry On Fail after an interrupted wait waits on', async () => {
		await sandbox.faults([{ match: reads, times: 1, fault: { kind: 'status', status: 500 } }]);
		const result = await waitForEnd(
			{ options: { ...soon, maxRetries: 0 } },
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		);
		expect(result.status).toBe('success');
		expect(result.json()[0]).toMatchObject({ status: 'Closed' });
		expect(await sandbox.ledger({ path: '/call' })).toHaveLength(1);
	});

	test('"Retry execution" too, and the message says what was done', async () => {
		await sandbox.faults([{ match: reads, times: 1, fault: { kind: 'status', status: 500 } }]);
		const failed = await waitForEnd({ options: { ...soon, maxRetries: 0 } });
		const [call] = await placed();
		const [{ conversation_uuid: uuid }] = await sandbox.state('calls');
		expect(failed.error?.message).toBe(
			`The call was placed (conversation ${uuid}), but its result could not be read`,
		);
		expect(failed.error?.description).toMatch(
			/Retry On Fail and Executions › Retry continue from there/,
		);
		expect(failed.error?.description).not.toMatch(/Nothing was/);
		const again = await engine.retry(failed);
		expect(again.json()[0]).toMatchObject({ conversation_uuid: uuid, status: 'Closed' });
		expect(await sandbox.ledger({ path: '/call' })).toMatchObject([{ id: call!.id }]);
	});

	test('nor when the answer to the start was lost', async () => {
		await sandbox.strike('POST ^/call$', 'reset-after', { times: 1 });
		const result = await waitForEnd();
		expect(result.json()[0]).toMatchObject({ status: 'Closed' });
		expect((await sandbox.ledger({ path: '/call' })).map(({ effect }) => effect)).toEqual([
			'created',
			'repeated',
		]);
	});

	test('stopping ends the wait at once; the retry waits on for the same call', async () => {
		await sandbox.settings({ call: { lifeMs: 20_000 } });
		const running = await start(
			'startAndWait',
			{ options: { waitTimeout: 600 } },
			// The first read shows that the call's answer has arrived.
			{ cancelWhen: async () => (await sandbox.ledger({ method: 'GET' })).length > 0 },
		);
		const stopped = await running.done;
		expect(stopped.status).toBe('canceled');
		expect((await sandbox.state('calls'))[0].status).toBe('in-progress');
		const again = await engine.retry(stopped);
		expect(again.json()[0]).toMatchObject({ status: 'Closed' });
		expect(await sandbox.ledger({ path: '/call' })).toHaveLength(1);
	});

	test('with several items the ones that had ended are not asked again', async () => {
		const items = ['+14155550101', '+14155550102'].map((phone) => ({ phone }));
		await sandbox.strike('.', 500, { ...reads, nth: 2 });
		const failed = await waitForEnd({ options: { ...soon, maxRetries: 0 } }, { items });
		expect(failed.error?.message).toMatch(/The call was placed .* \[item [01], \+1\d{10}\]$/);
		expect(failed.error?.description).toMatch(/started and not followed to the end/);
		const again = await engine.retry(failed);
		expect(again.json()).toMatchObject([
			{ contact_phone_number: '+14155550101' },
			{ contact_phone_number: '+14155550102' },
		]);
		expect(await sandbox.ledger({ path: '/call' })).toHaveLength(2);
	});
});

describe('at most 50 live calls', () => {
	const items = Array.from({ length: 53 }, (_, index) => ({
		phone: `+1415555${String(index).padStart(4, '0')}`,
	}));

	// interface: §8 calls
	test('no more are under way, and the user reads why', async () => {
		await sandbox.settings({
			call: { lifeMs: 1_000, overLimit: 'reject' },
			rate: { send: { limit: 1_000 } },
		});
		const result = ok(await waitForEnd({}, { items }));
		expect(result.json()).toHaveLength(53);
		expect(texts(result)).toContainEqual(
			expect.stringMatching(/A workspace can have at most 50 live calls/),
		);
		const starts = await sandbox.ledger({ path: '/call' });
		expect(starts.map(({ effect }) => effect)).toEqual(starts.map(() => 'created'));
		const described = await engine.describe('acpCalls');
		const concurrency = parametersOf(described, 'call', 'startAndWait')
			.filter(({ name }) => name === 'options')
			.flatMap(({ options }) => options as any[])
			.find(({ name }) => name === 'concurrency');
		expect(concurrency.typeOptions.maxValue).toBe(50);
	});

	// interface: §8 calls
	test('a full workspace is explained', async () => {
		await sandbox.settings({ call: { liveLimit: 0, overLimit: 'reject' } });
		const result = await waitForEnd({ options: { ...soon, maxRetries: 0 } });
		expect(result.error?.message).toBe('The platform accepts no more calls right now');
		expect(result.error?.description).toMatch(/50 live calls/);
		expect(await placed()).toEqual([]);
	});
});

describe('live actions', () => {
	const act = async (operation: string, conversation: unknown, parameters: object = {}) =>
		await run('acpCalls', {
			resource: 'callAction',
			operation,
			conversation: by(conversation),
			...parameters,
		} as any);
	const live = async () => {
		await sandbox.settings({ call: { lifeMs: 600_000 } });
		const result = await (await start('start')).done;
		return result.json()[0].conversation_uuid as string;
	};

	// interface: §4.4 call actions
	test('an ended call is explained, and so is an address that was concluded wrongly', async () => {
		const [conversation] = (await waitForEnd()).json();
		const ended = await act('say', conversation.conversation_uuid, { message: 'Too late' });
		expect(ended.error?.message).toBe('There is no live call with this conversation ID');
		await sandbox.strike('/mute$', { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		const missing = await act('mute', await live());
		expect(missing.error?.message).toBe('The platform does not know this endpoint');
		expect(missing.error?.description).toMatch(
			/This operation is in beta: use the resource 'Other Endpoint'/,
		);
		expect(missing.error?.description).toMatch(/resource 'Other Endpoint'/);
	});

	test('what is too long or no number is refused before it is sent', async () => {
		const uuid = '00000000-0000-4000-8000-000000000000';
		expect((await act('say', uuid, { message: 'x'.repeat(2001) })).error?.message).toMatch(
			/'Message' has 2001 characters; at most 2000/,
		);
		expect((await act('forward', uuid, { phoneNumber: '0415 555' })).error?.message).toMatch(
			/'Phone Number' is not a phone number/,
		);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('only live calls are offered', async () => {
		await waitForEnd();
		const uuid = await live();
		const { results } = await engine.listSearch('acpCalls', 'searchLiveCalls');
		expect(results.map(({ value }) => value)).toEqual([uuid]);
		expect(
			(await engine.listSearch('acpCalls', 'searchLiveCalls', { filter: '4155550101' })).results,
		).toHaveLength(1);
		expect(
			(await engine.listSearch('acpCalls', 'searchLiveCalls', { filter: '4155550999' })).results,
		).toEqual([]);
	});
});

test('calls are listed by agent, direction and state, and one is read', async () => {
	await waitForEnd();
	const [call] = await sandbox.state('calls');
	const read = async (operation: string, more: object = {}) =>
		(await run('acpCalls', { resource: 'call', operation, ...more } as any)).json();
	const fits = { agent: by(call.agent_uuid), direction: 'Outbound', status: call.status };
	const [found, ...others] = await read('getAll', { filters: fits });
	expect(others).toEqual([]);
	expect(found).toMatchObject({
		uuid: call.uuid,
		status: call.status,
		agent_uuid: call.agent_uuid,
	});
	const nobody = '11111111-2222-4333-8444-555555555555';
	for (const other of [{ agent: by(nobody) }, { direction: 'Inbound' }, { status: 'busy' }])
		expect(await read('getAll', { filters: { ...fits, ...other } })).toEqual([]);
	expect(await read('get', { call: by(call.uuid) })).toEqual([found]);
});

describe('a run of very many calls', () => {
	const people = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ phone: `+1415555${String(1000 + index)}` }));
	const said =
		/^301 items at 5 per second take at least 1 minute\. For long lists, use ACP Outreach/;

	test('Preview says how long it takes, and what is better', async () => {
		const preview = async (count: number) =>
			await (
				await start('start', { options: { preview: true } }, { items: people(count) })
			).done;
		expect(texts(await preview(301))).toContainEqual(expect.stringMatching(said));
		const few = await preview(300);
		expect(few.json().filter(({ url }) => url)).toHaveLength(300);
		expect(texts(few).join(' ')).not.toContain('For long lists');
	});

	test("it stands in n8n's log before the first call", async () => {
		const before = engine.log.length;
		let heard = '';
		const result = await (
			await start(
				'start',
				{},
				{
					items: people(301),
					cancelWhen: async () => {
						if ((await placed()).length === 0) return false;
						heard = engine.log.slice(before);
						return true;
					},
				},
			)
		).done;
		expect(result.status).toBe('canceled');
		expect(heard).toMatch(/Node: 301 items at 5 per second take at least 1 minute/);
	});

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
				message: expect.stringContaining('more than 33 minutes. For long lists, use ACP Outreach'),
			}),
		]);
		expect(shown('startAndWait', 301)).toHaveLength(1);
		expect([...shown('start', 300), ...shown('getAll', 1000)]).toEqual([]);
	});
});
