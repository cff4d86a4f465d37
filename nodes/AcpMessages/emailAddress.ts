import { unpublished } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: nothing found). */
export const emailAddress = unpublished({
	label: 'Email Address',
	value: 'emailAddress',
	area: 'Email Addresses',
	description: 'Addresses that the workspace sends from and receives at.',
});
