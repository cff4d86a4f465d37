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
import { builderHint } from '../engine/describe/builderHint';
import { describe } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [listing, campaign, task, outbound, outreachRule];
const properties = describe(resources);
const forBuilders = {
	searchHint: `Calls or writes to many people from a list (listing) or a campaign, at the platform's pace. "createFromItems" makes a listing of all input items. Launching reaches people: set options.preview to true while testing.`,
	relatedNodes: {
		acpContacts: 'Contacts, opt-outs and the blacklist',
		acpCalls: 'A single call',
		acpTrigger: 'Starts a workflow with each outcome',
	},
};

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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Launch contact lists from a spreadsheet, schedule single calls and messages, ' +
			'and manage campaigns',
		defaults: { name: 'ACP Outreach' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		builderHint: builderHint('acpOutreach', resources, properties, forBuilders),
		properties,
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
