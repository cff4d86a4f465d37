import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { agentIntent } from './agentIntent';
import { agentKnowledge } from './agentKnowledge';
import { agentRule } from './agentRule';

const node = actionNode('acpKnowledge', [agentIntent, agentKnowledge, agentRule], {
	searchHint:
		"Changes an agent's notes, guidelines, procedures, training, rules and intents one by one. To answer during a conversation, use Agent Question Trigger.",
	relatedNodes: {
		acpAgents: 'Creates and changes whole agents',
		acpTables: 'Tables that agents look up',
		acpIntentTrigger: 'Answers the agent when an intent triggers',
	},
});

export class AcpKnowledge implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agent Knowledge (ACP)',
		name: 'acpKnowledge',
		icon: {
			light: 'file:../../icons/acpKnowledge.svg',
			dark: 'file:../../icons/acpKnowledge.dark.svg',
		},
		subtitle: node.subtitle,
		description: 'Manage what an agent knows, its rules and its intents',
		defaults: { name: 'Agent Knowledge' },
		parameterPane: 'wide',
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
