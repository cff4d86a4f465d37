import type { components } from '../../../contract/types';

type AgentEvent = components['schemas']['AgentEvent'];

/** Of agent webhooks (interface §6; reference: webhook guide). One of the contract that is missing here does not compile. */
const events: Record<AgentEvent, { name: string; description: string }> = {
	conversation_end_report: {
		name: 'Conversation Ended',
		description: 'Once, with a report of the whole conversation',
	},
	conversation_status: {
		name: 'Conversation Status Changed',
		description: 'When the status of a conversation changes',
	},
	conversation_update: {
		name: 'Conversation Updated',
		description: 'During a conversation, in real time; choose it to react before the end',
	},
	intent_call: {
		name: 'Intent Called',
		description: 'When the agent recognizes an intent',
	},
	text_evaluation: {
		name: 'Text Evaluated',
		description: 'When a text session was evaluated',
	},
	voice_evaluation: {
		name: 'Voice Evaluated',
		description: 'When a voice session was evaluated',
	},
};

export const webhookEvents = (Object.keys(events) as AgentEvent[]).map((value) => ({
	value,
	...events[value],
}));
