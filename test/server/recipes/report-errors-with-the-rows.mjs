/**
 * That it reports what really fails is shown by executions that fail: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'A Workflow Stopped': {
			runs: ['A Workflow Stopped', 'What Has Failed', 'Tell the Team'],
			sends: {
				'Tell the Team': [
					{
						text: /^\*Reminders from a sheet\* has stopped at the node \*Send an SMS\*\.\n2 of 3 items [^]*\n• Item 1 \(row 3, "Ben"\)[^<]*\n• Item 2[^<]*\nhttps:/,
					},
				],
			},
		},
		'Rows That Failed': {
			runs: ['Rows That Failed', 'Row and Reason', 'As a Sheet', 'Send the Sheet'],
			shows: {
				'Row and Reason': [
					{ row_number: 3, name: 'Ben', phone_number: '12', reason: /not a phone number/ },
					{ row_number: 4, name: 'Cem', phone_number: '', reason: /empty/ },
				],
			},
			sends: { 'Send the Sheet': [{ options: { initialComment: /^2 rows could not be sent/ } }] },
		},
	},
	live: {},
};
