import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: nothing found). */
export const emailAddress = resource({
	label: 'Email Address',
	value: 'emailAddress',
	description: 'Addresses that the workspace sends from and receives at, through API Request',
	apiRequestNotice:
		'The platform has not published the addresses of its email address interface. Give method and path as its reference names them; sign-in, time zone, pace and retries are taken care of.',
	operations: {},
});
