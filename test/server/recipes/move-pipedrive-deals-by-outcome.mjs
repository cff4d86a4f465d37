import { blacklisted } from '../support/blacklisted.mjs';
import { eventOfCall } from '../support/event.mjs';

const dealsToCall = ['Every 5 Minutes', 'Deals to Call', 'Person of the Deal', 'Start a Call'];
const called = [...dealsToCall, 'Called?', 'Remember the Deal', 'Deal Was Called'];
const looked = [
	'Deal of the Call',
	'Read the Conversation',
	'Read the Sessions',
	'Read the Evaluation',
	'Outcome',
	'Only Once',
];
const ended = ['Call Ended', ...looked];

/** The event of a call of the deal. */
const endedCall = (/** @type {string} */ number) => async (live) => {
	const event = await eventOfCall(live, number);
	const [row] = live.pinned('Deal of the Call');
	return {
		'Call Ended': [event],
		'Deal of the Call': [{ ...row, conversation: event.data.conversation_uuid }],
	};
};

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Every 5 Minutes': {
			runs: [...called, ...looked, 'Which Outcome?', 'Interested', 'Note on the Deal'],
			sends: {
				'Person of the Deal': [{ personId: 42 }],
				'Start a Call': [
					{
						phoneNumber: '+12125550101',
						options: { requestKey: 'pipedrive-deal-17-2026-03-14T12:05:01Z' },
					},
				],
				'Deal Was Called': [{ dealId: '17' }],
			},
		},
		'Call Ended': {
			runs: [...ended, 'Which Outcome?', 'Interested', 'Note on the Deal'],
			shows: { Outcome: [{ deal: 17, outcome: 'success' }] },
			sends: {
				Interested: [{ dealId: 17 }],
				'Note on the Deal': [
					{ content: /^<b>Call: success<\/b><br>Ada/, additionalFields: { deal_id: 17 } },
				],
			},
		},
	},
	settings: {
		call: {
			outcomeByNumber: { '0101': 'interested', '0102': 'not_interested', '0103': 'no_answer' },
		},
	},
	live: {
		'a deal is called': {
			from: 'Every 5 Minutes',
			tables: true,
			arrange: async ({ sandbox }) => {
				await sandbox.control('PATCH /settings', { call: { lifeMs: 600_000 } });
				return {};
			},
			runs: [...called, ...looked, 'Which Outcome?'],
			shows: { Outcome: [{ deal: 17, outcome: '' }] },
			created: {
				'/call': [
					{
						participant: { number: '+12125550101', about: /^Ada Sample\. .*Ada Sample deal\.$/ },
						request_key: /^pipedrive-deal-17-2026-03-14T12:05:01Z-[0-9a-f]{12}$/,
					},
				],
			},
			again: { runs: [...called, ...looked] },
		},
		'a number that cannot be called': {
			from: 'Every 5 Minutes',
			tables: true,
			arrange: async ({ pinned }) => ({
				'Person of the Deal': [{ ...pinned('Person of the Deal')[0], phones: [] }],
			}),
			runs: [...dealsToCall, 'Number to Check'],
			sends: { 'Number to Check': [{ dealId: 17 }] },
		},
		'a contact on the blacklist': {
			from: 'Every 5 Minutes',
			tables: true,
			arrange: (live) => blacklisted(live, '+12125550101'),
			runs: [...dealsToCall, 'Called?', 'Number to Check'],
			sends: { 'Number to Check': [{ dealId: 17 }] },
		},
		'the call was a success': {
			from: 'Call Ended',
			tables: true,
			arrange: endedCall('+12125550101'),
			runs: [...ended, 'Which Outcome?', 'Interested', 'Note on the Deal'],
			sends: {
				Interested: [{ dealId: 17 }],
				'Note on the Deal': [
					{ content: /^<b>Call: success<\/b><br>.*interested\.<br>http.*\.wav$/ },
				],
			},
			again: { runs: ended },
		},
		'the call was no success': {
			from: 'Call Ended',
			tables: true,
			arrange: endedCall('+12125550102'),
			runs: [...ended, 'Which Outcome?', 'Not Interested', 'Note on the Deal'],
			again: { runs: ended },
		},
		'nobody answered': {
			from: 'Call Ended',
			tables: true,
			arrange: endedCall('+12125550103'),
			runs: [...ended, 'Which Outcome?', 'Call Again', 'Note on the Deal'],
			again: { runs: ended },
		},
		'a call of no deal': {
			from: 'Call Ended',
			tables: true,
			arrange: async (live) => ({ 'Call Ended': [await eventOfCall(live, '+12125550101')] }),
			runs: ['Call Ended', 'Deal of the Call'],
		},
	},
};
