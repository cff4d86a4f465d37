import { blacklisted } from '../support/blacklisted.mjs';
import { eventOfCall } from '../support/event.mjs';

const called = ['New Record', 'Start a Call', 'Note the Call'];
const written = [
	'Record of the Call',
	'Read the Conversation',
	'Read the Sessions',
	'Read the Evaluation',
	'Write the Outcome',
];
const record = 'recQ7rT2mWc5XyB9k';

/** The event of a call, and the record that names it. */
const endedCall = (/** @type {string} */ number) => async (live) => {
	const event = await eventOfCall(live, number);
	const [found] = live.pinned('Record of the Call');
	return {
		'Call Ended': [event],
		'Record of the Call': [{ ...found, Conversation: event.data.conversation_uuid }],
	};
};

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'New Record': {
			runs: [...called, ...written],
			sends: {
				'Note the Call': [{ columns: { value: { id: record, Status: 'Called' } } }],
				'Write the Outcome': [
					{
						columns: {
							value: {
								id: record,
								Status: 'completed',
								Seconds: 127,
								Success: 'yes',
								Satisfaction: '4',
							},
						},
					},
				],
			},
		},
		'Call Ended': {
			runs: ['Call Ended', ...written],
			sends: {
				'Record of the Call': [
					{ filterByFormula: "{Conversation} = '9a1c3e57-1b2d-4c6f-8e90-7d5b3a2f1c44'" },
				],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0101': 'interested', '0103': 'no_answer' } } },
	live: {
		'a new record is called': {
			from: 'New Record',
			// The call has ended before the record names it: the outcome is not lost.
			arrange: endedCall('+12125550103'),
			runs: [...called, ...written],
			created: {
				'/call': [
					{
						participant: { number: '+12125550101', about: 'Ada Sample asked about solar panels.' },
						request_key: new RegExp(`^airtable-${record}-[0-9a-f]{12}$`),
					},
				],
			},
			sends: {
				'Note the Call': [{ columns: { value: { id: record, Conversation: /^[0-9a-f-]{36}$/ } } }],
				'Record of the Call': [{ filterByFormula: /^\{Conversation\} = '[0-9a-f-]{36}'$/ }],
				'Write the Outcome': [
					{ columns: { value: { id: record, Status: 'no-answer', Seconds: 0, Success: 'no' } } },
				],
			},
		},
		'a contact on the blacklist': {
			from: 'New Record',
			arrange: async (live) => ({
				...(await blacklisted(live, '+12125550101')),
				// No record has its conversation.
				'Record of the Call': [],
			}),
			runs: [...called, 'Record of the Call'],
			sends: {
				'Note the Call': [
					{ columns: { value: { id: record, Conversation: '', Status: /blacklist/ } } },
				],
				'Record of the Call': [{ filterByFormula: "{Conversation} = 'none'" }],
			},
		},
		'a number that cannot be called': {
			from: 'New Record',
			arrange: async ({ pinned }) => {
				const [{ fields, ...one }] = pinned('New Record');
				return { 'New Record': [{ ...one, fields: { ...fields, Phone: 'later' } }] };
			},
			runs: ['New Record', 'Start a Call', 'Note the Reason'],
			sends: { 'Note the Reason': [{ columns: { value: { id: record, Status: /later/ } } }] },
		},
		'a call has ended': {
			from: 'Call Ended',
			arrange: endedCall('+12125550101'),
			runs: ['Call Ended', ...written],
			sends: {
				'Write the Outcome': [
					{
						columns: {
							value: {
								id: record,
								Status: 'completed',
								Success: 'yes',
								Summary: /interested/,
								Recording: /\.wav$/,
							},
						},
					},
				],
			},
		},
	},
};
