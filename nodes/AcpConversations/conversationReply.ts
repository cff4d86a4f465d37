import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known, only how a request names the member (interface §5 rule 2). */
export const conversationReply = withoutEndpoint({
	label: 'Conversation Reply',
	value: 'conversationReply',
	description:
		"Reply as a team member on a conversation's channel; with a workspace token, user_email in " +
		'the body names the member.',
	notice:
		'A workspace token belongs to no single user, so name the member who replies in ' +
		'the body: <code>{"user_email": "name@example.com"}</code>. With a per-user token, ' +
		'the reply is attributed to that user.',
});
