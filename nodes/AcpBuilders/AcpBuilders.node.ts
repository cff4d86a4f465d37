import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { buildConversation } from './buildConversation';
import { builder } from './builder';

const node = actionNode('acpBuilders', [buildConversation, builder], {
	searchHint:
		'Builds and runs apps from a description. Building takes minutes: use Wait Until Ready.',
});

export class AcpBuilders implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'App Builder (ACP)',
		name: 'acpBuilders',
		icon: {
			light: 'file:../../icons/acpBuilders.svg',
			dark: 'file:../../icons/acpBuilders.dark.svg',
		},
		subtitle: node.subtitle,
		description: 'Build apps from a description, and run them',
		defaults: { name: 'App Builder' },
		usableAsTool: true,
		sensitiveOutputFields: ['service_token', 'builder.service_token', 'token', 'ssh_command'],
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
