const steps = [
	'Every Day at 6:00',
	'Calls of Yesterday',
	'Sessions of Yesterday',
	'Keep the Totals',
	'Once a Day',
	'All Days',
	'All in One',
	'Measure the Columns',
	'Write the Mail',
	'Mail the Digest',
];

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Every Day at 6:00': {
			runs: steps,
			sends: {
				'Mail the Digest': [
					{ subject: '42 calls on Saturday, 14 March', html: /42<\/div>.*6 the day before|42/ },
				],
			},
		},
	},
	live: {
		'a mail about yesterday': {
			from: 'Every Day at 6:00',
			tables: true,
			runs: steps,
			sends: { 'Mail the Digest': [{ subject: /^0 calls on / }] },
			again: { runs: steps.slice(0, 5) },
		},
	},
};
