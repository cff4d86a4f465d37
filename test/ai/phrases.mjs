/**
 * What people type when they look for something that this package does, by the nodes that do it. In users' words, with
 * their short forms; all were ranked before their words became names or aliases.
 */
const byNodes = {
	acpCalls: `
		call, phone call, make a call, call a phone number, voice call, outbound call, ai phone call, dial,
		telephone, hang up, transfer call, talk to customers by phone, ring a customer,
		conference transfer to human, speak to caller, mute, phone number, buy a phone number,
		list phone numbers, phone numbers of the workspace, phone number agent assignment,
		phone a customer, automated phone call, call someone when a form is submitted, end a running
		call, forward a call to a colleague`,
	acpConversations: `
		call recording, transcript, conversation, chat history, transcribe recording, call transcript,
		listen to recording, conversation history, speech to text, recording url,
		download a call recording, read chat messages`,
	acpMessages: `
		sms, send sms, text message, whatsapp, whatsapp template, send whatsapp message, instagram,
		facebook messenger, text a customer, whatsapp business message, email a customer, message a contact,
		send text, notify customer,
		send a whatsapp message from a template, text someone, send an email with an agent`,
	acpAgents: 'voice agent, voicebot, chatbot, agent prompt, change the prompt of an agent',
	acpKnowledge: 'guidelines, train the bot',
	'acpAgents acpCalls': 'voice ai, ai voice agent, phone bot, phone agent',
	'acpKnowledge acpTables': 'knowledge base, faq for agent',
	acpContacts: `
		contact, create contact, custom field, opt out, do not call, blacklist, stop list, unsubscribe,
		crm contact, contact tags, add contact, phone book, gdpr opt out,
		find a customer by phone number, add a number to the blacklist, tag a contact`,
	'acpConversations acpTrigger': 'call summary, call outcome',
	acpTrigger: `
		conversation ended, call ended, when a call ends, missed call, call finished, incoming call, call hung up,
		after the call,
		conversation ended trigger, when a conversation is over, new call event, start a workflow
		when a customer writes`,
	acpIntentTrigger: `
		answer during a call, order status, function call, live question, agent asks workflow,
		agent needs data during a conversation, look up an order while talking`,
	acpOutreach: `
		campaign, lead list, call list, dialer, bulk calls, outreach, follow up, sales outreach, drip campaign,
		start a calling campaign, bulk calling`,
	acpScheduling: `
		appointment, book appointment, free slots, availability, reschedule booking, calendar slots,
		book a meeting, cancel booking, approve appointment,
		ACP appointments, upcoming appointments, cancel an appointment, calendar booking`,
	'acpInsights acpQuality acpConversations': 'sentiment',
	acpInsights: `
		call analytics, call center statistics, cost of calls,
		call duration report, audit log,
		calls per day`,
	acpQuality:
		'evaluation, call quality, call review, score calls, csat, rate conversation, rate a call',
	acpTables: 'dataset, lookup table',
	acpMedia: 'upload audio, media file, upload a sound file',
	acpBuilders: 'build an app, app builder',
	acpFlows: 'deploy flow, automation flow',
	'acpCalls acpOutreach': 'call back, call a lead, callback request',
	'acpMessages acpOutreach': 'bulk sms, send reminder, whatsapp blast, sms to a list of people',
	'acpMessages acpScheduling': 'appointment reminder',
	'acpQuality acpInsights': 'customer satisfaction',
	'acpCalls acpTrigger': 'end a call',
	'acpCalls acpConversations': 'call status',
	'acpContacts acpOutreach': 'update lead',
	'acpTrigger acpIntentTrigger': 'ACP trigger',
	'acpCalls acpAgents': 'call a phone number with an AI agent, which agent answers a number',
	'acpCalls acpAgents acpMessages': 'whatsapp number assigned to agent',
	'acpOutreach acpCalls': 'call everyone in a spreadsheet',
	'acpTables acpKnowledge': 'give the agent a price list',
};

/** What this package must not be found for. */
export const unwanted = ['robocall', 'telemarketing', 'cold calling'];

export const phrases = Object.entries(byNodes).flatMap(([nodes, list]) =>
	list
		.trim()
		.split(/,\s+/)
		.map((phrase) => ({ phrase: phrase.replace(/\s+/g, ' '), nodes: nodes.split(' ') })),
);
