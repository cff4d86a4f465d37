/**
 * Ten requests in users' words: how a node is right, what a model without good definitions made of it, and what a
 * refusal of that has to name.
 */
const byId = (/** @type {string} */ value) => ({ __rl: true, mode: 'id', value });
const agent = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');
const phone = '={{ $json.phone }}';
const template = byId('5d0c2f6a-0f4e-4a40-9f25-8c51f1c9b1aa');
const intent = {
	agent,
	intentName: 'Where is my order',
	intentDescription: 'The caller wants to know where an order is',
};

/** @type {Array<[request: string, type: string, right: any, wrong: any, mend: string[]]>} `wrong`: what differs */
const rows = [
	[
		'Call everyone who fills in the form',
		'acpCalls',
		{ resource: 'call', operation: 'startAndWait', agent, phoneNumber: phone },
		{ operation: 'make' },
		['operation', '"start"', '"startAndWait"'],
	],
	[
		'Call the lead and tell the agent their name',
		'acpCalls',
		{ resource: 'call', operation: 'start', agent, phoneNumber: phone },
		{ phoneNumber: undefined, to: phone },
		['phoneNumber', "'to'"],
	],
	[
		'Text the customer that the parcel comes tomorrow',
		'acpMessages',
		{ resource: 'sms', operation: 'send', agent, phoneNumber: phone, message: 'Tomorrow' },
		{ message: undefined, text: 'Tomorrow' },
		['message', "'text'"],
	],
	[
		'Send the reminder template on WhatsApp',
		'acpMessages',
		{ resource: 'whatsapp', operation: 'sendTemplate', agent, template, phoneNumber: phone },
		{ resource: 'template' },
		['resource', '"whatsapp"'],
	],
	[
		'Write the outcome of each call to a table',
		'acpTrigger',
		{ agents: [agent.value], events: ['conversation_end_report'] },
		{ events: ['call_ended'] },
		['events', '"conversation_end_report"'],
	],
	[
		'Answer "where is my order" during the call',
		'acpIntentTrigger',
		{ intentToUse: 'create', ...intent },
		{ intentToUse: 'new' },
		['intentToUse', '"create"'],
	],
	[
		'Make a list of the leads of the sheet',
		'acpOutreach',
		{ resource: 'listing', operation: 'create', name: 'Leads' },
		{ resource: 'list' },
		['resource', '"listing"'],
	],
	[
		'Try the call without ringing anybody',
		'acpCalls',
		{
			...{ resource: 'call', operation: 'start', agent, phoneNumber: phone },
			options: { preview: true },
		},
		{ options: { dryRun: true } },
		['options', '"dryRun"'],
	],
	[
		'Add what was learned to the agent as a note',
		'acpKnowledge',
		{ resource: 'agentKnowledge', operation: 'addNote', agent, content: 'Open on Sundays' },
		{ resource: 'note' },
		['resource', '"agentKnowledge"'],
	],
	[
		'Read the summary of a conversation',
		'acpConversations',
		{
			...{ resource: 'conversation', operation: 'get', simplify: true },
			conversation: byId('={{ $json.data.conversation_uuid }}'),
		},
		{ conversation: 'the last one' },
		['conversation', 'expression'],
	],
];

/** What a model that was wrong left out is absent. */
const withoutAbsent = (/** @type {object} */ parameters) => JSON.parse(JSON.stringify(parameters));

export const references = rows.map(([request, type, right, wrong, mend]) => ({
	request,
	type,
	right,
	wrong: withoutAbsent({ ...right, ...wrong }),
	mend,
}));

/**
 * Names that workflows read from the item of a node: how a model guessed them where the definition was silent, which
 * runs green and says nothing, and how they are right. `@output` names the right one alone.
 * @type {Array<[request: string, type: string, operation: string, wrong: string, right: string]>}
 */
export const reads = [
	['A daily report of calls', 'acpInsights', 'analytics.getCalls', 'total_calls', 'calls: integer'],
	['Outcomes to a table', 'acpCalls', 'call.startAndWait', ' summary', 'call_summary'],
	['Hang up a list', 'acpOutreach', 'listing.getOutcomes', 'conversation_uuid', 'uuid'],
	['Template sent', 'acpMessages', 'whatsapp.sendTemplate', 'conversationId: ', 'conversationId }'],
	['Email sent', 'acpMessages', 'email.send', 'phone_number', 'email'],
	['Bad marks', 'acpQuality', 'evaluation.getAll', 'satisfaction:', 'satisfaction_value'],
	[
		'Who was not reached',
		'acpConversations',
		'conversation.get',
		'reached',
		'answered: yes (person or voicemail',
	],
];

/** What the definition of a node has to say once, because who does not read it builds something green and wrong. */
export const rules = [
	['Text everyone whose appointment is tomorrow at 9', 'acpScheduling', 'setZone: true'],
	['Download the recordings of calls', 'acpConversations', 'simplify: false'],
	['Download the recordings of calls', 'acpConversations', "'Download File' under Options"],
	['Download the recordings of calls', 'acpConversations', 'Download the recording too'],
	['Put callers with bad satisfaction into a channel', 'acpQuality', 'run once and look'],
	['Blacklist who says stop', 'acpIntentTrigger', 'contact.findOrCreate'],
	['Approve a request', 'acpScheduling', 'No operation approves or rejects a request'],
	['Put a new tag on a contact', 'acpContacts', 'No operation creates a tag'],
	['Start a list tomorrow', 'acpOutreach', 'No operation starts a listing later'],
	['Call a list, at most three at a time', 'acpOutreach', 'limits the parallel calls of a listing'],
	['Call each lead once per order', 'acpCalls', "ownKey: Once for each 'Request Key'"],
	['Which tasks are due', 'acpOutreach', 'perhaps as task.get'],
	['Try with 60 calls', 'acpCalls', 'requests in parallel = 64 / calls in parallel = 50'],
	['Tell how many were sent', 'acpOutreach', 'contactsSent'],
	['Text who was interested', 'acpConversations', 'The summary is free text'],
	['Call each lead at ten in their zone', 'acpOutreach', 'without an offset are in it'],
	[
		'An assistant that texts contacts only',
		'acpMessages',
		'reaches only contacts of the workspace',
	],
	['Stop a list, then look', 'acpOutreach', 'may keep its status'],
	['Count what failed', 'acpMessages', 'errorCode'],
	['Numbers without a country', 'acpMessages', 'two letters'],
	['Numbers to leave out', 'acpMessages', 'separated by commas'],
];
