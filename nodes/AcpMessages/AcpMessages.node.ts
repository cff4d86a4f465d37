import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { email } from './email';
import { sms } from './sms';
import { whatsapp } from './whatsapp';
import { whatsappTemplate } from './whatsappTemplate';

const node = actionNode('acpMessages', [whatsapp, whatsappTemplate, sms, email], {
	searchHint:
		'Sends real messages that cost money; while testing set options.preview to true. SMS, WhatsApp templates and emails to one recipient per item.',
	relatedNodes: {
		acpOutreach: 'Reaches hundreds of people from a list',
		acpCalls: 'Lists phone numbers with the agents that use them',
		acpTrigger: 'Starts a workflow when a conversation ends',
	},
});

export class AcpMessages implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS, WhatsApp & Email (ACP)',
		name: 'acpMessages',
		icon: {
			light: 'file:../../icons/acpMessages.svg',
			dark: 'file:../../icons/acpMessages.dark.svg',
		},
		subtitle: node.subtitle,
		description: 'Send WhatsApp templates, SMS and emails through AI agents',
		defaults: { name: 'SMS, WhatsApp & Email' },
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
