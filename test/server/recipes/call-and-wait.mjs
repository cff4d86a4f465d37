import { blacklisted } from '../support/blacklisted.mjs';

const placed = [
	'Order to Confirm',
	'Start a Call',
	'Called?',
	'Remember Who Waits',
	'Look Once',
	'Has It Ended?',
];
const outcome = ['Read the Conversation', 'Forget Who Waited', 'Was the Customer Reached?'];

/** @type {import('../recipes.test.mjs').LiveWay} */
const notCalled = {
	from: 'Order to Confirm',
	arrange: async (live) =>
		await blacklisted(live, live.pinned('Order to Confirm')[0]['Phone number']),
	runs: ['Order to Confirm', 'Start a Call', 'Called?', 'Nobody Was Reached'],
	shows: { 'Nobody Was Reached': [{ status: /blacklist/ }] },
};

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
	live: { 'the customer is on the blacklist': notCalled },
};
