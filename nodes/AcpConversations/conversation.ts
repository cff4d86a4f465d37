import {
	choice,
	type FieldOptions,
	locator,
	reference,
	text,
	leaf,
	asText,
} from '../engine/fields';
import { createdWithin, operation, perPage, resource, words } from '../engine/operation';
import { bareDigits, readPhone } from '../engine/phone/phoneNumber';
import { agentFilter, answered, channelFilter, statusFilter } from '../shared/callState';
import { recording } from '../shared/fileAt';

const simplify = words(
	'contact.phone_number channel answered call.status call.duration call.summary created_at ' +
		'call.recording_url agent_uuid uuid',
);

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

/** A whole number is searched as the platform stores it (interface §7), a part of one by its digits. */
const partOfNumber = leaf<string>(
	{
		description: "The contact's phone number, or a part of it",
		displayName: 'Phone Number',
		placeholder: 'e.g. +14155550123',
	},
	{ type: 'string', default: '' },
	(value, fail) => {
		const written = asText(value, fail);
		// E.164 has no zero before an area code, or has it after the country code.
		const digits = bareDigits(written)?.replace(/^0+(?=\d)/, '');
		return readPhone(written).number ?? digits ?? written;
	},
);

export const conversation = resource({
	label: 'Conversation',
	value: 'conversation',
	path: {
		uuid: reference(
			'searchConversations',
			'A call returns the ID of its conversation as conversation_uuid',
		),
	},
	unsupported: ['Conversation Replies'],
	// How a request names the member is known (interface §5 rule 2).
	defaultOperation: 'getAll',
	operations: {
		get: operation.get('GET /conversations/{uuid}', {
			description:
				"Read one conversation. For a call, it includes the duration and summary; 'Download File' under Options adds the recording.",
			implied: answered,
			simplify,
			download: recording,
		}),
		getAll: operation.list('GET /conversations', {
			description:
				'List conversations, both calls and messages. A voicemail counts as answered; only the summary shows it.',
			query: {
				agent_uuid: agentFilter,
				channel: channelFilter,
				contact_uuid: locator('searchContacts', 'Only conversations with this contact'),
				phone: partOfNumber,
				sort_by: text('The time to sort by', {
					displayName: 'Sort By',
					samples: ['created_at', 'updated_at'],
					dropdown: true,
				}),
				sort_dir: sortDirection(),
				status: statusFilter,
			},
			pages: { pageSize: perPage, filters: createdWithin('conversations') },
			implied: answered,
			simplify,
		}),
		getMessages: operation.list('GET /conversations/{uuid}/messages', {
			description:
				'List what the agent, team members and the contact said or wrote; two can have the same time',
			query: { sender, sort_dir: oldestFirst },
			pages: { pageSize: perPage },
		}),
	},
});
