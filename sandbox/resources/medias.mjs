import { created, read } from '../answers.mjs';
import { invalid } from '../errors.mjs';
import { born } from '../store.mjs';
import { Instant } from '../zone.mjs';

/** Keeps the bytes where the file server finds them. @returns {{uuid: string, url: string}} */
function keep(sandbox, file) {
	const uuid = sandbox.random.uuid();
	sandbox.files.set(uuid, file);
	return { uuid, url: `${sandbox.filesUrl}/medias/${uuid}/${encodeURIComponent(file.filename)}` };
}

const needed = (files, name) => {
	const file = files?.get(name);
	if (file === undefined) throw invalid(name, `The field ${name} is required.`);
	return file;
};

const MAX_AUDIO_BYTES = 128 * 2 ** 20;

/** The finished transcript (reference: transcriptions); what was said is the sandbox's own invention. */
function transcript(request) {
	const said = [
		{ role: 'Customer', content: 'Hello, I have a question.' },
		{ role: 'Agent', content: 'Of course, go ahead.' },
	];
	const done = request.status === 'completed';
	return {
		id: request.uuid,
		reference_id: request.reference_id,
		status: request.status,
		qa_agent_uuid: request.qa_agent_uuid,
		coaching_agent_uuid: request.coaching_agent_uuid,
		conversation: {
			id: request.conversation_uuid,
			plain: done ? said.map(({ role, content }) => `${role}: ${content}`).join('\n') : '',
			messages: done ? said : [],
		},
		session: { id: request.session_uuid, type: 'voice', status: request.status },
		evaluations: done ? { sentiment: { value: 'neutral' } } : null,
		processed_at: request.processed_at,
		timestamp: (request.answered_at ??= Math.floor(Date.now() / 1000)),
	};
}

function finish(sandbox, request) {
	const { fails } = sandbox.settings.transcription;
	Object.assign(request, {
		status: fails ? 'failed' : 'completed',
		error_message: fails ? 'The audio could not be read.' : null,
		processed_at: Instant.now(),
	});
	if (!request.webhook_url) return;
	const headers = {
		'content-type': 'application/json',
		...(request.webhook_header_token
			? { authorization: `Bearer ${request.webhook_header_token}` }
			: {}),
	};
	fetch(request.webhook_url, {
		method: 'POST',
		headers,
		body: JSON.stringify(transcript(request)),
	}).catch(() => {});
}

export const medias = {
	'POST /medias': ({ sandbox, files }) => {
		const file = needed(files, 'file');
		const { uuid, url } = keep(sandbox, file);
		const media = sandbox.store.collection('medias').add({
			uuid,
			name: file.filename,
			mime_type: file.mediaType,
			size: file.bytes.length,
			url,
			...born(),
		});
		return created(media, uuid, 'Media uploaded.');
	},
	'GET /medias': ({ sandbox, query }) => {
		// The interface says that the list is searched by file name, not under which parameter.
		const wanted = (query.search ?? query.name ?? query.file_name)?.toLowerCase();
		const rows = [...sandbox.store.collection('medias').values()].filter(
			(media) => !wanted || media.name.toLowerCase().includes(wanted),
		);
		return read(rows, 'Medias retrieved.');
	},
	'POST /phone-numbers/documents': ({ sandbox, files }) => {
		const { uuid } = keep(sandbox, needed(files, 'file'));
		sandbox.store.collection('documents').add({ uuid });
		return created({ document_id: uuid }, uuid, 'Document uploaded.');
	},
	'POST /transcriptions': ({ sandbox, body = {}, files }) => {
		const file = files?.get('voice_file');
		if (file === undefined && !body.voice_url)
			throw invalid('voice_file', 'Send voice_file or voice_url.');
		if (file !== undefined && file.bytes.length > MAX_AUDIO_BYTES)
			throw invalid('voice_file', 'The file is larger than 128 MB.');
		const kept = file === undefined ? undefined : keep(sandbox, file);
		const request = sandbox.store.collection('transcriptions').add({
			...body,
			uuid: sandbox.random.uuid(),
			reference_id: body.reference_id ?? null,
			status: 'pending',
			s3_file_path: kept === undefined ? null : `/medias/${kept.uuid}`,
			s3_file_url: kept?.url ?? body.voice_url ?? null,
			qa_agent_uuid: body.qa_agent_uuid ?? null,
			coaching_agent_uuid: body.coaching_agent_uuid ?? null,
			conversation_uuid: sandbox.random.uuid(),
			session_uuid: sandbox.random.uuid(),
			processed_at: null,
			...born(),
		});
		sandbox.later(sandbox.settings.transcription.processingMs, () => finish(sandbox, request));
		const {
			uuid,
			reference_id,
			status,
			s3_file_path,
			s3_file_url,
			created_at,
			qa_agent_uuid,
			coaching_agent_uuid,
		} = request;
		return created(
			{
				uuid,
				reference_id,
				status,
				s3_file_path,
				s3_file_url,
				created_at,
				qa_agent_uuid,
				coaching_agent_uuid,
			},
			uuid,
			'Transcription requested.',
		);
	},
	'GET /transcriptions/{}': ({ sandbox, params: [uuid] }) => {
		const request = sandbox.store.need('transcriptions', uuid, 'Transcription');
		const shown = (name) => request[name] ?? null;
		return read(
			{
				uuid,
				reference_id: request.reference_id,
				status: request.status,
				possible_language: shown('possible_language'),
				transcription_result: transcript(request).conversation.plain || null,
				error_message: shown('error_message'),
				s3_file_path: request.s3_file_path,
				s3_file_url: request.s3_file_url,
				qa_agent_uuid: request.qa_agent_uuid,
				coaching_agent_uuid: request.coaching_agent_uuid,
				processed_at: request.processed_at,
				created_at: request.created_at,
			},
			'Transcription retrieved.',
		);
	},
	'GET /transcriptions/{}/transcript': ({ sandbox, params: [uuid] }) => {
		const request = sandbox.store.need('transcriptions', uuid, 'Transcription');
		return read(transcript(request), '');
	},
};
