import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: nothing found). */
export const instagram = resource({
	label: 'Instagram',
	value: 'instagram',
	description: 'Instagram accounts and messages. Reached through API Request: the platform does not publish its addresses.',
	apiRequestNotice:
		"The platform has an area Instagram but does not publish its addresses. Take the path from your workspace's own API documentation. Answers in a conversation are sent as replies: see the resource Conversation Reply of ACP Conversations.",
	operations: {},
});
