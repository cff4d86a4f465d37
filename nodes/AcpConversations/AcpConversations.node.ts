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
import { builderHint } from '../engine/describe/builderHint';
import { describe } from '../engine/describe/describe';
import { run } from '../engine/run/run';

const resources = [conversation, conversationReply, session, transcription];
const properties = describe(resources);
const forBuilders = {
	searchHint:
		'Reads conversations of every channel: summary (call_summary), messages, recordings, sessions.',
	relatedNodes: {
		acpTrigger: 'Starts a workflow when a conversation ends',
		acpQuality: 'Reads how a session was rated',
	},
};

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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Read conversations, their sessions and messages, and transcribe recordings',
		defaults: { name: 'ACP Conversations' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'acpApi', required: true }],
		usableAsTool: true,
		builderHint: builderHint('acpConversations', resources, properties, forBuilders),
		properties,
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
