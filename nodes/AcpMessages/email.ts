import { email as address, recipient } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const email = resource({
	label: 'Email',
	value: 'email',
	unsupported: ['Email Addresses', 'Facebook Messenger', 'Instagram'],
	description: 'One email. Subject and text go into JSON: their names are not known.',
	operations: {
		send: operation.send('POST /email/messages', {
			description: 'Send an email through the platform',
			notice:
				"This sends real emails; 'Preview' under Options sends nothing. Enter subject and text in 'Body (JSON)': their field names are unknown.",
			body: {
				to: recipient(
					'email',
					address({ orBodyJson: true, description: "The recipient's email address" }),
				),
			},
			reaches: { at: ['to'], words: ['email', 'emails', 'sent'] },
		}),
	},
});
