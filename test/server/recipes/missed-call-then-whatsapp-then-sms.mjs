import {
	blacklisted,
	called,
	conversationIs,
	platformIs,
	whatsappAnswers,
} from '../support/steps.mjs';

const unanswered = '+12125550103';
const whatsapp = { '/whatsapp/template': [{ phoneNumber: unanswered }] };
const both = { ...whatsapp, '/sms/send': [{ phoneNumber: unanswered }] };

/** A call that somebody does not answer, and the event that tells of its end. */
const missed = called(unanswered);

/** A conversation in writing. @param {import('../recipes.test.mjs').Live} live @returns {Promise<string>} its UUID */
async function written({ agent, sandbox }) {
	const { body } = await sandbox.api('POST /sms/send', {
		agentId: agent,
		phoneNumber: unanswered,
		message: 'stands for the template',
	});
	return body.data.conversationId;
}

/** One whose last message is the person's. @param {string} [created_at] now if not given */
const replied = (created_at) => async (live) => {
	const conversationId = await written(live);
	await live.sandbox.control('POST /state/messages', {
		conversation_uuid: conversationId,
		sender: 'Contact',
		created_at: created_at ?? new Date().toISOString(),
	});
	const [waiting] = live.pinned('Wait an Hour');
	return { 'Wait an Hour': [{ ...waiting, conversationId }] };
};

/** What comes after a message on WhatsApp. */
const afterWhatsapp = [
	'Wait an Hour',
	'Look for a Reply',
	'No Reply?',
	'Look for a Later Call',
	'Not Called Back?',
];

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Call Ended': {
			ends: 'Send an SMS',
			shows: { 'Send an SMS': [{ recipientPhone: unanswered }] },
		},
	},
	settings: { call: { outcomeByNumber: { '0101': 'interested', '0103': 'no_answer' } } },
	live: {
		'nobody answers, and no reply comes': { arrange: missed, ends: 'Send an SMS', created: both },
		'somebody answers': { arrange: called('+12125550101'), ends: 'Nobody Answered?' },
		'a person who calls hangs up immediately': {
			arrange: [missed, conversationIs({ call: { direction: 'Inbound' } })],
			ends: 'Nobody Answered?',
		},
		'the call is not over': {
			arrange: [missed, conversationIs({ status: 'Queued' })],
			ends: 'Nobody Answered?',
		},
		'a conversation in writing ends': {
			arrange: async (live) => {
				const [event] = live.pinned('Call Ended');
				return { 'Call Ended': [{ ...event, data: { conversation_uuid: await written(live) } }] };
			},
			ends: 'Nobody Answered?',
		},
		'WhatsApp is refused': {
			arrange: [missed, whatsappAnswers(422)],
			ends: 'Send an SMS',
			goesRound: afterWhatsapp,
			created: { '/sms/send': [{ phoneNumber: unanswered }] },
		},
		'a person on the blacklist': {
			arrange: [missed, blacklisted(unanswered)],
			ends: 'Write on WhatsApp',
			shows: { 'Write on WhatsApp': [{ phone_number: unanswered, reason: 'blacklisted' }] },
		},
		'the person replies on WhatsApp': {
			arrange: [missed, replied()],
			ends: 'No Reply?',
			created: whatsapp,
		},
		'the last reply on WhatsApp is from before the call': {
			arrange: [replied('2025-03-14T12:00:00Z'), missed],
			ends: 'Send an SMS',
			created: both,
		},
		'the person calls back': {
			arrange: [
				missed,
				platformIs({ call: { outcomeByNumber: { '0103': 'interested' } } }),
				async ({ call }) => {
					await call(unanswered);
					return {};
				},
			],
			ends: 'Not Called Back?',
			created: whatsapp,
		},
	},
};
