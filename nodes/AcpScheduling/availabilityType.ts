import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: availability-types). */
export const availabilityType = resource({
	label: 'Availability Type',
	value: 'availabilityType',
	description: 'Opening times and usual durations of schedules, through API Request',
	apiRequestNotice:
		'The platform has not published the addresses of its availability types. Give method and path as its reference names them; sign-in, time zone, pace and retries are taken care of.',
	operations: {},
});
