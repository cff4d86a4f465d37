import type { IDataObject } from 'n8n-workflow';
import { email, fileOrUrl, locator, phone, text, url } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const transcription = resource({
	label: 'Transcription',
	value: 'transcription',
	operations: {
		create: operation.create('POST /transcriptions', {
			name: 'Create',
			action: 'Create a transcription',
			description:
				'Hand in a recorded talk to be written down and evaluated; it is ready a while later, see Get Transcript',
			body: {
				voice_file: fileOrUrl({
					what: 'Audio',
					file: 'voice_file',
					url: 'voice_url',
					maxMegabytes: 128,
					description: 'Where the recorded talk comes from',
				}),
				coaching_agent_uuid: locator(null, {
					name: 'coachingAgent',
					displayName: 'Coaching Agent',
					description: 'The coaching agent that looks at the talk; else the default one',
				}),
				customer_email: email({
					description: 'Links the talk to the contact with this address where no phone number does',
				}),
				customer_phone: phone({ description: 'Links the talk to the contact with this number' }),
				customer_voice_url: url({
					displayName: 'Customer Voice URL',
					placeholder: 'e.g. https://example.com/talk.mp3',
					description: "Where the customer's side of the talk is, if it was recorded apart",
				}),
				email: email({
					displayName: 'Member Email',
					description: 'The member of the workspace who led the talk',
				}),
				possible_conversation: text({
					rows: 3,
					description: 'What the talk is about',
					placeholder: 'e.g. A customer asks about a late delivery',
				}),
				possible_language: text({
					maxLength: 10,
					description: 'The language that is probably spoken',
					placeholder: 'e.g. en',
				}),
				qa_agent_uuid: locator(null, {
					name: 'qaAgent',
					displayName: 'QA Agent',
					description: 'The QA agent that rates the talk; else the default one',
				}),
				reference_id: text({
					maxLength: 255,
					description: 'Your own ID of the talk',
					placeholder: 'e.g. CALL-12345',
				}),
				webhook_header_token: text({
					password: true,
					description: "Sent to 'Webhook URL' as a bearer token",
				}),
				webhook_url: url({
					displayName: 'Webhook URL',
					placeholder: 'e.g. https://example.com/events',
					description:
						'Where the finished transcript is sent to, the address of a Webhook node for example',
				}),
			},
			multipart: true,
		}),
		getTranscript: operation.get('GET /transcriptions/{uuid}/transcript', {
			name: 'Get Transcript',
			action: 'Get the transcript of a transcription',
			description:
				"Read what was said, as text or with 'Download File' under Options also as a text " +
				'file; empty until the status is completed',
			path: {
				uuid: locator(null, {
					name: 'transcription',
					displayName: 'Transcription',
					required: true,
					description: 'The ID of the transcription; Create gives it',
				}),
			},
			simplify: [
				'id',
				'status',
				'reference_id',
				'conversation.plain',
				'conversation.id',
				'session.id',
				'evaluations',
				'processed_at',
			],
			download: {
				when: 'option',
				what: 'transcript',
				text: {
					of: ({ conversation }) => (conversation as IDataObject | undefined)?.plain,
					fileName: ({ id }) => `transcript-${String(id)}.txt`,
				},
			},
		}),
	},
});
