import { agent, phone, recipient, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const realMessages =
	"This sends real messages that cost money. Turn on 'Preview' under Options to see the requests without sending them.";

export const sms = resource({
	label: 'SMS',
	value: 'sms',
	description: 'Text messages from an agent with a phone number for SMS',
	operations: {
		send: operation.send('POST /sms/send', {
			action: 'Send an SMS',
			description: 'Have an agent send a text message to a phone number or a contact',
			notice: realMessages,
			body: {
				agentId: agent('The agent that sends the message; it must have a phone number for SMS'),
				phoneNumber: recipient('phoneNumber', phone('The number to send to', { required: true })),
				message: text('Maximum 1600 characters', {
					required: true,
					rows: 3,
					minLength: 1,
					maxLength: 1600,
					placeholder: 'e.g. Your parcel arrives tomorrow',
				}),
			},
			reaches: { at: ['phoneNumber'], words: ['SMS', 'SMS', 'sent'] },
			explain: {
				RESOURCE_NOT_FOUND: {
					message: 'The platform found no agent with this ID',
					description:
						"The agent may be deleted, or 'Base URL' leads to another workspace. Choose it from the list again.",
				},
			},
		}),
	},
});
