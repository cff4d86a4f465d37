import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { campaign } from './campaign';
import { listing } from './listing';
import { outbound } from './outbound';
import { outreachRule } from './outreachRule';
import { task } from './task';

const node = actionNode('acpOutreach', [listing, campaign, task, outbound, outreachRule], {
	searchHint: `Calls or writes to many people from a list (listing) or a campaign, at the platform's pace. "createFromItems" makes a listing of all input items. No operation starts a listing later: create it when it should start. No field limits the parallel calls of a listing: a contactPool of type Parallel does (Contacts (ACP)), in a campaign published on the platform. Launching reaches people: set options.preview to true while testing.`,
	relatedNodes: {
		acpContacts: 'Contacts, opt-outs and the blacklist',
		acpCalls: 'A single call',
		acpTrigger: 'Starts a workflow with each outcome',
	},
});

export class AcpOutreach implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Outreach Lists (ACP)',
		name: 'acpOutreach',
		icon: {
			light: 'file:../../icons/acpOutreach.svg',
			dark: 'file:../../icons/acpOutreach.dark.svg',
		},
		subtitle: node.subtitle,
		description:
			'Launch contact lists from a spreadsheet, schedule single calls and messages, and manage campaigns',
		defaults: { name: 'Outreach Lists' },
		parameterPane: 'wide',
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
