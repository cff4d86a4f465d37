import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { buildConversation } from './buildConversation';
import { builder } from './builder';
import { builderHint } from '../engine/describe/builderHint';
import { describe } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [buildConversation, builder];
const properties = describe(resources);
const forBuilders = {
	searchHint:
		'Builds and runs apps from a description. Building takes minutes: use Wait Until Ready.',
};

export class AcpBuilders implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Builders',
		name: 'acpBuilders',
		icon: {
			light: 'file:../../icons/acpBuilders.svg',
			dark: 'file:../../icons/acpBuilders.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Build apps from a description, and run them',
		defaults: { name: 'ACP Builders' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		sensitiveOutputFields: ['service_token'],
		builderHint: builderHint('acpBuilders', resources, properties, forBuilders),
		properties,
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
