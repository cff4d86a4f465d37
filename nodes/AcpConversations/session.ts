import { reference, text } from '../engine/fields';
import { oldestFirst, sender } from './conversation';
import { guessedFilter, hasValue, operation, perPage, resource, words } from '../engine/operation';

export const session = resource({
	label: 'Session',
	value: 'session',
	partOf: 'conversation',
	description: 'Time windows of a conversation, each with its own summary and evaluation',
	defaultOperation: 'getAll',
	operations: {
		getAll: operation.list('GET /conversations/{uuid}/sessions', {
			description:
				"List a conversation's sessions: time windows, each with its own summary and evaluation",
			path: {
				uuid: reference('searchConversations'),
			},
			query: {
				status: text('Only sessions with this status', { placeholder: 'e.g. active' }),
			},
			pages: { pageSize: perPage },
			simplify: words(
				'contact.phone_number contact.name summary started_at ended_at evaluated_at uuid ' +
					'conversation_uuid contact.uuid call_uuid',
			),
		}),
		getMessages: operation.list('GET /sessions/{uuid}/messages', {
			action: 'Get the messages of a session',
			description: 'List what was said or written in one session',
			path: {
				uuid: reference(null, 'ID of the session; Get Many returns it', { name: 'session' }),
			},
			query: { sort_dir: oldestFirst },
			pages: {
				pageSize: perPage,
				filters: { sender: guessedFilter(sender, hasValue('sender')) },
			},
			explain: {
				ENDPOINT_NOT_FOUND: {
					message: 'This workspace does not return the messages of a single session',
					description:
						"Use Get Messages of the resource Conversation instead, and keep the messages between the session's start and end.",
				},
			},
		}),
	},
});
