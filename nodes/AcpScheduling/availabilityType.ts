import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known (interface §4.4 names none; reference: availability-types). */
export const availabilityType = withoutEndpoint({
	label: 'Availability Types',
	value: 'availabilityType',
});
