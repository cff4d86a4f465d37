import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { campaign } from './campaign';
import { listing } from './listing';
import { outbound } from './outbound';
import { outreachRule } from './outreachRule';
import { task } from './task';
import { describe, subtitle } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [listing, campaign, task, outbound, outreachRule];

export class AcpOutreach implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Outreach',
		name: 'acpOutreach',
		icon: {
			light: 'file:../../icons/acpOutreach.svg',
			dark: 'file:../../icons/acpOutreach.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description:
			'Launch contact lists from a spreadsheet, schedule single calls and messages, ' +
			'and manage campaigns',
		defaults: { name: 'ACP Outreach' },
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
