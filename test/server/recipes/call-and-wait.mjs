const placed = [
	'Order to Confirm',
	'Start a Call',
	'Remember Who Waits',
	'Look Once',
	'Has It Ended?',
];
const outcome = ['Read the Conversation', 'Forget Who Waited', 'Was the Customer Reached?'];

/**
 * That it waits and is woken is shown by executions that wait: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Order to Confirm': {
			runs: [...placed, 'Wait for the Call', ...outcome, 'Shall Be Shipped?'],
			shows: { 'Shall Be Shipped?': [{ order: '4711', seconds: 127, summary: /confirmed/ }] },
		},
	},
	live: {},
};
