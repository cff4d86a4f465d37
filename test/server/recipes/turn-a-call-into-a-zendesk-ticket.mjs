import { called } from '../support/steps.mjs';

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Call Ended': {
			ends: 'Create the Ticket',
			sends: {
				'Find the Ticket': [{ options: { query: /^external_id:9a1c3e57/ } }],
				'Create the Ticket': [
					{
						description: /asks for the money\.\n\nAI: How can I help you\?\nContact: I paid/,
						additionalFields: { externalId: /^9a1c3e57/, subject: 'Call with Chloe' },
					},
				],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0101': 'interested', '0103': 'no_answer' } } },
	live: {
		'somebody talked': {
			arrange: called('+12125550101'),
			ends: 'Create the Ticket',
			sends: { 'Create the Ticket': [{ description: /\nContact: Yes, go ahead\.\n/ }] },
		},
		'the ticket is there already': {
			arrange: [called('+12125550101'), async () => ({ 'Find the Ticket': [{ id: 35436 }] })],
			ends: 'None Yet?',
		},
		'nobody answered': { arrange: called('+12125550103'), ends: 'Talked?' },
	},
};
