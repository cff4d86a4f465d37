import { resource } from '../engine/operation';

export const humanCall = resource({
	label: 'Human Call',
	value: 'humanCall',
	description: 'Calls that people make. Reached through API Request: the platform does not publish its addresses.',
	apiRequestNotice: "The platform has an area Human Calls but does not publish its addresses. Take the path from your workspace's own API documentation.",
	operations: {},
});
