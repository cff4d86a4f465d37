/** What it does hour by hour: test/server/untilReached.test.mjs. @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Run Once': { ends: 'Table of Holidays' },
		'Every Hour': {
			ends: ['Done, or Again', 'Write the Attempt', 'Count It'],
			shows: {
				'Done, or Again': [{ name: 'Ben Okafor', state: 'tries used up' }],
				'Count It': [{ name: 'Aylin Yilmaz', state: 'calling', tries: 2 }],
			},
			sends: {
				'Record the Outcome': [{ columns: { value: { outcome: 'not reached', seconds: 0 } } }],
				'Done, or Again': [{ columns: { value: { state: 'tries used up' } } }],
				'Write the Attempt': [{ columns: { value: { person: 1, attempt: 2 } } }],
				'Count It': [{ columns: { value: { state: 'calling', tries: 2 } } }],
			},
		},
	},
	live: {},
};
