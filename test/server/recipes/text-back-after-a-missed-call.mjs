import { blacklisted, called, conversationIs } from '../support/steps.mjs';

const number = '+12125550103';

/** Somebody calls, and the call ends like this. @param {object} call */
const inbound = (call) => [
	called(number),
	conversationIs({ call: { direction: 'Inbound', ...call } }),
];

/** The hours are those of now, or of never. @param {boolean} isOpen */
const open = (isOpen) => (node) => {
	if (node.name === 'Open Now?')
		node.parameters.conditions.conditions[0].leftValue = `={{ ${isOpen} }}`;
};

const short = { tables: true, arrange: inbound({ duration: 4 }) };

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Call Ended': { ends: 'Send an SMS', shows: { 'Send an SMS': [{ recipientPhone: number }] } },
	},
	live: {
		'a caller hangs up': {
			...short,
			change: open(true),
			ends: 'Send an SMS',
			created: { '/sms/send': [{ phoneNumber: number }] },
		},
		'a caller hangs up outside hours': { ...short, change: open(false), ends: 'Open Now?' },
		'a caller on the blacklist hangs up': {
			...short,
			arrange: [...short.arrange, blacklisted(number)],
			change: open(true),
			ends: 'Send an SMS',
			shows: { 'Send an SMS': [{ phone_number: number, reason: 'blacklisted' }] },
		},
		'a caller talks': {
			...short,
			arrange: inbound({ duration: 40 }),
			change: open(true),
			ends: 'Hung Up?',
		},
		'the agent calls, and the person hangs up': {
			...short,
			arrange: inbound({ direction: 'Outbound', duration: 4 }),
			change: open(true),
			ends: 'Hung Up?',
		},
	},
};
