/**
 * What stands in the mail of a real listing is shown with a mail server: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Every Day at 18:00': {
			ends: 'Mail the Report',
			sends: {
				'Mail the Report': [
					{
						subject: 'Listing: 8 reached',
						html: /15 contacts, 12 conversations, 16 minutes.*<svg /s,
					},
				],
			},
		},
	},
	live: {},
};
