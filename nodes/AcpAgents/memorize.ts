import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §1; contract). */
export const memorize = resource({
	label: 'Memorize',
	value: 'memorize',
	description: 'What agents remember; the platform does not show its endpoints, so it is reached with API Request',
	operations: {},
});
