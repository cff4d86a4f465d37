import { eventOfCall } from '../support/event.mjs';

const read = [
	'Conversation Evaluated',
	'Read the Conversation',
	'Read the Sessions',
	'Newest Session',
	'Read the Evaluation',
	'Low Score?',
];
const asked = [...read, 'Only Once', 'Ask the Reviewers', 'Coach or Reassign?'];
const coached = [...asked, 'Ask for the Note', 'Was It Written?', 'Add a Coaching Note'];
const number = { good: '+12125550101', bad: '+12125550102' };

/** The event of a call with this outcome. */
const evaluated = (/** @type {string} */ who) => async (live) => ({
	'Conversation Evaluated': [await eventOfCall(live, who, 'Conversation Evaluated')],
});

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Conversation Evaluated': {
			runs: coached,
			sends: {
				'Ask the Reviewers': [
					{
						message:
							/With: \+12125550101 \(Call\)\nSentiment: negative\. .*\nSatisfaction: 1\. Success: no\./,
						approvalOptions: {
							values: { approveLabel: 'Coach the Agent', disapproveLabel: 'Reassign' },
						},
					},
				],
				'Ask for the Note': [{ message: /with \+12125550101: Ada was annoyed/ }],
				'Add a Coaching Note': [{ content: /^If a customer asks for a person/ }],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0101': 'interested', '0102': 'not_interested' } } },
	live: {
		'reviewers coach the agent': {
			from: 'Conversation Evaluated',
			tables: true,
			arrange: evaluated(number.bad),
			runs: coached,
			sends: {
				'Ask the Reviewers': [{ message: /With: \+12125550102 \(Call\)\nSentiment: negative/ }],
			},
			created: {
				'/agents/{}/notes': [
					{ content: 'If a customer asks for a person, offer a call back within the hour.' },
				],
			},
			again: { runs: [...read, 'Only Once'] },
		},
		'reviewers give it to somebody else': {
			from: 'Conversation Evaluated',
			tables: true,
			arrange: async (live) => ({
				...(await evaluated(number.bad)(live)),
				'Ask the Reviewers': [{ data: { approved: false } }],
			}),
			runs: [...asked, 'Reassign'],
			sends: { Reassign: [{ text: /^Please call back .*\+12125550102: .*not_interested/ }] },
			again: { runs: [...read, 'Only Once'] },
		},
		'nobody presses a button in time': {
			from: 'Conversation Evaluated',
			tables: true,
			arrange: async (live) => ({
				...(await evaluated(number.bad)(live)),
				'Ask the Reviewers': [{ uuid: 'what came in' }],
			}),
			runs: [...asked, 'Reassign'],
			again: { runs: [...read, 'Only Once'] },
		},
		'a conversation that went well': {
			from: 'Conversation Evaluated',
			tables: true,
			arrange: evaluated(number.good),
			runs: read,
		},
	},
};
