import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { call } from './call';
import { callAction } from './callAction';
import { humanCall } from './humanCall';
import { whatsappCalling } from './whatsappCalling';
import { describe, subtitle } from '../engine/describe/describe';
import { hintsBeforeRuns } from '../engine/describe/operationHints';
import { run } from '../engine/run/run';

const resources = [call, callAction, humanCall, whatsappCalling];

export class AcpCalls implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Calls',
		name: 'acpCalls',
		icon: { light: 'file:../../icons/acpCalls.svg', dark: 'file:../../icons/acpCalls.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Make phone calls with AI agents and control live calls',
		defaults: { name: 'ACP Calls' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		hints: hintsBeforeRuns(resources),
		properties: describe(resources),
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
