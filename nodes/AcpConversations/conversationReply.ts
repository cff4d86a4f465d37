import { resource } from '../engine/operation';

export const conversationReply = resource({
	label: 'Conversation Reply',
	value: 'conversationReply',
	description:
		'Reply as a person on the channel of a conversation. Through API Request; with a ' +
		'workspace token, user_email in the body names the member who replies.',
	apiRequestNotice:
		"Reply as a person on a conversation's channel. The platform does not publish the " +
		"address; take it from your workspace's own API documentation. A workspace token " +
		'stands for nobody in particular, so name the member who replies in the body: ' +
		'<code>{"user_email": "name@example.com"}</code>. With a per-user token the reply is ' +
		'attributed to that user.',
	operations: {},
});
