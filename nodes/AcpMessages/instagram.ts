import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: nothing found). */
export const instagram = resource({
	label: 'Instagram',
	value: 'instagram',
	description: 'Instagram accounts and messages, through API Request',
	apiRequestNotice:
		'The platform has not published the addresses of its Instagram interface. Give method and path as its reference names them; sign-in, time zone, pace and retries are taken care of. Answers in a conversation are sent as replies: see the resource Conversation Reply of ACP Conversations.',
	operations: {},
});
