import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { contact } from './contact';
import { contactAnalyzer } from './contactAnalyzer';
import { contactApproval } from './contactApproval';
import { contactField } from './contactField';
import { contactPool } from './contactPool';

const node = actionNode(
	'acpContacts',
	[contact, contactField, contactAnalyzer, contactApproval, contactPool],
	{
		searchHint:
			'Finds, creates and changes contacts, their custom fields and pools; blacklists those who opted out. ' +
			'No operation creates a tag: add one on the platform, then choose it by name here once a contact has it. ' +
			'No operation approves suggested changes: people do so on the platform.',
		relatedNodes: {
			acpOutreach: 'Calls or writes to contacts from a list',
			acpMessages: 'Sends a message to one contact',
			acpCalls: 'Has an agent call one contact',
		},
	},
);

export class AcpContacts implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Contacts (ACP)',
		name: 'acpContacts',
		icon: {
			light: 'file:../../icons/acpContacts.svg',
			dark: 'file:../../icons/acpContacts.dark.svg',
		},
		subtitle: node.subtitle,
		description: 'Manage contacts and their fields, pools, analyzers and approvals',
		defaults: { name: 'Contacts' },
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
