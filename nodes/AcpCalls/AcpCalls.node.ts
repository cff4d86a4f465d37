import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { call } from './call';
import { callAction } from './callAction';
import { phoneNumber } from './phoneNumber';

const node = actionNode('acpCalls', [call, callAction, phoneNumber], {
	searchHint:
		'Places real calls that cost money; while testing set options.preview to true. "start" ' +
		'returns immediately, the outcome comes later: use "startAndWait", or Conversation Event Trigger. ' +
		'"phoneNumber.getAll" lists the numbers of the workspace with the agents that answer them.',
	relatedNodes: {
		acpTrigger: 'Starts a workflow with the outcome of each call',
		acpConversations: 'Reads summary, transcript and recording of a call',
		acpOutreach: 'Calls hundreds of people at a pace, from a list',
	},
});

export class AcpCalls implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Phone Calls (ACP)',
		name: 'acpCalls',
		icon: { light: 'file:../../icons/acpCalls.svg', dark: 'file:../../icons/acpCalls.dark.svg' },
		subtitle: node.subtitle,
		description: 'Make phone calls with AI agents, control live calls and manage phone numbers',
		defaults: { name: 'Phone Calls' },
		usableAsTool: true,
		sensitiveOutputFields: ['listen_url'],
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
