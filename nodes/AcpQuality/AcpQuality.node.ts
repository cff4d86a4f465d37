import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { coachingAgent } from './coachingAgent';
import { evaluation } from './evaluation';
import { evaluationSetting } from './evaluationSetting';
import { qaAgent } from './qaAgent';

const node = actionNode('acpQuality', [evaluation, evaluationSetting, coachingAgent, qaAgent], {
	searchHint:
		'Reads how sessions were rated (scores, sentiment) and sets what is rated. No known source shows which words or ' +
		'numbers a value takes: run once and look before you compare.',
	relatedNodes: {
		acpTrigger: 'Starts a workflow when a rating is there',
	},
});

export class AcpQuality implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Ratings & Coaching (ACP)',
		name: 'acpQuality',
		icon: {
			light: 'file:../../icons/acpQuality.svg',
			dark: 'file:../../icons/acpQuality.dark.svg',
		},
		subtitle: node.subtitle,
		description:
			'Read how conversations were rated, and set what is rated and how team members are coached',
		defaults: { name: 'Ratings & Coaching' },
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
