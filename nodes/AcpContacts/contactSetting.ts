import { unpublished } from '../engine/operation';

export const contactSetting = unpublished({
	label: 'Contact Setting',
	value: 'contactSetting',
	area: 'Contact Settings',
});
