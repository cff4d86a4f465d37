import { eventOfCall } from '../support/event.mjs';

const looked = ['Call Ended', 'Read the Conversation', 'Talked?', 'Find the Ticket', 'None Yet?'];
const steps = [...looked, 'Read What Was Said', 'Create the Ticket'];
const called = (/** @type {string} */ number) => async (live) => ({
	'Call Ended': [await eventOfCall(live, number)],
});

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Call Ended': {
			runs: steps,
			sends: {
				'Find the Ticket': [{ options: { query: /^external_id:9a1c3e57/ } }],
				'Create the Ticket': [
					{
						description: /asks for the money\.\n\nAI: How can I help you\?\nContact: I paid/,
						additionalFields: { externalId: /^9a1c3e57/, subject: 'Call with Chloe' },
					},
					{},
				],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0101': 'interested', '0103': 'no_answer' } } },
	live: {
		'somebody talked': {
			from: 'Call Ended',
			arrange: called('+12125550101'),
			runs: steps,
			sends: {
				'Create the Ticket': Array(3).fill({ description: /\nContact: Yes, go ahead\.\n/ }),
			},
		},
		'the ticket is there already': {
			from: 'Call Ended',
			arrange: async (live) => ({
				...(await called('+12125550101')(live)),
				'Find the Ticket': [{ id: 35436 }],
			}),
			runs: looked,
		},
		'nobody answered': {
			from: 'Call Ended',
			arrange: called('+12125550103'),
			runs: looked.slice(0, 3),
		},
	},
};
