import { invalid } from '../errors.mjs';
import { dataSchema, shown } from '../shape.mjs';
import { Instant } from '../zone.mjs';
import { neededFile } from './messages.mjs';

/** Keeps the bytes where the file server finds them. @returns {{uuid: string, url: string}} */
function keep(sandbox, file) {
	const uuid = sandbox.random.uuid();
	sandbox.files.set(uuid, file);
	return { uuid, url: `${sandbox.filesUrl}/medias/${uuid}/${encodeURIComponent(file.filename)}` };
}

const MAX_AUDIO_BYTES = 128 * 2 ** 20;

/** The finished transcript (reference: transcriptions); what was said is the sandbox's own invention. */
function transcript({ uuid: id, status, ...request }) {
	const said = [
		{ role: 'Customer', content: 'Hello, I have a question.' },
		{ role: 'Agent', content: 'Of course, go ahead.' },
	];
	const messages = status === 'completed' ? said : [];
	return {
		id,
		status,
		...request,
		conversation: {
			id: request.conversation_uuid,
			plain: messages.map(({ role, content }) => `${role}: ${content}`).join('\n'),
			messages,
		},
		session: { id: request.session_uuid, type: 'voice', status },
		evaluations: status === 'completed' ? { sentiment: { value: 'neutral' } } : null,
	};
}

function finish({ contract, settings }, request) {
	const { fails } = settings.transcription;
	Object.assign(request, {
		status: fails ? 'failed' : 'completed',
		error_message: fails ? 'The audio could not be read.' : null,
		processed_at: Instant.now(),
	});
	const { webhook_url: url, webhook_header_token: token } = request;
	if (!url) return;
	const authorization = token ? { authorization: `Bearer ${token}` } : {};
	const schema = dataSchema(contract, contract.operation('GET /transcriptions/{}/transcript'));
	fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...authorization },
		body: JSON.stringify(shown(contract, schema, transcript(request))),
	}).catch(() => {});
}

export const handlers = {
	'POST /medias': ({ sandbox, files }) => {
		const file = neededFile(files, 'file');
		const { filename: name, mediaType: mime_type, bytes } = file;
		const fields = { name, mime_type, size: bytes.length, ...keep(sandbox, file) };
		return sandbox.store.add('medias', fields);
	},
	'POST /phone-numbers/documents': ({ sandbox, files }) => ({
		document_id: keep(sandbox, neededFile(files, 'file')).uuid,
	}),
	'POST /transcriptions': ({ sandbox, body = {}, files }) => {
		const { random, settings, store } = sandbox;
		const file = files?.get('voice_file');
		if (file === undefined && !body.voice_url)
			throw invalid('voice_file', 'Send voice_file or voice_url.');
		if (file?.bytes.length > MAX_AUDIO_BYTES)
			throw invalid('voice_file', 'The file is larger than 128 MB.');
		const kept = file && keep(sandbox, file);
		const request = store.add('transcriptions', {
			reference_id: null,
			qa_agent_uuid: null,
			coaching_agent_uuid: null,
			...body,
			status: 'pending',
			possible_language: body.possible_language ?? null,
			error_message: null,
			s3_file_path: kept ? `/medias/${kept.uuid}` : null,
			s3_file_url: kept?.url ?? body.voice_url,
			conversation_uuid: random.uuid(),
			session_uuid: random.uuid(),
			processed_at: null,
			timestamp: Math.floor(Date.now() / 1000),
		});
		sandbox.later(settings.transcription.processingMs, () => finish(sandbox, request));
		return request;
	},
	'GET /transcriptions/{}': ({ record: request }) => {
		const { plain } = transcript(request).conversation;
		return { ...request, transcription_result: plain || null };
	},
	'GET /transcriptions/{}/transcript': ({ record: request }) => transcript(request),
};
