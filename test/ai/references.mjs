/** What was found by hand to mislead an AI builder. */
import { contract } from '../../tools/contract.cjs';

const { liveCalls } = contract().document['x-limits'];

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
	[
		'Try with 60 calls',
		'acpCalls',
		`requests in parallel = 64 / calls that one run waits for in parallel = ${liveCalls.most}`,
	],
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
