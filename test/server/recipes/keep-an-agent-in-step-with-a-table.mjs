/**
 * That the agent knows what the table says is shown with a real table: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Every Hour': {
			runs: [
				'Every Hour',
				'Questions and Answers',
				'As Training Items',
				'All in One',
				'Update the Agent',
			],
			shows: {
				'All in One': [
					{
						training: [
							{ content: 'When are you open?', response: /Monday to Friday/ },
							{ content: 'Where are you?', response: /harbor/ },
						],
					},
				],
			},
		},
	},
	live: {},
};
