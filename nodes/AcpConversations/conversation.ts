import { agent, choice, locator, text } from '../engine/fields';
import { operation, perPage, resource } from '../engine/operation';

const reference = locator('searchConversations', {
	name: 'conversation',
	displayName: 'Conversation',
	required: true,
	description: 'The conversation that this is about; a call gives its ID as conversation_uuid',
});

const simplify = [
	'uuid',
	'status',
	'channel',
	'agent_uuid',
	'contact.uuid',
	'contact.phone_number',
	'call.duration',
	'call.summary',
	'created_at',
	'updated_at',
];

/** Who wrote a message (reference: conversations). */
export const sender = choice(
	[
		{ name: 'AI', value: 'AI', description: 'The agent' },
		{ name: 'Contact', value: 'Contact', description: 'The person on the other side' },
		{ name: 'Human', value: 'Human', description: 'A member of the workspace' },
	],
	{ description: 'Only messages by this side' },
);

export const oldestFirst = choice(
	[
		{ name: 'Newest First', value: 'desc' },
		{ name: 'Oldest First', value: 'asc' },
	],
	{
		displayName: 'Sort Direction',
		default: 'asc',
		description: 'In which order the messages come',
	},
);

export const conversation = resource({
	label: 'Conversation',
	value: 'conversation',
	defaultOperation: 'getAll',
	operations: {
		get: operation.get('GET /conversations/{uuid}', {
			name: 'Get',
			action: 'Get a conversation',
			description:
				'Read one conversation; for a call it holds duration, summary and the address of the recording',
			path: { uuid: reference },
			simplify,
		}),
		getAll: operation.list('GET /conversations', {
			name: 'Get Many',
			action: 'Get many conversations',
			description: 'List conversations, calls and messages alike',
			query: {
				agent_uuid: agent({ required: undefined, description: 'Only conversations of this agent' }),
				channel: text({
					description: 'Only conversations on this channel',
					samples: ['call', 'sms', 'whatsapp'],
				}),
				contact_uuid: locator('searchContacts', {
					name: 'contact',
					displayName: 'Contact',
					description: 'Only conversations with this contact',
				}),
				phone: text({
					displayName: 'Phone Number',
					description: "A part of the contact's phone number",
					placeholder: 'e.g. 415555',
				}),
				sort_by: text({
					displayName: 'Sort By',
					description: 'The time that the list is ordered by',
					samples: ['created_at', 'updated_at'],
				}),
				sort_dir: choice(
					[
						{ name: 'Newest First', value: 'desc' },
						{ name: 'Oldest First', value: 'asc' },
					],
					{ displayName: 'Sort Direction', description: 'In which order the conversations come' },
				),
				status: text({
					description: 'Only conversations in this state',
					samples: ['Active', 'Closed'],
				}),
			},
			pages: { pageSize: perPage },
			simplify,
		}),
		getMessages: operation.list('GET /conversations/{uuid}/messages', {
			name: 'Get Messages',
			action: 'Get the messages of a conversation',
			description: 'List what the agent, people of the workspace and the contact said or wrote',
			path: { uuid: reference },
			query: { sender, sort_dir: oldestFirst },
			pages: { pageSize: perPage },
		}),
	},
});
