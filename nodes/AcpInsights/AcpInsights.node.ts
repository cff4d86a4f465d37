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
import { describe, subtitle } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [analytics, log, phoneNumber, search];

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
		subtitle: subtitle(resources),
		description:
			'Count calls and sessions, export messages, read logs, manage phone numbers and search the web',
		defaults: { name: 'ACP Insights' },
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
