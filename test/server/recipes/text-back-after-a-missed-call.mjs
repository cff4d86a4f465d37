import { blacklisted } from '../support/blacklisted.mjs';
import { eventOfCall } from '../support/event.mjs';

const number = '+12125550103';
const hungUp = ['Call Ended', 'Read the Conversation', 'Hung Up?', 'Open Now?'];
const whole = [...hungUp, 'Send an SMS'];

/** Somebody calls, and the call ends like this. @param {object} call */
const inbound = (call) => async (live) => {
	const event = await eventOfCall(live, number);
	const all = await live.sandbox.control('GET /state/conversations');
	const { uuid, call: made } = all.find((one) => one.uuid === event.data.conversation_uuid);
	await live.sandbox.control(`PATCH /state/conversations/${uuid}`, {
		call: { ...made, direction: 'Inbound', ...call },
	});
	return { 'Call Ended': [event] };
};

/** The hours are those of now, or of never. @param {boolean} isOpen */
const open = (isOpen) => (node) => {
	if (node.name === 'Open Now?')
		node.parameters.conditions.conditions[0].leftValue = `={{ ${isOpen} }}`;
};

const short = { from: 'Call Ended', tables: true, arrange: inbound({ duration: 4 }) };

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: { 'Call Ended': { runs: whole, shows: { 'Send an SMS': [{ recipientPhone: number }] } } },
	live: {
		'a caller hangs up': {
			...short,
			change: open(true),
			runs: whole,
			created: { '/sms/send': [{ phoneNumber: number }] },
		},
		'a caller hangs up outside hours': { ...short, change: open(false), runs: hungUp },
		'a caller on the blacklist hangs up': {
			...short,
			async arrange(live) {
				const pins = await inbound({ duration: 4 })(live);
				await blacklisted(live, number);
				return pins;
			},
			change: open(true),
			runs: whole,
			shows: { 'Send an SMS': [{ skipped: true, reason: 'blacklisted' }] },
		},
		'a caller talks': {
			...short,
			arrange: inbound({ duration: 40 }),
			change: open(true),
			runs: hungUp.slice(0, 3),
		},
		'the agent calls, and the person hangs up': {
			...short,
			arrange: inbound({ direction: 'Outbound', duration: 4 }),
			change: open(true),
			runs: hungUp.slice(0, 3),
		},
	},
};
