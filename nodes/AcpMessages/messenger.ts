import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known (interface §4.4 names none; reference: nothing found). */
export const messenger = withoutEndpoint({
	label: 'Facebook Messenger',
	value: 'messenger',
});
