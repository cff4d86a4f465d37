/**
 * What stands in the mail of a real listing is shown with a mail server: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Every Day at 18:00': {
			runs: [
				'Every Day at 18:00',
				'Count the Contacts',
				'Draw the Bars',
				'Write the Report',
				'Mail the Report',
			],
			sends: {
				'Mail the Report': [
					{ subject: 'Listing: 164 reached', html: /250 contacts, 231 conversations, 304 minutes/ },
				],
			},
		},
	},
	live: {},
};
