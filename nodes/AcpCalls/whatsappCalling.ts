import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

export const whatsappCalling = withoutEndpoint({
	label: 'WhatsApp Calling',
	value: 'whatsappCalling',
	notice:
		'To call over WhatsApp, the number an agent calls from must already be connected and have calling turned ' +
		'on. The agent then also handles messages on that number.',
});
