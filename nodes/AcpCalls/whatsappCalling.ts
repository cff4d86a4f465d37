import { withoutEndpoint } from '../engine/operation';

export const whatsappCalling = withoutEndpoint({
	label: 'WhatsApp Calling',
	value: 'whatsappCalling',
	description: 'Calls over WhatsApp.',
	notice:
		'A number that an agent is to call with must already be connected and have calling ' +
		'switched on; the agent is then bound for messages on that number too.',
});
