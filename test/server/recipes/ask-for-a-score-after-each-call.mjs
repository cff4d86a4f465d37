import { blacklisted } from '../support/blacklisted.mjs';
import { eventOfCall } from '../support/event.mjs';

const number = '+12125550103';
const asking = ['Call Ended', 'Read the Call', 'Talked?', 'Ask for a Score'];
const read = [
	'SMS Conversation Ended',
	'Read the Conversation',
	'Read the Messages',
	'Score',
	'A Number?',
];
const noted = [...read, 'Into the Sheet', '6 or Less?', 'Tell the Team'];
const question = 'How likely are you to recommend us, from 0 to 10? Just answer with the number.';

const called = async (live) => ({ 'Call Ended': [await eventOfCall(live, number)] });

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
		'Call Ended': { runs: asking },
		'SMS Conversation Ended': {
			runs: noted,
			sends: { 'Tell the Team': [{ text: /^\+12125550103 gave 4 of 10\./ }] },
		},
	},
	settings: { call: { outcomeByNumber: { '0103': 'interested' } } },
	live: {
		'a call was answered': {
			from: 'Call Ended',
			arrange: called,
			runs: asking,
			created: { '/sms/send': [{ phoneNumber: number, message: question }] },
		},
		'a person on the blacklist was called': {
			from: 'Call Ended',
			async arrange(live) {
				const pins = await called(live);
				await blacklisted(live, number);
				return pins;
			},
			runs: asking,
			shows: { 'Ask for a Score': [{ skipped: true, reason: 'blacklisted' }] },
		},
		'the answer is a number': {
			...answered,
			arrange: ended(question, ' 3 '),
			runs: noted,
			sends: { 'Into the Sheet': [{ columns: { value: { score: '3', number } } }] },
		},
		'the answer is a sentence': {
			...answered,
			arrange: ended(question, 'I cannot say'),
			runs: read,
		},
		'nobody asked for a number': { ...answered, arrange: ended('When?', '3'), runs: read },
	},
};
