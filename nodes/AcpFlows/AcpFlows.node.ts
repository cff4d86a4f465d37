import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { flow } from './flow';
import { flowCatalog } from './flowCatalog';
import { flowExecution } from './flowExecution';
import { flowStep } from './flowStep';
import { builderHint } from '../engine/describe/builderHint';
import { describe } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [flow, flowStep, flowCatalog, flowExecution];
const properties = describe(resources);
const forBuilders = {
	searchHint: 'Deploys flows of the platform and changes their steps. These are not n8n workflows.',
};

export class AcpFlows implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Flows',
		name: 'acpFlows',
		icon: { light: 'file:../../icons/acpFlows.svg', dark: 'file:../../icons/acpFlows.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Deploy flows and change their steps',
		defaults: { name: 'ACP Flows' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		builderHint: builderHint('acpFlows', resources, properties, forBuilders),
		properties,
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
