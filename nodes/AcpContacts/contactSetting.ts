import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

export const contactSetting = withoutEndpoint({
	label: 'Contact Settings',
	value: 'contactSetting',
});
