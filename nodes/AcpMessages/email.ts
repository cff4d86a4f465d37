import { email as address } from '../engine/fields';
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
				'This sends real messages. This package does not know the field names of an ' +
				"email yet, the recipient's included. Look up fields such as agent, subject " +
				"and text in your workspace's API documentation, and put them into 'Body " +
				"(JSON)'. Turn on 'Preview' under Options to see the requests without sending " +
				'them.',
			body: { to: address({ orBodyJson: true, description: "The recipient's email address" }) },
			reaches: { at: ['to'], by: 'address', words: ['email', 'emails', 'sent'] },
		}),
	},
});
