import { unpublished } from '../engine/operation';

/** No endpoint of this area is known (interface §1; contract). */
export const language = unpublished({
	label: 'Language',
	value: 'language',
	area: 'Language',
	description: 'Languages of the platform.',
});
