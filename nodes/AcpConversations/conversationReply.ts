import { withoutEndpoint } from '../engine/operation';

/** No endpoint of this area is known; how the member is named is (interface §5 rule 2). */
export const conversationReply = withoutEndpoint({
	label: 'Conversation Reply',
	value: 'conversationReply',
	description:
		'Reply as a person on the channel of a conversation; with a workspace token, user_email in ' +
		'the body names the member who replies.',
	notice:
		'A workspace token stands for nobody in particular, so name the member who replies in the body: ' +
		'<code>{"user_email": "name@example.com"}</code>. With a per-user token the reply is ' +
		'attributed to that user.',
});
