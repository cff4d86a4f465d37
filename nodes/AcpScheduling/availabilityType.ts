import { unpublished } from '../engine/operation';

/** No endpoint of this area is known (interface §4.4 names none; reference: availability-types). */
export const availabilityType = unpublished({
	label: 'Availability Type',
	value: 'availabilityType',
	area: 'Availability Types',
	description: 'Opening times and usual durations of schedules.',
});
