import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { analytics } from './analytics';
import { log } from './log';
import { search } from './search';

const node = actionNode('acpInsights', [analytics, log, search], {
	searchHint: 'Reads call analytics and logs of actions, and researches the web.',
	relatedNodes: {
		acpQuality: 'Ratings of single sessions',
	},
});

export class AcpInsights implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Analytics & Logs (ACP)',
		name: 'acpInsights',
		icon: {
			light: 'file:../../icons/acpInsights.svg',
			dark: 'file:../../icons/acpInsights.dark.svg',
		},
		subtitle: node.subtitle,
		description: 'Count calls and sessions, export messages, read logs and search the web',
		defaults: { name: 'Analytics & Logs' },
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
