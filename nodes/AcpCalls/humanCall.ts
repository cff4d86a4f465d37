import { withoutEndpoint } from '../engine/operation';

export const humanCall = withoutEndpoint({
	label: 'Human Call',
	value: 'humanCall',
	description: 'Calls that people make.',
});
