import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: nothing found). */
export const messenger = resource({
	label: 'Messenger',
	value: 'messenger',
	description: 'Facebook Messenger pages and messages, through API Request',
	apiRequestNotice:
		'The platform has not published the addresses of its Messenger interface. Give method and path as its reference names them; sign-in, time zone, pace and retries are taken care of. Answers in a conversation are sent as replies: see the resource Conversation Reply of ACP Conversations.',
	operations: {},
});
