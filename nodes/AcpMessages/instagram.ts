import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known (interface §4.4 names none; reference: nothing found). */
export const instagram = withoutEndpoint({
	label: 'Instagram',
	value: 'instagram',
	description: 'Instagram accounts and messages.',
	notice: 'To answer in a conversation, use the resource Conversation Reply of ACP Conversations.',
});
