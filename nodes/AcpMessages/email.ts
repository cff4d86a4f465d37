import { email as address } from '../engine/fields';
import { operation, resource } from '../engine/operation';

export const email = resource({
	label: 'Email',
	value: 'email',
	operations: {
		send: operation.send('POST /email/messages', {
			name: 'Send',
			action: 'Send an email',
			description: 'Send an email through the platform',
			notice:
				"This sends real messages. This package does not know the names of an email's fields " +
				"yet, that of the recipient included: write those that your workspace's API " +
				"documentation names, like agent, subject and text, into 'Body (JSON)'. Turn on " +
				"'Preview' under Options to see the requests without sending them.",
			body: { to: address({ orBodyJson: true, description: 'Whom to write to' }) },
			reaches: { at: ['to'], words: ['email', 'emails', 'sent'] },
		}),
	},
});
