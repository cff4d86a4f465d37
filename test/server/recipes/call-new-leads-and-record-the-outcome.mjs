import { blacklisted } from '../support/blacklisted.mjs';

const calling = [
	'Leads File',
	'Table for the Outcomes',
	'Leads',
	'Start a Call',
	'Called',
	'Remember the Call',
];
const recording = [
	'Call Ended',
	'Read the Conversation',
	'Read the Sessions',
	'Record the Call',
	'Read the Evaluation',
	'Record the Evaluation',
];
const numbers = ['+12125550101', '+12125550102', '+12125550103'];

const called = { conversation_uuid: /^[0-9a-f-]{36}$/ };

/** Of a pinned row: a click writes no sample between the outcomes. */
const createdAt = '2026-03-14T12:07:19.000Z';

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Leads File': {
			runs: calling,
			shows: { 'Remember the Call': numbers.map((number) => ({ number, createdAt })) },
		},
		'Call Ended': {
			runs: recording,
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
			runs: calling,
			created: { '/call': numbers.map((number) => ({ participant: { number } })) },
			shows: {
				Called: numbers.map(() => called),
			},
		},
		'one of the leads is on the blacklist': {
			from: 'Leads File',
			arrange: (live) => blacklisted(live, numbers[1]),
			runs: calling,
			created: { '/call': [numbers[0], numbers[2]].map((number) => ({ participant: { number } })) },
			shows: { Called: [...Array(2).fill(called), { skipped: true, phone_number: numbers[1] }] },
		},
	},
};
