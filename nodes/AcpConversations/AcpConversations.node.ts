import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { methods } from '../engine/lookups';
import { conversation } from './conversation';
import { conversationReply } from './conversationReply';
import { session } from './session';
import { transcription } from './transcription';
import { describe, subtitle } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [conversation, conversationReply, session, transcription];

export class AcpConversations implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ACP Conversations',
		name: 'acpConversations',
		icon: {
			light: 'file:../../icons/acpConversations.svg',
			dark: 'file:../../icons/acpConversations.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitle(resources),
		description: 'Read conversations, their sessions and messages, and transcribe recordings',
		defaults: { name: 'ACP Conversations' },
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
