/**
 * What stands in the mail of a real listing is shown with a mail server: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Every Day at 7:00': {
			ends: 'Mail the Day',
			shows: {
				'One Row per Call': [
					{ agent: 'Mia', number: '+12125550101', seconds: 143, outcome: 'completed' },
					{ agent: 'Mia', number: '+12125550102', seconds: 0, outcome: 'no-answer' },
					{ agent: 'Mia', number: '+12125550103', seconds: 61, outcome: 'completed' },
					{ agent: 'Tom & Co', number: '+12125550104', seconds: 0, outcome: 'busy' },
				],
			},
			sends: {
				'Mail the Day': [
					{ subject: /^4 calls on /, html: /Mia: 3 calls, 3 minutes.*Tom &amp; Co: 1 call, 0/s },
				],
			},
		},
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
