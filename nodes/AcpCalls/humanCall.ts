import { withoutEndpoint } from '../engine/operation';

export const humanCall = withoutEndpoint({
	label: 'Human Call',
	value: 'humanCall',
	description: 'Calls made by people, not AI agents.',
});
