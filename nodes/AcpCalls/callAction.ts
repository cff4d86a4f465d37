import type { IDataObject } from 'n8n-workflow';
import { boolean, phone, reference, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

/** The response only says that the action was dispatched (reference: call actions). */
const output = (_: unknown, request: { pathValues: IDataObject }): IDataObject => ({
	conversation_uuid: request.pathValues.uuid,
	dispatched: true,
});

const notLive = {
	message: 'There is no live call with this conversation ID',
	description:
		'The call may have ended, or this is the ID of the call itself. Use the conversation_uuid that Start returned, or the uuid of Conversations › Conversation › Get Many.',
};
const explain = { '409': notLive, RESOURCE_NOT_FOUND: notLive };

export const callAction = resource({
	label: 'Live Call',
	value: 'callAction',
	path: {
		uuid: reference(
			'searchLiveCalls',
			"The conversation of a live call: conversation_uuid of Start, not the uuid of a call from 'Get Many'",
			{ name: 'conversation' },
		),
	},
	description: 'Control a live call: say something, forward, mute, hang up',
	defaultOperation: 'say',
	operations: {
		forward: operation.action('POST /calls/action/{uuid}/forward', {
			description: 'Transfer the call to another phone number; the agent announces it first',
			body: {
				phone_number: phone('The number to forward the call to', { orBodyJson: true }),
			},
			output,
			explain,
		}),
		hangup: operation.action('POST /calls/action/{uuid}/hangup', {
			name: 'Hang Up',
			action: 'Hang up a live call',
			description: 'End the call after a goodbye',
			body: {
				message: text("The agent's goodbye; defaults to what it says at the end of calls", {
					rows: 2,
					maxLength: 2000,
					placeholder: 'e.g. Thank you, goodbye',
				}),
			},
			output,
			explain,
		}),
		mute: operation.action('POST /calls/action/{uuid}/mute', {
			action: 'Mute the agent in a live call',
			description: 'Silence the agent until you use Unmute',
			output,
			explain,
		}),
		say: operation.action('POST /calls/action/{uuid}/say', {
			action: 'Have the agent say something in a live call',
			description: 'Have the agent speak a text immediately',
			body: {
				message: text('What the agent says', {
					required: true,
					rows: 3,
					maxLength: 2000,
					placeholder: 'e.g. A colleague will join us in a moment',
				}),
				end_call_after_spoken: boolean(
					'Whether to hang up after the agent has spoken the whole text',
					{ displayName: 'End Call After Speaking' },
				),
			},
			output,
			explain,
		}),
		unmute: operation.action('POST /calls/action/{uuid}/unmute', {
			action: 'Unmute the agent in a live call',
			description: 'Let the agent speak again after Mute',
			output,
			explain,
		}),
	},
});
