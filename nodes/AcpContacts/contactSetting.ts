import { withoutEndpoint } from '../engine/operation';

export const contactSetting = withoutEndpoint({
	label: 'Contact Setting',
	value: 'contactSetting',
});
