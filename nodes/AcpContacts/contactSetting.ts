import { withoutEndpoint } from '../engine/apiRequest/apiRequest';

export const contactSetting = withoutEndpoint({
	label: 'Contact Setting',
	value: 'contactSetting',
});
