import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { agent } from './agent';
import { agentChannel } from './agentChannel';
import { agentVoice } from './agentVoice';
import { agentWebhook } from './agentWebhook';

const node = actionNode('acpAgents', [agent, agentChannel, agentVoice, agentWebhook], {
	searchHint:
		'Builds and changes AI agents: prompt, voice, channels, webhooks. It does not talk to anybody: use Phone Calls (ACP) or SMS, WhatsApp & Email (ACP) for that. ' +
		'Which agent answers which number: Phone Calls (ACP), "phoneNumber.getAll".',
	relatedNodes: {
		acpKnowledge: 'Adds notes, guidelines, training, rules and intents one by one',
		acpCalls: 'Has an agent call a customer; lists phone numbers with their agents',
		acpMessages: 'Has an agent send a message',
	},
});

export class AcpAgents implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agents (ACP)',
		name: 'acpAgents',
		icon: { light: 'file:../../icons/acpAgents.svg', dark: 'file:../../icons/acpAgents.dark.svg' },
		subtitle: node.subtitle,
		description: 'Build AI agents and manage their voice, phone numbers and webhooks',
		defaults: { name: 'Agents' },
		parameterPane: 'wide',
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
