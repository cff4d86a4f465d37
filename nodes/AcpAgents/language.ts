import { resource } from '../engine/operation';

/** No endpoint of this area is known (interface §1; contract). */
export const language = resource({
	label: 'Language',
	value: 'language',
	description: 'Languages of the platform, whose endpoints are not shown; they are reached with API Request',
	operations: {},
});
