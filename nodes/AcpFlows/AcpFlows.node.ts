import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { flow } from './flow';
import { flowCatalog } from './flowCatalog';
import { flowStep } from './flowStep';

const node = actionNode('acpFlows', [flow, flowStep, flowCatalog], {
	searchHint: 'Deploys flows of the platform and changes their steps. These are not n8n workflows.',
});

export class AcpFlows implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Flows (ACP)',
		name: 'acpFlows',
		icon: { light: 'file:../../icons/acpFlows.svg', dark: 'file:../../icons/acpFlows.dark.svg' },
		subtitle: node.subtitle,
		description: 'Deploy flows and change their steps',
		defaults: { name: 'Flows' },
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
