import { blacklisted } from '../support/steps.mjs';

const numbers = ['+12125550101', '+12125550102', '+12125550103'];

const called = { conversation_uuid: /^[0-9a-f-]{36}$/ };

/** Of a pinned row: a click writes no sample between the outcomes. */
const createdAt = '2026-03-14T12:07:19.000Z';

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Leads File': {
			ends: ['Table for the Outcomes', 'Remember the Call'],
			shows: { 'Remember the Call': numbers.map((number) => ({ number, createdAt })) },
		},
		'Call Ended': {
			ends: ['Read the Sessions', 'Record the Evaluation'],
			shows: {
				'Record the Evaluation': [
					{
						lead: 'Aylin Yilmaz',
						status: 'completed',
						success: 'yes',
						satisfaction: '4',
						createdAt,
					},
				],
			},
		},
	},
	live: {
		'a file of three leads': {
			from: 'Leads File',
			ends: ['Table for the Outcomes', 'Remember the Call'],
			created: { '/call': numbers.map((number) => ({ participant: { number } })) },
			shows: {
				Called: numbers.map(() => called),
			},
		},
		'one of the leads is on the blacklist': {
			from: 'Leads File',
			arrange: blacklisted(numbers[1]),
			ends: ['Table for the Outcomes', 'Remember the Call'],
			created: { '/call': [numbers[0], numbers[2]].map((number) => ({ participant: { number } })) },
			shows: {
				'Start a Call': [called, called, { phone_number: numbers[1], reason: 'blacklisted' }],
				Called: [called, called],
			},
		},
	},
};
