const steps = ['Something Happened', 'Only New Events', 'Log the Event'];

/**
 * That repeated deliveries are dropped is shown with real ones: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: { 'Something Happened': { runs: steps } },
	live: {
		'the same event twice': {
			from: 'Something Happened',
			tables: true,
			runs: steps,
			shows: { 'Log the Event': [{ event: 'conversation_end_report' }] },
			again: { runs: steps.slice(0, 2) },
		},
	},
};
