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
				"This sends real messages. The platform has not published the names of an email's " +
				'fields, that of the recipient included: write what its reference asks for, like ' +
				"agent, subject and text, into 'Body (JSON)'. Turn on 'Preview' under Options to see " +
				'the requests without sending them.',
			// The body is not shown (interface §4.4); `to` is the name that this pack gives the recipient.
			body: { to: address({ required: true, description: 'Whom to write to' }) },
			openBody: true,
			reaches: { at: ['to'], words: ['email', 'emails', 'sent'] },
		}),
	},
});
