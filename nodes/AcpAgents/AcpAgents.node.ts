import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { agent } from './agent';
import { agentChannel } from './agentChannel';
import { agentIntent } from './agentIntent';
import { agentKnowledge } from './agentKnowledge';
import { agentRule } from './agentRule';
import { agentVoice } from './agentVoice';
import { agentWebhook } from './agentWebhook';
import { language } from './language';
import { memorize } from './memorize';
import { describe, subtitle } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [
	agent,
	agentChannel,
	agentIntent,
	agentKnowledge,
	agentRule,
	agentVoice,
	agentWebhook,
	language,
	memorize,
];

export class AcpAgents implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Agents',
		name: 'acpAgents',
		icon: { light: 'file:../../icons/acpAgents.svg', dark: 'file:../../icons/acpAgents.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Build AI agents and manage their knowledge, voice, rules and webhooks',
		defaults: { name: 'ACP Agents' },
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
