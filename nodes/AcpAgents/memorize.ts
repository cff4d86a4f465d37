import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §1; contract). */
export const memorize = resource({
	label: 'Memorize',
	value: 'memorize',
	description: 'What agents remember. Reached through API Request: the platform does not publish its addresses.',
	apiRequestNotice: "The platform has an area Memorize, for what agents remember, but does not publish its addresses. Take the path from your workspace's own API documentation.",
	operations: {},
});
