import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known, only how a request names the member (interface §5 rule 2). */
export const conversationReply = withoutEndpoint({
	label: 'Conversation Replies',
	value: 'conversationReply',
	notice:
		'To reply in a conversation with a workspace token, name the member who replies in ' +
		'the body: <code>{"user_email": "name@example.com"}</code>. With a per-user token, ' +
		'the reply is attributed to that user.',
});
