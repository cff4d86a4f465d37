import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

export const humanCall = withoutEndpoint({
	label: 'Human Calls',
	value: 'humanCall',
});
