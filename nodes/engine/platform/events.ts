/** Events an agent webhook can be told of (interface §6; what each means: reference, webhook guide). */
export const webhookEvents = [
	{
		name: 'Conversation Ended',
		value: 'conversation_end_report',
		description: 'Once, with a report of the whole conversation',
	},
	{
		name: 'Conversation Status Changed',
		value: 'conversation_status',
		description: 'When the status of a conversation changes',
	},
	{
		name: 'Conversation Updated',
		value: 'conversation_update',
		description: 'During a conversation, in real time; choose it to react before the end',
	},
	{
		name: 'Intent Called',
		value: 'intent_call',
		description: 'When the agent recognizes an intent',
	},
	{
		name: 'Text Evaluated',
		value: 'text_evaluation',
		description: 'When a text session was evaluated',
	},
	{
		name: 'Voice Evaluated',
		value: 'voice_evaluation',
		description: 'When a voice session was evaluated',
	},
] as const;
