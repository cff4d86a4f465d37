import { unpublished } from '../engine/operation';

export const humanCall = unpublished({
	label: 'Human Call',
	value: 'humanCall',
	area: 'Human Calls',
	description: 'Calls that people make.',
});
