const call = '9a1c3e57-1b2d-4c6f-8e90-7d5b3a2f1c44';

/** What it does when it is published: test/server/continuesAfterwards.test.mjs. @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Leads File': {
			ends: ['Table for the Outcomes', 'Call Each Lead'],
			shows: {
				'Call Each Lead': ['+12125550101', '+12125550102', '+12125550103'].map((phone_number) => ({
					phone_number,
				})),
			},
		},
		Lead: {
			ends: 'Record the Outcome',
			shows: {
				'Record the Outcome': [{ lead: 'Aylin Yilmaz', status: 'completed', seconds: 127, call }],
			},
			sends: {
				'Remember Where to Go On': [{ columns: { value: { call } } }],
			},
		},
		'Call Ended': {
			ends: 'Go On',
			sends: { 'Go On': [{ method: 'POST', url: /\/webhook-waiting\/4711\?signature=/ }] },
		},
	},
	live: {},
};
