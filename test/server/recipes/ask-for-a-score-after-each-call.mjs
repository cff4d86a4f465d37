import { called } from '../support/steps.mjs';

const number = '+12125550103';
const question = 'How likely are you to recommend us, from 0 to 10? Just answer with the number.';

/** A conversation by SMS that ends with this answer. @param {string} message @param {string} answer */
const ended = (message, answer) => async (live) => {
	const { agent, sandbox, pinned } = live;
	const body = { agentId: agent, phoneNumber: number, message };
	const sent = await sandbox.api('POST /sms/send', body);
	const conversation_uuid = sent.body.data.conversationId;
	await sandbox.control('POST /state/messages', {
		conversation_uuid,
		sender: 'Contact',
		content: answer,
		created_at: new Date(Date.now() + 60_000).toISOString(),
	});
	const [event] = pinned('SMS Conversation Ended');
	return { 'SMS Conversation Ended': [{ ...event, data: { ...event.data, conversation_uuid } }] };
};
const answered = { from: 'SMS Conversation Ended', tables: true };

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Call Ended': { ends: 'Ask for a Score' },
		'SMS Conversation Ended': {
			ends: 'Tell the Team',
			sends: { 'Tell the Team': [{ text: /^\+12125550103 gave 4 of 10\./ }] },
		},
	},
	settings: { call: { outcomeByNumber: { '0103': 'interested' } } },
	live: {
		'a call was answered': {
			from: 'Call Ended',
			arrange: called(number),
			ends: 'Ask for a Score',
			created: { '/sms/send': [{ phoneNumber: number, message: question }] },
		},
		'the answer is a number': {
			...answered,
			arrange: ended(question, ' 3 '),
			ends: 'Tell the Team',
			sends: { 'Into the Sheet': [{ columns: { value: { score: '3', number } } }] },
		},
		'the answer is a sentence': {
			...answered,
			arrange: ended(question, 'I cannot say'),
			ends: 'A Number?',
		},
		'nobody asked for a number': { ...answered, arrange: ended('When?', '3'), ends: 'A Number?' },
	},
};
