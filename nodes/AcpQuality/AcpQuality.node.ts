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
import { builderHint } from '../engine/describe/builderHint';
import { describe } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [evaluation, evaluationSetting, coachingAgent, qaAgent];
const properties = describe(resources);
const forBuilders = {
	searchHint:
		'Reads how sessions were rated (scores, sentiment) and sets what is rated. No known source shows which words or ' +
		'numbers a value takes: run once and look before you compare.',
	relatedNodes: {
		acpTrigger: 'Starts a workflow when a rating is there',
	},
};

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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Read how conversations were rated, and set what is rated and how team members ' +
			'are coached',
		defaults: { name: 'ACP Quality' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		builderHint: builderHint('acpQuality', resources, properties, forBuilders),
		properties,
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
