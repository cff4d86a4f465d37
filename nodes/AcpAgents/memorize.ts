import { unpublished } from '../engine/operation';

/** No endpoint of this area is known (interface §1; contract). */
export const memorize = unpublished({
	label: 'Memorize',
	value: 'memorize',
	area: 'Memorize, for what agents remember,',
	description: 'What agents remember.',
});
