import { eventOfCall } from '../support/event.mjs';

const event = ['Call Ended', 'Read the Conversation', 'Only Calls', 'From the Event'];
const night = ['Every Night', 'Closed Calls', 'Of the Last Two Days', 'From the List'];
const kept = ['Only New Calls', 'Keep the Call'];

/**
 * That each call comes through once, whichever way, is shown with real events: see examples.test.mjs.
 * @type {import('../recipes.test.mjs').Recipe}
 */
export default {
	click: {
		'Call Ended': {
			runs: [...event, ...kept],
			shows: { 'Only New Calls': [{ number: '+12125550101', learned: 'by event' }] },
		},
		'Every Night': {
			runs: [...night, ...kept],
			shows: { 'Only New Calls': [{ number: '+12125550102', learned: 'from the list' }] },
		},
	},
	live: {
		'the event of a call, and later the list': {
			from: 'Call Ended',
			tables: true,
			arrange: async (live) => ({ 'Call Ended': [await eventOfCall(live, '+12125550101')] }),
			runs: [...event, ...kept],
			shows: { 'Keep the Call': [{ number: '+12125550101', learned: 'by event' }] },
			again: { runs: [...event, 'Only New Calls'] },
		},
	},
};
