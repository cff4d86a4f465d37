import { agent, choice, type FieldOptions, locator, reference, text } from '../engine/fields';
import { createdWithin, operation, perPage, resource } from '../engine/operation';
import { answered } from '../engine/platform/callState';
import { recording } from '../shared/recording';

const conversationField = reference(
	'searchConversations',
	'A call returns the ID of its conversation as conversation_uuid',
);

const simplify = [
	'contact.phone_number',
	'channel',
	'answered',
	'call.status',
	'call.duration',
	'call.summary',
	'created_at',
	'call.recording_url',
	'agent_uuid',
	'uuid',
];

/** Who wrote a message (reference: conversations). */
export const sender = choice(
	[
		{ name: 'AI', value: 'AI', description: 'The agent' },
		{ name: 'Contact', value: 'Contact', description: 'The customer' },
		{ name: 'Human', value: 'Human', description: 'A member of the workspace' },
	],
	'Only messages from this sender',
);

const sortDirection = (options?: FieldOptions) =>
	choice(
		[
			{ name: 'Newest First', value: 'desc' },
			{ name: 'Oldest First', value: 'asc' },
		],
		{ displayName: 'Sort Direction', ...options },
	);

export const oldestFirst = sortDirection({ default: 'asc' });

export const conversation = resource({
	label: 'Conversation',
	value: 'conversation',
	unsupported: ['Conversation Replies'],
	// How a request names the member is known (interface §5 rule 2).
	defaultOperation: 'getAll',
	operations: {
		get: operation.get('GET /conversations/{uuid}', {
			description:
				"Read one conversation. For a call, it includes the duration and summary; 'Download File' under " +
				'Options adds the recording.',
			path: { uuid: conversationField },
			implied: answered,
			simplify,
			download: recording,
		}),
		getAll: operation.list('GET /conversations', {
			description:
				'List conversations, both calls and messages. A voicemail counts as answered; only the summary tells.',
			query: {
				agent_uuid: agent("Only this agent's conversations", { required: undefined }),
				channel: text('Only conversations on this channel', {
					samples: ['call', 'sms', 'whatsapp'],
					dropdown: true,
				}),
				contact_uuid: locator('searchContacts', 'Only conversations with this contact'),
				phone: text("Part of the contact's phone number", {
					displayName: 'Phone Number',
					placeholder: 'e.g. 415555',
				}),
				sort_by: text('The time to sort by', {
					displayName: 'Sort By',
					samples: ['created_at', 'updated_at'],
					dropdown: true,
				}),
				sort_dir: sortDirection(),
				status: text('Only conversations with this status', {
					samples: ['Active', 'Closed'],
					dropdown: true,
				}),
			},
			pages: { pageSize: perPage, filters: createdWithin('conversations') },
			implied: answered,
			simplify,
		}),
		getMessages: operation.list('GET /conversations/{uuid}/messages', {
			description:
				'List what the agent, team members and the contact said or wrote; two answers can come at the same moment',
			path: { uuid: conversationField },
			query: { sender, sort_dir: oldestFirst },
			pages: { pageSize: perPage },
		}),
	},
});
