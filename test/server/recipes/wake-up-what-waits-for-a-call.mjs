/**
 * That it wakes what waits is shown by executions that wait: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Call Ended': {
			runs: ['Call Ended', 'Who Waits for It', 'Wake It Up'],
			sends: {
				'Wake It Up': [
					{
						url: 'https://n8n.example.com/webhook-waiting/231?signature=0a1b2c',
						jsonBody: { conversation: '9a1c3e57-1b2d-4c6f-8e90-7d5b3a2f1c44' },
					},
				],
			},
		},
	},
	live: {},
};
