import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { actionNode } from '../engine/run/run';
import { conversation } from './conversation';
import { session } from './session';
import { transcription } from './transcription';

const node = actionNode('acpConversations', [conversation, session, transcription], {
	searchHint:
		'Reads conversations of every channel: summary (call_summary), messages, recordings, sessions. The summary is free text: "not interested" contains "interested".',
	relatedNodes: {
		acpTrigger: 'Starts a workflow when a conversation ends',
		acpQuality: 'Reads how a session was rated',
	},
});

export class AcpConversations implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversations (ACP)',
		name: 'acpConversations',
		icon: {
			light: 'file:../../icons/acpConversations.svg',
			dark: 'file:../../icons/acpConversations.dark.svg',
		},
		subtitle: node.subtitle,
		description: 'Read conversations, their sessions and messages, and transcribe recordings',
		defaults: { name: 'Conversations' },
		usableAsTool: true,
		...node.parts,
	};

	methods = node.methods;
	execute = node.execute;
}
