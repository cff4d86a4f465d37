import { resource } from '../engine/operation';

export const contactSetting = resource({
	label: 'Contact Setting',
	value: 'contactSetting',
	description: 'Reached through API Request: the platform does not publish its addresses',
	apiRequestNotice: "The platform has an area Contact Settings but does not publish its addresses. Take the path from your workspace's own API documentation.",
	operations: {},
});
