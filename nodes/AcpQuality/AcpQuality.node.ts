import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { coachingAgent } from './coachingAgent';
import { evaluation } from './evaluation';
import { evaluationSetting } from './evaluationSetting';
import { qaAgent } from './qaAgent';
import { describe, subtitle } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [evaluation, evaluationSetting, coachingAgent, qaAgent];

export class AcpQuality implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Quality',
		name: 'acpQuality',
		icon: {
			light: 'file:../../icons/acpQuality.svg',
			dark: 'file:../../icons/acpQuality.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description:
			'Read how conversations were rated, and set what is rated and how team members ' +
			'are coached',
		defaults: { name: 'ACP Quality' },
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
