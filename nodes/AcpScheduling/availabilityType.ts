import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known (interface §4.4 names none; reference: availability-types). */
export const availabilityType = withoutEndpoint({
	label: 'Availability Type',
	value: 'availabilityType',
	description: 'Opening hours and usual durations of schedules.',
});
