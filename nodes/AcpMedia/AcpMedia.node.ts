import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { media } from './media';
import { builderHint } from '../engine/describe/builderHint';
import { describe } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [media];
const properties = describe(resources);
const forBuilders = {
	searchHint: 'Uploads, lists and downloads files of the workspace.',
};

export class AcpMedia implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Media',
		name: 'acpMedia',
		icon: { light: 'file:../../icons/acpMedia.svg', dark: 'file:../../icons/acpMedia.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Upload, find and download files in the workspace',
		defaults: { name: 'ACP Media' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		builderHint: builderHint('acpMedia', resources, properties, forBuilders),
		properties,
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
