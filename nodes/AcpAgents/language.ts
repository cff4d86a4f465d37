import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §1; contract). */
export const language = resource({
	label: 'Language',
	value: 'language',
	description: 'Languages of the platform. Reached through API Request: the platform does not publish its addresses.',
	apiRequestNotice: "The platform has an area Language but does not publish its addresses. Take the path from your workspace's own API documentation.",
	operations: {},
});
