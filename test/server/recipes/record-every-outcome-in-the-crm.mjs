import { eventOfCall } from '../support/event.mjs';

const steps = [
	'Conversation Ended',
	'Read the Conversation',
	'Read the Sessions',
	'Newest Session',
	'Update the CRM',
	'Read the Evaluation',
	'Rate in the CRM',
];

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Conversation Ended': {
			runs: steps,
			sends: {
				'Update the CRM': [
					{
						columns: {
							value: {
								contact_id: 'c2a9e4f7-6b18-4d3e-8a5c-1f7096b3d8e2',
								number: '+12125550101',
								last_status: 'completed',
							},
						},
					},
				],
				'Rate in the CRM': [
					{ columns: { value: { last_success: 'yes', last_satisfaction: '4' } } },
				],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0102': 'not_interested' } } },
	live: {
		'a conversation has ended': {
			from: 'Conversation Ended',
			tables: true,
			arrange: async (live) => ({
				'Conversation Ended': [await eventOfCall(live, '+12125550102', 'Conversation Ended')],
			}),
			runs: steps,
			shows: { 'Rate in the CRM': [{ number: '+12125550102', last_success: 'no' }] },
		},
	},
};
