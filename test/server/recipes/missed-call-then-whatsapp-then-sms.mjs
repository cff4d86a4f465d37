import { blacklisted } from '../support/blacklisted.mjs';
import { eventOfCall } from '../support/event.mjs';

const toMissed = ['Call Ended', 'Read the Conversation', 'Nobody Answered?'];
const written = [...toMissed, 'Write on WhatsApp', 'Sent?'];
const waited = [...written, 'Wait an Hour', 'Look for a Reply', 'No Reply?'];
const lookedForCall = [...waited, 'Look for a Later Call', 'Not Called Back?'];
const whole = [...lookedForCall, 'Send an SMS'];

const unanswered = '+12125550103';
const whatsapp = { '/whatsapp/template': [{ phoneNumber: unanswered }] };
const both = { ...whatsapp, '/sms/send': [{ phoneNumber: unanswered }] };

/** A call that somebody does not answer, and the event that tells of its end. */
const missed = async (live) => ({ 'Call Ended': [await eventOfCall(live, unanswered)] });

/** A conversation in writing whose last message is the person's. @param {string} created_at when it was sent */
async function replied({ agent, pinned, sandbox }, created_at) {
	const { body } = await sandbox.api('POST /sms/send', {
		agentId: agent,
		phoneNumber: unanswered,
		message: 'stands for the template',
	});
	const { conversationId } = body.data;
	await sandbox.control('POST /state/messages', {
		conversation_uuid: conversationId,
		sender: 'Contact',
		created_at,
	});
	const [waiting] = pinned('Wait an Hour');
	return { 'Wait an Hour': [{ ...waiting, conversationId }] };
}

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Call Ended': { runs: whole, shows: { 'Send an SMS': [{ recipientPhone: unanswered }] } },
	},
	settings: { call: { outcomeByNumber: { '0101': 'interested', '0103': 'no_answer' } } },
	live: {
		'nobody answers, and no reply comes': {
			from: 'Call Ended',
			arrange: missed,
			runs: whole,
			created: both,
		},
		'somebody answers': {
			from: 'Call Ended',
			arrange: async (live) => ({ 'Call Ended': [await eventOfCall(live, '+12125550101')] }),
			runs: toMissed,
		},
		'a person who calls hangs up immediately': {
			from: 'Call Ended',
			async arrange(live) {
				const pins = await missed(live);
				const [{ data }] = pins['Call Ended'];
				const all = await live.sandbox.control('GET /state/conversations');
				const { uuid, call } = all.find((one) => one.uuid === data.conversation_uuid);
				await live.sandbox.control(`PATCH /state/conversations/${uuid}`, {
					call: { ...call, direction: 'Inbound' },
				});
				return pins;
			},
			runs: toMissed,
		},
		'the call is not over': {
			from: 'Call Ended',
			async arrange(live) {
				const pins = await missed(live);
				const [{ data }] = pins['Call Ended'];
				await live.sandbox.control(`PATCH /state/conversations/${data.conversation_uuid}`, {
					status: 'Queued',
				});
				return pins;
			},
			runs: toMissed,
		},
		'a person on the blacklist': {
			from: 'Call Ended',
			async arrange(live) {
				const pins = await missed(live);
				await blacklisted(live, unanswered);
				return pins;
			},
			runs: [...written, 'Send an SMS'],
			shows: { 'Send an SMS': [{ skipped: true, reason: 'blacklisted' }] },
		},
		'the person replies on WhatsApp': {
			from: 'Call Ended',
			arrange: async (live) => ({
				...(await missed(live)),
				...(await replied(live, new Date().toISOString())),
			}),
			runs: waited,
			created: whatsapp,
		},
		'the last reply on WhatsApp is from before the call': {
			from: 'Call Ended',
			arrange: async (live) => ({
				...(await replied(live, '2025-03-14T12:00:00Z')),
				...(await missed(live)),
			}),
			runs: whole,
			created: both,
		},
		'the person calls back': {
			from: 'Call Ended',
			async arrange(live) {
				const pins = await missed(live);
				await live.sandbox.control('PATCH /settings', {
					call: { outcomeByNumber: { '0103': 'interested' } },
				});
				await live.call(unanswered);
				return pins;
			},
			runs: lookedForCall,
			created: whatsapp,
		},
	},
};
