import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { objectOf } from '../engine/response/response';
import {
	email,
	locator,
	phone,
	reference,
	text,
	url,
	binary,
	choice,
	type Field,
} from '../engine/fields';
import { fileNameFrom } from '../engine/follow/files';
import { everySeconds } from '../engine/follow/wait';
import { fromRequest, operation, read, resource, words } from '../engine/operation';
import { stateWord } from '../engine/text/text';
import { readDeciding } from '../engine/fields/answered';
import { place, type Placed, readFields, showAll } from '../engine/fields/structure';

const [name, displayName] = ['audioSource', 'Audio Source'];
const description = 'Where the recording comes from';
const sources = ['binary', 'url'];
const from = choice(
	[
		{ name: 'Input Binary Field', value: 'binary', description: 'A file of the input item' },
		{ name: 'URL', value: 'url', description: 'A file on the web, read by the platform' },
	],
	description,
);
const parts = place({
	voice_file: binary(),
	voice_url: url('Where the platform reads the audio from', { required: true }),
});

/** A recording that is either uploaded from the input item or read by the platform from a URL: one of two body fields. */
export const audioSource: Field<never> = {
	spread: true,
	isFile: true,
	decides: true,
	options: { required: true, name, displayName, description },
	show: () => [
		...from.show(name, displayName),
		...parts.flatMap((part, at) =>
			showAll([part]).map((property): INodeProperties => ({
				...property,
				displayOptions: { show: { [name]: [sources[at] as string] } },
			})),
		),
	],
	read: (source) => {
		const chosen = readDeciding(from, source, name, displayName) ?? 'binary';
		return readFields([parts[sources.indexOf(chosen)] as Placed], source) as never;
	},
};

const transcriptionField = reference(null, 'ID of the transcription; Create returns it', {
	name: 'transcription',
});

/** A source shows the first (reference: transcriptions), the others are usual words for the same. */
const going = new Set(['pending', 'processing', 'queued', 'in-progress']);

/** Why it failed: it says so, or its state is a usual word for that; no source lists all states. */
const failedWith = ({ status, error_message: error }: IDataObject): string | undefined => {
	const why = typeof error === 'string' ? error.trim() : '';
	if (why !== '') return why;
	return ['failed', 'error', 'cancelled', 'canceled'].includes(stateWord(status))
		? `its status is ${String(status)}`
		: undefined;
};

/** By status, error and time of processing (catalogue: transcriptions); any unknown word is `unknown`. */
export function stateOfTranscription(record: IDataObject): 'waiting' | 'done' | 'unknown' {
	if (stateWord(record.status) === 'completed' || failedWith(record) !== undefined) return 'done';
	if (going.has(stateWord(record.status))) return 'waiting';
	return record.processed_at ? 'done' : 'unknown';
}

const tellFailure = (record: IDataObject): string | undefined => {
	const why = failedWith(record);
	return why === undefined
		? undefined
		: `A transcription failed: ${why.replace(/\.$/, '')}. Check the audio, then submit it again with Create.`;
};

const simplify = words(
	'uuid status error_message transcription_result reference_id possible_language ' +
		'processed_at created_at',
);

export const transcription = resource({
	label: 'Transcription',
	value: 'transcription',
	path: { uuid: transcriptionField },
	description: 'Audio files and recordings turned into text',
	operations: {
		create: operation.create('POST /transcriptions', {
			description:
				'Submit a recording for transcription and evaluation. The result takes a while; see Wait Until Ready.',
			body: {
				voice_file: audioSource,
				coaching_agent_uuid: locator(
					null,
					'The coaching agent that reviews the recording; leave empty for the default one',
					{ name: 'coachingAgent' },
				),
				customer_email: email("Contact's email, used if no phone number matches"),
				customer_phone: phone('Links the recording to the contact with this number'),
				customer_voice_url: url("URL of the customer's voice; not documented", {
					placeholder: 'e.g. https://example.com/talk.mp3',
				}),
				email: email('The team member who led the conversation', { displayName: 'Member Email' }),
				possible_conversation: text('What the conversation is about', {
					rows: 3,
					placeholder: 'e.g. A customer asks about a late delivery',
				}),
				possible_language: text('The language probably spoken', {
					maxLength: 10,
					placeholder: 'e.g. en',
				}),
				qa_agent_uuid: locator(
					null,
					'The QA agent that rates the recording; leave empty for the default one',
					{ name: 'qaAgent' },
				),
				reference_id: text('Your ID for the recording', {
					maxLength: 255,
					placeholder: 'e.g. CALL-12345',
				}),
				webhook_header_token: text("Sent to 'Webhook URL' as a bearer token", { password: true }),
				webhook_url: url(
					'Receives the finished transcript; for example, the URL of a Webhook node',
					{ placeholder: 'e.g. https://example.com/events' },
				),
			},
		}),
		get: operation.get('GET /transcriptions/{uuid}', {
			description: 'Read the status of a transcription once, with the reason if it failed',
			simplify,
			hint: tellFailure,
		}),
		getTranscript: operation.get('GET /transcriptions/{uuid}/transcript', {
			description:
				"Read the transcript as text; with 'Download File' under Options, also as a text file. Empty until the status is completed.",
			simplify: words(
				'id status reference_id conversation.plain conversation.id session.id evaluations ' +
					'processed_at',
			),
			download: {
				what: 'transcript',
				file: async ({ context }, { id, conversation }) => {
					const { plain } = objectOf(conversation);
					if (typeof plain !== 'string' || plain === '') return undefined;
					const name = fileNameFrom({}, [`transcript-${String(id)}.txt`]);
					return await context.helpers.prepareBinaryData(Buffer.from(plain), name, 'text/plain');
				},
			},
		}),
		waitUntilReady: operation.get('GET /transcriptions/{uuid}', {
			action: 'Wait until a transcription is ready',
			description:
				'Check a transcription every few seconds until it is completed or has failed; status and error_message tell which. Then use Get Transcript.',
			wait: {
				read: read('GET /transcriptions/{uuid}', { uuid: fromRequest('uuid') }),
				watch: everySeconds(5),
				timeoutSeconds: 600,
				forWhat: 'the transcription to be ready',
				state: stateOfTranscription,
			},
			simplify: [...simplify, 'timedOut'],
			hint: tellFailure,
		}),
	},
});
