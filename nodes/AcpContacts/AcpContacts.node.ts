import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { contact } from './contact';
import { contactAnalyzer } from './contactAnalyzer';
import { contactApproval } from './contactApproval';
import { contactField } from './contactField';
import { contactPool } from './contactPool';
import { contactSetting } from './contactSetting';
import { describe, subtitle } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [
	contact,
	contactField,
	contactSetting,
	contactAnalyzer,
	contactApproval,
	contactPool,
];

export class AcpContacts implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Contacts',
		name: 'acpContacts',
		icon: {
			light: 'file:../../icons/acpContacts.svg',
			dark: 'file:../../icons/acpContacts.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Manage contacts and their fields, pools, analyzers and approvals',
		defaults: { name: 'ACP Contacts' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		properties: describe(resources),
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
