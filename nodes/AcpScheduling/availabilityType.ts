import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: availability-types). */
export const availabilityType = resource({
	label: 'Availability Type',
	value: 'availabilityType',
	description: 'Opening times and usual durations of schedules. Reached through API Request: the platform does not publish its addresses.',
	apiRequestNotice:
		"The platform has an area Availability Types but does not publish its addresses. Take the path from your workspace's own API documentation.",
	operations: {},
});
