import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

export const humanCall = withoutEndpoint({
	label: 'Human Call',
	value: 'humanCall',
	description: 'Calls made by people, not AI agents.',
});
