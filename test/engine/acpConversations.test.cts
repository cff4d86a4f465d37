/** ACP Conversations in n8n's engine: lists with their filters, messages, sessions, transcriptions and replies. */
import { byId as by, ok } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

const { sandbox, engine } = usePlatform({
	speed: 10,
	settings: {
		call: { lifeMs: 50, outcomeByNumber: { '0101': 'interested' } },
		transcription: { processingMs: 20 },
	},
});
const run = async (
	resource: string,
	operation: string,
	parameters: object = {},
	options: object = {},
) =>
	await engine.runNode('acpConversations', { resource, operation, ...parameters } as any, options);

const firstAgent = async () => (await sandbox.state('agents'))[0].agent_uuid as string;

/** A call that has ended, and a text conversation that goes on. @returns their conversations */
const conversations = async () => {
	const agentId = await firstAgent();
	await sandbox.api.post('/call', { agentId, participant: { number: '+14155550101' } });
	await sandbox.api.post('/sms/send', { agentId, phoneNumber: '+14155550202', message: 'Hello' });
	const ended = await until('the call to end', async () =>
		(await sandbox.state('conversations')).find(({ status }) => status === 'Closed'),
	);
	const text = (await sandbox.state('conversations')).find(({ channel }) => channel === 'SMS');
	await sandbox.clearLedger();
	return { ended, text };
};

describe('conversations', () => {
	test('of a period, newest first: reading ends where the period begins', async () => {
		const agentId = await firstAgent();
		await sandbox.settings({ rate: { send: { limit: 1000 } } });
		for (let at = 0; at < 30; at++)
			await sandbox.api.post('/sms/send', {
				agentId,
				phoneNumber: `+14155550${300 + at}`,
				message: 'Hi',
			});
		for (const [at, { uuid }] of (await sandbox.state('conversations')).entries())
			await sandbox.change('conversations', uuid, {
				created_at: `2030-01-${String(at + 1).padStart(2, '0')}T12:00:00+00:00`,
			});
		await sandbox.settings({ manners: { rowsPerPage: 2 } });
		const filters = { createdAfter: '2030-01-28T12:00:00Z', createdBefore: '2030-01-30T12:00:00Z' };
		const read = async (order: object) => {
			await sandbox.clearLedger();
			const all = { returnAll: true, filters: { ...filters, ...order } };
			const rows = (await run('conversation', 'getAll', all)).json();
			const days = rows.map(({ created_at: at }) => Number(String(at).slice(8, 10)));
			return [days, (await sandbox.ledger()).length];
		};
		const [days, requests] = await read({});
		expect(days).toEqual([29, 28]);
		// Of 15 pages; some are read ahead.
		expect(requests).toBeLessThan(7);
		expect((await sandbox.ledger())[0]!.query).toMatchObject({
			sort_by: 'created_at',
			sort_dir: 'desc',
		});
		expect(await read({ sortBy: 'created_at', sortDir: 'asc' })).toEqual([[28, 29], 15]);
	});

	test('every filter is sent and narrows', async () => {
		const { ended } = await conversations();
		const result = await run('conversation', 'getAll', {
			filters: {
				agent: by(ended.agent_uuid),
				channel: 'call',
				contact: by(ended.contact.uuid),
				phone: '415555',
				sortBy: 'updated_at',
				sortDir: 'asc',
				status: 'Closed',
			},
		});
		expect(result.json().map(({ uuid }) => uuid)).toEqual([ended.uuid]);
		expect((await sandbox.ledger())[0]!.query).toMatchObject({
			agent_uuid: ended.agent_uuid,
			channel: 'call',
			contact_uuid: ended.contact.uuid,
			phone: '415555',
			sort_by: 'updated_at',
			sort_dir: 'asc',
			status: 'Closed',
		});
		const none = await run('conversation', 'getAll', {
			filters: { phone: '999', agent: { __rl: true, mode: 'list', value: '' } },
		});
		expect(none.json()).toEqual([]);
	});

	test('the recording of a call comes as a file on request; a text conversation says that it has none', async () => {
		const { ended, text } = await conversations();
		const options = { downloadFile: true };
		const call = await run('conversation', 'get', { conversation: by(ended.uuid), options });
		expect(call.json()).toMatchObject([{ uuid: ended.uuid, call_summary: ended.call.summary }]);
		const { data } = call.items()[0]!.binary!;
		expect(data).toMatchObject({ mimeType: 'audio/wav', fileSize: expect.any(String) });
		expect((await engine.binary(data!)).subarray(0, 4).toString()).toBe('RIFF');
		const none = await run('conversation', 'get', { conversation: by(text.uuid), options });
		expect(none.json()).toMatchObject([{ uuid: text.uuid }]);
		expect(none.items()[0]!.binary).toBeUndefined();
		expect(none.hints().map(({ message }) => message)).toEqual([
			'Some items have no recording to download, so they have no file. Before a node that needs one, keep ' +
				'only items with {{ !!$binary.data }} true.',
		]);
	});

	test('messages are read by one side, newest first', async () => {
		const { ended } = await conversations();
		const all = await run('conversation', 'getMessages', {
			conversation: by(ended.uuid),
			returnAll: true,
		});
		expect(all.json().map(({ sender }) => sender)).toEqual(['AI', 'Contact', 'AI']);
		const contact = await run('conversation', 'getMessages', {
			conversation: by(ended.uuid),
			filters: { sender: 'Contact', sortDir: 'desc' },
		});
		expect(contact.json()).toMatchObject([{ sender: 'Contact', content: 'Yes, go ahead.' }]);
		expect((await sandbox.ledger()).at(-1)!.query).toMatchObject({
			sender: 'Contact',
			sort_dir: 'desc',
		});
	});

	test('are chosen by phone number on the server, by other words here', async () => {
		const { ended, text } = await conversations();
		const search = async (filter: string) =>
			(await engine.listSearch('acpConversations', 'searchConversations', { filter })).results.map(
				({ value }) => value,
			);
		expect(await search('5550202')).toEqual([text.uuid]);
		expect(await search('call')).toEqual([ended.uuid]);
		expect((await sandbox.ledger()).map(({ query }) => query.phone)).toEqual([
			'5550202',
			undefined,
		]);
	});
});

describe('sessions', () => {
	test('an address that was concluded wrongly is explained', async () => {
		await sandbox.strike('^/sessions/', { status: 404, code: 'ENDPOINT_NOT_FOUND' });
		const result = await run('session', 'getMessages', {
			session: by('00000000-0000-4000-8000-000000000000'),
		});
		expect(result.error?.message).toBe(
			'This workspace does not return the messages of a single session',
		);
		expect(result.error?.description).toMatch(/Get Messages of the resource Conversation/);
	});
});

describe('transcriptions', () => {
	const audio = {
		data: Buffer.from('RIFF some audio'),
		fileName: 'talk.wav',
		mimeType: 'audio/wav',
	};

	test('a file of the input item is sent as form data', async () => {
		const result = ok(
			await run(
				'transcription',
				'create',
				{
					binaryPropertyName: 'audio',
					additionalFields: {
						possibleLanguage: 'en',
						referenceId: 'CALL-1',
						customerPhone: '+14155550101',
					},
				},
				{ items: [{ json: {}, binary: { audio } }] },
			),
		);
		expect(result.json()[0]).toMatchObject({
			uuid: expect.any(String),
			status: 'pending',
			reference_id: 'CALL-1',
		});
		const [request] = await sandbox.ledger({ path: '/transcriptions' });
		expect(request!.headers['content-type']).toMatch(/^multipart\/form-data/);
		expect(request!.body).toEqual({
			voice_file: { filename: 'talk.wav', mediaType: 'audio/wav', size: audio.data.length },
			possible_language: 'en',
			reference_id: 'CALL-1',
			customer_phone: '+14155550101',
		});
	});

	test('a web address is sent as form data, too', async () => {
		ok(
			await run('transcription', 'create', {
				audioSource: 'url',
				voiceUrl: 'https://example.com/talk.mp3',
			}),
		);
		const [request] = await sandbox.ledger({ path: '/transcriptions' });
		expect(request!.headers['content-type']).toMatch(/^multipart\/form-data/);
		expect(request!.body).toEqual({ voice_url: 'https://example.com/talk.mp3' });
	});

	test('without audio nothing is sent', async () => {
		const noFile = await run('transcription', 'create', { binaryPropertyName: 'audio' });
		expect(noFile.error?.message).toMatch(/audio/);
		const noAddress = await run('transcription', 'create', {
			audioSource: 'url',
			voiceUrl: '={{ $json.nothing }}',
		});
		expect(noAddress.error?.message).toMatch(/'Voice URL' is empty/);
		expect(await sandbox.ledger()).toEqual([]);
	});

	test('a preview names the file, hides what is secret and sends nothing', async () => {
		const result = await run(
			'transcription',
			'create',
			{
				binaryPropertyName: 'audio',
				additionalFields: { webhookHeaderToken: 'hush' },
				options: { preview: true },
			},
			{ items: [{ json: {}, binary: { audio } }] },
		);
		expect(result.json()[0]).toMatchObject({
			preview: true,
			body: { voice_file: '[file in the input field "audio"]', webhook_header_token: '(hidden)' },
		});
		expect(JSON.stringify(result.json())).not.toContain('hush');
		expect(await sandbox.ledger()).toEqual([]);
	});

	const transcribed = async () => {
		const [{ uuid }] = (
			await run('transcription', 'create', {
				audioSource: 'url',
				voiceUrl: 'https://example.com/talk.mp3',
			})
		).json();
		await until('the transcript', async () =>
			(await sandbox.state('transcriptions')).some(({ status }) => status === 'completed'),
		);
		return uuid as string;
	};

	test('the transcript comes as text, and on request as a text file', async () => {
		const transcription = by(await transcribed());
		const [record] = (await run('transcription', 'getTranscript', { transcription })).json();
		expect(record).toMatchObject({
			id: transcription.value,
			status: 'completed',
			conversation_plain: 'Customer: Hello, I have a question.\nAgent: Of course, go ahead.',
		});
		const result = await run('transcription', 'getTranscript', {
			transcription,
			simplify: false,
			options: { downloadFile: true, binaryPropertyName: 'text' },
		});
		const [item] = result.items();
		expect(item!.json).toMatchObject({
			conversation: { messages: [{ role: 'Customer' }, { role: 'Agent' }] },
		});
		expect(item!.binary!.text).toMatchObject({
			mimeType: 'text/plain',
			fileName: `transcript-${transcription.value}.txt`,
		});
		expect((await engine.binary(item!.binary!.text!)).toString('utf8')).toBe(
			record.conversation_plain,
		);
	});

	test('one that is not finished has no file, and that is said', async () => {
		await sandbox.settings({ transcription: { processingMs: 600_000 } });
		const [{ uuid }] = (
			await run('transcription', 'create', {
				audioSource: 'url',
				voiceUrl: 'https://example.com/talk.mp3',
			})
		).json();
		const result = await run('transcription', 'getTranscript', {
			transcription: by(uuid),
			options: { downloadFile: true },
		});
		expect(result.json()[0]).toMatchObject({ status: 'pending' });
		expect(result.items()[0]!.binary).toBeUndefined();
		expect(result.hints().map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/no transcript to download/),
		);
	});
});

describe('waiting for a transcription', () => {
	const transcribe = async () => {
		const form = new FormData();
		form.append('voice_file', new Blob(['riff'], { type: 'audio/wav' }), 'a.wav');
		const { data } = await sandbox.api.post('/transcriptions', form);
		await sandbox.clearLedger();
		return data.data.uuid as string;
	};
	const wait = async (uuid: string, more: object = {}) =>
		await run('transcription', 'waitUntilReady', { transcription: by(uuid), ...more });

	test('it ends when the transcription is completed', async () => {
		const uuid = await transcribe();
		const result = await wait(uuid);
		expect(result.json()[0]).toMatchObject({
			uuid,
			status: 'completed',
			error_message: null,
			timedOut: false,
		});
		expect(Object.keys(result.json()[0]).length).toBeLessThanOrEqual(10);
	});

	test('it ends when the transcription fails, with the error and what to do', async () => {
		await sandbox.settings({ transcription: { fails: true } });
		const result = await wait(await transcribe());
		expect(result.json()[0]).toMatchObject({
			status: 'failed',
			error_message: 'The audio could not be read.',
		});
		expect(result.hints().map(({ message }) => message)).toEqual([
			'A transcription failed: The audio could not be read. Check the audio, then submit it again with Create.',
		]);
	});

	test('it gives up when the time is over, and says so', async () => {
		await sandbox.settings({ transcription: { processingMs: 600_000 } });
		const result = await wait(await transcribe(), { options: { waitTimeout: 1 } });
		expect(result.json()[0]).toMatchObject({ status: 'pending', timedOut: true });
		expect(result.hints()[0]!.message).toContain(
			'Stopped waiting for the transcription to be ready',
		);
	});

	test('Get reads it once', async () => {
		await sandbox.settings({ transcription: { processingMs: 600_000 } });
		const result = await run('transcription', 'get', { transcription: by(await transcribe()) });
		expect(result.json()[0]).toMatchObject({ status: 'pending', error_message: null });
		expect(await sandbox.ledger()).toHaveLength(1);
	});
});

// interface: §5 rule 2
test('replies are made by API Request, and the node says how a workspace token names the member', async () => {
	const { properties } = await engine.describe('acpConversations');
	const notice = properties.find(
		({ type, displayOptions }) =>
			type === 'notice' && displayOptions?.show?.operation?.includes('apiRequest'),
	);
	expect(notice?.displayName).toMatch(/user_email/);
	const resource = properties
		.find(({ name }) => name === 'resource')!
		.options!.find((option: any) => option.value === 'otherEndpoint') as any;
	expect(resource.description).toMatch(/^Not supported yet: conversation replies\./);
	const result = await run('otherEndpoint', 'apiRequest', {
		method: 'POST',
		path: '/conversations/x/replies',
		body: '{"user_email": "ada@example.com"}',
	});
	expect(result.error?.message).toBe('The platform does not know this endpoint');
	expect((await sandbox.ledger())[0]).toMatchObject({
		method: 'POST',
		path: '/conversations/x/replies',
		body: { user_email: 'ada@example.com' },
	});
});
