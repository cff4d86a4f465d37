import { resource } from '../engine/operation';

export const whatsappCalling = resource({
	label: 'WhatsApp Calling',
	value: 'whatsappCalling',
	description: 'Calls over WhatsApp. Reached through API Request: the platform does not publish its addresses.',
	apiRequestNotice:
		"The platform has an area WhatsApp Calling but does not publish its addresses. Take the path from your workspace's own API documentation. A number that an agent is to call with must already be connected and have calling switched on; the agent is then bound for messages on that number too.",
	operations: {},
});
