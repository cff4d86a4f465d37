import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

/** No endpoint of this area is known (interface §1; contract). */
export const memorize = withoutEndpoint({
	label: 'Memorize',
	value: 'memorize',
});
