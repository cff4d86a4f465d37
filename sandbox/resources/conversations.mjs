import { paged, read } from '../answers.mjs';
import { invalid, notFound } from '../errors.mjs';
import { byField } from '../shape.mjs';
import { born } from '../store.mjs';
import { Instant } from '../zone.mjs';
import { contactOf } from '../calls.mjs';

export const conversationOf = (sandbox, uuid) =>
	sandbox.store.need('conversations', uuid, 'Conversation');

/** @returns {any} a new text conversation with its first message, sent by the agent */
export function textConversation(
	sandbox,
	{ agent, contact, channel, content, campaign_uuid = null, listing_uuid = null },
) {
	const { store, random } = sandbox;
	const conversation = store.collection('conversations').add({
		uuid: random.uuid(),
		type: 'Real',
		status: 'Active',
		responded_by: 'AI',
		is_simulation: false,
		timestamp: Instant.now(),
		...born(),
		agent_uuid: agent.agent_uuid,
		channel,
		contact: contactOf(contact),
		session_uuids: [],
		campaign_uuid,
		listing_uuid,
		task_uuids: [],
		call: null,
	});
	store.collection('messages').add(messageOf(conversation, random.uuid(), 'AI', content));
	return conversation;
}

/** A message of a text conversation, from the agent or from the contact. */
const messageOf = (conversation, uuid, sender, content) => ({
	uuid,
	conversation_uuid: conversation.uuid,
	session_uuid: null,
	contact_uuid: conversation.contact.uuid,
	agent_uuid: conversation.agent_uuid,
	channel: conversation.channel.toLowerCase(),
	direction: sender === 'AI' ? 'outbound' : 'inbound',
	sender,
	message_type: 'text',
	content,
	...born(),
});

/**
 * The contact replies to a message of the agent. The agent's webhooks hear of it as `conversation_update`; no source
 * shows that event, so it has the names of a call's events that fit.
 * @param {import('../sandbox.mjs').Sandbox} sandbox
 * @param {string} uuid of the conversation
 * @param {string} text
 */
export function reply(sandbox, uuid, text) {
	const conversation = conversationOf(sandbox, uuid);
	if (conversation.call !== null) throw invalid('conversation', 'A call has no replies.');
	const content = String(text ?? '').trim();
	if (content === '') throw invalid('text', 'The reply is empty.');
	sandbox.store
		.collection('messages')
		.add(messageOf(conversation, sandbox.random.uuid(), 'Contact', content.slice(0, 4000)));
	conversation.updated_at = Instant.now();
	void sandbox.deliveries.deliver(conversation.agent_uuid, 'conversation_update', {
		conversation_uuid: conversation.uuid,
		agent_id: conversation.agent_uuid,
		session_type: 'text',
		contact_info: { phone_number: conversation.contact.phone_number },
		timestamp: Instant.now(),
	});
}

const same = (a, b) => String(a).toLowerCase() === String(b).toLowerCase();

/** A page of a collection in the layout of the operation. */
const pageOf = (context, name, where, compare) =>
	paged(context, name, { where, compare, usual: 25 });

const messages = (context, belongs) => {
	const { sender, sort_dir: direction = 'asc' } = context.query;
	return read(
		pageOf(
			context,
			'messages',
			(message) => belongs(message) && (sender === undefined || message.sender === sender),
			byField('created_at', direction),
		),
		'Messages retrieved.',
	);
};

export const conversations = {
	'GET /conversations': (context) => {
		const {
			phone,
			contact_uuid,
			agent_uuid,
			channel,
			status,
			sort_by: sortBy = 'created_at',
			sort_dir: direction = 'desc',
			listing_uuid,
			campaign_uuid,
		} = context.query;
		const manner = context.sandbox.settings.manners.conversationList;
		if (manner === 'oldest-first') {
			const query = { ...context.query, per_page: 15 };
			const page = pageOf({ ...context, query }, 'conversations', undefined, byField('created_at'));
			return read(page, 'Conversations retrieved.');
		}
		const where = (one) =>
			(manner !== 'late' || one.status === 'Closed') &&
			(phone === undefined || one.contact.phone_number.includes(phone)) &&
			(contact_uuid === undefined || one.contact.uuid === contact_uuid) &&
			(agent_uuid === undefined || one.agent_uuid === agent_uuid) &&
			(channel === undefined || same(one.channel, channel)) &&
			(status === undefined || same(one.status, status)) &&
			(listing_uuid === undefined || one.listing_uuid === listing_uuid) &&
			(campaign_uuid === undefined || one.campaign_uuid === campaign_uuid);
		return read(
			pageOf(context, 'conversations', where, byField(sortBy, direction)),
			'Conversations retrieved.',
		);
	},
	'GET /conversations/{}': ({ sandbox, params: [uuid] }) =>
		read(conversationOf(sandbox, uuid), 'Conversation retrieved.'),
	'GET /conversations/{}/messages': (context) => {
		const { uuid } = conversationOf(context.sandbox, context.params[0]);
		return messages(context, (message) => message.conversation_uuid === uuid);
	},
	'GET /conversations/{}/sessions': (context) => {
		const { uuid } = conversationOf(context.sandbox, context.params[0]);
		const { status } = context.query;
		// Sessions appear once they have ended; the values of the filter are not shown (the first begins with "ac").
		return read(
			pageOf(
				context,
				'sessions',
				(session) =>
					session.conversation_uuid === uuid && (status === undefined || !same(status, 'active')),
			),
			'Sessions retrieved.',
		);
	},
	'GET /sessions/{}/messages': (context) => {
		const session = context.sandbox.store.need('sessions', context.params[0], 'Session');
		return messages(context, (message) => message.session_uuid === session.uuid);
	},
	'GET /sessions/{}/evaluation': ({ sandbox, params: [uuid] }) => {
		const evaluation = [...sandbox.store.collection('evaluations').values()].find(
			(one) => one.session_uuid === uuid,
		);
		if (evaluation === undefined) throw notFound('Evaluation');
		return read(evaluation, 'Evaluation retrieved.');
	},
};
