import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { analytics } from './analytics';
import { log } from './log';
import { phoneNumber } from './phoneNumber';
import { search } from './search';
import { builderHint } from '../engine/describe/builderHint';
import { describe } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [analytics, log, phoneNumber, search];
const properties = describe(resources);
const forBuilders = {
	searchHint:
		'Reads call analytics, logs and phone numbers; buys phone numbers, which costs money.',
	relatedNodes: {
		acpQuality: 'Ratings of single sessions',
	},
};

export class AcpInsights implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Insights',
		name: 'acpInsights',
		icon: {
			light: 'file:../../icons/acpInsights.svg',
			dark: 'file:../../icons/acpInsights.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Count calls and sessions, export messages, read logs, manage phone numbers and search the web',
		defaults: { name: 'ACP Insights' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		builderHint: builderHint('acpInsights', resources, properties, forBuilders),
		properties,
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
