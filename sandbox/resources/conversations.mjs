import { paged } from '../answers.mjs';
import { addConversation, messageOf } from '../calls.mjs';
import { invalid, notFound } from '../errors.mjs';
import { byField } from '../shape.mjs';
import { change } from '../store.mjs';
import { Instant } from '../zone.mjs';

/** @returns {any} a new text conversation with its first message, sent by the agent */
export function textConversation({ store }, { content, ...fields }) {
	const conversation = addConversation(store, fields);
	store.add('messages', messageOf(conversation, 'AI', content));
	return conversation;
}

/**
 * The contact replies to a message of the agent. The agent's webhooks hear of it as `conversation_update`; no source
 * shows that event, so it has the names of a call's events that fit.
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 * @param {string} uuid of the conversation
 * @param {string} text
 */
export function reply({ deliveries, store }, uuid, text) {
	const conversation = store.need('conversations', uuid);
	if (conversation.call !== null) throw invalid('conversation', 'A call has no replies.');
	const content = String(text ?? '').trim();
	if (content === '') throw invalid('text', 'The reply is empty.');
	store.add('messages', messageOf(conversation, 'Contact', content.slice(0, 4000)));
	change(conversation);
	void deliveries.deliver(conversation.agent_uuid, 'conversation_update', {
		conversation_uuid: conversation.uuid,
		agent_id: conversation.agent_uuid,
		session_type: 'text',
		contact_info: { phone_number: conversation.contact.phone_number },
		timestamp: Instant.now(),
	});
}

/** Messages of the conversation or session that the path names. */
const messages = (field) => (context) =>
	paged(context, 'messages', {
		where: (message) => message[field] === context.record.uuid,
		compare: byField('created_at', context.query.sort_dir),
		usual: 25,
	});

export const handlers = {
	'GET /conversations': (context) => {
		const { phone, contact_uuid: contact, sort_by, sort_dir = 'desc', ...query } = context.query;
		const manner = context.sandbox.settings.manners.conversationList;
		const where = (one) =>
			(manner !== 'late' || one.status === 'Closed') &&
			(phone === undefined || one.contact.phone_number.includes(phone)) &&
			(contact === undefined || one.contact.uuid === contact);
		const compare = byField(sort_by ?? 'created_at', sort_dir);
		return paged({ ...context, query }, 'conversations', { where, compare, usual: 25 });
	},
	'GET /conversations/{}/messages': messages('conversation_uuid'),
	'GET /conversations/{}/sessions': (context) =>
		paged(context, 'sessions', {
			// Sessions appear once they have ended; the values of the filter are not shown (the first begins with "ac").
			where: ({ conversation_uuid: of }) =>
				of === context.record.uuid && !/^active$/i.test(context.query.status),
			usual: 25,
		}),
	'GET /sessions/{}/messages': messages('session_uuid'),
	'GET /sessions/{}/evaluation': ({ sandbox, params: [uuid] }) => {
		const [evaluation] = sandbox.store.where('evaluations', { session_uuid: uuid });
		if (evaluation === undefined) throw notFound('Evaluation');
		return evaluation;
	},
};
