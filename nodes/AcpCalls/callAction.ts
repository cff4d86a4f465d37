import type { IDataObject } from 'n8n-workflow';
import { boolean, locator, phone, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

const path = {
	uuid: locator('searchLiveCalls', {
		name: 'conversation',
		displayName: 'Conversation',
		required: true,
		description:
			'The conversation of a call that has not ended; starting a call gives it as conversation_uuid',
	}),
};

/** The answer holds nothing but the news that the action was dispatched (reference: call actions). */
const output = (_: unknown, request: { path: IDataObject }): IDataObject => ({
	conversation_uuid: request.path.uuid,
	dispatched: true,
});

const notLive = {
	message: 'There is no live call with this conversation ID',
	description:
		'The call may have ended already. Use the conversation_uuid that starting the call gave, while the call lasts.',
};
const explain = { '409': notLive, RESOURCE_NOT_FOUND: notLive };

export const callAction = resource({
	label: 'Live Call',
	value: 'callAction',
	description: 'What an agent does during a call: say something, forward, mute, hang up',
	defaultOperation: 'say',
	operations: {
		forward: operation.action('POST /calls/action/{uuid}/forward', {
			name: 'Forward',
			action: 'Forward a live call',
			description: 'Put the person through to another phone number; the agent announces it first',
			path,
			body: { phone_number: phone({ orBodyJson: true, description: 'Where the call goes to' }) },
			output,
			explain,
		}),
		hangup: operation.action('POST /calls/action/{uuid}/hangup', {
			name: 'Hang Up',
			action: 'Hang up a live call',
			description: 'End the call after a goodbye',
			path,
			body: {
				message: text({
					rows: 2,
					maxLength: 2000,
					description: 'The goodbye; else what the agent says at the end of calls',
					placeholder: 'e.g. Thank you, goodbye',
				}),
			},
			output,
			explain,
		}),
		mute: operation.action('POST /calls/action/{uuid}/mute', {
			name: 'Mute',
			action: 'Mute the agent in a live call',
			description: 'Have the agent stay silent until Unmute',
			path,
			output,
			explain,
		}),
		say: operation.action('POST /calls/action/{uuid}/say', {
			name: 'Say',
			action: 'Have the agent say something in a live call',
			description: 'Speak a text at once',
			path,
			body: {
				message: text({
					required: true,
					rows: 3,
					maxLength: 2000,
					description: 'What the agent says',
					placeholder: 'e.g. A colleague will join us in a moment',
				}),
				end_call_after_spoken: boolean({
					displayName: 'End Call After Spoken',
					description: 'Whether to hang up once the text has been spoken in full',
				}),
			},
			output,
			explain,
		}),
		unmute: operation.action('POST /calls/action/{uuid}/unmute', {
			name: 'Unmute',
			action: 'Let the agent speak again in a live call',
			description: 'End what Mute began',
			path,
			output,
			explain,
		}),
	},
});
