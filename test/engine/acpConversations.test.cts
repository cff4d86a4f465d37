/** Conversations: the conversations of a period, their files, and transcriptions that take a while. */
import { cases, refusals } from './guarantees/cases.cts';
import { agentOf, byId, ok, phoneOf } from './guarantees/scene.cts';
import { until, usePlatform } from './harness/index.cts';

const platform = usePlatform({
	speed: 10,
	settings: {
		call: { lifeMs: 50, outcomeByNumber: { '0000': 'interested' } },
		rate: { send: { limit: 1000 } },
		transcription: { processingMs: 20 },
	},
});
const { sandbox, engine, run } = platform;

const text = async (index: number) => {
	const body = { agentId: await agentOf(sandbox), phoneNumber: phoneOf(index), message: 'Hello' };
	return await sandbox.api.post('/sms/send', body);
};

test('of a period, newest first: reading ends where the period begins', async () => {
	for (let at = 0; at < 30; at++) await text(at);
	for (const [at, { uuid }] of (await sandbox.state('conversations')).entries())
		await sandbox.change('conversations', uuid, {
			created_at: `2030-01-${String(at + 1).padStart(2, '0')}T12:00:00+00:00`,
		});
	await sandbox.settings({ manners: { rowsPerPage: 2 } });
	const filters = { createdAfter: '2030-01-28T12:00:00Z', createdBefore: '2030-01-30T12:00:00Z' };
	const read = async (order: { sortBy?: string; sortDir?: string }) => {
		await sandbox.clearLedger();
		const all = { returnAll: true, filters: { ...filters, ...order } };
		const rows = ok(await run('acpConversations conversation.getAll', all)).json();
		// A page that the run before has read ahead may arrive late.
		const { sortBy: sort_by = 'created_at', sortDir: sort_dir = 'desc' } = order;
		const own = ({ query }: any) => query.sort_by === sort_by && query.sort_dir === sort_dir;
		const days = rows.map(({ created_at: at }) => Number(String(at).slice(8, 10)));
		return [days, (await sandbox.ledger()).filter(own).length];
	};
	const [days, requests] = await read({});
	expect(days).toEqual([29, 28]);
	// Of 15 pages; some are read ahead.
	expect(requests).toBeLessThan(7);
	expect(requests).toBeGreaterThan(0);
	expect(await read({ sortBy: 'created_at', sortDir: 'asc' })).toEqual([[28, 29], 15]);
});

test.each([
	['(415) 555-0001', '4155550001'],
	['+1 (415) 555-0001', '+14155550001'],
	['0151 234', '151234'],
	['Anna', 'Anna'],
])(
	'a phone number is searched in its normal form, a part of one by its digits: %s',
	async (...row) => {
		const [written, phone] = row;
		ok(await run('acpConversations conversation.getAll', { filters: { phone: written } }));
		expect((await sandbox.ledger())[0]!.query.phone).toBe(phone);
	},
);

test('the recording of a call comes as a file on request; a text conversation says that it has none', async () => {
	const participant = { number: phoneOf(0) };
	await sandbox.api.post('/call', { agentId: await agentOf(sandbox), participant });
	await text(1);
	const call = await until('the call to end', async () =>
		(await sandbox.state('conversations')).find(({ status }) => status === 'Closed'),
	);
	const written = (await sandbox.state('conversations')).find(({ channel }) => channel === 'SMS');
	const parameters = { conversation: byId('={{ $json.uuid }}'), options: { downloadFile: true } };
	const items = [call, written];
	const result = ok(await run('acpConversations conversation.get', parameters, { items }));
	const ofCall = { uuid: call.uuid, call_summary: call.call.summary };
	expect(result.json()).toMatchObject([ofCall, { uuid: written.uuid }]);
	const [recorded, none] = result.items();
	expect(recorded!.binary!.data).toMatchObject({ mimeType: 'audio/wav' });
	expect((await engine.binary(recorded!.binary!.data!)).toString('latin1')).toMatch(/^RIFF/);
	expect(none!.binary).toBeUndefined();
	expect(result.hints().map(({ message }) => message)).toEqual([
		'Some items have no recording to download, so they have no file. Before a node that needs one, keep ' +
			'only items with {{ !!$binary.data }} true.',
	]);
});

describe('transcriptions', () => {
	const slow = { transcription: { processingMs: 600_000 } };
	/** @param status what it must have reached */
	const about = async (
		operation: string,
		given: object = {},
		settings: object = {},
		status = '',
	) => {
		await sandbox.settings(settings);
		const form = new FormData();
		form.append('voice_file', new Blob(['riff'], { type: 'audio/wav' }), 'a.wav');
		const { uuid } = (await sandbox.api.post('/transcriptions', form)).data.data;
		const has = (one: any) => status === '' || one.status === status;
		await until(status, async () => (await sandbox.state('transcriptions')).some(has));
		const parameters: any = { transcription: byId(uuid), ...given };
		return { node: `acpConversations transcription.${operation}`, parameters };
	};
	const data = { data: Buffer.from('RIFF'), fileName: 'talk.wav', mimeType: 'audio/wav' };
	const noUrl = { audioSource: 'url', voiceUrl: '={{ $json.no }}' };
	const said = 'Customer: Hello, I have a question.\nAgent: Of course, go ahead.';

	cases(platform, {
		'a preview names the file, hides what is secret and sends nothing': {
			node: 'acpConversations transcription.create',
			parameters: {
				binaryPropertyName: 'audio',
				additionalFields: { webhookHeaderToken: 'hush' },
				options: { preview: true },
			},
			items: [{ json: {}, binary: { audio: data } }],
			json: [
				{
					request: {
						body: {
							voice_file: '[file in the input field "audio"]',
							webhook_header_token: '(hidden)',
						},
					},
				},
			],
			sent: { 'POST .*': 0 },
		},
		'the transcript comes as text': async () => ({
			...(await about('getTranscript', {}, {}, 'completed')),
			json: [{ status: 'completed', conversation_plain: said }],
			files: [undefined],
		}),
		'on request as a text file, too': async () => {
			const options = { downloadFile: true, binaryPropertyName: 'text' };
			const given = await about('getTranscript', { simplify: false, options }, {}, 'completed');
			const fileName = `transcript-${given.parameters.transcription.value}.txt`;
			const data = Buffer.from(said).toString('base64');
			return {
				...given,
				json: [{ conversation: { messages: [{ role: 'Customer' }, { role: 'Agent' }] } }],
				files: [{ text: expect.objectContaining({ mimeType: 'text/plain', fileName, data }) }],
			};
		},
		'one that is not finished has no file, and that is said': async () => ({
			...(await about('getTranscript', { options: { downloadFile: true } }, slow)),
			json: [{ status: 'pending' }],
			files: [undefined],
			hints: 'no transcript to download',
		}),
		'the wait ends when it is completed': async () => ({
			...(await about('waitUntilReady')),
			json: [{ status: 'completed', error_message: null, timedOut: false }],
			hints: /^$/,
		}),
		'the wait ends when it fails, with the error and what to do': async () => ({
			...(await about('waitUntilReady', {}, { transcription: { fails: true } })),
			json: [{ status: 'failed', error_message: 'The audio could not be read.' }],
			hints: /^A transcription failed: The audio could not be read\. Check the audio, then/,
		}),
		'the wait gives up when the time is over, and says so': async () => ({
			...(await about('waitUntilReady', { options: { waitTimeout: 1 } }, slow)),
			json: [{ status: 'pending', timedOut: true }],
			hints: 'Stopped waiting for the transcription to be ready',
		}),
		...refusals('acpConversations', [['transcription.create', noUrl, "'Voice URL' is empty"]]),
	});
});
