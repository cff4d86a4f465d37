/**
 * Ten requests in users' words: how a model without good definitions built them, what a refusal has to name, and how
 * they are right.
 */
const byId = (/** @type {string} */ value) => ({ __rl: true, mode: 'id', value });
const agent = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');

/** @type {Array<{request: string, type: string, wrong: any, mend: string[], right: any}>} */
export const references = [
	{
		request: 'Call everyone who fills in the form',
		type: 'acpCalls',
		wrong: { resource: 'call', operation: 'make', agent, phoneNumber: '={{ $json.phone }}' },
		mend: ['operation', '"start"', '"startAndWait"'],
		right: {
			resource: 'call',
			operation: 'startAndWait',
			agent,
			phoneNumber: '={{ $json.phone }}',
		},
	},
	{
		request: 'Call the lead and tell the agent their name',
		type: 'acpCalls',
		wrong: { resource: 'call', operation: 'start', agent, to: '={{ $json.phone }}' },
		mend: ['phoneNumber', "'to'"],
		right: { resource: 'call', operation: 'start', agent, phoneNumber: '={{ $json.phone }}' },
	},
	{
		request: 'Text the customer that the parcel comes tomorrow',
		type: 'acpMessages',
		wrong: {
			resource: 'sms',
			operation: 'send',
			agent,
			phoneNumber: '+14155550123',
			text: 'Hello',
		},
		mend: ['message', "'text'"],
		right: {
			resource: 'sms',
			operation: 'send',
			agent,
			phoneNumber: '+14155550123',
			message: 'Your parcel comes tomorrow',
		},
	},
	{
		request: 'Send the reminder template on WhatsApp',
		type: 'acpMessages',
		wrong: {
			resource: 'template',
			operation: 'sendTemplate',
			agent,
			template: byId('5d0c2f6a-0f4e-4a40-9f25-8c51f1c9b1aa'),
			phoneNumber: '+14155550123',
		},
		mend: ['resource', '"whatsapp"'],
		right: {
			resource: 'whatsapp',
			operation: 'sendTemplate',
			agent,
			template: byId('5d0c2f6a-0f4e-4a40-9f25-8c51f1c9b1aa'),
			phoneNumber: '+14155550123',
		},
	},
	{
		request: 'Write the outcome of each call to a table',
		type: 'acpTrigger',
		wrong: { agents: [agent.value], events: ['call_ended'] },
		mend: ['events', '"conversation_end_report"'],
		right: { agents: [agent.value], events: ['conversation_end_report'] },
	},
	{
		request: 'Answer "where is my order" during the call',
		type: 'acpIntentTrigger',
		wrong: {
			agent,
			intentToUse: 'new',
			intentName: 'Where is my order',
			intentDescription: 'The caller wants to know where an order is',
		},
		mend: ['intentToUse', '"create"'],
		right: {
			agent,
			intentToUse: 'create',
			intentName: 'Where is my order',
			intentDescription: 'The caller wants to know where an order is',
		},
	},
	{
		request: 'Make a list of the leads of the sheet',
		type: 'acpOutreach',
		wrong: { resource: 'list', operation: 'create', name: 'Leads' },
		mend: ['resource', '"listing"'],
		right: { resource: 'listing', operation: 'create', name: 'Leads' },
	},
	{
		request: 'Try the call without ringing anybody',
		type: 'acpCalls',
		wrong: {
			resource: 'call',
			operation: 'start',
			agent,
			phoneNumber: '+14155550123',
			options: { dryRun: true },
		},
		mend: ['options', '"dryRun"'],
		right: {
			resource: 'call',
			operation: 'start',
			agent,
			phoneNumber: '+14155550123',
			options: { preview: true },
		},
	},
	{
		request: 'Add what was learned to the agent as a note',
		type: 'acpAgents',
		wrong: { resource: 'note', operation: 'addNote', agent, content: 'Open on Sundays' },
		mend: ['resource', '"agentKnowledge"'],
		right: {
			resource: 'agentKnowledge',
			operation: 'addNote',
			agent,
			content: 'Open on Sundays',
		},
	},
	{
		request: 'Read the summary of a conversation',
		type: 'acpConversations',
		wrong: { resource: 'conversation', operation: 'get', conversation: 'the last one' },
		mend: ['conversation', 'expression'],
		right: {
			resource: 'conversation',
			operation: 'get',
			conversation: byId('={{ $json.data.conversation_uuid }}'),
			simplify: true,
		},
	},
];

/**
 * Names that workflows read from the item of a node: how a model guessed them where the definition was silent, which
 * runs green and says nothing, and how they are right. `@output` names the right one alone.
 * @type {Array<{request: string, type: string, resource: string, operation: string, wrong: string, right: string}>}
 */
export const reads = [
	{
		request: 'A daily report of calls by mail',
		type: 'acpInsights',
		resource: 'analytics',
		operation: 'getCalls',
		wrong: 'total_calls',
		right: 'calls: integer',
	},
	{
		request: 'Write the outcome of each call to a table',
		type: 'acpCalls',
		resource: 'call',
		operation: 'startAndWait',
		wrong: ' summary',
		right: 'call_summary',
	},
	{
		request: 'Hang up the calls of a list',
		type: 'acpOutreach',
		resource: 'listing',
		operation: 'getOutcomes',
		wrong: 'conversation_uuid',
		right: 'uuid',
	},
	{
		request: 'Put callers with bad satisfaction into a channel',
		type: 'acpQuality',
		resource: 'evaluation',
		operation: 'getAll',
		wrong: 'satisfaction:',
		right: 'satisfaction_value',
	},
];

/** What the definition of a node has to say once, because who does not read it builds something green and wrong. */
export const rules = [
	['Text everyone whose appointment is tomorrow at 9', 'acpScheduling', 'setZone: true'],
	['Download the recordings of calls', 'acpConversations', 'simplify: false'],
	['Download the recordings of calls', 'acpConversations', "'Download File' under Options"],
	['Download the recordings of calls', 'acpConversations', 'Whether to download the recording too'],
	['Put callers with bad satisfaction into a channel', 'acpQuality', 'run once and look'],
	['Blacklist who says stop', 'acpIntentTrigger', 'contact.findOrCreate'],
];
