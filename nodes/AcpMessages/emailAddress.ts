import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: nothing found). */
export const emailAddress = resource({
	label: 'Email Address',
	value: 'emailAddress',
	description: 'Addresses that the workspace sends from and receives at. Reached through API Request: the platform does not publish its addresses.',
	apiRequestNotice:
		"The platform has an area Email Addresses but does not publish its addresses. Take the path from your workspace's own API documentation.",
	operations: {},
});
